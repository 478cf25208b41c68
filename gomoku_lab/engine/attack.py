"""The gate that looks for a victory by continuous threats, within stones and time.

What the search for threats proves is written down and held against the rules before it is played.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from gomoku_lab.engine.chains import Win
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.engine.proofs import ThreatSearch, longest_line, proof_plies
from gomoku_lab.game.board import Board
from gomoku_lab.game.forced import Proof, proof_problem
from gomoku_lab.game.notation import move_name
from gomoku_lab.kernels import layout

_SLICE: Final = 2_000
"""Stones that are placed between two looks at the clock: about two milliseconds."""
_AGAIN: Final = 20_000
"""Stones that may be placed to prove again what the table has lost."""
_MOST_BITS: Final = 18


class Attack:
    """A search for a victory by threats with a table of its own, for one engine.

    Parameters
    ----------
    nodes : int
        Stones that one search may place; 0 = it never searches.

    Attributes
    ----------
    nodes : int
        Stones that the last search placed.
    """

    def __init__(self, nodes: int) -> None:
        self.nodes = 0
        self._limit = nodes
        bits = min(max(nodes.bit_length(), 10), _MOST_BITS)
        self._proofs: Any = np.zeros(1 << bits if nodes else 1, layout.PROOF)

    def find(
        self,
        board: Board,
        state: WorkingState,
        *,
        nodes: int,
        in_time: Callable[[], bool],
    ) -> Win | None:
        """Return a win of the side to move by threats, or None if none was proved.

        Parameters
        ----------
        board : Board
        state : WorkingState
            `board` set up; the same position afterwards.
        nodes : int
            Stones that may be placed, if that is less than the search's own limit.
        in_time : callable
            Asked every few milliseconds; once it says no, search and check are over.

        Returns
        -------
        Win or None
            The defender's moves in its line are those that hold out longest in the proof.
        """
        self.nodes = 0
        limit = min(nodes, self._limit)
        if not limit or not _may_threaten(state):
            return None
        self._proofs.view(np.uint8)[:] = 0
        search = ThreatSearch(state, state.chains, self._proofs, limit, again=_AGAIN)
        proofs = _double_threes(state, search, limit)
        answer = "found" if proofs else "spent"
        while answer == "spent" and search.nodes < limit and in_time():
            answer = search.advance(min(search.nodes + _SLICE, limit))
        self.nodes = search.nodes
        if answer != "found" or not in_time():
            return None
        proofs = proofs or search.proofs(every=False)
        if not proofs or not _holds(board, proofs[0], in_time):
            return None
        cells = tuple(map(state.cell, longest_line(proofs[0])))
        return Win(proof_plies(proofs[0]), cells)


def _may_threaten(state: WorkingState) -> bool:
    """Tell whether the side to move can make two threats: what is cheap to see of a win by them."""
    record = state.record
    counts = record["counts"][int(record["side"])]
    return int(counts[layout.POINT_THREE :].sum()) > 1


def _double_threes(state: WorkingState, search: ThreatSearch, limit: int) -> list[Proof]:
    """Return the proof of a double three that wins, if one does: no win by threats is shorter."""
    from gomoku_lab.kernels.forbidden import may_play
    from gomoku_lab.kernels.state import point_class

    record = state.record
    side = int(record["side"])
    if not record["counts"][side, layout.POINT_DOUBLE_THREE]:
        return []
    for cell in np.flatnonzero(record["cells"] == layout.EMPTY).tolist():
        double = point_class(record, cell, side) == layout.POINT_DOUBLE_THREE
        if double and search.nodes < limit and may_play(record, cell):
            proof = search.try_move(cell, min(search.nodes + _SLICE, limit))
            if proof is not None:
                return [proof]
    return []


def _holds(board: Board, proof: Proof, in_time: Callable[[], bool]) -> bool:
    """Tell whether the rules bear out a proof, and there was the time to see it."""
    problem = proof_problem(board, proof, in_time=in_time)
    if problem is not None and in_time():
        names = " ".join(move_name(move, board.size) for move in longest_line(proof))
        logging.getLogger(__name__).error(
            "the rules refute the threats %s on %s: %s", names, board, problem
        )
    return problem is None
