"""How many threads numpy's linear algebra gets in commands that have little of it."""

from __future__ import annotations

import os
import sys


def one_thread() -> None:
    """Let linear algebra run on one thread, unless the user has chosen; before numpy is imported.

    The matrices of a fit have a row for each player: more threads cost more processor time in
    waiting for each other than they save, twice as much for 55 players on two cores.
    """
    if "numpy" not in sys.modules:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
