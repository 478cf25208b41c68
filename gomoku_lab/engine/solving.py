"""One call for both searches of the solver."""

from __future__ import annotations

from gomoku_lab.engine.solve import NODES, Answer, Solution, solve_vcf, solve_vct
from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import as_board


def solve(board: Board | str, *, nodes: int = NODES, every: bool = False) -> Solution:
    """Look for a victory of the side to move by fours, and if none is found for one by threats.

    Parameters
    ----------
    board : Board or str
        A board, or a text as `analyse` takes it.
    nodes : int
        Stones that each of the two searches may place.
    every : bool
        Look for all first moves that win.

    Returns
    -------
    Solution
        That of the fours where they win, else that of the threats.
    """
    board = as_board(board)
    fours = solve_vcf(board, nodes=nodes, every=every)
    return fours if fours.answer is Answer.FOUND else solve_vct(board, nodes=nodes, every=every)
