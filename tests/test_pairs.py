"""Counts of games and pairs: what is accepted, how they are scored, what copies are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_lab.stats.pairs import (
    check_counts,
    copies_warning,
    distinct_games,
    games_per_unit,
    moments,
    outcome_scores,
    pair_counts,
    split_warning,
    swap_sides,
    too_many_copies,
)

counts_lists = st.sampled_from([3, 5]).flatmap(
    lambda size: st.lists(st.integers(0, 10_000), min_size=size, max_size=size).filter(any)
)


def test_outcomes_score_from_nothing_to_all() -> None:
    assert outcome_scores(3).tolist() == [0, 0.5, 1]
    assert outcome_scores(5).tolist() == [0, 0.25, 0.5, 0.75, 1]


@given(counts_lists)
def test_moments_equal_those_of_the_listed_results(counts: list[int]) -> None:
    total, mean, variance = moments(counts)
    scores = np.repeat(np.arange(len(counts)) / (len(counts) - 1), counts)
    assert total == len(scores)
    assert mean == pytest.approx(scores.mean())
    assert variance == pytest.approx(scores.var(), abs=1e-12)


@given(counts_lists)
def test_swapped_sides_mirror_the_score(counts: list[int]) -> None:
    total, mean, variance = moments(counts)
    swapped_total, swapped_mean, swapped_variance = moments(swap_sides(counts))
    assert swapped_total == total
    assert swapped_mean == pytest.approx(1 - mean)
    assert swapped_variance == pytest.approx(variance, abs=1e-12)


def test_pairs_are_counted_by_their_sum() -> None:
    pairs = [(0, 0), (0, 0.5), (0.5, 0), (1, 0), (0, 1), (0.5, 0.5), (1, 0.5), (1, 1)]
    assert pair_counts(pairs) == (1, 2, 3, 1, 1)


@pytest.mark.parametrize("pair", [(2, 0), (0.25, 1), (1,), (1, 0, 0)])
def test_a_pair_that_is_none_is_refused(pair: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="pair must be two scores"):
        pair_counts([pair])  # type: ignore[list-item]


def test_a_pair_holds_two_games() -> None:
    assert games_per_unit([1, 2, 3]) == 1
    assert games_per_unit([1, 2, 3, 4, 5]) == 2


@pytest.mark.parametrize("counts", [[1, -2, 3], [1, 0.5, 3], [1, float("nan"), 3]])
def test_what_is_no_count_is_refused_with_its_place(counts: list[float]) -> None:
    with pytest.raises(ValueError, match="whole numbers from 0 up: number 2 is"):
        check_counts(counts)


@pytest.mark.parametrize("counts", [[], [1], [1, 2], [1, 2, 3, 4], [1] * 6])
def test_other_numbers_of_counts_are_refused(counts: list[float]) -> None:
    with pytest.raises(ValueError, match=f"{len(counts)} given"):
        check_counts(counts)


def test_no_games_have_no_moments() -> None:
    with pytest.raises(ValueError, match="at least one game"):
        moments([0, 0, 0])


def test_distinct_games_are_counted_once() -> None:
    assert distinct_games(["h8i9", "h8i9", "h8g9"]) == 2
    assert distinct_games([]) == 0


def test_copies_are_told() -> None:
    assert copies_warning(10, 10) is None
    assert copies_warning(1000, 2) == ("only 2 of 1000 games are distinct; the others are copies")


@pytest.mark.parametrize("distinct", [-1, 0, 11])
def test_an_impossible_number_of_distinct_games_is_refused(distinct: int) -> None:
    with pytest.raises(ValueError, match=r"distinct games must be 1..10"):
        copies_warning(10, distinct)


def test_a_tenth_of_copies_is_tolerated() -> None:
    assert not too_many_copies(100, 90)
    assert too_many_copies(100, 89)


def test_only_all_split_pairs_look_like_copies() -> None:
    assert "every one of 20 pairs was split" in str(split_warning([0, 0, 20, 0, 0]))
    assert split_warning([0, 0, 20, 1, 0]) is None
    assert split_warning([0, 20, 0]) is None
