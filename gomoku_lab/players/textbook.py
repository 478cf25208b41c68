"""Family `textbook`: the guide's engine, whose evaluation counts runs, and its configuration.

Win, then block, then a search of fixed depth. It is a baseline and keeps its published weaknesses:
gaps and open ends play no part, each stone reports the line it stands in, a win has no distance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from gomoku_lab.engine.compiling import tell_compiling
from gomoku_lab.engine.config import ConfigError, SearchLimits
from gomoku_lab.engine.settings import Settings, flag, whole
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import FREE_RULES, Rule, opponent
from gomoku_lab.kernels.layout import RING, STRIDE
from gomoku_lab.players.protocol import Choice
from gomoku_lab.players.spec import PlayerSpec

MAX_DEPTH = 12
_MAX_VALUE = 1_000_000_000
_FIVE = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class TextbookConfig(Settings):
    """How a `textbook` player plays. The order of the values is checked, their size is free.

    Attributes
    ----------
    depth : int
        Plies of the search, 1..12.
    radius : int
        Candidates lie at most this many lines from a stone, 1..14.
    per_stone : bool
        Whether each stone reports the line it stands in, so that a line of n counts n times;
        otherwise each line counts once.
    win : int
        Score of a won board; a lost one has its negative. It tells no distance.
    five, four, three, two : int
        Value of a line of that many stones; longer ones count as five, single stones nothing.
    """

    depth: int = field(default=3, metadata=whole(1, MAX_DEPTH))
    radius: int = field(default=2, metadata=whole(1, 14))
    per_stone: bool = field(default=True, metadata=flag())
    win: int = field(default=1_000_000, metadata=whole(1, _MAX_VALUE))
    five: int = field(default=100_000, metadata=whole(1, _MAX_VALUE))
    four: int = field(default=10_000, metadata=whole(1, _MAX_VALUE))
    three: int = field(default=1_000, metadata=whole(1, _MAX_VALUE))
    two: int = field(default=100, metadata=whole(1, _MAX_VALUE))

    def check_rules(self) -> None:
        """Raise ConfigError unless a longer line is worth more, and a win most."""
        if not self.win > self.five > self.four > self.three > self.two:
            raise ConfigError(
                "values must fall from win over five, four and three to two: "
                f"{self.win}, {self.five}, {self.four}, {self.three}, {self.two}"
            )

    def line_value(self, length: int) -> int:
        """Return what a line of `length` stones contributes to the evaluation."""
        values = (0, 0, self.two, self.three, self.four, self.five)
        value = values[min(length, _FIVE)]
        return value * length if self.per_stone else value


class Textbook:
    """The engine of the family, with its working memory. Not for two threads at once.

    Parameters
    ----------
    config : TextbookConfig
    """

    def __init__(self, config: TextbookConfig) -> None:
        from gomoku_lab.kernels import textbook

        self.config = config
        self._kernels = textbook
        self._size = 0
        record: Any = np.zeros(1, textbook.TEXTBOOK)[0]
        record["radius"] = config.radius
        record["win"] = config.win
        record["values"] = [config.line_value(length) for length in range(textbook.LONGEST + 1)]
        self._record = record

    def evaluate(self, board: Board, colour: int) -> int:
        """Return the evaluation of `board` for `colour`; for the other side it is the negative."""
        self._set_up(board)
        return int(self._kernels.evaluate(self._record, colour))

    def candidates(self, board: Board) -> tuple[int, ...]:
        """Return the empty points near a stone, by row and column; the centre if there is none."""
        self._set_up(board)
        return self._moves(self._kernels.candidates(self._record, board.to_move, 0))

    def ordered(self, board: Board) -> tuple[int, ...]:
        """Return the candidates by the evaluation after the move, best for the mover first."""
        self._set_up(board)
        return self._moves(self._kernels.ordered(self._record, board.to_move))

    def value(
        self,
        board: Board,
        depth: int,
        *,
        root: int,
        window: tuple[int, int] | None = None,
    ) -> int:
        """Return the value of `board`, searched `depth` plies deep, for the colour `root`.

        Inside `window` (alpha, beta) it is plain minimax's value, by default anywhere.
        """
        self._set_up(board)
        s, kernels = self._record, self._kernels
        low, high = (-kernels.LIMIT, kernels.LIMIT) if window is None else window
        score, won = kernels.evaluate(s, root), kernels.winner(s)
        return int(kernels.minimax(s, depth, low, high, score, board.to_move, root, won))

    def choose(self, board: Board, depth: int | None = None) -> Choice:
        """Return the move for `board`: an own five, else a block, else the best of the search.

        A block has no score: with two five points against it, it defends nothing.
        """
        if board.is_over:
            return Choice(None, "over")
        s, kernels, own = self._record, self._kernels, board.to_move
        self._set_up(board)
        count = kernels.ordered(s, own)
        moves = self._moves(count)
        five = kernels.first_five(s, count, own)
        if five >= 0:
            return Choice(moves[five], "five", score=self.config.win)
        block = kernels.first_five(s, count, opponent(own))
        if block >= 0:
            return Choice(moves[block], "block")
        plies = depth or self.config.depth
        best, scores = self._search(own, count, plies)
        return Choice(moves[best], "search", int(s["nodes"]), plies, int(scores[best]))

    def root_scores(self, board: Board, depth: int | None = None) -> dict[int, int]:
        """Return the exact score of every candidate, in the order in which they are searched."""
        self._set_up(board)
        count = self._kernels.ordered(self._record, board.to_move)
        moves = self._moves(count)
        _, scores = self._search(board.to_move, count, depth or self.config.depth)
        return dict(zip(moves, scores.tolist(), strict=True))

    def _set_up(self, board: Board) -> None:
        s = self._record
        s["size"] = self._size = board.size
        s["exact"] = board.rule.exact_five
        s["nodes"] = 0
        self._kernels.set_up(s, np.frombuffer(board.cells, np.uint8))

    def _search(self, colour: int, count: int, plies: int) -> tuple[int, npt.NDArray[np.int64]]:
        scores = np.zeros(count, np.int64)
        return int(self._kernels.search_root(self._record, plies, colour, count, scores)), scores

    def _moves(self, count: int) -> tuple[int, ...]:
        """Return the first root moves of the record as flat indices."""
        cells = (int(self._kernels.key_cell(key)) for key in self._record["keys"][0, :count])
        rows = ((cell // STRIDE - RING, cell % STRIDE - RING) for cell in cells)
        return tuple(row * self._size + col for row, col in rows)


class TextbookPlayer:
    """A player that answers with the move of the family's engine.

    Attributes
    ----------
    name : str
        The player expression.
    """

    def __init__(self, spec: PlayerSpec) -> None:
        if not isinstance(spec.config, TextbookConfig):
            raise TypeError(f"{spec.name}: a TextbookConfig is wanted: {spec.config!r}")
        self.name = spec.name
        self._engine = Textbook(spec.config)

    @staticmethod
    def warm_up(progress: Callable[[str], None] | None = None) -> None:
        """Load the kernels; `progress`, or the log, is told when they must be compiled first."""
        warm_up(progress)

    def new_game(self, seed: np.random.SeedSequence) -> None:
        """Do nothing: the family draws nothing and remembers nothing."""

    def choose(self, board: Board, limits: SearchLimits | None = None) -> Choice:
        """Return the engine's move and what it cost.

        Raises
        ------
        ValueError
            If `limits` holds anything but a depth: nothing else can stop this search.
        """
        if limits is None:
            return self._engine.choose(board)
        if limits.depth is None or limits.time_ms is not None or limits.nodes is not None:
            raise ValueError(f"{self.name}: limits must hold a depth and nothing else: {limits}")
        return self._engine.choose(board, limits.depth)

    def plays(self, rule: Rule) -> bool:
        """Tell whether the family knows `rule`."""
        return rule in FREE_RULES

    def close(self) -> None:
        """Do nothing: the working memory goes with the player."""


def warm_up(progress: Callable[[str], None] | None = None) -> None:
    """Load the kernels, compiling them first where the cache is cold.

    Parameters
    ----------
    progress : callable, optional
        Told one sentence before a compilation; by default the log is.
    """
    # Importing compiles the recursive kernel, so ask the cache before.
    sentence = "compiling the textbook players, once, about 10 s"
    tell_compiling("textbook.search_root", sentence, progress)
    engine = Textbook(TextbookConfig(depth=2))
    board = Board.from_moves("h8")
    engine.choose(board)
    engine.value(board, 1, root=board.to_move)
