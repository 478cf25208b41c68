"""The engine as a player: families `plain`, `layered` and `lab` differ in configuration alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gomoku_lab.engine.analysis import Analysis
from gomoku_lab.engine.config import EngineConfig, SearchLimits
from gomoku_lab.engine.engine import Engine, warm_up
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import Rule
from gomoku_lab.players.protocol import Choice
from gomoku_lab.players.spec import PlayerSpec


class EnginePlayer:
    """A player that answers with the engine's analysis.

    Attributes
    ----------
    name : str
        The player expression.
    analysis : Analysis or None
        What the engine thought of the last board.
    """

    @staticmethod
    def warm_up(progress: Callable[[str], None] | None = None) -> None:
        """Load the kernels; `progress`, or the log, is told when they must be compiled first."""
        warm_up(progress)

    def __init__(self, spec: PlayerSpec) -> None:
        self.name = spec.name
        self.analysis: Analysis | None = None
        self._engine = Engine(self._engine_config(spec))
        self._rng = np.random.default_rng(0)
        self._keeps = self._engine.config.keep_table
        self._last: Board | None = None

    def new_game(self, seed: np.random.SeedSequence) -> None:
        """Draw the next game's noise from `seed`."""
        self._rng = np.random.default_rng(seed)
        self.forget()

    def forget(self) -> None:
        """Let the next search begin without what earlier ones found."""
        self._last = None
        if self._keeps:
            self._engine.forget()

    def choose(self, board: Board, limits: SearchLimits | None = None) -> Choice:
        """Return the engine's move and what it cost."""
        found = self._analyse(board, limits)
        self.analysis = found
        return Choice(found.move, found.gate, found.nodes, found.depth, found.score)

    def _engine_config(self, spec: PlayerSpec) -> EngineConfig:
        """Return the configuration of the engine that this player asks."""
        if not isinstance(spec.config, EngineConfig):
            raise TypeError(f"{spec.name}: an EngineConfig is wanted: {spec.config!r}")
        return spec.config

    def _analyse(self, board: Board, limits: SearchLimits | None) -> Analysis:
        """Return what decides the move."""
        keep = self._keeps and self._last is not None and _follows(board, self._last)
        self._last = board
        return self._engine.analyse(board, limits=limits, rng=self._rng, keep=keep)

    def stop(self) -> None:
        """End the search that runs in another thread; the move is that of its last layer."""
        self._engine.stop()

    def plays(self, rule: Rule) -> bool:
        """Tell that the engine knows `rule`: it knows them all."""
        return rule in Rule

    def close(self) -> None:
        """Forget the last analysis; the working memory goes with the player."""
        self.analysis = None


def _follows(board: Board, last: Board) -> bool:
    """Tell whether play from `last` has led to `board`."""
    return board.stones > last.stones and board.moves[: len(last.moves)] == last.moves
