"""Whether the fit explains what every two players made of each other: residuals and a test of all.

One number a player cannot say that A beats B, B beats C and C beats A. For each two players who
met, the score is compared with what the fit expects of them; the residual is divided by its
standard error, which knows that the fit was made from the same games and that games of a cluster
depend on each other. It fits nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy.sparse import csr_array
from scipy.special import chdtrc, ndtri, stdtr

from gomoku_lab.stats.clusters import Units
from gomoku_lab.stats.pairs import FloatArray
from gomoku_lab.stats.ratings import Ratings
from gomoku_lab.stats.robust import FAITH, Linearised, degrees_of_freedom

OUTCOME_SCORES: Final = np.array([1.0, 0.5, 0.0])
"""What a win, a draw and a loss are worth to the first mover."""
_SMALLEST: Final = 1e-9
_LARGEST: Final = 38.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Surprise:
    """What two players made of each other, against what the fit expects.

    Attributes
    ----------
    first, second : str
        The players.
    games : int
        Their games.
    score, expected : float
        Mean score of the first one, and what the fit makes of it.
    residual : float or None
        Difference of both in standard errors, as a normal variable; None where the fit follows
        these games whatever they are, as of two players who alone link two groups.
    """

    first: str
    second: str
    games: int
    score: float
    expected: float
    residual: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return {
            "first": self.first,
            "second": self.second,
            "games": self.games,
            "score": self.score,
            "expected": self.expected,
            "residual": self.residual,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class FitTest:
    """A test of whether the fit explains all pairings.

    Attributes
    ----------
    statistic : float
        Sum of the squared residuals, scaled to be compared with a chi-square variable.
    degrees : float
        Degrees of freedom of that variable.
    p_value : float
        Probability of so large a sum if the model is true.
    """

    statistic: float
    degrees: float
    p_value: float

    def to_dict(self) -> dict[str, float]:
        """Return a JSON-ready form."""
        return {"statistic": self.statistic, "degrees": self.degrees, "p_value": self.p_value}


def surprises(ratings: Ratings, units: Units) -> tuple[tuple[Surprise, ...], FitTest | None]:
    """Compare every pairing with the fit.

    Returns
    -------
    tuple
        The pairings, the players of each in the order of the ratings, and the test of all; None if
        no residual is determined, as with two players.
    """
    linear = Linearised.of(ratings.fit, units, ratings.model)
    scores, expected, gradient, added, variances = _residuals(linear)
    inverse = np.linalg.pinv(ratings.fit.information, rcond=1e-10, hermitian=True)
    covariance = np.diag(variances) - gradient @ inverse @ gradient.T
    added = added + _unit_scores(linear) @ inverse @ gradient.T
    held = units.in_pairings()
    trust = held / (held + FAITH)
    observed = units.times @ added**2 * held / np.maximum(held - 1, 1)
    errors = np.sqrt(trust * observed + (1 - trust) * np.maximum(np.diag(covariance), 0))
    games = _pairing_sums(units, ratings.fit.model.weights.sum(axis=1))
    testable = np.diag(covariance) > _SMALLEST * np.maximum(variances, _SMALLEST)
    residuals = [
        _as_normal(float(total / error), float(count)) if usable else None
        for total, error, count, usable in zip(
            scores - expected, errors, held, testable, strict=True
        )
    ]
    place = {name: number for number, name in enumerate(ratings.order())}
    found = [
        _surprise(ratings, two, int(n), score / n, mean / n, residual, place)
        for two, n, score, mean, residual in zip(
            _players(units), games, scores, expected, residuals, strict=True
        )
    ]
    found.sort(key=lambda one: (place[one.first], place[one.second]))
    chosen = [value for value in residuals if value is not None]
    return tuple(found), _fit_test(np.array(chosen), covariance[np.ix_(testable, testable)])


def _residuals(
    linear: Linearised,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return what the first player of each pairing scored, and what belongs to it.

    Returns
    -------
    tuple
        Scores and expected scores, float64[pairings]; the derivative of their difference by the
        parameters, float64[pairings, parameters]; what each unit adds to the difference,
        float64[units, pairings]; its variance by the model if nothing were fitted.
    """
    fit, units = linear.fit, linear.units
    probabilities, centred = fit.choices()
    games = fit.model.weights.sum(axis=1)
    means = probabilities @ OUTCOME_SCORES
    sign = np.where(units.first < units.second, 1.0, -1.0)
    values = sign[:, np.newaxis] * (OUTCOME_SCORES - means[:, np.newaxis])
    slopes = np.einsum("ck,k,ckp->cp", probabilities, OUTCOME_SCORES, centred)
    places = np.repeat(units.pairing, 3)
    spread = csr_array(
        (values.ravel(), (np.arange(len(places)), places)), shape=(len(places), units.pairings)
    )
    own = np.where(sign > 0, means, 1 - means)
    variance = probabilities @ OUTCOME_SCORES**2 - means**2
    expected = _pairing_sums(units, games * own)
    gradient = -np.stack(
        [_pairing_sums(units, games * sign * slopes[:, p]) for p in range(slopes.shape[1])], axis=1
    )
    added = (units.counts @ spread).toarray()
    return (
        expected + units.times @ added,
        expected,
        gradient,
        added,
        _pairing_sums(units, games * variance),
    )


def _unit_scores(linear: Linearised) -> FloatArray:
    """Return the derivatives of the log-likelihood that each unit adds, float64[units, n]."""
    scores = linear.outcome_scores()
    added: FloatArray = linear.units.counts @ scores.reshape(-1, scores.shape[2])
    return added


def _pairing_sums(units: Units, values: FloatArray) -> FloatArray:
    """Return the sums of the cells' values over each pairing."""
    sums: FloatArray = np.bincount(units.pairing, values, units.pairings).astype(np.float64)
    return sums


def _players(units: Units) -> list[tuple[int, int]]:
    """Return the two players of each pairing, the one of the lower index first."""
    cells = np.unique(units.pairing, return_index=True)[1]
    both = np.stack([units.first[cells], units.second[cells]], axis=1)
    return [(int(low), int(high)) for low, high in np.sort(both, axis=1)]


def _as_normal(ratio: float, units: float) -> float:
    """Return the normal variable that is as extreme as Student's `ratio`."""
    tail = stdtr(degrees_of_freedom(units), -abs(ratio))
    return float(np.copysign(min(-ndtri(tail), _LARGEST), ratio))


def _surprise(
    ratings: Ratings,
    two: tuple[int, int],
    games: int,
    score: float,
    expected: float,
    residual: float | None,
    place: dict[str, int],
) -> Surprise:
    first, second = (ratings.names[player] for player in two)
    if place[first] > place[second]:
        first, second = second, first
        score, expected = 1 - score, 1 - expected
        residual = None if residual is None else -residual
    return Surprise(
        first=first,
        second=second,
        games=games,
        score=float(score),
        expected=float(expected),
        residual=residual,
    )


def _fit_test(residuals: FloatArray, covariance: FloatArray) -> FitTest | None:
    """Test the sum of squares: its mean and variance are those of a scaled chi-square variable."""
    if not len(residuals):
        return None
    errors = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(errors, errors)
    squares = float(np.sum(correlation**2))
    degrees = len(residuals) ** 2 / squares
    statistic = float(residuals @ residuals) * len(residuals) / squares
    return FitTest(statistic=statistic, degrees=degrees, p_value=float(chdtrc(degrees, statistic)))
