"""Family `stages`: the first three steps on the way to `textbook`, to be beaten by the next.

Stage 1 plays on any empty point, stage 2 on any candidate, both at random; stage 3 plays the first
candidate in one-move order. None of them looks for wins or blocks, and none of them searches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from gomoku_lab.engine.config import SearchLimits
from gomoku_lab.engine.settings import Settings, whole
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import FREE_RULES, Rule
from gomoku_lab.players.protocol import Choice
from gomoku_lab.players.spec import PlayerSpec
from gomoku_lab.players.textbook import Textbook, TextbookConfig, warm_up


@dataclass(frozen=True, slots=True, kw_only=True)
class StagesConfig(Settings):
    """Which stage it is.

    Attributes
    ----------
    stage : int
        1: any empty point; 2: any candidate; 3: the candidate with the best evaluation after it.
    radius : int
        Candidates lie at most this many lines from a stone, 1..14.
    """

    stage: int = field(default=1, metadata=whole(1, 3))
    radius: int = field(default=2, metadata=whole(1, 14))


class StagesPlayer:
    """A player of one stage.

    Attributes
    ----------
    name : str
        The player expression.
    """

    def __init__(self, spec: PlayerSpec) -> None:
        if not isinstance(spec.config, StagesConfig):
            raise TypeError(f"{spec.name}: a StagesConfig is wanted: {spec.config!r}")
        self.name = spec.name
        self._stage = spec.config.stage
        self._engine = Textbook(TextbookConfig(radius=spec.config.radius))
        self._rng = np.random.default_rng(0)

    @staticmethod
    def warm_up(progress: Callable[[str], None] | None = None) -> None:
        """Load the kernels; `progress`, or the log, is told when they must be compiled first."""
        warm_up(progress)

    def new_game(self, seed: np.random.SeedSequence) -> None:
        """Draw the next game's moves from `seed`."""
        self._rng = np.random.default_rng(seed)

    def choose(self, board: Board, limits: SearchLimits | None = None) -> Choice:
        """Return the stage's move; `limits` change nothing, since nothing is searched."""
        if board.is_over:
            return Choice(None, "over")
        if self._stage == 3:
            move = self._engine.ordered(board)[0]
            score = self._engine.evaluate(board.play(move), board.to_move)
            return Choice(move, "one-ply", score=score)
        moves = board.empty_points() if self._stage == 1 else self._engine.candidates(board)
        return Choice(moves[int(self._rng.integers(len(moves)))], "random")

    def plays(self, rule: Rule) -> bool:
        """Tell whether the family knows `rule`."""
        return rule in FREE_RULES

    def close(self) -> None:
        """Do nothing: the working memory goes with the player."""
