"""Own and opponent's stones become a board, whatever their order and number."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_lab.game.board import Board
from gomoku_lab.game.formats.gomocup import OPPONENT, OWN, Point
from gomoku_lab.game.rules import BLACK, WHITE, Rule
from gomoku_lab.players.sides import Sides
from tests.strategies import free_rules, played_boards, seeds

FREESTYLE = Rule.FREESTYLE


def seen(board: Board) -> list[tuple[Point, int]]:
    """Return the moves of `board` as its side to move sees them."""
    return [
        (Point.of(move, board.size), OWN if board.cells[move] == board.to_move else OPPONENT)
        for move in board.moves
    ]


@given(played_boards())
def test_a_game_in_play_order_comes_back_with_its_moves(board: Board) -> None:
    assert board == Sides(board.size).laid(seen(board)).board(board.rule)


@given(played_boards(rules=free_rules), seeds)
def test_a_game_in_any_order_has_the_same_stones_and_side_to_move(board: Board, seed: int) -> None:
    stones = seen(board)
    Random(seed).shuffle(stones)
    found = Sides(board.size).laid(stones).board(board.rule)
    assert (board.cells, board.to_move, board.winner) == (found.cells, found.to_move, found.winner)


@given(st.integers(5, 20), st.data())
def test_unequal_numbers_keep_each_stone_on_its_side(size: int, data: st.DataObject) -> None:
    moves = data.draw(st.lists(st.integers(0, size * size - 1), unique=True, max_size=20))
    fields = {move: data.draw(st.sampled_from([OWN, OPPONENT])) for move in moves}
    sides = Sides(size).laid((Point.of(move, size), field) for move, field in fields.items())
    try:
        board = sides.board(FREESTYLE)
    except ValueError:
        return  # both sides have five
    own = {move for move, cell in enumerate(board.cells) if cell == board.to_move}
    others = {move for move, cell in enumerate(board.cells) if cell == 3 - board.to_move}
    assert own == {move for move, field in fields.items() if field == OWN}
    assert others == {move for move, field in fields.items() if field == OPPONENT}


def test_the_side_with_more_stones_is_black_and_with_equal_numbers_we() -> None:
    a, b, c = (Point(x, 0) for x in range(3))
    empty = Sides(9)
    assert empty.board(FREESTYLE).to_move == BLACK
    assert empty.laid([(a, OPPONENT)]).board(FREESTYLE).to_move == WHITE
    assert empty.laid([(a, OPPONENT), (b, OWN)]).board(FREESTYLE).to_move == BLACK
    assert empty.laid([(a, OWN), (b, OWN), (c, OPPONENT)]).board(FREESTYLE).to_move == BLACK


@given(played_boards(), st.data())
def test_a_stone_that_is_taken_away_leaves_the_others(board: Board, data: st.DataObject) -> None:
    sides = Sides(board.size).laid(seen(board))
    if not sides.stones:
        return
    stone = data.draw(st.sampled_from(sides.stones))
    left = sides.without(Point.of(stone[0], board.size))
    assert [other for other in sides.stones if other != stone] == list(left.stones)
    with pytest.raises(ValueError, match="there is no stone on"):
        left.without(Point.of(stone[0], board.size))


@given(played_boards())
def test_swapping_twice_changes_nothing(board: Board) -> None:
    sides = Sides(board.size).laid(seen(board))
    assert sides == sides.swapped().swapped()
    assert sides.points() == sides.swapped().points()


@pytest.mark.parametrize("point", [Point(9, 0), Point(0, -1), Point(4, 4)])
def test_a_stone_off_the_board_or_on_another_is_refused(point: Point) -> None:
    sides = Sides(9).laid([(Point(4, 4), OWN)])
    with pytest.raises(ValueError, match=r"is off the 9x9 board|is occupied"):
        sides.laid([(point, OWN)])


def test_two_equal_stones_at_once_are_refused() -> None:
    with pytest.raises(ValueError, match="1,1 is occupied"):
        Sides(9).laid([(Point(1, 1), OWN), (Point(1, 1), OPPONENT)])
