"""No player pays in its first timed move for what its process does but once."""

import pytest
from arena_tools import small_config
from stub_players import CompiledStub

from gomoku_lab.arena.match import Adjudication
from gomoku_lab.arena.tournament import run_tournament
from gomoku_lab.engine.tables import shape_table
from gomoku_lab.game.rules import Rule
from gomoku_lab.players.engine_player import EnginePlayer
from gomoku_lab.players.registry import resolve, warm_up
from gomoku_lab.suite.positions import load_positions
from gomoku_lab.suite.run import run_suite

PLAYERS = ("compiled:forward", "compiled:random", "stub:backward")


@pytest.fixture(autouse=True)
def nothing_is_loaded(monkeypatch):
    monkeypatch.setattr("gomoku_lab.players.registry._loaded", set())
    monkeypatch.setattr(CompiledStub, "loaded_in", set())


@pytest.mark.parametrize(("jobs", "backend"), [(1, "loky"), (2, "loky"), (2, "threading")])
def test_workers_load_kernels_and_move_once_before_a_game(tmp_path, jobs, backend):
    config = small_config(PLAYERS, pairs=2)
    run = run_tournament(config, tmp_path / "run", jobs=jobs, backend=backend).run
    assert {"five"} == {game.reason for game in run.games()}


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_suite_loads_kernels_and_moves_once_before_a_position(jobs):
    positions = load_positions()
    result = run_suite([resolve("compiled:forward")], positions, jobs=jobs, symmetries=False)
    assert len(result.answers) == len(positions)
    assert {one.board.rule for one in positions} == {"freestyle", "standard", "renju"}
    assert not any(answer.error for answer in result.answers)


def test_kernels_are_loaded_once_in_a_process(monkeypatch):
    calls = []
    monkeypatch.setattr(CompiledStub, "warm_up", lambda progress=None: calls.append(progress))
    for _ in range(3):
        warm_up([resolve("compiled:forward"), resolve("stub:forward")])
    assert calls == [None]


def test_the_tables_of_the_rule_are_there_before_the_first_game(monkeypatch, tmp_path):
    built = []
    set_up = EnginePlayer.new_game

    def new_game(self, seed):
        before = shape_table.cache_info().misses
        shape_table(Rule.STANDARD, 11)
        built.append(shape_table.cache_info().misses - before)
        set_up(self, seed)

    monkeypatch.setattr(EnginePlayer, "new_game", new_game)
    players = ("layered/novice:time_ms=0", "layered/casual:time_ms=0")
    adjudication = Adjudication(max_plies=4)
    config = small_config(players, pairs=1, rule=Rule.STANDARD, adjudication=adjudication)
    run_tournament(config, tmp_path / "run", jobs=1)
    assert set(built) == {0}
