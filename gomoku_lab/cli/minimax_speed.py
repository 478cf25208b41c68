"""What ``gomoku-lab bench`` measures of `minimax`: what each part of it saves, and its moves' time.

Nodes are counted at a fixed depth, one layer alone, so that they repeat exactly.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from statistics import median

import numpy as np

from gomoku_lab.cli.gauges import Gauge
from gomoku_lab.game.board import Board
from gomoku_lab.players.minimax import set_up, sorted_moves
from gomoku_lab.players.minimax_config import MinimaxConfig
from gomoku_lab.players.registry import make_player

_PLIES = range(1, 10)


def pruning_savings(boards: Sequence[Board], few: int) -> Iterator[Gauge]:
    """Measure which share of the nodes pruning saves; at depth 4 only on the first `few` boards."""
    for depth in (2, 3, 4):
        some = boards[: few if depth == 4 else len(boards)]
        whole = _nodes(some, depth, "pruning=false")
        for key, label, switches in (
            ("ordered", "with ordering", ""),
            ("unordered", "in board order", "ordering=false"),
        ):
            spent = _nodes(some, depth, switches)
            saved = [1 - cut / all_ for cut, all_ in zip(spent, whole, strict=True)]
            yield Gauge(
                f"pruning_depth{depth}_{key}",
                f"minimax: nodes that pruning saves at depth {depth}, {label}",
                median(saved),
                "share",
                at_least=0.6 if key == "ordered" else None,
                note=f"median of {len(some)} positions; the article says 0.8",
            )


def ordering_savings(boards: Sequence[Board]) -> Iterator[Gauge]:
    """Measure how many times the nodes a search with pruning needs if its moves are not sorted."""
    for depth in (3, 4):
        began = time.perf_counter()
        own = _nodes(boards, depth, "")
        between = time.perf_counter()
        without = _nodes(boards, depth, "ordering=false")
        seconds = between - began, time.perf_counter() - between
        yield Gauge(
            f"ordering_depth{depth}",
            f"minimax: nodes without ordering to nodes with it, depth {depth}",
            median(more / few for more, few in zip(without, own, strict=True)),
            "times",
            at_least=3.0 if depth == 3 else None,
            note=f"median of {len(boards)} positions; {seconds[1]:.2f} s to {seconds[0]:.2f} s",
        )


def minimax_times(boards: Sequence[Board]) -> Iterator[Gauge]:
    """Measure a move's time at depths 4 and 6, and that of the product engine at depth 4."""
    for key, name, gate, claim in (
        ("minimax_depth4", "minimax/hard:depth=4", 2.0, "; the article says 1 to 2 s"),
        ("lab_depth4", "lab/max:depth=4,time_ms=0", None, ""),
        ("minimax_hard", "minimax/hard", 1.5, "; the article says 0.3 s, and 1.5 s for depth 6"),
    ):
        player = make_player(name)
        player.choose(boards[0])  # loads what is loaded late
        seconds = []
        for board in boards:
            started = time.perf_counter()
            player.choose(board)
            seconds.append(time.perf_counter() - started)
        yield Gauge(
            f"{key}_seconds",
            f"{name}: a move, median",
            median(seconds),
            "s",
            at_most=gate,
            note=f"{len(boards)} positions, at most {max(seconds):.1f} s{claim}",
        )


def minimax_candidates(boards: Sequence[Board]) -> Gauge:
    """Count the moves that `minimax` considers in the first nine plies of the games of `boards`."""
    counts = []
    for board in boards:
        for ply in _PLIES:
            early = Board.from_moves(board.moves[:ply], size=board.size, rule=board.rule)
            s, lines = set_up(early, MinimaxConfig(depth=1))
            counts.append(len(sorted_moves(early, s, lines)))
    few = float(np.mean(np.array(counts) < 30))
    return Gauge(
        "minimax_candidates",
        f"minimax: candidates at plies {_PLIES[0]} to {_PLIES[-1]}, median",
        median(counts),
        "candidates",
        note=f"{min(counts)} to {max(counts)}; below 30, as the article says: {few:.0%}",
    )


def _nodes(boards: Sequence[Board], depth: int, switches: str) -> list[int]:
    """Count the nodes of one layer on each board."""
    overrides = ",".join(part for part in (f"depth={depth},deepening=false", switches) if part)
    player = make_player(f"minimax/hard:{overrides}")
    return [player.choose(board).nodes for board in boards]
