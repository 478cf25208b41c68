"""A Gomocup program as a player: what it is told, and what it may answer."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from external_tools import BOARD, Fakes, play

from gomoku_lab.engine.config import SearchLimits
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import Rule

SEED = np.random.SeedSequence(5)


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Fakes]:
    """Return a maker of fake programs as players."""
    fakes = Fakes(tmp_path / "log")
    yield fakes
    fakes.close()


SETTINGS = ["INFO rule 0", "INFO game_type 1", "INFO timeout_turn 60000"]
START = ["ABOUT", "START 15", *SETTINGS]


# ---- what it is told -----------------------------------------------------------------------------


def test_opening_is_shown_by_board_and_later_moves_by_turn(make: Fakes) -> None:
    player = make()
    player.new_game(SEED)
    play(player, Board.from_moves("h8i9g7"), 2)
    block = ["BOARD", "7,7,2", "8,6,1", "6,8,2", "DONE"]
    assert [[*START, *block, "TURN 0,0"]] == make.heard()


def test_an_empty_board_is_begun(make: Fakes) -> None:
    player = make()
    player.new_game(SEED)
    play(player, Board(), 2)
    assert [[*START, "BEGIN", "TURN 0,0"]] == make.heard()


def test_set_up_stones_are_shown_in_turn_and_from_the_movers_side(make: Fakes) -> None:
    player = make()
    board = Board.from_stones([0, 1, 2], [3, 4], size=15)
    player.choose(board)
    block = ["BOARD", "0,0,2", "3,0,1", "1,0,2", "4,0,1", "2,0,2", "DONE"]
    assert block == make.heard()[0][len(START) :]


def test_next_game_restarts_the_same_process_and_tells_all_settings_again(make: Fakes) -> None:
    player = make()
    for _ in range(2):
        player.new_game(SEED)
        play(player, Board())
    assert [[*START, "BEGIN", "RESTART", *SETTINGS, "BEGIN"]] == make.heard()


def test_same_position_again_is_asked_on_a_clean_board(make: Fakes) -> None:
    player = make()
    assert player.choose(BOARD).move == player.choose(BOARD).move
    assert "RESTART" in make.heard()[0]


@pytest.mark.parametrize(
    ("words", "settings"), [(["restart"], {}), ([], {"restart": False})], ids=["unknown", "key"]
)
def test_a_program_that_cannot_restart_gets_a_new_process_with_all_settings(
    make: Fakes, words: list[str], settings: dict[str, Any]
) -> None:
    player = make(*words, **settings)
    for _ in range(2):
        player.new_game(SEED)
        play(player, Board())
    first, second = make.heard()
    assert [*START, "BEGIN", *(word.upper() for word in words), "END"] == first
    assert [*START, "BEGIN"] == second


def test_another_board_size_gets_a_new_process(make: Fakes) -> None:
    player = make()
    player.choose(Board())
    player.choose(Board(size=9))
    first, second = make.heard()
    assert "END" == first[-1]
    assert "START 9" in second


@pytest.mark.parametrize(
    ("settings", "lines"),
    [
        ({"time_ms": 700}, ["timeout_turn 700"]),
        ({"time_ms": 0.4 + 1}, ["timeout_turn 1"]),
        ({"hang_ms": 9000}, ["timeout_turn 9000"]),
        ({"match_ms": 80_000}, ["timeout_turn 80000", "timeout_match 80000", "time_left 80000"]),
        (
            {"time_ms": 700, "match_ms": 80_000},
            ["timeout_turn 700", "timeout_match 80000", "time_left 80000"],
        ),
        ({"nodes": 2000}, ["timeout_turn 60000", "max_node 2000"]),
        ({"depth": 6}, ["timeout_turn 60000", "max_depth 6"]),
        ({"memory_mb": 350}, ["timeout_turn 60000", "max_memory 367001600"]),
        ({"memory_mb": 4096}, ["timeout_turn 60000", "max_memory 2147483647"]),
        (
            {"info": {"thread_num": 2, "mood": "good one"}},
            ["timeout_turn 60000", "mood good one", "thread_num 2"],
        ),
        ({"info": {"timeout_turn": 0}}, ["timeout_turn 0"]),
    ],
)
def test_every_setting_is_told(make: Fakes, settings: dict[str, Any], lines: list[str]) -> None:
    make(**{"hang_ms": 60_000, **settings}).choose(BOARD)
    assert ["rule 0", "game_type 1", *lines] == make.told()


@pytest.mark.parametrize(("rule", "code"), [("freestyle", 0), ("standard", 1)])
def test_rule_is_told_and_told_again_when_it_changes(make: Fakes, rule: str, code: int) -> None:
    player = make()
    player.choose(Board(rule=Rule(rule)))
    assert f"rule {code}" == make.told()[0]
    player.choose(Board(rule=Rule.STANDARD))
    assert "rule 1" in make.told()


def test_time_left_shrinks_from_move_to_move_and_starts_anew_with_the_game(make: Fakes) -> None:
    player = make("late", match_ms=50_000)
    for _ in range(2):
        player.new_game(SEED)
        play(player, Board(), 2)
    left = [int(line.split()[1]) for line in make.told() if line.startswith("time_left")]
    assert left[0] == left[2] == 50_000
    assert left[1] <= 49_700


def test_limits_replace_the_budget_and_a_forgotten_one_takes_a_new_process(make: Fakes) -> None:
    player = make(nodes=5000, match_ms=50_000)
    player.choose(Board(), SearchLimits(time_ms=300, nodes=10))
    assert ["timeout_turn 300", "max_node 10"] == make.told()[2:]
    player.choose(Board(), SearchLimits(time_ms=400))
    assert ["timeout_turn 400"] == make.told()[2:]
    assert 2 == len(make.heard())


def test_every_process_has_a_fresh_folder_that_is_told_and_removed(
    make: Fakes, tmp_path: Path
) -> None:
    player = make(restart=False)
    for _ in range(2):
        player.new_game(SEED)
        player.choose(Board())
    player.close()
    lines = [line.partition(" ")[2] for line in make.log.read_text().splitlines()]
    folders = [line.removeprefix("folder ") for line in lines if line.startswith("folder")]
    said = [line.removeprefix("INFO folder ") for line in lines if line.startswith("INFO folder")]
    assert folders == said
    assert 2 == len(set(folders))
    assert not any(Path(folder).exists() for folder in folders)
    assert Path.cwd() not in map(Path, folders)


def test_a_folder_of_the_users_is_used_and_kept(make: Fakes, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    player = make(folder=str(own))
    player.choose(Board())
    player.close()
    assert f"folder {own}" in make.log.read_text()
    assert f"INFO folder {own}" in make.log.read_text()
    assert own.is_dir()


def test_a_new_process_plays_a_move_first_that_nobody_counts(make: Fakes) -> None:
    player = make(rehearse=True)
    for _ in range(2):
        player.new_game(SEED)
        player.choose(Board())
    rehearsal = ["BOARD", "7,7,1", "8,8,2", "DONE"]
    game = ["RESTART", *SETTINGS, "BEGIN"]
    assert [[*START, *rehearsal, *game, *game]] == make.heard()


def test_a_program_that_cannot_forget_its_rehearsal_gets_a_new_process_without(
    make: Fakes,
) -> None:
    make("restart", rehearse=True).choose(Board())
    first, second = make.heard()
    assert ["RESTART", "END"] == first[-2:]
    assert [*START, "BEGIN"] == second


def test_no_rehearsal_without_restart(make: Fakes) -> None:
    make(rehearse=True, restart=False).choose(Board())
    assert [[*START, "BEGIN"]] == make.heard()


def test_program_is_left_alone_for_a_moment_after_its_move(
    make: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    player = make(pause_ms=9_000)
    monkeypatch.setattr(time, "sleep", slept.append)
    player.choose(play(player, Board()))
    first, second = slept
    assert 0 == first
    assert 0 < second <= 9


# ---- what it may answer --------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["", "talk", "suggest", "cr", "banner", "info"])
def test_ways_of_answering_that_the_protocol_allows(make: Fakes, how: str) -> None:
    player = make(how)
    player.new_game(SEED)
    assert [225 - 1, 225 - 2] == [
        player.choose(board).move for board in (Board(), Board.from_moves("o1a15"))
    ]


def test_depth_and_nodes_are_read_from_messages(make: Fakes) -> None:
    choice = make("talk").choose(BOARD)
    assert (1500, 5, None) == (choice.nodes, choice.depth, choice.score)
    silent = make().choose(BOARD)
    assert (0, 0, None) == (silent.nodes, silent.depth, silent.score)


def test_finished_board_gets_no_move(make: Fakes) -> None:
    player = make()
    player.choose(BOARD)
    assert player.choose(Board.from_moves("a1a15b1b15c1c15d1d15e1")).move is None
    assert "RESTART" not in make.heard()[0]


def test_time_of_a_move_does_not_hold_the_start_of_the_process(make: Fakes) -> None:
    start = time.monotonic()
    choice = make().choose(BOARD)
    assert choice.time_ms is not None
    assert 0 < choice.time_ms < (time.monotonic() - start) * 1000


def test_configuration_says_which_rules_it_plays(make: Fakes) -> None:
    assert [Rule.FREESTYLE, Rule.STANDARD] == [rule for rule in Rule if make().plays(rule)]
    for rules in (["standard"], ["renju"], ["freestyle", "standard", "renju"]):
        assert rules == [rule for rule in Rule if make(rules=tuple(rules)).plays(rule)]
