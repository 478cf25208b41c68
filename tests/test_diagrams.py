"""Boards as text: what is drawn is what is read."""

import pytest
from hypothesis import given
from strategies import boards, played_boards, set_up_boards

from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import diagram, parse_diagram
from gomoku_lab.game.notation import move_name, parse_move
from gomoku_lab.game.rules import BLACK, WHITE

SMALL = """
     a b c d e
  5  . . . . .  5
  4  . X . . .  4
  3  . . O . .  3
  2  . . . X .  2
  1  . . . . .  1
     a b c d e
"""


def read_back(board, text):
    return parse_diagram(text, rule=board.rule, to_move=board.to_move, balanced=False)


@given(set_up_boards(balanced=False))
def test_a_set_up_board_survives_the_round_trip(board):
    assert board == read_back(board, diagram(board))
    assert board == read_back(board, diagram(board, coordinates=False))


@given(boards())
def test_the_stones_of_any_board_survive_the_round_trip(board):
    assert board.cells == read_back(board, diagram(board)).cells
    assert diagram(board) == diagram(read_back(board, diagram(board)))


@given(boards())
def test_printing_a_board_prints_its_diagram(board):
    assert diagram(board) == str(board)


def test_coordinates_on_all_sides_are_read():
    board = parse_diagram(SMALL)
    assert ["b4", "d2"] == [move_name(i, 5) for i, cell in enumerate(board.cells) if cell == BLACK]
    assert WHITE == board.cells[parse_move("c3", 5)] == board.to_move


@pytest.mark.parametrize("row", ["x_O-+", " x . o . . ", "4XxO..", "\tX.O..  4\r"])
def test_every_way_to_write_a_row_is_read(row):
    board = parse_diagram("\n.....\n" + row + "\n\n.....\n.....\n.....\n", balanced=False)
    assert board.at(1, 0) == BLACK
    assert WHITE in board.cells


def test_a_board_is_drawn_with_numbers_from_the_bottom():
    expected = " 5 . . . . .\n 4 . . . . .\n 3 . . X . .\n 2 O . . . .\n 1 . . . . .\n   a b c d e"
    assert expected == diagram(Board.from_moves("c3a2", size=5))


def test_marks_stand_in_place_of_the_points():
    text = diagram(Board(size=5), coordinates=False, marks={0: "A", 24: "?"})
    assert "A . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . ?" == text


@pytest.mark.parametrize("marks", [{25: "A"}, {-1: "A"}, {0: ""}, {0: "AB"}])
def test_a_mark_is_one_character_on_the_board(marks):
    with pytest.raises(ValueError, match=r"a mark must be (one character|on a point 0\.\.24)"):
        diagram(Board(size=5), marks=marks)


@given(played_boards())
def test_an_upside_down_diagram_is_refused(board):
    rows = diagram(board).splitlines()[:-1]
    with pytest.raises(ValueError, match="row number must be"):
        parse_diagram("\n".join(reversed(rows)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"5\.\.20 rows: 0"),
        ("....\n" * 4, r"5\.\.20 rows: 4"),
        (("." * 21 + "\n") * 21, r"5\.\.20 rows: 21"),
        (".....\n.....\n....\n.....\n.....", "line 3: a board of 5 rows needs 5 points a row: 4"),
        (".....\n......\n.....\n.....\n.....", "line 2: a board of 5 rows needs 5 points a row: 6"),
        (".....\n..#..\n.....\n.....\n.....", "line 2, character 3: expected X, O.*'#'"),
        (".....\n. . 3 . .\n.....\n.....\n.....", "line 2, character 5: expected X, O.*'3'"),
        ("5.....\n4.....\n2.....\n2.....\n1.....", "line 3: row number must be 3.*'2'"),
        (".....\nXX...\n.....\n.....\n.....", "unbalanced stones: black 2, white 0"),
    ],
)
def test_a_bad_diagram_is_refused_by_line_and_character(text, message):
    with pytest.raises(ValueError, match=message):
        parse_diagram(text)


def test_a_diagram_with_too_many_stones_is_read_on_demand():
    text = ".....\nXX...\n.....\n.....\n....."
    assert BLACK == parse_diagram(text, to_move=BLACK, balanced=False).to_move
