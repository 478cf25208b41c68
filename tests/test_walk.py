"""The stopped Gaussian walk: closed forms, a simulation as oracle, and laws."""

import numpy as np
import pytest
from scipy.special import ndtr

from gomoku_lab.stats.walk import OVERSHOOT, Boundaries, ends_above, inset, thinned


def straight(looks: int, low: float, high: float, step: float = 1.0) -> Boundaries:
    """Return looks at equal distances and boundaries that do not move."""
    times = step * np.arange(1, looks + 1)
    return Boundaries(times, np.full(looks, low), np.full(looks, high))


def simulated(
    boundaries: Boundaries, value: float, upper: bool, drift: float, variance: float
) -> float:
    """Return how often simulated walks end at least as high as `value` at the last look."""
    rng = np.random.default_rng(11)
    walks = 100_000
    gaps = np.diff(boundaries.times, prepend=0)
    place, inside, above = np.zeros(walks), np.ones(walks, dtype=bool), np.zeros(walks, dtype=bool)
    for look, gap in enumerate(gaps):
        place += rng.normal(drift * gap, np.sqrt(variance * gap), walks)
        if look == len(gaps) - 1:
            above |= inside & (place >= value)
            if not upper:  # those that crossed below earlier lie below, those above earlier above
                inside &= place < boundaries.high[look]
            break
        above |= inside & (place >= boundaries.high[look])
        inside &= (place > boundaries.low[look]) & (place < boundaries.high[look])
    return float(above.mean())


@pytest.mark.parametrize("upper", [True, False])
def test_a_single_look_is_a_normal_tail(upper: bool) -> None:
    found = ends_above(straight(1, -1, 1, step=9.0), 2.0, upper=upper, drift=0.1, variance=4.0)
    assert found == pytest.approx(float(ndtr((0.9 - 2.0) / 6)))


@pytest.mark.parametrize(
    ("drift", "value", "upper"), [(0.0, 4.4, True), (0.2, 3.0, True), (-0.1, -3.2, False)]
)
def test_a_simulation_agrees(drift: float, value: float, upper: bool) -> None:
    times = np.array([3.0, 4.0, 6.0, 9.0, 10.0, 14.0])
    boundaries = Boundaries(times, -3 - 0.02 * times, 4 - 0.05 * times)
    exact = ends_above(boundaries, value, upper=upper, drift=drift, variance=1.3)
    naive = simulated(boundaries, value, upper, drift, 1.3)
    assert naive == pytest.approx(exact, abs=4 * np.sqrt(0.25 / 100_000))


def test_a_value_between_the_boundaries_may_be_counted_from_either_side() -> None:
    boundaries = straight(40, -5, 6)
    for drift in (-0.3, 0.0, 0.15):
        both = [
            ends_above(boundaries, 1.0, upper=upper, drift=drift, variance=1.0)
            for upper in (True, False)
        ]
        assert both[0] == pytest.approx(both[1], abs=1e-9)


def test_the_probability_rises_with_the_drift() -> None:
    boundaries = straight(30, -5, 5)
    for value, upper in ((5.2, True), (-5.2, False)):
        found = [
            ends_above(boundaries, value, upper=upper, drift=drift, variance=1.0)
            for drift in np.linspace(-1, 1, 21)
        ]
        assert np.all(np.diff(found) > 0)


def test_a_long_walk_ends_above_as_often_as_the_exponential_martingale_says() -> None:
    # Boundaries further away by the mean overshoot make the discrete walk a continuous one.
    looks, low, high, drift = 900, -8.0, 6.0, 0.08
    boundaries = straight(looks, low, high)
    down, up = -low + OVERSHOOT, high + OVERSHOOT
    expected = np.expm1(-2 * drift * down) / np.expm1(-2 * drift * (down + up))
    found = ends_above(boundaries, high, upper=True, drift=drift, variance=1.0)
    assert found == pytest.approx(float(expected), abs=2e-3)


@pytest.mark.parametrize("drift", [-0.01, 0.0, 0.012])
def test_looks_that_are_left_out_hardly_matter(drift: float) -> None:
    times = np.arange(24.0, 4000.0)
    low, high = np.full(len(times), -60.0), np.full(len(times), 70.0)
    every = ends_above(Boundaries(times, low, high), 70.4, upper=True, drift=drift, variance=1.0)
    some = thinned(times)
    assert len(some) <= 96
    assert (some[0], some[-1]) == (times[0], times[-1])
    moved = inset(some, 1.0, 1.0)
    nearer = Boundaries(some, np.full(len(some), -60.0) + moved, np.full(len(some), 70.0) - moved)
    few = ends_above(nearer, 70.4 - moved[-1], upper=True, drift=drift, variance=1.0)
    assert few == pytest.approx(every, abs=3e-3)


def test_boundaries_that_cannot_be_reached_change_nothing() -> None:
    times = np.arange(1.0, 30.0)
    nowhere = Boundaries(times, np.full(29, -np.inf), np.full(29, np.inf))
    found = ends_above(nowhere, 4.0, upper=True, drift=0.1, variance=1.0)
    assert found == pytest.approx(float(ndtr((2.9 - 4.0) / np.sqrt(29))), abs=1e-9)
