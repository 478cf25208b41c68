"""One layer over the root moves: their order, their scores, what is exact and what a bound."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gomoku_lab.engine.analysis import RootScore
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.kernels import layout


class RootLayer:
    """The root moves of one search, layer after layer.

    Parameters
    ----------
    state : WorkingState
        Already set up.
    cells : int32[n]
        Root moves as grid cells, in the order in which the first layer tries them.
    full : bool
        Give every move a full window.
    reorder : bool
        Let the best move of a layer come first in the next; without it the moves come row by row.

    Attributes
    ----------
    depth : int
        Depth of the last completed layer, 0 before the first.
    score : int
        Its best score, from the side to move.
    """

    def __init__(
        self, state: WorkingState, cells: npt.NDArray[np.int32], *, full: bool, reorder: bool
    ) -> None:
        self.cells = cells if reorder else np.sort(cells)
        self.depth = 0
        self.score = 0
        self._state = state
        self._full = full
        self._reorder = reorder
        self._scores = np.zeros(len(cells), np.int64)
        self._bounds = np.zeros(len(cells), np.int64)
        self._spent = np.zeros(len(cells), np.int64)

    @property
    def nodes(self) -> int:
        """Count the nodes spent since `start`."""
        return int(self._state.record["nodes"])

    def start(self) -> None:
        """Reset the counters; no limit holds until `limit` sets one."""
        from gomoku_lab.kernels.search import start_budget

        start_budget(self._state.record, layout.FOREVER, layout.FOREVER)

    def limit(self, deadline_ns: int, nodes: int | None) -> None:
        """Let the layers that follow stop at a clock value or a total of nodes."""
        from gomoku_lab.kernels.search import set_budget

        set_budget(self._state.record, nodes or layout.FOREVER, deadline_ns)

    def search(self, depth: int) -> bool:
        """Search one layer; keep it and tell True, or drop all of it if it was aborted."""
        from gomoku_lab.kernels.root import search_root

        scores, bounds, spent = (np.zeros_like(self._scores) for _ in range(3))
        state = self._state
        best = int(
            search_root(
                state.record, state.table, depth, self._full, self.cells, scores, bounds, spent
            )
        )
        if best < 0:
            return False
        # The best move comes first in the next layer, the others keep their order.
        order = np.arange(len(self.cells))
        if self._reorder:
            order[: best + 1] = np.roll(order[: best + 1], 1)
        self.depth = depth
        self.score = int(scores[best])
        self.cells = self.cells[order]
        self._scores, self._bounds, self._spent = scores[order], bounds[order], spent[order]
        self._line = state.record["line"][0, : state.record["line_length"][0]].tolist()
        return True

    def line(self) -> tuple[int, ...]:
        """Return the principal variation of the last completed layer as grid cells."""
        return tuple(self._line)

    def root_scores(self) -> tuple[RootScore, ...]:
        """Return what the last completed layer knows of each root move.

        Exact scores first, best first; then the bounds. Equal ones stay in search order.
        """
        found = []
        for cell, score, bound, spent in zip(
            self.cells.tolist(),
            self._scores.tolist(),
            self._bounds.tolist(),
            self._spent.tolist(),
            strict=True,
        ):
            exact = bound == layout.EXACT
            found.append(
                RootScore(
                    move=self._state.move(cell),
                    depth=self.depth,
                    score=score if exact else None,
                    bound=None if exact else score,
                    bound_kind=None if exact else "upper",
                    nodes=spent,
                )
            )
        return tuple(sorted(found, key=lambda r: (r.score is None, -_value(r))))


def _value(root: RootScore) -> int:
    """Return the score or the bound of a root move."""
    value = root.score if root.score is not None else root.bound
    return 0 if value is None else value
