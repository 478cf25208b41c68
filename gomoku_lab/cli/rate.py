"""``gomoku-lab rate``: the final table of finished runs, ratings.json and report.html."""

from __future__ import annotations

import json
import math
from pathlib import Path

import click

from gomoku_lab.cli.errors import CHECK_FAILED, clean_errors, fail
from gomoku_lab.cli.lightness import one_thread, rare_collections
from gomoku_lab.cli.paths import FolderName, PathName
from gomoku_lab.cli.progress import say


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=PathName())
@click.option(
    "--out",
    type=FolderName(),
    metavar="DIR",
    help="Where ratings.json and report.html go. [default: the first run's folder]",
)
@click.option(
    "--anchor",
    "anchors",
    multiple=True,
    metavar="NAME=ELO",
    help="Hold a player's rating at this number, so that the others are relative to it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what ratings.json holds.")
@click.option("--quiet", "-q", is_flag=True, help="Do not say what was written.")
def command(
    runs: tuple[Path, ...], out: Path | None, anchors: tuple[str, ...], as_json: bool, quiet: bool
) -> None:
    """Rate the players of one or more runs together.

    RUN is the folder of a tournament or match, finished or not, or of imported games. Prints
    ratings with 95 % intervals, what moving first is worth, how far each player stands above the
    next one, and every pairing; writes ratings.json and report.html. Runs under different rules are
    refused. Exit code 1 if there are no ratings, since some players are not linked to the others by
    any games.
    """
    one_thread()
    rare_collections()
    with clean_errors():
        from gomoku_lab.arena.facts import write_whole
        from gomoku_lab.arena.imported import load_any_run
        from gomoku_lab.arena.rate import rate_runs

        held = dict(map(_parse_anchor, anchors))
        if len(held) < len(anchors):
            raise ValueError(f"--anchor must name different players: {', '.join(anchors)}")
        standings = rate_runs([load_any_run(path) for path in runs], anchors=held)
    from gomoku_lab.cli.standings import standings_text
    from gomoku_lab.report.page import REPORT_FILE, write_report

    values = json.dumps(standings.to_dict(), indent=1, allow_nan=False)
    click.echo(values if as_json else standings_text(standings))
    folder = runs[0] if out is None else out
    with clean_errors():
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "ratings.json", values + "\n")
        write_report(folder / REPORT_FILE, standings)
    say(f"wrote {folder / 'ratings.json'} and {folder / REPORT_FILE}", quiet=quiet)
    if standings.ratings is None:
        fail(standings.warnings[-1], CHECK_FAILED)


def _parse_anchor(text: str) -> tuple[str, float]:
    """Return the player and the Elo of ``NAME=ELO``; the name may hold equal signs."""
    name, sign, number = text.rpartition("=")
    try:
        elo = float(number)
    except ValueError:
        elo = math.nan
    if not (name and sign and math.isfinite(elo)):
        raise ValueError(f"--anchor must be NAME=ELO, such as layered/hard=1500: {text!r}")
    return name, elo
