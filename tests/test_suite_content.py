"""The shipped positions: every answer proved, and all themes, places and shapes covered."""

import re
from collections import Counter
from contextlib import closing

import pytest

from gomoku_lab.game.board import Board
from gomoku_lab.game.renju import Prohibition
from gomoku_lab.game.rules import BLACK, DIRECTIONS, EMPTY, FREE_RULES, WHITE, Rule, opponent
from gomoku_lab.game.symmetry import canonical_key
from gomoku_lab.players.registry import make_player
from gomoku_lab.suite.forcing import fives_of, fours_of, holding_moves, winning_moves
from gomoku_lab.suite.positions import load_positions, load_shipped
from gomoku_lab.suite.proofs import PROVABLE_KINDS, check, naive_top_moves, naive_value, prove

POSITIONS = load_positions()
BY_ID = {position.id: position for position in POSITIONS}
WANTED = {
    "must-win": 15,
    "must-block": 15,
    "open-four": 8,
    "break-open-four": 8,
    "draw-board": 3,
    "four-three": 8,
    "double-three": 6,
    "exact-five": 6,
    "forbidden": 3,
    "vcf": 2,
    "quiet-block": 5,
}


def of_kind(*kinds):
    return [position for position in POSITIONS if position.kind in kinds]


def other_side(board):
    """Return the board with the opponent to move."""
    return Board(board.size, board.rule, board.cells, opponent(board.to_move))


def lines_of_five(position):
    """Yield direction, points and filled point of each five that the right moves settle."""
    board = position.board
    colour = board.to_move if position.kind == "must-win" else opponent(board.to_move)
    mover = Board(board.size, board.rule, board.cells, colour)
    for move in position.best:
        for direction, line in enumerate(mover.play(move).lines_through(move)):
            if len(line) >= 5:
                yield direction, line, move


@pytest.mark.parametrize("name", BY_ID)
def test_the_answer_is_proved(name):
    assert () == check(BY_ID[name])


def test_there_are_enough_positions_of_every_kind():
    counts = Counter(position.kind for position in POSITIONS)
    assert set(WANTED) == set(counts)
    assert set(PROVABLE_KINDS) == {position.kind for position in load_shipped()}
    assert all(counts[kind] >= least for kind, least in WANTED.items())
    assert len(POSITIONS) >= 80


def test_no_two_positions_are_the_same_under_the_maps_of_the_board():
    keys = {(canonical_key(one.board), one.board.rule) for one in POSITIONS}
    assert len(POSITIONS) == len(keys)


def test_both_colours_are_asked_in_every_kind_of_more_than_three():
    for kind in set(WANTED) - {"forbidden"}:  # which asks Black alone
        colours = Counter(one.board.to_move for one in of_kind(kind))
        assert {BLACK, WHITE} == set(colours), kind
        if kind != "draw-board":
            assert min(colours.values()) >= len(of_kind(kind)) // 4, kind


def test_both_rules_and_several_sizes_occur():
    assert set(FREE_RULES) <= {one.board.rule for one in POSITIONS}
    assert {5, 7, 9, 15, 19, 20} <= {one.board.size for one in POSITIONS}
    for kind in ("must-win", "break-open-four", "four-three", "draw-board"):
        assert {"standard"} <= {str(one.board.rule) for one in of_kind(kind)}, kind


@pytest.mark.parametrize("kind", ["must-win", "must-block"])
def test_fives_lie_in_all_directions_with_and_without_gaps(kind):
    directions, gaps = Counter(), Counter()
    for position in of_kind(kind):
        for direction, line, move in lines_of_five(position):
            directions[direction] += 1
            gaps[move in line[1:-1]] += 1
    assert set(range(len(DIRECTIONS))) == set(directions)
    assert gaps[True] >= 5
    assert gaps[False] >= 5


def test_every_edge_and_every_corner_has_a_five_on_it():
    edges, corners = set(), set()
    for position in of_kind("must-win", "must-block"):
        last = position.board.size - 1
        for _, line, _ in lines_of_five(position):
            points = [divmod(point, last + 1) for point in line]
            for side in (0, 1):
                places = {point[side] for point in points}
                if places in ({0}, {last}):
                    edges.add((side, places == {0}))
            corners |= {(row > 0, col > 0) for row, col in points if {row, col} <= {0, last}}
    assert 4 == len(edges)
    assert 4 == len(corners)


def test_S4_33_an_own_open_four_is_to_be_completed():
    position = BY_ID["win-open-four"]
    assert "must-win" == position.kind
    assert 2 == len(position.best) == len(fives_of(position.board)[0])


def test_S4_33_a_four_with_one_five_point_is_to_be_blocked():
    for position in of_kind("must-block"):
        assert (frozenset(), frozenset(position.best)) == fives_of(position.board)
        assert 1 == len(position.best)


def test_S4_28_S4_33_a_block_has_a_lower_naive_value_than_another_move():
    found = [one for one in of_kind("must-block") if "naive-wrong" in one.tags]
    assert len(found) >= 2
    for position in found:
        block = position.best[0]
        top = naive_top_moves(position.board)
        assert block not in top
        assert naive_value(position.board, block) < naive_value(position.board, min(top))


def test_a_defence_is_worth_finding():
    # Where every defence loses soon anyway, a player that sees it has no reason to prefer one.
    for position in of_kind("must-block", "break-open-four"):
        afters = (position.board.play(move) for move in position.best)
        assert not all(winning_moves(after, 3) for after in afters), position.id


def test_S4_33_a_full_board_without_a_winner_has_no_move():
    for position in of_kind("draw-board"):
        assert position.board.is_full
        assert EMPTY == position.board.winner == position.board.scan_winner()
        assert () == position.best


def test_S4_8_the_two_rules_give_opposite_answers():
    for position in of_kind("exact-five"):
        board = position.board
        freestyle = Board(board.size, Rule.FREESTYLE, board.cells, board.to_move)
        within = position.win_in or 1
        side = board if position.win_in else other_side(board)
        free_side = freestyle if position.win_in else other_side(freestyle)
        assert winning_moves(side, within) != winning_moves(free_side, within) or (
            freestyle.scan_winner() != EMPTY
        )


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_S4_38_the_attack_of_textbook_is_illegal_under_renju(depth):
    board = BY_ID["forbidden-double-four"].board
    freestyle = Board(board.size, Rule.FREESTYLE, board.cells, board.to_move)
    with closing(make_player(f"textbook/depth{depth}")) as textbook:
        assert not textbook.plays(Rule.RENJU)
        move = textbook.choose(freestyle).move
    assert move in winning_moves(freestyle, 2)
    assert Prohibition.DOUBLE_FOUR is board.forbidden_points()[move]
    with pytest.raises(ValueError, match="j9 is forbidden for black: double four"):
        board.play(move)


@pytest.mark.parametrize("position", of_kind("forbidden"), ids=lambda one: one.id)
def test_what_is_forbidden_would_be_right_under_freestyle(position):
    board = position.board
    freestyle = Board(board.size, Rule.FREESTYLE, board.cells, board.to_move)
    right = winning_moves(freestyle, 3) if position.win_in else holding_moves(freestyle, 2)
    assert right & board.forbidden_points().keys()


def test_S1_10_S1_11_an_open_four_is_on_offer_beside_a_closed_one():
    board = BY_ID["open-four-not-closed"].board
    closed = fours_of(board) - set(BY_ID["open-four-not-closed"].best)
    assert closed
    for move in closed:
        assert 1 == len(fives_of(other_side(board.play(move)))[0])
    for move in BY_ID["open-four-not-closed"].best:
        assert 2 == len(fives_of(other_side(board.play(move)))[0])


def without(board, names):
    """Return the board without some stones; counts no longer matter."""
    cells = bytearray(board.cells)
    for name in names.split():
        cells[(board.size - int(name[1:])) * board.size + ord(name[0]) - ord("a")] = EMPTY
    return Board(board.size, board.rule, bytes(cells), board.to_move)


def test_S1_16_an_open_four_and_a_double_three_are_on_offer():
    position = BY_ID["open-four-before-double-three"]
    assert ("b4", "f4") == position.best_names
    # Without the three in the row, only the double three is left to win with.
    proof = prove(without(position.board, "c4 d4 e4"), "double-three")
    assert () == proof.problems
    assert not proof.best & set(position.best)


def test_S1_D1_one_breaking_cell_loses_to_a_chain_of_fours_and_another_holds():
    position = BY_ID["quiet-break-chain"]
    board = position.board
    breaking = holding_moves(board, 2)
    assert 0 < len(breaking) < len(board.empty_points())
    assert set(position.best) < breaking
    assert breaking & naive_top_moves(board)


def test_S1_D1_a_mover_who_should_break_an_open_three_wins_by_fours_instead():
    position = BY_ID["four-three-against-three"]
    board = position.board
    assert winning_moves(other_side(board), 2)  # the opponent threatens an open four
    assert set(position.best) <= fours_of(board)
    assert not set(position.best) & winning_moves(other_side(board), 2)


def test_S1_39_what_breaks_an_open_four_is_the_whole_answer():
    for position in of_kind("break-open-four"):
        assert winning_moves(other_side(position.board), 2)
        assert holding_moves(position.board, 2) == set(position.best)
    small = BY_ID["break-small-board"]
    for move in small.board.empty_points():
        assert (not winning_moves(small.board.play(move), 2)) == (move in small.best)


def test_four_three_positions_have_a_four_and_double_three_positions_a_quiet_move():
    for position in of_kind("four-three"):
        assert set(position.best) & fours_of(position.board)
    for position in of_kind("double-three"):
        assert not set(position.best) & fours_of(position.board)


def test_S4_35_a_reason_names_a_right_move_or_the_theme():
    for position in POSITIONS:
        assert 10 < len(position.why) < 130, position.id
        wrong = set(re.findall(r"\b[a-t](?:1\d|20|[1-9])\b", position.why)) - set(
            position.best_names
        )
        named = any(name in position.why for name in position.best_names)
        # A reason that names points names a right one, unless it explains an open choice.
        assert named or not wrong or len(position.best) > 1, position.id
