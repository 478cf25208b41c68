"""The exact sequential test: known answers, slow oracles, laws, calibration, the latch."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from statistics_data import load, name_of

from gomoku_lab.stats.elo import K, estimate_elo, score_from_elo
from gomoku_lab.stats.likelihood import log_likelihood_at_mean, log_likelihood_at_t
from gomoku_lab.stats.pairs import moments
from gomoku_lab.stats.sprt import (
    MINIMUM_PAIRS,
    MODELS,
    Hypotheses,
    Model,
    Sprt,
    expected_games,
    log_likelihood_ratio,
    log_likelihood_ratios,
    remaining_games,
    wald_bounds,
)

mixed_counts = st.sampled_from([3, 5]).flatmap(
    lambda size: st.lists(st.integers(1, 2_000), min_size=size, max_size=size)
)
models = st.sampled_from(MODELS)
elos = st.floats(-300, 300)


def frequencies(rng: np.random.Generator, size: int) -> np.ndarray:
    """Draw outcome frequencies, sometimes very uneven."""
    drawn = np.maximum(rng.dirichlet(np.full(size, rng.choice([0.3, 1, 3]))), 1e-3)
    return drawn / drawn.sum()


# Known answers


@pytest.mark.parametrize("case", load("sprt"), ids=name_of)
def test_known_log_likelihood_ratios_are_reproduced(case: dict[str, Any]) -> None:
    llr = log_likelihood_ratio(
        case["counts"], elo0=case["elo0"], elo1=case["elo1"], model=case["model"]
    )
    assert llr == pytest.approx(case["exact"], abs=0.5 * 10.0 ** -case["digits"])
    if case["published"] is not None:
        assert llr == pytest.approx(case["published"], abs=0.015)


@pytest.mark.parametrize("case", load("expected_games"), ids=lambda case: case["nelo_window"])
def test_known_test_lengths_are_reproduced(case: dict[str, Any]) -> None:
    window = case["nelo_window"]
    for truth, expected in ((0, "at_bound"), (window, "at_bound"), (window / 2, "worst")):
        games = expected_games(truth, nelo0=0, nelo1=window)
        assert games == pytest.approx(case[expected], abs=0.51)


def test_the_usual_bounds_are_the_published_ones() -> None:
    assert wald_bounds(0.05, 0.05) == pytest.approx((-2.944439, 2.944439), abs=5e-7)


def test_the_length_formula_has_the_published_constants() -> None:
    assert expected_games(0, nelo0=0, nelo1=K) == pytest.approx(5.300, abs=5e-4)
    assert expected_games(K / 2, nelo0=0, nelo1=K) == pytest.approx(8.670, abs=5e-4)


# Slow oracles


def test_the_likelihood_at_a_mean_is_the_largest_on_a_grid_of_draw_rates() -> None:
    rng = np.random.default_rng(1)
    for _ in range(10):
        observed = frequencies(rng, 3)
        mean = rng.uniform(0.2, 0.8)
        draws = np.linspace(0, 2 * min(mean, 1 - mean), 200_001)[1:-1]
        p = np.stack([1 - mean - draws / 2, draws, mean - draws / 2])
        slow = (observed @ np.log(p / observed[:, np.newaxis])).max()
        assert log_likelihood_at_mean(observed, mean) == pytest.approx(slow, abs=1e-8)


@pytest.mark.parametrize("t_value", [-4.0, -1.0, -0.1, 0.02, 0.3, 2.0, 8.0])
def test_the_likelihood_at_a_t_value_is_the_largest_on_a_grid_of_deviations(
    t_value: float,
) -> None:
    rng = np.random.default_rng(2)
    for _ in range(5):
        observed = frequencies(rng, 3)
        deviation = np.linspace(0, 0.5 / np.sqrt(1 + t_value**2), 400_001)[1:]
        first, second = t_value * deviation, deviation**2 * (1 + t_value**2)
        p = np.stack([2 * second - first, 1 - 4 * second, 2 * second + first])
        p = p[:, (p > 0).all(axis=0)]
        slow = (observed @ np.log(p / observed[:, np.newaxis])).max()
        assert log_likelihood_at_t(observed, t_value) == pytest.approx(slow, abs=1e-4)
        assert log_likelihood_at_t(observed, t_value) > slow - 1e-9


@pytest.mark.parametrize("t_value", [-1.0, -0.3, 0.05, 0.5, 1.5])
def test_no_general_optimiser_finds_likelier_pairs_with_that_t_value(t_value: float) -> None:
    rng = np.random.default_rng(3)
    scores = np.arange(5) / 4 - 0.5

    def excess(p: np.ndarray) -> float:
        mean = p @ scores
        return float(mean - t_value * np.sqrt(max(0.0, p @ scores**2 - mean**2)))

    for _ in range(3):
        observed = frequencies(rng, 5)
        ours = float(log_likelihood_at_t(observed, t_value))
        found = [
            minimize(
                lambda p, observed=observed: -observed @ np.log(p / observed),
                rng.dirichlet(np.full(5, 3.0)),
                bounds=[(1e-9, 1)] * 5,
                constraints=[
                    {"type": "eq", "fun": lambda p: p.sum() - 1},
                    {"type": "eq", "fun": excess},
                ],
                method="SLSQP",
                options={"maxiter": 300, "ftol": 1e-12},
            )
            for _ in range(4)
        ]
        slow = max(-answer.fun for answer in found if abs(excess(answer.x)) < 1e-8)
        assert ours == pytest.approx(slow, abs=1e-5)


# Laws


@settings(deadline=None, max_examples=25)
@given(mixed_counts, models, elos, st.floats(0.5, 200))
def test_swapped_sides_negate(counts: list[int], model: Any, elo0: float, width: float) -> None:
    ours = log_likelihood_ratio(counts, elo0=elo0, elo1=elo0 + width, model=model)
    theirs = log_likelihood_ratio(counts[::-1], elo0=-elo0 - width, elo1=-elo0, model=model)
    assert theirs == pytest.approx(-ours, rel=1e-7, abs=1e-7)


@settings(deadline=None, max_examples=25)
@given(mixed_counts, models, st.integers(2, 50))
def test_more_of_the_same_multiplies(counts: list[int], model: Any, factor: int) -> None:
    once = log_likelihood_ratio(counts, elo0=-5, elo1=20, model=model)
    often = log_likelihood_ratio(
        [factor * count for count in counts], elo0=-5, elo1=20, model=model
    )
    assert often == pytest.approx(factor * once, rel=1e-8, abs=1e-8)


@settings(deadline=None, max_examples=25)
@given(mixed_counts, models)
def test_neighbouring_windows_add_up(counts: list[int], model: Any) -> None:
    whole = log_likelihood_ratio(counts, elo0=-10, elo1=30, model=model)
    parts = [
        log_likelihood_ratio(counts, elo0=low, elo1=high, model=model)
        for low, high in ((-10, 5), (5, 30))
    ]
    assert sum(parts) == pytest.approx(whole, rel=1e-7, abs=1e-7)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(1, 500), min_size=5, max_size=5), st.integers(0, 3))
def test_a_better_pair_speaks_more_for_the_higher_score(counts: list[int], place: int) -> None:
    better = list(counts)
    better[place] -= 1
    better[place + 1] += 1
    worse_llr, better_llr = log_likelihood_ratios(
        np.array([counts, better]), elo0=0, elo1=10, model="logistic"
    )
    assert better_llr > worse_llr


def test_many_results_at_once_equal_one_by_one() -> None:
    rng = np.random.default_rng(4)
    counts = rng.integers(0, 40, size=(4, 6, 5))
    for model in MODELS:
        together = log_likelihood_ratios(counts, elo0=0, elo1=25, model=model)
        assert together.shape == (4, 6)
        for place in np.ndindex(4, 6):
            alone = log_likelihood_ratio(counts[place], elo0=0, elo1=25, model=model)
            assert together[place] == pytest.approx(alone, abs=1e-9)


def test_both_models_agree_on_a_score_of_one_half() -> None:
    observed = frequencies(np.random.default_rng(5), 5)
    assert log_likelihood_at_t(observed, 0.0) == log_likelihood_at_mean(observed, 0.5)
    assert log_likelihood_at_t(observed, 1e-9) == pytest.approx(
        float(log_likelihood_at_mean(observed, 0.5)), abs=1e-7
    )


def test_the_observed_values_themselves_cost_nothing() -> None:
    observed = frequencies(np.random.default_rng(6), 5)
    scores = np.arange(5) / 4
    mean = float(observed @ scores)
    deviation = float(np.sqrt(observed @ (scores - mean) ** 2))
    assert log_likelihood_at_mean(observed, mean) == pytest.approx(0, abs=1e-12)
    assert log_likelihood_at_t(observed, (mean - 0.5) / deviation) == pytest.approx(0, abs=1e-12)


def test_no_games_speak_for_nothing() -> None:
    for model in MODELS:
        assert log_likelihood_ratio([0, 0, 0, 0, 0], elo0=0, elo1=5, model=model) == 0


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("window", [(-3000, 3000), (-1500, -500), (0, 1e-6), (2999, 3000)])
def test_extreme_counts_and_windows_neither_raise_nor_overflow(
    model: Any, window: tuple[float, float]
) -> None:
    for size in (3, 5):
        for total in (1, 10**7):
            for place in range(0, size, 2):
                counts = np.zeros(size)
                counts[place] = total
                llr = log_likelihood_ratio(counts, elo0=window[0], elo1=window[1], model=model)
                assert np.isfinite(llr)


# Expected length


@given(st.floats(-40, 60), st.floats(-2.9, 2.9))
def test_expected_length_is_positive_and_mirrors(nelo: float, llr: float) -> None:
    games = expected_games(nelo, nelo0=0, nelo1=20, llr=llr)
    assert games > 0
    assert expected_games(20 - nelo, nelo0=0, nelo1=20, llr=-llr) == pytest.approx(games)


def test_a_decided_test_needs_no_more_games() -> None:
    assert expected_games(0, nelo0=0, nelo1=20, llr=3) == 0


def test_expected_length_is_continuous_half_way() -> None:
    middle = expected_games(10, nelo0=0, nelo1=20, llr=1)
    for offset in (-1e-3, 1e-3, -1e-7, 1e-7):
        assert expected_games(10 + offset, nelo0=0, nelo1=20, llr=1) == pytest.approx(
            middle, rel=1e-3
        )


# Calibration


def wrong_verdicts(model: Any, truth_is_elo1: bool, repetitions: int, seed: int) -> float:
    """Return the share of wrong verdicts on pairs without draws, first-move advantage 150 Elo."""
    elo0, elo1 = 0.0, 60.0
    # Pairs of one player, whose games are won with the chances of x + g and x - g.
    grid = np.linspace(0, 120, 2401)
    ahead, behind = score_from_grid(grid + 150), score_from_grid(grid - 150)
    chances = np.stack(
        [
            (1 - ahead) * (1 - behind),
            0 * grid,
            ahead * (1 - behind) + behind * (1 - ahead),
            0 * grid,
            ahead * behind,
        ],
        axis=1,
    )
    scores = np.arange(5) / 4
    mean = chances @ scores
    if model == "logistic":
        measured = np.array([np.log(m / (1 - m)) for m in mean]) * K / 2
    else:
        variance = chances @ scores**2 - mean**2
        measured = (mean - 0.5) / np.sqrt(2 * variance) * K
    truth = elo1 if truth_is_elo1 else elo0
    p = chances[np.argmin(np.abs(measured - truth))]
    rng = np.random.default_rng(seed)
    results = rng.choice(5, p=p, size=(repetitions, 240))
    counts = np.zeros((repetitions, 5))
    verdict = np.zeros(repetitions)
    lower, upper = wald_bounds(0.05, 0.05)
    for pair in range(240):
        counts[np.arange(repetitions), results[:, pair]] += 1
        if pair + 1 < MINIMUM_PAIRS or (pair + 1) % (2 if model == "logistic" else 16):
            continue
        undecided = verdict == 0
        llr = log_likelihood_ratios(counts[undecided], elo0=elo0, elo1=elo1, model=model)
        verdict[undecided] = np.where(llr >= upper, 1, np.where(llr <= lower, -1, 0))
    return float(np.mean(verdict == (-1 if truth_is_elo1 else 1)))


def score_from_grid(elos: np.ndarray) -> np.ndarray:
    """Return expected scores."""
    return np.array([score_from_elo(elo) for elo in elos])


@pytest.mark.parametrize("truth_is_elo1", [False, True])
@pytest.mark.parametrize(("model", "repetitions"), [("logistic", 1500), ("normalized", 200)])
def test_errors_are_as_rare_as_promised(model: Any, truth_is_elo1: bool, repetitions: int) -> None:
    # 5 % nominal; two standard errors of the simulation are added.
    allowed = 0.05 + 2 * np.sqrt(0.05 * 0.95 / repetitions)
    assert wrong_verdicts(model, truth_is_elo1, repetitions, seed=7) <= allowed


# The running test


def test_nothing_is_decided_below_the_floor() -> None:
    sprt = Sprt(Hypotheses(elo0=0, elo1=50, model="logistic"))
    for pair in range(1, MINIMUM_PAIRS + 1):
        state = sprt.add([0, 0, 0, 0, 1])
        assert (state.decision is None) == (pair < MINIMUM_PAIRS)
    assert state.llr > wald_bounds(0.05, 0.05)[1]


def test_a_floor_of_pairs_counts_twice_in_games() -> None:
    assert Sprt(Hypotheses(elo0=0, elo1=5), outcomes=3, minimum_pairs=10).floor == 20


def test_a_decision_stands_and_later_games_are_kept_apart() -> None:
    sprt = Sprt(Hypotheses(elo0=0, elo1=50, model="logistic"))
    decided = sprt.add([0, 0, 5, 20, 20])
    assert decided.decision == "H1"
    later = sprt.add([500, 0, 0, 0, 0])
    assert later.decision == "H1"
    assert later.counts == (0, 0, 5, 20, 20)
    assert later.late_counts == (500, 0, 0, 0, 0)
    assert later.llr == decided.llr


def test_the_other_hypothesis_is_accepted_too() -> None:
    state = Sprt(Hypotheses(elo0=0, elo1=50, model="logistic")).add([20, 20, 5, 0, 0])
    assert state.decision == "H0"
    assert state.llr < 0


def test_pair_by_pair_and_all_at_once_give_the_same_ratio() -> None:
    hypotheses = Hypotheses(elo0=0, elo1=4)
    single = Sprt(hypotheses)
    for place, count in enumerate([1, 4, 6, 3, 1]):
        for _ in range(count):
            single.add(np.eye(5)[place])
    assert single.state == Sprt(hypotheses).add([1, 4, 6, 3, 1])


def test_a_state_is_finite_json() -> None:
    for counts in ([0, 0, 0, 0, 0], [0, 0, 0, 0, 30], [30, 0, 0, 0, 0], [0, 0, 1, 0, 0]):
        state = Sprt(Hypotheses(elo0=0, elo1=50)).add(counts)
        json.dumps(state.to_dict(), allow_nan=False)


def test_other_numbers_of_outcomes_are_refused() -> None:
    with pytest.raises(ValueError, match="counts 5 outcomes: 3 given"):
        Sprt(Hypotheses(elo0=0, elo1=5)).add([1, 2, 3])
    with pytest.raises(ValueError, match=r"3 \(games\) or 5 \(pairs\): 4"):
        Sprt(Hypotheses(elo0=0, elo1=5), outcomes=4)
    with pytest.raises(ValueError, match="minimum_pairs must be at least 1"):
        Sprt(Hypotheses(elo0=0, elo1=5), minimum_pairs=0)


@pytest.mark.parametrize(
    ("settings_", "message"),
    [
        ({"elo0": 5, "elo1": 5}, "elo0 must be below elo1"),
        ({"elo0": 5, "elo1": 0}, "elo0 must be below elo1"),
        ({"elo0": float("nan"), "elo1": 0}, "elo0 must be within"),
        ({"elo0": 0, "elo1": float("inf")}, "elo1 must be within"),
        ({"elo0": 0, "elo1": 5, "alpha": 0}, "alpha must be in"),
        ({"elo0": 0, "elo1": 5, "beta": 0.5}, "beta must be in"),
        ({"elo0": 0, "elo1": 5, "model": "bayes"}, "model must be one of logistic, normalized"),
    ],
)
def test_hypotheses_outside_their_range_are_refused(
    settings_: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Hypotheses(**settings_)


@pytest.mark.parametrize("model", MODELS)
def test_what_remains_is_the_known_length_for_a_true_strength_as_measured(model: Model) -> None:
    counts = [100, 300, 800, 330, 110]
    report = estimate_elo(counts)
    assert report.nelo.value is not None
    bounds = (0.0, 20.0) if model == "normalized" else (0.0, 14.0)
    state = Sprt(Hypotheses(elo0=bounds[0], elo1=bounds[1], model=model)).add(counts)
    assert state.decision is None
    _, mean, variance = moments(counts)
    # One normalised Elo is so much score; both windows are narrow, so that they are straight.
    unit = np.sqrt(2 * variance) / K
    if model == "logistic":
        bounds = (0.0, (score_from_elo(bounds[1]) - 0.5) / unit)
    nelo = (mean - 0.5) / unit
    expected = expected_games(nelo, nelo0=bounds[0], nelo1=bounds[1], llr=state.llr)
    assert remaining_games(state) == pytest.approx(expected, rel=0.02)


def test_nothing_remains_after_a_verdict_and_nothing_is_known_before_a_game() -> None:
    test = Sprt(Hypotheses(elo0=0, elo1=50))
    assert remaining_games(test.state) is None
    assert remaining_games(test.add([0, 0, 0, 0, 100])) == 0


@given(st.lists(st.integers(0, 400), min_size=5, max_size=5).filter(any), models)
def test_what_remains_is_positive_and_finite_or_unknown(counts: list[int], model: Model) -> None:
    state = Sprt(Hypotheses(elo0=0, elo1=30, model=model)).add(counts)
    left = remaining_games(state)
    if state.decision is None:
        assert left is None or 2 <= left < np.inf
        if sum(counts) < state.floor and left is not None:
            assert left >= 2 * (state.floor - sum(counts))
    else:
        assert left == 0
