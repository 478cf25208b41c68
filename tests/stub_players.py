"""Tiny players in plain Python for tests of the arena; they work in worker processes, too.

Importing this module adds the family ``stub`` (``stub:random``, ``stub:forward``, ...). A pickled
stub brings the import with it, so that a worker knows the family as well.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np

from gomoku_lab.engine.settings import Settings, real, whole, word
from gomoku_lab.players.errors import IllegalMove, PlayerCrash, PlayerStartError, PlayerTimeout
from gomoku_lab.players.protocol import Choice
from gomoku_lab.players.registry import FAMILIES, Family, PlayerSpec

KINDS = (
    "forward",
    "backward",
    "random",
    "raises",
    "crashes",
    "hangs",
    "illegal",
    "none",
    "dies",
    "waits",
    "skilled",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StubConfig(Settings):
    """`target`: what it does; `after`: from which ply it misbehaves; `sleep_ms`: time a move.

    `score` is what it claims for itself; `marker` is the file by which ``dies`` dies only once, and
    for which ``waits`` waits; ``skilled`` plays ``forward`` with probability `skill` over `out_of`,
    else at random; `depth`, `nodes` and `time_ms` are ignored, but most families have them.
    """

    target: str = field(default="forward", metadata=word(*KINDS))
    salt: int = field(default=0, metadata=whole(0, 1000))
    after: int = field(default=0, metadata=whole(0, 400))
    sleep_ms: float = field(default=0.0, metadata=real(0))
    score: int = field(default=0, metadata=whole(-(10**9), 10**9))
    skill: float = field(default=0.5, metadata=real(0, 1000))
    out_of: int = field(default=1, metadata=whole(1, 1000))
    marker: str = field(default="none", metadata=word())
    depth: int | None = field(default=None, metadata=whole(1, 64, zero_is_none=True))
    nodes: int | None = field(default=None, metadata=whole(1, 10**9, zero_is_none=True))
    time_ms: float | None = field(default=None, metadata=real(0, zero_is_none=True))


class StubPlayer:
    def __init__(self, spec: PlayerSpec) -> None:
        self.name = spec.name
        self._config = spec.config
        self._rng = np.random.default_rng(0)
        self.closed = False

    def new_game(self, seed):
        self._rng = np.random.default_rng(seed)

    def choose(self, board, limits=None):
        config = self._config
        if config.sleep_ms:
            time.sleep(config.sleep_ms / 1000)
        empty = board.legal_points()
        score = config.score or None
        if len(board.moves) >= config.after:
            if config.target == "raises":
                raise ZeroDivisionError("on purpose")
            if config.target == "crashes":
                raise PlayerCrash("the process ended")
            if config.target == "hangs":
                raise PlayerTimeout("no answer")
            if config.target == "illegal":
                raise IllegalMove("z99 is no point")
            if config.target == "none":
                return Choice(None)
            if config.target == "dies" and not Path(config.marker).exists():
                if config.marker != "none":
                    Path(config.marker).touch()
                os._exit(1)
        while config.target == "waits" and not Path(config.marker).exists():
            time.sleep(0.005)
        lucky = config.target == "skilled" and self._rng.random() < config.skill / config.out_of
        if config.target == "random" or (config.target == "skilled" and not lucky):
            return Choice(int(self._rng.choice(empty)), nodes=7, depth=1, score=score)
        if config.target == "backward":
            return Choice(empty[-1], nodes=2, depth=1, score=score)
        return Choice(empty[0], nodes=1, depth=1, score=score)

    def plays(self, rule):
        return rule == "freestyle" or self._config.target != "backward"

    def close(self):
        self.closed = True


class CompiledStub(StubPlayer):
    """Raises unless its kernels are loaded in its process and it has moved before it is timed."""

    loaded_in: ClassVar[set[int]] = set()

    @staticmethod
    def warm_up(progress=None):
        CompiledStub.loaded_in.add(os.getpid())

    def __init__(self, spec):
        if os.getpid() not in self.loaded_in:
            raise PlayerStartError("made before its kernels were loaded")
        super().__init__(spec)
        self.rules = set()

    def choose(self, board, limits=None):
        if limits is None and board.rule not in self.rules:
            raise ZeroDivisionError(f"timed at its first move under {board.rule}")
        self.rules.add(board.rule)
        if board.is_over:
            return Choice(None)
        return super().choose(board, limits)


FAMILIES["compiled"] = Family(
    "compiled",
    "stub_players:StubConfig",
    "stub_players:CompiledStub",
    "For tests",
    compiled=True,
    target="kind",
)
FAMILIES["stub"] = Family(
    "stub", "stub_players:StubConfig", "stub_players:StubPlayer", "For tests", target="kind"
)
