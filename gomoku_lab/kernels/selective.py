"""The selective search: what looks decided is not searched.

Beside `search`, which sees the same moves at every node to the same depth, this one

- takes the table's word from deeper searches as well;
- gives the answer to a four no depth, so that chains of fours are seen to their end;
- against an open four to come tries only the moves that could answer it: own fours, and the points
  where the opponent would make a four;
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
from gomoku_lab.kernels.candidates import generate, key_cell, order_key, sort_best
from gomoku_lab.kernels.layout import (
    EMPTY,
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
    STATE,
    UPPER,
)
from gomoku_lab.kernels.picker import NO_MOVE, reward
from gomoku_lab.kernels.search import UNDECIDED, bound_cut, enter, keep_line
from gomoku_lab.kernels.state import evaluate, place, point_class, remove
from gomoku_lab.kernels.table import find, store
from gomoku_lab.kernels.threats import five_point

FUTILE_NODES = 4
FUTILE_MOVES = 3
"""Depths up to which the evaluation may decide a node, or leave out its moves: no more of these."""
_UNLISTED, _LISTED = 0, 1
_RECORD = record_type(STATE)
_TABLE = array_type(ENTRY)


@kernel()
def _answers(s: Any, ply: Word, count: Word) -> Word:
    """Keep the candidates that could answer an open four to come; all, if none could."""
    keys = s["keys"][ply]
    side = s["side"]
    kept = np.int64(0)
    for index in range(count):
        cell = key_cell(keys[index])
        if point_class(s, cell, side) >= POINT_FOUR or point_class(s, cell, 1 - side) >= POINT_FOUR:
            keys[kept] = keys[index]
            kept += 1
    return kept if kept > 0 else count


@kernel()
def _list_moves(s: Any, ply: Word) -> Word:
    """Write the keys of the node's moves into ``keys[ply]``, best first; return their number."""
    other = 1 - s["side"]
    keys = s["keys"][ply]
    if s["counts"][other, POINT_FIVE] > 0:
        keys[0] = order_key(s, five_point(s, other))
        return np.int64(1)
    count = generate(s, ply)
    if s["counts"][other, POINT_OPEN_FOUR] > 0:
        count = _answers(s, ply, count)
    number = min(count, s["width"])
    sort_best(s, keys, count, number)
    return number


@kernel()
def _bring(s: Any, ply: Word, to: Word, count: Word, cell: Word) -> Word:
    """Move the key of `cell` from behind to place `to`; tell whether it was there."""
    keys = s["keys"][ply]
    for index in range(to, count):
        if key_cell(keys[index]) == cell:
            key = keys[index]
            for place_of in range(index, to, -1):
                keys[place_of] = keys[place_of - 1]
            keys[to] = key
            return True
    return False


@kernel()
def _bring_killers(s: Any, ply: Word, to: Word, count: Word) -> None:
    """Let the killers of this ply, where they are moves of the node, come from place `to` on."""
    for slot in range(1, -1, -1):
        cell = np.int64(s["killers"][ply, slot])
        if cell != NO_MOVE:
            _bring(s, ply, to, count, cell)


@kernel()
def _left_out(s: Any, ply: Word, cell: Word, depth: Word, low: Word) -> Word:
    """Tell whether a move of a node with a null window is left out: the evaluation lies too low."""
    if s["futility"] == 0 or depth > FUTILE_MOVES:
        return False
    if s["picks"][ply]["static"] + s["futility"] * depth > low:
        return False
    return point_class(s, cell, s["side"]) < POINT_FOUR


@kernel()
def _list_all(s: Any, ply: Word) -> None:
    """List the moves of a node: the table's first, which has been tried, the best, the killers."""
    p = s["picks"][ply]
    count = _list_moves(s, ply)
    p["stage"] = _LISTED
    p["count"] = count
    if p["first"] != NO_MOVE:
        p["place"] = 1 if _bring(s, ply, np.int64(0), count, np.int64(p["first"])) else 0
    _bring_killers(s, ply, p["place"] + 1, count)


@kernel()
def _open(s: Any, table: Any, depth: Word, alpha: Word, beta: Word, ply: Word) -> Word:
    """Return the score of a node where nothing needs to be searched, or ready its moves."""
    other = 1 - s["side"]
    p = s["picks"][ply]
    p["forced"] = 1 if s["counts"][other, POINT_FIVE] > 0 else 0
    p["urgent"] = 1 if p["forced"] != 0 or s["counts"][other, POINT_OPEN_FOUR] > 0 else 0
    if (depth <= 0 and p["forced"] == 0) or ply >= np.int64(MAX_PLY - 2):
        return evaluate(s)
    p["first"] = NO_MOVE
    slot = find(s, table) if s["table_mask"] >= 0 else np.int64(-1)
    if slot >= 0:
        s["table_hits"] += 1
        if np.int64(table[slot]["depth"]) >= depth:
            score = bound_cut(table, slot, alpha, beta, ply)
            if score != UNDECIDED:
                return score
        if s["cells"][np.int64(table[slot]["move"])] == EMPTY and p["forced"] == 0:
            p["first"] = np.int64(table[slot]["move"])
    if p["urgent"] == 0 and s["futility"] > 0 and depth <= FUTILE_NODES:
        p["static"] = evaluate(s)
        # With a four-three at hand the opponent is not decided upon.
        calm = s["counts"][other, POINT_FOUR_THREE] == 0
        high = p["static"] - s["futility"] * depth >= beta > -MATE_RANGE
        if calm and high and beta - alpha == 1:
            return np.int64(p["static"])
    p["place"] = 0
    p["stage"] = _UNLISTED
    if p["first"] != NO_MOVE:
        s["keys"][ply, 0] = order_key(s, p["first"])
        p["count"] = 1
    else:
        _list_all(s, ply)
    return UNDECIDED


@kernel()
def _next(s: Any, ply: Word, depth: Word, low: Word, pv: Word, losing: Word) -> Word:
    """Return the next move of a node, NO_MOVE when none is left.

    Nothing is generated before the table's move has been tried; nothing is left out of a node with
    an open window or one where all moves so far lose.
    """
    p = s["picks"][ply]
    if p["stage"] == _UNLISTED and p["place"] == 1:
        _list_all(s, ply)
    while p["place"] < p["count"]:
        cell = key_cell(s["keys"][ply, p["place"]])
        p["place"] += 1
        whole = p["place"] == 1 or p["urgent"] != 0 or pv or losing
        if whole or not _left_out(s, ply, cell, depth, low):
            return cell
    return np.int64(NO_MOVE)


@kernel(int64(_RECORD, _TABLE, int64, int64, int64, int64))
def visit(s: Any, table: Any, depth: Word, alpha: Word, beta: Word, ply: Word) -> Word:
    """Return the value of an undecided position, searched about `depth` plies deep (fail-soft).

    Parameters
    ----------
    s : STATE record
        A position that `enter` has counted and left UNDECIDED. The same position afterwards, also
        when the search was aborted.
    table : ENTRY[n]
    depth, alpha, beta, ply : int64
        Remaining plies (0: only answers to fours are left), window from the side to move, stones
        placed since the root.

    Returns
    -------
    int
        v with alpha < v < beta: the value. v <= alpha: an upper bound. v >= beta: a lower bound.
        Meaningless once ``aborted`` is set; nothing is stored then.
    """
    score = _open(s, table, depth, alpha, beta, ply)
    if score != UNDECIDED:
        return score
    pv = beta - alpha > 1
    low, best, best_cell = alpha, np.int64(-INFINITY), np.int64(NO_MOVE)
    while True:
        cell = _next(s, ply, depth, low, pv, best < -MATE_RANGE)
        if cell == NO_MOVE:
            break
        deep = depth if s["picks"][ply]["forced"] != 0 else depth - 1
        place(s, cell)
        score = enter(s, np.int64(1), ply + 1)
        if score != UNDECIDED:
            score = -score
        else:
            if best_cell != NO_MOVE:
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
