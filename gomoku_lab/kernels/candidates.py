"""Which points are worth searching, and in which static order: radius, one-move order, width."""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, kernel, trailing_zeros
from gomoku_lab.kernels.forbidden import forbidden
from gomoku_lab.kernels.layout import ATTACK, DEFEND, EMPTY, GRID, POINT_FOUR, RING, STRIDE
from gomoku_lab.kernels.state import point_class

INDEX_BITS = 10
INDEX_MASK = (1 << INDEX_BITS) - 1
FIRST_KEY = np.int64(1 << 62)
_HIGH_BITS = np.uint64(0x8888_0000_8888)
"""The highest bit of each grade in a code."""


@kernel()
def order_key(s: Any, cell: Word) -> Word:
    """Return the one-move order of `cell` for the side to move, ties to the smaller cell.

    The value of the side's own stone there plus the value of taking the point from the opponent;
    the low ten bits hold the cell, inverted, so that no two keys are equal.
    """
    code = np.int64(s["codes"][cell])
    turn = 32 * s["side"]
    own, other = (code >> turn) & 0xFFFFFFFF, (code >> (32 - turn)) & 0xFFFFFFFF
    score = np.int64(s["orders"][own, ATTACK]) + np.int64(s["orders"][other, DEFEND])
    return (score << INDEX_BITS) | (INDEX_MASK - cell)


@kernel()
def key_cell(key: Word) -> Word:
    """Return the grid cell that an order key holds."""
    return INDEX_MASK - (key & INDEX_MASK)


@kernel()
def near_row(s: Any, row: Word, radius: Word) -> Any:
    """Return the points of a grid row within `radius` (Chebyshev) of a stone, one bit each."""
    bits = np.uint64(0)
    for other in range(max(row - radius, RING), min(row + radius, STRIDE - 1) + 1):
        bits |= np.uint64(s["rows"][other])
    near = bits
    for distance in range(1, radius + 1):
        near |= (bits << np.uint64(distance)) | (bits >> np.uint64(distance))
    board = ((np.uint64(1) << np.uint64(s["size"])) - np.uint64(1)) << np.uint64(RING)
    return near & board & ~np.uint64(s["rows"][row])


@kernel()
def _legal_keys(s: Any, keys: Any, count: Word) -> Word:
    """Keep those of ``keys[:count]`` on which Black may play; if none, all such points there are.

    Returns
    -------
    int
        How many are kept. None if Black may play nowhere.
    """
    kept = 0
    for index in range(count):
        if forbidden(s, key_cell(keys[index])) == 0:
            keys[kept] = keys[index]
            kept += 1
    if kept > 0:
        return kept
    for cell in range(GRID):
        if s["cells"][cell] == EMPTY and forbidden(s, cell) == 0:
            keys[kept] = order_key(s, cell)
            kept += 1
    return kept


@kernel()
def generate(s: Any, ply: Word) -> Word:
    """Write the order keys of all candidates into ``keys[ply]`` and return their number.

    Candidates are the empty points within the radius of a stone; the centre on an empty board.
    Under renju Black's are those on which he may play, wherever they are if none is near a stone.
    """
    keys = s["keys"][ply]
    size = s["size"]
    if s["stones"] == 0:
        keys[0] = order_key(s, (size // 2 + RING) * STRIDE + size // 2 + RING)
        return 1
    count = np.int64(0)  # a literal would compile `_legal_keys` a second time
    for row in range(RING, RING + size):
        bits = near_row(s, row, s["radius"])
        while bits != np.uint64(0):
            keys[count] = order_key(s, row * STRIDE + trailing_zeros(bits))
            bits &= bits - np.uint64(1)
            count += 1
    if s["renju"] != 0 and s["side"] == 0:
        return _legal_keys(s, keys, count)
    return count


@kernel()
def _makes_four(s: Any, cell: Word) -> Word:
    """Tell whether either colour makes a four on an empty cell where it may play."""
    code = np.uint64(s["codes"][cell])
    # Most points have no direction with a grade of FOUR or above, 11 to 15, for either colour.
    low_bits = (code << np.uint64(3)) & (code << np.uint64(2))
    if code & ((code << np.uint64(1)) | low_bits) & _HIGH_BITS == np.uint64(0):
        return False
    return point_class(s, cell, np.int64(0)) >= POINT_FOUR or (
        point_class(s, cell, np.int64(1)) >= POINT_FOUR
    )


@kernel()
def generate_answers(s: Any, ply: Word) -> Word:
    """Like `generate`, but only points where either colour makes a four; all, if there is none.

    Against an open four to come no other move helps.
    """
    keys = s["keys"][ply]
    size, black = s["size"], s["renju"] != 0 and s["side"] == 0
    count = np.int64(0)
    for row in range(RING, RING + size):
        bits = near_row(s, row, s["radius"])
        while bits != np.uint64(0):
            cell = row * STRIDE + trailing_zeros(bits)
            bits &= bits - np.uint64(1)
            if _makes_four(s, cell) and (not black or forbidden(s, cell) == 0):
                keys[count] = order_key(s, cell)
                count += 1
    return count if count > 0 else generate(s, ply)


@kernel()
def next_key(keys: Any, count: Word, last: Word) -> Word:
    """Return the greatest of ``keys[:count]`` below `last`, or -1 (one branch-free pass)."""
    best = np.int64(-1)
    for index in range(count):
        key = keys[index]
        best = max(best, key if key < last else np.int64(-1))
    return best


@kernel()
def sort_best(s: Any, keys: Any, count: Word, number: Word) -> None:
    """Let the first `number` of ``keys[:count]`` be the greatest ones, the greatest first."""
    last = FIRST_KEY
    for index in range(number):
        last = next_key(keys, count, last)
        s["rest"][index] = last
    for index in range(number):
        keys[index] = s["rest"][index]


@kernel()
def take_in_order(keys: Any, count: Word, number: Word, moves: Any) -> None:
    """Write the cells of the first `number` keys, best first, into `moves`."""
    last = FIRST_KEY
    for index in range(number):
        last = next_key(keys, count, last)
        moves[index] = key_cell(last)


@kernel()
def ranked(s: Any, moves: Any) -> Word:
    """Fill `moves` with the candidates in one-move order, at most the width; return the number.

    Parameters
    ----------
    s : STATE record
    moves : int32[MAX_POINTS]
        Gets grid cells, best first.
    """
    count = generate(s, np.int64(0))
    keys = s["keys"][0]
    number = min(count, s["width"])
    take_in_order(keys, count, number, moves)
    return number
