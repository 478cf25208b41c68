"""The JSON Schemas (draft 2020-12) of all that the lab writes as JSON; it validates nothing."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Final

SCHEMAS: Final = (
    *("position", "game", "counts", "run", "ratings", "comparison", "analysis"),
    *("sprt", "gate", "study", "tuning"),
)


def load_schema(name: str) -> dict[str, Any]:
    """Return the schema called `name`, one of `SCHEMAS`."""
    if name not in SCHEMAS:
        raise ValueError(f"schema must be one of {', '.join(SCHEMAS)}: {name!r}")
    text = files(__package__).joinpath(f"{name}.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
