"""Positions of finished games as rows of counts with the game's result: what a fit learns from.

Games are read one at a time; of a position some 200 bytes are kept.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from gomoku_lab.arena.distinct import DistinctCount
from gomoku_lab.arena.imported import AnyRun, games_of
from gomoku_lab.arena.log import RunError
from gomoku_lab.arena.tally import check_runs
from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.learned import COMBINATIONS, combination_of_code
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import parse_moves
from gomoku_lab.game.record import UNKNOWN, GameRecord
from gomoku_lab.game.rules import FREE_RULES, Rule
from gomoku_lab.kernels import layout

CODE_PLACES: Final = 2 * len(COMBINATIONS)
PLACES: Final = CODE_PLACES + layout.THREAT_STATES**2
"""Places of a row: the codes of the side to move, those of its opponent, the threats of both."""
_HALF_POINTS: Final = {"black": (2, 0), "draw": (1, 1), "white": (0, 2)}
"""What a result is worth to Black and to White."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Samples:
    """The positions of many games, in the order of the games.

    Attributes
    ----------
    places : uint16[n]
        The codes that occur, row by row: below 1820 those of the side to move, from there on those
        of its opponent; the last one of a row, from 3640 on, tells the threats of both.
    counts : uint8[n]
        How often each one occurs.
    ends : int64[positions]
        Where each position's row ends.
    labels : uint8[positions]
        The game's result for the side to move, in half points.
    settled : uint8[positions]
        1 where the counters decide the game, so that a search never evaluates the position.
    games : int32[positions]
        The number of the game.
    openings : tuple of str
        How each game began, by name.
    distinct : int
        Number of distinct positions.
    left_out : mapping of str to int
        Why games were left out, and how many.
    """

    places: npt.NDArray[np.uint16]
    counts: npt.NDArray[np.uint8]
    ends: npt.NDArray[np.int64]
    labels: npt.NDArray[np.uint8]
    settled: npt.NDArray[np.uint8]
    games: npt.NDArray[np.int32]
    openings: tuple[str, ...]
    distinct: int
    left_out: Mapping[str, int]

    def __len__(self) -> int:
        return len(self.ends)

    @property
    def rows(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
        """Give places, counts and ends, as the kernels of `kernels.logistic` take them."""
        return self.places, self.counts, self.ends

    def games_by_lot(self, seed: int) -> npt.NDArray[np.float64]:
        """Return a number in 0..1 for each game, the same for all games of one opening."""
        return np.array([lot(seed, opening) for opening in self.openings])


def collect_samples(
    runs: Sequence[AnyRun], *, window: int = 11, on_game: Callable[[], None] | None = None
) -> Samples:
    """Return the positions of all games of `runs` in which a move was chosen.

    Forfeited games are left out, since their results say nothing of the board; so are games
    without a result, and those that did not begin on an empty board.

    Parameters
    ----------
    runs : sequence of run
        Runs of games under one rule.
    window : int
        Cells read along a line, as in `EngineConfig`.
    on_game : callable, optional
        Called after each game.

    Raises
    ------
    RunError
        If the runs cannot be used together or by the engine, or no position is left.
    """
    check_runs(runs, "used")
    for run in runs:
        _check_rule(run)
    replayer = _Replayer(window)
    left_out: Counter[str] = Counter()
    for game in fit_games(runs, left_out, on_game):
        replayer.add(game)
    samples = replayer.samples(left_out)
    if not len(samples):
        names = ", ".join(str(run.path) for run in runs)
        reasons = ", ".join(f"{count} {reason}" for reason, count in left_out.items())
        raise RunError(f"{names}: no position to learn from: {reasons or 'no finished games'}")
    return samples


def fit_games(
    runs: Sequence[AnyRun], left_out: Counter[str], on_game: Callable[[], None] | None
) -> Iterator[GameRecord]:
    """Yield the games that something can be learned from; count in `left_out` why not the others.

    `on_game` is called after each game, also after one that is left out.
    """
    for run in runs:
        for game in games_of(run):
            reason = _unfit(game)
            if reason:
                left_out[reason] += 1
            else:
                yield game
            if on_game is not None:
                on_game()


def _check_rule(run: AnyRun) -> None:
    if run.rule not in FREE_RULES:
        shown = "not known; import says it by --rule" if run.rule is None else repr(str(run.rule))
        wanted = " or ".join(FREE_RULES)
        raise RunError(f"{run.path}: the rule of games to learn from must be {wanted}: {shown}")


def _unfit(game: GameRecord) -> str:
    """Return why nothing is learned from a game, or ""."""
    if game.result == UNKNOWN:
        return "without a result"
    if game.is_forfeit:
        return "forfeited"
    return "" if game.setup is None else "begun on a set board"


def lot(seed: int, opening: str) -> float:
    """Return a number in 0..1 that hangs on seed and opening alone."""
    digest = hashlib.sha256(f"{seed}:{opening}".encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


class Column:
    """An array that grows at its end without being copied where the system can help it."""

    def __init__(self, dtype: npt.DTypeLike) -> None:
        self._array = np.empty(1 << 12, dtype)
        self._length = 0

    def append(self, part: npt.NDArray[Any]) -> None:
        """Put `part` behind what there is."""
        wanted = self._length + len(part)
        if wanted > len(self._array):
            self._array.resize(max(wanted, len(self._array) * 3 // 2), refcheck=False)
        self._array[self._length : wanted] = part
        self._length = wanted

    def taken(self) -> npt.NDArray[Any]:
        """Return the array; nothing may be appended afterwards."""
        self._array.resize(self._length, refcheck=False)
        return self._array


class _Replayer:
    """Replays games one after another and keeps the rows of their positions."""

    def __init__(self, window: int) -> None:
        self._state = WorkingState(EngineConfig(depth=1, table_bits=0, window=window))
        self._board: tuple[int, Rule] | None = None
        self._openings: list[str] = []
        longest = layout.MAX_POINTS
        self._buffers: dict[str, npt.NDArray[Any]] = {
            "tally": np.zeros(CODE_PLACES, np.int32),
            "touched": np.zeros(CODE_PLACES, np.int32),
            # Of each empty point both colours' codes, on boards that fill up, and the threats.
            "places": np.zeros(longest * (longest + 2), np.uint16),
            "counts": np.zeros(longest * (longest + 2), np.uint8),
            "ends": np.zeros(longest, np.int64),
            "settled": np.zeros(longest, np.uint8),
        }
        kept = ("places", "counts", "ends", "settled")
        self._columns = {name: Column(self._buffers[name].dtype) for name in kept}
        self._labels, self._games = Column(np.uint8), Column(np.int32)
        self._distinct = DistinctCount()
        self._end = 0

    def add(self, game: GameRecord) -> None:
        """Keep the positions of a game in which a move was chosen."""
        from gomoku_lab.kernels.features import replay

        if self._board != (game.size, game.rule):
            self._state.set_up(Board(size=game.size, rule=game.rule))
            self._board = game.size, game.rule
        moves = parse_moves(game.moves, game.size)
        cells = np.array([self._state.cell(move) for move in moves], np.int32)
        found = self._buffers
        positions = replay(
            self._state.record,
            cells,
            game.opening_moves,
            combination_of_code(),
            found["tally"],
            found["touched"],
            *(found[name] for name in self._columns),
        )
        if not positions:
            return
        entries = int(found["ends"][positions - 1])
        found["ends"][:positions] += self._end
        self._end += entries
        for name, column in self._columns.items():
            column.append(found[name][: entries if name in ("places", "counts") else positions])
        sides = (game.opening_moves + np.arange(positions)) % 2
        self._labels.append(np.array(_HALF_POINTS[game.result], np.uint8)[sides])
        self._games.append(np.full(positions, len(self._openings), np.int32))
        self._openings.append(game.opening or game.id)
        self._distinct.add(game)

    def samples(self, left_out: Mapping[str, int]) -> Samples:
        """Return what was kept."""
        columns = {name: column.taken() for name, column in self._columns.items()}
        return Samples(
            **columns,
            labels=self._labels.taken(),
            games=self._games.taken(),
            openings=tuple(self._openings),
            distinct=self._distinct.distinct_positions,
            left_out=dict(left_out),
        )
