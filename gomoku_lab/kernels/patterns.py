"""From a window of cells to class and grade of its centre point, from the definition alone.

A window is the cells around an empty point along one line, each own, empty or blocked (opponent or
edge). Put a stone on the centre. *Five*: a line that the rule accepts stands. *Open four*: at least
two points complete a five; *four*: exactly one. *Open three*: some further stone makes an open
four; *three*: some further stone makes a four; *open two*, *two* and *one* likewise, one step
further back. The grade tells as well how many further stones lead on (see `layout`). There is no
hand-written list of shapes.

For Black under renju an *overline* and a *double four* in one line are classes of their own, which
nothing leads to: an open four is then an unbroken four that two points complete.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, kernel
from gomoku_lab.kernels.layout import (
    FIRST_GRADE,
    FIVE,
    FIVE_OR_MORE,
    FOUR,
    GRADES_OF,
    LINE_DOUBLE_FOUR,
    NONE,
    ONE,
    OPEN_FOUR,
    OPEN_THREE,
    OPEN_TWO,
    OVERLINE,
    OVERLINE_GRADE,
    RENJU_BLACK,
    THREE,
    TWO,
)


@kernel()
def run_through_centre(window: Word, half: Word, power: Any) -> Word:
    """Return the length of the unbroken own run through the centre of a base-3 window."""
    run = 1
    for step in (-1, 1):
        position = half + step
        while 0 <= position <= 2 * half and (window // power[position]) % 3 == 1:
            run += 1
            position += step
    return run


@kernel()
def _shape(window: Word, half: Word, needs: Word, power: Any, known: Any) -> Word:
    """Return the class of a window whose centre is own, given the classes of fuller windows.

    From the fifth bit on stands the number of further stones that lead to the best next class.
    """
    run = run_through_centre(window, half, power)
    if run == 5 or (run > 5 and needs == FIVE_OR_MORE):
        return FIVE
    if run > 5 and needs == RENJU_BLACK:
        return OVERLINE
    completing = 0
    best, ways = np.int64(NONE), 0
    for position in range(2 * half + 1):
        if (window // power[position]) % 3 == 0:
            after = np.int64(known[window + power[position]]) & 15
            if after > FIVE:
                continue
            if after == FIVE:
                completing += 1
            if after > best:
                best, ways = after, 0
            if after == best:
                ways += 16
    if completing >= 2:
        # With more than four in a row there is no second point: the run is four, or has a gap.
        return LINE_DOUBLE_FOUR if needs == RENJU_BLACK and run != 4 else OPEN_FOUR
    if completing == 1:
        return FOUR
    if best >= FOUR:
        return ways + (OPEN_THREE if best == OPEN_FOUR else THREE)
    if best >= THREE:
        return ways + (OPEN_TWO if best == OPEN_THREE else TWO)
    if best >= TWO:
        return ONE + (16 if best == TWO else 32)
    return NONE


@kernel()
def _grade(shape: Word) -> Word:
    """Return the grade of a class with its number of ways; of one: 2 if it leads to an open two."""
    kind, ways = shape & 15, max(1, shape >> 4)
    if kind > FIVE:
        return OVERLINE_GRADE + kind - OVERLINE
    return FIRST_GRADE[kind] + min(ways, GRADES_OF[kind]) - 1


@kernel()
def _window_grades(half: Word, needs: Word, power: Any, grades: Any) -> None:
    """Fill `grades` for every base-3 window (0 empty, 1 own, 2 blocked) whose centre is own.

    A further own stone raises the index, so one pass from the top finds all it needs.
    """
    known = np.zeros(grades.shape[0], np.uint8)
    for window in range(grades.shape[0] - 1, -1, -1):
        if (window // power[half]) % 3 == 1:
            shape = _shape(window, half, needs, power, known)
            known[window] = shape
            grades[window] = _grade(shape)


@kernel()
def _side_windows(half: Word, power: Any, sides: Any) -> None:
    """Fill, for each colour and side, what the cells of one side add to a base-3 window."""
    for code in range(sides.shape[2]):
        for cell in range(half):
            content = (code >> (2 * cell)) & 3
            for colour in range(2):
                digit = 0 if content == 0 else 1 if content == colour + 1 else 2
                sides[colour, 0, code] += digit * power[cell]
                sides[colour, 1, code] += digit * power[half + 1 + cell]


@kernel()
def _fill(shapes: Any, half: Word, grades: Any, power: Any) -> None:
    """Fill the table from two-bit windows (the centre left out) to both colours' grades.

    Parameters
    ----------
    shapes : uint8[>= 4 ** (2 * half)]
    half : int
    grades : uint8[2, 3 ** (2 * half + 1)]
        Grade of each base-3 window for black and for white.
    power : int64[2 * half + 1]
        Powers of 3.
    """
    codes = 1 << (2 * half)
    sides = np.zeros((2, 2, codes), np.int64)
    _side_windows(half, power, sides)
    for after in range(codes):
        black = power[half] + sides[0, 1, after]
        white = power[half] + sides[1, 1, after]
        for before in range(codes):
            grade = grades[0, black + sides[0, 0, before]]
            other = grades[1, white + sides[1, 0, before]]
            shapes[after * codes + before] = grade | (other << 4)


@kernel()
def fill_shapes(shapes: Any, half: Word, black_needs: Word, white_needs: Word) -> None:
    """Fill the grade table of a rule.

    Parameters
    ----------
    shapes : uint8[>= 4 ** (2 * half)]
        Gets black's grade in the low four bits and white's in the high four. The index holds two
        bits a cell (0 empty, 1 black, 2 white, 3 edge), the cell farthest back first, centre
        left out.
    half : int
        Cells to each side: 4 suffices where five or more wins; exact five needs 5.
    black_needs, white_needs : int
        FIVE_OR_MORE, EXACTLY_FIVE or RENJU_BLACK.
    """
    power = np.empty(2 * half + 1, np.int64)
    power[0] = 1
    for position in range(2 * half):
        power[position + 1] = 3 * power[position]
    grades = np.zeros((2, 3 * power[2 * half]), np.uint8)
    for colour in range(2):
        _window_grades(half, white_needs if colour == 1 else black_needs, power, grades[colour])
    _fill(shapes, half, grades, power)
