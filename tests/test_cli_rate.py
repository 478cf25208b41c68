"""``gomoku-lab rate``: what it prints and writes, and how it ends."""

import gc
import json
import os
import re
import subprocess
import sys
from itertools import pairwise

import jsonschema
import pytest
from click.testing import CliRunner
from made_runs import made_run, player

from gomoku_lab.cli.main import main
from gomoku_lab.game.rules import Rule
from gomoku_lab.game.schemas import load_schema

RESULTS = {
    ("weak", "mid"): "LL " * 12 + "WL WD",
    ("weak", "strong"): "LL " * 14,
    ("mid", "strong"): "LL " * 10 + "WL " * 3 + "WW",
}


def rate(*words):
    return CliRunner().invoke(main, ["rate", *map(str, words)])


@pytest.fixture
def folder(tmp_path):
    made_run(tmp_path / "run", RESULTS)
    return tmp_path / "run"


def test_the_table_has_rating_games_score_draws_and_colours(folder):
    result = rate(folder)
    assert 0 == result.exit_code
    lines = result.stdout.splitlines()
    assert "3 players, 84 games (84 distinct), freestyle, 15x15" == lines[0]
    assert ["player", "rating", "±", "95", "%", "games", "score", "draws"] == lines[2].split()[:8]
    strong, mid, weak = (line.split() for line in lines[3:6])
    assert ["1", "strong"] == strong[:2]
    assert ["3", "weak"] == weak[:2]
    assert re.fullmatch(r"\[-\d+\.\d, \+\d+\.\d\]", " ".join(mid[3:5]))  # few results: lopsided
    assert "56" in mid
    assert "0 Elo is the mean" in lines[6]


def test_the_first_move_advantage_stands_with_its_interval(folder):
    (line,) = [one for one in rate(folder).stdout.splitlines() if "first-move advantage" in one]
    assert "; Black scored " in line
    assert "[" in line


def test_each_neighbour_is_called_separated_or_not_with_difference_interval_and_los(tmp_path):
    results = {("a", "b"): "WW " * 20 + "LL", ("a", "c"): "WW " * 18 + "LL WL", ("b", "c"): "WL LW"}
    made_run(tmp_path / "run", results)
    lines = rate(tmp_path / "run").stdout.splitlines()
    (start,) = [i for i, line in enumerate(lines) if line.startswith("neighbours  ")]
    assert lines[start].split()[-2:] == ["games", "needed"]
    first, second, summary = lines[start + 1 : start + 4]
    assert first.split()[:3][1] == "-"
    assert first.endswith("  separated")
    assert "[+" in first
    assert "LOS > 99.99 %" in first
    assert second.endswith("  not separated")
    assert "[-" in second
    assert summary.startswith("1 of 2 separated: 95 % interval above 0")


def test_ratings_and_report_are_written_into_the_run_folder(folder):
    result = rate(folder)
    values = json.loads((folder / "ratings.json").read_text())
    jsonschema.validate(values, load_schema("ratings"))
    assert ["strong", "mid", "weak"] == [one["name"] for one in values["players"]]
    assert "<svg" in (folder / "report.html").read_text(encoding="utf-8")
    assert str(folder / "ratings.json") in result.stderr


def test_json_on_stdout_is_what_is_written(folder):
    result = rate(folder, "--json", "--quiet")
    assert json.loads(result.stdout) == json.loads((folder / "ratings.json").read_text())
    assert "" == result.stderr


@pytest.mark.parametrize("home", ["/dev/null", "/proc/nowhere"])
def test_without_a_writable_home_nothing_but_the_table_is_said(folder, home):
    code = "from gomoku_lab.cli.main import main; main()"
    names = ("MPLCONFIGDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
    surroundings = {key: value for key, value in os.environ.items() if key not in names}
    done = subprocess.run(
        [sys.executable, "-c", code, "rate", "-q", str(folder)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env={**surroundings, "HOME": home},
    )
    assert "" == done.stderr
    assert "<svg" in (folder / "report.html").read_text(encoding="utf-8")


def test_the_two_ways_to_compare_players_are_told_apart(folder):
    lines = " ".join(rate(folder).stdout.split())
    assert "neighbours come from the rating model and from all games" in lines
    assert "standard errors from" in lines


def test_a_rating_may_be_held_and_the_others_are_relative_to_it(folder):
    result = rate(folder, "--anchor", "weak=-100", "--anchor", "mid=100.5")
    assert 0 == result.exit_code
    assert "held: weak at -100 Elo, mid at 100.5 Elo" in result.stdout
    assert "-100 by definition" in result.stdout
    values = json.loads((folder / "ratings.json").read_text())
    jsonschema.validate(values, load_schema("ratings"))
    assert {"weak": -100, "mid": 100.5} == values["fit"]["anchors"]
    assert [] == values["fit"]["reference"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["weak"], "--anchor must be NAME=ELO, such as layered/hard=1500: 'weak'"),
        (["weak=strong"], "--anchor must be NAME=ELO"),
        (["=7"], "--anchor must be NAME=ELO"),
        (["weak=inf"], "--anchor must be NAME=ELO"),
        (["weka=7"], "no player 'weka' (did you mean 'weak'?); players: "),
        (["weak=1", "weak=2"], "--anchor must name different players"),
    ],
)
def test_anchors_that_are_none_end_with_a_usage_error(folder, words, message):
    result = rate(folder, *(part for word in words for part in ("--anchor", word)))
    assert 2 == result.exit_code
    assert message in result.stderr


def test_rating_twice_writes_the_same_files(folder):
    rate(folder)
    before = [(folder / name).read_bytes() for name in ("ratings.json", "report.html")]
    rate(folder)
    assert before == [(folder / name).read_bytes() for name in ("ratings.json", "report.html")]


def test_the_files_can_go_elsewhere(folder, tmp_path):
    assert 0 == rate(folder, "--out", tmp_path / "new" / "place").exit_code
    assert {"ratings.json", "report.html"} == {p.name for p in (tmp_path / "new/place").iterdir()}
    assert not (folder / "report.html").exists()


def test_several_runs_are_rated_together_into_the_first_folder(folder, tmp_path):
    made_run(
        tmp_path / "two",
        {("strong", "new"): "WL WW"},
        specs=[player("strong", 2), player("new", 9)],
    )
    result = rate(folder, tmp_path / "two")
    assert result.stdout.startswith("4 players, 88 games")
    assert (folder / "report.html").exists()
    assert not (tmp_path / "two" / "report.html").exists()


def test_runs_under_different_rules_are_refused(folder, tmp_path):
    made_run(tmp_path / "exact", RESULTS, rule=Rule.STANDARD)
    result = rate(folder, tmp_path / "exact")
    assert 2 == result.exit_code
    assert "its rule is standard, not freestyle" in result.stderr
    assert not (folder / "ratings.json").exists()


def test_groups_that_never_met_end_with_a_failed_check_and_their_pairings(tmp_path):
    made_run(tmp_path / "run", {("a", "b"): "WL WW", ("c", "d"): "WW DD"})
    result = rate(tmp_path / "run")
    assert 1 == result.exit_code
    assert "these groups never met: a, b | c, d" in result.stderr
    assert "a        -  b" in result.stdout
    assert json.loads((tmp_path / "run" / "ratings.json").read_text())["fit"] is None


def test_copies_are_counted_and_get_no_interval(tmp_path):
    made_run(tmp_path / "run", {("a", "b"): "WL WW LW " * 10}, copies=True)
    result = rate(tmp_path / "run")
    assert 0 == result.exit_code
    assert "60 games (4 distinct)" in result.stdout
    assert "a - b: only 4 of 60 games are distinct; the others are copies" in result.stdout
    assert "undecided: too many copies" in result.stdout
    assert "[+" not in result.stdout
    assert "[-" not in result.stdout


def test_a_sweep_prints_a_bound_and_nothing_infinite(tmp_path):
    made_run(tmp_path / "run", {("a", "b"): "WW " * 20})
    result = rate(tmp_path / "run")
    assert "0 by definition" in result.stdout
    assert " > +" in result.stdout
    assert "inf" not in result.stdout
    assert "nan" not in result.stdout


def test_forfeits_are_listed_once_a_kind_with_their_reason(tmp_path):
    reasons = [("crash", "ZeroDivisionError: on\npurpose")] + [
        ("time", f"{n} ms") for n in range(5)
    ]
    made_run(tmp_path / "run", {("a", "b"): "WL WL WL WW"}, reasons=reasons)
    text = rate(tmp_path / "run").stdout
    assert "  b: in run game 1-2-0001a: crash: ZeroDivisionError: on purpose\n" in text
    assert "  a: 3 times, first in run game 1-2-0001b: time: 0 ms\n" in text
    assert "warning: 6 of 8 games were forfeited; they count as lost" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "missing argument 'RUN...'"),
        (["nowhere"], "no run in this folder"),
    ],
)
def test_without_a_run_it_ends_with_a_usage_error(words, message):
    result = rate(*words)
    assert 2 == result.exit_code
    assert message in result.stderr


def test_a_place_that_cannot_be_written_is_a_clean_error(folder, tmp_path):
    (tmp_path / "file").write_text("")
    result = rate(folder, "--out", tmp_path / "file" / "below")
    assert 2 == result.exit_code
    assert f"must name a folder: '{tmp_path / 'file'}' is none" in result.stderr
    assert "" == result.stdout


def test_the_command_imports_nothing_heavy_before_it_runs():
    code = (
        "import sys, gomoku_lab.cli.rate;"
        "print([m for m in ('numpy', 'scipy', 'numba', 'matplotlib', 'rich') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[]" == done.stdout.strip()


def test_rating_leaves_the_collection_of_garbage_as_it_was(folder):
    before = gc.get_threshold()
    assert (0, 2) == (rate(folder).exit_code, rate("nowhere").exit_code)
    assert before == gc.get_threshold()


LEFT_OUT = """
import os, sys
from gomoku_lab.cli.main import main
main(sys.argv[1:], standalone_mode=False)
print(os.environ["OPENBLAS_NUM_THREADS"], "scipy.optimize" in sys.modules, "numba" in sys.modules)
"""


@pytest.mark.parametrize(("chosen", "threads"), [(None, "1"), ("3", "3")])
def test_a_table_is_rated_on_one_thread_without_what_only_bounds_need(tmp_path, chosen, threads):
    made_run(tmp_path / "run", dict.fromkeys(pairwise(("weak", "mid", "strong")), "LL LW WL WD WW"))
    environment = {key: value for key, value in os.environ.items() if "BLAS" not in key}
    if chosen is not None:
        environment["OPENBLAS_NUM_THREADS"] = chosen
    words = [sys.executable, "-c", LEFT_OUT, "rate", str(tmp_path / "run"), "--quiet"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    assert f"{threads} False False" == done.stdout.splitlines()[-1]
