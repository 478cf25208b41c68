"""The final table as text, for every command that ends with one. It computes nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from textwrap import shorten
from typing import TYPE_CHECKING

from gomoku_lab.arena.rows import RATING_HEAD, score_of_counts
from gomoku_lab.cli.columns import aligned
from gomoku_lab.stats.estimate import probability_text, share_text

if TYPE_CHECKING:
    from gomoku_lab.arena.rows import Pairing
    from gomoku_lab.arena.standings import Standings
    from gomoku_lab.arena.tally import Forfeit

_FORFEITS_SHOWN = 10
_DETAIL_WIDTH = 120
_PAIRINGS_SHOWN = 200
_TWO_SOURCES = (
    "neighbours come from the rating model and from all games, pairings from the colour-swapped "
    "pairs\nof those two alone: so the two can differ"
)


def standings_text(standings: Standings, *, pairings: bool = True) -> str:
    """Return the table, the neighbours, the pairings if wanted, and what to know about them."""
    blocks = [
        [standings.games_text],
        _table(standings),
        _advantage(standings),
        _neighbours(standings),
        _pairings(standings) if pairings else [],
        _forfeits(standings),
        [f"warning: {warning}" for warning in standings.warnings],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _table(standings: Standings) -> list[str]:
    lines = aligned([RATING_HEAD, *(row.cells for row in standings.rows)], left=(1,))
    if standings.zero is not None:
        lines += [standings.zero, standings.independent]
    return lines


def _advantage(standings: Standings) -> list[str]:
    losses, draws, wins = standings.black
    score = score_of_counts(standings.black)
    raw = f"; Black scored {share_text(score)} (+{wins} ={draws} -{losses})"
    lines = [standings.advantage_text + ("" if score is None else raw)]
    rate = None if standings.ratings is None else standings.ratings.draw_rate
    if rate is not None:
        lines.append(f"draw rate between equals: {share_text(rate)}")
    return lines


def _neighbours(standings: Standings) -> list[str]:
    """Return the lines that say which neighbours are separated."""
    rows = []
    labels = standings.labels
    for upper in standings.rows:
        if upper.next is not None:
            gap = upper.next.difference
            los = f"LOS {probability_text(gap.los)}"
            names = labels[gap.first], "-", labels[gap.second]
            needed = standings.games_needed(upper.next)
            rows.append((*names, gap.elo.text(), los, needed, upper.next.verdict))
    if not rows:
        return []
    head = ("neighbours", "", "", "difference [95 %]", "", "games needed", "")
    separated, gaps = standings.separated
    return [
        *aligned([head, *rows], left=(0, 1, 2, 6)),
        f"{separated} of {gaps} separated: 95 % interval above 0, each comparison by itself",
        f"games needed{_each(standings)}: for an 80 % chance of that if the difference is as shown",
    ]


def _each(standings: Standings) -> str:
    return "" if standings.games_a_pairing is None else " of each pairing"


def _pairings(standings: Standings) -> list[str]:
    """Return the lines on all who met, those with unpaired games below the others."""
    if len(standings.pairings) > _PAIRINGS_SHOWN:
        return [f"{len(standings.pairings)} pairings: see the report"]
    lines = [
        *_pairing_rows(standings, ("LL", "LD", "WL/DD", "WD", "WW"), "Elo of the pairs"),
        *_pairing_rows(standings, ("losses", "draws", "wins"), "Elo of the games"),
    ]
    paired = any(pairing.pairs for pairing in standings.pairings)
    told = [] if standings.ratings is None or not paired else [_TWO_SOURCES]
    return [*lines, *told]


def _pairing_rows(standings: Standings, units: Sequence[str], elo: str) -> list[str]:
    """Return the lines on those whose games are counted in these units."""
    labels = standings.labels
    rows = [
        _pairing(one, labels) for one in standings.pairings if len(one.report.counts) == len(units)
    ]
    head = ("pairing", "", "", "games", "distinct", *units, "score", elo, "LOS")
    return aligned([head, *rows], left=(0, 1, 2)) if rows else []


def _pairing(pairing: Pairing, labels: Mapping[str, str]) -> tuple[str, ...]:
    return (
        labels[pairing.first],
        "-",
        labels[pairing.second],
        str(pairing.report.games),
        *pairing.cells,
        share_text(pairing.report.score),
        pairing.report.elo.text(),
        probability_text(pairing.report.los),
    )


def _forfeits(standings: Standings) -> list[str]:
    """Return the forfeits, those alike but for numbers in one line."""
    kinds: dict[tuple[str, str, str], list[Forfeit]] = {}
    for one in standings.tally.forfeits:
        kinds.setdefault((one.player, one.reason, re.sub(r"\d+", "0", one.detail)), []).append(one)
    if not kinds:
        return []
    lines = ["forfeits:"]
    for alike in sorted(kinds.values(), key=len, reverse=True)[:_FORFEITS_SHOWN]:
        first = alike[0]
        detail = f"{first.reason}: {first.detail}" if first.detail else first.reason
        times = "" if len(alike) == 1 else f" {len(alike)} times, first"
        what = shorten(detail, _DETAIL_WIDTH)
        lines.append(f"  {first.player}:{times} in {first.run} game {first.game}: {what}")
    if len(kinds) > _FORFEITS_SHOWN:
        lines.append(f"  ... and {len(kinds) - _FORFEITS_SHOWN} more kinds; see the report")
    return lines
