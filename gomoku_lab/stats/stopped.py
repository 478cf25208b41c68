"""Elo after a sequential test has stopped: median-unbiased, with an interval that holds.

A test stops where results look extreme, so the plain estimate leans away from the middle. Here the
question is: at which true strength would the test end at least as high as it did with probability
1/2 (the estimate) or 2.5 % and 97.5 % (the interval)? Ends are ordered stage by stage (an early
acceptance of H1 is the strongest sign of strength; A. A. Tsiatis, G. L. Rosner, C. R. Mehta, "Exact
confidence intervals following a group sequential test", Biometrics 40, 1984).

The strengths considered are the likeliest outcome distributions for each mean score. Along them
the exact likelihood ratio is a curve, which gives the boundaries of the mean score at each look;
between looks the sum of scores is taken as a Gaussian walk (`walk`). It decides nothing (`sprt`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.optimize import brentq
from scipy.special import expit, logit, ndtr, stdtrit

from gomoku_lab.stats.elo import K, elo_from_score, estimate_elo
from gomoku_lab.stats.estimate import Estimate
from gomoku_lab.stats.likelihood import likeliest_at_means
from gomoku_lab.stats.pairs import (
    PENTANOMIAL,
    FloatArray,
    check_counts,
    moments,
    outcome_scores,
)
from gomoku_lab.stats.sprt import Hypotheses, SprtState, llr_of_frequencies
from gomoku_lab.stats.walk import Boundaries, ends_above, inset, thinned

_GRID: Final = np.linspace(-7.5, 7.5, 41)
"""Log-odds of the mean scores at which the likelihood ratio is computed."""
_LOCAL: Final = 20
ADDED: Final = 0.1
"""What is added to every count: without it, an outcome that was not seen makes the spread small.

Normalised Elo divides by it: of players with an advantage of 300 Elo its interval held in 90 %.
"""
_FURTHEST: Final = 12.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppedEstimate:
    """What a sequential test says about the strength, its stopping taken into account.

    Attributes
    ----------
    elo, nelo : Estimate
        Elo of the score and normalised Elo: the median-unbiased estimate, and the interval with
        equal tails. Where all results were alike it is the bound of `estimate_elo`.
    step : int
        Units (pairs or games) between two looks at the test.
    """

    elo: Estimate
    nelo: Estimate
    step: int

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return {"elo": self.elo.to_dict(), "nelo": self.nelo.to_dict(), "step": self.step}


def estimate_after_stop(
    state: SprtState, *, step: int = 1, confidence: float = 0.95
) -> StoppedEstimate:
    """Estimate the strength from a test that has decided, or was ended by a limit fixed before.

    Parameters
    ----------
    state : SprtState
        The test; at least one result.
    step : int
        After how many pairs (games, if it counts games) the test is looked at. The last group may
        be smaller.
    confidence : float
        Of the intervals.
    """
    if step < 1:
        raise ValueError(f"step must be at least 1: {step!r}")
    counts = check_counts(state.counts)
    if moments(counts)[2] == 0:
        plain = estimate_elo(counts, confidence=confidence)
        return StoppedEstimate(elo=plain.elo, nelo=plain.nelo, step=step)
    family = _Family(counts, state.hypotheses)
    times = _looks(int(counts.sum()), state.floor, step)
    unit = K / np.sqrt(2.0 if counts.size == PENTANOMIAL else 1.0)
    kinds: list[tuple[_Drift, Callable[[float], float]]] = [
        (_score_drift, elo_from_score),
        (_t_drift, lambda mean: float(unit * _t_drift(family.at(np.array([mean])))[0][0])),
    ]
    elo, nelo = (
        _estimate(_Ends(family, drift, times, step, state.decision), to_elo, confidence)
        for drift, to_elo in kinds
    )
    return StoppedEstimate(elo=elo, nelo=nelo, step=step)


def _looks(total: int, floor: int, step: int) -> FloatArray:
    """Return after how many units there were looks that could have ended the test."""
    first = step * -(-floor // step)
    return np.append(np.arange(first, total, step, dtype=np.float64), float(total))


def _moments_of(distributions: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return mean and standard deviation, one a row, and the standardised scores."""
    scores = outcome_scores(distributions.shape[-1])
    means = distributions @ scores
    centred = scores - means[:, np.newaxis]
    deviations = np.sqrt(np.sum(distributions * centred**2, axis=1))
    return means, deviations, centred / deviations[:, np.newaxis]


def _score_drift(distributions: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance of one unit's score, for each distribution."""
    means, deviations, _ = _moments_of(distributions)
    return means, deviations**2


def _t_drift(distributions: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the t-value of one unit, and the variance that one unit adds to its estimate.

    An outcome of standardised score z moves the estimated t-value by z - t (z^2 - 1) / 2 over the
    number of units: the spread is estimated as well.
    """
    means, deviations, z = _moments_of(distributions)
    t_values = (means - 0.5) / deviations
    influence = z - 0.5 * t_values[:, np.newaxis] * (z**2 - 1)
    return t_values, np.sum(distributions * influence**2, axis=1)


_Drift = Callable[[FloatArray], tuple[FloatArray, FloatArray]]


class _Family:
    """The likeliest distributions of each mean score, and the likelihood ratio along them."""

    def __init__(self, counts: FloatArray, hypotheses: Hypotheses) -> None:
        filled = counts + ADDED
        self._frequencies = filled / filled.sum()
        self._hypotheses = hypotheses
        self.total = float(counts.sum())
        self.mean = float(self._frequencies @ outcome_scores(counts.size))
        grid = np.sort(np.append(_GRID, logit(self.mean)))
        ratios = self._ratios(grid)
        # Where the boundaries of the last looks lie, the curve is computed once more, finely.
        coarse = _inverse(grid, ratios)
        ends = [coarse(2 * bound / self.total) for bound in hypotheses.bounds]
        fine = np.union1d(grid, np.linspace(max(ends[0], grid[0]), min(ends[1], grid[-1]), _LOCAL))
        self._log_odds = _inverse(fine, self._ratios(fine))

    def at(self, means: FloatArray) -> FloatArray:
        """Return the distributions with these means, one a row."""
        return likeliest_at_means(self._frequencies, means)

    def boundaries(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the mean scores at which the test stops, 0 and 1 where it cannot."""
        low, high = (self._log_odds(bound / times) for bound in self._hypotheses.bounds)
        return expit(low), expit(high)

    def _ratios(self, log_odds: FloatArray) -> FloatArray:
        given, distributions = self._hypotheses, self.at(expit(log_odds))
        return llr_of_frequencies(
            distributions, elo0=given.elo0, elo1=given.elo1, model=given.model
        )


def _inverse(log_odds: FloatArray, ratios: FloatArray) -> Callable[[Any], Any]:
    """Return the function from a likelihood ratio to the log-odds of the mean that has it.

    Ratios beyond those computed lie at infinity. The ratio rises with the mean but for rounding.
    """
    rising = np.append(True, ratios[1:] > np.maximum.accumulate(ratios)[:-1])
    curve = PchipInterpolator(ratios[rising], log_odds[rising], extrapolate=False)
    least, most = ratios[rising][0], ratios[rising][-1]

    def inverse(ratio: Any) -> Any:
        return np.where(ratio <= least, -np.inf, np.where(ratio >= most, np.inf, curve(ratio)))

    return inverse


class _Ends:
    """The probability that the test ends at least as high as it did, given a true mean score."""

    def __init__(
        self,
        family: _Family,
        drift: _Drift,
        times: FloatArray,
        step: int,
        decision: str | None,
    ) -> None:
        self.family = family
        self._drift = drift
        self._step = step
        self._decision = decision
        self._times = thinned(times)
        self._is_thinned = len(times) > len(self._times)
        low, high = family.boundaries(self._times)
        self._low = self._sums(low, -np.inf)
        self._high = self._sums(high, np.inf)
        self._value = family.total * float(drift(family.at(np.array([family.mean])))[0][0])

    def _sums(self, means: FloatArray, beyond: float) -> FloatArray:
        """Return where the walk stops, for mean scores at which it does."""
        inside = (means > 0) & (means < 1)
        sums = np.full(len(means), beyond)
        sums[inside] = self._times[inside] * self._drift(self.family.at(means[inside]))[0]
        return sums

    def above(self, mean: float) -> float:
        """Return the probability for the true mean score `mean`."""
        drifts, variances = self._drift(self.family.at(np.array([mean])))
        # The spread is that of the sample: a little too small.
        total = self.family.total
        drift, variance = float(drifts[0]), float(variances[0]) * total / (total - 1)
        moved = np.zeros(len(self._times))
        if self._is_thinned:
            moved = inset(self._times, self._step, np.sqrt(variance))
        value = self._value
        if self._decision is not None:
            value += -moved[-1] if self._decision == "H1" else moved[-1]
        return ends_above(
            Boundaries(self._times, self._low + moved, self._high - moved),
            value,
            upper=self._decision != "H0",
            drift=drift,
            variance=variance,
        )


def _estimate(ends: _Ends, to_elo: Callable[[float], float], confidence: float) -> Estimate:
    """Return the Elo at which the test ends as high as it did with the wanted probabilities.

    The tails are those that Student's quantiles cut off a normal variable, since the spread of the
    scores is estimated from the same results.
    """
    tail = float(ndtr(stdtrit(ends.family.total - 1, (1 - confidence) / 2)))
    low, value, high = (_mean_at(ends, probability) for probability in (tail, 0.5, 1 - tail))
    elos = [None if mean is None else to_elo(mean) for mean in (low, value, high)]
    half = None if elos[0] is None or elos[2] is None else (elos[2] - elos[0]) / 2
    return Estimate(value=elos[1], error=half, low=elos[0], high=elos[2], confidence=confidence)


def _mean_at(ends: _Ends, probability: float) -> float | None:
    """Return the mean score at which `_Ends.above` has a value; None if there is none."""

    def excess(log_odds: float) -> float:
        return ends.above(float(expit(log_odds))) - probability

    centre = float(logit(ends.family.mean))
    low = high = centre
    width = 0.25
    while excess(low) > 0:
        low, width = low - width, 2 * width
        if low < -_FURTHEST:
            return None
    width = 0.25
    while excess(high) < 0:
        high, width = high + width, 2 * width
        if high > _FURTHEST:
            return None
    return float(expit(centre if low == high else brentq(excess, low, high, xtol=1e-5)))
