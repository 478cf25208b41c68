"""External programs wherever players play: tournaments, matches, ratings and the suite."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import stub_players  # noqa: F401 - adds the family "stub"
from arena_tools import own_openings
from external_tools import fake_spec
from process_tools import is_running

from gomoku_lab.arena.config import TournamentConfig
from gomoku_lab.arena.store import canonical
from gomoku_lab.arena.tournament import run_tournament
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


def test_a_program_that_vanishes_during_a_tournament_loses_and_the_tournament_goes_on(
    tmp_path: Path,
) -> None:
    program = tmp_path / "pbrain-mortal"
    program.symlink_to(sys.executable)
    spec = fake_spec("crash", "at=3", target=str(program))
    config = TournamentConfig(
        players=(spec, resolve("stub:forward")), openings=own_openings(2), opening_set="own"
    )
    outcome = run_tournament(
        config, tmp_path / "run", jobs=1, on_pair=lambda _: program.unlink(True)
    )
    details = [game.detail for game in outcome.run.games()]
    assert ["ended in", "ended in", "there is no program", "there is no program"] == [
        next(words for words in ("ended in", "there is no program") if words in detail)
        for detail in details
    ]


def test_a_program_is_told_to_end_when_its_worker_is_done(tmp_path: Path) -> None:
    log = tmp_path / "log"
    config = TournamentConfig(
        players=(fake("", log), resolve("stub:random")),
        openings=own_openings(2),
        opening_set="own",
    )
    run_tournament(config, tmp_path / "run", jobs=2)
    lines = log.read_text().splitlines()
    last = {line.split()[0]: line.split()[-1] for line in lines}
    started = {line.split()[0] for line in lines if "START" in line}
    assert {"END"} == {last[pid] for pid in started}


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
    errors = [place for place, answer in enumerate(result.answers) if answer.error]
    # Every process crashes at its third position; one has every other of them, the next the rest.
    assert [4, 5] == errors


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
