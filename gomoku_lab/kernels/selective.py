"""The selective search: what looks poor is searched less deeply, or not at all.

Beside `search`, which sees the same moves at every node to the same depth, this one

- takes the table's word from deeper searches as well;
- gives the answer to a four no depth, so that chains of fours are seen to their end;
- against an open four to come tries only the moves that could answer it: own fours, and the points
  where the opponent would make a four;
- reduces the depth of a move the more, the more its order lies behind the best move's, and searches
  it again in full where it turns out well;
- leaves out, close to the leaves, the moves that lie too far behind.

The last two need an order that is a logarithm of odds (a learned one); a move that makes a four is
always searched in full. So a value is not that of plain minimax, and a root score not exact: what
has to be exact is searched by `search`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, array_type, int64, kernel, record_type
from gomoku_lab.kernels.candidates import (
    FIRST_KEY,
    INDEX_BITS,
    generate,
    key_cell,
    next_key,
    order_key,
)
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
    POINT_OPEN_FOUR,
    STATE,
    UPPER,
)
from gomoku_lab.kernels.picker import NO_MOVE, reward
from gomoku_lab.kernels.search import UNDECIDED, enter, keep_line
from gomoku_lab.kernels.state import evaluate, place, point_class, remove
from gomoku_lab.kernels.table import find, from_table, store
from gomoku_lab.kernels.threats import five_point

LEAST_REDUCED = 3
"""Nodes of less depth reduce nothing: their children are leaves already."""
_RECORD = record_type(STATE)
_TABLE = array_type(ENTRY)


@kernel()
def _cut(s: Any, table: Any, slot: Word, depth: Word, alpha: Word, beta: Word, ply: Word) -> Word:
    """Return the score that the table proves for a null-window node, else UNDECIDED."""
    entry = table[slot]
    if beta - alpha > 1 or np.int64(entry["depth"]) < depth:
        return UNDECIDED
    score = from_table(np.int64(entry["score"]), ply)
    bound = np.int64(entry["flag"]) & 3
    if bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha):
        return score
    return UNDECIDED


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
    last = FIRST_KEY
    for index in range(number):
        last = next_key(keys, count, last)
        s["rest"][index] = last
    for index in range(number):
        keys[index] = s["rest"][index]
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
def _behind(best: Word, key: Word) -> Word:
    """Return by how much the order of a move lies behind the best one's."""
    return (best >> INDEX_BITS) - (key >> INDEX_BITS)


@kernel()
def _reduction(s: Any, gap: Word, depth: Word, pv: Word) -> Word:
    """Return by how many plies a move that lies so far behind is searched less deeply."""
    if gap < s["reduce_from"] or depth < LEAST_REDUCED:
        return np.int64(0)
    plies = min(1 + (gap - s["reduce_from"]) // s["reduce_step"], s["reduce_most"])
    return min(plies - (1 if pv else 0), depth - 2)


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
    side = s["side"]
    other = 1 - side
    forced = s["counts"][other, POINT_FIVE] > 0
    if (depth <= 0 and not forced) or ply >= np.int64(MAX_PLY - 2):
        return evaluate(s)
    slot = find(s, table) if s["table_mask"] >= 0 else np.int64(-1)
    table_move = np.int64(NO_MOVE)
    if slot >= 0:
        s["table_hits"] += 1
        score = _cut(s, table, slot, depth, alpha, beta, ply)
        if score != UNDECIDED:
            return score
        if s["cells"][np.int64(table[slot]["move"])] == EMPTY and not forced:
            table_move = np.int64(table[slot]["move"])
    pv = beta - alpha > 1
    urgent = forced or s["counts"][other, POINT_OPEN_FOUR] > 0
    keys = s["keys"][ply]
    # Nothing is generated before the table move has been tried.
    listed = table_move == NO_MOVE
    count = np.int64(1)
    if listed:
        count = _list_moves(s, ply)
        _bring_killers(s, ply, min(np.int64(1), count), count)
    else:
        keys[0] = order_key(s, table_move)
    best_key = keys[0]
    low, best, best_cell = alpha, np.int64(-INFINITY), np.int64(NO_MOVE)
    index = np.int64(0)
    while index < count:
        cell = key_cell(keys[index])
        deep = depth if forced else depth - 1
        less = np.int64(0)
        if index > 0 and not urgent and s["gaps"] != 0:
            gap = _behind(best_key, keys[index])
            if gap >= min(s["reduce_from"], s["prune_from"]) and (
                point_class(s, cell, side) < POINT_FOUR
            ):
                if (
                    not pv
                    and best > -MATE_RANGE
                    and gap > s["prune_from"] + s["prune_step"] * depth
                ):
                    index += 1
                    continue
                less = _reduction(s, gap, depth, pv)
        place(s, cell)
        score = enter(s, np.int64(1), ply + 1)
        if score != UNDECIDED:
            score = -score
        else:
            if index > 0:
                score = -visit(s, table, deep - less, -low - 1, -low, ply + 1)
                if less > 0 and score > low and s["aborted"] == 0:
                    score = -visit(s, table, deep, -low - 1, -low, ply + 1)
            if index == 0 or (low < score < beta and s["aborted"] == 0):
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
        index += 1
        if not listed:
            listed = True
            count = _list_moves(s, ply)
            best_key = keys[0]
            if not _bring(s, ply, np.int64(0), count, table_move):
                index = np.int64(0)
            _bring_killers(s, ply, index, count)
    if best_cell == NO_MOVE:
        return -(MATE - (ply + 1))  # renju: Black may play nowhere, and he cannot pass
    bound = EXACT if alpha < best < beta else (LOWER if best >= beta else UPPER)
    store(s, table, max(depth, np.int64(0)), ply, best, bound, best_cell)
    return best
