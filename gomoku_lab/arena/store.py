"""The run folder: ``run.json`` says what is played, ``games.jsonl`` holds what has been played.

The state is the log (see `log`): nothing else has to be kept to go on.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from gomoku_lab.arena.config import TournamentConfig
from gomoku_lab.arena.facts import IMPORTED, RUN_FILE, SCHEMA_VERSION, SPRT_FILE, read_facts
from gomoku_lab.arena.folder import FolderWriter, begin, config_of, new_facts, refusals
from gomoku_lab.arena.log import (
    GAMES_FILE,
    GamePair,
    LoggedPairs,
    LogWriter,
    RunError,
    RunWriteError,
    read_pairs,
)
from gomoku_lab.arena.schedule import ScheduledPair
from gomoku_lab.game.record import UNKNOWN, GameRecord, PlayerRef
from gomoku_lab.game.rules import Rule
from gomoku_lab.stats.pairs import pair_counts

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "GamePair",
    "Run",
    "RunError",
    "RunWriteError",
    "RunWriter",
    "canonical",
    "load_config",
    "load_run",
    "score_of",
]


@dataclass(frozen=True, slots=True, repr=False)
class Run:
    """A run as it stands on disk.

    Attributes
    ----------
    path : Path
        The folder.
    config : TournamentConfig
        What is played.
    facts : dict
        All of ``run.json``: versions, git commit, machine, command, times.
    pairs : LoggedPairs
        The finished pairs in the order in which they were finished. They are not kept in memory:
        whoever goes through them reads the log.
    """

    path: Path
    config: TournamentConfig
    facts: dict[str, Any]
    pairs: LoggedPairs

    def __repr__(self) -> str:
        from gomoku_lab.arena.run_view import run_summary

        return f"<{run_summary(self)}>"

    def _repr_html_(self) -> str:
        from gomoku_lab.arena.run_view import run_html

        return run_html(self)

    def games(self) -> list[GameRecord]:
        """Return the finished games, whole pairs only, all of them in memory."""
        return [game for pair in self.pairs for game in pair]

    @property
    def rule(self) -> Rule:
        """Give the rule of all games."""
        return self.config.rule

    @property
    def size(self) -> int:
        """Give the board size of all games."""
        return self.config.size

    @property
    def refs(self) -> tuple[PlayerRef, ...]:
        """Give the players as the games name them."""
        return self.config.refs

    @property
    def game_count(self) -> int:
        """Count the finished games."""
        return 2 * len(self.pairs)

    @property
    def is_complete(self) -> bool:
        """Tell whether every scheduled game has been played."""
        return 2 * len(self.pairs) == self.config.total_games

    def only(self, ids: Iterable[str]) -> Run:
        """Return the run as if only the pairs with these ids had been finished."""
        return replace(self, pairs=self.pairs.only(ids))

    def games_frame(self) -> pd.DataFrame:
        """Return the finished games as a pandas table, one row a game.

        Columns: ``game``, ``pair``, ``opening`` (string), ``opening_moves`` (int64), ``black``,
        ``white``, ``result`` (string), ``black_score`` (float64, 1, 0.5 or 0), ``reason`` (string),
        ``forfeit`` (bool), ``plies`` (int64), ``black_nodes``, ``white_nodes`` (Int64),
        ``black_time_ms``, ``white_time_ms`` (float64, milliseconds), ``reproducible`` (bool),
        ``moves`` (string). What is not known of a game is missing.
        """
        from gomoku_lab.arena.frames import games_frame

        return games_frame(self)

    def ratings_frame(self) -> pd.DataFrame:
        """Return the ratings as a pandas table, one row a player, the strongest first.

        Columns: ``place`` (int64), ``player`` (string), ``rating``, ``low``, ``high`` (float64,
        Elo, 95 % interval; the rating is missing where only a bound is known), ``kind`` (string,
        what these numbers are), ``games``, ``wins`` (int64), ``draws`` (Int64), ``losses`` (int64),
        ``score``, ``score_as_black``, ``score_as_white`` (float64, 0 to 1), ``forfeits`` (int64),
        ``config_hash`` (string).
        """
        from gomoku_lab.arena.frames import ratings_frame

        return ratings_frame(self)

    def pairings_frame(self) -> pd.DataFrame:
        """Return who met whom as a pandas table, one row for each two players.

        Columns: ``first``, ``second`` (string), ``games``, ``wins`` (int64), ``draws`` (Int64),
        ``losses`` (int64), ``score`` (float64, of the first, 0 to 1), ``elo``, ``low``, ``high``
        (float64, of these games alone, 95 % interval; missing where only a bound is known),
        ``kind`` (string, what these numbers are).
        """
        from gomoku_lab.arena.frames import pairings_frame

        return pairings_frame(self)

    def pair_counts(self, first: str, second: str) -> tuple[int, int, int, int, int]:
        """Return (LL, LD, WL+DD, WD, WW) of player `first` against player `second`."""
        names = {ref.name for ref in self.config.refs}
        for name in (first, second):
            if name not in names:
                raise RunError(f"{self.path}: no player {name!r}; players: {', '.join(names)}")
        wanted = {first, second}
        return pair_counts(
            (score_of(game_a, first), score_of(game_b, first))
            for game_a, game_b in self.pairs
            if {game_a.black.name, game_a.white.name} == wanted
        )


def score_of(game: GameRecord, player: str) -> float:
    """Return what the game was worth for `player`: 1, 0.5 or 0."""
    if player not in (game.black.name, game.white.name):
        raise ValueError(f"{player!r} did not play game {game.id}")
    if game.result == UNKNOWN:
        raise ValueError(f"game {game.id} has no result")
    if game.result == "draw":
        return 0.5
    winner = game.black if game.result == "black" else game.white
    return 1.0 if winner.name == player else 0.0


def canonical(games: Iterable[GameRecord]) -> list[dict[str, Any]]:
    """Return the games without measured times, sorted by id.

    Runs with reproducible players that have the same configuration are equal in this form,
    whatever the number of jobs, the backend and the interruptions.
    """
    stripped = []
    for game in games:
        values = game.to_dict()
        del values["time_ms"]
        stripped.append(values)
    return sorted(stripped, key=lambda values: str(values["id"]))


def load_run(path: str | Path) -> Run:
    """Read a run folder.

    Raises
    ------
    RunError
        If there is no run, or one of its files is damaged.
    """
    folder = Path(path)
    facts, config = _read_config(folder)
    log = folder / GAMES_FILE
    done, size = _check_log(log, config) if log.exists() else ((), 0)
    return Run(folder, config, facts, LoggedPairs(log, size, len(done)))


def load_config(path: str | Path) -> TournamentConfig:
    """Read what a run folder says is played, without looking at the games.

    Raises
    ------
    RunError
        If there is no run, or its ``run.json`` is damaged.
    """
    return _read_config(Path(path))[1]


class RunWriter(FolderWriter):
    """The one writer of a run folder, from `create` or `resume` until `close`.

    Attributes
    ----------
    done : frozenset of str
        Ids of the pairs that were finished when it was opened.
    """

    def __init__(
        self,
        path: Path,
        config: TournamentConfig,
        facts: dict[str, Any],
        log: LogWriter,
        done: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(path, facts, log, len(done))
        self.done = done
        self._config = config

    @classmethod
    def create(cls, path: str | Path, config: TournamentConfig) -> Self:
        """Start a new run in `path`, which must not hold one.

        Raises
        ------
        RunError
            If the folder holds a run, or cannot be made or written to.
        """
        folder = Path(path)
        facts = new_facts(config, schema=SCHEMA_VERSION, seed=config.seed)
        return cls(folder, config, facts, begin(folder, RUN_FILE, facts))

    @classmethod
    def resume(cls, path: str | Path) -> Self:
        """Open a run to go on with it; an unfinished end of the log is cut off.

        Raises
        ------
        RunError
            If there is no run, it is damaged, was changed, or is being written by another process.
        """
        folder = Path(path)
        facts, config = _read_config(folder)
        with refusals(folder):
            log = LogWriter(folder)
            try:
                done, size = _check_log(log.path, config)
                log.keep(size)
            except BaseException:
                log.close()
                raise
        return cls(folder, config, facts, log, frozenset(done))

    @property
    def run(self) -> Run:
        """Give the run as it stands."""
        return Run(self.path, self._config, self.facts, self.pairs)

    def write_test(self, values: Mapping[str, Any]) -> None:
        """Write ``sprt.json``: where the match's test stands."""
        self.write(SPRT_FILE, values)


def _read_config(folder: Path) -> tuple[dict[str, Any], TournamentConfig]:
    facts, path = read_facts(folder), folder / RUN_FILE
    if IMPORTED in facts:
        raise RunError(
            f"{folder}: these games were imported, not played here, so there is nothing to go on "
            f"with; to rate them: gomoku-lab rate {shlex.quote(str(folder))}"
        )
    return facts, config_of(facts, TournamentConfig.from_dict, path)


def _check_log(path: Path, config: TournamentConfig) -> tuple[set[str], int]:
    """Return the ids of the whole pairs of a log and the number of bytes that hold them.

    Raises
    ------
    RunError
        If a line is damaged, or a pair is not scheduled, stands twice, or was played by others.
    """
    scheduled, refs = {pair.id: pair for pair in config.schedule()}, config.refs
    done: set[str] = set()
    size = 0
    for number, (pair, end) in enumerate(read_pairs(path)):
        task = scheduled.get(pair[0].pair)
        where = f"{path}:{2 * number + 1}: pair {pair[0].pair}"
        if task is None:
            raise RunError(f"{where}: is not part of this run")
        if task.id in done:
            raise RunError(f"{where}: was played twice")
        done.add(task.id)
        _check_players(pair, task, refs, where)
        size = end
    return done, size


def _check_players(
    pair: GamePair, task: ScheduledPair, refs: Sequence[PlayerRef], where: str
) -> None:
    first, second = refs[task.first], refs[task.second]
    played = tuple((game.id, game.black, game.white) for game in pair)
    wanted = ((f"{task.id}a", first, second), (f"{task.id}b", second, first))
    if played != wanted:
        raise RunError(f"{where}: was played by {played}, not by {wanted}")
