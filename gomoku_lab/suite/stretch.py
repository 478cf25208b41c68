"""Make a chain of fours longer: change stones by lot and keep what lengthens the shortest chain.

Games seldom hold chains of ten fours and more. What comes out of this is no game's position any
more; it is proved like any other.
"""

from __future__ import annotations

import random
from typing import Final

from gomoku_lab.engine.solve import Solver
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import BLACK, EMPTY, WHITE, opponent
from gomoku_lab.suite.forcing import fives_of

_NODES: Final = 20_000
"""Stones for each look at a changed board: what takes longer is not kept."""
_PAIRS: Final = 6
"""Pairs of stones that are added at most."""
_MOVED: Final = 0.7
"""How often a stone is moved instead."""
_NEAR: Final = 2
"""How far from the stones a stone is moved at most."""


def stretch(board: Board, fours: int, *, most: int, tries: int, lot: str) -> tuple[Board, int]:
    """Return a board with a longer shortest chain, and its length; the same ones if none is found.

    Parameters
    ----------
    board : Board
        The side to move wins by `fours` fours at least.
    fours : int
    most : int
        The greatest length that is wanted.
    tries : int
        Changes that are tried, one after another.
    lot : str
        What they are drawn by.
    """
    draw = random.Random(lot)
    room = board.stones + 2 * _PAIRS
    solver = Solver(table_bits=14, proof_bits=4)
    for _ in range(tries):
        changed = _changed(board, draw, adds=board.stones < room)
        if changed is None:
            continue
        found = solver.vcf(changed, nodes=_NODES)
        length = (found.wins[0].plies - 1) // 2 if found.wins and found.shortest else 0
        if fours < length <= most or (fours == length and changed.stones == board.stones):
            # One as long is as good: from there another change may lengthen it.
            board, fours = changed, length
    return board, fours


def _changed(board: Board, draw: random.Random, *, adds: bool) -> Board | None:
    """Return the board with one stone moved, or one of each colour added; None if it is spoilt."""
    cells = bytearray(board.cells)
    near = board.points_near(_NEAR)
    if not adds or draw.random() < _MOVED:
        stone = draw.choice([point for point, cell in enumerate(cells) if cell != EMPTY])
        point = draw.choice(near)
        cells[point], cells[stone] = cells[stone], EMPTY
    else:
        for colour in (board.to_move, opponent(board.to_move)):
            cells[draw.choice([point for point in near if cells[point] == EMPTY])] = colour
    try:
        changed = Board(board.size, board.rule, bytes(cells), board.to_move)
    except ValueError:
        return None  # both colours have five
    if changed.winner or cells.count(BLACK) - cells.count(WHITE) not in (0, 1):
        return None
    return None if any(fives_of(changed)) else changed
