"""Maximum likelihood for choices among alternatives with linear utilities (multinomial logit).

Davidson's model of wins, draws and losses is one. The likelihood is concave, but its supremum can
lie at infinity (a player that won every game). Such directions are found exactly, by a linear
program; what they make certain is dropped, and the rest has a finite maximum that Newton's method
finds. Elo and players are not known here: `ratings` builds the model and reads the result.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, eye_array, hstack

from gomoku_lab.stats.pairs import FloatArray

if TYPE_CHECKING:
    from gomoku_lab.stats.profile import Profile

BoolArray = NDArray[np.bool_]

GRADIENT_TOLERANCE: Final = 1e-10
"""Largest gradient accepted at the maximum, per observation."""
_MAX_ITERATIONS: Final = 500
_RANK_TOLERANCE: Final = 1e-9
_TINY_RIDGE: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceModel:
    """Cells of repeated choices; alternative k of cell c has utility features @ theta + offsets.

    Attributes
    ----------
    features : float64[cells, alternatives, parameters]
        What each parameter contributes to each utility.
    weights : float64[cells, alternatives]
        How often each alternative was chosen.
    allowed : bool[cells, alternatives]
        Which alternatives exist; no other may have been chosen.
    precision : float64[parameters]
        Of an independent normal prior around 0; 0 where there is none.
    offsets : float64[cells, alternatives]
        What is added to the utilities whatever theta is.
    """

    features: FloatArray
    weights: FloatArray
    allowed: BoolArray
    precision: FloatArray
    offsets: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceFit:
    """The maximum of a `ChoiceModel`, on the directions in which there is one.

    Attributes
    ----------
    model : ChoiceModel
        What was fitted.
    reduced : ChoiceModel
        The same without the alternatives that are impossible at the supremum.
    theta : float64[parameters]
        A maximiser, without any component along `null`.
    null : float64[parameters, d]
        Orthonormal basis of the directions that the data do not determine: shifts that change
        nothing, and directions towards a supremum at infinity.
    covariance : float64[parameters, parameters]
        Inverse observed information on the determined directions, zero along `null`; `robust` makes
        a fit with another one.
    log_likelihood : float
        Supremum of the log-likelihood (with the log prior's quadratic form, if there is a prior).
    gradient : float
        Largest remaining derivative.
    iterations : int
        Newton steps taken.
    degrees : float
        Degrees of freedom with which the covariance is known; infinite if it is the model's own.
    evidence : float
        By what the log-likelihood ratio is multiplied, 0..1: below 1 where choices depend on each
        other.
    profile : Profile or None
        What gives the intervals of estimates that rest on few results; without it they are normal.
    """

    model: ChoiceModel
    reduced: ChoiceModel
    theta: FloatArray
    null: FloatArray
    covariance: FloatArray
    log_likelihood: float
    gradient: float
    iterations: int
    degrees: float = math.inf
    evidence: float = 1.0
    profile: Profile | None = None

    @property
    def information(self) -> FloatArray:
        """Give the observed information at the maximum, float64[parameters, parameters]."""
        return derivatives(self.reduced, self.theta)[2]

    def choices(self) -> tuple[FloatArray, FloatArray]:
        """Return probabilities and centred features of all alternatives at the maximum.

        Returns
        -------
        tuple
            float64[cells, alternatives], and float64[cells, alternatives, parameters]: features
            minus their mean in the cell, which is the derivative of the log-probability.
        """
        _, probabilities = _log_probabilities(self.reduced, self.theta)
        return probabilities, _centred(self.reduced, probabilities)

    def is_determined(self, contrast: FloatArray) -> bool:
        """Tell whether contrast @ theta has a finite maximum likelihood estimate."""
        return bool(self.are_determined(contrast[np.newaxis])[0])

    def are_determined(self, contrasts: FloatArray) -> BoolArray:
        """Tell of each row whether it `is_determined`."""
        answers: BoolArray = np.all(np.abs(contrasts @ self.null) < 1e-7, axis=1)
        return answers

    def is_unbounded(self, contrast: FloatArray) -> bool:
        """Tell whether contrast @ theta may grow to infinity without lowering the likelihood."""
        if self.is_determined(contrast):
            return False
        rows, _ = _margins(self.model)
        limits = np.where(self.model.precision > 0, 0.0, 1.0)
        best = _best_direction(contrast, coo_array(rows), np.column_stack([-limits, limits]))
        return bool(contrast @ best > 1e-7)

    def log_likelihood_ratio(self, contrast: FloatArray, value: float) -> float:
        """Return the profile log-likelihood at contrast @ theta = value, minus the supremum.

        The difference is taken times `evidence`.
        """
        length = float(contrast @ contrast)
        start = contrast * (value / length)
        # An orthonormal basis of all directions that leave the contrast alone.
        basis = np.linalg.svd(contrast[np.newaxis, :])[2][1:].T
        ridged = replace(self.model, precision=self.model.precision + _TINY_RIDGE)
        maximum = maximise(ridged, start, basis)[1]
        return min(0.0, self.evidence * (maximum - self.log_likelihood))


def fit_choices(model: ChoiceModel) -> ChoiceFit:
    """Maximise the likelihood of a choice model."""
    reduced = _without_certainties(model)
    basis, null = bases(reduced)
    theta, maximum, gradient, information, iterations = maximise(
        reduced, np.zeros(len(basis)), basis
    )
    covariance = basis @ np.linalg.solve(information, basis.T)
    return ChoiceFit(model, reduced, theta, null, covariance, maximum, gradient, iterations)


def bases(model: ChoiceModel) -> tuple[FloatArray, FloatArray]:
    """Return orthonormal bases of the directions that matter to any utility, and of the others."""
    differences = _differences(model, model.allowed)
    values, vectors = np.linalg.eigh(differences.T @ differences + np.diag(model.precision))
    null = values <= _RANK_TOLERANCE * max(1.0, float(values[-1]))
    return vectors[:, ~null], vectors[:, null]


def maximise(
    model: ChoiceModel, start: FloatArray, basis: FloatArray
) -> tuple[FloatArray, float, float, FloatArray, int]:
    """Maximise over start + span(basis) by Newton steps with backtracking.

    Returns
    -------
    tuple
        Maximiser, maximum, largest derivative, information on the basis, number of steps.
    """
    theta = start
    tolerance = GRADIENT_TOLERANCE * max(1.0, float(model.weights.sum()))
    value, slope, curvature = derivatives(model, theta)
    for iteration in range(_MAX_ITERATIONS):
        gradient = basis.T @ slope
        information = basis.T @ curvature @ basis
        largest = float(np.abs(gradient).max(initial=0.0))
        if largest <= tolerance:
            return theta, value, largest, information, iteration
        step = basis @ np.linalg.solve(information, gradient)
        promised = float(slope @ step)
        scale = 1.0
        while scale > 1e-10:
            trial = derivatives(model, theta + scale * step)
            if trial[0] >= value + 1e-4 * scale * promised - 1e-13 * abs(value):
                break
            scale /= 2
        theta = theta + scale * step
        value, slope, curvature = trial
    raise ArithmeticError(
        f"the fit did not converge in {_MAX_ITERATIONS} steps: largest derivative {largest:g}"
    )


def derivatives(model: ChoiceModel, theta: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """Return log-likelihood (plus log prior), gradient and information at theta."""
    logs, probabilities = _log_probabilities(model, theta)
    totals = model.weights.sum(axis=1)
    surplus = model.weights - totals[:, np.newaxis] * probabilities
    centred = _centred(model, probabilities)
    factors = np.sqrt(totals[:, np.newaxis] * probabilities)[:, :, np.newaxis]
    roots = (centred * factors).reshape(-1, len(theta))
    value = float(np.sum(model.weights * logs) - 0.5 * model.precision @ theta**2)
    slope = np.einsum("ck,ckp->p", surplus, model.features) - model.precision * theta
    return value, slope, roots.T @ roots + np.diag(model.precision)


def _log_probabilities(model: ChoiceModel, theta: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the logarithms (0 where not allowed) and the probabilities of all alternatives."""
    utilities = np.where(model.allowed, model.features @ theta + model.offsets, -np.inf)
    utilities -= utilities.max(axis=1, keepdims=True)
    exponentials = np.exp(utilities)
    sums = exponentials.sum(axis=1, keepdims=True)
    return np.where(model.allowed, utilities - np.log(sums), 0.0), exponentials / sums


def _centred(model: ChoiceModel, probabilities: FloatArray) -> FloatArray:
    """Return the features minus their mean in each cell."""
    means = np.einsum("ck,ckp->cp", probabilities, model.features)
    centred: FloatArray = model.features - means[:, np.newaxis, :]
    return centred


def _differences(model: ChoiceModel, mask: BoolArray) -> FloatArray:
    """Return the utility differences, as rows, between the masked alternatives of each cell."""
    first = mask.argmax(axis=1)
    base = model.features[np.arange(len(first)), first]
    rows: FloatArray = (model.features - base[:, np.newaxis, :])[mask]
    return rows[np.any(rows != 0, axis=1)]


def _margins(model: ChoiceModel) -> tuple[FloatArray, NDArray[np.intp]]:
    """Return, for each chosen and each other allowed alternative, the difference of utilities.

    Returns
    -------
    tuple
        Rows float64[m, parameters], and int[m, 2] with the cell and the other alternative.
    """
    chosen = model.weights > 0
    both = chosen[:, :, np.newaxis] & model.allowed[:, np.newaxis, :]
    both &= ~np.eye(chosen.shape[1], dtype=bool)
    cells, chosen_index, other = np.nonzero(both)
    rows = model.features[cells, chosen_index] - model.features[cells, other]
    return rows, np.column_stack([cells, other])


def _without_certainties(model: ChoiceModel) -> ChoiceModel:
    """Drop the alternatives that can be made impossible without lowering the likelihood.

    A direction of theta along which no chosen alternative ever loses against another, and some
    win, leads the likelihood upwards for ever. The linear program finds a direction that wins all
    that can be won at once (such directions form a cone); what loses is dropped.
    """
    free = model.precision == 0
    forced = _differences(model, model.weights > 0)[:, free]
    everything = _differences(model, model.allowed)[:, free]
    if _rank(forced) == _rank(everything):
        return model
    rows, places = _margins(model)
    parameters = rows.shape[1]
    limits = np.where(free, np.inf, 0.0)
    bounds = np.vstack([np.column_stack([-limits, limits]), np.tile([0.0, 1.0], (len(rows), 1))])
    gains = np.concatenate([np.zeros(parameters), np.ones(len(rows))])
    slacked = coo_array(hstack([coo_array(rows), -eye_array(len(rows))]))
    best = _best_direction(gains, slacked, bounds)
    lost = places[best[parameters:] > 0.5]
    allowed = model.allowed.copy()
    allowed[lost[:, 0], lost[:, 1]] = False
    return replace(model, allowed=allowed)


def _rank(rows: FloatArray) -> int:
    """Return the rank of the rows, by the eigenvalues of their Gram matrix."""
    values = np.linalg.eigvalsh(rows.T @ rows)
    return int(np.sum(values > _RANK_TOLERANCE * max(1.0, float(values.max(initial=0.0)))))


def _best_direction(gains: FloatArray, rows: coo_array, bounds: FloatArray) -> FloatArray:
    """Return the x that maximises gains @ x among those with rows @ x >= 0 inside the bounds."""
    from scipy.optimize import linprog  # seldom needed, and slow to import

    solution = linprog(  # type: ignore[call-overload]  # the stubs know dense matrices only
        -gains, A_ub=-rows, b_ub=np.zeros(rows.shape[0]), bounds=bounds, method="highs"
    )
    if not solution.success:
        raise ArithmeticError(f"the linear program failed: {solution.message}")
    return np.asarray(solution.x, dtype=np.float64)
