"""Games in the .psq files of Piskvork and of the Gomocup judge, one game a file.

A header with the board size, a line ``X,Y,milliseconds`` a move (from 1, rows from the top), the
names of both players, and Piskvork's code of an error. Leading moves that took 0 ms are the
opening. Whose game it is depends on who wrote the file:

``psq``, Piskvork (``savePsq`` in source/game.cpp): the header's last number tells which of the
names began; the result is what the board or the error code shows.

``psq-judge``, the judge (``Client_state.end`` in server/server.py, the same since 2017): the first
name is always Black, and a last line ``result,tournament`` is added. Its quirk: result 1 is a win
of the player who moves first *after the opening*, who is White after an odd number of opening
moves. The tournament is named by its rule (``Renju``, ``Freestyle15_1``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Final

from gomoku_lab.game.formats.foreign import Told, Unsaid, record_of
from gomoku_lab.game.formats.reading import Problem, Reading
from gomoku_lab.game.formats.text import decode_foreign
from gomoku_lab.game.notation import move_name, parse_moves
from gomoku_lab.game.record import UNKNOWN, UNKNOWN_PLAYER, GameRecord
from gomoku_lab.game.rules import Rule, check_size

_HEADER: Final = re.compile(r"\s*Piskvorky\s+(\d+)\s*x\s*(\d+)\s*,\s*-?\d+\s*:\s*-?\d+\s*,\s*(\d+)")
_MOVE: Final = re.compile(r"\s*(-?\d+)\s*,\s*(-?\d+)\s*(?:,\s*(-?\d+)\s*)?")
_CODE: Final = re.compile(r"-?\d+")
_RESULT: Final = re.compile(r"([012])\s*,\s*(\S.*)")
_FINISHED: Final = (0, -1)
_TIMED_OUT: Final = 15
_RULE_WORDS: Final = {
    "freestyle": Rule.FREESTYLE,
    "fastgame": Rule.FREESTYLE,
    "standard": Rule.STANDARD,
    "renju": Rule.RENJU,
}
_COLOURS: Final = ("black", "white")
_LEAST_MS: Final = 1
_LEFT_AT_A_DRAW: Final = 25
_DRAWN: Final = f"Piskvork ends a game when {_LEFT_AT_A_DRAW} points are left"


@dataclass(slots=True)
class _File:
    """The lines of a file, taken apart.

    Attributes
    ----------
    points : list
        Column and row from 1, milliseconds or None, and the line's number, of each move.
    names : list of str
        None or two.
    verdict : tuple or None
        The judge's number and the tournament, and the line's number.
    """

    size: int
    start: int
    points: list[tuple[int, int, int | None, int]]
    names: list[str]
    code: int
    verdict: tuple[int, str, int] | None


class _LineError(ValueError):
    """Something is wrong in a line of known number."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def is_judged(data: bytes) -> bool:
    """Tell whether a .psq file ends with the judge's line of the result."""
    lines = [line.strip() for line in decode_foreign(data)[0].splitlines() if line.strip()]
    return len(lines) > 1 and bool(_RESULT.fullmatch(lines[-1])) and not _MOVE.fullmatch(lines[-1])


def read_psq(
    data: bytes, source: str, unsaid: Unsaid, *, judge: bool = False
) -> Reading[GameRecord]:
    """Read a .psq file of Piskvork, or with `judge` of the Gomocup judge: one game or a problem."""
    notes: list[str] = []
    text, encoding = decode_foreign(data)
    if encoding != "utf-8":
        notes.append(f"names read as {encoding}")
    try:
        file = _take_apart(text)
        record = _record(file, PurePath(source).stem, unsaid, judge, notes)
    except ValueError as error:
        line = error.line if isinstance(error, _LineError) else 0
        return Reading((), (Problem(source, line, str(error)),))
    return Reading((record,), (), tuple(notes))


def write_psq(record: GameRecord, *, judge: bool = False) -> str:
    """Return the text of a .psq file; what it cannot hold is left out.

    Times are whole milliseconds, at least 1 for a move that is not of the opening.
    """
    lines = [f"Piskvorky {record.size}x{record.size}, 11:11, 0"]
    moves = parse_moves(record.moves, record.size)
    times: tuple[float | None, ...] = (0,) * record.opening_moves + record.time_ms
    for number, (move, time) in enumerate(zip(moves, times, strict=True)):
        row, col = divmod(move, record.size)
        point = f"{col + 1},{row + 1}"
        if time is not None and number >= record.opening_moves:
            time = max(_LEAST_MS, round(time))
        lines.append(point if time is None else f"{point},{time}")
    if judge or UNKNOWN_PLAYER not in (record.black, record.white):
        lines += [record.black.name, record.white.name]
    lines.append(str(-1 if judge else _TIMED_OUT if _is_clear_time_loss(record) else 0))
    if judge:
        lines.append(f"{_judged(record)},{str(record.rule).capitalize()}")
    return "\n".join(lines) + "\n"


def _take_apart(text: str) -> _File:
    lines = text.splitlines()
    header = _HEADER.fullmatch(lines[0].rstrip()) if lines else None
    if header is None:
        raise _LineError(
            1,
            "the first line must be such as 'Piskvorky 15x15, 11:11, 0': "
            f"{lines[0][:40] if lines else ''!r}",
        )
    width, height, start = (int(number) for number in header.groups())
    if width != height:
        raise _LineError(1, f"the board must be square: {width}x{height}")
    try:
        check_size(width)
    except ValueError as error:
        raise _LineError(1, str(error)) from None
    if start not in (0, 1):
        raise _LineError(1, f"the player who began must be 0 or 1: {start}")
    file = _File(width, start, [], [], 0, None)
    number = 1
    while number < len(lines) and (match := _MOVE.fullmatch(lines[number])):
        col, row, time = match.groups()
        number += 1
        file.points.append((int(col), int(row), None if time is None else int(time), number))
    rest = [(at, line.strip()) for at, line in enumerate(lines[number:], number + 1)]
    _take_end([(at, line) for at, line in rest if line], file)
    return file


def _take_end(rest: Sequence[tuple[int, str]], file: _File) -> None:
    """Read what follows the moves: names, code, the judge's line."""
    left = list(rest)
    if left and (match := _RESULT.fullmatch(left[-1][1])):
        at, _ = left.pop()
        file.verdict = (int(match[1]), match[2], at)
    if left and _CODE.fullmatch(left[-1][1]):
        file.code = int(left.pop()[1])
    if len(left) not in (0, 2):
        at, line = left[0]
        raise _LineError(
            at, f"two names or none must follow the moves, there are {len(left)} lines: {line!r}"
        )
    file.names = [line for _, line in left]


def _record(file: _File, name: str, unsaid: Unsaid, judge: bool, notes: list[str]) -> GameRecord:
    opening = _opening_moves(file)
    black, white = file.names if file.names else ("", "")
    if file.start == 1 and not judge:
        black, white = white, black
    told = Told(
        id=name,
        moves=(),
        size=file.size,
        black=_player(black),
        white=_player(white),
        opening_moves=opening,
        time_ms=[None if time is None else float(time) for _, _, time, _ in file.points],
    )
    if judge:
        told = _with_verdict(told, file, opening)
    else:
        if file.verdict is not None:
            notes.append("the judge's line of the result left out (psq-judge reads it)")
        told = _with_code(told, file)
    moves, refused = _moves(file, told.rule or unsaid.rule or Rule.FREESTYLE)
    told = replace(told, moves=moves)
    if refused:
        told = _with_refused_move(told, file, refused)
    record = record_of(told, unsaid, notes)
    drawn = 0 < record.plies == file.size**2 - _LEFT_AT_A_DRAW
    if drawn and not judge and record.result == UNKNOWN:
        return replace(record, result="draw", reason="adjudicated", detail=_DRAWN)
    return record


def _player(name: str) -> str:
    return "" if name == UNKNOWN_PLAYER.name else name


def _opening_moves(file: _File) -> int:
    """Count the leading moves that took no time."""
    for number, (_, _, time, _) in enumerate(file.points):
        if time != 0:
            return number
    return len(file.points)


def _moves(file: _File, rule: Rule) -> tuple[list[int], str]:
    """Return the moves; if the last one is illegal, all others and what is wrong with it."""
    moves: list[int] = []
    for col, row, _, line in file.points:
        problem = ""
        if not (1 <= col <= file.size and 1 <= row <= file.size):
            problem = f"move {col},{row} is off the {file.size}x{file.size} board (from 1)"
        else:
            move = (row - 1) * file.size + col - 1
            if move in moves:
                problem = f"move {col},{row} is on a stone ({move_name(move, file.size)})"
        if problem:
            if len(moves) == len(file.points) - 1:
                return moves, problem
            raise _LineError(line, problem)
        moves.append(move)
    return moves, ""


def _with_refused_move(told: Told, file: _File, problem: str) -> Told:
    """Return what is told of a game that ended with an illegal move, which the judge writes down.

    It must be one, by the result: otherwise the file is broken.
    """
    mover = len(told.moves) % 2
    if told.result != _COLOURS[1 - mover]:
        raise _LineError(file.points[-1][3], problem)
    times = told.time_ms[: len(told.moves)]
    return replace(told, reason="illegal move", detail=problem, time_ms=times)


def _with_code(told: Told, file: _File) -> Told:
    """Return what is told with the outcome that Piskvork's error code gives."""
    if file.code in _FINISHED:
        return told
    loser = len(file.points) % 2
    won = replace(told, result=_COLOURS[1 - loser])
    if file.code == _TIMED_OUT:
        return replace(won, reason="time")
    return replace(won, detail=f"Piskvork's error code {file.code} of {_COLOURS[loser]}")


def _with_verdict(told: Told, file: _File, opening: int) -> Told:
    """Return what is told with the judge's result and rule."""
    if file.verdict is None:
        last = file.points[-1][3] if file.points else 1
        raise _LineError(last, "the judge's line such as '2,Renju' is missing at the end")
    number, tournament, line = file.verdict
    word = re.match(r"[A-Za-z]*", tournament)
    rule = _RULE_WORDS.get(word[0].lower()) if word else None
    if word and word[0].lower() == "caro":
        raise _LineError(line, f"the rule of {tournament!r} is not known here")
    first = opening % 2
    result = "draw" if number == 0 else _COLOURS[first if number == 1 else 1 - first]
    return replace(told, rule=rule, result=result)


def _judged(record: GameRecord) -> int:
    """Return the number by which the judge would tell the result."""
    if record.result == UNKNOWN:
        raise ValueError("a game without a result cannot be written as the judge does")
    if record.result == "draw":
        return 0
    first = _COLOURS[record.opening_moves % 2]
    return 1 if record.result == first else 2


def _is_clear_time_loss(record: GameRecord) -> bool:
    """Tell whether the side to move lost by the clock."""
    return record.reason == "time" and record.result == _COLOURS[1 - record.plies % 2]
