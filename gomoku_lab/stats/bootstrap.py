"""Fits of resampled results: how far the estimates would move if other clusters had been drawn.

Whole clusters are drawn with replacement (B. Efron, R. J. Tibshirani, An Introduction to the
Bootstrap, 1993, chapter 8), and the model is fitted again to each resample: all fits at once, by
Newton steps from the original maximum. What the fits are good for is told elsewhere (`separation`).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

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
_LONGEST: Final = 3.0
_CHORDS: Final = 25
_CHUNK: Final = 100


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


def refit(linear: Linearised, weights: FloatArray) -> FloatArray:
    """Fit the model to each of many resamples.

    Parameters
    ----------
    linear : Linearised
        The original fit.
    weights : float64[n, cells, 3]
        How often each outcome of each cell came in each resample.

    Returns
    -------
    float64[n, parameters]
        The maximisers, along the directions that the original results determine.
    """
    fit = linear.fit
    basis = np.linalg.svd(fit.null.T, full_matrices=True)[2][fit.null.shape[1] :].T
    features = fit.reduced.features @ basis
    start = np.where(
        fit.reduced.allowed, fit.reduced.features @ fit.theta + fit.reduced.offsets, -np.inf
    )
    chosen = weights @ linear.weights
    moved, done = _chords(features, start, chosen, basis.T @ fit.information @ basis)
    late = np.nonzero(~done)[0]
    for place in range(0, len(late), _CHUNK):
        some = late[place : place + _CHUNK]
        moved[some] = _newton(features, start, chosen[some])
    thetas: FloatArray = fit.theta + moved @ basis.T
    return thetas


def _expected(
    features: FloatArray, start: FloatArray, moved: FloatArray, totals: FloatArray
) -> FloatArray:
    """Return how often each outcome is expected after the parameters have moved."""
    utilities = start + (moved @ features.reshape(-1, features.shape[2]).T).reshape(
        len(moved), *start.shape
    )
    utilities -= utilities.max(axis=2, keepdims=True)
    expected = np.exp(utilities)
    expected *= totals / expected.sum(axis=2, keepdims=True)
    return expected


def _chords(
    features: FloatArray, start: FloatArray, weights: FloatArray, information: FloatArray
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return how far each maximum lies from the original one, and which of them were found.

    All steps use the information at the original maximum, which makes them cheap.

    Parameters
    ----------
    features : float64[cells, 3, n]
        By which each of n parameters moves the utilities.
    start : float64[cells, 3]
        Utilities at the original maximum; -inf where an outcome is impossible.
    weights : float64[resamples, cells, 3]
        How often each outcome was chosen.
    information : float64[n, n]
        At the original maximum.
    """
    size = features.shape[2]
    inverse = np.linalg.inv(information + RIDGE * np.eye(size))
    flat = features.reshape(-1, size)
    moved, active = np.zeros((len(weights), size)), np.arange(len(weights))
    for _ in range(_CHORDS):
        chosen = weights[active]
        expected = _expected(features, start, moved[active], chosen.sum(axis=2, keepdims=True))
        slope = (chosen - expected).reshape(len(active), -1) @ flat - RIDGE * moved[active]
        step = slope @ inverse
        moved[active] += step
        active = active[np.abs(step @ flat.T).max(axis=1) > _TOLERANCE]
        if not len(active):
            break
    done = np.ones(len(weights), dtype=bool)
    done[active] = False
    return moved, done


def _newton(features: FloatArray, start: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the same as `_chords`, by Newton's own steps, which always arrive."""
    size = features.shape[2]
    flat = features.reshape(-1, size)
    squares = (flat[:, :, np.newaxis] * flat[:, np.newaxis, :]).reshape(-1, size**2)
    moved, active = np.zeros((len(weights), size)), np.arange(len(weights))
    for _ in range(_MAX_STEPS):
        chosen = weights[active]
        totals = chosen.sum(axis=2, keepdims=True)
        expected = _expected(features, start, moved[active], totals)
        slope = (chosen - expected).reshape(len(active), -1) @ flat - RIDGE * moved[active]
        sums = np.einsum("bck,ckp->bcp", expected, features)
        shares = np.divide(sums, totals, out=np.zeros_like(sums), where=totals > 0)
        information = (expected.reshape(len(active), -1) @ squares).reshape(-1, size, size)
        information -= shares.transpose(0, 2, 1) @ sums
        information += RIDGE * np.eye(size)
        step = np.linalg.solve(information, slope[:, :, np.newaxis])[:, :, 0]
        longest = np.abs(step @ flat.T).max(axis=1)
        step *= np.minimum(1.0, _LONGEST / np.maximum(longest, 1e-300))[:, np.newaxis]
        moved[active] += step
        active = active[longest > _TOLERANCE]
        if not len(active):
            return moved
    raise ArithmeticError(f"{len(active)} resamples were not fitted in {_MAX_STEPS} steps")
