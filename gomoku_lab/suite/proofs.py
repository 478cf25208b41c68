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
from gomoku_lab.game.renju import prohibition
from gomoku_lab.game.rules import WHITE, WIN_LENGTH, Rule
from gomoku_lab.suite.breaking import Defences, UndecidedError
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
_OTHER_NODES: Final = 300_000
"""The same for a move that a player chose instead of those that are stated."""
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
        is a block, ``forbidden``, which without it is a defence against a win within two, and
        ``vcf``, where it is checked if it is stated. The other kinds have theirs by definition.

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
    if kind == "vcf":
        return _prove_vcf(board, win_in)
    return _PROVERS[kind](board)


def check(position: Position) -> tuple[str, ...]:
    """Return what is wrong with the answer that `position` states; nothing if it is proved."""
    if position.kind not in _PROVERS:
        return (f"this version has no proof for the kind {position.kind!r}",)
    if not position.complete:
        return _check_stated(position)
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


def _prove_vcf(board: Board, win_in: int | None) -> Proof:
    """Prove which fours begin a victory by continuous fours that is no win within two.

    The shortest one completes five with the own move number `win_in`, if that is stated.
    """
    sooner = winning_moves(board, 2)
    problems = [f"a win within 2 exists already: {_names(board, sooner)}"] if sooner else []
    best = chain_moves(board)
    if win_in is not None and best and not problems:
        found = solve_vcf(board, nodes=_SOLVER_NODES)
        shortest = (found.wins[0].plies + 1) // 2 if found.wins and found.shortest else None
        if shortest != win_in:
            problems.append(f"the shortest chain wins within {shortest}, not {win_in}")
    return _choice(board, best, problems)


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


def _prove_break_vcf(board: Board) -> Proof:
    """Prove which moves break every chain of fours by which the opponent would win."""
    problems = []
    own, theirs = fives_of(board)
    if theirs:
        problems.append(f"the opponent has a five point: {_names(board, theirs)}")
    solver = Solver()
    mine = solver.vcf(board, nodes=_SOLVER_NODES)
    if own or mine.answer is not Answer.REFUTED:
        problems.append(f"a victory by fours of one's own is not refuted: {mine.answer}")
    if problems:
        return Proof(frozenset(), tuple(problems))
    defences = Defences(_SOLVER_NODES, solver)
    try:
        if not defences.threat(board):
            problems.append("the opponent threatens no victory by fours")
        best = defences.breaking(board)
    except UndecidedError:
        return Proof(frozenset(), (f"not decided with {_SOLVER_NODES} stones",))
    return _choice(board, best, problems)


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


def _check_stated(position: Position) -> tuple[str, ...]:
    """Check a victory by threats of which not all first moves are said to be stated."""
    board, solver = position.board, Solver()
    fours = solver.vcf(board, nodes=_SOLVER_NODES)
    if fours.answer is not Answer.REFUTED:
        return (f"a victory by fours alone is not refuted: {fours.answer}",)
    wrong = {
        move for move in position.best if solver.vct_by(board, move, nodes=_SOLVER_NODES) is None
    }
    return (f"no threats are found that win by {_names(board, frozenset(wrong))}",) if wrong else ()


def wins_as_well(position: Position, move: int) -> bool:
    """Tell whether a move that `position` does not state is proved to win by threats, too.

    That is only asked where the position does not say that its moves are all.
    """
    if position.complete:
        return False
    return Solver().vct_by(position.board, move, nodes=_OTHER_NODES) is not None


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
    """Prove a win, or a defence of Black's, that what is forbidden for Black decides.

    Either a move that freestyle finds right is forbidden; or a right move only seems to be, to
    whoever takes a false three for a three; or White wins, as he would not if nothing were.
    """
    if board.rule is not Rule.RENJU:
        return Proof(frozenset(), (f"forbidden needs the rule renju: {board.rule}",))
    if board.to_move == WHITE and win_in is None:
        return Proof(frozenset(), ("forbidden needs win_in where white is to move",))
    freestyle = Board(board.size, Rule.FREESTYLE, board.cells, board.to_move)
    if freestyle.winner:
        return Proof(frozenset(), ("under freestyle the game is won already",))
    if win_in is None:
        proof, other = _prove_hold(board, 2), holding_moves(freestyle, 2)
    else:
        proof, other = _prove_win(board, win_in), winning_moves(freestyle, win_in)
    if proof.problems:
        return proof
    if board.to_move == WHITE:
        same = proof.best & other
        why = f"white wins by {_names(board, same)} even if nothing is forbidden" if same else ""
    elif other.isdisjoint(board.forbidden_points()) and not _seeming(board, proof.best):
        why = "no move that freestyle finds right is forbidden, and no right move seems to be"
    else:
        why = ""
    return replace(proof, problems=(why,)) if why else proof


def _seeming(board: Board, moves: frozenset[int]) -> frozenset[int]:
    """Return those of Black's `moves` that are forbidden if every three counts."""
    return frozenset(
        move for move in moves if prohibition(board.cells, board.size, move, depth=0) is not None
    )


_PROVERS: Final[dict[str, Callable[[Board], Proof]]] = {
    "must-win": lambda board: _prove_win(board, KIND_WIN_IN["must-win"]),
    "must-block": _prove_block,
    "open-four": lambda board: _prove_win(board, KIND_WIN_IN["open-four"]),
    "break-open-four": lambda board: _prove_hold(board, 2),
    "break-vcf": _prove_break_vcf,
    "draw-board": _prove_draw,
    "four-three": lambda board: _prove_win(board, KIND_WIN_IN["four-three"]),
    "double-three": lambda board: _prove_win(board, KIND_WIN_IN["double-three"]),
    "exact-five": lambda board: _prove_exact_five(board, None),
    "forbidden": lambda board: _prove_forbidden(board, None),
    "vcf": lambda board: _prove_vcf(board, None),
    "no-vcf": _prove_no_vcf,
    "vct": _prove_vct,
    "quiet-block": _prove_quiet_block,
}
PROVABLE_KINDS: Final = tuple(_PROVERS)
"""The kinds that this version can prove."""
