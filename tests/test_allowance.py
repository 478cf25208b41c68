"""What a manager allows: a margin is kept, the match clock lasts, the table fits the memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_lab.engine.config import EngineConfig, SearchLimits
from gomoku_lab.game.formats.gomocup import Info
from gomoku_lab.kernels.layout import ENTRY
from gomoku_lab.players.allowance import Allowance, program_bytes
from gomoku_lab.players.textbook import TextbookConfig

MIB = 1 << 20


def told(*lines: str, yixin: bool = False) -> Allowance:
    """Return the allowance after INFO lines such as ``timeout_turn 500``."""
    allowance = Allowance(yixin=yixin)
    for line in lines:
        key, _, value = line.partition(" ")
        allowance.tell(Info(key, value))
    return allowance


def test_without_a_word_about_time_the_player_keeps_its_own() -> None:
    assert told().move_ms(0, 225) is None
    assert told().limits(EngineConfig(depth=4, time_ms=700), 0, 225, 5.0) == SearchLimits(
        depth=4, time_ms=700
    )


@given(st.integers(20, 10**7))
def test_a_turn_leaves_a_margin_and_is_used_to_85_percent(turn: int) -> None:
    budget = told(f"timeout_turn {turn}").move_ms(10, 225)
    assert budget is not None
    assert 0.85 * turn <= budget <= turn - min(10, 0.14 * turn)


@pytest.mark.parametrize(
    ("turn", "kept_back"),
    [(5, 2), (20, 2.8), (50, 7), (100, 10), (200, 10), (1000, 50), (2000, 100), (60000, 100)],
)
def test_the_margin_of_a_turn(turn: int, kept_back: float) -> None:
    assert told(f"timeout_turn {turn}").move_ms(10, 225) == pytest.approx(turn - kept_back)


@pytest.mark.parametrize(
    "line", ["timeout_turn 0", "timeout_turn -5", "time_left 0", "time_left -300", "timeout_turn 1"]
)
def test_no_time_means_at_once(line: str) -> None:
    assert told("timeout_turn 1000", line).move_ms(10, 225) == 0


@pytest.mark.parametrize(
    "line", ["timeout_match 0", "time_left 2147483647", "time_left 9999999999"]
)
def test_an_unlimited_match_leaves_the_turn(line: str) -> None:
    assert told("timeout_turn 1000", line).move_ms(10, 225) == 950


def test_the_shorter_of_turn_and_match_counts() -> None:
    assert told("timeout_turn 1000", "time_left 30000").move_ms(10, 225) == 950
    share = told("timeout_turn 30000", "time_left 30000").move_ms(10, 225)
    assert share is not None
    assert 500 < share < 3000


@given(st.integers(1_000, 10**7), st.integers(5, 20), st.floats(0, 2))
def test_a_match_clock_lasts_for_the_whole_board(match: int, size: int, waste: float) -> None:
    allowance = told(f"timeout_match {match}")
    for stones in range(0, size * size, 2):
        budget = allowance.move_ms(stones, size * size)
        assert budget is not None
        allowance.spend(budget + waste if budget > 0 else 0)
    assert allowance.left_ms is not None
    assert allowance.left_ms >= 0
    assert allowance.used_ms <= match


def test_the_brains_own_count_runs_where_no_time_left_is_sent() -> None:
    allowance = told("timeout_match 10000")
    allowance.spend(4000)
    assert allowance.left_ms == 6000
    allowance.tell(Info("timeout_match", "8000"))
    assert allowance.left_ms == 4000
    allowance.new_game()
    assert (allowance.left_ms, allowance.used_ms) == (8000, 0)


def test_time_that_has_gone_is_taken_off_but_never_below_nothing() -> None:
    config = EngineConfig(depth=4)
    limits = [told("timeout_turn 100").limits(config, 0, 225, gone) for gone in (0, 40, 400)]
    assert [90, 50, 0] == [one.time_ms for one in limits if one is not None]


def test_depth_and_nodes_stay_the_players_unless_the_manager_wants_less() -> None:
    config = EngineConfig(depth=6, nodes=5000, time_ms=100)
    allowance = told("max_depth 4", "max_node 9000", "timeout_turn 1000", yixin=True)
    assert allowance.limits(config, 0, 225, 0) == SearchLimits(depth=4, nodes=5000, time_ms=950)
    assert told("max_depth 4", "max_node 9").limits(config, 0, 225, 0) == config.limits


@pytest.mark.parametrize("value", ["0", "-1", "x", "", "1.5"])
def test_a_depth_or_number_of_nodes_that_is_none_is_no_limit(value: str) -> None:
    allowance = told(f"max_depth {value}", f"max_node {value}", f"hash_size {value}", yixin=True)
    assert (None, None, None) == (allowance.depth, allowance.nodes, allowance.table_bytes)


def test_a_player_without_a_clock_gets_no_limits() -> None:
    assert told("timeout_turn 50").limits(TextbookConfig(), 0, 225, 0) is None


@given(st.text(max_size=20), st.text(max_size=20))
def test_any_key_and_value_are_borne(key: str, value: str) -> None:
    allowance = Allowance(yixin=True)
    allowance.tell(Info(key, value))
    if key not in ("timeout_turn", "timeout_match", "time_left", "max_memory"):
        assert allowance.move_ms(0, 225) is None


@given(st.integers(0, 400 * MIB), st.integers(0, 26), st.integers(0, 300 * MIB))
def test_program_and_table_fit_into_the_memory(allowed: int, wanted: int, program: int) -> None:
    bits = told(f"max_memory {allowed}").table_bits(wanted, program)
    assert bits <= wanted
    if allowed == 0:
        assert bits == wanted
    elif bits > 0:
        assert program + (ENTRY.itemsize << bits) <= allowed


def test_a_table_is_as_large_as_the_memory_allows() -> None:
    assert told(f"max_memory {350 * MIB}").table_bits(20, 150 * MIB) == 20
    assert told(f"max_memory {175 * MIB}").table_bits(20, 150 * MIB) == 19
    assert told(f"max_memory {100 * MIB}").table_bits(20, 150 * MIB) == 0
    assert told("hash_size 1024", yixin=True).table_bits(20, 150 * MIB) == 16
    assert told("hash_size 1024").table_bits(20, 150 * MIB) == 20


def test_the_program_takes_some_memory_or_does_not_know() -> None:
    assert program_bytes() == 0 or 10 * MIB < program_bytes() < 10_000 * MIB
