"""Logistic regression on sparse rows of counts, one pass over them at a time.

The rows are those of `features`. A model is a vector of coefficients, one for each place and a last
one that stands in every row. A label is the result in half points: 0, 1 or 2 for the side to move.
Rows of weight 0 are passed over, so that one set of rows serves fitting and testing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, kernel


@kernel()
def _logit(places: Any, counts: Any, start: Word, end: Word, coefficients: Any) -> Any:
    """Return the log-odds of one row."""
    total = coefficients[coefficients.shape[0] - 1]
    for entry in range(start, end):
        total += coefficients[places[entry]] * counts[entry]
    return total


@kernel()
def _probability(logit: Any) -> Any:
    """Return 1 / (1 + e^-logit) without overflow."""
    tail = np.exp(-abs(logit))
    return 1.0 / (1.0 + tail) if logit >= 0.0 else tail / (1.0 + tail)


@kernel()
def fill_logits(places: Any, counts: Any, ends: Any, coefficients: Any, logits: Any) -> None:
    """Write the log-odds of every row into `logits`, float64[rows]."""
    start = np.int64(0)
    for row in range(ends.shape[0]):
        logits[row] = _logit(places, counts, start, ends[row], coefficients)
        start = ends[row]


@kernel()
def loss_and_gradient(
    places: Any,
    counts: Any,
    ends: Any,
    labels: Any,
    weights: Any,
    coefficients: Any,
    gradient: Any,
) -> Any:
    """Return the weighted sum of the rows' log losses and write its gradient.

    Parameters
    ----------
    places : uint16[n], counts : uint8[n], ends : int64[rows]
        The rows.
    labels : uint8[rows]
    weights : float64[rows]
    coefficients, gradient : float64[places + 1]
    """
    last = coefficients.shape[0] - 1
    gradient[:] = 0.0
    loss = 0.0
    start = np.int64(0)
    for row in range(ends.shape[0]):
        end = ends[row]
        if weights[row] > 0.0:
            logit = _logit(places, counts, start, end, coefficients)
            label = 0.5 * labels[row]
            loss += weights[row] * (np.log1p(np.exp(-abs(logit))) + max(logit, 0.0) - label * logit)
            pull = weights[row] * (_probability(logit) - label)
            for entry in range(start, end):
                gradient[places[entry]] += pull * counts[entry]
            gradient[last] += pull
        start = end
    return loss


@kernel()
def fill_diagonals(
    places: Any,
    counts: Any,
    ends: Any,
    labels: Any,
    weights: Any,
    games: Any,
    coefficients: Any,
    curvature: Any,
    spread: Any,
) -> None:
    """Write the diagonals of the loss's curvature and of its gradient's scatter between games.

    Parameters
    ----------
    places, counts, ends, labels, weights, coefficients
        As for `loss_and_gradient`.
    games : int32[rows]
        The game of each row; the rows of a game stand together.
    curvature : float64[places + 1]
        Gets the second derivative by each coefficient.
    spread : float64[places + 1]
        Gets the sum over the games of the square of each one's share of the gradient.
    """
    last = coefficients.shape[0] - 1
    curvature[:] = 0.0
    spread[:] = 0.0
    share = np.zeros(last + 1)
    start = np.int64(0)
    first = np.int64(0)  # entry with which the game began
    rows = ends.shape[0]
    for row in range(rows):
        end = ends[row]
        if weights[row] > 0.0:
            chance = _probability(_logit(places, counts, start, end, coefficients))
            pull = weights[row] * (chance - 0.5 * labels[row])
            bend = weights[row] * chance * (1.0 - chance)
            for entry in range(start, end):
                count = np.float64(counts[entry])
                curvature[places[entry]] += bend * count * count
                share[places[entry]] += pull * count
            curvature[last] += bend
            share[last] += pull
        start = end
        if row == rows - 1 or games[row + 1] != games[row]:
            for entry in range(first, end):
                place = places[entry]
                spread[place] += share[place] * share[place]
                share[place] = 0.0
            spread[last] += share[last] * share[last]
            share[last] = 0.0
            first = end
