"""Print how long the games of the given run folders are, and how long the burst that ends them."""

import sys
from collections import defaultdict

import numpy as np

from gomoku_lab.arena.store import load_run
from gomoku_lab.game.board import Board
from gomoku_lab.game.record import GameRecord
from gomoku_lab.suite.forcing import fives_of

BINS = (0, 15, 20, 25, 30, 40, 50, 75, 100, 226)


def burst(game: GameRecord) -> int:
    """Count the winner's last moves in a row of which each made a four, the five included."""
    board = Board.from_moves(game.moves, size=game.size, rule=game.rule)
    count = 1
    for ply in range(board.stones - 2, game.opening_moves, -2):
        # After the winner's move it is the loser's turn: the other one's five points are his.
        if not fives_of(Board.from_moves(board.moves[:ply], size=game.size, rule=game.rule))[1]:
            break
        count += 1
    return count


for folder in sys.argv[1:]:
    run = load_run(folder)
    pairings = defaultdict(list)
    for game in run.games():
        pairings[tuple(sorted((game.black.name, game.white.name)))].append(game)
    for names, games in sorted(pairings.items()):
        plies = np.array([len(Board.from_moves(game.moves).moves) for game in games])
        bursts = np.array([burst(game) for game in games if game.reason == "five"])
        print(" - ".join(names))
        edges = np.percentile(plies, [5, 25, 50, 75, 95]).astype(int)
        print(f"  {len(games)} games; plies at 5, 25, 50, 75, 95 %: {', '.join(map(str, edges))}")
        counts = np.histogram(plies, BINS)[0]
        spans = zip(BINS, BINS[1:], counts, strict=False)
        print("  " + ", ".join(f"{low}-{high - 1}: {count}" for low, high, count in spans))
        shares = [f"{n}: {np.mean(bursts >= n):.0%}" for n in (2, 3, 4, 5)]
        print(f"  winners whose last n moves were all fours or the five: {', '.join(shares)}")
