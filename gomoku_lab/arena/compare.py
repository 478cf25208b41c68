"""From finished games to a comparison of players in an order: who is separated from whom.

Counting and rating are done in `rate`; the statistics are in `gomoku_lab.stats`, the resulting
value is in `comparison`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gomoku_lab.arena.comparison import Comparison
from gomoku_lab.arena.imported import AnyRun
from gomoku_lab.arena.names import find_order
from gomoku_lab.arena.rate import rate_runs
from gomoku_lab.arena.standings import Standings
from gomoku_lab.arena.store import RunError
from gomoku_lab.stats.clusters import units_of
from gomoku_lab.stats.colours import colour_scores
from gomoku_lab.stats.openings import heterogeneity
from gomoku_lab.stats.separation import separate
from gomoku_lab.stats.surprise import surprises


class NoRatingsError(RunError):
    """The players are not all linked by games, so that nothing can be compared."""


def compare_runs(
    runs: Sequence[AnyRun],
    *,
    order: str | None = None,
    seed: int = 0,
    confidence: float = 0.95,
    report: Callable[[int], None] | None = None,
) -> Comparison:
    """Compare the players of one or more runs.

    Parameters
    ----------
    runs : sequence of runs
        As for `rate_runs`.
    order : str, optional
        Two or more players, the strongest first, with commas between them, each in full or without
        options. By default all players in the order of their ratings.
    seed : int
        Of the bootstrap.
    confidence : float
        Of the intervals.
    report : callable, optional
        Told how many resamples were made.

    Raises
    ------
    NoRatingsError
        If the players are not all linked by games.
    ValueError
        As `rate_runs`, and if the order names somebody else.
    """
    standings = rate_runs(runs, confidence=confidence)
    chosen = None if order is None else find_order(order, standings.names)
    return _compare(standings, chosen, seed, confidence, report)


def _compare(
    standings: Standings,
    order: Sequence[str] | None,
    seed: int,
    confidence: float,
    report: Callable[[int], None] | None,
) -> Comparison:
    ratings, tally = standings.ratings, standings.tally
    if ratings is None:
        raise NoRatingsError(standings.warnings[-1])
    clusters = tally.clusters if tally.clusters.labels else None
    units = units_of(tally.table, clusters)
    found, fit_test = surprises(ratings, units)
    shares = {
        one.name: one
        for one in colour_scores(tally.table.names, tally.clusters, confidence=confidence)
    }
    openings = tally.clusters.only(tally.openings)
    return Comparison(
        standings=standings,
        separation=separate(ratings, units, order, seed=seed, report=report),
        is_own_order=order is not None,
        surprises=found,
        fit_test=fit_test,
        colours=tuple(shares[name] for name in standings.names),
        openings=heterogeneity(ratings, openings) if openings.labels else None,
    )
