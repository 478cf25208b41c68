"""Stands between the lab and somebody else's program, so that nothing of it can stay behind.

Started as a script, ``guard.py LIFELINE MEMORY FOLDER PROGRAM ARGUMENT...``: the file descriptor of
a socket to the lab, the most bytes of data that a process of the program may have (0: any number),
and a folder to remove afterwards ("" for none). On the socket the guard says 0, or the number of
the error for which the program cannot be run. The program gets the guard's own standard streams.
When it ends, or the lab closes the socket or dies, the guard kills what is left of the program and
of whatever that started, removes the folder, and ends as the program did.

It imports nothing of the lab: it has to start fast.
"""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36


def main() -> None:
    """Run the program to its end."""
    number, memory, folder, *command = sys.argv[1:]
    lifeline = socket.socket(fileno=int(number))
    _adopt_orphans()
    try:
        program = subprocess.Popen(
            command,
            start_new_session=True,
            preexec_fn=lambda: _limit_memory(int(memory)),  # noqa: PLW1509 - this is one thread
        )
    except OSError as error:
        lifeline.sendall(b"%d\n" % (error.errno or errno.EIO))
        return
    lifeline.sendall(b"0\n")
    _let_go_of_streams()
    over = threading.Event()
    threading.Thread(target=_watch, args=(lifeline, program.pid, over), daemon=True).start()
    code = _reap_all(program.pid, over)
    if folder:
        from shutil import rmtree

        rmtree(folder, ignore_errors=True)
    _end_like(code)


def _limit_memory(size: int) -> None:
    """Limit the data of this process: what it reserves without using it does not count."""
    if size:
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        if hard != resource.RLIM_INFINITY:
            size = min(size, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def _adopt_orphans() -> None:
    """Become the parent of every descendant that loses its own, also of one that is a daemon."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _let_go_of_streams() -> None:
    """Keep no end of the program's pipes open, or the lab would not see it close them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.close(nothing)


def _watch(lifeline: socket.socket, program: int, over: threading.Event) -> None:
    """Kill the program when nobody is left on the other side."""
    with contextlib.suppress(OSError):
        lifeline.recv(1)
    if not over.is_set():
        _kill_session(program)


def _kill_session(leader: int) -> None:
    with contextlib.suppress(OSError):
        os.killpg(leader, signal.SIGKILL)


def _reap_all(program: int, over: threading.Event) -> int:
    """Wait for the program, then kill all that it has left; return how the program ended."""
    code = 0
    while True:
        try:
            ended, status = os.wait()
        except ChildProcessError:
            return code
        if ended == program:
            over.set()
            code = os.waitstatus_to_exitcode(status)
            _kill_session(program)
        if over.is_set():
            # The children of one that has died are ours now, and those of these will be.
            for child in _children():
                with contextlib.suppress(OSError):
                    os.kill(child, signal.SIGKILL)


def _children() -> Iterator[int]:
    """Yield the process ids of our children; none where there is no /proc."""
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            # "pid (name) state ppid ...": a name may hold blanks and brackets.
            values = entry.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(values[1]) == os.getpid():
            yield int(entry.parent.name)


def _end_like(code: int) -> None:
    """End with the program's exit code, or by the signal that ended it."""
    if code < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with contextlib.suppress(OSError, ValueError):  # some cannot be reset, and need not be
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
