"""Family `pattern`: every candidate is scored by the runs that it makes, and nothing is searched.

An own five comes first, the opponent's five second; then the weighted scores decide, with a draw
among the best or with one look at the opponent's answer. The levels differ in their settings alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from gomoku_lab.engine.compiling import tell_compiling
from gomoku_lab.engine.config import SearchLimits
from gomoku_lab.engine.settings import ConfigError, Settings, flag, real, table, whole
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import FREE_RULES, Rule
from gomoku_lab.kernels import layout
from gomoku_lab.players.protocol import Choice
from gomoku_lab.players.spec import PlayerSpec

_MAX_SCORE = 1_000_000_000
_DIRECTIONS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternScores(Settings):
    """What a run with the new stone is worth in one direction; the numbers are the article's.

    Attributes
    ----------
    five : int
        Five stones or more, whatever stands at the ends.
    open_four, four, open_three, three, open_two, two : int
        Four, three and two stones with two empty ends, or with one.
    one : int
        A single stone with at least one empty end.
    """

    five: int = field(default=1_000_000, metadata=whole(1, _MAX_SCORE))
    open_four: int = field(default=100_000, metadata=whole(1, _MAX_SCORE))
    four: int = field(default=10_000, metadata=whole(1, _MAX_SCORE))
    open_three: int = field(default=8_000, metadata=whole(1, _MAX_SCORE))
    three: int = field(default=800, metadata=whole(1, _MAX_SCORE))
    open_two: int = field(default=500, metadata=whole(1, _MAX_SCORE))
    two: int = field(default=100, metadata=whole(1, _MAX_SCORE))
    one: int = field(default=10, metadata=whole(1, _MAX_SCORE))


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternConfig(Settings):
    """How a player of the family decides.

    A move's value is ``own_weight`` x its own score plus ``opponent_weight`` x what the point is
    worth to the opponent. Scores without a five stay below ``scores.five``, which is checked.

    Attributes
    ----------
    own_weight, opponent_weight : float
        Weights of the two scores, 0..10.
    miss_chance : float
        Probability 0..1 that the opponent's five is not seen: its points are then no candidates.
    random_chance : float
        Probability 0..1 that the move is drawn from the best ``pool`` candidates, each as likely.
    pool : int
        How many of the best candidates such a draw is among, 1..400.
    lookahead : int
        On how many of the best candidates a stone is tried, 0..400. The value of a move is then
        lowered by ``reply_weight`` x the opponent's best score after it, and the others are not
        played.
    reply_weight : float
        Weight of the opponent's best score after the trial, 0..10.
    rules : bool
        Whether an own five, then the opponent's, decides before the scores.
    radius : int
        Candidates lie at most this many lines from a stone, 1..14.
    bonus_double_open_three, bonus_four_three : int
        What a move earns that makes two open threes, or a four and an open three; at most one of
        them, the four-three first. The article gives no values: these are the lab's own. With
        them a four-three (28,000) comes before two closed fours (20,000) and these before a double
        three (19,000), and an own open four still comes before the block of a four-three.
    scores : PatternScores
        What the runs are worth.
    """

    own_weight: float = field(default=1.0, metadata=real(0, 10))
    opponent_weight: float = field(default=1.0, metadata=real(0, 10))
    miss_chance: float = field(default=0.0, metadata=real(0, 1))
    random_chance: float = field(default=0.0, metadata=real(0, 1))
    pool: int = field(default=1, metadata=whole(1, layout.MAX_POINTS))
    lookahead: int = field(default=0, metadata=whole(0, layout.MAX_POINTS))
    reply_weight: float = field(default=0.9, metadata=real(0, 10))
    rules: bool = field(default=True, metadata=flag())
    radius: int = field(default=2, metadata=whole(1, 14))
    bonus_double_open_three: int = field(default=3_000, metadata=whole(1, _MAX_SCORE))
    bonus_four_three: int = field(default=10_000, metadata=whole(1, _MAX_SCORE))
    scores: PatternScores = field(default_factory=PatternScores, metadata=table(PatternScores))

    def check_rules(self) -> None:
        """Raise ConfigError if a move without a five could be worth as much as a five."""
        scores = self.scores
        largest = max(getattr(scores, key) for key in scores.field_names() if key != "five")
        bonus = max(self.bonus_double_open_three, self.bonus_four_three)
        limit = _DIRECTIONS * largest + bonus
        if not scores.five > limit:
            raise ConfigError(
                f"scores.five ({scores.five}) must be more than any move without a five: "
                f"{_DIRECTIONS} x {largest} + a bonus of {bonus} = {limit}"
            )


@dataclass(frozen=True, slots=True)
class Work:
    """What one move cost.

    Attributes
    ----------
    candidates : int
        Points that were looked at.
    scorings : int
        How often one point was scored for one colour.
    trials : int
        Candidates on which a stone was tried.
    """

    candidates: int = 0
    scorings: int = 0
    trials: int = 0


class PatternPlayer:
    """A player of the family `pattern`.

    Attributes
    ----------
    name : str
        The player expression.
    work : Work
        What the last move cost.
    """

    def __init__(self, spec: PlayerSpec) -> None:
        if not isinstance(spec.config, PatternConfig):
            raise TypeError(f"{spec.name}: a PatternConfig is wanted: {spec.config!r}")
        self.name = spec.name
        self.work = Work()
        self._config = spec.config
        self._rng = np.random.default_rng(0)
        self._scores = score_table(spec.config)
        self._cells = np.zeros(layout.GRID, np.uint8)
        self._found = np.zeros(layout.MAX_POINTS, np.int32)

    @staticmethod
    def warm_up(progress: Callable[[str], None] | None = None) -> None:
        """Load the kernels; `progress`, or the log, is told when they must be compiled first."""
        sentence = "compiling the one-ply players, once, about 3 s"
        tell_compiling("one_ply.look_ahead", sentence, progress)
        config = PatternConfig(lookahead=1)
        player = PatternPlayer(PlayerSpec(name="warm-up", family="pattern", config=config))
        player.choose(Board.from_moves("h8"))

    def new_game(self, seed: np.random.SeedSequence) -> None:
        """Draw the next game's choices from `seed`."""
        self._rng = np.random.default_rng(seed)

    def choose(self, board: Board, limits: SearchLimits | None = None) -> Choice:
        """Return the chosen move; there is no search that `limits` could end."""
        self.work = Work()
        if board.is_over:
            return Choice(None, "over")
        if not any(board.cells):
            return Choice((board.size // 2) * board.size + board.size // 2, "one-ply")
        thought = _Thought(board, self._config, self._scores, self._cells, self._found)
        index, gate = thought.decide(self._rng)
        self.work = thought.work()
        row, col = divmod(int(thought.moves[index]), layout.STRIDE)
        return Choice((row - layout.RING) * board.size + col - layout.RING, gate)

    def plays(self, rule: Rule) -> bool:
        """Tell whether the family knows `rule`; an overline counts only where it wins."""
        return rule in FREE_RULES

    def close(self) -> None:
        """Do nothing: the player holds only memory."""


def score_table(config: PatternConfig) -> npt.NDArray[np.int64]:
    """Return the scores and bonuses as the kernels look them up."""
    from gomoku_lab.kernels import one_ply

    scores, found = config.scores, np.zeros(one_ply.SCORES, np.int64)
    found[one_ply.ONE_SCORE] = scores.one
    found[one_ply.TWO_SCORE] = scores.two
    found[one_ply.OPEN_TWO_SCORE] = scores.open_two
    found[one_ply.THREE_SCORE] = scores.three
    found[one_ply.OPEN_THREE_SCORE] = scores.open_three
    found[one_ply.FOUR_SCORE] = scores.four
    found[one_ply.OPEN_FOUR_SCORE] = scores.open_four
    found[one_ply.FIVE_SCORE] = scores.five
    found[one_ply.DOUBLE_THREE_BONUS] = config.bonus_double_open_three
    found[one_ply.FOUR_THREE_BONUS] = config.bonus_four_three
    return found


class _Thought:
    """One move's thought: the candidates, by index, and what is known of each.

    Attributes
    ----------
    moves : int32[n]
        The candidates as grid cells, row by row.
    """

    def __init__(
        self,
        board: Board,
        config: PatternConfig,
        scores: npt.NDArray[np.int64],
        cells: npt.NDArray[np.uint8],
        found: npt.NDArray[np.int32],
    ) -> None:
        from gomoku_lab.kernels import one_ply

        self._config = config
        self._scores = scores
        self._cells = cells
        self._colour = board.to_move
        self._exact = int(board.rule.exact_five)
        self._counters = np.zeros(one_ply.COUNTERS, np.int64)
        one_ply.set_up(np.frombuffer(board.cells, np.uint8), board.size, cells)
        self.moves = found[: one_ply.list_candidates(cells, board.size, config.radius, found)]

    def work(self) -> Work:
        """Return what was done so far."""
        from gomoku_lab.kernels import one_ply

        scorings, trials = self._counters[[one_ply.SCORINGS, one_ply.TRIALS]].tolist()
        return Work(len(self.moves), scorings, trials)

    def decide(self, rng: np.random.Generator) -> tuple[int, str]:
        """Return the index of the chosen candidate and the gate that decided."""
        config = self._config
        own = self._worth(self._colour)
        wins = own >= config.scores.five
        if config.rules and wins.any():
            return int(np.argmax(wins)), "five"
        opponent = self._worth(3 - self._colour)
        values = own * config.own_weight + opponent * config.opponent_weight
        order = np.argsort(-values, kind="stable")
        blocks = opponent >= config.scores.five
        if config.rules and blocks.any():
            if blocks.all() or not _happens(config.miss_chance, rng):
                return int(order[blocks[order]][0]), "block"
            order = order[~blocks[order]]
        if config.lookahead:
            order = self._after_replies(order[: config.lookahead], values)
        if config.pool > 1 and _happens(config.random_chance, rng):
            return int(order[rng.integers(min(config.pool, len(order)))]), "random"
        return int(order[0]), "one-ply"

    def _worth(self, colour: int) -> npt.NDArray[np.int64]:
        """Score every candidate for a colour."""
        from gomoku_lab.kernels import one_ply

        values = np.empty(len(self.moves), np.int64)
        one_ply.score_moves(
            self._cells, self.moves, colour, self._exact, self._scores, values, self._counters
        )
        return values

    def _after_replies(
        self, order: npt.NDArray[Any], values: npt.NDArray[np.float64]
    ) -> npt.NDArray[Any]:
        """Sort `order` anew, each value lowered by the opponent's best answer."""
        from gomoku_lab.kernels import one_ply

        replies = np.empty(len(order), np.int64)
        one_ply.look_ahead(
            self._cells,
            self.moves,
            self.moves[order],
            self._colour,
            self._exact,
            self._scores,
            replies,
            self._counters,
        )
        after = values[order] - replies * self._config.reply_weight
        return order[np.argsort(-after, kind="stable")]


def _happens(chance: float, rng: np.random.Generator) -> bool:
    """Draw whether something of that probability happens; nothing is drawn for what never does."""
    return chance > 0 and float(rng.random()) < chance
