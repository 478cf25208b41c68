"""The selective search: what looks decided is not searched.

Beside `search`, which sees the same moves at every node to the same depth, this one

- takes the table's word from deeper searches as well;
- counts depth in half plies: an answer to a four costs none, so that chains of fours are seen to
  their end, and an answer to an open four to come may cost one (``extension``), so that threats are
  seen farther than quiet play;
- against an open four to come tries only the moves that could answer it: own fours, and the points
  where the opponent would make a four;
- near the leaves tries few of these answers (``answers``);
- searches late moves less deep, to the full depth only if they then seem to be better: those that
  make no threat (``reduction``), and later on also threats and answers (``late_threats``);
- searches a position a ply less deep where the static evaluation lies above the window
  (``fail_high``);
- takes a position near the leaves for decided where the static evaluation lies far above the window
  (reverse futility), and leaves out moves where it lies far below (futility).

A move that makes a four is always searched, and nothing is left out while all moves lose.
So a value is not that of plain minimax, and a root score not exact: what has to be exact is
searched by `search`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, array_type, int64, kernel, record_type
from gomoku_lab.kernels.layout import (
    ENTRY,
    EXACT,
    INFINITY,
    LOWER,
    MATE,
    MATE_RANGE,
    MAX_PLY,
    POINT_FIVE,
    POINT_FOUR,
    POINT_FOUR_THREE,
    POINT_OPEN_FOUR,
    POINT_THREE,
    STATE,
    UPPER,
)
from gomoku_lab.kernels.picker import NO_MOVE, next_move, reward, start_moves
from gomoku_lab.kernels.search import UNDECIDED, bound_cut, enter, keep_line
from gomoku_lab.kernels.state import evaluate, place, point_class, remove
from gomoku_lab.kernels.table import NO_ENTRY, entry_depth, entry_move, fetch_next, find, store

PLY = 2
"""Half plies in one."""
FUTILE_NODES = 4 * PLY
FUTILE_MOVES = 3 * PLY
FEW_ANSWERS = 5
"""Depths up to which the evaluation may decide a node, or leave out its moves, and up to which few
answers are tried: no more of these."""
HIGH_NODES = 2 * PLY
"""Least depth of a node that is searched less deep because its evaluation is high."""
REDUCED_NODES = 3 * PLY
"""Least depth of a node whose late moves are reduced."""
REDUCTION_SHARE = 8
"""Late quiet moves are searched a ply less deep, and this part of the depth."""
_RECORD = record_type(STATE)
_TABLE = array_type(ENTRY)


@kernel()
def _fours_alone(s: Any, ply: Word, depth: Word, low: Word) -> Word:
    """Tell whether only fours are left to a node: enough answers were tried, or it lies too low."""
    p = s["picks"][ply]
    if p["urgent"] != 0:
        return depth <= FEW_ANSWERS and 0 < s["answers"] <= p["tried"]
    if p["tried"] == 0 or s["futility"] == 0 or depth > FUTILE_MOVES:
        return False
    return p["static"] + s["futility"] * depth // PLY <= low


@kernel()
def _next(s: Any, ply: Word, depth: Word, low: Word, whole: Word) -> Word:
    """Return the next move to search, NO_MOVE when none is left.

    All of them come in `whole` nodes: those with an open window, and those where all moves so far
    lose.
    """
    if whole or not _fours_alone(s, ply, depth, low):
        return next_move(s, ply, np.int64(0))
    side = s["side"]
    fours = s["counts"][side, POINT_FOUR] + s["counts"][side, POINT_FOUR_THREE]
    if fours + s["counts"][side, POINT_OPEN_FOUR] == 0:
        return np.int64(NO_MOVE)
    cell = next_move(s, ply, np.int64(0))
    while cell != NO_MOVE and point_class(s, cell, side) < POINT_FOUR:
        cell = next_move(s, ply, np.int64(0))
    return cell


@kernel()
def _lies_above(s: Any, ply: Word, alpha: Word, beta: Word, margin: Word) -> Word:
    """Tell whether a quiet node's evaluation lies so far above a null window; never by nothing."""
    p = s["picks"][ply]
    # With a four-three at hand the opponent is not decided upon.
    if margin == 0 or p["urgent"] != 0 or s["counts"][1 - s["side"], POINT_FOUR_THREE] > 0:
        return False
    return beta - alpha == 1 and p["static"] - margin >= beta > -MATE_RANGE


@kernel()
def _open(s: Any, table: Any, depth: Word, alpha: Word, beta: Word, ply: Word) -> Word:
    """Return the score of a node where nothing needs to be searched, or ready its moves."""
    other = 1 - s["side"]
    forced = s["counts"][other, POINT_FIVE] > 0
    if (depth <= 0 and not forced) or ply >= np.int64(MAX_PLY - 2):
        return evaluate(s)
    entry = find(s, table)
    if entry != NO_ENTRY:
        s["table_hits"] += 1
        if entry_depth(entry) >= depth:
            score = bound_cut(entry, alpha, beta, ply)
            if score != UNDECIDED:
                return score
    urgent = forced or s["counts"][other, POINT_OPEN_FOUR] > 0
    start_moves(s, ply, entry_move(entry), np.int64(forced), np.int64(urgent))
    if not urgent:
        p = s["picks"][ply]
        p["static"] = evaluate(s)
        margin = s["futility"] * depth // PLY
        if depth <= FUTILE_NODES and _lies_above(s, ply, alpha, beta, margin):
            return np.int64(p["static"])
    return UNDECIDED


@kernel()
def _depth_below(s: Any, ply: Word, depth: Word) -> Word:
    """Return the depth that is left after a move of the node."""
    p = s["picks"][ply]
    if p["forced"] != 0:
        return depth
    if p["urgent"] != 0 and s["extension"] != 0:
        return depth - 1
    return depth - PLY


@kernel()
def _reduction(s: Any, ply: Word, depth: Word, cell: Word) -> Word:
    """Return by how much less deep the node's newest move, not its first, is searched at first."""
    p = s["picks"][ply]
    if depth < REDUCED_NODES:
        return np.int64(0)
    if p["urgent"] != 0 or point_class(s, cell, s["side"]) >= POINT_THREE:
        return np.int64(PLY) if 0 < s["late_threats"] < p["tried"] else np.int64(0)
    return PLY + depth // REDUCTION_SHARE if 0 < s["reduction"] < p["tried"] else np.int64(0)


@kernel(int64(_RECORD, _TABLE, int64, int64, int64, int64))
def visit(s: Any, table: Any, depth: Word, alpha: Word, beta: Word, ply: Word) -> Word:
    """Return the value of an undecided position, searched about `depth` deep (fail-soft).

    Parameters
    ----------
    s : STATE record
        A position that `enter` has counted and left UNDECIDED. The same position afterwards, also
        when the search was aborted.
    table : ENTRY[n]
    depth, alpha, beta, ply : int64
        Remaining half plies (0: only answers to fours are left), window from the side to move,
        stones placed since the root.

    Returns
    -------
    int
        v with alpha < v < beta: the value. v <= alpha: an upper bound. v >= beta: a lower bound.
        Meaningless once ``aborted`` is set; nothing is stored then.
    """
    score = _open(s, table, depth, alpha, beta, ply)
    if score != UNDECIDED:
        return score
    if depth >= HIGH_NODES and _lies_above(s, ply, alpha, beta, s["fail_high"]):
        depth -= PLY
    pv = beta - alpha > 1
    low, best, best_cell = alpha, np.int64(-INFINITY), np.int64(NO_MOVE)
    while True:
        cell = _next(s, ply, depth, low, pv or best < -MATE_RANGE)
        if cell == NO_MOVE:
            break
        deep = _depth_below(s, ply, depth)
        less = _reduction(s, ply, depth, cell)
        fetch_next(s, table, cell)
        place(s, cell)
        score = enter(s, np.int64(1), ply + 1)
        if score != UNDECIDED:
            score = -score
        else:
            if best_cell != NO_MOVE:
                score = -visit(s, table, deep - less, -low - 1, -low, ply + 1)
                if less > 0 and score > low and s["aborted"] == 0:
                    score = -visit(s, table, deep, -low - 1, -low, ply + 1)
            if best_cell == NO_MOVE or (low < score < beta and s["aborted"] == 0):
                score = -visit(s, table, deep, -beta, -low, ply + 1)
        remove(s)
        if s["aborted"] != 0:
            return 0
        if score > best:
            best, best_cell = score, cell
            if score > low:
                low = score
                keep_line(s, ply, cell)
                if low >= beta:
                    reward(s, ply, cell, depth)
                    break
    if best_cell == NO_MOVE:
        return -(MATE - (ply + 1))  # renju: Black may play nowhere, and he cannot pass
    bound = EXACT if alpha < best < beta else (LOWER if best >= beta else UPPER)
    store(s, table, max(depth, np.int64(0)), ply, best, bound, best_cell)
    return best
