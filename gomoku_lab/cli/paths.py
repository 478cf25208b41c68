"""Names of files and folders on the command line, checked before anything long is done.

An empty name, as an unset variable of a shell leaves it behind, is no name of the current folder.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click


class PathName(click.Path):
    """A file or a folder, as a `Path`."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; the empty text is refused."""
        if value == "":
            self.fail("a name is wanted: ''", param, ctx)
        return super().convert(value, param, ctx)


class AnyName(click.types.StringParamType):
    """A file, a folder, or a sign that stands for one, as text."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name; the empty text is refused."""
        if value == "":
            self.fail("a name is wanted: ''", param, ctx)
        return super().convert(value, param, ctx)


class FolderName(PathName):
    """A folder that is there, or can be made."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; one on which, or below which, there is a file is refused."""
        path = super().convert(value, param, ctx)
        nearest = next(one for one in (path, *path.parents) if os.path.lexists(one))
        if not nearest.is_dir():
            where = "" if nearest == path else f"{str(nearest)!r} is none: "
            self.fail(f"must name a folder: {where}{value!r}", param, ctx)
        return path


class PageName(PathName):
    """A page to be written.

    A page replaces what stands there: no file of a run may be named by mistake.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; one that is no ``.html`` file in a folder that is there is refused."""
        path = super().convert(value, param, ctx)
        if path.suffix != ".html" or path.is_dir():
            self.fail(f"must name a page, such as page.html: {value!r}", param, ctx)
        if not (path.parent.is_dir() and os.access(path.parent, os.W_OK)):
            self.fail(f"must lie in a folder that can be written to: {value!r}", param, ctx)
        return path
