"""Run a notebook as a reader would, and refuse what a reader should not see.

A notebook fails if it raises, if anything in it warns or writes to stderr, and if a figure that it
shows holds no data.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

from gomoku_lab.engine.solve import warm_up as warm_up_solver
from gomoku_lab.players.registry import warm_up

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
FAST = "GOMOKU_LAB_FAST"
MOST_SECONDS = 240
"""For a cell in fast mode; far more than any needs, so that a busy machine fails nothing."""

PRELUDE = """
import warnings as _warnings
from matplotlib.backend_bases import FigureCanvasBase as _Canvas
import numpy as _numpy

_empty_figures, _shown_figures, _print_figure = [], [], _Canvas.print_figure

def _has_data(axes):
    return axes.has_data() and bool(_numpy.isfinite(axes.dataLim.get_points()).all())

def _checked(self, *args, **kwargs):
    _shown_figures.append(self.figure.number if hasattr(self.figure, "number") else 0)
    if not all(map(_has_data, self.figure.axes)):
        _empty_figures.append(f"figure {len(_shown_figures)}")
    return _print_figure(self, *args, **kwargs)

_Canvas.print_figure = _checked
_warnings.simplefilter("error")
"""
POSTLUDE = """
from pathlib import Path as _Path
import json as _json
from gomoku_lab.engine.analysis import Analysis as _Analysis

_found = [value.to_dict() for value in list(vars().values()) if isinstance(value, _Analysis)]
_told = {"figures": len(_shown_figures), "empty": _empty_figures, "analyses": _found}
_Path(TOLD).write_text(_json.dumps(_told), encoding="utf-8")
_warnings.simplefilter("ignore")  # what the kernel does at its end is not the notebook's
"""


class NotebookError(AssertionError):
    """A notebook did what a reader should not see."""


def run_notebook(notebook: Any, folder: Path, *, fast: bool = True) -> dict[str, Any]:
    """Execute a notebook in `folder`; return what it showed, with its cells.

    Raises
    ------
    NotebookError
        If a figure is empty, or anything was written to stderr, warnings included.
    nbclient.exceptions.CellExecutionError
        If a cell raises.
    """
    # What a figure needs and builds once, with a word on stderr, is built here.
    import matplotlib.font_manager  # noqa: F401

    warm_up()
    warm_up_solver()
    copy = nbformat.reads(nbformat.writes(notebook), as_version=4)
    told = folder / "told.json"
    after = f"TOLD = {str(told)!r}\n{POSTLUDE}"
    new = nbformat.v4.new_code_cell
    copy.cells = [new(PRELUDE), *copy.cells, new(after)]
    environment = {
        **os.environ,
        FAST: "1" if fast else "0",
        "IPYTHONDIR": str(folder / "ipython"),
        "PYTHONPATH": str(ROOT),
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }
    environment.pop("MPLBACKEND", None)
    settings = Config()
    settings.KernelManager.transport = "ipc"  # no port, and no warning about one
    sockets = tempfile.TemporaryDirectory(prefix="gl-")  # short: a socket's path must be
    settings.KernelManager.ip = f"{sockets.name}/k"
    client = NotebookClient(
        copy,
        timeout=MOST_SECONDS if fast else None,
        startup_timeout=5 * MOST_SECONDS,
        kernel_name="python3",
        config=settings,
        resources={"metadata": {"path": str(folder)}},
    )
    with sockets:
        client.execute(env=environment)
    problems = [*_written(copy), *_raised_while_shown(copy), *_without_axes(copy)]
    found: dict[str, Any] = json.loads(told.read_text(encoding="utf-8"))
    problems += [f"{name} is empty" for name in found["empty"]]
    if problems:
        raise NotebookError("; ".join(problems))
    return {**found, "cells": copy.cells[1:-1]}


def _written(notebook: Any) -> list[str]:
    """List what was written to stderr."""
    return [
        f"stderr: {output['text'].strip()}"
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if output["output_type"] == "stream" and output["name"] == "stderr"
    ]


def _raised_while_shown(notebook: Any) -> list[str]:
    """List what raised while a value was shown, which does not stop a notebook."""
    return [
        f"{output['ename']}: {output['evalue']}"
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if output["output_type"] == "error"
    ]


def _without_axes(notebook: Any) -> list[str]:
    """List figures without axes, of which only the name is shown."""
    return [
        f"{output['data']['text/plain']} is empty"
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if "with 0 Axes>" in output.get("data", {}).get("text/plain", "")
    ]


def tiny_notebook(*codes: str) -> Any:
    """Return a notebook of some code cells."""
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in codes])


def read_notebook(path: Path) -> Any:
    """Return a notebook as it stands in its file."""
    return nbformat.read(path, as_version=4)


if __name__ == "__main__":  # python tests/notebook_tools.py FOLDER NAME...: runs them in full
    out = Path(sys.argv[1])
    for name in sys.argv[2:]:
        (path,) = [one for one in NOTEBOOKS if one.name.startswith(name)]
        shown = run_notebook(read_notebook(path), out, fast=False)
        executed = nbformat.v4.new_notebook(cells=shown["cells"])
        nbformat.write(executed, out / path.name)
        sys.stdout.write(f"{path.name}: {shown['figures']} figures\n")
