"""The run folder: ``run.json`` says what is played, ``games.jsonl`` holds what has been played.

A pair of games is committed with one write and one fsync, so that a crash loses at most the pairs
that were being played. What a crash can leave at the end of the log (half a line, half a pair) is
ignored when reading and cut off when resuming; damage anywhere else is an error. The state is the
log: nothing else has to be kept to go on.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from gomoku_lab.arena.config import TournamentConfig
from gomoku_lab.arena.provenance import provenance, utc_now
from gomoku_lab.game.record import UNKNOWN, GameRecord
from gomoku_lab.stats.pairs import pair_counts

SCHEMA_VERSION: Final = 1
RUN_FILE: Final = "run.json"
GAMES_FILE: Final = "games.jsonl"
GamePair = tuple[GameRecord, GameRecord]


class RunError(ValueError):
    """A run folder cannot be made, read or resumed; the message says why."""


@dataclass(frozen=True, slots=True)
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
    pairs : tuple of GamePair
        The finished pairs in the order in which they were finished.
    """

    path: Path
    config: TournamentConfig
    facts: dict[str, Any]
    pairs: tuple[GamePair, ...]

    def games(self) -> list[GameRecord]:
        """Return the finished games, whole pairs only."""
        return [game for pair in self.pairs for game in pair]

    @property
    def is_complete(self) -> bool:
        """Tell whether every scheduled game has been played."""
        return 2 * len(self.pairs) == self.config.total_games

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
    facts, config = _read_facts(folder)
    log = folder / GAMES_FILE
    pairs, _ = _read_log(log) if log.exists() else ((), 0)
    _check_pairs(pairs, config, log)
    return Run(folder, config, facts, tuple(pairs))


class RunWriter:
    """The one writer of a run folder, from `create` or `resume` until `close`."""

    def __init__(self, run: Run, log: int) -> None:
        self._run = run
        self._log = log
        self._pairs = list(run.pairs)

    @classmethod
    def create(cls, path: str | Path, config: TournamentConfig) -> Self:
        """Start a new run in `path`, which must not hold one.

        Raises
        ------
        RunError
            If the folder holds a run, or cannot be made or written to.
        """
        folder = Path(path)
        # An empty log alone is what a kill at the very start leaves behind: nothing is lost.
        if (folder / RUN_FILE).exists() or _has_content(folder / GAMES_FILE):
            raise RunError(
                f"{folder}: there is a run in this folder already; go on with it by --resume "
                f"{folder}, or give another folder"
            )
        facts = {
            "schema": SCHEMA_VERSION,
            "hash": config.config_hash(),
            "config": config.to_dict(),
            "seed": config.seed,
            "command": [],
            "started": utc_now(),
            "ended": None,
            "sessions": [],
            **provenance(),
        }
        try:
            folder.mkdir(parents=True, exist_ok=True)
            log = _open_log(folder)
            _write_facts(folder, facts)
        except OSError as error:
            raise RunError(f"{folder}: cannot write here: {error.strerror}") from error
        return cls(Run(folder, config, facts, ()), log)

    @classmethod
    def resume(cls, path: str | Path) -> Self:
        """Open a run to go on with it; an unfinished end of the log is cut off.

        Raises
        ------
        RunError
            If there is no run, it is damaged, was changed, or is being written by another process.
        """
        folder = Path(path)
        facts, config = _read_facts(folder)
        try:
            log = _open_log(folder)
        except OSError as error:
            raise RunError(f"{folder}: cannot write here: {error.strerror}") from error
        try:
            pairs, whole = _read_log(folder / GAMES_FILE)
            _check_pairs(pairs, config, folder / GAMES_FILE)
            os.ftruncate(log, whole)
            if whole and os.pread(log, 1, whole - 1) != b"\n":
                os.write(log, b"\n")
            os.fsync(log)
        except BaseException:
            os.close(log)
            raise
        return cls(Run(folder, config, facts, tuple(pairs)), log)

    @property
    def run(self) -> Run:
        """Give the run as it stands."""
        return replace(self._run, pairs=tuple(self._pairs))

    def start_session(self, *, command: Sequence[str], jobs: int, backend: str) -> None:
        """Write down that somebody starts to play, with what command, version and workers."""
        facts = dict(self._run.facts)
        now = provenance()
        session = {
            "started": utc_now(),
            "command": list(command),
            "jobs": jobs,
            "backend": backend,
            "version": now["version"],
            "git": now["git"],
        }
        facts["command"] = facts["command"] or list(command)
        facts["sessions"] = [*facts["sessions"], session]
        facts["ended"] = None
        self._update(facts)

    def append(self, pairs: Sequence[GamePair]) -> None:
        """Commit whole pairs: one write, one fsync."""
        lines = [_line(game) for pair in pairs for game in pair]
        data = "".join(lines).encode()
        written = os.write(self._log, data)
        if written != len(data):  # a full disk: what is there is cut off on resuming
            raise RunError(f"{self._run.path / GAMES_FILE}: wrote {written} of {len(data)} bytes")
        os.fsync(self._log)
        self._pairs += pairs

    def finish(self) -> None:
        """Write down the time at which the last scheduled game was finished."""
        self._update({**self._run.facts, "ended": utc_now()})

    def close(self) -> None:
        """Give the folder free for another writer. It may be called twice."""
        if self._log >= 0:
            os.close(self._log)
            self._log = -1

    def _update(self, facts: dict[str, Any]) -> None:
        _write_facts(self._run.path, facts)
        self._run = replace(self._run, facts=facts)


def _line(game: GameRecord) -> str:
    return json.dumps(game.to_dict(), separators=(",", ":")) + "\n"


def _parse_game(line: bytes) -> GameRecord:
    values = json.loads(line)
    if not isinstance(values, dict):
        raise ValueError(f"a game must be a JSON object: {values!r}")
    return GameRecord.from_dict(values)


def _has_content(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _open_log(folder: Path) -> int:
    """Open the log for appending and lock it against a second writer."""
    log = os.open(folder / GAMES_FILE, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        import fcntl
    except ImportError:  # no such locks on Windows
        return log
    try:
        fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(log)
        raise RunError(f"{folder}: another process is playing this run") from None
    return log


def _write_facts(folder: Path, facts: dict[str, Any]) -> None:
    # Written aside and renamed: a reader sees the old or the new file, never half of one.
    temporary = folder / f"{RUN_FILE}.new"
    with temporary.open("w", encoding="utf-8") as file:
        json.dump(facts, file, indent=1)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(folder / RUN_FILE)


def _read_facts(folder: Path) -> tuple[dict[str, Any], TournamentConfig]:
    path = folder / RUN_FILE
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RunError(f"{folder}: no run in this folder: {path}: {error.strerror}") from error
    except ValueError as error:
        raise RunError(f"{path}: not valid JSON: {error}") from None
    if not isinstance(facts, dict) or facts.get("schema") != SCHEMA_VERSION:
        found = facts.get("schema") if isinstance(facts, dict) else facts
        raise RunError(f"{path}: schema must be {SCHEMA_VERSION}: {found!r}")
    try:
        config = TournamentConfig.from_dict(facts["config"])
        wanted = facts["hash"]
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"{path}: the configuration cannot be read: {error}") from error
    if config.config_hash() != wanted:
        raise RunError(
            f"{path}: the configuration has hash {config.config_hash()}, but the run was started "
            f"with {wanted}: players, rule, openings or budgets were changed since"
        )
    return facts, config


def _read_log(path: Path) -> tuple[list[GamePair], int]:
    """Return the whole pairs of a log and the number of bytes that hold them."""
    data = path.read_bytes()
    pairs: list[GamePair] = []
    waiting: GameRecord | None = None
    position = whole = 0
    for number, line in enumerate(data.split(b"\n"), start=1):
        end = position + len(line)
        if not line and end >= len(data):
            break
        try:
            game = _parse_game(line)
        except (ValueError, TypeError, KeyError) as error:
            if end + 1 >= len(data):  # the last line: the writer was stopped in the middle
                break
            raise RunError(f"{path}:{number}: damaged line: {error}") from error
        try:
            game.check_outcome()
        except ValueError as error:
            raise RunError(f"{path}:{number}: {error}") from None
        if game.result == UNKNOWN:
            raise RunError(
                f"{path}:{number}: game {game.id} has no result: a run holds finished games"
            )
        position = end + 1
        if waiting is None:
            waiting = game
        elif game.pair != waiting.pair:
            raise RunError(
                f"{path}:{number}: game {game.id} follows {waiting.id}, whose pair is not whole"
            )
        else:
            pairs.append((waiting, game))
            waiting, whole = None, min(position, len(data))
    return pairs, whole


def _check_pairs(pairs: Sequence[GamePair], config: TournamentConfig, path: Path) -> None:
    """Raise RunError unless every pair is scheduled, once, with these players and openings."""
    scheduled = {pair.id: pair for pair in config.schedule()}
    seen = set()
    for number, (game_a, game_b) in enumerate(pairs):
        where = f"{path}:{2 * number + 1}: pair {game_a.pair}"
        task = scheduled.get(game_a.pair)
        if task is None:
            raise RunError(f"{where}: is not part of this run")
        if task.id in seen:
            raise RunError(f"{where}: was played twice")
        seen.add(task.id)
        first, second = config.refs[task.first], config.refs[task.second]
        played = ((game_a.id, game_a.black, game_a.white), (game_b.id, game_b.black, game_b.white))
        wanted = ((f"{task.id}a", first, second), (f"{task.id}b", second, first))
        if played != wanted:
            raise RunError(f"{where}: was played by {played}, not by {wanted}")
