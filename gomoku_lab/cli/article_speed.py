"""What ``gomoku-lab bench`` measures of the articles' players, on the fixed positions, on one core.

A move is timed as the arena asks for it: through the player, everything included.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from statistics import median

import numpy as np

from gomoku_lab.cli.gauges import Gauge
from gomoku_lab.game.board import Board
from gomoku_lab.players.pattern import PatternPlayer
from gomoku_lab.players.registry import make_player, presets

_PATTERN_MS = {"pattern/easy": 20.0, "pattern/medium": 20.0, "pattern/hard": 150.0}
_FIRST_PLY, _LAST_PLY = 2, 10
_MS = 1_000.0


def pattern_speed(boards: Sequence[Board], repeats: int) -> Iterator[Gauge]:
    """Measure how long the moves of `pattern` take; of each position the fastest run counts."""
    for name in presets("pattern"):
        player = _pattern(name)
        seconds, candidates = [], 0
        for board in boards:
            seconds.append(min(_move_seconds(player, board) for _ in range(repeats)))
            candidates += player.work.candidates
        level = name.partition("/")[2]
        yield Gauge(
            f"pattern_{level}_p95_ms",
            f"{name}: a move, 95th percentile",
            float(np.percentile(seconds, 95)) * _MS,
            "ms",
            at_most=_PATTERN_MS[name],
            note=f"{len(boards)} positions",
        )
        if name == "pattern/hard":
            yield Gauge(
                "pattern_hard_moves",
                f"{name}: moves, everything included",
                len(seconds) / sum(seconds),
                "moves/s",
                at_least=2_000,
            )
        yield Gauge(
            f"pattern_{level}_candidates",
            f"{name}: candidates scored for both sides",
            candidates / sum(seconds),
            "a second",
            at_least=1e4,
        )


def pattern_candidates(games: int) -> Gauge:
    """Count the candidates of early plies when ``pattern/medium`` plays itself."""
    player = _pattern("pattern/medium")
    counts = []
    for seed in range(games):
        player.new_game(np.random.SeedSequence(seed))
        board = Board()
        for ply in range(1, _LAST_PLY + 1):
            move = player.choose(board).move
            if move is None:
                break
            board = board.play(move)
            if ply >= _FIRST_PLY:
                counts.append(player.work.candidates)
    return Gauge(
        "pattern_candidates",
        f"candidates at plies {_FIRST_PLY} to {_LAST_PLY} of pattern/medium against itself, median",
        median(counts),
        "candidates",
        at_most=60,
        note=f"{games} games from the empty board, {min(counts)} to {max(counts)}",
    )


def _pattern(name: str) -> PatternPlayer:
    player = make_player(name)
    assert isinstance(player, PatternPlayer)
    return player


def _move_seconds(player: PatternPlayer, board: Board) -> float:
    started = time.perf_counter()
    player.choose(board)
    return time.perf_counter() - started
