"""The staged move picker of both searches: table move, best candidate, killers, the rest.

The set of moves of a node is fixed by the static one-move order and the width; the stages only
decide in which order its members come. Nothing is generated before the table move has been tried.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, kernel
from gomoku_lab.kernels.candidates import (
    FIRST_KEY,
    INDEX_BITS,
    INDEX_MASK,
    generate,
    generate_answers,
    key_cell,
    next_key,
    order_key,
    sort_best,
)
from gomoku_lab.kernels.layout import EMPTY
from gomoku_lab.kernels.threats import five_point

NO_MOVE = 0
HISTORY_CAP = 1_000
"""History may outweigh small one-move differences only; nodes to depth 9 changed by under 0.3 %."""
_FIRST, _BEST, _KILLERS, _REST = 0, 1, 2, 5


@kernel()
def start_moves(s: Any, ply: Word, table_move: Word, forced: Word, urgent: Word) -> None:
    """Begin the moves of a node: the only block of a five, or the table's move, comes first.

    Parameters
    ----------
    s : STATE record
    ply, table_move : int64
        The node's ply; its move in the table, or NO_MOVE.
    forced, urgent : int64
        1 if the opponent could make five, and if nothing but answers to a threat may be tried.
    """
    p = s["picks"][ply]
    p["stage"] = _FIRST
    p["tried"] = 0
    p["forced"] = forced
    p["urgent"] = urgent
    p["first"] = NO_MOVE
    if forced != 0:
        p["first"] = five_point(s, 1 - s["side"])
    elif table_move != NO_MOVE and s["cells"][table_move] == EMPTY and s["ordering"] != 0:
        p["first"] = table_move


@kernel()
def _strike(s: Any, ply: Word, key: Word) -> Word:
    """Strike `key` from the candidates of this ply; tell whether it was there."""
    keys = s["keys"][ply]
    p = s["picks"][ply]
    for index in range(p["count"]):
        if keys[index] == key:
            keys[index] = np.int64(-1)
            p["struck"] += 1
            return True
    return False


@kernel()
def _sort_by_row(s: Any, ply: Word) -> None:
    """Keep the width-limited set, but let it come row by row from the top left."""
    p = s["picks"][ply]
    keys = s["keys"][ply]
    sort_best(s, keys, p["count"], p["number"])
    for index in range(p["number"]):
        keys[index] &= INDEX_MASK
    p["count"] = p["number"]


@kernel()
def _list_moves(s: Any, ply: Word) -> None:
    """Generate the moves of a node that is not forced; the one tried before is struck."""
    p = s["picks"][ply]
    count = generate(s, ply) if p["urgent"] == 0 else generate_answers(s, ply)
    p["count"] = count
    p["number"] = min(count, s["width"])
    p["struck"] = 0
    p["last"] = FIRST_KEY
    if p["first"] != NO_MOVE:
        _strike(s, ply, order_key(s, p["first"]))
    if s["ordering"] == 0:
        _sort_by_row(s, ply)


@kernel()
def _killer(s: Any, ply: Word, slot: Word) -> Word:
    """Strike a killer of this ply from the candidates and return it, or NO_MOVE.

    A killer outside the width-limited set is no move of this node.
    """
    cell = np.int64(s["killers"][ply, slot])
    if cell == NO_MOVE or s["cells"][cell] != EMPTY:
        return NO_MOVE
    p = s["picks"][ply]
    key = order_key(s, cell)
    if key >= p["last"]:
        return NO_MOVE
    keys = s["keys"][ply]
    rank = 0
    for index in range(p["count"]):
        rank += 1 if keys[index] > key else 0
    if rank < p["number"] - p["struck"] and _strike(s, ply, key):
        return cell
    return NO_MOVE


@kernel()
def _sort_rest(s: Any, ply: Word) -> None:
    """Let the moves of the set that are left come in one-move order plus history."""
    p = s["picks"][ply]
    keys = s["keys"][ply]
    left = p["number"] - p["tried"]
    last = p["last"]
    for index in range(left):
        last = next_key(keys, p["count"], last)
        s["rest"][index] = last
    for index in range(left):
        key = s["rest"][index]
        history: Any = np.int64(s["history"][s["side"], key_cell(key)])
        keys[index] = key + (history << INDEX_BITS)
    p["count"] = left
    p["last"] = FIRST_KEY


@kernel()
def next_move(s: Any, ply: Word, by_history: Word) -> Word:
    """Return the next move of this ply's node, or NO_MOVE after the last.

    First comes the block of a five or the table's move, then the best, the killers, and the rest in
    one-move order, to which `by_history` adds what cut elsewhere. Each is looked for when it is
    asked for: most nodes are done with their first.
    """
    p = s["picks"][ply]
    stage = p["stage"]
    if stage == _FIRST:
        p["stage"] = _BEST
        if p["first"] != NO_MOVE:
            p["tried"] = 1
            return np.int64(p["first"])
    if p["forced"] != 0:
        return np.int64(NO_MOVE)
    if stage <= _BEST:
        _list_moves(s, ply)
        p["stage"] = _KILLERS if s["ordering"] != 0 else _REST
    elif stage < _REST:
        for slot in range(stage - _KILLERS, 2):
            p["stage"] = _KILLERS + slot + 1
            cell = _killer(s, ply, slot)
            if cell != NO_MOVE:
                p["tried"] += 1
                return cell
        p["stage"] = _REST
        if by_history:
            _sort_rest(s, ply)
    if p["tried"] >= p["number"]:
        return np.int64(NO_MOVE)
    p["tried"] += 1
    p["last"] = next_key(s["keys"][ply], p["count"], p["last"])
    return key_cell(p["last"])


@kernel()
def reward(s: Any, ply: Word, cell: Word, depth: Word) -> None:
    """Remember a move that cut: killer of its ply, history of its colour."""
    s["cutoffs"] += 1
    if s["killers"][ply, 0] != cell:
        s["killers"][ply, 1] = s["killers"][ply, 0]
        s["killers"][ply, 0] = cell
    # Held at the cap, so that no search is long enough to overflow it.
    history: Any = np.int64(s["history"][s["side"], cell])
    s["history"][s["side"], cell] = min(history + depth * depth, HISTORY_CAP)
