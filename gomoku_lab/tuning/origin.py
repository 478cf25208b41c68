"""What a player file tells of the games that its values rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Protocol

from gomoku_lab.arena.openings import Opening
from gomoku_lab.game.rules import Rule


class Games(Protocol):
    """What decides where games begin."""

    @property
    def seed(self) -> int:
        """Give the root of every random choice."""
        ...

    @property
    def opening_set(self) -> str:
        """Give where the openings came from."""
        ...

    @property
    def openings(self) -> Sequence[Opening]:
        """Give the openings."""
        ...

    @property
    def rule(self) -> Rule:
        """Give the rule."""
        ...

    @property
    def size(self) -> int:
        """Give the board size."""
        ...


def origin_of(facts: Mapping[str, Any], games: Games) -> dict[str, Any]:
    """Return version, commit, seed and openings of games that were played here.

    `facts` is what the JSON file of their folder holds.
    """
    git = facts["git"] or {}
    moves = "\n".join(opening.move_string() for opening in games.openings)
    return {
        "version": facts["version"],
        "commit": git.get("commit"),
        "commit_dirty": git.get("dirty"),
        "seed": games.seed,
        "rule": str(games.rule),
        "size": games.size,
        "openings": games.opening_set,
        "openings_sha256": sha256(moves.encode()).hexdigest(),
    }
