"""The board: play, winning, draws, set-up positions, and bad input."""

import pickle
from inspect import signature

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import (
    boards,
    finished_boards,
    open_boards,
    open_boards_with_move,
    played_boards,
    set_up_boards,
    sizes,
)

from gomoku_lab.engine.analysis import Analysis
from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import parse_diagram
from gomoku_lab.game.notation import parse_move, parse_moves
from gomoku_lab.game.rules import (
    BLACK,
    DEFAULT_SIZE,
    DIRECTIONS,
    EMPTY,
    FREE_RULES,
    WHITE,
    Rule,
)

DIRECTION_NAMES = ("horizontal", "vertical", "falling", "rising")


def points(names):
    return parse_moves(names, 15)


def set_up(black, white="", to_move=BLACK, **options):
    return Board.from_stones(
        points(black), points(white), to_move=to_move, balanced=False, **options
    )


def row_of(length, direction, colour, rule=Rule.FREESTYLE):
    """Return a board that lacks the middle stone of a row of `length`, and that stone."""
    d_row, d_col = direction
    start_row, start_col = 3, (11 if d_col < 0 else 3)
    line = [(start_row + i * d_row) * 15 + start_col + i * d_col for i in range(length)]
    last = line.pop((length - 1) // 2)
    stones = {BLACK: line, WHITE: []} if colour == BLACK else {BLACK: [], WHITE: line}
    board = Board.from_stones(
        stones[BLACK], stones[WHITE], rule=rule, to_move=colour, balanced=False
    )
    return board, last


def interleaved(cells):
    """Return moves that lead to `cells`, black first, each colour row by row."""
    black, white = ([i for i, cell in enumerate(cells) if cell == c] for c in (BLACK, WHITE))
    assert len(black) - len(white) in (0, 1)
    return [(black, white)[ply % 2][ply // 2] for ply in range(len(black + white))]


def drawn_cells():
    """Return a full 15x15 board whose longest run is two: pairs along rows, shifted each row."""
    return [BLACK if (col // 2 + row) % 2 == 0 else WHITE for row in range(15) for col in range(15)]


class CountedReads(bytes):
    """Cells that count how often one of them is looked at."""

    reads = 0

    def __getitem__(self, key):
        CountedReads.reads += 1
        return super().__getitem__(key)


# --- the board and the turn ------------------------------------------------------------------


def test_S0_6_the_board_is_15_by_15_by_one_constant():
    assert 15 == DEFAULT_SIZE == Board().size == Board.from_moves("h8").size
    for make in (Board, Board.from_moves, Board.from_stones):
        assert signature(make).parameters["size"].default is DEFAULT_SIZE


@given(boards())
def test_S0_7_cells_are_a_2d_array_of_0_1_2_in_python_and_json(board):
    array = board.to_array()
    assert (board.size, board.size) == array.shape
    assert array.dtype == np.uint8
    assert bytes(array.reshape(-1)) == board.cells
    cells = Analysis(board=board, move=None, gate="over").to_dict()["cells"]
    assert array.tolist() == cells
    assert {cell for row in cells for cell in row} <= {EMPTY, BLACK, WHITE}


def test_S0_7_row_0_is_the_top_and_black_is_1():
    array = Board.from_moves("a5e1", size=5).to_array()
    assert (1, 2, 23) == (array[0, 0], array[4, 4], np.count_nonzero(array == 0))


@given(played_boards())
def test_S0_8_S2_22_black_begins_and_colours_alternate(board):
    for ply, move in enumerate(board.moves):
        assert (WHITE if ply % 2 else BLACK) == board.cells[move]
    assert (WHITE if len(board.moves) % 2 else BLACK) == board.to_move


def test_S0_8_two_moves_of_one_colour_in_turn_are_refused():
    twice = Board.from_stones(points("h8 i9"), [], balanced=False)
    with pytest.raises(ValueError, match="moves do not fit"):
        Board(cells=twice.cells, moves=tuple(points("h8 i9")), to_move=WHITE)


@given(open_boards_with_move())
def test_S2_22_a_move_adds_one_stone_and_passes_the_turn(board_and_move):
    board, move = board_and_move
    after = board.play(move)
    changed = [i for i in range(board.size**2) if board.cells[i] != after.cells[i]]
    assert [move] == changed
    assert board.to_move == after.cells[move] == 3 - after.to_move
    assert (*board.moves, move) == after.moves
    assert move == after.last_move


def test_S2_20_S2_21_black_may_start_on_any_of_225_points():
    board = Board()
    assert 225 == len(board.cells) == len(board.empty_points())
    for move in range(225):
        assert BLACK == board.play(move).cells[move]


@given(open_boards())
def test_S3_2_S4_9_exactly_the_empty_points_may_be_played_but_for_those_that_renju_forbids(board):
    allowed = []
    for move in range(-1, board.size**2 + 1):
        try:
            board.check_move(move)
        except ValueError:
            continue
        allowed.append(move)
    assert naive.empty_points(board) == list(board.empty_points())
    forbidden = board.forbidden_points() if board.to_move == BLACK else {}
    assert [move for move in naive.empty_points(board) if move not in forbidden] == allowed
    assert allowed == list(board.legal_points())


@given(finished_boards())
def test_S2_24_S3_2_a_stone_stays_where_it_was_played(board):
    replay = Board(size=board.size, rule=board.rule)
    for move in board.moves:
        before = replay
        replay = replay.play(move)
        assert all(old in (EMPTY, new) for old, new in zip(before.cells, replay.cells, strict=True))
    assert board == replay


@given(open_boards_with_move())
def test_S2_24_an_occupied_point_is_refused(board_and_move):
    board, move = board_and_move
    after = board.play(move)
    if not after.is_over:
        with pytest.raises(ValueError, match=r"is occupied by (black|white)"):
            after.play(move)


@given(open_boards_with_move())
def test_play_and_undo_are_inverse(board_and_move):
    board, move = board_and_move
    assert board == board.play(move).undo()


@given(open_boards_with_move())
def test_playing_leaves_the_board_itself_unchanged(board_and_move):
    board, move = board_and_move
    before = pickle.dumps(board)
    board.play(move)
    assert before == pickle.dumps(board)


@given(boards())
def test_a_board_is_a_value(board):
    again = Board(board.size, board.rule, board.cells, board.to_move, board.moves)
    assert board == again == pickle.loads(pickle.dumps(board))
    assert hash(board) == hash(again)


@given(boards())
def test_the_counts_agree_with_the_cells(board):
    assert board.size**2 - len(naive.empty_points(board)) == board.stones
    assert board.is_full == (naive.empty_points(board) == [])
    assert board.is_over == (board.is_full or board.winner != EMPTY)
    assert board.is_draw == (board.is_full and board.winner == EMPTY)
    array = board.to_array()
    assert all(board.at(r, c) == array[r, c] for r in range(board.size) for c in range(board.size))


@given(boards(), st.integers(0, 4))
def test_the_points_near_are_empty_and_no_farther_from_a_stone(board, distance):
    size = board.size
    stones = [divmod(point, size) for point, cell in enumerate(board.cells) if cell != EMPTY]
    assert list(board.points_near(distance)) == [
        point
        for point in naive.empty_points(board)
        if any(
            max(abs(point // size - row), abs(point % size - col)) <= distance
            for row, col in stones
        )
    ]


@given(boards())
def test_S4_3_one_function_turns_colours_into_own_and_opponent(board):
    relative, absolute = board.relative_array(), board.to_array()
    assert absolute.shape == relative.shape
    assert np.issubdtype(relative.dtype, np.integer)
    assert np.array_equal(relative == 1, absolute == board.to_move)
    assert np.array_equal(relative == 2, absolute == 3 - board.to_move)
    assert np.array_equal(relative == 0, absolute == 0)


def test_S4_3_the_relative_board_is_15_by_15_and_a_copy():
    board = Board.from_moves("h8")
    relative = board.relative_array()
    assert ((15, 15), 2) == (relative.shape, relative[7, 7])
    relative[7, 7] = 1
    assert 2 == board.relative_array()[7, 7]


# --- winning ---------------------------------------------------------------------------------


@pytest.mark.parametrize("colour", [BLACK, WHITE])
@pytest.mark.parametrize("direction", DIRECTIONS, ids=DIRECTION_NAMES)
@pytest.mark.parametrize("length", [5, 6, 7, 8, 9])
def test_S0_9_S2_25_S2_26_S4_6_five_to_nine_in_a_row_win_at_once(length, direction, colour):
    board, last = row_of(length, direction, colour)
    assert EMPTY == board.winner
    after = board.play(last)
    assert colour == after.winner
    assert length == len(after.winning_stones())
    with pytest.raises(ValueError, match=r"the game is over: (black|white) has won"):
        after.play(0)


@pytest.mark.parametrize("direction", DIRECTIONS, ids=DIRECTION_NAMES)
@pytest.mark.parametrize("length", [2, 3, 4])
@pytest.mark.parametrize("rule", ["freestyle", "standard"])
def test_S0_9_fewer_than_five_do_not_win(rule, length, direction):
    board, last = row_of(length, direction, BLACK, rule)
    assert EMPTY == board.play(last).winner


@pytest.mark.parametrize("direction", DIRECTIONS, ids=DIRECTION_NAMES)
@pytest.mark.parametrize("length", [5, 6, 7, 8, 9])
def test_S4_7_S4_8_standard_wins_with_exactly_five(length, direction):
    free, last = row_of(length, direction, BLACK, Rule.FREESTYLE)
    exact, _ = row_of(length, direction, BLACK, Rule.STANDARD)
    assert BLACK == free.play(last).winner
    assert (BLACK if length == 5 else EMPTY) == exact.play(last).winner


FLANKED = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    X X X X . X .
    . O O O O . .
    . . . . . . .
    . . . . . . .
"""


def test_S4_7_S4_8_a_five_flanked_by_its_own_colour_wins_under_freestyle_only():
    answers = {
        rule: parse_diagram(FLANKED, rule=rule, to_move=BLACK, balanced=False).play(3 * 7 + 4)
        for rule in FREE_RULES
    }
    assert BLACK == answers[Rule.FREESTYLE].winner
    assert EMPTY == answers[Rule.STANDARD].winner
    assert not answers[Rule.STANDARD].is_over


def test_S4_7_a_five_beside_an_overline_still_wins_under_standard():
    board = set_up("d8 e8 f8 g8 i8 h4 h5 h6 h7", rule="standard")
    assert BLACK == board.play(parse_move("h8", 15)).winner


def test_S0_9_a_gap_or_the_other_colour_breaks_the_row():
    gap = set_up("c8 d8 f8 g8").play(parse_move("h8", 15))
    mixed = set_up("c8 d8 f8 g8", "e8").play(parse_move("h8", 15))
    assert (EMPTY, EMPTY) == (gap.winner, mixed.winner)


def test_S0_9_a_row_does_not_run_on_over_the_edge():
    board = set_up("m8 n8 o8 a7").play(parse_move("b7", 15))
    assert EMPTY == board.winner


@pytest.mark.parametrize(
    ("stones", "winner"),
    [
        pytest.param("h8 i8 g9 g10", EMPTY, id="double three"),
        pytest.param("d8 e8 f8 g9 g10 g11", EMPTY, id="double four"),
        pytest.param("d8 e8 f8 h8 i8", BLACK, id="overline"),
    ],
)
def test_S2_26_black_has_no_forbidden_move_in_freestyle(stones, winner):
    after = set_up(stones, rule="freestyle").play(parse_move("g8", 15))
    assert (BLACK, winner) == (after.at(7, 6), after.winner)


def test_S2_26_no_opening_rule_limits_the_first_moves():
    for second in range(225):
        if second != 112:
            third = Board.from_moves("h8").play(second)
            assert 223 == len(third.empty_points())
            assert BLACK == third.to_move == third.cells[112]


@given(finished_boards(sizes=st.integers(5, 10)))
def test_S0_11_S4_4_the_winner_after_each_move_is_that_of_a_full_scan(board):
    replay = Board(size=board.size, rule=board.rule)
    for move in board.moves:
        replay = replay.play(move)
        assert replay.scan_winner() == replay.winner
    assert naive.winner(board) == board.winner


@given(boards())
def test_S0_11_the_full_scan_is_that_of_the_naive_version(board):
    assert naive.winner(board) == board.scan_winner()


@given(set_up_boards(balanced=False))
def test_a_set_up_board_knows_its_winner(board):
    assert naive.winner(board) == board.winner
    winning = {move for _, run in naive.winning_runs(board) for move in run}
    assert tuple(sorted(winning)) == board.winning_stones()


def test_S0_11_S4_4_a_move_looks_at_its_own_lines_and_never_scans(monkeypatch):
    moves = interleaved(drawn_cells())
    board = Board()
    looked_at = []
    lines_through = Board.lines_through
    monkeypatch.setattr(Board, "scan_winner", lambda self: pytest.fail("scanned"))
    monkeypatch.setattr(
        Board,
        "lines_through",
        lambda self, move: looked_at.append(move) or lines_through(self, move),
    )
    for move in moves:
        board = board.play(move)
    assert moves == looked_at


@given(open_boards_with_move())
def test_S0_11_the_cost_of_a_move_does_not_grow_with_the_stones(board_and_move):
    board, move = board_and_move
    after = board.play(move)
    object.__setattr__(after, "cells", CountedReads(after.cells))
    CountedReads.reads = 0
    lines = after.lines_through(move)
    # The stone itself, the stones of its own runs, and at most two stoppers a direction.
    assert sum(len(line) - 1 for line in lines) + 9 >= CountedReads.reads


@given(boards())
def test_S4_5_lines_through_are_the_unbroken_runs_of_each_direction(board):
    expected = {}
    for _, run in naive.runs(board):
        for move in run:
            expected.setdefault(move, []).append(tuple(run))
    for move, runs in expected.items():
        lines = board.lines_through(move)
        assert 4 == len(lines)
        assert all(move in line for line in lines)
        assert sorted(map(sorted, runs)) == sorted(map(sorted, lines))


@pytest.mark.parametrize(
    ("black", "move", "lengths"),
    [
        ("a15 b15 c15 a14 b14", "a15", (3, 2, 2, 1)),
        ("o15 n15 o14 n14 m13", "o15", (2, 2, 1, 3)),
        ("a1 b1 a2 b2 c3 d4", "a1", (2, 2, 1, 4)),
        ("o1 n1 m1 l1 n2", "o1", (4, 1, 2, 1)),
        ("a8 a9 a7 b9 b7 c6", "a8", (1, 3, 3, 2)),
        ("h8", "h8", (1, 1, 1, 1)),
    ],
)
def test_S4_5_lines_through_at_corners_and_edges(black, move, lengths):
    board = set_up(black)
    lines = board.lines_through(parse_move(move, 15))
    expected = dict(zip(DIRECTION_NAMES, lengths, strict=True))
    assert expected == dict(zip(DIRECTION_NAMES, map(len, lines), strict=True))


def test_lines_through_an_empty_point_are_refused():
    with pytest.raises(ValueError, match="h8 is empty"):
        Board().lines_through(112)


@given(boards())
def test_swapped_colours_swap_the_winner(board):
    swapped = Board(
        size=board.size,
        rule=board.rule,
        cells=board.cells.translate(bytes((0, 2, 1)) + bytes(range(3, 256))),
        to_move=3 - board.to_move,
        moves=board.moves,
    )
    assert {EMPTY: EMPTY, BLACK: WHITE, WHITE: BLACK}[board.winner] == swapped.winner


# --- draws -----------------------------------------------------------------------------------


def test_S0_10_S2_27_a_full_board_without_a_winner_is_a_draw():
    board = Board.from_moves(interleaved(drawn_cells()))
    assert board.is_full
    assert board.is_draw
    assert board.is_over
    assert (EMPTY, 225) == (board.winner, board.stones)
    with pytest.raises(ValueError, match="the game is over: the board is full"):
        board.play(0)


def test_S0_10_a_225th_move_that_makes_five_wins():
    cells = drawn_cells()
    for col, colour in enumerate((BLACK,) * 5 + (WHITE,)):
        cells[col] = colour
    cells[14 * 15] = WHITE  # keeps 113 black stones
    cells[2] = EMPTY
    before = Board.from_moves(interleaved(cells))
    last = before.play(2)
    assert (224, EMPTY) == (before.stones, before.winner)
    assert (225, BLACK) == (last.stones, last.winner)
    assert last.is_full
    assert not last.is_draw


# --- the naive candidates --------------------------------------------------------------------


@given(boards())
def test_S4_9_the_naive_generator_lists_every_empty_point_once_in_order(board):
    listed = naive.empty_points(board)
    assert sorted(set(listed)) == listed
    assert all((board.cells[move] == EMPTY) == (move in listed) for move in range(board.size**2))


@given(boards(sizes=st.integers(5, 9)))
def test_S4_9_a_radius_as_wide_as_the_board_leaves_all_empty_points(board):
    if board.stones:
        assert naive.empty_points(board) == naive.candidates(board, board.size)


# --- bad input -------------------------------------------------------------------------------


@pytest.mark.parametrize("move", [-1, 225, 1000])
def test_a_move_off_the_board_is_refused(move):
    with pytest.raises(ValueError, match=rf"move must be 0\.\.224 on a 15x15 board: {move}"):
        Board().play(move)


@pytest.mark.parametrize("move", [112.0, "h8", None])
def test_a_move_that_is_no_integer_is_refused(move):
    with pytest.raises(TypeError):
        Board().play(move)


def test_an_occupied_point_is_named_with_its_colour():
    with pytest.raises(ValueError, match="h8 is occupied by black"):
        Board.from_moves("h8h8")


def test_numpy_integers_become_plain_ones():
    assert type(Board().play(np.int64(7)).moves[0]) is int


def test_nothing_can_be_taken_back_from_an_empty_or_set_up_board():
    for board in (Board(), set_up("h8")):
        with pytest.raises(ValueError, match="no move to take back"):
            board.undo()


@pytest.mark.parametrize(
    ("black", "white", "to_move"),
    [("h8 h9", "", None), ("", "h8", None), ("h8", "", BLACK), ("h8", "h9", WHITE)],
)
def test_unbalanced_stones_are_refused_unless_allowed(black, white, to_move):
    with pytest.raises(ValueError, match=r"unbalanced stones: black \d, white \d, \w+ to move"):
        Board.from_stones(points(black), points(white), to_move=to_move)
    board = Board.from_stones(points(black), points(white), to_move=to_move, balanced=False)
    assert len(points(black)) + len(points(white)) == board.stones


@given(set_up_boards())
def test_the_stones_say_whose_turn_it_is(board):
    surplus = board.cells.count(BLACK) - board.cells.count(WHITE)
    assert {0: BLACK, 1: WHITE}[surplus] == board.to_move


@pytest.mark.parametrize(("black", "white"), [("h8 h8", ""), ("h8", "h8")])
def test_two_stones_on_one_point_are_refused(black, white):
    with pytest.raises(ValueError, match="two stones on h8"):
        set_up(black, white)


def test_a_stone_off_the_board_is_refused():
    with pytest.raises(ValueError, match=r"0\.\.24 on a 5x5 board: 25"):
        Board.from_stones([25], [], size=5)


def test_a_board_already_won_accepts_no_move():
    board = set_up("a1 b1 c1 d1 e1", "a2 b2 c2 d2", to_move=WHITE)
    assert board.is_over
    with pytest.raises(ValueError, match="the game is over: black has won"):
        board.play(112)


def test_a_board_that_both_have_won_is_refused():
    with pytest.raises(ValueError, match="both colours have five"):
        set_up("a1 b1 c1 d1 e1", "a2 b2 c2 d2 e2")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cells": bytes(224)}, "225 bytes of 0, 1 or 2"),
        ({"cells": bytes([3] * 225)}, "225 bytes of 0, 1 or 2"),
        ({"to_move": 0}, r"to_move must be 1 \(black\) or 2 \(white\): 0"),
        ({"moves": (112,)}, "moves do not fit the stones"),
        ({"moves": (-1,)}, "moves do not fit the stones"),
        ({"size": 4}, r"size must be 5\.\.20: 4"),
        ({"rule": "chess"}, "rule must be one of freestyle, standard, renju: 'chess'"),
    ],
)
def test_a_board_that_makes_no_sense_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Board(**options)


@pytest.mark.parametrize(("row", "col"), [(-1, 0), (0, -1), (15, 0), (0, 15)])
def test_a_cell_off_the_board_is_refused(row, col):
    with pytest.raises(ValueError, match=r"row and col must be 0\.\.14"):
        Board().at(row, col)


@given(sizes)
def test_the_repr_is_one_short_line(size):
    board = Board(size=size).play(0)
    assert f"<Board {size}x{size} freestyle, moves='a{size}', white to move>" == repr(board)


def test_the_repr_of_a_set_up_board_counts_its_stones():
    board = set_up("h8 h9", "a1")
    assert "<Board 15x15 freestyle, stones=3, black to move>" == repr(board)
    after = board.play(0)
    assert "<Board 15x15 freestyle, moves='a15', stones=4, white to move>" == repr(after)
