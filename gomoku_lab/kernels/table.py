"""The transposition table: 16-byte entries, bounds, mate distances counted from the node."""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, fetch, kernel
from gomoku_lab.kernels.layout import (
    GENERATIONS,
    MATE_RANGE,
    ZOBRIST,
    ZOBRIST_FIVE,
    ZOBRIST_SIDE,
)

NO_ENTRY = 0
"""What no data are: an entry's generation is at least 1."""


@kernel()
def to_table(score: Word, ply: Word) -> Word:
    """Turn a score counted from the root into one counted from the node."""
    if score > MATE_RANGE:
        return score + ply
    return score - ply if score < -MATE_RANGE else score


@kernel()
def from_table(score: Word, ply: Word) -> Word:
    """Turn a score counted from the node into one counted from the root."""
    if score > MATE_RANGE:
        return score - ply
    return score + ply if score < -MATE_RANGE else score


@kernel()
def position_key(s: Any) -> Any:
    """Return the key of the position.

    Where play goes on after a five (``terminal`` off), who has made one matters and, with exact
    five, cannot be read from the stones alone: it is part of the key then.
    """
    key = s["hash"]
    if s["terminal"] == 0:
        for colour in range(2):
            if s["fives"][colour] > 0:
                key ^= ZOBRIST_FIVE[colour]
    return key


@kernel()
def entry_score(data: Word, ply: Word) -> Word:
    """Return the score of an entry, counted from the root."""
    return from_table((data << 32) >> 32, ply)


@kernel()
def entry_move(data: Word) -> Word:
    """Return the grid cell of an entry's move, 0 for NO_ENTRY."""
    return (data >> 32) & 0xFFFF


@kernel()
def entry_depth(data: Word) -> Word:
    """Return the depth that an entry's score was searched to."""
    return (data >> 48) & 0xFF


@kernel()
def entry_bound(data: Word) -> Word:
    """Tell whether an entry's score is EXACT, a LOWER or an UPPER bound."""
    return (data >> 56) & 3


@kernel()
def _age(s: Any, data: Word) -> Word:
    """Return how many searches ago an entry was written: 0 for the present one."""
    generation = (data >> 58) & (GENERATIONS - 1)
    if generation == 0:
        return np.int64(GENERATIONS)
    age = s["generation"] - generation
    return age if age >= 0 else age + GENERATIONS - 1


@kernel()
def find(s: Any, table: Any) -> Word:
    """Return the data of the position's entry of this search, or of one still seen, or NO_ENTRY."""
    if s["table_mask"] < 0:
        return np.int64(NO_ENTRY)
    key = position_key(s)
    slot = np.int64(key & np.uint64(s["table_mask"]))
    data = table[slot]["data"]
    if table[slot]["check"] ^ data == key and _age(s, np.int64(data)) <= s["kept"]:
        return np.int64(data)
    return np.int64(NO_ENTRY)


@kernel()
def fetch_next(s: Any, table: Any, cell: Word) -> None:
    """Have the entry of the position after a stone on `cell` brought near: `find` waits less."""
    if s["table_mask"] >= 0:
        key = s["hash"] ^ ZOBRIST[s["side"], cell] ^ ZOBRIST_SIDE
        fetch(table, np.int64(key & np.uint64(s["table_mask"])))


@kernel()
def store(s: Any, table: Any, depth: Word, ply: Word, score: Word, bound: Word, move: Word) -> None:
    """Keep what was found, unless a deeper entry of the same search holds the slot.

    Nothing is kept without a table.
    """
    if s["table_mask"] < 0:
        return
    key = position_key(s)
    slot = np.int64(key & np.uint64(s["table_mask"]))
    held = np.int64(table[slot]["data"])
    if _age(s, held) == 0 and entry_depth(held) > depth:
        return
    flag = bound | (s["generation"] << 2)
    data = np.uint64(
        (to_table(score, ply) & 0xFFFFFFFF) | (move << 32) | (depth << 48) | (flag << 56)
    )
    table[slot]["check"] = key ^ data
    table[slot]["data"] = data
