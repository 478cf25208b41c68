"""A player on paper: its name, family and frozen configuration, without the player itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gomoku_lab.engine.settings import Settings, toml_value
from gomoku_lab.players.families import family_named


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSpec:
    """All that is needed to make a player: cheap, picklable, comparable.

    Attributes
    ----------
    name : str
        The expression, normalised; what tables print.
    family : str
        A key of `gomoku_lab.players.families.FAMILIES`.
    config : Settings
        The family's frozen configuration.
    required : tuple of str
        Kinds of tactical positions that this player must solve without exception.
    description : str
        One line.
    """

    name: str
    family: str
    config: Settings
    required: tuple[str, ...] = ()
    description: str = ""

    @property
    def config_hash(self) -> str:
        """Give 12 hexadecimal digits that stand for the whole configuration."""
        return self.config.config_hash()

    @property
    def reproducible(self) -> bool:
        """Tell whether the moves depend on the game alone, and on no clock."""
        promised = getattr(self.config, "reproducible", True)
        return promised and getattr(self.config, "time_ms", None) is None

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form, from which `from_dict` needs no file to come back."""
        return {
            "name": self.name,
            "family": self.family,
            "description": self.description,
            "required": list(self.required),
            "reproducible": self.reproducible,
            "config": self.config.to_dict(),
            "config_hash": self.config_hash,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> PlayerSpec:
        """Return the player that `to_dict` wrote down."""
        name = str(values["name"])
        family = family_named(values["family"], name)
        return cls(
            name=name,
            family=family.name,
            config=family.config_class.from_dict(values["config"], source=name),
            required=tuple(values["required"]),
            description=str(values["description"]),
        )

    def to_toml(self) -> str:
        """Return the player as the text of a player file."""
        head = f"description = {toml_value(self.description)}\nfamily = {toml_value(self.family)}\n"
        required = f"required = {toml_value(self.required)}\n"
        return f"{head}{required}\n{self.config.to_toml(table='config')}"
