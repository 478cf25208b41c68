"""All formats in which games are read and written, by name, and reading in any of them.

Files are read by their bytes; nothing here opens one. Writing is in `writing`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePath
from typing import Final

from gomoku_lab.game.formats.foreign import (
    NOTHING_ELSE_KNOWN,
    Told,
    Unsaid,
    record_of,
    size_or,
)
from gomoku_lab.game.formats.jsonl import read_jsonl, write_jsonl
from gomoku_lab.game.formats.openings import is_offsets, is_ours, read_text_openings
from gomoku_lab.game.formats.psq import is_judged, read_psq, write_psq
from gomoku_lab.game.formats.reading import Problem, Reading
from gomoku_lab.game.formats.sgf import read_sgf, write_sgf
from gomoku_lab.game.formats.strings import MOVES, OFFSET, POS, Notation
from gomoku_lab.game.formats.text import decode_foreign, decode_lines
from gomoku_lab.game.notation import parse_moves
from gomoku_lab.game.record import GameRecord
from gomoku_lab.game.rules import DEFAULT_SIZE

_EMPTY: Final = "it is empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One format.

    Attributes
    ----------
    name : str
        By which it is asked for.
    says : str
        One line for people.
    read : callable
        From the bytes of a file, its name and what to assume, to games and problems.
    write : callable
        From a game to its text; ValueError if it cannot be written.
    head : callable
        From the board size to what stands before the first game.
    suffix : str
        How its files end.
    holds_rule : bool
        Whether a file says by what rule was played.
    holds_setup : bool
        Whether a game may begin with stones on the board.
    one_a_file : bool
        Whether a file holds one game only.
    one_size : bool
        Whether all games of a file have one board size.
    """

    name: str
    says: str
    read: Callable[[bytes, str, Unsaid], Reading[GameRecord]]
    write: Callable[[GameRecord], str]
    head: Callable[[int], str] = lambda size: ""
    suffix: str
    holds_rule: bool = False
    holds_setup: bool = False
    one_a_file: bool = False
    one_size: bool = False


def _read_openings(
    data: bytes, source: str, unsaid: Unsaid, *, notation: Notation
) -> Reading[GameRecord]:
    """Read one game a line, all of whose moves are an opening."""
    notes: list[str] = []
    said, lines = read_text_openings(
        decode_lines(data), source, notation=notation, size=unsaid.size or DEFAULT_SIZE
    )
    games, starts, problems = [], [], list(lines.problems)
    for number, entry in enumerate(lines.items, start=1):
        assumed: list[str] = []
        told = Told(
            id=entry.name or f"{PurePath(source).stem}-{number}",
            moves=entry.moves,
            size=said or size_or(unsaid, assumed),
            opening=entry.name,
            opening_moves=len(entry.moves),
        )
        try:
            games.append(record_of(told, unsaid, assumed))
        except ValueError as error:
            problems.append(Problem(source, entry.line, str(error)))
        else:
            notes += assumed
            starts.append(entry.line)
    problems.sort(key=lambda problem: problem.line)
    return Reading(tuple(games), tuple(problems), tuple(notes), tuple(starts))


def _write_opening(record: GameRecord, *, notation: Notation) -> str:
    if not record.moves:
        raise ValueError("it has no moves")
    moves = notation.text(parse_moves(record.moves, record.size), record.size)
    name = f"{record.opening}: " if notation is MOVES and record.opening else ""
    return f"{name}{moves}\n"


def _size_line(size: int) -> str:
    return "" if size == DEFAULT_SIZE else f"size: {size}\n"


def _opening_format(notation: Notation, says: str) -> Format:
    return Format(
        name=notation.name,
        says=says,
        read=partial(_read_openings, notation=notation),
        write=partial(_write_opening, notation=notation),
        head=_size_line if notation is MOVES else lambda size: "",
        suffix=".txt",
        one_size=True,
    )


FORMATS: Final = {
    one.name: one
    for one in (
        Format(
            name="games",
            says="JSON lines, as the games.jsonl of a run; reads plain objects as well",
            read=read_jsonl,
            write=write_jsonl,
            suffix=".jsonl",
            holds_rule=True,
            holds_setup=True,
        ),
        Format(
            name="sgf",
            says="Smart Game Format, any number of games",
            read=read_sgf,
            write=write_sgf,
            suffix=".sgf",
            holds_rule=True,
            holds_setup=True,
        ),
        Format(
            name="psq",
            says="Piskvork's file of one game",
            read=read_psq,
            write=write_psq,
            suffix=".psq",
            one_a_file=True,
        ),
        Format(
            name="psq-judge",
            says="the same with the Gomocup judge's last line: result 1 is a win of the player "
            "who moves first after the opening",
            read=partial(read_psq, judge=True),
            write=partial(write_psq, judge=True),
            suffix=".psq",
            holds_rule=True,
            one_a_file=True,
        ),
        _opening_format(
            MOVES, "one move string a line, rows from the bottom: this lab, Yixin-Board"
        ),
        _opening_format(POS, "one move string a line, rows from the top: c-gomoku-cli, Rapfi"),
        _opening_format(OFFSET, "one opening a line, offsets from the centre: Gomocup, Piskvork"),
    )
}
"""Every format by its name."""


def find_format(name: str) -> Format:
    """Return the format called `name`; ValueError names them all."""
    if name not in FORMATS:
        raise ValueError(f"format must be one of {', '.join(FORMATS)}: {name!r}")
    return FORMATS[name]


def guess_format(source: str, data: bytes, others: Sequence[str] = ()) -> Format:
    """Return the format of a file by its name and content, if only one comes into question.

    Parameters
    ----------
    source, data : str, bytes
        Its name and content.
    others : sequence of str
        What else the caller reads, to be named to who has to say the format.

    Raises
    ------
    ValueError
        If none or several do, or if the file is empty. Move strings with rows from the bottom and
        from the top look alike: nobody can tell them apart.
    """
    suffix = PurePath(source).suffix.lower()
    text = decode_foreign(data)[0]
    start = text.lstrip()
    if suffix == ".psq" or start.startswith("Piskvorky"):
        return FORMATS["psq-judge" if is_judged(data) else "psq"]
    if suffix == ".sgf" or (start.startswith("(") and start[1:].lstrip().startswith(";")):
        return FORMATS["sgf"]
    if suffix == ".jsonl" or start.startswith("{"):
        return FORMATS["games"]
    if not start:
        raise ValueError(f"{source}: {_EMPTY}")
    if is_offsets(text):
        return FORMATS["offset"]
    if is_ours(text):
        return FORMATS["moves"]
    if start[:1].isalpha() and start[1:2].isdecimal():
        raise ValueError(
            f"{source}: the rows of move strings may be counted from the bottom (moves: this lab, "
            "Yixin-Board) or from the top (pos: c-gomoku-cli, Rapfi), which nothing in them tells; "
            "say which: --from moves or --from pos"
        )
    known = "|".join((*FORMATS, *others))
    raise ValueError(f"{source}: cannot tell the format; say it: --from {known}")


def read_games(
    data: bytes, source: str, form: Format | None = None, unsaid: Unsaid = NOTHING_ELSE_KNOWN
) -> Reading[GameRecord]:
    """Read the games of a file.

    Parameters
    ----------
    data : bytes
        Its content.
    source : str
        Its name, for messages, and for the ids of games that have none.
    form : Format, optional
        The format; by default it is guessed.
    unsaid : Unsaid
        What to take for true where the file does not say it.

    Raises
    ------
    ValueError
        If the format cannot be guessed. What cannot be read is no error, but a problem.
    """
    if not data.strip():
        return Reading((), (Problem(source, 0, _EMPTY),))
    form = form or guess_format(source, data)
    reading = form.read(data, source, unsaid)
    if not reading.items and not reading.problems:
        return replace(reading, problems=(Problem(source, 0, f"no game found ({form.name})"),))
    return reading
