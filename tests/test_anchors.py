"""Ratings with some players held at a number: oracle, laws, bounds, contradictions."""

import numpy as np
import pytest
from scipy.optimize import minimize
from test_ratings import FOUR, KNOWN, MIXED, SWEEP, fit, slow_log_likelihood

from gomoku_lab.stats.fit import fit_ratings


def test_one_player_held_moves_everybody_by_the_same() -> None:
    free, held = fit_ratings(FOUR), fit_ratings(FOUR, anchors={"C": 1500})
    assert held.rating("C").value == 1500
    assert held.rating("C").standard_error == 0
    for name in "ABD":
        moved = (held.rating(name).value or 0) - 1500
        assert moved == pytest.approx(free.difference(name, "C").elo.value)
        errors = held.rating(name).standard_error, free.difference(name, "C").elo.standard_error
        assert errors[0] == pytest.approx(errors[1])
    assert held.negative_log_likelihood == pytest.approx(free.negative_log_likelihood)
    assert held.reference == ()
    assert held.anchors == {"C": 1500}


def test_several_players_held_give_the_likeliest_of_the_others() -> None:
    held = fit_ratings(FOUR, anchors={"A": 300, "D": 20})

    def loss(x: np.ndarray) -> float:
        elos = {"A": 300.0, "B": x[0], "C": x[1], "D": 20.0}
        return -slow_log_likelihood(KNOWN["rows"], elos, x[2], float(np.exp(x[3])))

    start = np.array([200.0, 100.0, 50.0, -1.0])
    answer = minimize(loss, start, method="Nelder-Mead", options={"maxiter": 4000, "fatol": 1e-11})
    assert held.rating("B").value == pytest.approx(answer.x[0], abs=0.02)
    assert held.rating("C").value == pytest.approx(answer.x[1], abs=0.02)
    assert held.advantage is not None
    assert held.advantage.value == pytest.approx(answer.x[2], abs=0.02)
    assert held.negative_log_likelihood == pytest.approx(answer.fun, abs=1e-6)
    assert (held.rating("A").value, held.rating("D").value) == (300, 20)
    between = held.difference("A", "D")
    assert (between.elo.value, between.elo.standard_error) == (280, 0)


def test_what_is_held_makes_the_others_more_certain() -> None:
    one, two = fit_ratings(FOUR, anchors={"D": 0}), fit_ratings(FOUR, anchors={"A": 316, "D": 0})
    for name in "BC":
        assert (two.rating(name).standard_error or 0) < (one.rating(name).standard_error or 0)
    assert two.covariance[0].tolist() == [0, 0, 0, 0]


def test_held_ratings_that_the_games_contradict_are_reported() -> None:
    assert fit_ratings(FOUR, anchors={"A": 316, "D": 0}).warnings == ()
    (warning,) = fit_ratings(FOUR, anchors={"A": 0, "D": 0}).warnings
    assert "the games contradict the ratings that are held" in warning
    assert "p < 0.0001" in warning


def test_a_sweep_against_a_held_player_is_a_bound_above_it() -> None:
    plain = fit(SWEEP).difference("S", "A").elo.low
    held = fit(SWEEP, anchors={"A": 1000})
    assert held.rating("S").low == pytest.approx(1000 + (plain or 0))
    los = fit(SWEEP + MIXED, anchors={"S": 1000, "B": 0}).difference("S", "A").los
    assert los is not None


def test_superiority_over_a_held_player_is_counted_from_its_rating() -> None:
    held = fit_ratings(FOUR, anchors={"A": 316, "D": 0})
    difference = held.difference("B", "D")
    ratio = (difference.elo.value or 0) / (difference.elo.standard_error or 1)
    assert ratio > 4
    assert difference.los == pytest.approx(1, abs=1e-4)
    assert held.difference("A", "D").los is None


@pytest.mark.parametrize(
    ("anchors", "message"),
    [
        ({"X": 0.0}, "player must be one of A, B, C, D: 'X'"),
        ({"A": float("inf")}, "the rating at which A is held must be a number: inf"),
    ],
)
def test_anchors_that_are_none_are_refused(anchors: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fit_ratings(FOUR, anchors=anchors)
