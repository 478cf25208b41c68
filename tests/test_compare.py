"""Comparing the players of runs: verdicts, orders, words, and runs of every kind."""

import itertools
import json
import random

import jsonschema
import pytest
from made_runs import made_run, player
from test_standings import random_results

from gomoku_lab.arena.compare import NoRatingsError, compare_runs
from gomoku_lab.arena.compared import (
    colour_table,
    largest_surprises,
    los_table,
    opening_table,
    pair_table,
    surprise_table,
)
from gomoku_lab.arena.comparison import p_text
from gomoku_lab.arena.imported import load_any_run, write_import
from gomoku_lab.arena.intake import SourceFile, take
from gomoku_lab.arena.names import find_order
from gomoku_lab.game.formats.reading import Reading
from gomoku_lab.game.formats.result_table import ResultRow
from gomoku_lab.game.schemas import load_schema

SCHEMA = load_schema("comparison")


def drawn(rng, chance):
    """Return the letter of a game that is won with the probability `chance`."""
    return "W" if rng.random() < chance else "L"


def ladder(chances, pairs=60, seed=1):
    """Return results of players of whom each beats the next ones as often as `chances` says."""
    rng = random.Random(seed)
    return {
        met: " ".join(drawn(rng, chance) + drawn(rng, chance) for _ in range(pairs))
        for met, chance in chances.items()
    }


CLEAR = ladder({("strong", "mid"): 0.8, ("strong", "weak"): 0.95, ("mid", "weak"): 0.8})
EQUALS = ladder({("top", "one"): 0.85, ("top", "two"): 0.85, ("one", "two"): 0.5})


def checked(comparison):
    values = json.loads(json.dumps(comparison.to_dict(), allow_nan=False))
    jsonschema.validate(values, SCHEMA)
    return values


# Verdicts


def test_clear_levels_are_separated_in_their_order(tmp_path):
    found = compare_runs([made_run(tmp_path, CLEAR)])
    assert ("strong", "mid", "weak") == found.separation.order
    assert found.answer[0].startswith("different, in this order? Yes: all 2 neighbours are separa")
    assert found.sentences[0].startswith("strong is stronger than mid: by +")
    assert all(" Elo; LOS " in line and ", p < 0.0" in line for line in found.sentences)
    assert ["strong", "mid", "weak"] == found.tiers
    assert checked(found)["order_probability"] > 0.99


def test_two_equal_levels_are_not_separated(tmp_path):
    found = compare_runs([made_run(tmp_path, EQUALS)])
    assert found.answer[0].startswith("different, in this order? Not shown: 1 of 2 neighbours")
    top, bottom = found.sentences
    assert top.startswith("top is stronger than ")
    assert " are not separated: " in bottom
    assert "more games a pairing would show a difference so large" in bottom
    assert ["top", "one, two"] == [", ".join(sorted(tier)) for tier in found.separation.tiers]
    assert checked(found)["neighbours"][1]["separated"] is False


@pytest.mark.parametrize("seed", range(3))
def test_an_order_that_is_turned_round_is_denied(tmp_path, seed):
    results = ladder({("a", "b"): 0.85, ("a", "c"): 0.95, ("b", "c"): 0.85}, seed=seed)
    found = compare_runs([made_run(tmp_path, results)], order="c,b,a")
    assert found.is_own_order
    assert "No: 2 of 2 neighbours stand the other way round" in found.answer[0]
    assert "c is weaker than b, against the order: by -" in found.sentences[0]
    assert ["a", "b", "c"] == found.tiers  # tiers go by rating, whatever order was asked for
    assert checked(found)["own_order"] is True


def test_some_of_the_players_may_be_compared(tmp_path):
    found = compare_runs([made_run(tmp_path, random_results(4))], order="d, b")
    assert ("d", "b") == found.separation.order
    assert 1 == len(found.separation.pairs)
    assert len(checked(found)["surprises"]) == 6  # all the games tell how well the fit fits


def test_the_games_missing_are_those_of_the_factor(tmp_path):
    found = compare_runs([made_run(tmp_path, EQUALS)])
    one = found.separation.neighbours[1]
    more = found.games_missing(one)
    assert more % 2 == 0
    assert more == pytest.approx((one.games_factor - 1) * 120, abs=2)
    assert found.games_missing(found.separation.neighbours[0]) == 0


def test_pairings_of_different_length_give_a_factor_instead(tmp_path):
    results = dict(EQUALS)
    results["one", "two"] = "WL LW WL LW WW"
    found = compare_runs([made_run(tmp_path, results)])
    one = found.separation.neighbours[1]
    assert found.games_missing(one) is None
    assert "times the games would show a difference so large" in found.sentences[1]


# Words and tables


def test_every_neighbour_gets_one_sentence_and_every_pair_a_row(tmp_path):
    found = compare_runs([made_run(tmp_path, random_results(6, pairs=25))])
    names = found.separation.order
    assert [f"{a} - {b}" for a, b in itertools.combinations(names, 2)] == [
        " ".join(row[:3]) for row in pair_table(found)[1:]
    ]
    for line, (upper, lower) in zip(found.sentences, itertools.pairwise(names), strict=True):
        assert line.startswith((f"{upper} is stronger than {lower}", f"{upper} and {lower} are"))


def test_matrices_have_a_row_and_a_column_for_each_player(tmp_path):
    found = compare_runs([made_run(tmp_path, random_results(7))])
    for table in (los_table(found), surprise_table(found)):
        assert ["1", "2", "3", "4"] == list(table[0][2:])
        assert [(str(i), name) for i, name in enumerate(found.separation.order, 1)] == [
            row[:2] for row in table[1:]
        ]
        for place, row in enumerate(table[1:]):
            assert "" == row[2 + place]
    above, below = (surprise_table(found)[a][1 + b] for a, b in ((1, 2), (2, 1)))
    assert {above[0], below[0]} == {"+", "-"}
    assert above[1:] == below[1:]


def test_surprises_colours_and_openings_are_told(tmp_path):
    found = compare_runs([made_run(tmp_path, random_results(8, pairs=20))])
    assert "does one number a player explain the results?" in found.fit_answer
    assert 5 == len(largest_surprises(found)) - 1
    assert list(found.standings.names) == [row[0] for row in colour_table(found)[1:]]
    assert "does the result depend on the opening?" in found.openings_answer
    assert all(row[0].startswith("made-") for row in opening_table(found)[1:])
    assert "resamples of 20 openings, seed 0" in found.method


def test_a_p_value_never_reads_zero():
    assert ["p unknown", "p < 0.001", "p = 0.050"] == [p_text(p) for p in (None, 1e-9, 0.05)]


# Runs of every kind


def test_an_unfinished_run_is_compared(tmp_path):
    results = dict(CLEAR)
    results["strong", "mid"] = "WW WL"
    found = compare_runs([made_run(tmp_path, results)])
    assert any("not finished" in line for line in found.standings.warnings)
    checked(found)


def test_several_runs_are_compared_together(tmp_path):
    specs = [player(name, salt) for salt, name in enumerate("abcd")]
    one, two = (
        made_run(tmp_path / str(seed), random_results(seed), specs=specs) for seed in (1, 2)
    )
    both, alone = compare_runs([one, two]), compare_runs([one])
    assert 2 * alone.standings.tally.games == both.standings.tally.games
    assert 15 == len(both.standings.tally.clusters.labels)
    checked(both)


def test_a_result_table_without_games_is_compared(tmp_path):
    rows = (
        ResultRow("A", "B", 70, 30),
        ResultRow("B", "C", 55, 45),
        ResultRow("A", "C", 80, 20),
    )
    file = SourceFile(name="t", sha256="0", format="result-table", rows=Reading(rows))
    run = write_import(tmp_path / "run", take([file]), command=[])
    found = compare_runs([run])
    assert ("A", "B", "C") == found.separation.order
    assert [True, False] == [one.is_separated for one in found.separation.neighbours]
    assert found.openings is None
    assert "too few openings" in found.openings_answer
    assert [] == colour_table(found)
    assert "resamples of the games" in found.method
    checked(found)


def test_players_who_never_met_are_not_compared(tmp_path):
    run = made_run(tmp_path, {("a", "b"): "WL WW", ("c", "d"): "WW DD"})
    with pytest.raises(NoRatingsError, match=r"these groups never met: a, b \| c, d"):
        compare_runs([run])


def test_copies_leave_everything_undecided(tmp_path):
    found = compare_runs([made_run(tmp_path, {("a", "b"): "WL WW LW " * 10}, copies=True)])
    assert "Undecided: too many games are copies" in found.answer[0]
    assert "probability that the whole order is right: unknown" == found.answer[1]
    assert ["a and b: undecided, too many games are copies"] == found.sentences
    checked(found)


@pytest.mark.parametrize(
    "pairs", ["WW " * 30, "DD " * 30, "WL " * 30, "LW WL " * 15, "WW", "WL", "DD"]
)
def test_strange_results_give_no_false_verdict_and_nothing_infinite(tmp_path, pairs):
    found = compare_runs([made_run(tmp_path, {("a", "b"): pairs})])
    separated = found.separation.neighbours[0].is_separated
    assert separated == (pairs == "WW " * 30)
    text = " ".join([*found.answer, *found.sentences, found.fit_answer, found.method])
    assert "inf" not in text
    assert "nan" not in text
    checked(found)


def test_the_seed_decides_the_resamples(tmp_path):
    run = made_run(tmp_path, random_results(9))
    first, again, other = (compare_runs([run], seed=seed) for seed in (3, 3, 4))
    assert first.to_dict() == again.to_dict()
    assert first.to_dict() != other.to_dict()


def test_a_run_of_the_lab_that_is_read_again_is_the_same(tmp_path):
    run = made_run(tmp_path, random_results(10))
    assert compare_runs([run]).to_dict() == compare_runs([load_any_run(tmp_path)]).to_dict()


# Orders


NAMES = ("layered/hard:time_ms=0,nodes=9", "layered/easy:time_ms=0,nodes=5", "x,y", "x")


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("layered/hard,layered/easy", (NAMES[0], NAMES[1])),
        (f"{NAMES[1]},{NAMES[0]}", (NAMES[1], NAMES[0])),
        ("x,y,layered/hard", ("x,y", NAMES[0])),
        ("x, layered/hard,x,y", ("x", NAMES[0], "x,y")),
    ],
)
def test_players_in_an_order_may_hold_commas_and_stand_without_options(text, order):
    assert order == find_order(text, NAMES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "layered/hrad,x",
            r"no player 'layered/hrad' \(did you mean 'layered/hard'\?\); players: ",
        ),
        ("x", "an order needs two or more different players: 'x'"),
        ("x,x", "an order needs two or more different players"),
        ("", "no player ''"),
    ],
)
def test_orders_that_are_none_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        find_order(text, NAMES)
