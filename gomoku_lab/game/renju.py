"""Where Black may not play under renju: overline, double four, double three, from the definitions.

The terms are those of the Renju International Federation (RIF, International Rules of Renju, 3 and
9). A *five* is an unbroken line of exactly five black stones, an *overline* one of six or more. A
*four* is four stones with which one more stone makes a five. An *open four* is an unbroken four
with which either of two further stones does. A *three* is three stones with which one more stone
makes an open four, without making a five at the same time. Forbidden is a stone that makes an
overline, or two fours or two threes that meet in it, even both fours in one line; but nothing is
forbidden about a stone that makes a five.

A three counts only if Black could really make that open four: by a move that is not itself
forbidden. Whether it is depends on what that move makes, and so on; every step adds a stone, so it
comes to an end.

This is the slow version, to be read and to be held against; the engine has its own.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import Final

from gomoku_lab.game.rules import BLACK, DIRECTIONS, EMPTY, WIN_LENGTH

_Line = tuple[int, ...]
_FEWEST: Final = 4
"""Without so many black stones on its lines, within five points, nothing is forbidden on a point.

A double three needs two in each of two lines, a double four three in each, or four in one line.
"""


class Prohibition(StrEnum):
    """Why Black may not play on a point; where several hold, the first of them is named."""

    OVERLINE = "overline"
    DOUBLE_FOUR = "double four"
    DOUBLE_THREE = "double three"


def prohibition(
    cells: bytes | bytearray, size: int, move: int, *, depth: int | None = None
) -> Prohibition | None:
    """Return why Black may not play on an empty point, or None if he may.

    Parameters
    ----------
    cells : bytes
        ``size * size`` cells, row 0 first; 0 empty, 1 black, 2 white.
    size : int
        Lines a side.
    move : int
        Flat index of the point.
    depth : int, optional
        How often the question may be passed on from a three to the move that extends it. With 0
        every three counts, be the move forbidden or not, as in an engine that does not look
        further. By default it is passed on until it is answered.
    """
    lines = _lines(size)[move]
    if sum(cells[point] == BLACK for line in lines for point in line) < _FEWEST:
        return None
    board = bytearray(cells)
    board[move] = BLACK
    runs = [len(_run(board, line, move)) for line in lines]
    if WIN_LENGTH in runs:
        return None
    if max(runs) > WIN_LENGTH:
        return Prohibition.OVERLINE
    if sum(len(_fours(board, line, move)) for line in lines) > 1:
        return Prohibition.DOUBLE_FOUR
    if sum(_is_three(board, size, line, move, depth) for line in lines) > 1:
        return Prohibition.DOUBLE_THREE
    return None


def stays_allowed(cells: bytes | bytearray, size: int, move: int) -> bool:
    """Tell whether Black may play on an empty point, and still may when White has more stones.

    A stone of White's may make a point forbidden: it may spoil what forbids the point on which a
    three is extended, so that the three counts. Here every three counts; so it may be that the
    answer is no and no stone of White's changes anything.
    """
    lines = _lines(size)[move]
    board = bytearray(cells)
    board[move] = BLACK
    runs = [len(_run(board, line, move)) for line in lines]
    if WIN_LENGTH in runs:
        return True
    fours = sum(len(_fours(board, line, move)) for line in lines)
    threes = sum(bool(_extensions(board, line, move)) for line in lines)
    return max(runs) < WIN_LENGTH and fours < 2 and threes < 2


def prohibitions(cells: bytes | bytearray, size: int) -> dict[int, Prohibition]:
    """Return all empty points on which Black may not play, and why."""
    found = {
        move: prohibition(cells, size, move) for move, cell in enumerate(cells) if cell == EMPTY
    }
    return {move: why for move, why in found.items() if why is not None}


@cache
def _lines(size: int) -> tuple[tuple[_Line, ...], ...]:
    """Return for each point its four lines, as far as five points to each side, in line order."""
    found = []
    for move in range(size * size):
        row, col = divmod(move, size)
        steps = range(-WIN_LENGTH, WIN_LENGTH + 1)
        lines = (
            [(row + d_row * step, col + d_col * step) for step in steps]
            for d_row, d_col in DIRECTIONS
        )
        found.append(
            tuple(
                tuple(r * size + c for r, c in line if 0 <= r < size and 0 <= c < size)
                for line in lines
            )
        )
    return tuple(found)


def _run(board: bytearray, line: _Line, move: int) -> _Line:
    """Return the unbroken run of black stones in `line` that holds the stone `move`."""
    start = end = line.index(move)
    while start > 0 and board[line[start - 1]] == BLACK:
        start -= 1
    while end + 1 < len(line) and board[line[end + 1]] == BLACK:
        end += 1
    return line[start : end + 1]


def _fours(board: bytearray, line: _Line, move: int) -> set[_Line]:
    """Return the fours in `line` that hold the stone `move`."""
    fours = set()
    for point in line:
        if board[point] == EMPTY:
            board[point] = BLACK
            run = _run(board, line, move)
            board[point] = EMPTY
            if len(run) == WIN_LENGTH and point in run:
                fours.add(tuple(stone for stone in run if stone != point))
    return fours


def _is_open_four(board: bytearray, line: _Line, move: int) -> bool:
    """Tell whether the stone `move` stands in an open four in `line`."""
    run = _run(board, line, move)
    if len(run) != WIN_LENGTH - 1:
        return False
    fives = 0
    for point in line:
        if board[point] == EMPTY:
            board[point] = BLACK
            fives += len(_run(board, line, move)) == WIN_LENGTH
            board[point] = EMPTY
    return fives > 1


def _is_three(board: bytearray, size: int, line: _Line, move: int, depth: int | None) -> bool:
    """Tell whether the stone `move` stands in a three in `line` that Black could really extend."""
    further = None if depth is None else depth - 1
    return any(
        not _makes_five(board, size, point)
        and (depth == 0 or prohibition(board, size, point, depth=further) is None)
        for point in _extensions(board, line, move)
    )


def _extensions(board: bytearray, line: _Line, move: int) -> _Line:
    """Return the empty points where a stone makes an open four of it and the stone `move`."""
    found = []
    for point in line:
        if board[point] == EMPTY:
            board[point] = BLACK
            if point in _run(board, line, move) and _is_open_four(board, line, move):
                found.append(point)
            board[point] = EMPTY
    return tuple(found)


def _makes_five(board: bytearray, size: int, point: int) -> bool:
    """Tell whether a black stone on the empty `point` makes a five."""
    board[point] = BLACK
    found = any(len(_run(board, line, point)) == WIN_LENGTH for line in _lines(size)[point])
    board[point] = EMPTY
    return found
