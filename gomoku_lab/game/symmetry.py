"""The eight maps of the square board onto itself, for moves and for boards. No engine here.

Map `k` (0..7) flips left and right if bit 0 is set, then top and bottom if bit 1 is set, then
swaps rows and columns if bit 2 is set. Map 0 changes nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from gomoku_lab.game.board import Board

SYMMETRIES: Final = range(8)
"""The numbers of the eight maps; 0 is the identity."""


@cache
def symmetry_table(size: int, k: int) -> tuple[int, ...]:
    """Return the image of every flat index under map `k`: ``table[move]`` is where it goes."""
    if k not in SYMMETRIES:
        raise ValueError(f"a symmetry must be 0..7: {k!r}")
    table = []
    for row in range(size):
        for col in range(size):
            new_col = size - 1 - col if k & 1 else col
            new_row = size - 1 - row if k & 2 else row
            if k & 4:
                new_row, new_col = new_col, new_row
            table.append(new_row * size + new_col)
    return tuple(table)


def map_move(move: int, size: int, k: int) -> int:
    """Return where map `k` takes the point `move` of a board of `size` lines."""
    if not 0 <= move < size * size:
        raise ValueError(f"move must be 0..{size * size - 1} on a {size}x{size} board: {move!r}")
    return symmetry_table(size, k)[move]


def inverse(k: int) -> int:
    """Return the map that undoes map `k`."""
    # A rotation by a quarter turn (5, 6) is undone by the other one; every other map by itself.
    return {5: 6, 6: 5}.get(k, k)


def map_board(board: Board, k: int) -> Board:
    """Return the image of `board` under map `k`, its moves included."""
    table = symmetry_table(board.size, k)
    return Board(
        size=board.size,
        rule=board.rule,
        cells=_map_cells(board, k),
        to_move=board.to_move,
        moves=tuple(table[move] for move in board.moves),
    )


def canonical_key(board: Board) -> bytes:
    """Return a key that two boards share exactly if a map takes one to the other.

    The key covers size, stones and side to move; rule and order of moves do not matter.
    """
    least = min(_map_cells(board, k) for k in SYMMETRIES)
    return bytes((board.size, board.to_move)) + least


def _map_cells(board: Board, k: int) -> bytes:
    cells = bytearray(len(board.cells))
    for target, cell in zip(symmetry_table(board.size, k), board.cells, strict=True):
        cells[target] = cell
    return bytes(cells)
