"""Progress on stderr while a command works: a live bar on a terminal, sparse lines elsewhere.

Results never come this way: they go to stdout.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Protocol

import click

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_SECONDS_BETWEEN_LINES = 10.0
_LONGEST_SILENCE_S = 30.0


class Meter(Protocol):
    """What `progress` yields: told of every step, with a note such as the running score."""

    def advance(self, steps: int = 1, note: str = "") -> None:
        """Count `steps` more as done; `note` stays visible until the next one."""
        ...


@contextmanager
def progress(
    total: int,
    description: str,
    *,
    quiet: bool = False,
    done: int = 0,
    patience: float = 0.0,
    settled: int = 1,
) -> Iterator[Meter]:
    """Show how far a job of `total` steps is, on stderr, with the time left.

    Parameters
    ----------
    total : int
        Steps in all.
    description : str
        What is being counted, such as ``games``.
    quiet : bool
        Show nothing.
    done : int
        Steps that were finished before, as in a resumed run.
    patience : float
        Seconds for which nothing is shown, so that a short job passes in silence.
    settled : int
        Steps before which the pace does not tell how long the rest will take.
    """
    if quiet:
        yield _Silent()
    elif patience:
        with ExitStack() as stack:
            yield _Patient(
                lambda so_far: stack.enter_context(progress(total, description, done=so_far)),
                patience,
                done,
            )
    elif sys.stderr.isatty():
        with _bar() as bar:
            yield _Live(bar, bar.add_task(description, total=total, completed=done, note=""))
    else:
        meter = _Lines(total, description, done, settled)
        try:
            yield meter
            meter.close()
        finally:
            meter.fall_silent()


def say(message: str, *, quiet: bool = False) -> None:
    """Tell the user something on stderr."""
    if not quiet:
        click.echo(message, err=True)


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}", markup=False),
        console=Console(stderr=True),
    )


class _Silent:
    def advance(self, steps: int = 1, note: str = "") -> None:
        """Show nothing."""


class _Patient:
    """A meter that appears when the job turns out to be long."""

    def __init__(self, start: Callable[[int], Meter], patience: float, done: int) -> None:
        self._start = start
        self._due = time.monotonic() + patience
        self._done = done
        self._meter: Meter | None = None

    def advance(self, steps: int = 1, note: str = "") -> None:
        """Count, and hand over to the meter once there is one."""
        if self._meter is None and time.monotonic() >= self._due:
            self._meter = self._start(self._done)
        self._done += steps
        if self._meter is not None:
            self._meter.advance(steps, note)


class _Live:
    def __init__(self, bar: Progress, task: TaskID) -> None:
        self._bar = bar
        self._task = task

    def advance(self, steps: int = 1, note: str = "") -> None:
        """Move the bar; an empty note leaves the last one standing."""
        if note:
            self._bar.update(self._task, advance=steps, note=note)
        else:
            self._bar.update(self._task, advance=steps)


class _Lines:
    """A line every ten seconds, and one at the end: a log stays readable.

    A thread adds one where nothing was finished for half a minute.
    """

    def __init__(self, total: int, description: str, done: int, settled: int) -> None:
        self._total = total
        self._description = description
        self._start = time.monotonic()
        self._next = self._start + _SECONDS_BETWEEN_LINES
        self._first: tuple[float, int] | None = None  # when, and how many were done then
        self._done = done
        self._settled = done + settled
        self._note = ""
        self._shown = -1
        self._shown_at = self._start
        self._lock = threading.Lock()
        self._is_over = threading.Event()
        threading.Thread(target=self._watch, daemon=True, name="progress").start()

    def advance(self, steps: int = 1, note: str = "") -> None:
        """Count, and print a line if the last one is ten seconds old."""
        self._done += steps
        self._note = note or self._note
        if self._first is None:
            # What came before, such as starting workers and loading kernels, comes but once.
            self._first = time.monotonic(), self._done
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _SECONDS_BETWEEN_LINES
            with self._lock:
                self._print()

    def close(self) -> None:
        """Print the final count if it has not been shown."""
        with self._lock:
            if self._shown != self._done:
                self._print()

    def fall_silent(self) -> None:
        """Print nothing more."""
        with self._lock:
            self._is_over.set()

    def _watch(self) -> None:
        """Print a line whenever there was none for too long."""
        silent_s = 0.0
        while not self._is_over.wait(max(0.0, _LONGEST_SILENCE_S - silent_s)):
            with self._lock:
                silent_s = time.monotonic() - self._shown_at
                if silent_s >= _LONGEST_SILENCE_S and not self._is_over.is_set():
                    self._print()
                    silent_s = 0.0

    def _print(self) -> None:
        self._shown = self._done
        self._shown_at = time.monotonic()
        elapsed = self._shown_at - self._start
        note = f"  {self._note}" if self._note else ""
        click.echo(
            f"{self._description}: {self._done}/{self._total} after {elapsed:.0f} s"
            f"{self._left()}{note}",
            err=True,
        )

    def _left(self) -> str:
        """Return the time left in words, "" as long as nothing tells it."""
        left = self._total - self._done
        if self._first is None or left <= 0 or self._done < self._settled:
            return ""
        start, before = self._first
        if self._done == before:
            return ""
        rate = (time.monotonic() - start) / (self._done - before)
        return f", about {rate * left:.0f} s left"
