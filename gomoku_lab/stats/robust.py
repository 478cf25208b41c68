"""Standard errors that hold where the games of a cluster depend on each other.

The sandwich estimate (K.-Y. Liang, S. L. Zeger, "Longitudinal data analysis using generalized
linear models", Biometrika 73, 1986): what each independent unit adds to the derivative of the
likelihood is observed, not derived from the model. Few clusters show too little spread, or none at
all; so in each pairing `FAITH` clusters are added that vary as the model says.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from gomoku_lab.stats.choice import ChoiceFit
from gomoku_lab.stats.clusters import Units
from gomoku_lab.stats.davidson import OUTCOME_WEIGHTS, RatingModel
from gomoku_lab.stats.pairs import FloatArray

FAITH: Final = 4.0
"""Clusters a pairing by which the model's own variance is weighed against the observed one.

With 4, n pairs that are all split give an interval about as wide as the rule of three does, which
says that any other result has a probability of at most 3/n.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Linearised:
    """A fit, and the way from the results of the units to it.

    Attributes
    ----------
    fit : ChoiceFit
        The fit.
    units : Units
        What is independent.
    weights : float64[3, 3]
        What a win, a draw and a loss count as in the model.
    """

    fit: ChoiceFit
    units: Units
    weights: FloatArray

    @classmethod
    def of(cls, fit: ChoiceFit, units: Units, model: RatingModel) -> Linearised:
        """Linearise a fit of `model` around its maximum."""
        return cls(fit, units, OUTCOME_WEIGHTS[model])

    def outcome_scores(self) -> FloatArray:
        """Return the derivatives of the log-likelihood by each outcome of one game.

        Returns
        -------
        float64[cells, 3, parameters]
        """
        scores: FloatArray = np.einsum("ok,ckp->cop", self.weights, self.fit.choices()[1])
        return scores

    def faithful(self) -> tuple[FloatArray, FloatArray]:
        """Return how much the observed and the expected variance of each cell count, as factors."""
        units = self.units.in_pairings()
        trust = units / (units + FAITH)
        observed = trust * units / np.maximum(units - 1, 1)
        return observed[self.units.pairing], 1 - trust[self.units.pairing]


def robust_fit(fit: ChoiceFit, units: Units, model: RatingModel) -> ChoiceFit:
    """Return the fit with errors and bounds that are robust to dependence within the units.

    A bound cannot be corrected by what varies, since nothing does. The games that two players have
    in a unit and that had to end as they did count as one there, which is right at the worst, if
    they always end alike.
    """
    linear = Linearised.of(fit, units, model)
    observed, expected = linear.faithful()
    scores = linear.outcome_scores()
    scaled = (scores * np.sqrt(observed)[:, np.newaxis, np.newaxis]).reshape(-1, scores.shape[2])
    added = np.sqrt(units.times)[:, np.newaxis] * (units.counts @ scaled)
    information = expected_information(fit, expected)
    meat = added.T @ added + information + np.diag(fit.model.precision)
    return replace(
        fit,
        covariance=fit.covariance @ meat @ fit.covariance,
        degrees=degrees_of_freedom(float(units.times.sum())),
        evidence=_evidence(fit, units),
    )


def _evidence(fit: ChoiceFit, units: Units) -> float:
    """Return how many units there are for each game whose winner, or loser, is certain."""
    certain = np.any((fit.reduced.allowed != fit.model.allowed)[:, [0, 2]], axis=1)
    if not certain.any():
        return 1.0
    counts = units.counts.copy()
    counts.data[~certain[counts.indices // 3]] = 0
    counts.eliminate_zeros()
    games = units.times @ counts.sum(axis=1)
    return float(replace(units, counts=counts).in_pairings().sum() / games)


def degrees_of_freedom(units: float) -> float:
    """Return with how many degrees of freedom a variance from so many units is known.

    Satterthwaite's rule: the part that comes from the model is known.
    """
    return max(units - 1, 1.0) * ((units + FAITH) / units) ** 2


def expected_information(fit: ChoiceFit, factors: FloatArray) -> FloatArray:
    """Return the information that the games hold by the model, each cell's times a factor."""
    probabilities, centred = fit.choices()
    weights = (fit.model.weights.sum(axis=1) * factors)[:, np.newaxis] * probabilities
    information: FloatArray = np.einsum("ck,ckp,ckq->pq", weights, centred, centred, optimize=True)
    return information
