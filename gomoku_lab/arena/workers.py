"""Who plays: how many games at the same time, in what kind of worker, of which scheduler.

It checks the words and opens the connection; handing out games is `parallel`'s business.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from gomoku_lab.arena.config import BACKENDS
from gomoku_lab.arena.provenance import usable_cores
from gomoku_lab.engine.settings import ConfigError
from gomoku_lab.players.registry import PlayerSpec

if TYPE_CHECKING:
    from gomoku_lab.arena.cluster import Cluster, OnMessage


class Workers:
    """The workers of one session, from `start` until the end of its ``with`` block.

    Parameters
    ----------
    jobs : int, optional
        Games at the same time; by default one for each usable core, or for each thread of the
        cluster's workers.
    backend : str
        ``loky``, ``threading`` or ``dask``.
    scheduler : str, optional
        Address of the scheduler, for ``dask`` only.

    Attributes
    ----------
    wanted : int or None
        The `jobs` that were asked for.
    cluster : Cluster or None
        The connection, when there is one.

    Raises
    ------
    ConfigError
        If one of them is wrong, or they do not fit together.
    """

    def __init__(
        self, jobs: int | None = None, backend: str = "loky", scheduler: str | None = None
    ) -> None:
        if backend not in BACKENDS:
            raise ConfigError(f"backend must be one of {', '.join(BACKENDS)}: {backend!r}")
        if jobs is not None and jobs < 1:
            raise ConfigError(f"jobs must be 1 or more: {jobs!r}")
        if backend == "dask" and not scheduler:
            raise ConfigError(
                "backend dask needs scheduler, the address of one, such as tcp://127.0.0.1:8786"
            )
        if backend != "dask" and scheduler is not None:
            raise ConfigError(
                f"scheduler {scheduler!r} belongs to backend dask, not to backend {backend}"
            )
        self.backend = backend
        self.scheduler = scheduler
        self.wanted = jobs
        self.cluster: Cluster | None = None

    @property
    def jobs(self) -> int:
        """Give the number of games at the same time, as it is now."""
        if self.wanted is not None or self.cluster is None:
            return self.wanted or usable_cores()
        return max(1, self.cluster.threads())

    def start(self, specs: Sequence[PlayerSpec], on_message: OnMessage | None = None) -> None:
        """Connect to the cluster if there is to be one, unless that is done already.

        Raises
        ------
        ConfigError
            If no scheduler answers, it has no worker, or one that is not made of what this
            process is made of.
        """
        if self.backend != "dask" or self.cluster is not None:
            return
        from gomoku_lab.arena.cluster import Cluster
        from gomoku_lab.arena.worker import ClusterLostError, WorkerMismatchError

        assert self.scheduler is not None
        self.cluster = Cluster(self.scheduler, on_message)
        try:
            self.cluster.wait_for_workers()
            self.cluster.examine(specs)
        except (ClusterLostError, WorkerMismatchError) as error:
            raise ConfigError(str(error)) from error

    def announce(self, specs: Sequence[PlayerSpec]) -> None:
        """Say what takes long before the first game, if this process is not the one to do it."""
        if self.cluster is not None:
            self.cluster.announce(specs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.cluster is not None:
            self.cluster.close()
            self.cluster = None


def last_workers(
    facts: Mapping[str, Any], jobs: int | None, backend: str | None, scheduler: str | None
) -> Workers:
    """Return workers like those of the last session in `facts`, except for what is given.

    The jobs of a cluster, which may have another size by now, are not taken over.
    """
    sessions = facts.get("sessions") or [{}]
    last_backend = sessions[-1].get("backend", "loky")
    backend = backend or last_backend
    if backend == "dask":
        return Workers(jobs, backend, scheduler or sessions[-1].get("scheduler"))
    last_jobs = None if last_backend == "dask" else sessions[-1].get("jobs")
    return Workers(jobs or last_jobs, backend, scheduler)
