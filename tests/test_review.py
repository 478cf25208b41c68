"""A reviewed game: exact scores of one depth, losses that are never negative, and candidates."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_runs import made_run
from strategies import played_boards

import gomoku_lab as gl
from gomoku_lab.engine.census import count_candidates
from gomoku_lab.engine.engine import static_order
from gomoku_lab.engine.review import REVIEW_COLUMNS
from gomoku_lab.game.notation import parse_move

CONFIG = gl.EngineConfig(depth=2, width=6, table_bits=12)


@given(played_boards(sizes=st.integers(6, 9), max_moves=14))
@settings(max_examples=25, deadline=None)
def test_every_score_of_a_review_is_that_of_a_full_window(board):
    review = gl.review(board, CONFIG, depth=2)
    assert list(range(1, len(board.moves) + 1)) == [step.ply for step in review.steps]
    engine = gl.Engine(CONFIG)
    for step in review.steps:
        before = review.before(step)
        assert (before.to_move, board.moves[step.ply - 1]) == (step.colour, step.played)
        truth = {
            root.move: root.score
            for root in engine.exact_root(
                before, depth=step.depth, moves=tuple({step.played, step.best})
            )
        }
        assert truth[step.played] == step.played_score
        assert max(truth.values()) == step.best_score
        assert step.loss >= 0
        assert abs(step.best_for_black - step.played_for_black) == step.loss


def test_a_missed_win_is_a_loss_and_the_greatest_loss_is_the_turning_point():
    review = gl.review("h8a1h9a3h10a5h11a7i1", CONFIG, depth=2)
    missed = review.steps[8]
    assert (9, "five") == (missed.ply, missed.gate)
    assert missed.best in (parse_move("h12", 15), parse_move("h7", 15))
    assert gl.Board.from_moves("h8a1h9a3h10a5h11a7") == review.before(missed)
    worst = review.turning_point
    assert worst.loss == max(step.loss for step in review.steps) >= missed.loss > 0


def test_a_game_without_losses_has_no_turning_point():
    assert gl.review("h8", gl.EngineConfig(depth=1, width=6), depth=1).turning_point is None
    assert () == gl.review("", CONFIG).steps


def test_the_opening_of_a_record_is_not_looked_at(tmp_path):
    game = made_run(tmp_path, {("a", "b"): "WL"}).games()[0]
    review = gl.review(game, "layered/novice:time_ms=0", depth=1)
    assert 2 == game.opening_moves
    assert list(range(3, game.plies + 1)) == [step.ply for step in review.steps]
    assert game.board() == review.board


def test_a_review_is_a_table():
    review = gl.review("h8i9g7", CONFIG, depth=2)
    frame = review.frame()
    assert {column.name: column.dtype for column in REVIEW_COLUMNS} == {
        name: str(dtype) for name, dtype in frame.dtypes.items()
    }
    assert ["black", "white", "black"] == list(frame["colour"])
    assert ["h8", "i9", "g7"] == list(frame["played"])
    text = " ".join(type(review).frame.__doc__.split())
    assert all(f"``{column.name}``" in text for column in REVIEW_COLUMNS)
    assert "<Review of 3 moves at depth 2" in repr(review)


@given(st.lists(played_boards(sizes=st.integers(6, 9), max_moves=10), max_size=4))
@settings(max_examples=20, deadline=None)
def test_candidates_are_those_that_the_engine_orders(boards):
    found = count_candidates(boards)
    config = gl.EngineConfig(depth=1, width=400)
    wanted: dict[int, list[int]] = {}
    for board in boards:
        if not board.is_over:
            wanted.setdefault(board.stones, []).append(len(static_order(board, config)))
    assert dict(sorted(wanted.items())) == found


def test_a_player_without_an_engine_cannot_review():
    with pytest.raises(ValueError, match="only the lab's own engine"):
        gl.review("h8", "minimax/hard")
