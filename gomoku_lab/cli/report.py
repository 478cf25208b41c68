"""``gomoku-lab report``: the page about a run, some runs together, or a study."""

from __future__ import annotations

from pathlib import Path

import click

from gomoku_lab.cli.errors import clean_errors
from gomoku_lab.cli.lightness import one_thread, rare_collections
from gomoku_lab.cli.paths import PageName, PathName
from gomoku_lab.cli.progress import say


@click.command()
@click.argument("folders", metavar="RUN...", nargs=-1, required=True, type=PathName())
@click.option(
    "--out",
    type=PageName(),
    metavar="FILE",
    help="The page. [default: report.html in the first folder]",
)
@click.option(
    "--games",
    type=click.IntRange(0),
    metavar="N",
    help="Games that can be stepped through, chosen evenly. [default: 100]",
)
@click.option("--json", "as_json", is_flag=True, help="Print where the page is as JSON.")
@click.option("--quiet", "-q", is_flag=True, help="Do not say where the page is.")
def command(
    folders: tuple[Path, ...], out: Path | None, games: int | None, as_json: bool, quiet: bool
) -> None:
    """Write the page about finished or running games, without playing or printing anything.

    RUN is the folder of a tournament, a match or imported games (several are rated together, as by
    `gomoku-lab rate`), or of one study of `gomoku-lab tune`. The page is one file that needs no
    server and loads nothing: figures, tables, where the numbers come from, the commands to repeat
    it, and games to step through.
    """
    one_thread()
    rare_collections()
    from gomoku_lab.report.replays import MOST_REPLAYS

    with clean_errors():
        from gomoku_lab.report.page import REPORT_FILE

        page = folders[0] / REPORT_FILE if out is None else out
        most = MOST_REPLAYS if games is None else games
        if any(_is_study(folder) for folder in folders):
            _write_study(folders, page, most)
        else:
            _write_ratings(folders, page, most)
    if as_json:
        import json

        click.echo(json.dumps({"page": str(page)}))
    elif not quiet:
        click.echo(page)
    say("open it in a browser", quiet=quiet or as_json)


def _is_study(folder: Path) -> bool:
    from gomoku_lab.arena.facts import STUDY_FILE

    return (folder / STUDY_FILE).is_file()


def _write_study(folders: tuple[Path, ...], page: Path, games: int) -> None:
    from gomoku_lab.report.tuning import write_study
    from gomoku_lab.tuning.study import load_study

    if len(folders) > 1:
        listed = ", ".join(map(str, folders))
        raise ValueError(f"a study has a page of its own; give one folder: {listed}")
    write_study(page, load_study(folders[0]), games=games)


def _write_ratings(folders: tuple[Path, ...], page: Path, games: int) -> None:
    from gomoku_lab.arena.imported import load_any_run
    from gomoku_lab.arena.rate import rate_runs
    from gomoku_lab.report.page import write_report

    write_report(page, rate_runs([load_any_run(path) for path in folders]), games=games)
