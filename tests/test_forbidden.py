"""The compiled test of forbidden points: equal to the rules on every point, whoever asks when."""

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from renju_cases import ALLOWED, FORBIDDEN, RECURSIVE, crossing, read
from state_tools import CONFIG, differences, put, snapshot, take_back, working
from strategies import open_boards, seeds

from gomoku_lab.engine.engine import static_order
from gomoku_lab.engine.tables import shape_table
from gomoku_lab.game.board import Board
from gomoku_lab.game.renju import Prohibition, prohibitions
from gomoku_lab.game.rules import BLACK, WHITE, Rule
from gomoku_lab.kernels import layout
from gomoku_lab.kernels.forbidden import forbidden, makes_four, may_play
from gomoku_lab.kernels.state import build, point_class

KINDS = (None, Prohibition.OVERLINE, Prohibition.DOUBLE_FOUR, Prohibition.DOUBLE_THREE)
SIZES = (5, 6, 7, 9, 11, 15, 15, 15, 20)
SHARED = working(Board(rule=Rule.RENJU))
"""One state for many boards: to make one takes longer than to judge a board."""


def state_of(cells, size, to_move=BLACK):
    """Return a state with these cells under renju; won boards are as good as others here."""
    SHARED.size = size
    SHARED.record["size"] = size
    build(SHARED.record, np.frombuffer(bytearray(cells), np.uint8), to_move - 1)
    return SHARED


def compiled(state):
    """Return {point: why} of all points that the kernel calls forbidden."""
    found = {
        state.move(cell): KINDS[forbidden(state.record, cell)]
        for cell in np.flatnonzero(state.record["cells"] == layout.EMPTY)
    }
    return {move: why for move, why in found.items() if why is not None}


def random_cells(random, size):
    """Return cells where lines of black stones cross, or stones anywhere."""
    if random.random() < 0.8:
        return crossing(random, size)
    share = random.uniform(0.05, 0.6)
    return bytearray(
        random.choice((1, 1, 2)) if random.random() < share else 0 for _ in range(size * size)
    )


def test_the_compiled_test_equals_the_rules_on_thousands_of_points():
    random = Random(6)
    seen = Counter()
    for turn in range(250):
        size = SIZES[turn % len(SIZES)]
        cells = random_cells(random, size)
        expected = prohibitions(cells, size)
        assert expected == compiled(state_of(cells, size, random.choice((BLACK, WHITE))))
        seen.update(expected.values())
        seen["asked"] += cells.count(0)
    assert seen["asked"] > 20_000
    assert min(seen[why] for why in Prohibition) > 50


@given(seeds, st.sampled_from(SIZES))
@settings(max_examples=60)
def test_the_compiled_test_equals_the_rules_on_drawn_positions(seed, size):
    cells = random_cells(Random(seed), size)
    assert prohibitions(cells, size) == compiled(state_of(cells, size))


@pytest.mark.parametrize("drawing", [drawing for _, _, drawing in RECURSIVE])
def test_the_compiled_test_looks_as_far_as_it_must(drawing):
    cells, size, _ = read(drawing)
    expected = prohibitions(cells, size)
    assert expected == compiled(state_of(cells, size))


@pytest.mark.parametrize("drawing", [*FORBIDDEN.values(), *ALLOWED.values()])
def test_the_compiled_test_equals_the_rules_on_positions_made_by_hand(drawing):
    cells, size, _ = read(drawing)
    assert prohibitions(cells, size) == compiled(state_of(cells, size))


@given(seeds, st.sampled_from(SIZES), st.sampled_from((BLACK, WHITE)))
@settings(max_examples=40)
def test_asking_leaves_the_position_as_it_was(seed, size, to_move):
    state = state_of(random_cells(Random(seed), size), size, to_move)
    before = snapshot(state)
    compiled(state)
    assert differences(before, snapshot(state)) == []


@given(open_boards(rules=st.just(Rule.RENJU)), seeds)
@settings(max_examples=25)
def test_after_any_play_and_take_back_the_answers_are_those_of_the_stones(board, seed):
    state, random = working(board), Random(seed)
    cells, played = bytearray(board.cells), []
    for _ in range(12):
        empty = [move for move, cell in enumerate(cells) if not cell]
        if played and (not empty or random.random() < 0.3):
            take_back(state)
            cells[played.pop()] = 0
        elif empty:
            move = random.choice(empty)
            cells[move] = int(state.record["side"]) + 1
            played.append(move)
            put(state, move)
    assert prohibitions(cells, board.size) == compiled(state)


@given(open_boards())
@settings(max_examples=40)
def test_a_stone_is_tried_only_where_the_classes_allow_a_suspicion(board):
    """Overlines and double fours are a class of their own; only double threes need a look."""
    state = working(board)
    for move, why in board.forbidden_points().items():
        kind = point_class(state.record, state.cell(move), 0)
        if why is Prohibition.DOUBLE_THREE:
            assert kind == layout.POINT_DOUBLE_THREE
        else:
            assert kind == layout.POINT_FORBIDDEN
    counts = state.record["counts"]
    assert counts[1, layout.POINT_FORBIDDEN] == 0
    if board.rule is not Rule.RENJU:
        assert counts[0, layout.POINT_FORBIDDEN] == 0
        assert {} == compiled(state)


@given(open_boards(rules=st.just(Rule.RENJU)))
@settings(max_examples=40)
def test_black_alone_is_bound_and_only_when_he_is_to_move(board):
    state = working(board)
    for move in board.empty_points():
        assert (move in board.legal_points()) == bool(may_play(state.record, state.cell(move)))


@given(seeds, st.sampled_from(SIZES))
@settings(max_examples=20)
def test_a_four_may_be_made_where_the_rules_allow_it(seed, size):
    """Also where two threes only seem to meet beside the four."""
    cells = random_cells(Random(seed), size)
    barred = prohibitions(cells, size)
    for to_move in (BLACK, WHITE):
        state = state_of(cells, size, to_move)
        for move, cell in enumerate(cells):
            if cell:
                continue
            grades = int(state.record["codes"][state.cell(move)]) >> (32 * (to_move - 1))
            classes = [layout.CLASS_OF_GRADE[(grades >> (4 * d)) & 15] for d in range(4)]
            allowed = to_move == WHITE or move not in barred
            expected = allowed and max(classes) >= layout.FOUR
            assert expected == bool(makes_four(state.record, state.cell(move)))


@given(open_boards(rules=st.just(Rule.RENJU)))
@settings(max_examples=40)
def test_no_candidate_of_blacks_is_forbidden(board):
    assert set(static_order(board, CONFIG)) <= set(board.legal_points())


def test_whites_shapes_under_renju_are_those_of_freestyle():
    """His table has eleven cells, of which the outer two change nothing."""
    whole, inner = shape_table(Rule.RENJU), shape_table(Rule.FREESTYLE)
    index = np.arange(len(whole))
    middle = (index >> 2) & 0xFFFF
    assert np.array_equal(inner[middle] >> 4, whole >> 4)
