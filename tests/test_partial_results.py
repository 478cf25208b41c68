"""Results of which something is not known: who moved first, or how many games were drawn.

The oracles share nothing with the package: fixed-point iterations of R. R. Davidson (JASA 65,
1970) and D. R. Hunter (Annals of Statistics 32, 2004), and a likelihood written out by hand.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from gomoku_lab.stats.fit import fit_ratings
from gomoku_lab.stats.results import ResultTable

NAMES = ("A", "B", "C", "D")
UNIT = 400 / math.log(10)


def bradley_terry(rows, names, rounds=2000):
    """Return Elo around their mean by Hunter's MM iteration; rows are (a, b, wins, losses)."""
    place = {name: at for at, name in enumerate(names)}
    won = np.zeros(len(names))
    met = np.zeros((len(names), len(names)))
    for first, second, wins, losses in rows:
        i, j = place[first], place[second]
        won[i] += wins
        won[j] += losses
        met[i, j] += wins + losses
        met[j, i] += wins + losses
    strength = np.ones(len(names))
    for _ in range(rounds):
        strength = won / (met / (strength[:, None] + strength[None, :])).sum(axis=1)
        strength /= np.exp(np.log(strength).mean())
    return dict(zip(names, UNIT * np.log(strength), strict=True))


def davidson(rows, names, rounds=2000):
    """Return Elo around their mean, and nu, by Davidson's iteration, without colours."""
    place = {name: at for at, name in enumerate(names)}
    points = np.zeros(len(names))
    met = np.zeros((len(names), len(names)))
    ties = 0
    for first, second, wins, draws, losses in rows:
        i, j = place[first], place[second]
        points[i] += 2 * wins + draws
        points[j] += 2 * losses + draws
        met[i, j] += wins + draws + losses
        met[j, i] += wins + draws + losses
        ties += draws
    strength, nu = np.ones(len(names)), 1.0
    for _ in range(rounds):
        root = np.sqrt(strength[:, None] * strength[None, :])
        whole = strength[:, None] + strength[None, :] + nu * root
        share = met * (2 + nu * np.sqrt(strength[None, :] / strength[:, None])) / whole
        strength = points / share.sum(axis=1)
        strength /= np.exp(np.log(strength).mean())
        root = np.sqrt(strength[:, None] * strength[None, :])
        whole = strength[:, None] + strength[None, :] + nu * root
        nu = ties / (met * root / whole).sum() * 2
    return dict(zip(names, UNIT * np.log(strength), strict=True)), nu


def by_hand(kinds, names):
    """Return parameters and their covariance from a likelihood written out row by row.

    `kinds` maps (has_colours, has_draws) to rows (first, second, wins, draws, losses). The
    parameters are the ratings relative to the last player's, the advantage and ln(nu).
    """
    place = {name: at for at, name in enumerate(names)}

    def cost(theta):
        elo = np.append(theta[: len(names) - 1], 0.0)
        advantage, nu = theta[-2], math.exp(theta[-1])
        total = 0.0
        for (has_colours, has_draws), rows in kinds.items():
            for first, second, wins, draws, losses in rows:
                x = elo[place[first]] - elo[place[second]] + (advantage if has_colours else 0.0)
                win, loss, draw = math.exp(x / 2), math.exp(-x / 2), nu if has_draws else 0.0
                whole = win + loss + draw
                total -= wins * math.log(win / whole) + losses * math.log(loss / whole)
                total -= draws * math.log(draw / whole) if draws else 0.0
        return total

    found = minimize(cost, np.zeros(len(names) + 1), method="BFGS", options={"gtol": 1e-7}).x
    return found, np.linalg.inv(curvature(cost, found))


def curvature(cost, place, step=1e-3):
    """Return the second derivatives of `cost` by differences."""
    steps = step * np.eye(len(place))
    return np.array(
        [
            [
                sum(s * t * cost(place + s * one + t * other) for s in (1, -1) for t in (1, -1))
                / (4 * step**2)
                for other in steps
            ]
            for one in steps
        ]
    )


def counts(low):
    return st.tuples(*[st.integers(low, 30)] * 3)


def rows_from(numbers):
    met = [(a, b) for i, a in enumerate(NAMES) for b in NAMES[i + 1 :]]
    return [(*pair, *three) for pair, three in zip(met, numbers, strict=True)]


@settings(max_examples=25, deadline=None)
@given(st.lists(counts(1), min_size=6, max_size=6))
def test_without_colours_and_draws_the_ratings_are_those_of_bradley_and_terry(numbers):
    rows = [(a, b, wins, 0, losses) for a, b, wins, _, losses in rows_from(numbers)]
    ratings = fit_ratings(ResultTable.from_rows(rows, has_colours=False, has_draws=False))
    wanted = bradley_terry([(a, b, wins, losses) for a, b, wins, _, losses in rows], NAMES)
    assert wanted == pytest.approx(
        {name: ratings.rating(name).value for name in NAMES}, abs=1e-3, rel=1e-6
    )
    assert ratings.advantage is None
    assert ratings.nu is ratings.draw_rate is None


@settings(max_examples=25, deadline=None)
@given(st.lists(counts(1), min_size=6, max_size=6))
def test_without_colours_the_ratings_are_those_of_davidson(numbers):
    rows = rows_from(numbers)
    ratings = fit_ratings(ResultTable.from_rows(rows, has_colours=False))
    wanted, nu = davidson(rows, NAMES)
    assert wanted == pytest.approx(
        {name: ratings.rating(name).value for name in NAMES}, abs=1e-3, rel=1e-6
    )
    assert nu == pytest.approx(ratings.nu, rel=1e-6)
    assert ratings.advantage is None


def test_results_of_all_kinds_are_fitted_together():
    rng = np.random.default_rng(5)
    numbers = rng.integers(1, 25, size=(3, 6, 3)).tolist()
    full, colourless, decided = (rows_from(part) for part in numbers)
    decided = [(a, b, wins, 0, losses) for a, b, wins, _, losses in decided]
    kinds = {(True, True): full, (False, True): colourless, (False, False): decided}
    tables = {
        kind: ResultTable.from_rows(rows, names=NAMES, has_colours=kind[0], has_draws=kind[1])
        for kind, rows in kinds.items()
    }
    first, *others = tables.values()
    table = ResultTable(NAMES, first.wins, first.draws, first.losses, apart=tuple(others))
    ratings = fit_ratings(table, anchors={"D": 0})
    theta, covariance = by_hand(kinds, NAMES)
    found = [*(ratings.rating(name).value for name in "ABC"), ratings.advantage.value]
    assert UNIT * theta[:4] == pytest.approx(found, abs=1e-2)
    assert math.exp(theta[4]) == pytest.approx(ratings.nu, rel=1e-4)
    errors = [*(ratings.rating(name).standard_error for name in "ABC")]
    errors.append(ratings.advantage.standard_error)
    assert UNIT * np.sqrt(np.diag(covariance))[:4] == pytest.approx(errors, rel=1e-4)


@settings(max_examples=50, deadline=None)
@given(st.lists(counts(0), min_size=6, max_size=6), st.integers(0, 2**6 - 1))
def test_without_colours_the_order_of_two_players_means_nothing(numbers, turned):
    rows = [
        (b, a, losses, draws, wins) if turned >> at & 1 else (a, b, wins, draws, losses)
        for at, (a, b, wins, draws, losses) in enumerate(rows_from(numbers))
    ]
    tables = [
        ResultTable.from_rows(some, names=NAMES, has_colours=False)
        for some in (rows_from(numbers), rows)
    ]
    if len(tables[0].groups()) > 1:
        return
    one, other = map(fit_ratings, tables)
    for name in NAMES:
        assert one.rating(name).value == pytest.approx(other.rating(name).value, abs=1e-6)
        assert tables[0].totals(name) == tables[1].totals(name)


def test_draws_that_were_not_counted_leave_the_draw_rate_to_those_that_were():
    full = ResultTable.from_rows([("A", "B", 30, 20, 25), ("B", "A", 30, 20, 25)])
    decided = ResultTable.from_rows([("A", "B", 300, 0, 300)], has_colours=False, has_draws=False)
    alone = fit_ratings(full)
    both = fit_ratings(ResultTable(*_fields(full), apart=(decided,)))
    assert both.draw_rate == pytest.approx(alone.draw_rate, abs=1e-3)
    assert both.rating("A").standard_error < alone.rating("A").standard_error


def test_a_sweep_without_colours_is_a_bound():
    table = ResultTable.from_rows(
        [("A", "B", 24, 0, 0), ("B", "C", 14, 0, 10)], has_colours=False, has_draws=False
    )
    ratings = fit_ratings(table)
    assert ratings.rating("A").value is None
    assert ratings.rating("A").low > 0
    assert ratings.rating("B").value is not None


def test_results_apart_link_players_and_count_in_totals_but_not_by_colour():
    decided = ResultTable.from_rows(
        [("B", "C", 2, 0, 1)], names="ABC", has_colours=False, has_draws=False
    )
    full = ResultTable.from_rows([("A", "B", 1, 1, 0), ("B", "A", 0, 0, 2)], names="ABC")
    table = ResultTable(*_fields(full), apart=(decided,))
    assert [("A", "B", "C")] == table.groups()
    assert (1, 0, 2) == table.versus("B", "C")
    assert (4, 1, 2) == table.totals("B")
    assert ((2, 0, 0), (1, 1, 0)) == table.by_colour("B")
    assert [[0, 4, 0], [4, 0, 3], [0, 3, 0]] == table.played.tolist()


def test_draws_among_results_without_draws_are_refused():
    with pytest.raises(ValueError, match="draws were not counted, but there are 2"):
        ResultTable.from_rows([("A", "B", 1, 2, 3)], has_draws=False)


def test_results_apart_of_other_players_are_refused():
    one, other = (ResultTable.from_rows([("A", name, 1, 0, 3)]) for name in "BC")
    with pytest.raises(ValueError, match="plain tables of the same players"):
        ResultTable(*_fields(one), apart=(other,))


def _fields(table):
    return table.names, table.wins, table.draws, table.losses
