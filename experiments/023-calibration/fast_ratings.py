"""What `fit_ratings` tells of two players, for thousands of results at once.

As in `fast.py`, results without a finite estimate, and those that an iteration here does not
settle, are left to the package.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from fast import IntArray, ends
from numpy.typing import NDArray

from gomoku_lab.stats.choice import GRADIENT_TOLERANCE, ChoiceModel, fit_choices
from gomoku_lab.stats.clusters import Clusters
from gomoku_lab.stats.davidson import choice_model
from gomoku_lab.stats.elo import ELO_PER_UNIT
from gomoku_lab.stats.estimate import normal_quantile, student_quantile
from gomoku_lab.stats.fit import fit_ratings
from gomoku_lab.stats.pairs import FloatArray
from gomoku_lab.stats.profile import ENOUGH, FAITH_IN_FEW, ROUNDS
from gomoku_lab.stats.results import ResultTable
from gomoku_lab.stats.robust import FAITH, degrees_of_freedom

BoolArray = NDArray[np.bool_]
Held = dict[str, BoolArray]
KINDS = ("rating", "rating_model", "advantage")
_CONTRASTS = {
    "rating": np.array([1.0, -1.0, 0.0, 0.0]),
    "advantage": np.array([0.0, 0.0, 1.0, 0.0]),
}
_EVERYTHING, _NO_DRAWS = 0b111111, 0b101101
"""Which of win, draw and loss of the first mover, as A and as B, were seen."""


def two_players(counts: IntArray) -> tuple[ResultTable, Clusters]:
    """Return the games of A and B whose pairs had these outcomes, each from its own opening."""
    games = []
    for place, times in enumerate(counts):
        black, white = divmod(place, 3)  # losses, draws, wins of A, from 0
        for _ in range(times):
            opening = len(games) // 2
            games += [(opening, "A", "B", 2 - black), (opening, "B", "A", white)]
    return tabled(games, ("A", "B"))


def tabled(games: list, names: tuple[str, ...]) -> tuple[ResultTable, Clusters]:
    """Return the table and the clusters of games (opening, first, second, outcome)."""
    clusters = Clusters.from_games(games, names)
    counts = np.zeros((3, len(names), len(names)), dtype=np.int64)
    np.add.at(counts, (clusters.outcome, clusters.first, clusters.second), 1)
    return ResultTable(names, *counts), clusters


def plain_ratings(counts: IntArray) -> dict[str, tuple[float, float]]:
    """Return the ends that the package gives: with errors from the pairs, and the model's own."""
    table, clusters = two_players(counts)
    robust, model = fit_ratings(table, clusters=clusters), fit_ratings(table)
    return {
        "rating": ends(robust.difference("A", "B").elo),
        "rating_model": ends(model.difference("A", "B").elo),
        "advantage": ends(robust.advantage),
    }


@cache
def _remembered(counts: tuple[int, ...]) -> dict[str, tuple[float, float]]:
    return plain_ratings(np.array(counts))


def _any_pairs(weights: FloatArray) -> IntArray:
    """Return counts of the nine outcomes that have these sums: the games paired in their order."""
    black = np.repeat([2, 1, 0], weights[0].astype(int))
    white = np.repeat([0, 1, 2], weights[1].astype(int))
    return np.bincount(3 * black + white, minlength=9)


def ratings_held(counts: IntArray, truth: dict[str, float]) -> tuple[Held, Held, Held]:
    """Tell which intervals of `fit_ratings` hold the truth, for outcomes of pairs int64[n, 9].

    Returns
    -------
    tuple
        Which hold it, which have an open end, and which come from the profile likelihood.
    """
    cube = counts.reshape(-1, 3, 3)
    # By first mover (A, then B) and by win, draw and loss of the first mover.
    weights = np.stack([cube.sum(axis=2)[:, ::-1], cube.sum(axis=1)], axis=1).astype(float)
    held, opened, profiled = ({key: np.zeros(len(counts), bool) for key in KINDS} for _ in range(3))
    seen = (weights > 0).reshape(-1, 6) @ (1 << np.arange(6))
    for pattern in np.unique(seen):
        rows = np.flatnonzero(seen == pattern)
        world = _Support.of(int(pattern))
        left = rows
        if world.determined == {"rating", "advantage"}:
            moved, settled = _newton(world, weights[rows])
            normal, few, sure = _normal_held(world, cube[rows], weights[rows], moved, truth)
            likely, found = _likely_held(cube[rows], weights[rows], truth)
            settled &= sure & (found | ~np.any([few[key] for key in KINDS], axis=0))
            left = rows[~settled]
            for key in KINDS:
                held[key][rows] = np.where(few[key], likely[key], normal[key])
                profiled[key][rows] = few[key]
        for row in left:
            # Bounds do not depend on which games belong to a pair.
            pairs = counts[row] if world.determined else _any_pairs(weights[row])
            for key, (low, high) in _remembered(tuple(pairs.tolist())).items():
                held[key][row] = low <= truth[key] <= high
                opened[key][row] = np.isinf(low) or np.isinf(high)
    return held, opened, profiled


class _Support:
    """What can be fitted where these of the six outcomes of games were seen."""

    def __init__(self, pattern: int) -> None:
        model = choice_model(two_players(np.ones(9, dtype=int))[0], "davidson", advantage=True)
        seen = (pattern >> np.arange(6) & 1).reshape(2, 3).astype(float)
        fit = fit_choices(replace(model, weights=seen))
        self.allowed = fit.reduced.allowed
        self.determined = {key for key, row in _CONTRASTS.items() if fit.is_determined(row)}
        self.basis = _basis(fit.reduced)
        self.features = model.features @ self.basis

    @classmethod
    @cache
    def of(cls, pattern: int) -> _Support:
        """Return the one of this pattern."""
        return cls(pattern)


def _basis(model: ChoiceModel) -> FloatArray:
    """Return the coordinates in which the package fits, so that both stop at the same step."""
    rows = [
        model.features[cell, other] - model.features[cell, allowed.argmax()]
        for cell, allowed in enumerate(model.allowed)
        for other in np.flatnonzero(allowed)
    ]
    values, vectors = np.linalg.eigh(np.transpose(rows) @ np.array(rows))
    return vectors[:, values > 1e-9 * max(1.0, float(values[-1]))]


def _choices(world: _Support, moved: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return log-probabilities (0 where impossible) and probabilities, float64[n, 2, 3]."""
    utilities = np.einsum("nr,ckr->nck", moved, world.features)
    utilities = np.where(world.allowed, utilities, -np.inf)
    utilities -= utilities.max(axis=2, keepdims=True)
    raised = np.exp(utilities)
    sums = raised.sum(axis=2, keepdims=True)
    return np.where(world.allowed, utilities - np.log(sums), 0.0), raised / sums


def _centred(world: _Support, chances: FloatArray) -> FloatArray:
    """Return the derivatives of the log-probabilities, float64[n, 2, 3, directions]."""
    return world.features - np.einsum("nck,ckr->ncr", chances, world.features)[:, :, np.newaxis]


def _derivatives(
    world: _Support, weights: FloatArray, moved: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return log-likelihoods, gradients and informations."""
    logs, chances = _choices(world, moved)
    expected = weights.sum(axis=2, keepdims=True) * chances
    slopes = np.einsum("nck,ckr->nr", weights - expected, world.features)
    roots = (_centred(world, chances) * np.sqrt(expected)[..., np.newaxis]).reshape(
        len(moved), 6, -1
    )
    return np.sum(weights * logs, axis=(1, 2)), slopes, roots.transpose(0, 2, 1) @ roots


def _newton(
    world: _Support,
    weights: FloatArray,
    start: FloatArray | None = None,
    inside: FloatArray | None = None,
) -> tuple[FloatArray, BoolArray]:
    """Return the maxima in start + span(inside), and which full steps reach as in the package."""
    directions = world.basis.shape[1]
    moved = np.zeros((len(weights), directions)) if start is None else start.copy()
    inside = np.eye(directions) if inside is None else inside
    settled = np.zeros(len(weights), dtype=bool)
    tolerances = GRADIENT_TOLERANCE * weights.sum(axis=(1, 2))
    active = np.arange(len(weights))
    values, slopes, informations = _derivatives(world, weights, moved)
    for _ in range(50):
        slopes, informations = slopes @ inside, inside.T @ informations @ inside
        done = np.abs(slopes).max(axis=1, initial=0.0) <= tolerances[active]
        settled[active[done]] = True
        active, slopes, informations = active[~done], slopes[~done], informations[~done]
        values = values[~done]
        if not len(active):
            break
        steps = np.linalg.solve(informations, slopes[..., np.newaxis])[..., 0]
        promised = np.sum(slopes * steps, axis=1)
        steps = steps @ inside.T
        before = values
        values, slopes, informations = _derivatives(world, weights[active], moved[active] + steps)
        good = values >= before + 1e-4 * promised - 1e-13 * np.abs(before)
        active, steps = active[good], steps[good]
        values, slopes, informations = values[good], slopes[good], informations[good]
        moved[active] += steps
    return moved, settled


def _pair_scores(centred: FloatArray) -> FloatArray:
    """Return the derivatives that the nine outcomes of a pair add, float64[n, 3, 3, directions]."""
    return centred[:, 0, ::-1][:, :, np.newaxis] + centred[:, 1][:, np.newaxis]


def _effective(times: FloatArray, each: FloatArray) -> FloatArray:
    """Return how many equal results vary as much, of each row."""
    squares = np.sum(times * each**2, axis=(1, 2))
    fourth = np.sum(times * each**4, axis=(1, 2))
    return np.divide(squares**2, fourth, out=np.zeros(len(fourth)), where=fourth > 0)


def _variances(
    cube: IntArray, centred: FloatArray, information: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the inverse information, and the covariance with errors from pairs."""
    inverse = np.linalg.inv(information)
    units = cube.sum(axis=(1, 2)).astype(float)
    trust = units / (units + FAITH)
    scores = _pair_scores(centred)
    observed = np.einsum("nij,nijp,nijq->npq", cube, scores, scores, optimize=True)
    meat = (trust * units / (units - 1))[:, np.newaxis, np.newaxis] * observed
    meat += (1 - trust)[:, np.newaxis, np.newaxis] * information
    return inverse, inverse @ meat @ inverse


def _normal_held(
    world: _Support,
    cube: IntArray,
    weights: FloatArray,
    moved: FloatArray,
    truth: dict[str, float],
) -> tuple[Held, Held, BoolArray]:
    """Tell which normal intervals hold the truth, and which estimates rest on few results.

    The last part of the result tells which have an error at all.
    """
    chances = _choices(world, moved)[1]
    centred = _centred(world, chances)
    inverse, robust = _variances(cube, centred, _derivatives(world, weights, moved)[2])
    quantile = student_quantile(0.95, degrees_of_freedom(float(cube[0].sum())))
    held, few, sure = {}, {}, np.ones(len(weights), dtype=bool)
    for key in KINDS:
        name, of_model = key.removesuffix("_model"), key.endswith("_model")
        contrast = _CONTRASTS[name] @ world.basis
        covariance = inverse if of_model else robust
        variances = np.einsum("p,npq,q->n", contrast, covariance, contrast)
        away = np.abs(moved @ contrast - truth[key] / ELO_PER_UNIT)
        held[key] = away <= (normal_quantile(0.95) if of_model else quantile) * np.sqrt(variances)
        along = inverse @ contrast
        if of_model:
            each, times = np.einsum("nckp,np->nck", centred, along), weights
        else:
            each, times = np.einsum("nijp,np->nij", _pair_scores(centred), along), cube
        few[key] = _effective(times, each) < ENOUGH
        sure &= variances > 0
    return held, few, sure


def _likely_held(
    cube: IntArray, weights: FloatArray, truth: dict[str, float]
) -> tuple[Held, BoolArray]:
    """Tell which intervals of `profile` hold the truth, and which results were settled."""
    drawn = bool(weights[:, :, 1].any())
    world = _Support.of(_EVERYTHING if drawn else _NO_DRAWS)
    weights, moved, settled = _augmented(world, weights)
    chances = _choices(world, moved)[1]
    best, _, information = _derivatives(world, weights, moved)
    centred = _centred(world, chances)
    inverse, robust = _variances(cube, centred, information)
    quantile = student_quantile(0.95, degrees_of_freedom(float(cube[0].sum())))
    held = {}
    for key in KINDS:
        name, of_model = key.removesuffix("_model"), key.endswith("_model")
        contrast = _CONTRASTS[name] @ world.basis
        along = inverse @ contrast
        variances = along @ contrast
        target = truth[key] / ELO_PER_UNIT
        start = moved + along * ((target - moved @ contrast) / variances)[:, np.newaxis]
        rest = np.linalg.svd(contrast[np.newaxis, :])[2][1:].T
        at, there = _newton(world, weights, start, rest)
        settled &= there
        falls = best - _derivatives(world, weights, at)[0]
        scale, limit = np.ones(len(weights)), normal_quantile(0.95)
        if not of_model:
            each = np.einsum("nijp,np->nij", _pair_scores(centred), along)
            few = _effective(cube, each)
            ratio = np.einsum("p,npq,q->n", contrast, robust, contrast) / variances
            scale, limit = (few * ratio + FAITH_IN_FEW) / (few + FAITH_IN_FEW), quantile
        held[key] = falls <= 0.5 * limit**2 * scale
    return held, settled


def _augmented(world: _Support, weights: FloatArray) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return the results with what Jeffreys' prior adds, the maxima, and which were settled."""
    added = np.where(world.allowed, 0.25, 0.0)
    outcomes = world.allowed.sum(axis=1)[:, np.newaxis]
    for _ in range(ROUNDS):
        augmented = weights + added
        moved, settled = _newton(world, augmented)
        chances = _choices(world, moved)[1]
        centred = _centred(world, chances)
        inverse = np.linalg.inv(_derivatives(world, augmented, moved)[2])
        expected = augmented.sum(axis=2, keepdims=True) * chances
        leverages = expected * np.einsum(
            "nckp,npq,nckq->nck", centred, inverse, centred, optimize=True
        )
        shared = leverages.sum(axis=2, keepdims=True) / (outcomes - 1)
        added = np.where(world.allowed, 0.5 * (leverages + chances * shared), 0.0)
    return augmented, moved, settled
