"""Names of points: letters from the left, numbers from the bottom."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import played_boards, sizes

from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import move_name, move_string, parse_move, parse_moves


@given(sizes, st.data())
def test_names_and_moves_convert_both_ways(size, data):
    move = data.draw(st.integers(0, size * size - 1))
    name = move_name(move, size)
    assert move == parse_move(name, size) == parse_move(f" {name.upper()} ", size)


@given(played_boards())
def test_a_move_string_plays_the_same_game(board):
    text = board.move_string()
    assert board.moves == parse_moves(text, board.size)
    assert board == Board.from_moves(text, size=board.size, rule=board.rule)


@pytest.mark.parametrize(
    ("name", "move"), [("a15", 0), ("o15", 14), ("a1", 210), ("o1", 224), ("h8", 112)]
)
def test_rows_are_counted_from_the_bottom(name, move):
    assert move == parse_move(name, 15)
    assert name == move_name(move, 15)


def test_no_letter_is_skipped():
    assert "abcdefghijklmnopqrst" == "".join(move_name(move, 20)[0] for move in range(20))


@pytest.mark.parametrize("text", ["h8 i9 g7", "h8,i9,g7", "H8i9; G7", "h8\ni9\tg7 "])
def test_blanks_and_commas_may_separate_moves(text):
    assert "h8i9g7" == move_string(parse_moves(text, 15), 15)


def test_an_empty_string_holds_no_move():
    assert () == parse_moves("", 15)


@pytest.mark.parametrize("name", ["p1", "a16", "a0", "z99"])
def test_a_point_off_the_board_is_refused_with_the_corners(name):
    with pytest.raises(ValueError, match=rf"'{name}' is off the 15x15 board \(a1\.\.o15\)"):
        parse_move(name, 15)


@pytest.mark.parametrize("name", ["", "8h", "hh8", "h", "8", "h-1", "h8i9", "h٣"])
def test_what_is_no_point_is_refused(name):
    with pytest.raises(ValueError, match="letter and a number"):
        parse_move(name, 15)


def test_a_bad_move_string_names_the_place():
    with pytest.raises(ValueError, match=r"not a move string at '\?g7'"):
        parse_moves("h8?g7", 15)


@pytest.mark.parametrize("move", [-1, 225])
def test_an_index_off_the_board_has_no_name(move):
    with pytest.raises(ValueError, match=r"move must be 0\.\.224 on a 15x15 board"):
        move_name(move, 15)
