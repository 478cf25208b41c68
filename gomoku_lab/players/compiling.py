"""Compiling in turn: of all processes that share a cache, one compiles and the others wait.

Where one process starts the others, it warms up first and needs none of this. Processes that were
started by somebody else, such as the workers of a cluster, may all meet a cold cache at once. Who
has compiled what is told by empty files in the cache folder; nothing else is read or written.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from gomoku_lab.players.families import family_named
from gomoku_lab.players.registry import needs_kernels, warm_up
from gomoku_lab.players.spec import PlayerSpec

_LOCK_FILE = "compiling.lock"


def uncompiled(specs: Iterable[PlayerSpec]) -> tuple[str, ...]:
    """Return the families of `specs` of which nobody is known to have compiled the kernels."""
    return tuple(dict.fromkeys(name for name, mark in _marks(specs) if not mark.exists()))


def warm_up_in_turn(
    specs: Iterable[PlayerSpec], progress: Callable[[str], None] | None = None
) -> None:
    """Load the kernels that players need; what is not compiled yet is compiled by one process.

    The others that ask meanwhile wait for it, and find the machine code in the cache. A machine
    without file locks, or with a cache that takes no files, compiles without taking turns.
    Parameters are those of `registry.warm_up`.
    """
    players = list(specs)
    marks = [mark for _, mark in _marks(players) if not mark.exists()]
    if not marks:
        warm_up(players, progress)
        return
    with _turn(marks[0].parent):
        warm_up(players, progress)
        for mark in marks:
            with contextlib.suppress(OSError):
                mark.touch()


def _marks(specs: Iterable[PlayerSpec]) -> list[tuple[str, Path]]:
    """Return each family that needs kernels with the file that says: all of them are compiled."""
    families = [family_named(spec.family, spec.name) for spec in specs if needs_kernels(spec)]
    if not families:
        return []
    from gomoku_lab.kernels._jit import CACHE_FOLDER, COMPILED

    if not COMPILED:
        return []
    # Families that share an adapter share its kernels.
    return [
        (family.name, CACHE_FOLDER / f"compiled-{family.adapter.replace(':', '.')}")
        for family in families
    ]


@contextlib.contextmanager
def _turn(folder: Path) -> Iterator[None]:
    """Wait until no other process compiles into `folder`, and keep the others waiting."""
    try:
        import fcntl

        file = os.open(folder / _LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o644)
    except (ImportError, OSError):
        yield
        return
    try:
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)
