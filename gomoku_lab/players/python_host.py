"""The other side of `players.python`: runs the user's class in a process of its own.

Started as ``python -m gomoku_lab.players.python_host``. It reads one JSON object a line from stdin
and answers each with one on stdout. What the user's code prints goes to stderr, so that it cannot
get between the answers. It ends when its stdin is closed, whatever the user's code is doing.
"""

from __future__ import annotations

import importlib
import io
import json
import operator
import os
import queue
import random
import sys
import threading
import traceback
from typing import IO, Any

import numpy as np

from gomoku_lab.engine.config import SearchLimits
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import Rule
from gomoku_lab.players.child_output import FORGET_MARK

_NOT_HIS = (__file__, importlib.__file__, "<frozen importlib._bootstrap>")


class _Host:
    """The user's object and the target from which it is made."""

    def __init__(self) -> None:
        self._target: Any = None
        self._player: Any = None

    def load(self, target: str) -> dict[str, Any]:
        """Import the target and make an object; return the rules it names, or None for all."""
        module, _, name = target.partition(":")
        self._target = importlib.import_module(module)
        for part in name.split("."):
            self._target = getattr(self._target, part)
        if not callable(getattr(self._target, "choose", None)):
            raise TypeError(f"{target} has no method choose(board, limits)")
        self._make(0)
        rules = getattr(self._player, "rules", None)
        return {"rules": None if rules is None else [str(rule) for rule in rules]}

    def new_game(self, seed: int) -> dict[str, Any]:
        """Begin a game: nothing that an earlier one left may influence it.

        An object with `new_game` is told so; another class is instantiated anew.
        """
        sys.stdout.flush()
        sys.stderr.flush()
        os.write(2, FORGET_MARK)
        if hasattr(self._player, "new_game"):
            _seed_generators(seed)
            self._player.new_game(seed)
        else:
            self._make(seed)
        return {}

    def _make(self, seed: int) -> None:
        _seed_generators(seed)
        self._player = self._target() if isinstance(self._target, type) else self._target

    def choose(self, board: Board, limits: SearchLimits) -> dict[str, Any]:
        """Ask for a move; one of a wrong type is returned as ``refused``."""
        answer = self._player.choose(board, limits)
        if isinstance(answer, str):
            return {"move": answer}
        try:
            if isinstance(answer, bool):
                raise TypeError
            return {"move": operator.index(answer)}
        except TypeError:
            return {"refused": f"{answer!r} ({type(answer).__name__})"[:200]}


def _seed_generators(seed: int) -> None:
    """Make a class that draws from the global generators as reproducible as one that does not."""
    random.seed(seed)
    np.random.seed(seed % 2**32)


def _answer(host: _Host, message: dict[str, Any]) -> dict[str, Any]:
    try:
        match message["do"]:
            case "load":
                return host.load(message["target"])
            case "new_game":
                return host.new_game(message["seed"])
            case _:
                limits = SearchLimits.from_dict(message["limits"])
                return host.choose(_board(message["board"]), limits)
    except BaseException as error:  # sys.exit() in the user's code is an answer, too
        return {"error": type(error).__name__, "message": str(error), "traceback": _trace(error)}


def _trace(error: BaseException) -> str:
    """Return the traceback from the user's first frame on, "" if there is none of his."""
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename in _NOT_HIS:
        frames = frames.tb_next
    if frames is None:
        return ""
    return "".join(traceback.format_exception(type(error), error, frames))


def _board(values: dict[str, Any]) -> Board:
    return Board(
        size=values["size"],
        rule=Rule(values["rule"]),
        cells=bytes.fromhex(values["cells"]),
        to_move=values["to_move"],
        moves=tuple(values["moves"]),
    )


def _read(stream: IO[bytes], inbox: queue.Queue[dict[str, Any]]) -> None:
    """Hand on the parent's lines; without a parent there is nobody left to play for."""
    for line in stream:
        inbox.put(json.loads(line))
    os._exit(0)


def _take_streams() -> tuple[IO[bytes], IO[bytes]]:
    """Keep the pipes to the parent for ourselves; the user gets stderr and an empty stdin."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, answers


def main() -> None:
    """Serve until the parent closes the pipe."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # what was printed before a hang is not lost
    requests, answers = _take_streams()
    inbox: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=_read, args=(requests, inbox), daemon=True).start()
    host = _Host()
    while True:
        answer = _answer(host, inbox.get())
        sys.stdout.flush()
        sys.stderr.flush()
        answers.write(json.dumps(answer).encode("utf-8") + b"\n")
        answers.flush()


if __name__ == "__main__":
    main()
