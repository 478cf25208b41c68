"""The selective search and the learned move order: what they may leave out, and what never."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from state_tools import CONFIG, differences, empty_cells, quiet_board, snapshot, working

from gomoku_lab.engine.config import ConfigError, EngineConfig, SearchLimits
from gomoku_lab.engine.engine import Engine, static_order
from gomoku_lab.engine.learned import COMBINATIONS, LearnedTable, combination_of_code, load_table
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import Rule
from gomoku_lab.kernels import layout
from gomoku_lab.kernels.candidates import order_key
from gomoku_lab.kernels.forbidden import may_play
from gomoku_lab.kernels.root import search_root
from gomoku_lab.kernels.search import decided, start_budget
from gomoku_lab.kernels.state import place, point_class, remove
from gomoku_lab.players.registry import resolve
from gomoku_lab.suite.positions import load_positions

COUNT = len(COMBINATIONS)
LESS = {"reduction": 2, "late_threats": 2, "answers": 1, "fail_high": 300}
"""What searches less deep, or fewer moves."""


def random_order(seed):
    own, other = np.random.default_rng(seed).integers(-3_000, 6_000, (2, COUNT))
    own[-1] = other[-1] = 0
    return LearnedTable(kind="move_order", own=own, other=other)


@pytest.fixture(scope="module")
def order(tmp_path_factory):
    path = tmp_path_factory.mktemp("orders") / "order.json"
    path.write_text(random_order(5).to_json())
    return path


def selective(order=None, **values):
    learned = {} if order is None else {"move_order": str(order)}
    defaults = {"depth": 4, "width": 8, "table_bits": 12, "threat_layer": False}
    return EngineConfig(**{**defaults, "selective": True, **learned, **values})


def pruned(order, **values):
    """Everything that the selective search may do."""
    everything = {"futility": 300, "extension": True, **LESS}
    return selective(order, **{**everything, **values})


CASES = st.tuples(
    st.integers(0, 10**6),
    st.sampled_from((5, 6, 7, 9, 15)),
    st.sampled_from(Rule),
    st.integers(1, 16),
    st.integers(0, 5),
)


@given(CASES)
@settings(max_examples=80, deadline=None)
def test_every_win_that_it_claims_plain_search_confirms(order, case):
    """Where no answer is cut off by the width: reduced and left out is only what does not lose."""
    seed, size, rule, stones, bits = case
    board = quiet_board(seed, size=size, rule=rule, stones=stones, side=min(size, 6))
    everything = {"width": 400, "radius": 14}
    config = pruned(order, table_bits=0 if bits == 0 else 9 + bits, **everything)
    found = Engine(config).analyse(board, limits=SearchLimits(depth=6, nodes=3_000))
    assert found.move in board.legal_points()
    assert abs(found.score) < layout.MATE
    if found.mate is not None and 0 < found.mate <= 5:
        plain = EngineConfig(depth=1, table_bits=16, threat_layer=False, **everything)
        (root,) = Engine(plain).exact_root(board, depth=found.mate, moves=(found.move,))
        assert root.score >= layout.MATE - found.mate


@given(CASES)
@settings(max_examples=60, deadline=None)
def test_a_root_move_makes_no_difference_to_the_position(order, case):
    seed, size, rule, stones, _ = case
    board = quiet_board(seed, size=size, rule=rule, stones=stones, side=min(size, 6))
    state = working(board, pruned(order))
    before = snapshot(state)
    start_budget(state.record, layout.FOREVER, layout.FOREVER)
    cells = state.ranked()
    outputs = [np.zeros(len(cells), np.int64) for _ in range(3)]
    search_root(state.record, state.table, 4, False, cells, *outputs)
    assert differences(before, snapshot(state)) == []


@pytest.mark.parametrize("read", range(1, 6))
def test_an_aborted_layer_leaves_the_position_as_it_was(order, read):
    board = quiet_board(3, size=15, stones=10)
    state = working(board, pruned(order))
    before = snapshot(state)
    start_budget(state.record, layout.FOREVER, layout.FOREVER)
    state.record["abort_at_read"] = read
    cells = state.ranked()
    outputs = [np.zeros(len(cells), np.int64) for _ in range(3)]
    assert search_root(state.record, state.table, 30, False, cells, *outputs) == -1
    assert 1024 * read == state.record["nodes"]
    assert differences(before, snapshot(state)) == []


def test_exact_root_scores_are_those_of_the_plain_search(order):
    for seed in range(6):
        board = quiet_board(seed, size=9, stones=8)
        plain = EngineConfig(
            depth=4, width=8, table_bits=12, threat_layer=False, move_order=str(order)
        )
        assert Engine(plain).exact_root(board, depth=4) == Engine(pruned(order)).exact_root(
            board, depth=4
        )


def nodes_of(config):
    """Count the nodes of a search of ten quiet boards."""
    engine = Engine(config)
    boards = [quiet_board(seed, size=15, stones=8) for seed in range(10)]
    return sum(engine.analyse(board).nodes for board in boards)


@pytest.mark.parametrize(("key", "value"), [("futility", 300), *LESS.items()])
def test_what_leaves_out_or_reduces_searches_less(order, key, value):
    assert nodes_of(selective(order, depth=5)) > nodes_of(selective(order, depth=5, **{key: value}))


def test_at_the_depth_of_its_first_layers_nothing_is_reduced(order):
    reduced = selective(order, depth=3, reduction=1, late_threats=1)
    assert nodes_of(selective(order, depth=3)) == nodes_of(reduced)


def test_an_extension_sees_a_victory_by_threats_at_a_lesser_depth():
    """Threes and their answers: each answer costs half of what it costs without."""
    positions = [one for one in load_positions("mined") if one.kind == "vct"]
    depths = []
    for extension in (False, True):
        engine = Engine(selective(width=16, depth=6, table_bits=16, extension=extension))
        found = [engine.analyse(position.board) for position in positions[:5]]
        assert all(one.mate is not None and one.mate > 0 for one in found)
        depths.append([one.depth for one in found])
    assert all(more >= less for more, less in zip(*depths, strict=True))
    assert sum(depths[0]) > sum(depths[1]) + 3


def test_a_move_that_is_no_answer_to_an_open_four_to_come_loses_at_once():
    tried = 0
    for seed in range(300):
        rule = tuple(Rule)[seed % 3]
        state = working(quiet_board(seed, size=9, rule=rule, stones=9), CONFIG)
        record = state.record
        own = int(record["side"])
        counts = record["counts"]
        threats = (layout.POINT_FIVE, layout.POINT_OPEN_FOUR)
        if not counts[1 - own, threats[1]] or any(counts[own, one] for one in threats):
            continue
        if counts[1 - own, layout.POINT_FIVE]:
            continue
        for cell in empty_cells(state):
            classes = [int(point_class(record, cell, colour)) for colour in range(2)]
            if max(classes) < layout.POINT_FOUR and may_play(record, cell):
                place(record, cell)
                assert decided(record, 1) == layout.MATE - 4
                remove(record)
                tried += 1
    assert tried > 500


def test_the_order_is_the_sum_of_what_the_table_says(order):
    table = load_table(str(order), "move_order")
    numbers = combination_of_code()
    board = quiet_board(8, size=15, stones=7)
    state = working(board, selective(order))
    side = int(state.record["side"])

    def worth(cell):
        code = int(state.record["codes"][cell])
        own, other = (numbers[(code >> (32 * turn)) & 0xFFFF] for turn in (side, 1 - side))
        return int(table.own[own]) + int(table.other[other])

    assert not state.record["counts"][:, layout.POINT_FIVE].any()
    free = [m for m in board.empty_points() if not board.play(m).is_over]
    cells = [state.cell(move) for move in free]
    scores = [int(order_key(state.record, cell)) >> 10 for cell in cells]
    offsets = {score - worth(cell) for score, cell in zip(scores, cells, strict=True)}
    assert len(offsets) == 1
    ranked = static_order(board, selective(order, width=400))
    assert all(
        worth(state.cell(one)) >= worth(state.cell(two)) for one, two in itertools.pairwise(ranked)
    )


def test_a_five_comes_first_whatever_the_order_says(order):
    board = Board.from_moves("h8a1h9a3h10a5h11a7")
    fives = {move for move in board.empty_points() if board.play(move).is_over}
    assert static_order(board, selective(order))[0] in fives


def test_an_order_is_a_file_like_an_evaluation_and_never_taken_for_one(order, tmp_path):
    table = random_order(9)
    again = LearnedTable.from_json(table.to_json(), source="x")
    assert again.kind == "move_order"
    assert again.digest == table.digest
    spec = resolve(f"layered/skilled:selective=true,move_order={order}")
    assert spec.config.move_order == f"{order}@{load_table(str(order), 'move_order').digest}"
    with pytest.raises(ConfigError, match="it is a learned move order, not the evaluation wanted"):
        resolve(f"layered/skilled:evaluation={order}")
    with pytest.raises(ConfigError, match="move_order must be hand"):
        resolve("layered/skilled:move_order=nothing")
    with pytest.raises(ValueError, match="neither threats nor tempo"):
        LearnedTable(kind="move_order", own=table.own, other=table.other, tempo=3)
    with pytest.raises(ValueError, match="kind must be one of"):
        LearnedTable(kind="weights", own=table.own, other=table.other)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"selective": True, "terminal": False}, "needs terminal=true"),
        ({"selective": True, "ordering": False}, "needs terminal=true and ordering=true"),
        ({"futility": 800}, "^futility=800 needs selective=true; without it, say futility=0$"),
        ({"selective": True, "futility": -1}, "futility must be 0"),
        ({"extension": True}, "extension=true needs selective=true"),
        ({"reduction": 3}, "reduction=3 needs selective=true"),
        ({"selective": True, "reduction": 401}, "reduction must be 0..400"),
        ({"late_threats": 3}, "late_threats=3 needs selective=true"),
        ({"selective": True, "late_threats": -1}, "late_threats must be 0..400"),
        ({"answers": 2}, "answers=2 needs selective=true"),
        ({"selective": True, "answers": 401}, "answers must be 0..400"),
        ({"fail_high": 500}, "fail_high=500 needs selective=true"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(values, message):
    with pytest.raises(ConfigError, match=message):
        EngineConfig(depth=3, **values)


def test_all_that_must_change_without_the_selective_search_is_said_at_once():
    with pytest.raises(ConfigError) as refused:
        resolve("lab/max:selective=false")
    said = str(refused.value).rpartition(" ")[2]
    assert "futility=0,extension=false,reduction=0,late_threats=0,answers=0,fail_high=0" == said
    assert not resolve(f"lab/max:selective=false,{said}").config.selective
