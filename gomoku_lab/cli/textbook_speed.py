"""What ``gomoku-lab bench`` measures of the family `textbook`: compiled against plain Python.

The plain form is the tests' oracle, so that this number exists in a checkout only.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import gomoku_lab
from gomoku_lab.cli.gauges import Gauge
from gomoku_lab.game.board import Board
from gomoku_lab.players.textbook import Textbook, TextbookConfig

CLUSTERED = "h8i9i8h9g8g9j9i10"
SCATTERED = "h8d12l4d4l12h13h3c8"
_PLAIN = Path(gomoku_lab.__file__).parents[1] / "tests" / "naive_textbook.py"
_REPEATS = 5


def compiled_over_plain(boards: Sequence[Board]) -> Iterator[Gauge]:
    """Compare the processor time of ``textbook/depth3`` with that of the same in plain Python.

    Both visit the same nodes and choose the same moves, or this fails.
    """
    if not _PLAIN.exists():
        return
    plain, engine = _load_plain(), Textbook(TextbookConfig())
    slow = fast = 0.0
    for board in boards:
        started = time.process_time()
        move, _ = plain.choose_move(plain.board_of(board.cells, board.size), board.to_move)
        slow += time.process_time() - started
        started = time.process_time()
        for _ in range(_REPEATS):
            choice = engine.choose(board)
        fast += (time.process_time() - started) / _REPEATS
        if choice.move != move[0] * board.size + move[1]:
            raise AssertionError(f"the two forms of textbook disagree on {board!r}")
    yield Gauge(
        "textbook_ratio",
        "textbook/depth3 compiled over plain Python",
        slow / fast,
        "times",
        at_least=50,
        note=f"{len(boards)} positions of six stones, {slow:.1f} s against {fast * 1000:.1f} ms",
    )


def clustering() -> Iterator[Gauge]:
    """Measure what clustered stones spare the guide's search."""
    engine = Textbook(TextbookConfig())
    for name, moves in (("clustered", CLUSTERED), ("scattered", SCATTERED)):
        board = Board.from_moves(moves)
        count = len(engine.candidates(board))
        nodes = engine.choose(board).nodes
        note = f"textbook/depth3 on {moves}: {nodes:,} nodes to depth {engine.config.depth}"
        yield Gauge(
            f"candidates_{name}", f"candidates, {board.stones} {name} stones", count, note=note
        )


def _load_plain() -> Any:
    spec = spec_from_file_location("naive_textbook", _PLAIN)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
