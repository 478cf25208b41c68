"""``run.json``, the file that makes a folder a run: read, written and looked for.

What stands in it is the business of those who play or import. No file of a run but its log is
ever written in place.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from gomoku_lab.arena.log import GAMES_FILE, RunError

SCHEMA_VERSION: Final = 1
RUN_FILE: Final = "run.json"
IMPORTED: Final = "imported"
"""Key of ``run.json`` that stands only where the games were imported (see `imported`)."""


def has_run(folder: Path) -> bool:
    """Tell whether there is a run in the folder already."""
    # An empty log alone is what a kill at the very start leaves behind: nothing is lost.
    return (folder / RUN_FILE).exists() or _has_content(folder / GAMES_FILE)


def _has_content(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def write_facts(folder: Path, facts: dict[str, Any]) -> None:
    """Write ``run.json``; OSError if the disk refuses it."""
    write_whole(folder / RUN_FILE, json.dumps(facts, indent=1) + "\n")


def write_whole(path: Path, text: str) -> None:
    """Write a file of a run folder: whoever reads it sees the old or the new one, never half.

    Raises
    ------
    OSError
        With the file's name, if the disk refuses it; the old file stays.
    """
    temporary = path.with_name(f"{path.name}.new")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from error


def read_facts(folder: Path) -> dict[str, Any]:
    """Read ``run.json``; RunError if it is missing, or not what this version can read."""
    path = folder / RUN_FILE
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RunError(f"{folder}: no run in this folder: {path}: {error.strerror}") from error
    except ValueError as error:
        raise RunError(f"{path}: not valid JSON: {error}") from None
    if not isinstance(facts, dict) or facts.get("schema") != SCHEMA_VERSION:
        found = facts.get("schema") if isinstance(facts, dict) else facts
        raise RunError(f"{path}: schema must be {SCHEMA_VERSION}: {found!r}")
    return facts
