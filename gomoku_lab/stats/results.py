"""The table of results that ratings are fitted to: who moved first against whom, and how it ended.

It counts and selects; it estimates nothing (`ratings` does). Colours are kept apart, since moving
first is worth something in Gomoku; results of which less is known, such as who moved first, are
kept beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gomoku_lab.stats.pairs import copies_warning, too_many_copies

IntArray = NDArray[np.int64]

Row = tuple[str, str, int, int, int]
"""First mover, second mover, the first mover's wins, draws, losses."""


@dataclass(frozen=True, slots=True, eq=False)
class ResultTable:
    """Counts of results for each ordered pair of players.

    Attributes
    ----------
    names : tuple of str
        The n players.
    wins, draws, losses : int64[n, n]
        Games that player i, moving first, won, drew and lost against player j.
    distinct : int64[n, n] or None
        How many of these games are distinct, if that was counted (see `pairs.distinct_games`). A
        game that repeats one with the colours swapped counts only where it came first.
    has_colours : bool
        Whether it is known who moved first; if not, the order of two players means nothing.
    has_draws : bool
        Whether draws were counted; if not, there are none here, whatever was played.
    apart : tuple of ResultTable
        Further results of the same players, in the same order, of which other things are known.
    """

    names: tuple[str, ...]
    wins: IntArray
    draws: IntArray
    losses: IntArray
    distinct: IntArray | None = None
    has_colours: bool = True
    has_draws: bool = True
    apart: tuple[ResultTable, ...] = ()

    def __post_init__(self) -> None:
        count = len(self.names)
        if count < 2:
            raise ValueError(f"a table of results needs at least two players: {self.names!r}")
        if len(set(self.names)) != count:
            raise ValueError(f"names of players must differ: {self.names!r}")
        for key in ("wins", "draws", "losses", "distinct"):
            matrix = getattr(self, key)
            if matrix is None:
                continue
            _check_matrix(key, matrix, count)
        if self.distinct is not None and (
            np.any(self.distinct > self.games)
            or np.any((self.distinct + self.distinct.T == 0) & (self.games > 0))
        ):
            raise ValueError("distinct must be between 1 and the games of each pair played")
        if not self.has_draws and np.any(self.draws):
            raise ValueError(f"draws were not counted, but there are {int(self.draws.sum())}")
        for other in self.apart:
            if other.names != self.names or other.apart:
                raise ValueError(f"apart must be plain tables of the same players: {other.names}")

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Row],
        *,
        names: Sequence[str] | None = None,
        has_colours: bool = True,
        has_draws: bool = True,
    ) -> ResultTable:
        """Build a table from rows (first, second, wins, draws, losses of the first).

        Rows of the same two players add up. Without `names` the players stand in order of
        appearance. What is known about the rows is as in the class.
        """
        listed = list(rows)
        if names is None:
            names = list(dict.fromkeys(name for row in listed for name in row[:2]))
        index = {name: position for position, name in enumerate(names)}
        cells = np.zeros((3, len(index), len(index)), dtype=np.int64)
        for first, second, *counts in listed:
            if first not in index or second not in index:
                raise ValueError(f"players must be among {list(index)}: {first!r}, {second!r}")
            if len(counts) != 3 or any(int(count) != count for count in counts):
                raise ValueError(f"a row needs three whole counts: {counts!r}")
            cells[:, index[first], index[second]] += np.asarray(counts, dtype=np.int64)
        return cls(
            tuple(names),
            cells[0],
            cells[1],
            cells[2],
            None,
            has_colours=has_colours,
            has_draws=has_draws,
        )

    @property
    def games(self) -> IntArray:
        """Give the number of games of each ordered pair, int64[n, n]; none of those apart."""
        return self.wins + self.draws + self.losses

    @property
    def parts(self) -> tuple[ResultTable, ...]:
        """Give the table itself and those apart: all results."""
        return (self, *self.apart)

    @property
    def played(self) -> IntArray:
        """Give the number of all games of each two players, those apart too, int64[n, n]."""
        total: IntArray = np.add.reduce([part.games for part in self.parts])
        return total + total.T

    def index(self, name: str) -> int:
        """Return the position of a player."""
        if name not in self.names:
            raise ValueError(f"player must be one of {', '.join(self.names)}: {name!r}")
        return self.names.index(name)

    def versus(self, name: str, opponent: str) -> tuple[int, int, int]:
        """Return all (losses, draws, wins) of `name` against `opponent`, both colours together."""
        i, j = self.index(name), self.index(opponent)
        return (
            sum(int(part.losses[i, j] + part.wins[j, i]) for part in self.parts),
            sum(int(part.draws[i, j] + part.draws[j, i]) for part in self.parts),
            sum(int(part.wins[i, j] + part.losses[j, i]) for part in self.parts),
        )

    def totals(self, name: str) -> tuple[int, int, int]:
        """Return (losses, draws, wins) of `name` against everybody."""
        i = self.index(name)
        return (
            sum(int(part.losses[i].sum() + part.wins[:, i].sum()) for part in self.parts),
            sum(int(part.draws[i].sum() + part.draws[:, i].sum()) for part in self.parts),
            sum(int(part.wins[i].sum() + part.losses[:, i].sum()) for part in self.parts),
        )

    def by_colour(self, name: str) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """Return (losses, draws, wins) of `name` moving first, and moving second.

        Those apart do not count here.
        """
        i = self.index(name)
        first = (self.losses[i].sum(), self.draws[i].sum(), self.wins[i].sum())
        second = (self.wins[:, i].sum(), self.draws[:, i].sum(), self.losses[:, i].sum())
        return (
            (int(first[0]), int(first[1]), int(first[2])),
            (int(second[0]), int(second[1]), int(second[2])),
        )

    def without_colour(self, name: str) -> tuple[int, int, int]:
        """Return (losses, draws, wins) of `name` in games of which the colours are not known."""
        totals, (first, second) = self.totals(name), self.by_colour(name)
        losses, draws, wins = (t - f - s for t, f, s in zip(totals, first, second, strict=True))
        return losses, draws, wins

    def lacks_draws(self, name: str, opponent: str | None = None) -> bool:
        """Tell whether draws of `name`, against `opponent` alone if given, went uncounted."""
        i = self.index(name)
        met = slice(None) if opponent is None else self.index(opponent)
        uncounted = (part.games for part in self.parts if not part.has_draws)
        return any(bool(np.any(games[i, met] + games[met, i])) for games in uncounted)

    def groups(self) -> list[tuple[str, ...]]:
        """Return the groups of players that are linked by games, largest first."""
        linked = self.played > 0
        open_players = list(range(len(self.names)))
        groups: list[tuple[str, ...]] = []
        while open_players:
            members = {open_players[0]}
            frontier = set(members)
            while frontier:
                frontier = {
                    j for i in frontier for j in np.nonzero(linked[i])[0].tolist()
                } - members
                members |= frontier
            open_players = [i for i in open_players if i not in members]
            groups.append(tuple(self.names[i] for i in sorted(members)))
        return sorted(groups, key=lambda group: -len(group))


def copies_in(table: ResultTable) -> tuple[bool, list[str]]:
    """Tell whether copies forbid intervals, and warn for each pairing that holds any.

    They do where a player's own games hold too many: a rating rests on all of these. Results apart
    are taken as distinct games.
    """
    if table.distinct is None:
        return False, []
    warnings = []
    games, distinct = table.games + table.games.T, table.distinct + table.distinct.T
    for i, j in zip(*np.nonzero(np.triu(games)), strict=True):
        played, different = int(games[i, j]), int(distinct[i, j])
        warning = copies_warning(played, different)
        if warning is not None:
            warnings.append(f"{table.names[i]} - {table.names[j]}: {warning}")
    of_players = zip(games.sum(axis=1).tolist(), distinct.sum(axis=1).tolist(), strict=True)
    return any(too_many_copies(*both) for both in of_players), warnings


def _check_matrix(key: str, matrix: IntArray, count: int) -> None:
    """Raise ValueError unless the matrix holds whole counts of `count` players."""
    if matrix.shape != (count, count) or not np.issubdtype(matrix.dtype, np.integer):
        raise ValueError(
            f"{key} must be whole numbers of shape {(count, count)}: "
            f"{matrix.dtype}, shape {matrix.shape}"
        )
    if np.any(matrix < 0):
        raise ValueError(f"{key} must not be negative: {int(matrix.min())}")
    if np.any(np.diagonal(matrix)):
        raise ValueError(f"{key} must be 0 where a player meets itself")
