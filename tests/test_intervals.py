"""Intervals from the likelihood ratio: they end where it says, lean as they should, and mirror."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_lab.stats.estimate import normal_quantile, student_quantile
from gomoku_lab.stats.intervals import ADDED, mean_interval, t_interval
from gomoku_lab.stats.likelihood import (
    log_likelihood_at_mean,
    log_likelihood_at_t,
    regularised,
)
from gomoku_lab.stats.pairs import FloatArray, moments

few_kinds = st.sampled_from([3, 5]).flatmap(
    lambda size: st.lists(st.integers(0, 90), min_size=size, max_size=size).filter(
        lambda counts: sum(counts) > 9 and sum(count > 0 for count in counts) > 1
    )
)


def t_value(counts: list[int]) -> float:
    _, mean, variance = moments(counts)
    return (mean - 0.5) / float(np.sqrt(variance))


def shares(counts: FloatArray) -> FloatArray:
    return counts / counts.sum()


@settings(max_examples=60)
@given(few_kinds)
def test_a_mean_ends_where_students_quantile_says(counts: list[int]) -> None:
    filled = regularised(np.array(counts, dtype=float))
    wanted = student_quantile(0.95, sum(counts) - 1) ** 2
    low, high = mean_interval(np.array(counts, dtype=float), 0.95)
    assert low is not None
    assert high is not None
    assert low < moments(counts)[1] < high
    for end in (low, high):
        fall = -2 * filled.sum() * float(log_likelihood_at_mean(shares(filled), end))
        assert fall == pytest.approx(wanted, rel=1e-6)


@settings(max_examples=30, deadline=None)
@given(few_kinds)
def test_a_t_value_ends_where_the_normal_quantile_says(counts: list[int]) -> None:
    filled = np.array(counts, dtype=float) + ADDED
    low, high = t_interval(np.array(counts, dtype=float), 0.9)
    assert low is not None
    assert high is not None
    assert low < t_value(counts) < high
    for end in (low, high):
        fall = -2 * filled.sum() * float(log_likelihood_at_t(shares(filled), end))
        assert fall == pytest.approx(normal_quantile(0.9) ** 2, rel=1e-6)


@settings(max_examples=40)
@given(few_kinds)
def test_the_other_side_sees_the_mirrored_ends(counts: list[int]) -> None:
    ours, theirs = np.array(counts, dtype=float), np.array(counts[::-1], dtype=float)
    low, high = mean_interval(ours, 0.95)
    assert mean_interval(theirs, 0.95) == pytest.approx((1 - high, 1 - low), abs=1e-9)
    low, high = t_interval(ours, 0.95)
    assert t_interval(theirs, 0.95) == pytest.approx((-high, -low), rel=1e-6, abs=1e-9)


def test_more_confidence_is_wider_and_more_results_are_narrower() -> None:
    counts = np.array([1.0, 2.0, 9.0, 4.0, 14.0])
    for interval in (mean_interval, t_interval):
        widths = [
            interval(times * counts, confidence)[1] - interval(times * counts, confidence)[0]
            for times, confidence in ((1, 0.99), (1, 0.95), (4, 0.95), (100, 0.95))
        ]
        assert widths == sorted(widths, reverse=True)
        assert widths[2] / widths[3] == pytest.approx(5, rel=0.1)


def test_two_different_results_leave_everything_open() -> None:
    assert mean_interval(np.array([1.0, 0.0, 1.0]), 0.95) == (None, None)
