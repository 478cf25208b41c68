"""What ``gomoku-lab bench`` measures of the selective search of lab/max against the plain search.

Both search the same positions at width 16, alternately. The gates are switched off: what they place
counts as no node, and has a measure of its own.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from statistics import median

from gomoku_lab.cli.engine_speed import DEPTH, WIDTH
from gomoku_lab.cli.gauges import Gauge
from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.engine import Engine
from gomoku_lab.game.board import Board
from gomoku_lab.players.registry import resolve

_PLAYER = "lab/max"
_Runs = list[tuple[float, int]]


def rate_share(boards: Sequence[Board], repeats: int) -> Gauge:
    """Compare how many nodes a second the two searches visit; the fastest of some runs counts."""
    plain, full = (_rate(runs) for runs in _alternate(boards, DEPTH, repeats))
    return Gauge(
        "full_search_share",
        f"{_PLAYER}'s search: nodes/s over those of the plain search",
        full / plain,
        at_least=0.8,
        note=f"{full / 1e6:.2f} and {plain / 1e6:.2f} million to depth {DEPTH} on {len(boards)} "
        f"positions, CPU time, fastest of {repeats} runs each",
    )


def depth_share(boards: Sequence[Board], depth: int, repeats: int) -> Gauge:
    """Compare the times that the two searches need to a depth, or to a win that they see sooner."""
    plain, full = _alternate(boards, depth, repeats)
    shares = [fast[0] / slow[0] for slow, fast in zip(plain, full, strict=True)]
    fewer = [fast[1] / slow[1] for slow, fast in zip(plain, full, strict=True)]
    return Gauge(
        f"full_depth_{depth}_share",
        f"{_PLAYER}'s search: time to depth {depth} over that of the plain one, median",
        median(shares),
        at_most=0.1,
        note=f"{len(boards)} positions, {min(shares):.2f} to {max(shares):.2f}; "
        f"of the nodes {median(fewer):.2f}",
    )


def _alternate(boards: Sequence[Board], depth: int, repeats: int) -> tuple[_Runs, _Runs]:
    """Return the least seconds and the nodes of each board, searched by the plain one and by ours.

    Processor time of this thread, since whatever else the machine does slows one run or the other.
    """
    ours = resolve(_PLAYER).config.varied(
        {"depth": depth, "time_ms": 0, "width": WIDTH, "threat_layer": False}
    )
    assert isinstance(ours, EngineConfig)
    engines = Engine(EngineConfig(depth=depth, width=WIDTH, threat_layer=False)), Engine(ours)
    found: tuple[_Runs, _Runs] = ([], [])
    for engine in engines:
        engine.analyse(Board.from_moves(boards[0].moves[:-1]))  # touches its memory a first time
    for board in boards:
        seconds = [[_search(engine, board) for engine in engines] for _ in range(repeats)]
        for side, runs in enumerate(zip(*seconds, strict=True)):
            found[side].append((min(run[0] for run in runs), runs[0][1]))
    return found


def _search(engine: Engine, board: Board) -> tuple[float, int]:
    started = time.thread_time()
    nodes = engine.analyse(board).nodes
    return time.thread_time() - started, nodes


def _rate(runs: _Runs) -> float:
    return sum(nodes for _, nodes in runs) / sum(seconds for seconds, _ in runs)
