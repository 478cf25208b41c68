"""The solver of threats: what it finds is proved from the rules, what is within three it finds."""

import random

import pytest
from test_solve import scattered_board

from gomoku_lab.engine.proofs import ThreatSearch, longest_line, proof_plies
from gomoku_lab.engine.solve import Answer, Solver, solve_vct
from gomoku_lab.game.board import Board
from gomoku_lab.game.forced import Proof, proof_problem
from gomoku_lab.game.notation import parse_move
from gomoku_lab.game.rules import Rule
from gomoku_lab.suite.forcing import winning_moves
from gomoku_lab.suite.positions import load_positions

NODES = 20_000
CROSS = "h8a1h9a3j7a15k7o1"
"""Two twos of black's that meet: a double three wins."""


@pytest.fixture(scope="module")
def solver():
    return Solver(table_bits=14, proof_bits=14)


def loose_board(seed):
    """Return a board with a few stones close together, on which threats may win."""
    draw = random.Random(seed)
    while True:
        size, rule = draw.choice((8, 9, 10)), draw.choice(tuple(Rule))
        board = Board(size=size, rule=rule)
        points = [row * size + col for row in range(1, 7) for col in range(1, 7)]
        for move in draw.sample(points, draw.randint(6, 13)):
            if board.is_over or move not in board.legal_points():
                break
            board = board.play(move)
        else:
            if not board.is_over:
                return board


def test_what_is_won_within_three_moves_is_found(solver):
    found = 0
    for seed in range(200):
        board = loose_board(seed)
        winning = winning_moves(board, 3)
        solution = solver.vct(board, nodes=NODES)
        if winning:
            found += 1
            assert Answer.FOUND is solution.answer, board
    assert found >= 20


def test_the_shipped_wins_are_found_with_the_right_first_moves(solver):
    kinds = ("must-win", "open-four", "four-three", "double-three", "vcf")
    for position in load_positions():
        if position.kind in kinds:
            solution = solver.vct(position.board, nodes=10 * NODES)
            assert Answer.FOUND is solution.answer, position.id
            assert solution.wins[0].line[0] == solution.moves[0]
            if position.kind != "vcf":
                assert solution.wins[0].plies >= 2 * position.win_in - 1


def test_all_first_moves_that_are_found_are_wins_of_brute_force_on_wins_within_three(solver):
    for position in load_positions():
        if position.kind == "double-three":
            solution = solver.vct(position.board, nodes=20 * NODES, every=True)
            assert set(position.best) <= set(solution.moves), position.id


def test_where_nothing_can_be_threatened_threats_are_refuted(solver):
    solution = solver.vct(Board.from_moves("h8i9"), nodes=NODES)
    assert (Answer.REFUTED, (), True) == (solution.answer, solution.moves, solution.complete)


def test_a_spent_budget_says_nothing(solver):
    solution = solve_vct(Board.from_moves(CROSS), nodes=1)
    assert (Answer.SPENT, ()) == (solution.answer, solution.moves)
    assert not solution.complete


def test_tiny_tables_find_no_other_answer_but_may_say_spent(solver):
    small = Solver(table_bits=2, proof_bits=6)
    for seed in range(40):
        board = loose_board(seed)
        first, second = solver.vct(board, nodes=NODES), small.vct(board, nodes=NODES)
        assert {first.answer, second.answer} != {Answer.FOUND, Answer.REFUTED}, board


# --- the checker -----------------------------------------------------------------------------


def proof_of(board):
    """Return the proof that the solver finds, before anybody has checked it."""
    solver = Solver(table_bits=12, proof_bits=12)
    solver._state.set_up(board)
    search = ThreatSearch(solver._state, solver._table, solver._proof_table(), 10 * NODES)
    answer, proofs = search.root(every=False)
    assert answer == "found"
    return proofs[0]


def test_the_checker_takes_the_solvers_proof_and_no_tampered_one():
    board = Board.from_moves(CROSS)
    proof = proof_of(board)
    assert proof_problem(board, proof) is None
    assert longest_line(proof)[0] == proof.move
    without = Proof(proof.chain, proof.move, {})
    assert "of the chain" in proof_problem(board, without)
    pointless = Proof(proof.chain, parse_move("o15", 15), proof.replies)
    assert proof_problem(board, pointless) is not None
    taken = Proof(proof.chain, parse_move("h8", 15), proof.replies)
    assert proof_problem(board, taken) == "after no move: h8 may not be played"
    assert proof_problem(board, Proof(())) is not None


def test_the_checker_asks_for_every_reply():
    """With any one answer taken out, the chain has to stand in for it, and mostly cannot."""
    board = Board.from_moves(CROSS)
    proof = proof_of(board)
    refused = 0
    for reply in proof.replies:
        rest = {move: answer for move, answer in proof.replies.items() if move != reply}
        refused += proof_problem(board, Proof(proof.chain, proof.move, rest)) is not None
    assert refused >= 2


def test_random_wins_by_threats_pass_the_checker():
    """`Solver.vct` raises if one does not."""
    solver = Solver(table_bits=12, proof_bits=14)
    answers = [solver.vct(scattered_board(seed), nodes=3_000).answer for seed in range(80)]
    assert answers.count(Answer.FOUND) >= 10


def test_the_line_of_a_proof_ends_where_no_reply_makes_a_difference_and_its_plies_do_not():
    four, chain = Proof((), 0), Proof((5, 6, 7))
    threat = Proof((1, 2, 3), 0)
    assert ((0,), 3) == (longest_line(four), proof_plies(four))
    assert ((0,), 5) == (longest_line(threat), proof_plies(threat))
    assert ((5, 6, 7), 3) == (longest_line(chain), proof_plies(chain))
    tree = Proof((1, 2, 3), 0, {1: chain, 4: threat})
    assert ((0, 4, 0), 7) == (longest_line(tree), proof_plies(tree))
