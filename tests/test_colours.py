"""Scores by colour and the differences between openings: arithmetic, coverage, calibration."""

import numpy as np
import pytest
from test_clusters import ELOS, grouped, played

from gomoku_lab.stats.clusters import Clusters, Game
from gomoku_lab.stats.colours import colour_scores
from gomoku_lab.stats.fit import fit_ratings
from gomoku_lab.stats.openings import Heterogeneity, heterogeneity


def depends(games: list[Game]) -> Heterogeneity:
    table, clusters = grouped(games)
    found = heterogeneity(fit_ratings(table, clusters=clusters), clusters)
    assert found is not None
    return found


# Colours


def test_scores_by_colour_are_those_of_the_table() -> None:
    table, clusters = grouped(played(np.random.default_rng(1), ELOS, 40))
    for one in colour_scores(table.names, clusters):
        for share, (losses, draws, wins) in zip(
            (one.black, one.white), table.by_colour(one.name), strict=True
        ):
            assert share is not None
            assert share.value == pytest.approx((wins + draws / 2) / (losses + draws + wins))
            assert 0 <= (share.low or 0) < share.value < (share.high or 0) <= 1
        assert one.difference is not None
        assert one.black is not None
        assert one.white is not None
        assert one.difference.value == pytest.approx(
            (one.black.value or 0) - (one.white.value or 0)
        )


def test_the_intervals_cover_and_know_that_openings_favour_colours() -> None:
    rng = np.random.default_rng(2)
    elos = {"A": 0.0, "B": 0.0}
    samples = [played(rng, elos, 25, bias=400, draws=0.1) for _ in range(300)]
    shares = []
    for games in samples:
        table, clusters = grouped(games)
        shares.append(colour_scores(table.names, clusters)[0])
    truth = np.mean([(one.black.value if one.black else 0) or 0 for one in shares])
    gap = np.mean([(one.difference.value if one.difference else 0) or 0 for one in shares])
    covered = [
        (share.low or 0) <= value <= (share.high or 0)
        for one in shares
        for share, value in ((one.black, truth), (one.difference, gap))
        if share is not None
    ]
    assert 0.92 <= np.mean(covered) <= 0.98


def test_a_sweep_leaves_the_interval_open_to_a_loss() -> None:
    games: list[Game] = [(f"o{i}", "A", "B", 0) for i in range(20)]
    clusters = Clusters.from_games(games, ("A", "B"))
    winner, loser = colour_scores(("A", "B"), clusters)
    assert winner.black is not None
    assert (winner.black.value, winner.black.high) == (1.0, pytest.approx(1.0))
    assert winner.black.low == pytest.approx(1 / (1 + 1.96**2 / 20), abs=0.02)  # Wilson's
    assert winner.white is None
    assert winner.difference is None
    assert loser.white is not None
    assert loser.white.low == 0
    assert loser.white.high == pytest.approx(1 - (winner.black.low or 0))


def test_draws_alone_are_no_certainty() -> None:
    games: list[Game] = [(f"o{i}", "A", "B", 1) for i in range(10)]
    share = colour_scores(("A", "B"), Clusters.from_games(games, ("A", "B")))[0].black
    assert share is not None
    assert (share.low or 1) < 0.3
    assert (share.high or 0) > 0.7


# Openings


@pytest.mark.parametrize("openings", [15, 60])
def test_openings_that_are_alike_are_called_different_as_seldom_as_promised(openings: int) -> None:
    rng = np.random.default_rng(3)
    p_values = [depends(played(rng, ELOS, openings)).p_value for _ in range(200)]
    assert np.mean(np.array(p_values) < 0.05) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)
    assert np.mean(np.array(p_values) < 0.5) == pytest.approx(0.5, abs=0.13)


def test_openings_that_favour_colours_are_found_and_the_worst_come_first() -> None:
    games = played(np.random.default_rng(4), ELOS, 50, bias=300)
    found = depends(games)
    assert found.p_value < 1e-6
    assert found.dispersion > 1.5
    residuals = [abs(one.residual) for one in found.openings]
    assert residuals == sorted(residuals, reverse=True)
    worst = found.openings[0]
    own = [outcome for label, _, _, outcome in games if label == worst.label]
    assert worst.games == len(own) == 6
    assert worst.score == pytest.approx(np.mean([1 - outcome / 2 for outcome in own]))
    assert worst.p_value <= found.openings[-1].p_value <= 1
    assert len(found.to_dict(5)["most_one_sided"]) == 5


def test_pairs_that_the_same_colour_always_wins_depend_on_the_opening() -> None:
    games: list[Game] = [
        (f"o{i}", *who, 2 * (i % 2)) for i in range(30) for who in (("A", "B"), ("B", "A"))
    ]
    assert depends(games).p_value < 1e-3


def test_one_opening_tells_nothing() -> None:
    games: list[Game] = [("o", "A", "B", 0), ("o", "B", "A", 0), ("o", "A", "B", 2)]
    table, clusters = grouped(games)
    assert heterogeneity(fit_ratings(table), clusters) is None
