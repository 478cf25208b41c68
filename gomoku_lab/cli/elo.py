"""``gomoku-lab elo``: Elo, normalised Elo and LOS from counts that were typed in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from gomoku_lab.cli.counts import parse_counts
from gomoku_lab.cli.errors import clean_errors

if TYPE_CHECKING:
    from gomoku_lab.stats.elo import EloReport


# Unknown options are let through to COUNTS, so that "-1,2,3" meets our own message.
@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("counts")
@click.option(
    "--confidence",
    type=float,
    default=0.95,
    show_default=True,
    help="Probability that the intervals hold.",
)
@click.option("--distinct", type=int, help="How many of the games are distinct.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(counts: str, confidence: float, distinct: int | None, as_json: bool) -> None:
    """Turn COUNTS of results into Elo with its interval.

    COUNTS are separated by commas and run from low to high: three numbers are games (losses,
    draws, wins), five are pairs of games with colours swapped (LL, LD, WL or DD, WD, WW), which
    give the narrower and the honest interval.
    """
    from gomoku_lab.stats.elo import estimate_elo

    with clean_errors():
        numbers = parse_counts(counts)
        report = estimate_elo(numbers, confidence=confidence, distinct_games=distinct)
    if as_json:
        click.echo(json.dumps(report.to_dict(), allow_nan=False))
        return
    for line in _lines(report):
        click.echo(line)


def _lines(report: EloReport) -> list[str]:
    """Return the report for people."""
    from gomoku_lab.stats.estimate import probability_text

    paired = f" in {report.games // 2} pairs" if len(report.counts) == 5 else ""
    return [
        f"games          {report.games}{paired}",
        f"score          {100 * report.score:.2f} %",
        f"Elo            {report.elo.text()}",
        f"normalised Elo {report.nelo.text()}",
        *_published(report),
        f"LOS            {probability_text(report.los)}",
        *(f"warning: {warning}" for warning in report.warnings),
    ]


def _published(report: EloReport) -> list[str]:
    """Return the errors by the formulas of other tools, for comparison."""
    elo, nelo = report.published_elo.error, report.published_nelo.error
    if elo is None or nelo is None:
        return []
    return [f"usual formulas Elo ± {elo:.1f}, normalised Elo ± {nelo:.1f}"]
