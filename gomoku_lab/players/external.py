"""A program of somebody else's as a player: it is spoken to by the Gomocup protocol.

Whatever it does wrong is a `PlayerError` that says what; the program is then killed, and the next
game starts it anew with all its settings.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from gomoku_lab.game.formats.gomocup import Answer, Kind, Point, board_block, rule_code
from gomoku_lab.players.errors import IllegalMove, PlayerCrash, PlayerTimeout
from gomoku_lab.players.external_config import GomocupConfig
from gomoku_lab.players.external_program import GomocupProgram, said
from gomoku_lab.players.protocol import Choice

if TYPE_CHECKING:
    import numpy as np

    from gomoku_lab.engine.config import SearchLimits
    from gomoku_lab.game.board import Board
    from gomoku_lab.game.rules import Rule
    from gomoku_lab.players.spec import PlayerSpec

_AGAINST_A_BRAIN = 1
_MOST_MEMORY = 2**31 - 1  # programs keep the number in an int


class GomocupPlayer(GomocupProgram):
    """A Gomocup program behind pipes.

    Raises
    ------
    PlayerStartError
        If there is no such program, or the system cannot run it.
    """

    def __init__(self, spec: PlayerSpec) -> None:
        assert isinstance(spec.config, GomocupConfig)
        super().__init__(spec.name, spec.config)
        self._left_ms = spec.config.match_ms

    def new_game(self, seed: np.random.SeedSequence) -> None:
        """Begin a game. The protocol has no word for `seed`."""
        self._process.board = None
        self._left_ms = self._config.match_ms
        if self._child is not None:
            self._child.forget_stderr()

    def choose(self, board: Board, limits: SearchLimits | None = None) -> Choice:
        """Return the program's move; it is not asked on a finished board.

        Raises
        ------
        PlayerCrash
            If it ends, refuses to play, or does not start as the protocol says.
        PlayerTimeout
            If its answer comes too late or not at all.
        IllegalMove
            If its answer is no point on which it may play.
        """
        if board.is_over:
            return Choice(move=None)
        self._rest()
        settings = self._settings(board.rule, limits)
        if self._goes_on(board, settings):
            question: tuple[str, ...] = (f"TURN {Point.of(board.moves[-1], board.size)}",)
            self._tell(settings)
        else:
            question = board_block(board) if board.stones else ("BEGIN",)
            self._begin(board.size, settings)
        answer, elapsed_ms = self._think(question, limits)
        move = self._legal(answer, question, board)
        self._process.board = board.play(move)
        return Choice(
            move, nodes=self._process.nodes, depth=self._process.depth, time_ms=elapsed_ms
        )

    def plays(self, rule: Rule) -> bool:
        """Tell whether the configuration says that the program knows `rule`."""
        return str(rule) in self._config.rules

    def _settings(self, rule: Rule, limits: SearchLimits | None) -> dict[str, str]:
        """Return what the program is told by INFO, the rule first and the user's own keys last."""
        config = self._config
        budget, match_ms = config.limits, config.match_ms
        if limits is not None:
            budget, match_ms = limits, None
        turn_ms = budget.time_ms or match_ms or config.hang_ms
        memory = None if config.memory_mb is None else config.memory_mb * 2**20
        values = {
            "rule": rule_code(rule),
            "game_type": _AGAINST_A_BRAIN,
            "timeout_turn": _whole_ms(turn_ms),
            "timeout_match": None if match_ms is None else _whole_ms(match_ms),
            "max_memory": None if memory is None else min(memory, _MOST_MEMORY),
            "max_depth": budget.depth,
            "max_node": budget.nodes,
            **dict(config.info),
        }
        return {key: str(value) for key, value in values.items() if value is not None}

    def _goes_on(self, board: Board, settings: Mapping[str, str]) -> bool:
        """Tell whether the program has all but the last move of `board` on its own."""
        if self._child is None or not self._process.told.keys() <= settings.keys():
            return False
        return bool(board.moves) and board.undo() == self._process.board

    def _think(
        self, question: tuple[str, ...], limits: SearchLimits | None
    ) -> tuple[Answer, float]:
        """Return the answer to what wants a move, and how many milliseconds it took."""
        config, doing = self._config, question[0]
        budget = config.limits if limits is None else limits
        left_ms = self._left_ms if limits is None else None
        budgets = [ms for ms in (budget.time_ms, left_ms) if ms is not None]
        allowed_ms = min(budgets) + config.grace_ms if budgets else math.inf
        patience_ms = max(allowed_ms, config.hang_ms) if budgets else config.hang_ms
        if left_ms is not None:
            self._inform("time_left", str(int(left_ms)))
        self._process.depth = self._process.nodes = 0
        since = time.monotonic()
        for line in question:
            self._send(line, doing)
        answer = self._hear(doing, patience_ms, since)
        if answer.kind is Kind.SUGGEST:
            self._send(f"PLAY {answer.points[0]}", doing)
            answer = self._hear(doing, patience_ms, since)
        self._process.moved_at = time.monotonic()
        elapsed_ms = (self._process.moved_at - since) * 1000
        if left_ms is not None:
            self._left_ms = left_ms - elapsed_ms
        if elapsed_ms > allowed_ms:
            raise self._refuse(
                PlayerTimeout,
                f"answered {said(answer)} to {doing} after {elapsed_ms:.0f} ms; "
                f"{allowed_ms:.0f} ms were allowed, of which {config.grace_ms:g} of grace",
            )
        return answer, elapsed_ms

    def _legal(self, answer: Answer, question: tuple[str, ...], board: Board) -> int:
        """Return the move that was answered; end the program if it is none."""
        what = f"answered {said(answer)} to {question[0]}"
        if answer.kind in (Kind.ERROR, Kind.UNKNOWN):
            raise self._refuse(PlayerCrash, what)
        if answer.kind is not Kind.POINTS or len(answer.points) != 1:
            raise self._refuse(IllegalMove, f"{what}; a move X,Y was wanted")
        try:
            move = answer.points[0].move(board.size)
            board.check_move(move)
        except ValueError as error:
            raise self._refuse(IllegalMove, f"played {answer.points[0]}: {error}") from None
        return move


def _whole_ms(time_ms: float) -> int:
    """Return the milliseconds as the protocol writes them, where 0 would mean "at once"."""
    return max(1, round(time_ms))
