"""Replay what a solver claims, from the rules alone: whether a line, or a tree, forces five.

It searches nothing and knows no engine: it looks where a stone would complete a five, and holds
every reply of the defender's against that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from gomoku_lab.game.board import Board
from gomoku_lab.game.grid import (
    Grid,
    board_sets,
    five_points,
    four_candidates,
    grid_cells,
    is_allowed,
    is_stuck,
    single_points,
)
from gomoku_lab.game.notation import move_name
from gomoku_lab.game.renju import stays_allowed

_Problem = tuple[int, str] | None
"""The index of the move that is wrong and why, or None."""


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """Why the side to move, the attacker, wins by force.

    Attributes
    ----------
    chain : tuple of int
        A chain of fours, both sides' moves. Without a `move` the attacker wins by it at once; with
        one it is what he threatens: he wins by it after every reply that is not in `replies`.
    move : int or None
        The attacker's move, as a flat index.
    replies : mapping
        The defender's replies that have a proof of their own. After a four only the answer counts.
    """

    chain: tuple[int, ...]
    move: int | None = None
    replies: Mapping[int, Proof] = field(default_factory=dict)


def chain_problem(board: Board, line: Sequence[int]) -> str | None:
    """Return why `line` is no victory by continuous fours, or None if it is one.

    Parameters
    ----------
    board : Board
        The attacker is to move.
    line : sequence of int
        Flat indices: a four, the answer to it, and so on; last the attacker's five, or a four whose
        answer renju does not let Black play.

    Every four must leave the defender without a five of his own, so that he loses at once unless
    he takes the attacker's five point; where there is one alone, the line must go on from there.
    """
    if board.winner:
        return "the game is over"
    lines, own, other = board_sets(board)
    for index, move in enumerate(line):
        if not 0 <= move < board.size**2:
            return f"move {index + 1}: {move} is no point of the board"
    problem = _chain(lines, own, other, tuple(lines.bit(move) for move in line))
    if problem is None:
        return None
    index, why = problem
    name = move_name(line[index], board.size) if index < len(line) else "the end"
    return f"move {index + 1}, {name}: {why}"


def _chain(lines: Grid, own: int, other: int, line: Sequence[int]) -> _Problem:
    """Return what is wrong with a chain of fours of `own`, who is to move."""
    rival = lines.turned
    for index in range(0, len(line), 2):
        move = line[index]
        if move & (own | other):
            return index, "the point is not empty"
        if move & five_points(lines, own, other):
            return None if index == len(line) - 1 else (index + 1, "the game is over")
        if not is_allowed(lines, own, other, move):
            return index, "the move is forbidden"
        own |= move
        if five_points(rival, other, own):
            return index, "the defender can complete five"
        fives = five_points(lines, own, other)
        if not fives:
            return index, "no four"
        if index == len(line) - 1:
            answered = any(is_allowed(rival, other, own, point) for point in single_points(fives))
            return (index + 1, "the line does not end with five") if answered else None
        if not line[index + 1] & fives:
            return index + 1, "no answer"
        other |= line[index + 1]
    return len(line), "the line does not end with five"


def _touched(lines: Grid, own: int, other: int, line: Sequence[int]) -> int | None:
    """Return the points off which one more stone of the defender's leaves a chain as it is.

    These are the points of the chain, all five points of the attacker's along it, and the points
    where the stone would give the defender a five point: empty ones of windows with three stones of
    his and none of the attacker's. None if a stone anywhere might matter, for what renju forbids
    decides the chain, or if the chain is wrong as it stands.
    """
    if _chain(lines, own, other, line) is not None:
        return None
    found = 0
    for index in range(0, len(line), 2):
        move = line[index]
        found |= move
        if move & five_points(lines, own, other):
            return found
        if lines.restricted:
            cells = grid_cells(lines, own, other)
            if not stays_allowed(cells, lines.size, lines.move(move)):
                return None
        own |= move
        found |= four_candidates(lines.turned, other, own) | five_points(lines, own, other)
        if index + 1 < len(line):
            other |= line[index + 1]
    return None


def proof_problem(
    board: Board, proof: Proof, *, in_time: Callable[[], bool] | None = None
) -> str | None:
    """Return why `proof` proves no forced win of the side to move, or None if it proves one.

    Every legal reply of the defender's is considered at every move, whatever the solver tried; the
    chain that is threatened is replayed for all those at once that provably leave it as it is.

    Parameters
    ----------
    board : Board
    proof : Proof
    in_time : callable, optional
        Asked at each move of the attacker's; once it says no, that is the problem.
    """
    if board.winner:
        return "the game is over"
    return _Checker(board, in_time).problem(proof)


class _Checker:
    """Holds one tree against the rules; what several orders of moves share is checked once."""

    def __init__(self, board: Board, in_time: Callable[[], bool] | None) -> None:
        self._lines, self._own, self._other = board_sets(board)
        self._in_time = in_time
        self._passed: set[tuple[int, int, int]] = set()
        self._path: list[int] = []

    def problem(self, proof: Proof) -> str | None:
        why = self._attack(proof, self._own, self._other)
        if why is None:
            return None
        size = self._lines.size
        line = " ".join(move_name(self._lines.move(point), size) for point in self._path)
        return f"after {line or 'no move'}: {why}"

    def _attack(self, proof: Proof, own: int, other: int) -> str | None:
        """Return what is wrong with a proof of `own`, who is to move; ``_path`` leads there."""
        known = (own, other, id(proof))
        if known in self._passed:
            return None
        if self._in_time is not None and not self._in_time():
            return "the time for the check is over"
        lines = self._lines
        if proof.move is None:
            why = self._chain(proof, own, other)
        else:
            move = lines.bit(proof.move)
            if move & (own | other) or not is_allowed(lines, own, other, move):
                return f"{move_name(proof.move, lines.size)} may not be played"
            self._path.append(move)
            why = None
            if not move & five_points(lines, own, other):
                why = self._defend(proof, own | move, other)
            if why is None:
                self._path.pop()
        if why is None:
            self._passed.add(known)
        return why

    def _chain(self, proof: Proof, own: int, other: int) -> str | None:
        line = tuple(self._lines.bit(move) for move in proof.chain)
        problem = _chain(self._lines, own, other, line)
        return None if problem is None else f"move {problem[0] + 1} of the chain: {problem[1]}"

    def _defend(self, proof: Proof, own: int, other: int) -> str | None:
        """Return what is wrong with the answers to the defender's replies."""
        lines, rival = self._lines, self._lines.turned
        if five_points(rival, other, own):
            return "the defender can complete five"
        fives = five_points(lines, own, other)
        if fives.bit_count() > 1:
            return None
        replies = fives or lines.points & ~(own | other)
        if not replies:
            return "the board is full"
        if not fives and is_stuck(rival, other, own):
            return self._chain(proof, own, other)
        line = tuple(lines.bit(move) for move in proof.chain)
        touched = None if fives else _touched(lines, own, other, line)
        for reply in single_points(replies):
            answer = proof.replies.get(lines.move(reply))
            if touched is not None and answer is None and not reply & touched:
                continue
            if not is_allowed(rival, other, own, reply):
                continue
            self._path.append(reply)
            if answer is not None:
                why = self._attack(answer, own, other | reply)
            elif fives:
                why = "the answer to a four has no proof"
            else:
                why = self._chain(proof, own, other | reply)
            if why is not None:
                return why
            self._path.pop()
        return None
