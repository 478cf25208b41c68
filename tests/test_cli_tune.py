import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from arena_tools import openings_file
from click.testing import CliRunner

from gomoku_lab.cli.main import main
from gomoku_lab.players.files import read_player_file
from gomoku_lab.tuning.study import load_study

HERE = Path(__file__).parent
PROGRAM = (
    f"import sys; sys.path.insert(0, {str(HERE)!r}); import stub_players;"
    "from gomoku_lab.cli.main import main; main()"
)
BASE = "stub:skilled:skill=0.3,out_of=2"


@pytest.fixture(scope="module")
def openings(tmp_path_factory):
    return openings_file(tmp_path_factory.mktemp("openings"))


@pytest.fixture
def tune(tmp_path, openings):
    """Call the command with a small board and study, in this process."""

    def call(*words, common=True):
        words = ["tune", *map(str, words)]
        if common:
            words += ["--pairs", "12", "--group", "4", "--size", "7", "--openings", openings]
            words += ["--jobs", "1", "--out", str(tmp_path / "study")]
        return CliRunner().invoke(main, words)

    return call


def test_a_study_prints_its_table_and_leaves_a_candidate(tune, tmp_path):
    done = tune(BASE, "-k", "skill", "-k", "out_of=0.3", "--seed", 5)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0] == f"{BASE}, tuned in 12 of 12 pairs of games"
    assert lines[2].split() == ["key", "start", "tuned", "change", "later", "points"]
    assert lines[3].split()[:2] == ["skill", "0.3"]
    assert "pairs: 12/12" in done.stderr
    assert "skill +" in done.stderr or "skill -" in done.stderr
    candidate = tmp_path / "study" / "candidate.toml"
    assert f"gomoku-lab accept {candidate} --over {BASE}" in done.stderr
    study = load_study(tmp_path / "study")
    assert read_player_file(candidate).config == study.tuning.candidate().config
    assert study.plan.seed == 5
    assert "All 24 games." in (tmp_path / "study" / "report.html").read_text(encoding="utf-8")
    assert [one.distance for one in study.plan.parameters] == [0.15, 0.3]
    assert study.facts["command"][:3] == ["gomoku-lab", "tune", BASE]


def test_json_is_what_the_folder_holds(tune, tmp_path):
    done = tune(BASE, "-k", "skill", "--nodes", 9, "--json", "-q")
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    assert json.loads(done.stdout) == json.loads((tmp_path / "study" / "tuning.json").read_text())
    assert load_study(tmp_path / "study").plan.player.config.nodes == 9


def test_a_torn_study_is_resumed_to_the_same_table(tune, tmp_path):
    whole = tune(BASE, "-k", "skill")
    log = tmp_path / "study" / "games.jsonl"
    log.write_bytes(log.read_bytes()[:-2000])
    done = tune("--resume", tmp_path / "study", common=False)
    assert done.exit_code == 0, done.output
    assert whole.stdout == done.stdout


def test_forfeits_are_told(tune):
    done = tune("stub:illegal:after=9,skill=0.3", "-k", "skill")
    assert done.exit_code == 0, done.output
    assert "warning: 24 games were forfeited" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "a player to start from is wanted: BASE"),
        ([BASE], "nothing is tuned: name at least one key"),
        ([BASE, "-k", "skil"], "no such key; did you mean 'skill'?"),
        ([BASE, "-k", "marker"], "marker is no number"),
        ([BASE, "-k", "skill", "--openings", "held-out"], "openings must not be held-out"),
        ([BASE, "-k", "skill", "--nodes", "5", "--depth", "3"], "a study has one budget"),
        ([BASE, "-k", "skill", "--rate", "0"], "rate must be"),
        (["layred/hard", "-k", "width"], "unknown player 'layred/hard'"),
        (["layered/*", "-k", "width"], "one player is wanted"),
    ],
)
def test_bad_words_are_refused_before_anything_is_played(tune, tmp_path, words, message):
    done = tune("--out", tmp_path / "study", *words, common=False)
    assert done.exit_code == 2, done.output
    assert message in done.stderr
    assert not (tmp_path / "study").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([BASE], "leave out BASE"),
        (["-k", "skill"], "leave out --key"),
        (["--pairs", 20], "leave out --pairs"),
        (["--seed", 0], "leave out --seed"),
        (["--max-plies", 9], "leave out --max-plies"),
        (["--out", "x"], "give one"),
    ],
)
def test_what_was_begun_is_not_changed_by_resuming(tune, tmp_path, words, message):
    tune(BASE, "-k", "skill")
    done = tune("--resume", tmp_path / "study", *words, common=False)
    assert done.exit_code == 2
    assert message in done.stderr


def test_ctrl_c_exits_with_4_and_prints_the_command_that_resumes(tmp_path, openings):
    folder = tmp_path / "study"
    words = [f"{BASE},sleep_ms=3", "-k", "skill", "--pairs", "40", "--size", "7", "-j", "2"]
    words = ["tune", *words, "--openings", openings, "--out", str(folder)]
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    log, deadline = folder / "games.jsonl", time.monotonic() + 60
    while not log.exists() or log.stat().st_size == 0:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 4, err
    assert "finishing the running games" in err
    assert f"go on with: gomoku-lab tune --resume {folder}" in err
    assert out == ""
    assert "Traceback" not in err
    assert 0 < load_study(folder).tuning.pairs < 40
