"""``gomoku-lab tournament``: a round robin or a gauntlet, played in parallel into a run folder."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gomoku_lab.cli.errors import clean_errors
from gomoku_lab.cli.options import RecordingCommand, given_settings, playing_options
from gomoku_lab.cli.paths import PathName
from gomoku_lab.cli.playing import make_session, play
from gomoku_lab.cli.progress import say
from gomoku_lab.cli.selfplay import print_selfplay

if TYPE_CHECKING:
    from gomoku_lab.arena.store import Run

_SCHEMA_VERSION = 1


@click.command(cls=RecordingCommand)
@click.argument("file", required=False, metavar="[FILE]", type=PathName())
@click.option(
    "--players",
    "-p",
    multiple=True,
    metavar="PLAYER",
    help="A player, or a glob of players; may be repeated.",
)
@click.option(
    "--format",
    "tournament_format",
    metavar="FORMAT",
    help="round-robin, gauntlet (the first player meets all others) or selfplay (each player "
    "meets itself). [default: round-robin]",
)
@playing_options
def command(
    file: Path | None, players: tuple[str, ...], tournament_format: str | None, **options: Any
) -> None:
    """Play a tournament: every pairing plays the same openings, each with both colours.

    In self-play each player meets itself, in games to learn from (see fit) that begin with random
    moves of their own behind each opening.

    FILE is TOML with the keys players, games, seed, openings, random_moves, rule, size, format,
    adjudication (max_plies, score, plies), jobs and backend; options override it. Finished pairs of
    games are kept whatever happens. One Ctrl-C or SIGTERM finishes the running games, a second one
    stops at once; both exit with code 4 and say how to go on, as does a full disk. Prints the table
    of the finished tournament.
    """
    with clean_errors():
        from gomoku_lab.arena.schedule import SELFPLAY

        given = given_settings(options)
        if players:
            given["players"] = players
        if tournament_format is not None:
            given["format"] = tournament_format
        if options["resume"] is not None:
            _check_no_test(options["resume"])
        session = make_session("tournament", options, given, file=file)
    run = play(session).run
    if run.config.format == SELFPLAY:
        print_selfplay(run, as_json=options["as_json"])
        learn = f"gomoku-lab fit {shlex.quote(str(run.path))} --model table --out FILE.json"
        say(f"learn from it: {learn}", quiet=options["quiet"])
        return
    _print_result(run, as_json=options["as_json"])
    say(f"ratings.json and a report: gomoku-lab rate {run.path}", quiet=options["quiet"])


def _check_no_test(folder: Path) -> None:
    """Raise RunError if a test may have ended the run in `folder`: only ``match`` asks it."""
    from gomoku_lab.arena.store import RunError, load_config

    if load_config(folder).sprt is not None:
        resume = f"gomoku-lab match --resume {shlex.quote(str(folder))}"
        raise RunError(f"{folder}: this run is a match with a test; go on with: {resume}")


def _print_result(run: Run, *, as_json: bool) -> None:
    from gomoku_lab.arena.rate import rate_runs

    standings = rate_runs([run])
    if as_json:
        values = {
            "schema": _SCHEMA_VERSION,
            "run": str(run.path),
            "games": 2 * len(run.pairs),
            "complete": run.is_complete,
            "ratings": standings.to_dict(),
        }
        click.echo(json.dumps(values, indent=1, allow_nan=False))
        return
    from gomoku_lab.cli.standings import standings_text

    click.echo(standings_text(standings))
