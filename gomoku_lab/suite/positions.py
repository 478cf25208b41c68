"""Tactical positions as values, and their files: TOML with diagrams, or JSON lines.

A file holds any number of positions. Loading checks everything that can be said without solving
the position; whether the stated answer is right is proved in `proofs`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gomoku_lab._data import data_path
from gomoku_lab.engine.settings import nearest_key, unknown_key_message
from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import diagram, parse_diagram
from gomoku_lab.game.glossary import kind_names
from gomoku_lab.game.notation import move_name, parse_move
from gomoku_lab.game.rules import BLACK, DEFAULT_SIZE, WHITE, Rule, check_size, colour_name

SCHEMA_VERSION: Final = 1

KIND_WIN_IN: Final = {"must-win": 1, "open-four": 2, "four-three": 3, "double-three": 3}
"""Within how many own moves the best moves of a kind force five, by definition of the kind."""
_FREE_WIN_IN: Final = ("exact-five", "vcf", "vct", "no-vcf", "forbidden")
_NO_BEST: Final = ("draw-board", "no-vcf")
SETS: Final = {"basic": ("positions",), "mined": ("positions", "mined")}
"""The sets of positions that ship with the package, by name."""
PROOFS: Final = ("exhaustive",)
"""How an answer can be proved: by the AND/OR search of `forcing`."""

_KEYS: Final = (
    "id", "kind", "rule", "size", "diagram", "moves", "to_move", "best", "win_in", "why",
    "proof", "tags", "complete", "origin", "schema",
)  # fmt: skip
_REQUIRED: Final = ("id", "kind", "to_move", "best", "why")
_COLOURS: Final = {"black": BLACK, "white": WHITE}


@dataclass(frozen=True, slots=True)
class Position:
    """A board with a question that has a proved answer.

    Attributes
    ----------
    id : str
        Unique name.
    kind : str
        One of the glossary's kinds: what has to be found.
    board : Board
        The position; its side to move is asked.
    best : tuple of int
        The complete set of right moves as flat indices, ascending; empty where none is right.
    why : str
        One line, in terms of the glossary: the move that matters and the reason.
    win_in : int or None
        The best moves force five within this many own moves; None where nobody wins.
    proof : str
        How the answer is proved, one of `PROOFS`.
    tags : tuple of str
        Free words to select by.
    complete : bool
        Whether no other move is right. Where it is not, as after threats whose every first move
        nobody could decide, a move counts as well that wins by threats, too.
    origin : str
        Where it comes from, if it was mined: the game and the ply, or how it was built; and which
        player fails on it.
    source : str
        The file it came from; "" if none.
    """

    id: str
    kind: str
    board: Board
    best: tuple[int, ...]
    why: str
    win_in: int | None = None
    proof: str = PROOFS[0]
    tags: tuple[str, ...] = ()
    complete: bool = True
    origin: str = ""
    source: str = ""

    @property
    def best_names(self) -> tuple[str, ...]:
        """Give the right moves as names."""
        return tuple(move_name(move, self.board.size) for move in self.best)

    def to_dict(self) -> dict[str, Any]:
        """Return the form in which it is stored; `position_from_dict` reads it back."""
        known: dict[str, Any] = {
            "id": self.id,
            "kind": self.kind,
            "rule": str(self.board.rule),
            "size": self.board.size,
            "to_move": colour_name(self.board.to_move),
            "best": list(self.best_names),
            "why": self.why,
            "proof": self.proof,
        }
        if self.win_in is not None:
            known["win_in"] = self.win_in
        if self.tags:
            known["tags"] = list(self.tags)
        if not self.complete:
            known["complete"] = False
        if self.origin:
            known["origin"] = self.origin
        return {**known, "diagram": diagram(self.board)}


def position_from_dict(entry: Mapping[str, Any], *, source: str = "") -> Position:
    """Return the position that `entry` describes.

    Parameters
    ----------
    entry : mapping
        The keys of one ``[[position]]``.
    source : str
        File name for messages.

    Raises
    ------
    ValueError
        If something is wrong; the message names source, id, key, value and what was allowed.
    """
    where = f"{source or 'position'}: position {entry.get('id', '(without id)')!r}"
    try:
        return _read(entry, source)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error


def _read(entry: Mapping[str, Any], source: str) -> Position:
    for key, value in entry.items():
        if key not in _KEYS:
            raise ValueError(unknown_key_message(key, value, _KEYS))
    for key in _REQUIRED:
        if key not in entry:
            raise ValueError(f"key {key!r} is missing")
    _expect("schema", entry.get("schema", SCHEMA_VERSION), (SCHEMA_VERSION,))
    kind = _expect("kind", entry["kind"], kind_names())
    board = _board(entry)
    return Position(
        id=_text(entry, "id"),
        kind=kind,
        board=board,
        best=_best(entry["best"], kind, board),
        why=_text(entry, "why"),
        win_in=_win_in(entry.get("win_in"), kind),
        proof=_expect("proof", entry.get("proof", PROOFS[0]), PROOFS),
        tags=tuple(_strings("tags", entry.get("tags", []))),
        complete=_complete(entry.get("complete", True), kind),
        origin=_text(entry, "origin") if "origin" in entry else "",
        source=source,
    )


def _board(entry: Mapping[str, Any]) -> Board:
    """Return the board of `entry`, drawn or played; nobody may have won on it."""
    rule = _expect("rule", entry.get("rule", Rule.FREESTYLE), tuple(Rule))
    to_move = _COLOURS[_expect("to_move", entry["to_move"], tuple(_COLOURS))]
    size = entry.get("size")
    if size is not None and (isinstance(size, bool) or not isinstance(size, int)):
        raise ValueError(f"size must be a whole number 5..20: {size!r}")
    if ("diagram" in entry) == ("moves" in entry):
        raise ValueError("exactly one of the keys 'diagram' and 'moves' is needed")
    if "diagram" in entry:
        board = parse_diagram(_text(entry, "diagram"), rule=rule, to_move=to_move)
    else:
        size = check_size(DEFAULT_SIZE if size is None else size)
        board = Board.from_moves(_text(entry, "moves"), size=size, rule=rule)
    if size is not None and board.size != size:
        raise ValueError(f"size must agree with the diagram of {board.size} rows: {size!r}")
    if board.to_move != to_move:
        raise ValueError(
            f"to_move must agree with the moves, {colour_name(board.to_move)}: {entry['to_move']!r}"
        )
    if board.winner:
        raise ValueError(f"the board is already won: {colour_name(board.winner)} has five")
    return board


def _best(value: Any, kind: str, board: Board) -> tuple[int, ...]:
    names = _strings("best", value)
    moves = []
    for name in names:
        try:
            moves.append(parse_move(name, board.size))
            board.check_move(moves[-1])
        except ValueError as error:
            raise ValueError(f"best: {error}") from error
    if len(set(moves)) != len(moves):
        raise ValueError(f"best must not name a move twice: {names!r}")
    if not moves and kind not in _NO_BEST:
        raise ValueError(f"best must name at least one move for the kind {kind}: {names!r}")
    if moves and kind in _NO_BEST:
        raise ValueError(f"best must be empty for the kind {kind}: {names!r}")
    return tuple(sorted(moves))


def _win_in(value: Any, kind: str) -> int | None:
    if kind in KIND_WIN_IN:
        fixed = KIND_WIN_IN[kind]
        _expect("win_in", fixed if value is None else value, (fixed,))
        return fixed
    if value is None:
        return None
    if kind not in _FREE_WIN_IN:
        raise ValueError(f"win_in must be left out for the kind {kind}: {value!r}")
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"win_in must be a whole number, 1 or more: {value!r}")
    return value


def _complete(value: Any, kind: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"complete must be true or false: {value!r}")
    if not value and kind != "vct":
        raise ValueError(f"complete must be true for the kind {kind}: only threats may be left out")
    return value


def _expect(key: str, value: Any, allowed: Sequence[Any]) -> Any:
    """Return `value` if it is one of `allowed`, else say which key it belongs to."""
    if isinstance(value, bool) or value not in allowed:
        near = nearest_key(value, allowed) if isinstance(value, str) else None
        hint = f"; did you mean {near!r}?" if near else ""
        names = ", ".join(str(name) for name in allowed)
        one_of = "one of " if len(allowed) > 1 else ""
        raise ValueError(f"{key} must be {one_of}{names}: {value!r}{hint}")
    return value


def _text(entry: Mapping[str, Any], key: str) -> str:
    value = entry[key]
    if not isinstance(value, str) or not (value.strip() or key == "moves"):
        raise ValueError(f"{key} must be a text: {value!r}")
    return value


def _strings(key: str, value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise ValueError(f"{key} must be a list of texts: {value!r}")
    return value


def load_positions(path: str | Path | None = None) -> list[Position]:
    """Load positions from a ``.toml`` or ``.jsonl`` file, or from all of these in a folder.

    Parameters
    ----------
    path : str or Path, optional
        File or folder (not its subfolders), or one of `SETS`; by default the basic set.

    Raises
    ------
    ValueError
        If a position is malformed, an id occurs twice, or there is no position at all.
    """
    name = "basic" if path is None else str(path)
    place = data_path(*SETS[name]) if name in SETS else Path(name)
    files = [place]
    if place.is_dir():
        files = sorted(file for file in place.iterdir() if file.suffix in (".toml", ".jsonl"))
    positions = [position for file in files for position in _load_file(file)]
    if not positions:
        raise ValueError(f"{place}: no positions found (.toml or .jsonl)")
    return _distinct(positions)


def load_shipped() -> list[Position]:
    """Load all positions that ship with the package: all of `SETS`."""
    return _distinct([position for name in SETS for position in load_positions(name)])


def _distinct(positions: list[Position]) -> list[Position]:
    """Return the positions; ValueError if two have the same id."""
    seen: dict[str, Position] = {}
    for position in positions:
        other = seen.setdefault(position.id, position)
        if other is not position:
            raise ValueError(
                f"{position.source}: position {position.id!r}: the id must be unique; "
                f"it is used in {other.source} as well"
            )
    return positions


def select_kinds(positions: Iterable[Position], kinds: Sequence[str]) -> list[Position]:
    """Return the positions of the given kinds, or all if none is given.

    Raises
    ------
    ValueError
        If there is no such kind, or no position of these kinds.
    """
    for kind in kinds:
        _expect("kind", kind, kind_names())
    selected = [position for position in positions if not kinds or position.kind in kinds]
    if not selected:
        raise ValueError(f"no position is of the kind {' or '.join(kinds)}")
    return selected


def with_a_move(positions: Iterable[Position]) -> list[Position]:
    """Return the positions that ask a player for something; a no-vcf asks a solver alone.

    Raises
    ------
    ValueError
        If none is left.
    """
    left = [position for position in positions if position.kind != "no-vcf"]
    if not left:
        raise ValueError("a no-vcf position has no move to find: `gomoku-lab positions verify`")
    return left


def _load_file(file: Path) -> list[Position]:
    if file.suffix not in (".toml", ".jsonl"):
        raise ValueError(f"{file}: a position file must end in .toml or .jsonl")
    try:
        text = file.read_text(encoding="utf-8")
        entries = _toml_entries(text) if file.suffix == ".toml" else _jsonl_entries(text)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error
    return [position_from_dict(entry, source=str(file)) for entry in entries]


def _toml_entries(text: str) -> list[Mapping[str, Any]]:
    content = tomllib.loads(text)
    unknown = [key for key in content if key not in ("schema", "position")]
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r}; allowed: schema, [[position]]")
    _expect("schema", content.get("schema", SCHEMA_VERSION), (SCHEMA_VERSION,))
    entries = content.get("position", [])
    if not isinstance(entries, list):
        raise ValueError("positions must be written as [[position]], with two brackets")
    return entries


def _jsonl_entries(text: str) -> list[Mapping[str, Any]]:
    entries: list[Mapping[str, Any]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            entry = json.loads(line)
            if not isinstance(entry, dict):
                raise ValueError(f"line {number} must hold one JSON object: {line[:40]!r}")
            entries.append(entry)
    return entries


def format_positions(positions: Iterable[Position]) -> str:
    """Return the TOML text of a file that holds `positions`."""
    blocks = [f"schema = {SCHEMA_VERSION}"]
    for position in positions:
        entry = position.to_dict()
        drawing = entry.pop("diagram")
        # JSON strings, numbers and lists of strings are TOML as they stand.
        lines = [f"{key} = {json.dumps(entry[key], ensure_ascii=False)}" for key in entry]
        blocks.append("\n".join(["[[position]]", *lines, f"diagram = '''\n{drawing}\n'''"]))
    return "\n\n".join(blocks) + "\n"


def save_positions(path: str | Path, positions: Iterable[Position]) -> None:
    """Write `positions` to a ``.toml`` or ``.jsonl`` file."""
    file = Path(path)
    if file.suffix == ".toml":
        text = format_positions(positions)
    elif file.suffix == ".jsonl":
        text = "".join(json.dumps(position.to_dict()) + "\n" for position in positions)
    else:
        raise ValueError(f"{file}: a position file must end in .toml or .jsonl")
    file.write_text(text, encoding="utf-8")
