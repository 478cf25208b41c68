"""Ratings of many players with their covariance, differences, and what moving first is worth.

A rating that would be infinite (a player that won everything) comes as a bound. The models are in
`davidson`, the maximisation is in `choice`, intervals and bounds are in `contrast`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from gomoku_lab.stats.choice import ChoiceFit, fit_choices
from gomoku_lab.stats.contrast import estimate_contrast
from gomoku_lab.stats.davidson import MODELS, RatingModel, choice_model
from gomoku_lab.stats.elo import ELO_PER_UNIT
from gomoku_lab.stats.estimate import Estimate, wald, without_interval
from gomoku_lab.stats.pairs import FloatArray
from gomoku_lab.stats.results import ResultTable, copies_in

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
    model : str
        ``davidson`` or ``half-point``.
    reference : tuple of str
        The players whose mean rating is zero.
    ratings : tuple of Estimate
        One a player, in the table's order.
    advantage : Estimate or None
        Elo that moving first is worth; None if it was not fitted.
    nu : float or None
        Davidson's draw parameter; None where the data do not determine it.
    covariance : float64[players, players]
        Covariance of the ratings in Elo^2, relative to the reference; NaN where one is a bound.
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

    def rating(self, name: str) -> Estimate:
        """Return the rating of one player."""
        return self.ratings[self.table.index(name)]

    def difference(self, first: str, second: str) -> Difference:
        """Return rating of `first` minus rating of `second`, with interval and LOS."""
        i, j = self.table.index(first), self.table.index(second)
        if i == j:
            raise ValueError(f"a difference needs two players: {first!r} twice")
        contrast = np.zeros(len(self.fit.theta))
        contrast[i], contrast[j] = 1.0, -1.0
        elo, los = estimate_contrast(
            self.fit, contrast, scale=ELO_PER_UNIT, confidence=self.confidence
        )
        if self.intervals_refused:
            elo, los = without_interval(elo), None
        return Difference(first=first, second=second, elo=elo, los=los)

    def los_matrix(self) -> list[list[float | None]]:
        """Return the probability that the row's player is stronger than the column's."""
        size = len(self.names)
        matrix: list[list[float | None]] = [[0.5] * size for _ in range(size)]
        for i in range(size):
            for j in range(i + 1, size):
                los = self.difference(self.names[i], self.names[j]).los
                matrix[i][j] = los
                matrix[j][i] = None if los is None else 1 - los
        return matrix

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


def fit_ratings(
    table: ResultTable,
    *,
    model: RatingModel = "davidson",
    advantage: bool = True,
    anchor: str | None = None,
    prior_elo: float | None = None,
    confidence: float = 0.95,
) -> Ratings:
    """Fit ratings by maximum likelihood; ValueError if players are not linked by games.

    Parameters
    ----------
    table : ResultTable
        The results; all players must be linked by games.
    model : str
        ``davidson`` or ``half-point``.
    advantage : bool
        Whether to fit what moving first is worth. It is not, where no colours are known.
    anchor : str, optional
        The player whose rating is 0. Without it the mean of the largest group of players whose
        differences are all finite (usually everybody) is 0.
    prior_elo : float, optional
        Standard deviation of a weak normal prior on each rating. Without it there is none, and
        a player that won or lost everything has a bound instead of a rating.
    confidence : float
        Of the intervals and bounds.
    """
    _check_options(table, model, anchor, prior_elo)
    advantage = advantage and any(part.has_colours and part.games.any() for part in table.parts)
    fit = fit_choices(choice_model(table, model, advantage, prior_elo))
    size = len(table.names)
    unit = np.eye(len(fit.theta))
    reference = _reference(fit, table, anchor)
    contrasts = _relative_to(reference, unit[:size])
    ratings = [_estimate(fit, row, confidence) for row in contrasts]
    covariance = _covariance(fit, contrasts)
    first_move = _estimate(fit, unit[size], confidence) if advantage else None
    refused, warnings = copies_in(table)
    if refused:
        ratings = [without_interval(rating) for rating in ratings]
        first_move = first_move and without_interval(first_move)
        covariance = np.full_like(covariance, np.nan)
    return Ratings(
        table=table,
        model=model,
        reference=tuple(table.names[i] for i in reference),
        ratings=tuple(ratings),
        advantage=first_move,
        nu=_nu(fit, unit[size + 1]) if model == "davidson" else None,
        covariance=covariance,
        negative_log_likelihood=-fit.log_likelihood,
        prior_elo=prior_elo,
        confidence=confidence,
        intervals_refused=refused,
        warnings=(*warnings, *_bound_warnings(table, ratings)),
        fit=fit,
    )


def _estimate(fit: ChoiceFit, contrast: FloatArray, confidence: float) -> Estimate:
    """Estimate a contrast in Elo; the anchor's own rating is 0 for certain."""
    if not contrast.any():
        return wald(0.0, 0.0, confidence)
    return estimate_contrast(fit, contrast, scale=ELO_PER_UNIT, confidence=confidence)[0]


def _check_options(
    table: ResultTable, model: str, anchor: str | None, prior_elo: float | None
) -> None:
    """Raise ValueError for options outside their range and for players that never met."""
    if model not in MODELS:
        raise ValueError(f"model must be one of {', '.join(MODELS)}: {model!r}")
    if anchor is not None:
        table.index(anchor)
    if prior_elo is not None and not 0 < prior_elo < np.inf:
        raise ValueError(f"prior_elo must be a positive number: {prior_elo!r}")
    groups = table.groups()
    if len(groups) > 1:
        listed = " | ".join(", ".join(group) for group in groups)
        raise ValueError(
            "ratings need players that are all linked by games; these groups never met: " + listed
        )


def _reference(fit: ChoiceFit, table: ResultTable, anchor: str | None) -> list[int]:
    """Return the anchor, or the largest group of players whose differences are determined."""
    if anchor is not None:
        return [table.index(anchor)]
    size = len(table.names)
    rows = np.round(fit.null[:size], 6) + 0.0
    groups: dict[bytes, list[int]] = {}
    for player, row in enumerate(rows):
        groups.setdefault(row.tobytes(), []).append(player)
    return max(groups.values(), key=len)


def _relative_to(reference: list[int], units: FloatArray) -> FloatArray:
    """Return, one row a player, the contrast of its rating with the reference's mean."""
    contrasts: FloatArray = units - units[reference].mean(axis=0)
    return contrasts


def _covariance(fit: ChoiceFit, contrasts: FloatArray) -> FloatArray:
    """Return the covariance of the contrasts in Elo^2, NaN for those without an estimate."""
    bounded = np.array([not fit.is_determined(row) for row in contrasts])
    covariance: FloatArray = ELO_PER_UNIT**2 * contrasts @ fit.covariance @ contrasts.T
    covariance[bounded, :] = covariance[:, bounded] = np.nan
    return covariance


def _nu(fit: ChoiceFit, contrast: FloatArray) -> float | None:
    """Return Davidson's nu: 0 without draws, None if the data do not determine it."""
    if fit.is_determined(contrast):
        return float(np.exp(contrast @ fit.theta))
    if not fit.model.allowed[:, 1].any():  # no draws were counted
        return None
    return 0.0 if not np.any(fit.model.weights[:, 1]) else None


def _bound_warnings(table: ResultTable, ratings: list[Estimate]) -> list[str]:
    """Say which players have no finite rating."""
    names = [
        name for name, rating in zip(table.names, ratings, strict=True) if rating.value is None
    ]
    if not names:
        return []
    return ["no finite rating, at most a bound, for: " + ", ".join(names)]
