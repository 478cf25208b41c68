"""The slow oracle of the solver: victory by fours, from the rules alone, every move tried.

It shares no code with the kernels, nor with the provers of the suite: windows of five points are
counted, and every reply of the defender's that does not lose at once is played.
"""

from functools import cache, lru_cache
from typing import NamedTuple

from gomoku_lab.game.renju import prohibition

EMPTY, BLACK, WHITE = range(3)


@cache
def windows(size):
    """List all fives of points in line, each with the points before and after it (None: edge)."""
    found = []
    for row in range(size):
        for col in range(size):
            for d_row, d_col in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + d_row * k, col + d_col * k) for k in range(-1, 6)]
                inside = [0 <= r < size and 0 <= c < size for r, c in line]
                if all(inside[1:6]):
                    flat = [
                        r * size + c if ok else None
                        for (r, c), ok in zip(line, inside, strict=True)
                    ]
                    found.append((tuple(flat[1:6]), flat[0], flat[6]))
    return tuple(found)


class Stones(NamedTuple):
    """A position: the cells, the side to move, size and rule."""

    cells: bytes
    side: int
    size: int
    rule: str

    @classmethod
    def of(cls, board):
        return cls(board.cells, board.to_move, board.size, str(board.rule))

    def play(self, move):
        cells = bytearray(self.cells)
        assert cells[move] == EMPTY
        cells[move] = self.side
        return self._replace(cells=bytes(cells), side=3 - self.side)


def is_exact(stones, colour):
    """Tell whether only exactly five in a row win for a colour."""
    return stones.rule == "standard" or (stones.rule == "renju" and colour == BLACK)


@lru_cache(maxsize=200_000)
def five_points(stones, colour):
    """Return the empty points where a stone of the colour completes a five that wins."""
    cells, found = stones.cells, set()
    for points, before, after in windows(stones.size):
        content = [cells[point] for point in points]
        if content.count(colour) == 4 and content.count(EMPTY) == 1:
            longer = any(end is not None and cells[end] == colour for end in (before, after))
            if not (longer and is_exact(stones, colour)):
                found.add(points[content.index(EMPTY)])
    return frozenset(found)


def may_play(stones, move):
    """Tell whether the side to move may play on an empty point."""
    if stones.rule != "renju" or stones.side != BLACK:
        return True
    return prohibition(stones.cells, stones.size, move) is None


def four_moves(stones):
    """List the points after which the side to move may have a four: three stones of a window."""
    cells, found = stones.cells, set()
    for points, _, _ in windows(stones.size):
        content = [cells[point] for point in points]
        if content.count(stones.side) == 3 and content.count(EMPTY) == 2:
            found.update(p for p, cell in zip(points, content, strict=True) if cell == EMPTY)
    return sorted(found)


@lru_cache(maxsize=200_000)
def fours_to_win(stones, most):
    """Return the fewest fours with which the side to move wins by fours and then five, or None.

    0 is a five at once. `most` limits the number of fours.
    """
    if five_points(stones, stones.side):
        return 0
    for fours in range(1, most + 1):
        if any(starts(stones, move, fours) for move in four_moves(stones)):
            return fours
    return None


def starts(stones, move, fours):
    """Tell whether `move`, which makes no five, starts a win by at most `fours` fours."""
    if not may_play(stones, move):
        return False
    after = stones.play(move)
    fives = five_points(after, stones.side)
    if not fives or five_points(after, after.side):
        return False
    answers = [point for point in fives if may_play(after, point)]
    return all(wins_within(after.play(answer), fours - 1) for answer in answers)


@lru_cache(maxsize=400_000)
def wins_within(stones, fours):
    """Tell whether the side to move wins by at most `fours` fours and then five."""
    if five_points(stones, stones.side):
        return True
    return fours > 0 and any(starts(stones, move, fours) for move in four_moves(stones))


def first_moves(stones, most):
    """Return own five points, else all fours that start a win by at most `most` fours."""
    fives = five_points(stones, stones.side)
    return fives or frozenset(move for move in four_moves(stones) if starts(stones, move, most))
