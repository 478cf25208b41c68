"""What the games of one or more runs add up to: results, pairs, copies, forfeits, doubts.

Runs are added up only where they were played under the same rule on the same board. Nothing is
estimated here (see `standings`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any, Final

import numpy as np

from gomoku_lab.arena.store import GamePair, Run, RunError
from gomoku_lab.game.record import REASONS, GameRecord, PlayerRef
from gomoku_lab.game.rules import Rule
from gomoku_lab.stats.pairs import pair_counts
from gomoku_lab.stats.results import IntArray, ResultTable

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
    runs : tuple of Run
        What was counted.
    players : tuple of PlayerRef
        Those who played. Where one name stands for two configurations, each name says which.
    table : ResultTable
        Results of each ordered pair of players, with the number of distinct games.
    pairs : mapping
        Pentanomial counts of each two players who met, from the first one's side; the first is
        the one that comes first in `players`.
    endings : mapping of str to int
        How many games ended for which reason (see `GameRecord`).
    forfeits : tuple of Forfeit
        The games that were lost off the board.
    warnings : tuple of str
        What a reader of the results must know, in words.
    """

    runs: tuple[Run, ...]
    players: tuple[PlayerRef, ...]
    table: ResultTable
    pairs: Mapping[tuple[str, str], PairCounts]
    endings: Mapping[str, int]
    forfeits: tuple[Forfeit, ...]
    warnings: tuple[str, ...]

    @property
    def rule(self) -> Rule:
        """Give the rule of all games."""
        return self.runs[0].config.rule

    @property
    def size(self) -> int:
        """Give the board size of all games."""
        return self.runs[0].config.size

    @property
    def games(self) -> int:
        """Count the games."""
        return int(self.table.games.sum())

    def distinct(self, first: str, second: str) -> int:
        """Count the distinct games of two players, both colours together."""
        i, j = self.table.index(first), self.table.index(second)
        assert self.table.distinct is not None
        return int(self.table.distinct[i, j] + self.table.distinct[j, i])


def tally_runs(runs: Sequence[Run]) -> Tally:
    """Count the games of `runs`, whole pairs only.

    Raises
    ------
    RunError
        If the runs differ in rule or board size, one is given twice, or there are no games.
    """
    _check_runs(runs)
    names = _names(runs)
    count = _Count(names)
    for run in runs:
        for pair in run.pairs:
            count.add(run, pair)
    if not count.games:
        listed = ", ".join(str(run.path) for run in runs)
        raise RunError(f"{listed}: no finished pair of games to rate")
    played = {name for met in count.pairs for name in met}
    players = tuple(PlayerRef(name, key[1]) for key, name in names.items() if name in played)
    idle = [name for name in names.values() if name not in played]
    return Tally(
        runs=tuple(runs),
        players=players,
        table=count.table([player.name for player in players]),
        pairs={met: pair_counts(scores.elements()) for met, scores in count.pairs.items()},
        endings={reason: count.endings[reason] for reason in REASONS if count.endings[reason]},
        forfeits=tuple(count.forfeits),
        warnings=(*_run_warnings(runs), *_game_warnings(count, players, idle)),
    )


_Key = tuple[str, str]
_Met = tuple[str, str]


def _ref(player: PlayerRef) -> _Key:
    return player.name, player.config_hash


def _check_runs(runs: Sequence[Run]) -> None:
    if not runs:
        raise RunError("ratings need at least one run")
    folders = Counter(run.path.resolve() for run in runs)
    first = runs[0]
    for run in runs:
        if folders[run.path.resolve()] > 1:
            raise RunError(f"{run.path}: the same run is given twice")
        for key in ("rule", "size"):
            wanted, found = getattr(first.config, key), getattr(run.config, key)
            if found != wanted:
                raise RunError(
                    f"{run.path}: cannot be rated together with {first.path}: its {key} is "
                    f"{found}, not {wanted}"
                )


def _names(runs: Sequence[Run]) -> dict[_Key, str]:
    """Return a name for each player; one name with two configurations gets their hashes."""
    keys = list(dict.fromkeys(_ref(ref) for run in runs for ref in run.config.refs))
    uses = Counter(name for name, _ in keys)
    return {key: key[0] if uses[key[0]] == 1 else f"{key[0]}@{key[1]}" for key in keys}


class _Count:
    """What is counted while the pairs go by, once; of a game a digest of 16 bytes is kept."""

    def __init__(self, names: Mapping[_Key, str]) -> None:
        self._names = names
        self._place = {name: place for place, name in enumerate(names.values())}
        self._results: dict[str, Counter[_Met]] = {result: Counter() for result in _BLACK_SCORE}
        self._distinct: Counter[_Met] = Counter()
        self._seen: set[bytes] = set()
        self.pairs: dict[_Met, Counter[tuple[float, float]]] = {}
        self.endings: Counter[str] = Counter()
        self.forfeits: list[Forfeit] = []
        self.games = 0
        self.timed = 0

    def add(self, run: Run, pair: GamePair) -> None:
        """Count a pair of games of `run`."""
        first, second = (self._names[_ref(ref)] for ref in (pair[0].black, pair[0].white))
        score = _BLACK_SCORE[pair[0].result], 1 - _BLACK_SCORE[pair[1].result]
        for game, black, white in zip(pair, (first, second), (second, first), strict=True):
            self._add_game(run, game, black, white)
        if self._place[first] > self._place[second]:
            first, second = second, first
            score = 1 - score[0], 1 - score[1]
        self.pairs.setdefault((first, second), Counter())[score] += 1

    def _add_game(self, run: Run, game: GameRecord, black: str, white: str) -> None:
        self.games += 1
        self.timed += not game.reproducible
        self.endings[game.reason] += 1
        self._results[game.result][black, white] += 1
        # Games of two players are copies if opening and moves are the same, whoever of the two
        # was Black: such a game tells nothing new. It counts as distinct where it was found first.
        what = "\0".join((*sorted((black, white)), game.opening, game.moves))
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

    def table(self, players: Sequence[str]) -> ResultTable:
        """Return results and distinct games of each ordered pair of `players`."""

        def matrix(counts: Counter[_Met]) -> IntArray:
            rows = [[counts[black, white] for white in players] for black in players]
            return np.array(rows, dtype=np.int64)

        return ResultTable(
            tuple(players),
            matrix(self._results["black"]),
            matrix(self._results["draw"]),
            matrix(self._results["white"]),
            matrix(self._distinct),
        )


STOPPED_WARNING: Final = (
    "a sequential test may have ended this match; such a result leans away from 0 Elo"
)
"""What a match that a test may have stopped does to estimates that take its length as fixed."""


def _run_warnings(runs: Sequence[Run]) -> Iterator[str]:
    """Say what the runs, apart from their games, give reason to doubt."""
    for run in runs:
        played, wanted = 2 * len(run.pairs), run.config.total_games
        if run.config.sprt is not None:
            yield f"{run.path.name}: {STOPPED_WARNING}"
        elif played < wanted:
            yield f"{run.path.name}: not finished, {played} of {wanted} games played"
    if len({run.config.adjudication for run in runs}) > 1:
        yield "the runs adjudicate games by different rules"
    codes = sorted({code for run in runs for code in _codes(run.facts)})
    if len(codes) > 1:
        yield f"the games were played by different versions of the program: {', '.join(codes)}"


def _codes(facts: Mapping[str, Any]) -> set[str]:
    """Return the versions of the program that played a run, such as ``0.1.0 (1a2b3c4d)``."""
    found = set()
    for session in facts.get("sessions") or [facts]:
        git = session.get("git") or {}
        dirty = ", changed" if git.get("dirty") else ""
        commit = f" ({git['commit'][:8]}{dirty})" if git.get("commit") else ""
        found.add(f"{session.get('version', 'unknown')}{commit}")
    return found


def _game_warnings(
    count: _Count, players: Sequence[PlayerRef], idle: Sequence[str]
) -> Iterator[str]:
    if idle:
        yield "without any finished game, so not in the table: " + ", ".join(idle)
    games = count.games
    if count.timed:
        yield f"{count.timed} of {games} games were played by the clock and cannot be repeated"
    if count.forfeits:
        yield f"{len(count.forfeits)} of {games} games were forfeited; they count as lost"
    twins: dict[str, list[str]] = {}
    for player in players:
        twins.setdefault(player.config_hash, []).append(player.name)
    for same in twins.values():
        if len(same) > 1:
            yield "these have the same configuration, so nothing can separate them: " + (
                ", ".join(same)
            )
