"""Elo from fixed numbers of games: known answers, laws, and results that have no Elo."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statistics_data import load, name_of

from gomoku_lab.stats.elo import (
    ELO_PER_UNIT,
    K,
    elo_from_score,
    elo_or_none,
    estimate_elo,
    score_from_elo,
)

NUMBERS = {
    "score": "score",
    "elo": "elo",
    "elo_err_half_width": "elo_error",
    "elo_lo": "elo_low",
    "elo_hi": "elo_high",
    "nelo": "nelo",
    "nelo_err": "nelo_error",
}

mixed_counts = st.sampled_from([3, 5]).flatmap(
    lambda size: st.lists(st.integers(1, 5_000), min_size=size, max_size=size)
)
any_counts = st.sampled_from([3, 5]).flatmap(
    lambda size: st.lists(st.integers(0, 60), min_size=size, max_size=size).filter(any)
)


@pytest.mark.parametrize("case", load("elo"), ids=name_of)
def test_known_answers_are_reproduced(case: dict[str, Any]) -> None:
    report = estimate_elo(case["counts"]).to_dict()
    for published, ours in NUMBERS.items():
        if published in case:
            value = {**report, **report["published"]}[ours]
            assert value == pytest.approx(case[published], abs=6e-5), ours
    assert report["los"] == pytest.approx(case["los"], abs=6e-7)


def test_the_scale_is_the_published_one() -> None:
    assert pytest.approx(load("k"), abs=5e-9) == K
    assert pytest.approx(load("k") / 2, abs=5e-9) == ELO_PER_UNIT


@given(st.floats(-2000, 2000))
def test_score_and_elo_are_inverse(elo: float) -> None:
    assert elo_from_score(score_from_elo(elo)) == pytest.approx(elo, abs=1e-6)


def test_scores_without_an_elo_are_refused() -> None:
    for score in (0.0, 1.0, -0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match=r"inside 0..1"):
            elo_from_score(score)
        assert elo_or_none(score) is None


def test_enormous_differences_have_a_score() -> None:
    assert score_from_elo(1e9) == 1
    assert score_from_elo(-1e9) == 0


@given(mixed_counts)
def test_swapped_sides_negate(counts: list[int]) -> None:
    ours, theirs = estimate_elo(counts), estimate_elo(counts[::-1])
    assert theirs.elo.value == pytest.approx(-ours.elo.value, abs=1e-9)
    assert theirs.nelo.value == pytest.approx(-ours.nelo.value, abs=1e-9)
    assert theirs.los == pytest.approx(1 - ours.los, abs=1e-12)
    if ours.elo.high is not None:
        assert theirs.elo.low == pytest.approx(-ours.elo.high, abs=1e-9)


@given(mixed_counts, st.integers(2, 9))
def test_more_of_the_same_narrows_by_the_square_root(counts: list[int], factor: int) -> None:
    once, often = estimate_elo(counts), estimate_elo([factor * count for count in counts])
    assert often.elo.value == pytest.approx(once.elo.value, abs=1e-9)
    assert often.nelo.value == pytest.approx(once.nelo.value, abs=1e-9)
    assert often.published_nelo.error == pytest.approx(once.published_nelo.error / np.sqrt(factor))


@given(mixed_counts)
def test_another_win_raises_elo(counts: list[int]) -> None:
    better = [*counts[:-1], counts[-1] + 1]
    assert estimate_elo(better).elo.value > estimate_elo(counts).elo.value


@given(any_counts)
def test_a_report_is_finite_json_whatever_the_counts(counts: list[int]) -> None:
    report = estimate_elo(counts)
    json.dumps(report.to_dict(), allow_nan=False)
    assert report.elo.text()
    if report.elo.low is not None and report.elo.high is not None:
        assert report.elo.low < report.elo.high


@pytest.mark.parametrize(("counts", "units"), [([0, 0, 40], 40), ([0, 0, 0, 0, 20], 20)])
def test_a_sweep_gives_the_exact_bound(counts: list[int], units: int) -> None:
    report = estimate_elo(counts)
    assert report.elo.value is None
    assert report.elo.high is None
    # A score below the bound would sweep with a probability below 5 %.
    assert score_from_elo(report.elo.low) ** units == pytest.approx(0.05)
    assert report.elo.text().startswith("> +")
    assert report.elo.text().endswith(" at 95 %")
    assert report.nelo.value is None


def test_a_swept_player_gets_the_mirrored_bound() -> None:
    won, lost = estimate_elo([0, 0, 40]), estimate_elo([40, 0, 0])
    assert lost.elo.high == pytest.approx(-won.elo.low)
    assert lost.elo.text().startswith("< -")


@pytest.mark.parametrize("counts", [[0, 0, 1], [0, 0, 0, 0, 1]])
def test_one_result_proves_next_to_nothing(counts: list[int]) -> None:
    report = estimate_elo(counts)
    assert report.elo.low < 0
    assert report.los == 0.75


def test_all_draws_give_an_interval_that_is_not_a_point() -> None:
    report = estimate_elo([0, 30, 0])
    assert report.elo.value == 0
    assert report.elo.low == pytest.approx(-report.elo.high)
    assert 30 < report.elo.high < 40
    assert report.los == 0.5


def test_all_split_pairs_get_a_warning_and_no_interval() -> None:
    report = estimate_elo([0, 0, 500, 0, 0])
    assert report.elo.value == 0
    assert (report.elo.low, report.elo.high, report.los) == (None, None, None)
    assert "count the distinct games" in report.warnings[0]


def test_split_pairs_of_distinct_games_get_their_interval() -> None:
    report = estimate_elo([0, 0, 500, 0, 0], distinct_games=1000)
    assert report.elo.low == pytest.approx(-report.elo.high)
    assert report.warnings[0].startswith("500 of 500 pairs ended level")
    assert "count the distinct games" not in report.warnings[0]


def test_copies_get_no_interval() -> None:
    report = estimate_elo([300, 100, 600], distinct_games=2)
    assert report.elo.value == pytest.approx(elo_from_score(0.65))
    assert report.elo.error is None
    assert (report.elo.low, report.nelo.low, report.los) == (None, None, None)
    assert report.elo.text().endswith("(no interval)")
    assert report.warnings == ("only 2 of 1000 games are distinct; the others are copies",)


def test_a_few_copies_are_told_but_tolerated() -> None:
    report = estimate_elo([400, 100, 500], distinct_games=990)
    assert report.elo.low is not None
    assert report.warnings == ("only 990 of 1000 games are distinct; the others are copies",)


def test_the_published_interval_is_open_where_it_passes_a_perfect_score_and_ours_is_not() -> None:
    report = estimate_elo([0, 1, 20])
    assert report.published_elo.text().endswith("open]")
    assert report.elo.low < report.published_elo.low < report.elo.value < report.elo.high


def test_an_interval_open_on_both_sides_is_told_from_none() -> None:
    assert estimate_elo([1, 0, 1]).elo.text() == "+0.0 [open, open]"
    assert estimate_elo([1, 0, 1], distinct_games=1).elo.text() == "+0.0 (no interval)"


@pytest.mark.parametrize("gap", [0, 200, 400])
def test_intervals_hold_far_from_half_where_the_published_ones_fail(gap: float) -> None:
    share = score_from_elo(gap)
    chances = np.array([(1 - share) ** 2, 0, 2 * share * (1 - share), 0, share**2])
    nelo = K * (share - 0.5) / np.sqrt(share * (1 - share))
    drawn, times = np.unique(
        np.random.default_rng(7).multinomial(60, chances, size=1500), axis=0, return_counts=True
    )
    held = np.zeros(3)
    for counts, often in zip(drawn, times, strict=True):
        report = estimate_elo(counts, distinct_games=120)
        truths = [(report.elo, gap), (report.nelo, nelo), (report.published_nelo, nelo)]
        for place, (one, truth) in enumerate(truths):
            low, high = one.low, one.high
            held[place] += often * (
                (low is None or low <= truth) and (high is None or truth <= high)
            )
    covered = held / times.sum()
    assert np.all((covered[:2] >= 0.93) & (covered[:2] <= 0.975))
    assert covered[2] < {0: 0.97, 200: 0.9, 400: 0.6}[gap]


@pytest.mark.parametrize("confidence", [0, 1, -1, 2, float("nan")])
def test_confidence_outside_its_range_is_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match=r"confidence must lie inside 0..1"):
        estimate_elo([1, 2, 3], confidence=confidence)


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(20)
    probabilities = np.array([0.10, 0.15, 0.35, 0.22, 0.18])
    truth = elo_from_score(float(probabilities @ np.arange(5)) / 4)
    covered = 0
    for counts in rng.multinomial(60, probabilities, size=1000):
        interval = estimate_elo(counts).elo
        covered += interval.low <= truth <= interval.high
    assert 0.93 <= covered / 1000 <= 0.97


@pytest.mark.parametrize("pairs", [1, 10, 100, 199, 200, 201, 1000, 12_345])
def test_a_sweep_has_no_upper_bound_however_many_games_there_are(pairs):
    won, lost = estimate_elo((0, 0, 0, 0, pairs)).elo, estimate_elo((pairs, 0, 0, 0, 0)).elo
    assert (won.value, won.high, lost.value, lost.low) == (None, None, None, None)
    assert won.low is not None
    assert lost.high == pytest.approx(-won.low)
