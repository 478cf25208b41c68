"""A class of the user's own as a player, run in a child process.

The child makes a hang harmless under any way of playing games in parallel: a player that stays
silent is killed, the game is forfeited, and the next game starts it anew.
"""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gomoku_lab.engine.settings import ConfigError
from gomoku_lab.game.notation import parse_move
from gomoku_lab.game.rules import FREE_RULES
from gomoku_lab.players.child import Child
from gomoku_lab.players.child_config import ChildConfig
from gomoku_lab.players.child_player import ChildPlayer
from gomoku_lab.players.errors import IllegalMove, PlayerCrash, PlayerError, PlayerStartError
from gomoku_lab.players.protocol import Choice

if TYPE_CHECKING:
    import numpy as np

    from gomoku_lab.engine.config import SearchLimits
    from gomoku_lab.game.board import Board
    from gomoku_lab.game.rules import Rule
    from gomoku_lab.players.spec import PlayerSpec

_TARGET = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonConfig(ChildConfig):
    """Which class plays, with what budget, and how long it may stay silent.

    Attributes
    ----------
    target : str
        ``package.module:Name``.
    depth, time_ms, nodes
        The budget that `choose` is handed as its `limits`; 0 and None mean "no such limit".
    hang_ms : float
        A move without a time budget must come within this many milliseconds.
    grace_ms : float
        A move with a time budget must come within the budget and this much more.
    start_ms : float
        Importing and making the object must end within this many milliseconds.
    """

    def check_rules(self) -> None:
        """Raise ConfigError if the target cannot be the name of a class."""
        if not _TARGET.fullmatch(self.target):
            raise ConfigError(
                f"target must be package.module:Name, such as mybots.first:Bot: {self.target!r}"
            )


class PythonPlayer(ChildPlayer):
    """The user's object behind a pipe.

    The object has ``choose(board, limits)``, which returns a flat index or a name such as ``h8``.
    If it has ``new_game(seed)``, it is kept from game to game and told of each; else every game
    gets a new one. ``rules``, a sequence of rule names, says what it plays; without it these are
    freestyle and standard, since renju needs to be known.

    Raises
    ------
    PlayerStartError
        If the class cannot be imported or has no `choose`.
    """

    def __init__(self, spec: PlayerSpec) -> None:
        assert isinstance(spec.config, PythonConfig)
        super().__init__(spec.name)
        self._config = spec.config
        self._seed: int | None = None  # of the game that is being played
        self._rules: tuple[str, ...] = ()
        self._ready()

    def new_game(self, seed: np.random.SeedSequence) -> None:
        """Begin a game; `seed` also seeds Python's and NumPy's global generators in the child."""
        self._seed = int(seed.generate_state(1, "uint64")[0])
        if not self._ready():
            self._ask({"do": "new_game", "seed": self._seed}, self._config.start_ms)

    def choose(self, board: Board, limits: SearchLimits | None = None) -> Choice:
        """Return the object's move; it is not asked on a finished board.

        Raises
        ------
        PlayerCrash
            If it raises, or its process ends.
        PlayerTimeout
            If it stays silent for too long.
        IllegalMove
            If its answer is no point on which it may play.
        """
        if board.is_over:
            return Choice(move=None)
        budget = self._config.limits if limits is None else limits
        patience = (
            self._config.hang_ms
            if budget.time_ms is None
            else budget.time_ms + self._config.grace_ms
        )
        self._ready()
        answer = self._ask(
            {"do": "choose", "board": _board(board), "limits": budget.to_dict()}, patience
        )
        if "refused" in answer:
            raise IllegalMove(
                f"{self.name} answered {answer['refused']}; a flat index or a name "
                "such as 'h8' was wanted"
            )
        return Choice(move=self._legal(answer["move"], board))

    def plays(self, rule: Rule) -> bool:
        """Tell whether the object names `rule` in its `rules`, or knows it without that."""
        return str(rule) in self._rules

    def _legal(self, answer: int | str, board: Board) -> int:
        try:
            move = parse_move(answer, board.size) if isinstance(answer, str) else answer
            board.check_move(move)
        except ValueError as error:
            raise IllegalMove(f"{self.name} played {answer!r}: {error}") from None
        return move

    def _ready(self) -> bool:
        """Start the child, and the game that was being played, if there is none; tell whether."""
        if self._child is not None:
            return False
        self._child = Child(
            [sys.executable, "-m", "gomoku_lab.players.python_host"], environment=_environment()
        )
        try:
            answer = self._ask({"do": "load", "target": self._config.target}, self._config.start_ms)
            if self._seed is not None:
                self._ask({"do": "new_game", "seed": self._seed}, self._config.start_ms)
        except PlayerError as error:
            raise PlayerStartError(f"cannot start a player: {error}") from None
        named = answer["rules"]
        self._rules = tuple(map(str, FREE_RULES) if named is None else named)
        return True

    def _ask(self, message: dict[str, Any], limit_ms: float) -> dict[str, Any]:
        """Return the child's answer to `message`; end the child if there is no good one."""
        doing = message["do"]
        self._send(json.dumps(message), doing)
        answer: dict[str, Any] = json.loads(self._receive(doing, limit_ms))
        if "error" in answer:
            _, quoted = self._discard()
            what = f"{self.name} raised {answer['error']} in {doing}: {answer['message']}"
            raise PlayerCrash(f"{what}\n{answer['traceback']}".rstrip() + quoted)
        return answer


def _board(board: Board) -> dict[str, Any]:
    """Return what `board` is made of, JSON-ready."""
    return {
        "size": board.size,
        "rule": str(board.rule),
        "cells": board.cells.hex(),
        "to_move": board.to_move,
        "moves": board.moves,
    }


def _environment() -> dict[str, str]:
    """Return an environment in which the child finds what the parent finds, and the current folder.

    The hash seed is fixed, since the order of a set of strings must not make a game irreproducible.
    """
    places = [Path.cwd(), *(Path(entry).absolute() for entry in sys.path)]
    path = os.pathsep.join(str(place) for place in places)
    return {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
