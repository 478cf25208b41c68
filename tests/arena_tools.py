"""A small tournament of stub players, for the tests of everything that plays or keeps games."""

from __future__ import annotations

import stub_players  # noqa: F401 - adds the family "stub"

from gomoku_lab.arena.config import TournamentConfig
from gomoku_lab.arena.openings import Opening
from gomoku_lab.players.registry import resolve

SIZE = 7
PLAYERS = ("stub:random", "stub:forward", "stub:random:salt=1")


def own_openings(count, size=SIZE):
    replies = [move for move in range(size * size) if move != 24][:count]
    return tuple(Opening(f"own-{i}", (24, move), size) for i, move in enumerate(replies))


def small_config(players=PLAYERS, *, pairs=4, **options):
    return TournamentConfig(
        players=tuple(resolve(player) for player in players),
        openings=own_openings(pairs),
        opening_set="own",
        **options,
    )


def openings_file(folder):
    """Write nine openings, distinct under the symmetries, and return the path as a string."""
    path = folder / "own.txt"
    replies = ("a7", "b7", "c7", "d7", "b6", "c6", "d6", "c5", "d5")
    path.write_text(f"size: {SIZE}\n" + "".join(f"d4{reply}\n" for reply in replies))
    return str(path)
