"""Opening files: text with one opening a line, or TOML.

Text in our notation, ``moves``: every line is a move string such as ``h8i9g7``, optionally with a
name before it (``diagonal: h8i9g7``). A line ``size: 9`` says for which board the openings are (15
unless said); ``#`` starts a comment. TOML: ``size = 9`` and ``[[opening]]`` tables with ``moves``
and ``name``. Text in the notations ``pos`` and ``offset`` of other programs (see `strings`) has
neither names nor a size.
Whether the moves are legal or distinct is not judged here, only that they can be read.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gomoku_lab.game.formats.reading import Problem, Reading
from gomoku_lab.game.formats.strings import MOVES, OFFSET, Notation
from gomoku_lab.game.formats.text import check_line, read_text
from gomoku_lab.game.rules import DEFAULT_SIZE, check_size

_OFFSETS: Final = re.compile(r"[-+0-9][-+0-9,\s]*")
_MOVE: Final = re.compile(r"[A-Za-z][0-9]")
# A name ends before the last colon, so that it may hold some itself.
_NAMED: Final = re.compile(r"(.*):([^:]*)")


@dataclass(frozen=True, slots=True)
class OpeningEntry:
    """One opening as it stands in a file.

    Attributes
    ----------
    name : str
        Its name in the file, "" if it has none.
    moves : tuple of int
        Flat indices, black first.
    place : str
        File and line, or file and number, for messages about it.
    line : int
        The line alone, from 1; 0 where there is none.
    """

    name: str
    moves: tuple[int, ...]
    place: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class OpeningFile:
    """What an opening file holds: the board size and the openings in file order."""

    size: int
    entries: tuple[OpeningEntry, ...]


def read_openings(
    path: Path, *, notation: Notation | None = None, size: int = DEFAULT_SIZE
) -> OpeningFile:
    """Read an opening file; ``.toml`` is TOML, anything else is text.

    Parameters
    ----------
    path : Path
        The file.
    notation : Notation, optional
        How the moves of a text are written; by default offsets if the first line holds nothing
        but numbers, else our own notation.
    size : int
        Board size for notations that do not say it.

    Raises
    ------
    ValueError
        If a line or table cannot be read; the message names the file and the place.
    OSError
        If the file cannot be opened.
    """
    text = read_text(path)
    if path.suffix == ".toml" and notation is None:
        return parse_toml_openings(text, str(path))
    if notation is None:
        notation = OFFSET if is_offsets(text) else MOVES
    return parse_text_openings(text, str(path), notation=notation, size=size)


def is_offsets(text: str) -> bool:
    """Tell whether the first line of `text` can only be an opening written in offsets."""
    first = next(_meaningful_lines(text), None)
    return first is not None and bool(_OFFSETS.fullmatch(first[1]))


def is_ours(text: str) -> bool:
    """Tell whether the first line of `text` has a name or a size, as only our notation has."""
    first = next(_meaningful_lines(text), None)
    name, moves = _split(first[1]) if first is not None else ("", "")
    return name == "size" or bool(name and _MOVE.match(moves))


def parse_text_openings(
    text: str, source: str, *, notation: Notation = MOVES, size: int = DEFAULT_SIZE
) -> OpeningFile:
    """Return the openings of a text, all or none; `source` is the file's name for messages."""
    said, reading = read_text_openings(text, source, notation=notation, size=size)
    for problem in reading.problems:
        raise ValueError(str(problem))
    return OpeningFile(said or size, reading.items)


def read_text_openings(
    text: str, source: str, *, notation: Notation = MOVES, size: int = DEFAULT_SIZE
) -> tuple[int | None, Reading[OpeningEntry]]:
    """Return the board size that a text of openings says, and the openings that can be read.

    The size is None if the text does not say it: then the openings are read for `size`. If it
    cannot be read, nothing can.
    """
    said = None
    lines = list(_meaningful_lines(text))
    own = notation is MOVES
    if own and lines and _split(lines[0][1])[0] == "size":
        number, line = lines.pop(0)
        try:
            said = size = _size(_split(line)[1])
        except ValueError as error:
            return None, Reading((), (Problem(source, number, str(error)),))
    entries, problems = [], []
    for number, line in lines:
        name, moves = _split(line) if own else ("", line)
        try:
            check_line(line)
            if own and name == "size":
                raise ValueError("'size: ...' must stand before the first opening")
            parsed = _moves(moves, size, notation)
        except ValueError as error:
            problems.append(Problem(source, number, str(error)))
        else:
            entries.append(OpeningEntry(name, parsed, f"{source}:{number}", number))
    return said, Reading(tuple(entries), tuple(problems))


def parse_toml_openings(text: str, source: str) -> OpeningFile:
    """Return the openings of the TOML format; `source` is the file's name for messages."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{source}: not valid TOML: {error}") from None
    _check_keys(document, ("size", "opening"), source)
    try:
        size = _size(document.get("size", DEFAULT_SIZE))
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None
    tables = document.get("opening", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise ValueError(f"{source}: openings must be [[opening]] tables: {tables!r}")
    entries = []
    for number, table in enumerate(tables, start=1):
        place = f"{source}: [[opening]] number {number}"
        _check_keys(table, ("name", "moves"), place)
        name, moves = table.get("name", ""), table.get("moves")
        if not isinstance(name, str) or not isinstance(moves, str):
            raise ValueError(f"{place}: name and moves must be strings: {table!r}")
        try:
            parsed = _moves(moves, size, MOVES)
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from None
        entries.append(OpeningEntry(name, parsed, place))
    return OpeningFile(size, tuple(entries))


def _meaningful_lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.split("#", 1)[0].strip()
        if content:
            yield number, content


def _split(line: str) -> tuple[str, str]:
    named = _NAMED.fullmatch(line)
    return (named[1].strip(), named[2].strip()) if named else ("", line)


def _size(value: Any) -> int:
    text = str(value)
    if isinstance(value, bool) or not text.isdecimal():
        raise ValueError(f"size must be a whole number: {value!r}")
    return check_size(int(text))


def _moves(text: str, size: int, notation: Notation) -> tuple[int, ...]:
    parsed = notation.parse(text, size)
    if not parsed:
        raise ValueError(f"an opening needs at least one move: {text!r}")
    return parsed


def _check_keys(table: dict[str, Any], allowed: tuple[str, ...], place: str) -> None:
    for key, value in table.items():
        if key not in allowed:
            raise ValueError(
                f"{place}: unknown key {key!r} (value {value!r}); allowed: {', '.join(allowed)}"
            )
