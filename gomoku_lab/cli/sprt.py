"""``gomoku-lab sprt``: the exact sequential test on counts that were typed in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from gomoku_lab.cli.counts import parse_bounds, parse_counts
from gomoku_lab.cli.errors import clean_errors

if TYPE_CHECKING:
    from gomoku_lab.stats.sprt import Hypotheses, Model, SprtState
    from gomoku_lab.stats.stopped import StoppedEstimate


# Unknown options are let through to COUNTS, so that "-1,2,3" meets our own message.
@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("counts")
@click.option(
    "--bounds", required=True, metavar="ELO0,ELO1", help="The two hypotheses, in Elo of --model."
)
@click.option(
    "--model",
    type=click.Choice(["normalized", "logistic"]),
    default="normalized",
    show_default=True,
    help="Elo of the score over its spread, or Elo of the score.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Error rate under H0.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="Error rate under H1.")
@click.option(
    "--every",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="After how many pairs (games, if COUNTS are games) the test was looked at.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    counts: str, bounds: str, model: Model, alpha: float, beta: float, every: int, as_json: bool
) -> None:
    """Turn COUNTS of results into a sequential test's verdict.

    COUNTS are as for ``gomoku-lab elo``. The verdict is H1 (ELO1 explains the results better than
    ELO0), H0 (the other way round) or undecided; it is no bound on the strength. The exit code is 0
    for each of them. It only has the stated error rates if the games were stopped by the same test.
    With a verdict comes an estimate of the strength that takes the stopping into account.
    """
    from gomoku_lab.stats.sprt import Hypotheses, Sprt
    from gomoku_lab.stats.stopped import estimate_after_stop

    with clean_errors():
        numbers = parse_counts(counts)
        elo0, elo1 = parse_bounds(bounds)
        hypotheses = Hypotheses(elo0=elo0, elo1=elo1, model=model, alpha=alpha, beta=beta)
    state = Sprt(hypotheses, outcomes=len(numbers)).add(numbers)
    estimate = None if state.decision is None else estimate_after_stop(state, step=every)
    if as_json:
        answer = {
            **state.to_dict(),
            "estimate": None if estimate is None else estimate.to_dict(),
            "expected_games": _expected(hypotheses),
        }
        click.echo(json.dumps(answer, allow_nan=False))
        return
    for line in [*_lines(state), *([] if estimate is None else stopped_lines(estimate))]:
        click.echo(line)


def stopped_lines(estimate: StoppedEstimate) -> list[str]:
    """Return for people what a test that has stopped says about the strength."""
    return [
        f"strength Elo {estimate.elo.text()}, nElo {estimate.nelo.text()}",
        "         median-unbiased: that the test stopped where it did is taken into account",
    ]


def _expected(hypotheses: Hypotheses) -> dict[str, Any] | None:
    """Return how long such a test takes, known beforehand for normalised Elo only."""
    from gomoku_lab.stats.sprt import expected_games

    if hypotheses.model != "normalized":
        return None
    elo0, elo1 = hypotheses.elo0, hypotheses.elo1
    truths = {"h0": elo0, "middle": (elo0 + elo1) / 2, "h1": elo1}
    return {
        key: expected_games(
            nelo, nelo0=elo0, nelo1=elo1, alpha=hypotheses.alpha, beta=hypotheses.beta
        )
        for key, nelo in truths.items()
    }


def _lines(state: SprtState) -> list[str]:
    """Return the verdict for people."""
    settings = state.hypotheses
    lower, upper = settings.bounds
    unit = "pairs" if len(state.counts) == 5 else "games"
    total = sum(state.counts)
    verdict = state.verdict or "undecided: more games are needed"
    if total < state.floor:
        verdict = f"undecided: {total} {unit}, nothing is decided below {state.floor}"
    lines = [
        f"test     {settings.elo0:g} against {settings.elo1:g} {settings.unit}",
        f"{unit}    {total}",
        f"LLR      {state.llr:+.4f}, bounds {lower:+.3f} and {upper:+.3f}",
        f"verdict  {verdict}",
    ]
    expected = _expected(settings)
    if expected is not None:
        lines.append(
            f"length   {expected['h1']:.0f} games expected at either bound, "
            f"{expected['middle']:.0f} half-way between them"
        )
    return lines
