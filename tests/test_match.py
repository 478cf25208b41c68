from typing import ClassVar

import numpy as np
import pytest
import stub_players  # noqa: F401 - adds the family "stub"

from gomoku_lab.arena.match import Adjudication, play_game, play_pair
from gomoku_lab.arena.openings import Opening
from gomoku_lab.game.notation import parse_moves
from gomoku_lab.game.record import GameRecord, PlayerRef
from gomoku_lab.game.rules import Rule
from gomoku_lab.players.protocol import Choice
from gomoku_lab.players.registry import make_player

SIZE = 9
OPENING = Opening("centre", parse_moves("e5e6", SIZE), SIZE)


def play(black, white, **options):
    return play_game(make_player(black), make_player(white), OPENING, **options)


def test_a_game_ends_with_five_and_the_record_is_legal():
    game = play("stub:forward", "stub:backward")
    assert game.reason == "five"
    assert game.board().winner != 0
    assert game.moves.startswith("e5e6")
    assert (game.opening, game.opening_moves) == ("centre", 2)


def test_each_chosen_move_has_its_cost():
    game = play("stub:forward", "stub:backward")
    chosen = game.plies - 2
    assert game.nodes == tuple(1 + i % 2 for i in range(chosen))
    assert game.score == (None,) * chosen
    assert len(game.time_ms) == chosen
    assert all(time >= 0 for time in game.time_ms)


def test_a_record_comes_back_from_its_dictionary():
    game = play("stub:random", "stub:random", seed=5)
    assert game == GameRecord.from_dict(game.to_dict())


def test_random_draws_come_from_the_seed_alone():
    first, again, other = (play("stub:random", "stub:random", seed=seed) for seed in (5, 5, 6))
    assert first.moves == again.moves
    assert first.moves != other.moves


def test_black_and_white_get_seeds_of_their_own():
    seen = []

    class Spy:
        name = "spy"

        def new_game(self, seed):
            seen.append(int(seed.generate_state(1)[0]))

        def choose(self, board, limits=None):
            return Choice(board.empty_points()[0])

    play_game(Spy(), Spy(), OPENING, seed=9)
    expected = [int(s.generate_state(1)[0]) for s in np.random.SeedSequence(9).spawn(2)]
    assert expected == seen
    assert len(set(seen)) == 2


@pytest.mark.parametrize(
    ("kind", "reason", "detail"),
    [
        ("raises", "crash", "ZeroDivisionError: on purpose"),
        ("crashes", "crash", "the process ended"),
        ("hangs", "time", "no answer"),
        ("illegal", "illegal move", "z99 is no point"),
        ("none", "illegal move", "no move given"),
    ],
)
@pytest.mark.parametrize("colour", ["black", "white"])
def test_a_forfeit_is_recorded_with_its_reason_and_the_opponent_wins(kind, reason, detail, colour):
    bad, good = f"stub:{kind}:after=4", "stub:random"
    black, white = (bad, good) if colour == "black" else (good, bad)
    game = play(black, white)
    assert game.result == ("white" if colour == "black" else "black")
    assert game.reason == reason
    assert detail in game.detail
    assert game.is_forfeit
    assert game.plies in (4, 5)
    assert game.reproducible == (reason != "time")


@pytest.mark.parametrize(
    ("move", "detail"), [(-1, "move must be 0..80"), (81, "move must be 0..80"), (40, "occupied")]
)
def test_an_illegal_index_is_a_forfeit(move, detail):
    class Cheat:
        name = "cheat"

        def new_game(self, seed):
            pass

        def choose(self, board, limits=None):
            return Choice(move)

    game = play_game(Cheat(), make_player("stub:forward"), OPENING)
    assert (game.result, game.reason) == ("white", "illegal move")
    assert detail in game.detail


def test_failing_at_the_start_of_a_game_is_a_crash():
    class Broken:
        name = "broken"

        def new_game(self, seed):
            raise OSError("no memory")

    game = play_game(make_player("stub:forward"), Broken(), OPENING)
    assert (game.result, game.reason, game.detail) == ("black", "crash", "OSError: no memory")
    assert game.plies == 2


def test_a_full_board_is_a_draw():
    # A 5x5 game without a five; the players follow the script.
    script = parse_moves("a1b1c1d1e1a2b2c2d2e2b3a3d3c3e3b4a4d4c4e4a5b5c5d5e5", 5)

    class Script:
        name = "script"
        moves: ClassVar = script

        def new_game(self, seed):
            pass

        def choose(self, board, limits=None):
            return Choice(self.moves[len(board.moves)])

    game = play_game(Script(), Script(), Opening("first", script[:1], 5))
    assert (game.result, game.reason, game.plies) == ("draw", "full board", 25)


def test_the_rule_decides_what_wins():
    # Black makes six in a row at once by filling the gap: five or more, but not exactly five.
    moves = parse_moves("a1a9b1b9c1c9e1e9f1f9", SIZE)

    class Gap:
        name = "gap"

        def new_game(self, seed):
            pass

        def choose(self, board, limits=None):
            gap = parse_moves("d1", SIZE)[0]
            return Choice(gap if gap in board.empty_points() else board.empty_points()[-1])

    opening = Opening("six", moves, SIZE)
    limit = Adjudication(max_plies=11)
    free, exact = (
        play_game(Gap(), Gap(), opening, rule=rule, adjudication=limit)
        for rule in (Rule.FREESTYLE, Rule.STANDARD)
    )
    assert (free.result, free.reason) == ("black", "five")
    assert (exact.result, exact.reason) == ("draw", "adjudicated")


def test_adjudication_is_off_by_default():
    game = play("stub:forward:score=1000000", "stub:backward:score=-1000000")
    assert game.reason == "five"


def test_a_move_limit_makes_a_draw():
    game = play("stub:forward", "stub:backward", adjudication=Adjudication(max_plies=6))
    assert (game.result, game.reason, game.plies) == ("draw", "adjudicated", 6)
    assert "6 moves" in game.detail


@pytest.mark.parametrize(("sign", "winner"), [(1, "black"), (-1, "white")])
def test_a_score_that_both_players_hold_ends_the_game(sign, winner):
    game = play(
        f"stub:forward:score={sign * 900}",
        f"stub:backward:score={-sign * 900}",
        adjudication=Adjudication(score=900, plies=4),
    )
    assert (game.result, game.reason, game.plies) == (winner, "adjudicated", 6)


@pytest.mark.parametrize(("black", "white"), [(900, 900), (900, -899), (0, -900)])
def test_a_score_that_one_player_denies_ends_nothing(black, white):
    game = play(
        f"stub:forward:score={black}",
        f"stub:backward:score={white}",
        adjudication=Adjudication(score=900, plies=2),
    )
    assert game.reason == "five"


@pytest.mark.parametrize(
    ("values", "message"),
    [({"plies": 1}, "plies must be 2"), ({"score": 0}, "score"), ({"max_plies": 1.5}, "max_plies")],
)
def test_wrong_adjudication_is_refused(values, message):
    with pytest.raises(ValueError, match=message):
        Adjudication(**values)


def test_a_pair_is_one_opening_with_colours_swapped():
    refs = (PlayerRef("one", "1"), PlayerRef("two", "2"))
    first, second = make_player("stub:random:salt=1"), make_player("stub:random:salt=2")
    game_a, game_b = play_pair(first, second, OPENING, seeds=(1, 2), pair_id="p", refs=refs)
    assert (game_a.black, game_a.white) == refs
    assert (game_b.black, game_b.white) == refs[::-1]
    assert (game_a.id, game_b.id, game_a.pair, game_b.pair) == ("pa", "pb", "p", "p")
    assert (game_a.seed, game_b.seed) == (1, 2)
    assert game_a.opening == game_b.opening == "centre"
