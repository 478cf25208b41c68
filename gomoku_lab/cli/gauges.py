"""One measured number of ``gomoku-lab bench``, with its unit and the gate that it has to pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Gauge:
    """A measured number.

    Attributes
    ----------
    key : str
        What scripts call it.
    label : str
        What the table calls it.
    value : float
    unit : str
    at_most, at_least : float or None
        The gate; a number without one is only reported.
    note : str
        What the reader has to know about it.
    """

    key: str
    label: str
    value: float
    unit: str = ""
    at_most: float | None = None
    at_least: float | None = None
    note: str = ""

    @property
    def passed(self) -> bool | None:
        """Tell whether the number passes its gate; None if it has none."""
        if self.at_most is not None:
            return self.value <= self.at_most
        return None if self.at_least is None else self.value >= self.at_least

    @property
    def gate(self) -> str:
        """Return the gate as the table shows it."""
        if self.at_most is not None:
            return f"<= {self.at_most:g}"
        return "" if self.at_least is None else f">= {self.at_least:g}"

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return {
            "key": self.key,
            "label": self.label,
            "value": self.value,
            "unit": self.unit,
            "at_most": self.at_most,
            "at_least": self.at_least,
            "passed": self.passed,
            "note": self.note,
        }
