"""Opening files: text with one opening a line, or TOML.

Text: every line is a move string such as ``h8i9g7``, optionally with a name before it
(``diagonal: h8i9g7``). A line ``size: 9`` says for which board the openings are (15 unless said);
``#`` starts a comment. TOML: ``size = 9`` and ``[[opening]]`` tables with ``moves`` and ``name``.
Whether the moves are legal or distinct is not judged here, only that they can be read.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gomoku_lab.game.formats.text import read_text
from gomoku_lab.game.notation import parse_moves
from gomoku_lab.game.rules import DEFAULT_SIZE, check_size


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
    """

    name: str
    moves: tuple[int, ...]
    place: str


@dataclass(frozen=True, slots=True)
class OpeningFile:
    """What an opening file holds: the board size and the openings in file order."""

    size: int
    entries: tuple[OpeningEntry, ...]


def read_openings(path: Path) -> OpeningFile:
    """Read an opening file; ``.toml`` is TOML, anything else is text.

    Raises
    ------
    ValueError
        If a line or table cannot be read; the message names the file and the place.
    OSError
        If the file cannot be opened.
    """
    text = read_text(path)
    parse = parse_toml_openings if path.suffix == ".toml" else parse_text_openings
    return parse(text, str(path))


def parse_text_openings(text: str, source: str) -> OpeningFile:
    """Return the openings of the text format; `source` is the file's name for messages."""
    lines = list(_meaningful_lines(text))
    size = DEFAULT_SIZE
    if lines and _split(lines[0][1])[0] == "size":
        number, line = lines.pop(0)
        size = _size(_split(line)[1], f"{source}:{number}")
    entries = []
    for number, line in lines:
        place = f"{source}:{number}"
        name, moves = _split(line)
        if name == "size":
            raise ValueError(f"{place}: 'size: ...' must stand before the first opening")
        entries.append(_entry(name, moves, size, place))
    return OpeningFile(size, tuple(entries))


def parse_toml_openings(text: str, source: str) -> OpeningFile:
    """Return the openings of the TOML format; `source` is the file's name for messages."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{source}: not valid TOML: {error}") from None
    _check_keys(document, ("size", "opening"), source)
    size = _size(document.get("size", DEFAULT_SIZE), source)
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
        entries.append(_entry(name, moves, size, place))
    return OpeningFile(size, tuple(entries))


def _meaningful_lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.split("#", 1)[0].strip()
        if content:
            yield number, content


def _split(line: str) -> tuple[str, str]:
    name, colon, rest = line.partition(":")
    return (name.strip(), rest.strip()) if colon else ("", line)


def _size(value: Any, place: str) -> int:
    text = str(value)
    if isinstance(value, bool) or not text.isdecimal():
        raise ValueError(f"{place}: size must be a whole number: {value!r}")
    try:
        return check_size(int(text))
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def _entry(name: str, moves: str, size: int, place: str) -> OpeningEntry:
    try:
        parsed = parse_moves(moves, size)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None
    if not parsed:
        raise ValueError(f"{place}: an opening needs at least one move: {moves!r}")
    return OpeningEntry(name, parsed, place)


def _check_keys(table: dict[str, Any], allowed: tuple[str, ...], place: str) -> None:
    for key, value in table.items():
        if key not in allowed:
            raise ValueError(
                f"{place}: unknown key {key!r} (value {value!r}); allowed: {', '.join(allowed)}"
            )
