"""The log of a run, ``games.jsonl``: pairs of finished games, written and read one at a time.

A run of any length needs no more memory than two games. A pair is committed with one write and one
fsync, so that a crash loses at most the pairs that were being played. What a crash or a full disk
can leave at the end of the log (half a line, half a pair) is ignored when reading and cut off when
resuming; damage anywhere else is an error. Which pairs belong into a log is the run's business.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Self

from gomoku_lab.game.record import UNKNOWN, GameRecord

GAMES_FILE: Final = "games.jsonl"
GamePair = tuple[GameRecord, GameRecord]


class RunError(ValueError):
    """A run folder cannot be made, read or resumed; the message says why."""


class RunWriteError(RunError):
    """The disk takes nothing more; the pairs that were finished before are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class LoggedPairs(Collection[GamePair]):
    """The pairs of a log as they stood at one time; whoever goes through them reads the file.

    Attributes
    ----------
    path : Path
        The log.
    size : int
        How many of its bytes hold the pairs; what was appended later is not seen.
    count : int
        Number of pairs.
    chosen : frozenset of str or None
        If given, the ids of the only pairs that are seen; all of them are in the log.
    """

    path: Path
    size: int
    count: int
    chosen: frozenset[str] | None = None

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[GamePair]:
        if not self.count:
            return
        for pair, _ in read_pairs(self.path, self.size):
            if self.chosen is None or pair[0].pair in self.chosen:
                yield pair

    def __contains__(self, pair: object) -> bool:
        return any(pair == own for own in self)

    def only(self, ids: Iterable[str]) -> Self:
        """Return the pairs with these ids."""
        chosen = frozenset(ids)
        return type(self)(self.path, self.size, len(chosen), chosen)


def read_pairs(path: Path, size: int | None = None) -> Iterator[tuple[GamePair, int]]:
    """Yield every whole pair of a log with the number of bytes up to its end.

    Parameters
    ----------
    path : Path
        The log.
    size : int, optional
        Bytes to read, all of which have been read before, so that outcomes are not checked again.
        By default the log is read as long as it is now.

    Raises
    ------
    RunError
        If a line is damaged, other than the last one, or its moves deny its result.
    """
    waiting: GameRecord | None = None
    end = 0
    with _open(path) as file:
        length = os.fstat(file.fileno()).st_size if size is None else size
        for number, line in enumerate(file, start=1):
            end += len(line)
            if end > length:
                return
            try:
                game = parse_game(line)
            except (ValueError, TypeError, KeyError) as error:
                if end == length:  # the writer was stopped in the middle of the last line
                    return
                raise RunError(f"{path}:{number}: damaged line: {error}") from error
            if size is None:
                _check_outcome(game, path, number)
            if waiting is None:
                waiting = game
            elif game.pair != waiting.pair:
                raise RunError(
                    f"{path}:{number}: game {game.id} follows {waiting.id}, whose pair is not whole"
                )
            else:
                yield (waiting, game), end
                waiting = None


class LogWriter:
    """The one writer of a log.

    Parameters
    ----------
    folder : Path
        The run folder; it must exist.

    Raises
    ------
    RunError
        If another process is writing.
    OSError
        If nothing can be written there.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / GAMES_FILE
        self.size = 0
        self._file = _open_locked(self.path)

    def keep(self, size: int) -> None:
        """Cut off what stands behind the first `size` bytes, and end the last line."""
        os.ftruncate(self._file, size)
        if size and os.pread(self._file, 1, size - 1) != b"\n":
            size += os.write(self._file, b"\n")
        os.fsync(self._file)
        self.size = size

    def append(self, pairs: Sequence[GamePair]) -> None:
        """Commit whole pairs; after an error nothing more may be appended."""
        data = "".join(game_line(game) for pair in pairs for game in pair).encode()
        left = memoryview(data)
        while left:  # a disk that is nearly full takes a part
            left = left[os.write(self._file, left) :]
        os.fsync(self._file)
        self.size += len(data)

    def close(self) -> None:
        """Give the log free for another writer. It may be called twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}") from error


def _open_locked(path: Path) -> int:
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        import fcntl
    except ImportError:  # no such locks on Windows
        return file
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        raise RunError(f"{path.parent}: another process is playing this run") from None
    return file


def game_line(game: GameRecord) -> str:
    """Return the line of a log that holds a game."""
    return json.dumps(game.to_dict(), separators=(",", ":")) + "\n"


def parse_game(line: bytes) -> GameRecord:
    """Return the game in a line of a log; ValueError, TypeError or KeyError if there is none."""
    values = json.loads(line)
    if not isinstance(values, dict):
        raise ValueError(f"a game must be a JSON object: {values!r}")
    return GameRecord.from_dict(values)


def _check_outcome(game: GameRecord, path: Path, number: int) -> None:
    try:
        game.check_outcome()
    except ValueError as error:
        raise RunError(f"{path}:{number}: {error}") from None
    if game.result == UNKNOWN:
        raise RunError(f"{path}:{number}: game {game.id} has no result: a run holds finished games")
