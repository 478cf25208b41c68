"""A comparison as text. It computes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gomoku_lab.arena.compared import (
    Table,
    colour_table,
    largest_surprises,
    los_table,
    opening_table,
    pair_table,
    surprise_table,
)
from gomoku_lab.cli.columns import aligned

if TYPE_CHECKING:
    from gomoku_lab.arena.comparison import Comparison

_PAIRS_SHOWN = 66
_MATRIX_PLAYERS = 12
_COLOURS_SHOWN = 30


def comparison_text(comparison: Comparison) -> str:
    """Return the answer, what it rests on, and what else the games say."""
    players = len(comparison.separation.order)
    small = 2 < players <= _MATRIX_PLAYERS
    blocks = [
        [comparison.standings.games_text],
        comparison.answer,
        comparison.sentences,
        _tiers(comparison),
        _pairs(comparison),
        _lines(los_table(comparison), 1) if small else [],
        [comparison.fit_answer],
        _lines(surprise_table(comparison), 1) if small and comparison.fit_test else [],
        _lines(largest_surprises(comparison), 0, 1, 2),
        _lines(colour_table(comparison)[: _COLOURS_SHOWN + 1], 0),
        [comparison.openings_answer],
        _lines(opening_table(comparison), 0),
        [comparison.method, comparison.standings.independent],
        [f"warning: {warning}" for warning in comparison.standings.warnings],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _lines(table: Table, *left: int) -> list[str]:
    return aligned(table, left=left) if table else []


def _tiers(comparison: Comparison) -> list[str]:
    tiers = comparison.tiers
    rows = [(str(place), members) for place, members in enumerate(tiers, start=1)]
    return ["tiers, within which nobody is separated from anybody", *aligned(rows, left=(1,))]


def _pairs(comparison: Comparison) -> list[str]:
    """Return the lines on all pairs, unless there are too many or none beside the neighbours."""
    pairs = comparison.separation.pairs
    if len(pairs) > _PAIRS_SHOWN:
        return [f"{len(pairs)} pairs: see --json or --html"]
    if len(pairs) == 1:
        return []
    return [
        *aligned(pair_table(comparison), left=(0, 1, 2, 7)),
        "more games: of each pairing, for an 80 % chance of a separation if the difference is as "
        "shown",
    ]
