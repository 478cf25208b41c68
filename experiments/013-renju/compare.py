"""Ask where Black may not play, compiled and by the slow definition, on random points.

    python experiments/013-renju/compare.py [PAIRS] [SEED]

A pair is a random position and one of its empty points. Exit code 1 if the two differ anywhere.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random

from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.game.board import Board
from gomoku_lab.game.renju import Prohibition, prohibition
from gomoku_lab.game.rules import BLACK, DIRECTIONS, EMPTY, WHITE, Rule
from gomoku_lab.kernels.forbidden import forbidden

KINDS = (None, Prohibition.OVERLINE, Prohibition.DOUBLE_FOUR, Prohibition.DOUBLE_THREE)
SIZES = (7, 9, 11, 15, 15, 15, 19, 20)
POINTS_EACH = 10


def random_board(random: Random) -> Board:
    """Return a board that nobody has won: stones anywhere, and black lines that cross."""
    while True:
        size = random.choice(SIZES)
        cells = bytearray(size * size)
        share, whites = random.uniform(0.02, 0.35), random.uniform(0.1, 0.6)
        for point in range(len(cells)):
            if random.random() < share:
                cells[point] = WHITE if random.random() < whites else BLACK
        for _ in range(random.randint(0, 4)):
            _cross(random, cells, size)
        try:
            board = Board(size, Rule.RENJU, bytes(cells), BLACK)
        except ValueError:  # both have won
            continue
        if not board.is_over:
            return board


def _cross(random: Random, cells: bytearray, size: int) -> None:
    """Lay black stones on two lines through a random point, which stays empty."""
    row, col = random.randrange(size), random.randrange(size)
    for d_row, d_col in random.sample(DIRECTIONS, 2):
        for step in random.sample((-4, -3, -2, -1, 1, 2, 3, 4), random.randint(2, 4)):
            r, c = row + step * d_row, col + step * d_col
            if 0 <= r < size and 0 <= c < size:
                cells[r * size + c] = BLACK
    cells[row * size + col] = EMPTY


def main(pairs: int = 200_000, seed: int = 1) -> int:
    """Compare on so many pairs, print a table, and return the exit code."""
    random, seen, differing = Random(seed), Counter[str](), 0
    state = WorkingState(EngineConfig(depth=1, table_bits=0))
    while (left := pairs - seen.total()) > 0:
        board = random_board(random)
        state.set_up(board)
        empty = board.empty_points()
        # Half of the points by lot, half where the compiled test says no, if it does.
        suspect = [move for move in empty if forbidden(state.record, state.cell(move))]
        points = random.sample(empty, min(POINTS_EACH, len(empty)))
        points[: len(suspect[:5])] = suspect[:5]
        for move in points[:left]:
            slow = prohibition(board.cells, board.size, move)
            fast = KINDS[forbidden(state.record, state.cell(move))]
            seen[str(slow or "allowed")] += 1
            if slow != fast:
                differing += 1
                print(f"{board}\n{move}: {slow} by the definition, {fast} compiled")
    for why, number in seen.most_common():
        print(f"{why:14} {number:9,}")
    print(f"{seen.total():,} pairs of seed {seed}: {differing} differ")
    return int(differing > 0)


if __name__ == "__main__":
    raise SystemExit(main(*map(int, sys.argv[1:3])))
