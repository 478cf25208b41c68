"""What a search has found the static evaluation to be wrong by: the correction history.

All positions of a search have most of their stones in common, and so has the evaluation most of its
errors. Chess programs know the device as correction history. For each side to move a mean error is
kept by each of three marks of a position: the newest stone, the stone before it, and the threats
that both sides have at hand; the evaluation is corrected by the mean of the three.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, kernel
from gomoku_lab.kernels.layout import (
    EVALUATION_CAP,
    GRID,
    LOWER,
    MATE_RANGE,
    THREAT_STATES,
    UPPER,
)
from gomoku_lab.kernels.state import threats_held

_ONE = 256
"""Fixed-point one of a mean error."""
_SPAN = 512
"""An error moves the means by its depth in half plies over this. Chosen among 256, 512 and 1,024
like the three marks, by what a search of 100,000 nodes says of undecided positions."""
_DEEPEST = 16
"""Half plies from which an error counts no more than at these."""


@kernel()
def _place_of(s: Any, mark: Word) -> Word:
    """Return where the mean error by a mark of the position is kept."""
    if mark < 2:
        return mark * GRID + np.int64(s["played"][max(s["stones"] - 1 - mark, 0)])
    side = s["side"]
    return 2 * GRID + THREAT_STATES * threats_held(s, side) + threats_held(s, 1 - side)


@kernel()
def corrected(s: Any, static: Word) -> Word:
    """Return a static evaluation of the position, corrected by what the search has found."""
    if s["correction"] == 0:
        return static
    total = np.int64(0)
    for mark in range(3):
        total += s["errors"][s["side"], _place_of(s, mark)]
    return min(max(static + total // (3 * _ONE), -EVALUATION_CAP), EVALUATION_CAP)


@kernel()
def learn(s: Any, ply: Word, depth: Word, best: Word, bound: Word) -> None:
    """Remember by how much the static evaluation of this ply's quiet node was wrong.

    A bound tells it only where it lies beyond the evaluation; a win or a loss never does.

    Parameters
    ----------
    s : STATE record
    ply, depth : int64
        The node's ply, whose ``raw`` is its evaluation, and its depth in half plies.
    best, bound : int64
        What the search found: EXACT, a LOWER or an UPPER bound.
    """
    p = s["picks"][ply]
    raw, cap = p["raw"], s["correction"]
    if cap == 0 or p["urgent"] != 0 or best > MATE_RANGE or best < -MATE_RANGE:
        return
    if (bound == LOWER and best <= raw) or (bound == UPPER and best >= raw):
        return
    error = min(max(best - raw, -cap), cap) * _ONE
    weight = min(max(depth, np.int64(1)), np.int64(_DEEPEST))
    for mark in range(3):
        place, side = _place_of(s, mark), s["side"]
        held = np.int64(s["errors"][side, place])
        s["errors"][side, place] = held + (error - held) * weight // _SPAN
