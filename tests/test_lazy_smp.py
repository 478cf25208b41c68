"""Helping threads: they share the table, change no rule of the game, and leave nothing behind."""

import threading
from dataclasses import replace

import pytest
from state_tools import quiet_board

from gomoku_lab.engine.config import ConfigError, EngineConfig, SearchLimits
from gomoku_lab.engine.engine import Engine
from gomoku_lab.game.rules import Rule

CONFIG = EngineConfig(depth=20, width=8, table_bits=10, selective=True, reduction=2, threads=3)


def test_with_a_limit_of_nodes_or_of_depth_there_is_one_search_and_one_answer():
    alone, helped = Engine(replace(CONFIG, threads=1)), Engine(CONFIG)
    for seed in range(5):
        board = quiet_board(seed, size=9, stones=8)
        for limits in (SearchLimits(nodes=3_000), SearchLimits(depth=4)):
            one, other = (engine.analyse(board, limits=limits) for engine in (alone, helped))
            assert (one.pv, one.roots, one.nodes) == (other.pv, other.roots, other.nodes)
            assert other.reproducible


@pytest.mark.parametrize("rule", Rule)
def test_helped_by_threads_it_plays_legal_moves_and_leaves_no_thread(rule):
    """A table of 1,024 entries, so that all of them write to the same ones all the time."""
    engine = Engine(CONFIG)
    running = threading.active_count()
    for seed in range(10):
        board = quiet_board(seed, size=7, rule=rule, stones=10)
        found = engine.analyse(board, limits=SearchLimits(time_ms=20), keep=seed % 2 > 0)
        assert found.move in board.legal_points()
        assert not found.reproducible
        assert found.nodes >= sum(layer.nodes for layer in found.layers)
        assert running == threading.active_count()


def test_an_error_in_the_midst_of_a_search_leaves_no_thread():
    running = threading.active_count()

    def fail(layer):
        raise KeyError(layer.depth)

    with pytest.raises(KeyError):
        Engine(CONFIG).analyse(
            quiet_board(1, size=15, stones=8), limits=SearchLimits(time_ms=50), on_layer=fail
        )
    assert running == threading.active_count()


def test_a_number_of_threads_below_one_is_refused():
    with pytest.raises(ConfigError, match="threads must be 1"):
        EngineConfig(depth=1, threads=0)
