"""Whether processes still run, for the tests of players that run in processes of their own."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path


def is_running(pid: int) -> bool:
    """Tell whether a process exists and is no zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def in_the_end(is_so: Callable[[], bool]) -> bool:
    """Wait until something is so; the generous limit is met only by a failing test."""
    for _ in range(600):
        if is_so():
            return True
        time.sleep(0.05)
    return False


def until_gone(pid: int) -> bool:
    """Wait for a process to end."""
    return in_the_end(lambda: not is_running(pid))
