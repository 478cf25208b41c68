"""Handing batches of pairs to workers, and what to do when a worker dies. Commits nothing."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import uuid
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self, TypeVar

from gomoku_lab.arena.config import TournamentConfig
from gomoku_lab.arena.match import Adjudication
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
from gomoku_lab.game.rules import Rule

if TYPE_CHECKING:
    from gomoku_lab.arena.cluster import Cluster

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_log = logging.getLogger(__name__)

_BATCH_SECONDS: Final = 0.3
"""Batches are sized to take about this long: handing one out costs a few milliseconds, and after
Ctrl-C the running batches are finished."""
_REMOTE_BATCH_SECONDS: Final = 1.0
"""The same for a cluster, where each batch costs this process 2 ms: one can keep some hundreds of
workers busy."""
_LARGEST_BATCH: Final = 64
_DEATHS_IN_A_ROW: Final = 3

__all__ = ["Pool", "Stop", "Terms", "WorkerLostError", "stream_calls", "stream_pairs"]


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


@dataclass(frozen=True, slots=True)
class Terms:
    """How all games of a session are played.

    Attributes
    ----------
    rule : Rule
        The rule.
    adjudication : Adjudication
        When a game is ended before somebody has five.
    random_moves : int
        Moves drawn at random behind each opening.
    tested : bool
        Whether a sequential test may end the session. What it decides it decides at a look; more
        games at once are for nothing.
    """

    rule: Rule
    adjudication: Adjudication
    tested: bool = False
    random_moves: int = 0


class _Batches:
    """Cuts the tasks into batches while they are handed out, by how long pairs have taken."""

    def __init__(
        self,
        tasks: Sequence[PairTask],
        terms: Terms,
        session: str,
        jobs: int,
        seconds: float = _BATCH_SECONDS,
    ) -> None:
        self._tasks = tasks
        self._terms = terms
        self._session = session
        self.jobs = jobs
        self._seconds = seconds
        self._largest = max(1, PAIRS_PER_LOOK // jobs) if terms.tested else _LARGEST_BATCH
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
            terms = self._terms
            yield Batch(self._session, terms.rule, terms.adjudication, tasks, terms.random_moves)
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
    terms = Terms(
        config.rule,
        config.adjudication,
        tested=config.sprt is not None,
        random_moves=config.random_moves,
    )
    with Pool(terms, workers, stop) as pool:
        yield from pool.stream(tasks)


class Pool:
    """Workers that are kept from one `stream` to the next, until the end of a ``with`` block.

    Parameters
    ----------
    terms : Terms
        How the games are played.
    workers : Workers
        Who plays them; with one job, and no cluster, they run in the caller.
    stop : Stop
        What keeps further games from being started.
    """

    def __init__(self, terms: Terms, workers: Workers, stop: Stop) -> None:
        self._terms = terms
        self._workers = workers
        self._stop = stop
        self._session = uuid.uuid4().hex
        self._has_processes = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._has_processes:
            self._has_processes = False
            _end_processes(kill=False)
        if self._workers.cluster is not None:
            self._workers.cluster.dismiss(self._session)
        abandon(self._session)
        close_players(self._session)

    def stream(self, tasks: Sequence[PairTask]) -> Generator[tuple[GamePair, ...], None, None]:
        """Yield pairs of games as they are finished; whoever closes this loses running ones."""
        if self._workers.cluster is not None:
            yield from self._remote(tasks, self._workers.cluster)
        elif self._workers.jobs == 1:
            batches = self._batches(tasks)
            for batch in batches.hand_out(self._stop):
                result = play_batch(batch)
                batches.learn(result)
                yield result.pairs
        elif self._workers.backend == "threading":
            yield from self._parallel(tasks)
        else:
            yield from self._surviving(tasks)

    def _batches(self, tasks: Sequence[PairTask], seconds: float = _BATCH_SECONDS) -> _Batches:
        return _Batches(tasks, self._terms, self._session, self._workers.jobs, seconds)

    def _remote(
        self, tasks: Sequence[PairTask], cluster: Cluster
    ) -> Generator[tuple[GamePair, ...], None, None]:
        """Yield finished pairs from a cluster, which plays the batches of dead workers again."""
        from gomoku_lab.arena.remote import play_batch_in_turn

        def stopped() -> bool:
            if self._stop.at_once:
                # What a signal raises is lost where it strikes a destructor; Dask has many.
                raise KeyboardInterrupt
            return self._stop.requested

        batches = self._batches(tasks, _REMOTE_BATCH_SECONDS)
        results = cluster.stream(
            play_batch_in_turn,
            batches.hand_out(self._stop),
            jobs=self._workers.wanted,
            stopped=stopped,
        )
        with contextlib.closing(results):
            for result in results:
                batches.jobs = self._workers.jobs
                batches.learn(result)
                yield result.pairs

    def _surviving(self, tasks: Sequence[PairTask]) -> Generator[tuple[GamePair, ...], None, None]:
        """Yield finished pairs from processes; dead workers are replaced, nothing is lost."""
        from joblib.externals.loky.process_executor import TerminatedWorkerError

        left = {task.scheduled.id: task for task in tasks}
        deaths = 0
        while left and not self._stop.requested:
            try:
                for pairs in self._parallel(list(left.values())):
                    deaths = 0
                    for game_a, _ in pairs:
                        del left[game_a.pair]
                    yield pairs
            except TerminatedWorkerError as error:
                deaths += 1
                _log.warning("a worker process died; its games are played again: %s", error)
                if deaths == _DEATHS_IN_A_ROW:
                    raise WorkerLostError(
                        f"worker processes died {deaths} times in a row near pair "
                        f"{next(iter(left))}; the finished games are kept"
                    ) from error

    def _parallel(self, tasks: Sequence[PairTask]) -> Generator[tuple[GamePair, ...], None, None]:
        """Yield finished pairs from joblib's workers in the order in which they finish."""
        batches = self._batches(tasks)
        backend = self._workers.backend
        self._has_processes = backend == "loky"
        batches_left = batches.hand_out(self._stop)
        results = stream_calls(play_batch, batches_left, jobs=batches.jobs, backend=backend)
        finished = False
        try:
            for result in results:
                batches.learn(result)
                yield result.pairs
            finished = True
        finally:
            results.close()
            if not finished:
                self._has_processes = False


def stream_calls(
    function: Callable[[_Item], _Result], items: Iterable[_Item], *, jobs: int, backend: str
) -> Generator[_Result, None, None]:
    """Yield what `function` returns for each item, as joblib's workers finish.

    Worker processes stay for the next stream. Whoever closes this before its end, or is
    interrupted, loses what is being worked at, and the processes are ended at once.
    """
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
    calls = (delayed(function)(item) for item in items)
    results: Generator[_Result, None, None] | None = None
    finished = False
    try:
        with _interrupts_blocked():
            results = parallel(calls)
        for result in results:  # noqa: UP028 - that would close them with a warning
            yield result
        finished = True
    finally:
        with warnings.catch_warnings():
            # Whoever stops here knows that what was being worked at is lost.
            warnings.filterwarnings("ignore", message=r".*not used|.*cancelled", module="joblib")
            if results is not None:
                results.close()
        if not finished and backend == "loky":
            _end_processes(kill=True)


def _end_processes(*, kill: bool) -> None:
    """End the worker processes, at once or when they are idle."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor(reuse=True).shutdown(wait=True, kill_workers=kill)


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
