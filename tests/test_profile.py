"""Intervals of ratings that rest on few results: an independent likelihood, and laws."""

from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar
from scipy.special import xlogy

from gomoku_lab.stats.clusters import Clusters
from gomoku_lab.stats.elo import ELO_PER_UNIT
from gomoku_lab.stats.estimate import normal_quantile
from gomoku_lab.stats.fit import fit_ratings
from gomoku_lab.stats.profile import ENOUGH, effective, jeffreys
from gomoku_lab.stats.results import ResultTable

FEW = [("A", "B", 28, 0, 2), ("B", "A", 7, 0, 23)]
"""A lost twice as first mover and seven times as second one."""


def halves(log_odds: float, wins: float, losses: float) -> float:
    """Return the log-likelihood of a binomial with Jeffreys' prior: half a result more of each."""
    chance = 1 / (1 + np.exp(-log_odds))
    return float(xlogy(wins + 0.5, chance) + xlogy(losses + 0.5, 1 - chance))


def slow_end(side: int, *, advantage: bool = False, confidence: float = 0.95) -> float:
    """Return an end in Elo of the difference of A and B, or of the advantage, in `FEW`."""
    # Black's and White's log-odds are independent: difference + advantage, difference - advantage.
    black, white = (28.0, 2.0), (23.0, 7.0)
    best = sum(np.log((won + 0.5) / (lost + 0.5)) for won, lost in (black, white)) / 2
    if advantage:
        best = np.log(28.5 / 2.5) - best

    def profile(value: float) -> float:
        def cost(other: float) -> float:
            level, gain = (other, value) if advantage else (value, other)
            return -halves(level + gain, *black) - halves(level - gain, *white)

        return -minimize_scalar(
            cost, bounds=(-9, 9), method="bounded", options={"xatol": 1e-10}
        ).fun

    fall = normal_quantile(confidence) ** 2 / 2
    top = profile(best)
    return ELO_PER_UNIT * brentq(lambda v: profile(v) - top + fall, best, best + 4 * side)


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_two_players_have_the_interval_of_half_a_result_more_of_each(confidence):
    ratings = fit_ratings(ResultTable.from_rows(FEW), confidence=confidence)
    for found, advantage in ((ratings.difference("A", "B").elo, False), (ratings.advantage, True)):
        ends = [slow_end(side, advantage=advantage, confidence=confidence) for side in (-1, 1)]
        assert [found.low, found.high] == pytest.approx(ends, abs=1e-3)
        assert found.error == pytest.approx((ends[1] - ends[0]) / 2, abs=1e-3)


def test_the_probability_to_be_stronger_is_where_the_interval_would_reach_0():
    rows = [("A", "B", 13, 0, 2), ("B", "A", 9, 0, 6)]
    plain = fit_ratings(ResultTable.from_rows(rows)).difference("A", "B")
    assert plain.los is not None
    touching = fit_ratings(ResultTable.from_rows(rows)).difference(
        "B", "A", confidence=abs(2 * plain.los - 1)
    )
    ends = (touching.elo.low, touching.elo.high)
    assert min(abs(end) for end in ends if end is not None) == pytest.approx(0, abs=1e-5)
    assert touching.los == pytest.approx(1 - plain.los)


def test_many_results_have_the_normal_interval():
    rows = [(first, second, 40, 12, 30) for first, second in permutations("ABC", 2)]
    elo = fit_ratings(ResultTable.from_rows(rows)).difference("A", "B").elo
    assert elo.standard_error is not None
    error = normal_quantile(0.95) * elo.standard_error
    assert (elo.low, elo.high) == pytest.approx((-error, error))


def test_what_the_prior_adds_is_the_slope_of_the_determinant():
    rng = np.random.default_rng(5)
    rows = [
        (first, second, *(int(n) for n in rng.multinomial(9, [0.5, 0.2, 0.3])))
        for first, second in permutations("ABCD", 2)
    ]
    fit = fit_ratings(ResultTable.from_rows(rows)).fit
    basis = np.linalg.svd(fit.null.T, full_matrices=True)[2][fit.null.shape[1] :].T

    def log_root(moved: np.ndarray) -> float:
        at = type(fit)(fit.model, fit.reduced, fit.theta + basis @ moved, *([None] * 5))
        return 0.5 * float(np.linalg.slogdet(basis.T @ at.information @ basis)[1])

    steps = 1e-5 * np.eye(basis.shape[1])
    slopes = [(log_root(step) - log_root(-step)) / 2e-5 for step in steps]
    added, (_, centred) = jeffreys(fit), fit.choices()
    assert np.einsum("ck,ckp->p", added, centred) @ basis == pytest.approx(slopes, abs=1e-6)


def test_effective_results_count_equal_ones_and_forget_small_ones():
    assert effective(np.array([2.0, -2.0, 2.0]), np.array([1, 1, 5])) == pytest.approx(7)
    assert effective(np.array([1.0, 1e-3]), np.array([3, 50])) == pytest.approx(3, rel=1e-3)
    assert effective(np.zeros(2), np.array([3, 50])) == 0 < ENOUGH


def grouped(rows, alike):
    """Return the results, with games of the same row in clusters of so many that ended alike."""
    table = ResultTable.from_rows(rows)
    games, opening = [], 0
    for first, second, *counts in rows:
        for outcome, count in enumerate(counts):
            for game in range(count):
                games.append((opening + game // alike, first, second, outcome))
            opening += -(-count // alike)
    return table, Clusters.from_games(games, table.names)


def test_games_that_end_alike_make_the_interval_wider():
    rows = [("A", "B", 56, 0, 4), ("B", "A", 14, 0, 46)]
    table, clusters = grouped(rows, 2)
    alike, each = fit_ratings(table, clusters=clusters), fit_ratings(table)
    for one in ("difference", "advantage"):
        wide, narrow = (
            fit.difference("A", "B").elo if one == "difference" else fit.advantage
            for fit in (alike, each)
        )
        assert 1.2 < wide.error / narrow.error < 1.6  # the root of 2, less what is known


def test_an_interval_that_is_lopsided_is_written_out():
    ratings = fit_ratings(ResultTable.from_rows([("A", "B", 40, 0, 1), ("B", "A", 2, 0, 39)]))
    elo = ratings.difference("A", "B").elo
    assert elo.value is not None
    assert elo.low is not None
    assert elo.high is not None
    # The estimate leans outwards, and the interval leans back.
    assert elo.value - elo.low > 1.2 * (elo.high - elo.value)
    assert elo.plus_minus().startswith(f"{elo.value:+.1f} [")


def test_a_player_with_few_losses_has_an_interval_beside_one_who_lost_none():
    rows = [("S", "A", 20, 0, 0), ("A", "S", 0, 0, 20), ("A", "B", 19, 0, 1), ("B", "A", 2, 0, 18)]
    ratings = fit_ratings(ResultTable.from_rows(rows))
    assert ratings.rating("S").value is None
    elo = ratings.difference("A", "B").elo
    assert elo.low is not None
    assert elo.high is not None
    alone = fit_ratings(ResultTable.from_rows(rows[2:])).difference("A", "B").elo
    assert (elo.low, elo.high) == pytest.approx((alone.low, alone.high), rel=0.1)


def test_the_interval_holds_a_normal_share_of_a_normal_likelihood():
    rng = np.random.default_rng(1)
    truth, held = 300 / ELO_PER_UNIT, 0
    chance = 1 / (1 + np.exp(-truth))
    for wins in rng.binomial(40, chance, size=200):
        elo = (
            fit_ratings(
                ResultTable.from_rows([("A", "B", int(wins), 0, 40 - int(wins))]), advantage=False
            )
            .difference("A", "B")
            .elo
        )
        low, high = elo.low or -np.inf, elo.high or np.inf
        held += low <= 300 <= high
    assert 0.91 <= held / 200 <= 0.985
