"""Hypothesis strategies for boards, shared by all tests.

Each strategy takes `sizes` and `rules`, strategies themselves (`st.just(9)` for one size).
Positions come from a drawn seed, not from single draws: far faster, and they still shrink in
size and in the number of stones.
"""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import BLACK, FREE_RULES, MAX_SIZE, MIN_SIZE, WHITE, Rule

sizes = st.integers(MIN_SIZE, MAX_SIZE)
rules = st.sampled_from(Rule)
free_rules = st.sampled_from(FREE_RULES)
symmetries = st.integers(0, 7)
seeds = st.integers(0, 2**32 - 1)


@st.composite
def played_boards(draw, *, sizes=sizes, rules=rules, max_moves=80, window=None, going_on=False):
    """Draw a board reached from the empty one by random legal play; it may be over.

    `window` keeps all moves in a square of that many lines a side, so that lines meet often.
    `going_on` leaves out every move that would end the game.
    """
    size = draw(sizes)
    board = Board(size=size, rule=draw(rules))
    side = size if window is None else min(window, size)
    random = Random(draw(seeds))
    top, left = (random.randint(0, size - side) for _ in range(2))
    points = [(top + i // side) * size + left + i % side for i in range(side * side)]
    random.shuffle(points)
    for move in points[: draw(st.integers(0, min(max_moves, len(points))))]:
        after = played(board, move)
        if after.is_over and going_on:
            continue
        board = after
        if board.is_over:
            break
    return board


@st.composite
def finished_boards(draw, *, sizes=sizes, rules=rules):
    """Draw a board on which random play has ended, by five in a row or (seldom) by a draw."""
    board = Board(size=draw(sizes), rule=draw(rules))
    points = list(range(board.size**2))
    Random(draw(seeds)).shuffle(points)
    while not board.is_over and points:
        move = points.pop()
        after = played(board, move)
        if after is board:  # forbidden now: later, perhaps, it is not
            legal = board.legal_points()
            if not legal:
                break
            points.remove(legal[0])
            points.append(move)
            after = board.play(legal[0])
        board = after
    return board


def played(board, move):
    """Return the board after `move`, the same board if renju forbids it."""
    forbidden = board.to_move == BLACK and move in board.forbidden_points()
    return board if forbidden else board.play(move)


@st.composite
def set_up_boards(draw, *, sizes=sizes, rules=rules, balanced=True, density=0.9):
    """Draw a set-up position without history, at most `density` of its points taken.

    With `balanced` the counts fit the side to move; without, any stones and either side. An
    empty board stands for the impossible ones on which both colours have five in a row.
    """
    size, rule = draw(sizes), draw(rules)
    count = draw(st.integers(0, int(size * size * density)))
    points = Random(draw(seeds)).sample(range(size * size), count)
    blacks = (count + 1) // 2 if balanced else draw(st.integers(0, count))
    to_move = None if balanced else draw(st.sampled_from((BLACK, WHITE)))
    options = {"size": size, "rule": rule, "to_move": to_move, "balanced": balanced}
    try:
        return Board.from_stones(points[:blacks], points[blacks:], **options)
    except ValueError:
        return Board.from_stones((), (), **options)


def boards(*, sizes=sizes, rules=rules):
    """Draw a board of any kind, finished ones included."""
    options = {"sizes": sizes, "rules": rules}
    return st.one_of(
        played_boards(**options), played_boards(window=7, **options), set_up_boards(**options)
    )


def open_boards(*, sizes=sizes, rules=rules):
    """Draw a board of any kind on which the game goes on."""
    options = {"sizes": sizes, "rules": rules}
    return st.one_of(
        played_boards(going_on=True, **options),
        played_boards(going_on=True, window=7, **options),
        set_up_boards(density=0.3, **options).filter(lambda board: not board.is_over),
    )


@st.composite
def open_boards_with_move(draw, *, sizes=sizes, rules=rules):
    """Draw a board on which the game goes on, and a legal move."""
    board = draw(open_boards(sizes=sizes, rules=rules).filter(Board.legal_points))
    return board, draw(st.sampled_from(board.legal_points()))
