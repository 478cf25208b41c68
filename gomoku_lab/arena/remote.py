"""What runs in the workers of a cluster, which somebody else has started.

A worker first shows what it is made of: games are the same everywhere only where the code is. It
then plays batches as a worker of this machine does; the lab's own process alone writes.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from gomoku_lab.arena.provenance import code_hash, package_versions
from gomoku_lab.arena.worker import (
    Batch,
    BatchResult,
    WorkerMismatchError,
    dismiss,
    play_batch,
)
from gomoku_lab.players.compiling import uncompiled, warm_up_in_turn
from gomoku_lab.players.registry import PlayerSpec

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class WorkerFacts:
    """What a worker tells of itself.

    Attributes
    ----------
    machine : str
        The machine's name.
    fingerprint : dict
        As `fingerprint` returns it there.
    cold : tuple of str
        Families whose kernels have to be compiled there first.
    """

    machine: str
    fingerprint: dict[str, str]
    cold: tuple[str, ...]


@cache
def fingerprint() -> dict[str, str]:
    """Return what decides how this process plays: versions and hashes of the code.

    It is looked up once a process, before anything is played: what runs is the code as it was then.
    """
    from gomoku_lab import __version__
    from gomoku_lab.kernels._jit import CACHE_FOLDER

    versions = package_versions()
    return {
        "gomoku_lab": __version__,
        "code": code_hash(),
        "kernels": CACHE_FOLDER.name.removeprefix("kernels-"),
        # NumPy draws the noise, numba makes the machine code.
        **{name: versions.get(name, "missing") for name in ("numpy", "numba")},
    }


def differences(there: Mapping[str, str], here: Mapping[str, str]) -> str:
    """Return what differs between two fingerprints, "" if nothing does."""
    return ", ".join(
        f"{key} {there.get(key, 'missing')} there and {here.get(key, 'missing')} here"
        for key in dict.fromkeys([*here, *there])
        if there.get(key) != here.get(key)
    )


def tell(specs: Sequence[PlayerSpec]) -> WorkerFacts:
    """Tell what this worker is, and which of the players it would have to compile first."""
    return WorkerFacts(socket.gethostname(), fingerprint(), uncompiled(specs))


def call(function: Callable[[Item], Result], item: Item, wanted: Mapping[str, str]) -> Result:
    """Return ``function(item)`` if this worker's fingerprint is the `wanted` one.

    Workers may join while a tournament is being played, after those that were there have told.

    Raises
    ------
    WorkerMismatchError
        If it is another.
    """
    differing = differences(fingerprint(), wanted)
    if differing:
        raise WorkerMismatchError(f"a worker on {socket.gethostname()} is refused: {differing}")
    return function(item)


def play_batch_in_turn(batch: Batch) -> BatchResult:
    """Play a batch on a machine where nobody has compiled the kernels before."""
    warm_up_in_turn(spec for task in batch.tasks for spec in task.specs)
    return play_batch(batch)


async def leave(session: str) -> None:
    """Close the players of a session that is over; only what is asynchronous can be sent off."""
    dismiss(session)
