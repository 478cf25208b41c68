"""Who is who in runs that are rated together: one name for each player, and what that rests on.

A player is a name with a configuration. Of a player from elsewhere only the name is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gomoku_lab.game.record import PlayerRef


@dataclass(frozen=True, slots=True)
class Names:
    """The names under which players stand in a table.

    Attributes
    ----------
    shown : mapping of PlayerRef to str
        The name of each player. A name with two configurations gets their hashes.
    warnings : tuple of str
        Where names alone decide who is who, in words.
    """

    shown: Mapping[PlayerRef, str]
    warnings: tuple[str, ...]

    @property
    def refs(self) -> dict[str, PlayerRef]:
        """Give the player behind each name, with the name that is shown."""
        hashes: dict[str, str] = {}
        for ref, name in self.shown.items():
            hashes[name] = hashes.get(name) or ref.config_hash
        return {name: PlayerRef(name, config_hash) for name, config_hash in hashes.items()}


def name_players(refs: Iterable[PlayerRef]) -> Names:
    """Return a name for each player.

    One whose configuration is not known is taken for the only one of its name. Where several
    have that name, it stands apart.
    """
    players = list(dict.fromkeys(refs))
    known = Counter(ref.name for ref in players if ref.config_hash)
    shown: dict[PlayerRef, str] = {}
    same: list[str] = []
    apart: list[str] = []
    for ref in players:
        configurations = known[ref.name]
        if configurations > 1:
            shown[ref] = f"{ref.name}@{ref.config_hash or 'unknown'}"
        else:
            shown[ref] = ref.name
        if not ref.config_hash and configurations:
            (same if configurations == 1 else apart).append(ref.name)
    warnings = []
    if same:
        warnings.append(
            "taken for the same players by their names alone, since imported games do not say "
            f"how they were configured: {', '.join(same)}"
        )
    if apart:
        warnings.append(
            f"imported, of unknown configuration, and so no part of any other of the name: "
            f"{', '.join(apart)}"
        )
    return Names(shown, tuple(warnings))
