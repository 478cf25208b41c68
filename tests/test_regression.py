"""The regression: its gradient, what it recovers from planted models, how sure it says it is."""

from dataclasses import replace

import numpy as np
import pytest
from fit_tools import drawn_samples
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

from gomoku_lab.engine.config import EngineConfig, PatternWeights
from gomoku_lab.engine.learned import COMBINATIONS
from gomoku_lab.tuning.models import (
    CODES,
    COEFFICIENTS,
    HAND_CLASSES,
    HandModel,
    ScaledModel,
    TableModel,
    hand_weights,
)
from gomoku_lab.tuning.regression import (
    Prior,
    diagonals,
    fit,
    logits,
    sandwich,
    total_loss,
)
from gomoku_lab.tuning.samples import CODE_PLACES, PLACES

CONFIG = EngineConfig(depth=1)
LIKELY = [*range(0, CODES - 1, 45), *range(CODES, CODE_PLACES - 1, 45)]
"""A few codes of each side: enough rows show each of them."""


def nothing():
    return np.zeros(COEFFICIENTS)


def random_coefficients(seed, size=0.2):
    found = nothing()
    draw = np.random.default_rng(seed)
    found[LIKELY] = draw.normal(0, size, len(LIKELY))
    found[-1] = draw.normal()
    return found


@settings(max_examples=10)
@given(st.integers(0, 10**6))
def test_the_gradient_is_that_of_finite_differences(seed):
    samples = drawn_samples(random_coefficients(seed), games=8, seed=seed, places=LIKELY)
    draw = np.random.default_rng(seed)
    samples.labels[:] = draw.integers(0, 3, len(samples))
    weights = draw.random(len(samples)) * (draw.random(len(samples)) < 0.7)
    at = random_coefficients(seed + 1)
    _, gradient = total_loss(samples, weights, at)
    for place in (*draw.choice(LIKELY, 5).tolist(), COEFFICIENTS - 1):
        step = nothing()
        step[place] = 1e-5
        ahead, behind = (total_loss(samples, weights, at + s * step)[0] for s in (1, -1))
        assert gradient[place] == pytest.approx((ahead - behind) / 2e-5, rel=1e-5, abs=1e-6)


def test_the_loss_is_the_mean_of_minus_the_logarithm_of_what_happened():
    samples = drawn_samples(random_coefficients(1), games=5, places=LIKELY)
    samples.labels[:] = np.arange(len(samples)) % 3
    at = random_coefficients(2)
    chance = 1 / (1 + np.exp(-logits(samples, at)))
    result = samples.labels / 2
    expected = -(result * np.log(chance) + (1 - result) * np.log(1 - chance))
    weights = np.arange(len(samples), dtype=float)
    assert (weights * expected).sum() == pytest.approx(total_loss(samples, weights, at)[0])


def test_hopeless_log_odds_do_not_overflow():
    samples = drawn_samples(nothing(), games=5, places=LIKELY)
    for sign in (-1, 1):
        at = nothing()
        at[-1] = sign * 2000.0
        loss, gradient = total_loss(samples, np.ones(len(samples)), at)
        assert np.isfinite(loss)
        assert np.isfinite(gradient).all()


@pytest.mark.parametrize("model", [HandModel(), ScaledModel(CONFIG), TableModel()])
def test_directions_are_how_the_coefficients_change(model):
    draw = np.random.default_rng(3)
    if isinstance(model, HandModel):
        at = model.start(CONFIG, 1e-5, 0.1)
    else:
        at = draw.normal(size=2 if isinstance(model, ScaledModel) else TableModel.size)
    some = draw.choice(len(at), min(len(at), 9), replace=False)
    rows = draw.choice(COEFFICIENTS - 1, 200, replace=False)
    directions = model.directions(at)
    for parameter in some.tolist():
        step = np.zeros(len(at))
        step[parameter] = 1e-6
        numeric = (model.coefficients(at + step) - model.coefficients(at - step)) / 2e-6
        exact = directions @ (step / 1e-6)
        assert np.allclose(numeric[rows], exact[rows], rtol=1e-5, atol=1e-7)
        assert numeric[-1] == pytest.approx(exact[-1], abs=1e-7)


def test_the_hand_model_starts_at_the_given_weights():
    found = HandModel().coefficients(HandModel().start(CONFIG, 1e-5, 0.25))
    scaled = ScaledModel(CONFIG).coefficients(np.array([1e-5, 0.25]))
    assert np.allclose(scaled, found)


def test_planted_weights_are_recovered_within_their_errors():
    model, draw = HandModel(), np.random.default_rng(4)
    truth = np.zeros(model.size)
    truth[: model.kept] = np.log([0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.3])
    truth[model.kept : -1] = draw.normal(0, 0.5, model.size - model.kept - 1)
    truth[-1] = 0.2
    places = draw.choice(CODE_PLACES, 300, replace=False)
    samples = drawn_samples(
        model.coefficients(truth), games=400, positions=25, entries=3, places=places
    )
    weights, start = np.ones(len(samples)), np.zeros(model.size)
    start[: model.kept] = -1.0
    precision = model.precision()
    precision[: model.kept] = 1e-3
    found = fit(model, samples, weights, start, Prior(start, precision))
    few = np.append(np.arange(model.kept), model.size - 1)
    directions = model.directions(found).toarray()[:, few]
    covariance = sandwich(
        samples, weights, model.coefficients(found), directions, precision[few], precision[-2]
    )
    errors = np.sqrt(np.diag(covariance))
    away = abs(found - truth)[few] / errors
    assert (errors[2:8] < 0.4).all()
    assert (away[1:8] < 4).all()


def test_planted_values_are_recovered_and_rare_ones_stay_with_their_grades():
    truth = random_coefficients(5, size=0.4)
    samples = drawn_samples(truth, games=1500, places=LIKELY)
    model, weights = TableModel(), np.ones(len(samples))
    prior = Prior(np.zeros(model.size), model.precision(10.0))
    found = model.coefficients(fit(model, samples, weights, np.zeros(model.size), prior))
    assert np.corrcoef(found[LIKELY], truth[LIKELY])[0, 1] > 0.98
    chance, planted = (1 / (1 + np.exp(-logits(samples, one))) for one in (found, truth))
    assert np.abs(chance - planted).mean() < 0.02
    rigid = Prior(np.zeros(model.size), model.precision(1e9))
    parameters = fit(model, samples, weights, np.zeros(model.size), rigid)
    grades, beyond = parameters[:24].reshape(2, 12), parameters[24 : 24 + CODE_PLACES]
    assert abs(beyond).max() < 1e-3
    sums = [
        sum(side[grade - 1] for grade in code if grade) for side in grades for code in COMBINATIONS
    ]
    assert np.allclose(sums, model.coefficients(parameters)[:CODE_PLACES], atol=1e-3)


def test_the_fit_is_a_minimum():
    samples = drawn_samples(random_coefficients(6), games=100, places=LIKELY)
    model, weights = ScaledModel(CONFIG), np.ones(len(samples))
    prior = Prior(np.zeros(2), np.zeros(2))
    found = fit(model, samples, weights, np.array([5e-5, 0.0]), prior)

    def loss(moved):
        at = model.coefficients(found * (1 + moved))
        return total_loss(samples, weights, at)[0] / len(samples)

    assert np.abs(approx_fprime(np.zeros(2), loss, 1e-6)).max() < 1e-3


def dense(samples):
    rows = np.zeros((len(samples), COEFFICIENTS))
    rows[:, -1] = 1
    lengths = np.diff(samples.ends, prepend=0)
    np.add.at(rows, (np.repeat(np.arange(len(samples)), lengths), samples.places), samples.counts)
    return rows


def test_the_diagonals_are_those_of_a_plain_computation():
    samples = drawn_samples(random_coefficients(7), games=12, positions=5, places=LIKELY)
    weights = np.random.default_rng(0).random(len(samples))
    weights[:7] = 0
    coefficients, rows = ScaledModel(CONFIG).coefficients(np.array([2e-6, 0.3])), dense(samples)
    chance = 1 / (1 + np.exp(-(rows @ coefficients)))
    pull = (weights * (chance - samples.labels / 2))[:, None] * rows
    share = np.array([pull[samples.games == game].sum(axis=0) for game in range(12)])
    bend = (weights * chance * (1 - chance))[:, None]
    curvature, spread = diagonals(samples, weights, coefficients)
    assert np.allclose((bend * rows**2).sum(axis=0), curvature)
    assert np.allclose((share**2).sum(axis=0), spread)


def test_the_sandwich_is_that_of_all_parameters_together():
    samples = drawn_samples(random_coefficients(8), games=40, positions=6, places=LIKELY)
    draw = np.random.default_rng(0)
    weights, rows = draw.random(len(samples)), dense(samples)
    coefficients = random_coefficients(8)
    few = np.zeros((COEFFICIENTS, 3))
    few[:CODE_PLACES, :2] = draw.normal(size=(CODE_PLACES, 2))
    few[-1, 2] = 1
    states = np.unique(samples.places[samples.ends - 1])
    everything = np.hstack([few, np.eye(COEFFICIENTS)[:, states]])
    precision = np.append([0.5, 2.0, 0.0], np.full(len(states), 3.0))
    chance = 1 / (1 + np.exp(-(rows @ coefficients)))
    bend = (weights * chance * (1 - chance))[:, None]
    changes = rows @ everything
    inverse = np.linalg.inv(changes.T @ (bend * changes) + np.diag(precision))
    pull = (weights * (chance - samples.labels / 2))[:, None] * changes
    share = np.array([pull[samples.games == game].sum(axis=0) for game in range(40)])
    whole = inverse @ share.T @ share @ inverse
    found = sandwich(samples, weights, coefficients, few, precision[:3], 3.0)
    assert np.allclose(whole[:3, :3], found)


def test_errors_grow_when_the_positions_of_a_game_share_its_result():
    samples = drawn_samples(nothing(), games=200, positions=10, places=LIKELY)
    shared = np.random.default_rng(1).integers(0, 2, 200) * 2
    samples.labels[:] = shared[samples.games]
    alone = replace(samples, games=np.arange(len(samples), dtype=np.int32))
    tempo = np.zeros((COEFFICIENTS, 1))
    tempo[-1] = 1
    by_game, by_position = (
        sandwich(one, np.ones(len(one)), nothing(), tempo, np.zeros(1), 1e9)[0, 0]
        for one in (samples, alone)
    )
    assert by_game == pytest.approx(10 * by_position, rel=0.2)


def test_fitted_weights_keep_both_rules_and_a_five_that_was_large_enough():
    base = PatternWeights()
    assert base.five == hand_weights(base, [1, 1, 1, 40, 97, 250, 392]).five
    outgrown = hand_weights(base, [1, 1, 1, 40, 3_000_000, 250, 5_000_000])
    assert 6_000_001 == outgrown.open_four
    others = sum(getattr(outgrown, name) for name in HAND_CLASSES)
    assert 4 * others + 1 == outgrown.five


def test_no_place_is_beyond_what_a_row_can_hold():
    assert PLACES < 1 << 16
