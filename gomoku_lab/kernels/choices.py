"""Which of its candidates a player chose: rows of codes, and the conditional logit of the choice.

A position is a row of candidates, each with its own unordered code and the opponent's; the model
gives each candidate the sum of two coefficients, and the chance of being chosen is the softmax over
the row (McFadden 1974, "Conditional logit analysis of qualitative choice behavior").
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, kernel, trailing_zeros
from gomoku_lab.kernels.candidates import INDEX_BITS, near_row, order_key
from gomoku_lab.kernels.forbidden import may_play
from gomoku_lab.kernels.layout import MAX_POINTS, RING, STRIDE
from gomoku_lab.kernels.state import build, place


@kernel()
def replay_choices(
    s: Any, moves: Any, first: Word, numbers: Any, codes: Any, hand: Any, ends: Any, chosen: Any
) -> Word:
    """Play a game from the empty board and write the candidates wherever a move was chosen.

    Parameters
    ----------
    s : STATE record
        Rule, size, tables and configuration must be in it.
    moves : int32[plies]
        Grid cells, black first.
    first : int
        Moves that nobody chose: the opening. A move that is no candidate is passed over.
    numbers : int32[65536]
        The unordered code of each four-direction code.
    codes : uint16[n, 2]
        Gets the codes of the side to move and of its opponent; `n` must suffice.
    hand : int32[n]
        Gets what the configured order says of each candidate.
    ends : int64[positions], chosen : int64[positions]
        Get where each row ends, and which entry of `codes` was chosen.

    Returns
    -------
    int
        Number of positions.
    """
    build(s, np.zeros(s["size"] * s["size"], np.uint8), np.int64(0))
    end = np.int64(0)
    positions = np.int64(0)
    for ply in range(moves.shape[0]):
        if ply >= first:
            start, at = end, np.int64(-1)
            turn = 32 * s["side"]
            for row in range(RING, RING + s["size"]):
                bits = near_row(s, row, s["radius"])
                while bits != np.uint64(0):
                    cell = row * STRIDE + trailing_zeros(bits)
                    bits &= bits - np.uint64(1)
                    if may_play(s, cell):
                        both = np.int64(s["codes"][cell])
                        codes[end, 0] = numbers[(both >> turn) & 0xFFFF]
                        codes[end, 1] = numbers[(both >> (32 - turn)) & 0xFFFF]
                        hand[end] = order_key(s, cell) >> INDEX_BITS
                        at = end if cell == moves[ply] else at
                        end += 1
            if at < 0:
                end = start
            else:
                ends[positions] = end
                chosen[positions] = at
                positions += 1
        place(s, np.int64(moves[ply]))
    return positions


@kernel()
def choice_loss(
    codes: Any, ends: Any, chosen: Any, weights: Any, coefficients: Any, gradient: Any
) -> Any:
    """Return the weighted sum of -log(chance of what was chosen) and write its gradient.

    Parameters
    ----------
    codes : uint16[n, 2], ends : int64[positions], chosen : int64[positions]
        The rows.
    weights : float64[positions]
        Rows of weight 0 are passed over.
    coefficients, gradient : float64[2, codes]
    """
    gradient[:, :] = 0.0
    worths = np.empty(MAX_POINTS)
    loss = 0.0
    start = np.int64(0)
    for row in range(ends.shape[0]):
        end = ends[row]
        if weights[row] > 0.0:
            top = -np.inf
            for entry in range(start, end):
                worth = coefficients[0, codes[entry, 0]] + coefficients[1, codes[entry, 1]]
                worths[entry - start] = worth
                top = max(top, worth)
            best = chosen[row]
            worth = worths[best - start]
            total = 0.0
            for place_of in range(end - start):
                worths[place_of] = np.exp(worths[place_of] - top)
                total += worths[place_of]
            loss += weights[row] * (top + np.log(total) - worth)
            for entry in range(start, end):
                pull = weights[row] * worths[entry - start] / total
                for side in range(2):
                    gradient[side, codes[entry, side]] += pull
            for side in range(2):
                gradient[side, codes[best, side]] -= weights[row]
        start = end
    return loss


@kernel()
def fill_ranks(worths: Any, ends: Any, chosen: Any, ranks: Any) -> None:
    """Write how many candidates of its row each chosen one has before it: int64[positions].

    Parameters
    ----------
    worths : float64[n]
        What an order says of each candidate; of equal ones the earlier comes first.
    """
    start = np.int64(0)
    for row in range(ends.shape[0]):
        best = chosen[row]
        before = np.int64(0)
        for entry in range(start, ends[row]):
            worth = worths[entry]
            if worth > worths[best] or (worth == worths[best] and entry < best):
                before += 1
        ranks[row] = before
        start = ends[row]
