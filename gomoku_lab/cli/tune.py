"""``gomoku-lab tune``: numbers of a player, moved by self-play towards what wins."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from gomoku_lab.cli.errors import clean_errors
from gomoku_lab.cli.options import (
    HOW,
    RecordingCommand,
    check_only_resumed,
    given_settings,
    options_without,
    recorded_words,
)
from gomoku_lab.cli.playing import announce_interrupt, interrupted, new_folder, resumable
from gomoku_lab.cli.progress import Meter, progress, say

if TYPE_CHECKING:
    from gomoku_lab.tuning.plan import StudyPlan
    from gomoku_lab.tuning.study import Study
    from gomoku_lab.tuning.trajectory import Tuning

_SHOWN = 3
_OWN = ("pairs", "group", "distance", "rate", "nodes", "time_ms", "depth")


@click.command(cls=RecordingCommand)
@click.argument("base", required=False, metavar="BASE")
@click.option(
    "--key",
    "-k",
    "keys",
    multiple=True,
    metavar="KEY[=D]",
    help="What is tuned, such as defence or weights.*; may be repeated. D is a --distance of its "
    "own.",
)
@click.option("--pairs", type=int, metavar="N", help="Pairs of games in all. [default: 4000]")
@click.option(
    "--distance",
    type=float,
    metavar="D",
    help="How far apart from the point both players are at the end: 0.15 is 15 %. [default: 0.15]",
)
@click.option(
    "--rate",
    type=float,
    metavar="R",
    help="Step at the end for one game won more than lost, in distances. [default: 0.01]",
)
@click.option(
    "--group",
    type=int,
    metavar="N",
    help="Pairs that start from the same point, and can be played at once. [default: 8]",
)
@click.option("--nodes", type=int, metavar="N", help="Nodes a move, in place of BASE's limits.")
@click.option("--time-ms", type=float, metavar="T", help="Milliseconds a move, likewise.")
@click.option("--depth", type=int, metavar="D", help="Plies, likewise.")
@options_without("games", "random-moves")
def command(base: str | None, keys: tuple[str, ...], **options: Any) -> None:
    """Tune numbers of BASE by SPSA: two players nearby play, and the point moves to the winner.

    Every key is moved by percentages within its range, whole numbers are rounded at random to
    either side, and weights keep rules A and B. The result is the mean of the later points, never
    the point that won most; it stands in DIR/candidate.toml, with the way to it in
    DIR/tuning.json. It is only a candidate: see `gomoku-lab accept`. With nodes or depth as budget
    the same command finds the same numbers on any number of jobs, interrupted or not. One Ctrl-C
    or SIGTERM finishes the running games and exits with code 4, and --resume goes on.
    """
    with clean_errors():
        given = given_settings(options)
        given |= {key: options[key] for key in _OWN if options[key] is not None}
        if options["resume"] is not None:
            check_only_resumed({"BASE": base, "--key": keys or None, **given})
            plan = None
        else:
            if base is None:
                raise click.UsageError("a player to start from is wanted: BASE")
            plan = _plan(base, keys, given)
    study = _play(plan, options)
    _report(study, quiet=options["quiet"])
    values = study.tuning.to_dict()
    if options["as_json"]:
        click.echo(json.dumps(values, indent=1, allow_nan=False))
    else:
        for line in _lines(values):
            click.echo(line)
    candidate = shlex.quote(str(study.path / "candidate.toml"))
    over = shlex.quote(study.plan.base.name)
    say(
        f"wrote {candidate}; is it better? gomoku-lab accept {candidate} --over {over}",
        quiet=options["quiet"],
    )


def _report(study: Study, *, quiet: bool) -> None:
    from gomoku_lab.report.page import REPORT_FILE
    from gomoku_lab.report.tuning import write_study

    with clean_errors():
        write_study(study.path / REPORT_FILE, study)
    say(f"wrote {shlex.quote(str(study.path / REPORT_FILE))}", quiet=quiet)


def _plan(base: str, keys: tuple[str, ...], given: Mapping[str, Any]) -> StudyPlan:
    from gomoku_lab.tuning.plan import StudySettings, resolve_study

    wanted = {key: value for key, value in given.items() if key not in HOW}
    return resolve_study(StudySettings(base=base, keys=keys).varied(wanted))


def _play(plan: StudyPlan | None, options: Mapping[str, Any]) -> Study:
    """Play the study, or the rest of one; if that is interrupted, the command ends here."""
    from gomoku_lab.tuning.study import resume_study, run_study

    folder = options["resume"] or options["out"] or new_folder("tune")
    resume = f"gomoku-lab tune --resume {shlex.quote(str(folder))}"
    with resumable(folder, resume):
        with ExitStack() as stack:
            hooks = _Watch(stack, str(folder), quiet=options["quiet"]).hooks()
            how: dict[str, Any] = {
                "jobs": options["jobs"],
                "scheduler": options["scheduler"],
                "hooks": hooks,
                "command": recorded_words(),
            }
            backend = options["backend"]
            if plan is None:
                study = resume_study(folder, backend=backend, **how)
            else:
                study = run_study(plan, folder, backend=backend or "loky", **how)
        if study.interrupted:
            done = f"{study.tuning.pairs} of {study.plan.schedule.pairs} pairs"
            interrupted(done, resume)
        return study


class _Watch:
    """Shows how far a study is, and what has moved most."""

    def __init__(self, stack: ExitStack, folder: str, *, quiet: bool) -> None:
        self._stack = stack
        self._folder = folder
        self._quiet = quiet
        self._meter: Meter | None = None

    def hooks(self) -> Any:
        from gomoku_lab.tuning.study import Hooks

        return Hooks(
            on_start=self._start,
            on_pair=self._pair,
            on_interrupt=announce_interrupt,
            on_message=lambda message: say(message, quiet=self._quiet),
        )

    def _start(self, tuning: Tuning) -> None:
        if not tuning.is_complete:
            say(f"playing into {self._folder}", quiet=self._quiet)
            total = tuning.plan.schedule.pairs
            self._meter = self._stack.enter_context(
                progress(total, "pairs", quiet=self._quiet, done=tuning.pairs)
            )

    def _pair(self, tuning: Tuning) -> None:
        if self._meter is not None:
            self._meter.advance(note="" if self._quiet else _movers(tuning))


def _movers(tuning: Tuning) -> str:
    """Return the numbers whose estimate has moved most."""
    moved = {
        one.key: float(exact) / one.start
        for one, exact in zip(tuning.plan.parameters, tuning.estimate, strict=True)
    }
    most = sorted(moved, key=lambda key: -max(moved[key], 1 / moved[key]))[:_SHOWN]
    return ", ".join(f"{key} {100 * (moved[key] - 1):+.1f} %" for key in most)


def _lines(values: Mapping[str, Any]) -> list[str]:
    """Return the estimate for people."""
    from gomoku_lab.tuning.study_view import (
        ESTIMATE_HEAD,
        ESTIMATE_NOTE,
        estimate_rows,
        study_summary,
    )

    head, rows = ESTIMATE_HEAD, estimate_rows(values)
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    table = [
        "  ".join(
            [f"{row[0]:{widths[0]}}"]
            + [f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True)]
        )
        for row in (head, *rows)
    ]
    forfeits = values["forfeits"]
    return [
        study_summary(values),
        "",
        *table,
        "",
        ESTIMATE_NOTE,
        *([f"warning: {forfeits} games were forfeited; they count as lost"] if forfeits else []),
    ]
