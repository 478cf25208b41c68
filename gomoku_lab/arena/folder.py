"""A folder of games that somebody is playing: what is played, in a JSON file, and the log.

`store` makes runs of it. It knows nothing of tournaments: what is played is a configuration with a
hash, and which pairs belong into the log is decided by who opens it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

from gomoku_lab.arena.facts import RUN_FILE, has_run, write_json
from gomoku_lab.arena.log import (
    GamePair,
    LoggedPairs,
    LogWriter,
    RunError,
    RunWriteError,
)
from gomoku_lab.arena.provenance import provenance, utc_now


class Played(Protocol):
    """What decides which games a folder holds."""

    def config_hash(self) -> str:
        """Return 12 hexadecimal digits that change with anything that decides the games."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        ...


def new_facts(config: Played, *, schema: int, seed: int) -> dict[str, Any]:
    """Return what the file of a new folder holds."""
    return {
        "schema": schema,
        "hash": config.config_hash(),
        "config": config.to_dict(),
        "seed": seed,
        "command": [],
        "started": utc_now(),
        "ended": None,
        "sessions": [],
        **provenance(),
    }


Config = TypeVar("Config", bound=Played)


def config_of(
    facts: Mapping[str, Any],
    make: Callable[[Mapping[str, Any]], Config],
    path: Path,
    *,
    what: str = "run",
) -> Config:
    """Return the configuration that the file at `path` of a `what` holds, made by `make`.

    Raises
    ------
    RunError
        If it cannot be read, or is not the one that the folder was begun with.
    """
    try:
        config = make(facts["config"])
        wanted = facts["hash"]
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"{path}: the configuration cannot be read: {error}") from error
    if config.config_hash() != wanted:
        raise RunError(
            f"{path}: the configuration has hash {config.config_hash()}, but the {what} was "
            f"started with {wanted}: players, rule, openings or budgets were changed since"
        )
    return config


def check_free(folder: Path, *files: str) -> None:
    """Raise RunError if the folder holds a log, or one of these files or that of a run."""
    if has_run(folder) or any((folder / file).exists() for file in files):
        raise RunError(
            f"{folder}: there is a run in this folder already; go on with it by --resume "
            f"{folder}, or give another folder"
        )


def begin(folder: Path, file: str, facts: Mapping[str, Any]) -> LogWriter:
    """Make the folder with its file, and return the writer of its log.

    Raises
    ------
    RunError
        If there is such a folder already, or it cannot be made or written to.
    """
    check_free(folder, file)
    with refusals(folder):
        folder.mkdir(parents=True, exist_ok=True)
        log = LogWriter(folder)
        try:
            write_json(folder / file, facts)
        except BaseException:
            log.close()
            raise
    return log


class FolderWriter:
    """The one writer of a folder, until `close`.

    Parameters
    ----------
    path : Path
        The folder.
    facts : dict
        What its file holds.
    log : LogWriter
        Its log, opened for this writer.
    count : int
        Pairs in the log.
    file : str
        Name of the file.
    """

    def __init__(
        self, path: Path, facts: dict[str, Any], log: LogWriter, count: int, *, file: str = RUN_FILE
    ) -> None:
        self.path = path
        self.facts = facts
        self._log = log
        self._count = count
        self._file = file

    @property
    def pairs(self) -> LoggedPairs:
        """Give the pairs that were committed."""
        return LoggedPairs(self._log.path, self._log.size, self._count)

    def start_session(
        self, *, command: Sequence[str], jobs: int, backend: str, scheduler: str | None = None
    ) -> None:
        """Write down that somebody starts to play, with what command, version and workers.

        Raises
        ------
        RunWriteError
            If the disk does not take it, as in `append`, `finish` and `write`.
        """
        facts = dict(self.facts)
        now = provenance()
        session = {
            "started": utc_now(),
            "command": list(command),
            "jobs": jobs,
            "backend": backend,
            **({} if scheduler is None else {"scheduler": scheduler}),
            "version": now["version"],
            "git": now["git"],
        }
        facts["command"] = facts["command"] or list(command)
        facts["sessions"] = [*facts["sessions"], session]
        facts["ended"] = None
        self._update(facts)

    def append(self, pairs: Sequence[GamePair]) -> None:
        """Commit whole pairs; what a full disk takes of them is cut off on resuming."""
        try:
            self._log.append(pairs)
        except OSError as error:
            self.close()  # nothing may be written behind half a line
            raise RunWriteError(f"{self._log.path}: cannot be written: {error.strerror}") from error
        self._count += len(pairs)

    def finish(self) -> None:
        """Write down the time at which the last game was finished."""
        self._update({**self.facts, "ended": utc_now()})

    def write(self, name: str, values: Mapping[str, Any]) -> None:
        """Write a JSON file of what follows from the log."""
        try:
            write_json(self.path / name, values)
        except OSError as error:
            where = self.path / name
            raise RunWriteError(f"{where}: cannot be written: {error.strerror}") from error

    def close(self) -> None:
        """Give the folder free for another writer. It may be called twice."""
        self._log.close()

    def _update(self, facts: dict[str, Any]) -> None:
        self.write(self._file, facts)
        self.facts = facts


@contextmanager
def refusals(folder: Path) -> Iterator[None]:
    """Turn what the disk refuses into a RunError."""
    try:
        yield
    except OSError as error:
        raise RunError(f"{folder}: cannot write here: {error.strerror}") from error
