"""A game looked at again, move by move: what the best move was worth, and what the played one lost.

Both scores are exact and of the same depth, width and evaluation, so their difference is a loss at
that depth and nothing more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gomoku_lab.engine.config import SearchLimits
from gomoku_lab.engine.engine import Engine
from gomoku_lab.engine.frames import Column, make_frame
from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import move_name
from gomoku_lab.game.rules import BLACK, colour_name

if TYPE_CHECKING:
    import pandas as pd

REVIEW_COLUMNS: Final = (
    Column("ply", "int64", "number of the move, from 1"),
    Column("colour", "string", "black or white: who moved"),
    Column("played", "string", "name of the move played"),
    Column("best", "string", "name of the move that the engine would have played"),
    Column("gate", "string", "what decided that move"),
    Column("played_score", "int64", "exact score of the move played, for the mover"),
    Column("best_score", "int64", "exact score of the better of the two, for the mover"),
    Column("loss", "int64", "best_score minus played_score, evaluation units, 0 or more"),
    Column("depth", "int64", "plies of both searches, the move included"),
)


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a reviewed game.

    Attributes
    ----------
    ply : int
        Its number, from 1.
    colour : int
        Who moved, BLACK or WHITE.
    played, best : int
        The move played, and the one that the engine would have played, as flat indices.
    gate : str
        What decided the engine's move.
    played_score, best_score : int
        Exact scores from the mover's side: of the move played, and of the better one of the two.
    depth : int
        Depth of both in plies.
    """

    ply: int
    colour: int
    played: int
    best: int
    gate: str
    played_score: int
    best_score: int
    depth: int

    @property
    def loss(self) -> int:
        """Give what the move lost at this depth, 0 or more, in evaluation units."""
        return self.best_score - self.played_score

    @property
    def best_for_black(self) -> int:
        """Give the better score as Black sees it."""
        return self.best_score if self.colour == BLACK else -self.best_score

    @property
    def played_for_black(self) -> int:
        """Give the score of the move played as Black sees it."""
        return self.played_score if self.colour == BLACK else -self.played_score


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewed game.

    Attributes
    ----------
    board : Board
        The position after its last move.
    steps : tuple of Step
        One entry for each move that was looked at.
    depth : int
        Depth of all searches in plies; less where fewer points are empty.
    """

    board: Board
    steps: tuple[Step, ...]
    depth: int

    @property
    def turning_point(self) -> Step | None:
        """Give the move that lost most, the first of several; None if none lost anything."""
        worst = max(self.steps, key=lambda step: step.loss, default=None)
        return worst if worst is not None and worst.loss > 0 else None

    def before(self, step: Step) -> Board:
        """Return the position before a move of the game."""
        board = self.board
        while len(board.moves) >= step.ply:
            board = board.undo()
        return board

    def frame(self) -> pd.DataFrame:
        """Return the moves as a pandas table, one row a move.

        Columns: ``ply`` (int64), ``colour``, ``played``, ``best``, ``gate`` (string),
        ``played_score``, ``best_score`` (int64, exact, evaluation units, for the mover), ``loss``
        (int64, their difference), ``depth`` (int64, plies).
        """
        size = self.board.size
        rows = [
            (
                step.ply,
                colour_name(step.colour),
                move_name(step.played, size),
                move_name(step.best, size),
                step.gate,
                step.played_score,
                step.best_score,
                step.loss,
                step.depth,
            )
            for step in self.steps
        ]
        return make_frame(REVIEW_COLUMNS, rows)

    def __repr__(self) -> str:
        lost = sum(step.loss > 0 for step in self.steps)
        return f"<Review of {len(self.steps)} moves at depth {self.depth}, {lost} lost something>"


def review_moves(
    engine: Engine, start: Board, moves: Iterable[int], *, depth: int, skip: int = 0
) -> Review:
    """Return what each of `moves`, played from `start`, was worth.

    Parameters
    ----------
    engine : Engine
        Its width, radius and evaluation hold; no noise is applied.
    start : Board
        Where the game began.
    moves : iterable of int
        The game.
    depth : int
        Depth of all searches in plies.
    skip : int
        So many first moves, as those of an opening, are not looked at.
    """
    board, steps = start, []
    for move in moves:
        after = board.play(move)
        if len(board.moves) - len(start.moves) >= skip:
            steps.append(_step(engine, board, after.moves[-1], depth))
        board = after
    return Review(board, tuple(steps), depth)


def _step(engine: Engine, board: Board, played: int, depth: int) -> Step:
    found = engine.analyse(board, limits=SearchLimits(depth=depth))
    best = played if found.move is None else found.move
    both = engine.exact_root(
        board,
        depth=min(depth, len(board.empty_points())),
        moves=tuple(dict.fromkeys((best, played))),
    )
    scores = {root.move: root.score for root in both if root.score is not None}
    return Step(
        ply=len(board.moves) + 1,
        colour=board.to_move,
        played=played,
        best=best,
        gate=found.gate,
        played_score=scores[played],
        best_score=max(scores.values()),
        depth=both[0].depth,
    )
