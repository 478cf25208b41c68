"""The threat solver: whether the side to move wins by force, and by which first moves.

A search by fours alone (VCF) is complete: it finds a win, refutes every one, or says that its
budget is spent. A search by threats (VCT) finds wins against all defences; what it refutes is a win
by the threats that it tries. Every win is replayed by `game.forced`, from the rules alone, before
it is told.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final

import numpy as np

from gomoku_lab.engine.compiling import tell_compiling
from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.engine.proofs import ThreatSearch, longest_line, proof_plies
from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import as_board, diagram
from gomoku_lab.game.forced import Proof, chain_problem, proof_problem
from gomoku_lab.game.notation import move_name
from gomoku_lab.game.rules import colour_name, opponent
from gomoku_lab.kernels import layout

SCHEMA_VERSION: Final = 1
NODES: Final = 1_000_000
"""Stones that a search may place where nothing else is said."""
_TABLE_BITS: Final = 18
_PROOF_BITS: Final = 19
_CONFIG: Final = EngineConfig(depth=1, table_bits=0)


class Answer(StrEnum):
    """What a search for a forced win answers."""

    FOUND = "found"
    REFUTED = "refuted"
    SPENT = "spent"


@dataclass(frozen=True, slots=True)
class ForcedWin:
    """A first move that wins by force.

    Attributes
    ----------
    move : int
        Flat index.
    plies : int
        Until five along the line, this move included.
    line : tuple of int
        The moves of both sides to five, this move first. Under renju it may end with a four that
        Black may not answer. After threats the defender's moves are those that hold out longest
        in the proof that was found; it ends sooner where none makes a difference.
    """

    move: int
    plies: int
    line: tuple[int, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Solution:
    """What the solver says of a position.

    Attributes
    ----------
    board : Board
    search : str
        ``vcf``: wins by continuous fours; ``vct``: wins by continuous threats.
    answer : Answer
        ``refuted`` says that no chain of fours wins, or no threats of those that were tried;
        ``spent`` says nothing of the position.
    wins : tuple of ForcedWin
        The first moves that were found to win, the shortest win first; replayed by the rules.
    every : bool
        Whether all first moves that win were asked for.
    complete : bool
        Whether every first move that is not among `wins` is refuted: never said of threats found.
    shortest : bool
        Whether no win of this kind is shorter than the first of `wins`.
    nodes : int
        Stones placed.
    time_ms : float
    """

    board: Board
    search: str
    answer: Answer
    wins: tuple[ForcedWin, ...]
    every: bool
    complete: bool
    shortest: bool
    nodes: int
    time_ms: float

    @property
    def moves(self) -> tuple[int, ...]:
        """Give the first moves that win, as flat indices."""
        return tuple(win.move for win in self.wins)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        size = self.board.size
        return {
            "schema": SCHEMA_VERSION,
            "search": self.search,
            "answer": str(self.answer),
            "rule": str(self.board.rule),
            "size": size,
            "to_move": colour_name(self.board.to_move),
            "moves": [move_name(win.move, size) for win in self.wins],
            "complete": self.complete,
            "shortest": self.shortest,
            "wins": [
                {
                    "move": move_name(win.move, size),
                    "plies": win.plies,
                    "line": [move_name(move, size) for move in win.line],
                }
                for win in self.wins
            ],
            "nodes": self.nodes,
            "time_ms": self.time_ms,
            "diagram": diagram(self.board),
        }

    def __repr__(self) -> str:
        from gomoku_lab.engine.solution_view import solution_summary

        return f"<Solution {solution_summary(self)}>"

    def _repr_html_(self) -> str:
        from gomoku_lab.engine.solution_view import solution_html

        return solution_html(self)


class Solver:
    """A state and a table that several questions share; what one finds out serves the next."""

    def __init__(self, *, table_bits: int = _TABLE_BITS, proof_bits: int = _PROOF_BITS) -> None:
        _tell_compiling()
        self._state = WorkingState(_CONFIG)
        self._table = np.zeros(1 << table_bits, layout.CHAIN)
        self._proofs: Any = None
        self._proof_bits = proof_bits
        self._nodes = 0
        self._limit = 0

    def vcf(self, board: Board, *, nodes: int = NODES, every: bool = False) -> Solution:
        """Look for a victory by continuous fours of the side to move.

        Parameters
        ----------
        board : Board
            The game must go on.
        nodes : int, optional
            Stones that may be placed.
        every : bool, optional
            Find all first moves that win so, not one alone. Where the side to move has a five,
            these are its fives.

        Raises
        ------
        ValueError
            If the game is over, or `nodes` is not in 1..2^62.
        RuntimeError
            If the rules do not bear out a win that was found: a fault in the solver.
        """
        started = time.perf_counter()
        _check(board, nodes)
        self._state.set_up(board)
        self._nodes, self._limit = 0, nodes
        plies, shortest = self._plies()
        wins: tuple[ForcedWin, ...] = ()
        complete = plies == _no_chain()
        if plies > 0 and not every:
            wins = (self._win(board, plies),)
        elif plies > 0:
            wins, complete = self._every_win(board, plies)
        return Solution(
            board=board,
            search="vcf",
            answer=_answer(plies),
            wins=wins,
            every=every,
            complete=complete,
            shortest=shortest and plies > 0,
            nodes=self._nodes,
            time_ms=(time.perf_counter() - started) * 1000,
        )

    def vct(self, board: Board, *, nodes: int = NODES, every: bool = False) -> Solution:
        """Look for a victory by continuous threats of the side to move, against all defences.

        Parameters and errors are those of `vcf`. A chain of fours counts as well. With `every` each
        first move gets an equal share of the stones; which others win is never known for sure.
        """
        started = time.perf_counter()
        _check(board, nodes)
        self._state.set_up(board)
        search = ThreatSearch(self._state, self._table, self._proof_table(), nodes)
        answer, proofs = search.root(every=every)
        wins = tuple(
            sorted((_tree_win(board, proof) for proof in proofs), key=lambda w: (w.plies, w.move))
        )
        return Solution(
            board=board,
            search="vct",
            answer=Answer(answer),
            wins=wins,
            every=every,
            complete=answer == "refuted",
            shortest=False,
            nodes=search.nodes,
            time_ms=(time.perf_counter() - started) * 1000,
        )

    def vct_by(self, board: Board, move: int, *, nodes: int = NODES) -> ForcedWin | None:
        """Return the victory by continuous threats that begins with `move`, if one is found.

        Parameters and errors are those of `vcf`; the move must be legal. None says nothing.
        """
        _check(board, nodes)
        self._state.set_up(board)
        search = ThreatSearch(self._state, self._table, self._proof_table(), nodes)
        proof = search.try_move(self._state.cell(move), nodes)
        return None if proof is None else _tree_win(board, proof)

    def _proof_table(self) -> Any:
        """Return the table of proof numbers, made when it is first needed."""
        if self._proofs is None:
            self._proofs = np.zeros(1 << self._proof_bits, layout.PROOF)
        return self._proofs

    def _plies(self) -> tuple[int, bool]:
        """Return what the search for fours answers, and whether a win is the shortest.

        The shortest chain is looked for with half of the stones that are left; if that does not
        decide, any chain with the other half.
        """
        from gomoku_lab.kernels.vcf import UNKNOWN, shortest_vcf, vcf

        record = self._state.record
        for search, share in ((shortest_vcf, 2), (vcf, 1)):
            cap = (self._limit - self._nodes) // share
            plies = int(search(record, self._table, cap, layout.MAX_FOURS))
            self._nodes += int(record["vcf_nodes"])
            if plies != UNKNOWN:
                return plies, search is shortest_vcf
        return plies, False

    def _win(self, board: Board, plies: int, start: tuple[int, ...] = ()) -> ForcedWin:
        """Return the win of `plies` plies from the state's position on, replayed on `board`.

        `start` holds the moves that lead from `board` to that position.
        """
        from gomoku_lab.kernels.vcf import write_line

        record = self._state.record
        length = int(write_line(record, self._table, plies))
        return _chain_win(board, (*start, *self._state.moves(record["vcf_line"][:length])))

    def _every_win(self, board: Board, best: int) -> tuple[tuple[ForcedWin, ...], bool]:
        """Return all first moves that win by fours, and whether all others are refuted."""
        from gomoku_lab.kernels.forbidden import may_play
        from gomoku_lab.kernels.state import place, remove
        from gomoku_lab.kernels.threats import five_point

        record = self._state.record
        side = int(record["side"])
        if best == 1:
            return tuple(ForcedWin(move, 1, (move,)) for move in self._fives()), True
        wins, complete = [], True
        for cell in self._fours():
            place(record, cell)
            if not record["counts"][1 - side, layout.POINT_FIVE]:
                answer = int(five_point(record, side))
                if record["counts"][side, layout.POINT_FIVE] > 1 or may_play(record, answer):
                    place(record, answer)
                    plies, _ = self._plies()
                    if plies > 0:
                        wins.append(self._win(board, plies, self._state.moves((cell, answer))))
                    complete = complete and plies >= 0
                    remove(record)
                else:
                    wins.append(_chain_win(board, self._state.moves((cell,))))
            remove(record)
        return tuple(sorted(wins, key=lambda win: (win.plies, win.move))), complete

    def _fives(self) -> list[int]:
        """Return the five points of the side to move, as flat moves."""
        from gomoku_lab.kernels.state import point_class

        record = self._state.record
        side = int(record["side"])
        cells = np.flatnonzero(record["cells"] == layout.EMPTY).tolist()
        fives = [c for c in cells if point_class(record, c, side) == layout.POINT_FIVE]
        return [self._state.move(cell) for cell in fives]

    def _fours(self) -> list[int]:
        """Return the grid cells of the first moves to try: fours that answer a five point."""
        from gomoku_lab.kernels.threats import four_moves

        cells = np.zeros(layout.MAX_POINTS, np.int32)
        fours: list[int] = cells[: int(four_moves(self._state.record, cells))].tolist()
        return fours


def solve_vcf(board: Board | str, *, nodes: int = NODES, every: bool = False) -> Solution:
    """Look for a victory by continuous fours; `Solver.vcf` with a table of its own."""
    _load_fours()
    return Solver().vcf(as_board(board), nodes=nodes, every=every)


def solve_vct(board: Board | str, *, nodes: int = NODES, every: bool = False) -> Solution:
    """Look for a victory by continuous threats; `Solver.vct` with tables of its own."""
    _load_threats()
    return Solver().vct(as_board(board), nodes=nodes, every=every)


def warm_up(progress: Callable[[str], None] | None = None) -> None:
    """Load the solver's kernels; `progress`, or the log, is told before they are compiled."""
    _tell_compiling(progress)
    _load_fours()
    _load_threats()


def _tell_compiling(progress: Callable[[str], None] | None = None) -> None:
    tell_compiling("vct.prove", "compiling the solver, once, about 20 s", progress)


@cache
def _load_fours() -> None:
    """Load the kernels once, so that the time of a solution is that of its search."""
    solver = Solver(table_bits=10, proof_bits=10)
    solver.vcf(Board.from_moves("h8a1h9a3h10a5"), every=True)


@cache
def _load_threats() -> None:
    solver = Solver(table_bits=10, proof_bits=10)
    solver.vct(Board.from_moves("h8a1h9a3j7a15k7o1"), nodes=10_000)


def _check(board: Board, nodes: int) -> None:
    if board.is_over:
        raise ValueError("the game is over: there is nothing to solve")
    if not isinstance(nodes, int) or not 1 <= nodes <= layout.FOREVER:
        raise ValueError(f"nodes must be a whole number 1..{layout.FOREVER}: {nodes!r}")


def _chain_win(board: Board, line: tuple[int, ...]) -> ForcedWin:
    """Return a win by a chain of fours, once the rules bear it out."""
    problem = chain_problem(board, line)
    if problem:
        names = " ".join(move_name(move, board.size) for move in line)
        raise RuntimeError(f"the rules refute the chain of fours {names}: {problem}")
    # A four that cannot be answered is two plies from five.
    last = len(line) % 2 == 1 and _makes_five(board, line)
    return ForcedWin(line[0], len(line) if last else len(line) + 2, line)


def _makes_five(board: Board, line: tuple[int, ...]) -> bool:
    """Tell whether the last move of `line`, which its side plays, completes five."""
    cells = bytearray(board.cells)
    for index, move in enumerate(line[:-1]):
        cells[move] = board.to_move if index % 2 == 0 else opponent(board.to_move)
    before = Board(board.size, board.rule, bytes(cells), board.to_move)
    return before.play(line[-1]).winner != 0


def _tree_win(board: Board, proof: Proof) -> ForcedWin:
    """Return a win by threats, once the rules bear out its proof."""
    line = longest_line(proof)
    problem = proof_problem(board, proof)
    if problem:
        names = " ".join(move_name(move, board.size) for move in line)
        raise RuntimeError(f"the rules refute the threats {names}: {problem}")
    return ForcedWin(line[0], proof_plies(proof), line)


def _no_chain() -> int:
    from gomoku_lab.kernels.vcf import NO_CHAIN

    return NO_CHAIN


def _answer(plies: int) -> Answer:
    if plies > 0:
        return Answer.FOUND
    return Answer.REFUTED if plies == _no_chain() else Answer.SPENT
