"""Self-play: who meets whom, openings that are varied, games that differ, what a run says of it."""

import json

import pytest
from arena_tools import SIZE, openings_file, own_openings, small_config
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_lab.arena.config import TournamentConfig, TournamentSettings, resolve_tournament
from gomoku_lab.arena.distinct import DistinctCount
from gomoku_lab.arena.openings import Opening, vary_opening
from gomoku_lab.arena.schedule import pairings, schedule
from gomoku_lab.arena.store import RunError, canonical, load_run
from gomoku_lab.arena.tally import tally_runs
from gomoku_lab.arena.tournament import resume_tournament, run_tournament
from gomoku_lab.cli.main import main
from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import parse_moves
from gomoku_lab.game.rules import Rule
from gomoku_lab.players.registry import resolve

FREE = Rule.FREESTYLE


def selfplay_config(*players, pairs=4, random_moves=2, **options):
    names = players or ("stub:forward",)
    return small_config(names, pairs=pairs, format="selfplay", random_moves=random_moves, **options)


def played(folder, config, **options):
    return run_tournament(config, folder, **{"jobs": 1, **options}).run


def test_everybody_meets_himself():
    assert [(0, 0), (1, 1), (2, 2)] == pairings(3, "selfplay")
    assert [(0, 0)] == pairings(1, "selfplay")
    pairs = list(schedule(2, tournament_format="selfplay", openings=3, seed=1))
    assert 6 == len({pair.id for pair in pairs})


@settings(max_examples=40)
@given(st.integers(0, 2**40), st.integers(0, 6))
def test_a_varied_opening_begins_with_the_opening_and_leaves_the_game_open(seed, moves):
    base = Opening("base", (112, 113, 97))
    varied = vary_opening(base, moves=moves, seed=seed, rule=FREE)
    assert varied == vary_opening(base, moves=moves, seed=seed, rule=FREE)
    assert base.moves == varied.moves[:3]
    assert 3 + moves == len(varied.moves)
    assert not varied.board().is_over
    name, _, added = varied.name.partition("+")
    assert "base" == name
    assert varied.moves[3:] == parse_moves(added, 15)


def test_random_moves_lie_near_the_stones_and_differ_with_the_seed():
    base = Opening("base", (112,))
    drawn = {vary_opening(base, moves=1, seed=seed, rule=FREE).moves[1] for seed in range(300)}
    near = {row * 15 + col for row in range(5, 10) for col in range(5, 10)} - {112}
    assert near == drawn


def test_random_moves_never_end_the_game():
    # Four in a row, and a board so small that a fifth is often drawn.
    four = Board.from_moves("a1a2b1b2c1c2d1d2", size=5)
    base = Opening("four", four.moves, 5)
    for seed in range(60):
        assert not vary_opening(base, moves=1, seed=seed, rule=FREE).board().is_over


def test_an_opening_that_cannot_go_on_is_as_long_as_it_can_be():
    # No move is left on this board that does not end the game.
    moves = Board(size=5).empty_points()
    board = Board(size=5)
    for move in sorted(moves, key=lambda point: (point * 7) % 25):
        after = board.play(move)
        board = board if after.is_over else after
    base = Opening("full", board.moves, 5)
    varied = vary_opening(base, moves=30, seed=1, rule=FREE)
    assert not varied.board().is_over
    assert len(varied.moves) < 5 * 5


def test_every_game_of_self_play_has_an_opening_of_its_own(tmp_path):
    run = played(tmp_path, selfplay_config(pairs=6))
    games = run.games()
    assert 12 == len(games) == len({game.opening for game in games})
    assert 12 == len({game.moves for game in games})
    for game in games:
        assert game.black == game.white
        assert 4 == game.opening_moves
        assert game.opening.partition("+")[2] == game.moves[4:].removesuffix(game.moves[8:])


def test_the_pairs_of_others_share_their_random_moves(tmp_path):
    run = played(tmp_path, small_config(pairs=4, random_moves=3))
    for one, two in run.pairs:
        assert one.opening == two.opening
        assert one.moves[: len("d4a7a1a1a1")] == two.moves[: len("d4a7a1a1a1")]
    assert 4 == len({one.opening for one, _ in run.only(p for p in _ids(run, "1-2-")).pairs})


def _ids(run, prefix):
    return [one.pair for one, _ in run.pairs if one.pair.startswith(prefix)]


def test_whoever_plays_himself_is_two_players(tmp_path):
    # With one random player on both sides White's seed would decide Black's moves as well.
    config = selfplay_config("stub:random", pairs=3)
    run = played(tmp_path / "self", config)
    twins = small_config(
        ("stub:random", "stub:random"), pairs=3, random_moves=2, format="round-robin"
    )
    assert run.games()[0].moves != played(tmp_path / "twins", twins).games()[0].moves
    again = played(tmp_path / "again", config, jobs=2, backend="threading")
    assert canonical(run.games()) == canonical(again.games())


def test_self_play_goes_on_where_it_was(tmp_path):
    config = selfplay_config("stub:random", "stub:forward", pairs=4)
    whole = played(tmp_path / "whole", config)
    played(tmp_path / "part", config, on_pair=lambda _: True)
    part = resume_tournament(tmp_path / "part").run
    assert part.is_complete
    assert canonical(whole.games()) == canonical(part.games())
    assert config == load_run(tmp_path / "part").config


def test_openings_come_again_where_random_moves_tell_them_apart(tmp_path):
    wanted = {
        "players": ("stub:random",),
        "games": 40,
        "size": SIZE,
        "openings": openings_file(tmp_path),
        "format": "selfplay",
    }
    config = resolve_tournament(TournamentSettings(**wanted))
    assert 2 == config.random_moves
    assert 20 == len(config.openings)
    assert 9 == len(set(config.openings))
    with pytest.raises(ValueError, match="20 pairs of games need 20 different openings"):
        resolve_tournament(TournamentSettings(**wanted, random_moves=0))


def test_without_random_moves_a_configuration_is_what_it_always_was():
    config = small_config()
    assert "random_moves" not in config.to_dict()
    varied = small_config(random_moves=2)
    assert varied.config_hash() != config.config_hash()
    assert varied == TournamentConfig.from_dict(varied.to_dict())


def test_one_player_is_enough_for_self_play_alone():
    one = (resolve("stub:random"),)
    assert (
        8 == TournamentConfig(players=one, openings=own_openings(4), format="selfplay").total_games
    )
    with pytest.raises(ValueError, match="at least two players"):
        TournamentConfig(players=one, openings=own_openings(4))


def test_self_play_rates_nobody(tmp_path):
    run = played(tmp_path, selfplay_config())
    with pytest.raises(RunError, match="nothing to rate; gomoku-lab fit learns from it"):
        tally_runs([run])


def test_distinct_games_and_positions_are_counted(tmp_path):
    games = played(tmp_path, selfplay_config(pairs=3)).games()
    count = DistinctCount()
    for game in [*games, games[0]]:
        count.add(game)
    assert (7, 6) == (count.games, count.distinct_games)
    seen, total = set(), 0
    for game in games:
        moves = parse_moves(game.moves, SIZE)
        for ply in range(game.opening_moves, len(moves)):
            board = Board.from_moves(moves[:ply], size=SIZE)
            seen.add((board.cells, board.to_move))
            total += 1
    assert len(seen) == count.distinct_positions
    assert total + len(games[0].nodes) == count.positions


def test_the_command_says_what_there_is_to_learn_from(tmp_path):
    words = ["tournament", "-p", "stub:random", "--format", "selfplay", "--games", "24"]
    words += ["--size", "7", "--openings", openings_file(tmp_path), "--jobs", "1"]
    done = CliRunner().invoke(main, [*words, "--out", str(tmp_path / "run")])
    assert 0 == done.exit_code, done.output
    head, games, positions = done.stdout.splitlines()
    assert "stub:random in self-play, freestyle, 7x7" == head
    assert games.startswith("games      24, 24 of them distinct; Black won ")
    assert positions.endswith("of them distinct")
    assert "games and" in done.stderr
    assert "positions a minute" in done.stderr
    assert f"gomoku-lab fit {tmp_path / 'run'}" in done.stderr
    again = CliRunner().invoke(
        main, ["tournament", "--resume", str(tmp_path / "run"), "--json", "--quiet"]
    )
    values = json.loads(again.stdout)
    results = [values[key] for key in ("won_by_black", "drawn", "won_by_white", "forfeited")]
    assert 24 == values["games"] == sum(results)
    assert values["distinct_positions"] <= values["positions"]
    assert "" == again.stderr
