"""A sequential test of a running match: pairs are judged in the order of the schedule.

Pairs finish in an order that depends on how long their games take and on the workers. Judged in
the order of the schedule, the verdict does not; and a run that is resumed comes to the same one.
"""

from __future__ import annotations

from typing import Final

from gomoku_lab.arena.config import TournamentConfig
from gomoku_lab.arena.store import GamePair, score_of
from gomoku_lab.stats.pairs import pair_counts
from gomoku_lab.stats.sprt import Sprt, SprtState

PAIRS_PER_LOOK: Final = 8
"""The exact likelihood ratio takes some 10 ms, as long as a quick pair of games; a test that is
looked at less often decides a little later and never errs more."""


class MatchTest:
    """The SPRT of a match between two players, from the first one's side.

    Parameters
    ----------
    config : TournamentConfig
        The match; its `sprt` says what is tested.

    Attributes
    ----------
    judged, late : list of GamePair
        The pairs on which the verdict rests, and those that came after it.
    """

    def __init__(self, config: TournamentConfig) -> None:
        if config.sprt is None:
            raise ValueError("this match has no SPRT")
        self._first = config.refs[0].name
        self._order = [pair.id for pair in config.schedule()]
        self._next = 0
        self._waiting: dict[str, GamePair] = {}
        self.judged: list[GamePair] = []
        self.late: list[GamePair] = []
        self._sprt = Sprt(config.sprt)

    def add(self, pair: GamePair) -> bool:
        """Take in a finished pair and tell whether the test has decided.

        Pairs wait until `PAIRS_PER_LOOK` of them are complete in the order of the schedule. Those
        that are finished after the decision are counted apart.
        """
        self._waiting[pair[0].pair] = pair
        while not self.has_decided and (group := self._next_group()):
            self._judge(group, self.judged)
            self._next += len(group)
        if self.has_decided and self._waiting:
            self._judge(list(self._waiting.values()), self.late)
            self._waiting.clear()
        return self.has_decided

    @property
    def has_decided(self) -> bool:
        """Tell whether H0 or H1 has been accepted."""
        return self._sprt.state.decision is not None

    @property
    def state(self) -> SprtState:
        """Give the present state; pairs that still wait are not part of it."""
        return self._sprt.state

    def _next_group(self) -> list[GamePair]:
        """Take out the pairs up to the next look, or none if one of them is missing."""
        ids = self._order[self._next : self._next + PAIRS_PER_LOOK]
        if not all(pair_id in self._waiting for pair_id in ids):
            return []
        return [self._waiting.pop(pair_id) for pair_id in ids]

    def _judge(self, pairs: list[GamePair], kept: list[GamePair]) -> None:
        kept += pairs
        scores = [(score_of(a, self._first), score_of(b, self._first)) for a, b in pairs]
        self._sprt.add(pair_counts(scores))
