"""The page about an analysis: the board, what each layer thought, what the candidates are worth.

A bound never stands there as a score: tables leave bounds out, and the figure of the candidates
shows them as hollow arrows without a number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

import gomoku_lab
from gomoku_lab.arena.facts import write_whole
from gomoku_lab.arena.provenance import provenance, utc_now
from gomoku_lab.engine.analysis_view import board_picture, html_tables, summary
from gomoku_lab.engine.analysis_view import facts as facts_of
from gomoku_lab.plots import plot_branching, plot_roots, plot_scores
from gomoku_lab.report.markup import details_html, facts_html, list_html, page_html, table_html
from gomoku_lab.report.origin import machine_facts, repeat_html, time_text
from gomoku_lab.report.svg import figure_html

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gomoku_lab.engine.analysis import Analysis
    from gomoku_lab.players.spec import PlayerSpec

_METHOD: Final = (
    "Scores are exact values of a search of the stated depth and width, in units of the player's "
    "evaluation, seen from the side to move of the drawn position. They are no probabilities.",
    "Alpha-beta finds the best move and proves of the others only that they are no better. Such a "
    "bound is no score: its place holds a dash until the move is searched again (--exact).",
    "A win or loss is called proven where it holds against every reply; else it was found in a "
    "tree that is limited by radius and width.",
)

_KEY: Final = "Blue: the move; +: other candidates; red dot: the last move."
_WORDS: Final = ("move", "move?", "line")


def write_analysis(
    path: str | Path, found: Analysis, spec: PlayerSpec, command: Sequence[str]
) -> None:
    """Write the page about `found` to the file `path`; parameters as in `analysis_page`."""
    write_whole(Path(path), analysis_page(found, spec, command))


def analysis_page(found: Analysis, spec: PlayerSpec, command: Sequence[str]) -> str:
    """Return the page.

    Parameters
    ----------
    found : Analysis
        What was found.
    spec : PlayerSpec
        Whose engine looked, with the limits it had.
    command : sequence of str
        The words that make it again.
    """
    facts = {**provenance(), "command": list(command)}
    title = f"{spec.name} on {found.board.move_string() or 'a position'}"
    shown = [
        ("player", spec.name),
        ("configuration hash", spec.config_hash),
        *machine_facts(facts),
        ("made", time_text(utc_now())),
    ]
    body = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="faint">{escape(summary(found))}</p>',
        f"<figure>{board_picture(found)}<figcaption>{_KEY}</figcaption></figure>",
        facts_html(facts_of(found)),
        *(
            table_html(head, rows, title, text=_word_columns(head))
            for title, head, rows in html_tables(found)
        ),
        *_figures(found),
        "<h2>How to read this</h2>",
        list_html(_METHOD),
        "<h2>Where the numbers come from</h2>",
        facts_html(shown),
        repeat_html(facts),
        details_html("the player, as a file that is itself a player", spec.to_toml()),
        f'<p class="faint">Written by gomoku_lab {escape(gomoku_lab.__version__)}.</p>',
    ]
    return page_html(title, body)


def _word_columns(head: Sequence[str]) -> list[int]:
    return [column for column, name in enumerate(head) if name in _WORDS]


def _figures(found: Analysis) -> list[str]:
    made: list[tuple[bool, Callable[[Analysis, Axes], None], str, str, float]] = [
        (
            bool(found.layers),
            plot_scores,
            "scores",
            "Exact score of the best move of each layer; hollow: another move than before.",
            3.4,
        ),
        (
            len(found.layers) > 1,
            plot_branching,
            "branching",
            "By what factor each layer cost more nodes than the one before.",
            3.4,
        ),
        (
            bool(found.roots or found.exact),
            plot_roots,
            "roots",
            "What is known of the candidates. A hollow arrow starts at a bound: the score lies "
            "beyond, nobody knows where.",
            1.4 + 0.24 * len({root.move for root in (*found.roots, *found.exact)}),
        ),
    ]
    shown = [
        figure_html(partial(draw, found), name, caption, (6.5, height))
        for is_there, draw, name, caption, height in made
        if is_there
    ]
    return ["<h2>Figures</h2>", *shown] if shown else []
