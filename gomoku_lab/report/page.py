"""The page about the ratings of one or more runs, and everything that they rest on.

The file is whole in itself: it loads nothing, runs no script, and reads well on a phone, on paper
and on a dark screen. It computes no statistics.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

import gomoku_lab
from gomoku_lab.arena.facts import write_whole
from gomoku_lab.arena.imported import AnyRun, ImportedRun
from gomoku_lab.arena.rows import RATING_HEAD, score_of_counts
from gomoku_lab.arena.sequential import judge_run
from gomoku_lab.plots import MOST_NUMBERED, plot_crosstable, plot_ladder, plot_sprt
from gomoku_lab.report.markup import (
    list_html,
    page_html,
    table_html,
)
from gomoku_lab.report.origin import provenance_html, time_text
from gomoku_lab.report.replays import MOST_REPLAYS, run_replays_html
from gomoku_lab.report.svg import figure_html
from gomoku_lab.stats.estimate import probability_text, share_text

if TYPE_CHECKING:
    from gomoku_lab.arena.rows import Pairing
    from gomoku_lab.arena.standings import Standings

REPORT_FILE: Final = "report.html"

_METHOD: Final = (
    "Ratings: Davidson's model, which extends Bradley-Terry by draws, with one parameter for what "
    "moving first is worth, fitted by maximum likelihood without any prior. Intervals come from "
    "the covariance of all ratings, so the interval of a difference is narrower than the two "
    "players' own intervals suggest. Games of one opening may depend on each other: standard "
    "errors are those of what whole openings add (a sandwich estimate), weighed in each pairing "
    "against four openings' worth of the model's own; Student's quantiles allow for their number.",
    "A player that won or lost everything has no finite rating. It has a bound, which holds with "
    "95 % confidence; there the two games of an opening count as one.",
    "Neighbours are called separated where the 95 % interval of their difference lies above 0. "
    "Each comparison stands by itself: of 20 true ties about one looks separated.",
    "Pairings: every opening is played twice with colours swapped. LL to WW count what the first "
    "player made of the two games; the Elo of the score comes from these pairs alone and is "
    "compressed where moving first decides games. LOS is the likelihood of superiority.",
    "Imported games count as a pair only where the same two players began from the same opening "
    "stones with colours swapped. Where two players have games outside of pairs, all their games "
    "are counted one by one, as losses, draws and wins. Results without colours say nothing about "
    "the first move, those without draws nothing about the draw rate: such a result is fitted as "
    "the odds of a win against a loss, which in the model do not depend on draws.",
)


def write_report(path: str | Path, standings: Standings, *, games: int = MOST_REPLAYS) -> None:
    """Write the report of `standings` to the file `path`; parameters as in `report_html`."""
    write_whole(Path(path), report_html(standings, games=games))


def report_html(standings: Standings, *, games: int = MOST_REPLAYS) -> str:
    """Return the report as one HTML page, with at most so many games to step through."""
    runs = standings.tally.runs
    names = ", ".join(run.path.resolve().name for run in runs)
    body = [
        f"<h1>{escape(names)}</h1>",
        f'<p class="faint">{escape(_summary(standings))}</p>',
        list_html(standings.warnings, "warnings"),
        "<h2>Ratings</h2>",
        _ladder(standings),
        _ratings(standings),
        _advantage(standings),
        _neighbours(standings),
        "<h2>Who against whom</h2>",
        _crosstable(standings),
        _pairings(standings),
        "<h2>How the games ended</h2>",
        _endings(standings),
        _forfeits(standings),
        *(_test_html(run) for run in runs),
        "<h2>Games</h2>",
        run_replays_html(runs, games),
        "<h2>How to read this</h2>",
        list_html(_METHOD),
        "<h2>Where the numbers come from</h2>",
        *map(provenance_html, runs),
        f'<p class="faint">Written by gomoku_lab {escape(gomoku_lab.__version__)}.</p>',
    ]
    return page_html(f"{names}: ratings", body)


def _test_html(run: AnyRun) -> str:
    """Return how the sequential test of a match went, if it has one."""
    if isinstance(run, ImportedRun) or run.config.sprt is None:
        return ""
    test = judge_run(run)
    verdict = test.state.verdict or "Nothing is decided."
    caption = (
        "Log-likelihood ratio of the two hypotheses, pair after pair in the order of the schedule; "
        "it decides at a dashed line, and is no measure of strength."
    )
    figure = figure_html(partial(plot_sprt, test.to_dict()), "sprt", caption, (6.5, 3.6))
    return f"<h2>Sequential test</h2><p>{escape(verdict)}</p>{figure}"


def _summary(standings: Standings) -> str:
    start = min(run.facts["started"] for run in standings.tally.runs)
    return f"{standings.games_text}, started {time_text(start)}"


def _ladder(standings: Standings) -> str:
    if standings.ratings is None:
        return "<p>There is no common scale for these players; the warning above says why.</p>"
    inches = (5.5, 1.0 + 0.55 * len(standings.rows))
    caption = "Rating of each player with its 95 % interval; an arrow starts at a bound."
    return figure_html(partial(plot_ladder, standings), "ladder", caption, inches)


def _crosstable(standings: Standings) -> str:
    players = len(standings.rows)
    numbered = players <= MOST_NUMBERED
    side = (0.75 if numbered else 0.3) * max(3, players)
    inches = (3.5 + side, 1.0 + side)
    told = ", with the number of games." if numbered else "; grey: never met. Numbers stand below."
    caption = f"Score of the row's player against the column's{told}"
    return figure_html(partial(plot_crosstable, standings), "crosstable", caption, inches)


def _ratings(standings: Standings) -> str:
    rows = [row.cells for row in standings.rows]
    zero = f"{standings.zero}; {standings.independent}. " if standings.zero else ""
    return table_html(RATING_HEAD, rows, f"{zero}A draw counts half in the score.", text=(1,))


def _advantage(standings: Standings) -> str:
    losses, draws, wins = standings.black
    score = score_of_counts(standings.black)
    raw = f"; Black scored {share_text(score)} ({wins} wins, {draws} draws, {losses} losses)"
    text = standings.advantage_text + ("." if score is None else f"{raw}.")
    return f"<p>{escape(text[0].upper() + text[1:])}</p>"


def _neighbours(standings: Standings) -> str:
    rows, labels = [], standings.labels
    for row in standings.rows:
        if row.next is not None:
            gap = row.next.difference
            los = probability_text(gap.los)
            names = labels[gap.first], labels[gap.second]
            verdict = row.next.verdict.replace(" ", "\u00a0")
            needed = standings.games_needed(row.next)
            rows.append((*names, verdict, gap.elo.text(), los, needed))
    if not rows:
        return ""
    difference = "difference [95 % interval]"
    head = ("player", "next below", "verdict", difference, "LOS", "games needed")
    separated, gaps = standings.separated
    each = "" if standings.games_a_pairing is None else " of each pairing"
    caption = (
        f"{separated} of {gaps} neighbours are separated. Games needed{each}: for an 80 % chance "
        "of a separation, if the difference is as shown."
    )
    return "<h3>Neighbours</h3>" + table_html(head, rows, caption, text=(0, 1, 2))


def _pairings(standings: Standings) -> str:
    return "\n".join(
        [
            _pairing_table(
                standings,
                ("LL", "LD", "WL/DD", "WD", "WW"),
                "Pairs of games with colours swapped, counted from the first player's side.",
            ),
            _pairing_table(
                standings,
                ("losses", "draws", "wins"),
                "Games, counted one by one from the first player's side, since not all of them "
                "belong to a pair.",
            ),
        ]
    )


def _pairing_table(standings: Standings, units: Sequence[str], caption: str) -> str:
    """Return the table of those whose games are counted in these units."""
    labels = standings.labels
    rows = [
        _pairing(pairing, labels)
        for pairing in standings.pairings
        if len(pairing.report.counts) == len(units)
    ]
    head = ("first", "second", "games", "distinct", *units, "score", "LOS", "Elo [95 %]")
    return table_html(head, rows, caption, text=(0, 1)) if rows else ""


def _pairing(pairing: Pairing, labels: Mapping[str, str]) -> tuple[str, ...]:
    report = pairing.report
    return (
        labels[pairing.first],
        labels[pairing.second],
        str(report.games),
        *pairing.cells,
        share_text(report.score),
        probability_text(report.los),
        report.elo.text(),
    )


def _endings(standings: Standings) -> str:
    endings = standings.tally.endings
    games = sum(endings.values())
    if not games:
        return "<p>Only the results of the games are known.</p>"
    rows = [(reason, str(count), share_text(count / games)) for reason, count in endings.items()]
    return table_html(("reason", "games", "share"), rows, f"{games} games.")


def _forfeits(standings: Standings) -> str:
    forfeits = standings.tally.forfeits
    if not forfeits:
        return "<p>No game was forfeited.</p>"
    rows = [
        (one.player, one.reason, one.detail, one.opponent, f"{one.run} {one.game}")
        for one in forfeits
    ]
    head = ("player", "reason", "detail", "against", "game")
    counts = Counter(one.player for one in forfeits).most_common()
    caption = ", ".join(f"{name}: {count}" for name, count in counts)
    return "<h3>Forfeits</h3>" + table_html(head, rows, f"Forfeits of {caption}.", text=range(5))
