"""The threat layer: five, block, open four, break an open four, and the search for fours.

Gates look at the stones and the side to move alone: neither depth, width, noise nor the table
changes what they answer. A time budget, where one is set, only shortens their searches for fours.
They stand before the search and never call it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gomoku_lab.engine.analysis import Analysis
from gomoku_lab.engine.chains import find_chain, node_cap, search_chain
from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.game.board import Board
from gomoku_lab.kernels import layout


@dataclass(frozen=True, slots=True)
class GateAnswer:
    """What a gate decided.

    Attributes
    ----------
    cell : int
        Grid cell to play.
    gate : str
        ``five``, ``block``, ``open-four``, ``break-open-four``, ``vcf`` or ``vct``.
    proven : int or None
        Plies within which the gate proves the end: positive for a win, negative for a loss.
    line : tuple of int
        Grid cells of the line that proves it, starting with `cell`.
    """

    cell: int
    gate: str
    proven: int | None = None
    line: tuple[int, ...] = ()


def gate_analysis(board: Board, state: WorkingState, answer: GateAnswer) -> Analysis:
    """Return the analysis of `board`, set up in `state`, that a gate's answer amounts to.

    Fours or threats prove a win, but a shorter one may exist: they get no score and no `mate`.
    """
    moves = _playable(board, state.moves(answer.line or (answer.cell,)))
    exact = None if answer.gate in ("vcf", "vct") else answer.proven
    return Analysis(
        board=board,
        move=moves[0],
        gate=answer.gate,
        score=None if exact is None else _mate_score(exact),
        mate=exact,
        proven=answer.proven,
        pv=moves,
    )


def _playable(board: Board, moves: tuple[int, ...]) -> tuple[int, ...]:
    """Return the line up to a block that renju forbids: there the defender is lost."""
    for index, move in enumerate(moves):
        try:
            board = board.play(move)
        except ValueError:
            return moves[:index]
    return moves


def _mate_score(plies: int) -> int:
    """Return the score of a win (positive) or loss (negative) in that many plies."""
    return layout.MATE - plies if plies > 0 else -(layout.MATE + plies)


def win_now(state: WorkingState) -> GateAnswer | None:
    """Return the first gate's answer: the own five that comes first in one-move order, or None."""
    from gomoku_lab.kernels.threats import best_of_class

    record = state.record
    own = int(record["side"])
    if not record["counts"][own, layout.POINT_FIVE]:
        return None
    return GateAnswer(int(best_of_class(record, own, layout.POINT_FIVE)), "five", 1)


def block_now(state: WorkingState) -> GateAnswer | None:
    """Return the second gate's answer: the opponent's five point to take, or None.

    Of two five points the first in one-move order is taken and the loss is reported; as it is if
    renju lets Black take none, where the first candidate is played.
    """
    from gomoku_lab.kernels.threats import best_of_class

    record = state.record
    other = 1 - int(record["side"])
    fives = int(record["counts"][other, layout.POINT_FIVE])
    if not fives:
        return None
    cell = int(best_of_class(record, other, layout.POINT_FIVE))
    if cell < 0:
        return GateAnswer(int(state.ranked()[0]), "block", -2)
    return GateAnswer(cell, "block", -2 if fives > 1 else None)


def decide(
    state: WorkingState, config: EngineConfig, *, deadline_ns: int = layout.FOREVER
) -> GateAnswer | None:
    """Return what the first gate that fires answers, or None.

    The order is fixed: five, block, open four, the own chain of fours (only with ``vcf_nodes``),
    break the opponent's open four. The last is left to the search where that is selective, or where
    it gets the exact defence (``defence_nodes``).

    Parameters
    ----------
    state : WorkingState
        The same position afterwards.
    config : EngineConfig
    deadline_ns : int, optional
        The monotonic clock's value by which searches for fours should be over: they get fewer
        nodes then. Without it the answer depends on position and configuration alone.
    """
    from gomoku_lab.kernels.threats import best_of_class

    record = state.record
    own = int(record["side"])
    other = 1 - own
    counts = record["counts"]
    answer = win_now(state) or block_now(state)
    if answer is not None:
        return answer
    if counts[own, layout.POINT_OPEN_FOUR]:
        return GateAnswer(int(best_of_class(record, own, layout.POINT_OPEN_FOUR)), "open-four", 3)
    if config.vcf_nodes:
        chain = find_chain(state, node_cap(config.vcf_nodes, deadline_ns))
        if chain:
            return GateAnswer(chain.line[0], "vcf", chain.plies, chain.line)
    searched = config.selective or config.defence_nodes
    if counts[other, layout.POINT_OPEN_FOUR] and not searched:
        return GateAnswer(_break_open_four(state, config, other, deadline_ns), "break-open-four")
    return None


def _break_open_four(
    state: WorkingState, config: EngineConfig, other: int, deadline_ns: int
) -> int:
    """Return the cell to play against an open four that the opponent can make.

    The first breaking cell in one-move order; with ``sound_gates`` the first breaking cell or own
    four after which the opponent has no victory by fours (one whose search was cut short comes
    second). Without any, the opponent's open-four point that comes first, if it may be taken.
    """
    from gomoku_lab.kernels.state import place, remove
    from gomoku_lab.kernels.threats import best_of_class, breaking_moves
    from gomoku_lab.kernels.vcf import NO_CHAIN, UNKNOWN

    record = state.record
    cells = np.zeros(layout.MAX_POINTS, np.int32)
    breaking = cells[: breaking_moves(record, False, cells)].tolist()
    if config.sound_gates:
        fours = cells[: breaking_moves(record, True, cells)].tolist()
        undecided = None
        for cell in [*breaking, *(four for four in fours if four not in breaking)]:
            place(record, cell)
            answer = search_chain(state, node_cap(config.vcf_nodes, deadline_ns))
            remove(record)
            if answer == NO_CHAIN:
                return int(cell)
            if answer == UNKNOWN and undecided is None:
                undecided = int(cell)
        if undecided is not None:
            return undecided
    if breaking:
        return int(breaking[0])
    cell = int(best_of_class(record, other, layout.POINT_OPEN_FOUR))
    return cell if cell >= 0 else int(state.ranked()[0])
