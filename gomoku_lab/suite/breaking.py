"""Which moves break the opponent's chain of fours: decided by the threat solver, replayed by rules.

Without a win of his own, the side to move loses to a chain of fours of the opponent's unless his
move breaks every one of them. A four of his own is no defence by itself: it only counts if a right
move is left to him after the answer, which is the opponent's only one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gomoku_lab.engine.solve import Answer, ForcedWin, Solver
from gomoku_lab.game.board import Board
from gomoku_lab.game.forced import chain_problem
from gomoku_lab.game.rules import opponent
from gomoku_lab.suite.forcing import fives_of

_CHAINS_KEPT: Final = 8
"""Chains that are tried again before the solver is asked: what won once usually wins again."""
_LOOKS: Final = 5_000
"""Boards that are looked at before it is given up: fours of one's own can follow in many orders."""


class UndecidedError(Exception):
    """The solver has spent its budget before it had an answer."""


class Defences:
    """The moves that break chains of fours, on one board and on those that arise from it.

    Parameters
    ----------
    nodes : int
        Stones that the solver may place for each answer.
    solver : Solver, optional
        One to share.
    """

    def __init__(self, nodes: int, solver: Solver | None = None) -> None:
        self._nodes = nodes
        self._solver = solver or Solver()
        self._chains: list[tuple[int, ...]] = []
        self._held: dict[bytes, bool] = {}
        self._left = _LOOKS

    def threat(self, board: Board) -> ForcedWin | None:
        """Return the chain of fours by which the opponent would win if he were to move."""
        return self._chain(_passed(board))

    def breaking(self, board: Board) -> frozenset[int]:
        """Return all moves after which the opponent does not win by fours.

        The side to move must not win by fours himself.

        Raises
        ------
        UndecidedError
            If the solver has not decided it, or there is too much to look at.
        """
        return frozenset(move for move in board.legal_points() if self.breaks(board, move))

    def breaks(self, board: Board, move: int) -> bool:
        """Tell whether `move` is among those that `breaking` returns."""
        after = board.play(move)
        if after.is_over:
            return True
        theirs, mine = fives_of(after)
        if theirs:
            return False
        if not mine:
            return not self._loses(after)
        if len(mine) > 1:
            return True
        (answer,) = mine
        if answer not in after.legal_points():
            return True  # a four that Black may not answer
        return self._holds(after.play(answer))

    def _holds(self, board: Board) -> bool:
        """Tell whether a move breaks all chains on a board after a four and its answer."""
        if board.is_over:
            return False
        if board.cells not in self._held:
            moves = board.legal_points()
            self._held[board.cells] = any(self.breaks(board, move) for move in moves)
        return self._held[board.cells]

    def _loses(self, after: Board) -> bool:
        """Tell whether the side to move in `after`, the opponent, wins by fours."""
        self._left -= 1
        if self._left < 0:
            raise UndecidedError
        if any(chain_problem(after, line) is None for line in self._chains):
            return True
        chain = self._chain(after)
        if chain is not None:
            self._chains = [chain.line, *self._chains[: _CHAINS_KEPT - 1]]
        return chain is not None

    def _chain(self, board: Board) -> ForcedWin | None:
        solution = self._solver.vcf(board, nodes=self._nodes)
        if solution.answer is Answer.SPENT:
            raise UndecidedError
        return solution.wins[0] if solution.wins else None


def _passed(board: Board) -> Board:
    """Return the board with the opponent to move."""
    return replace(board, to_move=opponent(board.to_move), moves=())
