"""What each player scored with Black and with White, with intervals.

The intervals are E. B. Wilson's for a share (JASA 22, 1927), with the variance that the clusters of
games show, so that they stay within 0..1 and are no lie for a sweep. Nothing is adjusted for the
strength of the opponents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gomoku_lab.stats.choice import BoolArray
from gomoku_lab.stats.clusters import Clusters
from gomoku_lab.stats.estimate import Estimate, student_quantile, wald
from gomoku_lab.stats.pairs import FloatArray
from gomoku_lab.stats.robust import FAITH, degrees_of_freedom
from gomoku_lab.stats.surprise import OUTCOME_SCORES


@dataclass(frozen=True, slots=True, kw_only=True)
class ColourScore:
    """The scores of one player.

    Attributes
    ----------
    name : str
        The player.
    black, white : Estimate or None
        Mean score moving first and second, 0..1; None without such games.
    difference : Estimate or None
        Black's minus White's.
    """

    name: str
    black: Estimate | None
    white: Estimate | None
    difference: Estimate | None

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        values = {"black": self.black, "white": self.white, "difference": self.difference}
        return {
            "name": self.name,
            **{key: None if one is None else one.to_dict() for key, one in values.items()},
        }


def colour_scores(
    names: tuple[str, ...], clusters: Clusters, *, confidence: float = 0.95
) -> tuple[ColourScore, ...]:
    """Return the colour scores of all players, in the order of `names`."""
    scores = OUTCOME_SCORES[clusters.outcome]
    found = []
    for place, name in enumerate(names):
        black = _Share.of(clusters, clusters.first == place, scores)
        white = _Share.of(clusters, clusters.second == place, 1 - scores)
        found.append(
            ColourScore(
                name=name,
                black=None if black is None else black.estimate(confidence),
                white=None if white is None else white.estimate(confidence),
                difference=None
                if black is None or white is None
                else _difference(black, white, confidence),
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class _Share:
    """A mean score, and by what each cluster moves it."""

    mean: float
    moved: FloatArray
    has_games: BoolArray
    independent: float

    @classmethod
    def of(cls, clusters: Clusters, chosen: BoolArray, scores: FloatArray) -> _Share | None:
        """Return the share of the chosen games; None without any."""
        games = int(np.sum(chosen))
        if not games:
            return None
        own, count = clusters.cluster[chosen], len(clusters.labels)
        mean = float(np.mean(scores[chosen]))
        centred = scores[chosen] - mean
        return cls(
            mean,
            np.bincount(own, centred, count) / games,
            np.bincount(own, minlength=count) > 0,
            float(np.mean(centred**2)) / games,
        )

    def estimate(self, confidence: float) -> Estimate:
        """Return the mean with its interval."""
        units = int(self.has_games.sum())
        variance = _variance(self.moved, self.independent, units)
        quantile = student_quantile(confidence, degrees_of_freedom(units))
        # The number of games that would have this variance if each were won or lost.
        size = self.mean * (1 - self.mean) / variance if variance > 0 else units
        weight = quantile**2 / size
        middle = (self.mean + weight / 2) / (1 + weight)
        spread = self.mean * (1 - self.mean) / size + quantile**2 / (4 * size**2)
        half = quantile * float(np.sqrt(spread)) / (1 + weight)
        return Estimate(
            value=self.mean,
            error=half,
            low=max(0.0, middle - half),
            high=min(1.0, middle + half),
            confidence=confidence,
        )


def _difference(black: _Share, white: _Share, confidence: float) -> Estimate:
    units = int((black.has_games | white.has_games).sum())
    moved, independent = black.moved - white.moved, black.independent + white.independent
    error = float(np.sqrt(_variance(moved, independent, units)))
    degrees = degrees_of_freedom(units)
    return wald(black.mean - white.mean, error, confidence, degrees=degrees)


def _variance(moved: FloatArray, independent: float, units: int) -> float:
    """Return the variance that the clusters show, weighed against that of independent games."""
    trust = units / (units + FAITH)
    observed = float(moved @ moved) * units / max(units - 1, 1)
    return trust * observed + (1 - trust) * independent
