"""The exact defence against a chain of fours: held against brute force, every move tried."""

from collections import Counter
from dataclasses import replace
from functools import cache

import naive_solver as naive
import numpy as np
import pytest
from state_tools import differences, snapshot, working
from test_solve import scattered_board

from gomoku_lab.engine.config import EngineConfig, SearchLimits
from gomoku_lab.engine.defence import find_defence
from gomoku_lab.engine.engine import Engine
from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import parse_diagram
from gomoku_lab.game.notation import parse_move
from gomoku_lab.game.rules import Rule
from gomoku_lab.suite.positions import load_positions

AMPLE = 1_000_000
MOST = 12
"""Fours of the oracle's longest chain: more than the small boards hold."""
LAB = EngineConfig(
    nodes=2000, table_bits=12, vcf_nodes=2000, defence_nodes=20_000, noise_scope="search"
)


def calm(seed):
    """Return a random small board on which nobody has a five point, or None."""
    board = scattered_board(seed, sizes=(6, 7, 8))
    stones = naive.Stones.of(board)
    quiet = not any(naive.five_points(stones, colour) for colour in (1, 2))
    return board if quiet else None


@cache
def threatened(number):
    """Return boards on which the side to move would lose to a chain of fours if it passed."""
    found, seed = [], 0
    while len(found) < number:
        board = calm(seed)
        seed += 1
        if board is not None:
            passed = naive.Stones.of(board)._replace(side=3 - board.to_move)
            if naive.wins_within(passed, MOST):
                found.append(board)
    return tuple(found)


def plies_after(board, move):
    """Return the plies of the opponent's shortest chain after `move`, 0 if he has none."""
    stones = naive.Stones.of(board).play(move)
    if not naive.wins_within(stones, MOST):
        return 0
    fours = next(n for n in range(MOST + 1) if naive.wins_within(stones, n))
    return 2 * fours + 1


def test_S1_D1_the_set_is_exact_against_a_chain_of_fours():
    """Every legal move is tried: those that leave no chain are the set, own fours included."""
    seen = Counter()
    for board in threatened(60):
        state = working(board)
        before = snapshot(state)
        found = find_defence(state, AMPLE)
        assert found is not None, board
        assert [] == differences(before, snapshot(state))
        after = {move: plies_after(board, move) for move in board.legal_points()}
        holding = {move for move, plies in after.items() if not plies}
        moves = state.moves(found.cells)
        assert len(set(moves)) == len(moves)
        if holding:
            assert holding == set(moves), board
            assert found.proven is None
            stones = naive.Stones.of(board)
            fours = {m for m in holding if naive.five_points(stones.play(m), board.to_move)}
            seen["own fours", bool(fours)] += 1
            seen[str(board.rule), "held"] += 1
        elif found.proven is not None:
            longest = max(after.values())
            assert -longest - 1 == found.proven, board
            assert all(after[move] == longest for move in moves), board
            seen["lost"] += 1
    assert min(seen["own fours", flag] for flag in (True, False)) > 6
    assert all(seen[str(rule), "held"] > 8 for rule in Rule)
    assert seen["lost"] > 1


def test_without_a_chain_of_the_opponents_nothing_is_struck():
    seen = 0
    for seed in range(300):
        board = calm(seed)
        if board is not None:
            passed = naive.Stones.of(board)._replace(side=3 - board.to_move)
            if not naive.wins_within(passed, MOST):
                seen += 1
                assert find_defence(working(board), AMPLE) is None
    assert seen > 30


def test_no_move_is_struck_that_was_not_refuted_when_the_stones_run_out():
    short = 0
    for board in threatened(60):
        whole = find_defence(working(board), AMPLE)
        for nodes in (0, 5, 20, 60):
            state = working(board)
            found = find_defence(state, nodes)
            if found is None:
                short += 1
                continue
            # A search for fours places a stone and its answer before it looks at its cap.
            assert found.nodes <= nodes + 1
            if whole.proven is None:
                assert set(whole.cells.tolist()) <= set(found.cells.tolist())
    assert short > 10


def test_the_moves_come_in_one_move_order():
    for board in threatened(40):
        state = working(board, EngineConfig(depth=1, table_bits=10, width=400, radius=9))
        order = state.ranked().tolist()
        places = [order.index(cell) for cell in find_defence(state, AMPLE).cells.tolist()]
        assert sorted(places) == places


# --- in the engine ---------------------------------------------------------------------------

SHIPPED = [p for p in load_positions() if p.kind in ("break-open-four", "quiet-block")]


@pytest.mark.parametrize("position", SHIPPED, ids=lambda position: position.id)
def test_S1_D1_the_lab_searches_among_the_moves_that_leave_no_chain(position):
    engine = Engine(LAB)
    found = engine.analyse(position.board)
    assert found.gate in ("break-open-four", "search", "vcf")
    if found.gate == "break-open-four":
        assert found.layers
        state = working(position.board)
        allowed = state.moves(find_defence(state, AMPLE).cells)
        assert {root.move for root in found.roots} == set(allowed[: LAB.width])
        assert found.move in allowed


def test_stones_that_the_defence_took_are_taken_from_a_node_budget():
    for board in threatened(20):
        engine = Engine(replace(LAB, vcf_nodes=0))
        spent = find_defence(working(board), 1000).nodes
        found = engine.analyse(board, limits=SearchLimits(nodes=2000))
        if found.gate in ("search", "break-open-four") and len(found.layers) > 1:
            assert found.nodes <= 2000 - spent


DOUBLE_OPEN = """
9 . . . . . . . . .
8 . . . . . . . . .
7 . . . X . . . . .
6 . . . X . . . . .
5 . . . . X X X . .
4 . . . X . . . . .
3 O . . . . . . . .
2 O . . . . . . . .
1 . . O . . . O . O
  a b c d e f g h i
"""


def test_a_lost_position_gets_the_longest_defence_and_never_a_corner():
    lost = [board for board in threatened(60) if find_defence(working(board), AMPLE).proven]
    lost.append(replace(parse_diagram(DOUBLE_OPEN), to_move=2))
    for board in lost:
        found = Engine(replace(LAB, nodes=None, depth=4)).analyse(board)
        after = {move: plies_after(board, move) for move in board.legal_points()}
        if all(after.values()):
            assert after[found.move] == max(after.values())
            assert -max(after.values()) - 1 == found.proven
        edge = board.size - 1
        corners = {0, edge, board.size * edge, board.size * edge + edge}
        assert found.move not in corners or not after[found.move]


def test_a_full_board_gets_no_move_and_at_224_stones_the_last_cell_is_played():
    # Rows of two and two, shifted: nobody has five.
    cells = bytearray(1 + ((col // 2 + row) % 2) for row in range(15) for col in range(15))
    full = Board(15, Rule.FREESTYLE, bytes(cells), 2)
    assert not full.winner
    engine = Engine(LAB)
    assert (None, "over") == (engine.analyse(full).move, engine.analyse(full).gate)
    for last in (0, 112, 224):
        one = bytearray(cells)
        one[last] = 0
        board = Board(15, Rule.FREESTYLE, bytes(one), 1)
        assert last == engine.analyse(board).move


ONLY_FORBIDDEN = """
15 . . . . . . . . . . . . . . .
14 . . . . . . . . . . . . . . .
13 . . . . . . . . . . . . . . .
12 . . . . . . . . . . . . . . .
11 . . . . . . X . . . . . . . .
10 . . . . . . X . . . . . . . .
9 . . . . . . X . . . . . . . .
8 . . . X X X . O O O O X . . .
7 . . . . . . . . . . . . . . .
6 . . . . . . . . . . . . . . .
5 . . . . . . . . . . . . . . .
4 . . . . . . . . . . . . . . .
3 . . . . . . . . . . . . . . .
2 . . . . . . . . . . . . . . .
1 O . O . O . . . . . . . . . .
   a b c d e f g h i j k l m n o
"""


def test_where_renju_forbids_every_block_a_legal_move_comes_in_time():
    board = parse_diagram(ONLY_FORBIDDEN, rule="renju")
    board = replace(board, to_move=1)
    block = parse_move("g8", 15)
    assert block in board.forbidden_points()
    engine = Engine(replace(LAB, nodes=None, time_ms=50.0))
    engine.analyse(board)
    found = engine.analyse(board)
    assert found.move in board.legal_points()
    assert (-2, "block") == (found.proven, found.gate)
    assert found.time_ms < 70
    assert found.move != block


def test_the_answer_is_the_same_whatever_was_asked_before():
    engine = Engine(replace(LAB, vct_nodes=5000))
    boards = threatened(12)
    first = [engine.analyse(board) for board in boards]
    again = [engine.analyse(board) for board in reversed(boards)][::-1]
    fresh = [Engine(replace(LAB, vct_nodes=5000)).analyse(board) for board in boards]
    for one, two, three in zip(first, again, fresh, strict=True):
        assert one.pv == two.pv == three.pv
        assert one.nodes == two.nodes == three.nodes
    assert np.all([one.reproducible for one in first])
