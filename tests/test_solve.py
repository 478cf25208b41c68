"""The solver of fours against brute force, its three answers, its lines, and its table."""

import random
from functools import lru_cache

import naive_solver as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from state_tools import differences, snapshot, working

from gomoku_lab.engine.engine import Engine
from gomoku_lab.engine.solve import Answer, Solver, solve_vcf, solve_vct
from gomoku_lab.game.board import Board
from gomoku_lab.game.forced import chain_problem
from gomoku_lab.game.grid import board_sets, five_points
from gomoku_lab.game.notation import move_name, parse_moves
from gomoku_lab.game.rules import Rule
from gomoku_lab.kernels import layout
from gomoku_lab.kernels.vcf import NO_CHAIN, UNKNOWN, shortest_vcf, vcf
from gomoku_lab.players.registry import make_player, resolve
from gomoku_lab.suite.positions import load_positions

LONG = 40  # fours: more than any chain on the oracle's boards


def scattered_board(seed, sizes=(6, 7, 8, 9), rules=tuple(Rule)):
    """Return a random small board on which the game goes on; either side may have more stones."""
    draw = random.Random(seed)
    while True:
        size, rule = draw.choice(sizes), draw.choice(rules)
        stones = draw.randint(size * size // 6, size * size // 2)
        blacks = draw.choice([(stones + 1) // 2, draw.randint(stones // 3, 2 * stones // 3)])
        points = draw.sample(range(size * size), stones)
        options = {"size": size, "rule": rule, "to_move": draw.choice((1, 2)), "balanced": False}
        try:
            board = Board.from_stones(points[:blacks], points[blacks:], **options)
        except ValueError:
            continue
        stand = naive.Stones.of(board)
        if not board.is_over and not (naive.five_points(stand, stand.side) and draw.random() < 0.9):
            return board


@lru_cache
def crowded_board(seed, stones=60):
    """Return a board of 15 lines on which neither side has a five point or an open four."""
    draw = random.Random(seed)
    board = Board()
    for move in draw.sample(range(225), 225):
        after = board.play(move)
        record = working(after).record
        worst = record["counts"][:, [layout.POINT_FIVE, layout.POINT_OPEN_FOUR]]
        if not after.is_over and not worst.any():
            board = after
        if board.stones == stones:
            break
    return board


def names(board, moves):
    return {move_name(move, board.size) for move in moves}


def test_the_solver_agrees_with_brute_force_on_all_first_moves():
    solver, found = Solver(table_bits=12), 0
    for seed in range(200):
        board = scattered_board(seed)
        stones = naive.Stones.of(board)
        expected = naive.fours_to_win(stones, LONG)
        solution = solver.vcf(board, every=True)
        assert solution.complete
        assert naive.first_moves(stones, LONG) == frozenset(solution.moves), board
        if expected is None:
            assert Answer.REFUTED is solution.answer, board
        else:
            found += 1
            assert Answer.FOUND is solution.answer, board
            assert (True, 2 * expected + 1) == (solution.shortest, solution.wins[0].plies), board
    assert 30 < found < 170


@pytest.mark.parametrize("bits", [0, 1, 18])
def test_the_table_changes_no_answer(bits):
    one, other = Solver(table_bits=bits), Solver(table_bits=8)
    for seed in range(60):
        board = scattered_board(1000 + seed)
        first, second = one.vcf(board, every=True), other.vcf(board, every=True)
        assert (first.answer, first.moves) == (second.answer, second.moves)


@given(st.integers(0, 10**6), st.integers(1, 400))
@settings(max_examples=60, deadline=None)
def test_a_spent_budget_is_no_refutation_and_no_invention(seed, nodes):
    board = crowded_board(seed % 20)
    full = solve_vcf(board)
    part = solve_vcf(board, nodes=nodes)
    assert part.answer in (full.answer, Answer.SPENT)
    assert part.nodes <= nodes + 2
    if part.answer is Answer.FOUND:
        assert part.wins[0].plies >= full.wins[0].plies


def test_the_search_leaves_the_position_as_it_was():
    table = np.zeros(1 << 10, layout.CHAIN)
    for seed in range(20):
        state = working(crowded_board(seed))
        before = snapshot(state)
        for search in (vcf, shortest_vcf):
            for cap in (0, 50, 100_000):
                search(state.record, table, cap, layout.MAX_FOURS)
                assert [] == differences(before, snapshot(state))


def test_a_depth_cap_ends_the_search_without_an_answer():
    """Of a chain of n fours n are enough, and fewer say nothing."""
    for seed in range(60):
        board = scattered_board(seed)
        fours = naive.fours_to_win(naive.Stones.of(board), LONG)
        for cap in range(6):
            table = np.zeros(1 << 10, layout.CHAIN)
            answer = vcf(working(board).record, table, 10**6, cap)
            if fours is None:
                assert answer in (NO_CHAIN, UNKNOWN)
            else:
                assert (2 * fours + 1 <= answer <= 2 * cap + 1) if fours <= cap else answer < 0


def test_rule_and_size_are_part_of_what_the_table_remembers():
    """The same stones: an overline wins in freestyle alone."""
    solver = Solver()
    black, white = parse_moves("c3d3e3g3h3", 15), parse_moves("c9e9g9i9b3", 15)
    for _ in range(2):
        for rule, answer in (("freestyle", Answer.FOUND), ("standard", Answer.REFUTED)):
            board = Board.from_stones(black, [*white, 0], rule=rule, to_move=1, balanced=False)
            assert answer is solver.vcf(board).answer


def test_S4_37_a_chain_of_fours_is_one_line_to_the_solver():
    for position in load_positions():
        if position.kind == "vcf":
            solution = solve_vcf(position.board, every=True)
            assert Answer.FOUND is solution.answer
            assert position.best == tuple(sorted(solution.moves))
            for win in solution.wins:
                assert win.plies >= 5
                assert len(win.line) == win.plies
                assert chain_problem(position.board, win.line) is None


def test_S4_37_textbook_misses_a_chain_of_fours_that_lab_shows_as_one_line():
    chains = [position for position in load_positions() if position.kind == "vcf"]
    player = make_player("textbook/depth3")
    player.new_game(np.random.SeedSequence(1))
    missed = sum(player.choose(position.board).move not in position.best for position in chains)
    assert 1 <= missed
    engine = Engine(resolve("lab/max").config)
    for position in chains:
        found = engine.analyse(position.board)
        assert "vcf" == found.gate
        assert found.move in position.best
        assert len(found.pv) >= 5
        assert chain_problem(position.board, found.pv) is None


def test_of_several_fives_all_are_first_moves():
    board = Board.from_moves("c3c9d3d9e3e9f3o15")
    solution = solve_vcf(board, every=True)
    assert {"b3", "g3"} == names(board, solution.moves)
    assert {1} == {win.plies for win in solution.wins}


@pytest.mark.parametrize("board", [Board(), Board.from_moves("h8"), Board.from_moves("h8i9")])
def test_where_there_is_no_four_nothing_is_placed(board):
    solution = solve_vcf(board)
    assert (Answer.REFUTED, 0, ()) == (solution.answer, solution.nodes, solution.moves)
    assert solution.complete


def test_a_finished_game_and_an_empty_budget_are_refused():
    won = Board.from_moves("a1b1a2b2a3b3a4b4a5")
    with pytest.raises(ValueError, match="the game is over"):
        solve_vcf(won)
    with pytest.raises(ValueError, match=r"nodes must be a whole number 1\.\.\d+: 0$"):
        solve_vcf(Board(), nodes=0)


# --- the checker -----------------------------------------------------------------------------


CHAIN = Board.from_moves("c3a1d3a3e3a5h8c14h9e14h10g14")
"""Black has three in a row twice; f3 makes an open four."""


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("f3b3g3", None),
        ("f3g3b3", None),
        ("f3", "the line does not end with five"),
        ("f3b3", "the line does not end with five"),
        ("f3o15b3", "move 2, o15: no answer"),
        ("k5", "move 1, k5: no four"),
        ("c3", "move 1, c3: the point is not empty"),
        ("f3b3k5", "the line does not end with five"),
        ("f3b3g3h7", "move 4, h7: the game is over"),
    ],
)
def test_the_checker_takes_only_lines_that_force_five(line, problem):
    found = chain_problem(CHAIN, parse_moves(line, 15))
    assert found is None if problem is None else (found and problem in found)


def test_the_checker_refuses_a_four_that_overlooks_a_five():
    board = Board.from_moves("c3h8d3h9e3h10o15h11")
    found = chain_problem(board, parse_moves("f3g3b3", 15))
    assert found == "move 1, f3: the defender can complete five"


def test_the_checker_finds_the_five_points_of_brute_force():
    for seed in range(200):
        board = scattered_board(seed)
        lines, own, other = board_sets(board)
        stones = naive.Stones.of(board)
        found = lines.moves(five_points(lines, own, other))
        assert naive.five_points(stones, board.to_move) == found
        found = lines.moves(five_points(lines.turned, other, own))
        assert naive.five_points(stones, 3 - board.to_move) == found


class TestTheView:
    """What a notebook and a terminal show of a solution."""

    def test_a_win_is_shown_on_the_board_move_by_move(self):
        found = solve_vcf(Board.from_moves("h8a1h9a3h10a5"), every=True)
        html = found._repr_html_()
        for number in range(1, len(found.wins[0].line) + 1):
            assert f">{number}</text>" in html
        for win in found.wins:
            assert " ".join(move_name(move, 15) for move in win.line) in html
        assert "found: a victory by continuous fours" in html
        assert "<td>refuted</td>" in html
        assert repr(found).startswith("<Solution vcf found, h")

    def test_what_was_not_decided_is_not_called_refuted(self):
        refuted = solve_vcf(Board.from_moves("h8i9"))
        assert "refuted: no chain of fours wins" in refuted._repr_html_()
        spent = solve_vct(Board.from_moves("h8a1h9a3j7a15k7o1"), nodes=1)
        assert "not decided: the budget is spent" in spent._repr_html_()
        assert "refuted" not in spent._repr_html_()
        assert "wins" not in spent._repr_html_()
