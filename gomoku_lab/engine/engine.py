"""The engine: a board and a configuration in, an analysis out.

Gates first, then iterative deepening; the last completed layer stands. Reading the clock, counting
nodes and searching happen in the kernels; noise is drawn here, from the caller's generator.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gomoku_lab.engine.analysis import Analysis, Layer, RootScore, plies_to_mate
from gomoku_lab.engine.attack import Attack
from gomoku_lab.engine.chains import Win
from gomoku_lab.engine.compiling import tell_compiling
from gomoku_lab.engine.config import EngineConfig, SearchLimits
from gomoku_lab.engine.defence import Defence, find_defence
from gomoku_lab.engine.gates import GateAnswer, decide, gate_analysis
from gomoku_lab.engine.lazy_smp import Helpers
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.engine.roots import RootLayer
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import EMPTY
from gomoku_lab.kernels import layout

_LAST_KERNEL = "root.search_root"
_NANOSECONDS_PER_MS = 1_000_000
_GATES_SHARE = 0.5
"""Of a budget the gates may use so much, the rest belongs to the search."""
_THREATS_SHARE = 0.3
"""Of a budget the search for threats, which mostly needs much less, may use so much."""
_LEAST_THREATS_MS = 25.0
_LEAST_THREATS_NODES = 25_000
"""A share below that is not worth a search: it would settle too few positions."""


class Engine:
    """One configured engine with its working memory. Not for two threads at once.

    Parameters
    ----------
    config : EngineConfig

    Raises
    ------
    TypeError
        If it is something else, such as the name of a player.
    """

    def __init__(self, config: EngineConfig) -> None:
        if not isinstance(config, EngineConfig):
            raise TypeError(
                f"an EngineConfig is wanted: {config!r}; analyse and make_player take names"
            )
        _tell_compiling()
        self.config = config
        self._state = WorkingState(config)
        self._state.claim_memory()
        self._attack = Attack(config.vct_nodes)
        self._helpers = Helpers(config, self._state)
        self._stopping = False
        self._has_layer = False
        self._stop_lock = threading.Lock()

    def stop(self) -> None:
        """Let the search that runs in another thread end at once; no effect if none runs.

        Its last completed layer stands; without one it ends with its first.
        """
        with self._stop_lock:
            self._stopping = True
            if self._has_layer:
                # The search reads its deadline anew whenever it looks at the clock.
                self._state.record["deadline_ns"] = 0

    def forget(self) -> None:
        """Let the next searches find a table as new, also those that are to `keep` entries."""
        self._state.forget()

    def analyse(
        self,
        board: Board,
        *,
        limits: SearchLimits | None = None,
        rng: np.random.Generator | None = None,
        on_layer: Callable[[Layer], None] | None = None,
        keep: bool = False,
    ) -> Analysis:
        """Return what the engine thinks of `board`, and the move that it would play.

        The answer depends on board, configuration and limits alone, unless a time limit is set;
        earlier calls leave no trace, unless this one is to `keep` it.

        Parameters
        ----------
        board : Board
        limits : SearchLimits, optional
            Replaces the configuration's limits.
        rng : numpy Generator, optional
            Draws the configuration's noise; without it no noise is applied.
        on_layer : callable, optional
            Called with each completed layer.
        keep : bool
            Go on with the table of this engine's earlier calls, back to the last one without
            `keep`: what they found is found sooner. A chain of such calls gives the same answers
            again if it begins with `forget`.

        Raises
        ------
        ValueError
            If `limits` sets no limit at all.
        """
        started = time.monotonic_ns()
        self._stopping = False
        budget = limits or self.config.limits
        if budget.is_unlimited:
            raise ValueError("limits must set at least one of depth, time_ms and nodes")
        if board.is_over:
            return Analysis(board=board, move=None, gate="over")
        self._state.set_up(board, keep=keep)
        if not len(self._state.ranked()):
            # Renju: Black may play nowhere, and he cannot pass.
            return Analysis(board=board, move=None, gate="over")
        if budget.time_ms is None or budget.nodes is not None:
            found = self._decide(board, budget, started, on_layer)
        else:
            # Beside a clock alone: nodes have to give the same answer again.
            with self._helpers.at_work(board, _deadline(budget, started)):
                found = self._decide(board, budget, started, on_layer)
            found = replace(found, nodes=found.nodes + self._helpers.nodes)
        elapsed = (time.monotonic_ns() - started) / _NANOSECONDS_PER_MS
        reproducible = budget.reproducible and not self._stopping
        found = replace(found, time_ms=elapsed, reproducible=reproducible)
        return found if rng is None else self._with_noise(found, rng)

    def exact_root(
        self,
        board: Board,
        *,
        depth: int,
        count: int = 5,
        moves: tuple[int, ...] | None = None,
        limits: SearchLimits | None = None,
    ) -> tuple[RootScore, ...]:
        """Search root moves again with a full window, so that each score is exact.

        Each value equals plain minimax of the reported depth with the configured width and
        evaluation, after that move.

        Parameters
        ----------
        board : Board
        depth : int
            Depth in plies, the root move included, 1..64.
        count : int
            How many moves: the first in one-move order, unless `moves` names them.
        moves : tuple of int, optional
            The moves to search, as flat indices.
        limits : SearchLimits, optional
            ``time_ms`` and ``nodes`` may stop it earlier; the last completed depth is reported.

        Returns
        -------
        tuple of RootScore
            Best first; all exact, all of one depth.
        """
        if not 1 <= depth <= layout.MAX_DEPTH:
            raise ValueError(f"depth must be 1..{layout.MAX_DEPTH}: {depth!r}")
        if count < 1:
            raise ValueError(f"count must be 1 or more: {count!r}")
        if board.is_over:
            return ()
        for move in moves or ():
            board.check_move(move)
        started = time.monotonic_ns()
        state = self._state
        state.set_up(board)
        cells = state.ranked()[:count]
        if moves is not None:
            cells = np.array([state.cell(move) for move in moves], np.int32)
        layer = RootLayer(state, cells, full=True, reorder=True)
        layer.start()
        for current in range(1, depth + 1):
            if not layer.search(current):
                break
            layer.limit(_deadline(limits, started), limits.nodes if limits else None)
        return layer.root_scores()

    def _decide(
        self,
        board: Board,
        budget: SearchLimits,
        started: int,
        on_layer: Callable[[Layer], None] | None,
    ) -> Analysis:
        """Ask the gates, then search what they leave."""
        answer: GateAnswer | Defence | None = None
        if self.config.threat_layer:
            answer = self._pass_gates(board, budget, started)
        if isinstance(answer, GateAnswer):
            return gate_analysis(board, self._state, answer)
        try:
            return self._search(board, budget, started, on_layer, answer)
        finally:
            self._let_stop(False)

    def _pass_gates(
        self, board: Board, budget: SearchLimits, started: int
    ) -> GateAnswer | Defence | None:
        """Return what the gates decide, or which moves they leave to the search; None: all."""
        state, config = self._state, self.config
        deadline = _deadline(budget, started, _GATES_SHARE)
        answer = decide(state, config, deadline_ns=deadline)
        if answer is not None:
            return answer
        win = self._find_threats(board, budget, started)
        if win is not None:
            return GateAnswer(win.line[0], "vct", win.plies, win.line)
        if not config.defence_nodes:
            return None
        share = int((budget.nodes or layout.FOREVER) * _GATES_SHARE)
        return find_defence(state, min(share, config.defence_nodes), deadline_ns=deadline)

    def _find_threats(self, board: Board, budget: SearchLimits, started: int) -> Win | None:
        """Return a victory by threats, None without one or with too small a budget."""
        self._attack.nodes = 0
        nodes = int((budget.nodes or layout.FOREVER) * _THREATS_SHARE)
        time_ms = (math.inf if budget.time_ms is None else budget.time_ms) * _THREATS_SHARE
        if nodes < _LEAST_THREATS_NODES or time_ms < _LEAST_THREATS_MS:
            return None
        over = _deadline(budget, started, _THREATS_SHARE)
        return self._attack.find(
            board,
            self._state,
            nodes=nodes,
            in_time=lambda: not self._stopping and time.monotonic_ns() < over,
        )

    def _search(
        self,
        board: Board,
        budget: SearchLimits,
        started: int,
        on_layer: Callable[[Layer], None] | None,
        defence: Defence | None,
    ) -> Analysis:
        """Deepen until a limit is reached, the outcome is settled or only one move exists."""
        state = self._state
        cells = state.ranked() if defence is None else defence.cells[: self.config.width]
        root = RootLayer(state, cells, full=False, reorder=self.config.ordering)
        root.start()
        layers: list[Layer] = []
        deadline = _deadline(budget, started)
        limit = self._nodes_left(budget, defence)
        # Beyond the last empty point there is nothing left to find.
        deepest = min(budget.depth or layout.MAX_DEPTH, board.cells.count(EMPTY))
        for depth in range(1 if self.config.deepening else deepest, deepest + 1):
            before, clock = root.nodes, time.monotonic_ns()
            if not root.search(depth):
                break
            now = time.monotonic_ns()
            line = state.moves(root.line())
            layer = Layer(
                depth=depth,
                move=line[0],
                score=root.score,
                nodes=root.nodes - before,
                time_ms=(now - clock) / _NANOSECONDS_PER_MS,
                pv=line,
                changed=bool(layers) and layers[-1].move != line[0],
            )
            layers.append(layer)
            if on_layer is not None:
                on_layer(layer)
            settled = abs(root.score) > layout.MATE_RANGE or len(root.cells) == 1
            if settled or now >= deadline or root.nodes >= (limit or layout.FOREVER):
                break
            # The first layer always completes: limits hold from the second on.
            root.limit(deadline, limit)
            self._let_stop(True)
            if self._stopping:
                break
        last = layers[-1]
        return Analysis(
            board=board,
            move=last.move,
            gate="search" if defence is None else defence.gate,
            score=last.score,
            mate=plies_to_mate(last.score),
            proven=None if defence is None else defence.proven,
            pv=last.pv,
            layers=tuple(layers),
            roots=root.root_scores(),
            nodes=root.nodes,
            table_hits=int(state.record["table_hits"]),
            cutoffs=int(state.record["cutoffs"]),
        )

    def _nodes_left(self, budget: SearchLimits, defence: Defence | None) -> int | None:
        """Return the search's share of a node budget: what the gates' stones have left of it."""
        if budget.nodes is None:
            return None
        spent = self._attack.nodes + (0 if defence is None else defence.nodes)
        return max(budget.nodes - spent, 1)

    def _let_stop(self, has_layer: bool) -> None:
        """Say whether a layer is complete, so that `stop` may cut off the next one."""
        with self._stop_lock:
            self._has_layer = has_layer

    def _with_noise(self, found: Analysis, rng: np.random.Generator) -> Analysis:
        """Replace the move, with the configured probability, by a draw from the candidates.

        The k-th candidate in one-move order is drawn with weight 2 ** -k; the scale is ours.
        """
        config = self.config
        inside = config.noise_scope == "all" or found.gate == "search"
        if config.noise == 0.0 or not inside or rng.random() >= config.noise:
            return found
        cells = self._state.ranked()
        weights = 0.5 ** np.arange(len(cells))
        move = self._state.move(cells[rng.choice(len(cells), p=weights / weights.sum())])
        return replace(
            found, move=move, gate="random", score=None, mate=None, proven=None, pv=(move,)
        )


def _deadline(limits: SearchLimits | None, started: int, share: float = 1.0) -> int:
    """Return the monotonic clock's value at which that share of the time budget is spent."""
    if limits is None or limits.time_ms is None:
        return layout.FOREVER
    return started + int(limits.time_ms * share * _NANOSECONDS_PER_MS)


def static_order(board: Board, config: EngineConfig) -> tuple[int, ...]:
    """Return the candidates of `board` in one-move order, at most the configured width."""
    state = WorkingState(config)
    state.set_up(board)
    return state.moves(state.ranked())


def evaluate(board: Board, config: EngineConfig) -> int:
    """Return the static evaluation of `board` from its side to move, in evaluation units."""
    from gomoku_lab.kernels.state import evaluate as evaluate_state

    state = WorkingState(config)
    state.set_up(board)
    return int(evaluate_state(state.record))


def kernels_cached() -> bool:
    """Tell whether the machine code of this version lies in the cache folder."""
    from gomoku_lab.kernels._jit import is_cached

    return is_cached(_LAST_KERNEL)


def _tell_compiling(progress: Callable[[str], None] | None = None) -> None:
    tell_compiling(_LAST_KERNEL, "compiling the engine, once, about 20 s", progress)


def warm_up(progress: Callable[[str], None] | None = None) -> float:
    """Load the kernels, compiling them first where the cache is cold.

    Parameters
    ----------
    progress : callable, optional
        Told one sentence before a compilation, which takes about 20 s; by default the log is.

    Returns
    -------
    float
        Seconds it took.
    """
    started = time.perf_counter()
    _tell_compiling(progress)
    config = EngineConfig(depth=2, table_bits=10, vcf_nodes=200, vct_nodes=5000, defence_nodes=200)
    engine = Engine(config)
    engine.analyse(Board.from_moves("h8i9"))
    engine.analyse(Board.from_moves("h8a1h9a3h10a5"))
    engine.analyse(Board.from_moves("h8a1h9a3h10"))
    Engine(EngineConfig(depth=1, table_bits=10)).analyse(Board.from_moves("h8a1h9a3h10"))
    engine.analyse(Board.from_moves("h8g8i8a1j8c1k9e1k10a5"))
    engine.analyse(Board.from_moves("h8a1h9a3j7a15k7o1"))
    engine.exact_root(Board.from_moves("h8"), depth=1, count=1)
    evaluate(Board(), config)
    return time.perf_counter() - started
