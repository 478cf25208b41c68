"""Principal-variation alpha-beta with a table.

Every layer searches, at each node, the first `width` candidates in one-move order and no others;
table, killer and history moves change the order within that set, never the set. There are no
reductions, extensions or null moves, so the value equals plain minimax over the same sets.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, array_type, clock_ns, int64, kernel, record_type
from gomoku_lab.kernels.forbidden import may_play
from gomoku_lab.kernels.layout import (
    CLOCK_INTERVAL,
    ENTRY,
    EXACT,
    INFINITY,
    LOWER,
    MATE,
    POINT_FIVE,
    POINT_OPEN_FOUR,
    STATE,
    UPPER,
)
from gomoku_lab.kernels.picker import NO_MOVE, next_move, reward, start_moves
from gomoku_lab.kernels.state import evaluate, place, remove
from gomoku_lab.kernels.table import (
    NO_ENTRY,
    entry_bound,
    entry_depth,
    entry_move,
    entry_score,
    find,
    store,
)
from gomoku_lab.kernels.threats import five_point

UNDECIDED = INFINITY + 1


@kernel()
def start_budget(s: Any, node_limit: Word, deadline_ns: Word) -> None:
    """Begin a search: forget the last one's counters, killers and history; set the budget."""
    s["killers"][:, :] = 0
    s["history"][:, :] = 0
    s["nodes"] = 0
    s["clock_reads"] = 0
    s["aborted"] = 0
    s["table_hits"] = 0
    s["cutoffs"] = 0
    s["next_clock"] = CLOCK_INTERVAL
    set_budget(s, node_limit, deadline_ns)


@kernel()
def set_budget(s: Any, node_limit: Word, deadline_ns: Word) -> None:
    """Change the node limit and the deadline of the running search."""
    s["node_limit"] = node_limit
    s["deadline_ns"] = deadline_ns
    s["next_check"] = min(s["next_clock"], node_limit)


@kernel()
def _check_budget(s: Any) -> None:
    """Set the abort flag when the node limit is reached or the clock says so."""
    if s["nodes"] >= s["node_limit"]:
        s["aborted"] = 1
    if s["nodes"] >= s["next_clock"]:
        s["next_clock"] += CLOCK_INTERVAL
        s["clock_reads"] += 1
        if clock_ns() >= s["deadline_ns"] or s["clock_reads"] == s["abort_at_read"]:
            s["aborted"] = 1
    s["next_check"] = min(s["next_clock"], s["node_limit"])


@kernel()
def decided(s: Any, ply: Word) -> Word:
    """Return the score of a node whose outcome the counters prove, else UNDECIDED.

    My five point: I win with the next stone. Two five points of the opponent, or one on which I
    may not play: he wins with the one after. No five point of his and an open four of mine to be
    made: I win with my stone after next. A full board is a draw.
    """
    side = s["side"]
    if s["terminal"] != 0:
        if s["counts"][side, POINT_FIVE] > 0:
            return MATE - (ply + 1)
        if s["counts"][1 - side, POINT_FIVE] > 0:
            if s["counts"][1 - side, POINT_FIVE] > 1:
                return -(MATE - (ply + 2))
            if s["renju"] != 0 and not may_play(s, five_point(s, 1 - side)):
                return -(MATE - (ply + 2))
        elif s["counts"][side, POINT_OPEN_FOUR] > 0:
            return MATE - (ply + 3)
        if s["stones"] == s["size"] * s["size"]:
            return 0
    elif s["stones"] == s["size"] * s["size"]:
        return evaluate(s)
    return UNDECIDED


@kernel()
def keep_line(s: Any, ply: Word, cell: Word) -> None:
    """Write `cell` and the line of the next ply as the line of this ply."""
    s["line"][ply, ply] = cell
    length = np.int64(s["line_length"][ply + 1])
    for index in range(ply + 1, length):
        s["line"][ply, index] = s["line"][ply + 1, index]
    s["line_length"][ply] = max(length, ply + 1)


@kernel()
def bound_cut(entry: Word, alpha: Word, beta: Word, ply: Word) -> Word:
    """Return the score that an entry proves for a null-window node, else UNDECIDED."""
    if beta - alpha > 1:
        return UNDECIDED
    score = entry_score(entry, ply)
    bound = entry_bound(entry)
    if bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha):
        return score
    return UNDECIDED


@kernel()
def _table_cut(entry: Word, depth: Word, alpha: Word, beta: Word, ply: Word) -> Word:
    """Return the score that the table proves for a null-window node, else UNDECIDED.

    Only an entry of the very same depth counts, so the table never changes a value.
    """
    return bound_cut(entry, alpha, beta, ply) if entry_depth(entry) == depth else UNDECIDED


@kernel()
def enter(s: Any, depth: Word, ply: Word) -> Word:
    """Count a node and return its score where nothing needs to be searched, else UNDECIDED."""
    s["nodes"] += 1
    s["line_length"][ply] = ply
    if s["nodes"] >= s["next_check"]:
        _check_budget(s)
        if s["aborted"] != 0:
            return 0
    score = decided(s, ply)
    if score != UNDECIDED or depth > 0:
        return score
    return evaluate(s)


_RECORD = record_type(STATE)
_TABLE = array_type(ENTRY)


@kernel(int64(_RECORD, _TABLE, int64, int64, int64, int64))
def search(s: Any, table: Any, depth: Word, alpha: Word, beta: Word, ply: Word) -> Word:
    """Return the value of an undecided position, searched `depth` plies deep (fail-soft).

    Parameters
    ----------
    s : STATE record
        A position that `enter` has counted and left UNDECIDED. The same position afterwards,
        also when the search was aborted.
    table : ENTRY[n]
    depth, alpha, beta, ply : int64
        Remaining plies (at least 1), window from the side to move, stones placed since the root.

    Returns
    -------
    int
        v with alpha < v < beta: exact. v <= alpha: an upper bound. v >= beta: a lower bound.
        Meaningless once ``aborted`` is set; nothing is stored then.
    """
    entry = find(s, table)
    if entry != NO_ENTRY:
        s["table_hits"] += 1
        score = _table_cut(entry, depth, alpha, beta, ply)
        if score != UNDECIDED:
            return score
    forced = s["terminal"] != 0 and s["counts"][1 - s["side"], POINT_FIVE] > 0
    start_moves(s, ply, entry_move(entry), np.int64(forced), np.int64(0))
    low = alpha
    best = -INFINITY
    best_cell = NO_MOVE
    while True:
        cell = next_move(s, ply, np.int64(1))
        if cell == NO_MOVE:
            break
        place(s, cell)
        score = enter(s, depth - 1, ply + 1)
        if score != UNDECIDED:
            score = -score
        else:
            if best_cell != NO_MOVE:
                score = -search(s, table, depth - 1, -low - 1, -low, ply + 1)
            if best_cell == NO_MOVE or (low < score < beta and s["aborted"] == 0):
                score = -search(s, table, depth - 1, -beta, -low, ply + 1)
        remove(s)
        if s["aborted"] != 0:
            return 0
        if score > best:
            best = score
            best_cell = cell
            if score > low:
                low = score
                keep_line(s, ply, cell)
                if low >= beta:
                    reward(s, ply, cell, depth)
                    break
    if best_cell == NO_MOVE:
        return -(MATE - (ply + 1))  # renju: Black may play nowhere, and he cannot pass
    bound = EXACT if alpha < best < beta else (LOWER if best >= beta else UPPER)
    store(s, table, depth, ply, best, bound, best_cell)
    return best
