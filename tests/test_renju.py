"""Where renju forbids Black to play: drawn by hand, found by search, and as laws."""

from random import Random

import naive_renju as naive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from renju_cases import ALLOWED, FORBIDDEN, MARKS, RECURSIVE, STUCK, crossing, read
from strategies import boards, open_boards, seeds

from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import parse_move
from gomoku_lab.game.renju import Prohibition, prohibition, prohibitions, stays_allowed
from gomoku_lab.game.rules import BLACK, FREE_RULES, WHITE, Rule
from gomoku_lab.game.symmetry import SYMMETRIES, map_board, map_move

RENJU = st.just(Rule.RENJU)
SIZES = st.sampled_from((5, 6, 9, 15, 20))


# --- by hand ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FORBIDDEN)
def test_exactly_the_marked_points_are_forbidden_for_the_marked_reason(name):
    cells, size, marked = read(FORBIDDEN[name])
    assert {move: MARKS[mark] for move, mark in marked.items()} == prohibitions(cells, size)
    assert {move: MARKS[mark] for move, mark in marked.items()} == naive.prohibitions(cells, size)


@pytest.mark.parametrize("name", ALLOWED)
def test_what_only_looks_forbidden_is_allowed(name):
    cells, size, marked = read(ALLOWED[name])
    assert marked
    for move in marked:
        assert prohibition(cells, size, move) is None
        assert "" == naive.prohibition(cells, size, move)


@pytest.mark.parametrize(("levels", "kind", "drawing"), RECURSIVE)
def test_a_three_counts_only_if_its_extension_is_allowed_and_so_on(levels, kind, drawing):
    """Each of these points is judged wrongly by whoever looks one step less far."""
    cells, size, marked = read(drawing)
    (move,) = marked
    assert kind == (prohibition(cells, size, move) or "")
    assert kind == naive.prohibition(cells, size, move, levels)
    assert kind != naive.prohibition(cells, size, move, levels - 1)


# --- laws ------------------------------------------------------------------------------------


@given(seeds, SIZES)
@settings(max_examples=60)
def test_the_points_are_those_of_a_second_reading_of_the_rules(seed, size):
    cells = crossing(Random(seed), size)
    assert naive.prohibitions(cells, size) == prohibitions(cells, size)


@given(boards(rules=RENJU))
@settings(max_examples=40)
def test_a_map_of_the_board_maps_its_forbidden_points(board):
    found = board.forbidden_points()
    for k in SYMMETRIES:
        mapped = {map_move(move, board.size, k): why for move, why in found.items()}
        assert mapped == map_board(board, k).forbidden_points()


@given(seeds, SIZES)
@settings(max_examples=60)
def test_a_point_that_stays_allowed_does_so_whatever_white_adds(seed, size):
    draw = Random(seed)
    cells = crossing(draw, size)
    empty = [move for move, cell in enumerate(cells) if not cell]
    safe = [move for move in empty if stays_allowed(cells, size, move)]
    assert not set(safe) & set(prohibitions(cells, size))
    for move in draw.sample(empty, min(len(empty), 12)):
        cells[move] = WHITE
        assert not set(safe) & set(prohibitions(cells, size))


@given(seeds, SIZES)
@settings(max_examples=40)
def test_a_stone_that_makes_exactly_five_is_never_forbidden(seed, size):
    cells = crossing(Random(seed), size)
    for move, cell in enumerate(cells):
        if not cell:
            cells[move] = BLACK
            five = any(
                naive.fives_and_longer(text, place) == 5
                for text, _, place in naive.lines(cells, size, move)
            )
            cells[move] = 0
            assert not (five and prohibition(cells, size, move))


# --- on a board ------------------------------------------------------------------------------


def test_black_may_not_play_on_a_forbidden_point_and_is_told_why():
    cells, size, marked = read(FORBIDDEN["two threes"])
    board = Board(size, Rule.RENJU, bytes(cells), BLACK)
    (move,) = marked
    with pytest.raises(ValueError, match=r"^f6 is forbidden for black: double three$"):
        board.play(move)
    assert move not in board.legal_points()
    assert {move: Prohibition.DOUBLE_THREE} == board.forbidden_points()


@pytest.mark.parametrize("name", FORBIDDEN)
def test_white_may_play_everywhere_and_so_may_black_under_the_other_rules(name):
    cells, size, marked = read(FORBIDDEN[name])
    for move in marked:
        assert move in Board(size, Rule.RENJU, bytes(cells), WHITE).legal_points()
        for rule in FREE_RULES:
            board = Board(size, rule, bytes(cells), BLACK)
            assert {} == board.forbidden_points()
            assert move in board.legal_points()


@given(open_boards(rules=RENJU))
@settings(max_examples=60)
def test_legal_points_are_the_empty_ones_without_blacks_forbidden_ones(board):
    forbidden = board.forbidden_points()
    expected = set(board.empty_points())
    if board.to_move == BLACK:
        expected -= set(forbidden)
    assert expected == set(board.legal_points())
    assert set(forbidden.values()) <= set(Prohibition)


def line(stones, *, colour, point, rule=Rule.RENJU):
    """Return the board after a stone on `point` completes a line of stones in the middle row."""
    moves = [parse_move(name, 15) for name in stones.split()]
    black, white = (moves, []) if colour == BLACK else ([], moves)
    board = Board.from_stones(black, white, rule=rule, to_move=colour, balanced=False)
    return board.play(parse_move(point, 15))


def test_five_wins_for_both_and_an_overline_for_white_alone():
    assert BLACK == line("d8 e8 f8 g8", colour=BLACK, point="h8").winner
    assert WHITE == line("d8 e8 f8 g8", colour=WHITE, point="h8").winner
    assert WHITE == line("c8 d8 e8 g8 h8", colour=WHITE, point="f8").winner
    with pytest.raises(ValueError, match="f8 is forbidden for black: overline"):
        line("c8 d8 e8 g8 h8", colour=BLACK, point="f8")


def test_an_overline_of_black_that_stands_already_is_no_win():
    stones = [parse_move(name, 15) for name in ["c8", "d8", "e8", "f8", "g8", "h8"]]
    assert 0 == Board.from_stones(stones, [], rule=Rule.RENJU, balanced=False).winner
    assert WHITE == Board.from_stones([], stones, rule=Rule.RENJU, balanced=False).winner


def test_black_without_a_point_to_play_on_has_none_that_is_legal():
    """The board is neither full nor won, but its last point would make an overline."""
    cells, size, marked = read(STUCK)
    board = Board(size, Rule.RENJU, bytes(cells), BLACK)
    assert (0, False, ()) == (board.winner, board.is_over, board.legal_points())
    assert tuple(marked) == board.empty_points()
    assert {move: MARKS[mark] for move, mark in marked.items()} == board.forbidden_points()
