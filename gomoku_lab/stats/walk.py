"""Where a Gaussian random walk ends that is stopped outside an interval, look by look.

The numerical recursion of P. Armitage, C. K. McPherson and B. C. Rowe ("Repeated significance tests
on accumulating data", JRSS A 132, 1969): the density of the walk inside the interval is carried
from look to look by Gauss-Legendre quadrature, so that the steps between looks, and with them the
overshoot beyond a boundary, are exact. It knows no games: `stopped` says what walks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from scipy.special import ndtr

from gomoku_lab.stats.pairs import FloatArray

MOST_LOOKS: Final = 96
"""Looks that are computed one by one; of more, so many are chosen (see `thinned`)."""
OVERSHOOT: Final = 0.5825971579390107
"""Mean overshoot of a Gaussian walk over a far boundary, in standard deviations of a step:
-zeta(1/2) / sqrt(2 pi) (D. Siegmund, Sequential Analysis, 1985, section 10.4)."""
_TAIL: Final = 7.5
_FEWEST_NODES: Final = 24
_MOST_NODES: Final = 256


@dataclass(frozen=True, slots=True, eq=False)
class Boundaries:
    """When one looks, and between which values the walk goes on.

    Attributes
    ----------
    times : float64[looks]
        Time of each look, rising; the last one is the time at which the walk was found to end.
    low, high : float64[looks]
        The walk stops at values <= low and >= high; infinite where it cannot.
    """

    times: FloatArray
    low: FloatArray
    high: FloatArray


def thinned(times: FloatArray, most: int = MOST_LOOKS) -> FloatArray:
    """Choose at most `most` of the looks, the first and the last too, denser at the beginning."""
    if len(times) <= most:
        return times
    places = (len(times) - 1) * np.linspace(0, 1, most) ** 1.5
    chosen: FloatArray = times[np.unique(np.rint(places).astype(int))]
    return chosen


def inset(times: FloatArray, step: float, deviation: float) -> FloatArray:
    """Return how far boundaries must be moved inwards for looks left out.

    A walk that is looked at every `step` crosses a boundary as often as one that is looked at less
    often crosses one nearer by the difference of their mean overshoots (M. Broadie, P. Glasserman,
    S. Kou, "A continuity correction for discrete barrier options", 1997).
    """
    gaps = np.diff(times, prepend=times[0])
    excess: FloatArray = np.maximum(np.sqrt(gaps) - np.sqrt(step), 0)
    return OVERSHOOT * deviation * excess


def ends_above(
    boundaries: Boundaries, value: float, *, upper: bool, drift: float, variance: float
) -> float:
    """Return the probability that the walk ends at least as high as was observed.

    Ends are ordered stage by stage: above everything is the upper boundary, an early crossing over
    a late one; then what is between the boundaries at the last look, by value; then the lower
    boundary, a late crossing over an early one. Of two ends at the same look the greater value
    is the higher one. The probability rises with the drift.

    Parameters
    ----------
    boundaries : Boundaries
        Looks up to the one at which the walk ended.
    value : float
        Where it ended.
    upper : bool
        Whether it ended at the upper boundary or between both; else it ended at the lower one.
    drift, variance : float
        Of the walk in one unit of time.
    """
    times, low, high = boundaries.times, boundaries.low, boundaries.high
    passed = 0.0
    nodes = mass = None
    for look in range(len(times)):
        elapsed = times[look] - (times[look - 1] if look else 0.0)
        step, spread = drift * elapsed, float(np.sqrt(variance * elapsed))
        last = look == len(times) - 1
        edge = value if last else (high[look] if upper else low[look])
        sign = 1 if upper else -1
        starts, weights = (np.zeros(1), np.ones(1)) if nodes is None else (nodes, mass)
        passed += float(weights @ ndtr(sign * (starts + step - edge) / spread))
        if last:
            break
        middle, reach = drift * times[look], _TAIL * float(np.sqrt(variance * times[look]))
        start, end = max(low[look], middle - reach), min(high[look], middle + reach)
        if start >= end:
            break
        nodes, quadrature = _nodes(start, end, spread)
        distance = (nodes[:, np.newaxis] - starts - step) / spread
        density = np.exp(-0.5 * distance**2) @ weights / (spread * np.sqrt(2 * np.pi))
        mass = quadrature * density
    return passed if upper else 1 - passed


def _nodes(start: float, end: float, spread: float) -> tuple[FloatArray, FloatArray]:
    """Return quadrature nodes and weights that resolve steps of standard deviation `spread`."""
    count = int(np.clip(np.ceil(1.7 * (end - start) / spread), _FEWEST_NODES, _MOST_NODES))
    nodes, weights = _legendre(8 * -(-count // 8))
    half = 0.5 * (end - start)
    return start + half * (nodes + 1), half * weights


@cache
def _legendre(count: int) -> tuple[FloatArray, FloatArray]:
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return nodes, weights
