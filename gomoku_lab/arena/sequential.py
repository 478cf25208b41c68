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
    judged : list of str
        Ids of the pairs on which the verdict rests.
    """

    def __init__(self, config: TournamentConfig) -> None:
        if config.sprt is None:
            raise ValueError("this match has no SPRT")
        self._first = config.refs[0].name
        self._order = [pair.id for pair in config.schedule()]
        self._waiting: dict[str, tuple[float, float]] = {}
        self.judged: list[str] = []
        self._sprt = Sprt(config.sprt)

    def add(self, pair: GamePair) -> bool:
        """Take in a finished pair and tell whether the test has decided.

        Pairs wait until `PAIRS_PER_LOOK` of them are complete in the order of the schedule. Those
        that are finished after the decision are counted apart.
        """
        game_a, game_b = pair
        self._waiting[game_a.pair] = score_of(game_a, self._first), score_of(game_b, self._first)
        while not self.has_decided and (group := self._next_group()):
            self._sprt.add(pair_counts(self._waiting.pop(pair_id) for pair_id in group))
            self.judged += group
        if self.has_decided and self._waiting:
            self._sprt.add(pair_counts(self._waiting.values()))
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

    def _next_group(self) -> list[str]:
        """Return the pairs up to the next look, or none if one of them is missing."""
        start = len(self.judged)
        ids = self._order[start : start + PAIRS_PER_LOOK]
        return ids if all(pair_id in self._waiting for pair_id in ids) else []
