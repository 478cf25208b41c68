"""The benchmark: fixed positions, gates that decide the exit code, and laws of what it compares."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from gomoku_lab.cli import (
    article_speed,
    bench,
    engine_speed,
    minimax_speed,
    selective_speed,
    solver_speed,
    textbook_speed,
)
from gomoku_lab.cli.gauges import Gauge
from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.engine import Engine
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.engine.solve import Answer, solve_vcf
from gomoku_lab.game.board import Board
from gomoku_lab.suite.boards import bench_boards, mid_game_boards, six_stone_boards


def measured(*gauges: Gauge) -> object:
    def measure(**options: bool) -> Iterator[Gauge]:
        yield from gauges

    return measure


def test_a_number_passes_at_its_gate() -> None:
    assert Gauge("a", "a", 2.5, at_most=2.5).passed is True
    assert Gauge("a", "a", 2.6, at_most=2.5).passed is False
    assert Gauge("a", "a", 0.55, at_least=0.55).passed is True
    assert Gauge("a", "a", 0.54, at_least=0.55).passed is False
    assert Gauge("a", "a", 1.0).passed is None


@pytest.mark.parametrize(("value", "code"), [(1.0, 0), (3.0, 1)])
def test_a_missed_gate_is_the_exit_code(
    monkeypatch: pytest.MonkeyPatch, value: float, code: int
) -> None:
    monkeypatch.setattr(bench, "_measure", measured(Gauge("help", "help", value, at_most=2.5)))
    result = CliRunner().invoke(bench.command, [])
    assert result.exit_code == code
    assert ("missed: help" in result.stdout) == bool(code)


def test_json_holds_every_number_with_its_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_measure", measured(Gauge("n", "nodes", 7, "nodes", at_least=5)))
    report = json.loads(CliRunner().invoke(bench.command, ["--json"]).stdout)
    assert report["passed"] is True
    assert report["gauges"][0]["value"] == 7
    assert report["gauges"][0]["at_least"] == 5
    assert report["provenance"]


def test_the_fixed_positions_are_undecided() -> None:
    six, middle = six_stone_boards(), mid_game_boards()
    assert (len(six), len(middle)) == (12, 100)
    assert {board.stones for board in six} == {6}
    engine = Engine(EngineConfig(depth=1))
    assert {engine.analyse(board).gate for board in six + middle} == {"search"}


def test_the_search_without_a_trace_visits_the_same_nodes() -> None:
    config = EngineConfig(depth=engine_speed.DEPTH, width=engine_speed.WIDTH)
    state = WorkingState(config)
    for board in bench_boards()[10:14]:
        engine_speed._bare_search(state, board)
        assert state.record["nodes"] == Engine(config).analyse(board).nodes


def test_measuring_gives_every_promised_number() -> None:
    boards = bench_boards()[-2:]
    gauges = [
        *engine_speed.core_speed(boards, 1),
        *engine_speed.depth_times(boards, (8,)),
        engine_speed.master_reach(boards),
        *engine_speed.width_share(boards),
        engine_speed.trace_cost(boards, 1),
        *engine_speed.overshoot(boards, 5.0),
    ]
    assert {gauge.key for gauge in gauges} == {
        "step_ns",
        "place_remove_ns",
        "place_remove_steps",
        "nodes_per_second",
        "search_efficiency",
        "signature",
        "depth_8_seconds",
        "master_reach",
        "first_20_share",
        "first_16_share",
        "trace_cost",
        "late_moves",
        "overshoot_ms",
        "tight_overshoot_ms",
    }


def test_the_full_search_is_measured_against_the_plain_one() -> None:
    boards = bench_boards()[:2]
    rate = selective_speed.rate_share(boards, 2)
    deep = selective_speed.depth_share(boards, 7, 1)
    assert (rate.key, rate.at_least, rate.at_most) == ("full_search_share", 0.8, None)
    assert deep.key == "full_depth_7_share"
    assert 0 < deep.value
    plain, full = selective_speed._alternate(boards, 6, 1)
    again = selective_speed._alternate(boards, 6, 2)
    assert [[nodes for _, nodes in runs] for runs in (plain, full)] == [
        [nodes for _, nodes in runs] for runs in again
    ]


def test_S0_13_S0_26_S0_41_the_articles_players_are_measured_against_their_gates() -> None:
    gauges = [
        *article_speed.pattern_speed(bench_boards()[-3:], 3),
        article_speed.pattern_candidates(10),
    ]
    limits = {gauge.key: (gauge.at_least, gauge.at_most) for gauge in gauges}
    assert limits == {
        "pattern_easy_p95_ms": (None, 20),
        "pattern_easy_candidates": (1e4, None),
        "pattern_medium_p95_ms": (None, 20),
        "pattern_medium_candidates": (1e4, None),
        "pattern_hard_p95_ms": (None, 150),
        "pattern_hard_moves": (2000, None),
        "pattern_hard_candidates": (1e4, None),
        "pattern_candidates": (None, 60),
    }
    assert gauges[-1].passed


def test_S4_14_clustered_stones_leave_fewer_candidates() -> None:
    clustered, scattered = textbook_speed.clustering()
    assert clustered.value < scattered.value / 2
    for gauge, moves in (
        (clustered, textbook_speed.CLUSTERED),
        (scattered, textbook_speed.SCATTERED),
    ):
        assert moves in gauge.note
        assert "depth 3" in gauge.note


def test_textbook_is_compared_with_its_plain_form() -> None:
    (gauge,) = textbook_speed.compiled_over_plain([Board.from_moves("a1a2b2")])
    assert gauge.key == "textbook_ratio"
    assert gauge.at_least == 50
    assert gauge.passed


def test_without_the_tests_the_plain_form_is_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(textbook_speed, "_PLAIN", tmp_path / "missing.py")
    assert list(textbook_speed.compiled_over_plain([Board()])) == []


def test_S3_9_S3_10_S3_13_S3_16_S3_20_minimax_is_measured_against_its_gates() -> None:
    boards = mid_game_boards()[:3]
    gauges = [
        minimax_speed.minimax_candidates(boards),
        *minimax_speed.pruning_savings(boards, 1),
        *minimax_speed.ordering_savings(boards),
        *minimax_speed.minimax_times(boards),
    ]
    limits = {gauge.key: (gauge.at_least, gauge.at_most) for gauge in gauges}
    assert limits == {
        "minimax_candidates": (None, None),
        **{f"pruning_depth{depth}_ordered": (0.6, None) for depth in (2, 3, 4)},
        **{f"pruning_depth{depth}_unordered": (None, None) for depth in (2, 3, 4)},
        "ordering_depth3": (3.0, None),
        "ordering_depth4": (None, None),
        "minimax_depth4_seconds": (None, 2.0),
        "lab_depth4_seconds": (None, None),
        "minimax_hard_seconds": (None, 1.5),
    }
    counted = [gauge for gauge in gauges if not gauge.key.endswith("_seconds")]
    assert all(gauge.passed is not False for gauge in counted)


def test_the_signature_repeats() -> None:
    boards = bench_boards()[-2:]
    first, second = (
        [gauge.value for gauge in engine_speed.core_speed(boards, 1) if gauge.key == "signature"]
        for _ in range(2)
    )
    assert first == second


def test_the_search_for_fours_is_measured_on_positions_without_a_win() -> None:
    boards = solver_speed.four_boards()
    speed, efficiency = solver_speed.chain_speed(boards, 1)
    assert ("vcf_stones_per_second", "vcf_efficiency") == (speed.key, efficiency.key)
    assert efficiency.at_least == 0.6
    for board in boards:
        solution = solve_vcf(board)
        assert solution.answer is Answer.REFUTED
        assert solution.nodes > 1_000
