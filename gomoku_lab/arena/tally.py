"""What the games of one or more runs add up to: results, pairs, copies, forfeits, doubts.

Runs are added up only where they were played under the same rule on the same board. Nothing is
estimated here (see `standings`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Final

import numpy as np

from gomoku_lab.arena.doubts import run_warnings
from gomoku_lab.arena.grouping import Grouping
from gomoku_lab.arena.imported import AnyRun, ImportedRun
from gomoku_lab.arena.names import name_players
from gomoku_lab.arena.schedule import SELFPLAY
from gomoku_lab.arena.store import GamePair, Run, RunError
from gomoku_lab.game.record import REASONS, GameRecord, PlayerRef
from gomoku_lab.game.rules import Rule
from gomoku_lab.stats.clusters import Clusters
from gomoku_lab.stats.pairs import pair_counts
from gomoku_lab.stats.results import IntArray, ResultTable, Row

PairCounts = tuple[int, int, int, int, int]
_BLACK_SCORE: Final = {"black": 1.0, "draw": 0.5, "white": 0.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Forfeit:
    """A game that was lost by breaking the rules, by the clock or by a crash.

    Attributes
    ----------
    run, game : str
        Name of the run folder and id of the game.
    player, opponent : str
        Who forfeited, and against whom.
    reason, detail : str
        As in `GameRecord`.
    """

    run: str
    game: str
    player: str
    opponent: str
    reason: str
    detail: str

    def to_dict(self) -> dict[str, str]:
        """Return a JSON-ready form."""
        return asdict(self)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Tally:
    """The games of all runs, counted.

    Attributes
    ----------
    runs : tuple of Run and ImportedRun
        What was counted.
    players : tuple of PlayerRef
        Those who played, by the names in the table (see `names`).
    table : ResultTable
        Results of each ordered pair of players, with the number of distinct games. Results of
        which no game is known stand apart.
    pairs : mapping
        Pentanomial counts of each two players who met, from the first one's side; the first is
        the one that comes first in `players`.
    clusters : Clusters
        The games of the table, grouped by what they may depend on (see `grouping`).
    openings : mapping of str to str
        The names of the clusters that are openings.
    endings : mapping of str to int
        How many games ended for which reason (see `GameRecord`).
    forfeits : tuple of Forfeit
        The games that were lost off the board.
    warnings : tuple of str
        What a reader of the results must know, in words.
    """

    runs: tuple[AnyRun, ...]
    players: tuple[PlayerRef, ...]
    table: ResultTable
    pairs: Mapping[tuple[str, str], PairCounts]
    clusters: Clusters
    openings: Mapping[str, str]
    endings: Mapping[str, int]
    forfeits: tuple[Forfeit, ...]
    warnings: tuple[str, ...]

    @property
    def rule(self) -> Rule | None:
        """Give the rule of all games; None if it is not known."""
        return self.runs[0].rule

    @property
    def size(self) -> int | None:
        """Give the board size of all games; None if it is not known."""
        return self.runs[0].size

    @property
    def games(self) -> int:
        """Count the games."""
        return sum(int(part.games.sum()) for part in self.table.parts)

    @property
    def games_without_moves(self) -> int:
        """Count the games of which only the results are known."""
        return sum(int(part.games.sum()) for part in self.table.apart)

    @property
    def distinct_games(self) -> int:
        """Count the distinct games, as far as their moves are known."""
        assert self.table.distinct is not None
        return int(self.table.distinct.sum())

    def distinct(self, first: str, second: str) -> int | None:
        """Count the distinct games of two players; None if the moves of some are not known."""
        i, j = self.table.index(first), self.table.index(second)
        if any(part.games[i, j] + part.games[j, i] for part in self.table.apart):
            return None
        assert self.table.distinct is not None
        return int(self.table.distinct[i, j] + self.table.distinct[j, i])


def tally_runs(runs: Sequence[AnyRun]) -> Tally:
    """Count the games of `runs`: whole pairs, and what else was imported.

    Raises
    ------
    RunError
        If the runs differ in rule or board size, one is given twice, or there are no games.
    """
    check_runs(runs, "rated")
    for run in runs:
        if isinstance(run, Run) and run.config.format == SELFPLAY:
            raise RunError(
                f"{run.path}: in self-play nobody meets anybody else, so there is nothing to rate; "
                "gomoku-lab fit learns from it"
            )
    names = name_players(ref for run in runs for ref in run.refs)
    count = _Count(names.shown)
    for run in runs:
        count.add_run(run)
    if not count.played:
        listed = ", ".join(str(run.path) for run in runs)
        raise RunError(f"{listed}: no finished pair of games to rate")
    refs = names.refs.values()
    players = tuple(ref for ref in refs if ref.name in count.played)
    idle = [ref.name for ref in refs if ref.name not in count.played]
    return Tally(
        runs=tuple(runs),
        players=players,
        table=count.table([player.name for player in players]),
        pairs={met: pair_counts(scores.elements()) for met, scores in count.pairs.items()},
        clusters=count.clusters([player.name for player in players]),
        openings=count.grouping.openings,
        endings={reason: count.endings[reason] for reason in REASONS if count.endings[reason]},
        forfeits=tuple(count.forfeits),
        warnings=(
            *names.warnings,
            *run_warnings(runs),
            *_game_warnings(count, players, idle),
        ),
    )


def check_runs(runs: Sequence[AnyRun], purpose: str) -> None:
    """Raise RunError if there are no runs, one is given twice, or rule or board size differ.

    TypeError if there is something else among them, such as the name of a folder. `purpose` says
    in a word what is done with them, such as "rated".
    """
    if not runs:
        raise RunError(f"at least one run must be given to be {purpose}")
    wrong = [run for run in runs if not hasattr(run, "path")] if _is_list(runs) else [runs]
    if wrong:
        raise TypeError(f"runs must be a list of what load_run returns, not {wrong[0]!r}")
    folders = Counter(run.path.resolve() for run in runs)
    first = runs[0]
    for run in runs:
        if folders[run.path.resolve()] > 1:
            raise RunError(f"{run.path}: the same run is given twice")
        for key in ("rule", "size"):
            wanted, found = getattr(first, key), getattr(run, key)
            if found != wanted:
                shown = ("not known" if value is None else value for value in (found, wanted))
                raise RunError(
                    f"{run.path}: cannot be {purpose} together with {first.path}: its {key} is "
                    f"{next(shown)}, not {next(shown)}"
                    + (f"; import says it by --{key}" if None in (found, wanted) else "")
                )


def _is_list(runs: object) -> bool:
    return isinstance(runs, Sequence) and not isinstance(runs, str)


_Met = tuple[str, str]


class _Count:
    """What is counted while the pairs go by, once; of a game a digest of 16 bytes is kept."""

    def __init__(self, names: Mapping[PlayerRef, str]) -> None:
        self._names = names
        self._place = {name: place for place, name in enumerate(names.values())}
        self._results: dict[str, Counter[_Met]] = {result: Counter() for result in _BLACK_SCORE}
        self._distinct: Counter[_Met] = Counter()
        self._seen: set[bytes] = set()
        self.pairs: dict[_Met, Counter[tuple[float, float]]] = {}
        self._counted: dict[bool, list[Row]] = {True: [], False: []}
        self.endings: Counter[str] = Counter()
        self.forfeits: list[Forfeit] = []
        self.grouping = Grouping()
        self.games = 0
        self.timed = 0

    @property
    def played(self) -> set[str]:
        """Give the names of those who played."""
        met = {name for results in self._results.values() for two in results for name in two}
        return met | {name for rows in self._counted.values() for row in rows for name in row[:2]}

    def add_run(self, run: AnyRun) -> None:
        """Count all games of a run."""
        for pair in run.pairs:
            self._add_pair(run, pair)
        if isinstance(run, ImportedRun):
            for game in run.singles:
                self._add_game(run, game)
            for row in run.counts:
                first, second = (self._names[PlayerRef(who, "")] for who in (row.first, row.second))
                counts = first, second, row.wins, row.draws or 0, row.losses
                self._counted[row.draws is not None].append(counts)

    def _add_pair(self, run: AnyRun, pair: GamePair) -> None:
        for game in pair:
            self._add_game(run, game)
        first, second = (self._names[ref] for ref in (pair[0].black, pair[0].white))
        score = _BLACK_SCORE[pair[0].result], 1 - _BLACK_SCORE[pair[1].result]
        if self._place[first] > self._place[second]:
            first, second = second, first
            score = 1 - score[0], 1 - score[1]
        self.pairs.setdefault((first, second), Counter())[score] += 1

    def _add_game(self, run: AnyRun, game: GameRecord) -> None:
        black, white = self._names[game.black], self._names[game.white]
        self.games += 1
        # Whether games from elsewhere could be repeated is nothing that we know.
        self.timed += isinstance(run, Run) and not game.reproducible
        self.endings[game.reason] += 1
        self._results[game.result][black, white] += 1
        self.grouping.add(game, self._place[black], self._place[white])
        # Games of two players are copies if all moves are the same, whoever of the two was Black:
        # such a game tells nothing new. It counts as distinct where it was found first.
        what = "\0".join((*sorted((black, white)), str(game.setup), game.moves))
        copy = blake2b(what.encode(), digest_size=16).digest()
        if copy not in self._seen:
            self._seen.add(copy)
            self._distinct[black, white] += 1
        if game.is_forfeit:
            loser, winner = (white, black) if game.result == "black" else (black, white)
            forfeit = Forfeit(
                run=run.path.resolve().name,
                game=game.id,
                player=loser,
                opponent=winner,
                reason=game.reason,
                detail=game.detail,
            )
            self.forfeits.append(forfeit)

    def clusters(self, players: Sequence[str]) -> Clusters:
        """Return the clusters of the games of `players`, who are all who played."""
        return self.grouping.clusters(
            {self._place[name]: place for place, name in enumerate(players)}
        )

    def table(self, players: Sequence[str]) -> ResultTable:
        """Return results and distinct games of each ordered pair of `players`."""

        def matrix(counts: Counter[_Met]) -> IntArray:
            rows = [[counts[black, white] for white in players] for black in players]
            return np.array(rows, dtype=np.int64)

        apart = tuple(
            ResultTable.from_rows(rows, names=players, has_colours=False, has_draws=has_draws)
            for has_draws, rows in self._counted.items()
            if rows
        )
        return ResultTable(
            tuple(players),
            matrix(self._results["black"]),
            matrix(self._results["draw"]),
            matrix(self._results["white"]),
            matrix(self._distinct),
            apart=apart,
        )


def _game_warnings(
    count: _Count, players: Sequence[PlayerRef], idle: Sequence[str]
) -> Iterator[str]:
    if idle:
        yield "without any finished game, so not in the table: " + ", ".join(idle)
    games = count.games
    if count.timed:
        yield (
            f"{count.timed} of {games} games cannot be repeated: they were played by the clock, or "
            "by a program that nobody calls reproducible"
        )
    if count.forfeits:
        yield f"{len(count.forfeits)} of {games} games were forfeited; they count as lost"
    twins: dict[str, list[str]] = {}
    for player in players:
        if player.config_hash:
            twins.setdefault(player.config_hash, []).append(player.name)
    for same in twins.values():
        if len(same) > 1:
            yield "these have the same configuration, so nothing can separate them: " + (
                ", ".join(same)
            )
