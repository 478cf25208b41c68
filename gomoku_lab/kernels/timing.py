"""Loops for the benchmark: what placing and removing a stone costs, and a fixed yardstick.

Nothing that plays uses them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, kernel
from gomoku_lab.kernels.state import place, remove

_MULTIPLIER = 1_103_515_245
_MASK = 0x7FFF_FFFF


@kernel()
def place_and_remove(s: Any, lines: Any) -> Word:
    """Play each line stone by stone and take it back, as a search does.

    Parameters
    ----------
    s : STATE record
        The same position afterwards.
    lines : int32[n, plies]
        Grid cells; those of one line are empty and differ.

    Returns
    -------
    int
        A sum over the positions visited, so that no step can be optimised away.
    """
    total = 0
    for line in range(lines.shape[0]):
        for ply in range(lines.shape[1]):
            place(s, np.int64(lines[line, ply]))
            total += s["sums"][0, 0] & 255
        for _ in range(lines.shape[1]):
            remove(s)
    return total


@kernel()
def integer_loop(steps: Word) -> Word:
    """Run a fixed chain of integer steps, each of which needs the one before."""
    value = np.int64(1)
    for _ in range(steps):
        value = (value * _MULTIPLIER + 12_345) & _MASK
        value ^= value >> 7
    return value
