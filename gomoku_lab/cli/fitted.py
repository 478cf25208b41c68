"""A fit as text: what it learned from, how well it foretells, what it found."""

from __future__ import annotations

from collections.abc import Iterator

from gomoku_lab.cli.columns import aligned
from gomoku_lab.stats.estimate import share_text
from gomoku_lab.tuning.choices import Choices
from gomoku_lab.tuning.fits import Judgement, TableFit, WeightsFit
from gomoku_lab.tuning.judging import Bin
from gomoku_lab.tuning.orders import SHOWN_RANKS, OrderFit
from gomoku_lab.tuning.samples import Samples


def data_lines(samples: Samples, judgement: Judgement) -> Iterator[str]:
    """Yield what was learned from, and what the result was judged by."""
    yield (
        f"learned from  {len(samples):,} positions of {len(samples.openings):,} games, "
        f"{samples.distinct:,} of them distinct"
    )
    for reason, count in samples.left_out.items():
        yield f"left out      {count:,} games {reason}"
    settled = int(samples.settled.sum())
    yield f"not counted   {settled:,} positions that fives and fours settle"
    yield (
        f"held out      {judgement.positions:,} positions of {judgement.games:,} games, for the "
        "figures below; the result is then fitted to all games"
    )


def choice_lines(choices: Choices, found: OrderFit) -> Iterator[str]:
    """Yield what an order was learned from, and how well it foretells held-out choices."""
    games = f"{len(choices.openings):,} games"
    yield f"learned from  {len(choices):,} positions of {games}"
    for reason, count in choices.left_out.items():
        yield f"left out      {count:,} games {reason}"
    yield (
        f"held out      {found.positions:,} positions of {found.games:,} games, for the figures "
        "below; the result is then fitted to all games"
    )
    yield ""
    head = ("the chosen move is among the first", *map(str, SHOWN_RANKS), "log loss")
    rows = [
        (
            score.name,
            *map(share_text, score.shares),
            "" if score.log_loss is None else f"{score.log_loss:.4f}",
        )
        for score in found.scores
    ]
    yield from aligned([head, *rows])
    yield ""
    head = ("held to the sum of its grades by", "log loss of the games that choose")
    yield from aligned([head, *((f"{one:g}", f"{loss:.5f}") for one, loss in found.tried)])
    yield f"chosen: {found.strength:g}; move order {found.table.digest}"


def fit_lines(found: WeightsFit | TableFit) -> Iterator[str]:
    """Yield how well the fit foretells held-out games, and what it found."""
    head = ("held-out games foretold by", "log loss", "accuracy", "gain ± 95 %")
    rows = [
        (
            score.name,
            f"{score.log_loss:.4f}",
            share_text(score.accuracy),
            f"{score.gain:+.4f} ± {score.gain_error:.4f}" if score.gain else "",
        )
        for score in found.judgement.scores
    ]
    yield from aligned([head, *rows])
    yield ""
    yield from aligned(
        [("foretold", "happened [95 %]", "positions", "games"), *map(_bin, found.judgement.bins)]
    )
    yield ""
    yield from _table_lines(found) if isinstance(found, TableFit) else _weight_lines(found)


def _bin(one: Bin) -> tuple[str, ...]:
    observed = f"{share_text(one.observed)} [{100 * one.low:.1f}, {100 * one.high:.1f}]"
    return share_text(one.predicted), observed, f"{one.positions:,}", f"{one.games:,}"


def _weight_lines(found: WeightsFit) -> Iterator[str]:
    head = ("weight", "start, scaled", "fitted ± 95 %")
    rows = [
        (name, f"{start:.5g}", f"{value:g} ± {1.96 * error:.2g}")
        for name, start, value, error in found.rows()
    ]
    yield from aligned([head, *rows])
    yield "weights in millionths of a log-odds unit: an evaluation of 1000000 wins 73 % of games"


def _table_lines(found: TableFit) -> Iterator[str]:
    head = ("held to the sum of its grades by", "log loss of the games that choose")
    rows = [(f"{strength:g}", f"{loss:.5f}") for strength, loss in found.tried]
    yield from aligned([head, *rows])
    yield f"chosen: {found.strength:g}; table {found.table.digest}, tempo {found.table.tempo:+}"
