"""What ``gomoku-lab bench`` measures of the threat solver: stones a second against bare stones."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gomoku_lab._data import data_path
from gomoku_lab.arena.openings import load_openings
from gomoku_lab.cli.engine_speed import random_lines
from gomoku_lab.cli.gauges import Gauge
from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.game.board import Board
from gomoku_lab.kernels import layout
from gomoku_lab.kernels.timing import place_and_remove
from gomoku_lab.kernels.vcf import vcf

_CAP = 200_000
_TABLE_BITS = 16


def four_boards() -> list[Board]:
    """Return the fixed positions with thousands of chains of fours and no win."""
    file = data_path("positions", "bench", "fours.txt")
    return [opening.board() for opening in load_openings(file)]


def chain_speed(boards: Sequence[Board], repeats: int) -> list[Gauge]:
    """Measure what a stone costs in the search for fours, against placing and removing one.

    Both are measured in the same positions, alternately; of each position the fastest run counts.
    """
    state = WorkingState(EngineConfig(depth=8, width=16))
    table = np.zeros(1 << _TABLE_BITS, layout.CHAIN)
    searched = placed = 0.0
    stones = 0
    _times(state, table, boards[0])  # loads, or compiles, what is timed below
    for board in boards:
        runs = [_times(state, table, board) for _ in range(repeats)]
        count = int(state.record["vcf_nodes"])
        stones += count
        searched += min(run[0] for run in runs)
        placed += min(run[1] for run in runs) * count
    return [
        Gauge("vcf_stones_per_second", "search for fours", 1e9 * stones / searched, "stones/s"),
        Gauge(
            "vcf_efficiency",
            "search for fours: stones/s x (place + remove)",
            placed / searched,
            at_least=0.6,
            note=f"{stones} stones in {len(boards)} positions, fastest of {repeats} runs each",
        ),
    ]


def _times(state: WorkingState, table: npt.NDArray[Any], board: Board) -> tuple[float, float]:
    """Return ns of the whole search for fours, on an empty table, and of one place + remove."""
    state.set_up(board)
    lines = random_lines(state)
    table.view(np.uint8)[:] = 0
    begun = time.perf_counter_ns()
    vcf(state.record, table, _CAP, layout.MAX_FOURS)
    searched = time.perf_counter_ns()
    place_and_remove(state.record, lines)
    return float(searched - begun), (time.perf_counter_ns() - searched) / lines.size
