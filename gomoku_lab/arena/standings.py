"""The final table of one or more runs as a value: ratings, neighbours, pairings.

The command line prints it, the report and the notebooks show it, and ``ratings.json`` keeps it.
It is made by `rate`; nothing is counted or fitted here.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

import gomoku_lab
from gomoku_lab.arena.store import Run
from gomoku_lab.arena.tally import PairCounts, Tally
from gomoku_lab.stats.elo import EloReport
from gomoku_lab.stats.estimate import Estimate, games_factor, share_text
from gomoku_lab.stats.ratings import Difference, Ratings

SCHEMA_VERSION: Final = 1
_MANY_GAMES: Final = 1_000_000
Counts = tuple[int, int, int]
"""Losses, draws, wins."""


RATING_HEAD: Final = (
    "",
    "player",
    "rating ± 95 %",
    "games",
    "score",
    "draws",
    "as Black",
    "as White",
)
"""Head of the rating table, as text and report show it."""


def score_of_counts(counts: Counts) -> float | None:
    """Return the mean score, 0..1, of (losses, draws, wins); None without games."""
    losses, draws, wins = counts
    games = losses + draws + wins
    return (wins + draws / 2) / games if games else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """How a player stands to the next one below.

    Attributes
    ----------
    difference : Difference
        Rating of the upper minus rating of the lower one, with interval and LOS.
    separated : bool or None
        Whether the interval lies above 0; None if copies forbid an interval.
    """

    difference: Difference
    separated: bool | None

    @property
    def verdict(self) -> str:
        """Give the verdict in words."""
        if self.separated is None:
            return "undecided: too many copies"
        return "separated" if self.separated else "not separated"

    @property
    def games_factor(self) -> float | None:
        """Give by what the games must be multiplied for an 80 % chance of a separation."""
        return games_factor(self.difference.elo)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return {
            "name": self.difference.second,
            "elo": self.difference.elo.to_dict(),
            "los": self.difference.los,
            "separated": self.separated,
            "games_factor": self.games_factor,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One row of the table.

    Attributes
    ----------
    place : int
        From 1 for the strongest.
    name, config_hash : str
        The player.
    rating : Estimate or None
        None where the players are not linked by games.
    is_reference : bool
        Whether this player alone defines where 0 lies.
    black, white : tuple of int
        (losses, draws, wins) with each colour.
    forfeits : int
        Games lost off the board.
    next : Gap or None
        Against the row below; None in the last row and without ratings.
    """

    place: int
    name: str
    config_hash: str
    rating: Estimate | None
    is_reference: bool
    black: Counts
    white: Counts
    forfeits: int
    next: Gap | None

    @property
    def counts(self) -> Counts:
        """Give (losses, draws, wins) with both colours."""
        losses, draws, wins = (b + w for b, w in zip(self.black, self.white, strict=True))
        return losses, draws, wins

    @property
    def games(self) -> int:
        """Count the games."""
        return sum(self.counts)

    @property
    def score(self) -> float:
        """Give the mean score, 0..1."""
        losses, draws, wins = self.counts
        return (wins + draws / 2) / (losses + draws + wins)

    @property
    def draw_share(self) -> float:
        """Give the share of drawn games, 0..1."""
        return self.counts[1] / self.games

    @property
    def rating_text(self) -> str:
        """Give the rating with its interval, or its bound, in short."""
        if self.is_reference:
            return "0 by definition"
        return "none" if self.rating is None else self.rating.plus_minus()

    @property
    def cells(self) -> tuple[str, ...]:
        """Give the row of the rating table as texts, under `RATING_HEAD`."""
        return (
            str(self.place),
            self.name,
            self.rating_text,
            str(self.games),
            share_text(self.score),
            share_text(self.draw_share),
            share_text(score_of_counts(self.black)),
            share_text(score_of_counts(self.white)),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        losses, draws, wins = self.counts
        return {
            "place": self.place,
            "name": self.name,
            "config_hash": self.config_hash,
            "rating": None if self.rating is None else self.rating.to_dict(),
            "games": self.games,
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "score": self.score,
            "score_as_black": score_of_counts(self.black),
            "score_as_white": score_of_counts(self.white),
            "forfeits": self.forfeits,
            "next": None if self.next is None else self.next.to_dict(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """What two players did against each other alone.

    Attributes
    ----------
    first, second : str
        The players; `first` stands higher in the table.
    pairs : tuple of int
        Pentanomial counts from the first one's side.
    counts : tuple of int
        (losses, draws, wins) of the first one.
    distinct : int
        Distinct games.
    report : EloReport
        Score, Elo, normalised Elo and LOS from the pairs.
    """

    first: str
    second: str
    pairs: PairCounts
    counts: Counts
    distinct: int
    report: EloReport

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        losses, draws, wins = self.counts
        report = self.report.to_dict()
        del report["schema"], report["warnings"]  # one version and one list for the whole file
        return {
            "first": self.first,
            "second": self.second,
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "distinct_games": self.distinct,
            **report,
        }


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Standings:
    """The table, with all that it rests on.

    Attributes
    ----------
    rows : tuple of Standing
        From the strongest player to the weakest.
    pairings : tuple of Pairing
        All who met, in the order of the table.
    tally : Tally
        What was counted.
    ratings : Ratings or None
        The fit; None where the players are not linked by games.
    groups : tuple of tuple of str
        The groups of players that are linked by games; one, if there are ratings.
    warnings : tuple of str
        Reasons to doubt the numbers, in words.
    """

    rows: tuple[Standing, ...]
    pairings: tuple[Pairing, ...]
    tally: Tally
    ratings: Ratings | None
    groups: tuple[tuple[str, ...], ...]
    warnings: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Give the players in the order of the table."""
        return tuple(row.name for row in self.rows)

    @property
    def labels(self) -> dict[str, str]:
        """Give each player's name without options, or in full where that would not be unique."""
        short = {name: _without_options(name) for name in self.names}
        uses = Counter(short.values())
        return {name: label if uses[label] == 1 else name for name, label in short.items()}

    @property
    def distinct_games(self) -> int:
        """Count the distinct games."""
        return sum(pairing.distinct for pairing in self.pairings)

    @property
    def advantage(self) -> Estimate | None:
        """Give what moving first is worth, in Elo; None without ratings."""
        return None if self.ratings is None else self.ratings.advantage

    @property
    def advantage_text(self) -> str:
        """Give what moving first is worth, in words."""
        text = "unknown" if self.advantage is None else self.advantage.text()
        return f"first-move advantage in Elo: {text}"

    @property
    def zero(self) -> str | None:
        """Say where the ratings have their 0; None without ratings."""
        if self.ratings is None:
            return None
        reference = self.ratings.reference
        everybody = len(reference) == len(self.rows)
        if len(reference) == 1:
            return f"0 Elo is where {reference[0]} stands"
        return f"0 Elo is the mean of {'all players' if everybody else ', '.join(reference)}"

    @property
    def black(self) -> Counts:
        """Give (losses, draws, wins) of the first movers of all games."""
        table = self.tally.table
        return int(table.losses.sum()), int(table.draws.sum()), int(table.wins.sum())

    @property
    def separated(self) -> tuple[int, int]:
        """Count the neighbours that are separated, and all neighbours."""
        gaps = [row.next for row in self.rows if row.next is not None]
        return sum(gap.separated is True for gap in gaps), len(gaps)

    @property
    def games_a_pairing(self) -> int | None:
        """Give the number of games of each pairing; None if not all have as many."""
        games = {pairing.report.games for pairing in self.pairings}
        met_all = 2 * len(self.pairings) == len(self.rows) * (len(self.rows) - 1)
        return games.pop() if met_all and len(games) == 1 else None

    def games_needed(self, gap: Gap) -> str:
        """Say how many games give an 80 % chance that the two are separated, in words.

        That is with all pairings played as often, if the difference is what it seems to be.
        """
        factor = gap.games_factor
        if factor is None:
            return "unknown"
        if self.games_a_pairing is None:
            return f"{factor:.2g} times as many"
        games = 2 * math.ceil(factor * self.games_a_pairing / 2)
        return f"{games:,}" if games < _MANY_GAMES else f"over {_MANY_GAMES:,}"

    def counts(self, name: str, opponent: str) -> Counts:
        """Return (losses, draws, wins) of one player against another."""
        return self.tally.table.versus(name, opponent)

    def to_dict(self) -> dict[str, Any]:
        """Return what ``ratings.json`` holds: it depends on the runs alone."""
        losses, draws, wins = self.black
        return {
            "schema": SCHEMA_VERSION,
            "version": gomoku_lab.__version__,
            "runs": [_run_dict(run) for run in self.tally.runs],
            "rule": str(self.tally.rule),
            "size": self.tally.size,
            "games": self.tally.games,
            "distinct_games": self.distinct_games,
            "players": [row.to_dict() for row in self.rows],
            "pairings": [pairing.to_dict() for pairing in self.pairings],
            "first_mover": {"wins": wins, "draws": draws, "losses": losses},
            "groups": [list(group) for group in self.groups],
            "fit": None if self.ratings is None else _fit_dict(self.ratings),
            "endings": dict(self.tally.endings),
            "forfeits": [forfeit.to_dict() for forfeit in self.tally.forfeits],
            "warnings": list(self.warnings),
        }


def _without_options(name: str) -> str:
    """Return a player expression up to its options: ``a/b:nodes=9`` is called ``a/b``."""
    found = re.match(r"python:[^:]+:[^:]+|[^:]+", name)
    return found.group() if found else name


def _run_dict(run: Run) -> dict[str, Any]:
    return {
        "name": run.path.resolve().name,
        "hash": run.facts["hash"],
        "seed": run.config.seed,
        "games": 2 * len(run.pairs),
        "scheduled_games": run.config.total_games,
        "started": run.facts["started"],
        "ended": run.facts["ended"],
    }


def _fit_dict(ratings: Ratings) -> dict[str, Any]:
    """Return the fit; matrices are in the order of its own list of players."""
    values = ratings.to_dict()
    keys = (
        "model",
        "confidence",
        "reference",
        "advantage",
        "nu",
        "draw_rate",
        "covariance",
        "los",
        "negative_log_likelihood",
    )
    return {"order": list(ratings.names), **{key: values[key] for key in keys}}
