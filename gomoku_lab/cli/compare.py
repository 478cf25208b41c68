"""``gomoku-lab compare``: whether levels are really different, in this order."""

from __future__ import annotations

import json
from pathlib import Path

import click

from gomoku_lab.cli.errors import CHECK_FAILED, clean_errors, fail
from gomoku_lab.cli.paths import PageName, PathName
from gomoku_lab.cli.progress import progress, say

_PATIENCE = 2.0


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=PathName())
@click.option(
    "--order",
    metavar="A,B,C",
    help="The order to judge, the strongest first; names without options will do. "
    "[default: by rating]",
)
@click.option(
    "--html",
    "page",
    type=PageName(),
    metavar="FILE",
    help="Write a report as well.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, help="Of the resamples. [default: 0]"
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--quiet", "-q", is_flag=True, help="Show no progress, and not what was written.")
def command(
    runs: tuple[Path, ...],
    order: str | None,
    page: Path | None,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Tell whether the players of one or more runs are really different, in this order.

    RUN is as for ``gomoku-lab rate``. Prints how far each player stands above the next one, with
    intervals that hold for all of them at once, the groups that are not separated, how probable the
    whole order is, the games still needed where it is open, whether one rating a player explains
    the results, scores by colour, and whether results depend on the opening. Exit code 1 if some
    players are not linked to the others by any games.
    """
    with clean_errors():
        from gomoku_lab.arena.compare import NoRatingsError, compare_runs
        from gomoku_lab.arena.imported import load_any_run
        from gomoku_lab.stats.separation import MOST

        loaded = [load_any_run(path) for path in runs]
        done = 0
        with progress(MOST, "resamples, at most", quiet=quiet, patience=_PATIENCE) as meter:

            def report(resamples: int) -> None:
                nonlocal done
                meter.advance(resamples - done)
                done = resamples

            try:
                comparison = compare_runs(loaded, order=order, seed=seed, report=report)
            except NoRatingsError as error:
                fail(str(error), CHECK_FAILED)
    from gomoku_lab.cli.comparison import comparison_text

    if as_json:
        click.echo(json.dumps(comparison.to_dict(), indent=1, allow_nan=False))
    else:
        click.echo(comparison_text(comparison))
    if page is not None:
        from gomoku_lab.report.comparison import write_comparison

        with clean_errors():
            write_comparison(page, comparison)
        say(f"wrote {page}", quiet=quiet)
