"""The engine's players on the shipped positions: what each of them must and must not solve."""

import pytest

from gomoku_lab.players.registry import expand, resolve
from gomoku_lab.suite.positions import load_positions
from gomoku_lab.suite.run import run_suite

POSITIONS = {position.id: position for position in load_positions()}
REQUIRED = ("must-win", "must-block", "open-four", "break-open-four", "draw-board")
LEVELS = ("layered/novice", "layered/casual", "layered/skilled", "layered/hard", "layered/master")
# With this budget instead of the clock the answers are the same on every machine.
MASTER = "layered/master:time_ms=0"
LAB = "lab/max:time_ms=0,depth=8"


def answers(player, *names, symmetries=True):
    """Return the ids of the positions that `player` answers wrongly in any image."""
    chosen = [POSITIONS[name] for name in names]
    result = run_suite([resolve(player)], chosen, symmetries=symmetries)
    assert len(chosen) * (8 if symmetries else 1) == len(result.answers)
    return {failure.position.id for failure in result.failures()}


def of_kind(kind):
    return [name for name, position in POSITIONS.items() if position.kind == kind]


def test_every_level_without_noise_solves_the_required_kinds():
    specs = expand(["layered/*:noise=0", LAB])
    positions = [one for one in POSITIONS.values() if one.kind in REQUIRED]
    result = run_suite(specs, positions, symmetries=False)
    assert [] == [(one.player, one.position.id) for one in result.failures()]
    assert all(set(REQUIRED) == set(spec.required) for spec in specs)


def test_the_levels_of_lab_keep_what_they_promise_and_only_beginners_overlook_threes():
    positions = [one for one in POSITIONS.values() if one.kind in REQUIRED]
    result = run_suite(expand(["lab/[1-7]", "lab/8:nodes=20000"]), positions)
    assert () == result.broken_requirements()
    kinds = (*REQUIRED[:3], "draw-board")
    assert all(result.tally("lab/1", kind).rate == 1 for kind in kinds)
    rates = [result.tally(f"lab/{level}", "break-open-four").rate for level in (1, 2, 3, 4)]
    assert rates == sorted(rates)
    assert 0.5 < rates[0] < rates[3] == 1


def test_S1_1_a_search_without_gates_puts_off_a_five_unless_it_counts_the_distance():
    wins, breaks = of_kind("must-win"), of_kind("break-open-four")
    put_off = {"win-now-open-three", "win-now-other-column"}
    assert put_off == answers("plain/depth4", *wins)
    assert set() == answers("plain/depth4:terminal=true", *wins)
    assert set() == answers("layered/skilled:noise=0,time_ms=0", *wins)
    # An open three is seen at depth 4 in either form: this half of the claim does not hold here.
    assert set() == answers("plain/depth4", *breaks)


@pytest.mark.parametrize("level", LEVELS)
def test_S1_39_an_open_three_is_respected_in_every_image(level):
    assert set() == answers(f"{level}:noise=0", *of_kind("break-open-four"))


def test_S1_39_a_noisy_level_has_a_rate_of_its_own():
    positions = [POSITIONS[name] for name in of_kind("break-open-four")]
    result = run_suite(expand(["layered/novice", "layered/master"]), positions)
    novice, master = (result.tally(f"layered/{level}").rate for level in ("novice", "master"))
    assert 0 < novice < master == 1
    assert () == result.broken_requirements()


def test_S1_D1_layered_breaks_the_three_by_the_one_move_order_and_loses_to_a_chain():
    assert {"quiet-break-chain"} == answers(MASTER, "quiet-break-chain")
    assert set() == answers(LAB, "quiet-break-chain")


def test_S1_D1_layered_breaks_the_three_where_its_own_fours_win():
    assert {"four-three-against-three"} == answers(MASTER, "four-three-against-three")
    assert set() == answers(LAB, "four-three-against-three")


@pytest.mark.parametrize(
    "player", [MASTER, LAB, "layered/novice:noise=0,time_ms=0,depth=1,threat_layer=false"]
)
def test_S1_16_an_open_four_is_played_before_a_double_three(player):
    assert set() == answers(player, "open-four-before-double-three")


@pytest.mark.parametrize("player", ["layered/novice:noise=0", MASTER, LAB])
def test_S4_28_a_block_of_lower_naive_value_is_played(player):
    names = [name for name in of_kind("must-block") if "naive-wrong" in POSITIONS[name].tags]
    assert names
    assert set() == answers(player, *names)


@pytest.mark.parametrize("player", [MASTER, LAB])
def test_S4_8_the_standard_rule_is_played_where_freestyle_would_answer_otherwise(player):
    assert set() == answers(player, *of_kind("exact-five"), symmetries=False)


def test_S1_11_a_closed_four_is_not_taken_for_an_open_one():
    assert set() == answers("layered/novice:noise=0", "open-four-not-closed")


def test_all_shipped_positions_are_solved_by_the_product():
    assert set() == answers(LAB, *POSITIONS, symmetries=False)
