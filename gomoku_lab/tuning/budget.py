"""What players may spend on a move while they are tuned or tested, in place of their own limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gomoku_lab.engine.settings import ConfigError
from gomoku_lab.players.expressions import format_value
from gomoku_lab.players.registry import PlayerSpec, vary

BUDGET_KEYS: Final = ("nodes", "time_ms", "depth")
_LIMITS: Final = ("nodes", "time_ms")


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit of one kind.

    Attributes
    ----------
    key : str
        One of `BUDGET_KEYS`.
    value : int or float
        How much of it, positive.
    """

    key: str
    value: float

    def __post_init__(self) -> None:
        if self.key not in BUDGET_KEYS:
            raise ConfigError(f"a budget must be one of {', '.join(BUDGET_KEYS)}: {self.key!r}")
        if not self.value > 0:
            raise ConfigError(f"a budget of {self.key} must be above 0: {self.value!r}")

    @property
    def name(self) -> str:
        """Give the budget as an override, such as ``nodes=2000``."""
        return f"{self.key}={format_value(self.value)}"

    @property
    def folder(self) -> str:
        """Give the name of the run folder of its match."""
        return self.name.replace("=", "-")

    def of(self, spec: PlayerSpec) -> PlayerSpec:
        """Return the player with this budget; a depth of its own stays, other limits do not."""
        names = spec.config.field_names()
        values: dict[str, float] = {key: 0 for key in _LIMITS if key in names}
        return vary(spec, {**values, self.key: self.value})
