"""Noise: how often a move is drawn, which, and that a seed repeats it."""

from collections import Counter

import numpy as np
import pytest
from state_tools import quiet_board

from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.engine import Engine, static_order
from gomoku_lab.game.board import Board
from gomoku_lab.players.registry import resolve

TRIALS = 10_000
WIN = Board.from_moves("h8a1h9a3h10a5h11h12")  # one five point, h7: h12 is taken
OPEN_THREE = Board.from_moves("h8a1h9o1h10")  # gate: break an open four
QUIET = Board.from_moves("h8i9g7")  # nothing for the gates


def trials(config, board, number=TRIALS):
    """Count (gate, move) over as many seeds."""
    engine = Engine(config)
    found = Counter()
    for seed in range(number):
        analysis = engine.analyse(board, rng=np.random.default_rng(seed))
        found[analysis.gate, analysis.move] += 1
    return found


def formula(config, board):
    """Return the probability of each move: the answer stands, or the k-th weighs 2 ** -k."""
    order = static_order(board, config)
    weights = [0.5**k for k in range(len(order))]
    shares = {m: config.noise * w / sum(weights) for m, w in zip(order, weights, strict=True)}
    answer = Engine(config).analyse(board).move
    shares[answer] = shares.get(answer, 0.0) + 1 - config.noise
    return shares


@pytest.mark.parametrize(
    ("board", "noise"),
    [
        (WIN, 0.0),
        (WIN, 0.5),
        (WIN, 0.9),
        (OPEN_THREE, 0.9),
        (QUIET, 0.0),
        (QUIET, 0.5),
        (QUIET, 0.9),
    ],
)
def test_S1_D3_S1_28_moves_come_as_often_as_the_formula_says(board, noise):
    config = EngineConfig(depth=1, width=8, noise=noise, table_bits=10)
    found = trials(config, board)
    moves = Counter()
    for (_, move), number in found.items():
        moves[move] += number
    expected = formula(config, board)
    for move in set(moves) | set(expected):
        assert moves[move] / TRIALS == pytest.approx(expected.get(move, 0.0), abs=0.015)
    replaced = sum(number for (gate, _), number in found.items() if gate == "random")
    assert replaced / TRIALS == pytest.approx(noise, abs=0.015)


@pytest.mark.parametrize(
    ("name", "share", "number"),
    [
        ("layered/novice:time_ms=0", 0.55, TRIALS),
        ("layered/master:time_ms=0", 1.0, TRIALS),
        ("layered/novice:time_ms=0,noise=0", 1.0, 1_000),
        ("layered/novice:time_ms=0,noise_scope='search'", 1.0, 1_000),
        ("lab/max:time_ms=0,noise=0.9,table_bits=10", 1.0, 1_000),
    ],
)
def test_S1_29_the_one_winning_point_is_played_as_often_as_the_level_says(name, share, number):
    config = resolve(name).config
    assert WIN.play(static_order(WIN, config)[0]).winner == WIN.to_move
    found = trials(config, WIN, number)
    wins = sum(n for (_, move), n in found.items() if WIN.play(move).winner)
    tolerance = 0.0 if share == 1.0 else 0.015
    assert wins / number == pytest.approx(share, abs=tolerance)


def test_S1_29_noise_in_the_search_alone_still_replaces_searched_moves():
    config = EngineConfig(depth=1, noise=0.9, noise_scope="search", table_bits=10)
    found = trials(config, QUIET, 1_000)
    replaced = sum(number for (gate, _), number in found.items() if gate == "random")
    assert replaced / 1_000 == pytest.approx(0.9, abs=0.05)


def test_S1_28_noise_0_is_deterministic_whatever_the_seed():
    for board in (WIN, OPEN_THREE, QUIET, quiet_board(4, size=15)):
        engine = Engine(resolve("layered/master:time_ms=0,nodes=3000").config)
        moves = {engine.analyse(board, rng=np.random.default_rng(s)).move for s in range(50)}
        assert {engine.analyse(board).move} == moves


@pytest.mark.parametrize("level", ["novice", "casual", "skilled", "hard", "master"])
def test_S1_28_a_seed_repeats_every_level_under_a_node_budget(level):
    config = resolve(f"layered/{level}:time_ms=0,nodes=500").config

    def game(seed):
        rng, engine = np.random.default_rng(seed), Engine(config)
        board = quiet_board(seed, size=9, stones=4)
        answers = []
        while not board.is_over:
            found = engine.analyse(board, rng=rng)
            assert found.reproducible
            answers.append((found.gate, found.move, found.score, found.nodes))
            board = board.play(found.move)
        return answers

    games = [game(seed) for seed in (1, 2)]
    assert games == [game(seed) for seed in (1, 2)]
    if config.noise >= 0.5:
        assert any(gate == "random" for gate, *_ in games[0])


def test_S1_28_a_time_budget_is_marked_as_not_reproducible():
    found = Engine(EngineConfig(depth=1, time_ms=1000, table_bits=10)).analyse(QUIET)
    assert not found.reproducible


def test_without_a_generator_no_noise_is_drawn():
    engine = Engine(EngineConfig(depth=1, noise=1.0, table_bits=10))
    assert {"five"} == {engine.analyse(WIN).gate for _ in range(20)}


def test_a_drawn_move_carries_no_score():
    engine = Engine(EngineConfig(depth=2, noise=1.0, table_bits=10))
    for board in (WIN, QUIET):
        found = engine.analyse(board, rng=np.random.default_rng(3))
        assert ("random", None, None, None) == (
            found.gate, found.score, found.mate, found.proven
        )  # fmt: skip
        assert (found.move,) == found.pv


def test_with_one_candidate_noise_has_no_choice():
    engine = Engine(EngineConfig(depth=1, noise=1.0, table_bits=10))
    found = engine.analyse(Board(), rng=np.random.default_rng(0))
    assert ("random", 112) == (found.gate, found.move)
