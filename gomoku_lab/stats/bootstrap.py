"""Fits of resampled results: how far the estimates would move if other clusters had been drawn.

Whole clusters are drawn with replacement (B. Efron, R. J. Tibshirani, An Introduction to the
Bootstrap, 1993, chapter 8), and the model is fitted again to each resample: all fits at once, by
Newton steps from the original maximum. What the fits are good for is told elsewhere (`separation`).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from gomoku_lab.stats.clusters import Units
from gomoku_lab.stats.pairs import FloatArray
from gomoku_lab.stats.robust import Linearised

RIDGE: Final = 1e-3
"""Precision of a normal prior around the original maximum, in units of log-odds.

It is a four-hundredth of what one even game tells, and keeps a resample finite in which a player
wins every game: such a fit lies many standard errors away, as it should.
"""
_TOLERANCE: Final = 1e-6
_MAX_STEPS: Final = 60
_NO_ERROR: Final = 1e-9
_LONGEST: Final = 3.0
_CHORDS: Final = 25
_CHUNK: Final = 250


def resample(units: Units, count: int, rng: np.random.Generator) -> FloatArray:
    """Draw `count` times as many units as there are, with replacement.

    Clusters are drawn from all clusters; games that belong to none from those of their cell.

    Returns
    -------
    float64[count, cells, 3]
        How often each outcome of each cell was drawn.
    """
    grouped = units.clusters
    drawn = np.zeros((count, units.counts.shape[1]))
    if grouped:
        times = rng.multinomial(grouped, np.full(grouped, 1 / grouped), size=count)
        drawn += (units.counts[:grouped].T @ times.T.astype(np.float64)).T
    places = units.counts[grouped:].indices  # lone games: one entry a row
    for cell in np.unique(places // 3):
        of_cell = np.nonzero(places // 3 == cell)[0]
        games = units.times[grouped + of_cell]
        total = int(games.sum())
        drawn[:, places[of_cell]] += rng.multinomial(total, games / total, size=count)
    return drawn.reshape(count, -1, 3)


class Refitter:
    """Fits the model to resamples, all at once.

    Parameters
    ----------
    linear : Linearised
        The original fit, from which every other one starts. Only directions that the original
        results determine are fitted: what a resample leaves open, so do they.
    """

    def __init__(self, linear: Linearised) -> None:
        fit = linear.fit
        self._linear = linear
        # An orthonormal basis of what is determined, and the utilities in its coordinates.
        self._basis = np.linalg.svd(fit.null.T, full_matrices=True)[2][fit.null.shape[1] :].T
        self._shape = fit.reduced.features.shape[:2]
        self._features = fit.reduced.features.reshape(-1, len(fit.theta)) @ self._basis
        utilities = fit.reduced.features @ fit.theta + fit.reduced.offsets
        self._start = np.where(fit.reduced.allowed, utilities, -np.inf)
        self._products = _products(fit.reduced.features)
        original = self._expected(np.zeros((1, self._basis.shape[1])), self._chosen_originally)
        self._information = self._informations(original)[0]
        self._errors = self._standard_errors(original)[0]

    @property
    def _chosen_originally(self) -> FloatArray:
        return self._linear.fit.model.weights[np.newaxis]

    def fit(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Fit the model to each of many resamples.

        Parameters
        ----------
        weights : float64[n, cells, 3]
            How often each outcome of each cell came in each resample.

        Returns
        -------
        tuple
            The maximisers, float64[n, parameters]; and float64[n, parameters, parameters], how
            uncertain the difference of two parameters is, as the model's standard error over the
            original one. Where a resample leaves a difference nearly open, since somebody wins
            every game, it lies far away, but its error is as large. It is 1 where the original
            error is 0.
        """
        chosen = weights @ self._linear.weights
        moved, done = self._chords(chosen)
        late = np.nonzero(~done)[0]
        for place in range(0, len(late), _CHUNK):
            some = late[place : place + _CHUNK]
            moved[some] = self._newton(chosen[some])
        errors = [
            self._standard_errors(self._expected(moved[some], chosen[some]))
            for some in (slice(place, place + _CHUNK) for place in range(0, len(moved), _CHUNK))
        ]
        ratios = np.concatenate(errors)
        np.divide(ratios, self._errors, out=ratios, where=self._errors > _NO_ERROR)
        ratios[:, self._errors <= _NO_ERROR] = 1.0
        thetas: FloatArray = self._linear.fit.theta + moved @ self._basis.T
        return thetas, ratios

    def _expected(self, moved: FloatArray, chosen: FloatArray) -> FloatArray:
        """Return how often each outcome is expected after the parameters have moved."""
        expected: FloatArray = self._start + (moved @ self._features.T).reshape(-1, *self._shape)
        expected -= expected.max(axis=2, keepdims=True)
        np.exp(expected, out=expected)
        expected *= chosen.sum(axis=2, keepdims=True) / expected.sum(axis=2, keepdims=True)
        return expected

    def _slopes(self, moved: FloatArray, chosen: FloatArray, expected: FloatArray) -> FloatArray:
        """Return the derivatives of the log-likelihoods."""
        surplus = (chosen - expected).reshape(len(moved), -1)
        slopes: FloatArray = surplus @ self._features - RIDGE * moved
        return slopes

    def _informations(self, expected: FloatArray) -> FloatArray:
        """Return the information of each resample, with the ridge, float64[resamples, n, n]."""
        count, outcomes = len(expected), self._shape[1]
        totals = np.maximum(expected.sum(axis=2), 1e-300)[:, :, np.newaxis, np.newaxis]
        spread = -expected[:, :, :, np.newaxis] * expected[:, :, np.newaxis, :] / totals
        spread[:, :, range(outcomes), range(outcomes)] += expected
        parameters = len(self._basis)
        whole = (self._products.T @ spread.reshape(count, -1).T).T
        whole = whole.reshape(count, parameters, parameters)
        informations: FloatArray = self._basis.T @ whole @ self._basis
        informations += RIDGE * np.eye(self._basis.shape[1])
        return informations

    def _standard_errors(self, expected: FloatArray) -> FloatArray:
        """Return the model's standard errors of all differences of parameters."""
        inverse = np.linalg.inv(self._informations(expected))
        covariance = self._basis @ inverse @ self._basis.T
        variances = np.diagonal(covariance, axis1=1, axis2=2)
        squares = variances[:, :, np.newaxis] + variances[:, np.newaxis, :] - 2 * covariance
        errors: FloatArray = np.sqrt(np.maximum(squares, 0.0))
        return errors

    def _chords(self, weights: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Return how far each maximum lies from the original one, and which of them were found.

        All steps use the information at the original maximum, which makes them cheap.
        """
        inverse = np.linalg.inv(self._information)
        moved, active = np.zeros((len(weights), len(inverse))), np.arange(len(weights))
        for _ in range(_CHORDS):
            expected = self._expected(moved[active], weights[active])
            step = self._slopes(moved[active], weights[active], expected) @ inverse
            moved[active] += step
            active = active[np.abs(step @ self._features.T).max(axis=1) > _TOLERANCE]
            if not len(active):
                break
        done = np.ones(len(weights), dtype=bool)
        done[active] = False
        return moved, done

    def _newton(self, weights: FloatArray) -> FloatArray:
        """Return the same as `_chords`, by Newton's own steps, which always arrive."""
        moved = np.zeros((len(weights), self._basis.shape[1]))
        active = np.arange(len(weights))
        for _ in range(_MAX_STEPS):
            expected = self._expected(moved[active], weights[active])
            slopes = self._slopes(moved[active], weights[active], expected)[:, :, np.newaxis]
            step = np.linalg.solve(self._informations(expected), slopes)[:, :, 0]
            longest = np.abs(step @ self._features.T).max(axis=1)
            step *= np.minimum(1.0, _LONGEST / np.maximum(longest, 1e-300))[:, np.newaxis]
            moved[active] += step
            active = active[longest > _TOLERANCE]
            if not len(active):
                return moved
        raise ArithmeticError(f"{len(active)} resamples were not fitted in {_MAX_STEPS} steps")


def _products(features: FloatArray) -> csr_array:
    """Return the products of the features of every two outcomes of a cell.

    Returns
    -------
    csr_array, float64[9 cells, parameters^2]
        A row for each cell and two of its outcomes. Hardly any of its numbers are not 0, since a
        game is about two players.
    """
    cells, outcomes, parameters = features.shape
    width = int(np.count_nonzero(features, axis=2).max(initial=1))
    places = np.argsort(features == 0, axis=2, kind="stable")[:, :, :width]
    values = np.take_along_axis(features, places, axis=2)
    first, second = places[:, :, np.newaxis, :, np.newaxis], places[:, np.newaxis, :, np.newaxis, :]
    columns = (first * parameters + second).reshape(-1)
    products = values[:, :, np.newaxis, :, np.newaxis] * values[:, np.newaxis, :, np.newaxis, :]
    rows = np.repeat(np.arange(cells * outcomes**2), width**2)
    entries = csr_array(
        (products.reshape(-1), (rows, columns)), shape=(cells * outcomes**2, parameters**2)
    )
    entries.eliminate_zeros()
    return entries
