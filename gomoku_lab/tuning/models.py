"""The evaluations as models of a game's result: given weights, fitted weights, a learned table.

Each turns few or many parameters into the coefficients that `kernels.logistic` takes: one for each
code of the side to move, one for each of its opponent, one for each state of the threats, and the
worth of being to move, in units of log-odds. Nothing is fitted here.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from gomoku_lab.engine.config import EngineConfig, PatternWeights
from gomoku_lab.engine.learned import COMBINATIONS, FIVE_GRADE
from gomoku_lab.kernels import layout
from gomoku_lab.tuning.samples import CODE_PLACES, PLACES

Vector = npt.NDArray[np.float64]
COEFFICIENTS: Final = PLACES + 1
CODES: Final = len(COMBINATIONS)
HAND_CLASSES: Final = ("one", "two", "open_two", "three", "open_three", "four", "open_four")
"""The fitted weights. Points that complete a five count nothing, so no game tells what it is worth.
"""
GRADE_SPREAD: Final = 3.0
"""Standard deviation of the prior of a grade's value around 0, in log-odds: hardly any prior."""
THREAT_SPREAD: Final = 0.6
"""Standard deviation of the prior of a value of the threats around 0, in log-odds."""
LOG_WEIGHT_SPREAD: Final = 1.0
"""Standard deviation of the prior of a weight's logarithm around the starting weight's: where games
say little, a weight keeps its proportion to the others."""
_OPEN_THREE: Final = HAND_CLASSES.index("open_three")
_OPEN_FOUR: Final = HAND_CLASSES.index("open_four")


class Model(Protocol):
    """What `regression` fits."""

    def coefficients(self, parameters: Vector) -> Vector:
        """Return the coefficients, float64[5945]."""
        ...

    def directions(self, parameters: Vector) -> Any:
        """Return how each coefficient changes with each parameter: a matrix, perhaps sparse."""
        ...


@cache
def _class_counts() -> Vector:
    """Return how often each class of `HAND_CLASSES` is in each code: float64[1820, 7]."""
    wanted = [getattr(layout, name.upper()) for name in HAND_CLASSES]
    classes = layout.CLASS_OF_GRADE[np.array(COMBINATIONS)]
    return np.stack([(classes == kind).sum(axis=1) for kind in wanted], axis=1).astype(float)


@cache
def grade_counts() -> Vector:
    """Return how often each grade but none is in each code: float64[1820, 12]."""
    grades = np.array(COMBINATIONS)
    counts = [(grades == grade).sum(axis=1) for grade in range(1, FIVE_GRADE)]
    return np.stack(counts, axis=1).astype(float)


class ScaledModel:
    """Given weights with a scale and a tempo: what they say of a result as they stand.

    Parameters: the scale in log-odds per evaluation unit, and the tempo.
    """

    def __init__(self, config: EngineConfig) -> None:
        weights = [getattr(config.weights, name) for name in HAND_CLASSES]
        worth = _class_counts() @ np.array(weights, float)
        self._matrix = np.zeros((COEFFICIENTS, 2))
        self._matrix[:CODE_PLACES, 0] = np.concatenate([worth, -config.defence * worth])
        self._matrix[-1, 1] = 1.0

    def coefficients(self, parameters: Vector) -> Vector:
        """Return the coefficients, float64[5945]."""
        product: Vector = self._matrix @ parameters
        return product

    def directions(self, parameters: Vector) -> Any:
        """Return how each coefficient changes with each parameter."""
        return self._matrix


class HandModel:
    """The weights of seven classes and the defence factor, beside values of the threats.

    A weighted sum has no place for what both sides' threats together are worth; but as long as
    the fit does not know it, the weights of the lesser shapes are bent to stand for it, and play
    worse than before. So the threats are fitted as well, and then left out.

    Parameters: logarithms of the weights, of which that of an open four is what it is worth beyond
    two open threes (so that rule B holds), the logarithm of the defence factor, the threats, and
    the tempo.
    """

    size = len(HAND_CLASSES) + 1 + COEFFICIENTS - CODE_PLACES
    kept = len(HAND_CLASSES) + 1
    """How many of the parameters stand for weights and defence."""

    def start(self, config: EngineConfig, scale: float, tempo: float) -> Vector:
        """Return the parameters that stand for a configuration, scaled to log-odds."""
        found = np.zeros(self.size)
        worth = np.array([getattr(config.weights, name) for name in HAND_CLASSES], float)
        worth[_OPEN_FOUR] -= 2 * worth[_OPEN_THREE]
        found[: self.kept - 1] = np.log(worth * scale)
        found[self.kept - 1] = np.log(max(config.defence, 1e-3))
        found[-1] = tempo
        return found

    def precision(self) -> Vector:
        """Return the precision of the prior around the start."""
        found = np.full(self.size, THREAT_SPREAD**-2)
        found[: self.kept] = LOG_WEIGHT_SPREAD**-2
        found[-1] = 0.0
        return found

    def weights(self, parameters: Vector) -> Vector:
        """Return the weights of `HAND_CLASSES` in log-odds."""
        weights = np.exp(parameters[: len(HAND_CLASSES)])
        weights[_OPEN_FOUR] += 2 * weights[_OPEN_THREE]
        return weights

    def defence(self, parameters: Vector) -> float:
        """Return the defence factor."""
        return float(np.exp(parameters[self.kept - 1]))

    def coefficients(self, parameters: Vector) -> Vector:
        """Return the coefficients, float64[5945]."""
        worth = _class_counts() @ self.weights(parameters)
        return np.concatenate([worth, -self.defence(parameters) * worth, parameters[self.kept :]])

    def directions(self, parameters: Vector) -> Any:
        """Return how each coefficient changes with each parameter, a sparse matrix."""
        from scipy import sparse

        worth = _class_counts() @ self.weights(parameters)
        by_weight = _class_counts() @ self.weight_directions(parameters)[:-1, :-1]
        defence = self.defence(parameters)
        own = np.column_stack([by_weight, np.zeros(CODES)])
        other = -defence * np.column_stack([by_weight, worth])
        alike = sparse.eye_array(COEFFICIENTS - CODE_PLACES)
        return sparse.block_diag([np.vstack([own, other]), alike], format="csr")

    def weight_directions(self, parameters: Vector) -> Vector:
        """Return how weights and defence factor change with the parameters that stand for them."""
        parts = np.exp(parameters[: self.kept])
        found: Vector = np.diag(parts)
        found[_OPEN_FOUR, _OPEN_THREE] = 2 * parts[_OPEN_THREE]
        return found


class TableModel:
    """A learned table: values a code around the sum of its grades, and values of the threats.

    Parameters: the values of the twelve grades from ``one`` to ``open four``, own and the
    opponent's; what each code is worth beyond the sum of its grades; the threats; the tempo.
    """

    size = 2 * (FIVE_GRADE - 1) + COEFFICIENTS

    def __init__(self) -> None:
        from scipy import sparse

        grades: Any = sparse.block_diag([grade_counts()] * 2)
        rest = sparse.csr_array((COEFFICIENTS - CODE_PLACES, grades.shape[1]))
        alike = sparse.eye_array(COEFFICIENTS)
        self._matrix = sparse.hstack([sparse.vstack([grades, rest]), alike], format="csr")

    def precision(self, strength: float) -> Vector:
        """Return the precision of a prior with mean 0 that holds the codes to their grades."""
        found = np.full(self.size, GRADE_SPREAD**-2)
        codes = self.size - COEFFICIENTS
        found[codes : codes + CODE_PLACES] = strength
        found[codes + CODE_PLACES : -1] = THREAT_SPREAD**-2
        found[-1] = 0.0
        return found

    def coefficients(self, parameters: Vector) -> Vector:
        """Return the coefficients, float64[5945]."""
        product: Vector = self._matrix @ parameters
        return product

    def directions(self, parameters: Vector) -> Any:
        """Return how each coefficient changes with each parameter, a sparse matrix."""
        return self._matrix


def hand_weights(base: PatternWeights, weights: Any) -> PatternWeights:
    """Return `weights` (whole numbers by class) with a five that keeps rule A.

    A five stays what it was unless the others outgrow it.
    """
    values = dict(zip(HAND_CLASSES, (int(weight) for weight in weights), strict=True))
    values["open_four"] = max(values["open_four"], 2 * values["open_three"] + 1)
    return PatternWeights(**values, five=max(base.five, 4 * sum(values.values()) + 1))
