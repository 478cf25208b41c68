"""Who plays whom, from which opening, with which seeds: all of it fixed before the first game.

The schedule depends on the tournament alone, never on workers or on what has been played.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

SELFPLAY: Final = "selfplay"
FORMATS: Final = ("round-robin", "gauntlet", SELFPLAY)


@dataclass(frozen=True, slots=True)
class ScheduledPair:
    """Two games of the same opening with colours swapped; in self-play two games of one player.

    Attributes
    ----------
    id : str
        ``first-second-number``, all counted from 1, such as ``1-3-0007``; its games are ``...a``
        (first is black) and ``...b``.
    first, second : int
        The players, as indices from 0 into the tournament's list.
    opening : int
        Index from 0 into the tournament's openings.
    seeds : tuple of int
        One seed a game.
    """

    id: str
    first: int
    second: int
    opening: int
    seeds: tuple[int, int]


def pairings(players: int, tournament_format: str) -> list[tuple[int, int]]:
    """Return who meets whom, as indices from 0.

    In a ``round-robin`` everybody meets everybody; in a ``gauntlet`` the first player meets all
    the others; in ``selfplay`` each one meets itself.
    """
    if tournament_format not in FORMATS:
        raise ValueError(f"format must be one of {', '.join(FORMATS)}: {tournament_format!r}")
    if tournament_format == SELFPLAY:
        return [(player, player) for player in range(players)]
    if players < 2:
        raise ValueError(f"a tournament needs at least two players: {players!r}")
    everybody = list(combinations(range(players), 2))
    if tournament_format == "gauntlet":
        return [pairing for pairing in everybody if pairing[0] == 0]
    return everybody


def schedule(
    players: int, *, tournament_format: str, openings: int, seed: int
) -> Iterator[ScheduledPair]:
    """Yield every pair of games once.

    All pairings play the same openings, so that differences between openings cancel; and they
    advance together, so that a tournament that is stopped early has treated all alike.
    """
    met = pairings(players, tournament_format)
    for opening in range(openings):
        for first, second in met:
            pair_id = f"{first + 1}-{second + 1}-{opening + 1:04d}"
            yield ScheduledPair(pair_id, first, second, opening, pair_seeds(seed, pair_id))


def pair_seeds(seed: int, pair_id: str) -> tuple[int, int]:
    """Return the seeds of a pair's two games: a function of the run's seed and the pair's id.

    They fit into 53 bits, so that every JSON reader keeps them exactly.
    """
    digest = hashlib.sha256(pair_id.encode()).digest()
    key = tuple(int.from_bytes(digest[i : i + 4], "big") for i in range(0, 16, 4))
    words = np.random.SeedSequence(seed, spawn_key=key).generate_state(2, np.uint64)
    return int(words[0]) >> 11, int(words[1]) >> 11
