"""The exact defence: the moves after which the opponent has no victory by continuous fours."""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, kernel
from gomoku_lab.kernels.candidates import order_key, take_in_order
from gomoku_lab.kernels.layout import MAX_FOURS
from gomoku_lab.kernels.state import place, remove
from gomoku_lab.kernels.vcf import shortest_vcf, vcf
from gomoku_lab.kernels.vct import DISPROVEN, expand


@kernel()
def _chain_after(s: Any, chains: Any, cell: Word, shortest: Word, sharing: Word) -> Word:
    """Return what the search for a chain of the opponent's answers after a move.

    It gets an equal share, among `sharing` searches, of the stones that are left.
    """
    fours = np.int64(MAX_FOURS)
    place(s, cell)
    cap = max(s["vct_limit"] - s["vct_nodes"], np.int64(0)) // sharing
    plies = shortest_vcf(s, chains, cap, fours) if shortest != 0 else vcf(s, chains, cap, fours)
    s["vct_nodes"] += s["vcf_nodes"]
    remove(s)
    return plies


@kernel()
def defences(s: Any, chains: Any, node_cap: Word, moves: Any, plies: Any) -> Word:
    """List the moves that may hold against the opponent's chain of fours, and whether they do.

    Parameters
    ----------
    s : STATE record
        Nobody has a five point. The same position afterwards; ``vct_nodes`` tells the stones
        placed.
    chains : CHAIN[n]
        n a power of two.
    node_cap : int
        Stones that may be placed.
    moves : int32[MAX_POINTS]
        Gets grid cells in one-move order. Every legal move that is not among them loses to the
        chain that the opponent would play if the side to move passed (`kernels.vct`).
    plies : int64[MAX_POINTS]
        Gets for each of them the plies of a chain of the opponent's afterwards: the shortest one
        if they all lose and the stones suffice; 0 if there is none, -1 if that was not decided.

    Returns
    -------
    int
        How many moves there are, or -1 if no chain of the opponent's was found.
    """
    s["vct_attacker"] = 1 - s["side"]
    s["vct_nodes"] = 0
    s["vct_limit"] = node_cap
    s["vct_chain_cap"] = node_cap
    number = expand(s, chains, np.int64(0))
    if number == DISPROVEN:
        return np.int64(-1)
    number = max(number, np.int64(0))
    keys = s["keys"][0]
    for index in range(number):
        keys[index] = order_key(s, np.int64(s["vct_stack"][index]))
    take_in_order(keys, number, number, moves)
    losing = 0
    for index in range(number):
        plies[index] = _chain_after(s, chains, np.int64(moves[index]), np.int64(0), number - index)
        losing += plies[index] > 0
    if losing == number:
        for index in range(number):
            shortest = _chain_after(s, chains, np.int64(moves[index]), np.int64(1), number - index)
            if shortest > 0:
                plies[index] = shortest
    return number
