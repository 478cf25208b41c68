"""Replay the games of a run by the rules, forbidden moves included, and count how they ended.

    python experiments/013-renju/replay.py RUN

Exit code 1 if a move cannot be played, or a game was forfeited.
"""

from __future__ import annotations

import sys
from collections import Counter

from gomoku_lab.arena.store import load_run
from gomoku_lab.game.rules import BLACK


def main(folder: str) -> int:
    """Replay all games of the run, print the counts, and return the exit code."""
    reasons, refused, forbidden = Counter[str](), 0, 0
    for pair in load_run(folder).pairs:
        for game in pair:
            reasons[game.reason] += 1
            try:
                board = game.board()
            except ValueError as error:
                refused += 1
                print(f"{game.id}: {error}")
                continue
            game.check_outcome()
            while board.moves:
                board = board.undo()
                forbidden += board.to_move == BLACK and bool(board.forbidden_points())
    games, forfeits = reasons.total(), reasons["illegal move"] + reasons["crash"] + reasons["time"]
    for reason, number in reasons.most_common():
        print(f"{reason:14} {number:6,}")
    print(f"{games:,} games, {forfeits} forfeited, {refused} with a move against the rules;")
    print(f"{forbidden:,} times Black moved where some point was forbidden to him")
    return int(bool(forfeits or refused))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
