"""Intervals of a mean score and of a t-value from the exact likelihood ratio of their counts.

What the sequential test weighs (`likelihood`) also says which strengths a fixed number of results
rejects: those under which the counts are less likely than at best by more than a quantile allows
(A. B. Owen, "Empirical likelihood ratio confidence intervals for a single functional", Biometrika
75, 1988). Such an interval keeps inside the range of scores, and is longer on the side that the
results leave open. Elo is not known here (`elo`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import numpy as np

from gomoku_lab.stats.estimate import normal_quantile, student_quantile
from gomoku_lab.stats.likelihood import (
    log_likelihood_at_mean,
    log_likelihood_at_t,
    regularised,
)
from gomoku_lab.stats.pairs import FloatArray, outcome_scores

ADDED: Final = 0.27
"""What is added to every count for a t-value: an outcome not seen is possible, at a price.

Chosen by simulation, in the cells of `experiments/023-calibration` but with other seeds: from 0.26
to 0.3 the 95 % intervals hold in 93 to 97 %; with much less they are too wide at a gap of 400 Elo
and 30 pairs, with 0.5 too narrow there.
"""

_PACES: Final = (0.25, 0.5, 0.75, 1.0)
"""Shares of the way to an end; each iteration starts where the one before it points to."""
_MAX_ITERATIONS: Final = 30
_FURTHEST: Final = 30.0
"""Log-odds of a mean score, 5,000 Elo, beyond which an interval is open."""
_GREATEST: Final = 1e4
_REMEMBERED: Final = 4096
"""Results whose intervals are kept: in a table of many players the same counts come again."""

Ends = tuple[float | None, float | None]
Tilts = Callable[[FloatArray], tuple[FloatArray, FloatArray]]
"""From what is looked for to the c of `_end`, and its derivatives, one a row."""


def mean_interval(counts: FloatArray, confidence: float) -> Ends:
    """Return the lowest and the highest mean score that counts do not reject; None if open.

    The quantile is Student's, as the deviation is known from the same counts.
    """
    return _mean_interval(tuple(counts.tolist()), confidence)


@lru_cache(_REMEMBERED)
def _mean_interval(found: tuple[float, ...], confidence: float) -> Ends:
    counts = np.array(found)
    frequencies, total = _shares(regularised(counts))
    fall = student_quantile(confidence, float(counts.sum()) - 1) ** 2 / (2 * total)
    scores = outcome_scores(counts.size)
    mean = frequencies @ scores

    def tilts(point: FloatArray) -> tuple[FloatArray, FloatArray]:
        return scores - point[0], -np.ones((1, scores.size))

    def excess(log_odds: float) -> float:
        return float(log_likelihood_at_mean(frequencies, _share(log_odds))) + fall

    ends: list[float | None] = []
    for side in (-1, 1):
        end = _end(frequencies, fall, tilts, np.array([mean]), side)
        if end is None:
            log_odds = _searched(excess, float(np.log(mean / (1 - mean))), side, _FURTHEST)
            end = None if log_odds is None else _share(log_odds)
        ends.append(end)
    return ends[0], ends[1]


def t_interval(counts: FloatArray, confidence: float) -> Ends:
    """Return the lowest and the highest t-value of one unit that counts do not reject.

    Notes
    -----
    The t-value is (mean - 1/2) / standard deviation. With b_i = a_i - 1/2, w the root of the mean
    of b^2 and k = mean(b) / w = t / sqrt(1 + t^2), the c_i of `log_likelihood_at_t` is proportional
    to b_i - k b_i^2 / (2 w) - k w / 2.
    """
    return _t_interval(tuple(counts.tolist()), confidence)


@lru_cache(_REMEMBERED)
def _t_interval(found: tuple[float, ...], confidence: float) -> Ends:
    counts = np.array(found)
    frequencies, total = _shares(counts + ADDED)
    fall = normal_quantile(confidence) ** 2 / (2 * total)
    offsets = outcome_scores(counts.size) - 0.5
    width = np.sqrt(frequencies @ offsets**2)
    k = frequencies @ offsets / width

    def tilts(point: FloatArray) -> tuple[FloatArray, FloatArray]:
        k, w = point
        by_k = -(offsets**2) / (2 * w) - w / 2
        return offsets + k * by_k, np.stack([by_k, k * offsets**2 / (2 * w**2) - k / 2])

    def excess(t_value: float) -> float:
        return float(log_likelihood_at_t(frequencies, t_value)) + fall

    ends: list[float | None] = []
    for side in (-1, 1):
        end = _end(frequencies, fall, tilts, np.array([k, width]), side, squares=offsets**2)
        if end is None:
            ends.append(_searched(excess, _t_of(float(k)), side, _GREATEST))
        else:
            ends.append(_t_of(end))
    return ends[0], ends[1]


def _shares(counts: FloatArray) -> tuple[FloatArray, float]:
    total = float(counts.sum())
    return counts / total, total


def _end(
    frequencies: FloatArray,
    fall: float,
    tilts: Tilts,
    centre: FloatArray,
    side: int,
    *,
    squares: FloatArray | None = None,
) -> float | None:
    """Return the first unknown where p_i = f_i / (1 + theta c_i) is less likely by `fall`.

    Newton's method in the unknowns and theta; the p_i must have sum p_i c_i = 0, and the second
    unknown, if there is one, must be the root of their mean of `squares`. None if none is found.
    """
    slope = tilts(centre)
    reach = np.sqrt(2 * fall * (frequencies @ slope[0] ** 2)) / abs(frequencies @ slope[1][0])
    start = np.append(centre, 0.0)
    point = start.copy()
    point[0] += side * _PACES[0] * reach
    moved = tilts(point[:-1])[0]
    point[-1] = (frequencies @ moved) / (frequencies @ moved**2)
    before = _PACES[0]
    for pace in _PACES:
        found = _newton(
            frequencies, fall * pace**2, tilts, start + (point - start) * pace / before, squares
        )
        if found is None:
            return None
        point, before = found, pace
    end = float(point[0])
    return end if side * (end - centre[0]) > 0 and abs(end) < 1 else None


def _newton(
    frequencies: FloatArray,
    fall: float,
    tilts: Tilts,
    point: FloatArray,
    squares: FloatArray | None,
) -> FloatArray | None:
    """Solve the equations of `_end` from a point near by; None if that does not succeed."""
    size = len(point)
    rows, residuals = np.zeros((size, size)), np.zeros(size)
    for _ in range(_MAX_ITERATIONS):
        theta = point[-1]
        tilt, by = tilts(point[:-1])
        raised = 1 + theta * tilt
        if raised.min() <= 0:
            return None
        chances = frequencies / raised
        mean, means = chances @ tilt, by @ chances
        moved = chances / raised
        tilted = moved * tilt
        residuals[0], residuals[1] = mean, frequencies @ np.log(raised) - fall
        rows[0, :-1], rows[0, -1] = means - theta * (by @ tilted), -(tilted @ tilt)
        rows[1, :-1], rows[1, -1] = theta * means, mean
        if squares is not None:
            residuals[2] = chances @ squares - point[1] ** 2
            rows[2, :-1], rows[2, -1] = -theta * (by @ (moved * squares)), -(tilted @ squares)
            rows[2, 1] -= 2 * point[1]
        try:
            step = np.linalg.solve(rows, residuals)
        except np.linalg.LinAlgError:
            return None
        point = point - step
        if np.abs(step).max() <= 1e-12 * max(1.0, float(np.abs(point).max())):
            return point
    return None


def _searched(
    excess: Callable[[float], float], centre: float, side: int, furthest: float
) -> float | None:
    """Return where the excess is 0, looked for from the centre; None if nowhere that near."""
    near, width = centre, 0.25
    while True:
        far = side * min(side * near + width, furthest)
        if excess(far) <= 0:
            from scipy.optimize import brentq  # seldom needed, and slow to import

            return float(brentq(excess, near, far, xtol=1e-10))
        if far == side * furthest:
            return None
        near, width = far, 2 * width


def _share(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))


def _t_of(k: float) -> float:
    return float(k / np.sqrt(1 - k**2))
