"""Threads that search the same position beside the engine's own search, on the same table.

Each deepens by itself; what it writes into the table the engine's own search, which alone answers,
finds sooner. The kernels hold no interpreter lock, and a table entry that two threads write at once
is no entry (see `kernels.layout.ENTRY`). Who is faster is chance: what is found is not
reproducible. Known as "lazy SMP" (chessprogramming.org/Lazy_SMP).
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.engine.roots import RootLayer
from gomoku_lab.game.board import Board
from gomoku_lab.kernels import layout


class Helpers:
    """The helping threads of one engine, one less than its configuration's ``threads``.

    Parameters
    ----------
    config : EngineConfig
    state : WorkingState
        The engine's own, whose table they share.

    Attributes
    ----------
    nodes : int
        Nodes that they searched while they were at work last.
    """

    def __init__(self, config: EngineConfig, state: WorkingState) -> None:
        self.nodes = 0
        self._main = state
        self._states = [WorkingState(config, state.table) for _ in range(1, config.threads)]
        self._stopping = False

    @contextlib.contextmanager
    def at_work(self, board: Board, deadline_ns: int) -> Iterator[None]:
        """Let them search `board`, which the engine's state holds, until the block ends."""
        self._stopping = False
        threads = []
        for index, state in enumerate(self._states):
            state.join(self._main, board)
            # Not all at the same depth: they would do the same work at the same time.
            first = 1 + (index + 1) % 2
            threads.append(threading.Thread(target=self._deepen, args=(state, first, deadline_ns)))
            threads[-1].start()
        try:
            yield
        finally:
            self._stopping = True
            for state in self._states:
                # A search reads its deadline anew whenever it looks at the clock.
                state.record["deadline_ns"] = 0
            for thread in threads:
                thread.join()
            self.nodes = sum(int(state.record["nodes"]) for state in self._states if threads)

    def _deepen(self, state: WorkingState, first: int, deadline_ns: int) -> None:
        root = RootLayer(state, state.ranked(), full=False, reorder=True)
        root.start()
        root.limit(deadline_ns, None)
        for depth in range(first, layout.MAX_DEPTH + 1):
            if self._stopping or not root.search(depth) or abs(root.score) > layout.MATE_RANGE:
                break
