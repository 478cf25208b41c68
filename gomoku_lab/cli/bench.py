"""``gomoku-lab bench``: measure, print every number with its gate, fail if a gate is missed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from gomoku_lab.cli.errors import CHECK_FAILED, FINE
from gomoku_lab.cli.progress import say

if TYPE_CHECKING:
    from gomoku_lab.cli.gauges import Gauge
    from gomoku_lab.game.board import Board

SCHEMA_VERSION = 1


@click.command()
@click.option("--quick", is_flag=True, help="Measure less and less exactly, in half a minute.")
@click.option("--engine-only", is_flag=True, help="Leave out starts, commands, matches.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--quiet", "-q", is_flag=True, help="No talk on stderr.")
def command(quick: bool, engine_only: bool, as_json: bool, quiet: bool) -> None:
    """Measure speed, scaling and the gates that go with them, on fixed positions.

    Let the machine rest: ratios within one run can be compared with those of other runs, single
    times hardly. Exit code 1 if a gate is missed.
    """
    from gomoku_lab.arena.provenance import provenance

    gauges = []
    for gauge in _measure(quick=quick, engine_only=engine_only, quiet=quiet):
        gauges.append(gauge)
        if not as_json:
            click.echo(_line(gauge))
    missed = [gauge for gauge in gauges if gauge.passed is False]
    if as_json:
        report = {
            "schema": SCHEMA_VERSION,
            "quick": quick,
            "passed": not missed,
            "gauges": [gauge.to_dict() for gauge in gauges],
            "provenance": provenance(),
        }
        click.echo(json.dumps(report, indent=2))
    elif missed:
        click.echo(f"missed: {', '.join(gauge.key for gauge in missed)}")
    sys.exit(CHECK_FAILED if missed else FINE)


def _measure(*, quick: bool, engine_only: bool, quiet: bool) -> Iterator[Gauge]:
    """Yield the numbers as they are measured."""
    from gomoku_lab.cli import engine_speed, selective_speed, solver_speed
    from gomoku_lab.engine.engine import warm_up
    from gomoku_lab.suite.boards import bench_boards, mid_game_boards

    warm_up(lambda text: say(text, quiet=quiet))
    boards, middle = bench_boards(), mid_game_boards()
    say("the engine, one core", quiet=quiet)
    yield from engine_speed.core_speed(boards, 1 if quick else 5)
    yield from engine_speed.depth_times(boards, (8, 10) if quick else (8, 10, 12))
    yield engine_speed.master_reach(middle)
    yield from engine_speed.width_share(middle)
    yield engine_speed.trace_cost(boards, 3 if quick else 9)
    yield selective_speed.rate_share(boards, 3 if quick else 9)
    deep = 10 if quick else 12
    yield selective_speed.depth_share(boards[:6], deep, 1 if quick else 3)
    yield from solver_speed.chain_speed(solver_speed.four_boards(), 3 if quick else 9)
    say("moves against their budgets", quiet=quiet)
    earlier = [board.undo() for board in middle]
    yield from engine_speed.overshoot(middle[:20] if quick else middle + earlier, 20.0)
    yield from _measure_articles([*boards, *middle], quick=quick, quiet=quiet)
    if not engine_only:
        yield from _measure_lab(quick=quick, quiet=quiet)


def _measure_articles(boards: list[Board], *, quick: bool, quiet: bool) -> Iterator[Gauge]:
    from gomoku_lab.cli import article_speed, minimax_speed, textbook_speed
    from gomoku_lab.players.registry import expand, warm_up
    from gomoku_lab.suite.boards import six_stone_boards

    warm_up(expand(["pattern/*", "minimax/*", "textbook/*"]), lambda text: say(text, quiet=quiet))
    say("the articles' players, one core", quiet=quiet)
    yield from article_speed.pattern_speed(boards, 1 if quick else 5)
    yield article_speed.pattern_candidates(40 if quick else 200)
    yield from textbook_speed.clustering()
    early = six_stone_boards()[: 1 if quick else 3]
    yield from textbook_speed.compiled_over_plain(early)
    middle = boards[-10 if quick else -60 :]
    yield minimax_speed.minimax_candidates(middle)
    yield from minimax_speed.pruning_savings(middle, 2 if quick else 10)
    yield from minimax_speed.ordering_savings(middle)
    yield from minimax_speed.minimax_times(middle)


def _measure_lab(*, quick: bool, quiet: bool) -> Iterator[Gauge]:
    from gomoku_lab.cli import lab_speed

    say("starts and commands", quiet=quiet)
    yield lab_speed.help_cost()
    yield lab_speed.suite_time()
    yield from lab_speed.start_times(cold=not quick)
    say("matches on one core and on all", quiet=quiet)
    yield from lab_speed.scaling(games=60 if quick else 300, rounds=1 if quick else 3)
    games, rounds = (40, 1) if quick else (120, 3)
    yield lab_speed.overhead(1_000, at_most=25.0, games=games, rounds=rounds)
    yield lab_speed.overhead(10_000, at_most=10.0, games=games, rounds=rounds)
    yield from lab_speed.peak_memory()


def _line(gauge: Gauge) -> str:
    """Return one line of the table; the marks are those of `doctor`."""
    mark = "!" if gauge.passed is False else " "
    value = f"{gauge.value:,.0f}" if gauge.value >= 1000 else f"{gauge.value:.4g}"
    notes = [gauge.gate and f"gate {gauge.gate}", gauge.note]
    note = "; ".join(part for part in notes if part)
    line = f"{mark} {gauge.label:<62} {value:>12} {gauge.unit:<16}"
    return f"{line} {note}".rstrip()
