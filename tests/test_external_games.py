"""External programs wherever players play: tournaments, matches, ratings and the suite."""

import json
import os
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import stub_players  # noqa: F401 - adds the family "stub"
from arena_tools import openings_file, own_openings
from click.testing import CliRunner, Result
from external_tools import FAKE, fake_spec
from process_tools import is_running

from gomoku_lab.arena.config import TournamentConfig
from gomoku_lab.arena.store import canonical, load_run
from gomoku_lab.arena.tournament import run_tournament
from gomoku_lab.cli.main import main
from gomoku_lab.players.external_config import GomocupConfig
from gomoku_lab.players.registry import PlayerSpec, resolve
from gomoku_lab.suite.positions import load_positions
from gomoku_lab.suite.run import run_suite

PAIRS = 1
SOUND = "sound"
# What is wrong, how the game record books it, and what its detail says.
FAULTS = {
    "about hang": ("time", "did not answer ABOUT"),
    "about": ("crash", "answered 'UNKNOWN' to ABOUT"),
    "start": ("crash", "answered 'ERROR 15 lines are too many' to START 7"),
    "crash": ("crash", "exit code 1\nstderr:\na last word"),
    "hang": ("time", "did not answer"),
    "late": ("time", "2 ms were allowed"),
    "garbage": ("illegal move", "answered 'Segmentation fault?'"),
    "occupied": ("illegal move", "is occupied by"),
    "off board": ("illegal move", "played 15,3: point 15,3 is off the 7x7 board"),
    "error": ("crash", "answered 'ERROR I do not know that rule'"),
}
SHORT = {
    "about hang": {"start_ms": 50},
    "hang": {"hang_ms": 50},
    "late": {"time_ms": 1, "grace_ms": 1},
}


def fake(what: str, log: Path) -> PlayerSpec:
    """Return the program with one fault: a timed one in its first move, another in its third."""
    at = 1 if what in SHORT else 3
    spec = fake_spec(what, f"at={at}", f"log={log}", **SHORT.get(what, {}))
    return replace(spec, name=what or SOUND)


def processes(log: Path) -> set[int]:
    return {int(line.split()[0]) for line in log.read_text().splitlines()}


def test_a_tournament_records_every_fault_and_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "log"
    config = TournamentConfig(
        players=tuple(fake(what, log) for what in ("", *FAULTS)),
        openings=own_openings(PAIRS),
        opening_set="own",
        format="gauntlet",
    )
    outcome = run_tournament(config, tmp_path / "run", jobs=2)
    games = outcome.run.games()
    assert 2 * PAIRS * len(FAULTS) == len(games)
    for game in games:
        (what,) = {game.black.name, game.white.name} - {SOUND}
        reason, detail = FAULTS[what]
        winner = game.black if game.result == "black" else game.white
        assert (SOUND, reason) == (winner.name, game.reason)
        assert detail in game.detail
        assert not game.reproducible
        if what not in SHORT and reason != "crash":
            assert game.plies > game.opening_moves + 2
    assert not any(map(is_running, processes(log)))


def test_a_program_that_is_promised_to_be_reproducible_gives_the_same_run(tmp_path: Path) -> None:
    specs = [
        replace(fake_spec(*words, reproducible=True, nodes=5), name=name)
        for name, words in (("one", ()), ("two", ("talk",)))
    ]
    config = TournamentConfig(
        players=(*specs, resolve("stub:random")),
        openings=own_openings(2),
        opening_set="own",
    )
    runs = [run_tournament(config, tmp_path / str(jobs), jobs=jobs).run for jobs in (1, 2)]
    assert canonical(runs[0].games()) == canonical(runs[1].games())
    assert all(game.reproducible for game in runs[0].games())
    assert not any(game.is_forfeit for game in runs[0].games())


def test_the_suite_asks_programs_positions_of_either_side(tmp_path: Path) -> None:
    log = tmp_path / "log"
    positions = [one for one in load_positions() if one.kind in ("must-win", "must-block")][:8]
    assert {1, 2} == {one.board.to_move for one in positions}
    result = run_suite([fake("", log)], positions, symmetries=False)
    assert len(positions) == len(result.answers)
    assert not any(answer.error for answer in result.answers)
    for answer, position in zip(result.answers, positions, strict=True):
        assert position.board.empty_points()[-1] == answer.move
    assert not any(map(is_running, processes(log)))


def test_the_suite_goes_on_after_a_fault(tmp_path: Path) -> None:
    positions = load_positions()[:7]
    result = run_suite([fake("crash", tmp_path / "log")], positions, symmetries=False)
    errors = [bool(answer.error) for answer in result.answers]
    # Every process crashes at its third position; a player has six of them, the next one the rest.
    assert [False, False, True, False, False, True, False] == errors


def test_the_suite_does_not_ask_for_rules_that_are_not_known() -> None:
    positions = [one for one in load_positions() if one.board.rule == "standard"][:1]
    spec = fake_spec(rules=("freestyle",))
    assert () == run_suite([spec], positions, symmetries=False).answers


def test_our_own_program_plays_the_game_that_the_player_plays_at_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    at_home = resolve("layered/hard:time_ms=0,nodes=300,noise=0")
    call = "from gomoku_lab.cli.main import main; main()"
    config = GomocupConfig(
        target=sys.executable,
        arguments=("-c", call, "brain", at_home.name),
        time_ms=0,
        hang_ms=600_000,
        start_ms=600_000,
        reproducible=True,
    )
    abroad = PlayerSpec(name="abroad", family="gomocup", config=config)
    moves = []
    for spec in (at_home, abroad):
        tournament = TournamentConfig(
            players=(spec, resolve("stub:random")), openings=own_openings(2, 9), opening_set="own"
        )
        games = run_tournament(tournament, tmp_path / spec.family, jobs=1).run.games()
        assert {"five"} == {game.reason for game in games}
        moves.append([game.moves for game in games])
    assert moves[0] == moves[1]
    assert games[0].depth[0] > 0
    assert games[0].nodes[0] > 0


# ---- commands ------------------------------------------------------------------------------------

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
