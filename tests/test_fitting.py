"""Fits: which games are held out, what is fitted, how it is judged, how a person reads it."""

import json
from dataclasses import replace

import numpy as np
import pytest
from fit_tools import drawn_samples
from test_regression import LIKELY, random_coefficients

from gomoku_lab.engine.config import EngineConfig, PatternWeights
from gomoku_lab.engine.learned import COMBINATIONS, GRADE_NAMES, LearnedTable
from gomoku_lab.engine.prices import price_list, shape_name
from gomoku_lab.kernels import layout
from gomoku_lab.tuning.fitting import fit_table, fit_weights, split
from gomoku_lab.tuning.judging import calibration, score_of
from gomoku_lab.tuning.models import COEFFICIENTS, HAND_CLASSES, ScaledModel
from gomoku_lab.tuning.regression import logits

CONFIG = EngineConfig(depth=1)
CODES = len(COMBINATIONS)


def planted(games=400, seed=1, size=0.4):
    return drawn_samples(random_coefficients(seed, size), games=games, seed=seed, places=LIKELY)


@pytest.fixture(scope="module")
def samples():
    return planted()


@pytest.fixture(scope="module")
def table_fit(samples):
    return fit_table(samples, CONFIG, split(samples, seed=0))


def test_the_games_of_an_opening_stay_together(samples):
    openings = tuple(f"opening-{number // 8}" for number in range(400))
    parts = split(replace(samples, openings=openings), seed=3)
    groups = samples.games // 8
    for one, other in (("learning", "choosing"), ("learning", "held_out")):
        mine, others = (set(groups[getattr(parts, name)].tolist()) for name in (one, other))
        assert not mine & others
    assert parts.everything.all()


def test_about_a_tenth_is_held_out_and_the_lots_follow_the_seed():
    openings = tuple(f"opening-{number}" for number in range(4000))
    many = drawn_samples(np.zeros(COEFFICIENTS), games=4000, positions=1, places=LIKELY)
    many = replace(many, openings=openings)
    parts = [split(many, seed=seed) for seed in (1, 1, 2)]
    for part in parts:
        assert 0.08 < part.held_out.mean() < 0.12
        assert 0.08 < part.choosing.mean() < 0.12
    assert np.array_equal(parts[0].held_out, parts[1].held_out)
    assert not np.array_equal(parts[0].held_out, parts[2].held_out)


def test_settled_positions_never_judge_and_teach_only_if_asked(samples):
    settled = np.zeros(len(samples), np.uint8)
    settled[::3] = 1
    marked = replace(samples, settled=settled)
    without, taught = split(marked, seed=0), split(marked, seed=0, settled=True)
    assert not without.everything[::3].any()
    assert taught.learning[::3].any()
    assert not taught.held_out[::3].any()


def test_too_few_games_are_refused_with_their_number():
    with pytest.raises(ValueError, match="4 games of 4 different openings"):
        split(planted(games=4), seed=0)


def test_a_table_foretells_held_out_games_of_the_model_that_it_learned(table_fit):
    names = [score.name for score in table_fit.judgement.scores]
    assert ["a constant", "starting weights, scaled", "grades and threats"] == names[:3]
    constant, start, _, best = table_fit.judgement.scores
    assert best.log_loss < min(constant.log_loss, start.log_loss) - 0.05
    assert best.gain - best.gain_error > 0.05
    assert best.accuracy > 0.7
    assert 0 == start.gain == start.gain_error


def test_the_strength_is_the_one_that_foretold_best(table_fit):
    losses = dict(table_fit.tried)
    assert losses[table_fit.strength] == min(losses.values())


def test_a_fitted_table_says_what_is_known_and_what_is_a_guess(table_fit):
    table = table_fit.table
    seen = np.zeros(2 * CODES, bool)
    seen[LIKELY] = True
    errors = np.concatenate([table.own_error, table.other_error])
    assert (errors[seen] > 0).all()
    assert not errors[~seen].any()
    assert 0 == table.own[-1] == table.other[-1]
    truth = random_coefficients(1, 0.4)
    found = np.concatenate([table.own, -table.other]) / 1000
    assert np.corrcoef(found[LIKELY], truth[LIKELY])[0, 1] > 0.9


def test_a_fit_repeats_itself(samples, table_fit):
    again = fit_table(samples, CONFIG, split(samples, seed=0))
    assert table_fit.table.digest == again.table.digest


def test_weights_are_recovered_whatever_the_scale_of_the_start():
    truth = PatternWeights(open_three=30_000, three=9_000, four=60_000, open_four=140_000)
    coefficients = ScaledModel(CONFIG.varied({"weights": truth})).coefficients(
        np.array([1e-5, 0.2])
    )
    places = np.random.default_rng(2).choice(2 * CODES, 400, replace=False)
    samples = drawn_samples(coefficients, games=600, positions=25, entries=3, places=places)
    found = fit_weights(samples, CONFIG, split(samples, seed=0))
    for name, _, value, error in found.rows():
        if name in ("three", "open_three", "four", "open_four"):
            wanted = 10 * getattr(truth, name)  # 1e-5 log-odds a unit, in millionths
            assert value == pytest.approx(wanted, abs=4 * error)
            assert error < 0.3 * wanted
    assert found.config.defence == pytest.approx(1.0, abs=4 * found.errors[-1])
    assert found.judgement.scores[-1].log_loss <= found.judgement.scores[1].log_loss + 1e-3


def test_weights_that_no_game_shows_stay_in_proportion_to_the_start(samples):
    silent = [COMBINATIONS.index((grade, 0, 0, 0)) for grade in (11,)]  # fours alone
    only = drawn_samples(np.zeros(COEFFICIENTS), games=200, entries=1, places=silent)
    found = fit_weights(only, CONFIG, split(only, seed=0))
    values = dict(zip(HAND_CLASSES, found.start, strict=False))
    for name in ("one", "two", "open_two", "three"):
        fitted = getattr(found.config.weights, name)
        assert fitted == pytest.approx(max(values[name], 1), rel=0.05, abs=1)


def test_facts_and_figures_are_plain_data(table_fit):
    text = json.dumps([table_fit.to_dict(), table_fit.facts()], allow_nan=False)
    assert table_fit.table.digest in text


def test_a_perfect_model_is_calibrated_and_a_bold_one_is_not():
    truth = random_coefficients(9, 0.4)
    data = drawn_samples(truth, games=3000, seed=9, places=LIKELY)
    everything = np.ones(len(data), bool)
    right = calibration(data, everything, logits(data, truth))
    assert sum(one.low <= one.predicted <= one.high for one in right) >= len(right) - 1
    assert len(data) == sum(one.positions for one in right)
    bold = calibration(data, everything, 3 * logits(data, truth))
    assert sum(one.low <= one.predicted <= one.high for one in bold) <= 4


@pytest.mark.parametrize("label", [0, 1, 2])
def test_results_that_are_all_alike_leave_an_interval_with_a_width(label):
    data = drawn_samples(np.zeros(COEFFICIENTS), games=12, positions=5, places=LIKELY)
    data.labels[:] = label
    everything, chance = np.ones(len(data), bool), np.zeros(len(data))
    (one,) = calibration(data, everything, chance)
    assert one.observed == label / 2
    assert one.low <= one.observed <= one.high
    assert one.high - one.low == pytest.approx([0.2425, 0.4922, 0.2425][label], abs=1e-3)
    assert (score_of("x", data, everything, chance, chance).accuracy is None) == (label == 1)


def test_games_and_not_positions_are_counted_as_independent():
    data = drawn_samples(np.zeros(COEFFICIENTS), games=300, positions=20, places=LIKELY)
    data.labels[:] = (np.random.default_rng(0).integers(0, 2, 300) * 2)[data.games]
    everything, chance = np.ones(len(data), bool), np.zeros(len(data))
    tilted = np.full(len(data), 0.1)
    alone = replace(data, games=np.arange(len(data), dtype=np.int32))
    clustered, naive = (
        score_of("x", one, everything, tilted, chance).gain_error for one in (data, alone)
    )
    assert clustered == pytest.approx(naive * np.sqrt(20), rel=0.1)


def test_a_shape_is_named_by_its_directions():
    assert "four, open three+" == shape_name(
        COMBINATIONS.index((GRADE_NAMES.index("four"), GRADE_NAMES.index("open three+"), 0, 0))
    )
    assert "none" == shape_name(CODES - 1)


def test_the_price_list_finds_what_was_mispriced_and_no_guesses():
    weights = PatternWeights()
    codes = np.array(COMBINATIONS)
    worth = sum(
        (layout.CLASS_OF_GRADE[codes] == getattr(layout, name.upper())).sum(axis=1)
        * getattr(weights, name)
        for name in HAND_CLASSES
    )
    own = np.rint(worth / 1000).astype(int)
    other, error = own.copy(), np.full(CODES, 1)
    dear, cheap, guess = (
        COMBINATIONS.index(code) for code in ((9, 4, 1, 1), (12, 1, 0, 0), (12,) * 4)
    )
    own[dear] += 400
    other[cheap] -= 200
    own[guess], error[guess] = 9999, 0
    threats = np.zeros((layout.THREAT_STATES, layout.THREAT_STATES), int)
    threats[2, 1] = 4000
    table = LearnedTable(
        own=own,
        other=other,
        threats=threats,
        own_error=error,
        other_error=np.where(worth == worth[-2], 60, 1),
        threats_error=np.where(threats, 50, 400),
    )
    prices = price_list(table, weights)
    assert 1 / 1000 == pytest.approx(prices.scale, rel=0.1)
    assert (shape_name(dear), "own") == (prices.too_low[0].shape, prices.too_low[0].side)
    assert (shape_name(cheap), "other") == (prices.too_high[0].shape, prices.too_high[0].side)
    assert shape_name(guess) not in {price.shape for price in prices.valuable}
    (threat,) = prices.threats
    assert ("double three", "three", 4000, 50) == (
        threat.own, threat.other, threat.value, threat.error
    )  # fmt: skip
