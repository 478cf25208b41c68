"""What each kind of tactical position demands, and the proof of its answer from the rules alone.

Who wins by fours or threats too long to be searched out in plain Python is decided by the threat
solver, whose wins are replayed from the rules.

`prove` computes the complete set of right answers, `check` compares it with the set that a position
states. Nothing here asks for an engine's move; who can force five is decided by `forcing`. It reads
no files.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from gomoku_lab.engine.solve import Answer, Solver, solve_vcf
from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import move_name
from gomoku_lab.game.rules import BLACK, WIN_LENGTH, Rule, colour_name
from gomoku_lab.suite.forcing import (
    chain_moves,
    fives_of,
    fours_of,
    holding_moves,
    winning_moves,
)
from gomoku_lab.suite.positions import KIND_WIN_IN, Position

_SOLVER_NODES: Final = 4_000_000
"""Stones that the threat solver may place for one proof."""
NAIVE_VALUES: Final = (0, 0, 100, 1_000, 10_000, 100_000)
"""Value of a run of 0, 1, ... 5 stones, whatever stands at its ends: a beginner's table."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The answer that the rules give.

    Attributes
    ----------
    best : frozenset of int
        All right moves, as flat indices.
    problems : tuple of str
        Why the position is not of its kind; empty if it is.
    """

    best: frozenset[int]
    problems: tuple[str, ...] = ()


def naive_value(board: Board, move: int) -> int:
    """Return the run-length evaluation after `move`, seen from the side that plays it.

    Every stone reports the run it stands in, in each of the four directions: own runs count for
    it, the opponent's against it. Open ends and gaps play no part, so that a block alone is worth
    nothing. A line of more than five counts as five.
    """
    cells = bytearray(board.cells)
    cells[move] = board.to_move
    after = replace(board, cells=bytes(cells), moves=())
    total = 0
    for point, cell in enumerate(cells):
        if cell:
            value = sum(
                NAIVE_VALUES[min(len(line), WIN_LENGTH)] for line in after.lines_through(point)
            )
            total += value if cell == board.to_move else -value
    return total


def naive_top_moves(board: Board) -> frozenset[int]:
    """Return the moves with the highest `naive_value`: several if they are equal."""
    values = {move: naive_value(board, move) for move in board.empty_points()}
    top = max(values.values())
    return frozenset(move for move, value in values.items() if value == top)


def prove(board: Board, kind: str, win_in: int | None = None) -> Proof:
    """Return the complete set of right answers of a position of this kind.

    Parameters
    ----------
    board : Board
        The position; nobody may have won.
    kind : str
        One of `PROVABLE_KINDS`.
    win_in : int, optional
        Within how many own moves the side to move wins: only for ``exact-five``, which without it
        is a block, and ``forbidden``, which without it is a defence against a win within two. The
        other kinds have theirs by definition.

    Raises
    ------
    ValueError
        If this version has no proof for the kind.
    """
    if kind not in _PROVERS:
        raise ValueError(f"kind must be one of {', '.join(PROVABLE_KINDS)} to be proved: {kind!r}")
    if board.winner:
        return Proof(frozenset(), ("the game is won already",))
    if kind != "draw-board" and board.is_full:
        return Proof(frozenset(), ("the board is full",))
    if kind == "exact-five":
        return _prove_exact_five(board, win_in)
    if kind == "forbidden":
        return _prove_forbidden(board, win_in)
    return _PROVERS[kind](board)


def check(position: Position) -> tuple[str, ...]:
    """Return what is wrong with the answer that `position` states; nothing if it is proved."""
    if position.kind not in _PROVERS:
        return (f"this version has no proof for the kind {position.kind!r}",)
    proof = prove(position.board, position.kind, position.win_in)
    stated = frozenset(position.best)
    problems = list(proof.problems)
    if not problems:
        wrong, missing = stated - proof.best, proof.best - stated
        if wrong:
            problems.append(f"best holds wrong moves: {_names(position.board, wrong)}")
        if missing:
            problems.append(f"best is incomplete: {_names(position.board, missing)} missing")
    return tuple(problems)


def _names(board: Board, moves: frozenset[int]) -> str:
    return " ".join(move_name(move, board.size) for move in sorted(moves))


def _choice(board: Board, best: frozenset[int], problems: list[str]) -> Proof:
    """Add what every kind with a move to find demands: some moves are right, and some wrong."""
    if not problems and not best:
        problems.append("no move is right")
    if not problems and len(best) == len(board.empty_points()):
        problems.append("ambiguous: every move is right")
    return Proof(best, tuple(problems))


def _prove_win(board: Board, win_in: int) -> Proof:
    """Prove that the side to move forces five within `win_in` own moves, and not sooner."""
    problems = []
    sooner = winning_moves(board, win_in - 1)
    if sooner:
        problems.append(f"a win within {win_in - 1} exists already: {_names(board, sooner)}")
    best = winning_moves(board, win_in)
    if not best:
        problems.append(f"no move forces five within {win_in}")
    return _choice(board, best, problems)


def _prove_block(board: Board) -> Proof:
    """Prove that the opponent has exactly one five point, and the side to move none."""
    own, theirs = fives_of(board)
    problems = []
    if own:
        problems.append(f"the side to move has a five of its own: {_names(board, own)}")
    if len(theirs) != 1:
        found = _names(board, theirs) if theirs else "none"
        problems.append(f"the opponent must have exactly one five point: {found}")
    return _choice(board, theirs, problems)


def _prove_hold(board: Board, within: int) -> Proof:
    """Prove which moves keep the opponent from forcing five within `within` of his moves."""
    problems = []
    own, theirs = fives_of(board)
    fours = fours_of(board)
    if own:
        problems.append(f"the side to move has a five of its own: {_names(board, own)}")
    if fours:
        problems.append(f"the side to move has a four: {_names(board, fours)}")
    if theirs:
        problems.append(f"the opponent has a five point: {_names(board, theirs)}")
    return _choice(board, holding_moves(board, within), problems)


def _prove_quiet_block(board: Board) -> Proof:
    """Prove the defences against a win within three; extending the longest run is none."""
    proof = _prove_hold(board, 3)
    naive = naive_top_moves(board) & proof.best
    if naive and not proof.problems:
        return replace(proof, problems=(f"a naive top move is right: {_names(board, naive)}",))
    return proof


def _prove_vcf(board: Board) -> Proof:
    """Prove which fours begin a victory by continuous fours that is no win within two."""
    sooner = winning_moves(board, 2)
    problems = [f"a win within 2 exists already: {_names(board, sooner)}"] if sooner else []
    return _choice(board, chain_moves(board), problems)


def _prove_no_vcf(board: Board) -> Proof:
    """Prove that the side to move has fours, and that no chain of them wins.

    The solver refutes it, whose answers the tests hold against brute force.
    """
    problems = [] if fours_of(board) else ["the side to move has no four"]
    solution = solve_vcf(board, nodes=_SOLVER_NODES)
    if solution.answer is Answer.SPENT:
        problems.append(f"not decided with {_SOLVER_NODES} stones")
    if solution.wins:
        problems.append(f"a chain of fours wins: {_names(board, frozenset(solution.moves))}")
    return Proof(frozenset(), tuple(problems))


def _prove_vct(board: Board) -> Proof:
    """Prove which first moves begin a victory by threats where fours alone do not win.

    Each is proved against every legal reply; that there are no others is not.
    """
    solver = Solver()
    fours = solver.vcf(board, nodes=_SOLVER_NODES)
    problems = []
    if fours.answer is not Answer.REFUTED:
        problems.append(f"a victory by fours alone is not refuted: {fours.answer}")
    best = frozenset(solver.vct(board, nodes=_SOLVER_NODES, every=True).moves)
    return _choice(board, best, problems)


def _prove_draw(board: Board) -> Proof:
    return Proof(frozenset(), () if board.is_full else ("the board is not full",))


def _prove_exact_five(board: Board, win_in: int | None) -> Proof:
    """Prove a win or a block under the standard rule that freestyle would answer otherwise."""
    if not board.rule.exact_five:
        return Proof(frozenset(), (f"exact-five needs the rule standard: {board.rule}",))
    freestyle = Board(board.size, Rule.FREESTYLE, board.cells, board.to_move)
    proof = _prove_block(board) if win_in is None else _prove_win(board, win_in)
    if proof.problems or freestyle.winning_stones():
        return proof
    other = _prove_block(freestyle) if win_in is None else _prove_win(freestyle, win_in)
    if not other.problems and other.best == proof.best:
        return replace(proof, problems=("ambiguous: freestyle gives the same answer",))
    return proof


def _prove_forbidden(board: Board, win_in: int | None) -> Proof:
    """Prove a win or a defence of Black's where freestyle has one that renju forbids."""
    if board.rule is not Rule.RENJU or board.to_move != BLACK:
        side = colour_name(board.to_move)
        return Proof(
            frozenset(), (f"forbidden needs renju and black to move: {board.rule}, {side}",)
        )
    freestyle = Board(board.size, Rule.FREESTYLE, board.cells, board.to_move)
    if freestyle.winner:
        return Proof(frozenset(), ("under freestyle the game is won already",))
    if win_in is None:
        proof, other = _prove_hold(board, 2), holding_moves(freestyle, 2)
    else:
        proof, other = _prove_win(board, win_in), winning_moves(freestyle, win_in)
    if not proof.problems and other.isdisjoint(board.forbidden_points()):
        return replace(proof, problems=("no move that freestyle finds right is forbidden",))
    return proof


_PROVERS: Final[dict[str, Callable[[Board], Proof]]] = {
    "must-win": lambda board: _prove_win(board, KIND_WIN_IN["must-win"]),
    "must-block": _prove_block,
    "open-four": lambda board: _prove_win(board, KIND_WIN_IN["open-four"]),
    "break-open-four": lambda board: _prove_hold(board, 2),
    "draw-board": _prove_draw,
    "four-three": lambda board: _prove_win(board, KIND_WIN_IN["four-three"]),
    "double-three": lambda board: _prove_win(board, KIND_WIN_IN["double-three"]),
    "exact-five": lambda board: _prove_exact_five(board, None),
    "forbidden": lambda board: _prove_forbidden(board, None),
    "vcf": _prove_vcf,
    "no-vcf": _prove_no_vcf,
    "vct": _prove_vct,
    "quiet-block": _prove_quiet_block,
}
PROVABLE_KINDS: Final = tuple(_PROVERS)
"""The kinds that this version can prove."""
