"""The engine as a player: presets, seeds, budgets and rules, as the arena sees them."""

from contextlib import closing

import numpy as np
import pytest
from state_tools import quiet_board

from gomoku_lab.engine.config import SearchLimits
from gomoku_lab.engine.engine import Engine
from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import parse_diagram
from gomoku_lab.game.rules import BLACK, Rule
from gomoku_lab.players.engine_player import EnginePlayer
from gomoku_lab.players.protocol import Choice
from gomoku_lab.players.registry import make_player, resolve
from gomoku_lab.players.spec import PlayerSpec
from gomoku_lab.suite.positions import load_positions

NAMES = (
    "plain/depth4",
    "layered/novice:time_ms=0",
    "layered/casual:time_ms=0",
    "layered/skilled:time_ms=0",
    "layered/hard:time_ms=0,nodes=2000",
    "layered/master:time_ms=0,nodes=2000",
    "lab/max:time_ms=0,nodes=2000",
    "lab/max:time_ms=0,nodes=2000,keep_table=true",
)
NOISY = "layered/casual:time_ms=0"
LEVELS = ("novice", "casual", "skilled", "hard", "master")


def play(player, seed, moves=12):
    """Play against itself for some moves and return the choices."""
    player.new_game(np.random.SeedSequence(seed))
    board, choices = Board.from_moves("h8i9g9"), []
    while len(choices) < moves and not board.is_over:
        choices.append(player.choose(board))
        board = board.play(choices[-1].move)
    return choices


@pytest.mark.parametrize("name", NAMES)
def test_every_engine_family_makes_a_player_that_chooses_legal_moves(name):
    player = make_player(name)
    assert isinstance(player, EnginePlayer)
    assert name == player.name
    for choice in play(player, 1):
        assert isinstance(choice, Choice)
    for rule in Rule:
        board = quiet_board(3, size=9, rule=rule)
        board.check_move(player.choose(board).move)
    player.close()
    player.close()


@pytest.mark.parametrize("name", NAMES)
def test_S1_28_a_seed_repeats_a_player_move_by_move(name):
    players = make_player(name), make_player(name)
    assert play(players[0], 7) == play(players[1], 7)
    assert play(players[0], 8) == play(players[1], 8)
    assert play(players[0], 7) == play(players[1], 7)


def test_S1_28_other_seeds_give_other_games():
    player = make_player(NOISY)
    games = {tuple(choice.move for choice in play(player, seed)) for seed in range(10)}
    assert len(games) > 5


def test_a_kept_table_serves_the_next_moves_of_the_game_and_no_other_game():
    """What was searched before is in the table; a take-back or a new game begin anew."""
    keeping, fresh = (
        make_player(f"lab/max:time_ms=0,nodes=0,depth=7,vct_nodes=0,keep_table={keeps}")
        for keeps in ("true", "false")
    )
    begun = Board.from_moves("h8i9k10")
    later = begun.play(keeping.choose(begun).move)
    reply = fresh.choose(later).move
    assert reply == fresh.choose(later).move
    later = later.play(reply)
    alone = fresh.choose(later)
    assert keeping.choose(later).nodes < alone.nodes
    assert keeping.choose(begun).nodes == fresh.choose(begun).nodes
    keeping.new_game(np.random.SeedSequence(1))
    assert keeping.choose(later) == alone


def test_a_kept_table_changes_no_value_of_the_plain_search():
    """There an entry counts at its own depth only, whichever search wrote it."""
    config = "lab/v1:time_ms=0,nodes=0,depth=4,vcf_nodes=0"
    keeping, fresh = make_player(f"{config},keep_table=true"), make_player(config)
    board = Board.from_moves("h8i9g9")
    for _ in range(6):
        found = keeping.choose(board)
        assert found.score == fresh.choose(board).score
        board = board.play(found.move)


def test_a_choice_tells_what_the_analysis_found():
    player = make_player("layered/master:time_ms=0,depth=3")
    board = Board.from_moves("h9j8h6g6i7k8h5h7")
    choice, found = player.choose(board), player.analysis
    assert found.board is board
    expected = Choice(found.move, found.gate, found.nodes, found.depth, found.score)
    assert expected == choice
    assert (3, "search") == (choice.depth, choice.gate)
    player.close()
    assert player.analysis is None


def test_the_arenas_limits_replace_the_players_own():
    player = make_player("layered/master:time_ms=0")
    board = Board.from_moves("h9j8h6g6i7k8h5h7")
    assert 2 == player.choose(board, SearchLimits(depth=2)).depth
    assert player.choose(board, SearchLimits(nodes=500)).nodes <= 500
    assert 8 == player.choose(board).depth


def test_S4_24_a_finished_game_gets_no_move():
    choice = make_player(NOISY).choose(Board.from_moves("h8a1h9a3h10a5h11a7h12"))
    assert Choice(None, "over") == choice


def test_the_engine_plays_the_playable_rules_and_no_other():
    player = make_player(NOISY)
    assert {rule for rule in Rule if player.plays(rule)} == set(Rule)


def test_a_configuration_of_another_kind_is_refused():
    spec = resolve(NOISY)
    values = {key: getattr(spec, key) for key in PlayerSpec.__dataclass_fields__}
    with pytest.raises(TypeError, match="an EngineConfig is wanted"):
        EnginePlayer(PlayerSpec(**{**values, "config": SearchLimits(depth=1)}))


@pytest.mark.parametrize("level", LEVELS)
def test_S1_26_a_level_is_its_configuration_and_nothing_else(level):
    """An engine built from the five numbers alone plays as the level does."""
    spec = resolve(f"layered/{level}:time_ms=0,nodes=1500")
    player, engine = make_player(spec), Engine(spec.config)
    for seed in range(5):
        board = quiet_board(seed, size=15, stones=6)
        player.new_game(np.random.SeedSequence(seed))
        rng = np.random.default_rng(np.random.SeedSequence(seed))
        assert engine.analyse(board, rng=rng).move == player.choose(board).move


@pytest.mark.parametrize("level", LEVELS)
def test_S1_39_every_level_without_noise_respects_an_open_three(level):
    engine = Engine(resolve(f"layered/{level}:time_ms=0,noise=0").config)
    positions = [p for p in load_positions(None) if p.kind == "break-open-four"]
    assert len(positions) >= 8
    for position in positions:
        assert engine.analyse(position.board).move in position.best, position.id


NO_BLOCK = """
    . . . . . . . . . . .
    . . . . X . . . . . .
    . . . . X . . . . . .
    . . . . . O O O O X .
    . . . . X . . . . . .
    . . . . X . . . . . .
    . . . . X . . . . . .
    . . . . O . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . O . . . .
"""
"""White has a four, and its one block would be an overline."""


@pytest.mark.parametrize("name", [*NAMES, "site/medium", "site/hard"])
def test_where_the_only_block_is_forbidden_a_legal_move_is_played(name):
    board = parse_diagram(NO_BLOCK, rule=Rule.RENJU, to_move=BLACK)
    (block,) = board.forbidden_points()
    with closing(make_player(name)) as player:
        choice = player.choose(board, SearchLimits(time_ms=50))
    assert choice.move in board.legal_points()
    assert block != choice.move


def test_a_kept_table_says_the_same_whatever_its_player_did_before():
    """Each search clears a part of the table: which one, the searches of this game alone decide."""
    player = make_player("lab/max:time_ms=0,nodes=1500,table_bits=12,vct_nodes=0,keep_table=true")
    games = []
    for earlier in (0, 5, 24):
        for _ in range(earlier):
            player.choose(Board.from_moves("h8h9"))
        player.new_game(np.random.SeedSequence(1))
        board, choices = Board.from_moves("h8i9g10"), []
        while not board.is_over and len(choices) < 40:
            choices.append(player.choose(board))
            board = board.play(choices[-1].move)
        games.append(choices)
    assert games[0] == games[1] == games[2]
