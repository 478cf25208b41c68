"""Ratings: known answers, an independent likelihood as oracle, laws, and data without a maximum."""

from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from statistics_data import load

from gomoku_lab.stats.elo import ELO_PER_UNIT, estimate_elo
from gomoku_lab.stats.fit import fit_ratings
from gomoku_lab.stats.ratings import Ratings
from gomoku_lab.stats.results import ResultTable, copies_in

KNOWN = load("rating")
FOUR = ResultTable.from_rows(KNOWN["rows"])
Rows = list[tuple[str, str, int, int, int]]

SWEEP: Rows = [("S", "A", 20, 0, 0), ("A", "S", 0, 0, 20)]
MIXED: Rows = [("A", "B", 10, 3, 5), ("B", "A", 9, 1, 8)]


def fit(rows: Rows, **options: Any) -> Ratings:
    """Fit rows of results."""
    return fit_ratings(ResultTable.from_rows(rows), **options)


def slow_log_likelihood(rows: Rows, elos: dict[str, float], advantage: float, nu: float) -> float:
    """Return Davidson's log-likelihood, written out game by game."""
    total = 0.0
    for first, second, wins, draws, losses in rows:
        strength = 10 ** ((elos[first] - elos[second] + advantage) / 800)
        win, draw, loss = strength, nu, 1 / strength
        whole = win + draw + loss
        total += wins * np.log(win / whole) + losses * np.log(loss / whole)
        total += draws * np.log(draw / whole) if draws else 0.0
    return float(total)


def slow_parameters(rows: Rows, x: np.ndarray) -> float:
    """Return the log-likelihood of four players A, B, C, D = 0, the advantage and ln(nu)."""
    elos = {"A": x[0], "B": x[1], "C": x[2], "D": 0.0}
    return slow_log_likelihood(rows, elos, x[3], np.exp(x[4]))


def random_rows(rng: np.random.Generator, names: str, games: int = 30) -> Rows:
    """Return a round robin, every result drawn at random with every outcome present."""
    return [
        (first, second, *(int(n) + 1 for n in rng.multinomial(games, rng.dirichlet([4, 1, 3]))))
        for first, second in permutations(names, 2)
    ]


def simulated_rows(
    rng: np.random.Generator, elos: dict[str, float], advantage: float, nu: float, games: int
) -> Rows:
    """Return a round robin of players with known strengths."""
    rows: Rows = []
    for first, second in permutations(elos, 2):
        strength = 10 ** ((elos[first] - elos[second] + advantage) / 800)
        chances = np.array([strength, nu, 1 / strength])
        wins, draws, losses = rng.multinomial(games, chances / chances.sum())
        rows.append((first, second, int(wins), int(draws), int(losses)))
    return rows


# Known answers


@pytest.mark.parametrize("model", ["davidson", "half-point"])
def test_known_ratings_are_reproduced(model: Any) -> None:
    expected = KNOWN[model]
    ratings = fit_ratings(FOUR, model=model, anchors={"D": 0})
    assert [rating.value for rating in ratings.ratings] == pytest.approx(
        expected["ratings"], abs=6e-4
    )
    errors = [rating.standard_error for rating in ratings.ratings]
    assert errors == pytest.approx(expected["standard_errors"], abs=6e-4)
    assert ratings.advantage is not None
    assert ratings.advantage.value == pytest.approx(expected["advantage"], abs=6e-4)
    assert ratings.advantage.standard_error == pytest.approx(expected["advantage_error"], abs=6e-4)


def test_known_davidson_details_are_reproduced() -> None:
    expected = KNOWN["davidson"]
    ratings = fit_ratings(FOUR, anchors={"D": 0})
    assert ratings.nu == pytest.approx(expected["nu"], abs=6e-8)
    assert ratings.draw_rate == pytest.approx(expected["nu"] / (2 + expected["nu"]), abs=6e-8)
    assert ratings.covariance[0, 1] == pytest.approx(expected["covariance_ab"], abs=6e-4)
    difference = ratings.difference("A", "B").elo
    assert difference.standard_error == pytest.approx(expected["difference_ab_error"], abs=6e-4)
    assert ratings.negative_log_likelihood == pytest.approx(expected["nll"], abs=6e-6)


def test_known_answer_of_two_players_is_reproduced() -> None:
    known = KNOWN["two_players"]
    ratings = fit(known["rows"])
    assert ratings.difference("A", "B").elo.value == pytest.approx(known["difference"], abs=6e-6)
    assert ratings.advantage is not None
    assert ratings.advantage.value == pytest.approx(known["advantage"], abs=6e-6)
    assert ratings.nu == pytest.approx(known["nu"], abs=6e-8)


def test_rao_kupper_as_an_oracle_agrees_on_the_order_and_on_its_known_answer() -> None:
    known = KNOWN["rao-kupper"]

    def loss(x: np.ndarray) -> float:
        elos = {"A": x[0], "B": x[1], "C": x[2], "D": 0.0}
        theta, total = np.exp(x[4]), 0.0
        for first, second, wins, draws, losses in KNOWN["rows"]:
            gap = (elos[first] - elos[second] + x[3]) / ELO_PER_UNIT
            win, lose = 1 / (1 + theta * np.exp(-gap)), 1 / (1 + theta * np.exp(gap))
            total -= wins * np.log(win) + draws * np.log(1 - win - lose) + losses * np.log(lose)
        return float(total)

    start = np.array([300.0, 200.0, 100.0, 50.0, 0.3])
    answer = minimize(loss, start, method="Nelder-Mead", options={"maxiter": 6000, "fatol": 1e-11})
    assert answer.fun == pytest.approx(known["nll"], abs=1e-4)
    assert answer.x[:3] == pytest.approx(known["ratings"][:3], abs=0.02)
    assert answer.x[3] == pytest.approx(known["advantage"], abs=0.02)
    assert np.exp(answer.x[4]) == pytest.approx(known["theta"], abs=1e-4)
    assert fit_ratings(FOUR).order() == ["A", "B", "C", "D"]


# The independent likelihood


def test_no_neighbour_is_likelier_and_the_likelihood_is_the_written_out_one() -> None:
    rng = np.random.default_rng(1)
    for _ in range(5):
        rows = random_rows(rng, "ABCD")
        ratings = fit(rows, anchors={"D": 0})
        values = [rating.value for rating in ratings.ratings[:3]]
        assert ratings.advantage is not None
        assert ratings.nu is not None
        best = np.array([*values, ratings.advantage.value, np.log(ratings.nu)])
        top = slow_parameters(rows, best)
        assert ratings.negative_log_likelihood == pytest.approx(-top, abs=1e-9)
        for direction in np.vstack([np.eye(5), rng.normal(size=(5, 5))]):
            for scale in (-0.01, 0.01):
                assert slow_parameters(rows, best + scale * direction) < top


def test_the_covariance_is_the_inverse_of_the_numerical_hessian() -> None:
    rows = random_rows(np.random.default_rng(2), "ABCD")
    ratings = fit(rows, anchors={"D": 0})
    assert ratings.advantage is not None
    assert ratings.nu is not None
    best = np.array(
        [
            *(rating.value for rating in ratings.ratings[:3]),
            ratings.advantage.value,
            np.log(ratings.nu),
        ]
    )
    steps = np.diag([1.0, 1.0, 1.0, 1.0, 0.01])
    hessian = np.empty((5, 5))
    for i in range(5):
        for j in range(5):
            corners = [
                slow_parameters(rows, best + a * steps[i] + b * steps[j])
                for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1))
            ]
            curvature = corners[0] - corners[1] - corners[2] + corners[3]
            hessian[i, j] = -curvature / (4 * steps[i, i] * steps[j, j])
    covariance = np.linalg.inv(hessian)
    assert ratings.covariance[:3, :3] == pytest.approx(covariance[:3, :3], rel=2e-3, abs=0.05)
    assert ratings.advantage.standard_error == pytest.approx(np.sqrt(covariance[3, 3]), rel=1e-3)


def test_every_player_scores_what_the_half_point_model_expects() -> None:
    rows = random_rows(np.random.default_rng(3), "ABCDE")
    ratings = fit(rows, model="half-point")
    assert ratings.advantage is not None
    surplus = dict.fromkeys("ABCDE", 0.0)
    for first, second, wins, draws, losses in rows:
        gap = ratings.rating(first).value - ratings.rating(second).value
        expected = 1 / (1 + 10 ** (-(gap + ratings.advantage.value) / 400))
        over = wins + draws / 2 - (wins + draws + losses) * expected
        surplus[first] += over
        surplus[second] -= over
    assert list(surplus.values()) == pytest.approx([0] * 5, abs=1e-6)


def test_without_draws_and_colours_two_players_are_rated_by_their_score() -> None:
    ratings = fit([("A", "B", 30, 0, 12)], advantage=False)
    expected = estimate_elo([12, 0, 30]).elo.value
    assert ratings.difference("A", "B").elo.value == pytest.approx(expected)
    assert ratings.nu == 0
    assert ratings.advantage is None


# Laws


def test_swapping_who_moves_first_negates_the_advantage_only() -> None:
    rows = random_rows(np.random.default_rng(4), "ABC")
    swapped = [(second, first, losses, draws, wins) for first, second, wins, draws, losses in rows]
    ours, theirs = fit(rows, anchors={"C": 0}), fit(swapped, anchors={"C": 0})
    assert ours.advantage is not None
    assert theirs.advantage is not None
    assert theirs.advantage.value == pytest.approx(-ours.advantage.value)
    for name in "ABC":
        assert theirs.rating(name).value == pytest.approx(ours.rating(name).value)


def test_reversing_every_result_negates_the_ratings() -> None:
    rows = random_rows(np.random.default_rng(5), "ABC")
    reverse = [(first, second, losses, draws, wins) for first, second, wins, draws, losses in rows]
    for name in "ABC":
        assert fit(reverse).rating(name).value == pytest.approx(-fit(rows).rating(name).value)


def test_the_order_of_the_rows_does_not_matter() -> None:
    rows = random_rows(np.random.default_rng(6), "ABCD")
    ours, theirs = fit(rows), fit(rows[::-1])
    for name in "ABCD":
        assert theirs.rating(name).value == pytest.approx(ours.rating(name).value, abs=1e-7)


def test_four_times_the_games_halve_the_errors() -> None:
    rows = random_rows(np.random.default_rng(7), "ABCD")
    often = [(first, second, 4 * w, 4 * d, 4 * n) for first, second, w, d, n in rows]
    for once, more in zip(fit(rows).ratings, fit(often).ratings, strict=True):
        assert more.value == pytest.approx(once.value)
        assert more.standard_error == pytest.approx(once.standard_error / 2)


def test_differences_do_not_depend_on_the_anchor() -> None:
    mean, anchored = fit_ratings(FOUR), fit_ratings(FOUR, anchors={"B": 0})
    assert mean.reference == ("A", "B", "C", "D")
    assert sum(rating.value for rating in mean.ratings) == pytest.approx(0, abs=1e-9)
    assert anchored.rating("B").value == 0
    for first, second in permutations("ABCD", 2):
        ours, theirs = mean.difference(first, second), anchored.difference(first, second)
        assert theirs.elo.value == pytest.approx(ours.elo.value)
        assert theirs.elo.standard_error == pytest.approx(ours.elo.standard_error)


def test_the_covariance_gives_the_errors_of_differences() -> None:
    ratings = fit_ratings(FOUR)
    for i, j in permutations(range(4), 2):
        variance = (
            ratings.covariance[i, i] + ratings.covariance[j, j] - 2 * ratings.covariance[i, j]
        )
        difference = ratings.difference("ABCD"[i], "ABCD"[j]).elo
        assert difference.standard_error == pytest.approx(np.sqrt(variance))


def test_the_json_form_holds_the_numbers() -> None:
    ratings = fit_ratings(FOUR, anchors={"D": 0})
    form = ratings.to_dict()
    best, last = form["players"][0], form["players"][3]
    assert (best["name"], best["games"], best["wins"]) == ("A", 600, 62 + 70 + 88 + 43 + 60 + 80)
    assert best["rating"] == ratings.rating("A").value
    assert best["low"] == pytest.approx(best["rating"] - best["error"])
    assert last["rating"] == 0
    assert form["reference"] == []
    assert form["anchors"] == {"D": 0}
    assert form["covariance"][0][1] == pytest.approx(ratings.covariance[0, 1])
    assert form["order"] == ["A", "B", "C", "D"]


def test_superiority_is_complementary() -> None:
    matrix = fit_ratings(FOUR).los_matrix()
    for i in range(4):
        assert matrix[i][i] == 0.5
        for j in range(4):
            assert matrix[i][j] + matrix[j][i] == pytest.approx(1)
    assert matrix[0][3] > matrix[0][1] > 0.99


@pytest.mark.parametrize(
    ("rows", "anchors"),
    [
        (KNOWN["rows"], {}),
        (KNOWN["rows"], {"A": 316, "C": 0}),
        (SWEEP + MIXED, {}),
        (SWEEP + MIXED, {"S": 1000, "B": 0}),
        ([*MIXED, ("C", "A", 1, 0, 30), ("C", "B", 1, 0, 28)], {}),
    ],
)
def test_superiorities_are_those_of_the_differences(rows: Rows, anchors: dict[str, float]) -> None:
    ratings = fit(rows, anchors=anchors)
    matrix = ratings.los_matrix()
    for (i, first), (j, second) in permutations(enumerate(ratings.names), 2):
        assert matrix[i][j] == pytest.approx(ratings.difference(first, second).los, abs=1e-9)


def test_intervals_cover_known_strengths_as_often_as_they_say() -> None:
    rng = np.random.default_rng(8)
    truth = {"A": 120.0, "B": 30.0, "C": -150.0}
    covered = []
    for _ in range(300):
        ratings = fit(simulated_rows(rng, truth, advantage=150.0, nu=0.4, games=60))
        for first, second in (("A", "B"), ("B", "C"), ("A", "C")):
            elo = ratings.difference(first, second).elo
            covered.append(elo.low <= truth[first] - truth[second] <= elo.high)
        assert ratings.advantage is not None
        covered.append(ratings.advantage.low <= 150 <= ratings.advantage.high)
    assert 0.93 <= np.mean(covered) <= 0.97


def test_score_elo_is_compressed_by_the_first_move_and_the_model_is_not() -> None:
    elos = {"A": 50.0, "B": 0.0}
    rows = simulated_rows(np.random.default_rng(9), elos, advantage=300.0, nu=0.0, games=500_000)
    table = ResultTable.from_rows(rows)
    assert estimate_elo(table.versus("A", "B")).elo.value == pytest.approx(25.8, abs=1)
    assert fit_ratings(table).difference("A", "B").elo.value == pytest.approx(50, abs=1.5)


# A large, one-sided tournament with gaps


@pytest.fixture(scope="module")
def large() -> ResultTable:
    """Return 55 players over 1,600 Elo; most pairs far apart never met, many lost every game."""
    rng = np.random.default_rng(17)
    elos = {f"P{number:02}": float(rng.normal(0, 400)) for number in range(55)}
    rows = simulated_rows(rng, elos, advantage=0.0, nu=0.0, games=6)
    return ResultTable.from_rows([row for row in rows if rng.random() < 0.4])


def test_a_large_tournament_converges_and_scores_as_expected(large: ResultTable) -> None:
    ratings = fit_ratings(large, advantage=False)
    assert len(ratings.reference) == len(large.names) == 55
    assert ratings.fit.gradient < 1e-5
    elos = np.array([rating.value for rating in ratings.ratings])
    expected = 1 / (1 + 10 ** ((elos[np.newaxis, :] - elos[:, np.newaxis]) / 400))
    games = large.games + large.games.T
    won = (large.wins + large.losses.T).sum(axis=1)
    assert (games * expected).sum(axis=1) == pytest.approx(won, abs=1e-5)


def test_a_large_tournament_is_ranked_as_its_results_imply(large: ResultTable) -> None:
    order = fit_ratings(large, advantage=False).order()
    # Where one of two players won more of their games, it is nearly always the one above.
    won_more = [
        wins > losses
        for place, first in enumerate(order)
        for second in order[place + 1 :]
        for losses, _, wins in [large.versus(first, second)]
        if wins != losses
    ]
    assert np.mean(won_more) > 0.85


def test_copies_forbid_intervals_where_they_are_many_of_a_players_own_games():
    games = np.full((4, 4), 50) - np.diag(np.full(4, 50))
    distinct = games.copy()
    distinct[0, 1] = 35  # 15 copies among 300 games of each of the two
    table = ResultTable(tuple("abcd"), games // 2, 0 * games, games - games // 2, distinct)
    refused, warnings = copies_in(table)
    assert not refused
    assert warnings == ["a - b: only 85 of 100 games are distinct; the others are copies"]
    distinct[0, 1:] = 35  # 45 among the 300 of the first
    assert copies_in(replace(table, distinct=distinct))[0]
