"""The rows of the final table as values: one player's, what lies between two, one pairing.

`standings` puts them together, `rate` fills them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from gomoku_lab.arena.tally import PairCounts
from gomoku_lab.stats.elo import EloReport
from gomoku_lab.stats.estimate import Estimate, games_factor, share_text
from gomoku_lab.stats.ratings import Difference

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
    is_held : bool
        Whether the rating is so by definition: this player alone says where 0 lies, or is held at
        a number.
    black, white : tuple of int
        (losses, draws, wins) with each colour.
    colourless : tuple of int
        (losses, draws, wins) in games of which the colours are not known.
    has_draws : bool
        Whether all draws were counted.
    forfeits : int
        Games lost off the board.
    next : Gap or None
        Against the row below; None in the last row and without ratings.
    """

    place: int
    name: str
    config_hash: str
    rating: Estimate | None
    is_held: bool
    black: Counts
    white: Counts
    colourless: Counts
    has_draws: bool
    forfeits: int
    next: Gap | None

    @property
    def counts(self) -> Counts:
        """Give (losses, draws, wins) of all games."""
        kinds = self.black, self.white, self.colourless
        losses, draws, wins = (sum(counts) for counts in zip(*kinds, strict=True))
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
    def draw_share(self) -> float | None:
        """Give the share of drawn games, 0..1; None where draws went uncounted."""
        return self.counts[1] / self.games if self.has_draws else None

    @property
    def rating_text(self) -> str:
        """Give the rating with its interval, or its bound, in short."""
        if self.rating is None:
            return "none"
        if self.is_held and self.rating.value is not None:
            return f"{self.rating.value:g} by definition"
        return self.rating.plus_minus()

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
            "draws": draws if self.has_draws else None,
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
    pairs : tuple of int or None
        Pentanomial counts from the first one's side; None where some games belong to no pair.
    counts : tuple of int
        (losses, draws, wins) of the first one.
    has_draws : bool
        Whether all draws were counted.
    distinct : int or None
        Distinct games; None where the moves of some are not known.
    report : EloReport
        Score, Elo, normalised Elo and LOS, from the pairs where all games belong to one, else from
        the games.
    """

    first: str
    second: str
    pairs: PairCounts | None
    counts: Counts
    has_draws: bool
    distinct: int | None
    report: EloReport

    @property
    def cells(self) -> tuple[str, ...]:
        """Give distinct games and counts as texts: five of pairs, or losses, draws and wins."""
        losses, draws, wins = self.counts
        units = self.pairs or (losses, draws if self.has_draws else "-", wins)
        return ("-" if self.distinct is None else str(self.distinct), *map(str, units))

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        losses, draws, wins = self.counts
        report = self.report.to_dict()
        # One version and one list for the whole file; the usual formulas are told by `elo`.
        del report["schema"], report["warnings"], report["published"]
        return {
            "first": self.first,
            "second": self.second,
            "wins": wins,
            "draws": draws if self.has_draws else None,
            "losses": losses,
            "distinct_games": self.distinct,
            **report,
        }
