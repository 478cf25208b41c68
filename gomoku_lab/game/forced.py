"""Replay what a solver claims, from the rules alone: whether a line forces five.

It searches nothing and knows no engine: it looks where a stone would complete a five, and holds
every move of the defender's against that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import move_name
from gomoku_lab.game.rules import DIRECTIONS, EMPTY, WIN_LENGTH, opponent


def five_points(board: Board, colour: int) -> frozenset[int]:
    """Return the empty points where a stone of `colour` would complete a five that wins.

    They stand within four points of at least four stones, in line; only such points are tried.
    """
    size, cells = board.size, board.cells
    found = set()
    for start in range(len(cells)):
        row, col = divmod(start, size)
        for d_row, d_col in DIRECTIONS:
            last_row, last_col = row + 4 * d_row, col + 4 * d_col
            if not (last_row < size and 0 <= last_col < size):
                continue
            step = d_row * size + d_col
            window = cells[start : start + 4 * step + 1 : step]
            if window.count(colour) == WIN_LENGTH - 1 and window.count(EMPTY) == 1:
                point = start + window.index(EMPTY) * step
                if point not in found and _completes(board, point, colour):
                    found.add(point)
    return frozenset(found)


def _completes(board: Board, point: int, colour: int) -> bool:
    """Tell whether a stone of `colour` on the empty `point` wins."""
    return replace(board, to_move=colour, moves=()).play(point).winner == colour


def chain_problem(board: Board, line: Sequence[int]) -> str | None:
    """Return why `line` is no victory by continuous fours, or None if it is one.

    Parameters
    ----------
    board : Board
        The attacker is to move.
    line : sequence of int
        Flat indices: a four, the answer to it, and so on; last the attacker's five.

    Every four must leave the defender without a five of his own, so that he loses at once unless
    he takes the attacker's five point; where there is one alone, the line must go on from there.
    """
    attacker, defender = board.to_move, opponent(board.to_move)
    for index, move in enumerate(line):
        name = move_name(move, board.size)
        try:
            board = board.play(move)
        except ValueError as error:
            return f"move {index + 1}, {name}: {error}"
        if index % 2 or board.winner:
            continue
        if five_points(board, defender):
            return f"move {index + 1}, {name}: the defender can complete five"
        fives = five_points(board, attacker)
        if not fives:
            return f"move {index + 1}, {name}: no four"
        if line[index + 1 : index + 2] and line[index + 1] not in fives:
            return f"move {index + 2}, {move_name(line[index + 1], board.size)}: no answer"
    if board.winner != attacker:
        return "the line does not end with five"
    return None
