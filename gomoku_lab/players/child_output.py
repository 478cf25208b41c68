"""What a child process says: threads take it from its pipes, as lines to hear or a tail to quote.

Nothing here knows whose pipes they are, or what the lines mean.
"""

from __future__ import annotations

import os
import re
import threading
from collections import deque
from collections.abc import Callable
from typing import IO, TypeVar

_STDERR_BYTES = 8192
# What a child says before anybody listens: when so many lines are there, it has to wait.
_LINES = 64
_LONGEST_LINE = 2**20
# A byte on the child's stderr: what stands before it belongs to an earlier game.
FORGET_MARK = b"\x00"
_Sink = TypeVar("_Sink")


class ChildSilent(Exception):  # noqa: N818 - named after what happened
    """The child gave no line within the limit; it is still running."""


class ChildEnded(Exception):  # noqa: N818 - named after what happened
    """The child's process ended, or closed its output."""


class Inbox:
    """The lines that a child has said and nobody has heard yet, up to `_LINES` of them."""

    def __init__(self) -> None:
        self.has_ended = False
        self._lines: deque[bytes] = deque()
        self._is_open = True
        self._changed = threading.Condition()

    def put(self, line: bytes) -> None:
        """Add a line, as soon as there is room for it."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._lines) < _LINES or not self._is_open)
            self._lines.append(line)
            self._changed.notify_all()

    def end(self) -> None:
        """Note that no line will follow."""
        with self._changed:
            self.has_ended = True
            self._changed.notify_all()

    def get(self, seconds: float) -> bytes:
        """Take out the next line; raise ChildSilent or ChildEnded if there is none."""
        with self._changed:

            def has_news() -> bool:
                return bool(self._lines) or self.has_ended

            # A child that talks without end is not listened to for ever.
            if seconds < 0 or not self._changed.wait_for(has_news, seconds):
                raise ChildSilent
            if not self._lines:
                raise ChildEnded
            line = self._lines.popleft()
            self._changed.notify_all()
            return line

    def close(self) -> None:
        """Let nobody wait for room any longer."""
        with self._changed:
            self._is_open = False
            self._changed.notify_all()


class Tail:
    """The last bytes of a stream."""

    def __init__(self) -> None:
        self._bytes = b""

    def add(self, chunk: bytes) -> None:
        """Take in what follows; a forget mark wipes out what stands before it."""
        self._bytes = (self._bytes + chunk).rpartition(FORGET_MARK)[2][-_STDERR_BYTES:]

    def text(self) -> str:
        """Return the bytes as text."""
        return self._bytes.decode("utf-8", errors="replace").strip()


def reader(
    stream: IO[bytes], read: Callable[[IO[bytes], _Sink], None], sink: _Sink
) -> threading.Thread:
    """Start and return a thread that reads a stream to its end, and then closes it."""
    thread = threading.Thread(target=read, args=(stream, sink), daemon=True)
    thread.start()
    return thread


def read_lines(stream: IO[bytes], lines: Inbox) -> None:
    """Hand on the lines that are not empty, however they end; what is too long comes in parts."""
    rest = b""
    with stream:
        while chunk := os.read(stream.fileno(), 65536):
            *whole, rest = re.split(rb"[\r\n]", rest + chunk)
            if len(rest) > _LONGEST_LINE:
                whole, rest = [*whole, rest], b""
            for line in filter(None, whole):
                lines.put(line)
    if rest:
        lines.put(rest)
    lines.end()


def read_tail(stream: IO[bytes], tail: Tail) -> None:
    """Keep the end of what comes."""
    with stream:
        while chunk := os.read(stream.fileno(), 4096):
            tail.add(chunk)
