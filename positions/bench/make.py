"""Make the fixed positions that `gomoku-lab bench` measures on: six-stone ones and mid-game ones.

Run from the checkout: ``python positions/bench/make.py``. Games start from three random stones near
the centre and are played on by a shallow search that often errs; a position is kept if no gate
decides it and a search of eight plies finds no win, so that there every layer up to eight has to be
searched. The files are kept, so that times can be compared from version to version; another engine
would make others.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.engine import Engine
from gomoku_lab.game.board import Board
from gomoku_lab.game.symmetry import canonical_key

FOLDER = Path(__file__).resolve().parent
SEED = 20_261_129
PLAYER = EngineConfig(depth=2, width=12, noise=0.4, noise_scope="search")
JUDGE = EngineConfig(depth=8, width=16)


def quiet_position(
    player: Engine, judge: Engine, rng: np.random.Generator, stones: int
) -> Board | None:
    """Play one game to `stones` stones; return the board, or None if it is decided."""
    board = Board()
    near = [row * 15 + col for row in range(5, 10) for col in range(5, 10)]
    for move in rng.choice(near, size=3, replace=False).tolist():
        board = board.play(move)
    while board.stones < stones:
        move = player.analyse(board, rng=rng).move
        if move is None:
            return None
        board = board.play(move)
    judged = judge.analyse(board)
    return board if judged.gate == "search" and judged.mate is None else None


def collect(count: int, fewest: int, most: int, stream: int) -> list[str]:
    """Return `count` move strings of different positions with fewest..most stones."""
    rng = np.random.default_rng([SEED, stream])
    player, judge = Engine(PLAYER), Engine(JUDGE)
    found: dict[bytes, str] = {}
    while len(found) < count:
        board = quiet_position(player, judge, rng, int(rng.integers(fewest, most + 1)))
        if board is not None:
            found.setdefault(canonical_key(board), board.move_string())
    return list(found.values())


def write(name: str, what: str, lines: list[str]) -> None:
    """Write one file in the format of the openings."""
    head = f"# {what}, made by make.py with seed {SEED}.\n"
    (FOLDER / name).write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write("six-stones.txt", "Positions of six stones", collect(12, 6, 6, 0))
    write("mid-game.txt", "Mid-game positions, 12 to 40 stones", collect(100, 12, 40, 1))
