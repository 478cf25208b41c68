"""A real Dask scheduler with its workers, each a process of its own, for the tests of `dask`."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
PATIENCE_S = 120
# Not the bounds of a test but of a machine that has many other things to do.
CALM = {
    "DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "False",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "60s",
}


class Grid:
    """A scheduler on a free port of the loopback; workers are added by `fill`."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self._folder = folder
        self._environment = {
            **os.environ,
            **CALM,
            "PYTHONPATH": os.pathsep.join(
                [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
            ),
            **environment,
        }
        self._count = 0
        self._worker_log = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--port", "0", "--scheduler-file", str(file))
        wait(lambda: file.exists() and file.read_text().strip().endswith("}"), self.scheduler)
        self.address: str = json.loads(file.read_text())["address"]

    def fill(self, count: int = 2) -> None:
        """Start workers of two threads until `count` of them are alive and known."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        started = []
        while len(self.workers) < count:
            log = self._folder / str(self._count)
            worker = self._start("worker", self.address, "--nthreads", "2", "--no-nanny")
            self.workers.append(worker)
            self._worker_log = log / "log"
            started.append((worker, log / "log"))
        for worker, log in started:
            wait(lambda log=log: b"Registered to" in log.read_bytes(), worker)

    def worker_address(self) -> str:
        """Return the address of the worker that was started last."""
        found = re.search(r"Start worker at:\s*(\S+)", self._worker_log.read_text())
        assert found is not None
        return found[1]

    def close(self) -> None:
        """Kill everything and wait for it."""
        for process in (*self.workers, self.scheduler):
            kill(process)

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        folder = self._folder / str(self._count)
        folder.mkdir()
        self._count += 1
        place = ("--host", "127.0.0.1", "--no-dashboard")
        if words[0] == "worker":
            place += ("--local-directory", str(folder))
        with (folder / "log").open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *words, *place],
                stdout=log,
                stderr=log,
                cwd=folder,
                env=self._environment,
                start_new_session=True,
            )


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a process with what it has started, as kill -9 does."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def wait(fact, process=None) -> None:
    """Return when `fact` holds; that `process` ends before is a failure."""
    deadline = time.monotonic() + PATIENCE_S
    while not fact():
        assert process is None or process.poll() is None, "the process ended"
        assert time.monotonic() < deadline
        time.sleep(0.02)
