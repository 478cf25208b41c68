"""The command compare: text, JSON, a page, progress, and clean errors."""

import json
import subprocess
import sys

import jsonschema
import pytest
from click.testing import CliRunner
from made_runs import made_run
from test_compare import EQUALS
from test_report import EVIL, Page

from gomoku_lab.cli.main import main
from gomoku_lab.cli.progress import progress
from gomoku_lab.game.schemas import load_schema


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return made_run(tmp_path_factory.mktemp("runs") / "levels", EQUALS).path


def compare(*words):
    return CliRunner().invoke(main, ["compare", *map(str, words)])


def test_the_text_answers_first_and_then_says_what_it_rests_on(folder):
    result = compare(folder)
    assert (0, "") == (result.exit_code, result.stderr)
    lines = result.stdout.splitlines()
    assert lines[0].startswith("3 players, 360 games")
    assert lines[2].startswith("different, in this order? Not shown: 1 of 2 neighbours")
    assert lines[3].startswith("probability that the whole order is right: ")
    assert "top is stronger than " in lines[5]
    assert "are not separated" in lines[6]
    for part in ("tiers, within", "LOS in %", "surprise", "as Black [95 %]", "most one-sided"):
        assert part in result.stdout
    assert "resamples of 60 openings, seed 0" in result.stdout


def test_the_order_can_be_given(folder):
    result = compare(folder, "--order", "two,top")
    assert "two is weaker than top, against the order: by -" in result.stdout
    assert 0 == result.exit_code


def test_json_is_what_the_schema_says(folder):
    values = json.loads(compare(folder, "--json", "--seed", 5).stdout)
    jsonschema.validate(values, load_schema("comparison"))
    assert 5 == values["bootstrap"]["seed"]
    assert values["order"][0] == "top"
    assert [True, False] == [one["separated"] for one in values["neighbours"]]


def test_the_page_is_whole_and_says_the_same(folder, tmp_path):
    result = compare(folder, "--html", tmp_path / "page.html")
    assert f"wrote {tmp_path / 'page.html'}" in result.stderr
    page = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert page.open == []
    assert "script" not in page.tags
    assert "svg" in page.tags
    assert "levels: are they different, in this order?" in page.text
    for line in result.stdout.splitlines()[5:7]:
        assert line in page.text
    assert "not separated" in page.text
    loaded = [value for _, key, value in page.attributes if key in ("src", "href")]
    assert [value for value in loaded if value and not value.startswith("#")] == []


def test_names_of_players_are_escaped_on_the_page(tmp_path):
    run = made_run(tmp_path / "run", {("a", EVIL): "WL WW LW", (EVIL, "c"): "WL WW WD"})
    result = compare(run.path, "--html", tmp_path / "page.html", "--quiet")
    assert (0, "") == (result.exit_code, result.stderr)
    page = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert "img" not in page.tags
    assert EVIL.split(":note")[0] in page.text


def test_two_players_need_no_matrices(tmp_path):
    text = compare(made_run(tmp_path, {("a", "b"): "WL LW WW " * 4}).path).stdout
    assert "LOS in %" not in text
    assert "does one number a player explain the results? There is nothing to test" in text


def test_many_players_are_left_to_json_and_the_page(tmp_path):
    names = [f"p{i:02}" for i in range(14)]
    results = {(a, b): "WL WW" for i, a in enumerate(names) for b in names[i + 1 :]}
    text = compare(made_run(tmp_path, results).path).stdout
    assert "91 pairs: see --json or --html" in text
    assert "LOS in %" not in text


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ([], 2, "missing argument 'RUN...'"),
        (["nowhere"], 2, "no run in this folder"),
        (["RUN", "--order", "top,non"], 2, "no player 'non' (did you mean 'one'?); players: "),
        (["RUN", "--order", "top"], 2, "an order needs two or more different players: 'top'"),
        (["RUN", "--seed", "-1"], 2, "--seed"),
        (["RUN", "--html", "RUN/games.jsonl/page.html"], 2, "must lie in a folder"),
        (["RUN", "--html", "RUN/games.jsonl"], 2, "'--html': must name a page, such as page.html"),
        (["RUN", "RUN"], 2, "the same run is given twice"),
    ],
)
def test_bad_input_ends_with_a_clean_error(folder, words, code, message):
    result = compare(*(word.replace("RUN", str(folder)) for word in words))
    assert code == result.exit_code
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_groups_that_never_met_end_with_a_failed_check(tmp_path):
    run = made_run(tmp_path, {("a", "b"): "WL WW", ("c", "d"): "WW DD"})
    result = compare(run.path)
    assert 1 == result.exit_code
    assert "these groups never met: a, b | c, d" in result.stderr


def test_progress_with_patience_says_nothing_of_a_short_job_and_much_of_a_long_one(capsys):
    with progress(3, "resamples", patience=3600.0) as meter:
        for _ in range(3):
            meter.advance()
    assert "" == capsys.readouterr().err
    with progress(3, "resamples", patience=1e-9) as meter:
        for _ in range(3):
            meter.advance()
    assert "resamples: 3/3" in capsys.readouterr().err


def test_the_command_imports_nothing_heavy_before_it_runs():
    code = (
        "import sys, gomoku_lab.cli.compare;"
        "print([m for m in ('numpy', 'scipy', 'numba', 'matplotlib', 'rich') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[]" == done.stdout.strip()
