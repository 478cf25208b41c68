"""The options of the commands that play games, and of those that test while they play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gomoku_lab.cli.paths import PathName

if TYPE_CHECKING:
    from gomoku_lab.stats.sprt import Hypotheses

_Function = TypeVar("_Function", bound=Callable[..., Any])
_WORDS = "gomoku_lab.words"
HOW = frozenset(("jobs", "backend", "scheduler"))
"""Settings that do not decide which games are played."""

# Not declared as choices and ranges: the settings check them, for files and options alike, and
# their messages name the nearest word.
_OPTIONS = {
    "games": click.option(
        "--games", type=int, metavar="N", help="Games of each pairing, an even number."
    ),
    "seed": click.option("--seed", type=int, help="Root of every random choice. [default: 0]"),
    "openings": click.option(
        "--openings",
        metavar="SET|FILE",
        help="book, held-out or an opening file; pos:FILE if its rows are counted from the top. "
        "[default: book]",
    ),
    "rule": click.option(
        "--rule", metavar="RULE", help="freestyle, standard or renju. [default: freestyle]"
    ),
    "size": click.option("--size", type=int, help="Lines of the board. [default: 15]"),
    "random-moves": click.option(
        "--random-moves",
        type=int,
        metavar="K",
        help="Moves drawn at random behind each opening, which may then come more than once. "
        "[default: 2 in self-play, else 0]",
    ),
    "max-plies": click.option(
        "--max-plies", type=int, metavar="N", help="A game of N moves is a draw."
    ),
    "jobs": click.option(
        "--jobs",
        "-j",
        type=int,
        help="Games at the same time. [default: all cores, or all threads of the cluster]",
    ),
    "backend": click.option(
        "--backend",
        metavar="NAME",
        help="loky (processes), threading, or dask (a cluster). [default: loky]",
    ),
    "scheduler": click.option(
        "--scheduler",
        metavar="ADDR",
        help="The Dask scheduler, for --backend dask, such as tcp://127.0.0.1:8786.",
    ),
    "out": click.option(
        "--out",
        type=PathName(),
        metavar="DIR",
        help="The run folder to make. [default: a new one below runs/]",
    ),
    "resume": click.option(
        "--resume",
        type=PathName(),
        metavar="DIR",
        help="Go on with the run in DIR; nothing else has to be given.",
    ),
    "json": click.option("--json", "as_json", is_flag=True, help="Print JSON."),
    "quiet": click.option("--quiet", "-q", is_flag=True, help="No progress on stderr."),
}


class RecordingCommand(click.Command):
    """A command that keeps the words it was called with, for the run's record."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep `args`, then parse them."""
        ctx.meta[_WORDS] = ["gomoku-lab", str(ctx.info_name), *args]
        return super().parse_args(ctx, args)


def recorded_words() -> list[str]:
    """Return the words with which the running `RecordingCommand` was called."""
    words: list[str] = click.get_current_context().meta[_WORDS]
    return words


def options_without(*names: str) -> Callable[[_Function], _Function]:
    """Return a decorator that adds the options of playing, but for those that are named."""
    return only_options(*(name for name in _OPTIONS if name not in names))


def only_options(*names: str) -> Callable[[_Function], _Function]:
    """Return a decorator that adds those of the options of playing that are named."""

    def add(function: _Function) -> _Function:
        for name, option in reversed(_OPTIONS.items()):
            if name in names:
                function = option(function)
        return function

    return add


playing_options = options_without()
"""Adds the options that ``tournament`` and ``match`` have."""


def given_settings(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings among the shared options that were given, and only those."""
    keys = ("games", "seed", "openings", "rule", "size", "random_moves", *HOW)
    given = {key: options[key] for key in keys if options.get(key) is not None}
    if options["max_plies"] is not None:
        given["adjudication.max_plies"] = options["max_plies"]
    if options.get("out") is not None and options["resume"] is not None:
        raise click.UsageError("--out makes a new run, --resume goes on with one: give one")
    return given


def check_only_resumed(given: Mapping[str, Any]) -> None:
    """Raise UsageError if something was given, and not only how the rest is to be played.

    `given` holds what was named on the command line beside --resume; keys that are no words of it
    are settings, None was not named.
    """
    for key, value in given.items():
        if value is not None and key not in HOW:
            name = key.rpartition(".")[2].replace("_", "-")
            word = key if key.isupper() or key.startswith("--") else f"--{name}"
            raise click.UsageError(f"--resume goes on with what was begun: leave out {word}")


def sprt_options(help_text: str) -> Callable[[_Function], _Function]:
    """Return a decorator that adds the options of a sequential test; `help_text` is --sprt's."""
    options = (
        click.option("--sprt", metavar="ELO0,ELO1", help=help_text),
        click.option(
            "--alpha", type=float, help="Probability of accepting H1 under H0. [default: 0.05]"
        ),
        click.option(
            "--beta", type=float, help="Probability of accepting H0 under H1. [default: 0.05]"
        ),
        click.option(
            "--model",
            metavar="MODEL",
            help="Elo of the test: normalized or logistic. [default: normalized]",
        ),
    )

    def add(function: _Function) -> _Function:
        for option in reversed(options):
            function = option(function)
        return function

    return add


def given_test(options: Mapping[str, Any], *, default: str | None = None) -> Hypotheses | None:
    """Return the test among the options, None without one; `default` stands in for --sprt."""
    from gomoku_lab.cli.counts import parse_bounds
    from gomoku_lab.stats.sprt import Hypotheses

    keys = ("alpha", "beta", "model")
    given: dict[str, Any] = {key: options[key] for key in keys if options[key] is not None}
    sprt = options["sprt"] or default
    if sprt is None:
        if given:
            raise click.UsageError(f"--{next(iter(given))} belongs to a test: give --sprt as well")
        return None
    elo0, elo1 = parse_bounds(sprt, option="--sprt")
    return Hypotheses(elo0=elo0, elo1=elo1, **given)


def games_of_all_openings(given: Mapping[str, Any]) -> int:
    """Return how many games each opening of the set that was given, played twice, makes."""
    from gomoku_lab.arena.config import TournamentSettings
    from gomoku_lab.arena.openings import load_openings
    from gomoku_lab.game.rules import parse_rule

    settings = TournamentSettings().varied(given)
    rule = parse_rule(settings.rule)
    return 2 * len(load_openings(settings.openings, rule=rule, size=settings.size))
