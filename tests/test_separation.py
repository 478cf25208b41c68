"""Simultaneous separation: error rates by simulation, Holm as a check, orders, tiers, bounds."""

import json
from itertools import combinations, pairwise

import numpy as np
import pytest
from scipy.special import ndtr
from test_clusters import grouped, played, table_of

from gomoku_lab.stats.clusters import Clusters, Game, units_of
from gomoku_lab.stats.fit import fit_ratings
from gomoku_lab.stats.results import ResultTable
from gomoku_lab.stats.separation import (
    FEWEST,
    MOST,
    TOLERANCE,
    Separation,
    _Family,
    _judge,
    separate,
)

LADDER = {"A": 150.0, "B": 60.0, "C": 60.0, "D": -120.0}


def separated(
    games: list[Game], order: list[str] | None = None, *, seed: int = 0, **options: float
) -> Separation:
    table, clusters = grouped(games)
    ratings = fit_ratings(table, clusters=clusters, **options)  # type: ignore[arg-type]
    return separate(ratings, units_of(table, clusters), order, seed=seed)


@pytest.fixture(scope="module")
def ladder() -> Separation:
    return separated(played(np.random.default_rng(2), LADDER, 120, bias=100))


def holm(p_values: list[float]) -> list[float]:
    """Return Holm's adjusted p-values."""
    order = np.argsort(p_values)
    steps = np.array(p_values)[order] * np.arange(len(order), 0, -1)
    adjusted = np.empty(len(order))
    adjusted[order] = np.minimum(1, np.maximum.accumulate(steps))
    return [float(value) for value in adjusted]


# What it says


def test_two_clear_steps_are_separated_and_two_equals_are_not(ladder: Separation) -> None:
    assert ladder.order[0] == "A"
    assert ladder.order[3] == "D"
    assert [one.is_separated for one in ladder.neighbours] == [True, False, True]
    assert [set(tier) for tier in ladder.tiers] == [{"A"}, {"B", "C"}, {"D"}]


def test_an_interval_that_holds_together_is_wider_than_one_by_itself(ladder: Separation) -> None:
    assert ladder.neighbour_critical is not None
    assert ladder.pair_critical is not None
    assert 1.96 < ladder.neighbour_critical.value < ladder.pair_critical.value
    for one in (*ladder.neighbours, *ladder.pairs):
        alone, together = one.difference.elo, one.together
        assert together.value == alone.value
        assert (together.error or 0) > (alone.error or 0)
        assert one.is_separated == (not (together.low or 0) <= 0 <= (together.high or 0))
        assert one.p_value is not None
        assert (one.p_value <= 0.05) == one.is_separated


def test_critical_values_lie_between_one_difference_and_bonferroni(ladder: Separation) -> None:
    # 119 clusters and more degrees of freedom: Student's quantiles are hardly wider than 2 %.
    for critical, count in ((ladder.neighbour_critical, 3), (ladder.pair_critical, 6)):
        assert critical is not None
        assert critical.size == count
        bonferroni = 1.02 * -_normal_quantile(0.025 / count)
        assert 1.96 < critical.value < bonferroni + 3 * critical.error


def _normal_quantile(probability: float) -> float:
    from scipy.stats import norm

    return float(norm.ppf(probability))


def test_adjusted_p_values_agree_with_holms(ladder: Separation) -> None:
    t_values = [
        abs(one.difference.elo.value or 0) / (one.difference.elo.standard_error or 1)
        for one in ladder.pairs
    ]
    alone = [2 * float(ndtr(-t)) for t in t_values]
    for one, naive, raw in zip(ladder.pairs, holm(alone), alone, strict=True):
        assert one.p_value is not None
        # A single step is a little less powerful than Holm's steps, and never less than no step.
        assert raw <= one.p_value + 1e-3
        if naive > 0.2:
            assert one.p_value > 0.05
        if naive < 0.005:
            assert one.p_value < 0.05


def test_an_order_of_ones_own_is_judged_in_that_order() -> None:
    games = played(np.random.default_rng(3), LADDER, 120)
    found = separated(games, ["D", "A", "B"])
    assert found.order == ("D", "A", "B")
    upper = found.neighbours[0]
    assert (upper.difference.first, upper.difference.second) == ("D", "A")
    assert upper.is_reversed
    assert not found.neighbours[1].is_reversed
    assert found.tiers[-1] == ("D",)
    assert found.order_probability is not None
    assert found.order_probability < 1e-3
    assert len(found.pairs) == 3


def test_the_probability_of_an_order_is_that_of_a_simulation() -> None:
    games = played(np.random.default_rng(5), {"A": 25, "B": 10, "C": 0}, 80)
    table, clusters = grouped(games)
    ratings = fit_ratings(table, clusters=clusters)
    order = ratings.order()
    found = separate(ratings, units_of(table, clusters), order).order_probability
    places = [table.index(name) for name in order]
    rng = np.random.default_rng(1)
    values = [ratings.ratings[place].value for place in places]
    drawn = rng.multivariate_normal(
        np.array(values, dtype=float), ratings.covariance[np.ix_(places, places)], 100_000
    )
    naive = float(np.mean(np.all(np.diff(drawn, axis=1) < 0, axis=1)))
    assert found == pytest.approx(naive, abs=0.01)  # Student's variables instead of normal ones


def test_two_players_have_the_probability_of_superiority() -> None:
    found = separated(played(np.random.default_rng(6), {"A": 20, "B": 0}, 60))
    assert found.order_probability == pytest.approx(found.neighbours[0].difference.los, abs=0.004)


def test_the_games_needed_would_give_the_interval_its_power(ladder: Separation) -> None:
    for one in ladder.neighbours:
        elo = one.together
        assert one.games_factor is not None
        assert elo.value is not None
        shrunk = (elo.error or 0) / one.games_factor**0.5, (elo.standard_error or 0)
        margin = abs(elo.value) - shrunk[0]
        assert ndtr(margin / (shrunk[1] / one.games_factor**0.5)) == pytest.approx(0.8)


# How it is computed


def test_a_seed_gives_the_same_numbers_and_another_one_nearly_the_same() -> None:
    games = played(np.random.default_rng(7), LADDER, 30)
    first, again, other = (separated(games, seed=seed) for seed in (1, 1, 2))
    assert first.to_dict() == again.to_dict()
    assert first.pair_critical is not None
    assert other.pair_critical is not None
    assert first.pair_critical.value != other.pair_critical.value
    assert first.pair_critical.value == pytest.approx(other.pair_critical.value, rel=0.08)


def test_it_resamples_until_the_critical_values_are_known(ladder: Separation) -> None:
    assert FEWEST <= ladder.resamples <= MOST
    for critical in (ladder.neighbour_critical, ladder.pair_critical):
        assert critical is not None
        assert critical.error <= TOLERANCE * critical.value or ladder.resamples == MOST


def test_progress_is_told() -> None:
    table, clusters = grouped(played(np.random.default_rng(8), {"A": 0, "B": 0}, 20))
    told: list[int] = []
    ratings = fit_ratings(table, clusters=clusters)
    found = separate(ratings, units_of(table, clusters), report=told.append)
    assert told == list(range(500, found.resamples + 1, 500))


def test_false_separations_are_as_rare_as_promised() -> None:
    # Simulations of four equal players, all pairs: 6.0 % of 400 with 30 openings that favour a
    # colour, 4.0 % of 400 with 12 such, 2.7 % of 300 with 30 openings that suit players.
    rng = np.random.default_rng(9)
    repetitions = 40
    wrong = sum(
        any(
            one.is_separated
            for one in separated(
                played(rng, {"A": 0, "B": 0, "C": 0}, 30, bias=150), ["A", "B", "C"]
            ).pairs
        )
        for _ in range(repetitions)
    )
    assert wrong <= repetitions * 0.05 + 3 * np.sqrt(repetitions * 0.05 * 0.95)


# Strange data


def sweep(winner: str, loser: str, openings: int) -> list[Game]:
    return [
        (f"opening-{i}", *who)
        for i in range(openings)
        for who in ((winner, loser, 0), (loser, winner, 2))
    ]


def test_a_player_who_won_everything_is_separated_by_a_bound() -> None:
    games = played(np.random.default_rng(10), {"A": 60, "B": 0}, 25) + sweep("S", "A", 25)
    found = separated(games)
    assert found.order[0] == "S"
    top = found.pair("S", "A")
    assert top.is_separated is True
    assert top.together.value is None
    assert (top.together.low or 0) < (top.difference.elo.low or 0)
    assert top.games_factor is None
    assert top.p_value is not None
    assert top.p_value < 0.001
    assert found.order_probability is not None
    assert 0.5 < found.order_probability <= 1


@pytest.mark.parametrize("openings", [1, 2, 3])
def test_a_sweep_of_few_pairs_separates_nobody(openings: int) -> None:
    found = separated(sweep("S", "A", openings))
    assert found.neighbours[0].is_separated is False


@pytest.mark.parametrize("outcome", [0, 1, 2])
def test_pairs_that_are_all_alike_separate_nobody(outcome: int) -> None:
    games = [(f"o{i}", *who, outcome) for i in range(40) for who in (("A", "B"), ("B", "A"))]
    found = separated(games)
    assert found.neighbours[0].is_separated is False
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_difference_that_hangs_on_two_openings_is_not_separated() -> None:
    games = sweep("A", "B", 5)
    games[0], games[3] = ("opening-0", "A", "B", 2), ("opening-1", "B", "A", 0)
    found = separated(games)
    only = found.neighbours[0]
    assert only.difference.elo.standard_error is not None
    assert only.is_separated is False
    json.dumps(found.to_dict(), allow_nan=False)


def test_where_too_many_resamples_lie_beyond_measure_the_interval_is_open() -> None:
    table, clusters = grouped(played(np.random.default_rng(16), {"A": 90, "B": 0}, 20))
    ratings = fit_ratings(table, clusters=clusters)
    difference = ratings.difference("A", "B")
    family = _Family([("A", "B")], {("A", "B"): difference})
    deviations = np.linspace(0, 2, 1000)
    deviations[:100] = 50.0
    family.learn({("A", "B"): deviations}, ratings)
    assert family.critical is None
    open_one = _judge(ratings, family, difference)
    assert (open_one.together.low, open_one.together.high) == (None, None)
    assert open_one.together.unbounded is True
    assert open_one.is_separated is False
    assert open_one.games_factor is None


def test_copies_leave_it_undecided() -> None:
    games = played(np.random.default_rng(11), {"A": 200, "B": 0}, 40)
    counted = table_of(games)
    distinct = np.array([[0, 1], [1, 0]])
    table = ResultTable(counted.names, counted.wins, counted.draws, counted.losses, distinct)
    clusters = Clusters.from_games(games, table.names)
    found = separate(fit_ratings(table, clusters=clusters), units_of(table, clusters))
    assert found.neighbours[0].is_separated is None
    assert found.neighbours[0].p_value is None
    assert found.order_probability is None
    assert (found.resamples, found.pair_critical) == (0, None)
    json.dumps(found.to_dict(), allow_nan=False)


def test_plain_counts_are_resampled_game_by_game() -> None:
    rows = [("A", "B", 70, 0, 30), ("B", "C", 55, 0, 45), ("A", "C", 80, 0, 20)]
    table = ResultTable.from_rows(rows, has_colours=False, has_draws=False)
    found = separate(fit_ratings(table), units_of(table, None))
    assert [one.is_separated for one in found.neighbours] == [True, False]
    assert found.tiers == (("A",), ("B", "C"))


def test_held_ratings_may_be_compared_with_others() -> None:
    games = played(np.random.default_rng(12), LADDER, 60)
    table, clusters = grouped(games)
    ratings = fit_ratings(table, clusters=clusters, anchors={"A": 150, "D": -120})
    found = separate(ratings, units_of(table, clusters))
    assert found.pair("A", "D").difference.elo.value == pytest.approx(270)
    assert found.pair("A", "D").together.error == 0


def test_tiers_overlap_where_only_the_ends_are_separated() -> None:
    games = played(np.random.default_rng(13), {"A": 45, "B": 0, "C": -45}, 100)
    found = separated(games)
    separate_pairs = {
        (one.difference.first, one.difference.second) for one in found.pairs if one.is_separated
    }
    for tier in found.tiers:
        assert not separate_pairs & set(combinations(tier, 2))
    for upper, lower in pairwise(found.tiers):
        assert separate_pairs & {(upper[0], lower[-1])}


@pytest.mark.parametrize("order", [["A"], ["A", "A"], ["A", "X"]])
def test_orders_that_are_none_are_refused(order: list[str]) -> None:
    with pytest.raises(ValueError, match=r"order needs two or more|player must be one of"):
        separated(sweep("A", "B", 2), order)
