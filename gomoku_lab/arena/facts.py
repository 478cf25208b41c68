"""``run.json``, the file that makes a folder a run: read, written and looked for.

What stands in it is the business of those who play or import. No file of a run but its log is
ever written in place.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from gomoku_lab.arena.log import GAMES_FILE, RunError

SCHEMA_VERSION: Final = 1
RUN_FILE: Final = "run.json"
STUDY_FILE: Final = "study.json"
"""Makes a folder a study, which is read elsewhere; here it is only known not to be a run."""
_NUMBERS: Final = re.compile(r"\[\s*-?\d[-+.\deE,\s]*\]")
SPRT_FILE: Final = "sprt.json"
"""Where the test of a match stands; it follows from the log (see `sequential`)."""
IMPORTED: Final = "imported"
"""Key of ``run.json`` that stands only where the games were imported (see `imported`)."""


def has_run(folder: Path) -> bool:
    """Tell whether there is a run in the folder already."""
    # An empty log alone is what a kill at the very start leaves behind: nothing is lost.
    return (folder / RUN_FILE).exists() or _has_content(folder / GAMES_FILE)


def _has_content(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def write_json(path: Path, values: Mapping[str, Any]) -> None:
    """Write a JSON file of a run folder, numbers in a row; OSError if the disk refuses it."""
    text = json.dumps(values, indent=1, allow_nan=False)
    write_whole(path, _NUMBERS.sub(lambda row: "".join(row[0].split()), text) + "\n")


def write_whole(path: Path, text: str) -> None:
    """Write a file of a run folder: whoever reads it sees the old or the new one, never half.

    A link stays, and the file that it leads to is replaced; a pipe or a device is written to.

    Raises
    ------
    OSError
        With the file's name, if the disk refuses it; the old file stays.
    """
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f"{target.name}.new")
    try:
        if target.exists() and not target.is_file():
            target.write_text(text, encoding="utf-8")
            return
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from error


def read_facts(folder: Path) -> dict[str, Any]:
    """Read ``run.json``; RunError if it is missing, or not what this version can read."""
    if not (folder / RUN_FILE).exists() and (folder / STUDY_FILE).is_file():
        raise RunError(
            f"{folder}: this is a study of `gomoku-lab tune`, no run: load_study reads it"
        )
    return read_json(folder / RUN_FILE, SCHEMA_VERSION, what="run")


def read_json(path: Path, version: int, *, what: str) -> dict[str, Any]:
    """Read the JSON file that makes its folder a `what`, of a schema with the given version.

    Raises
    ------
    RunError
        If it is missing, or not what this version can read.
    """
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        folder = path.parent
        raise RunError(f"{folder}: no {what} in this folder: {path}: {error.strerror}") from error
    except ValueError as error:
        raise RunError(f"{path}: not valid JSON: {error}") from None
    if not isinstance(facts, dict) or facts.get("schema") != version:
        found = facts.get("schema") if isinstance(facts, dict) else facts
        raise RunError(f"{path}: schema must be {version}: {found!r}")
    return facts
