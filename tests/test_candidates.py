"""Candidates: the radius, the one-move order, the width, the empty board."""

import os
import subprocess
import sys

import naive_engine as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from state_tools import CONFIG, working
from strategies import open_boards, played_boards

from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.engine import Engine, static_order
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import Rule
from gomoku_lab.kernels.candidates import generate, generate_answers, next_key
from gomoku_lab.kernels.layout import POINT_FOUR
from gomoku_lab.players.registry import resolve

radii = st.integers(1, 14)
widths = st.sampled_from((1, 3, 8, 16, 400))


def config(**values):
    return EngineConfig(depth=1, table_bits=10, **values)


@given(open_boards(), radii)
@settings(max_examples=100)
def test_S4_10_S1_21_candidates_are_the_empty_points_within_the_radius(board, radius):
    position = naive.Position.of(board)
    near = naive.candidates(position, radius)
    expected = [m for m in near if position.may_play(m)]
    assert expected == sorted(static_order(board, config(radius=radius, width=400)))


@pytest.mark.parametrize("radius", range(1, 15))
@pytest.mark.parametrize("stone", [0, 14, 112, 224])
def test_S4_10_every_radius_from_1_to_14_is_a_square_around_a_stone(stone, radius):
    found = static_order(Board().play(stone), config(radius=radius, width=400))
    rows, cols = (
        len(range(max(0, place - radius), min(14, place + radius) + 1))
        for place in divmod(stone, 15)
    )
    assert rows * cols - 1 == len(found)


@given(open_boards(), widths, st.integers(1, 3))
@settings(max_examples=100)
def test_S1_21_order_is_by_one_move_value_and_ends_at_the_width(board, width, radius):
    settings_ = config(radius=radius, width=width)
    expected = naive.width_set(naive.Position.of(board), settings_)
    assert tuple(expected) == static_order(board, settings_)


@given(open_boards(sizes=st.just(9)))
@settings(max_examples=20)
def test_S1_21_a_search_never_leaves_radius_and_width(board):
    """Every move of the principal variation and of the root is in its node's width-limited set."""
    settings_ = EngineConfig(depth=3, width=5, radius=1, table_bits=12, threat_layer=False)
    found = Engine(settings_).analyse(board)
    assert set(naive.width_set(naive.Position.of(board), settings_)) == {
        root.move for root in found.roots
    }
    for move in found.pv:
        allowed = static_order(board, settings_)
        assert len(allowed) <= settings_.width
        assert move in allowed
        board = board.play(move)


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("size", range(5, 21))
def test_S4_12_the_empty_board_has_one_candidate_the_centre(size, rule):
    board = Board(size=size, rule=rule)
    centre = (size // 2) * size + size // 2
    assert (centre,) == static_order(board, CONFIG)
    assert centre == Engine(CONFIG).analyse(board).move


@pytest.mark.parametrize(
    "name",
    [
        "plain/depth4",
        "layered/novice:noise=0",
        "layered/master:depth=4,time_ms=0",
        "lab/max:depth=4,time_ms=0",
    ],
)
def test_S4_12_every_family_opens_in_the_centre(name):
    assert 112 == Engine(resolve(name).config).analyse(Board()).move


@given(played_boards(max_moves=6, going_on=True).filter(lambda board: board.stones > 0))
@settings(max_examples=40)
def test_S4_12_with_a_stone_on_the_board_nothing_is_special(board):
    expected = naive.width_set(naive.Position.of(board), CONFIG)
    assert tuple(expected) == static_order(board, CONFIG)


@given(open_boards(), radii)
@settings(max_examples=40)
def test_S4_13_candidates_are_generated_by_row_and_column(board, radius):
    state = working(board, config(radius=radius))
    count = generate(state.record, np.int64(0))
    keys = state.record["keys"][0, :count]
    cells = [1023 - (int(key) & 1023) for key in keys]
    assert sorted(cells) == cells


@given(open_boards(), st.integers(2, 4))
@settings(max_examples=150)
def test_S1_D1_answers_are_the_candidates_where_either_colour_makes_a_four(board, radius):
    position = naive.Position.of(board)
    near = [move for move in naive.candidates(position, radius) if position.may_play(move)]
    fours = [
        move
        for move in near
        if any(naive.point_class(position, colour, move) >= POINT_FOUR for colour in range(2))
    ]
    state = working(board, config(radius=radius))
    count = generate_answers(state.record, np.int64(0))
    cells = [1023 - (int(key) & 1023) for key in state.record["keys"][0, :count]]
    assert (fours or near) == [state.move(cell) for cell in cells]


def test_S4_13_equal_moves_stay_in_row_and_column_order():
    board = Board.from_moves("h8")
    config_ = config(width=400)
    order = static_order(board, config_)
    values = [naive.one_move_value(naive.Position.of(board), move, config_) for move in order]
    assert len(set(values)) < len(values)
    assert sorted(order, key=lambda m: (-values[order.index(m)], m)) == list(order)


SCRIPT = """
from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.engine import Engine, static_order
from gomoku_lab.game.board import Board
config = EngineConfig(depth=4, nodes=20000, table_bits=12, vcf_nodes=200)
for moves in ("h8", "h8i9g7", "h8i9g7f6h9h10", "h8i9j8g8i7"):
    board = Board.from_moves(moves)
    found = Engine(config).analyse(board)
    print(static_order(board, config), found.move, found.pv, found.nodes, found.roots)
"""


def test_S4_13_answers_do_not_depend_on_the_hash_seed(tmp_path):
    printed = set()
    for seed in ("0", "1", "4242"):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        printed.add(done.stdout)
    assert len(printed) == 1
    assert printed.pop().count("\n") == 4


def test_next_key_walks_down_a_list_without_repeating():
    keys = np.array([5, -1, 900, 17, 3], np.int64)
    found, last = [], np.int64(1 << 62)
    while (last := next_key(keys, 5, last)) >= 0:
        found.append(int(last))
    assert [900, 17, 5, 3] == found
