"""Counting what repeats: distinct games, and distinct positions in which a move was chosen.

Two positions are the same if the same stones stand and the same side is to move; turned and
mirrored ones are different. Of a position 8 bytes are kept.
"""

from __future__ import annotations

import random
from array import array
from hashlib import blake2b
from typing import Final

import numpy as np

from gomoku_lab.game.notation import parse_moves
from gomoku_lab.game.record import GameRecord
from gomoku_lab.game.rules import MAX_SIZE

_draw = random.Random(20_251_130)
_KEYS: Final = tuple(tuple(_draw.getrandbits(64) for _ in range(MAX_SIZE**2)) for _ in range(2))
"""A random key for each stone of each side (Zobrist 1970)."""


class DistinctCount:
    """Counts games from the empty board, and their positions.

    Attributes
    ----------
    games, positions : int
        How many there were, opening positions not counted.
    """

    def __init__(self) -> None:
        self.games = 0
        self.positions = 0
        self._games: set[bytes] = set()
        self._positions = array("Q")

    def add(self, game: GameRecord) -> None:
        """Count a game and the positions in which a move was chosen."""
        self.games += 1
        self._games.add(blake2b(game.moves.encode(), digest_size=16).digest())
        key = 0
        for ply, move in enumerate(parse_moves(game.moves, game.size)):
            if ply >= game.opening_moves:
                self._positions.append(key)
                self.positions += 1
            key ^= _KEYS[ply % 2][move]

    @property
    def distinct_games(self) -> int:
        """Count the different ones among the games."""
        return len(self._games)

    @property
    def distinct_positions(self) -> int:
        """Count the different ones among the positions."""
        return len(np.unique(np.frombuffer(self._positions, np.uint64)))
