import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from arena_tools import openings_file
from click.testing import CliRunner

from gomoku_lab.arena.store import canonical, load_run
from gomoku_lab.cli.errors import CliError
from gomoku_lab.cli.main import main
from gomoku_lab.cli.playing import new_folder

HERE = Path(__file__).parent
PROGRAM = (
    f"import sys; sys.path.insert(0, {str(HERE)!r}); import stub_players;"
    "from gomoku_lab.cli.main import main; main()"
)


@pytest.fixture(scope="module")
def openings(tmp_path_factory):
    return openings_file(tmp_path_factory.mktemp("openings"))


@pytest.fixture
def lab(tmp_path, openings):
    """Call the command with small boards and a run folder, in this process."""

    def call(*words, out="run", command="tournament", common=True):
        words = [command, *map(str, words)]
        if common:
            words += ["--size", "7", "--openings", openings, "--jobs", "1"]
            words += ["--out", str(tmp_path / out)]
        return CliRunner().invoke(main, words)

    return call


def players(*names):
    return [word for name in names for word in ("--players", name)]


TWO = players("stub:random", "stub:forward")


def test_a_tournament_prints_its_table_and_keeps_its_games(lab, tmp_path):
    done = lab(*TWO, *players("stub:backward"), "--games", 4, "--seed", 5)
    assert done.exit_code == 0, done.output
    assert "stub:random" in done.stdout
    run = load_run(tmp_path / "run")
    assert len(run.games()) == 12
    assert run.config.seed == 5
    assert f"gomoku-lab rate {tmp_path / 'run'}" in done.stderr
    assert "games: 12/12" in done.stderr
    assert run.facts["command"][:3] == ["gomoku-lab", "tournament", "--players"]


def test_json_holds_the_run_and_the_ratings(lab):
    done = lab(*TWO, "--games", 4, "--json", "--quiet")
    values = json.loads(done.stdout)
    assert (values["games"], values["complete"]) == (4, True)
    assert {row["name"] for row in values["ratings"]["players"]} == {"stub:random", "stub:forward"}
    assert done.stderr == ""


def test_a_tournament_file_is_played_and_options_override_it(lab, tmp_path, openings):
    file = tmp_path / "t.toml"
    file.write_text(
        'players = ["stub:random", "stub:forward"]\ngames = 2\nseed = 3\nsize = 7\n'
        f'format = "gauntlet"\nopenings = "{openings}"\njobs = 1\n[adjudication]\nmax_plies = 9\n'
    )
    out = tmp_path / "run"
    done = lab(file, "--games", 4, "--out", out, common=False)
    assert done.exit_code == 0, done.output
    config = load_run(out).config
    assert (config.games, config.seed, config.format) == (4, 3, "gauntlet")
    assert config.adjudication.max_plies == 9
    assert load_run(out).facts["sessions"][0]["jobs"] == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('player = ["a"]', "unknown key 'player' (value ['a']); did you mean 'players'?"),
        ("[adjudication]\nscores = 4", "[adjudication] unknown key 'scores' (value 4); did you"),
        ("games = [", "not valid TOML"),
        ('games = "x"', "games must be a whole number"),
        ('backend = "loki"', "did you mean 'loky'?"),
    ],
)
def test_a_wrong_tournament_file_is_refused_with_its_name(lab, tmp_path, text, message):
    file = tmp_path / "t.toml"
    file.write_text(text)
    done = lab(file)
    assert done.exit_code == 2
    assert done.stderr.startswith(f"error: {file}: ")
    assert message in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([*TWO, "--games", 0], "games must be 2"),
        ([*TWO, "--games", 3], "games must be even"),
        (players("stub:random"), "at least two players: stub:random"),
        ([], "at least two players: none"),
        ([*TWO, "--games", 20], "10 pairs of games need 10 different openings, but there are only"),
        (players("stub:random", "layred/*"), "unknown player 'layred/*'"),
        (
            [*players("stub:random", "pattern/easy"), "--games", 2, "--rule", "renju"],
            "pattern/easy does not play the rule 'renju'",
        ),
        ([*TWO, "--rule", "free"], "rule must be one of"),
        ([*TWO, "--backend", "ray"], "backend must be one of loky, threading"),
        ([*TWO, "--format", "swiss"], "format must be one of"),
        ([*TWO, "--openings", "none"], "openings must be one of book, held-out"),
        ([*TWO, "--seed", -1], "seed must be 0"),
        (["nowhere.toml"], "nowhere.toml: No such file"),
        ([*players("stub:random", "python:no_such_module:Name"), "--games", 2], "no_such_module"),
    ],
)
def test_bad_input_is_refused_with_exit_code_2(lab, tmp_path, words, message):
    # What comes last counts: the options of the fixture come first here.
    first = ["--jobs", 1, "--out", tmp_path / "run", "--size", 7]
    if "--openings" not in words:
        first += ["--openings", openings_file(tmp_path)]
    done = lab(*first, *words, common=False)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "run").exists()


def test_an_unwritable_folder_is_refused(lab, tmp_path):
    (tmp_path / "file").write_text("")
    done = lab(*TWO, "--games", 2, out="file/run")
    assert done.exit_code == 2
    assert f"error: {tmp_path / 'file/run'}: cannot write here" in done.stderr


def test_a_folder_with_a_run_is_refused_without_resume(lab):
    assert lab(*TWO, "--games", 2).exit_code == 0
    done = lab(*TWO, "--games", 2)
    assert done.exit_code == 2
    assert "there is a run in this folder already" in done.stderr


def test_a_torn_run_is_resumed_and_prints_the_same_table(lab, tmp_path):
    whole = lab(*TWO, "--games", 6)
    log = tmp_path / "run" / "games.jsonl"
    expected = canonical(load_run(tmp_path / "run").games())
    log.write_bytes(log.read_bytes()[:-300])
    done = lab("--resume", tmp_path / "run", common=False)
    assert done.exit_code == 0, done.output
    assert whole.stdout == done.stdout
    assert expected == canonical(load_run(tmp_path / "run").games())


def test_a_damaged_log_is_refused_with_file_and_line(lab, tmp_path):
    lab(*TWO, "--games", 6)
    log = tmp_path / "run" / "games.jsonl"
    lines = log.read_text().splitlines()
    log.write_text("\n".join([lines[0], "{", *lines[2:]]) + "\n")
    done = lab("--resume", tmp_path / "run", common=False)
    assert done.exit_code == 2
    assert f"{log}:2: damaged line" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--games", 4], "games differs: 6 in the run, 4 given"),
        (["--seed", 9], "seed differs: 0 in the run, 9 given"),
        (["--rule", "standard"], "rule differs: 'freestyle' in the run, 'standard' given"),
        (players("stub:random", "stub:backward"), "players differs"),
        (players("stub:random", "stub:forward:salt=3"), "players differs"),
        (["--max-plies", 30], "adjudication differs"),
    ],
)
def test_resuming_with_another_configuration_is_refused(lab, tmp_path, words, message):
    lab(*TWO, "--games", 6)
    done = lab("--resume", tmp_path / "run", *words, common=False)
    assert done.exit_code == 2
    assert "cannot be resumed with another configuration" in done.stderr
    assert message in done.stderr


def test_resuming_with_the_same_configuration_is_fine(lab, tmp_path):
    lab(*TWO, "--games", 6)
    done = lab("--resume", tmp_path / "run", *TWO, "--games", 6, common=False)
    assert done.exit_code == 0, done.output


def test_resuming_without_a_run_is_refused(lab, tmp_path):
    done = lab("--resume", tmp_path, common=False)
    assert done.exit_code == 2
    assert "no run in this folder" in done.stderr


def test_out_and_resume_exclude_each_other(lab, tmp_path):
    done = lab("--resume", tmp_path)
    assert done.exit_code == 2
    assert "give one" in done.stderr


def test_a_forfeit_is_told(lab):
    done = lab(*players("stub:forward", "stub:raises:after=5"), "--games", 2)
    assert done.exit_code == 0
    assert "ZeroDivisionError: on purpose" in done.stdout


def test_without_out_a_new_folder_below_runs_is_made(tmp_path, openings, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["tournament", *TWO, "--games", "2", "--size", "7", "--openings", openings, "-j", "1"]
    assert CliRunner().invoke(main, words).exit_code == 0
    (folder,) = (tmp_path / "runs").iterdir()
    assert folder.name.startswith("tournament-2")


def test_commands_of_the_same_second_make_folders_of_their_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("gomoku_lab.arena.provenance.utc_now", lambda: "2026-11-30T11:33:39Z")
    names = [new_folder("match").name for _ in range(3)]
    stamp = "match-20261130T113339Z"
    assert [stamp, f"{stamp}-2", f"{stamp}-3"] == names
    (tmp_path / "runs").rename("old")
    (tmp_path / "runs").touch()
    with pytest.raises(CliError, match="runs"):
        new_folder("match")


def test_help_says_what_exit_code_4_means():
    done = CliRunner().invoke(main, ["tournament", "--help"])
    assert done.exit_code == 0
    assert "Ctrl-C" in done.stdout


def start(*words, **options):
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def wait_for_games(log):
    deadline = time.monotonic() + 60
    while not log.exists() or log.stat().st_size == 0:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_ctrl_c_exits_with_4_and_prints_the_command_that_resumes(tmp_path, openings):
    slow = players("stub:random:sleep_ms=2", "stub:forward:sleep_ms=2")
    common = ["--games", 18, "--size", 7, "--openings", openings, "--jobs", 2]
    CliRunner().invoke(
        main, ["tournament", *slow, *map(str, common), "--out", str(tmp_path / "whole"), "-j", "1"]
    )
    folder = tmp_path / "a run"
    process = start("tournament", *slow, *common, "--out", folder, start_new_session=True)
    wait_for_games(folder / "games.jsonl")
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 4, err
    assert "finishing the running games" in err
    assert f"go on with: gomoku-lab tournament --resume '{folder}'" in err
    assert "Traceback" not in err
    assert out == ""
    assert load_run(folder).facts["ended"] is None
    done = start("tournament", "--resume", folder)
    out, err = done.communicate(timeout=60)
    assert done.returncode == 0, err
    assert "stub:random" in out
    run = load_run(folder)
    assert canonical(load_run(tmp_path / "whole").games()) == canonical(run.games())
    assert [session["jobs"] for session in run.facts["sessions"]] == [2, 2]


def test_a_second_ctrl_c_exits_with_4_at_once(tmp_path, openings):
    slow = players("stub:random:sleep_ms=5000", "stub:forward:sleep_ms=5000")
    common = ["--games", 18, "--size", 7, "--openings", openings, "--jobs", 1]
    process = start("tournament", *slow, *common, "--out", tmp_path / "run")
    while "playing into" not in process.stderr.readline():
        pass
    process.send_signal(signal.SIGINT)
    while "finishing" not in process.stderr.readline():
        pass
    process.send_signal(signal.SIGINT)
    err = process.stderr.read()  # `communicate` would lose what was read together with the line
    process.communicate(timeout=60)
    assert process.returncode == 4
    # Where the first one came before any game had begun, there was nothing to stop.
    told = "stopped at once; the finished pairs are kept" in err
    assert told or "interrupted after 0 of" in err
    assert "go on with: gomoku-lab tournament --resume" in err
    assert "Traceback" not in err
    load_run(tmp_path / "run")


def test_a_match_prints_the_result_from_the_first_players_side(lab, tmp_path):
    done = lab("stub:illegal:after=5", "stub:forward", "--games", 6, command="match")
    assert done.exit_code == 0, done.output
    assert "games    6" in done.stdout
    assert "+0 =0 -6" in done.stdout
    assert "LL 3 LD 0 WL/DD 0 WD 0 WW 0" in done.stdout
    assert "illegal move: z99 is no point" in done.stdout


def test_match_json_holds_counts_elo_and_distinct_games(lab):
    done = lab("stub:random", "stub:forward", "--games", 6, "--json", "-q", command="match")
    values = json.loads(done.stdout)
    assert values["wins"] + values["draws"] + values["losses"] == values["games"] == 6
    assert sum(values["counts"]) == 3
    assert values["distinct_games"] <= 6
    assert {"elo", "elo_low", "elo_high", "los", "nelo"} <= set(values)
    assert values["sprt"] is None


def test_a_player_against_itself_is_a_match(lab):
    done = lab("stub:random", "stub:random", "--games", 2, command="match")
    assert done.exit_code == 0, done.output
    assert "stub:random against stub:random#2" in done.stdout


@pytest.fixture
def many(tmp_path):
    """An opening file with more pairs than the floor of a sequential test."""
    path = tmp_path / "many.txt"
    # The first two moves leave one mirror; the third ones keep to one side of it.
    thirds = [f"{column}{row}" for column in "abcdefghi" for row in range(6, 10)]
    path.write_text("size: 9\n" + "".join(f"e5d5{third}\n" for third in thirds))
    return path


@pytest.mark.parametrize(
    ("first", "second", "code", "verdict"),
    [
        (
            "stub:forward",
            "stub:illegal:after=9",
            0,
            "H1 accepted: 300 Elo explains the results better than 0",
        ),
        (
            "stub:illegal:after=9",
            "stub:forward",
            1,
            "H0 accepted: 0 Elo explains the results better than 300",
        ),
    ],
)
def test_a_match_with_a_test_stops_at_its_verdict(tmp_path, many, first, second, code, verdict):
    words = ["match", first, second, "--sprt", "0,300", "--model", "logistic", "--size", "9"]
    words += ["--openings", str(many), "-j", "1", "--out", str(tmp_path / "run"), "-q"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == code, done.output
    assert verdict in done.stdout
    assert "a sequential test may have ended this match; such a result leans away" in done.stdout
    assert "median-unbiased: that the test stopped where it did is taken" in done.stdout
    again = CliRunner().invoke(main, ["match", "--resume", str(tmp_path / "run")])
    assert again.exit_code == code
    assert done.stdout == again.stdout
    assert again.stderr == ""  # nothing is played
    kept = json.loads((tmp_path / "run" / "sprt.json").read_text())
    del kept["trajectory"]
    as_json = CliRunner().invoke(main, ["match", "--resume", str(tmp_path / "run"), "--json"])
    shown = json.loads(as_json.stdout)["sprt"]
    assert {"elo", "nelo", "step"} == set(shown.pop("estimate"))
    assert kept == shown


def test_a_running_test_shows_its_ratio_its_bounds_and_what_is_left(tmp_path, many):
    words = ["match", "stub:random", "stub:random:salt=1", "--sprt", "0,100", "--size", "9"]
    words += ["--openings", str(many), "-j", "1", "--out", str(tmp_path / "run"), "--games", "64"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 5, done.output
    assert re.search(r"LLR [-+]\d\.\d\d \[-2\.94, \+2\.94\], ~\d+ games to go", done.stderr)
    assert re.search(r"about \d+ games more if the results go on as they were", done.stdout)


def test_a_test_that_does_not_decide_exits_with_5(lab):
    words = ["stub:random", "stub:forward", "--sprt", "0,5", "--games", 4]
    done = lab(*words, command="match")
    assert done.exit_code == 5
    assert "undecided at the limit" in done.stdout
    assert "nothing is decided below 24 pairs" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["stub:random"], "exactly two players: 1 given"),
        ([], "exactly two players: 0 given"),
        (["stub:random", "stub:forward", "--sprt", "5,0"], "5"),
        (["stub:random", "stub:forward", "--sprt", "5"], "--sprt must be two numbers"),
        (["stub:random", "stub:forward", "--alpha", "0.1"], "give --sprt as well"),
        (["stub:random", "stub:forward", "--sprt", "0,5", "--model", "x"], "model must be one of"),
        (["stub:random", "layered/*"], "one player is wanted"),
    ],
)
def test_bad_words_for_a_match_are_refused(lab, words, message):
    done = lab(*words, command="match")
    assert done.exit_code == 2
    assert message in done.stderr


def test_a_tournament_is_no_match(lab, tmp_path):
    lab(*TWO, *players("stub:backward"), "--games", 2)
    done = lab("--resume", tmp_path / "run", command="match", common=False)
    assert done.exit_code == 2
    assert f"gomoku-lab tournament --resume {tmp_path / 'run'}" in done.stderr


def test_a_match_with_a_test_is_no_tournament(lab, tmp_path):
    lab("stub:random", "stub:forward", "--sprt", "0,5", "--games", 4, command="match")
    before = (tmp_path / "run" / "games.jsonl").read_bytes()
    done = lab("--resume", tmp_path / "run", common=False)
    assert done.exit_code == 2
    assert "this run is a match with a test" in done.stderr
    assert f"gomoku-lab match --resume {tmp_path / 'run'}" in done.stderr
    assert before == (tmp_path / "run" / "games.jsonl").read_bytes()


def test_resuming_a_match_with_another_test_is_refused(lab, tmp_path):
    lab("stub:random", "stub:forward", "--sprt", "0,5", "--games", 4, command="match")
    done = lab("--resume", tmp_path / "run", "--sprt", "0,9", command="match", common=False)
    assert done.exit_code == 2
    assert "sprt differs" in done.stderr


def test_a_signal_after_the_last_game_does_not_promise_to_finish_games(tmp_path, capfd):
    from contextlib import ExitStack
    from types import SimpleNamespace

    from gomoku_lab.cli.playing import Watch

    with ExitStack() as stack:
        watch = Watch(stack, quiet=True)
        config = SimpleNamespace(total_games=2, format="round-robin")
        watch.start(SimpleNamespace(pairs=[], is_complete=False, config=config, path=tmp_path))
        interrupt = watch.hooks()["on_interrupt"]
        interrupt()
        assert "finishing the running games" in capfd.readouterr().err
        watch.pair(())
        interrupt()
        assert "all games are played; ending the workers" in capfd.readouterr().err
