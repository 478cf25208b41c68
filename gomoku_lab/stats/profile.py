"""Intervals from the profile likelihood, for estimates that rest on few results.

A player that lost twice in a hundred games has a rating of which the likelihood is lopsided: the
normal interval holds too seldom on one side and too often on the other. Here the interval is what
the likelihood ratio does not reject, in a likelihood with Jeffreys' prior (D. Firth, "Bias
reduction of maximum likelihood estimates", Biometrika 80, 1993; G. Heinze, M. Schemper, "A solution
to the problem of separation in logistic regression", Statistics in Medicine 21, 2002). Where games
depend on each other the ratio is scaled by how much more, or less, the clusters vary than the model
says (A. Rotnitzky, N. P. Jewell, Biometrika 77, 1990). `contrast` asks; `choice` maximises.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from gomoku_lab.stats.choice import BoolArray, ChoiceFit, bases, derivatives, maximise
from gomoku_lab.stats.clusters import Units
from gomoku_lab.stats.davidson import RatingModel
from gomoku_lab.stats.estimate import positive_probability, student_quantile
from gomoku_lab.stats.pairs import FloatArray
from gomoku_lab.stats.results import IntArray
from gomoku_lab.stats.robust import Linearised

ENOUGH: Final = 12.0
"""Effective number of independent results from which on the normal interval is as good."""
FAITH_IN_FEW: Final = 2.0
"""Effective results by which the model's own variance is weighed against the observed one.

Chosen by simulation, in the cells of `experiments/023-calibration` with 5,000 repetitions: from 1.5
to 2.5 all 95 % intervals hold in 93 to 97 %. With less they are too narrow where a handful of
losses tells, with more too wide at a gap of 400 Elo and 30 pairs.
"""
ROUNDS: Final = 8
"""How often what the prior adds is computed anew, which halves its error at the least."""
_STEPS: Final = 40
_LONGEST: Final = 3.0
_FURTHEST: Final = 60.0


@dataclass(frozen=True, slots=True, eq=False)
class _Augmented:
    """The fit with what Jeffreys' prior adds to the results, and a basis of all its directions."""

    fit: ChoiceFit
    basis: FloatArray


class Profile:
    """The profile likelihood of a fit.

    Parameters
    ----------
    fit : ChoiceFit
        The fit, with the model's own covariance.
    units : Units
        What is independent in the results.
    model : RatingModel
        What was fitted.
    degrees : float
        Degrees of freedom of a variance from the units, by which the likelihood ratio is scaled.
        If infinite, it is not scaled: the variance is the model's own.
    """

    def __init__(self, fit: ChoiceFit, units: Units, model: RatingModel, degrees: float) -> None:
        self._fit = fit
        self._units = units
        self._linear = Linearised.of(fit, units, model)
        self._degrees = degrees

    def is_needed(self, contrast: FloatArray) -> bool:
        """Tell whether the estimate of contrast @ theta rests on few results."""
        return bool(self.are_needed(contrast[np.newaxis])[0])

    def are_needed(self, contrasts: FloatArray) -> BoolArray:
        """Tell of each row whether it `is_needed`."""
        few: BoolArray = effective(self._influences @ contrasts.T, self._units.times) < ENOUGH
        return few

    def ends(self, contrast: FloatArray, confidence: float) -> tuple[float, float]:
        """Return the lowest and the highest contrast @ theta that the results do not reject."""
        fall = 0.5 * student_quantile(confidence, self._degrees) ** 2 * self.scale(contrast)
        low, high = (self._end(side * contrast, fall) for side in (-1.0, 1.0))
        return -low, high

    def positive(self, contrast: FloatArray, offset: float) -> float:
        """Return the probability that contrast @ theta + offset is positive."""
        fall = max(0.0, -self._fallen(contrast, -offset)) / self.scale(contrast)
        side = np.sign(float(contrast @ self._augmented.fit.theta) + offset)
        return positive_probability(float(side * np.sqrt(2 * fall)), self._degrees)

    def scale(self, contrast: FloatArray) -> float:
        """Return the variance of the contrast as the units show it, over the model's."""
        if np.isinf(self._degrees):
            return 1.0
        fit = self._augmented.fit
        moved = fit.covariance @ contrast
        linear = replace(self._linear, fit=fit)
        observed, expected = linear.faithful()
        probabilities, centred = fit.choices()
        weights = fit.model.weights.sum(axis=1)[:, np.newaxis] * probabilities
        by_model = np.sum(weights * (centred @ moved) ** 2, axis=1)
        scores = linear.outcome_scores() @ moved * np.sqrt(observed)[:, np.newaxis]
        each = self._units.counts @ scores.reshape(-1)
        squares = float(self._units.times @ each**2)
        ratio = (squares + float(expected @ by_model)) / float(by_model.sum())
        few = float(effective(each, self._units.times))
        return (few * ratio + FAITH_IN_FEW) / (few + FAITH_IN_FEW)

    @cached_property
    def _influences(self) -> FloatArray:
        """How much each unit moves the estimates, float64[units, parameters]."""
        scores = self._linear.outcome_scores()
        influences: FloatArray = self._units.counts @ (
            scores.reshape(-1, scores.shape[2]) @ self._fit.covariance
        )
        return influences

    @cached_property
    def _augmented(self) -> _Augmented:
        model = self._fit.model
        allowed = model.allowed.copy()
        if not np.any(model.weights[:, 1]):
            allowed[:, 1] = False  # no draws: the model has none
        model = replace(model, allowed=allowed)
        basis, null = bases(model)
        added = np.where(allowed, 0.25, 0.0)
        theta = np.zeros(len(model.precision))
        for _ in range(ROUNDS):
            augmented = replace(model, weights=model.weights + added)
            theta, value, gradient, information, steps = maximise(augmented, theta, basis)
            covariance = basis @ np.linalg.solve(information, basis.T)
            fit = ChoiceFit(augmented, augmented, theta, null, covariance, value, gradient, steps)
            added = jeffreys(fit)
        return _Augmented(fit, basis)

    def _fallen(self, contrast: FloatArray, value: float) -> float:
        """Return the log-likelihood at contrast @ theta = value, less the largest one."""
        fit, basis = self._augmented.fit, self._augmented.basis
        moved = fit.covariance @ contrast
        start = fit.theta + moved * (value - contrast @ fit.theta) / (contrast @ moved)
        rest = basis @ np.linalg.svd((contrast @ basis)[np.newaxis, :])[2][1:].T
        return maximise(fit.model, start, rest)[1] - fit.log_likelihood

    def _end(self, contrast: FloatArray, fall: float) -> float:
        """Return the largest contrast @ theta at which the log-likelihood has fallen by so much.

        D. J. Venzon, S. H. Moolgavkar, "A method for computing profile-likelihood-based confidence
        intervals", Applied Statistics 37, 1988: Newton's method for the point on the level surface
        where the gradient is a multiple of the contrast.
        """
        fit, basis = self._augmented.fit, self._augmented.basis
        inside = contrast @ basis
        theta, target = fit.theta, fit.log_likelihood - fall
        for _ in range(_STEPS):
            value, slope, curvature = derivatives(fit.model, theta)
            gradient = basis.T @ slope
            information = basis.T @ curvature @ basis
            away, along = np.linalg.solve(information, np.stack([gradient, inside], axis=1)).T
            square = (2 * (value - target) + gradient @ away) / (inside @ along)
            step = basis @ (away + np.sqrt(max(0.0, square)) * along)
            longest = float(np.abs(fit.model.features @ step).max())
            theta = theta + step * min(1.0, _LONGEST / max(longest, 1e-300))
            if longest <= 1e-8:
                return float(contrast @ theta)
        from scipy.optimize import brentq  # seldom needed, and slow to import

        centre = float(contrast @ fit.theta)
        return float(
            brentq(lambda far: self._fallen(contrast, far) + fall, centre, centre + _FURTHEST)
        )


def effective(influences: FloatArray, times: IntArray) -> FloatArray:
    """Return how many equal results would vary as much as these do: the inverse kurtosis.

    The results lie along the first axis; there is a number for each column, if there are any.
    """
    squares = influences**2
    totals, fourths = np.asarray(times @ squares), times @ squares**2
    return np.divide(totals**2, fourths, out=np.zeros_like(totals), where=totals > 0)


def jeffreys(fit: ChoiceFit) -> FloatArray:
    """Return what Jeffreys' prior adds to the results near the maximum, float64[cells, outcomes].

    The derivative of half the logarithm of the information's determinant is that of so many further
    results. Where a cell's outcomes are free they are half of one each, wherever theta is; else
    they are fewer, as the cell decides less about its own probabilities.
    """
    probabilities, centred = fit.choices()
    allowed = fit.reduced.allowed
    expected = fit.model.weights.sum(axis=1)[:, np.newaxis] * probabilities
    leverages = expected * np.sum((centred @ fit.covariance) * centred, axis=2)
    shared = leverages.sum(axis=1) / np.maximum(allowed.sum(axis=1) - 1, 1)
    added: FloatArray = 0.5 * (leverages + probabilities * shared[:, np.newaxis])
    return np.where(allowed, added, 0.0)
