"""The incremental state: equal to recomputation, undone exactly, symmetric, and keyed."""

import random
from collections import Counter

import naive_engine as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from state_tools import (
    CONFIG,
    differences,
    put,
    quiet_board,
    shapes,
    snapshot,
    take_back,
    working,
)
from strategies import (
    free_rules,
    open_boards,
    open_boards_with_move,
    played,
    seeds,
    set_up_boards,
)

from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.engine import Engine, evaluate
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import Rule
from gomoku_lab.game.symmetry import SYMMETRIES, map_board, map_move
from gomoku_lab.kernels import layout
from gomoku_lab.kernels.search import UNDECIDED, decided
from gomoku_lab.kernels.state import evaluate as evaluate_state

FIVE = CONFIG.weights.five
SIZES = (5, 9, 15, 20)


def walk(size, seed, steps):
    """Yield random plays and take-backs as moves and None; stones gather in one corner or all."""
    draw = random.Random(seed)
    side = min(size, draw.choice((5, 7, size)))
    top, left = (draw.randint(0, size - side) for _ in range(2))
    free = {(top + i // side) * size + left + i % side for i in range(side * side)}
    played = []
    for _ in range(steps):
        if played and (not free or draw.random() < 0.3):
            free.add(played.pop())
            yield None
        else:
            move = draw.choice(sorted(free))
            free.discard(move)
            played.append(move)
            yield move


def assert_recomputed(state, position):
    """Compare a state with a position read anew from the stones, without kernels."""
    expected = naive.shapes(position)
    assert expected == shapes(state)
    record = state.record
    for colour in range(2):
        counts = Counter(naive.point_class(position, colour, move) for move in expected[colour])
        assert [counts[k] for k in range(layout.POINT_CLASSES)] == record["counts"][colour].tolist()
        worth = naive.total_worth(position, colour, CONFIG.weights)
        assert [worth, worth] == record["sums"][colour].tolist()
        assert position.fives[colour] == bool(record["fives"][colour] > 0)
    assert naive.zobrist(position) == int(record["hash"])
    assert naive.evaluate(position, CONFIG) == evaluate_state(record)
    assert position.side == record["side"]
    assert sum(cell != "." for cell in position.cells) == record["stones"]


def assert_rows_and_lines(state):
    """Compare bit masks and line keys with the cells."""
    record = state.record
    grid = record["cells"].reshape(layout.STRIDE, layout.STRIDE)
    stones = (grid == 1) | (grid == 2)
    weights = 1 << np.arange(layout.STRIDE, dtype=np.uint64)
    assert np.array_equal(stones @ weights, record["rows"])
    row_keys = [sum(int(c) << (2 * i) for i, c in enumerate(line)) for line in grid]
    assert row_keys == record["lines"][0, : layout.STRIDE].tolist()
    column_keys = [sum(int(c) << (2 * i) for i, c in enumerate(line)) for line in grid.T]
    assert column_keys == record["lines"][1, : layout.STRIDE].tolist()


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("size", SIZES)
def test_incremental_state_equals_recomputation_after_random_play_and_undo(size, rule):
    for seed in range(4):
        board = Board(size=size, rule=rule)
        state, history = working(board), [naive.Position.of(board)]
        for step, move in enumerate(walk(size, 100 * size + seed, 60)):
            if move is None:
                history.pop()
                take_back(state)
            else:
                history.append(history[-1].play(move))
                put(state, move)
            if step % 3 == 0 or step > 50:
                assert_recomputed(state, history[-1])
        assert_rows_and_lines(state)


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("size", SIZES)
def test_placed_stones_give_the_state_that_building_gives(size, rule):
    for seed in range(6):
        board, state = Board(size=size, rule=rule), working(Board(size=size, rule=rule))
        for move in walk(size, seed, 60):
            if move is None:
                board = board.undo()
                take_back(state)
            else:
                after = played(board, move)
                if after is board:
                    break
                board = after
                put(state, move)
            if board.is_over:
                break
            built = snapshot(working(board))
            incremental = snapshot(state)
            for found in (built, incremental):
                del found["log_top"], found["played"]
            assert differences(built, incremental) == []


@given(open_boards())
@settings(max_examples=60)
def test_a_built_state_is_what_the_stones_say(board):
    assert_recomputed(working(board), naive.Position.of(board))


@given(open_boards_with_move())
@settings(max_examples=60)
def test_play_and_take_back_is_the_identity(board_and_move):
    board, move = board_and_move
    state = working(board)
    before = snapshot(state)
    put(state, move)
    take_back(state)
    assert differences(before, snapshot(state)) == []


@given(open_boards(), seeds)
@settings(max_examples=40)
def test_a_long_line_played_and_taken_back_is_the_identity(board, seed):
    state = working(board)
    before = snapshot(state)
    moves = list(board.empty_points())
    random.Random(seed).shuffle(moves)
    for move in moves:
        put(state, move)
    for _ in moves:
        take_back(state)
    assert differences(before, snapshot(state)) == []


# --- Zobrist keys ----------------------------------------------------------------------------


@given(open_boards_with_move())
@settings(max_examples=60)
def test_S1_20_the_key_is_incremental_and_undone(board_and_move):
    board, move = board_and_move
    state = working(board)
    key = int(state.record["hash"])
    assert naive.zobrist(naive.Position.of(board)) == key
    put(state, move)
    assert naive.zobrist(naive.Position.of(board).play(move)) == int(state.record["hash"])
    take_back(state)
    assert key == int(state.record["hash"])


@given(seeds)
@settings(max_examples=40)
def test_S1_20_transposed_orders_give_one_key(seed):
    draw = random.Random(seed)
    moves = draw.sample(range(225), 8)
    blacks, whites = moves[0::2], moves[1::2]
    keys = set()
    for _ in range(3):
        state = working(Board())
        draw.shuffle(blacks)
        draw.shuffle(whites)
        for black, white in zip(blacks, whites, strict=True):
            put(state, black)
            put(state, white)
        keys.add(int(state.record["hash"]))
    assert len(keys) == 1


@given(set_up_boards(balanced=False, density=0.4))
@settings(max_examples=40)
def test_S1_20_the_side_to_move_is_part_of_the_key(board):
    key, other = (
        int(working(Board(board.size, board.rule, board.cells, side)).record["hash"])
        for side in (1, 2)
    )
    assert key ^ int(layout.ZOBRIST_SIDE) == other


def test_S1_20_no_two_single_stones_share_a_key():
    keys = {int(k) for k in layout.ZOBRIST.ravel()} | {int(layout.ZOBRIST_SIDE)}
    assert len(keys) == layout.ZOBRIST.size + 1


# --- laws of the evaluation ------------------------------------------------------------------


@given(open_boards())
@settings(max_examples=40)
def test_classes_evaluation_and_decided_scores_are_the_same_under_the_eight_maps(board):
    state = working(board)
    kinds, value, score = shapes(state), evaluate_state(state.record), decided(state.record, 0)
    for k in SYMMETRIES:
        image = working(map_board(board, k))
        assert value == evaluate_state(image.record)
        assert score == decided(image.record, 0)
        mapped = shapes(image)
        for colour in range(2):
            for move, classes in kinds[colour].items():
                assert sorted(classes) == sorted(mapped[colour][map_move(move, board.size, k)])


@given(set_up_boards(rules=free_rules, balanced=False, density=0.5).filter(lambda b: not b.is_over))
@settings(max_examples=60)
def test_the_other_side_to_move_negates_and_swapped_colours_keep_the_evaluation(board):
    config = EngineConfig(depth=1, table_bits=10, defence=1.0)
    swapped = bytes(cell and 3 - cell for cell in board.cells)
    value = evaluate(board, config)
    passed = Board(board.size, board.rule, board.cells, 3 - board.to_move)
    assert -value == evaluate(passed, config)
    assert value == evaluate(Board(board.size, board.rule, swapped, 3 - board.to_move), config)


@given(open_boards(), st.sampled_from((0.0, 0.5, 1.0, 1.25, 10.0)))
@settings(max_examples=60)
def test_the_evaluation_is_own_minus_defence_times_the_opponents(board, defence):
    config = EngineConfig(depth=1, table_bits=10, defence=defence)
    assert naive.evaluate(naive.Position.of(board), config) == evaluate(board, config)


@given(open_boards())
@settings(max_examples=60)
def test_decided_scores_are_those_of_the_definition(board):
    expected = naive.decided(naive.Position.of(board), CONFIG, 0)
    assert (UNDECIDED if expected is None else expected) == decided(working(board).record, 0)


@given(open_boards())
@settings(max_examples=100)
def test_S1_14_the_evaluation_of_random_positions_is_smaller_than_a_five(board):
    assert abs(evaluate(board, CONFIG)) < FIVE


def test_S1_14_the_evaluation_of_self_play_is_smaller_than_a_five():
    engine = Engine(EngineConfig(depth=2, width=8, table_bits=10, threat_layer=False))
    for seed in range(6):
        board = quiet_board(seed, size=15, stones=4)
        while not board.is_over:
            assert abs(evaluate(board, engine.config)) < FIVE
            board = board.play(engine.analyse(board).move)
        assert board.winner or board.is_full


def test_S1_14_a_five_scores_outside_the_range_of_the_evaluation():
    board = Board.from_moves("h8a1h9a3h10a5h11o15")
    search = Engine(EngineConfig(depth=1, table_bits=10, threat_layer=False))
    assert layout.MATE - 1 == search.analyse(board).score
    assert FIVE < layout.MATE_RANGE < layout.MATE - 1
