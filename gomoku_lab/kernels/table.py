"""The transposition table: 16-byte entries, bounds, mate distances counted from the node."""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, kernel
from gomoku_lab.kernels.layout import GENERATIONS, MATE_RANGE, ZOBRIST_FIVE


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
def _age(s: Any, entry: Any) -> Word:
    """Return how many searches ago an entry was written: 0 for the present one."""
    generation = np.int64(entry["flag"]) >> 2
    if generation == 0:
        return np.int64(GENERATIONS)
    age = s["generation"] - generation
    return age if age >= 0 else age + GENERATIONS - 1


@kernel()
def find(s: Any, table: Any) -> Word:
    """Return the index of the position's entry of this search, or of one still seen, or -1."""
    key = position_key(s)
    slot = np.int64(key & np.uint64(s["table_mask"]))
    entry = table[slot]
    if entry["key"] == key and _age(s, entry) <= s["kept"]:
        return slot
    return -1


@kernel()
def store(s: Any, table: Any, depth: Word, ply: Word, score: Word, bound: Word, move: Word) -> None:
    """Keep what was found, unless a deeper entry of the same search holds the slot.

    Nothing is kept without a table.
    """
    if s["table_mask"] < 0:
        return
    key = position_key(s)
    slot = np.int64(key & np.uint64(s["table_mask"]))
    entry = table[slot]
    if np.int64(entry["flag"]) >> 2 == s["generation"] and np.int64(entry["depth"]) > depth:
        return
    entry["key"] = key
    entry["score"] = to_table(score, ply)
    entry["move"] = move
    entry["depth"] = depth
    entry["flag"] = bound | (s["generation"] << 2)
