"""``gomoku-lab notebooks``: which notebooks there are, copies of them, and a way to open them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from gomoku_lab.cli.errors import clean_errors, fail
from gomoku_lab.cli.paths import FolderName

_QUESTION: Final = "**Question.** "
_FOLDER: Final = "gomoku-lab-notebooks"


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook that ships with the lab, and the question that it opens with."""

    path: Path
    question: str

    @property
    def name(self) -> str:
        """Give the name of its file without the ending."""
        return self.path.stem


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--copy",
    "folder",
    type=FolderName(),
    metavar="DIR",
    help="Copy them into this folder, which is made if it is not there.",
)
@click.option("--open", "opens", is_flag=True, help="Open copies of them in JupyterLab.")
@click.option("--force", is_flag=True, help="Overwrite copies that are there already.")
@click.option("--json", "as_json", is_flag=True, help="Print names, questions and files as JSON.")
def command(
    names: tuple[str, ...], folder: Path | None, opens: bool, force: bool, as_json: bool
) -> None:
    """List the notebooks that ship with the lab, copy them into a folder, or open them.

    A NAME may be shortened: 2, 02 or 02-b is 02-build-an-engine. Without any, all are meant. Those
    that ship are never written to: --open works on copies in the folder of --copy, or else in
    ./gomoku-lab-notebooks, and keeps the copies that are there already. It needs JupyterLab:
    pip install 'gomoku-lab[notebooks]'.
    """
    with clean_errors():
        if force and folder is None and not opens:
            raise ValueError("--force overwrites copies: give --copy DIR as well")
        chosen = _chosen(names)
        if opens:
            _check_jupyter(folder)
            folder = folder or Path(_FOLDER)
        copies = [] if folder is None else _copy(chosen, folder, force=force, keep=opens)
    if as_json:
        _print_json(chosen, copies)
    elif copies:
        for path in copies:
            click.echo(path)
    else:
        _print_list(chosen)
    if opens:
        _open(copies[0] if names else copies[0].parent)


def shipped_notebooks() -> list[Notebook]:
    """Return the notebooks that ship with the lab, in order."""
    from gomoku_lab._data import data_path

    return [
        Notebook(path, _question(path)) for path in sorted(data_path("notebooks").glob("*.ipynb"))
    ]


def _question(path: Path) -> str:
    """Return the paragraph of the first cell that asks."""
    import json

    first = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])
    _, _, asked = first.partition(_QUESTION)
    return " ".join(asked.partition("\n\n")[0].split())


def _chosen(names: Sequence[str]) -> list[Notebook]:
    """Return the notebooks whose names begin with those given; ValueError if there is none."""
    there = shipped_notebooks()
    found = []
    for name in names:
        start = name.zfill(2) if name.isdigit() else name.removesuffix(".ipynb")
        fitting = [one for one in there if one.name.startswith(start)]
        if len(fitting) != 1:
            listed = ", ".join(one.name for one in there)
            problem = "several notebooks fit" if fitting else "no such notebook"
            raise ValueError(f"{problem}: {name!r}; notebooks: {listed}")
        found += [one for one in fitting if one not in found]
    return found or there


def _copy(chosen: Sequence[Notebook], folder: Path, *, force: bool, keep: bool) -> list[Path]:
    """Copy the notebooks, all or none; return the copies, with those that were kept."""
    copies = [folder / one.path.name for one in chosen]
    there = [copy for copy in copies if copy.exists()]
    for copy in there:
        if any(copy.samefile(one.path) for one in shipped_notebooks()):
            raise ValueError(f"{copy}: this is a file that ships with the lab")
    if there and not (force or keep):
        raise ValueError(f"{there[0]}: this file exists already; --force overwrites it")
    folder.mkdir(parents=True, exist_ok=True)
    for one, copy in zip(chosen, copies, strict=True):
        if force or copy not in there:
            copy.write_bytes(one.path.read_bytes())
    return copies


def _check_jupyter(folder: Path | None) -> None:
    from importlib.util import find_spec

    if find_spec("jupyterlab") is None:
        where = folder or "a folder"
        fail(
            "JupyterLab is not installed: pip install 'gomoku-lab[notebooks]', or copy them with "
            f"--copy into {where} and open them with a program of your own"
        )


def _open(what: Path) -> None:
    """Run JupyterLab until it is ended, and end as it did."""
    import subprocess
    import sys

    done = subprocess.run([sys.executable, "-m", "jupyter", "lab", str(what)], check=False)
    sys.exit(done.returncode)


def _print_json(chosen: Sequence[Notebook], copies: Sequence[Path]) -> None:
    import json

    files = copies or [one.path for one in chosen]
    rows = [
        {"name": one.name, "question": one.question, "file": str(file)}
        for one, file in zip(chosen, files, strict=True)
    ]
    click.echo(json.dumps({"schema": 1, "notebooks": rows}, indent=2))


def _print_list(chosen: Sequence[Notebook]) -> None:
    width = max(len(one.name) for one in chosen)
    for one in chosen:
        click.echo(f"{one.name:{width}}  {one.question}")
