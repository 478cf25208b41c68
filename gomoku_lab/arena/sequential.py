"""A sequential test of a running match: pairs are judged in the order of the schedule.

Pairs finish in an order that depends on how long their games take and on the workers. Judged in
the order of the schedule, the verdict does not; and a run that is resumed comes to the same one.
All of it follows from the log: ``sprt.json`` in the run folder is written for others to read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from gomoku_lab.arena.config import TournamentConfig
from gomoku_lab.arena.store import GamePair, Run, RunError, score_of
from gomoku_lab.stats.pairs import distinct_games, pair_counts, too_many_copies
from gomoku_lab.stats.sprt import Sprt, SprtState, remaining_games

if TYPE_CHECKING:
    from gomoku_lab.stats.stopped import StoppedEstimate

SCHEMA_VERSION: Final = 1

PAIRS_PER_LOOK: Final = 8
"""The exact likelihood ratio takes some 10 ms, as long as a quick pair of games; a test that is
looked at less often decides a little later and never errs more."""


@dataclass(frozen=True, slots=True)
class Look:
    """One look at the test.

    Attributes
    ----------
    counts : tuple of int
        Pairs judged up to here (LL, LD, WL+DD, WD, WW).
    llr : float
        Their log-likelihood ratio.
    """

    counts: tuple[int, ...]
    llr: float


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
    looks : list of Look
        How the test came to where it is.
    """

    def __init__(self, config: TournamentConfig) -> None:
        if config.sprt is None:
            raise ValueError("this match has no SPRT")
        self._hash = config.config_hash()
        self._players = [ref.name for ref in config.refs]
        self._first = self._players[0]
        self._order = [pair.id for pair in config.schedule()]
        self._waiting: dict[str, tuple[float, float]] = {}
        self.judged: list[str] = []
        self.looks: list[Look] = []
        self._sprt = Sprt(config.sprt)

    def add(self, pair: GamePair) -> bool:
        """Take in a finished pair and tell whether the test has decided.

        Pairs wait until `PAIRS_PER_LOOK` of them are complete in the order of the schedule. Those
        that are finished after the decision are counted apart.
        """
        game_a, game_b = pair
        self._waiting[game_a.pair] = score_of(game_a, self._first), score_of(game_b, self._first)
        while not self.has_decided and (group := self._next_group()):
            state = self._sprt.add(pair_counts(self._waiting.pop(pair_id) for pair_id in group))
            self.judged += group
            self.looks.append(Look(state.counts, state.llr))
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

    @property
    def is_over(self) -> bool:
        """Tell whether it has decided, or there are no further pairs to judge."""
        return self.has_decided or len(self.judged) == len(self._order)

    def to_dict(self) -> dict[str, Any]:
        """Return what ``sprt.json`` holds: state, verdict, and the way to it.

        It depends on the log alone.
        """
        return {
            **self.state.to_dict(),
            "schema": SCHEMA_VERSION,
            "run": self._hash,
            "first": self._players[0],
            "second": self._players[1],
            "verdict": self.state.verdict,
            "over": self.is_over,
            "pairs": len(self.judged),
            "limit": len(self._order),
            "pairs_per_look": PAIRS_PER_LOOK,
            "remaining_games": remaining_games(self.state),
            "trajectory": [[list(look.counts), look.llr] for look in self.looks],
        }

    def _next_group(self) -> list[str]:
        """Return the pairs up to the next look, or none if one of them is missing."""
        start = len(self.judged)
        ids = self._order[start : start + PAIRS_PER_LOOK]
        return ids if all(pair_id in self._waiting for pair_id in ids) else []


def judge_run(run: Run) -> MatchTest:
    """Return the test of a run as its log stands.

    Raises
    ------
    RunError
        If the run is no match with a test.
    """
    if run.config.sprt is None:
        raise RunError(f"{run.path}: this run has no sequential test")
    test = MatchTest(run.config)
    for pair in run.pairs:
        test.add(pair)
    return test


def estimate_strength(run: Run, test: MatchTest) -> StoppedEstimate | None:
    """Estimate the first player's strength from a test that is over.

    Returns
    -------
    StoppedEstimate or None
        None while the test goes on, and where too many pairs are copies of others. Two games of
        one pair may be the same: then the two players played alike, which is a result.
    """
    from gomoku_lab.stats.stopped import estimate_after_stop

    if not (test.is_over and test.judged):
        return None
    pairs = run.only(test.judged).pairs
    distinct = distinct_games(
        tuple((str(game.setup), game.moves) for game in pair) for pair in pairs
    )
    if too_many_copies(len(test.judged), distinct):
        return None
    return estimate_after_stop(test.state, step=PAIRS_PER_LOOK)
