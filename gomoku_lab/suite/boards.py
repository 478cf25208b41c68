"""The boards of the benchmark: fixed, made once, without a question and without an answer."""

from __future__ import annotations

from gomoku_lab._data import data_path
from gomoku_lab.arena.openings import load_openings
from gomoku_lab.game.board import Board


def six_stone_boards() -> list[Board]:
    """Return the fixed positions of six stones."""
    return _boards("six-stones.txt")


def mid_game_boards() -> list[Board]:
    """Return the 100 fixed mid-game positions, none of which is decided within eight plies."""
    return _boards("mid-game.txt")


def bench_boards() -> list[Board]:
    """Return the positions on which speed is measured: all of six stones, as many mid-game ones."""
    early = six_stone_boards()
    return early + mid_game_boards()[: len(early)]


def _boards(name: str) -> list[Board]:
    return [opening.board() for opening in load_openings(data_path("positions", "bench", name))]
