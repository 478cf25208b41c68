"""The board as sets of points, and what the rules say of them: five points, forbidden points.

For proofs in plain Python: it searches nothing, and knows no engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from gomoku_lab.game.board import Board
from gomoku_lab.game.renju import prohibition
from gomoku_lab.game.rules import BLACK, WHITE, WIN_LENGTH, Rule

_PAIRS: Final = tuple((i, j) for i in range(WIN_LENGTH) for j in range(i + 1, WIN_LENGTH))


@dataclass(slots=True, eq=False)
class Grid:
    """Where the points of a board stand in the bit sets of proofs, and what binds a side.

    A set of points is an int; the point (row, col) is bit ``row * stride + col``. Each row ends
    with one bit that is never set, so that a shift along a line cannot run into the next row.

    Attributes
    ----------
    size, stride : int
        Lines a side, and bits a row (``size + 1``).
    points : int
        All points of the board.
    steps : tuple of int
        Bits from a point to the next one: along a row, down a column, and down both diagonals.
    exact : bool
        Whether a line longer than five does not win for this side.
    restricted : bool
        Whether there are points on which this side may not play: Black's, under renju.
    turned : Grid
        The same board for the other side; the very same where the rule treats both alike.
    """

    size: int
    stride: int
    points: int
    steps: tuple[int, ...]
    exact: bool
    restricted: bool = False
    turned: Grid = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.turned = self

    def bit(self, move: int) -> int:
        """Return the set that holds only the flat index `move`."""
        row, col = divmod(move, self.size)
        return 1 << (row * self.stride + col)

    def moves(self, points: int) -> frozenset[int]:
        """Return the flat indices of a set of points."""
        return frozenset(map(self.move, single_points(points)))

    def move(self, point: int) -> int:
        """Return the flat index of the only point of a set."""
        row, col = divmod(point.bit_length() - 1, self.stride)
        return row * self.size + col


@cache
def grids(size: int, rule: Rule) -> dict[int, Grid]:
    """Return the grid of each colour on a board of `size` lines."""
    stride = size + 1
    row = (1 << size) - 1
    points = sum(row << (line * stride) for line in range(size))
    steps = (1, stride, stride + 1, stride - 1)
    black = Grid(size, stride, points, steps, rule.is_exact(BLACK), rule is Rule.RENJU)
    if not black.restricted:
        return {BLACK: black, WHITE: black}
    white = Grid(size, stride, points, steps, rule.is_exact(WHITE))
    black.turned, white.turned = white, black
    return {BLACK: black, WHITE: white}


def single_points(points: int) -> Iterator[int]:
    """Split a set into its single points."""
    while points:
        lowest = points & -points
        yield lowest
        points ^= lowest


def board_sets(board: Board) -> tuple[Grid, int, int]:
    """Return the grid of the side to move, its stones and the opponent's stones."""
    lines = grids(board.size, board.rule)[board.to_move]
    own = other = 0
    for move, cell in enumerate(board.cells):
        if cell == board.to_move:
            own |= lines.bit(move)
        elif cell:
            other |= lines.bit(move)
    return lines, own, other


def is_allowed(lines: Grid, own: int, other: int, move: int) -> bool:
    """Tell whether the rule lets `own` play on the empty point `move`."""
    if not lines.restricted:
        return True
    return prohibition(grid_cells(lines, own, other), lines.size, lines.move(move)) is None


def is_stuck(lines: Grid, own: int, other: int) -> bool:
    """Tell whether there are empty points, but none on which `own` may play."""
    if not lines.restricted:
        return False
    empty = lines.points & ~(own | other)
    allowed = (is_allowed(lines, own, other, point) for point in single_points(empty))
    return empty > 0 and not any(allowed)


def grid_cells(lines: Grid, black: int, white: int) -> bytearray:
    """Return the cells of a board, as `Board` has them."""
    cells = bytearray(lines.size**2)
    for colour, stones in ((BLACK, black), (WHITE, white)):
        for point in single_points(stones):
            cells[lines.move(point)] = colour
    return cells


def five_points(lines: Grid, own: int, other: int) -> int:
    """Return the empty points where a stone of `own` completes a five that the rule accepts."""
    found = 0
    for step in lines.steps:
        # before[k]: the k points before it on the line are all own; after[k]: the k points behind.
        before, after = [lines.points], [lines.points]
        for length in range(1, WIN_LENGTH + 1):
            before.append(before[-1] & (own << (length * step)))
            after.append(after[-1] & (own >> (length * step)))
        for length in range(WIN_LENGTH):
            rest = WIN_LENGTH - 1 - length
            five = before[length] & after[rest]
            if lines.exact:
                five &= ~before[length + 1] & ~after[rest + 1]
            found |= five
    return found & lines.points & ~(own | other)


def four_candidates(lines: Grid, own: int, other: int) -> int:
    """Return the empty points that may make a four: every point that does is among them.

    They are the empty points of the five-point windows that hold three stones of `own` and none of
    the opponent.
    """
    empty = lines.points & ~(own | other)
    found = 0
    for step in lines.steps:
        stones = [own >> (place * step) for place in range(WIN_LENGTH)]
        empties = [empty >> (place * step) for place in range(WIN_LENGTH)]
        for first, second in _PAIRS:
            window = empties[first] & empties[second]
            for place in range(WIN_LENGTH):
                if place not in (first, second):
                    window &= stones[place]
            found |= window << (first * step) | window << (second * step)
    return found & empty
