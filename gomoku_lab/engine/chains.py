"""The engine's own searches for victory by continuous fours: how many stones they may place.

`kernels.vcf` does the search; `engine.solve` answers questions about positions with larger tables.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from gomoku_lab.engine.position import WorkingState
from gomoku_lab.kernels import layout

_NODES_PER_MS = 2_000
"""Stones that a search for fours may place for each millisecond of time that is left.

It placed never less than 2,100, and a median of 3,400, on one core in 2026, in those 14 of 12,000
random positions with a crowded middle in which it placed 400 or more.
"""
_LEAST_NODES = 200
"""So many stones are placed even when the time is over: a tenth of a millisecond."""
_NANOSECONDS_PER_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Win:
    """A victory by force: by continuous fours, or by threats.

    Attributes
    ----------
    plies : int
        Until five, against every reply.
    line : tuple of int
        Grid cells, the attacker's first. It ends with five, or sooner, with an attacker's move,
        where no reply to that makes a difference.
    """

    plies: int
    line: tuple[int, ...]


def search_chain(state: WorkingState, node_cap: int) -> int:
    """Look for a chain of the side to move; return its plies, or what `kernels.vcf` says else."""
    from gomoku_lab.kernels.vcf import vcf

    return int(vcf(state.record, state.chains, node_cap, layout.MAX_FOURS))


def find_chain(state: WorkingState, node_cap: int) -> Win | None:
    """Return a chain of the side to move, or None if none was found.

    It is the shortest one where as many stones as were needed to find it suffice to tell.

    Parameters
    ----------
    state : WorkingState
        The same position afterwards.
    node_cap : int
        Stones that may be placed to find one.
    """
    from gomoku_lab.kernels.vcf import shortest_vcf, write_line

    record = state.record
    plies = search_chain(state, node_cap // 2)
    if plies < 0:
        # It may have lost its way among long chains: step by step the short ones come first.
        left = node_cap - int(record["vcf_nodes"])
        plies = int(shortest_vcf(record, state.chains, left, layout.MAX_FOURS))
    if plies <= 0:
        return None
    cap = max(int(record["vcf_nodes"]), _LEAST_NODES)
    shortest = int(shortest_vcf(record, state.chains, cap, (plies - 1) // 2))
    plies = shortest if shortest > 0 else plies
    length = int(write_line(record, state.chains, plies))
    return Win(plies, tuple(record["vcf_line"][:length].tolist()))


def node_cap(nodes: int, deadline_ns: int) -> int:
    """Return how many stones, at most `nodes`, a search may place that begins now."""
    if deadline_ns == layout.FOREVER:
        return nodes
    left_ms = (deadline_ns - time.monotonic_ns()) / _NANOSECONDS_PER_MS
    return min(nodes, max(int(left_ms * _NODES_PER_MS), _LEAST_NODES))
