"""Make the fixed positions on which `gomoku-lab bench` measures the search for fours.

Run from the checkout: ``python positions/bench/fours.py``. Random stones are placed as long as
neither side gets a five or an open four to make; of 3,000 such positions those are kept in which
black, to move, has the most chains of fours and none that wins.
"""

from __future__ import annotations

import random
from pathlib import Path

from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.engine.solve import Answer, Solver
from gomoku_lab.game.board import Board
from gomoku_lab.kernels import layout
from gomoku_lab.kernels.state import place, remove

FILE = Path(__file__).resolve().parent / "fours.txt"
TRIES, KEPT, STONES = 3_000, 8, 60
HEAD = """\
# Positions of 60 random stones without a five or an open four to be made, in which black, to move,
# has thousands of chains of fours and none that wins; made by fours.py.
"""


def scattered_board(seed: int) -> Board | None:
    """Place random stones that make neither a five point nor an open four possible."""
    state = WorkingState(EngineConfig(depth=1, table_bits=0))
    state.set_up(Board())
    moves: list[int] = []
    for move in random.Random(seed).sample(range(225), 225):
        place(state.record, state.cell(move))
        moves.append(move)
        if state.record["counts"][:, [layout.POINT_FIVE, layout.POINT_OPEN_FOUR]].any():
            remove(state.record)
            moves.pop()
        if len(moves) == STONES:
            return Board.from_moves(moves)
    return None


def main() -> None:
    """Write the file."""
    found = []
    for seed in range(TRIES):
        board = scattered_board(seed)
        if board is not None:
            solution = Solver().vcf(board, nodes=200_000)
            if solution.answer is Answer.REFUTED:
                found.append((solution.nodes, board.move_string()))
    found.sort(reverse=True)
    FILE.write_text(HEAD + "".join(f"{moves}\n" for _, moves in found[:KEPT]), encoding="utf-8")


if __name__ == "__main__":
    main()
