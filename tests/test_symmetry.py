"""The eight maps of the board: a group, and every rule of play respects it."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import boards, open_boards_with_move, sizes, symmetries

from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import parse_move
from gomoku_lab.game.symmetry import (
    SYMMETRIES,
    canonical_key,
    inverse,
    map_board,
    map_move,
    symmetry_table,
)


@given(sizes)
def test_the_maps_are_eight_permutations(size):
    tables = [symmetry_table(size, k) for k in SYMMETRIES]
    assert 8 == len(set(tables))
    assert all(sorted(table) == list(range(size * size)) for table in tables)


@given(sizes, symmetries, symmetries)
def test_two_maps_make_a_third(size, first, second):
    both = tuple(symmetry_table(size, second)[move] for move in symmetry_table(size, first))
    assert both in [symmetry_table(size, k) for k in SYMMETRIES]


@given(boards(), symmetries)
def test_the_inverse_restores_the_board(board, k):
    assert board == map_board(map_board(board, k), inverse(k))


@given(boards())
def test_map_0_changes_nothing(board):
    assert board == map_board(board, 0)


@given(open_boards_with_move(), symmetries)
def test_play_and_map_commute(board_and_move, k):
    board, move = board_and_move
    mapped = map_board(board, k).play(map_move(move, board.size, k))
    assert map_board(board.play(move), k) == mapped


@given(boards(), symmetries)
def test_a_mapped_board_has_the_same_winner(board, k):
    assert board.winner == map_board(board, k).winner


@given(boards(), symmetries)
def test_all_images_share_one_key(board, k):
    assert canonical_key(board) == canonical_key(map_board(board, k))


@given(st.integers(0, 2**32 - 1))
def test_boards_that_no_map_joins_have_different_keys(seed):
    random = Random(seed)
    first, second = (
        Board(size=5, cells=bytes(random.choices((0, 1, 2), (20, 1, 1), k=25))) for _ in range(2)
    )
    joined = any(map_board(first, k) == second for k in SYMMETRIES)
    assert joined == (canonical_key(first) == canonical_key(second))


def test_the_key_tells_the_side_to_move():
    cells = Board.from_moves("h8").cells
    keys = {canonical_key(Board(cells=cells, to_move=colour)) for colour in (1, 2)}
    assert 2 == len(keys)


def test_the_key_forgets_the_order_of_moves():
    assert canonical_key(Board.from_moves("h8i9g7")) == canonical_key(Board.from_moves("g7i9h8"))


def test_each_map_takes_a_corner_point_where_it_should():
    images = [map_move(parse_move("a14", 15), 15, k) for k in SYMMETRIES]
    names = ["a14", "o14", "a2", "o2", "b15", "b1", "n15", "n1"]
    assert [parse_move(name, 15) for name in names] == images


@pytest.mark.parametrize("k", [-1, 8])
def test_an_unknown_map_is_refused(k):
    with pytest.raises(ValueError, match=r"a symmetry must be 0\.\.7"):
        map_move(0, 15, k)


@pytest.mark.parametrize("move", [-1, 25])
def test_a_move_off_the_board_is_not_mapped(move):
    with pytest.raises(ValueError, match=r"0\.\.24 on a 5x5 board"):
        map_move(move, 5, 1)
