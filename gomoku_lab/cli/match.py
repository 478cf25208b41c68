"""``gomoku-lab match``: two players, and if wanted a sequential test that ends it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gomoku_lab.cli.errors import CHECK_FAILED, FINE, UNDECIDED, clean_errors
from gomoku_lab.cli.options import (
    RecordingCommand,
    games_of_all_openings,
    given_settings,
    given_test,
    playing_options,
    sprt_options,
)
from gomoku_lab.cli.playing import make_session, play
from gomoku_lab.cli.sprt import stopped_lines

if TYPE_CHECKING:
    from gomoku_lab.arena.sequential import MatchTest
    from gomoku_lab.arena.store import Run
    from gomoku_lab.arena.tally import Tally
    from gomoku_lab.stats.elo import EloReport
    from gomoku_lab.stats.sprt import SprtState

_SCHEMA_VERSION = 1
_PAIR_NAMES = ("LL", "LD", "WL/DD", "WD", "WW")
_FORFEITS_SHOWN = 10


@click.command(cls=RecordingCommand)
@click.argument("players", nargs=-1, metavar="A B")
@sprt_options(
    "Stop when a test of H0 (A is ELO0 stronger than B) against H1 (ELO1) has decided; both in Elo "
    "of --model."
)
@playing_options
def command(players: tuple[str, ...], **options: Any) -> None:
    """Play A against B and print the result from A's side.

    100 games unless --games says otherwise. With --sprt the limit is two games of every opening,
    and the exit code tells the verdict: 0 if H1 is accepted, 1 if H0 is, 5 if neither is within
    the limit. One Ctrl-C or SIGTERM finishes the running games, a second one stops at once; both
    exit with code 4 and say how to go on, as does a full disk.
    """
    with clean_errors():
        given = given_settings(options)
        if len(players) == 2:
            given["players"] = players
        elif players or options["resume"] is None:
            raise click.UsageError(f"a match needs exactly two players: {len(players)} given")
        hypotheses = given_test(options)
        if hypotheses is not None and options["resume"] is None and "games" not in given:
            given["games"] = games_of_all_openings(given)
        session = make_session("match", options, given, sprt=hypotheses)
        _check_match(options["resume"])
    outcome = play(session)
    _print_result(outcome.run, outcome.test, as_json=options["as_json"])
    raise SystemExit(_exit_code(outcome.test))


def _check_match(resume: Path | None) -> None:
    """Raise RunError if the run to be resumed is no match."""
    from gomoku_lab.arena.store import RunError, load_config

    players = 2 if resume is None else len(load_config(resume).players)
    if players != 2:
        raise RunError(
            f"{resume}: not a match but a tournament of {players} players; "
            f"go on with: gomoku-lab tournament --resume {resume}"
        )


def _exit_code(test: MatchTest | None) -> int:
    if test is None:
        return FINE
    return {"H1": FINE, "H0": CHECK_FAILED, None: UNDECIDED}[test.state.decision]


def _print_result(run: Run, test: MatchTest | None, *, as_json: bool) -> None:
    from gomoku_lab.arena.sequential import estimate_strength
    from gomoku_lab.arena.tally import tally_runs
    from gomoku_lab.stats.elo import estimate_elo

    judged = run if test is None else run.only(test.judged)
    first, second = (ref.name for ref in run.config.refs)
    tally = tally_runs([judged])
    report = estimate_elo(
        judged.pair_counts(first, second), distinct_games=tally.distinct(first, second)
    )
    losses, draws, wins = tally.table.versus(first, second)
    result = _Result(first, second, (wins, draws, losses), tally, report, test is not None)
    estimate = None if test is None else estimate_strength(run, test)
    if as_json:
        values = {**result.to_dict(run), "sprt": None if test is None else _test_values(test)}
        if test is not None:
            values["sprt"]["estimate"] = None if estimate is None else estimate.to_dict()
        click.echo(json.dumps(values, indent=1, allow_nan=False))
        return
    for line in [*result.lines(), *(() if test is None else _verdict(test.state))]:
        click.echo(line)
    for line in [] if estimate is None else stopped_lines(estimate):
        click.echo(line)


def _test_values(test: MatchTest) -> dict[str, Any]:
    """Return what ``sprt.json`` holds, but for the trajectory."""
    return {key: value for key, value in test.to_dict().items() if key != "trajectory"}


@dataclass(frozen=True, slots=True)
class _Result:
    """The result of a match from the first player's side, for people and for programs."""

    first: str
    second: str
    wins_draws_losses: tuple[int, int, int]
    tally: Tally
    report: EloReport
    tested: bool

    @property
    def distinct(self) -> int:
        return self.tally.distinct_games

    @property
    def warnings(self) -> tuple[str, ...]:
        from gomoku_lab.arena.doubts import STOPPED_WARNING

        return (*self.report.warnings, *((STOPPED_WARNING,) if self.tested else ()))

    def to_dict(self, run: Run) -> dict[str, Any]:
        wins, draws, losses = self.wins_draws_losses
        return {
            **self.report.to_dict(),
            "schema": _SCHEMA_VERSION,
            "run": str(run.path),
            "first": self.first,
            "second": self.second,
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "distinct_games": self.distinct,
            "forfeits": [forfeit.to_dict() for forfeit in self.tally.forfeits],
            "complete": run.is_complete,
            "warnings": list(self.warnings),
        }

    def lines(self) -> list[str]:
        from gomoku_lab.stats.estimate import probability_text

        wins, draws, losses = self.wins_draws_losses
        pairs = " ".join(
            f"{name} {count}" for name, count in zip(_PAIR_NAMES, self.report.counts, strict=True)
        )
        return [
            f"{self.first} against {self.second}, {self.tally.rule}, "
            f"{self.tally.size}x{self.tally.size}",
            f"games    {self.report.games}, {self.distinct} of them distinct",
            f"result   +{wins} ={draws} -{losses}, score {100 * self.report.score:.2f} %",
            f"pairs    {pairs}",
            f"Elo      {self.report.elo.text()}",
            f"nElo     {self.report.nelo.text()}",
            f"LOS      {probability_text(self.report.los)}",
            *self._forfeits(),
            *(f"warning: {warning}" for warning in self.warnings),
        ]

    def _forfeits(self) -> list[str]:
        alike = Counter((f.player, f.reason, f.detail) for f in self.tally.forfeits)
        return [
            f"forfeits {player}: {count} by {reason}{': ' if detail else ''}{detail}"
            for (player, reason, detail), count in alike.most_common(_FORFEITS_SHOWN)
        ]


def _verdict(state: SprtState) -> list[str]:
    from gomoku_lab.stats.sprt import remaining_games

    settings = state.hypotheses
    lower, upper = settings.bounds
    lines = [
        f"SPRT     {settings.elo0:g} against {settings.elo1:g} {settings.unit}, "
        f"LLR {state.llr:+.3f}, bounds {lower:+.3f} and {upper:+.3f}",
        f"verdict  {state.verdict or 'undecided at the limit'}",
    ]
    if sum(state.counts) < state.floor:
        lines.append(f"         nothing is decided below {state.floor} pairs")
    left = remaining_games(state)
    if state.decision is None and left is not None:
        lines.append(f"         about {left:.0f} games more if the results go on as they were")
    if sum(state.late_counts):
        late = " ".join(
            f"{name} {count}" for name, count in zip(_PAIR_NAMES, state.late_counts, strict=True)
        )
        lines.append(f"apart    pairs on which the verdict does not rest: {late}")
    return lines
