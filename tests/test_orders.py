"""Learned move orders: choices of games, the softmax fitted to them, and how it is judged."""

import json

import numpy as np
import pytest
from fit_tools import SMALL, game_of, random_board
from state_tools import working

from gomoku_lab.engine.learned import COMBINATIONS, LearnedTable, combination_of_code
from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import parse_moves
from gomoku_lab.kernels.choices import choice_loss, fill_ranks
from gomoku_lab.tuning import choices as module
from gomoku_lab.tuning.choices import Choices, collect_choices
from gomoku_lab.tuning.orders import SHOWN_RANKS, fit_order

CODES = len(COMBINATIONS)


def drawn(worth, *, games=300, positions=10, candidates=12, seed=0, codes=40):
    """Return random choices among candidates with few codes, drawn by a softmax of `worth`."""
    draw = np.random.default_rng(seed)
    count = games * positions
    rows = draw.integers(0, codes, (count * candidates, 2)).astype(np.uint16)
    sums = worth[0, rows[:, 0]] + worth[1, rows[:, 1]]
    noisy = sums.reshape(count, candidates) + draw.gumbel(size=(count, candidates))
    chosen = noisy.argmax(axis=1) + np.arange(count) * candidates
    return Choices(
        codes=rows,
        hand=draw.integers(0, 9, len(rows)).astype(np.int32),
        ends=(np.arange(count) + 1) * candidates,
        chosen=chosen,
        games=np.repeat(np.arange(games, dtype=np.int32), positions),
        openings=tuple(f"opening-{number}" for number in range(games)),
        left_out={},
    )


def random_worth(seed):
    worth = np.zeros((2, CODES + 1))
    worth[:, :40] = np.random.default_rng(seed).normal(0, 1.5, (2, 40))
    return worth


def test_the_gradient_is_that_of_the_loss():
    choices = drawn(random_worth(1), games=5)
    weights = np.arange(len(choices)) % 3 / 2.0
    rows = choices.codes, choices.ends, choices.chosen, weights
    worth, gradient, nothing = random_worth(2), np.empty((2, CODES + 1)), np.empty((2, CODES + 1))
    choice_loss(*rows, worth, gradient)
    for side, code in [(0, 3), (1, 17), (0, 39), (1, 100)]:
        moved = [worth.copy() for _ in range(2)]
        moved[0][side, code] += 1e-5
        moved[1][side, code] -= 1e-5
        up, down = (choice_loss(*rows, one, nothing) for one in moved)
        assert gradient[side, code] == pytest.approx((up - down) / 2e-5, abs=1e-5)


def test_the_loss_is_minus_the_log_of_the_softmax():
    choices = drawn(random_worth(3), games=2, positions=3, candidates=4)
    worth = random_worth(4)
    sums = worth[0, choices.codes[:, 0]] + worth[1, choices.codes[:, 1]]
    chances = np.exp(sums).reshape(6, 4)
    chances /= chances.sum(axis=1, keepdims=True)
    expected = -np.log(chances.ravel()[choices.chosen]).sum()
    loss = choice_loss(
        choices.codes, choices.ends, choices.chosen, np.ones(6), worth, np.empty((2, CODES + 1))
    )
    assert loss == pytest.approx(expected)


def test_ranks_count_who_comes_before():
    worths = np.array([3.0, 1.0, 3.0, 2.0, 5.0, 5.0, 1.0])
    ranks = np.empty(2, np.int64)
    fill_ranks(worths, np.array([4, 7]), np.array([3, 5]), ranks)
    assert ranks.tolist() == [2, 1]


def test_a_planted_order_is_found_again():
    worth = random_worth(5)
    found = fit_order(drawn(worth, seed=6), seed=0)
    for side, values in enumerate((found.table.own, found.table.other)):
        fitted, planted = values[:40] / 1000, worth[side, :40]
        assert np.corrcoef(fitted, planted)[0, 1] > 0.98
    assert found.table.kind == "move_order"
    base, learned = found.scores
    assert base.log_loss is None
    assert learned.log_loss < np.log(12)
    assert learned.shares[0] > base.shares[0] + 0.1
    assert all(a <= b for a, b in zip(learned.shares, learned.shares[1:], strict=False))
    assert 1.0 == learned.shares[SHOWN_RANKS.index(16)]
    json.dumps(found.to_dict(), allow_nan=False)


def test_too_few_games_are_refused():
    with pytest.raises(ValueError, match="too few games to hold some out: 2 games"):
        fit_order(drawn(random_worth(1), games=2), seed=0)


class Run:
    """As much of a run as choices are read from."""

    def __init__(self, games):
        self.pairs, self.path, self.rule = [games], "run", games[0].rule


@pytest.mark.parametrize("rule", ["freestyle", "renju"])
def test_every_chosen_move_is_a_choice_among_the_candidates(monkeypatch, rule):
    monkeypatch.setattr(module, "check_runs", lambda runs, purpose: None)
    game = game_of(random_board(4, side=3, moves=9, rule=rule), opening_moves=2)
    choices = collect_choices([Run([game])], SMALL)
    moves = parse_moves(game.moves, game.size)
    assert len(moves) - 2 == len(choices)
    starts = np.concatenate([[0], choices.ends[:-1]])
    board = Board(size=game.size, rule=game.rule)
    numbers = combination_of_code()
    for ply, move in enumerate(moves):
        if ply >= 2:
            state = working(board)
            own, other = shape_codes(state, move)
            row = slice(starts[ply - 2], choices.ends[ply - 2])
            assert [numbers[own], numbers[other]] == choices.codes[choices.chosen[ply - 2]].tolist()
            near = {
                point
                for point in board.legal_points()
                if any(distance(point, stone, game.size) <= 2 for stone in moves[:ply])
            }
            assert len(near) == len(choices.codes[row])
        board = board.play(move)


def shape_codes(state, move):
    code, side = int(state.record["codes"][state.cell(move)]), int(state.record["side"])
    return (code >> (32 * side)) & 0xFFFF, (code >> (32 - 32 * side)) & 0xFFFF


def distance(one, two, size):
    return max(abs(one // size - two // size), abs(one % size - two % size))


def test_an_order_comes_back_from_its_file():
    table = fit_order(drawn(random_worth(7), games=120), seed=1).table
    again = LearnedTable.from_json(table.to_json(), source="x")
    assert np.array_equal(again.own, table.own)
    assert again.kind == "move_order"
