"""Running players on positions: what is asked, what counts, and that any way of running agrees."""

import json
from dataclasses import replace
from functools import cache

import jsonschema
import numpy as np
import pytest
import stub_players  # adds the family ``stub``

from gomoku_lab.game.rules import Rule
from gomoku_lab.game.symmetry import SYMMETRIES, map_board, map_move
from gomoku_lab.players.errors import PlayerStartError
from gomoku_lab.players.protocol import Choice
from gomoku_lab.players.registry import PlayerSpec
from gomoku_lab.suite.positions import load_positions
from gomoku_lab.suite.run import run_suite

KINDS = ("must-win", "must-block", "draw-board", "exact-five")
POSITIONS = [position for position in load_positions() if position.kind in KINDS]
GOING_ON = [position for position in POSITIONS if position.kind != "draw-board"]


@cache
def answers(misses):
    """Return one answer to each image of each position, a wrong one to the position `misses`."""
    found = {}
    for position in POSITIONS:
        best = position.best
        if position.id == misses:
            best = [move for move in position.board.empty_points() if move not in best]
        for symmetry in SYMMETRIES:
            image = map_board(position.board, symmetry)
            moves = [map_move(move, image.size, symmetry) for move in best]
            found[image.rule, image.size, image.cells] = moves[0] if moves else None
    return found


class Knowing:
    def __init__(self, spec, misses="", rules=tuple(Rule)):
        self.name = spec.name
        self._rules = rules
        self._answers = answers(misses)

    def new_game(self, seed):
        pass

    def choose(self, board, limits=None):
        return Choice(self._answers[board.rule, board.size, board.cells], gate="five")

    def plays(self, rule):
        return rule in self._rules

    def close(self):
        pass


def spec(name, required=(), **config):
    return PlayerSpec(
        name=name, family="stub", config=stub_players.StubConfig(**config), required=required
    )


def knowing(spec):
    return Knowing(spec)


def missing_one(spec):
    return Knowing(spec, misses="block-row-gap")


def freestyle_only(spec):
    return Knowing(spec, rules=(Rule.FREESTYLE,))


PERFECT = spec("perfect", required=KINDS)


def test_a_player_that_knows_the_answers_passes_everything():
    result = run_suite([PERFECT], POSITIONS, make=knowing)
    assert (len(POSITIONS) * 8, len(POSITIONS) * 8) == (
        result.tally("perfect").passed,
        result.tally("perfect").total,
    )
    assert () == result.broken_requirements()
    assert [] == list(result.failures())


def test_without_symmetries_each_position_is_asked_once():
    result = run_suite([PERFECT], POSITIONS, symmetries=False, make=knowing)
    assert len(POSITIONS) == len(result.answers)
    assert {0} == {answer.symmetry for answer in result.answers}


def test_S4_34_a_failure_is_found_under_its_kind_with_its_moves():
    result = run_suite([PERFECT], POSITIONS, make=missing_one)
    (failure,) = result.failures()
    assert ("must-block", "block-row-gap", 8, 8) == (
        failure.position.kind,
        failure.position.id,
        len(failure.answers),
        failure.asked,
    )
    # The wrong answer is the same point of the position as written, whatever image was shown.
    assert 1 == len(failure.moves)
    ((broken, kind, tally),) = result.broken_requirements()
    assert (PERFECT, "must-block") == (broken, kind)
    assert tally.total - tally.passed == 8


def test_a_kind_that_is_not_required_breaks_nothing():
    relaxed = spec("relaxed", required=("must-win",))
    result = run_suite([relaxed], POSITIONS, make=missing_one)
    assert () == result.broken_requirements()
    assert 1 == len(list(result.failures()))


def test_a_player_is_not_asked_under_a_rule_that_it_does_not_know():
    result = run_suite([PERFECT], POSITIONS, make=freestyle_only)
    standard = tuple(one.id for one in POSITIONS if one.board.rule is Rule.STANDARD)
    assert standard == result.unknown_rules("perfect")
    assert (0, 0) == (
        result.tally("perfect", "exact-five").passed,
        result.tally("perfect", "exact-five").total,
    )
    assert result.tally("perfect", "exact-five").rate is None


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("crashes", "crash: the process ended"),
        ("hangs", "time: no answer"),
        ("illegal", "illegal move: z99 is no point"),
        ("none", "no move"),
    ],
)
def test_a_player_that_fails_has_failed_the_position(target, words):
    result = run_suite([spec("bad", target=target)], GOING_ON[:2], symmetries=False)
    assert [(words,), (words,)] == [failure.moves for failure in result.failures()]


def test_a_move_off_the_board_is_a_failure():
    class Off(Knowing):
        def choose(self, board, limits=None):
            return Choice(board.size**2)

    result = run_suite([PERFECT], GOING_ON[:1], symmetries=False, make=Off)
    (failure,) = result.failures()
    assert failure.moves[0].startswith("illegal move: move must be 0..")
    assert len(result.breakdowns("perfect")) == 1


def test_a_move_on_a_full_board_is_a_failure():
    class Eager(Knowing):
        def choose(self, board, limits=None):
            return Choice(0)

    draws = [one for one in POSITIONS if one.kind == "draw-board"]
    result = run_suite([PERFECT], draws, make=Eager)
    assert 0 == result.tally("perfect").passed


def test_a_player_that_cannot_start_is_an_error_and_no_failure():
    def broken(spec):
        raise PlayerStartError("no such module")

    with pytest.raises(PlayerStartError):
        run_suite([PERFECT], POSITIONS, make=broken)


def test_every_player_is_closed():
    made = []

    def make(spec):
        made.append(stub_players.StubPlayer(spec))
        return made[-1]

    run_suite([spec("a"), spec("b")], GOING_ON, symmetries=False, make=make)
    assert all(player.closed for player in made)


def test_a_seed_fixes_every_draw_whatever_the_jobs_and_the_selection():
    noisy = [spec("noisy", target="random"), spec("other", target="random")]
    alone = run_suite(noisy, GOING_ON, seed=3)
    assert alone.answers == run_suite(noisy, GOING_ON, seed=3, jobs=2).answers
    assert alone.answers != run_suite(noisy, GOING_ON, seed=4).answers
    some = GOING_ON[5:9]
    ids = {position.id for position in some}
    picked = tuple(answer for answer in alone.answers if answer.position in ids)
    assert picked == run_suite(noisy, some, seed=3).answers


def test_images_are_drawn_independently():
    result = run_suite([spec("noisy", target="random")], GOING_ON[:1])
    assert len({answer.move for answer in result.answers}) > 1


def test_answers_come_in_the_order_of_players_and_positions():
    specs = [spec("z"), spec("a", target="random")]
    result = run_suite(specs, GOING_ON, jobs=2, symmetries=False)
    expected = [(one.name, position.id) for one in specs for position in GOING_ON]
    assert expected == [(answer.player, answer.position) for answer in result.answers]


def test_progress_counts_every_answer():
    counted = []
    run_suite(
        [PERFECT], POSITIONS, make=knowing, on_progress=lambda count, name: counted.append(count)
    )
    assert len(POSITIONS) * 8 == sum(counted)


@pytest.mark.parametrize("options", [{"jobs": 0}, {"seed": -1}])
def test_options_out_of_range_are_refused(options):
    with pytest.raises(ValueError, match="must be"):
        run_suite([PERFECT], POSITIONS, make=knowing, **options)


RESULT_SCHEMA = {
    "type": "object",
    "required": [
        *("schema", "seed", "symmetries", "interrupted", "passed"),
        *("kinds", "players", "failures"),
    ],
    "additionalProperties": False,
    "properties": {
        "schema": {"const": 1},
        "seed": {"type": "integer"},
        "symmetries": {"type": "boolean"},
        "interrupted": {"type": "boolean"},
        "passed": {"type": "boolean"},
        "kinds": {"type": "object"},
        "players": {"type": "array", "items": {"required": ["name", "kinds", "broken"]}},
        "failures": {
            "type": "array",
            "items": {"required": ["player", "kind", "position", "best", "why", "wrong"]},
        },
    },
}


def test_the_json_form_names_failures_with_their_reason():
    result = run_suite([PERFECT], POSITIONS, make=missing_one).to_dict()
    values = json.loads(json.dumps(result))
    jsonschema.validate(values, RESULT_SCHEMA)
    assert not values["passed"]
    assert ["must-block"] == values["players"][0]["broken"]
    assert {"block-row-gap"} == {failure["position"] for failure in values["failures"]}
    assert ["g9"] == values["failures"][0]["best"]
    assert values["failures"][0]["why"]


def test_an_interrupted_suite_keeps_the_same_positions_of_all_players_on_request():
    specs = [replace(PERFECT, name=name) for name in ("a", "b")]
    seen = []

    def stop(count, player):
        seen.append((player, count))
        if len(seen) == 3:
            raise KeyboardInterrupt

    result = run_suite(specs, POSITIONS, make=knowing, on_progress=stop, keeps=True)
    assert ["a", "b", "a"] == [player for player, _ in seen]
    assert seen[0][1] + seen[2][1] == result.tally("a").total
    assert seen[1][1] == result.tally("b").total
    values = json.loads(json.dumps(result.to_dict()))
    jsonschema.validate(values, RESULT_SCHEMA)
    assert values["interrupted"]
    assert not values["passed"]
    seen.clear()
    with pytest.raises(KeyboardInterrupt):
        run_suite(specs, POSITIONS, make=knowing, on_progress=stop)


def test_random_seeds_are_independent_of_numpy_state():
    np.random.seed(1)
    first = run_suite([spec("noisy", target="random")], GOING_ON[:3]).answers
    np.random.seed(2)
    assert first == run_suite([spec("noisy", target="random")], GOING_ON[:3]).answers
