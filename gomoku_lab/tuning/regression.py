"""Fit a model of the result to positions: logistic regression by L-BFGS, and how sure it is.

The loss is the mean over positions of -log(probability of what happened), a draw counting half of
each; positions that the counters settle have weight 0, since a search never evaluates them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from gomoku_lab.tuning.models import COEFFICIENTS, Model, Vector
from gomoku_lab.tuning.samples import Samples

_MOST_STEPS: Final = 300
_RELATIVE_GAIN: Final = 1e-6
"""The search ends when a step gains less than this share of the loss: what is left is far below
what held-out games can tell apart."""
_MEMORY: Final = 60
"""Steps that the search remembers: codes that occur together make the valley long and narrow."""


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """A normal prior: where the parameters lie before any game, and how surely.

    Attributes
    ----------
    centre, precision : float64[k]
        Mean, and one over the variance, in units of the parameters; precision 0 says nothing.
    """

    centre: Vector
    precision: Vector


def total_loss(samples: Samples, weights: Vector, coefficients: Vector) -> tuple[float, Vector]:
    """Return the weighted sum of the log losses and its gradient by the coefficients."""
    from gomoku_lab.kernels.logistic import loss_and_gradient

    gradient = np.empty(COEFFICIENTS)
    labels = samples.labels
    loss = loss_and_gradient(*samples.rows, labels, weights, coefficients, gradient)
    return float(loss), gradient


def logits(samples: Samples, coefficients: Vector) -> Vector:
    """Return the log-odds of every position, for its side to move."""
    from gomoku_lab.kernels.logistic import fill_logits

    found = np.empty(len(samples))
    fill_logits(*samples.rows, coefficients, found)
    return found


def diagonals(samples: Samples, weights: Vector, coefficients: Vector) -> tuple[Vector, Vector]:
    """Return, by coefficient, the loss's curvature and its gradient's scatter between games."""
    from gomoku_lab.kernels.logistic import fill_diagonals

    curvature, spread = np.empty(COEFFICIENTS), np.empty(COEFFICIENTS)
    data = (samples.labels, weights, samples.games)
    fill_diagonals(*samples.rows, *data, coefficients, curvature, spread)
    return curvature, spread


def fit(model: Model, samples: Samples, weights: Vector, start: Vector, prior: Prior) -> Vector:
    """Return the parameters with the least loss, the prior's included.

    Parameters
    ----------
    weights : float64[positions]
        What each position counts; 0 leaves it out.
    start : float64[k]
        Where to begin.
    """
    from scipy.optimize import minimize

    curvature, _ = diagonals(samples, weights, model.coefficients(start))
    directions = model.directions(start)
    squares = directions.power(2) if hasattr(directions, "power") else directions**2
    # In steps of about their standard errors all parameters are alike to the search.
    step = 1.0 / np.sqrt(np.maximum(squares.T @ curvature + prior.precision, 1e-6))
    total = weights.sum()

    def objective(moved: Vector) -> tuple[float, Vector]:
        parameters = start + step * moved
        loss, by_coefficient = total_loss(samples, weights, model.coefficients(parameters))
        gradient = model.directions(parameters).T @ by_coefficient
        away = parameters - prior.centre
        loss += 0.5 * float(prior.precision @ away**2)
        gradient = gradient + prior.precision * away
        return loss / total, step * gradient / total

    found: Any = minimize(
        objective,
        np.zeros_like(start),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": _MOST_STEPS, "ftol": _RELATIVE_GAIN, "gtol": 1e-9, "maxcor": _MEMORY},
    )
    parameters: Vector = start + step * found.x
    return parameters


def sandwich(
    samples: Samples,
    weights: Vector,
    coefficients: Vector,
    directions: Vector,
    precision: Vector,
    threat_precision: float,
) -> Vector:
    """Return the covariance of a few fitted parameters beside values of the threats.

    Games and not positions are independent. As each row has one state of the threats, what is
    unknown of their values is taken in exactly by how the parameters lean on each state.

    Parameters
    ----------
    coefficients : float64[5945]
        As fitted, the threats' included.
    directions : float64[5945, k]
        How they change with each of the parameters, of which none moves the threats.
    precision : float64[k]
        Of the parameters' prior.
    threat_precision : float
        Of the prior of the threats' values.
    """
    chance = 1.0 / (1.0 + np.exp(-logits(samples, coefficients)))
    pull = weights * (chance - samples.labels / 2)
    bend = weights * chance * (1.0 - chance)
    state = samples.places[samples.ends - 1].astype(np.int64)
    weight_of_state = np.bincount(state, weights=bend) + threat_precision
    information = np.diag(precision)
    changes = np.empty((len(samples), directions.shape[1]))
    leaning = np.empty((len(weight_of_state), directions.shape[1]))
    for index, direction in enumerate(directions.T):
        change = logits(samples, np.ascontiguousarray(direction))
        leaning[:, index] = np.bincount(state, weights=bend * change) / weight_of_state
        changes[:, index] = change - leaning[state, index]
    information += threat_precision * leaning.T @ leaning + (bend[:, None] * changes).T @ changes
    first = np.flatnonzero(np.diff(samples.games, prepend=-1))
    shares = np.add.reduceat(pull[:, None] * changes, first)
    inverse = np.linalg.inv(information)
    covariance: Vector = inverse @ shares.T @ shares @ inverse
    return covariance
