"""``gomoku-lab suite``: run players on tactical positions whose answers are proved."""

from __future__ import annotations

import json
import signal
import textwrap
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import click

from gomoku_lab.cli.errors import CHECK_FAILED, ENGINE_FAILED, STOPPED, clean_errors, fail
from gomoku_lab.cli.options import only_options
from gomoku_lab.cli.progress import progress, say

if TYPE_CHECKING:
    from gomoku_lab.players.registry import PlayerSpec
    from gomoku_lab.suite.positions import Position
    from gomoku_lab.suite.result import Failure, SuiteResult

_DEFAULT_PLAYERS = ("layered/*", "lab/max")
_WORTH_WORKERS = 500
"""Answers below which starting worker processes takes longer than it saves."""


@click.command()
@click.option(
    "--players",
    "-p",
    "players",
    multiple=True,
    metavar="PLAYER",
    help="A player, or a glob of players; may be repeated. [default: layered/* and lab/max]",
)
@click.option(
    "--positions",
    "path",
    metavar="FILE|DIR",
    help="Position file (.toml, .jsonl), a folder of them, or a set that ships: basic or mined. "
    "[default: basic]",
)
@click.option(
    "--kind", "-k", "kinds", multiple=True, metavar="KIND", help="Only this kind; may be repeated."
)
@click.option(
    "--symmetries/--no-symmetries",
    default=True,
    help="Show each position in its eight images, or only as written. [default: eight]",
)
@click.option("--seed", type=click.IntRange(0), default=0, help="Seed of noisy players.")
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1),
    help="Workers. [default: by the work to do, or all threads of the cluster]",
)
@only_options("backend", "scheduler")
@click.option(
    "--failures",
    "drawn",
    type=click.IntRange(0),
    default=3,
    show_default=True,
    help="Failed positions to draw, for each kind; the others are named.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--quiet", "-q", is_flag=True, help="No progress on stderr.")
def command(
    players: tuple[str, ...],
    path: str | None,
    kinds: tuple[str, ...],
    symmetries: bool,
    seed: int,
    jobs: int | None,
    backend: str | None,
    scheduler: str | None,
    drawn: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Run players on tactical positions whose answers are proved from the rules.

    Prints a table of players and kinds, then the failures grouped by kind: the position with the
    right moves (*) and the wrong ones played (?), and why. Exit code 1 if a player fails a kind
    that its preset declares as required, 3 if a player crashed, hung or played illegal moves, 130
    if Ctrl-C or SIGTERM stopped it: what was answered until then is printed all the same.
    """
    with clean_errors():
        from gomoku_lab.players.registry import expand
        from gomoku_lab.suite.positions import load_positions, select_kinds, with_a_move

        workers = {"jobs": jobs, "backend": backend or "loky", "scheduler": scheduler}
        specs = expand(players or _DEFAULT_PLAYERS)
        selected = select_kinds(load_positions(path), kinds)
        positions = with_a_move(selected)
    if len(selected) > len(positions):
        left_out = f"{len(selected) - len(positions)} no-vcf positions have no move to find"
        say(f"{left_out}: `gomoku-lab positions verify` proves them", quiet=quiet)
    result = _run(specs, positions, workers, symmetries=symmetries, seed=seed, quiet=quiet)
    if as_json:
        click.echo(json.dumps(result.to_dict(), indent=2))
    else:
        _print_table(result)
        _print_failures(result, drawn)
        if not result.interrupted:
            _print_verdict(result)
    if result.interrupted:
        _fail_interrupted(result)
    if _warn_of_breakdowns(result, quiet=as_json and quiet):
        raise SystemExit(ENGINE_FAILED)
    if result.broken_requirements():
        raise SystemExit(CHECK_FAILED)


def _run(
    specs: list[PlayerSpec],
    positions: list[Position],
    workers: dict[str, Any],
    *,
    symmetries: bool,
    seed: int,
    quiet: bool,
) -> SuiteResult:
    from gomoku_lab.arena.worker import ClusterLostError, WorkerLostError, WorkerMismatchError
    from gomoku_lab.engine.settings import ConfigError
    from gomoku_lab.players.errors import PlayerStartError
    from gomoku_lab.suite.run import run_suite

    total = len(specs) * len(positions) * (8 if symmetries else 1)
    if workers["backend"] != "dask" and total < _WORTH_WORKERS:
        workers["jobs"] = workers["jobs"] or 1
    # In the first round, slow players have not shown yet how slow they are.
    settled = total // max(1, len(positions) // 6)
    with (
        _stopped_by_signals() as check,
        progress(total, "answers", quiet=quiet, settled=settled) as meter,
    ):

        def advance(answers: int, player: str) -> None:
            meter.advance(answers, player)
            check()

        try:
            return run_suite(
                specs,
                positions,
                **workers,
                symmetries=symmetries,
                seed=seed,
                on_progress=advance,
                keeps=True,
                on_message=lambda message: say(message, quiet=quiet),
            )
        except (PlayerStartError, ConfigError, WorkerMismatchError) as error:
            fail(str(error))
        except (ClusterLostError, WorkerLostError) as error:
            fail(str(error), ENGINE_FAILED)


@contextmanager
def _stopped_by_signals() -> Iterator[Callable[[], None]]:
    """Let the first signal that asks to stop raise KeyboardInterrupt; the others change nothing.

    What is yielded raises it again if it was lost, as in a destructor.
    """
    from gomoku_lab.arena.worker import STOP_SIGNALS

    stopped = threading.Event()

    def stop(_number: int, _frame: object) -> None:
        if not stopped.is_set():
            stopped.set()
            raise KeyboardInterrupt

    def check() -> None:
        if stopped.is_set():
            raise KeyboardInterrupt

    previous = {}
    if threading.current_thread() is threading.main_thread():
        for number in STOP_SIGNALS:
            if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
                previous[number] = signal.signal(number, stop)
    try:
        yield check
    finally:
        for number, handler in previous.items():
            # What is left is to print the table: a signal that comes twice must not prevent it.
            signal.signal(number, signal.SIG_IGN if stopped.is_set() else handler)


def _fail_interrupted(result: SuiteResult) -> NoReturn:
    """End the command after a table of some of the answers: say whose are missing."""
    each = len(result.positions) * (8 if result.symmetries else 1)
    counts = ", ".join(f"{spec.name} {result.tally(spec.name).total}" for spec in result.players)
    fail(f"interrupted; shown is what was answered, of {each} each: {counts}", STOPPED)


def _percent(rate: float | None) -> str:
    """Return a rate cut to a tenth of a percent: only what is complete reads 100%."""
    if rate is None:
        return "-"
    return "100%" if rate == 1 else f"{int(rate * 1000) / 10:.1f}%"


def _print_table(result: SuiteResult) -> None:
    broken = {(spec.name, kind) for spec, kind, _ in result.broken_requirements()}
    heads = [["all"], *(kind.replace("-", "- ").split() for kind in result.kinds)]
    height = max(map(len, heads))
    columns = [[""] * (height - len(head)) + head for head in heads]
    rows = []
    for spec in result.players:
        cells = [_percent(result.tally(spec.name).rate)]
        for kind in result.kinds:
            flag = "!" if (spec.name, kind) in broken else ""
            cells.append(_percent(result.tally(spec.name, kind).rate) + flag)
        rows.append((spec.name, cells))
    counts = [sum(one.kind == kind for one in result.positions) for kind in result.kinds]
    rows.append(("positions", [str(len(result.positions)), *map(str, counts)]))
    first = max(len(name) for name, _ in rows)
    widths = [
        max(len(text) for text in (*column, *(cells[place] for _, cells in rows)))
        for place, column in enumerate(columns)
    ]
    for line in range(height):
        _print_row("", [column[line] for column in columns], first, widths)
    for name, cells in rows:
        _print_row(name, cells, first, widths)


def _print_row(name: str, cells: list[str], first: int, widths: list[int]) -> None:
    padded = (f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
    click.echo(f"{name:{first}}  {'  '.join(padded)}".rstrip())


def _print_failures(result: SuiteResult, drawn: int) -> None:
    from gomoku_lab.game.glossary import kind_meaning

    for kind in result.kinds:
        grouped: dict[str, list[Failure]] = {}
        for failure in result.failures(kind):
            grouped.setdefault(failure.position.id, []).append(failure)
        if grouped:
            click.echo(f"\nFailed: {kind} ({kind_meaning(kind)})")
        for place, failures in enumerate(grouped.values()):
            _print_failure(failures, draw=place < drawn, symmetries=result.symmetries)


def _print_failure(failures: list[Failure], *, draw: bool, symmetries: bool) -> None:
    from gomoku_lab.game.diagrams import diagram
    from gomoku_lab.game.rules import colour_name

    position = failures[0].position
    right = ", ".join(position.best_names) or "no move"
    click.echo(f"\n  {position.id}: right: {right}; {position.why}")
    for failure in failures:
        images = f" ({len(failure.answers)} of {failure.asked} images)" if symmetries else ""
        click.echo(f"    {failure.player} played {', '.join(failure.moves)}{images}")
    if draw:
        played = {a.move for one in failures for a in one.answers if a.move is not None}
        empty = set(position.board.empty_points())
        marks = dict.fromkeys(played & empty, "?") | dict.fromkeys(position.best, "*")
        side = colour_name(position.board.to_move)
        rule = f"{position.board.rule}, {side} to move ({'XO'[position.board.to_move - 1]})"
        click.echo(f"    {rule}; * right, ? played")
        for line in diagram(position.board, marks=marks).splitlines():
            click.echo(f"    {line}")


def _print_verdict(result: SuiteResult) -> None:
    click.echo("")
    for spec in result.players:
        left_out = result.unknown_rules(spec.name)
        if left_out:
            click.echo(f"{spec.name} does not play the rule of: {', '.join(left_out)}")
    broken = result.broken_requirements()
    for spec, kind, tally in broken:
        ids = dict.fromkeys(f.position.id for f in result.failures(kind) if f.player == spec.name)
        click.echo(
            f"{spec.name} must solve every {kind} position: {tally.total - tally.passed} of "
            f"{tally.total} answers wrong in {', '.join(ids)}"
        )
    declaring = [spec for spec in result.players if set(spec.required) & set(result.kinds)]
    if declaring and not broken:
        click.echo("Every player solves all kinds that it declares as required.")


def _warn_of_breakdowns(result: SuiteResult, *, quiet: bool) -> bool:
    """Warn on stderr of players that did not answer; tell whether there are any."""
    found = False
    for spec in result.players:
        errors = result.breakdowns(spec.name)
        if errors:
            found = True
            say(
                f"warning: {spec.name} crashed, hung or played illegally in {len(errors)} of "
                f"{result.tally(spec.name).total} answers; the first time:\n"
                + textwrap.indent(errors[0], "  "),
                quiet=quiet,
            )
    return found
