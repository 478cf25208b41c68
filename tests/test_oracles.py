"""Other people's programs as oracles: choix, statsmodels, mache and arenakit, where they apply."""

from typing import Any

import arenakit
import choix
import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from mache import match_estimate, rating_estimate
from scipy.stats import t
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint
from test_clusters import grouped, played
from test_ratings import KNOWN, fit, random_rows

from gomoku_lab.stats.clusters import Clusters, Game, units_of
from gomoku_lab.stats.colours import colour_scores
from gomoku_lab.stats.elo import ELO_PER_UNIT
from gomoku_lab.stats.fit import fit_ratings
from gomoku_lab.stats.separation import separate
from gomoku_lab.stats.sprt import log_likelihood_ratio

FIVE = {"A": 150.0, "B": 60.0, "C": 40.0, "D": 0.0, "E": -120.0}


def undrawn(rng: np.random.Generator, names: str) -> list[tuple[str, str, int, int, int]]:
    """Return a round robin without draws, in which everybody wins and loses."""
    return [(a, b, w + d, 0, n) for a, b, w, d, n in random_rows(rng, names)]


# Ratings


def test_choix_finds_the_same_strengths_without_draws_and_colours() -> None:
    rows = undrawn(np.random.default_rng(1), "ABCDE")
    wins = []
    for first, second, won, _, lost in rows:
        i, j = "ABCDE".index(first), "ABCDE".index(second)
        wins += [(i, j)] * won + [(j, i)] * lost
    theirs = ELO_PER_UNIT * choix.opt_pairwise(5, wins)
    ours = [rating.value for rating in fit(rows, advantage=False).ratings]
    assert ours == pytest.approx(theirs - np.mean(theirs), abs=0.05)


def logit(games: list[Game], names: tuple[str, ...], **options: Any) -> Any:
    """Fit win against loss of the first mover on the players, the last one held at 0."""
    design = np.zeros((len(games), len(names)))
    for row, (_, first, second, _) in enumerate(games):
        for name, sign in ((first, 1), (second, -1)):
            if name != names[-1]:
                design[row, names.index(name)] = sign
        design[row, -1] = 1
    won = np.array([outcome == 0 for *_, outcome in games], dtype=float)
    return sm.Logit(won, design).fit(disp=0, **options)


def test_statsmodels_finds_the_same_ratings_and_the_same_errors() -> None:
    games = played(np.random.default_rng(2), FIVE, 40, draws=0.0)
    table, _ = grouped(games)
    ours = fit_ratings(table, anchors={table.names[-1]: 0.0})
    theirs = logit(games, table.names)
    assert ours.advantage is not None
    values = [*(rating.value for rating in ours.ratings[:-1]), ours.advantage.value]
    errors = [rating.standard_error for rating in ours.ratings[:-1]]
    assert values == pytest.approx(ELO_PER_UNIT * theirs.params, abs=1e-3)
    assert [*errors, ours.advantage.standard_error] == pytest.approx(
        ELO_PER_UNIT * theirs.bse, rel=1e-4
    )
    assert ours.negative_log_likelihood == pytest.approx(-theirs.llf)


def test_statsmodels_finds_the_same_errors_from_clusters() -> None:
    games = played(np.random.default_rng(3), FIVE, 400, draws=0.0, bias=250, suits=80)
    table, clusters = grouped(games)
    ours = fit_ratings(table, clusters=clusters, anchors={table.names[-1]: 0.0})
    groups = {"groups": clusters.cluster, "use_correction": True}
    theirs = logit(games, table.names, cov_type="cluster", cov_kwds=groups)
    assert ours.advantage is not None
    errors = [rating.standard_error for rating in ours.ratings[:-1]]
    # Ours lean by one in a hundred towards the model's own.
    assert [*errors, ours.advantage.standard_error] == pytest.approx(
        ELO_PER_UNIT * theirs.bse, rel=0.01
    )


def test_mache_places_one_player_among_held_ones_where_we_do() -> None:
    ladder = {"B": 2000.0, "C": 1900.0, "D": 2150.0}
    results = {"B": (20, 6, 14), "C": (25, 5, 10), "D": (9, 8, 23)}
    pairings = [(name, ladder[name], *results[name]) for name in ladder]
    theirs, _ = rating_estimate.fit(pairings)
    rows = [("A", name, *results[name]) for name in ladder]
    ours = fit(rows, model="half-point", advantage=False, anchors=ladder)
    assert ours.rating("A").value == pytest.approx(theirs.rating, abs=0.01)


def test_arenakits_rao_kupper_orders_and_spaces_the_players_as_davidson_does() -> None:
    battles = []
    for first, second, *counts in KNOWN["rows"]:
        for winner, times in zip(("a", "tie", "b"), counts, strict=True):
            battles += [arenakit.Battle(model_a=first, model_b=second, winner=winner)] * times
    arena = arenakit.Arena(battles)
    theirs = arenakit.fit_rao_kupper(arena.counts(), prior=0.0)
    ours = fit(KNOWN["rows"], advantage=False)
    gaps = ELO_PER_UNIT * (theirs.scores - theirs.scores[-1])
    values = [ours.difference(name, "D").elo.value for name in "ABC"]
    # The two models scale differently where games are drawn; the order is one.
    assert arena.models == ["A", "B", "C", "D"]
    ratios = np.array(values, dtype=float) / gaps[:3]
    assert np.ptp(ratios) < 0.05
    assert np.all((ratios > 1) & (ratios < 1.25))


# Separation


def test_arenakit_finds_about_the_same_critical_value_and_the_same_verdicts() -> None:
    games = played(np.random.default_rng(4), FIVE, 60, draws=0.0, suits=60)
    table, clusters = grouped(games)
    ratings = fit_ratings(table, clusters=clusters, advantage=False)
    ours = separate(ratings, units_of(table, clusters))
    battles = [
        arenakit.Battle(
            model_a=a, model_b=b, winner="a" if outcome == 0 else "b", item_id=str(item)
        )
        for item, a, b, outcome in games
    ]
    arena = arenakit.Arena(battles, models=list(table.names))
    resampled = arenakit.bootstrap(arena, n_resamples=400, seed=1, cluster="item")
    theirs = arenakit.separation(resampled, arena.models)
    assert ours.neighbour_critical is not None
    # Ours is for few clusters: Student's quantile instead of the normal one.
    assert ours.neighbour_critical.value == pytest.approx(theirs.critical_simultaneous, rel=0.12)
    assert list(ours.order) == [pair["upper"] for pair in theirs.pairs] + [
        theirs.pairs[-1]["lower"]
    ]
    for one, pair in zip(ours.neighbours, theirs.pairs, strict=True):
        assert one.difference.elo.standard_error == pytest.approx(
            ELO_PER_UNIT * pair["se"], rel=0.12
        )
        if abs(pair["t"] - theirs.critical_simultaneous) > 0.5:
            assert one.is_separated == pair["resolved_simultaneous"]


def test_adjusted_p_values_lie_near_holms_of_statsmodels() -> None:
    table, clusters = grouped(played(np.random.default_rng(5), FIVE, 80))
    found = separate(fit_ratings(table, clusters=clusters), units_of(table, clusters))
    degrees = fit_ratings(table, clusters=clusters).fit.degrees

    alone = [
        2
        * t.sf(
            abs((one.difference.elo.value or 0) / (one.difference.elo.standard_error or 1)), degrees
        )
        for one in found.pairs
    ]
    holm = multipletests(alone, method="holm")[1]
    bonferroni = multipletests(alone, method="bonferroni")[1]
    for one, stepped, widest, raw in zip(found.pairs, holm, bonferroni, alone, strict=True):
        assert one.p_value is not None
        assert raw - 0.002 <= one.p_value <= widest + 0.01
        if not 0.02 < stepped < 0.12:
            assert (stepped < 0.05) == (one.p_value < 0.05)


# Shares and tests


def test_the_score_of_lone_wins_and_losses_has_the_interval_of_wilson() -> None:
    wins, games = 640, 1000
    listed: list[Game] = [(i, "A", "B", 0 if i < wins else 2) for i in range(games)]
    share = colour_scores(("A", "B"), Clusters.from_games(listed, ("A", "B")))[0].black
    low, high = proportion_confint(wins, games, method="wilson")
    assert share is not None
    assert (share.low, share.high) == pytest.approx((low, high), abs=2e-4)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(0, 400), min_size=5, max_size=5).filter(lambda counts: sum(counts) > 3),
    st.sampled_from([(0, 5), (-3, 3), (0, 50), (-200, 100)]),
    st.sampled_from(["logistic", "normalized"]),
)
def test_mache_finds_the_same_likelihood_ratio(
    counts: list[int], window: tuple[float, float], model: Any
) -> None:
    theirs = match_estimate.log_likelihood_ratio(counts, *window, model)
    ours = log_likelihood_ratio(counts, elo0=window[0], elo1=window[1], model=model)
    assert ours == pytest.approx(theirs, rel=1e-6, abs=1e-6)
