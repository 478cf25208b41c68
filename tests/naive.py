"""Slow, obvious versions of what the package computes cleverly. Tests compare the two."""

from __future__ import annotations

# --- game: lines, winner, candidates ---------------------------------------------------------


def all_lines(size):
    """List every straight line of the board, in its four directions, as lists of flat indices."""
    rows = [[(r, c) for c in range(size)] for r in range(size)]
    columns = [[(r, c) for r in range(size)] for c in range(size)]
    falling = [
        [(r, r - d) for r in range(size) if 0 <= r - d < size] for d in range(1 - size, size)
    ]
    rising = [[(r, s - r) for r in range(size) if 0 <= s - r < size] for s in range(2 * size - 1)]
    return [[r * size + c for r, c in line] for line in rows + columns + falling + rising]


def runs(board):
    """List (colour, points) of every maximal unbroken run of stones, single stones included."""
    found = []
    for line in all_lines(board.size):
        start = 0
        while start < len(line):
            colour = board.cells[line[start]]
            end = start + 1
            while end < len(line) and board.cells[line[end]] == colour:
                end += 1
            if colour:
                found.append((colour, line[start:end]))
            start = end
    return found


def winning_runs(board):
    """List the runs that win under the board's rule."""
    exact = {"freestyle": (), "standard": (1, 2), "renju": (1,)}[board.rule]  # the colours
    return [
        (colour, points)
        for colour, points in runs(board)
        if (len(points) == 5 if colour in exact else len(points) >= 5)
    ]


def winner(board):
    """Give the colour of a winning run, 0 if there is none."""
    return max((colour for colour, _ in winning_runs(board)), default=0)


def empty_points(board):
    """List all empty points, row by row: the candidates of a generator without a filter."""
    return [move for move in range(board.size**2) if board.cells[move] == 0]


def candidates(board, radius):
    """List the empty points within Chebyshev distance `radius` of a stone; [] without stones."""
    size = board.size
    stones = [divmod(i, size) for i in range(size * size) if board.cells[i]]
    return [
        move
        for move in empty_points(board)
        if any(
            max(abs(move // size - row), abs(move % size - col)) <= radius for row, col in stones
        )
    ]
