"""The root layer around the two searches."""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, kernel
from gomoku_lab.kernels.layout import EXACT, INFINITY, MATE, UPPER
from gomoku_lab.kernels.search import UNDECIDED, enter, keep_line, search
from gomoku_lab.kernels.selective import PLY, visit
from gomoku_lab.kernels.state import place, remove


@kernel()
def _child(
    s: Any, table: Any, selective: Word, depth: Word, alpha: Word, beta: Word, ply: Word
) -> Word:
    """Search an undecided position below the root by one search or the other."""
    if selective:
        return visit(s, table, PLY * depth, alpha, beta, ply)
    return search(s, table, depth, alpha, beta, ply)


@kernel()
def search_root(
    s: Any, table: Any, depth: Word, full: Word, moves: Any, scores: Any, bounds: Any, nodes: Any
) -> Word:
    """Search one layer over the given root moves.

    Parameters
    ----------
    s : STATE record
    table : ENTRY[n]
    depth : int
        Plies, the root move included; at least 1.
    full : bool
        Give every move a full window and search nothing selectively, so that every score is exact.
    moves : int32[n]
        Grid cells in the order in which they are searched.
    scores : int64[n]
        Gets the score of each move from the side to move.
    bounds : int64[n]
        Gets EXACT, or UPPER where the score is only "no better than".
    nodes : int64[n]
        Gets the nodes spent on each move.

    Returns
    -------
    int
        Index of the first best move, or -1 if the layer was aborted (then the outputs are void).
    """
    low, best = -INFINITY, -1
    selective = s["selective"] != 0 and not full
    lowest, ply = np.int64(-INFINITY), np.int64(1)
    s["line_length"][0] = 0
    for index in range(moves.shape[0]):
        before = s["nodes"]
        cell = np.int64(moves[index])
        place(s, cell)
        exact = True
        score = enter(s, np.int64(1) if selective else depth - 1, ply)
        if s["terminal"] != 0 and s["fives"][1 - s["side"]] > 0:
            # Only a root move can make five: below, `decided` ends the line a stone earlier.
            score = -(MATE - 1)
        if score != UNDECIDED:
            score = -score
        elif full or index == 0:
            score = -_child(s, table, selective, depth - 1, lowest, -lowest, ply)
        else:
            score = -_child(s, table, selective, depth - 1, -low - 1, -low, ply)
            exact = score > low
            if exact and s["aborted"] == 0:
                score = -_child(s, table, selective, depth - 1, lowest, -low, ply)
        remove(s)
        if s["aborted"] != 0:
            return -1
        scores[index] = score
        bounds[index] = EXACT if exact else UPPER
        nodes[index] = s["nodes"] - before
        if score > low:
            low = score
            best = index
            keep_line(s, np.int64(0), cell)
    return best
