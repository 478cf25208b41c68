"""Player files: the presets that ship with the lab, and the user's own TOML files.

Both have one form: ``family`` (or ``base``, a preset to start from), ``description``, ``required``,
``required_without_noise``, ``order``, the player's configuration in the table ``[config]``, and
where it was tuned and tested in the table ``[provenance]``, which nothing depends on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from gomoku_lab.engine.settings import (
    ConfigError,
    Settings,
    nearest_key,
    parse_toml,
    toml_value,
    unknown_key_message,
)
from gomoku_lab.game.formats.text import read_text
from gomoku_lab.players.families import FAMILIES, Family, family_named

_PRESETS = Path(__file__).resolve().parent / "presets"
_CHECKOUT = _PRESETS.parent.parent.parent
_KEYS = (
    "family",
    "base",
    "description",
    "required",
    "required_without_noise",
    "order",
    "config",
    "provenance",
)
# What may be varied without touching what a player promises: the gates depend on none of these.
_BUDGET = frozenset({"depth", "time_ms", "nodes", "width", "table_bits"})
_KEPT_BY_ANY_PLAYER = "draw-board"
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_PRESET_NAME = re.compile(r"[a-z][a-z0-9_-]*/[A-Za-z0-9][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerFile:
    """What a player file says.

    Attributes
    ----------
    family : Family
        Whose configuration it holds.
    config : Settings
        The configuration.
    description : str
        One line.
    required, required_without_noise : tuple of str
        Kinds of positions that the player must solve as it is, and with its noise switched off.
    order : int
        Place among the presets of the family.
    provenance : mapping
        Where its values come from: data, commands, seeds, verdicts.
    """

    family: Family
    config: Settings
    description: str
    required: tuple[str, ...]
    required_without_noise: tuple[str, ...]
    order: int
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def to_toml(self) -> str:
        """Return the text of the player file."""
        head: dict[str, Any] = {"description": self.description, "family": self.family.name}
        if self.order:
            head["order"] = self.order
        head["required"] = self.required
        if self.required_without_noise != self.required:
            head["required_without_noise"] = self.required_without_noise
        parts = ["".join(_lines(head)), self.config.to_toml(table="config")]
        return "\n".join([*parts, *_tables("provenance", self.provenance)])

    def required_of(self, config: Settings) -> tuple[str, ...]:
        """Return the kinds that this player, varied to `config`, must still solve.

        A promise holds with any budget, and the promise without noise where noise is switched off.
        A player varied in another way is somebody's experiment: nothing was promised for it.
        """
        names = config.field_names()
        changed = {key for key in names if getattr(config, key) != getattr(self.config, key)}
        if changed <= _BUDGET:
            return self.required
        if changed <= _BUDGET | {"noise"} and getattr(config, "noise", None) == 0:
            return self.required_without_noise
        return tuple(kind for kind in self.required if kind == _KEPT_BY_ANY_PLAYER)


def preset_names(family: Family) -> tuple[str, ...]:
    """Return the names ``family/level`` of the presets of `family`, in order."""
    return tuple(sorted(_shipped(family), key=lambda name: preset(name).order))


def _shipped(family: Family) -> list[str]:
    """Return the names of the presets of `family` without reading them, in alphabetical order."""
    return sorted(f"{family.name}/{file.stem}" for file in (_PRESETS / family.name).glob("*.toml"))


def all_preset_names() -> tuple[str, ...]:
    """Return the names of all presets, family by family."""
    return tuple(name for family in FAMILIES.values() for name in preset_names(family))


@cache
def preset(name: str) -> PlayerFile:
    """Return the preset called ``family/level``."""
    return read_player_file(_PRESETS / f"{name}.toml")


def preset_path(name: str) -> Path:
    """Return the file of the preset ``family/level`` in a checkout, where it is to be written.

    Raises
    ------
    ConfigError
        If it is no such name, or the package is installed, where presets are nobody's to change.
    """
    if not _PRESET_NAME.fullmatch(name):
        raise ConfigError(f"a preset must be named family/level, such as lab/max: {name!r}")
    family = family_named(name.partition("/")[0], name)
    if not (_PRESETS / family.name).is_dir():
        raise ConfigError(f"{name}: the family {family.name!r} has no presets")
    if not (_CHECKOUT / ".git").exists():
        raise ConfigError(
            f"{name}: presets can be written in a checkout only, and {_CHECKOUT} is none; "
            "name a file of your own instead"
        )
    return _PRESETS / f"{name}.toml"


def read_player_file(path: Path) -> PlayerFile:
    """Read a player file.

    Raises
    ------
    ConfigError
        If the file is no TOML, or a key or value in it is wrong; the message names the file.
    OSError
        If the file cannot be read.
    """
    source = str(path)
    values = parse_toml(read_text(path), source=source)
    _check_head(values, source)
    config = values.get("config", {})
    required: tuple[str, ...] = ()
    without_noise: tuple[str, ...] | None = None
    if "base" in values:
        base = _base(values["base"], source)
        family, description = base.family, base.description
        settings = base.config.varied(config, source=source, table="config")
        required = base.required_of(settings)
        if "noise" in settings.field_names():
            without_noise = base.required_of(settings.varied({"noise": 0}))
    else:
        family = family_named(values["family"], source)
        description = family.description
        settings = family.config_class.from_dict(config, source=source, table="config")
    required = _kinds(values, "required", required, source)
    return PlayerFile(
        family=family,
        config=settings,
        description=values.get("description", description),
        required=required,
        required_without_noise=_kinds(
            values, "required_without_noise", without_noise or required, source
        ),
        order=values.get("order", 0),
        provenance=values.get("provenance", {}),
    )


def _lines(values: Mapping[str, Any]) -> list[str]:
    """Return ``key = value`` lines for what is no table and not None, which TOML lacks."""
    return [
        f"{_key(key)} = {toml_value(value)}\n"
        for key, value in values.items()
        if value is not None and not isinstance(value, Mapping)
    ]


def _tables(name: str, values: Mapping[str, Any]) -> list[str]:
    """Return the table ``[name]`` and those inside it as TOML."""
    if not values:
        return []
    lines = _lines(values)
    found = ["".join([f"[{name}]\n", *lines])] if lines else []
    for key, value in values.items():
        if isinstance(value, Mapping):
            found += _tables(f"{name}.{_key(key)}", value)
    return found


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else toml_value(name)


def _check_head(values: Mapping[str, Any], source: str) -> None:
    """Raise ConfigError for what is wrong outside ``[config]``."""
    for key, value in values.items():
        if key not in _KEYS:
            raise ConfigError(
                f"{source}: {unknown_key_message(key, value, _KEYS)} "
                "(the player's own settings stand below [config])"
            )
    if ("family" in values) == ("base" in values):
        raise ConfigError(
            f"{source}: a player file must name either a family ({', '.join(FAMILIES)}) "
            "or a base such as 'layered/hard'"
        )
    for key, kind, wanted in (
        ("description", str, "a string"),
        ("order", int, "a whole number"),
        ("config", dict, "a table [config]"),
        ("provenance", dict, "a table [provenance]"),
    ):
        if key in values and not isinstance(values[key], kind):
            raise ConfigError(f"{source}: {key} must be {wanted}: {values[key]!r}")


def _base(name: object, source: str) -> PlayerFile:
    # Not in their order: a preset may have a base itself, and is being read.
    names = [name for family in FAMILIES.values() for name in _shipped(family)]
    if name not in names:
        nearest = nearest_key(str(name), names)
        hint = f"; did you mean {nearest!r}?" if nearest else ""
        raise ConfigError(f"{source}: base must be a preset: {name!r}{hint}")
    return preset(str(name))


def _kinds(
    values: Mapping[str, Any], key: str, default: tuple[str, ...], source: str
) -> tuple[str, ...]:
    kinds = values.get(key, default)
    if not isinstance(kinds, list | tuple) or not all(isinstance(kind, str) for kind in kinds):
        raise ConfigError(f"{source}: {key} must be a list of kinds: {kinds!r}")
    return tuple(kinds)
