"""Games to search for positions: those of run folders in an order by lot, or played there and then.

Which game stands at which place depends on the seed alone, so that a search can go on where it was
stopped. It reads runs, and plays; it judges nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from gomoku_lab.arena.imported import games_of, load_any_run
from gomoku_lab.arena.match import play_game
from gomoku_lab.arena.openings import Opening, load_openings, select_openings, vary_opening
from gomoku_lab.arena.schedule import pair_seeds
from gomoku_lab.game.notation import parse_moves
from gomoku_lab.game.record import GameRecord
from gomoku_lab.game.rules import DEFAULT_SIZE, Rule
from gomoku_lab.players.protocol import Player

_RANDOM_MOVES: Final = 2
"""Random moves behind each opening, as in the self-play of a tournament."""


@dataclass(frozen=True, slots=True)
class Source:
    """One game as it is searched.

    Attributes
    ----------
    name : str
        The run and the game, or the player and the number of the game.
    moves : tuple of int
        All moves as flat indices.
    opening_moves : int
        How many of them nobody chose.
    size : int
    rule : Rule
    """

    name: str
    moves: tuple[int, ...]
    opening_moves: int
    size: int
    rule: Rule


class Sources(Protocol):
    """Games by number, from 0."""

    def __len__(self) -> int: ...

    def game(self, number: int) -> Source:
        """Return one game; the same whenever it is asked for."""
        ...


class RunSources:
    """The games of run folders, in an order by lot.

    Parameters
    ----------
    paths : sequence of path
        Run folders, played here or imported.
    rule : Rule, optional
        Only games under this rule.
    games : int, optional
        At most so many.
    seed : int
        Of the lot.

    Raises
    ------
    RunError
        If a folder is none of a run.
    ValueError
        If no game is left.
    """

    def __init__(
        self, paths: Sequence[Path], *, rule: Rule | None, games: int | None, seed: int
    ) -> None:
        found = [
            _source(run.path.name, game)
            for run in map(load_any_run, paths)
            for game in games_of(run)
            if game.setup is None and game.moves and rule in (None, game.rule)
        ]
        if not found:
            under = f" under {rule}" if rule else ""
            raise ValueError(f"{', '.join(map(str, paths))}: no games{under} to search")
        self._games = sorted(found, key=lambda one: _lot(seed, one.name))[:games]

    def __len__(self) -> int:
        return len(self._games)

    def game(self, number: int) -> Source:
        """Return one game of the runs."""
        return self._games[number]


class PlayedSources:
    """Games that a player plays against itself when they are asked for.

    Parameters
    ----------
    player : Player
        Whose moves depend on the seed alone, that is without a time budget.
    games : int
    rule : Rule
    seed : int
        Of the openings and of the player's draws.
    """

    def __init__(self, player: Player, *, games: int, rule: Rule, seed: int) -> None:
        self._player, self._rule, self._seed, self._number = player, rule, seed, games
        book = load_openings("book", rule=rule, size=DEFAULT_SIZE)
        self._openings = select_openings(book, len(book), seed)

    def __len__(self) -> int:
        return self._number

    def game(self, number: int) -> Source:
        """Play one game."""
        name = f"{self._player.name} game {number + 1}"
        seed = pair_seeds(self._seed, name)[0]
        record = play_game(
            self._player, self._player, self._opening(number), rule=self._rule, seed=seed
        )
        return _source(name, record, played=True)

    def _opening(self, number: int) -> Opening:
        chosen = self._openings[number % len(self._openings)]
        return vary_opening(
            chosen,
            moves=_RANDOM_MOVES,
            seed=pair_seeds(self._seed, str(number))[1],
            rule=self._rule,
        )


def _source(name: str, game: GameRecord, *, played: bool = False) -> Source:
    return Source(
        name=name if played else f"{name} game {game.id}",
        moves=tuple(parse_moves(game.moves, game.size)),
        opening_moves=game.opening_moves,
        size=game.size,
        rule=game.rule,
    )


def _lot(seed: int, name: str) -> bytes:
    return hashlib.sha256(f"{seed}:{name}".encode()).digest()
