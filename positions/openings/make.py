"""Make the shipped openings anew, or check by self-play that they are balanced.

    python positions/openings/make.py              # writes book.txt and held-out.txt here
    python positions/openings/make.py --check      # plays 100 of them, prints black's score

An opening is 3 to 6 stones drawn at random from the middle 7 x 7 points. It is kept if no threat
decides it, if its depth-8 score (width 16, default weights, from the side to move) is between
-200,000 and -90,000, so that its absolute value is at most 200,000, and if it is new under the
eight symmetries. The band lies below zero because the evaluation counts the opponent's open lines
as if the side to move had nothing to answer: in self-play the two sides score alike near -150,000.
Shallower searches with a wider band go first, only to save time.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from collections.abc import Iterator
from pathlib import Path

import joblib
import numpy as np

from gomoku_lab.engine.config import EngineConfig, SearchLimits
from gomoku_lab.engine.engine import Engine, warm_up
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import BLACK
from gomoku_lab.game.symmetry import canonical_key

SEED = 20_251_129
SIZE = 15
LENGTHS = (3, 4, 5, 6)
MIDDLE = range(4, 11)
BANDS = {4: (-330_000, -50_000), 6: (-240_000, -80_000), 8: (-200_000, -90_000)}
SETS = {"book": 1_700, "held-out": 1_400}
BATCH = 400
JUDGE = EngineConfig(depth=8, width=16)
PLAYER = EngineConfig(nodes=20_000, width=16, vcf_nodes=2_000, sound_gates=True)


def candidate(index: int) -> tuple[int, ...]:
    """Return the opening with that number: a pure function of the seed."""
    rng = np.random.default_rng([SEED, index])
    points = [row * SIZE + col for row in MIDDLE for col in MIDDLE]
    chosen = rng.choice(len(points), size=LENGTHS[index % len(LENGTHS)], replace=False)
    return tuple(points[i] for i in chosen)


def kept(indices: range) -> list[int]:
    """Return those candidates that no threat decides and whose score lies in every band."""
    engine = Engine(JUDGE)
    return [index for index in indices if is_balanced(engine, Board.from_moves(candidate(index)))]


def is_balanced(engine: Engine, board: Board) -> bool:
    """Tell whether the board's scores lie in the bands of all depths."""
    for depth, (low, high) in BANDS.items():
        found = engine.analyse(board, limits=SearchLimits(depth=depth))
        if found.gate != "search" or found.score is None or not low <= found.score <= high:
            return False
    return True


def balanced(jobs: int) -> Iterator[Board]:
    """Yield the openings that are kept, in the order of their numbers."""
    seen: set[bytes] = set()
    starts = itertools.count(0, BATCH)
    while True:
        batches = [range(start, start + BATCH) for start in itertools.islice(starts, 2 * jobs)]
        done = joblib.Parallel(n_jobs=jobs)(joblib.delayed(kept)(batch) for batch in batches)
        for index in itertools.chain.from_iterable(done):
            board = Board.from_moves(candidate(index))
            key = canonical_key(board)
            if key not in seen:
                seen.add(key)
                yield board


def write(jobs: int) -> None:
    """Write all sets; they are disjoint because no position is yielded twice."""
    boards = balanced(jobs)
    for name, number in SETS.items():
        chosen = []
        for board in itertools.islice(boards, number):
            chosen.append(board.move_string())
            if len(chosen) % 100 == 0:
                print(f"{name}: {len(chosen)} of {number}", file=sys.stderr)
        head = [
            f"# {number} openings for a {SIZE}x{SIZE} board, made by make.py with seed {SEED}.",
            f"# Depth-8 score from the side to move within {BANDS[8][0]}..{BANDS[8][1]}.",
        ]
        path = Path(__file__).with_name(f"{name}.txt")
        path.write_text("\n".join([*head, *chosen]) + "\n", encoding="utf-8")


def play(moves: str) -> float:
    """Return black's score when the engine plays an opening out against itself."""
    engine = Engine(PLAYER)
    board = Board.from_moves(moves)
    while not board.is_over:
        move = engine.analyse(board).move
        if move is None:
            break
        board = board.play(move)
    return 0.5 if board.is_draw else float(board.winner == BLACK)


def check(jobs: int, games: int) -> None:
    """Play a sample of all sets and print black's score with its 95 % interval."""
    lines = [
        line
        for name in SETS
        for line in Path(__file__).with_name(f"{name}.txt").read_text("utf-8").splitlines()
        if not line.startswith("#")
    ]
    sample = np.random.default_rng(SEED).choice(lines, size=games, replace=False)
    results = np.array(joblib.Parallel(n_jobs=jobs)(joblib.delayed(play)(str(m)) for m in sample))
    half = 1.96 * results.std(ddof=1) / math.sqrt(games)
    print(
        f"{games} openings, one game each, {PLAYER.nodes} nodes a move: black scored "
        f"{results.mean():.3f} +- {half:.3f} (95 %), {int((results == 0.5).sum())} draws"
    )


def main() -> None:
    """Read the arguments and do one of the two."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="play a sample instead of writing")
    parser.add_argument("--games", type=int, default=100, help="size of that sample (100)")
    parser.add_argument(
        "--jobs", type=int, default=joblib.cpu_count(), help="processes (all cores)"
    )
    arguments = parser.parse_args()
    warm_up(lambda text: print(text, file=sys.stderr))
    if arguments.check:
        check(arguments.jobs, arguments.games)
    else:
        write(arguments.jobs)


if __name__ == "__main__":
    main()
