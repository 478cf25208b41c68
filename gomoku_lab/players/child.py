"""A child process that is spoken to in lines, and can be killed when it stays silent.

It knows pipes, time limits and the end of a process, and nothing of Gomoku: what the lines mean is
their sender's business.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import IO, TypeVar

_STDERR_BYTES = 8192
_QUIT_S = 2.0
# A byte on the child's stderr: what stands before it belongs to an earlier game.
FORGET_MARK = b"\x00"
_Sink = TypeVar("_Sink")


class ChildSilent(Exception):  # noqa: N818 - named after what happened
    """The child gave no line within the limit; it is still running."""


class ChildEnded(Exception):  # noqa: N818 - named after what happened
    """The child's process ended, or closed its output."""


class Child:
    """A running child process; its standard streams are pipes, its stderr's end is kept.

    Parameters
    ----------
    command : sequence of str
        Program and arguments.
    environment : mapping, optional
        The whole environment; by default the parent's.
    folder : str, optional
        Working folder; by default the parent's.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        folder: str | None = None,
    ) -> None:
        # A session of its own: Ctrl-C in the terminal reaches the parent only, and the child can be
        # killed together with whatever it started.
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=None if environment is None else dict(environment),
            cwd=folder,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._input: IO[bytes] = self._process.stdin
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._stderr = _Tail()
        self._is_released = False
        self._readers = [
            _reader(self._process.stdout, _read_lines, self._lines),
            _reader(self._process.stderr, _read_tail, self._stderr),
        ]

    @property
    def pid(self) -> int:
        """Give the process id."""
        return self._process.pid

    def send(self, line: str) -> None:
        """Write one line.

        Raises
        ------
        ChildEnded
            If nobody reads it.
        """
        try:
            self._input.write(line.encode("utf-8") + b"\n")
            self._input.flush()
        except OSError:
            raise ChildEnded from None

    def receive(self, limit_ms: float) -> str:
        """Return the next line.

        Raises
        ------
        ChildSilent
            If none comes within `limit_ms`.
        ChildEnded
            If none will come any more.
        """
        try:
            line = self._lines.get(timeout=limit_ms / 1000)
        except queue.Empty:
            raise ChildSilent from None
        if line is None:
            self._lines.put(None)
            raise ChildEnded
        return line.decode("utf-8", errors="replace").rstrip("\r\n")

    def kill(self) -> str:
        """End the child and whatever it started, at once; say how it ended.

        Returns
        -------
        str
            ``exit code N`` or ``signal N (NAME)`` if it had ended by itself, else "".
        """
        if self._is_released:
            return ""  # its process id may by now be somebody else's
        # Output that is closed means that the process is about to end: let it tell its exit code.
        if not self._lines.empty() and self._lines.queue[-1] is None:
            self._wait(_QUIT_S)
        code = self._process.poll()
        self._signal_group()
        self._process.wait()
        self._is_released = True
        self._release()
        return "" if code is None else _how_it_ended(code)

    def close(self) -> None:
        """Close the child's input, give it a moment to end by itself, then kill it."""
        self._close_input()
        self._wait(_QUIT_S)
        self.kill()

    def stderr_tail(self) -> str:
        """Return the end of what the child wrote to stderr since the last forget mark."""
        return self._stderr.text()

    def _close_input(self) -> None:
        with contextlib.suppress(OSError):  # what was still to be written has no reader
            self._input.close()

    def _wait(self, seconds: float) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=seconds)

    def _signal_group(self) -> None:
        """Kill the whole session, also when its leader has ended and left others behind."""
        with contextlib.suppress(OSError):  # nothing may be left of it
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def _release(self) -> None:
        """Close the pipes; a reader that an escaped grandchild keeps waiting is left behind."""
        self._close_input()
        for reader in self._readers:
            reader.join(timeout=_QUIT_S)


class _Tail:
    """The last bytes of a stream."""

    def __init__(self) -> None:
        self._bytes = b""

    def add(self, chunk: bytes) -> None:
        self._bytes = (self._bytes + chunk).rpartition(FORGET_MARK)[2][-_STDERR_BYTES:]

    def text(self) -> str:
        return self._bytes.decode("utf-8", errors="replace").strip()


def _reader(
    stream: IO[bytes], read: Callable[[IO[bytes], _Sink], None], sink: _Sink
) -> threading.Thread:
    thread = threading.Thread(target=read, args=(stream, sink), daemon=True)
    thread.start()
    return thread


def _read_lines(stream: IO[bytes], lines: queue.Queue[bytes | None]) -> None:
    with stream:
        for line in stream:
            lines.put(line)
    lines.put(None)


def _read_tail(stream: IO[bytes], tail: _Tail) -> None:
    with stream:
        while chunk := os.read(stream.fileno(), 4096):
            tail.add(chunk)


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {-code} ({signal.Signals(-code).name})"
    except ValueError:
        return f"signal {-code}"
