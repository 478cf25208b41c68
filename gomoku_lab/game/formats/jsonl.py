"""Games as JSON lines: the records of a run's ``games.jsonl``, or plain objects of other origin.

A record has a schema version and all its keys (see `game/schemas`). A plain object needs ``moves``
(rows from the bottom); ``id, rule, size, black, white, result, reason`` are read if they are there,
other keys are left out with a note. Nothing is lost in records that are written and read again.
"""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any, Final

from gomoku_lab.game.formats.foreign import Told, Unsaid, record_of, size_or
from gomoku_lab.game.formats.reading import Problem, Reading
from gomoku_lab.game.formats.text import check_line, decode_lines
from gomoku_lab.game.notation import parse_moves
from gomoku_lab.game.record import UNKNOWN, GameRecord
from gomoku_lab.game.rules import check_size, parse_rule

_RESULT_WORDS: Final = {"unfinished": UNKNOWN}
_PLAIN_KEYS: Final = ("id", "rule", "size", "black", "white", "result", "reason", "moves")
_TEXTS: Final = ("id", "pair", "opening", "rule", "moves", "result", "reason", "detail")
_COLUMNS: Final = {
    "nodes": (int, type(None)),
    "depth": (int, type(None)),
    "score": (int, type(None)),
    "time_ms": (int, float, type(None)),
}


def read_jsonl(data: bytes, source: str, unsaid: Unsaid) -> Reading[GameRecord]:
    """Read a file of one JSON object a line."""
    games: list[GameRecord] = []
    problems: list[Problem] = []
    notes: list[str] = []
    lines: list[int] = []
    stem = PurePath(source).stem
    for number, line in enumerate(decode_lines(data).split("\n"), start=1):
        if not line.strip():
            continue
        told: list[str] = []
        try:
            games.append(_game(line, f"{stem}-{number}", unsaid, told))
        except ValueError as error:
            problems.append(Problem(source, number, str(error)))
        else:
            notes += told
            lines.append(number)
    return Reading(tuple(games), tuple(problems), tuple(notes), tuple(lines))


def write_jsonl(record: GameRecord) -> str:
    """Return the line of `record` as it stands in a run's log."""
    return json.dumps(record.to_dict(), separators=(",", ":")) + "\n"


def _game(line: str, name: str, unsaid: Unsaid, notes: list[str]) -> GameRecord:
    check_line(line)
    try:
        values = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not a line of JSON: {error}") from None
    if not isinstance(values, dict):
        raise ValueError(f"a game must be a JSON object: {line[:40]!r}")
    if "schema" not in values:
        return _plain(values, name, unsaid, notes)
    _check_types(values)
    record = GameRecord.from_dict(values)
    record.check_outcome()
    return record


def _refuse(word: str) -> float:
    raise ValueError(f"not a number: {word}")


def _plain(values: dict[str, Any], name: str, unsaid: Unsaid, notes: list[str]) -> GameRecord:
    for key in ("moves", "id", "rule", "black", "white", "result", "reason"):
        if not isinstance(values.get(key, ""), str):
            raise ValueError(f"{key} must be a text: {values[key]!r}")
    if "moves" not in values:
        raise ValueError(f"the key 'moves' is missing; found: {', '.join(values) or 'nothing'}")
    size = values["size"] if "size" in values else size_or(unsaid, notes)
    result = values.get("result", "")
    told = Told(
        id=values.get("id") or name,
        moves=parse_moves(values["moves"], _size(size)),
        size=size,
        rule=parse_rule(values["rule"]) if "rule" in values else None,
        black=values.get("black", ""),
        white=values.get("white", ""),
        result=_RESULT_WORDS.get(result, result),
        reason=values.get("reason", ""),
    )
    record = record_of(told, unsaid, notes)
    notes += [f"key {key!r} left out" for key in values if key not in _PLAIN_KEYS]
    return record


def _size(value: Any) -> int:
    if isinstance(value, bool):
        raise ValueError(f"size must be a whole number: {value!r}")
    return check_size(value)


def _check_types(values: dict[str, Any]) -> None:
    """Raise ValueError unless the values of a record's keys have the types of the schema."""
    for key in _TEXTS:
        if not isinstance(values.get(key, ""), str):
            raise ValueError(f"{key} must be a text: {values[key]!r}")
    for key in ("size", "opening_moves"):
        _check_number(key, values.get(key, 0), (int,))
    _check_number("seed", values.get("seed"), (int, type(None)))
    for key, kinds in _COLUMNS.items():
        entries = values.get(key, [])
        if not isinstance(entries, list):
            raise ValueError(f"{key} must be a list: {entries!r}")
        for entry in entries:
            _check_number(key, entry, kinds)
    for key in ("black", "white", "setup"):
        inner = values.get(key)
        if isinstance(inner, dict) and not all(isinstance(one, str) for one in inner.values()):
            raise ValueError(f"{key} must hold texts: {inner!r}")


def _check_number(key: str, value: Any, kinds: tuple[type, ...]) -> None:
    if isinstance(value, bool) or not isinstance(value, kinds):
        raise ValueError(f"{key} must be a number: {value!r}")
