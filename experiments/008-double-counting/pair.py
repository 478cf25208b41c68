"""Print what each evaluation makes of the shipped pair, and of it with the gap closed up."""

from dataclasses import replace

from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.engine import evaluate
from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import parse_move
from gomoku_lab.game.rules import BLACK
from gomoku_lab.players.registry import resolve
from gomoku_lab.players.textbook import Textbook, TextbookConfig
from gomoku_lab.suite.pairs import load_pairs, prove_pair


def without_gap(board: Board) -> Board:
    """Return the better board of the pair with the stone on g8 moved to h8."""
    cells = bytearray(board.cells)
    cells[parse_move("g8", 15)], cells[parse_move("h8", 15)] = 0, BLACK
    return replace(board, cells=bytes(cells))


(pair,) = load_pairs()
lab = resolve("lab/max").config
assert isinstance(lab, EngineConfig)
published, once = (Textbook(TextbookConfig(per_stone=each)) for each in (True, False))
print(f"{pair.id}: {pair.why}")
print(f"proof: {'; '.join(prove_pair(pair)) or f'the order holds within {pair.within} moves'}")
print(f"{'':24}{'better':>12}{'worse':>12}{'gap closed':>12}")
boards = (pair.better, pair.worse, without_gap(pair.better))
for name, values in (
    ("textbook", [published.evaluate(board, BLACK) for board in boards]),
    ("each line once", [once.evaluate(board, BLACK) for board in boards]),
    ("lab", [evaluate(board, lab) for board in boards]),
):
    print(f"{name:24}" + "".join(f"{value:12,}" for value in values))
for depth in (1, 2, 3):
    values = [published.value(board, depth, root=BLACK) for board in boards]
    print(f"{f'textbook, depth {depth}':24}" + "".join(f"{value:12,}" for value in values))
