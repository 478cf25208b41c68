"""Family `pattern`: what one stone is worth by its contiguous runs, and one look at the answer.

It knows nothing of gaps: a run is unbroken and ends at the first point that is not the stone's
colour. Nothing is kept between calls, and nothing is drawn at random here.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from gomoku_lab.kernels._jit import Word, kernel
from gomoku_lab.kernels.layout import EDGE, EMPTY, OFFSETS, RING, STRIDE

# Columns of the score table: what a run with the new stone is worth, then the two bonuses.
NO_SCORE: Final = 0
ONE_SCORE: Final = 1
TWO_SCORE: Final = 2
OPEN_TWO_SCORE: Final = 3
THREE_SCORE: Final = 4
OPEN_THREE_SCORE: Final = 5
FOUR_SCORE: Final = 6
OPEN_FOUR_SCORE: Final = 7
FIVE_SCORE: Final = 8
DOUBLE_THREE_BONUS: Final = 9
FOUR_THREE_BONUS: Final = 10
SCORES: Final = 11

# Columns of the counters.
SCORINGS: Final = 0  # one cell scored for one colour
TRIALS: Final = 1  # candidates on which a stone was tried
COUNTERS: Final = 2


@kernel()
def set_up(board: Any, size: Word, cells: Any) -> None:
    """Write a board into a grid with an edge ring.

    Parameters
    ----------
    board : uint8[size * size]
        Row 0 at the top; 0 empty, 1 black, 2 white.
    size : int
    cells : uint8[GRID]
        Gets the same cells; EDGE around them.
    """
    cells[:] = EDGE
    for row in range(size):
        for col in range(size):
            cells[(row + RING) * STRIDE + col + RING] = board[row * size + col]


@kernel()
def _is_near(cells: Any, size: Word, row: Word, col: Word, radius: Word) -> Word:
    """Tell whether a stone lies within `radius` (Chebyshev) of a board row and column."""
    for near_row in range(max(row - radius, 0), min(row + radius + 1, size)):
        for near_col in range(max(col - radius, 0), min(col + radius + 1, size)):
            if cells[(near_row + RING) * STRIDE + near_col + RING] != EMPTY:
                return 1
    return 0


@kernel()
def list_candidates(cells: Any, size: Word, radius: Word, found: Any) -> Word:
    """List the empty points within `radius` of a stone, row by row; return their number.

    Parameters
    ----------
    found : int32[MAX_POINTS]
        Gets grid cells.
    """
    count = 0
    for row in range(size):
        for col in range(size):
            cell = (row + RING) * STRIDE + col + RING
            if cells[cell] == EMPTY and _is_near(cells, size, row, col, radius) == 1:
                found[count] = cell
                count += 1
    return count


@kernel()
def run_score(run: Word, ends: Word, exact: Word) -> Word:
    """Return the column of the score table for a run of stones.

    Parameters
    ----------
    run : int
        Stones in the run, the new one included.
    ends : int
        How many of its two ends are empty points, 0..2.
    exact : int
        1 where a longer run than five does not win: it is then worth nothing.
    """
    if run == 5 or (run > 5 and exact == 0):
        return FIVE_SCORE
    if run > 5 or run < 1 or ends == 0:
        return NO_SCORE
    if run == 1:
        return ONE_SCORE
    # Two, three and four stones: closed, then open.
    return TWO_SCORE + 2 * (run - 2) + (1 if ends == 2 else 0)


@kernel()
def run_through(cells: Any, cell: Word, colour: Word, direction: Word, exact: Word) -> Word:
    """Return the score column of the run that a stone on `cell` would make in a direction."""
    run = np.int64(1)  # literals would compile `run_score` a second time
    ends = np.int64(0)
    for way in (-1, 1):
        step = way * OFFSETS[direction]
        other = cell + step
        while cells[other] == colour:
            run += 1
            other += step
        if cells[other] == EMPTY:
            ends += 1
    return run_score(run, ends, exact)


@kernel()
def move_score(
    cells: Any, cell: Word, colour: Word, exact: Word, scores: Any, counters: Any
) -> Word:
    """Return what a stone of `colour` (1, 2) on the empty `cell` is worth.

    The four directions are added up. A four and an open three in two directions, or else two open
    threes, earn one bonus.
    """
    counters[SCORINGS] += 1
    total = np.int64(0)
    fours = 0
    threes = 0
    for direction in range(4):
        column = run_through(cells, cell, colour, direction, exact)
        total += scores[column]
        if column in (FOUR_SCORE, OPEN_FOUR_SCORE):
            fours += 1
        elif column == OPEN_THREE_SCORE:
            threes += 1
    if fours > 0 and threes > 0:
        total += scores[FOUR_THREE_BONUS]
    elif threes > 1:
        total += scores[DOUBLE_THREE_BONUS]
    return total


@kernel()
def score_moves(
    cells: Any, moves: Any, colour: Word, exact: Word, scores: Any, values: Any, counters: Any
) -> None:
    """Write what each of `moves` is worth to `colour` into `values`.

    Parameters
    ----------
    cells : uint8[GRID]
    moves : int32[n]
        Empty grid cells.
    colour : int
        1 black, 2 white.
    exact : int
        See `run_score`.
    scores : int64[SCORES]
    values : int64[n]
    counters : int64[COUNTERS]
        The first counts the scorings.
    """
    for index in range(moves.shape[0]):
        cell = np.int64(moves[index])
        values[index] = move_score(cells, cell, colour, exact, scores, counters)


@kernel()
def best_reply(
    cells: Any, moves: Any, taken: Word, colour: Word, exact: Word, scores: Any, counters: Any
) -> Word:
    """Return the largest score of `colour` over `moves`, `taken` left out; 0 if none is left."""
    best = np.int64(0)
    for index in range(moves.shape[0]):
        cell = np.int64(moves[index])
        if cell != taken:
            best = max(best, move_score(cells, cell, colour, exact, scores, counters))
    return best


@kernel()
def look_ahead(
    cells: Any,
    moves: Any,
    trials: Any,
    colour: Word,
    exact: Word,
    scores: Any,
    replies: Any,
    counters: Any,
) -> None:
    """Try a stone of `colour` on each of `trials` and write down the opponent's best answer.

    Parameters
    ----------
    cells : uint8[GRID]
        The same afterwards.
    moves : int32[n]
        The opponent's candidates: those of the position before the trial.
    trials : int32[k]
        Empty grid cells.
    colour, exact, scores
        See `score_moves`.
    replies : int64[k]
        Gets the opponent's largest score after each trial.
    counters : int64[COUNTERS]
        The first counts the scorings, the second the trials.
    """
    for index in range(trials.shape[0]):
        cell = np.int64(trials[index])
        cells[cell] = colour
        counters[TRIALS] += 1
        replies[index] = best_reply(cells, moves, cell, 3 - colour, exact, scores, counters)
        cells[cell] = EMPTY
