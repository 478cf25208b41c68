"""The largest likelihood of outcome frequencies under a fixed mean or a fixed t-value.

Both maxima are roots of functions of one variable that are bracketed from the start, so nothing
here can diverge. Everything is vectorised over leading axes. Elo is not known here: `sprt`
turns hypotheses into means and t-values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from gomoku_lab.stats.pairs import FloatArray, outcome_scores

ZERO_COUNT: Final = 1e-3
"""What stands for a zero count, so that no outcome is impossible (as in fishtest)."""
_MAX_ITERATIONS: Final = 200
_GRID: Final = 1 / (1 + np.exp(-np.linspace(-18.0, 18.0, 37)))
"""Fractions of an interval at which the t-value equation is tried, dense at both ends."""


def regularised(counts: FloatArray) -> FloatArray:
    """Return the counts with `ZERO_COUNT` in place of every zero."""
    return np.where(counts == 0, ZERO_COUNT, counts)


def log_likelihood_at_mean(frequencies: FloatArray, mean: float) -> FloatArray:
    """Return the largest mean log-likelihood over distributions with the given mean.

    Parameters
    ----------
    frequencies : float64[..., k]
        Observed frequencies of the outcomes with scores 0, ..., 1; all positive, sum 1.
    mean : float
        Mean score demanded, inside 0..1.

    Returns
    -------
    float64[...]
        max sum f_i ln p_i over p with sum p_i a_i = mean, minus sum f_i ln f_i; never above 0.
    """
    if not 0 < mean < 1:
        raise ValueError(f"mean score must lie inside 0..1: {mean!r}")
    offsets = np.broadcast_to(outcome_scores(frequencies.shape[-1]) - mean, frequencies.shape)
    return _tilted_log_likelihood(frequencies, offsets, _tilt(frequencies, offsets))


def likeliest_at_means(frequencies: FloatArray, means: FloatArray) -> FloatArray:
    """Return, one row a mean, the likeliest distribution that has it.

    Parameters
    ----------
    frequencies : float64[k]
        As in `log_likelihood_at_mean`, of one result.
    means : float64[n]
        Mean scores inside 0..1.

    Returns
    -------
    float64[n, k]
        p_i = f_i / (1 + theta (a_i - mean)).
    """
    offsets = outcome_scores(frequencies.size) - means[:, np.newaxis]
    repeated = np.broadcast_to(frequencies, offsets.shape)
    theta = _tilt(repeated, offsets)
    weights = repeated / (1 + theta[:, np.newaxis] * offsets)
    distributions: FloatArray = weights / weights.sum(axis=1, keepdims=True)
    return distributions


def log_likelihood_at_t(frequencies: FloatArray, t_value: float) -> FloatArray:
    """Return the largest mean log-likelihood over distributions with a given t-value.

    The t-value is (mean - 1/2) / standard deviation. Parameters and result are as in
    `log_likelihood_at_mean`.

    Notes
    -----
    At the maximum p_i = f_i / (1 + theta c_i) with c_i proportional to the derivative of the
    t-value by p_i. With b_i = a_i - 1/2 and the standard deviation u of p (so that the mean of
    b is t u), c_i = t b_i^2 - 2 u (1 + t^2) b_i + t u^2 (1 + t^2). For a fixed u the theta
    with sum p_i c_i = 0 is a bracketed root; what is left is the one equation
    mean(b) = t u. It changes sign on each interval of possible u. All of its roots on a fine grid
    are found, and the likeliest is taken: for one sign of the difference the feasible set is not
    convex and there could be several, which is where the usual fixed-point iteration fails.
    """
    if t_value < 0:
        return log_likelihood_at_t(frequencies[..., ::-1], -t_value)
    if t_value == 0:
        return log_likelihood_at_mean(frequencies, 0.5)
    size = frequencies.shape[-1]
    flat = frequencies.reshape(-1, size)
    best = np.full(len(flat), -np.inf)
    for low, high in _deviation_intervals(size, t_value):
        grid = low + (high - low) * _GRID
        residuals = _solve_at_deviation(flat[:, np.newaxis, :], grid, t_value)[0]
        # The signs at the ends of the open interval are proved; rounding must not undo them.
        residuals[:, 0], residuals[:, -1] = np.inf, -np.inf
        rows, cells = np.nonzero((residuals[:, :-1] > 0) & (residuals[:, 1:] <= 0))
        chosen = flat[rows]

        def residual(deviation: FloatArray, chosen: FloatArray = chosen) -> FloatArray:
            return _solve_at_deviation(chosen, deviation, t_value)[0]

        deviations = _bracketed_root(residual, grid[cells], grid[cells + 1])
        np.maximum.at(best, rows, _solve_at_deviation(chosen, deviations, t_value)[1])
    likeliest: FloatArray = best.reshape(frequencies.shape[:-1])
    return likeliest


def _deviation_intervals(size: int, t_value: float) -> list[tuple[float, float]]:
    """Return the intervals of standard deviations that a distribution with `t_value` can have.

    For theta to exist some c_i must be negative, hence some b_i must lie between the two roots of
    the quadratic c(b); each positive b_i gives one open interval, and they are merged.
    """
    hypotenuse = np.sqrt(1 + t_value**2)
    # hypotenuse - 1 without cancellation, over t_value.
    ratio = t_value / (hypotenuse * (hypotenuse + 1))
    offsets = outcome_scores(size) - 0.5
    largest = 0.5 / hypotenuse
    merged: list[tuple[float, float]] = []
    for offset in offsets[offsets > 0]:
        low = float(offset * ratio)
        # Below 1 every upper end lies beyond the largest deviation (and might overflow).
        high = offset / (hypotenuse**2 * ratio) if t_value > 1 else largest
        high = float(min(largest, high))
        if merged and low < merged[-1][1]:
            merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    return merged


def _solve_at_deviation(
    frequencies: FloatArray, deviation: FloatArray, t_value: float
) -> tuple[FloatArray, FloatArray]:
    """Return mean(b) - t u, and the log-likelihood, of the tilted distribution at deviation u."""
    offsets = outcome_scores(frequencies.shape[-1]) - 0.5
    spread = deviation[..., np.newaxis]
    square = 1 + t_value**2
    gradient = t_value * offsets**2 - 2 * spread * square * offsets + t_value * spread**2 * square
    frequencies, gradient = np.broadcast_arrays(frequencies, gradient)
    theta = _tilt(frequencies, gradient)
    tilted = frequencies / (1 + theta[..., np.newaxis] * gradient)
    return (
        tilted @ offsets - t_value * deviation,
        _tilted_log_likelihood(frequencies, gradient, theta),
    )


def _tilted_log_likelihood(
    frequencies: FloatArray, gradient: FloatArray, theta: FloatArray
) -> FloatArray:
    """Return sum f ln(p / f) for p = f / (1 + theta gradient)."""
    values: FloatArray = -np.sum(frequencies * np.log1p(theta[..., np.newaxis] * gradient), axis=-1)
    return values


def _tilt(frequencies: FloatArray, gradient: FloatArray) -> FloatArray:
    """Return the theta with sum f g / (1 + theta g) = 0, by Newton steps inside a bracket.

    No probability f / (1 + theta g) can exceed 1, which bounds theta on both sides; the sum falls
    from positive to negative between the bounds.
    """
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        limits = (1 - frequencies) / np.abs(gradient)
    low = -np.min(np.where(gradient > 0, limits, np.inf), axis=-1)
    high = np.min(np.where(gradient < 0, limits, np.inf), axis=-1)
    theta = np.clip(0.0, low, high)
    previous = np.full(theta.shape, np.inf)
    for _ in range(_MAX_ITERATIONS):
        ratio = gradient / (1 + theta[..., np.newaxis] * gradient)
        weighted = frequencies * ratio
        value = weighted.sum(axis=-1)
        low = np.where(value > 0, theta, low)
        high = np.where(value > 0, high, theta)
        step = value / (weighted * ratio).sum(axis=-1)
        proposed = theta + step
        # A Newton step that leaves the bracket, or does not halve the residual, gives way.
        slow = np.abs(value) > 0.5 * previous
        outside = (proposed <= low) | (proposed >= high)
        following = np.where(outside | slow, 0.5 * (low + high), proposed)
        previous = np.abs(value)
        done = (np.abs(following - theta) <= 1e-13 * np.abs(theta)) | (value == 0)
        theta = np.where(value == 0, theta, following)
        if np.all(done):
            break
    root: FloatArray = theta
    return root


def _bracketed_root(
    function: Callable[[FloatArray], FloatArray], low: FloatArray, high: FloatArray
) -> FloatArray:
    """Return the roots of a function that is positive at `low` and not positive at `high`.

    Regula falsi with the Illinois correction, and bisection every third step.
    """
    low, high = low.copy(), high.copy()
    value_low, value_high = function(low), function(high)
    middle = 0.5 * (low + high)
    for iteration in range(_MAX_ITERATIONS):
        with np.errstate(invalid="ignore", divide="ignore"):
            weight = value_low / (value_low - value_high)
        usable = (weight > 0) & (weight < 1) & (iteration % 3 != 2)
        middle = low + np.where(usable, weight, 0.5) * (high - low)
        value = function(middle)
        left = value > 0
        value_high = np.where(left, value_high * 0.5, value)
        value_low = np.where(left, value, value_low * 0.5)
        low, high = np.where(left, middle, low), np.where(left, high, middle)
        if np.all((high - low <= 1e-13 * high) | (np.abs(value) <= 1e-13)):
            break
    return middle
