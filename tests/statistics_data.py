"""Known answers of the statistics tests; each entry of the file names its source."""

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent / "data"


def load(section: str) -> Any:
    """Return one section of the known answers."""
    return json.loads((DATA / "statistics.json").read_text())[section]


def name_of(case: dict[str, Any]) -> str:
    """Return a short test id."""
    return ",".join(str(count) for count in case["counts"])
