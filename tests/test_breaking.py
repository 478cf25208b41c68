"""Which moves break a chain of fours, held against the rules alone on small boards."""

import random
from dataclasses import replace
from functools import cache

import pytest

from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import WHITE, Rule, opponent
from gomoku_lab.suite import breaking
from gomoku_lab.suite.breaking import Defences, UndecidedError
from gomoku_lab.suite.forcing import chain_moves, fives_of
from gomoku_lab.suite.positions import load_positions

OPEN_THREE = Board.from_moves("h8a1h9a3h10")
"""White is to move, and Black threatens an open four."""


@cache
def breaks(board, move):
    """Say by the rules alone whether `move` breaks all chains; the mover has none of his own."""
    after = board.play(move)
    if after.is_over:
        return True
    theirs, mine = fives_of(after)
    if theirs:
        return False
    if not mine:
        return not chain_moves(after)
    answers = mine.intersection(after.legal_points())
    if len(mine) > 1 or not answers:
        return True
    left = after.play(min(answers))
    return not left.is_over and any(breaks(left, next_) for next_ in left.legal_points())


def threatened(seed):
    """Return a small board whose mover is threatened by a chain of fours and has none, or None."""
    lot = random.Random(seed)
    size, rule = lot.choice((6, 7)), lot.choice(tuple(Rule))
    points = lot.sample(range(size * size), lot.randint(8, size * size // 2))
    try:
        board = Board.from_stones(points[::2], points[1::2], size=size, rule=rule)
    except ValueError:
        return None  # both have five
    if board.is_over or any(fives_of(board)) or chain_moves(board):
        return None
    return board if Defences(100_000).threat(board) else None


@pytest.mark.parametrize("part", range(4))
def test_the_moves_that_break_all_chains_are_those_of_the_rules(part):
    boards = list(filter(None, map(threatened, range(150 * part, 150 * (part + 1)))))
    assert len(boards) > 8
    for board in boards:
        expected = {move for move in board.legal_points() if breaks(board, move)}
        assert expected == Defences(100_000).breaking(board)


def test_a_four_counts_only_if_a_right_move_is_left_after_the_answer():
    # White's row makes a four and no more; its answer leaves Black's open three as it was.
    row = ("a15", "b15", "c15")
    one = Board.from_stones(map(_point, ("h8", "h9", "h10")), map(_point, (*row[:2], "o1")))
    board = Board.from_stones(map(_point, ("h8", "h9", "h10")), map(_point, row))
    quiet = Defences(100_000).breaking(replace(one, to_move=WHITE))
    assert {_point("h11"), _point("h7")} <= quiet
    assert _point("d15") not in quiet
    passed = replace(board, to_move=WHITE)
    assert {_point("d15"), _point("e15")} <= Defences(100_000).breaking(passed)
    lost = Board.from_stones(
        map(_point, ("h8", "h9", "h10", "l4", "m4", "n4")), map(_point, (*row, "a1", "a3", "a5"))
    )
    best = Defences(100_000).breaking(replace(lost, to_move=WHITE))
    assert not {_point("d15"), _point("e15")} & best


def test_a_spent_budget_decides_nothing():
    chain = next(one for one in load_positions() if one.kind == "vcf").board
    passed = replace(chain, to_move=opponent(chain.to_move))
    assert Defences(100_000).threat(passed)
    with pytest.raises(UndecidedError):
        Defences(1).threat(passed)


def test_a_board_that_holds_too_much_is_given_up(monkeypatch):
    monkeypatch.setattr(breaking, "_LOOKS", 3)
    with pytest.raises(UndecidedError):
        Defences(100_000).breaking(OPEN_THREE)


def test_an_open_three_is_broken_where_it_grows():
    best = Defences(100_000).breaking(OPEN_THREE)
    assert {_point(name) for name in ("h7", "h11")} == best


def _point(name):
    return (15 - int(name[1:])) * 15 + ord(name[0]) - ord("a")


def _board(stones):
    black, white = ([_point(name) for name in stones[side]] for side in ("black", "white"))
    return Board.from_stones(black, white)
