"""Positions of finished games as choices among candidates: what an order learns from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gomoku_lab.arena.imported import AnyRun
from gomoku_lab.arena.log import RunError
from gomoku_lab.arena.tally import check_runs
from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.learned import combination_of_code
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import parse_moves
from gomoku_lab.game.record import GameRecord
from gomoku_lab.game.rules import Rule
from gomoku_lab.kernels import layout
from gomoku_lab.tuning.samples import Column, fit_games, lot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Choices:
    """The positions of many games as choices among their candidates.

    Attributes
    ----------
    codes : uint16[n, 2]
        The unordered codes of each candidate, of the side to move and of its opponent.
    hand : int32[n]
        What the base's order says of it.
    ends, chosen : int64[positions]
        Where each position's candidates end, and which one was played.
    games : int32[positions]
        The number of the game.
    openings : tuple of str
        How each game began, by name.
    left_out : mapping of str to int
        Why games were left out, and how many.
    """

    codes: npt.NDArray[np.uint16]
    hand: npt.NDArray[np.int32]
    ends: npt.NDArray[np.int64]
    chosen: npt.NDArray[np.int64]
    games: npt.NDArray[np.int32]
    openings: tuple[str, ...]
    left_out: Mapping[str, int]

    def __len__(self) -> int:
        return len(self.ends)

    def lots(self, seed: int) -> npt.NDArray[np.float64]:
        """Return a number in 0..1 for each position, the same for all games of one opening."""
        return np.array([lot(seed, opening) for opening in self.openings])[self.games]


def collect_choices(
    runs: Sequence[AnyRun], config: EngineConfig, *, on_game: Callable[[], None] | None = None
) -> Choices:
    """Return the positions of all games of `runs` in which a move was chosen.

    Left out are the games that `collect_samples` leaves out. A gate's moves count like those of a
    search: without them an order would learn that nobody ever answers an open four.

    Raises
    ------
    RunError
        If the runs cannot be used together, or no position is left.
    """
    check_runs(runs, "used")
    reader = _Reader(config)
    left_out: Counter[str] = Counter()
    for game in fit_games(runs, left_out, on_game):
        reader.add(game)
    choices = reader.choices(left_out)
    if not len(choices):
        names = ", ".join(str(run.path) for run in runs)
        raise RunError(f"{names}: no chosen move to learn an order from")
    return choices


class _Reader:
    """Replays games one after another and keeps the candidates of their positions."""

    def __init__(self, config: EngineConfig) -> None:
        self._state = WorkingState(config.varied({"table_bits": 0}))
        self._board: tuple[int, Rule] | None = None
        self._openings: list[str] = []
        most = layout.MAX_POINTS * layout.MAX_POINTS
        self._codes = np.zeros((most, 2), np.uint16)
        self._hand = np.zeros(most, np.int32)
        self._ends, self._chosen = (np.zeros(layout.MAX_POINTS, np.int64) for _ in range(2))
        kinds = {"codes": np.uint16, "hand": np.int32, "ends": np.int64, "chosen": np.int64}
        self._columns = {name: Column(kind) for name, kind in kinds.items()}
        self._games = Column(np.int32)
        self._end = 0

    def add(self, game: GameRecord) -> None:
        """Keep the positions of a game in which a move was chosen."""
        from gomoku_lab.kernels.choices import replay_choices

        if self._board != (game.size, game.rule):
            self._state.set_up(Board(size=game.size, rule=game.rule))
            self._board = game.size, game.rule
        moves = parse_moves(game.moves, game.size)
        positions = replay_choices(
            self._state.record,
            np.array([self._state.cell(move) for move in moves], np.int32),
            game.opening_moves,
            combination_of_code(),
            self._codes,
            self._hand,
            self._ends,
            self._chosen,
        )
        if not positions:
            return
        entries = int(self._ends[positions - 1])
        self._columns["codes"].append(self._codes[:entries].ravel())
        self._columns["hand"].append(self._hand[:entries])
        self._columns["ends"].append(self._ends[:positions] + self._end)
        self._columns["chosen"].append(self._chosen[:positions] + self._end)
        self._games.append(np.full(positions, len(self._openings), np.int32))
        self._openings.append(game.opening or game.id)
        self._end += entries

    def choices(self, left_out: Mapping[str, int]) -> Choices:
        """Return what was kept."""
        columns = {name: column.taken() for name, column in self._columns.items()}
        return Choices(
            **{**columns, "codes": columns["codes"].reshape(-1, 2)},
            games=self._games.taken(),
            openings=tuple(self._openings),
            left_out=dict(left_out),
        )
