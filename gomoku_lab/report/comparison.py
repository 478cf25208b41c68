"""The page about a comparison: are these players really different, in this order.

It is whole in itself, as all reports of the lab are, and computes no statistics.
"""

from __future__ import annotations

from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

import gomoku_lab
from gomoku_lab.arena.compared import (
    Table,
    colour_table,
    largest_surprises,
    los_table,
    opening_table,
    pair_table,
    surprise_table,
)
from gomoku_lab.arena.facts import write_whole
from gomoku_lab.plots import plot_spacing
from gomoku_lab.report.markup import list_html, page_html, table_html
from gomoku_lab.report.origin import provenance_html
from gomoku_lab.report.replays import run_replays_html
from gomoku_lab.report.svg import figure_html

if TYPE_CHECKING:
    from collections.abc import Collection

    from gomoku_lab.arena.comparison import Comparison

_MOST_IN_MATRIX: Final = 30
_METHOD: Final = (
    "Ratings: Davidson's model with draws and one parameter for what moving first is worth, by "
    "maximum likelihood. Standard errors are those of what whole openings add, since games of one "
    "opening may depend on each other.",
    "Of many differences some look separated by chance. Here the intervals hold all at once with "
    "95 %: the bootstrap draws whole openings with replacement, fits every resample, and takes the "
    "half-width that the largest of all deviations exceeds in 5 % of them (max-t). Neighbours are "
    "one family, all pairs another one. A difference that has only a bound takes its share of the "
    "5 % after Bonferroni.",
    "p: the level at which the interval would just reach 0, adjusted for the family. LOS, the "
    "likelihood of superiority, is of each difference by itself.",
    "The probability of the whole order is that of all neighbours at once, under a flat prior.",
    "Games needed: for an 80 % chance that the interval excludes 0, if the difference is as "
    "estimated and all pairings are played as often.",
    "Surprise: how many standard errors a player did better against another one than one rating "
    "each can explain. A test of all of them tells whether such ratings fit at all; players who "
    "beat each other in a circle show here.",
    "Scores by colour are not adjusted for the opponents. Openings: the squared distances of "
    "Black's score from what the fit expects, over what they would be by chance.",
)


def write_comparison(path: str | Path, comparison: Comparison) -> None:
    """Write the report of `comparison` to the file `path`."""
    write_whole(Path(path), comparison_html(comparison))


def comparison_html(comparison: Comparison) -> str:
    """Return the report as one HTML page."""
    standings = comparison.standings
    runs = standings.tally.runs
    names = ", ".join(run.path.resolve().name for run in runs)
    order = len(comparison.separation.order)
    body = [
        f"<h1>{escape(names)}: are they different, in this order?</h1>",
        f'<p class="faint">{escape(standings.games_text)}</p>',
        list_html(standings.warnings, "warnings"),
        *(f"<p>{escape(_sentence(line))}</p>" for line in comparison.answer),
        list_html(comparison.sentences),
        _spacing(comparison),
        "<h2>Tiers</h2>",
        _tiers(comparison),
        "<h2>All pairs</h2>",
        _table(pair_table(comparison), _sentence(comparison.method), (0, 1, 2, 7)),
        _matrix(los_table(comparison), "Probability that the row's player is the stronger one.")
        if order <= _MOST_IN_MATRIX
        else "",
        "<h2>How well the ratings fit</h2>",
        f"<p>{escape(_sentence(comparison.fit_answer))}</p>",
        _matrix(surprise_table(comparison), "Standard errors above what the fit expects.")
        if comparison.fit_test and order <= _MOST_IN_MATRIX
        else "",
        _table(largest_surprises(comparison), "The pairings that fit worst.", (0, 1, 2)),
        "<h2>Colours and openings</h2>",
        _table(colour_table(comparison), "Differences are in points of per cent.", (0,)),
        f"<p>{escape(_sentence(comparison.openings_answer))}</p>",
        _table(opening_table(comparison), "p is adjusted for the number of openings.", (0,)),
        "<h2>Games</h2>",
        run_replays_html(runs),
        "<h2>How to read this</h2>",
        list_html(_METHOD),
        f"<p>{escape(_sentence(standings.independent))}</p>",
        "<h2>Where the numbers come from</h2>",
        *map(provenance_html, runs),
        f'<p class="faint">Written by gomoku_lab {escape(gomoku_lab.__version__)}.</p>',
    ]
    return page_html(f"{names}: comparison", body)


def _sentence(text: str) -> str:
    """Return words that begin and end as a sentence does."""
    return f"{text[0].upper()}{text[1:]}."


def _spacing(comparison: Comparison) -> str:
    inches = (6.0, 1.2 + 0.75 * len(comparison.separation.neighbours))
    caption = (
        "How far each player stands above the next one. Thin bars hold all at once with 95 %, "
        "thick ones each by itself; a hollow point is not separated, an arrow starts at a bound."
    )
    return figure_html(partial(plot_spacing, comparison), "spacing", caption, inches)


def _tiers(comparison: Comparison) -> str:
    rows = [(str(place), members) for place, members in enumerate(comparison.tiers, start=1)]
    caption = "Within a tier nobody is separated from anybody; a player can belong to several."
    return table_html(("tier", "players"), rows, caption, text=(1,))


def _table(table: Table, caption: str, text: Collection[int]) -> str:
    return table_html(table[0], table[1:], caption, text=text) if table else ""


def _matrix(table: Table, caption: str) -> str:
    return _table(table, caption, (1,))
