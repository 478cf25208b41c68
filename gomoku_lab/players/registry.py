"""Which players exist and how one is named: from a player expression to a player.

An expression is the name of a preset (``layered/hard``), a glob of such names, a TOML file, or a
scheme with its target (``python:package.module:Name``), each with overrides after a colon. The
families are in `players.families`, the files in `players.files`, the grammar in
`players.expressions`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.settings import ConfigError, Settings, nearest_key
from gomoku_lab.players.expressions import Expression, format_overrides, parse_expression
from gomoku_lab.players.families import FAMILIES, Family, family_named
from gomoku_lab.players.files import all_preset_names, preset, preset_names, read_player_file
from gomoku_lab.players.spec import PlayerSpec

if TYPE_CHECKING:
    from gomoku_lab.game.rules import Rule
    from gomoku_lab.players.protocol import Player

__all__ = [
    "Family",
    "PlayerSpec",
    "expand",
    "families",
    "make_player",
    "needs_kernels",
    "presets",
    "rehearse",
    "resolve",
    "vary",
    "warm_up",
]

_loading = threading.Lock()
_loaded: set[str] = set()
"""Adapters whose kernels this process has loaded."""


def families() -> tuple[Family, ...]:
    """Return all families, in the order in which lists show them."""
    return tuple(FAMILIES.values())


def presets(family: str | None = None) -> tuple[str, ...]:
    """Return the names ``family/level`` of the presets of one family, or of all, in order."""
    if family is None:
        return all_preset_names()
    return preset_names(family_named(family, "presets"))


def resolve(expression: str) -> PlayerSpec:
    """Return the one player that `expression` names.

    Raises
    ------
    ConfigError
        If it names no player or several, or a key or value in it is wrong.
    OSError
        If it names a file that cannot be read.
    """
    found = expand([expression])
    if len(found) != 1:
        names = ", ".join(spec.name for spec in found)
        raise ConfigError(f"{expression}: one player is wanted, this names {len(found)}: {names}")
    return found[0]


def expand(expressions: Sequence[str]) -> list[PlayerSpec]:
    """Return the players that `expressions` name, globs expanded, each player once.

    A player that is named twice keeps its first place. Errors are those of `resolve`.
    """
    found: dict[str, PlayerSpec] = {}
    for text in expressions:
        expression = parse_expression(text)
        for head in _heads(expression):
            spec = _spec(expression, head)
            found.setdefault(spec.name, spec)
    return list(found.values())


def vary(spec: PlayerSpec, overrides: Mapping[str, Any]) -> PlayerSpec:
    """Return the player with settings changed; its name says so, and nothing is promised for it.

    The rest is taken from `spec`, not from the file or preset that it was named after.

    Parameters
    ----------
    spec : PlayerSpec
        The player.
    overrides : mapping
        Keys, dotted ones as in an expression, to values.

    Raises
    ------
    ConfigError
        If a key or value is wrong.
    """
    expression = parse_expression(spec.name)
    config = spec.config.varied(overrides, source=spec.name)
    named = format_overrides({**expression.overrides, **overrides}, config)
    return PlayerSpec(
        name=f"{expression.head}:{named}" if named else expression.head,
        family=spec.family,
        config=config,
        description=spec.description,
    )


def make_player(player: PlayerSpec | str) -> Player:
    """Return the player itself, ready to play; the caller closes it.

    Kernels that it needs are loaded before, as by `warm_up`.

    Raises
    ------
    ConfigError
        If an expression is wrong.
    gomoku_lab.players.errors.PlayerStartError
        If the player cannot be started.
    """
    spec = resolve(player) if isinstance(player, str) else player
    warm_up([spec])
    return cast("Player", family_named(spec.family, spec.name).adapter_class(spec))


def needs_kernels(spec: PlayerSpec) -> bool:
    """Tell whether the player needs compiled kernels."""
    return family_named(spec.family, spec.name).compiled


def warm_up(
    specs: Iterable[PlayerSpec] | None = None, progress: Callable[[str], None] | None = None
) -> None:
    """Load the kernels that players need, compiling them first where the cache is cold.

    Done before several workers start, it keeps them from all compiling the same; done in a worker
    before it makes players, it keeps loading out of the time of their first moves. What this
    process has loaded already costs nothing.

    Parameters
    ----------
    specs : iterable of PlayerSpec, optional
        The players; by default those of all presets.
    progress : callable, optional
        Told one sentence before each compilation; by default the log is.
    """
    players = expand(["*"]) if specs is None else specs
    used = [family_named(spec.family, spec.name) for spec in players if needs_kernels(spec)]
    with _loading:
        # Families that share an adapter share its kernels.
        for family in used:
            if family.adapter not in _loaded:
                family.adapter_class.warm_up(progress)
                _loaded.add(family.adapter)


def rehearse(player: Player, spec: PlayerSpec, rule: Rule) -> None:
    """Let a player that needs kernels choose a first move that nobody counts.

    Tables of the rule and other things of the first use are then there before a clock runs. The
    caller begins a game afterwards, which forgets this one.
    """
    from gomoku_lab.engine.config import SearchLimits
    from gomoku_lab.game.board import Board

    if needs_kernels(spec):
        player.choose(Board.from_moves("h8i9", rule=rule), SearchLimits(depth=1))


def _heads(expression: Expression) -> list[str]:
    """Return the heads that the expression stands for: several only where it is a glob."""
    head = expression.head
    scheme, _, target = head.partition(":")
    if scheme in FAMILIES and FAMILIES[scheme].target and not target.strip():
        what = FAMILIES[scheme].target
        raise ConfigError(f"{scheme}: {what} is missing: {scheme}:{what} is wanted")
    if _scheme(head) is not None or head.endswith(".toml"):
        return [head]
    names = all_preset_names()
    matching = [name for name in names if fnmatchcase(name, head)]
    if matching:
        return matching
    name, _, rest = head.partition(":")
    if rest and any(fnmatchcase(known, name) for known in names):
        raise ConfigError(f"{expression.text}: an override must be key=value: {rest!r}")
    nearest = nearest_key(head, names)
    hint = f"; did you mean {nearest!r}?" if nearest else ";"
    schemes = ", ".join(f"{one.name}:{one.target}" for one in families() if one.target)
    raise ConfigError(
        f"unknown player {head!r}{hint} players: {', '.join(names)}, {schemes}, or a .toml file"
    )


def _scheme(head: str) -> Family | None:
    """Return the family of a head such as ``python:module:Name``, or None."""
    name, colon, _ = head.partition(":")
    family = FAMILIES.get(name) if colon else None
    return family if family is not None and family.target else None


def _spec(expression: Expression, head: str) -> PlayerSpec:
    """Return the player that one head and the expression's overrides make."""
    family = _scheme(head)
    required: tuple[str, ...] = ()
    if family is not None:
        values = {"target": head.partition(":")[2], **expression.overrides}
        config = family.config_class.from_dict(values, source=expression.text)
        description = family.description
    else:
        entry = read_player_file(Path(head)) if head.endswith(".toml") else preset(head)
        family, description = entry.family, entry.description
        config = entry.config.varied(expression.overrides, source=expression.text)
        required = entry.required_of(config)
    config = _with_hashes(config, expression.text)
    overrides = format_overrides(expression.overrides, config)
    return PlayerSpec(
        name=f"{head}:{overrides}" if overrides else head,
        family=family.name,
        config=config,
        required=required,
        description=description,
    )


def _with_hashes(config: Settings, source: str) -> Settings:
    """Return `config` with the hashes of the learned tables it names: runs keep what was played."""
    if not isinstance(config, EngineConfig):
        return config
    named = {"evaluation": config.evaluation, "move_order": config.move_order}
    if set(named.values()) == {"hand"}:
        return config
    from gomoku_lab.engine.learned import pinned

    try:
        return config.varied({key: pinned(reference, key) for key, reference in named.items()})
    except ConfigError as error:
        raise ConfigError(f"{source}: {error}") from None
