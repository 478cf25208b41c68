"""What a player is to the rest of the lab: an object that chooses a move for a board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np

    from gomoku_lab.engine.config import SearchLimits
    from gomoku_lab.game.board import Board
    from gomoku_lab.game.rules import Rule


@dataclass(frozen=True, slots=True)
class Choice:
    """One chosen move and what it cost.

    Attributes
    ----------
    move : int or None
        Flat index of the move; None on a finished or full board.
    gate : str
        What decided: a gate name of the glossary such as ``five`` or ``search``; "" if unknown.
    nodes : int
        Search nodes spent.
    depth : int
        Depth of the last completed layer in plies; 0 if nothing was searched.
    score : int or None
        Exact score from the side to move in evaluation units; None if there is none.
    time_ms : float or None
        How long the move took, where the player knows it better than who asks: the start of a
        process is no part of it.
    """

    move: int | None
    gate: str = ""
    nodes: int = 0
    depth: int = 0
    score: int | None = None
    time_ms: float | None = None


class Player(Protocol):
    """Anything that can be asked for a move.

    Attributes
    ----------
    name : str
        What tables print, such as ``layered/master`` or ``layered/master:nodes=20000``.
    """

    name: str

    def new_game(self, seed: np.random.SeedSequence) -> None:
        """Forget the previous game; every random draw of the next one comes from `seed`."""
        ...

    def choose(self, board: Board, limits: SearchLimits | None = None) -> Choice:
        """Return the chosen move for `board`; `limits` replace the player's own budget."""
        ...

    def plays(self, rule: Rule) -> bool:
        """Tell whether the player knows `rule`."""
        ...

    def close(self) -> None:
        """Give back what the player holds (processes, memory). It may be called twice."""
        ...
