"""The proofs of tactical positions: against brute force, by laws, and by hand."""

from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random

import naive_renju
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import free_rules, open_boards, symmetries

from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import parse_diagram
from gomoku_lab.game.notation import move_name, parse_move
from gomoku_lab.game.rules import BLACK, DIRECTIONS, WHITE, Rule, opponent, wins
from gomoku_lab.game.symmetry import map_board, map_move
from gomoku_lab.suite.forcing import (
    chain_moves,
    fives_of,
    fours_of,
    holding_moves,
    winning_moves,
)
from gomoku_lab.suite.positions import load_positions
from gomoku_lab.suite.proofs import (
    PROVABLE_KINDS,
    Proof,
    naive_top_moves,
    naive_value,
    prove,
)

# --- brute force: every move and every reply, a five found by walking from the last stone -------


def makes_five(cells, size, rule, move):
    colour = cells[move]
    row, col = divmod(move, size)
    for d_row, d_col in DIRECTIONS:
        run = 1
        for sign in (1, -1):
            r, c = row + sign * d_row, col + sign * d_col
            while 0 <= r < size and 0 <= c < size and cells[r * size + c] == colour:
                run += 1
                r, c = r + sign * d_row, c + sign * d_col
        if wins(run, rule, colour):
            return True
    return False


def playable(cells, size, rule, colour):
    """List the empty points on which a colour may play."""
    forbidden = naive_renju.prohibitions(cells, size) if (rule, colour) == ("renju", BLACK) else {}
    return [point for point, cell in enumerate(cells) if not cell and point not in forbidden]


def brute_wins_by(cells, size, rule, colour, move, within):
    cells[move] = colour
    try:
        if makes_five(cells, size, rule, move):
            return True
        if within == 1 or 0 not in cells:
            return False
        replies = playable(cells, size, rule, opponent(colour))
        if not replies:  # Black's, under renju: he passes
            return any(
                brute_wins_by(cells, size, rule, colour, point, within - 1)
                for point in playable(cells, size, rule, colour)
            )
        return all(
            brute_survives_not(cells, size, rule, colour, reply, within - 1) for reply in replies
        )
    finally:
        cells[move] = 0


def brute_survives_not(cells, size, rule, colour, reply, within):
    cells[reply] = opponent(colour)
    try:
        if makes_five(cells, size, rule, reply):
            return False
        return any(
            brute_wins_by(cells, size, rule, colour, move, within)
            for move in playable(cells, size, rule, colour)
        )
    finally:
        cells[reply] = 0


def brute_winning_moves(board, within):
    cells = bytearray(board.cells)
    return {
        move
        for move in board.legal_points()
        if brute_wins_by(cells, board.size, board.rule, board.to_move, move, within)
    }


def brute_holding_moves(board, within):
    cells = bytearray(board.cells)
    held = set()
    for move in board.legal_points():
        cells[move] = board.to_move
        own_five = makes_five(cells, board.size, board.rule, move)
        other = opponent(board.to_move)
        if own_five or not any(
            brute_wins_by(cells, board.size, board.rule, other, attack, within)
            for attack in playable(cells, board.size, board.rule, other)
        ):
            held.add(move)
        cells[move] = 0
    return held


@st.composite
def crowded_boards(draw, empties):
    """Draw a small board with few empty points on which nobody has won; counts do not matter."""
    size = draw(st.sampled_from((5, 6)))
    rule = draw(st.sampled_from(Rule))
    random = Random(draw(st.integers(0, 2**32 - 1)))
    bias = draw(st.sampled_from((0.35, 0.5, 0.65)))
    while True:
        points = list(range(size * size))
        random.shuffle(points)
        cells = [BLACK if random.random() < bias else WHITE for _ in points]
        for point in points[: draw(empties)]:
            cells[point] = 0
        black, white = (
            [point for point, cell in enumerate(cells) if cell == colour]
            for colour in (BLACK, WHITE)
        )
        to_move = random.choice((BLACK, WHITE)) if rule is Rule.RENJU else BLACK
        try:
            board = Board.from_stones(
                black, white, size=size, rule=rule, to_move=to_move, balanced=False
            )
        except ValueError:  # both have five
            continue
        if not board.winner:
            return board


@given(crowded_boards(st.integers(1, 9)), st.integers(1, 3))
@settings(max_examples=60)
def test_winning_moves_equal_brute_force(board, within):
    assert brute_winning_moves(board, within) == winning_moves(board, within)


@given(crowded_boards(st.integers(1, 8)), st.integers(1, 3))
@settings(max_examples=40)
def test_holding_moves_equal_brute_force(board, within):
    assert brute_holding_moves(board, within) == holding_moves(board, within)


@given(crowded_boards(st.integers(1, 7)))
@settings(max_examples=25)
def test_a_longer_horizon_equals_brute_force_too(board):
    assert brute_winning_moves(board, 4) == winning_moves(board, 4)


QUIET_WINS = {
    Rule.FREESTYLE: """
        X O O X O X
        X O X O O X
        X X O X X O
        O . . X X X
        X . . . X X
        O . . . . X
    """,
    Rule.STANDARD: """
        X X X O X X
        . O X X X X
        X . X . X O
        X . . . X X
        . X . . O O
        O . O O O X
    """,
    Rule.RENJU: """
        X X X X O X
        X X . X . X
        X . . O . O
        X X . X . X
        X . . X X X
        X O X X X X
    """,
}


@pytest.mark.parametrize("rule", Rule)
def test_a_quiet_win_within_three_equals_brute_force(rule):
    to_move = WHITE if rule is Rule.RENJU else BLACK
    board = parse_diagram(QUIET_WINS[rule], rule=rule, to_move=to_move, balanced=False)
    found = winning_moves(board, 3)
    assert found - fours_of(board)  # a move without a four wins, so replies were left out
    assert brute_winning_moves(board, 3) == found


# --- laws ---------------------------------------------------------------------------------------


def swapped(board):
    """Return the board with black and white exchanged, and the other side to move."""
    cells = bytes(cell and opponent(cell) for cell in board.cells)
    return Board(board.size, board.rule, cells, opponent(board.to_move))


@given(open_boards(), symmetries, st.integers(1, 3))
@settings(max_examples=40)
def test_a_map_of_the_board_maps_the_winning_moves(board, symmetry, within):
    expected = {map_move(move, board.size, symmetry) for move in winning_moves(board, within)}
    assert expected == winning_moves(map_board(board, symmetry), within)


@given(open_boards(sizes=st.integers(5, 8)), symmetries, st.integers(1, 3))
@settings(max_examples=25)
def test_a_map_of_the_board_maps_the_holding_moves(board, symmetry, within):
    expected = {map_move(move, board.size, symmetry) for move in holding_moves(board, within)}
    assert expected == holding_moves(map_board(board, symmetry), within)


@given(open_boards(rules=free_rules), st.integers(1, 3))
@settings(max_examples=40)
def test_exchanging_the_colours_changes_no_winning_move(board, within):
    assert winning_moves(board, within) == winning_moves(swapped(board), within)


@given(open_boards(), st.integers(1, 2))
@settings(max_examples=40)
def test_more_time_loses_no_win(board, within):
    assert winning_moves(board, within) <= winning_moves(board, within + 1)


@given(open_boards(), symmetries)
@settings(max_examples=15)
def test_a_map_of_the_board_maps_the_naive_top_moves(board, symmetry):
    expected = {map_move(move, board.size, symmetry) for move in naive_top_moves(board)}
    assert expected == naive_top_moves(map_board(board, symmetry))


@given(open_boards())
@settings(max_examples=60)
def test_five_points_are_the_moves_that_win_at_once(board):
    own, theirs = fives_of(board)
    assert {m for m in board.legal_points() if board.play(m).winner} == own
    if board.rule is not Rule.RENJU:
        assert fives_of(swapped(board)) == (own, theirs)
    passed = Board(board.size, board.rule, board.cells, opponent(board.to_move))
    assert (theirs, own) == fives_of(passed)


@given(open_boards())
@settings(max_examples=40)
def test_fours_are_the_moves_after_which_a_five_is_next(board):
    own, _ = fives_of(board)
    expected = set()
    for move in board.legal_points():
        after = board.play(move)
        if not after.winner and fives_of(after)[1] - own:
            expected.add(move)
    assert expected == fours_of(board)


# --- cases by hand ------------------------------------------------------------------------------


def names(board, moves):
    return {move_name(move, board.size) for move in moves}


def seven(drawing, *, to_move=BLACK, rule=Rule.FREESTYLE):
    return parse_diagram(drawing, to_move=to_move, rule=rule, balanced=False)


OPEN_THREE = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . X X X . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""


def test_an_open_three_wins_within_two_at_both_ends():
    board = seven(OPEN_THREE)
    assert {"b4", "f4"} == names(board, winning_moves(board, 2))
    assert set() == winning_moves(board, 1)


def test_an_open_three_is_broken_at_its_ends_and_where_the_room_is_narrow():
    board = seven(OPEN_THREE, to_move=WHITE)
    assert {"b4", "f4"} == names(board, holding_moves(board, 2))


@pytest.mark.parametrize("direction", range(4))
@pytest.mark.parametrize("gap", range(1, 4))
def test_S2_36_a_five_point_is_found_through_a_gap(direction, gap):
    d_row, d_col = DIRECTIONS[direction]
    start = 4 * 15 + 7
    line = [start + place * (d_row * 15 + d_col) for place in range(5)]
    stones = [point for place, point in enumerate(line) if place != gap]
    board = Board.from_stones(stones, (), to_move=BLACK, balanced=False)
    assert {line[gap]} == fives_of(board)[0]


@pytest.mark.parametrize(
    ("row", "is_open"),
    [
        ("..XXXX.", True),
        (".OXXXX.", False),
        (".XXXXO.", False),
        ("XXXX...", False),  # the edge
        ("...XXXX", False),
        (".XX.XX.", False),
    ],
)
def test_S1_10_S1_D2_a_four_is_open_if_both_ends_can_be_filled(row, is_open):
    board = seven("\n".join([row, *["......."] * 6]))
    assert is_open == (len(fives_of(board)[0]) == 2)


@given(open_boards())
@settings(max_examples=60)
def test_S1_9_S1_11_two_five_points_beat_every_reply_and_one_is_blocked(board):
    for move in fours_of(board):
        after = board.play(move)
        if after.is_over or fives_of(after)[0]:
            continue  # the reply makes five itself
        left = Counter()
        for reply in after.empty_points():
            answered = after.play(reply)
            left[not answered.is_over and bool(fives_of(answered)[0])] += 1
        count = len(fives_of(after)[1])
        assert (count >= 2) == (left[False] == 0)
        assert count >= 2 or left[False] == 1


def test_an_overline_is_no_five_under_the_standard_rule():
    drawing = "X.XXXX.\n" + "\n".join(["......."] * 6)
    standard, freestyle = (seven(drawing, rule=rule) for rule in (Rule.STANDARD, Rule.FREESTYLE))
    assert {"g7"} == names(standard, fives_of(standard)[0])
    assert {"b7", "g7"} == names(freestyle, fives_of(freestyle)[0])


def test_a_full_board_is_no_win():
    # Black's last stone completes nothing, and no reply is left: a draw is not a forced five.
    board = seven("XOXOX\nOXOXO\nOXOXO\nXOXOX\nXOXO.")
    assert set() == winning_moves(board, 3)


# --- kinds --------------------------------------------------------------------------------------


def problem(drawing, kind, *, to_move=BLACK, rule=Rule.FREESTYLE, win_in=None):
    board = seven(drawing, to_move=to_move, rule=rule)
    return "; ".join(prove(board, kind, win_in).problems)


CLOSED_FOUR = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    O X X X X . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""


def test_must_win_needs_a_five():
    assert "no move forces five within 1" in problem(OPEN_THREE, "must-win")
    assert not problem(CLOSED_FOUR, "must-win")


def test_open_four_must_not_be_a_five_already():
    assert "within 1 exists already: f4" in problem(CLOSED_FOUR, "open-four")
    assert "within 2 exists already: b4 f4" in problem(OPEN_THREE, "four-three")


def test_must_block_refuses_an_own_five_and_two_five_points():
    assert "five of its own: f4" in problem(CLOSED_FOUR, "must-block")
    double = CLOSED_FOUR.replace("O X X X X . .", ". X X X X . .")
    assert "exactly one five point: a4 f4" in problem(double, "must-block", to_move=WHITE)
    assert "exactly one five point: none" in problem(OPEN_THREE, "must-block", to_move=WHITE)


def test_break_open_four_refuses_an_own_four_and_a_threat_that_is_none():
    assert "ambiguous" in problem(".......\n" * 7, "break-open-four")
    assert "the side to move has a four" in problem(OPEN_THREE, "break-open-four")
    assert "has a five point: f4" in problem(CLOSED_FOUR, "break-open-four", to_move=WHITE)
    assert not problem(OPEN_THREE, "break-open-four", to_move=WHITE)


def test_break_open_four_refuses_a_lost_board():
    lost = """
        X . . . . . X
        . . . . . . .
        . X X X . . .
        . . . . . . .
        . . . X X X .
        . . . . . . .
        X . . . . . X
    """
    assert "no move is right" in problem(lost, "break-open-four", to_move=WHITE)


def test_draw_board_must_be_full():
    assert "not full" in problem(OPEN_THREE, "draw-board")


def test_a_won_or_full_board_has_no_question():
    won = CLOSED_FOUR.replace("O X X X X .", "X X X X X .")
    assert "won already" in problem(won, "must-win")
    full = "XOXOX\nOXOXO\nOXOXO\nXOXOX\nXOXOX"
    assert "full" in problem(full, "must-win")


def test_exact_five_needs_its_rule_and_another_answer_than_freestyle():
    assert "needs the rule standard" in problem(CLOSED_FOUR, "exact-five", win_in=1)
    assert "freestyle gives the same" in problem(
        CLOSED_FOUR, "exact-five", rule=Rule.STANDARD, win_in=1
    )


def test_a_standing_overline_sets_exact_five_apart():
    drawing = CLOSED_FOUR.replace(". . . . . . .", "X X X X X X O", 1)
    assert not problem(drawing, "exact-five", rule=Rule.STANDARD, win_in=1)


def test_quiet_block_refuses_a_naive_answer():
    # f4 makes White's longest run, and it breaks the three as well.
    drawing = """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . X X X . .
        . . . . . O .
        . . . . . O .
        . . . . . . .
    """
    assert "naive top move is right: f4" in problem(drawing, "quiet-block", to_move=WHITE)


@cache
def brute_chain_moves(board):
    """Return own five points, else the fours after which every answer leaves such moves again."""
    own, theirs = fives_of(board)
    if own:
        return own
    found = set()
    for move in fours_of(board):
        after = board.play(move)
        answers, mine = fives_of(after)
        in_time = not answers and theirs <= {move}
        if in_time and all(brute_chain_moves(replace(after.play(p), moves=())) for p in mine):
            found.add(move)
    return found


@given(open_boards(sizes=st.integers(5, 8)))
@settings(max_examples=150, deadline=None)
def test_a_chain_of_fours_is_one_by_the_rules(board):
    assert brute_chain_moves(board) == chain_moves(board)


def test_a_vcf_is_refused_where_an_open_four_wins_sooner():
    assert "a win within 2 exists already" in problem(OPEN_THREE, "vcf")


DOUBLE_THREE = next(one for one in load_positions() if one.id == "forbidden-double-three").board
NOTHING_FORBIDDEN = DOUBLE_THREE.cells.replace(bytes([BLACK] * 2 + [0] * 8), bytes(10), 1)
FREE_WIN = bytes([BLACK] * 6 + [0] * 219)
"""Six black stones in a row: they win under freestyle alone."""


def test_a_vcf_is_refused_where_no_chain_of_fours_wins():
    lone_four = CLOSED_FOUR.replace("X X X X", "X X X .")
    assert "no move is right" in problem(lone_four, "vcf")


@pytest.mark.parametrize(
    ("options", "win_in", "wanted"),
    [
        ({"rule": "freestyle"}, 3, "forbidden needs the rule renju: freestyle"),
        ({"to_move": WHITE}, None, "forbidden needs win_in where white is to move"),
        ({"to_move": WHITE}, 3, "no move forces five within 3"),
        ({}, 2, "no move forces five within 2"),
        ({}, None, "the side to move has a four: e3 f3"),
        ({"cells": NOTHING_FORBIDDEN}, 3, "no move that freestyle finds right is forbidden"),
        ({"cells": FREE_WIN}, 3, "under freestyle the game is won already"),
    ],
)
def test_what_shows_nothing_forbidden_is_none_of_the_kind(options, win_in, wanted):
    proof = prove(replace(DOUBLE_THREE, **options), "forbidden", win_in)
    assert wanted in "; ".join(proof.problems)


def test_an_unknown_kind_is_refused_by_name():
    with pytest.raises(ValueError, match=r"kind must be one of must-win.*'luck'"):
        prove(Board(), "luck")
    assert "must-win" in PROVABLE_KINDS


def test_the_naive_value_counts_every_stone_of_a_run_and_no_open_ends():
    board = seven(OPEN_THREE)
    # Two runs of two and one of three: each stone reports its run in each direction.
    after = {name: naive_value(board, parse_move(name, 7)) for name in ("b4", "a7", "d5")}
    assert {"b4": 4 * 10_000, "a7": 3 * 1_000, "d5": 3 * 1_000 + 3 * 2 * 100} == after


TWO_TWOS = Board.from_moves("h8a1h9a3j7a15k7o1")
"""Two twos of black's that meet; no four is to be made."""


def test_threats_that_win_where_no_four_does_are_proved():
    proof = prove(TWO_TWOS, "vct")
    assert proof.problems == ()
    assert winning_moves(TWO_TWOS, 3) <= proof.best


def test_a_win_by_fours_is_no_vct_and_no_quiet_position_is_a_no_vcf():
    open_three = Board.from_moves("h8a1h9a3h10a15")
    assert "a victory by fours alone is not refuted" in "; ".join(prove(open_three, "vct").problems)
    assert "a chain of fours wins" in "; ".join(prove(open_three, "no-vcf").problems)
    assert prove(TWO_TWOS, "no-vcf").problems == ("the side to move has no four",)


def test_fours_that_do_not_win_are_a_no_vcf():
    closed_three = Board.from_moves("h8h7h9a3h10a15")
    assert prove(closed_three, "no-vcf") == Proof(frozenset())
