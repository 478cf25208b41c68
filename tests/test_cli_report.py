"""``gomoku-lab report``: pages of runs and studies, whole in themselves, and what is refused."""

import json

import pytest
from click.testing import CliRunner
from made_runs import made_run
from test_report import Page
from test_study import plan

from gomoku_lab.cli.main import main
from gomoku_lab.report.tuning import study_report_html
from gomoku_lab.tuning.study import load_study, run_study

RESULTS = {("a", "b"): "WL WW WD", ("a", "c"): "WW WL DD", ("b", "c"): "WL WW LL"}


def report(*words):
    return CliRunner().invoke(main, ["report", *map(str, words)])


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("studies") / "a study"
    run_study(plan(pairs=12), folder, jobs=1, command=["gomoku-lab", "tune", "x y"])
    return folder


def test_the_page_of_a_run_goes_into_its_folder(tmp_path):
    made_run(tmp_path / "run", RESULTS)
    result = report(tmp_path / "run")
    assert 0 == result.exit_code, result.output
    assert f"{tmp_path / 'run' / 'report.html'}\n" == result.stdout
    page = Page((tmp_path / "run" / "report.html").read_text(encoding="utf-8"))
    assert "All 18 games." in page.text
    assert not (tmp_path / "run" / "ratings.json").exists()


def test_the_number_of_games_and_the_file_can_be_chosen(tmp_path):
    made_run(tmp_path / "run", RESULTS)
    file = tmp_path / "page.html"
    result = report(tmp_path / "run", "--games", 4, "--out", file, "--json")
    assert {"page": str(file)} == json.loads(result.stdout)
    assert "4 of 18 games, chosen evenly" in Page(file.read_text(encoding="utf-8")).text
    assert "" == report(tmp_path / "run", "--quiet", "--out", file).output


def test_several_runs_are_rated_together(tmp_path):
    for name in ("one", "two"):
        made_run(tmp_path / name, RESULTS)
    file = tmp_path / "page.html"
    assert 0 == report(tmp_path / "one", tmp_path / "two", "--out", file).exit_code
    text = Page(file.read_text(encoding="utf-8")).text
    assert text.startswith("one, two: ratings")
    assert "All 36 games." in text


def test_the_page_of_a_study_tells_what_was_tuned_and_how_to_repeat_it(study):
    assert 0 == report(study).exit_code
    html = (study / "report.html").read_text(encoding="utf-8")
    page = Page(html)
    assert [] == page.open
    assert "script" not in page.tags
    values = load_study(study).tuning.to_dict()
    for one in values["parameters"]:
        assert f"{100 * (one['estimate'] / one['start'] - 1):+.1f} %" in page.text
    for words in (
        "All 24 games.",
        "tuned in 12 of 12 pairs of games",
        "how far these wandered is no interval",
        "gomoku-lab tune 'x y'",
        f"gomoku-lab report '{study}'",
        f"gomoku-lab accept '{study / 'candidate.toml'}' --over",
        "configuration hash",
    ):
        assert words in page.text
    assert "change from the start in %" in html
    ids = [value for _, name, value in page.attributes if name == "id"]
    assert len(set(ids)) == len(ids)
    assert study_report_html(load_study(study)) == html


def test_a_study_that_is_not_finished_says_so(tmp_path):
    from gomoku_lab.tuning.study import StudyWriter

    StudyWriter.create(tmp_path / "study", plan(pairs=8)).close()
    assert 0 == report(tmp_path / "study").exit_code
    text = Page((tmp_path / "study" / "report.html").read_text(encoding="utf-8")).text
    assert "the study is not finished" in text
    assert "The moves of no game are known." in text


def test_what_is_no_run_is_refused_in_one_line(tmp_path, study):
    for words, message in (
        ([tmp_path / "none"], "no run in this folder"),
        ([study, study], "give one folder"),
        ([study, "--games", "-1"], "-1 is not in the range"),
    ):
        result = report(*words)
        assert 2 == result.exit_code
        assert message in result.stderr
        assert "Traceback" not in result.output


def test_a_page_never_replaces_a_file_of_a_run(tmp_path):
    made_run(tmp_path / "run", RESULTS)
    games = tmp_path / "run" / "games.jsonl"
    before = games.read_bytes()
    for words in (["report", tmp_path / "run", "--out"], ["analyse", "h8i9", "--html"]):
        done = CliRunner().invoke(main, [*map(str, words), str(games)])
        assert (done.exit_code, games.read_bytes()) == (2, before)
        assert "must name a page" in done.stderr
