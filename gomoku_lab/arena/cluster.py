"""A cluster of Dask workers: one connection, calls handed out, results as they come.

Dask's own client, not joblib's backend for it. That one, measured with joblib 1.6, survives a
killed worker and pulls tasks only as others finish, but it ignores the number of jobs (one call for
each thread that is there at the start), waits in silence for ever when no worker is left, and has
no place where a worker could be asked what it is made of.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import time
import uuid
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from typing import Any, Final

from gomoku_lab.arena.remote import (
    Item,
    Result,
    WorkerFacts,
    call,
    differences,
    fingerprint,
    leave,
    tell,
)
from gomoku_lab.arena.worker import (
    ClusterLostError,
    WorkerLostError,
    WorkerMismatchError,
)
from gomoku_lab.engine.settings import ConfigError
from gomoku_lab.players.registry import PlayerSpec

CONNECT_S: Final = 5.0
"""A scheduler that does not answer within this time is not there."""
PATIENCE_S: Final = 60.0
"""How long a run waits for a first worker, or for another one when none is left."""
_LOOK_S: Final = 1.0
_FETCH_S: Final = 30.0
_LOGGERS: Final = ("distributed", "distributed.client", "tornado.application")

OnMessage = Callable[[str], None]


class Cluster:
    """A scheduler and whatever workers it has, from the connection until `close`.

    Parameters
    ----------
    address : str
        As Dask prints it: ``tcp://host:port``.
    on_message : callable, optional
        Told when workers are waited for.

    Raises
    ------
    ConfigError
        If Dask is not installed, or no scheduler answers.
    """

    def __init__(self, address: str, on_message: OnMessage | None = None) -> None:
        self.address = address
        self._say = on_message or (lambda _: None)
        self._logs = {name: logging.getLogger(name).level for name in _LOGGERS}
        self._client: Any = _connect(address)
        self._here = fingerprint()
        self._threads = 0
        self._looked = 0.0
        self._missing_since: float | None = None

    def threads(self) -> int:
        """Count the threads of all workers as they are now, or were a moment ago."""
        now = time.monotonic()
        if not self._looked or now - self._looked > _LOOK_S:
            self._threads = sum(self._ask(self._client.nthreads).values())
            self._looked = now
        return self._threads

    def wait_for_workers(self) -> None:
        """Return when there is a worker.

        Raises
        ------
        ClusterLostError
            If none comes.
        """
        while not self._has_workers():
            time.sleep(_LOOK_S / 4)

    def examine(self, specs: Sequence[PlayerSpec]) -> None:
        """Make sure that all workers are made of what this process is made of.

        A worker that joins later is asked when it is handed its first games; one that cannot even
        read them ends, and they are played elsewhere.

        Raises
        ------
        WorkerMismatchError
            If one is not, or cannot tell.
        """
        for worker, facts in self._tell(specs).items():
            if not isinstance(facts, WorkerFacts):
                raise WorkerMismatchError(
                    f"worker {worker} cannot play: {facts}; it needs "
                    f"gomoku_lab {self._here['gomoku_lab']} and the modules of your own players"
                )
            differing = differences(facts.fingerprint, self._here)
            if differing:
                raise WorkerMismatchError(
                    f"worker {worker} on {facts.machine} is refused: {differing}"
                )

    def announce(self, specs: Sequence[PlayerSpec]) -> None:
        """Say on which machines one of the workers is going to compile what players need."""
        told = [facts for facts in self._tell(specs).values() if isinstance(facts, WorkerFacts)]
        cold = {facts.machine: facts.cold for facts in told if facts.cold}
        for machine, families in sorted(cold.items()):
            self._say(
                f"compiling the players of {', '.join(families)} on {machine}, once, about 20 s"
            )

    def stream(
        self,
        function: Callable[[Item], Result],
        items: Iterator[Item],
        *,
        jobs: int | None,
        stopped: Callable[[], bool],
    ) -> Generator[Result, None, None]:
        """Yield ``function(item)`` for each item, in the order in which the workers finish.

        A call whose worker dies is made again elsewhere. Items are taken only as calls finish.

        Parameters
        ----------
        function : callable
            A function; it must be importable on the workers.
        items : iterator
            What it is called with.
        jobs : int or None
            How many calls are made at the same time; None means as many as there are threads.
        stopped : callable
            Asked now and then: True means that results are not waited for which no worker is there
            to give; what it raises ends the waiting.

        Raises
        ------
        ClusterLostError
            If the scheduler is lost, or all workers are and none comes back.
        WorkerLostError
            If one call has cost several workers their lives.
        """
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        running: set[Any] = set()
        try:
            while True:
                limit = jobs or max(1, self.threads())
                for item in _some(items, limit - len(running)):
                    name = f"{function.__name__}-{uuid.uuid4().hex}"
                    future = self._ask(
                        self._client.submit, call, function, item, self._here, key=name
                    )
                    running.add(future)
                    future.add_done_callback(done.put)
                future = self._next(done, stopped) if running else None
                if future is None:
                    return
                running.discard(future)
                yield self._result(future)
        finally:
            if running:
                with contextlib.suppress(OSError):
                    self._client.cancel(list(running))

    def dismiss(self, session: str) -> None:
        """Let the workers close the players that they keep for `session`."""
        if self._client.status == "running":
            # Not waited for: a worker may be in the middle of a game that nobody wants any more.
            with contextlib.suppress(OSError):
                self._client.run(leave, session, wait=False, on_error="ignore")

    def close(self) -> None:
        """End the connection; the workers go on without this process."""
        self._client.close(timeout=CONNECT_S)
        for name, level in self._logs.items():
            logging.getLogger(name).setLevel(level)

    def _tell(self, specs: Sequence[PlayerSpec]) -> dict[str, Any]:
        """Return what every worker tells, or what went wrong there."""
        told: dict[str, Any] = self._ask(self._client.run, tell, tuple(specs), on_error="return")
        return told

    def _next(self, done: queue.SimpleQueue[Any], stopped: Callable[[], bool]) -> Any:
        """Return a call that has ended, or None if there is no worker and nobody waits for one."""
        while True:
            with contextlib.suppress(queue.Empty):
                return done.get(timeout=_LOOK_S)
            if stopped() and not self.threads():
                return None
            self._has_workers()

    def _result(self, future: Any) -> Any:
        from distributed import KilledWorker

        if future.cancelled():
            raise ClusterLostError(f"lost the scheduler at {self.address}")
        if future.status != "error":
            return self._fetch(future)
        error = self._ask(future.exception)
        if isinstance(error, KilledWorker):
            raise WorkerLostError(
                f"{error.allowed_failures + 1} workers died while they played the same games, the "
                f"last one at {error.last_worker.address}; the finished games are kept"
            ) from error
        raise error

    def _fetch(self, future: Any) -> Any:
        """Return the result of a call; if its worker dies just now, the call is made again."""
        while True:
            try:
                return future.result(timeout=_FETCH_S)
            except TimeoutError:
                self._has_workers()
            except (OSError, CancelledError) as error:
                raise self._lost(error) from error

    def _has_workers(self) -> bool:
        """Tell whether there is a worker; end the waiting when it has been too long."""
        if self.threads():
            self._missing_since = None
            return True
        if self._missing_since is None:
            self._missing_since = time.monotonic()
            self._say(f"no worker at {self.address}; waiting {PATIENCE_S:g} s for one")
        elif time.monotonic() - self._missing_since > PATIENCE_S:
            raise ClusterLostError(f"no worker at {self.address} for {PATIENCE_S:g} s")
        return False

    def _ask(self, question: Callable[..., Any], *words: Any, **options: Any) -> Any:
        """Ask the scheduler something."""
        try:
            return question(*words, **options)
        except (OSError, CancelledError, RuntimeError) as error:
            raise self._lost(error) from error

    def _lost(self, error: Exception) -> ClusterLostError:
        reason = str(error) or type(error).__name__
        return ClusterLostError(f"lost the scheduler at {self.address}: {reason}")


def _connect(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError as error:
        raise ConfigError(
            f"backend dask needs the package distributed: pip install 'gomoku-lab[dask]' ({error})"
        ) from error
    # What goes wrong is said by this module, in one line.
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        # In a thread of its own, since the caller may be inside an event loop, as in a notebook.
        with ThreadPoolExecutor(1) as thread:
            kind = thread.submit(asyncio.run, _kind(address)).result()
        if kind != "Scheduler":
            raise ValueError(f"it is a {kind.lower()}'s address")
        make_client: Any = Client  # which carries no types
        return make_client(address, timeout=CONNECT_S, set_as_default=False)
    except Exception as error:  # whatever another program may answer, or a bad address cause
        reason = str(error) or f"no answer within {CONNECT_S:g} s"
        raise ConfigError(f"no Dask scheduler answers at {address!r}: {reason}") from error


async def _kind(address: str) -> str:
    """Return what answers at `address`, such as ``Scheduler``.

    Dask's client waits for ever for a program that speaks something else, and blocks when it is
    given up after any failure that it does not expect.
    """
    import distributed

    dask: Any = distributed  # which carries no types
    arguments = dask.Security().get_connection_args("client")
    async with dask.rpc(address, timeout=CONNECT_S, connection_args=arguments) as remote:
        answer = await asyncio.wait_for(remote.identity(), CONNECT_S)
    return str(answer["type"])


def _some(items: Iterator[Item], count: int) -> Iterator[Item]:
    """Yield up to `count` of the items."""
    for _ in range(count):
        try:
            yield next(items)
        except StopIteration:
            return
