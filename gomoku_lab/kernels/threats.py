"""The gates: points of a class, moves that break an open four, and victory by continuous fours."""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, int64, kernel, record_type
from gomoku_lab.kernels.candidates import FIRST_KEY, key_cell, next_key, order_key, take_in_order
from gomoku_lab.kernels.forbidden import makes_four, may_play
from gomoku_lab.kernels.layout import (
    EMPTY,
    GRID,
    MAX_PLY,
    POINT_FIVE,
    POINT_OPEN_FOUR,
    STATE,
)
from gomoku_lab.kernels.state import place, point_class, remove

FOUND = 1
REFUTED = 0
SPENT = -1


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
def four_moves(s: Any, ply: Word) -> Word:
    """Write the keys of the attacker's fours into ``keys[ply]`` and return their number.

    With a five point of the opponent on the board only a four on that point is left.
    """
    side = s["side"]
    keys = s["keys"][ply]
    if s["counts"][1 - side, POINT_FIVE] > 0:
        cell = five_point(s, 1 - side)
        if s["counts"][1 - side, POINT_FIVE] > 1 or not makes_four(s, cell):
            return 0
        keys[0] = order_key(s, cell)
        return 1
    count = 0
    for cell in range(GRID):
        if s["cells"][cell] == EMPTY and makes_four(s, cell):
            keys[count] = order_key(s, cell)
            count += 1
    return count


@kernel(int64(record_type(STATE), int64))
def vcf(s: Any, ply: Word) -> Word:
    """Look for a victory by continuous fours of the side to move.

    Where renju does not let Black take White's five point, White has won with his four.

    Parameters
    ----------
    s : STATE record
        ``vcf_limit`` caps the stones placed; ``vcf_nodes`` counts them (a four or its answer each).
        The position is the same afterwards.
    ply : int
        Stones placed since the root, even.

    Returns
    -------
    int
        FOUND (then ``vcf_line`` holds ``vcf_length`` grid cells, attacker first, and five comes
        after ``vcf_plies``), REFUTED, or SPENT when the cap or the depth ended the search.
    """
    side = s["side"]
    if s["counts"][side, POINT_FIVE] > 0:
        s["vcf_line"][ply] = five_point(s, side)
        s["vcf_length"] = ply + 1
        s["vcf_plies"] = ply + 1
        return FOUND
    if ply + np.int64(2) >= MAX_PLY:
        return SPENT
    count = four_moves(s, ply)
    result = REFUTED
    key = FIRST_KEY
    for _ in range(count):
        if s["vcf_nodes"] >= s["vcf_limit"]:
            return SPENT
        key = next_key(s["keys"][ply], count, key)
        four = key_cell(key)
        s["vcf_nodes"] += 2
        place(s, four)
        answer = REFUTED
        if s["counts"][1 - side, POINT_FIVE] == 0:
            block = five_point(s, side)
            s["vcf_line"][ply] = four
            s["vcf_line"][ply + 1] = block
            if may_play(s, block):
                place(s, block)
                answer = vcf(s, ply + np.int64(2))
                remove(s)
            else:
                answer = FOUND
                s["vcf_length"] = ply + 1
                s["vcf_plies"] = ply + 3
        remove(s)
        if answer == FOUND:
            return FOUND
        if answer == SPENT:
            result = SPENT
    return result
