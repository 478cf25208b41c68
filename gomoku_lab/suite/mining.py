"""Mine positions: take what `finders` find until there is enough of every kind and difficulty.

A position is kept if its proof holds, a player that looks less far fails on it, and it is new: no
position known before or kept already is the same on a turned or mirrored board. What is kept
depends on the seed and the games alone, so that a search may be stopped, and go on.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from gomoku_lab.engine.solve import Solver
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import Rule
from gomoku_lab.game.symmetry import canonical_key
from gomoku_lab.players.protocol import Player
from gomoku_lab.suite.finders import GROUPS, Find, Finder, deciding_find
from gomoku_lab.suite.positions import Position
from gomoku_lab.suite.prohibited import draw_board, examine
from gomoku_lab.suite.proofs import check
from gomoku_lab.suite.sources import Sources

KINDS: Final = tuple(GROUPS)
"""The kinds of positions that can be mined."""
DEFAULT_FAILING: Final = "layered/skilled:noise=0,time_ms=0"
"""The player that has to fail, where no other is named."""


@dataclass(frozen=True, slots=True)
class MiningSettings:
    """What to look for.

    Attributes
    ----------
    kinds : tuple of str
        Some of `KINDS`.
    count : int
        How many of each kind at most; the groups of a kind get equal shares, rounded up.
    rule : Rule
    seed : int
    failing : str
        The player that has to fail, by its name.
    """

    kinds: tuple[str, ...]
    count: int
    rule: Rule
    seed: int = 0
    failing: str = DEFAULT_FAILING

    def __post_init__(self) -> None:
        for kind in self.kinds:
            if kind not in KINDS:
                raise ValueError(f"kind must be one of {', '.join(KINDS)} to be mined: {kind!r}")
        if not self.kinds:
            raise ValueError(f"name at least one kind to mine: {', '.join(KINDS)}")
        if "forbidden" in self.kinds and self.rule is not Rule.RENJU:
            raise ValueError(f"forbidden needs the rule renju: {self.rule}")
        if self.count < 1:
            raise ValueError(f"count must be 1 or more: {self.count!r}")

    def share(self, kind: str) -> int:
        """Return how many positions of each group of a kind are kept at most."""
        return -(-self.count // len(GROUPS[kind]))


class Miner:
    """Searches one source after another and keeps what is wanted.

    Parameters
    ----------
    settings : MiningSettings
    failing : Player
        The player that `settings` names.
    known : iterable of Position
        Positions that are not to be found again.
    sources : Sources, optional
        The games to search; without any, boards are drawn by lot, for the kind forbidden alone.
    """

    def __init__(
        self,
        settings: MiningSettings,
        failing: Player,
        *,
        known: Iterable[Position] = (),
        sources: Sources | None = None,
    ) -> None:
        if sources is None and settings.kinds != ("forbidden",):
            others = ", ".join(kind for kind in settings.kinds if kind != "forbidden")
            raise ValueError(f"without games only the kind forbidden can be mined, not {others}")
        self.settings = settings
        self._failing = failing
        self._sources = sources
        self._seen = {_key(position.board) for position in known}
        self._finder = Finder(settings.kinds, self._wants, self._fails, seed=settings.seed)
        self._counts: Counter[tuple[str, str]] = Counter()
        self.kept: list[Find] = []

    @property
    def is_full(self) -> bool:
        """Tell whether nothing more is wanted."""
        return not any(self._wants(kind, group) for kind in self.settings.kinds
                       for group in GROUPS[kind])  # fmt: skip

    def keep(self, find: Find) -> None:
        """Add a position without looking at it again, as one that was kept before a stop."""
        self.kept.append(find)
        self._counts[find.position.kind, find.group] += 1
        self._seen.add(_key(find.position.board))

    def search(self, number: int) -> list[Find]:
        """Search the source of this number, keep what is wanted, and return it."""
        new = []
        for find in self._finds(number):
            if self._is_new(find) and not check(find.position):
                self.keep(find)
                new.append(find)
        return new

    def positions(self) -> list[Position]:
        """Return what was kept, in the order of kinds and difficulty, each with a name."""
        counts: Counter[str] = Counter()
        found = []
        order = {
            (kind, group): (at, place)
            for at, kind in enumerate(KINDS)
            for place, group in enumerate(GROUPS[kind])
        }
        for find in sorted(
            self.kept, key=lambda one: (order[one.position.kind, one.group], one.label)
        ):
            name = f"{find.position.kind}-{find.position.board.rule}-{find.label}"
            counts[name] += 1
            found.append(replace(find.position, id=f"{name}-{counts[name]:02d}"))
        return found

    def _finds(self, number: int) -> Iterator[Find]:
        if self._sources is not None:
            yield from self._finder.search(self._sources.game(number))
            return
        seed = self.settings.seed
        board = draw_board(seed, number)
        if board is not None:
            origin = f"drawn by lot, seed {seed}, board {number}"
            solver = Solver(table_bits=10, proof_bits=4)
            yield from deciding_find(examine(board, origin, solver), self._wants, self._fails)

    def _wants(self, kind: str, group: str) -> bool:
        return self._counts[kind, group] < self.settings.share(kind)

    def _is_new(self, find: Find) -> bool:
        wanted = self._wants(find.position.kind, find.group)
        return wanted and _key(find.position.board) not in self._seen

    def _fails(self, board: Board, right: Callable[[int], bool]) -> bool:
        """Tell whether the failing player plays no right move."""
        key = zlib.crc32(_key(board)[0])
        self._failing.new_game(np.random.SeedSequence(self.settings.seed, spawn_key=(key,)))
        move = self._failing.choose(board).move
        return move is None or not right(move)


def mine(
    miner: Miner, numbers: Sequence[int], on_source: Callable[[int, list[Find]], None]
) -> list[Position]:
    """Search the sources of these numbers until nothing more is wanted; return all that was kept.

    Parameters
    ----------
    miner : Miner
    numbers : sequence of int
        The sources to search, in this order.
    on_source : callable
        Told after each source its number and what was new in it.
    """
    for number in numbers:
        if miner.is_full:
            break
        on_source(number, miner.search(number))
    return miner.positions()


def _key(board: Board) -> tuple[bytes, str]:
    return canonical_key(board), str(board.rule)
