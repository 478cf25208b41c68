"""What the evaluations of a game's positions are made of: how often each unordered code occurs.

A position is a sparse row of counts: the codes of the side to move, then those of its opponent. The
rows of all positions stand one behind another in two arrays, one for the places and one for the
counts; points that complete a five and points without any shape are in none of them, since no
evaluation counts them. A last place of each row tells which threats both sides have at hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, kernel
from gomoku_lab.kernels.layout import EMPTY, RING, STRIDE, THREAT_STATES
from gomoku_lab.kernels.search import UNDECIDED, decided
from gomoku_lab.kernels.state import build, place, threats_held

_LARGEST_COUNT = 255


@kernel()
def count_codes(s: Any, numbers: Any, tally: Any, touched: Any) -> Word:
    """Count the codes of all empty points.

    Parameters
    ----------
    s : STATE record
    numbers : int32[65536]
        The unordered code of each four-direction code; the last one, and whatever lies beyond, is
        not counted.
    tally : int32[2 * codes]
        All zero; gets the counts of the side to move, then those of the opponent.
    touched : int32[2 * codes]
        Gets the places of `tally` that are not zero.

    Returns
    -------
    int
        Number of such places.
    """
    codes = tally.shape[0] // 2
    size, side = s["size"], s["side"]
    found = 0
    for row in range(RING, RING + size):
        for cell in range(row * STRIDE + RING, row * STRIDE + RING + size):
            if s["cells"][cell] == EMPTY:
                both = np.int64(s["codes"][cell])
                for part in range(2):
                    turn = side if part == 0 else 1 - side
                    number = np.int64(numbers[(both >> (32 * turn)) & 0xFFFF])
                    if number < codes - 1:
                        index = part * codes + number
                        if tally[index] == 0:
                            touched[found] = index
                            found += 1
                        tally[index] += 1
    return found


@kernel()
def _write_row(tally: Any, touched: Any, found: Word, places: Any, counts: Any, end: Word) -> Word:
    """Write a row behind `end` and clear the tally; return where the row ends."""
    for index in range(found):
        left = tally[touched[index]]
        tally[touched[index]] = 0
        while left > 0:  # a count that is too large stands in several parts
            places[end] = touched[index]
            counts[end] = min(left, _LARGEST_COUNT)
            left -= _LARGEST_COUNT
            end += 1
    return end


@kernel()
def replay(
    s: Any,
    moves: Any,
    first: Word,
    numbers: Any,
    tally: Any,
    touched: Any,
    places: Any,
    counts: Any,
    ends: Any,
    settled: Any,
) -> Word:
    """Play a game from the empty board and write the row of each position where a move was chosen.

    Parameters
    ----------
    s : STATE record
        Rule, size, tables and configuration must be in it.
    moves : int32[plies]
        Grid cells, black first.
    first : int
        Moves that nobody chose: the opening.
    numbers, tally, touched
        As for `count_codes`.
    places : uint16[n], counts : uint8[n]
        Get the rows; `n` must suffice. Behind the codes' places come those of the threats, the
        opponent's state running fastest.
    ends : int64[positions]
        Gets where each row ends.
    settled : uint8[positions]
        Gets 1 where the counters decide the game, so that a search does not ask the evaluation.

    Returns
    -------
    int
        Number of positions.
    """
    build(s, np.zeros(s["size"] * s["size"], np.uint8), np.int64(0))
    end = np.int64(0)
    for ply in range(moves.shape[0]):
        if ply >= first:
            found = count_codes(s, numbers, tally, touched)
            end = _write_row(tally, touched, found, places, counts, end)
            own, other = threats_held(s, s["side"]), threats_held(s, 1 - s["side"])
            places[end] = tally.shape[0] + own * THREAT_STATES + other
            counts[end] = 1
            end += 1
            ends[ply - first] = end
            settled[ply - first] = 1 if decided(s, np.int64(0)) != UNDECIDED else 0
        place(s, np.int64(moves[ply]))
    return max(moves.shape[0] - first, 0)
