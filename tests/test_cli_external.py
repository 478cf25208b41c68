"""External programs in the commands: listed, shown, refused, matched, rated, put to the suite."""

import json
import re
import sys
from pathlib import Path

import pytest
import stub_players  # noqa: F401 - adds the family "stub"
from arena_tools import openings_file
from click.testing import CliRunner, Result
from external_tools import FAKE

from gomoku_lab.arena.store import load_run
from gomoku_lab.cli.main import main
from gomoku_lab.players.registry import resolve

PROGRAM = f'gomocup:{sys.executable}:time_ms=0,arguments=["-S", "-E", {json.dumps(FAKE)}]'


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Call a command in an empty folder with an opening file."""
    monkeypatch.chdir(tmp_path)
    openings_file(tmp_path)

    def call(*words: str) -> Result:
        return CliRunner().invoke(main, list(words))

    return call


ON_A_SMALL_BOARD = ("--size", "7", "--openings", "own.txt", "--jobs", "1", "--out", "run")


def test_players_lists_the_scheme_and_shows_a_program(lab, tmp_path: Path) -> None:
    assert re.search(r"^gomocup:PATH +A program that speaks", lab("players", "list").stdout, re.M)
    shown = lab("players", "show", f"{PROGRAM},info.thread_num=2,nodes=5")
    assert 0 == shown.exit_code
    assert "nobody has set reproducible=true" in shown.stdout
    assert "[config.info]\nthread_num = 2\n" in shown.stdout
    (tmp_path / "program.toml").write_text(shown.stdout)
    assert resolve("program.toml").config == resolve(f"{PROGRAM},info.thread_num=2,nodes=5").config
    assert "it has a time limit" in lab("players", "show", "gomocup:./x").stdout
    assert "it has a time limit" in lab("players", "show", "gomocup:x:time_ms=0,match_ms=9").stdout
    assert "config" in lab("players", "show", "gomocup:x:time_ms=0,reproducible=true").stdout


def test_a_program_plays_a_match_and_is_rated(lab) -> None:
    done = lab("match", PROGRAM, "stub:forward", "--games", "2", *ON_A_SMALL_BOARD)
    assert 0 == done.exit_code, done.output
    assert not any(game.is_forfeit for game in load_run("run").games())
    rated = lab("rate", "run")
    assert 0 == rated.exit_code, rated.output
    assert PROGRAM in rated.stdout


def test_a_program_in_a_player_file_plays_a_tournament(lab, tmp_path: Path) -> None:
    own = tmp_path / "own-folder"
    own.mkdir()
    arguments = json.dumps(["-S", "-E", FAKE, "talk"])
    (tmp_path / "program.toml").write_text(
        f'family = "gomocup"\n[config]\ntarget = {json.dumps(sys.executable)}\n'
        f'arguments = {arguments}\nfolder = "own-folder"\n[config.info]\nmax_node = 5\n'
    )
    words = ("--players", "program.toml", "--players", PROGRAM)
    done = lab("tournament", *words, "--games", "2", *ON_A_SMALL_BOARD)
    assert 0 == done.exit_code, done.output
    assert {1500} == {
        game.nodes[0] for game in load_run("run").games() if game.black.name.endswith("toml")
    }


@pytest.mark.parametrize("command", ["match", "tournament", "suite"])
def test_a_program_that_is_not_there_is_refused_before_anything_is_played(lab, command) -> None:
    if command == "match":
        done = lab("match", "gomocup:./missing", PROGRAM, "--games", "2", *ON_A_SMALL_BOARD)
    else:
        words = ("--players", "gomocup:./missing", "--players", PROGRAM)
        rest = () if command == "suite" else ("--games", "2", *ON_A_SMALL_BOARD)
        done = lab(command, *words, *rest)
    assert 2 == done.exit_code
    assert "gomocup:./missing: there is no program missing" in done.stderr
    assert 1 == done.stderr.count("\n")


def test_a_folder_in_a_player_file_that_is_none_is_refused_before_anything_is_played(
    lab, tmp_path: Path
) -> None:
    (tmp_path / "program.toml").write_text(
        f'family = "gomocup"\n[config]\ntarget = {json.dumps(sys.executable)}\n'
        'folder = "nofolder"\n'
    )
    done = lab("match", "program.toml", PROGRAM, "--games", "2", *ON_A_SMALL_BOARD)
    assert 2 == done.exit_code
    assert done.stderr.endswith("program.toml: folder must be a folder that exists: 'nofolder'\n")
    assert 1 == done.stderr.count("\n")
    assert not (tmp_path / "run").exists()


def test_a_rule_that_a_program_does_not_know_is_refused_by_name(lab) -> None:
    words = (PROGRAM, f'{PROGRAM},rules=["freestyle"]', "--rule", "standard")
    done = lab("match", *words, "--games", "2", *ON_A_SMALL_BOARD)
    assert 2 == done.exit_code
    assert "does not play the rule 'standard'" in done.stderr


def test_suite_ends_with_3_if_a_program_breaks(lab) -> None:
    broken = f'gomocup:{sys.executable}:arguments=["-S", "-E", {json.dumps(FAKE)}, "crash"]'
    words = ("--players", broken, "--kind", "must-block", "--no-symmetries", "--jobs", "1")
    done = lab("suite", *words)
    assert 3 == done.exit_code
    assert "crashed, hung or played illegally" in done.stderr
