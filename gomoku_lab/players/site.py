"""The family `site`: win, then block, then a short search; the easy level draws and misses instead.

The gates and the search are the engine's own. Here stand the order in which they are asked and
what the easy level leaves out. Only the two gates about a five exist: open fours are left to the
search.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from gomoku_lab.engine.analysis import Analysis
from gomoku_lab.engine.config import MAX_DEPTH, MAX_WIDTH, EngineConfig, SearchLimits
from gomoku_lab.engine.gates import block_now, gate_analysis, win_now
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.engine.settings import ConfigError, Settings, real, whole
from gomoku_lab.game.board import Board
from gomoku_lab.kernels import layout
from gomoku_lab.players.engine_player import EnginePlayer
from gomoku_lab.players.spec import PlayerSpec

_MAX_NODES: Final = 2**62


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteConfig(Settings):
    """Everything that decides how a `site` level plays: by search, or by a draw from a pool.

    Attributes
    ----------
    depth : int or None
        Deepest layer of the search in plies, 1..64; 0 and None mean "no such limit".
    time_ms : float or None
        Wall-clock budget of a move in milliseconds; 0 and None mean "no such limit".
    nodes : int or None
        Node budget of a move; 0 and None mean "no such limit".
    radius : int
        Candidates lie at most this many lines from a stone, 1..14.
    width : int
        Candidates searched at a node, 1..400.
    pool : int
        Instead of a search, each of the first so many candidates in one-move order is drawn alike,
        0..400; 0 = search.
    miss_chance : float
        Probability 0..1 that an own five point is overlooked, and as much for a block. It needs a
        pool: a search would see what was overlooked.
    """

    depth: int | None = field(default=None, metadata=whole(1, MAX_DEPTH, zero_is_none=True))
    time_ms: float | None = field(default=None, metadata=real(0, zero_is_none=True))
    nodes: int | None = field(default=None, metadata=whole(1, _MAX_NODES, zero_is_none=True))
    radius: int = field(default=2, metadata=whole(1, 14))
    width: int = field(default=16, metadata=whole(1, MAX_WIDTH))
    pool: int = field(default=0, metadata=whole(0, MAX_WIDTH))
    miss_chance: float = field(default=0.0, metadata=real(0, 1))

    def check_rules(self) -> None:
        """Raise ConfigError if there is neither a limit nor a pool, or a miss without a pool."""
        if self.pool == 0 and self.depth is None and self.time_ms is None and self.nodes is None:
            raise ConfigError(
                "no limit is set: the search would never stop; set at least one of depth, time_ms "
                "and nodes (0 means no such limit), or a pool to draw from"
            )
        if self.miss_chance > 0 and self.pool == 0:
            raise ConfigError(
                f"miss_chance needs a pool, since a search sees what was missed: "
                f"{self.miss_chance!r} with pool 0"
            )

    @property
    def engine(self) -> EngineConfig:
        """Give the configuration of the search: without gates, which are asked before it."""
        drawn = self.pool > 0
        return EngineConfig(
            depth=1 if drawn else self.depth,
            time_ms=None if drawn else self.time_ms,
            nodes=None if drawn else self.nodes,
            radius=self.radius,
            width=MAX_WIDTH if drawn else self.width,
            table_bits=0 if drawn else 18,
            threat_layer=False,
        )


class SitePlayer(EnginePlayer):
    """A player of the family `site`; its attributes are those of every engine player."""

    def __init__(self, spec: PlayerSpec) -> None:
        super().__init__(spec)
        self._state = WorkingState(replace(self._config.engine, table_bits=0))

    def _engine_config(self, spec: PlayerSpec) -> EngineConfig:
        """Keep the level's own configuration and return that of its search."""
        if not isinstance(spec.config, SiteConfig):
            raise TypeError(f"{spec.name}: a SiteConfig is wanted: {spec.config!r}")
        self._config = spec.config
        return spec.config.engine

    def _analyse(self, board: Board, limits: SearchLimits | None) -> Analysis:
        """Win now, block now, else search or draw."""
        if board.is_over:
            return Analysis(board=board, move=None, gate="over")
        state = self._state
        state.set_up(board)
        missed: set[int] = set()
        for gate, colour in ((win_now, board.to_move), (block_now, 3 - board.to_move)):
            answer = gate(state)
            if answer is None:
                continue
            if not self._misses():
                return gate_analysis(board, state, answer)
            missed.update(_five_points(state, colour))
        if self._config.pool == 0:
            return self._engine.analyse(board, limits=limits)
        move = self._draw(missed)
        return Analysis(board=board, move=move, gate="random", pv=(move,))

    def _misses(self) -> bool:
        """Draw whether what is on the board is overlooked."""
        chance = self._config.miss_chance
        return chance > 0 and float(self._rng.random()) < chance

    def _draw(self, missed: Collection[int]) -> int:
        """Draw a move from the pool; what was missed is left out, or the draw would find it."""
        cells = self._state.ranked().tolist()
        pool = [cell for cell in cells if cell not in missed][: self._config.pool] or cells
        return self._state.move(pool[int(self._rng.integers(len(pool)))])


def _five_points(state: WorkingState, colour: int) -> list[int]:
    """Return the grid cells where a stone of `colour` completes a five."""
    record = state.record
    rows = (record["codes"] >> np.uint64(32 * (colour - 1))) & np.uint64(0xFFFFFFFF)
    fives = record["values"][rows, layout.POINT] == layout.POINT_FIVE
    found: list[int] = np.flatnonzero(fives & (record["cells"] == layout.EMPTY)).tolist()
    return found
