"""SPSA: the known schedule, and hills whose tops it finds."""

import numpy as np
import pytest
from statistics_data import load

from gomoku_lab.tuning.spsa import Schedule, Spsa

DATA = load("spsa")
ADVANTAGE = 50.0
"""Elo of the first move in the simulated games."""

# A hill in eight dimensions, steep in some and flat in others; the start lies 50 Elo below the top.
CURVATURE = np.array([180.0, 600, 300, 120, 450, 240, 90, 360])
START = np.array([1.0, -1, 1, 1, -1, -1, 1, -1])
START *= np.sqrt(50 / (0.5 * CURVATURE @ START**2))


def elo_lost(point: np.ndarray) -> float:
    return float(0.5 * CURVATURE @ point**2)


def play(rng: np.random.Generator, elo: float) -> float:
    """Play a pair of games with colours swapped; return wins minus losses."""
    chances = 1 / (1 + 10 ** (-(elo + np.array([ADVANTAGE, -ADVANTAGE])) / 400))
    return 2.0 * np.count_nonzero(rng.random(2) < chances) - 2


def climbed(pairs: int, seed: int, *, group: int = 8) -> Spsa:
    spsa = Spsa(START, np.full(8, 0.2), Schedule(pairs=pairs, rate=0.005), seed=seed)
    rng = np.random.default_rng(seed)
    while not spsa.is_complete:
        trials = spsa.ask(group)
        points = [(spsa.point + one.offsets, spsa.point - one.offsets) for one in trials]
        spsa.tell(trials, [play(rng, elo_lost(minus) - elo_lost(plus)) for plus, minus in points])
    return spsa


def test_the_known_schedule_is_reproduced() -> None:
    given = DATA["inputs"]
    schedule = Schedule(pairs=given["N_pairs"], rate=given["r_end"])
    assert schedule.stability == given["A"]
    c_end = given["c_end"]
    assert DATA["c0"] == pytest.approx(schedule.c0(c_end), rel=1e-12)
    assert DATA["a0"] == pytest.approx(schedule.a0(c_end), rel=1e-12)
    for pair, expected in DATA["k"].items():
        distance, rate = schedule.distance(int(pair), c_end), schedule.rate_at(int(pair))
        assert expected["c"] == pytest.approx(distance, rel=1e-12)
        assert expected["R"] == pytest.approx(rate, rel=1e-12)
        assert expected["step_for_result_plus2"] == pytest.approx(rate * distance * 2, rel=1e-12)


def test_the_published_numbers_of_the_schedule_are_reproduced() -> None:
    schedule = Schedule(pairs=1000, rate=0.002)
    assert (round(schedule.c0(10), 6), round(schedule.a0(10), 6)) == (20.090928, 13.550284)
    assert schedule.distance(100, 10) == pytest.approx(12.618275, abs=5e-7)
    assert schedule.rate_at(100) == pytest.approx(0.0035053254, abs=5e-11)


@pytest.mark.parametrize(
    ("games", "seeds", "left"), [(2_000, 8, 10.0), (8_000, 4, 2.6), (32_000, 1, 2.3)]
)
def test_on_a_simulated_hill_the_top_is_found_as_nearly_as_measured(
    games: int, seeds: int, left: float
) -> None:
    lost = [elo_lost(climbed(games // 2, seed).estimate()) for seed in range(seeds)]
    assert np.mean(lost) <= left


def test_the_mean_of_the_later_points_is_nearer_to_the_top_than_the_last_one() -> None:
    walks = [climbed(4_000, seed) for seed in range(3)]
    means = [elo_lost(walk.estimate()) for walk in walks]
    lasts = [np.mean([elo_lost(point) for point in walk.averaged()]) for walk in walks]
    assert np.mean(means) < np.mean(lasts)


def test_the_estimate_is_the_mean_of_the_second_half() -> None:
    spsa = climbed(50, 0, group=8)
    assert spsa.ends == [0, 8, 16, 24, 32, 40, 48, 50]
    assert np.array_equal(spsa.estimate(), np.mean(spsa.path[4:], axis=0))


def test_without_a_result_the_estimate_is_the_start() -> None:
    spsa = Spsa(START, np.full(8, 0.2), Schedule(pairs=10, rate=0.01), seed=0)
    assert np.array_equal(START, spsa.estimate())


def test_draws_depend_on_the_seed_and_the_pair_alone() -> None:
    def trials(seed: int, group: int) -> list[np.ndarray]:
        spsa = Spsa(START, np.full(8, 0.2), Schedule(pairs=24, rate=0.01), seed=seed)
        found = []
        while not spsa.is_complete:
            asked = spsa.ask(group)
            found += [np.concatenate([one.offsets, one.uniforms]) for one in asked]
            spsa.tell(asked, [0.0] * len(asked))
        return found

    assert np.array_equal(trials(1, 8), trials(1, 5))
    assert not np.array_equal(trials(1, 8), trials(2, 8))


def test_each_coordinate_goes_up_as_often_as_down_and_independently_of_the_others() -> None:
    spsa = Spsa(np.zeros(4), np.ones(4), Schedule(pairs=4000, rate=0.01), seed=3)
    trials = spsa.ask(4000)
    signs = np.sign([one.offsets for one in trials])
    correlation = signs.T @ signs / len(trials)
    assert np.abs(signs.mean(axis=0)).max() < 0.06
    assert np.abs(correlation - np.eye(4)).max() < 0.06
    uniforms = np.array([one.uniforms for one in trials])
    assert uniforms.min() >= 0
    assert uniforms.max() < 1
    assert np.abs(uniforms.mean(axis=0) - 0.5).max() < 0.02


def test_the_point_moves_towards_the_winner_and_a_level_pair_moves_nothing() -> None:
    spsa = Spsa(np.zeros(3), np.ones(3), Schedule(pairs=3, rate=0.1), seed=0)
    first = spsa.ask(1)
    spsa.tell(first, [2.0])
    assert np.array_equal(np.sign(first[0].offsets), np.sign(spsa.point))
    before = spsa.point
    spsa.tell(spsa.ask(1), [0.0])
    assert np.array_equal(before, spsa.point)
    third = spsa.ask(1)
    spsa.tell(third, [-1.0])
    assert np.array_equal(-np.sign(third[0].offsets), np.sign(spsa.point - before))


def test_what_is_not_allowed_is_projected() -> None:
    spsa = Spsa(
        np.zeros(2),
        np.ones(2),
        Schedule(pairs=8, rate=1.0),
        seed=0,
        project=lambda point: np.clip(point, -0.01, 0.01),
    )
    spsa.tell(spsa.ask(8), [2.0] * 8)
    assert np.abs(spsa.point).max() <= 0.01


@pytest.mark.parametrize(
    ("pairs", "rate", "message"), [(0, 0.1, "pairs must be"), (9, 0, "rate must be")]
)
def test_a_schedule_without_pairs_or_steps_is_refused(
    pairs: int, rate: float, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Schedule(pairs=pairs, rate=rate)


def test_results_are_told_once_and_in_order() -> None:
    spsa = Spsa(np.zeros(2), np.ones(2), Schedule(pairs=8, rate=0.1), seed=0)
    trials = spsa.ask(4)
    with pytest.raises(ValueError, match="the next trial is 1: 2 was told"):
        spsa.tell(trials[1:], [0.0] * 3)
    with pytest.raises(ValueError, match=r"a result must be -2\.\.2"):
        spsa.tell(trials, [0.0, 3.0, 0.0, 0.0])
    spsa.tell(trials, [0.0] * 4)
    with pytest.raises(ValueError, match="the next trial is 5: 1 was told"):
        spsa.tell(trials, [0.0] * 4)
