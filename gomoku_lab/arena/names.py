"""Who is who in runs that are rated together: one name for each player, and what that rests on.

A player is a name with a configuration. Of a player from elsewhere only the name is known.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gomoku_lab.engine.settings import nearest_key
from gomoku_lab.game.record import PlayerRef

_PROGRAM = re.compile(r"gomocup:(?:.*?[/\\])??([^/\\]+?)(?::\s*[A-Za-z_][\w.]*\s*=.*)?", re.DOTALL)


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


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return each name without options, or in full where that would not be unique."""
    short = {name: without_options(name) for name in names}
    uses = Counter(short.values())
    return {name: label if uses[label] == 1 else name for name, label in short.items()}


def find_player(word: str, names: Sequence[str]) -> str:
    """Return the player that `word` names, in full or without options.

    Raises
    ------
    ValueError
        If there is none.
    """
    found = {label: name for name, label in short_names(names).items()}
    if word in names:
        return word
    if word in found:
        return found[word]
    near = nearest_key(word, [*names, *found])
    hint = "" if near is None else f" (did you mean {near!r}?)"
    raise ValueError(f"no player {word!r}{hint}; players: {', '.join(names)}")


def find_order(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the players that a list with commas names; options may hold commas as well.

    Raises
    ------
    ValueError
        If one is none of `names`, stands twice, or is alone.
    """
    parts = [part.strip() for part in text.split(",")]
    known = {*names, *short_names(names).values()}
    order: list[str] = []
    while parts:
        lengths = [n for n in range(len(parts), 0, -1) if ",".join(parts[:n]) in known]
        taken = lengths[0] if lengths else 1
        order.append(find_player(",".join(parts[:taken]), names))
        parts = parts[taken:]
    if len(order) < 2 or len(set(order)) < len(order):
        raise ValueError(f"an order needs two or more different players: {text!r}")
    return tuple(order)


def without_options(name: str) -> str:
    """Return a player expression up to its options: ``a/b:nodes=9`` is called ``a/b``.

    Of the path of a program only the file's name stays: ``gomocup:/a/b:nodes=9`` is ``gomocup:b``.
    """
    program = _PROGRAM.fullmatch(name)
    if program:
        return f"gomocup:{program[1]}"
    found = re.match(r"python:[^:]+:[^:]+|[^:]+", name)
    return found.group() if found else name
