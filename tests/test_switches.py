"""The switches for ablation: each takes one element out of the engine and nothing else."""

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import open_boards

from gomoku_lab.engine.config import ConfigError, EngineConfig
from gomoku_lab.engine.engine import Engine
from gomoku_lab.engine.roots import RootLayer
from gomoku_lab.engine.tables import half_window, shape_table
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import Rule
from gomoku_lab.kernels.layout import CLASS_OF_GRADE, EDGE, FOUR

WHOLE = Engine(EngineConfig(depth=3, width=6, table_bits=12, threat_layer=False))
SWITCHED = {
    switch: Engine(EngineConfig.from_dict({**WHOLE.config.to_dict(), switch: value}, source=switch))
    for switch, value in {"ordering": False, "deepening": False, "table_bits": 0}.items()
}


@pytest.mark.parametrize("switch", SWITCHED)
@settings(max_examples=40)
@given(board=open_boards())
def test_what_only_saves_nodes_changes_no_score(switch, board):
    found = WHOLE.analyse(board)
    # A settled outcome ends the deepening early.
    if found.depth == 3:
        assert found.score == SWITCHED[switch].analyse(board).score


MIDDLE = Board.from_moves("h8i9g7i7h9h10")


def test_without_deepening_one_layer_is_searched():
    engine = Engine(EngineConfig(depth=4, deepening=False, threat_layer=False))
    assert [layer.depth for layer in engine.analyse(MIDDLE).layers] == [4]


def test_without_ordering_more_nodes_are_searched():
    nodes = {
        ordering: Engine(EngineConfig(depth=5, width=12, ordering=ordering)).analyse(MIDDLE).nodes
        for ordering in (True, False)
    }
    assert nodes[False] > 3 * nodes[True]


def test_without_ordering_the_roots_are_searched_row_by_row():
    engine = Engine(EngineConfig(depth=3, width=8, ordering=False))
    bounds = [root.move for root in engine.analyse(MIDDLE).roots if root.bound is not None]
    state = engine._state
    state.set_up(MIDDLE)
    layer = RootLayer(state, state.ranked(), full=False, reorder=False)
    layer.start()
    for depth in (1, 2, 3):
        assert layer.search(depth)
        assert list(layer.cells) == sorted(layer.cells)
    assert len(bounds) < 8


@pytest.mark.parametrize("other", [{"time_ms": 100}, {"nodes": 100}, {"depth": None, "nodes": 5}])
def test_without_deepening_only_a_depth_is_a_limit(other):
    with pytest.raises(ConfigError, match="deepening=false"):
        EngineConfig(**{"depth": 3, "deepening": False, **other})


def test_a_window_has_an_odd_number_of_cells():
    with pytest.raises(ConfigError, match="window must be 5, 7, 9 or 11: 8"):
        EngineConfig(depth=1, window=8)


def test_nine_cells_are_the_whole_window_of_freestyle():
    whole, nine = shape_table(Rule.FREESTYLE), shape_table(Rule.FREESTYLE, 9)
    assert np.array_equal(whole, nine)


@pytest.mark.parametrize("rule", [Rule.FREESTYLE, Rule.STANDARD])
@pytest.mark.parametrize("window", [5, 7, 9])
def test_a_narrow_window_keeps_fives_and_fours_and_raises_nothing(rule, window):
    whole, narrow = shape_table(rule), shape_table(rule, window)
    for shift in (0, 4):
        before, after = (whole >> shift) & 15, (narrow >> shift) & 15
        strong = CLASS_OF_GRADE[before] >= FOUR
        assert np.array_equal(before[strong], after[strong])
        assert (after <= before).all()
    if window // 2 < half_window(rule) - 1:
        assert (whole != narrow).any()


@pytest.mark.parametrize("window", [5, 7])
def test_a_narrow_window_does_not_read_the_cells_outside(window):
    narrow = shape_table(Rule.FREESTYLE, window)
    whole = shape_table(Rule.FREESTYLE)
    rng = np.random.default_rng(5)
    for code in rng.integers(0, len(whole), 2_000).tolist():
        outside = [cell for cell in range(8) if (4 - cell if cell < 4 else cell - 3) > window // 2]
        changed = code
        for cell in outside:
            changed = changed & ~(3 << (2 * cell)) | int(rng.integers(0, EDGE + 1)) << (2 * cell)
        for shift in (0, 4):
            grades = [(table >> shift) & 15 for table in (whole[code], whole[changed])]
            if CLASS_OF_GRADE[grades].max() < FOUR:
                one, two = (narrow[code] >> shift) & 15, (narrow[changed] >> shift) & 15
                assert one == two
