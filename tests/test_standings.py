"""From runs to the final table: counting, merging, ordering, verdicts and doubts."""

import itertools
import json
import random
import shutil
from dataclasses import replace

import jsonschema
import numpy as np
import pytest
from made_runs import made_run, player
from scipy.stats import norm

from gomoku_lab.arena.rate import rate_runs
from gomoku_lab.arena.store import RunError, RunWriter, load_run
from gomoku_lab.arena.tally import tally_runs
from gomoku_lab.game.rules import Rule
from gomoku_lab.game.schemas import load_schema
from gomoku_lab.stats.clusters import Clusters
from gomoku_lab.stats.elo import estimate_elo
from gomoku_lab.stats.fit import fit_ratings
from gomoku_lab.stats.results import ResultTable
from gomoku_lab.stats.sprt import Hypotheses

CLEAR = {("weak", "strong"): "LL " * 28 + "WL WD", ("weak", "mid"): "LL " * 20 + "WL " * 10}
CLEAR[("strong", "mid")] = "WW " * 20 + "WL " * 9 + "LL"


SPECS = [player(name, salt) for salt, name in enumerate("abcd")]


def random_results(seed, names="abcd", pairs=15):
    chance = random.Random(seed)
    return {
        met: " ".join("".join(chance.choices("WWDL", k=2)) for _ in range(pairs))
        for met in itertools.combinations(names, 2)
    }


def naive_table(run):
    """Count results without any of the code under test."""
    rows = []
    for game in run.games():
        counts = [game.result == "black", game.result == "draw", game.result == "white"]
        rows.append((game.black.name, game.white.name, *map(int, counts)))
    return ResultTable.from_rows(rows, names=[ref.name for ref in run.config.refs])


def naive_clusters(run):
    """Group the games by the names of their openings."""
    games = [
        (
            game.opening,
            game.black.name,
            game.white.name,
            ("black", "draw", "white").index(game.result),
        )
        for game in run.games()
    ]
    return Clusters.from_games(games, tuple(ref.name for ref in run.config.refs))


def row_of(standings, name):
    return next(row for row in standings.rows if row.name == name)


def test_players_stand_from_strongest_to_weakest(tmp_path):
    standings = rate_runs([made_run(tmp_path, CLEAR)])
    assert ("strong", "mid", "weak") == standings.names
    assert [1, 2, 3] == [row.place for row in standings.rows]


def test_results_are_counted_by_colour(tmp_path):
    standings = rate_runs([made_run(tmp_path, {("a", "b"): "WL WD DL LW"})])
    first = row_of(standings, "a")
    assert (1, 1, 2) == first.black
    assert (2, 1, 1) == first.white
    assert (3, 2, 3) == first.counts
    assert (8, 0.5, 0.25) == (first.games, first.score, first.draw_share)
    assert (2, 2, 4) == tuple(np.add(first.black, row_of(standings, "b").black)[[0, 1, 2]])
    assert standings.black == (2, 2, 4)


@pytest.mark.parametrize("seed", range(4))
def test_ratings_are_those_of_a_naive_count(tmp_path, seed):
    run = made_run(tmp_path, random_results(seed))
    standings = rate_runs([run])
    fit = fit_ratings(naive_table(run), clusters=naive_clusters(run))
    for row in standings.rows:
        assert row.rating.value == pytest.approx(fit.rating(row.name).value)
        assert row.rating.error == pytest.approx(fit.rating(row.name).error)
    assert standings.advantage.value == pytest.approx(fit.advantage.value)
    assert list(standings.names) == fit.order()


@pytest.mark.parametrize("seed", range(4))
def test_a_pairing_is_the_pentanomial_count_from_the_upper_players_side(tmp_path, seed):
    run = made_run(tmp_path, random_results(seed))
    standings = rate_runs([run])
    assert 6 == len(standings.pairings)
    for pairing in standings.pairings:
        counts = run.pair_counts(pairing.first, pairing.second)
        assert pairing.pairs == counts
        assert pairing.report.elo == estimate_elo(counts, distinct_games=30).elo
        assert standings.names.index(pairing.first) < standings.names.index(pairing.second)
        assert 30 == pairing.distinct == sum(pairing.counts)


@pytest.mark.parametrize("seed", range(6))
def test_separated_means_that_the_interval_of_the_difference_lies_above_0(tmp_path, seed):
    standings = rate_runs([made_run(tmp_path, random_results(seed, pairs=40))])
    for upper, lower in itertools.pairwise(standings.rows):
        gap = upper.next
        assert (upper.name, lower.name) == (gap.difference.first, gap.difference.second)
        assert gap.separated == (gap.difference.elo.low > 0)
        assert gap.verdict == ("separated" if gap.separated else "not separated")
    assert standings.rows[-1].next is None


def test_games_of_one_opening_are_one_cluster_whoever_played_them_in_whichever_run(tmp_path):
    both = [
        made_run(tmp_path / name, random_results(seed, pairs=6), specs=SPECS)
        for name, seed in (("one", 1), ("two", 2))
    ]
    tally = tally_runs(both)
    clusters = tally.clusters
    assert 6 == len(clusters.labels) == len(tally.openings)
    assert [f"made-{i}" for i in range(6)] == [tally.openings[one] for one in clusters.labels]
    assert 2 * 6 * 2 == np.sum(clusters.cluster == 3)
    clusters.check(tally.table)
    standings = rate_runs(both)
    assert "standard errors from 6 openings: games of one opening may be alike" == (
        standings.independent
    )
    assert 6 == standings.to_dict()["fit"]["clusters"]


def test_openings_that_decide_the_games_leave_the_players_together(tmp_path):
    # Whoever is Black wins with the even openings, White with the odd ones.
    standings = rate_runs([made_run(tmp_path, {("a", "b"): "WL LW " * 40})])
    elo = standings.rows[0].next.difference.elo
    independent = fit_ratings(naive_table(standings.tally.runs[0])).difference("a", "b").elo
    assert elo.standard_error < 0.4 * independent.standard_error
    assert (0, 1) == standings.separated


def test_ratings_may_be_held(tmp_path):
    run = made_run(tmp_path, CLEAR)
    free, held = rate_runs([run]), rate_runs([run], anchors={"mid": 1500})
    assert "held: mid at 1500 Elo" == held.zero
    assert "1500 by definition" == row_of(held, "mid").rating_text
    for name in ("weak", "strong"):
        gap = free.ratings.difference(name, "mid").elo
        assert row_of(held, name).rating.value == pytest.approx(1500 + gap.value)
        assert row_of(held, name).rating.error == pytest.approx(gap.error)
    with pytest.raises(ValueError, match=r"no player 'middle' \(did you mean 'mid'"):
        rate_runs([run], anchors={"middle": 0})


def test_the_games_needed_give_the_interval_its_power(tmp_path):
    standings = rate_runs([made_run(tmp_path, random_results(3, pairs=40))])
    for row in standings.rows[:-1]:
        elo, factor = row.next.difference.elo, row.next.games_factor
        shrunk = elo.standard_error / factor**0.5
        width = elo.reach or elo.error / elo.standard_error
        # Chance that value - width errors lies above 0, if the value is normal around what it is.
        # With the games needed the interval is a normal one, also where it is lopsided now.
        assert 0.8 == pytest.approx(norm.sf(0, loc=elo.value - width * shrunk, scale=shrunk))


def test_the_same_results_twice_leave_half_as_much_to_play(tmp_path):
    once, twice = random_results(5, pairs=20), {}
    for met, pairs in once.items():
        twice[met] = f"{pairs} {pairs}"
    half, whole = (
        rate_runs([made_run(tmp_path / str(len(results["a", "b"])), results)])
        for results in (once, twice)
    )
    for row, again in zip(half.rows[:-1], whole.rows[:-1], strict=True):
        # Not exactly: from more openings the standard errors are better known.
        assert row.next.games_factor / 2 == pytest.approx(again.next.games_factor, rel=0.1)


def test_where_nothing_tells_how_many_games_are_needed_it_is_unknown(tmp_path):
    swept = rate_runs([made_run(tmp_path / "swept", {("a", "b"): "WW " * 20})])
    assert "unknown" == swept.games_needed(swept.rows[0].next)
    uneven = rate_runs([made_run(tmp_path / "uneven", {**CLEAR, ("strong", "mid"): "WW WL LL"})])
    assert uneven.games_a_pairing is None
    assert uneven.games_needed(uneven.rows[0].next).endswith(" times as many")


def test_clear_results_separate_and_a_tie_does_not(tmp_path):
    clear = rate_runs([made_run(tmp_path / "clear", CLEAR)])
    assert (2, 2) == clear.separated
    tie = rate_runs([made_run(tmp_path / "tie", {("a", "b"): "WL LW DD WL " * 5})])
    assert (0, 1) == tie.separated
    assert 0 == pytest.approx(tie.rows[0].next.difference.elo.value)


def test_a_player_that_won_everything_has_a_bound_and_is_separated_by_it(tmp_path):
    results = {("a", "b"): "WW " * 20, ("a", "c"): "WW " * 20, ("b", "c"): "WL LW WD " * 5}
    standings = rate_runs([made_run(tmp_path, results)])
    top = standings.rows[0]
    assert "a" == top.name
    assert top.rating.value is None
    assert top.rating_text == f"> {top.rating.low:+.1f}"
    assert top.next.separated
    assert "no finite rating, at most a bound, for: a" in standings.warnings
    assert "0 Elo is the mean of b, c" == standings.zero


def test_a_lone_reference_is_0_by_definition_not_by_measurement(tmp_path):
    standings = rate_runs([made_run(tmp_path, {("a", "b"): "WW " * 20})])
    texts = {row.rating_text for row in standings.rows}
    assert "0 by definition" in texts
    assert standings.rows[0].next.separated


def test_where_black_won_every_game_its_advantage_is_a_bound_or_unknown(tmp_path):
    honest = rate_runs([made_run(tmp_path / "honest", {("a", "b"): "WL " * 20})])
    assert honest.advantage_text.startswith("first-move advantage in Elo: > +")
    copied = rate_runs([made_run(tmp_path / "copied", {("a", "b"): "WL " * 20}, copies=True)])
    assert "first-move advantage in Elo: unknown" == copied.advantage_text
    assert not honest.rows[0].next.separated


def test_one_swept_pair_separates_nothing(tmp_path):
    standings = rate_runs([made_run(tmp_path, {("a", "b"): "WW"})])
    assert "not separated" == standings.rows[0].next.verdict


def test_copies_of_games_get_no_interval_and_no_verdict(tmp_path):
    standings = rate_runs([made_run(tmp_path, {("a", "b"): "WL WW LW " * 10}, copies=True)])
    assert (60, 4) == (standings.tally.games, standings.distinct_games)
    assert "a - b: only 4 of 60 games are distinct; the others are copies" in standings.warnings
    gap = standings.rows[0].next
    assert gap.separated is None
    assert gap.verdict == "undecided: too many copies"
    for estimate in (
        gap.difference.elo,
        standings.rows[0].rating,
        standings.pairings[0].report.elo,
    ):
        assert (None, None) == (estimate.low, estimate.high)
    assert gap.difference.los is standings.pairings[0].report.los is None


def test_a_copied_run_folder_adds_no_information(tmp_path):
    made_run(tmp_path / "one", {("a", "b"): "WL WW DD " * 5})
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    standings = rate_runs([load_run(tmp_path / "one"), load_run(tmp_path / "two")])
    assert (60, 30) == (standings.tally.games, standings.distinct_games)
    assert standings.rows[0].next.separated is None


def test_a_game_with_the_players_exchanged_is_a_copy(tmp_path):
    for mirrored, distinct in ((True, 1), (False, 2)):
        run = made_run(tmp_path / str(mirrored), {("a", "b"): "WL"}, mirrored=mirrored)
        standings = rate_runs([run])
        assert (2, distinct) == (standings.tally.games, standings.distinct_games)


def test_distinct_games_are_the_openings_and_moves_of_the_log(tmp_path):
    results = {("a", "b"): "WL WW LW " * 4, ("a", "c"): "WL DD LW"}
    run = made_run(tmp_path, results, copies=True)
    expected = {
        met: {(g.opening, g.moves) for g in run.games() if {g.black.name, g.white.name} == set(met)}
        for met in results
    }
    tally = rate_runs([run]).tally
    assert {met: len(games) for met, games in expected.items()} == {
        met: tally.distinct(*met) for met in results
    }


def test_a_deterministic_player_against_itself_plays_copies(tmp_path):
    same = [player("a", 1), player("a", 1)]
    results = {("a", "a#2"): "WL " * 20}
    standings = rate_runs([made_run(tmp_path, results, specs=same, mirrored=True)])
    assert (40, 20) == (standings.tally.games, standings.distinct_games)
    assert standings.rows[0].next.separated is None
    assert any("same configuration" in warning for warning in standings.warnings)


def test_players_that_never_met_get_no_ratings_but_keep_their_pairings(tmp_path):
    standings = rate_runs([made_run(tmp_path, {("a", "b"): "WL WW", ("c", "d"): "WW DD"})])
    assert standings.ratings is standings.advantage is standings.zero is None
    assert {("a", "b"), ("c", "d")} == set(standings.groups)
    assert all(row.rating is row.next is None for row in standings.rows)
    assert "these groups never met: a, b | c, d" in standings.warnings[-1]
    assert 2 == len(standings.pairings)
    assert (0, 0) == standings.separated


def test_games_of_several_runs_add_up(tmp_path):
    whole = random_results(7, pairs=20)
    halves = [
        {met: " ".join(pairs.split()[part]) for met, pairs in whole.items()}
        for part in (slice(0, 10), slice(10, 20))
    ]
    runs = [made_run(tmp_path / str(i), half) for i, half in enumerate(halves)]
    parts, together = rate_runs(runs), rate_runs([made_run(tmp_path / "whole", whole)])
    for row in parts.rows:
        twin = row_of(together, row.name)
        assert (twin.black, twin.white) == (row.black, row.white)
        assert twin.rating.value == pytest.approx(row.rating.value)
    assert [one.pairs for one in together.pairings] == [one.pairs for one in parts.pairings]


def test_runs_link_players_that_met_in_different_runs(tmp_path):
    one = made_run(tmp_path / "1", {("a", "b"): "WL WW LW"}, specs=[player("a", 0), player("b", 1)])
    two = made_run(tmp_path / "2", {("b", "c"): "WL WW LW"}, specs=[player("b", 1), player("c", 2)])
    assert ("a", "b", "c") == rate_runs([one, two]).names


def test_one_name_for_two_configurations_is_two_players(tmp_path):
    old, new = player("mine", 1), player("mine", 2)
    one = made_run(tmp_path / "1", {("mine", "b"): "WL WW"}, specs=[old, player("b", 0)])
    two = made_run(tmp_path / "2", {("mine", "b"): "LL LW"}, specs=[new, player("b", 0)])
    names = set(rate_runs([one, two]).names)
    assert {"b", f"mine@{old.config_hash}", f"mine@{new.config_hash}"} == names


def test_runs_under_different_rules_or_on_different_boards_are_not_added_up(tmp_path):
    free = made_run(tmp_path / "free", {("a", "b"): "WL"})
    exact = made_run(tmp_path / "exact", {("a", "b"): "WL"}, rule=Rule.STANDARD)
    small = made_run(tmp_path / "small", {("a", "b"): "WL"}, size=9)
    with pytest.raises(RunError, match=r"exact: cannot be .*its rule is standard, not freestyle"):
        rate_runs([free, exact])
    with pytest.raises(RunError, match=r"small: cannot be rated.*its size is 9, not 15"):
        rate_runs([free, small])


def test_a_run_given_twice_is_refused(tmp_path):
    run = made_run(tmp_path, {("a", "b"): "WL"})
    with pytest.raises(RunError, match="the same run is given twice"):
        rate_runs([run, load_run(tmp_path / "." / "")])


def test_a_run_without_games_is_refused(tmp_path):
    run = made_run(tmp_path / "full", {("a", "b"): "WL"})
    RunWriter.create(tmp_path / "empty", run.config).close()
    with pytest.raises(RunError, match="empty: no finished pair of games"):
        rate_runs([load_run(tmp_path / "empty")])
    with pytest.raises(RunError, match="at least one run"):
        rate_runs([])


def test_an_unfinished_run_is_rated_and_says_so(tmp_path):
    results = {("a", "b"): "WL WW LW", ("a", "c"): "WL", ("b", "c"): ""}
    standings = rate_runs([made_run(tmp_path / "half", results)])
    assert "half: not finished, 8 of 18 games played" in standings.warnings
    assert {"a", "b", "c"} == set(standings.names)


def test_players_without_games_are_named(tmp_path):
    results = {("a", "b"): "WL WW", ("a", "c"): ""}
    standings = rate_runs([made_run(tmp_path, results)])
    assert {"a", "b"} == set(standings.names)
    assert "without any finished game, so not in the table: c" in standings.warnings


def test_a_match_under_a_sequential_test_is_marked(tmp_path):
    test = Hypotheses(elo0=0, elo1=50)
    standings = rate_runs([made_run(tmp_path / "m", {("a", "b"): "WL WW"}, sprt=test)])
    assert any("a sequential test may have ended this match" in w for w in standings.warnings)


def test_forfeits_count_as_lost_and_are_listed_with_reason_and_loser(tmp_path):
    reasons = [("crash", "ZeroDivisionError: on purpose"), ("time", "no answer")]
    standings = rate_runs([made_run(tmp_path / "run", {("a", "b"): "WL DD"}, reasons=reasons)])
    crash, late = standings.tally.forfeits
    assert ("run", "1-2-0001a", "b", "a") == (crash.run, crash.game, crash.player, crash.opponent)
    assert ("crash", "ZeroDivisionError: on purpose") == (crash.reason, crash.detail)
    assert ("a", "time", "no answer") == (late.player, late.reason, late.detail)
    assert {"adjudicated": 2, "time": 1, "crash": 1} == standings.tally.endings
    assert [1, 1] == [row.forfeits for row in standings.rows]
    assert "2 of 4 games were forfeited; they count as lost" in standings.warnings


def test_games_played_by_the_clock_are_counted(tmp_path):
    run = made_run(tmp_path, {("a", "b"): "WL DD"})
    (one, other), second = run.pairs
    pairs = ((replace(one, reproducible=False), other), second)
    warnings = rate_runs([replace(run, pairs=pairs)]).warnings
    assert any("1 of 4 games cannot be repeated: they were" in warning for warning in warnings)


def test_games_of_different_versions_are_named(tmp_path):
    run = made_run(tmp_path, {("a", "b"): "WL DD"})
    sessions = [
        {"version": "0.1.0", "git": {"commit": "a" * 40, "dirty": False}},
        {"version": "0.1.0", "git": {"commit": "b" * 40, "dirty": True}},
    ]
    (warning,) = rate_runs([replace(run, facts={**run.facts, "sessions": sessions})]).warnings
    assert warning.endswith("0.1.0 (aaaaaaaa), 0.1.0 (bbbbbbbb, changed)")


def test_labels_leave_out_options_where_the_rest_is_unique(tmp_path):
    names = (
        "lab/max:nodes=9",
        "layered/hard:nodes=1",
        "layered/hard:nodes=2",
        "python:my.mod:A:x=1",
        "gomocup:/else/where/pbrain-x:time_ms=50,nodes=3",
        "gomocup:./one/pbrain-y",
        "gomocup:./two/pbrain-y",
    )
    results = dict.fromkeys(itertools.combinations(names, 2), "WL LW")
    labels = rate_runs([made_run(tmp_path, results)]).labels
    short = ["lab/max", *names[1:3], "python:my.mod:A", "gomocup:pbrain-x", *names[5:]]
    assert short == [labels[name] for name in names]


@pytest.mark.parametrize(
    "results",
    [
        random_results(1),
        {("a", "b"): "WW WW"},
        {("a", "b"): "DD DD"},
        {("a", "b"): "WL WL"},
        {("a", "b"): "WL WW", ("c", "d"): "WW DD"},
        {("a", "b"): "WW WW", ("b", "c"): "WW WW", ("a", "c"): "WW"},
    ],
)
def test_what_is_written_fits_its_schema_and_is_never_infinite(tmp_path, results):
    values = rate_runs([made_run(tmp_path, results)]).to_dict()
    jsonschema.validate(json.loads(json.dumps(values, allow_nan=False)), load_schema("ratings"))


def test_what_is_written_depends_on_the_run_alone(tmp_path):
    made_run(tmp_path, CLEAR)
    first, again = (rate_runs([load_run(tmp_path)]).to_dict() for _ in range(2))
    assert first == again
