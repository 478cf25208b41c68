"""Swap2: the most balanced opening of those that were searched, and the better side."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_lab.engine.analysis import Analysis, Layer
from gomoku_lab.engine.config import EngineConfig, SearchLimits
from gomoku_lab.engine.engine import Engine
from gomoku_lab.game.board import Board
from gomoku_lab.players.swap2 import balanced_opening, takes_black, value_of

EMPTY = Board()


def layer(score: int) -> Layer:
    return Layer(depth=1, move=0, score=score, nodes=1, time_ms=0.0, pv=(0,), changed=False)


def found(*scores: int, proven: int | None = None, board: Board = EMPTY) -> Analysis:
    """Return an analysis with one layer a score."""
    layers = tuple(layer(score) for score in scores)
    return Analysis(board=board, move=0, gate="search", layers=layers, proven=proven)


def test_a_value_is_the_mean_of_the_last_two_layers() -> None:
    assert value_of(found(7, 100, -40)) == 30
    assert value_of(found(100)) == 100
    assert value_of(found()) == 0


def test_a_proof_counts_more_than_any_score() -> None:
    assert value_of(found(proven=5)) > value_of(found(10**9, 10**9))
    assert value_of(found(proven=-4)) < value_of(found(-(10**9), -(10**9)))


@given(st.integers(5, 20), st.integers(0, 2**32 - 1), st.integers(0, 3000))
def test_an_opening_is_three_points_of_the_board(size: int, seed: int, time_ms: int) -> None:
    rng = np.random.default_rng(seed)
    board = Board(size=size)
    limits = SearchLimits(time_ms=time_ms)
    moves = balanced_opening(board, lambda laid, _: found(5, board=laid), limits, rng)
    assert len(set(moves)) == 3
    assert all(0 <= move < size * size for move in moves)


@given(st.integers(0, 2**32 - 1))
def test_the_most_balanced_of_the_searched_openings_is_proposed(seed: int) -> None:
    values = np.random.default_rng(seed).integers(-1000, 1000, size=100).tolist()
    searched: list[tuple[int, tuple[int, ...]]] = []

    def search(laid: Board, limits: SearchLimits | None) -> Analysis:
        assert limits == SearchLimits(time_ms=25.0)
        searched.append((abs(values[len(searched)]), laid.moves))
        return found(values[len(searched) - 1])

    rng = np.random.default_rng(seed)
    moves = balanced_opening(EMPTY, search, SearchLimits(time_ms=600), rng)
    assert len(searched) == 24
    assert moves == min(searched, key=lambda one: one[0])[1]


def test_the_time_is_for_all_openings_together() -> None:
    spent = []

    def search(laid: Board, limits: SearchLimits | None) -> Analysis:
        assert limits is not None
        assert limits.time_ms is not None
        spent.append(limits.time_ms)
        return found(1)

    balanced_opening(EMPTY, search, SearchLimits(time_ms=90), np.random.default_rng(0))
    assert len(spent) == 4
    assert math.isclose(sum(spent), 90)


def test_without_an_opinion_the_first_opening_is_as_good_as_any() -> None:
    calls = []
    moves = balanced_opening(
        EMPTY, lambda laid, _: calls.append(laid), None, np.random.default_rng(0)
    )
    assert [laid.moves for laid in calls] == [moves]


@pytest.mark.parametrize(
    ("moves", "black_is_better"), [("h8a1i9", True), ("a1h8o15", False), ("h8o1i8", True)]
)
def test_the_better_side_is_taken(moves: str, black_is_better: bool) -> None:
    engine = Engine(EngineConfig(depth=6, vcf_nodes=100))
    assert black_is_better == takes_black(engine.analyse(Board.from_moves(moves)))
