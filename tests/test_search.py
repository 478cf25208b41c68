"""The search: equal to plain minimax, layer by layer, and whole again after every abort."""

import dataclasses
import threading
from itertools import pairwise

import naive_engine as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from state_tools import differences, put, quiet_board, snapshot, working

from gomoku_lab.engine.config import EngineConfig, PatternWeights, SearchLimits
from gomoku_lab.engine.engine import Engine, static_order
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import Rule
from gomoku_lab.kernels import layout
from gomoku_lab.kernels.root import search_root
from gomoku_lab.kernels.search import UNDECIDED, decided, search, set_budget, start_budget
from gomoku_lab.kernels.table import entry_bound, entry_depth, entry_score
from gomoku_lab.players.registry import resolve

# Small weights make equal scores, and scores that differ by one, common.
COARSE = PatternWeights(
    five=100, open_four=5, four=3, open_three=2, three=2, open_two=1, two=1, one=1
)
LEVELS = ("novice", "casual", "skilled", "hard", "master")


@st.composite
def searches(draw):
    """Draw a small position and a search of it, every option varied."""
    size = draw(st.sampled_from((5, 6, 7, 9)))
    board = quiet_board(
        draw(st.integers(0, 10**6)),
        size=size,
        rule=draw(st.sampled_from(Rule)),
        stones=draw(st.integers(1, 14)),
        side=draw(st.integers(4, 5)),
    )
    return board, EngineConfig(
        depth=draw(st.integers(1, 3)),
        width=draw(st.integers(1, 5)),
        radius=draw(st.integers(1, 2)),
        defence=draw(st.sampled_from((1.0, 1.0, 0.5, 1.5))),
        terminal=draw(st.sampled_from((True, True, False))),
        table_bits=draw(st.sampled_from((0, 10, 14))),
        weights=draw(st.sampled_from((PatternWeights(), COARSE))),
        threat_layer=False,
    )


def values(board, depth, config):
    return dict(naive.root_values(naive.Position.of(board), depth, config))


def line_score(board, line, config):
    """Return the score at the end of a line, from the root's side to move."""
    position = naive.Position.of(board)
    for move in line:
        position = position.play(move)
    score = naive.decided(position, config, len(line))
    if score is None:
        score = naive.evaluate(position, config)
    return score if len(line) % 2 == 0 else -score


@given(searches())
@settings(max_examples=150)
def test_S1_17_alpha_beta_with_all_its_devices_equals_plain_minimax(case):
    board, config = case
    found = Engine(config).analyse(board)
    for layer in found.layers:
        expected = values(board, layer.depth, config)
        assert max(expected.values()) == layer.score
        assert layer.score == expected[layer.move]
        assert layer.move == layer.pv[0]
        assert layer.score == line_score(board, layer.pv, config)
    assert {root.move for root in found.roots} == set(expected)
    for root in found.roots:
        if root.score is None:
            assert expected[root.move] <= root.bound
        else:
            assert expected[root.move] == root.score


@given(searches())
@settings(max_examples=100)
def test_S1_35_S1_34_exact_root_scores_equal_plain_minimax(case):
    board, config = case
    expected = values(board, config.depth, config)
    found = Engine(config).exact_root(board, depth=config.depth, count=config.width)
    assert expected == {root.move: root.score for root in found}
    assert sorted(expected.values(), reverse=True) == [root.score for root in found]
    assert {config.depth} == {root.depth for root in found}


def test_S1_35_the_width_is_cut_before_killers_and_history_have_a_say():
    """A deep search fills killers and history; exact scores of a width-3 tree do not change."""
    board = quiet_board(11, size=9, stones=8)
    config = EngineConfig(depth=3, width=3, table_bits=12, threat_layer=False)
    engine = Engine(config)
    engine.analyse(board, limits=SearchLimits(depth=8))
    found = engine.exact_root(board, depth=3, count=3)
    assert values(board, 3, config) == {root.move: root.score for root in found}


def test_S1_35_named_moves_are_searched_even_outside_the_width():
    board = quiet_board(5, size=9, stones=8)
    config = EngineConfig(depth=2, width=3, table_bits=10)
    chosen = static_order(board, EngineConfig(depth=1, width=400, table_bits=10))[5:8]
    found = Engine(config).exact_root(board, depth=2, moves=chosen)
    position = naive.Position.of(board)
    expected = {m: -naive.minimax(position.play(m), 1, config, 1) for m in chosen}
    assert expected == {root.move: root.score for root in found}


@pytest.mark.parametrize("rule", Rule)
def test_S1_D6_a_table_of_any_size_gives_the_same_exact_root_scores(rule):
    for seed in range(8):
        board = quiet_board(seed, size=15, rule=rule, stones=6 + seed)
        scores = set()
        for bits in (0, 10, 18):
            config = EngineConfig(depth=1, width=8, table_bits=bits)
            found = Engine(config).exact_root(board, depth=5, count=8)
            scores.add(tuple((root.move, root.score) for root in found))
        assert len(scores) == 1


# --- deepening -------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_S1_17_layers_deepen_one_by_one_to_the_levels_depth(level):
    config = resolve(f"layered/{level}:time_ms=0,noise=0").config
    found = Engine(config).analyse(Board.from_moves("h8i9g9"))
    assert list(range(1, config.depth + 1)) == [layer.depth for layer in found.layers]
    moves = [layer.move for layer in found.layers]
    changed = [False, *(a != b for a, b in pairwise(moves))]
    assert changed == [layer.changed for layer in found.layers]


def test_S1_17_deepening_stops_when_the_outcome_is_settled():
    board = Board.from_moves("h8a1h9a3h10a5")
    found = Engine(EngineConfig(depth=20, table_bits=10, threat_layer=False)).analyse(board)
    assert 1 == found.depth
    assert 3 == found.mate


# --- budgets and aborts ----------------------------------------------------------------------

BOARD = Board.from_moves("h9j8h6g6i7k8h5h7")
CONFIG = EngineConfig(depth=8, width=14, table_bits=16, threat_layer=False)


def without_times(analysis):
    return (
        analysis.move,
        analysis.gate,
        analysis.score,
        analysis.mate,
        analysis.pv,
        [dataclasses.replace(layer, time_ms=0.0) for layer in analysis.layers],
        analysis.roots,
    )


@pytest.fixture(scope="module")
def reference():
    engine = Engine(CONFIG)
    found = engine.analyse(BOARD)
    return found, int(engine._state.record["clock_reads"])


def test_S1_23_the_clock_is_read_every_1024_nodes(reference):
    found, reads = reference
    assert 1024 == layout.CLOCK_INTERVAL
    assert found.nodes // 1024 == reads
    assert 20 <= reads <= 120


def test_S1_18_S1_25_aborting_at_every_clock_read_changes_nothing_but_the_layer_count(reference):
    whole, reads = reference
    engine = Engine(CONFIG)
    by_depth = {
        depth: without_times(engine.analyse(BOARD, limits=SearchLimits(depth=depth)))
        for depth in range(1, CONFIG.depth + 1)
    }
    ends = np.cumsum([layer.nodes for layer in whole.layers])
    for read in range(1, reads + 1):
        engine._state.record["abort_at_read"] = read
        found = engine.analyse(BOARD)
        assert 1024 * read == found.nodes
        assert engine._state.record["aborted"] == 1
        completed = int((ends < 1024 * read).sum())
        assert completed == found.depth
        assert by_depth[completed] == without_times(found)
    engine._state.record["abort_at_read"] = 0
    assert without_times(whole) == without_times(engine.analyse(BOARD))


def test_S1_24_every_level_unwinds_and_leaves_the_position_as_it_was(reference):
    engine = Engine(CONFIG)
    engine._state.set_up(BOARD)
    before = snapshot(engine._state)
    for read in range(1, reference[1] + 1, 3):
        engine._state.record["abort_at_read"] = read
        engine.analyse(BOARD)
        assert differences(before, snapshot(engine._state)) == []


def tree(board, config, plies):
    """Yield the positions of the width-limited tree as move sequences, root first."""
    level = [()]
    for _ in range(plies):
        deeper = []
        for line in level:
            after = board
            for move in line:
                after = after.play(move)
            if not after.is_over:
                deeper += [(*line, move) for move in static_order(after, config)]
        yield from deeper
        level = deeper


def test_S1_25_no_score_of_a_partial_tree_reaches_the_table():
    """Whatever an abort leaves in the table is true: exact, or a bound on the right side."""
    config = EngineConfig(depth=8, width=10, table_bits=16, threat_layer=False)
    engine, oracle = Engine(config), working(BOARD, config)
    keys = {}
    for line in tree(BOARD, config, 2):
        for move in line:
            put(oracle, move)
        keys[int(oracle.record["hash"])] = line
        oracle.set_up(BOARD)
    known, seen = {}, set()
    for read in range(1, 100):
        engine._state.record["abort_at_read"] = read
        engine.analyse(BOARD)
        table = engine._state.table
        stored = table["check"] ^ table["data"]
        newest = (table["data"] >> 58) == engine._state.record["generation"]
        for row in np.flatnonzero(newest & np.isin(stored, list(keys))):
            key, entry = int(stored[row]), int(table["data"].astype(np.int64)[row])
            depth, bound = entry_depth(entry), entry_bound(entry)
            if (key, depth) not in known:
                known[key, depth] = true_value(oracle, keys[key], depth)
            value, score = known[key, depth], entry_score(entry, 0)
            assert bound in (layout.EXACT, layout.LOWER, layout.UPPER)
            assert score <= value or bound == layout.UPPER
            assert score >= value or bound == layout.LOWER
            seen.add(int(bound))
        if engine._state.record["aborted"] == 0:
            break
    assert read > 5
    assert {layout.EXACT, layout.LOWER, layout.UPPER} == seen


def true_value(oracle, line, depth):
    """Return the full-window value, counted from the node, of the position after `line`."""
    oracle.set_up(BOARD)
    for move in line:
        put(oracle, move)
    record = oracle.record
    start_budget(record, layout.FOREVER, layout.FOREVER)
    assert decided(record, 0) == UNDECIDED
    return search(record, oracle.table, depth, -layout.INFINITY, layout.INFINITY, 0)


def test_S1_22_the_deadline_is_checked_inside_the_search():
    """One call of the search kernel, no thread beside it, ends at the first reading."""
    state = working(BOARD, CONFIG)
    start_budget(state.record, layout.FOREVER, layout.FOREVER)
    set_budget(state.record, layout.FOREVER, 1)
    cells = state.ranked()
    outputs = [np.zeros(len(cells), np.int64) for _ in range(3)]
    threads = threading.active_count()
    assert -1 == search_root(state.record, state.table, 30, False, cells, *outputs)
    assert 1024 == state.record["nodes"]
    assert 1 == state.record["clock_reads"]
    assert threads == threading.active_count()


def test_S1_22_a_time_budget_ends_a_search_without_a_depth():
    limits = SearchLimits(time_ms=20.0)
    found = Engine(CONFIG).analyse(BOARD, limits=limits)
    assert 1 <= found.depth < layout.MAX_DEPTH
    assert not found.reproducible


@pytest.mark.parametrize("seed", range(5))
def test_S1_D5_depth_1_completes_in_no_time_at_all(seed):
    board = quiet_board(seed, size=15, stones=6)
    whole = Engine(CONFIG).analyse(board, limits=SearchLimits(depth=1))
    for limits in (SearchLimits(time_ms=0), SearchLimits(nodes=1), SearchLimits(nodes=3, depth=9)):
        found = Engine(CONFIG).analyse(board, limits=limits)
        assert without_times(whole) == without_times(found)
        assert found.nodes == whole.nodes


def test_S1_18_a_node_budget_keeps_the_last_completed_layer():
    engine = Engine(CONFIG)
    whole = engine.analyse(BOARD)
    spent = 0
    for layer, following in pairwise(whole.layers):
        spent += layer.nodes
        for nodes in (spent + 1, spent + following.nodes):
            found = engine.analyse(BOARD, limits=SearchLimits(nodes=nodes))
            assert layer.depth == found.depth
            assert (layer.move, layer.score, layer.pv) == (found.move, found.score, found.pv)
            assert found.nodes <= nodes


def test_a_search_is_a_function_of_board_and_configuration():
    """Neither earlier boards nor earlier searches nor a renewed table leave a trace."""
    fresh = Engine(CONFIG).analyse(BOARD)
    engine = Engine(CONFIG)
    for seed in range(70):
        engine.analyse(quiet_board(seed, size=9 + seed % 3), limits=SearchLimits(depth=2))
        if seed % 10 == 9:
            assert without_times(fresh) == without_times(engine.analyse(BOARD))
            assert fresh.nodes == engine.analyse(BOARD).nodes
