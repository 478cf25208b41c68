"""A run folder whose games were played elsewhere: what it holds, written once and read again.

``run.json`` says where everything came from, ``games.jsonl`` holds the games as in any run, and
``counts.jsonl`` results of which no game is known. Nothing is scheduled, so nothing can be resumed.
What is fit to be imported, and which games make a pair, is decided in `intake`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gomoku_lab.arena.facts import (
    IMPORTED,
    RUN_FILE,
    SCHEMA_VERSION,
    has_run,
    read_facts,
    write_json,
)
from gomoku_lab.arena.log import GAMES_FILE, GamePair, RunError, game_line, parse_game
from gomoku_lab.arena.provenance import provenance, utc_now
from gomoku_lab.arena.store import Run, load_run
from gomoku_lab.game.formats.reading import Problem
from gomoku_lab.game.record import GameRecord, PlayerRef
from gomoku_lab.game.rules import Rule, check_size, parse_rule

if TYPE_CHECKING:
    import pandas as pd

COUNTS_FILE: Final = "counts.jsonl"
COUNTS_SCHEMA_VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultCounts:
    """What two players made of games that are not known one by one, nor who was Black in them.

    Attributes
    ----------
    first, second : str
        The players.
    wins, losses : int
        Games that the first one won and lost.
    draws : int or None
        None if draws were not counted.
    """

    first: str
    second: str
    wins: int
    draws: int | None
    losses: int

    def __post_init__(self) -> None:
        if self.first == self.second:
            raise ValueError(f"counts need two players: {self.first!r} twice")
        for key in ("wins", "draws", "losses"):
            count = getattr(self, key)
            whole = isinstance(count, int) and not isinstance(count, bool) and count >= 0
            if not whole and not (key == "draws" and count is None):
                raise ValueError(f"{key} must be a whole number from 0 up: {count!r}")

    @property
    def games(self) -> int:
        """Count the games."""
        return self.wins + (self.draws or 0) + self.losses

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return {"schema": COUNTS_SCHEMA_VERSION, **asdict(self)}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> ResultCounts:
        """Return the counts that `to_dict` wrote; ValueError if keys or values do not fit."""
        expected = {"schema", *(field.name for field in fields(cls))}
        if set(values) != expected or values["schema"] != COUNTS_SCHEMA_VERSION:
            raise ValueError(
                f"counts must hold {', '.join(sorted(expected))}, schema {COUNTS_SCHEMA_VERSION}: "
                f"{values!r}"
            )
        return cls(**{key: value for key, value in values.items() if key != "schema"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file from which was imported.

    Attributes
    ----------
    file : str
        As it was given.
    sha256 : str
        Of its bytes.
    format : str
        What it was read as.
    games, counts : int
        Games taken from it, and results of two players without games.
    skipped : int
        What was not taken.
    """

    file: str
    sha256: str
    format: str
    games: int
    counts: int
    skipped: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """What was taken from files.

    Attributes
    ----------
    rule, size
        Of all games; None where nobody said it, as with result tables.
    games : tuple of GameRecord
        The games in the order of the files. Two that make a pair have the same `pair`, all others
        have none.
    counts : tuple of ResultCounts
        Results without games.
    sources : tuple of Source
        The files.
    skipped : tuple of Problem
        What was not taken, and why.
    notes : tuple of str
        What was taken for granted or left out, in words.
    """

    rule: Rule | None
    size: int | None
    games: tuple[GameRecord, ...]
    counts: tuple[ResultCounts, ...]
    sources: tuple[Source, ...]
    skipped: tuple[Problem, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ImportedRun:
    """A folder of imported games as it stands on disk.

    Attributes
    ----------
    path : Path
        The folder.
    facts : dict
        All of ``run.json``.
    rule, size
        Of all games; None where not known.
    pairs : tuple of GamePair
        Two games of the same players and opening with colours swapped.
    singles : tuple of GameRecord
        All other games.
    counts : tuple of ResultCounts
        Results without games.
    """

    path: Path
    facts: dict[str, Any]
    rule: Rule | None
    size: int | None
    pairs: tuple[GamePair, ...]
    singles: tuple[GameRecord, ...]
    counts: tuple[ResultCounts, ...]

    def __repr__(self) -> str:
        from gomoku_lab.arena.run_view import run_summary

        return f"<{run_summary(self)}>"

    def _repr_html_(self) -> str:
        from gomoku_lab.arena.run_view import run_html

        return run_html(self)

    def pairings_frame(self) -> pd.DataFrame:
        """Return who met whom as a pandas table; columns as in `Run.pairings_frame`."""
        from gomoku_lab.arena.frames import pairings_frame

        return pairings_frame(self)

    @property
    def refs(self) -> tuple[PlayerRef, ...]:
        """Give the players as games and counts name them."""
        games = (game for pair in self.pairs for game in pair)
        refs = [ref for game in (*games, *self.singles) for ref in (game.black, game.white)]
        refs += [PlayerRef(name, "") for row in self.counts for name in (row.first, row.second)]
        return tuple(dict.fromkeys(refs))

    @property
    def sources(self) -> tuple[Source, ...]:
        """Give the files from which was imported."""
        return tuple(Source(**values) for values in self.facts[IMPORTED]["sources"])

    @property
    def skipped(self) -> tuple[Problem, ...]:
        """Give what was left out, and why."""
        return tuple(Problem(**values) for values in self.facts[IMPORTED]["skipped"])

    @property
    def notes(self) -> tuple[str, ...]:
        """Give what was taken for granted or left out of what was taken, in words."""
        return tuple(self.facts[IMPORTED]["notes"])

    @property
    def game_count(self) -> int:
        """Count the games, those of which only the results are known included."""
        games = 2 * len(self.pairs) + len(self.singles)
        return games + sum(row.games for row in self.counts)

    def games_frame(self) -> pd.DataFrame:
        """Return the games as a pandas table, as `Run.games_frame` does."""
        from gomoku_lab.arena.frames import games_frame

        return games_frame(self)

    def ratings_frame(self) -> pd.DataFrame:
        """Return the ratings as a pandas table, as `Run.ratings_frame` does."""
        from gomoku_lab.arena.frames import ratings_frame

        return ratings_frame(self)


AnyRun = Run | ImportedRun


def load_any_run(path: str | Path) -> AnyRun:
    """Read a run folder, whether its games were played here or imported.

    Raises
    ------
    RunError
        If there is no run, or one of its files is damaged.
    """
    folder = Path(path)
    facts = read_facts(folder)
    return _load_imported(folder, facts) if IMPORTED in facts else load_run(folder)


def games_of(run: AnyRun) -> Iterator[GameRecord]:
    """Yield the games of a run, played here or imported."""
    for pair in run.pairs:
        yield from pair
    if isinstance(run, ImportedRun):
        yield from run.singles


def write_import(path: str | Path, taken: Import, *, command: Sequence[str]) -> ImportedRun:
    """Write what was imported into a new run folder.

    Raises
    ------
    RunError
        If the folder holds a run, or cannot be made or written to.
    """
    folder = Path(path)
    if has_run(folder):
        raise RunError(f"{folder}: there is a run in this folder already; give another folder")
    games = "".join(game_line(game) for game in taken.games).encode()
    counts = "".join(_counts_line(row) for row in taken.counts).encode()
    now = utc_now()
    facts = {
        "schema": SCHEMA_VERSION,
        "hash": _content_hash(games, counts),
        IMPORTED: {
            "rule": None if taken.rule is None else str(taken.rule),
            "size": taken.size,
            "games": len(taken.games),
            "counts": len(taken.counts),
            "sources": [asdict(source) for source in taken.sources],
            "skipped": [asdict(problem) for problem in taken.skipped],
            "notes": list(taken.notes),
        },
        "command": list(command),
        "started": now,
        "ended": now,
        **provenance(),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / GAMES_FILE, games)
        _write(folder / COUNTS_FILE, counts)
        write_json(folder / RUN_FILE, facts)  # last: without it there is no run
    except OSError as error:
        raise RunError(f"{folder}: cannot write here: {error.strerror}") from error
    return _load_imported(folder, facts)


def _load_imported(folder: Path, facts: dict[str, Any]) -> ImportedRun:
    games, counts = (_read(folder / name) for name in (GAMES_FILE, COUNTS_FILE))
    if facts.get("hash") != _content_hash(games, counts):
        raise RunError(
            f"{folder}: {GAMES_FILE} or {COUNTS_FILE} was changed since it was imported: its hash "
            f"is {_content_hash(games, counts)}, not {facts.get('hash')}"
        )
    about = facts[IMPORTED]
    try:
        rule = None if about["rule"] is None else parse_rule(about["rule"])
        size = None if about["size"] is None else check_size(about["size"])
        pairs, singles = _paired([parse_game(line) for line in games.splitlines()])
        rows = tuple(ResultCounts.from_dict(json.loads(line)) for line in counts.splitlines())
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"{folder}: what was imported cannot be read: {error}") from error
    return ImportedRun(
        path=folder, facts=facts, rule=rule, size=size, pairs=pairs, singles=singles, counts=rows
    )


def _paired(games: Iterable[GameRecord]) -> tuple[tuple[GamePair, ...], tuple[GameRecord, ...]]:
    """Return the pairs, in the order of their first games, and the games that have no pair."""
    singles: list[GameRecord] = []
    found: dict[str, list[GameRecord]] = {}
    for game in games:
        if game.pair:
            found.setdefault(game.pair, []).append(game)
        else:
            singles.append(game)
    for pair, members in found.items():
        if len(members) != 2:
            raise ValueError(f"pair {pair} must have two games: {len(members)}")
    return tuple((one, other) for one, other in found.values()), tuple(singles)


def _counts_line(row: ResultCounts) -> str:
    return json.dumps(row.to_dict(), separators=(",", ":")) + "\n"


def _content_hash(games: bytes, counts: bytes) -> str:
    parts = (hashlib.sha256(part).hexdigest() for part in (games, counts))
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:12]


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}") from error
