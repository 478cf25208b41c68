"""Which games were drawn together, and what each group of them adds to the results.

Games from one opening may depend on each other: the opening may favour a colour, or suit one
player. Standard errors that take every game as independent are wrong then. Here games are grouped
into clusters, which alone are taken as independent. It estimates nothing (`robust`, `bootstrap`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.sparse import csr_array, eye_array, vstack

from gomoku_lab.stats.davidson import cell_places
from gomoku_lab.stats.pairs import FloatArray
from gomoku_lab.stats.results import IntArray, ResultTable

Game = tuple[Hashable, str, str, int]
"""Cluster, first mover, second mover, and 0, 1 or 2 for a win, draw or loss of the first mover."""


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """The games of a table, each with the cluster that it belongs to.

    Attributes
    ----------
    labels : tuple
        What each cluster stands for, such as the name of an opening.
    cluster, first, second, outcome : int64[games]
        Of each game: index of its cluster and of both players, and 0 for a win, 1 for a draw, 2 for
        a loss of the first mover.
    """

    labels: tuple[Hashable, ...]
    cluster: IntArray
    first: IntArray
    second: IntArray
    outcome: IntArray

    @classmethod
    def from_games(cls, games: Iterable[Game], names: tuple[str, ...]) -> Self:
        """Group games; the players are found in `names`."""
        place = {name: index for index, name in enumerate(names)}
        labels: dict[Hashable, int] = {}
        rows = [
            (labels.setdefault(label, len(labels)), place[first], place[second], outcome)
            for label, first, second, outcome in games
        ]
        columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
        return cls(tuple(labels), columns[0], columns[1], columns[2], columns[3])

    def only(self, labels: Iterable[Hashable]) -> Clusters:
        """Return these clusters, with their games alone."""
        chosen = list(labels)
        found = {label: place for place, label in enumerate(self.labels)}
        places = np.full(len(self.labels), -1)
        places[[found[label] for label in chosen]] = np.arange(len(chosen))
        kept = places[self.cluster] >= 0
        return Clusters(
            tuple(chosen),
            places[self.cluster[kept]],
            self.first[kept],
            self.second[kept],
            self.outcome[kept],
        )

    def check(self, table: ResultTable) -> None:
        """Raise ValueError unless these are the games of the table, those apart not counted."""
        found = np.zeros((3, len(table.names), len(table.names)), dtype=np.int64)
        np.add.at(found, (self.outcome, self.first, self.second), 1)
        wanted = np.stack([table.wins, table.draws, table.losses])
        if not np.array_equal(found, wanted):
            raise ValueError(
                f"clusters must hold the games of the table: {found.sum()} games in clusters, "
                f"{wanted.sum()} in the table, or with other results"
            )


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What is taken as independent: the clusters, then every game that is in none.

    Attributes
    ----------
    counts : csr_array, int64[units, 3 cells]
        How often each outcome of each cell of `davidson.choice_model` came in each unit.
    times : int64[units]
        How often there was such a unit; 1 for a cluster, any number for lone games.
    clusters : int
        How many of the units, the first ones, are clusters.
    pairing : int64[cells]
        Two cells of the same two players have the same number.
    first, second : int64[cells]
        The players of each cell.
    """

    counts: csr_array
    times: IntArray
    clusters: int
    pairing: IntArray
    first: IntArray
    second: IntArray

    @property
    def pairings(self) -> int:
        """Count the pairs of players who met."""
        return int(self.pairing.max()) + 1

    def in_pairings(self) -> FloatArray:
        """Return how many units hold games of each pairing, float64[pairings]."""
        cells = self.counts.indices // 3
        rows = np.repeat(np.arange(self.counts.shape[0]), np.diff(self.counts.indptr))
        keys = np.unique(rows * self.pairings + self.pairing[cells])
        times = self.times[keys // self.pairings].astype(np.float64)
        held: FloatArray = np.bincount(keys % self.pairings, times, self.pairings).astype(float)
        return held


def units_of(table: ResultTable, clusters: Clusters | None) -> Units:
    """Return the independent units of a table; without clusters they are its games."""
    cells: list[tuple[IntArray, ...]] = [np.nonzero(part.games) for part in table.parts]
    first, second = (np.concatenate(places) for places in zip(*cells, strict=True))
    size = len(table.names)
    low, high = np.minimum(first, second), np.maximum(first, second)
    pairing = np.unique(low * size + high, return_inverse=True)[1]
    weights = [
        np.stack([matrix[where] for matrix in (part.wins, part.draws, part.losses)], axis=1)
        for part, where in zip(table.parts, cells, strict=True)
    ]
    lone = np.concatenate(weights).ravel()
    blocks = []
    if clusters is not None:
        clusters.check(table)
        lone[: weights[0].size] = 0
        blocks.append(_cluster_counts(clusters, table, len(lone)))
    drawn = np.nonzero(lone)[0]
    blocks.append(eye_array(len(lone), dtype=np.int64, format="csr")[drawn])
    grouped = 0 if clusters is None else len(clusters.labels)
    times = np.concatenate([np.ones(grouped, dtype=np.int64), lone[drawn]])
    return Units(csr_array(vstack(blocks)), times, grouped, pairing, first, second)


def _cluster_counts(clusters: Clusters, table: ResultTable, columns: int) -> csr_array:
    """Return the counts of the clusters; the table's own cells come first."""
    cell = cell_places(table)[clusters.first, clusters.second]
    entries = (np.ones(len(cell), dtype=np.int64), (clusters.cluster, 3 * cell + clusters.outcome))
    return csr_array(entries, shape=(len(clusters.labels), columns))
