"""The games of the lab's own experiments, which ship with it: found by name, read as any run."""

from __future__ import annotations

from pathlib import Path

from gomoku_lab._data import data_path
from gomoku_lab.arena.facts import RUN_FILE
from gomoku_lab.arena.store import Run, RunError, load_run


def load_experiment(name: str, part: str = "run") -> Run:
    """Load the games of an experiment, such as ``001-levels``.

    What it asked and found stands in its README, in ``experiments/`` of the project.

    Parameters
    ----------
    name : str
        The experiment's folder; the number at its beginning is enough.
    part : str
        Which of its run folders, where there are several.

    Raises
    ------
    RunError
        If no games of this name were kept; the message lists those that were.
    """
    folder = data_path("experiments")
    found = [path for path in _runs(folder) if _is_meant(path.relative_to(folder), name, part)]
    if len(found) != 1:
        kept = ", ".join(str(path.relative_to(folder)) for path in _runs(folder))
        raise RunError(f"no games are kept of {name!r}, {part!r}; there are: {kept}")
    return load_run(found[0])


def _runs(folder: Path) -> list[Path]:
    return sorted(file.parent for file in folder.rglob(RUN_FILE))


def _is_meant(path: Path, name: str, part: str) -> bool:
    experiment, *rest = path.parts
    return name in (experiment, experiment.partition("-")[0]) and "/".join(rest) == part
