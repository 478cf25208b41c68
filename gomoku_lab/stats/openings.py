"""Whether the result depends on the opening more than chance allows, and which are one-sided.

For each opening the first movers' score is compared with what the fit expects of these players. If
games were independent given the players, the squared residuals would add up to about the number of
openings; more of it means that openings favour colours. It fits nothing.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import gammaincc, ndtr

from gomoku_lab.stats.clusters import Clusters
from gomoku_lab.stats.davidson import cell_places
from gomoku_lab.stats.ratings import Ratings
from gomoku_lab.stats.surprise import OUTCOME_SCORES


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningScore:
    """What the first movers made of one opening.

    Attributes
    ----------
    label : hashable
        The opening, as in `Clusters`.
    games : int
        Games from it.
    score, expected : float
        Mean score of the first movers, and what the fit expects.
    residual : float
        Their difference in standard errors.
    p_value : float
        Of so large a residual of any opening, after Bonferroni.
    """

    label: Hashable
    games: int
    score: float
    expected: float
    residual: float
    p_value: float

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return {
            "opening": str(self.label),
            "games": self.games,
            "score": self.score,
            "expected": self.expected,
            "residual": self.residual,
            "p_value": self.p_value,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Heterogeneity:
    """How much openings differ in whom they favour.

    Attributes
    ----------
    openings : tuple of OpeningScore
        From the most to the least one-sided.
    dispersion : float
        Variance of the openings' scores over the one that chance gives; 1 if openings are alike.
    p_value : float
        Probability of so large a dispersion if they are.
    """

    openings: tuple[OpeningScore, ...]
    dispersion: float
    p_value: float

    def to_dict(self, most: int = 10) -> dict[str, Any]:
        """Return a JSON-ready form with the `most` one-sided openings."""
        return {
            "openings": len(self.openings),
            "dispersion": self.dispersion,
            "p_value": self.p_value,
            "most_one_sided": [one.to_dict() for one in self.openings[:most]],
        }


def heterogeneity(ratings: Ratings, clusters: Clusters) -> Heterogeneity | None:
    """Test whether clusters, which should be openings, differ in whom they favour.

    The sum of squared standardised residuals has a known mean and variance, from the fourth moments
    of the games, and is compared with the gamma distribution that shares them. One degree of
    freedom is spent on the advantage. None if there are fewer than two openings whose games could
    have ended otherwise.
    """
    probabilities = ratings.fit.choices()[0]
    means = probabilities @ OUTCOME_SCORES
    centred = OUTCOME_SCORES - means[:, np.newaxis]
    cell = cell_places(ratings.table)[clusters.first, clusters.second]
    count = len(clusters.labels)

    def summed(values: Any) -> Any:
        return np.bincount(clusters.cluster, values, count)

    variances = np.sum(probabilities * centred**2, axis=1)
    fourths = np.sum(probabilities * centred**4, axis=1)
    games, variance = summed(None), summed(variances[cell])
    scores, expected = summed(OUTCOME_SCORES[clusters.outcome]), summed(means[cell])
    usable = variance > 1e-9
    if usable.sum() < 2:
        return None
    residuals = np.zeros(count)
    residuals[usable] = (scores - expected)[usable] / np.sqrt(variance[usable])
    excess = summed(fourths[cell] - 3 * variances[cell] ** 2)[usable] / variance[usable] ** 2
    total = int(usable.sum())
    mean, spread = total - 1, float(np.sum(2 + excess)) * (total - 1) / total
    statistic = float(residuals @ residuals)
    tails = np.minimum(1.0, 2 * total * ndtr(-np.abs(residuals)))
    found = [
        OpeningScore(
            label=clusters.labels[place],
            games=int(games[place]),
            score=float(scores[place] / games[place]),
            expected=float(expected[place] / games[place]),
            residual=float(residuals[place]),
            p_value=float(tails[place]),
        )
        for place in np.nonzero(usable)[0]
    ]
    found.sort(key=lambda one: -abs(one.residual))
    return Heterogeneity(
        openings=tuple(found),
        dispersion=statistic / mean,
        p_value=float(gammaincc(mean**2 / spread, statistic * mean / spread)),
    )
