"""``gomoku-lab brain``: a player of the lab as a program for Gomocup managers."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO

import click

from gomoku_lab.cli.errors import clean_errors, fail
from gomoku_lab.cli.lightness import one_thread

if TYPE_CHECKING:
    from gomoku_lab.players.spec import PlayerSpec

_MOST_THREADS = 64


@click.command()
@click.argument("expression", metavar="[PLAYER]", default="lab/max")
@click.option(
    "--dialect",
    type=click.Choice(["gomocup", "yixin"]),
    default="gomocup",
    show_default=True,
    help="yixin: INFO rule 2 is renju; max_depth, max_node and the commands yx... are understood.",
)
@click.option("--seed", type=click.IntRange(0), help="Root of every random draw. [default: fresh]")
@click.option(
    "--threads",
    metavar="N",
    type=click.IntRange(1, _MOST_THREADS),
    help="Searches side by side on one table, for players that know `threads`. "
    "[default: one for each core that the program may use]",
)
def command(expression: str, dialect: str, seed: int | None, threads: int | None) -> None:
    """Play as PLAYER (lab/max unless named) for a manager that speaks the Gomocup protocol.

    The manager writes commands to stdin (START 15, TURN 7,7, BOARD ... DONE, INFO timeout_turn
    5000), the answers go to stdout. The manager's time replaces the player's own. Players of the
    families plain, layered, lab and site keep it; minimax looks at the clock between its layers
    only, and pattern, textbook and stages know none.

    A manager that wants a program by the name of pbrain-something gets a link of such a name to
    gomoku-lab, or a script that runs this command.
    """
    one_thread()  # a search needs no linear algebra, and START is answered sooner
    with clean_errors():
        from gomoku_lab.players.registry import needs_kernels, resolve

        spec = on_threads(resolve(expression), threads)
    from gomoku_lab.players.brain import Brain
    from gomoku_lab.players.errors import PlayerStartError
    from gomoku_lab.players.serve import serve

    out = sys.stdout

    def write(line: str) -> None:
        out.write(f"{line}\n")
        out.flush()

    brain = Brain(spec, write, dialect=dialect, seed=seed)
    if not needs_kernels(spec):
        # It may be missing or broken. What needs kernels is our own, and loads while we talk.
        try:
            with contextlib.redirect_stdout(sys.stderr):
                brain.thinker.make()
        except PlayerStartError as error:
            fail(str(error))
    stream = _own_input()
    # Whatever else prints must not be taken for an answer.
    with contextlib.redirect_stdout(sys.stderr):
        serve(brain, stream or sys.stdin.buffer)
    if stream is not None:
        # All is said. Python's own end would take a quarter of a second with the engine loaded,
        # and must not come while another thread still loads it.
        os._exit(0)


def on_threads(spec: PlayerSpec, threads: int | None) -> PlayerSpec:
    """Return the player with so many threads, or his own number, or one for each core.

    A player that knows no threads stays as he is.
    """
    own = getattr(spec.config, "threads", None)
    if own is None:
        return spec
    from gomoku_lab.arena.provenance import usable_cores

    number = threads or (own if own > 1 else min(usable_cores(), _MOST_THREADS))
    return replace(spec, config=spec.config.varied({"threads": number}, source=spec.name))


def _own_input() -> BinaryIO | None:
    """Return a stream of our own on the manager's lines; None where stdin is no file.

    Python cannot end while another thread waits in `sys.stdin`.
    """
    try:
        return os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    except OSError:
        return None
