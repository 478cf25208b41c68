"""What `gomoku_lab.stats` tells of one result at a time, for thousands of them at once.

Only `calibrate.py` uses it, and compares a random sample of every cell with the package itself.
Those that an iteration here does not settle are left to the package. Ratings: `fast_ratings.py`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gomoku_lab.stats.elo import K, estimate_elo, score_from_elo
from gomoku_lab.stats.estimate import Estimate, normal_quantile, student_quantile
from gomoku_lab.stats.intervals import ADDED
from gomoku_lab.stats.likelihood import log_likelihood_at_mean, log_likelihood_at_t, regularised
from gomoku_lab.stats.pairs import FloatArray, outcome_scores
from gomoku_lab.stats.sprt import Model, log_likelihood_ratios

IntArray = NDArray[np.int64]
KINDS = np.add.outer(range(3), range(3)).ravel()
"""What the nine outcomes of a pair, game as Black times game as White, are in five counts."""


def pentanomial(counts: NDArray) -> NDArray:
    """Return counts (or chances) of the nine outcomes as those of LL, LD, WL or DD, WD, WW."""
    return np.stack([counts[..., kind == KINDS].sum(axis=-1) for kind in range(5)], axis=-1)


def ends(estimate: Estimate) -> tuple[float, float]:
    """Return the ends of an interval or bound, infinite where it is open."""
    low = -np.inf if estimate.low is None else estimate.low
    return low, np.inf if estimate.high is None else estimate.high


# Elo of the score


def elo_held(counts: IntArray, elo: float, nelo: float) -> dict[str, NDArray[np.bool_]]:
    """Tell which intervals of `estimate_elo` hold the truth, for pentanomial counts int64[n, 5].

    The likelihood ratio at the truth says so without the ends. The published intervals come, too.
    """
    counts, places = np.unique(counts, axis=0, return_inverse=True)
    units, quantile = int(counts[0].sum()), normal_quantile(0.95)
    limit = student_quantile(0.95, units - 1)
    t_value = nelo * np.sqrt(2) / K
    means, t_values, errors = _moments(counts)
    held = {
        "elo": _fall(regularised(counts), elo, "logistic") <= limit**2,
        "nelo": _fall(counts + ADDED, nelo, "normalized") <= quantile**2,
        "elo_published": np.abs(means - score_from_elo(elo)) <= quantile * errors,
        "nelo_published": np.abs(t_values - t_value) <= quantile / np.sqrt(units),
    }
    for row in np.flatnonzero(errors == 0):
        for key, value in plain_elo_held(counts[row], elo, nelo).items():
            held[key][row] = value
    return {key: values[places] for key, values in held.items()}


def plain_elo_held(counts: IntArray, elo: float, nelo: float) -> dict[str, bool]:
    """Return what the package says of one result."""
    report = estimate_elo(counts, distinct_games=2 * int(counts.sum()))
    intervals = {
        "elo": (report.elo, elo),
        "nelo": (report.nelo, nelo),
        "elo_published": (report.published_elo, elo),
        "nelo_published": (report.published_nelo, nelo),
    }
    found = {}
    for key, (estimate, truth) in intervals.items():
        low, high = ends(estimate)
        found[key] = low <= truth <= high
    return found


def _moments(counts: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return means, t-values (0 where all are alike) and standard errors."""
    units, scores = counts.sum(axis=1), outcome_scores(5)
    means = counts @ scores / units
    variances = np.sum(counts * (scores - means[:, np.newaxis]) ** 2, axis=1) / units
    t_values = np.divide(
        means - 0.5, np.sqrt(variances), out=np.zeros(len(means)), where=variances > 0
    )
    return means, t_values, np.sqrt(variances / units)


def _fall(counts: FloatArray, truth: float, model: Model) -> FloatArray:
    """Return twice by how much the log-likelihood is lower at the truth than at best."""
    totals = counts.sum(axis=1)
    frequencies = np.ascontiguousarray((counts / totals[:, np.newaxis]).T)
    if model == "logistic":
        values, found = _at_mean(frequencies, score_from_elo(truth))
    else:
        values, found = _at_t(frequencies, truth * np.sqrt(2) / K)
    left = np.flatnonzero(~found)
    if len(left) and model == "logistic":
        values[left] = log_likelihood_at_mean(frequencies.T[left], score_from_elo(truth))
    elif len(left):
        values[left] = log_likelihood_at_t(frequencies.T[left], truth * np.sqrt(2) / K)
    return -2 * totals * values


# The exact likelihood ratio


def likelihood_ratios(
    counts: FloatArray, *, elo0: float, elo1: float, model: Model
) -> tuple[FloatArray, int]:
    """Return the ratios of `log_likelihood_ratios`, and how many were left to it."""
    filled = regularised(counts)
    totals = filled.sum(axis=1)
    frequencies = np.ascontiguousarray((filled / totals[:, np.newaxis]).T)
    if model == "logistic":
        sides = [_at_mean(frequencies, score_from_elo(elo)) for elo in (elo0, elo1)]
    else:
        sides = [_at_t(frequencies, elo * np.sqrt(2) / K) for elo in (elo0, elo1)]
    ratios = totals * (sides[1][0] - sides[0][0])
    left = np.flatnonzero(~(sides[0][1] & sides[1][1]))
    if len(left):
        ratios[left] = log_likelihood_ratios(counts[left], elo0=elo0, elo1=elo1, model=model)
    return ratios, len(left)


Maxima = tuple[FloatArray, NDArray[np.bool_]]


def _at_mean(frequencies: FloatArray, mean: float) -> Maxima:
    """Return the largest log-likelihoods at a mean score, and which of them are found."""
    offsets = (outcome_scores(5) - mean)[:, np.newaxis]
    theta = (frequencies * offsets).sum(axis=0) / (frequencies * offsets**2).sum(axis=0)
    theta = np.clip(theta, -0.9 / (1 - mean), 0.9 / mean)
    for _ in range(12):
        ratio = offsets / (1 + theta * offsets)
        value = (frequencies * ratio).sum(axis=0)
        step = value / (frequencies * ratio**2).sum(axis=0)
        theta = np.clip(
            theta + step, theta - 0.9 * (theta + 1 / (1 - mean)), theta + 0.9 * (1 / mean - theta)
        )
        if np.all(np.abs(step) <= 1e-9):
            break
    # Newton's method squares the error, and the value is flat there: it is exact.
    return -(frequencies * np.log1p(theta * offsets)).sum(axis=0), np.abs(step) <= 1e-6


def _at_t(frequencies: FloatArray, t_value: float) -> Maxima:
    """Return the largest log-likelihoods at a t-value, and which of them are found for certain.

    A stationary point is found by Newton's method in the standard deviation u and the multiplier
    theta of `log_likelihood_at_t`. With b_i = a_i - 1/2 and
    c_i(u) = t b_i^2 - 2 u (1 + t^2) b_i + t u^2 (1 + t^2), all distributions with the t-value have
    sum p_i c_i(u) = 0 at their own u, so that by duality none with u is likelier than
    U(u) = -sum f_i ln(1 + theta c_i(u)), for any theta. The stationary value is U at its own u. If
    theta < 0, U is largest there: the maximum is the only one. Else U is looked at everywhere.
    """
    if t_value < 0:
        return _at_t(frequencies[::-1], -t_value)
    if t_value == 0:
        return _at_mean(frequencies, 0.5)
    offsets = (outcome_scores(5) - 0.5)[:, np.newaxis]
    square = 1 + t_value**2
    mean = (frequencies * offsets).sum(axis=0)
    spread = np.sqrt((frequencies * (offsets - mean) ** 2).sum(axis=0))
    spread = np.minimum(spread, 0.49 / np.sqrt(square))

    def tilts(u: FloatArray) -> FloatArray:
        return t_value * offsets**2 - 2 * u * square * offsets + t_value * u**2 * square

    gradient = tilts(spread)
    theta = (frequencies * gradient).sum(axis=0) / (frequencies * gradient**2).sum(axis=0)
    theta *= np.minimum(1.0, 0.5 / np.maximum(np.abs(theta * gradient).max(axis=0), 1e-300))
    change = np.full(len(theta), np.inf)
    for _ in range(14):
        weights = 1 + theta * gradient
        tilted = frequencies / weights
        twice = tilted / weights
        by_u = 2 * square * (t_value * spread - offsets)
        first = (tilted * gradient).sum(axis=0)
        second = (tilted * offsets).sum(axis=0) - t_value * spread
        a = -(twice * gradient**2).sum(axis=0)
        b = (twice * by_u).sum(axis=0)
        c = -(twice * offsets * gradient).sum(axis=0)
        d = -theta * (twice * offsets * by_u).sum(axis=0) - t_value
        determinant = a * d - b * c
        theta_step = (b * second - d * first) / determinant
        u_step = (c * first - a * second) / determinant
        change = np.maximum(np.abs(theta_step), np.abs(u_step))
        if np.all(change <= 1e-9):
            break
        theta, spread = _inside(theta, spread, theta_step, u_step, tilts)
        gradient = tilts(spread)
    # Newton's method squares the error, and the value is flat there: it is exact.
    values = _bound(frequencies, theta * gradient)
    found = np.isfinite(values) & (change <= 1e-7)
    doubtful = np.flatnonzero(found & (theta > 0))
    if len(doubtful):
        found[doubtful] = _is_largest(
            frequencies[:, doubtful], theta[doubtful], values[doubtful], t_value
        )
    return values, found


def _inside(theta, spread, theta_step, u_step, tilts):  # type: ignore[no-untyped-def]
    """Take a Newton step, halved as often as needed to keep all probabilities positive."""
    scale = np.ones(len(theta))
    for _ in range(6):
        new_theta, new_spread = theta + scale * theta_step, spread + scale * u_step
        bad = (new_spread <= 0) | ((1 + new_theta * tilts(new_spread)).min(axis=0) <= 0)
        if not bad.any():
            break
        scale[bad] /= 2
    return new_theta, new_spread


def _is_largest(
    frequencies: FloatArray, theta: FloatArray, values: FloatArray, t_value: float
) -> NDArray[np.bool_]:
    """Tell where no other standard deviation can have a larger log-likelihood, on a grid.

    Where the bound U of `_at_t` is too large with the multiplier found, the one that makes it
    smallest at this standard deviation is looked for.
    """
    offsets = (outcome_scores(5) - 0.5)[:, np.newaxis]
    square = 1 + t_value**2
    rows = np.arange(len(theta))
    for u in np.linspace(0.0, 0.5 / np.sqrt(square), 25):
        gradient = t_value * offsets**2 - 2 * u * square * offsets + t_value * u**2 * square
        bounds = _bound(frequencies[:, rows], theta[rows] * gradient)
        high = np.flatnonzero(~(bounds <= values[rows] + 1e-12))
        if not len(high):
            continue
        low = _smallest_bound(frequencies[:, rows[high]], gradient)
        rows = np.delete(rows, high[~(low <= values[rows[high]] + 1e-12)])
    largest = np.zeros(len(theta), dtype=bool)
    largest[rows] = True
    return largest


def _smallest_bound(frequencies: FloatArray, gradient: FloatArray) -> FloatArray:
    """Return the smallest U met on the way to the best multiplier, by Newton steps from 0."""
    theta, best = np.zeros(frequencies.shape[1]), np.full(frequencies.shape[1], np.inf)
    # No multiplier beyond these leaves all probabilities positive.
    least, most = -1 / gradient.max(), -1 / gradient.min() if gradient.min() < 0 else np.inf
    for _ in range(8):
        ratio = gradient / (1 + theta * gradient)
        step = (frequencies * ratio).sum(axis=0) / (frequencies * ratio**2).sum(axis=0)
        theta = np.clip(theta + step, 0.1 * theta + 0.9 * least, 0.1 * theta + 0.9 * most)
        best = np.fmin(best, _bound(frequencies, theta * gradient))
    return best


def _bound(frequencies: FloatArray, tilts: FloatArray) -> FloatArray:
    """Return U, which is infinite where a probability would not be positive."""
    positive = (tilts > -1).all(axis=0)
    logs = np.log1p(np.where(positive, tilts, 0.0))
    return np.where(positive, -(frequencies * logs).sum(axis=0), np.inf)
