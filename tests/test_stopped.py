"""Elo after a sequential test: unbiased and covering by simulation, and laws."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_lab.stats.elo import ELO_PER_UNIT, K, elo_from_score, estimate_elo, score_from_elo
from gomoku_lab.stats.estimate import Estimate
from gomoku_lab.stats.pairs import outcome_scores, swap_sides
from gomoku_lab.stats.sprt import (
    MODELS,
    Hypotheses,
    Sprt,
    SprtState,
    log_likelihood_ratios,
    wald_bounds,
)
from gomoku_lab.stats.stopped import _Ends, _Family, _looks, _score_drift, estimate_after_stop

PAIRS = [
    [0, 1, 4, 9, 16],
    [2, 10, 40, 25, 8],
    [9, 22, 40, 12, 5],
    [164, 7229, 18166, 7531, 186],
]


def state_of(counts: list[int], **hypotheses: Any) -> SprtState:
    return Sprt(Hypotheses(**hypotheses), outcomes=len(counts)).add(counts)


def pair_chances(elo: float, advantage: float, draws: float) -> np.ndarray:
    """Return the chances of the five outcomes of a pair of Davidson's model."""
    nu = 2 * draws / (1 - draws)
    games = []
    for gap in (elo + advantage, elo - advantage):
        x = gap / ELO_PER_UNIT
        weights = np.array([np.exp(-x / 2), nu, np.exp(x / 2)])
        games.append(weights / weights.sum())
    return np.convolve(*games)


def stopped_tests(
    model: Any, window: tuple[float, float], chances: np.ndarray, repetitions: int, seed: int
) -> list[SprtState]:
    """Return tests that were looked at every 8 pairs, each as it stood when it decided."""
    rng = np.random.default_rng(seed)
    lower, upper = wald_bounds(0.05, 0.05)
    counts = np.zeros((repetitions, 5))
    open_ones = np.arange(repetitions)
    pairs = 0
    while len(open_ones):
        counts[open_ones] += rng.multinomial(8, chances, size=len(open_ones))
        pairs += 8
        if pairs >= 24:
            ratios = log_likelihood_ratios(
                counts[open_ones], elo0=window[0], elo1=window[1], model=model
            )
            open_ones = open_ones[(ratios > lower) & (ratios < upper)]
    return [
        Sprt(Hypotheses(elo0=window[0], elo1=window[1], model=model)).add(found) for found in counts
    ]


# Simulation. With 600 tests each in four such worlds, logistic: below the truth in 48 to 53 %, the
# truth within the interval in 94.5 to 97 %; the plain estimate lies below in 37 to 62 %, and its
# interval holds in 89 to 94 %.


@pytest.mark.parametrize(
    ("model", "repetitions", "elo", "advantage", "draws"),
    [
        ("logistic", 300, 0, 0, 0.3),
        ("logistic", 300, 60, 150, 0.1),
        ("normalized", 40, 60, 150, 0.1),
    ],
)
def test_the_median_lies_at_the_truth_and_the_intervals_cover(
    model: Any, repetitions: int, elo: float, advantage: float, draws: float
) -> None:
    chances = pair_chances(elo, advantage, draws)
    truth = float(chances @ outcome_scores(5))
    # An interval holds the truth if, at the truth, neither so high nor so low an end is rare.
    ends = [
        _Ends(
            _Family(np.array(state.counts, dtype=float), state.hypotheses),
            _score_drift,
            _looks(sum(state.counts), state.floor, 8),
            8,
            state.decision,
        ).above(truth)
        for state in stopped_tests(model, (0, 50), chances, repetitions, seed=3)
    ]
    errors = np.sqrt(np.array([0.25, 0.05 * 0.95]) / repetitions)
    assert np.mean(np.array(ends) < 0.5) == pytest.approx(0.5, abs=3 * errors[0])
    covered = np.mean([0.025 < end < 0.975 for end in ends])
    assert 0.95 - 0.02 - 3 * errors[1] < covered


@pytest.mark.parametrize("counts", PAIRS)
@pytest.mark.parametrize("model", MODELS)
def test_estimate_and_ends_are_where_the_test_ends_so_high_as_often_as_they_say(
    counts: list[int], model: Any
) -> None:
    state = state_of(counts, elo0=0, elo1=30, model=model)
    found = estimate_after_stop(state, step=8).elo
    total = sum(counts)
    ends = _Ends(
        _Family(np.array(counts, dtype=float), state.hypotheses),
        _score_drift,
        _looks(total, state.floor, 8),
        8,
        state.decision,
    )
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert ends.above(score_from_elo(found.value)) == pytest.approx(0.5, abs=1e-3)
    tails = ends.above(score_from_elo(found.low)), 1 - ends.above(score_from_elo(found.high))
    # Student's quantiles: a little less than 2.5 % for few pairs.
    assert tails[0] == pytest.approx(tails[1], abs=1e-4)
    assert 0.017 < tails[0] < 0.0251


# Laws


@pytest.mark.parametrize("counts", PAIRS)
@pytest.mark.parametrize("model", MODELS)
def test_exchanging_the_players_turns_the_estimate_round(counts: list[int], model: Any) -> None:
    ours = estimate_after_stop(state_of(counts, elo0=-10, elo1=20, model=model), step=8)
    swapped = [int(count) for count in swap_sides(counts)]
    theirs = estimate_after_stop(state_of(swapped, elo0=-20, elo1=10, model=model), step=8)
    for one, other in ((ours.elo, theirs.elo), (ours.nelo, theirs.nelo)):
        assert one.value == pytest.approx(-(other.value or 0), abs=0.05)
        assert one.low == pytest.approx(-(other.high or 0), abs=0.05)


def test_a_test_that_stopped_on_a_high_is_taken_down_and_on_a_low_up() -> None:
    high = state_of([0, 1, 4, 9, 16], elo0=0, elo1=50, model="logistic")
    low = state_of([16, 9, 4, 1, 0], elo0=0, elo1=50, model="logistic")
    assert (high.decision, low.decision) == ("H1", "H0")
    plain = estimate_elo([0, 1, 4, 9, 16]).elo.value or 0
    assert (estimate_after_stop(high).elo.value or 0) < plain - 20
    assert (estimate_after_stop(low).elo.value or 0) > -plain + 5


def test_where_no_stop_was_possible_the_usual_interval_is_left() -> None:
    counts = [40, 120, 260, 150, 60]
    state = SprtState(
        hypotheses=Hypotheses(elo0=-2000, elo1=2000, model="logistic"),
        counts=tuple(counts),
        late_counts=(),
        llr=0.0,
        decision=None,
        floor=10_000,
    )
    ours, plain = estimate_after_stop(state), estimate_elo(counts)
    assert ours.elo.value == pytest.approx(plain.elo.value, abs=0.1)
    assert ours.elo.low == pytest.approx(plain.elo.low, abs=0.8)
    assert ours.elo.high == pytest.approx(plain.elo.high, abs=0.8)
    assert ours.nelo.value == pytest.approx(plain.nelo.value, abs=0.1)
    assert ours.nelo.high == pytest.approx(plain.nelo.high, abs=1.5)


def test_a_sweep_gives_the_bound_of_a_fixed_number_of_games() -> None:
    for counts in ([0, 0, 0, 0, 24], [24, 0, 0, 0, 0], [0, 0, 24, 0, 0], [0, 0, 24]):
        state = state_of(counts, elo0=0, elo1=50, model="logistic")
        assert estimate_after_stop(state).elo == estimate_elo(counts).elo


def values_of(estimate: Estimate) -> list[float]:
    return [end for end in (estimate.low, estimate.value, estimate.high) if end is not None]


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.integers(0, 60), min_size=3, max_size=3),
    st.sampled_from([(0, 50), (-3000, 3000), (-1500, -500), (0, 1e-6), (2999, 3000)]),
    st.sampled_from([1, 8]),
)
def test_any_counts_give_an_interval_in_order_and_nothing_infinite(
    counts: list[int], window: tuple[float, float], step: int
) -> None:
    if not sum(counts):
        counts = [0, 1, 0]
    state = state_of(counts, elo0=window[0], elo1=window[1], model="logistic")
    found = estimate_after_stop(state, step=step)
    json.dumps(found.to_dict(), allow_nan=False)
    for estimate in (found.elo, found.nelo):
        assert sorted(values_of(estimate)) == values_of(estimate)


def test_elo_and_normalised_elo_belong_to_each_other() -> None:
    state = state_of([2, 10, 40, 25, 8], elo0=0, elo1=30)
    found = estimate_after_stop(state, step=8)
    assert found.elo.value is not None
    family = _Family(np.array(state.counts, dtype=float), state.hypotheses)
    at = family.at(np.array([score_from_elo(found.elo.value)]))[0]
    mean = float(at @ outcome_scores(5))
    deviation = float(np.sqrt(at @ (outcome_scores(5) - mean) ** 2))
    assert elo_from_score(mean) == pytest.approx(found.elo.value)
    expected = K * (mean - 0.5) / (np.sqrt(2) * deviation)
    assert found.nelo.value == pytest.approx(expected, abs=1.0)


def test_a_step_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="step must be at least 1: 0"):
        estimate_after_stop(state_of([1, 2, 3], elo0=0, elo1=5), step=0)
