"""Fitting ratings to a table of results, by maximum likelihood.

What comes out is a value of `ratings`. The models are in `davidson`, the maximisation is in
`choice`, standard errors from clusters of games are in `robust`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np
from scipy.special import chdtrc

from gomoku_lab.stats.choice import ChoiceFit, fit_choices
from gomoku_lab.stats.clusters import Clusters, units_of
from gomoku_lab.stats.davidson import MODELS, RatingModel, choice_model
from gomoku_lab.stats.elo import ELO_PER_UNIT
from gomoku_lab.stats.estimate import Estimate, without_interval
from gomoku_lab.stats.pairs import FloatArray
from gomoku_lab.stats.profile import Profile
from gomoku_lab.stats.ratings import Ratings, estimate_elo_of, held_ratings
from gomoku_lab.stats.results import ResultTable, copies_in
from gomoku_lab.stats.robust import robust_fit

_NOBODY: Final[Mapping[str, float]] = {}
_CONTRADICTION: Final = 0.01


def fit_ratings(
    table: ResultTable,
    *,
    clusters: Clusters | None = None,
    model: RatingModel = "davidson",
    advantage: bool = True,
    anchors: Mapping[str, float] = _NOBODY,
    prior_elo: float | None = None,
    confidence: float = 0.95,
) -> Ratings:
    """Fit ratings by maximum likelihood; ValueError if players are not linked by games.

    Parameters
    ----------
    table : ResultTable
        The results; all players must be linked by games.
    clusters : Clusters, optional
        Games of the table that may depend on each other. Without them errors and bounds are the
        model's own, which takes all games as independent.
    model : RatingModel
        See `davidson`.
    advantage : bool
        Whether to fit what moving first is worth. It is not, where no colours are known.
    anchors : mapping of str to float
        Players whose ratings are held, in Elo. Without them the mean of the largest group of
        players whose differences are all finite (usually everybody) is 0.
    prior_elo : float, optional
        Standard deviation of a weak normal prior on each rating; by default there is none.
    confidence : float
    """
    _check_options(table, model, anchors, prior_elo)
    advantage = advantage and any(part.has_colours and part.games.any() for part in table.parts)
    choices = choice_model(table, model, anchors=anchors, advantage=advantage, prior_elo=prior_elo)
    fit = _with_errors(fit_choices(choices), table, clusters, model)
    size, unit = len(table.names), np.eye(len(fit.theta))
    held = held_ratings(table, anchors, len(unit))
    reference = [] if anchors else _reference(fit, size)
    contrasts = _relative_to(reference, unit[:size])
    ratings = [estimate_elo_of(fit, row, held, confidence)[0] for row in contrasts]
    first_move = estimate_elo_of(fit, unit[size], held, confidence)[0] if advantage else None
    refused, warnings = copies_in(table)
    bounds = _bound_warnings(table, ratings)
    return Ratings(
        table=table,
        model=model,
        reference=tuple(table.names[i] for i in reference),
        anchors=dict(anchors),
        clusters=None if clusters is None else len(clusters.labels),
        ratings=tuple(map(without_interval, ratings) if refused else ratings),
        advantage=first_move and without_interval(first_move) if refused else first_move,
        nu=_nu(fit, unit[size + 1]) if model == "davidson" else None,
        covariance=_covariance(fit, contrasts, held) * (np.nan if refused else 1.0),
        negative_log_likelihood=-fit.log_likelihood,
        prior_elo=prior_elo,
        confidence=confidence,
        intervals_refused=refused,
        warnings=(*warnings, *_contradiction(table, model, fit, anchors, advantage), *bounds),
        fit=fit,
    )


def _with_errors(
    fit: ChoiceFit, table: ResultTable, clusters: Clusters | None, model: RatingModel
) -> ChoiceFit:
    """Return the fit with errors from the clusters, if any, and with its profile."""
    units = units_of(table, clusters)
    robust = fit if clusters is None else robust_fit(fit, units, model)
    return replace(robust, profile=Profile(fit, units, model, robust.degrees))


def _check_options(
    table: ResultTable, model: str, anchors: Mapping[str, float], prior_elo: float | None
) -> None:
    """Raise ValueError for options outside their range and for players that never met."""
    if model not in MODELS:
        raise ValueError(f"model must be one of {', '.join(MODELS)}: {model!r}")
    for name, elo in anchors.items():
        table.index(name)
        if not np.isfinite(elo):
            raise ValueError(f"the rating at which {name} is held must be a number: {elo!r}")
    if prior_elo is not None and not 0 < prior_elo < np.inf:
        raise ValueError(f"prior_elo must be a positive number: {prior_elo!r}")
    groups = table.groups()
    if len(groups) > 1:
        listed = " | ".join(", ".join(group) for group in groups)
        raise ValueError(
            "ratings need players that are all linked by games; these groups never met: " + listed
        )


def _reference(fit: ChoiceFit, size: int) -> list[int]:
    """Return the largest group of players whose differences are determined."""
    rows = np.round(fit.null[:size], 6) + 0.0
    groups: dict[bytes, list[int]] = {}
    for player, row in enumerate(rows):
        groups.setdefault(row.tobytes(), []).append(player)
    return max(groups.values(), key=len)


def _relative_to(reference: list[int], units: FloatArray) -> FloatArray:
    """Return, one row a player, the contrast of its rating with the reference's mean."""
    contrasts: FloatArray = units - units[reference].mean(axis=0) if reference else units.copy()
    return contrasts


def _covariance(fit: ChoiceFit, contrasts: FloatArray, held: FloatArray) -> FloatArray:
    """Return the covariance of the contrasts in Elo^2, NaN for those without an estimate."""
    fitted = np.where(np.isnan(held), contrasts, 0.0)
    bounded = np.array([not fit.is_determined(row) for row in fitted])
    covariance: FloatArray = ELO_PER_UNIT**2 * fitted @ fit.covariance @ fitted.T
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


def _contradiction(
    table: ResultTable,
    model: RatingModel,
    fit: ChoiceFit,
    anchors: Mapping[str, float],
    advantage: bool,
) -> list[str]:
    """Say so if the games contradict the ratings that are held, by the likelihood ratio test."""
    if len(anchors) < 2 or np.any(fit.model.precision):
        return []
    free = fit_choices(choice_model(table, model, advantage=advantage))
    gain = max(0.0, free.log_likelihood - fit.log_likelihood)
    doubt = float(chdtrc(len(anchors) - 1, 2 * gain))
    if doubt >= _CONTRADICTION:
        return []
    return [
        "the games contradict the ratings that are held: without holding them the results would be "
        f"much more likely (p {'< 0.0001' if doubt < 1e-4 else f'= {doubt:.4f}'})"
    ]
