"""Clusters of games: counting, robust errors against the bootstrap, and few or strange clusters."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from gomoku_lab.stats.bootstrap import Refitter, resample
from gomoku_lab.stats.choice import fit_choices
from gomoku_lab.stats.clusters import Clusters, Game, units_of
from gomoku_lab.stats.davidson import choice_model
from gomoku_lab.stats.elo import ELO_PER_UNIT
from gomoku_lab.stats.fit import fit_ratings
from gomoku_lab.stats.results import ResultTable
from gomoku_lab.stats.robust import Linearised, degrees_of_freedom

ELOS = {"A": 90.0, "B": 0.0, "C": -60.0}


def played(
    rng: np.random.Generator,
    elos: dict[str, float],
    openings: int,
    *,
    bias: float = 0.0,
    suits: float = 0.0,
    draws: float = 0.2,
) -> list[Game]:
    """Return a round robin in swapped pairs.

    Openings differ in how much they favour the first mover (`bias`), and in how much they suit
    each player (`suits`), both as standard deviations in Elo.
    """
    names = tuple(elos)
    favours = rng.normal(30, bias, openings)
    suited = rng.normal(0, suits, (openings, len(names)))
    games: list[Game] = []
    for first, second in combinations(range(len(names)), 2):
        for opening in range(openings):
            gap = elos[names[first]] - elos[names[second]]
            gap += suited[opening, first] - suited[opening, second]
            for black, white, sign in ((first, second, 1), (second, first, -1)):
                x = (sign * gap + favours[opening]) / ELO_PER_UNIT
                chances = np.array([np.exp(x / 2), draws, np.exp(-x / 2)])
                outcome = int(rng.choice(3, p=chances / chances.sum()))
                games.append((f"opening-{opening}", names[black], names[white], outcome))
    return games


def table_of(games: list[Game]) -> ResultTable:
    rows = [(first, second, *np.eye(3, dtype=int)[outcome]) for _, first, second, outcome in games]
    return ResultTable.from_rows([(a, b, int(w), int(d), int(n)) for a, b, w, d, n in rows])


def grouped(games: list[Game]) -> tuple[ResultTable, Clusters]:
    table = table_of(games)
    return table, Clusters.from_games(games, table.names)


def errors(games: list[Game], **options: Any) -> dict[tuple[str, str], float]:
    """Return the standard errors of all differences and of the advantage."""
    table, clusters = grouped(games)
    ratings = fit_ratings(table, clusters=clusters, **options)
    found = {
        (a, b): ratings.difference(a, b).elo.standard_error or 0.0
        for a, b in combinations(table.names, 2)
    }
    assert ratings.advantage is not None
    return {**found, ("first", "move"): ratings.advantage.standard_error or 0.0}


def bootstrap_errors(games: list[Game], count: int = 600) -> dict[tuple[str, str], float]:
    """Return the same errors by fitting resampled openings one by one."""
    rng = np.random.default_rng(4)
    openings: dict[object, list[Game]] = {}
    for game in games:
        openings.setdefault(game[0], []).append(game)
    groups = list(openings.values())
    names = table_of(games).names
    fits = []
    for _ in range(count):
        drawn = [game for i in rng.integers(len(groups), size=len(groups)) for game in groups[i]]
        ratings = fit_ratings(table_of(drawn))
        assert ratings.advantage is not None
        values = [ratings.difference(a, b).elo.value for a, b in combinations(names, 2)]
        fits.append([*values, ratings.advantage.value])
    spread = np.std(np.array(fits, dtype=float), axis=0)
    return dict(zip([*combinations(names, 2), ("first", "move")], spread, strict=True))


# Counting


def test_units_hold_every_game_once() -> None:
    games = played(np.random.default_rng(1), ELOS, 7)
    table, clusters = grouped(games)
    units = units_of(table, clusters)
    assert units.clusters == 7
    assert units.counts.shape == (7, 3 * 6)
    assert units.counts.sum() == len(games) == 42
    assert units.in_pairings().tolist() == [7, 7, 7]
    total = units.counts.sum(axis=0).reshape(-1, 3)
    model = choice_model(table, "davidson", advantage=True)
    assert np.array_equal(total, model.weights)


def test_games_without_a_cluster_are_units_of_their_own() -> None:
    apart = ResultTable.from_rows(
        [("A", "B", 4, 0, 3)], names=("A", "B"), has_colours=False, has_draws=False
    )
    games: list[Game] = [("x", "A", "B", 0), ("x", "B", "A", 2), ("y", "A", "B", 1)]
    first = table_of(games)
    table = ResultTable(first.names, first.wins, first.draws, first.losses, apart=(apart,))
    units = units_of(table, Clusters.from_games(games, table.names))
    assert (units.clusters, units.times.tolist()) == (2, [1, 1, 4, 3])
    assert units.in_pairings().tolist() == [9]
    alone = units_of(table, None)
    assert (alone.clusters, int(alone.times.sum())) == (0, 10)


def test_clusters_of_other_games_are_refused() -> None:
    games = played(np.random.default_rng(2), ELOS, 3)
    clusters = grouped(games[:-1])[1]
    with pytest.raises(ValueError, match="17 games in clusters, 18 in the table"):
        units_of(table_of(games), clusters)


# Robust errors


@pytest.mark.parametrize(
    ("bias", "suits"), [(0, 0), (300, 0), (0, 150)], ids=["alike", "colour", "players"]
)
def test_robust_errors_are_those_of_the_bootstrap(bias: float, suits: float) -> None:
    games = played(np.random.default_rng(5), ELOS, 60, bias=bias, suits=suits)
    naive, robust = bootstrap_errors(games, 300), errors(games)
    for key, error in robust.items():
        assert error == pytest.approx(naive[key], rel=0.14), key


def test_robust_errors_are_the_models_own_where_games_are_independent() -> None:
    games = played(np.random.default_rng(6), ELOS, 400)
    model = fit_ratings(table_of(games))
    for (first, second), error in errors(games).items():
        own = model.advantage if first == "first" else model.difference(first, second).elo
        assert own is not None
        assert error == pytest.approx(own.standard_error, rel=0.1)


def test_openings_that_suit_a_player_widen_the_interval_of_its_difference() -> None:
    games = played(np.random.default_rng(7), ELOS, 150, suits=200)
    model = fit_ratings(table_of(games)).difference("A", "B").elo.standard_error
    assert errors(games)["A", "B"] > 1.1 * (model or 0)


def test_openings_that_favour_a_colour_widen_the_advantage_and_narrow_the_differences() -> None:
    games = played(np.random.default_rng(8), ELOS, 80, bias=300)
    model = fit_ratings(table_of(games))
    robust = errors(games)
    assert model.advantage is not None
    assert robust["first", "move"] > 1.3 * (model.advantage.standard_error or 0)
    assert robust["A", "B"] < 0.95 * (model.difference("A", "B").elo.standard_error or 0)


def test_ratings_themselves_do_not_depend_on_the_clusters() -> None:
    table, clusters = grouped(played(np.random.default_rng(9), ELOS, 20, bias=100))
    for one, other in zip(
        fit_ratings(table).ratings, fit_ratings(table, clusters=clusters).ratings, strict=True
    ):
        assert one.value == other.value


def test_robust_intervals_cover_the_truth_with_few_openings() -> None:
    rng = np.random.default_rng(10)
    covered = []
    for _ in range(250):
        table, clusters = grouped(played(rng, ELOS, 20, bias=150, suits=60))
        elo = fit_ratings(table, clusters=clusters).difference("A", "B").elo
        assert elo.low is not None
        assert elo.high is not None
        covered.append(elo.low <= 90 <= elo.high)
    assert 0.91 <= np.mean(covered) <= 0.98


@pytest.mark.parametrize("pairs", [2, 10, 30, 300])
def test_pairs_that_are_all_split_leave_a_doubt_like_the_rule_of_three(pairs: int) -> None:
    # The first mover wins both games of one opening, the second mover both of the next one.
    games: list[Game] = [
        (f"o{i}", *who, 2 * (i % 2)) for i in range(pairs) for who in (("A", "B"), ("B", "A"))
    ]
    table, clusters = grouped(games)
    elo = fit_ratings(table, clusters=clusters).difference("A", "B").elo
    assert elo.value == pytest.approx(0, abs=1e-9)
    assert elo.high is not None
    least = min(3 / pairs, 0.9) / 2  # what a share 3/n of won pairs would add to a score of 50 %
    assert elo.high >= 0.6 * 400 * np.log10((0.5 + least) / (0.5 - least))


def test_a_pairing_of_few_games_among_many_is_not_taken_as_certain() -> None:
    games = played(np.random.default_rng(11), {"A": 0, "B": 0}, 100)
    games += [("opening-1", "A", "X", 0), ("opening-1", "X", "A", 0)]
    table, clusters = grouped(games)
    error = fit_ratings(table, clusters=clusters).difference("A", "X").elo.standard_error
    alone = fit_ratings(table).difference("A", "X").elo.standard_error
    assert error is not None
    assert alone is not None
    assert error > 0.7 * alone


def test_few_units_have_few_degrees_of_freedom() -> None:
    assert degrees_of_freedom(30) == pytest.approx(29 * (34 / 30) ** 2)
    assert degrees_of_freedom(1) >= 1
    assert degrees_of_freedom(1e6) == pytest.approx(1e6, rel=1e-4)


def test_a_player_who_won_everything_still_has_a_bound() -> None:
    games = played(np.random.default_rng(12), {"A": 0, "B": 0}, 15)
    games += [(f"opening-{i}", *who) for i in range(15) for who in (("S", "A", 0), ("A", "S", 2))]
    table, clusters = grouped(games)
    ratings = fit_ratings(table, clusters=clusters)
    bound = ratings.difference("S", "A")
    assert (bound.elo.value, bound.elo.high) == (None, None)
    # As if S had won 15 games instead of 30: both games of an opening may be won for one reason.
    alone = fit_ratings(table).difference("S", "A").elo
    assert 0 < (bound.elo.low or 0) < (alone.low or 0)
    assert ratings.difference("A", "B").elo.standard_error


# The bootstrap


def difference_error(covariance: np.ndarray) -> float:
    return float(np.sqrt(covariance[0, 0] + covariance[2, 2] - 2 * covariance[0, 2]))


@pytest.mark.parametrize("model", ["davidson", "half-point"])
def test_resamples_are_fitted_as_if_each_were_fitted_alone(model: Any) -> None:
    games = played(np.random.default_rng(13), ELOS, 25, bias=100)
    table, clusters = grouped(games)
    units = units_of(table, clusters)
    fit = fit_choices(choice_model(table, model, advantage=True))
    weights = resample(units, 12, np.random.default_rng(1))
    thetas, errors = Refitter(Linearised.of(fit, units, model)).fit(weights)
    cells = list(zip(units.first, units.second, strict=True))
    original = difference_error(fit.covariance)
    for drawn, theta, error in zip(weights, thetas, errors, strict=True):
        rows = [
            (table.names[i], table.names[j], *map(int, counts))
            for (i, j), counts in zip(cells, drawn, strict=True)
        ]
        table_alone = ResultTable.from_rows([(a, b, w, d, n) for a, b, w, d, n in rows])
        fit_alone = fit_choices(choice_model(table_alone, model, advantage=True))
        alone = fit_alone.theta
        assert theta[0] - theta[2] == pytest.approx(alone[0] - alone[2], abs=2e-3)
        assert theta[3] == pytest.approx(alone[3], abs=2e-3)
        ratio = difference_error(fit_alone.covariance) / original
        assert error[0, 2] == pytest.approx(ratio, rel=2e-3)


def test_whole_clusters_are_drawn_and_lone_games_from_their_cell() -> None:
    games: list[Game] = [("x", "A", "B", 0), ("x", "B", "A", 0), ("y", "A", "B", 2)]
    first = table_of(games)
    apart = ResultTable.from_rows([("A", "B", 30, 0, 10)], names=("A", "B"), has_colours=False)
    table = ResultTable(first.names, first.wins, first.draws, first.losses, apart=(apart,))
    units = units_of(table, Clusters.from_games(games, table.names))
    drawn = resample(units, 400, np.random.default_rng(3))
    ab, ba, lone = drawn[:, 0], drawn[:, 1], drawn[:, 2]
    assert np.array_equal(ab[:, 0], ba[:, 0])  # both games of x, or none
    assert np.all(ab[:, 0] + ab[:, 2] == 2)  # two clusters are drawn
    assert np.all(lone.sum(axis=1) == 40)
    assert np.mean(lone[:, 0]) == pytest.approx(30, abs=0.6)


def test_a_resample_in_which_somebody_wins_everything_lies_far_away_but_is_finite() -> None:
    games = [(f"o{i}", *who) for i in range(6) for who in (("A", "B", 0), ("B", "A", 2))]
    games[0] = ("o0", "A", "B", 2)
    table, clusters = grouped(games)
    units = units_of(table, clusters)
    fit = fit_choices(choice_model(table, "davidson", advantage=True))
    weights = resample(units, 200, np.random.default_rng(1))
    thetas, errors = Refitter(Linearised.of(fit, units, "davidson")).fit(weights)
    assert np.all(np.isfinite(thetas))
    assert np.all(np.isfinite(errors))
    moved = thetas[:, 0] - thetas[:, 1]
    assert np.ptp(moved) > 3
    assert errors[np.argmax(moved), 0, 1] > 5  # as uncertain as it is far
