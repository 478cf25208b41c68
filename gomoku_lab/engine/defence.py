"""What the lab may play against a chain of fours that the opponent threatens.

Every move that leaves the opponent a victory by continuous fours is struck from the search's root.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gomoku_lab.engine.chains import node_cap
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.kernels import layout


@dataclass(frozen=True, slots=True)
class Defence:
    """The moves that are left to the side to move.

    Attributes
    ----------
    cells : int32[n]
        Grid cells in one-move order: all legal moves after which the opponent has no victory by
        fours, own fours that only delay it included. Where the stones did not suffice to decide a
        move it is among them; where every move loses, those are that hold out longest.
    gate : str
        What the analysis names: ``break-open-four`` if the opponent could make one, or ``search``.
    proven : int or None
        Minus the plies within which the opponent's five comes whatever is played; None if a move
        may hold.
    nodes : int
        Stones that were placed to find out.
    """

    cells: npt.NDArray[np.int32]
    gate: str
    proven: int | None
    nodes: int


def find_defence(
    state: WorkingState, nodes: int, *, deadline_ns: int = layout.FOREVER
) -> Defence | None:
    """Return the defence against the opponent's chain of fours, or None if none was found.

    Parameters
    ----------
    state : WorkingState
        Nobody has a five point. The same position afterwards.
    nodes : int
        Stones that may be placed.
    deadline_ns : int, optional
        The monotonic clock's value by which it should be over.
    """
    from gomoku_lab.kernels.defence import defences

    record = state.record
    moves = np.zeros(layout.MAX_POINTS, np.int32)
    plies = np.zeros(layout.MAX_POINTS, np.int64)
    number = int(defences(record, state.chains, node_cap(nodes, deadline_ns), moves, plies))
    if number < 0:
        return None
    moves, plies, spent = moves[:number], plies[:number], int(record["vct_nodes"])
    open_four = record["counts"][1 - int(record["side"]), layout.POINT_OPEN_FOUR] > 0
    gate = "break-open-four" if open_four else "search"
    held = moves[plies <= 0]
    if len(held):
        return Defence(held, gate, None, spent)
    if not number:
        # Renju: Black may not play where the chain could be met.
        return Defence(state.ranked(), gate, None, spent)
    longest = int(plies.max())
    return Defence(moves[plies == longest], gate, -longest - 1, spent)
