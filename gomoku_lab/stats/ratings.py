"""Ratings of many players with their covariance, differences, and what moving first is worth.

A rating that would be infinite (a player that won everything) comes as a bound. The models are in
`davidson`, the maximisation is in `choice`, `fit` puts both together, intervals and bounds are in
`contrast`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from gomoku_lab.stats.choice import ChoiceFit
from gomoku_lab.stats.contrast import estimate_contrast, signs
from gomoku_lab.stats.davidson import RatingModel
from gomoku_lab.stats.elo import ELO_PER_UNIT
from gomoku_lab.stats.estimate import Estimate, wald, without_interval
from gomoku_lab.stats.pairs import FloatArray
from gomoku_lab.stats.results import ResultTable

SCHEMA_VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The difference of two players' ratings.

    Attributes
    ----------
    first, second : str
        The players; the difference is rating of `first` minus rating of `second`.
    elo : Estimate
        The difference in Elo.
    los : float or None
        Probability that `first` is the stronger one.
    """

    first: str
    second: str
    elo: Estimate
    los: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return {
            "first": self.first,
            "second": self.second,
            "elo": self.elo.to_dict(),
            "los": self.los,
        }


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ratings:
    """Fitted ratings with everything that their uncertainty needs.

    Attributes
    ----------
    table : ResultTable
        What was fitted.
    model : RatingModel
        ``davidson`` or ``half-point``.
    reference : tuple of str
        The players whose mean rating is zero; nobody where ratings are held.
    anchors : mapping of str to float
        The players whose ratings were held, and at which Elo.
    clusters : int or None
        Number of clusters of games from which the standard errors come; None if they take each
        game as independent.
    ratings : tuple of Estimate
        One a player, in the table's order.
    advantage : Estimate or None
        Elo that moving first is worth; None if it was not fitted.
    nu : float or None
        Davidson's draw parameter; None where the data do not determine it.
    covariance : float64[players, players]
        Covariance of the ratings in Elo^2, relative to the reference or the anchors; NaN where one
        is a bound.
    negative_log_likelihood : float
        At the maximum (or its limit), without multinomial coefficients; with the log prior.
    prior_elo : float or None
        Standard deviation of the weak normal prior on each rating, if one was asked for.
    confidence : float
        Of the intervals and bounds.
    intervals_refused : bool
        Whether too many games are copies for any interval.
    warnings : tuple of str
        Reasons to doubt the numbers, in words.
    fit : ChoiceFit
        The fit in natural units: the players' ratings, then the advantage, then ln(nu).
    """

    table: ResultTable
    model: RatingModel
    reference: tuple[str, ...]
    anchors: Mapping[str, float]
    clusters: int | None
    ratings: tuple[Estimate, ...]
    advantage: Estimate | None
    nu: float | None
    covariance: FloatArray
    negative_log_likelihood: float
    prior_elo: float | None
    confidence: float
    intervals_refused: bool
    warnings: tuple[str, ...]
    fit: ChoiceFit

    @property
    def names(self) -> tuple[str, ...]:
        """Give the players, in the order of `ratings`."""
        return self.table.names

    @property
    def draw_rate(self) -> float | None:
        """Give the draw rate between equals without advantage, nu / (2 + nu)."""
        return None if self.nu is None else self.nu / (2 + self.nu)

    @property
    def _held(self) -> FloatArray:
        return held_ratings(self.table, self.anchors, len(self.fit.theta))

    def rating(self, name: str) -> Estimate:
        """Return the rating of one player."""
        return self.ratings[self.table.index(name)]

    def difference(self, first: str, second: str, *, confidence: float | None = None) -> Difference:
        """Return rating of `first` minus rating of `second`, with interval and LOS.

        The interval or bound has the confidence of the ratings unless another one is given.
        """
        i, j = self.table.index(first), self.table.index(second)
        if i == j:
            raise ValueError(f"a difference needs two players: {first!r} twice")
        contrast = np.zeros(len(self.fit.theta))
        contrast[i], contrast[j] = 1.0, -1.0
        chosen = self.confidence if confidence is None else confidence
        elo, los = estimate_elo_of(self.fit, contrast, self._held, chosen)
        if self.intervals_refused:
            elo, los = without_interval(elo), None
        return Difference(first=first, second=second, elo=elo, los=los)

    def los_matrix(self) -> list[list[float | None]]:
        """Return the probability that the row's player is stronger than the column's."""
        size = len(self.names)
        matrix: list[list[float | None]] = [[0.5] * size for _ in range(size)]
        for i in range(size):
            for j, los in enumerate(self._signs_against(i), start=i + 1):
                matrix[i][j] = los
                matrix[j][i] = None if los is None else 1 - los
        return matrix

    def _signs_against(self, first: int) -> list[float | None]:
        """Return the LOS of a player over each that comes after it in the table."""
        others = np.arange(first + 1, len(self.names))
        if self.intervals_refused or not len(others):
            return [None] * len(others)
        units = np.eye(len(self.fit.theta))
        contrasts, fitted = units[first] - units[others], np.isnan(self._held)
        offsets = contrasts[:, ~fitted] @ self._held[~fitted]
        contrasts[:, ~fitted] = 0.0
        return signs(self.fit, contrasts, offsets)

    def order(self) -> list[str]:
        """Return the players from strongest to weakest, bounds by their finite end.

        Players of whom nothing is known, not even a bound, come last.
        """

        def strength(name: str) -> tuple[int, float]:
            rating = self.rating(name)
            if rating.value is not None:
                return (2, rating.value)
            if rating.low is not None and rating.high is None:
                return (3, rating.low)
            return (1, rating.high) if rating.high is not None else (0, 0.0)

        return sorted(self.names, key=strength, reverse=True)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form; what is unknown is null."""
        covariance = [
            [float(value) if np.isfinite(value) else None for value in row]
            for row in self.covariance
        ]
        players = []
        for name, rating in zip(self.names, self.ratings, strict=True):
            losses, draws, wins = self.table.totals(name)
            players.append(
                {
                    "name": name,
                    "rating": rating.value,
                    "error": rating.error,
                    "standard_error": rating.standard_error,
                    "low": rating.low,
                    "high": rating.high,
                    "games": losses + draws + wins,
                    "wins": wins,
                    "draws": draws,
                    "losses": losses,
                }
            )
        return {
            "schema": SCHEMA_VERSION,
            "model": self.model,
            "reference": list(self.reference),
            "anchors": dict(self.anchors),
            "clusters": self.clusters,
            "players": players,
            "order": self.order(),
            "advantage": None if self.advantage is None else self.advantage.to_dict(),
            "nu": self.nu,
            "draw_rate": self.draw_rate,
            "covariance": covariance,
            "los": self.los_matrix(),
            "negative_log_likelihood": self.negative_log_likelihood,
            "prior_elo": self.prior_elo,
            "confidence": self.confidence,
            "warnings": list(self.warnings),
        }


def held_ratings(table: ResultTable, anchors: Mapping[str, float], parameters: int) -> FloatArray:
    """Return the ratings that are held, in the fit's units; NaN where a parameter is fitted."""
    held = np.full(parameters, np.nan)
    for name, elo in anchors.items():
        held[table.index(name)] = elo / ELO_PER_UNIT
    return held


def estimate_elo_of(
    fit: ChoiceFit, contrast: FloatArray, held: FloatArray, confidence: float
) -> tuple[Estimate, float | None]:
    """Estimate a contrast in Elo; what is held is known for certain."""
    fitted = np.isnan(held)
    offset = float(contrast[~fitted] @ held[~fitted])
    contrast = np.where(fitted, contrast, 0.0)
    if not contrast.any():
        return wald(ELO_PER_UNIT * offset, 0.0, confidence), None
    return estimate_contrast(
        fit, contrast, scale=ELO_PER_UNIT, confidence=confidence, offset=offset
    )
