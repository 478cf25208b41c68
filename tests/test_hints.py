"""What people are told about a board: shapes, forks, and the one thing to see first."""

import pytest
from hypothesis import given, settings
from strategies import open_boards, symmetries

from gomoku_lab.engine.config import EngineConfig, PatternWeights
from gomoku_lab.engine.engine import evaluate
from gomoku_lab.engine.hints import FORKS, Hint, hint, shapes_at
from gomoku_lab.game.board import Board
from gomoku_lab.game.glossary import GATES, SHAPES
from gomoku_lab.game.notation import parse_move
from gomoku_lab.game.rules import BLACK, WHITE
from gomoku_lab.game.symmetry import map_board, map_move
from gomoku_lab.suite.forcing import fives_of, fours_of, holding_moves, winning_moves
from gomoku_lab.suite.positions import load_positions

CENTRE = 7
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
NAMES = {term.name for term in SHAPES}


def board_of(*offsets, to_move=BLACK, white=()):
    """Return a board with black stones at (direction, distance) from the centre."""
    black = [point(*offset) for offset in offsets]
    stones = [point(*offset) for offset in white]
    return Board.from_stones(black, stones, to_move=to_move, balanced=False)


def point(direction, distance):
    d_row, d_col = STEPS[direction]
    return (CENTRE + distance * d_row) * 15 + CENTRE + distance * d_col


@pytest.mark.parametrize("direction", range(4))
@pytest.mark.parametrize(
    "stones", [(-2, -1, 1, 2), (-3, -2, -1, 1), (-1, 1, 2, 3), (-4, -3, -2, -1)]
)
def test_S2_36_the_hint_finds_a_five_through_a_gap_in_every_direction(direction, stones):
    line = [(direction, distance) for distance in stones]
    for side, gate in ((BLACK, "five"), (WHITE, "block")):
        found = hint(board_of(*line, to_move=side))
        assert gate == found.gate
        assert point(direction, 0) in found.points


@pytest.mark.parametrize("direction", range(4))
@pytest.mark.parametrize("length", [2, 3])
def test_S2_37_a_row_open_at_both_ends_is_worth_more_than_one_open_at_one(direction, length):
    line = [(direction, distance) for distance in range(length)]
    both, one = ((direction, 7), (direction, -7)), ((direction, length), (direction, -7))
    config = EngineConfig(depth=1)
    assert evaluate(board_of(*line, white=both), config) > evaluate(
        board_of(*line, white=one), config
    )


def test_S2_37_open_shapes_weigh_more_than_closed_ones_of_the_same_length():
    weights = PatternWeights()
    assert weights.open_four > weights.four
    assert weights.open_three > weights.three
    assert weights.open_two > weights.two


FORK_ARMS = {
    # name: distances from the centre of the stones on two lines, and of White's on the first
    "double three": ((1, 2), (1, 2), ()),
    "four-three": ((1, 2, 3), (1, 2), (4,)),
    "double four": ((1, 2, 3), (1, 2, 3), (4,)),
}


@pytest.mark.parametrize("name", FORKS)
@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("second", range(4))
def test_S2_38_a_stone_where_two_threats_cross_is_a_fork_of_its_kind(name, first, second):
    if first == second:
        return
    one, two, white = FORK_ARMS[name]
    stones = [(first, d) for d in one] + [(second, d) for d in two]
    blocks = [(first, d) for d in white]
    if name == "double four":
        blocks += [(second, d) for d in white]
    board = board_of(*stones, white=blocks)
    assert name == shapes_at(board, BLACK)[point(first, 0)]
    assert name in NAMES


def test_S2_38_the_forks_of_the_suite_are_recognised():
    found = dict.fromkeys(FORKS, 0)
    for position in load_positions(None):
        if position.kind in ("four-three", "double-three"):
            shapes = shapes_at(position.board, position.board.to_move)
            for move in position.best:
                if shapes.get(move) in FORKS:
                    found[shapes[move]] += 1
                    assert position.kind == shapes[move].replace(" ", "-")
    assert found["four-three"] >= 5
    assert found["double three"] >= 5


@given(open_boards())
@settings(max_examples=60)
def test_S2_38_shapes_are_what_the_rules_say(board):
    own = shapes_at(board, board.to_move)
    fives, _ = fives_of(board)
    assert fives == {move for move, name in own.items() if name == "five"}
    made = {"open four", "double four", "four-three", "closed four"}
    assert fours_of(board) - fives <= {move for move, name in own.items() if name in made}
    assert set(own.values()) <= NAMES
    for move, name in own.items():
        if not fives and name in ("open four", "double four"):
            after = board.play(move)
            assert len(fives_of(after)[1]) >= 2


def test_S2_39_no_reply_stops_an_open_four():
    line = [(0, -1), (0, 0), (0, 1)]
    board = board_of(*line, white=[(0, 6), (1, 6), (2, 6)])
    fours = [m for m, name in shapes_at(board, BLACK).items() if name == "open four"]
    assert {point(0, -2), point(0, 2)} <= set(fours)
    after = board.play(point(0, 2))
    for reply in after.empty_points():
        assert "five" in shapes_at(after.play(reply), BLACK).values()
    assert not holding_moves(after, 1)


def test_S2_39_the_hint_warns_of_an_open_three_a_move_before_the_open_four():
    line = [(0, -1), (0, 0), (0, 1)]
    board = board_of(*line, white=[(1, 6), (2, 6)], to_move=WHITE)
    found = hint(board)
    assert "break-open-four" == found.gate
    assert {point(0, -2), point(0, 2)} <= set(found.points)
    for move in board.empty_points():
        after = board.play(move)
        assert (move in found.points) == (not winning_moves(after, 2))
    too_late = hint(board.play(parse_move("a1", 15)).play(point(0, 2)))
    assert "block" == too_late.gate
    assert 2 == len(too_late.points)


def test_S2_39_the_hint_agrees_with_the_proofs_of_the_suite():
    gates = {
        "must-win": "five",
        "must-block": "block",
        "open-four": "open-four",
        "break-open-four": "break-open-four",
    }
    for position in load_positions(None):
        if position.kind in gates:
            found = hint(position.board)
            assert gates[position.kind] == found.gate
            assert set(position.best) == set(found.points), position.id


def test_a_quiet_board_and_a_finished_one_get_no_hint():
    assert hint(Board()) is None
    assert hint(Board.from_moves("h8i9g7")) is None
    assert hint(Board.from_moves("h8a1h9a3h10a5h11a7h12")) is None


@given(open_boards(), symmetries)
@settings(max_examples=40)
def test_a_hint_turns_with_the_board(board, symmetry):
    found = hint(board)
    turned = hint(map_board(board, symmetry))
    if found is None:
        assert turned is None
    else:
        moves = sorted(map_move(move, board.size, symmetry) for move in found.points)
        assert Hint(found.gate, tuple(moves)) == turned
        assert found.gate in {term.name for term in GATES}
