"""What the stones offer: the best shape that each point would make, forks, and a hint to the mover.

Read from the same classes and gates that the engine plays by, for people: it searches nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import WHITE
from gomoku_lab.kernels import layout

FORKS: Final = ("double four", "four-three", "double three")
"""Shapes that hold two threats made by one stone, in the words of the glossary."""

_DIRECTIONS: Final = 4 * np.arange(4)
_READER: Final = EngineConfig(depth=1, table_bits=0)


@dataclass(frozen=True, slots=True)
class Hint:
    """What the side to move should see.

    Attributes
    ----------
    gate : str
        ``five``, ``block``, ``open-four`` or ``break-open-four``: the first that applies.
    points : tuple of int
        Where to play for it, ascending; empty where no point breaks the open four, or none that
        blocks may be played on.
    """

    gate: str
    points: tuple[int, ...]


def shapes_at(board: Board, colour: int) -> dict[int, str]:
    """Name the best shape that a stone of `colour` would make at each empty point.

    Parameters
    ----------
    board : Board
    colour : int
        1 black, 2 white; it need not be to move.

    Returns
    -------
    dict
        Points (flat indices) that make at least an open three, each with the glossary's name:
        ``five``, ``open four``, ``double four``, ``four-three``, ``closed four``,
        ``double three`` or ``open three``. What renju forbids Black is left out.
    """
    state = WorkingState(_READER)
    state.set_up(board)
    return _shapes(state, colour)


def _shapes(state: WorkingState, colour: int) -> dict[int, str]:
    from gomoku_lab.kernels.forbidden import forbidden

    record = state.record
    cells = np.flatnonzero(record["cells"] == layout.EMPTY)
    codes = record["codes"][cells].astype(np.int64) >> (32 * (colour - 1))
    found = {}
    for cell, code in zip(cells.tolist(), codes.tolist(), strict=True):
        name = _name(layout.CLASS_OF_GRADE[(code >> _DIRECTIONS) & 15])
        if name and (colour == WHITE or not forbidden(record, cell)):
            found[state.move(cell)] = name
    return found


def _name(classes: Any) -> str:
    """Return the name of what one stone makes in its four directions, "" below an open three."""
    fours, threes = (int((classes == one).sum()) for one in (layout.FOUR, layout.OPEN_THREE))
    for holds, name in (
        (layout.FIVE in classes, "five"),
        (layout.OPEN_FOUR in classes, "open four"),
        (fours > 1, "double four"),
        (fours and threes, "four-three"),
        (fours, "closed four"),
        (threes > 1, "double three"),
        (threes, "open three"),
    ):
        if holds:
            return name
    return ""


def hint(board: Board) -> Hint | None:
    """Return what the side to move should see first, or None if nothing is urgent.

    The opponent's open three is warned of, since the open four that it becomes cannot be stopped
    by one stone.
    """
    from gomoku_lab.kernels.forbidden import may_play

    if board.is_over:
        return None
    state = WorkingState(_READER)
    state.set_up(board)
    record = state.record
    own, other = (_shapes(state, colour) for colour in (board.to_move, 3 - board.to_move))
    for gate, shapes, wanted in (
        ("five", own, ("five",)),
        ("block", other, ("five",)),
        ("open-four", own, ("open four", "double four")),
    ):
        points = tuple(sorted(move for move, name in shapes.items() if name in wanted))
        if points:
            return Hint(gate, tuple(move for move in points if may_play(record, state.cell(move))))
    if any(name in ("open four", "double four") for name in other.values()):
        return Hint("break-open-four", _breaking(state))
    return None


def _breaking(state: WorkingState) -> tuple[int, ...]:
    """Return the moves after which the opponent can make neither five nor an open four."""
    from gomoku_lab.kernels.threats import breaking_moves

    cells = np.zeros(layout.MAX_POINTS, np.int32)
    return tuple(sorted(state.moves(cells[: breaking_moves(state.record, False, cells)])))
