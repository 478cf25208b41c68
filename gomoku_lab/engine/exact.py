"""Exact scores for the root candidates of an analysis: which moves are searched again, how deep.

The search itself is `Engine.exact_root`.
"""

from __future__ import annotations

from dataclasses import replace

from gomoku_lab.engine.analysis import Analysis
from gomoku_lab.engine.config import SearchLimits
from gomoku_lab.engine.engine import Engine, static_order
from gomoku_lab.kernels.layout import MAX_DEPTH


def with_exact(
    engine: Engine,
    found: Analysis,
    *,
    count: int = 5,
    depth: int | None = None,
    limits: SearchLimits | None = None,
) -> Analysis:
    """Return `found` with exact scores of its `count` first root candidates.

    The move that was chosen is the first of them. After it come the candidates in the order of
    `Analysis.roots`, or in one-move order where nothing was searched.

    Parameters
    ----------
    engine : Engine
        Its width, radius and evaluation hold.
    found : Analysis
    count : int
        How many moves, 1 or more; fewer if there are not so many candidates.
    depth : int, optional
        Depth in plies, 1..64; by default that of the last completed layer, or the engine's where
        nothing was searched.
    limits : SearchLimits, optional
        ``time_ms`` and ``nodes`` may stop it earlier; by default the engine's own, once more.
    """
    if count < 1:
        raise ValueError(f"count must be 1 or more: {count!r}")
    board, config = found.board, engine.config
    if board.is_over:
        return found
    known = [root.move for root in found.roots] or static_order(board, config)
    moves = [found.move, *(move for move in known if move != found.move)]
    wanted = found.depth or config.depth or MAX_DEPTH if depth is None else depth
    exact = engine.exact_root(
        board,
        # Beyond the last empty point there is nothing left to find.
        depth=min(wanted, len(board.empty_points())),
        moves=tuple(move for move in moves if move is not None)[:count],
        limits=limits or config.limits,
    )
    return replace(found, exact=exact)
