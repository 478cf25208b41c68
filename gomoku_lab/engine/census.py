"""How many candidates the positions of games have, by stones on the board."""

from __future__ import annotations

from collections.abc import Iterable

from gomoku_lab.engine.config import MAX_WIDTH, EngineConfig
from gomoku_lab.engine.engine import warm_up
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import as_board


def count_candidates(boards: Iterable[Board | str], *, radius: int = 2) -> dict[int, list[int]]:
    """Return the number of candidates of each board, by its number of stones.

    Finished boards are left out.

    Parameters
    ----------
    boards : iterable of Board or str
        Boards, or texts as `analyse` takes them.
    radius : int
        Candidates lie at most so many lines from a stone.
    """
    warm_up()
    state = WorkingState(EngineConfig(depth=1, radius=radius, width=MAX_WIDTH))
    found: dict[int, list[int]] = {}
    for board in map(as_board, boards):
        if not board.is_over:
            state.set_up(board)
            found.setdefault(board.stones, []).append(len(state.ranked()))
    return dict(sorted(found.items()))
