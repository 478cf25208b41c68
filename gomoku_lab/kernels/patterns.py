"""From a window of cells to class and grade of its centre point, from the definition alone.

A window is the cells around an empty point along one line, each own, empty or blocked (opponent or
edge). Put a stone on the centre. *Five*: a line that the rule accepts stands. *Open four*: at least
two points complete a five; *four*: exactly one. *Open three*: some further stone makes an open
four; *three*: some further stone makes a four; *open two*, *two* and *one* likewise, one step
further back. The grade tells as well how many further stones lead on (see `layout`). There is no
hand-written list of shapes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, kernel
from gomoku_lab.kernels.layout import (
    FIRST_GRADE,
    FIVE,
    FOUR,
    GRADES_OF,
    NONE,
    ONE,
    OPEN_FOUR,
    OPEN_THREE,
    OPEN_TWO,
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
def _shape(window: Word, half: Word, exact: Word, power: Any, known: Any) -> Word:
    """Return the class of a window whose centre is own, given the classes of fuller windows.

    From the fifth bit on stands the number of further stones that lead to the best next class.
    """
    run = run_through_centre(window, half, power)
    if run == 5 or (run > 5 and exact == 0):
        return FIVE
    completing = 0
    best, ways = np.int64(NONE), 0
    for position in range(2 * half + 1):
        if (window // power[position]) % 3 == 0:
            after = np.int64(known[window + power[position]]) & 15
            if after == FIVE:
                completing += 1
            if after > best:
                best, ways = after, 0
            if after == best:
                ways += 16
    if completing > 0:
        return OPEN_FOUR if completing >= 2 else FOUR
    if best >= FOUR:
        return ways + (OPEN_THREE if best == OPEN_FOUR else THREE)
    if best >= THREE:
        return ways + (OPEN_TWO if best == OPEN_THREE else TWO)
    if best >= TWO:
        return ONE + (16 if best == TWO else 32)
    return NONE


@kernel()
def _window_classes(half: Word, exact: Word, power: Any, known: Any) -> None:
    """Fill `known` for every base-3 window (0 empty, 1 own, 2 blocked) whose centre is own.

    A further own stone raises the index, so one pass from the top finds all it needs.
    """
    for window in range(known.shape[0] - 1, -1, -1):
        if (window // power[half]) % 3 == 1:
            known[window] = _shape(window, half, exact, power, known)


@kernel()
def _grade(shape: Word) -> Word:
    """Return the grade of a class with its number of ways; of one: 2 if it leads to an open two."""
    kind, ways = shape & 15, max(1, shape >> 4)
    return FIRST_GRADE[kind] + min(ways, GRADES_OF[kind]) - 1


@kernel()
def _fill(shapes: Any, half: Word, exact: Any, power: Any, known: Any) -> None:
    """Fill the table from two-bit windows (the centre left out) to both colours' grades."""
    cells = 2 * half
    for code in range(1 << (2 * cells)):
        entry = 0
        for colour in (1, 2):
            window = power[half]
            for cell in range(cells):
                content = (code >> (2 * cell)) & 3
                position = cell if cell < half else cell + 1
                if content == colour:
                    window += power[position]
                elif content != 0:
                    window += 2 * power[position]
            shape = np.int64(known[exact[colour - 1], window])
            entry |= _grade(shape) << (4 * (colour - 1))
        shapes[code] = entry


@kernel()
def fill_shapes(shapes: Any, half: Word, exact_black: Word, exact_white: Word) -> None:
    """Fill the grade table of a rule.

    Parameters
    ----------
    shapes : uint8[>= 4 ** (2 * half)]
        Gets black's grade in the low four bits and white's in the high four. The index holds two
        bits a cell (0 empty, 1 black, 2 white, 3 edge), the cell farthest back first, centre
        left out.
    half : int
        Cells to each side: 4 suffices where five or more wins; exact five needs 5.
    exact_black, exact_white : bool
        Whether the colour needs exactly five.
    """
    power = np.empty(2 * half + 1, np.int64)
    power[0] = 1
    for position in range(2 * half):
        power[position + 1] = 3 * power[position]
    known = np.zeros((2, 3 * power[2 * half]), np.uint8)
    for only_five in range(2):
        _window_classes(half, only_five, power, known[only_five])
    exact = np.array([1 if exact_black else 0, 1 if exact_white else 0])
    _fill(shapes, half, exact, power, known)
