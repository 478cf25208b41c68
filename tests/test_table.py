"""The transposition table: what an entry holds, when it is kept, mate distances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from state_tools import put, quiet_board, working

from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.engine import Engine
from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import parse_move
from gomoku_lab.kernels import layout
from gomoku_lab.kernels.layout import EXACT, LOWER, MATE, MATE_RANGE, UPPER
from gomoku_lab.kernels.search import UNDECIDED, _table_cut
from gomoku_lab.kernels.table import (
    NO_ENTRY,
    entry_bound,
    entry_depth,
    entry_move,
    entry_score,
    find,
    from_table,
    position_key,
    store,
    to_table,
)

MOVE = 300
plies = st.integers(0, layout.MAX_PLY)
scores = st.one_of(
    st.integers(-layout.EVALUATION_CAP, layout.EVALUATION_CAP),
    st.integers(1, 200).map(lambda distance: MATE - distance),
    st.integers(1, 200).map(lambda distance: distance - MATE),
)


def keep(state, *, depth, score, bound, ply=0, move=MOVE):
    store(state.record, state.table, depth, ply, score, bound, move)


def look_up(state):
    """Return (depth, score, bound, move) of the entry of the state's position, or None."""
    entry = find(state.record, state.table)
    if entry == NO_ENTRY:
        return None
    return entry_depth(entry), entry_score(entry, 0), entry_bound(entry), entry_move(entry)


@pytest.mark.parametrize("bound", [EXACT, LOWER, UPPER])
def test_S1_19_an_entry_keeps_depth_score_bound_and_move(bound):
    state = working(quiet_board(1))
    assert look_up(state) is None
    keep(state, depth=7, score=-1234, bound=bound)
    assert (7, -1234, bound, MOVE) == look_up(state)
    assert 3 == len({EXACT, LOWER, UPPER})


def test_S1_19_the_whole_key_is_compared_not_its_slot_alone():
    state = working(Board())
    slots = {}
    for move in range(225):
        put(state, move)
        slot = int(state.record["hash"]) & int(state.record["table_mask"])
        if slot in slots:
            break
        slots[slot] = int(state.record["hash"])
        keep(state, depth=1, score=move, bound=EXACT)
        assert (1, move, EXACT, MOVE) == look_up(state)
    else:
        pytest.fail("no two positions met in one of 1,024 slots")
    assert int(state.record["hash"]) != slots[slot]
    assert look_up(state) is None


def test_S1_19_a_deeper_entry_of_the_same_search_stays():
    state = working(quiet_board(2))
    keep(state, depth=5, score=10, bound=EXACT)
    keep(state, depth=4, score=20, bound=EXACT)
    assert (5, 10, EXACT, MOVE) == look_up(state)
    keep(state, depth=5, score=30, bound=LOWER)
    assert (5, 30, LOWER, MOVE) == look_up(state)


def test_S1_19_a_new_search_sees_and_keeps_nothing_of_an_old_one():
    state = working(quiet_board(3))
    for _ in range(3 * layout.GENERATIONS):
        keep(state, depth=60, score=10, bound=EXACT)
        assert look_up(state) is not None
        state.new_search()
        assert look_up(state) is None
        keep(state, depth=1, score=5, bound=UPPER)
        assert (1, 5, UPPER, MOVE) == look_up(state)


def test_an_entry_is_seen_as_long_as_every_search_since_keeps_it():
    state = working(quiet_board(3))
    keep(state, depth=9, score=10, bound=EXACT)
    for _ in range(layout.GENERATIONS // 2):
        state.new_search(keep=True)
        assert (9, 10, EXACT, MOVE) == look_up(state)
    keep(state, depth=1, score=5, bound=UPPER)  # an older entry gives way, also a deeper one
    assert (1, 5, UPPER, MOVE) == look_up(state)
    state.new_search()
    assert look_up(state) is None
    state.new_search(keep=True)
    assert look_up(state) is None


def test_an_unused_entry_is_never_seen():
    state = working(quiet_board(3))
    state.table["check"] = state.record["hash"]
    for _ in range(3 * layout.GENERATIONS):
        state.new_search(keep=True)
        assert look_up(state) is None


@pytest.mark.parametrize("bits", [0, 10, 14])
def test_before_a_generation_comes_round_again_every_entry_has_been_cleared(bits):
    engine = Engine(EngineConfig(depth=1, table_bits=bits))
    state = engine._state
    for _ in range(5):
        state.new_search()
    state.table["check"] = 1
    for _ in range(layout.GENERATIONS - 1):
        state.new_search()
    assert not state.table["check"].any()


@given(scores, plies)
def test_S1_19_a_score_comes_back_as_it_was_at_the_same_ply(score, ply):
    assert score == from_table(to_table(score, ply), ply)


@given(st.integers(1, 60), plies, plies)
def test_S1_19_a_mate_keeps_its_distance_from_the_node(distance, stored_at, found_at):
    """A win `distance` plies below a node is that far from it at whatever ply the node is met."""
    for sign in (1, -1):
        score = sign * (MATE - (stored_at + distance))
        found = from_table(to_table(score, stored_at), found_at)
        assert sign * (MATE - (found_at + distance)) == found


@given(st.integers(-MATE_RANGE, MATE_RANGE), plies)
def test_S1_19_a_heuristic_score_is_stored_as_it_is(score, ply):
    assert score == to_table(score, ply) == from_table(score, ply)


def test_S1_19_an_entry_takes_sixteen_bytes_and_holds_all_that_a_search_can_store():
    assert 16 == layout.ENTRY.itemsize
    state = working(quiet_board(1))
    state.record["generation"] = layout.GENERATIONS - 1
    deepest = 2 * layout.MAX_DEPTH  # half plies
    for score in (MATE - 1, 1 - MATE, 0, -1):
        keep(state, depth=deepest, score=score, bound=EXACT, move=layout.GRID - 1)
        assert (deepest, score, EXACT, layout.GRID - 1) == look_up(state)


@given(st.integers(0, 127))
def test_an_entry_of_which_one_half_was_overwritten_is_never_seen(bit):
    """Two threads may write at once: what is read is one's whole entry or nothing."""
    state = working(quiet_board(4))
    keep(state, depth=5, score=77, bound=LOWER)
    assert look_up(state) is not None
    half = "check" if bit < 64 else "data"
    state.table[half] ^= np.uint64(1 << bit % 64)
    assert look_up(state) is None


def test_S1_19_a_search_stores_all_three_bounds_and_uses_them():
    config = EngineConfig(depth=6, width=10, table_bits=14, threat_layer=False)
    engine = Engine(config)
    found = engine.analyse(Board.from_moves("h9j8h6g6i7k8h5h7"))
    assert found.table_hits > 0
    table = engine._state.table
    assert {EXACT, LOWER, UPPER} == {
        entry_bound(data) for data in table["data"].astype(np.int64).tolist() if data
    }


def test_S1_D6_without_a_table_nothing_is_stored():
    engine = Engine(EngineConfig(depth=5, width=8, table_bits=0, threat_layer=False))
    found = engine.analyse(Board.from_moves("h9j8h6g6i7k8h5h7"))
    assert 0 == found.table_hits
    assert not engine._state.table["data"].any()


def test_S1_D6_a_table_saves_nodes_and_changes_no_layer():
    layers = {}
    for bits in (0, 18):
        config = EngineConfig(depth=7, width=10, table_bits=bits, threat_layer=False)
        found = Engine(config).analyse(Board.from_moves("h9j8h6g6i7k8h5h7"))
        layers[bits] = [layer.score for layer in found.layers], found.nodes
    assert layers[0][0] == layers[18][0]
    assert layers[18][1] < layers[0][1]


@pytest.mark.parametrize("bound", [EXACT, LOWER, UPPER])
def test_S1_D6_only_an_entry_of_the_same_depth_cuts_and_only_a_null_window(bound):
    state = working(quiet_board(6))
    keep(state, depth=4, score=50, bound=bound)
    entry = find(state.record, state.table)

    def cut(depth, alpha, beta):
        score = _table_cut(entry, depth, alpha, beta, 0)
        return None if score == UNDECIDED else score

    assert (None, None) == (cut(3, 49, 50), cut(5, 49, 50))
    assert cut(4, 0, 100) is None
    assert (50 if bound in (EXACT, LOWER) else None) == cut(4, 49, 50)
    assert (50 if bound in (EXACT, UPPER) else None) == cut(4, 50, 51)


def test_S1_D6_who_has_made_a_five_is_told_apart_where_play_goes_on():
    """a1 to f1, black's: d1 before f1 makes five, f1 before d1 only six, under exact five."""
    config = EngineConfig(depth=1, table_bits=10, terminal=False)
    start = Board.from_moves("a1o1b1o3c1o5e1o7", rule="standard")
    five_first, six_at_once = (working(start, config) for _ in range(2))
    for state, order in ((five_first, ("d1", "o9", "f1")), (six_at_once, ("f1", "o9", "d1"))):
        for name in order:
            put(state, parse_move(name, 15))
    assert five_first.record["hash"] == six_at_once.record["hash"]
    assert [1, 0] == [state.record["fives"][0] for state in (five_first, six_at_once)]
    key, other = (int(position_key(state.record)) for state in (five_first, six_at_once))
    assert key != other
