"""Where Black may not play under renju, asked inside the search.

The classes of a point tell an overline, two fours, and where two threes may meet; only there a
stone is tried. The definition in words is in `game.renju`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, int64, kernel, record_type
from gomoku_lab.kernels.layout import (
    CLASS_OF_GRADE,
    EMPTY,
    FOUR,
    OFFSETS,
    OPEN_FOUR,
    OPEN_THREE,
    OVERLINE_GRADE,
    POINT,
    POINT_DOUBLE_THREE,
    POINT_FIVE,
    POINT_FORBIDDEN,
    POINT_FOUR,
    STATE,
)
from gomoku_lab.kernels.state import line_of, place, point_class, remove, shape_at

ALLOWED = 0
OVERLINE = 1
DOUBLE_FOUR = 2
DOUBLE_THREE = 3
"""What `forbidden` answers."""


@kernel()
def _class_in(code: Word, direction: Word) -> Word:
    """Return the class in one direction of a four-direction code."""
    return CLASS_OF_GRADE[(code >> (4 * direction)) & 15]


@kernel()
def _extension(s: Any, cell: Word, step: Word) -> Word:
    """Return the first cell from `cell` on, in steps of `step`, without a black stone."""
    point = cell + step
    while s["cells"][point] == 1:
        point += step
    return point


@kernel()
def _class_after(s: Any, cell: Word, point: Word, direction: Word) -> Word:
    """Return the combined class for Black of `point`, with a black stone on `cell` in its line.

    The stone need not be placed: `cell` and `point` share one line alone.

    Returns
    -------
    int
        POINT_FORBIDDEN as well where `point` is not empty, or makes no open four in that line.
    """
    if s["cells"][point] != EMPTY:
        return POINT_FORBIDDEN
    stone = cell >> 5 if direction & 1 else cell & 31
    position = point >> 5 if direction & 1 else point & 31
    # An empty cell is 0 and a black stone is 1.
    key = s["lines"][direction, line_of(cell, direction)] | np.uint64(1) << np.uint64(2 * stone)
    grade = shape_at(s, key, position) & 15
    if CLASS_OF_GRADE[grade] != OPEN_FOUR:
        return POINT_FORBIDDEN
    shift = 4 * direction
    code = (np.int64(s["codes"][point]) & 0xFFFFFFFF & ~(15 << shift)) | (grade << shift)
    return np.int64(s["values"][code, POINT])


@kernel(int64(record_type(STATE), int64))
def double_three(s: Any, cell: Word) -> Word:
    """Tell whether a black stone on a POINT_DOUBLE_THREE makes two threes that count.

    A three counts if Black may play on a point that makes an open four of it, and makes no five
    there. That point may be one where two threes seem to meet: then the stone is placed and the
    question asked again.

    Parameters
    ----------
    s : STATE record
        The same position afterwards; whose turn it is does not matter.
    cell : int

    Returns
    -------
    int
        1 or 0.
    """
    code = np.int64(s["codes"][cell])
    side = s["side"]
    threes = 0
    for direction in range(4):
        if _class_in(code, direction) != OPEN_THREE:
            continue
        for way in (-1, 1):
            point = _extension(s, cell, way * OFFSETS[direction])
            kind = _class_after(s, cell, point, direction)
            if kind in (POINT_FORBIDDEN, POINT_FIVE):
                continue
            if kind == POINT_DOUBLE_THREE:
                s["side"] = 0
                place(s, cell)
                again = double_three(s, point)
                remove(s)
                s["side"] = side
                if again != 0:
                    continue
            threes += 1
            break
    return 1 if threes > 1 else 0


@kernel()
def forbidden(s: Any, cell: Word) -> Word:
    """Return why Black may not play on an empty cell, or ALLOWED; always that but under renju."""
    if s["renju"] == 0:
        return ALLOWED
    point = point_class(s, cell, np.int64(0))
    if point == POINT_FORBIDDEN:
        code = np.int64(s["codes"][cell])
        for direction in range(4):
            if (code >> (4 * direction)) & 15 == OVERLINE_GRADE:
                return OVERLINE
        return DOUBLE_FOUR
    if point == POINT_DOUBLE_THREE and double_three(s, cell) != 0:
        return DOUBLE_THREE
    return ALLOWED


@kernel()
def may_play(s: Any, cell: Word) -> Word:
    """Tell whether the rule lets the side to move play on an empty cell."""
    return s["side"] == 1 or forbidden(s, cell) == ALLOWED


@kernel()
def makes_four(s: Any, cell: Word) -> Word:
    """Tell whether the side to move may make a four or a five on an empty cell."""
    side = s["side"]
    point = point_class(s, cell, side)
    if point >= POINT_FOUR:
        return True
    if s["renju"] == 0 or side == 1 or point != POINT_DOUBLE_THREE:
        return False
    code = np.int64(s["codes"][cell])
    for direction in range(4):
        if FOUR <= _class_in(code, direction) <= OPEN_FOUR:
            return double_three(s, cell) == 0
    return False
