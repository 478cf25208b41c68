"""Residuals of pairings and the test of the fit: arithmetic, calibration, power, strange data."""

import json
from itertools import combinations

import numpy as np
import pytest
from test_clusters import ELOS, grouped, played
from test_ratings import FOUR, fit

from gomoku_lab.stats.clusters import Game, units_of
from gomoku_lab.stats.elo import ELO_PER_UNIT
from gomoku_lab.stats.fit import fit_ratings
from gomoku_lab.stats.results import ResultTable
from gomoku_lab.stats.surprise import FitTest, Surprise, surprises

FIVE = {"A": 120.0, "B": 50.0, "C": 0.0, "D": -40.0, "E": -150.0}


def surprised(games: list[Game]) -> tuple[tuple[Surprise, ...], FitTest | None]:
    table, clusters = grouped(games)
    return surprises(fit_ratings(table, clusters=clusters), units_of(table, clusters))


def with_a_cycle(rng: np.random.Generator, openings: int, extra: float) -> list[Game]:
    """Return games of three equals, each of whom beats the next one."""
    games: list[Game] = []
    for first, second, sign in (("A", "B", 1), ("B", "C", 1), ("A", "C", -1)):
        pair = played(rng, {first: sign * extra / 2, second: -sign * extra / 2}, openings)
        games += pair
    return games


def test_scores_are_counted_and_expectations_are_those_of_the_model() -> None:
    ratings = fit_ratings(FOUR)
    found, _ = surprises(ratings, units_of(FOUR, None))
    assert ratings.advantage is not None
    assert ratings.nu is not None
    advantage, nu = ratings.advantage.value or 0, ratings.nu
    assert [(one.first, one.second) for one in found] == list(combinations("ABCD", 2))
    for one in found:
        losses, draws, wins = FOUR.versus(one.first, one.second)
        assert one.games == losses + draws + wins == 200
        assert one.score == pytest.approx((wins + draws / 2) / 200)
        gap = ratings.difference(one.first, one.second).elo.value or 0
        expected = 0.0
        for x in ((gap + advantage) / ELO_PER_UNIT, (gap - advantage) / ELO_PER_UNIT):
            win, loss = np.exp(x / 2), np.exp(-x / 2)
            expected += (win + nu / 2) / (win + nu + loss) / 2
        assert one.expected == pytest.approx(expected)
        assert one.residual is not None
        assert np.sign(one.residual) == np.sign(one.score - one.expected)


def test_each_player_scores_in_all_what_is_expected_of_it() -> None:
    found, _ = surprised(played(np.random.default_rng(1), FIVE, 30))
    for name in FIVE:
        over = sum(
            (one.score - one.expected) * one.games * (1 if one.first == name else -1)
            for one in found
            if name in (one.first, one.second)
        )
        assert over == pytest.approx(0, abs=0.2)  # exactly so without draws


@pytest.mark.parametrize(("openings", "bias"), [(12, 0), (40, 200)])
def test_the_test_of_the_fit_rejects_a_true_model_as_seldom_as_it_says(
    openings: int, bias: float
) -> None:
    rng = np.random.default_rng(2)
    p_values, residuals = [], []
    for _ in range(150):
        found, test = surprised(played(rng, FIVE, openings, bias=bias))
        assert test is not None
        p_values.append(test.p_value)
        residuals += [one.residual or 0.0 for one in found]
    assert np.mean(np.array(p_values) < 0.05) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 150)
    assert np.mean(np.array(p_values) < 0.5) == pytest.approx(0.5, abs=0.16)
    assert np.std(residuals) == pytest.approx(1, abs=0.1)


def test_a_cycle_is_found() -> None:
    found, test = surprised(with_a_cycle(np.random.default_rng(3), 60, 120))
    assert test is not None
    assert test.p_value < 1e-4
    signs = {(one.first, one.second): np.sign(one.residual or 0) for one in found}
    around = [signs.get(two) or -signs[two[::-1]] for two in (("A", "B"), ("B", "C"), ("C", "A"))]
    assert around == [1, 1, 1]
    assert min(abs(one.residual or 0) for one in found) > 3


def test_three_players_have_one_thing_to_test() -> None:
    _, test = surprised(played(np.random.default_rng(4), ELOS, 50))
    assert test is not None
    assert test.degrees == pytest.approx(1, abs=0.01)


def test_where_the_fit_follows_the_games_there_is_nothing_to_test() -> None:
    two = played(np.random.default_rng(5), {"A": 30, "B": 0}, 20)
    found, test = surprised(two)
    assert (found[0].residual, test) == (None, None)
    chain = two + played(np.random.default_rng(6), {"B": 30, "C": 0}, 20)
    found, test = surprised(chain)
    assert [one.residual for one in found] == [None, None]
    assert test is None


def test_a_player_who_won_everything_surprises_nobody() -> None:
    games = played(np.random.default_rng(7), ELOS, 20)
    for loser in ELOS:
        games += [
            (f"opening-{i}", *who) for i in range(20) for who in (("S", loser, 0), (loser, "S", 2))
        ]
    found, test = surprised(games)
    swept = [one for one in found if one.first == "S"]
    assert [one.residual for one in swept] == [None] * 3
    assert [one.expected for one in swept] == pytest.approx([1] * 3)
    assert test is not None
    json.dumps([one.to_dict() for one in found] + [test.to_dict()], allow_nan=False)


def test_results_without_colours_and_draws_are_compared_as_well() -> None:
    rows = [("A", "B", 70, 0, 30), ("B", "C", 70, 0, 30), ("A", "C", 30, 0, 70)]
    table = ResultTable.from_rows(rows, has_colours=False, has_draws=False)
    found, test = surprises(fit_ratings(table), units_of(table, None))
    assert test is not None
    assert test.p_value < 1e-6
    assert sum(one.games for one in found) == 300


def test_without_clusters_the_test_is_about_pearsons() -> None:
    rows = [("A", "B", 60, 0, 40), ("B", "C", 60, 0, 40), ("A", "C", 60, 0, 40)]
    ratings = fit(rows, advantage=False)
    found, test = surprises(ratings, units_of(ratings.table, None))
    assert test is not None
    naive = sum(
        one.games * (one.score - one.expected) ** 2 / (one.expected * (1 - one.expected))
        for one in found
    )
    assert test.statistic == pytest.approx(naive, rel=0.06)
