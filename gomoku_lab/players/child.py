"""A child process that is spoken to in lines, and can be killed when it stays silent.

It knows pipes, time limits and the end of a process, and nothing of Gomoku: what the lines mean is
their sender's business.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import IO

from gomoku_lab.players.child_output import (
    FORGET_MARK,
    ChildEnded,
    Inbox,
    Tail,
    read_lines,
    read_tail,
    reader,
)

_QUIT_S = 2.0
_END_S = 5.0
_GUARD = Path(__file__).with_name("guard.py")
_MEBIBYTE = 2**20


@dataclass(frozen=True, slots=True)
class Guard:
    """How somebody else's program is held: see `players.guard`.

    Where there is no POSIX, only the folder is removed.

    Attributes
    ----------
    memory_mb : int or None
        The most MiB of data that each of its processes may have; None for any number.
    litter : str
        A folder that is removed when all is over; "" for none.
    """

    memory_mb: int | None = None
    litter: str = ""


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
    guard : Guard, optional
        With one, whatever the child has started ends with the child, or with this process,
        however that ends.

    Raises
    ------
    OSError
        If the program cannot be run.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        folder: str | None = None,
        guard: Guard | None = None,
    ) -> None:
        self._lifeline: socket.socket | None = None
        self._litter = "" if guard is None else guard.litter
        with contextlib.ExitStack() as stack:
            words, descriptors = list(command), []
            if guard is not None and os.name == "posix":
                self._lifeline, theirs = socket.socketpair()
                stack.enter_context(theirs)
                words = _guarded(command, guard, theirs)
                descriptors = [theirs.fileno()]
            # A session of its own: Ctrl-C in the terminal reaches the parent only, and the child
            # can be killed together with whatever it started.
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=None if environment is None else dict(environment),
                cwd=folder,
                start_new_session=True,
                pass_fds=descriptors,
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._input: IO[bytes] = self._process.stdin
        self._lines = Inbox()
        self._stderr = Tail()
        self._is_released = False
        self._readers = [
            reader(self._process.stdout, read_lines, self._lines),
            reader(self._process.stderr, read_tail, self._stderr),
        ]
        if self._lifeline is not None:
            self._check_start(self._lifeline, command[0])

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
        line = self._lines.get(limit_ms / 1000)
        return line.decode("utf-8", errors="replace")

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
        if self._lines.has_ended:
            self._wait(_END_S)
        code = self._process.poll()
        self._end_all()
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

    def forget_stderr(self) -> None:
        """Forget what the child has written to stderr so far."""
        self._stderr.add(FORGET_MARK)

    def _check_start(self, lifeline: socket.socket, program: str) -> None:
        """Raise OSError unless the guard says that the program runs."""
        with lifeline.makefile("rb") as report:
            code = int(report.readline() or errno.ECHILD)
        if code:
            self.kill()
            raise OSError(code, os.strerror(code), program)

    def _close_input(self) -> None:
        with contextlib.suppress(OSError):  # what was still to be written has no reader
            self._input.close()

    def _wait(self, seconds: float) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=seconds)

    def _end_all(self) -> None:
        """Kill the child and what it started, also when it has ended and left others behind."""
        if self._lifeline is not None:
            self._lifeline.close()
            self._wait(_END_S)
            if self._process.poll() is not None:
                return
        with contextlib.suppress(OSError):  # nothing may be left of it
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def _release(self) -> None:
        """Close the pipes; a reader that an escaped grandchild keeps waiting is left behind."""
        self._close_input()
        self._lines.close()
        for thread in self._readers:
            thread.join(timeout=_QUIT_S)
        if self._litter:
            rmtree(self._litter, ignore_errors=True)


def _guarded(command: Sequence[str], guard: Guard, lifeline: socket.socket) -> list[str]:
    """Return the command line of a guard that runs `command`."""
    memory = (guard.memory_mb or 0) * _MEBIBYTE
    # Without the user's environment and site packages it starts in half the time.
    python = [sys.executable, "-I", "-S", str(_GUARD)]
    return [*python, str(lifeline.fileno()), str(memory), guard.litter, *command]


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {-code} ({signal.Signals(-code).name})"
    except ValueError:
        return f"signal {-code}"
