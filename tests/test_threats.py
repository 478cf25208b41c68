"""Threats on the board: five points, open fours, moves that break them, chains of fours."""

import naive_engine as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_engine import POINT_FIVE, POINT_FOUR, POINT_OPEN_FOUR
from state_tools import CONFIG, differences, put, quiet_board, snapshot, take_back, working
from strategies import open_boards

from gomoku_lab.engine import chains
from gomoku_lab.engine.chains import find_chain, search_chain
from gomoku_lab.engine.gates import decide
from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import parse_move
from gomoku_lab.game.rules import DIRECTIONS, Rule
from gomoku_lab.kernels import layout
from gomoku_lab.kernels.threats import best_of_class, breaking_moves, five_point
from gomoku_lab.kernels.vcf import UNKNOWN

AMPLE = 100_000


@st.composite
def crowded(draw, sizes=(6, 7, 8)):
    """Draw a small board with many stones close together, on which the game goes on."""
    return quiet_board(
        draw(st.integers(0, 10**6)),
        size=draw(st.sampled_from(sizes)),
        rule=draw(st.sampled_from(Rule)),
        stones=draw(st.integers(8, 18)),
        side=6,
    )


def boards_with(wanted, *, number, rule):
    """Return random boards on which nobody has a five point and some move of the side to move has
    classes that are `wanted`, each with those moves."""
    found, seed = [], 0
    while len(found) < number:
        seed += 1
        board = quiet_board(seed, size=9, rule=rule, stones=10 + seed % 16, side=6)
        position = naive.Position.of(board)
        if not any(naive.points_of(position, colour, POINT_FIVE) for colour in range(2)):
            own = naive.shapes(position)[position.side].items()
            moves = [move for move, classes in own if wanted(classes) and position.may_play(move)]
            if moves:
                found.append((board, moves))
    return found


def is_open_four(classes):
    return naive.OPEN_FOUR in classes


def is_double_four(classes):
    return classes.count(naive.FOUR) >= 2 and naive.OPEN_FOUR not in classes


def is_closed_four(classes):
    return classes.count(naive.FOUR) == 1 and naive.OPEN_FOUR not in classes


@given(open_boards())
@settings(max_examples=60)
def test_five_point_names_a_point_that_completes_five_or_none(board):
    state, position = working(board), naive.Position.of(board)
    for colour in range(2):
        points = naive.points_of(position, colour, POINT_FIVE)
        cell = five_point(state.record, colour)
        assert state.move(cell) in points if points else cell == -1


@given(crowded())
@settings(max_examples=60)
def test_five_point_is_right_after_every_play_and_take_back(board):
    """The newest five point is remembered; it must never be stale."""
    state = working(board)
    for move in board.empty_points():
        put(state, move)
        position = naive.Position.of(board).play(move)
        for colour in range(2):
            points = naive.points_of(position, colour, POINT_FIVE)
            cell = five_point(state.record, colour)
            assert state.move(cell) in points if points else cell == -1
        take_back(state)


def test_a_newest_five_point_spoilt_by_an_overline_is_not_named():
    """Black's two five points, a5 first, h8 later; then a sixth stone takes h8's worth away."""
    older, newer = ["a1", "a2", "a3", "a4"], ["f8", "g8", "i8", "j8"]
    state = working(Board(rule="standard"))
    others = ["o1", "o3", "o5", "o7", "o9", "o11", "o13", "o15", "m1"]
    for black, white in zip([*older, *newer, "k8"], others, strict=True):
        put(state, parse_move(black, 15))
        if black in ("a4", "j8", "k8"):
            expected = "h8" if black == "j8" else "a5"
            assert parse_move(expected, 15) == state.move(five_point(state.record, 0))
        put(state, parse_move(white, 15))


@given(open_boards(), st.sampled_from((POINT_FIVE, POINT_OPEN_FOUR, POINT_FOUR)))
@settings(max_examples=60)
def test_the_best_point_of_a_class_is_first_in_one_move_order(board, kind):
    state, position = working(board), naive.Position.of(board)
    for colour in range(2):
        points = [m for m in naive.points_of(position, colour, kind) if position.may_play(m)]
        points = naive.in_order(position, points, CONFIG)
        cell = best_of_class(state.record, colour, kind)
        assert points[0] == state.move(cell) if points else cell == -1


@given(crowded(), st.booleans())
@settings(max_examples=60)
def test_breaking_moves_are_those_after_which_no_open_four_and_no_five_is_left(board, fours):
    state, position = working(board), naive.Position.of(board)
    before = snapshot(state)
    cells = np.zeros(layout.MAX_POINTS, np.int32)
    found = state.moves(cells[: breaking_moves(state.record, fours, cells)])
    expected = [
        move
        for move in board.legal_points()
        if naive.breaks(position, move) or (fours and naive.makes_four(position, move))
    ]
    assert tuple(naive.in_order(position, expected, CONFIG)) == found
    assert differences(before, snapshot(state)) == []


# --- an open four wins -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "number", "rule"),
    [
        (is_open_four, 40, Rule.FREESTYLE),
        (is_open_four, 40, Rule.STANDARD),
        (is_open_four, 40, Rule.RENJU),
        (is_double_four, 10, Rule.FREESTYLE),
        (is_double_four, 10, Rule.STANDARD),
        (is_double_four, 5, Rule.RENJU),
    ],
)
def test_S1_9_after_an_open_or_double_four_every_reply_leaves_a_five(shape, number, rule):
    for board, moves in boards_with(shape, number=number, rule=rule):
        state = working(board)
        for move in moves:
            after = board.play(move)
            put(state, move)
            for reply in after.legal_points():
                answered = after.play(reply)
                assert not answered.is_over
                put(state, reply)
                five = five_point(state.record, board.to_move - 1)
                assert answered.play(state.move(five)).winner == board.to_move
                take_back(state)
            take_back(state)


@pytest.mark.parametrize("rule", Rule)
def test_S1_11_one_reply_stops_a_closed_four(rule):
    for board, moves in boards_with(is_closed_four, number=40, rule=rule):
        position = naive.Position.of(board)
        for move in moves:
            after = position.play(move)
            (block,) = naive.points_of(after, position.side, POINT_FIVE)
            assert not naive.points_of(after.play(block), position.side, POINT_FIVE)


# --- five points through gaps ----------------------------------------------------------------


@pytest.mark.parametrize("gap", range(5))
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("colour", [1, 2])
def test_S2_36_five_points_are_found_through_gaps_in_every_direction(rule, direction, gap, colour):
    """XXXX_, XXX_X, XX_XX, X_XXX and _XXXX on a row, a column and both diagonals."""
    line = [(7 + direction[0] * (i - 2)) * 15 + 7 + direction[1] * (i - 2) for i in range(5)]
    stones = [move for i, move in enumerate(line) if i != gap]
    others = [0, 30, 60, 90]
    for to_move, gate in ((colour, "five"), (3 - colour, "block")):
        black, white = (stones, others) if colour == 1 else (others, stones)
        board = Board.from_stones(black, white, rule=rule, to_move=to_move, balanced=False)
        ends = {
            move
            for move in board.empty_points()
            if Board.from_stones([*stones, move], [], rule=rule, balanced=False).winner
        }
        assert line[gap] in ends
        state = working(board)
        counts = state.record["counts"][colour - 1]
        assert len(ends) == counts[POINT_FIVE]
        answer = decide(state, CONFIG)
        assert gate == answer.gate
        assert state.move(answer.cell) in ends


# --- victory by continuous fours -------------------------------------------------------------


def assert_forced(board, line):
    """Replay a chain: each four leaves one answer, or nothing helps; the last stone makes five.

    Under renju the last one may be a four of White's that Black may not block.
    """
    attacker = board.to_move - 1
    for index, move in enumerate(line):
        position = naive.Position.of(board)
        if index % 2 == 1:
            assert move in naive.points_of(position, attacker, POINT_FIVE)
            # The defender has nothing better to do than to answer.
            assert not naive.points_of(position, 1 - attacker, POINT_FIVE)
        board = board.play(move)
    if not board.winner:
        position = naive.Position.of(board)
        assert not naive.points_of(position, 1 - attacker, POINT_FIVE)
        assert not all(map(position.may_play, naive.points_of(position, attacker, POINT_FIVE)))
        return
    assert board.winner == attacker + 1


@given(crowded())
@settings(max_examples=120)
def test_a_chain_of_fours_is_found_exactly_when_there_is_one(board):
    state, position = working(board), naive.Position.of(board)
    before = snapshot(state)
    chain = find_chain(state, AMPLE)
    assert differences(before, snapshot(state)) == []
    assert naive.wins_by_fours(position, 12) == (chain is not None)
    if chain:
        assert_forced(board, state.moves(chain.line))
        # Where Black may not block a four, five comes though no stone of his can be shown.
        assert chain.plies - len(chain.line) in (0, 2)


@pytest.mark.parametrize(
    ("size", "seed", "plies"),
    [(8, 75, 11), (8, 61, 7), (8, 115, 7), (8, 214, 7), (9, 252, 7), (9, 271, 7), (9, 174, 5)],
)
def test_long_chains_of_fours_hold_stone_by_stone(size, seed, plies):
    board = quiet_board(seed, size=size, stones=8 + seed % 11, side=6)
    state = working(board)
    chain = find_chain(state, AMPLE)
    assert chain is not None
    assert plies == chain.plies == len(chain.line)
    assert_forced(board, state.moves(chain.line))
    assert naive.wins_by_fours(naive.Position.of(board), 12)


def test_a_spent_cap_is_no_refutation():
    spent = 0
    for seed in range(300):
        state = working(quiet_board(seed, size=9, stones=16, side=6))
        sound = search_chain(state, AMPLE)
        assert sound != UNKNOWN
        for cap in (0, 2):
            state.chains[:] = 0
            outcome = search_chain(state, cap)
            assert state.record["vcf_nodes"] <= cap + 1
            assert outcome == UNKNOWN or (outcome > 0) == (sound > 0)
            spent += outcome == UNKNOWN
    assert spent > 20


def test_a_chain_is_found_step_by_step_where_the_deep_search_loses_its_way(monkeypatch):
    monkeypatch.setattr(chains, "search_chain", lambda state, cap: UNKNOWN)
    board = quiet_board(75, size=8, stones=8 + 75 % 11, side=6)
    found = find_chain(working(board), AMPLE)
    assert found is not None
    assert 11 == found.plies == len(found.line)
