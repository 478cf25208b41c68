"""The kernels on tiny boards: few enough steps to run as plain Python too.

`test_jit` runs these again with ``NUMBA_DISABLE_JIT=1`` and with ``NUMBA_BOUNDSCHECK=1``.
Freestyle only: the exact-five table takes plain Python minutes.
"""

import random
import time

import naive_engine as naive
import numpy as np
import pytest
from naive_engine import POINT_FIVE, POINT_OPEN_FOUR
from state_tools import differences, put, quiet_board, shapes, snapshot, take_back, working

from gomoku_lab.engine.chains import find_chain
from gomoku_lab.engine.config import EngineConfig, SearchLimits
from gomoku_lab.engine.engine import Engine, static_order
from gomoku_lab.engine.gates import decide
from gomoku_lab.engine.tables import shape_table
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import Rule
from gomoku_lab.kernels import layout
from gomoku_lab.kernels._jit import clock_ns, trailing_zeros
from gomoku_lab.kernels.root import search_root
from gomoku_lab.kernels.search import UNDECIDED, decided, set_budget, start_budget
from gomoku_lab.kernels.state import evaluate
from gomoku_lab.kernels.threats import breaking_moves, five_point
from gomoku_lab.kernels.timing import integer_loop, place_and_remove

pytestmark = pytest.mark.jitless

CONFIG = EngineConfig(depth=2, width=4, table_bits=10, threat_layer=False)
BOARDS = [quiet_board(seed, size=size, stones=8) for seed in range(3) for size in (5, 6)]


def test_some_windows_have_the_class_of_the_definition():
    draw = random.Random(5)
    table = shape_table(Rule.FREESTYLE)
    for _ in range(500):
        cells = draw.choices("..x#", k=8)
        window = "".join([*cells[:4], ".", *cells[4:]])
        index = sum({".": 0, "x": 1, "#": 2}[cell] << (2 * i) for i, cell in enumerate(cells))
        assert naive.window_grade(window, False) == table[index] & 15


@pytest.mark.parametrize("size", [5, 6])
def test_the_state_equals_recomputation_and_is_undone(size):
    state = working(Board(size=size))
    positions = [naive.Position.of(Board(size=size))]
    snapshots = [snapshot(state)]
    for move in random.Random(size).sample(range(size * size), 12):
        put(state, move)
        positions.append(positions[-1].play(move))
        snapshots.append(snapshot(state))
        assert naive.shapes(positions[-1]) == shapes(state)
        assert naive.evaluate(positions[-1], CONFIG) == evaluate(state.record)
        assert naive.zobrist(positions[-1]) == int(state.record["hash"])
        for colour in range(2):
            fives = naive.points_of(positions[-1], colour, POINT_FIVE)
            cell = five_point(state.record, colour)
            assert state.move(cell) in fives if fives else cell == -1
    while len(snapshots) > 1:
        snapshots.pop()
        take_back(state)
        assert differences(snapshots[-1], snapshot(state)) == []


def test_candidates_come_in_order_and_within_the_width():
    for board in BOARDS:
        assert tuple(naive.width_set(naive.Position.of(board), CONFIG)) == static_order(
            board, CONFIG
        )


def test_decided_scores_and_gates_are_those_of_the_stones():
    for seed in range(6):
        board = quiet_board(seed, size=6, stones=14)
        state, position = working(board), naive.Position.of(board)
        expected = naive.decided(position, CONFIG, 0)
        assert (UNDECIDED if expected is None else expected) == decided(state.record, 0)
        answer = decide(state, CONFIG)
        gate = naive.gate(position, CONFIG)
        assert gate == (None if answer is None else (answer.gate, state.move(answer.cell)))


@pytest.mark.parametrize("bits", [0, 10])
def test_the_search_equals_plain_minimax(bits):
    config = CONFIG.varied({"table_bits": bits})
    for board in BOARDS[:4]:
        expected = dict(naive.root_values(naive.Position.of(board), 2, config))
        engine = Engine(config)
        found = engine.analyse(board)
        assert max(expected.values()) == found.score == expected[found.move]
        exact = engine.exact_root(board, depth=2, count=4)
        assert expected == {root.move: root.score for root in exact}


def test_play_goes_on_behind_a_five_where_it_is_not_terminal():
    config = CONFIG.varied({"terminal": False})
    for seed in (0, 3, 6):
        board = quiet_board(seed, size=5, stones=12)
        expected = dict(naive.root_values(naive.Position.of(board), 2, config))
        assert max(expected.values()) == Engine(config).analyse(board).score


def test_an_abort_unwinds_to_the_same_position():
    board = BOARDS[1]
    state = working(board, CONFIG)
    before = snapshot(state)
    start_budget(state.record, layout.FOREVER, layout.FOREVER)
    cells = state.ranked()
    outputs = [np.zeros(len(cells), np.int64) for _ in range(3)]
    set_budget(state.record, 5, layout.FOREVER)
    assert -1 == search_root(state.record, state.table, 6, False, cells, *outputs)
    assert (5, 1) == (state.record["nodes"], state.record["aborted"])
    assert differences(before, snapshot(state)) == []
    limited = Engine(CONFIG).analyse(board, limits=SearchLimits(depth=6, nodes=20))
    assert 1 <= limited.depth < 6


def test_breaking_moves_are_found():
    seen = 0
    for seed in range(40):
        board = quiet_board(seed, size=6, stones=13)
        position = naive.Position.of(board)
        if naive.points_of(position, 1 - position.side, POINT_OPEN_FOUR):
            state = working(board)
            cells = np.zeros(layout.MAX_POINTS, np.int32)
            found = state.moves(cells[: breaking_moves(state.record, False, cells)])
            breaking = [m for m in board.empty_points() if naive.breaks(position, m)]
            assert tuple(naive.in_order(position, breaking, CONFIG)) == found
            seen += bool(found)
    assert seen > 3


@pytest.mark.parametrize(("seed", "plies"), [(85, 7), (174, 5), (316, 7), (3, 0), (5, 0)])
def test_chains_of_fours_are_found(seed, plies):
    board = quiet_board(seed, size=6, stones=8 + seed % 11, side=6)
    chain = find_chain(working(board), 10_000)
    assert plies == (chain.plies if chain else 0)
    assert naive.wins_by_fours(naive.Position.of(board), 12) == (chain is not None)


def test_the_clock_and_the_bit_count_are_those_of_the_machine():
    before = time.monotonic_ns()
    read = clock_ns()
    assert before <= read <= time.monotonic_ns()
    for bit in range(64):
        assert bit == trailing_zeros(np.uint64(1 << bit | (1 << 63)))


def test_the_benchmarks_loops_leave_the_position_as_it_was():
    state = working(BOARDS[0])
    before = snapshot(state)
    lines = state.ranked()[:6].reshape(2, 3)
    place_and_remove(state.record, lines)
    assert differences(before, snapshot(state)) == []
    assert integer_loop(10) == integer_loop(10) != integer_loop(11)
