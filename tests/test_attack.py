"""The gate for victories by threats: what it plays is proved, in time, and the same each time."""

import math
import time
from dataclasses import replace

import pytest
from state_tools import differences, snapshot, working
from test_vct import loose_board

from gomoku_lab.engine.attack import Attack
from gomoku_lab.engine.config import EngineConfig, SearchLimits
from gomoku_lab.engine.engine import Engine
from gomoku_lab.engine.solve import solve_vcf
from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import parse_move
from gomoku_lab.game.rules import Rule
from gomoku_lab.suite.forcing import winning_moves

NODES = 20_000
CROSS = Board.from_moves("h8a1h9a3j7a15k7o1")
"""Two twos of black's that meet: a double three wins."""
LAB = EngineConfig(depth=2, table_bits=10, vcf_nodes=2000, vct_nodes=NODES, defence_nodes=2000)


def always():
    return True


def find(board, nodes=NODES, in_time=always):
    attack, state = Attack(NODES), working(board)
    before = snapshot(state)
    win = attack.find(board, state, nodes=nodes, in_time=in_time)
    assert [] == differences(before, snapshot(state))
    assert attack.nodes <= nodes + 100
    return () if win is None else state.moves(win.line)


def test_what_it_plays_wins_within_three_where_brute_force_wins_so():
    seen = 0
    for seed in range(150):
        board = loose_board(seed)
        line = find(board)
        if not line or len(line) > 5 or solve_vcf(board).wins:
            continue
        seen += 1
        assert line[0] in winning_moves(board, 3)
    assert seen > 2


def test_its_line_is_played_to_five_by_both_sides():
    seen = 0
    for seed in range(150):
        board = loose_board(seed)
        line = find(board)
        for move in line:
            assert move in board.legal_points()
            board = board.play(move)
        if line and board.winner:
            seen += 1
            assert len(line) % 2 == 1
    assert seen > 20


@pytest.mark.parametrize("rule", list(Rule))
def test_the_lab_plays_a_double_three_as_proved_unless_renju_forbids_it(rule):
    found = Engine(LAB).analyse(replace(CROSS, rule=rule))
    if rule is Rule.RENJU:
        assert found.gate != "vct" or found.move in replace(CROSS, rule=rule).legal_points()
    else:
        assert ("vct", 0, None) == (found.gate, found.nodes, found.score)
        assert 5 == found.proven == len(found.pv)
        assert found.move in winning_moves(replace(CROSS, rule=rule), 3)


@pytest.mark.parametrize(
    ("limits", "asked"),
    [
        (SearchLimits(nodes=80_000), False),
        (SearchLimits(nodes=90_000), True),
        (SearchLimits(time_ms=80.0), False),
        (SearchLimits(time_ms=0.0), False),
        (SearchLimits(time_ms=1e6), True),
        (SearchLimits(depth=2), True),
    ],
)
def test_a_small_budget_is_left_to_the_search(limits, asked, monkeypatch):
    engine, calls = Engine(LAB), []
    monkeypatch.setattr(
        engine._attack, "find", lambda *_, nodes, in_time: calls.append((nodes, in_time()))
    )
    engine.analyse(CROSS, limits=limits)
    assert asked == bool(calls)
    for nodes, in_time in calls:
        assert in_time
        assert nodes == int((limits.nodes or 1 << 62) * 0.3)


def test_stones_are_taken_from_a_node_budget():
    board = Board.from_moves("h8i9g7g9f8h10")
    budget = 100_000
    engine = Engine(replace(LAB, depth=None, nodes=budget, vct_nodes=budget))
    found = engine.analyse(board)
    spent = engine._attack.nodes
    assert 0 < spent <= 0.3 * budget + 100
    assert found.nodes <= budget - spent


def test_when_the_time_is_over_nothing_is_claimed():
    assert find(CROSS)
    assert () == find(CROSS, in_time=lambda: False)
    looks = iter([True, True, True])
    assert () == find(CROSS, in_time=lambda: next(looks, False))


def test_a_stopped_engine_ends_its_search_for_threats():
    engine = Engine(replace(LAB, vct_nodes=10**9))
    engine._stopping = True
    over = []
    state = working(CROSS)
    engine._attack.find(
        CROSS, state, nodes=10**9, in_time=lambda: over.append(time.monotonic()) or False
    )
    assert len(over) <= 2


def test_too_few_stones_find_nothing_and_say_nothing():
    assert () == find(CROSS, nodes=1)
    assert () == find(Board.from_moves("h8i9"))
    assert math.isfinite(Attack(0).nodes)


def test_the_answer_does_not_hang_on_what_was_asked_before():
    attack = Attack(NODES)
    boards = [loose_board(seed) for seed in range(60)]
    first = [attack.find(b, working(b), nodes=NODES, in_time=always) for b in boards]
    again = [attack.find(b, working(b), nodes=NODES, in_time=always) for b in boards[::-1]][::-1]
    assert first == again


def test_a_line_ends_before_a_block_that_renju_forbids():
    """The chain of fours behind any reply here wins since Black may not block on f4."""
    board = Board.from_moves("d7d4f5f7b6b7e7e8d6d5f3c6e5", size=9, rule=Rule.RENJU)
    found = Engine(LAB).analyse(board)
    assert found.gate == "vct"
    assert found.proven == 7
    for move in found.pv:
        board = board.play(move)
    assert len(found.pv) == 5
    with pytest.raises(ValueError, match="f4 is forbidden"):
        board.play(parse_move("f4", 9))
