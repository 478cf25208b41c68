"""A brain on two streams: a thread reads the lines, so that a running search can be stopped."""

from __future__ import annotations

import contextlib
import gc
import queue
import threading
import time
from collections.abc import Iterable

from gomoku_lab.game.formats.gomocup import parse_command
from gomoku_lab.players.brain import Brain

_Lines = queue.Queue[tuple[str, int] | None]

_PATIENCE_S = 0.001
_OBJECTS_WHILE_LOADING = 100_000
"""New objects after which Python looks for garbage while the player is loaded.

Nearly all of what is loaded stays: with the usual 700 a tenth of the time went into the search.
Later it is left out of every search, or one that covers it would take 50 ms of some move.
"""


def serve(brain: Brain, stream: Iterable[bytes]) -> None:
    """Answer what comes from `stream` until it ends or the manager says END.

    Parameters
    ----------
    brain : Brain
        It writes its answers itself, and is closed in the end.
    stream : iterable of bytes
        Lines with their ends; what is not UTF-8 in them is replaced.
    """
    is_loading = True
    usual = gc.get_threshold()
    gc.set_threshold(_OBJECTS_WHILE_LOADING)
    brain.thinker.preload()
    lines: _Lines = queue.Queue()
    # A daemon: once the conversation is over nobody waits for the manager's next line.
    threading.Thread(target=_read, args=(brain, stream, lines), daemon=True).start()
    try:
        while (item := lines.get()) is not None:
            goes_on = brain.handle(*item)
            if is_loading and brain.thinker.is_ready:
                is_loading = False
                gc.freeze()
                gc.set_threshold(*usual)
            lines.task_done()
            if not goes_on:
                break
    finally:
        brain.close()
        gc.unfreeze()
        gc.set_threshold(*usual)


def _read(brain: Brain, stream: Iterable[bytes], lines: _Lines) -> None:
    """Put lines into the queue with the time of their coming; stop searches where that is asked.

    A stop is repeated until it has worked, since the search may not have begun yet.
    """
    with contextlib.suppress(OSError):  # a pipe that breaks is an end like another
        for raw in stream:
            arrived = time.monotonic_ns()
            line = raw.decode("utf-8", errors="replace")
            command = parse_command(line)
            word = command.word if command is not None else ""
            if word == "END":
                break
            if word == "YXSTOP" and brain.yixin:
                while lines.unfinished_tasks:
                    brain.thinker.stop()
                    time.sleep(_PATIENCE_S)
            else:
                lines.put((line, arrived))
    # What was asked before the end is still answered, but quickly.
    brain.thinker.hurry()
    lines.put(None)
    while brain.thinker.is_unhurried_at_work:
        brain.thinker.stop()
        time.sleep(_PATIENCE_S)
