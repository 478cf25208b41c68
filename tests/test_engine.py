"""The engine's answers: what an analysis holds, what it never claims, and what it refuses."""

import json
import threading
from dataclasses import FrozenInstanceError

import golden_traces
import naive_engine as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from state_tools import quiet_board
from strategies import finished_boards, open_boards

from gomoku_lab.engine.config import EngineConfig, SearchLimits
from gomoku_lab.engine.engine import Engine, evaluate, kernels_cached, static_order, warm_up
from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import parse_diagram
from gomoku_lab.game.rules import Rule
from gomoku_lab.game.schemas import load_schema
from gomoku_lab.kernels import layout
from gomoku_lab.players.registry import resolve
from gomoku_lab.suite.positions import load_positions

QUIET = Board.from_moves("h9j8h6g6i7k8h5h7")
CONFIG = EngineConfig(depth=5, width=10, table_bits=12, threat_layer=False)
SHIPPED = {position.id: position for position in load_positions(None)}
FAMILIES = ("plain/depth4", "layered/master:depth=3,time_ms=0", "lab/max:depth=3,time_ms=0")


@pytest.fixture(scope="module")
def found():
    return Engine(CONFIG).analyse(QUIET)


# --- the trace -------------------------------------------------------------------------------


def test_S1_31_a_trace_holds_depth_move_score_nodes_and_time_of_each_layer(found):
    assert [1, 2, 3, 4, 5] == [layer.depth for layer in found.layers]
    for layer in found.layers:
        assert QUIET.cells[layer.move] == 0
        assert isinstance(layer.score, int)
        assert layer.nodes > 0
        assert layer.time_ms >= 0
    assert found.nodes == sum(layer.nodes for layer in found.layers)
    last = found.layers[-1]
    assert (last.move, last.score, last.pv) == (found.move, found.score, found.pv)
    assert found.depth == last.depth


def test_S1_31_a_trace_holds_the_root_candidates(found):
    assert set(static_order(QUIET, CONFIG)) == {root.move for root in found.roots}
    best = found.roots[0]
    assert (found.move, found.score, found.depth) == (best.move, best.score, best.depth)
    assert sum(root.nodes for root in found.roots) == found.layers[-1].nodes


def test_S1_31_a_trace_is_written_as_json_that_fits_the_schema(found):
    values = json.loads(json.dumps(found.to_dict()))
    Draft202012Validator(load_schema("analysis")).validate(values)
    assert 5 == len(values["layers"])
    assert len(found.roots) == len(values["roots"])


def test_S1_31_layers_are_reported_as_they_complete():
    seen = []
    found = Engine(CONFIG).analyse(QUIET, on_layer=seen.append)
    assert list(found.layers) == seen


@given(open_boards(), st.integers(1, 3))
@settings(max_examples=40)
def test_S1_33_S1_38_a_bound_never_stands_under_score(board, depth):
    config = EngineConfig(depth=depth, width=8, table_bits=12, threat_layer=False)
    found = Engine(config).analyse(board)
    values = found.to_dict()
    for root, written in zip(found.roots, values["roots"], strict=True):
        assert (root.score is None) != (root.bound is None)
        assert ("score" in written) == (root.score is not None)
        if root.score is None:
            assert {"value": root.bound, "kind": "upper"} == written["bound"]
            assert root.bound <= found.score
        else:
            assert "bound" not in written
            assert root.score <= found.score
        assert found.depth == written["depth"]


def test_S1_34_a_second_look_gives_every_root_candidate_an_exact_score(found):
    assert any(root.score is None for root in found.roots)
    exact = Engine(CONFIG).exact_root(QUIET, depth=found.depth, count=len(found.roots))
    assert all(root.score is not None and root.depth == found.depth for root in exact)
    bounds = {root.move: root.bound for root in found.roots if root.bound is not None}
    for root in exact:
        assert root.score <= bounds.get(root.move, found.score)
    assert found.score == exact[0].score


def test_an_analysis_is_frozen(found):
    with pytest.raises(FrozenInstanceError):
        found.move = 3


@pytest.mark.parametrize("name", golden_traces.POSITIONS)
def test_golden_traces_stay_as_they_are(name):
    """After a meant change of search or evaluation: `python tests/golden_traces.py` renews them."""
    assert golden_traces.kept(name) == golden_traces.trace(name)


def test_every_golden_trace_is_checked():
    names = {path.stem for path in golden_traces.FOLDER.glob("*.json")}
    assert set(golden_traces.POSITIONS) == names


# --- finished boards -------------------------------------------------------------------------


@pytest.mark.parametrize("name", FAMILIES)
def test_S4_24_a_finished_or_full_board_has_no_move(name):
    engine = Engine(resolve(name).config)
    boards = [position.board for position in SHIPPED.values() if position.kind == "draw-board"]
    boards += [Board.from_moves("h8a1h9a3h10a5h11a7h12")]
    assert {True, False} == {board.is_full for board in boards}
    for board in boards:
        found = engine.analyse(board, rng=np.random.default_rng(1))
        assert (None, "over", None, 0) == (found.move, found.gate, found.score, found.nodes)
        assert () == engine.exact_root(board, depth=2)


@given(finished_boards())
@settings(max_examples=40)
def test_S4_24_no_finished_game_gets_a_move(board):
    assert Engine(CONFIG).analyse(board).move is None


def test_the_last_empty_point_is_played():
    board = SHIPPED["draw-even"].board
    move = 17
    cells = bytearray(board.cells)
    colour, cells[move] = cells[move], 0
    for layer in (True, False):
        config = EngineConfig(depth=4, table_bits=10, threat_layer=layer)
        before = Board(board.size, board.rule, bytes(cells), colour)
        found = Engine(config).analyse(before)
        assert (move, 0, 1) == (found.move, found.score, found.depth)


# --- the plain player ------------------------------------------------------------------------

PLAIN = resolve("plain/depth4").config


def test_S1_1_plain_is_depth_4_without_threat_layer_and_shares_the_rest_with_skilled():
    skilled = resolve("layered/skilled").config
    assert (4, False, False) == (PLAIN.depth, PLAIN.threat_layer, PLAIN.terminal)
    for key in ("table_bits", "radius", "width", "weights", "defence"):
        assert getattr(PLAIN, key) == getattr(skilled, key)


def test_S1_1_plain_sees_a_five_only_in_the_evaluation_and_gives_it_no_distance():
    engine = Engine(PLAIN)
    five = PLAIN.weights.five
    for position in SHIPPED.values():
        if position.kind == "must-win":
            found = engine.analyse(position.board)
            assert "search" == found.gate
            assert (None, None) == (found.mate, found.proven)
            assert 4 == found.depth
            # The search goes on behind a five, and may find that the other side makes one too.
            assert abs(found.score) < 2 * five < layout.MATE_RANGE


@pytest.mark.parametrize("rule", Rule)
def test_S1_1_plain_equals_minimax_that_searches_on_behind_a_five(rule):
    config = PLAIN.varied({"depth": 3, "width": 4})
    fives = 0
    for seed in range(40):
        board = quiet_board(seed, size=7, rule=rule, stones=14)
        expected = dict(naive.root_values(naive.Position.of(board), 3, config))
        found = Engine(config).analyse(board)
        assert max(expected.values()) == found.score == expected[found.move]
        fives += abs(found.score) > config.weights.five // 2
    assert fives > 5


def test_S1_1_a_position_lost_in_three_moves_evaluates_as_an_ordinary_one():
    """Nothing that the evaluation says of a lost side sets it apart from one that is not."""
    weights = PLAIN.weights
    lost = 0
    for position in SHIPPED.values():
        if position.win_in == 3:
            lost += 1
            after = position.board.play(position.best[0])
            assert abs(evaluate(after, PLAIN)) < weights.five // 2
            assert Engine(PLAIN.varied({"depth": 1})).analyse(after).mate is None
    assert lost >= 10


def test_S1_1_a_terminal_five_gives_the_same_search_distances():
    config = PLAIN.varied({"terminal": True})
    for position in SHIPPED.values():
        if position.kind == "must-win":
            found = Engine(config).analyse(position.board)
            assert (1, layout.MATE - 1) == (found.mate, found.score)
            assert found.move in position.best


# --- what it refuses -------------------------------------------------------------------------


def test_limits_without_any_limit_are_refused():
    with pytest.raises(ValueError, match="at least one of depth, time_ms and nodes"):
        Engine(CONFIG).analyse(QUIET, limits=SearchLimits())


@pytest.mark.parametrize("depth", [0, 65])
def test_exact_scores_of_an_impossible_depth_are_refused(depth):
    with pytest.raises(ValueError, match=rf"depth must be 1\.\.64: {depth}"):
        Engine(CONFIG).exact_root(QUIET, depth=depth)


def test_exact_scores_of_no_moves_or_of_occupied_points_are_refused():
    with pytest.raises(ValueError, match="count must be 1 or more: 0"):
        Engine(CONFIG).exact_root(QUIET, depth=1, count=0)
    with pytest.raises(ValueError, match="h9 is occupied by black"):
        Engine(CONFIG).exact_root(QUIET, depth=1, moves=(97,))


def test_exact_scores_under_a_node_budget_report_the_depth_they_reached():
    found = Engine(CONFIG).exact_root(QUIET, depth=8, count=3, limits=SearchLimits(nodes=2000))
    (depth,) = {root.depth for root in found}
    assert 1 <= depth < 8
    whole = Engine(CONFIG).exact_root(QUIET, depth=depth, count=3)
    assert [(r.move, r.score) for r in whole] == [(r.move, r.score) for r in found]


# --- the deepest and the smallest ------------------------------------------------------------


def test_a_search_to_the_last_empty_point_of_the_smallest_board_ends():
    for seed in range(5):
        board = quiet_board(seed, size=5, stones=17)
        config = EngineConfig(depth=64, width=400, table_bits=16, threat_layer=False)
        found = Engine(config).analyse(board)
        assert (found.depth, found.score) == (8, 0) or found.mate is not None


@pytest.mark.parametrize("terminal", [True, False])
def test_the_deepest_search_of_64_plies_fits_its_arrays(terminal):
    """One move a node, so that 64 plies are a single line."""
    config = EngineConfig(depth=1, width=1, table_bits=10, terminal=terminal)
    (root,) = Engine(config).exact_root(Board().play(0), depth=64, count=1)
    assert 64 == root.depth
    position = naive.Position.of(Board().play(0)).play(root.move)
    assert -naive.minimax(position, 63, config, 1) == root.score


def test_the_largest_board_with_the_largest_radius_and_width_is_searched():
    config = EngineConfig(depth=2, width=400, radius=14, nodes=5000, threat_layer=False)
    board = Board(size=20).play(0)
    assert 224 == len(Engine(config).analyse(board).roots) == len(static_order(board, config))


def test_an_overline_is_no_win_for_an_engine_under_the_exact_rule():
    text = """
    9 . . . . . . . . .
    8 . O . . . . . . .
    7 . . O . O . . . .
    6 . . . . . . . . .
    5 . X X X . X X . .
    4 . . O . . . . . .
    3 . . . O . . . . .
    2 . . . . . . . . .
    1 . . . . . . . . .
      a b c d e f g h i
    """
    gates = {
        rule: Engine(resolve("layered/master:depth=2,time_ms=0").config)
        .analyse(parse_diagram(text, rule=rule, to_move=1, balanced=False))
        .gate
        for rule in ("freestyle", "standard")
    }
    assert "five" == gates["freestyle"]
    assert "five" != gates["standard"]


# --- getting ready ---------------------------------------------------------------------------


def test_warming_up_leaves_nothing_to_compile():
    said = []
    assert warm_up(said.append) > 0
    assert kernels_cached()
    again = []
    warm_up(again.append)
    assert [] == again


# --- stopping --------------------------------------------------------------------------------


def test_a_search_that_is_stopped_ends_with_its_last_layer():
    engine = Engine(EngineConfig(depth=64, threat_layer=False))

    def stop(layer):
        if layer.depth == 4:
            engine.stop()

    stopped = engine.analyse(QUIET, on_layer=stop)
    whole = Engine(EngineConfig(depth=4, threat_layer=False)).analyse(QUIET)
    assert whole.layers[-1].move == stopped.move
    assert (4, False) == (stopped.depth, stopped.reproducible)


def test_a_search_is_stopped_from_another_thread_within_a_layer():
    engine = Engine(EngineConfig(depth=64, threat_layer=False))
    deep_enough = threading.Event()

    def stop():
        deep_enough.wait()
        engine.stop()

    thread = threading.Thread(target=stop)
    thread.start()
    found = engine.analyse(QUIET, on_layer=lambda layer: layer.depth == 6 and deep_enough.set())
    thread.join()
    assert 6 <= found.depth < 64
    assert found.nodes >= sum(layer.nodes for layer in found.layers)


def test_a_stop_when_nothing_is_searched_stops_nothing():
    engine = Engine(CONFIG)
    engine.stop()
    assert engine.analyse(QUIET).depth == CONFIG.depth
    engine.stop()
    assert engine.exact_root(QUIET, depth=3, count=2)[0].depth == 3


def test_a_search_that_is_stopped_at_once_still_has_a_move():
    engine = Engine(EngineConfig(depth=3, deepening=False, threat_layer=False))
    stopper = threading.Timer(0, engine.stop)
    stopper.start()
    assert engine.analyse(QUIET).move is not None
    stopper.join()


def test_a_name_in_place_of_a_configuration_is_refused_with_what_takes_names():
    wanted = "an EngineConfig is wanted: 'lab/max'; analyse and make_player take names"
    with pytest.raises(TypeError, match=wanted):
        Engine("lab/max")  # type: ignore[arg-type]
