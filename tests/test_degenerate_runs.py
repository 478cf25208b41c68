"""Runs that hold next to no information, through the commands: no crash, infinity or false verdict.

Sweeps, nothing but draws, one pair, one game, copies, and one result that always repeats.
"""

import json
import re

import pytest
import stub_players  # noqa: F401  # makes the stubs known
from click.testing import CliRunner
from made_runs import made_run

from gomoku_lab.cli.main import main

NEVER = re.compile(r"\b(inf|infinity|nan)\b", re.IGNORECASE)
RUNS = {
    "a sweep": "WW " * 30,
    "all draws": "DD " * 30,
    "black always": "WL " * 30,
    "one won pair": "WW",
    "one split pair": "WL",
    "one drawn pair": "DD",
    "one loss in sixty": "WW " * 29 + "WL",
}
SEPARATED = {"a sweep", "one loss in sixty"}


def run(*words):
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    assert not NEVER.search(result.stdout), result.stdout
    return result


@pytest.mark.parametrize("name", RUNS)
def test_rate_and_compare_find_no_more_than_there_is(tmp_path, name):
    folder = made_run(tmp_path / "run", {("a", "b"): RUNS[name]}).path
    assert run("rate", folder).exit_code == 0
    ratings = json.loads(run("rate", folder, "--json").stdout)
    assert [name in SEPARATED] == [one["next"]["separated"] for one in ratings["players"][:1]]
    text = run("compare", folder)
    assert text.exit_code == 0
    assert ("a is stronger than b" in text.stdout) == (name in SEPARATED)
    comparison = json.loads(run("compare", folder, "--json").stdout)
    assert [name in SEPARATED] == [one["separated"] for one in comparison["neighbours"]]


def test_copies_get_no_verdict_however_many(tmp_path):
    folder = made_run(tmp_path / "run", {("a", "b"): "WW " * 30}, copies=True).path
    assert "copies" in run("rate", folder).stdout
    ratings = json.loads(run("rate", folder, "--json").stdout)
    assert [None] == [one["next"]["separated"] for one in ratings["players"][:1]]
    assert "Undecided: too many games are copies" in run("compare", folder).stdout


@pytest.mark.parametrize("games", ["1 : 0", "0 : 1", "7 : 0"])
def test_games_of_a_table_without_a_pair_are_rated(tmp_path, games):
    table = tmp_path / "table.txt"
    table.write_text(f"A - B: {games}\n")
    assert run("import", table, "--out", tmp_path / "run").exit_code == 0
    assert run("rate", tmp_path / "run").exit_code == 0
    stronger = "A is stronger than B" in run("compare", tmp_path / "run").stdout
    assert stronger == (games == "7 : 0")


@pytest.mark.parametrize(
    "counts", ["1,0,0", "0,1,0", "0,0,1", "0,0,60", "0,60,0", "1,0,1", "0,0,0,0,1", "0,0,0,1,1"]
)
def test_counts_that_say_little_are_told_to(counts):
    assert run("elo", counts).exit_code == 0
    answer = json.loads(run("elo", counts, "--json").stdout)
    low, high = answer["elo_low"], answer["elo_high"]
    surely = (low is not None and low > 0) or (high is not None and high < 0)
    assert surely == (counts == "0,0,60")
    state = json.loads(run("sprt", counts, "--bounds", "0,20", "--json").stdout)
    assert state["decision"] is None or counts in ("0,0,60", "0,60,0")


@pytest.mark.parametrize(
    ("second", "games", "codes"),
    [
        ("stub:forward", 60, {1, 5}),  # the same player: each pair is a game and its copy
        ("stub:illegal", 2, {5}),  # one pair decides nothing
        ("stub:illegal", 60, {0}),  # a sweep does, once the floor is reached
    ],
)
def test_a_match_under_a_test_prefers_nobody_but_the_winner_of_a_sweep(
    tmp_path, second, games, codes
):
    openings = tmp_path / "openings.txt"
    # The first two moves leave one mirror; the third ones keep to one side of it.
    thirds = [f"{column}{row}" for column in "abcdefghi" for row in range(6, 10)]
    openings.write_text("size: 9\n" + "".join(f"e5d5{third}\n" for third in thirds))
    words = ["--games", games, "--size", 9, "--jobs", 1, "--sprt", "0,100", "--quiet"]
    words += ["--openings", openings, "--out", tmp_path / "run"]
    assert run("match", "stub:forward", second, *words).exit_code in codes
