"""Handing batches of pairs to workers, and what to do when a worker dies. Commits nothing."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import uuid
import warnings
from collections.abc import Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from gomoku_lab.arena.config import TournamentConfig
from gomoku_lab.arena.sequential import PAIRS_PER_LOOK
from gomoku_lab.arena.store import GamePair
from gomoku_lab.arena.worker import (
    STOP_SIGNALS,
    Batch,
    BatchResult,
    PairTask,
    WorkerLostError,
    abandon,
    close_players,
    play_batch,
    start_worker,
)
from gomoku_lab.arena.workers import Workers

if TYPE_CHECKING:
    from gomoku_lab.arena.cluster import Cluster

_log = logging.getLogger(__name__)

_BATCH_SECONDS: Final = 0.3
"""Batches are sized to take about this long: handing one out costs a few milliseconds, and after
Ctrl-C the running batches are finished."""
_REMOTE_BATCH_SECONDS: Final = 1.0
"""The same for a cluster, where each batch costs this process 2 ms: one can keep some hundreds of
workers busy."""
_LARGEST_BATCH: Final = 64
_DEATHS_IN_A_ROW: Final = 3

__all__ = ["Stop", "WorkerLostError", "stream_pairs"]


class Stop:
    """Two reasons not to start further games: somebody interrupted, or enough were played.

    Somebody who interrupted twice wants to stop `at_once`.
    """

    def __init__(self) -> None:
        self.interrupted = False
        self.at_once = False
        self.enough = False

    @property
    def requested(self) -> bool:
        """Tell whether no further games should be started."""
        return self.interrupted or self.enough


class _Batches:
    """Cuts the tasks into batches while they are handed out, by how long pairs have taken."""

    def __init__(
        self,
        tasks: Sequence[PairTask],
        config: TournamentConfig,
        session: str,
        jobs: int,
        seconds: float = _BATCH_SECONDS,
    ) -> None:
        self._tasks = tasks
        self._config = config
        self._session = session
        self.jobs = jobs
        self._seconds = seconds
        # What a sequential test decides it decides at a look; more games at once are for nothing.
        tested = config.sprt is not None
        self._largest = max(1, PAIRS_PER_LOOK // jobs) if tested else _LARGEST_BATCH
        self._pair_seconds: float | None = None

    def learn(self, result: BatchResult) -> None:
        """Take the speed of a finished batch as what to expect."""
        if result.pairs:
            self._pair_seconds = result.seconds / len(result.pairs)

    def hand_out(self, stop: Stop) -> Iterator[Batch]:
        """Yield batches until the tasks are used up or somebody wants to stop."""
        start = 0
        while start < len(self._tasks) and not stop.requested:
            size = self._size(len(self._tasks) - start)
            tasks = tuple(self._tasks[start : start + size])
            yield Batch(self._session, self._config.rule, self._config.adjudication, tasks)
            start += size

    def _size(self, left: int) -> int:
        if self._pair_seconds is None:
            return 1
        fitting = int(self._seconds / max(self._pair_seconds, 1e-6))
        # Small batches at the end: all workers should finish at about the same time.
        return max(1, min(fitting, self._largest, left // (2 * self.jobs)))


def stream_pairs(
    tasks: list[PairTask], config: TournamentConfig, workers: Workers, stop: Stop
) -> Generator[tuple[GamePair, ...], None, None]:
    """Yield finished pairs as they come, from whichever workers there are."""
    session = uuid.uuid4().hex
    jobs, backend = workers.jobs, workers.backend
    try:
        if workers.cluster is not None:
            batches = _Batches(tasks, config, session, jobs, _REMOTE_BATCH_SECONDS)
            yield from _remote(batches, session, workers, workers.cluster, stop)
        elif jobs == 1:
            batches = _Batches(tasks, config, session, jobs)
            for batch in batches.hand_out(stop):
                result = play_batch(batch)
                batches.learn(result)
                yield result.pairs
        elif backend == "threading":
            yield from _parallel(_Batches(tasks, config, session, jobs), jobs, backend, stop)
        else:
            yield from _surviving(tasks, config, session, jobs, stop)
    finally:
        abandon(session)
        close_players(session)


def _remote(
    batches: _Batches, session: str, workers: Workers, cluster: Cluster, stop: Stop
) -> Generator[tuple[GamePair, ...], None, None]:
    """Yield finished pairs from a cluster, which plays the batches of dead workers again."""
    from gomoku_lab.arena.remote import play_batch_in_turn

    def stopped() -> bool:
        if stop.at_once:
            # What a signal raises is lost where it strikes a destructor; Dask has many of them.
            raise KeyboardInterrupt
        return stop.requested

    results = cluster.stream(
        play_batch_in_turn,
        batches.hand_out(stop),
        jobs=workers.wanted,
        stopped=stopped,
    )
    try:
        with contextlib.closing(results):
            for result in results:
                batches.jobs = workers.jobs
                batches.learn(result)
                yield result.pairs
    finally:
        cluster.dismiss(session)


def _surviving(
    tasks: list[PairTask], config: TournamentConfig, session: str, jobs: int, stop: Stop
) -> Generator[tuple[GamePair, ...], None, None]:
    """Yield finished pairs from worker processes; dead workers are replaced, nothing is lost."""
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    left = {task.scheduled.id: task for task in tasks}
    deaths = 0
    while left and not stop.requested:
        batches = _Batches(list(left.values()), config, session, jobs)
        try:
            for pairs in _parallel(batches, jobs, "loky", stop):
                deaths = 0
                for game_a, _ in pairs:
                    del left[game_a.pair]
                yield pairs
        except TerminatedWorkerError as error:
            deaths += 1
            _log.warning("a worker process died; its games are played again: %s", error)
            if deaths == _DEATHS_IN_A_ROW:
                raise WorkerLostError(
                    f"worker processes died {deaths} times in a row near pair {next(iter(left))}; "
                    "the finished games are kept"
                ) from error


def _parallel(
    batches: _Batches, jobs: int, backend: str, stop: Stop
) -> Generator[tuple[GamePair, ...], None, None]:
    """Yield finished pairs from joblib's workers in the order in which they finish."""
    from joblib import Parallel, delayed

    starting = {"initializer": start_worker, "initargs": (os.getpid(),)}
    parallel = Parallel(
        n_jobs=jobs,
        backend=backend,
        return_as="generator_unordered",
        batch_size=1,
        pre_dispatch="n_jobs",
        **(starting if backend == "loky" else {}),
    )
    calls = (delayed(play_batch)(batch) for batch in batches.hand_out(stop))
    finished = False
    with _interrupts_blocked():
        results: Generator[BatchResult, None, None] = parallel(calls)
    try:
        for result in results:
            batches.learn(result)
            yield result.pairs
        finished = True
    finally:
        with warnings.catch_warnings():
            # Whoever stops here knows that games are lost which were being played.
            warnings.filterwarnings("ignore", message=r".*not used|.*cancelled", module="joblib")
            results.close()
        if backend == "loky":
            _end_workers(kill=not finished)


@contextlib.contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Hold signals back while worker processes start, which inherit this until they are ready."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    # Up to Python 3.11 starting the tracker unblocks signals again, so it has to run before.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_workers(*, kill: bool) -> None:
    """End the worker processes, at once or when they are idle."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor(reuse=True).shutdown(wait=True, kill_workers=kill)
