"""The family `site`: what easy draws and misses, the order of medium, where hard errs."""

from collections import Counter

import numpy as np
import pytest
from state_tools import quiet_board

from gomoku_lab.engine.config import SearchLimits
from gomoku_lab.engine.settings import ConfigError
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import Rule
from gomoku_lab.kernels import layout
from gomoku_lab.players.registry import expand, make_player, resolve
from gomoku_lab.players.site import SiteConfig, SitePlayer
from gomoku_lab.suite.positions import load_positions
from gomoku_lab.suite.run import run_suite

LEVELS = ("site/easy", "site/medium", "site/hard")
POSITIONS = {position.id: position for position in load_positions(None)}
WIN = Board.from_moves("h8a1h9a3h10a5h11h12")  # one five point, h7: h12 is taken
BLOCK = Board.from_moves("h8h12h9a3h10a5h11")  # White to move: h7 is Black's one five point
BOTH = Board.from_moves("h8a1h9a2h10a3h11a4")  # both sides could complete five
TRIALS = 1_000


def of_kind(*kinds):
    return [position for position in POSITIONS.values() if position.kind in kinds]


def quiet_positions(number):
    """Return positions with stones close together on which nobody can make five."""
    found, seed = [], 0
    while len(found) < number:
        board = quiet_board(seed, size=15, stones=4 + seed % 5)
        seed += 1
        if make_player("site/medium").choose(board).gate == "search":
            found.append(board)
    return found


QUIET = quiet_positions(20)


def trials(name, board, number=TRIALS):
    """Count (gate, move) over as many seeds."""
    player, found = make_player(name), Counter()
    for seed in range(number):
        player.new_game(np.random.SeedSequence(seed))
        choice = player.choose(board)
        found[choice.gate, choice.move] += 1
    return found


def share(found, gate):
    return sum(count for (name, _), count in found.items() if name == gate) / found.total()


def distance(board, move):
    """Return how many lines the nearest stone is away (Chebyshev)."""
    row, col = divmod(move, board.size)
    return min(
        max(abs(row - stone // board.size), abs(col - stone % board.size))
        for stone, cell in enumerate(board.cells)
        if cell
    )


# --- easy ------------------------------------------------------------------------------------


def test_S2_42_easy_plays_next_to_a_stone_in_most_quiet_positions_and_never_far_away():
    near = 0
    for board in QUIET:
        found = trials("site/easy", board, 100)
        assert {"random"} == {gate for gate, _ in found}
        for (_, move), count in found.items():
            assert distance(board, move) <= 2
            near += count * (distance(board, move) == 1)
    assert near / (100 * len(QUIET)) >= 0.6


def test_S2_42_easy_varies_its_reply():
    for board in QUIET:
        assert len(trials("site/easy", board, 50)) >= 3


def test_S2_42_easy_both_blocks_and_misses():
    chance = resolve("site/easy").config.miss_chance
    assert 0 < chance < 1
    for board in (BLOCK, POSITIONS["block-row-gap"].board):
        found = trials("site/easy", board)
        assert abs(share(found, "block") - (1 - chance)) < 0.05
        assert abs(share(found, "random") - chance) < 0.05
        [blocking] = {move for gate, move in found if gate == "block"}
        assert blocking not in {move for gate, move in found if gate == "random"}


def test_S2_42_easy_misses_its_own_five_as_often():
    chance = resolve("site/easy").config.miss_chance
    found = trials("site/easy", WIN)
    assert abs(share(found, "five") - (1 - chance)) < 0.05
    assert all((WIN.play(move).winner == WIN.to_move) == (gate == "five") for gate, move in found)


def test_easy_may_see_the_block_where_it_misses_the_win():
    chance = resolve("site/easy").config.miss_chance
    found = trials("site/easy", BOTH, 4_000)
    assert abs(share(found, "five") - (1 - chance)) < 0.03
    assert abs(share(found, "block") - chance * (1 - chance)) < 0.03
    assert abs(share(found, "random") - chance * chance) < 0.03


def test_easy_without_misses_wins_and_blocks_always():
    for board, gate in ((WIN, "five"), (BLOCK, "block"), (BOTH, "five")):
        assert {gate} == {name for name, _ in trials("site/easy:miss_chance=0", board, 200)}


def test_a_pool_of_one_is_the_first_move_in_one_move_order():
    for board in QUIET:
        assert 1 == len(trials("site/easy:pool=1", board, 20))
        assert len(trials("site/easy:pool=4", board, 200)) == 4


def test_what_was_missed_is_played_where_nothing_else_is_free():
    board = Board.from_moves("a1a2b1b2c1c2d1d2e2e4a4a5b4b5c5c4d4d5a3b3c3d3e3", size=5)
    assert 2 == len(board.empty_points())
    found = trials("site/easy:miss_chance=1", board, 50)
    assert {move for _, move in found} <= set(board.empty_points())


# --- medium and hard -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["site/medium", "site/hard"])
def test_S2_43_a_win_comes_first_then_a_block_then_a_search(name):
    player = make_player(name)
    for board, gate in ((BOTH, "five"), (WIN, "five"), (BLOCK, "block")):
        choice = player.choose(board)
        assert (gate, 0, 0) == (choice.gate, choice.nodes, choice.depth)
    assert BOTH.play(player.choose(BOTH).move).winner
    for position in of_kind("must-win", "must-block"):
        choice = player.choose(position.board)
        assert choice.gate == ("five" if position.kind == "must-win" else "block")
        assert choice.move in position.best
    for board in QUIET:
        choice = player.choose(board)
        assert "search" == choice.gate
        assert choice.nodes > 0


def test_S2_43_open_fours_are_left_to_the_short_search():
    player = make_player("site/medium")
    for position in of_kind("open-four", "break-open-four"):
        choice = player.choose(position.board)
        assert "search" == choice.gate
        assert choice.depth <= resolve("site/medium").config.depth
        assert choice.move in position.best


def test_S2_44_hard_looks_deeper_and_wider_than_medium():
    medium, hard = make_player("site/medium"), make_player("site/hard")
    for board in QUIET:
        medium.choose(board)
        hard.choose(board)
        assert medium.analysis.depth < hard.analysis.depth
        assert len(medium.analysis.roots) < len(hard.analysis.roots)
        assert medium.analysis.nodes < hard.analysis.nodes


def test_S2_44_hard_gets_the_position_wrong_that_its_description_names():
    spec = resolve("site/hard")
    named = [position for name, position in POSITIONS.items() if name in spec.description]
    assert named
    result = run_suite([spec], named)
    assert 8 * len(named) == len(result.answers)
    assert not any(answer.passed for answer in result.answers)
    assert (
        run_suite(expand(["lab/max:time_ms=0,depth=8"]), named)
        .tally("lab/max:time_ms=0,depth=8")
        .is_complete
    )


# --- as players ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LEVELS)
def test_every_level_plays_legal_moves_under_every_playable_rule_and_size(name):
    player = make_player(name)
    assert isinstance(player, SitePlayer)
    assert (resolve(name).reproducible, name) == (True, player.name)
    for rule in Rule:
        assert player.plays(rule)
        for size in (5, 9, 20):
            board = Board(size, rule)
            player.new_game(np.random.SeedSequence(size))
            for _ in range(12):
                if board.is_over:
                    break
                board = board.play(player.choose(board).move)
    player.close()
    player.close()


@pytest.mark.parametrize("name", LEVELS)
def test_a_seed_repeats_every_level(name):
    def game(seed):
        player, board = make_player(name), QUIET[0]
        player.new_game(np.random.SeedSequence(seed))
        while not board.is_over and board.stones < 20:
            board = board.play(player.choose(board).move)
        return board.move_string()

    assert game(3) == game(3)


@pytest.mark.parametrize("name", LEVELS)
def test_a_finished_game_gets_no_move(name):
    choice = make_player(name).choose(Board.from_moves("h8a1h9a3h10a5h11a7h12"))
    assert (None, "over") == (choice.move, choice.gate)


@pytest.mark.parametrize("name", LEVELS)
def test_every_level_keeps_what_it_declares(name):
    spec = resolve(name)
    asked = of_kind(*spec.required)
    assert not run_suite([spec], asked).broken_requirements()


def test_the_arenas_limits_replace_those_of_the_search():
    player = make_player("site/hard")
    assert 1 == player.choose(QUIET[0], SearchLimits(depth=1)).depth
    assert "random" == make_player("site/easy").choose(QUIET[0], SearchLimits(depth=1)).gate


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "no limit is set"),
        ({"depth": 2, "miss_chance": 0.5}, "miss_chance needs a pool"),
        ({"pool": 3, "miss_chance": 2}, "miss_chance must be 0..1: 2"),
        ({"pool": -1}, "pool must be 0..400: -1"),
    ],
)
def test_a_wrong_configuration_is_refused(values, message):
    with pytest.raises(ConfigError, match=message):
        SiteConfig.from_dict(values)


def test_a_configuration_of_another_kind_is_refused():
    with pytest.raises(TypeError, match="a SiteConfig is wanted"):
        SitePlayer(resolve("layered/hard"))


def test_a_loss_that_a_gate_sees_is_reported():
    board = Board.from_moves("h8a1h9a3h10a5h11")
    player = make_player("site/medium")
    choice = player.choose(board)
    assert ("block", -(layout.MATE - 2)) == (choice.gate, choice.score)
    assert -2 == player.analysis.proven
