"""Which games of runs may depend on each other: those that began with the same stones.

They make one cluster, whoever played them and in whichever run: an opening that favours a colour or
suits a player does so in each of them. A game that began on the empty board stands for itself.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping

import numpy as np

from gomoku_lab.game.notation import move_string
from gomoku_lab.game.record import GameRecord
from gomoku_lab.stats.clusters import Clusters

_OUTCOMES = {"black": 0, "draw": 1, "white": 2}


class Grouping:
    """The games met so far, each with its cluster; sixteen bytes a game are kept.

    Attributes
    ----------
    openings : dict of str to str
        The name of each opening, by the label of its cluster.
    """

    def __init__(self) -> None:
        self.openings: dict[str, str] = {}
        self._clusters: dict[str, int] = {}
        self._columns = [array("i") for _ in range(4)]
        self._labels: dict[tuple[str, str], str] = {}

    def add(self, game: GameRecord, black: int, white: int) -> None:
        """Take in a game; the players are numbers."""
        label = self._label(game)
        number = self._clusters.setdefault(label, len(self._clusters))
        values = number, black, white, _OUTCOMES[game.result]
        for column, value in zip(self._columns, values, strict=True):
            column.append(value)

    def _label(self, game: GameRecord) -> str:
        """Return what the games of one opening have in common, and no others."""
        if not game.opening_moves and game.setup is None:
            return f"game {len(self._columns[0]) + 1}"
        # Two marks a stone, or three: enough of the moves to hold the opening.
        key = f"{game.setup} {game.opening_moves}", game.moves[: 3 * game.opening_moves]
        label = self._labels.get(key)
        if label is None:
            stones = (move_string(sorted(stones), game.size) for stones in game.opening_stones())
            label = self._labels[key] = " ".join((next(stones) or "-", next(stones) or "-"))
            self.openings.setdefault(label, game.opening or label)
        return label

    def clusters(self, places: Mapping[int, int]) -> Clusters:
        """Return all clusters, with the players' numbers replaced by their places."""
        cluster, first, second, outcome = (
            np.array(column, dtype=np.int64) for column in self._columns
        )
        table = np.zeros(max(places, default=0) + 1, dtype=np.int64)
        table[list(places)] = list(places.values())
        return Clusters(tuple(self._clusters), cluster, table[first], table[second], outcome)
