"""How well a fitted model foretells games that it has not seen: log loss, accuracy, calibration.

Positions of one game share its result, so every interval counts games as independent, not
positions.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from gomoku_lab.stats.estimate import normal_quantile
from gomoku_lab.tuning.models import Vector
from gomoku_lab.tuning.samples import Samples

BINS: Final = 10
_Z: Final = normal_quantile(0.95)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How well one model does on held-out positions.

    Attributes
    ----------
    name : str
        The model.
    log_loss : float
        Mean of -log(probability of what happened), in nats; 0.6931 is a coin's.
    accuracy : float or None
        Share of the positions of decided games in which the side it prefers went on to win; None
        if all were drawn.
    gain, gain_error : float
        By how much its loss is below that of the starting weights, with a 95 % half-width.
    """

    name: str
    log_loss: float
    accuracy: float | None
    gain: float
    gain_error: float

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Positions that a model foretells alike.

    Attributes
    ----------
    predicted, observed : float
        Mean probability that the side to move wins, and the mean result.
    low, high : float
        95 % interval of the mean result if the predictions are right about nothing but the games'
        dependence.
    positions, games : int
        How many are in it.
    """

    predicted: float
    observed: float
    low: float
    high: float
    positions: int
    games: int

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return asdict(self)


def score_of(
    name: str, samples: Samples, chosen: npt.NDArray[np.bool_], logit: Vector, start: Vector
) -> Score:
    """Return how well the log-odds `logit` foretell the `chosen` positions.

    `start` holds the log-odds of the starting weights.
    """
    results = samples.labels[chosen] / 2
    own, before = (_losses(results, found[chosen]) for found in (logit, start))
    decided = results != 0.5
    right = (logit[chosen] > 0) == (results > 0.5)
    gain = before - own
    return Score(
        name=name,
        log_loss=float(own.mean()),
        accuracy=float(right[decided].mean()) if decided.any() else None,
        gain=float(gain.mean()),
        gain_error=_Z * _error_of_mean(gain, samples.games[chosen]),
    )


def calibration(samples: Samples, chosen: npt.NDArray[np.bool_], logit: Vector) -> tuple[Bin, ...]:
    """Return predicted and observed results in bins of equal width of the prediction."""
    predicted = 1 / (1 + np.exp(-logit[chosen]))
    results, games = samples.labels[chosen] / 2, samples.games[chosen]
    number = np.minimum((predicted * BINS).astype(int), BINS - 1)
    bins = []
    for index in range(BINS):
        inside = number == index
        if not inside.any():
            continue
        observed = float(results[inside].mean())
        low, high = _interval(observed, results[inside], games[inside])
        bins.append(
            Bin(
                predicted=float(predicted[inside].mean()),
                observed=observed,
                low=low,
                high=high,
                positions=int(inside.sum()),
                games=len(np.unique(games[inside])),
            )
        )
    return tuple(bins)


def _interval(mean: float, results: Vector, games: npt.NDArray[np.int32]) -> tuple[float, float]:
    """Return Wilson's interval of a share, which has a width also where all results are alike.

    The effective number of results is the one that has the standard error found (E. B. Wilson,
    JASA 22, 1927; E. L. Korn, B. I. Graubard, Survey Methodology 24, 1998).
    """
    error = _error_of_mean(results, games)
    if not np.isfinite(error):
        return 0.0, 1.0
    spread = mean * (1 - mean)
    count = spread / error**2 if error > 0 and spread > 0 else len(np.unique(games))
    middle, tail = mean + _Z**2 / (2 * count), _Z**2 / (4 * count**2)
    half = _Z * float(np.sqrt(spread / count + tail))
    whole = 1 + _Z**2 / count
    # A share of 0 or 1 is an end itself, but for rounding.
    return max(min((middle - half) / whole, mean), 0.0), min(
        max((middle + half) / whole, mean), 1.0
    )


def _losses(results: Vector, logit: Vector) -> Vector:
    """Return the log loss of each position."""
    found: Vector = np.logaddexp(0, logit) - results * logit
    return found


def _error_of_mean(values: Vector, games: npt.NDArray[np.int32]) -> float:
    """Return the standard error of the mean of `values`, those of a game being dependent."""
    _, number = np.unique(games, return_inverse=True)
    sums = np.bincount(number, weights=values - values.mean())
    count = len(sums)
    if count < 2:
        return float("inf")
    return float(np.sqrt(count / (count - 1) * (sums**2).sum()) / len(values))
