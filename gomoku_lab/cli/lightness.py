"""What makes a short command cheaper: it computes little, and most of its time is loading."""

from __future__ import annotations

import gc
import os
import sys
from functools import partial

import click

_OBJECTS = 100_000
"""New objects after which Python looks for garbage: nearly all that is loaded stays."""


def one_thread() -> None:
    """Let linear algebra run on one thread, unless the user has chosen; before numpy is imported.

    The matrices of a fit have a row for each player: more threads cost more processor time in
    waiting for each other than they save, twice as much for 55 players on two cores.
    """
    if "numpy" not in sys.modules:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def rare_collections() -> None:
    """Look for garbage seldom until the command ends: 6 % of the time of `rate` went into that."""
    usual = gc.get_threshold()
    gc.set_threshold(_OBJECTS)
    click.get_current_context().call_on_close(partial(gc.set_threshold, *usual))
