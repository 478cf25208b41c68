"""What ``gomoku-lab bench`` measures of the engine itself, on the fixed positions, on one core.

Whatever is compared is measured alternately in one run, since a machine's speed drifts.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from statistics import median

import numpy as np
import numpy.typing as npt
from scipy.stats import binomtest

from gomoku_lab.cli.gauges import Gauge
from gomoku_lab.engine.analysis import Analysis
from gomoku_lab.engine.config import EngineConfig, SearchLimits
from gomoku_lab.engine.engine import Engine, static_order
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.engine.roots import RootLayer
from gomoku_lab.game.board import Board
from gomoku_lab.kernels.layout import CLOCK_INTERVAL
from gomoku_lab.kernels.timing import integer_loop, place_and_remove
from gomoku_lab.players.registry import presets, resolve

DEPTH = 8
WIDTH = 16
_LOOP_STEPS = 2_000_000
_LINES = 4_000
_MS = 1_000.0
_SLACK_MS = 5.0
_TRIES = 3


def _level(name: str) -> EngineConfig:
    config = resolve(name).config
    assert isinstance(config, EngineConfig)
    return config


def core_speed(boards: Sequence[Board], repeats: int) -> list[Gauge]:
    """Measure a stone's placing and removing against the search, and the yardstick beside them.

    Of each position the fastest of the alternating runs counts, so that what else the machine
    does has little say.
    """
    config = EngineConfig(depth=DEPTH, width=WIDTH)
    engine, state = Engine(config), WorkingState(config)
    _core_times(engine, state, boards[0])  # loads, or compiles, what is timed below
    step = place = node = 0.0
    nodes = 0
    for board in boards:
        runs = [_core_times(engine, state, board) for _ in range(repeats)]
        step += min(run[0] for run in runs)
        place += min(run[1] for run in runs)
        node += min(run[2] for run in runs)
        nodes += engine.analyse(board).nodes
    step_ns, place_ns, node_ns = step / len(boards), place / len(boards), node / nodes
    return [
        Gauge("step_ns", "yardstick: one step of the integer loop", step_ns, "ns"),
        Gauge("place_remove_ns", "place + remove a stone", place_ns, "ns"),
        Gauge("place_remove_steps", "place + remove", place_ns / step_ns, "yardstick steps"),
        Gauge("nodes_per_second", "search", 1e9 / node_ns, "nodes/s"),
        Gauge(
            "search_efficiency",
            "nodes/s x (place + remove)",
            place_ns / node_ns,
            at_least=0.55,
            note=f"fastest of {repeats} alternating runs a position",
        ),
        Gauge(
            "signature",
            f"signature: nodes to depth {DEPTH} on {len(boards)} positions",
            nodes,
            "nodes",
            note="changes exactly when search or evaluation change",
        ),
    ]


def _core_times(engine: Engine, state: WorkingState, board: Board) -> tuple[float, float, float]:
    """Return ns a yardstick step, ns a place + remove, and ns of the whole search."""
    state.set_up(board)
    lines = random_lines(state)
    begun = time.perf_counter_ns()
    integer_loop(_LOOP_STEPS)
    looped = time.perf_counter_ns()
    place_and_remove(state.record, lines)
    placed = time.perf_counter_ns()
    engine.analyse(board)
    searched = time.perf_counter_ns()
    each = (placed - looped) / lines.size
    return (looped - begun) / _LOOP_STEPS, each, float(searched - placed)


def random_lines(state: WorkingState) -> npt.NDArray[np.int32]:
    """Return fixed random lines of the candidates, as long as the search is deep."""
    draw = np.random.default_rng(0)
    cells = np.repeat(state.ranked()[None, :], _LINES, axis=0)
    return np.ascontiguousarray(draw.permuted(cells, axis=1)[:, :DEPTH])


def depth_times(boards: Sequence[Board], depths: Sequence[int]) -> list[Gauge]:
    """Measure the time to each depth; deeper ones on fewer positions."""
    gauges = []
    for depth in depths:
        engine = Engine(EngineConfig(depth=depth, width=WIDTH))
        some = boards if depth <= DEPTH else boards[: 6 if depth > 10 else 12]
        seconds = [engine.analyse(board).time_ms / _MS for board in some]
        gauges.append(
            Gauge(
                f"depth_{depth}_seconds",
                f"time to depth {depth} at width {WIDTH}, median",
                median(seconds),
                "s",
                at_most=0.15 if depth == DEPTH else None,
                note=f"{len(some)} positions, longest {max(seconds):.3f} s",
            )
        )
    return gauges


def master_reach(boards: Sequence[Board]) -> Gauge:
    """Measure how often layered/master reaches its depth within its own time."""
    config = _level("layered/master")
    engine = Engine(config)
    depths = [engine.analyse(board).depth for board in boards]
    reached = sum(depth >= (config.depth or 0) for depth in depths)
    return Gauge(
        "master_reach",
        f"layered/master reaches depth {config.depth} in {config.time_ms:g} ms",
        reached / len(boards),
        "of positions",
        at_least=0.95,
        note=f"{reached} of {len(boards)} mid-game positions",
    )


def width_share(boards: Sequence[Board]) -> list[Gauge]:
    """Measure how often the move of a wide search stands among the first in one-move order."""
    config = EngineConfig(depth=6, width=40)
    engine = Engine(config)
    ranks = []
    for board in boards:
        move = engine.analyse(board).move
        assert move is not None
        ranks.append(static_order(board, config).index(move))
    gauges = []
    for first in (20, 16):
        hits = sum(rank < first for rank in ranks)
        interval = binomtest(hits, len(ranks)).proportion_ci(method="wilson")
        gauges.append(
            Gauge(
                f"first_{first}_share",
                f"move of a width-40 search among the first {first}",
                hits / len(ranks),
                "of positions",
                note=f"95 % interval {interval.low:.3f} to {interval.high:.3f}",
            )
        )
    return gauges


def trace_cost(boards: Sequence[Board], repeats: int) -> Gauge:
    """Compare an analysis with the same layers searched and none of them written down.

    The gates are left out of both and the root candidates are in both: neither are layers.
    """
    engine = Engine(EngineConfig(depth=DEPTH, width=WIDTH, threat_layer=False))
    state = engine._state  # the very same memory: another table alone makes a per cent
    traced = bare = 0.0
    for board in boards:
        with_trace, without = [], []
        for _ in range(repeats):
            started = time.thread_time()
            engine.analyse(board)
            between = time.thread_time()
            _bare_search(state, board)
            with_trace.append(between - started)
            without.append(time.thread_time() - between)
        traced += min(with_trace)
        bare += min(without)
    return Gauge(
        "trace_cost",
        "cost of recording the layers",
        traced / bare - 1,
        "of the speed",
        at_most=0.02,
        note=f"CPU time, least of {repeats} alternating runs a position",
    )


def _bare_search(state: WorkingState, board: Board) -> None:
    """Search the layers as the engine does, but keep nothing of them but the last one's moves."""
    state.set_up(board)
    root = RootLayer(state, state.ranked(), full=False, reorder=True)
    root.start()
    for depth in range(1, DEPTH + 1):
        root.search(depth)
    root.root_scores()


def overshoot(boards: Sequence[Board], tight_ms: float) -> list[Gauge]:
    """Measure by how much moves exceed their time, as the levels are and with depth unlimited.

    The gate is: the budget, the time of one clock interval and 5 ms. What exceeds it is tried
    again, and stands only if it exceeds it three times: once is the machine's doing.
    """
    own, tight, late = [-_MS], [-_MS], 0
    for name in presets("layered"):
        config = _level(name)
        engine = Engine(config)
        for board in boards:
            for limits, worst in (
                (config.limits, own),
                (SearchLimits(time_ms=tight_ms), tight),
            ):
                excess, allowed = _excess(engine, board, limits)
                late += excess > allowed
                worst.append(excess)
    tried = f"five levels on {len(boards)} positions"
    return [
        Gauge("late_moves", "moves later than their budget allows", late, "moves", at_most=0),
        Gauge("overshoot_ms", "latest move against its level's budget", max(own), "ms", note=tried),
        Gauge(
            "tight_overshoot_ms",
            f"latest move against {tight_ms:g} ms with any depth",
            max(tight),
            "ms",
            note=tried,
        ),
    ]


def _excess(engine: Engine, board: Board, limits: SearchLimits) -> tuple[float, float]:
    """Return the least of some tries' milliseconds beyond the budget, and what is allowed."""
    budget = limits.time_ms or 0.0
    allowed, excess = _SLACK_MS, float("inf")
    for _ in range(_TRIES):
        started = time.perf_counter()
        found: Analysis = engine.analyse(board, limits=limits)
        elapsed = (time.perf_counter() - started) * _MS
        excess = min(excess, elapsed - budget)
        allowed = _SLACK_MS + CLOCK_INTERVAL * found.time_ms / max(found.nodes, CLOCK_INTERVAL)
        if excess <= allowed:
            break
    return excess, allowed
