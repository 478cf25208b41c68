"""Are these players different, in this order? Differences with intervals that hold all at once.

Of many differences, each with its own 95 % interval, some look separated by chance. Here all
intervals hold together with 95 %: their half-width is a critical value times the standard error,
and the critical value is the one that the largest of all deviations of a cluster bootstrap, each
over its error in that resample, exceeds in 5 % of the resamples (max-t; T. Hothorn, F. Bretz,
P. Westfall, "Simultaneous inference in general parametric models", Biometrical Journal 50, 2008).
Neighbours are a family of their own. A difference that has only a bound takes its share of the
5 %, after Bonferroni.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any, Final

import numpy as np
from scipy.special import ndtr, ndtri

from gomoku_lab.stats.bootstrap import Refitter, resample
from gomoku_lab.stats.clusters import Units
from gomoku_lab.stats.elo import ELO_PER_UNIT
from gomoku_lab.stats.estimate import (
    Estimate,
    games_factor,
    normal_quantile,
    positive_probability,
    student_quantile,
)
from gomoku_lab.stats.pairs import FloatArray
from gomoku_lab.stats.ratings import Difference, Ratings
from gomoku_lab.stats.robust import Linearised

TOLERANCE: Final = 0.01
"""Monte Carlo standard error of a critical value, as a share of it, at which resampling ends."""
BATCH: Final = 500
FEWEST: Final = 1000
MOST: Final = 10_000
_DRAWS: Final = 200_000
_WIDEST: Final = 6.0
"""Critical value, in normal standard errors, above which the intervals are open: so much comes only
of resamples in which somebody wins every game, and so has no finite rating."""
_INTERQUARTILE: Final = 1.3489795003921634
"""Distance of a normal variable's quartiles, in standard deviations."""

Pair = tuple[str, str]
Report = Callable[[int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Critical:
    """The critical value of a family of differences.

    Attributes
    ----------
    size : int
        Differences in the family.
    value : float
        Standard errors to each side of a difference.
    error : float
        Its Monte Carlo standard error.
    """

    size: int
    value: float
    error: float

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return {"differences": self.size, "value": self.value, "error": self.error}


@dataclass(frozen=True, slots=True, kw_only=True)
class Separated:
    """A difference within its family.

    Attributes
    ----------
    difference : Difference
        With its own interval and LOS.
    together : Estimate
        With the interval or bound that holds together with those of the family.
    p_value : float or None
        Adjusted for the family: the level at which the interval would just reach 0.
    is_separated : bool or None
        Whether `together` lies above or below 0; None if copies forbid an interval.
    games_factor : float or None
        By what the games must be multiplied for an 80 % chance of a separation, if the difference
        is the estimated one.
    """

    difference: Difference
    together: Estimate
    p_value: float | None
    is_separated: bool | None
    games_factor: float | None

    @property
    def players(self) -> Pair:
        """Give both players, the one that should be stronger first."""
        return self.difference.first, self.difference.second

    @property
    def is_reversed(self) -> bool:
        """Tell whether the second one is shown to be the stronger one."""
        return bool(self.is_separated) and self.together.high is not None and self.together.high < 0

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return {
            **self.difference.to_dict(),
            "together": self.together.to_dict(),
            "p_value": self.p_value,
            "separated": self.is_separated,
            "games_factor": self.games_factor,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Separation:
    """What is known about an order of players.

    Attributes
    ----------
    order : tuple of str
        The players, the one that should be strongest first.
    neighbours, pairs : tuple of Separated
        Of each player to the next one, and of each to every later one.
    neighbour_critical, pair_critical : Critical or None
        None where no difference of the family has a standard error, or the intervals are open since
        too many resamples have no finite fit.
    tiers : tuple of tuple of str
        The largest groups of players, in the order of their ratings, of whom no two are separated.
        A player can belong to several.
    order_probability : float or None
        Posterior probability that the order is right, from Student's distribution of the estimates
        under a flat prior; where there are only bounds, at least that. None where unknown.
    resamples, seed : int
        Of the bootstrap.
    """

    order: tuple[str, ...]
    neighbours: tuple[Separated, ...]
    pairs: tuple[Separated, ...]
    neighbour_critical: Critical | None
    pair_critical: Critical | None
    tiers: tuple[tuple[str, ...], ...]
    order_probability: float | None
    resamples: int
    seed: int

    def pair(self, first: str, second: str) -> Separated:
        """Return what is known of two players, in the order of `order`."""
        for one in self.pairs:
            if one.players == (first, second):
                return one
        raise ValueError(f"not two players in this order: {first!r}, {second!r}")

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        families = {"neighbours": self.neighbour_critical, "pairs": self.pair_critical}
        return {
            "order": list(self.order),
            "neighbours": [one.to_dict() for one in self.neighbours],
            "pairs": [one.to_dict() for one in self.pairs],
            "tiers": [list(tier) for tier in self.tiers],
            "order_probability": self.order_probability,
            "bootstrap": {
                "resamples": self.resamples,
                "seed": self.seed,
                "critical": {
                    name: None if family is None else family.to_dict()
                    for name, family in families.items()
                },
            },
        }


def separate(
    ratings: Ratings,
    units: Units,
    order: Sequence[str] | None = None,
    *,
    seed: int = 0,
    report: Report | None = None,
) -> Separation:
    """Compare all players of an order with intervals that hold at once.

    Parameters
    ----------
    ratings : Ratings
        The fit.
    units : Units
        What is independent in the results; the same as the standard errors of `ratings` rest on.
    order : sequence of str, optional
        Two or more of the players, the strongest first; by default all by their ratings.
    seed : int
        Of the bootstrap.
    report : callable, optional
        Told after each batch how many resamples were made.
    """
    players = tuple(ratings.order() if order is None else order)
    _check(players, ratings)
    pairs = list(combinations(players, 2))
    differences = {two: ratings.difference(*two) for two in pairs}
    families = [_Family(list(pairwise(players)), differences), _Family(pairs, differences)]
    resamples = _bootstrap(ratings, units, families, seed, report)
    found = [
        tuple(_judge(ratings, family, differences[two]) for two in family.pairs)
        for family in families
    ]
    return Separation(
        order=players,
        neighbours=found[0],
        pairs=found[1],
        neighbour_critical=families[0].critical,
        pair_critical=families[1].critical,
        tiers=_tiers([name for name in ratings.order() if name in players], found[1]),
        order_probability=_order_probability(
            ratings, [differences[two] for two in families[0].pairs]
        ),
        resamples=resamples,
        seed=seed,
    )


class _Family:
    """Differences that are judged together, and what the bootstrap says about them."""

    def __init__(self, pairs: Sequence[Pair], differences: Mapping[Pair, Difference]) -> None:
        self.pairs = pairs
        self.measured = [two for two in pairs if differences[two].elo.standard_error]
        self.critical: Critical | None = None
        self.largest = np.empty(0)

    @property
    def is_known(self) -> bool:
        """Tell whether the critical value, if there is one, is known well enough."""
        found = self.critical
        return found is None or found.error <= TOLERANCE * found.value

    def learn(self, deviations: Mapping[Pair, FloatArray], ratings: Ratings) -> None:
        """Find what the largest deviation seldom exceeds.

        Parameters
        ----------
        deviations : mapping of pairs to float64[resamples]
            Standardised deviations of the measured differences, without sign.
        ratings : Ratings
            The original fit.
        """
        if not self.measured:
            return
        self.largest = np.max([deviations[two] for two in self.measured], axis=0)
        level = (1 - ratings.confidence) * len(self.measured) / len(self.pairs)
        doubt = float(np.sqrt(level * (1 - level) / len(self.largest)))
        ends = [1 - level, max(0.0, 1 - level - doubt), min(1.0, 1 - level + doubt)]
        value, low, high = np.quantile(self.largest, ends)
        value = max(float(value), normal_quantile(1 - level))
        self.critical = None
        if value <= _WIDEST:
            # The standard errors come from few clusters: Student's quantile, not the normal one.
            value = student_quantile(2 * float(ndtr(value)) - 1, ratings.fit.degrees)
            error = float(high - low) / 2
            self.critical = Critical(size=len(self.pairs), value=value, error=error)


def _check(players: Sequence[str], ratings: Ratings) -> None:
    for name in players:
        ratings.table.index(name)
    if len(players) < 2 or len(set(players)) < len(players):
        raise ValueError(f"an order needs two or more different players: {', '.join(players)}")


def _bootstrap(
    ratings: Ratings,
    units: Units,
    families: Sequence[_Family],
    seed: int,
    report: Report | None,
) -> int:
    """Resample until the critical values are known well enough; return how often that was."""
    measured = list(dict.fromkeys(two for family in families for two in family.measured))
    if not measured:
        return 0
    refitter = Refitter(Linearised.of(ratings.fit, units, ratings.model))
    first, second = np.array([[ratings.table.index(name) for name in two] for two in measured]).T
    rng = np.random.default_rng(seed)
    moved = np.empty((0, len(measured)))
    while True:
        thetas, errors = refitter.fit(resample(units, BATCH, rng))
        steps = thetas - ratings.fit.theta
        moved = np.vstack([moved, (steps[:, first] - steps[:, second]) / errors[:, first, second]])
        if report is not None:
            report(len(moved))
        if len(moved) < FEWEST:
            continue
        # Quartiles: resamples in which somebody wins nearly every game are no matter of the spread.
        low, high = np.quantile(moved, [0.25, 0.75], axis=0)
        spread = (high - low) / _INTERQUARTILE
        scaled = np.divide(np.abs(moved), spread, out=np.zeros_like(moved), where=spread > 0)
        deviations = dict(zip(measured, scaled.T, strict=True))
        for family in families:
            family.learn(deviations, ratings)
        if len(moved) >= MOST or all(family.is_known for family in families):
            return len(moved)


def _judge(ratings: Ratings, family: _Family, difference: Difference) -> Separated:
    """Return a difference with the interval or bound that holds together with its family's."""
    elo, confidence, size = difference.elo, ratings.confidence, len(family.pairs)
    if ratings.intervals_refused:
        return Separated(
            difference=difference,
            together=elo,
            p_value=None,
            is_separated=None,
            games_factor=None,
        )
    if elo.standard_error:
        assert elo.value is not None
        if family.critical is None:
            together = replace(elo, error=None, low=None, high=None, unbounded=True)
        else:
            # The interval of one difference alone that reaches as far.
            wide = 2 * positive_probability(family.critical.value, ratings.fit.degrees) - 1
            together = ratings.difference(difference.first, difference.second, confidence=wide).elo
            together = replace(together, confidence=confidence)
        los = 0.5 if difference.los is None else difference.los
        sure = max(los, 1 - los)
        beyond = np.sum(family.largest >= ndtri(sure))
        p_value: float | None = float(beyond + 1) / (len(family.largest) + 1)
        factor = games_factor(together)
    else:
        # Two sides, and its share of the family's level.
        level = (1 - confidence) / (2 * size)
        together = ratings.difference(difference.first, difference.second, confidence=1 - level).elo
        together = replace(together, confidence=confidence)
        doubt = None if difference.los is None else min(difference.los, 1 - difference.los)
        p_value = None if doubt is None else min(1.0, 4 * doubt * size)
        factor = None
    return Separated(
        difference=difference,
        together=together,
        p_value=p_value,
        is_separated=_excludes_zero(together),
        games_factor=factor,
    )


def _excludes_zero(elo: Estimate) -> bool:
    return (elo.low is not None and elo.low > 0) or (elo.high is not None and elo.high < 0)


def _tiers(order: Sequence[str], pairs: Sequence[Separated]) -> tuple[tuple[str, ...], ...]:
    """Return the largest stretches of the order within which no two are separated."""
    separated = {frozenset(one.players) for one in pairs if one.is_separated}
    tiers: list[tuple[str, ...]] = []
    reached = 0
    for start in range(len(order)):
        end = start + 1
        while end < len(order) and not any(
            frozenset((name, order[end])) in separated for name in order[start:end]
        ):
            end += 1
        if end > reached:
            tiers.append(tuple(order[start:end]))
            reached = end
    return tuple(tiers)


def _order_probability(ratings: Ratings, neighbours: Sequence[Difference]) -> float | None:
    """Return the probability that every neighbour is above the next one."""
    if ratings.intervals_refused or any(gap.los is None for gap in neighbours):
        return None
    measured = [gap for gap in neighbours if gap.elo.standard_error]
    doubts = sum(1 - gap.los for gap in neighbours if gap.los is not None and gap not in measured)
    if not measured:
        return max(0.0, 1 - doubts)
    contrasts = np.zeros((len(measured), len(ratings.fit.theta)))
    for row, gap in enumerate(measured):
        contrasts[row, ratings.table.index(gap.first)] = 1.0
        contrasts[row, ratings.table.index(gap.second)] = -1.0
    covariance = contrasts @ ratings.fit.covariance @ contrasts.T
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    rng, degrees = np.random.default_rng(0), ratings.fit.degrees
    drawn = rng.standard_normal((_DRAWS, len(measured))) @ root.T
    if np.isfinite(degrees):
        drawn *= np.sqrt(degrees / rng.chisquare(degrees, (_DRAWS, 1)))
    means = np.array([gap.elo.value for gap in measured]) / ELO_PER_UNIT
    share = float(np.mean(np.all(drawn + means > 0, axis=1)))
    return max(0.0, share - doubts)
