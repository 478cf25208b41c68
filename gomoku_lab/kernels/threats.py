"""What the gates ask of the stones: points of a class, and moves that break an open four."""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, kernel
from gomoku_lab.kernels.candidates import key_cell, order_key, take_in_order
from gomoku_lab.kernels.forbidden import makes_four, may_play
from gomoku_lab.kernels.layout import EMPTY, GRID, POINT_FIVE, POINT_OPEN_FOUR
from gomoku_lab.kernels.state import place, point_class, remove


@kernel()
def five_point(s: Any, colour: Word) -> Word:
    """Return a point where `colour` completes a five, or -1: the newest, else the first."""
    if s["counts"][colour, POINT_FIVE] == 0:
        return -1
    cell = s["five_at"][colour]
    if s["cells"][cell] == EMPTY and point_class(s, cell, colour) == POINT_FIVE:
        return cell
    for cell in range(GRID):
        if s["cells"][cell] == EMPTY and point_class(s, cell, colour) == POINT_FIVE:
            return cell
    return -1


@kernel()
def best_of_class(s: Any, colour: Word, point: Word) -> Word:
    """Return the first point in one-move order that has a combined class for `colour`, or -1.

    Points on which the side to move may not play are left out.
    """
    best = np.int64(-1)
    for cell in range(GRID):
        found = s["cells"][cell] == EMPTY and point_class(s, cell, colour) == point
        if found and may_play(s, cell):
            best = max(best, order_key(s, cell))
    return key_cell(best) if best >= 0 else -1


@kernel()
def breaking_moves(s: Any, fours: Word, moves: Any) -> Word:
    """List the moves after which the opponent can make neither five nor an open four.

    Parameters
    ----------
    s : STATE record
    fours : bool
        List the own fours as well: they win a tempo, whatever they break.
    moves : int32[MAX_POINTS]
        Gets grid cells in one-move order.

    Returns
    -------
    int
        How many there are.
    """
    side = s["side"]
    keys = s["keys"][0]
    count = np.int64(0)  # a literal would compile `take_in_order` a second time
    for cell in range(GRID):
        if s["cells"][cell] == EMPTY and may_play(s, cell):
            four = fours and makes_four(s, cell)
            key = order_key(s, cell)
            place(s, cell)
            counts = s["counts"][1 - side]
            if four or (counts[POINT_FIVE] == 0 and counts[POINT_OPEN_FOUR] == 0):
                keys[count] = key
                count += 1
            remove(s)
    take_in_order(keys, count, count, moves)
    return count


@kernel()
def four_moves(s: Any, moves: Any) -> Word:
    """List the fours of the side to move; with a five point against it only one that takes that.

    Parameters
    ----------
    s : STATE record
    moves : int32[MAX_POINTS]
        Gets grid cells in one-move order.

    Returns
    -------
    int
        How many there are.
    """
    side = s["side"]
    keys = s["keys"][0]
    count = np.int64(0)
    theirs = s["counts"][1 - side, POINT_FIVE]
    block = five_point(s, 1 - side) if theirs == 1 else np.int64(-1)
    for cell in range(GRID):
        if s["cells"][cell] == EMPTY and (theirs == 0 or cell == block) and makes_four(s, cell):
            keys[count] = order_key(s, cell)
            count += 1
    take_in_order(keys, count, count, moves)
    return count
