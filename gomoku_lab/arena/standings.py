"""The final table of one or more runs as a value: ratings, neighbours, pairings.

The command line prints it, the report and the notebooks show it, and ``ratings.json`` keeps it.
It is made by `rate`; nothing is counted or fitted here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import gomoku_lab
from gomoku_lab.arena.imported import AnyRun, ImportedRun
from gomoku_lab.arena.names import short_names
from gomoku_lab.arena.rows import Counts, Gap, Pairing, Standing
from gomoku_lab.arena.tally import Tally
from gomoku_lab.stats.estimate import Estimate
from gomoku_lab.stats.ratings import Ratings

SCHEMA_VERSION: Final = 1
_MANY_GAMES: Final = 1_000_000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
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

    def __repr__(self) -> str:
        return f"<Standings: {self.games_text}>"

    @property
    def names(self) -> tuple[str, ...]:
        """Give the players in the order of the table."""
        return tuple(row.name for row in self.rows)

    @property
    def labels(self) -> dict[str, str]:
        """Give each player's name without options, or in full where that would not be unique."""
        return short_names(self.names)

    @property
    def distinct_games(self) -> int:
        """Count the distinct games, as far as their moves are known."""
        return self.tally.distinct_games

    @property
    def games_text(self) -> str:
        """Say how many games there are, how many of them differ, and what they were."""
        tally, moveless = self.tally, self.tally.games_without_moves
        if moveless == tally.games:
            known = "moves not known"
        else:
            known = f"{self.distinct_games} distinct"
            known += f", {moveless} without moves" if moveless else ""
        rule = "rule not known" if tally.rule is None else str(tally.rule)
        board = "board size not known" if tally.size is None else f"{tally.size}x{tally.size}"
        return f"{len(self.rows)} players, {tally.games} games ({known}), {rule}, {board}"

    @property
    def advantage(self) -> Estimate | None:
        """Give what moving first is worth, in Elo; None without ratings."""
        return None if self.ratings is None else self.ratings.advantage

    @property
    def advantage_text(self) -> str:
        """Give what moving first is worth, in words."""
        if not any(self.black):
            return "first-move advantage: not estimated, since no colours are known"
        text = "unknown" if self.advantage is None else self.advantage.text()
        return f"first-move advantage in Elo: {text}"

    @property
    def zero(self) -> str | None:
        """Say where the ratings have their 0; None without ratings."""
        if self.ratings is None:
            return None
        reference, anchors = self.ratings.reference, self.ratings.anchors
        if anchors:
            return "held: " + ", ".join(f"{name} at {elo:g} Elo" for name, elo in anchors.items())
        everybody = len(reference) == len(self.rows)
        if len(reference) == 1:
            return f"0 Elo is where {reference[0]} stands"
        return f"0 Elo is the mean of {'all players' if everybody else ', '.join(reference)}"

    @property
    def independent(self) -> str:
        """Say what the standard errors of the ratings take as independent."""
        clusters = self.tally.clusters.labels
        if not clusters:
            return "standard errors take every game as independent"
        openings = len(self.tally.openings)
        kinds = [f"{openings} openings"] if openings else []
        if len(clusters) > openings:
            kinds.append(f"{len(clusters) - openings} games from the empty board")
        return f"standard errors from {' and '.join(kinds)}: games of one opening may be alike"

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
            "runs": [run_dict(run) for run in self.tally.runs],
            "rule": None if self.tally.rule is None else str(self.tally.rule),
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


def run_dict(run: AnyRun) -> dict[str, Any]:
    """Return what JSON files say of a run that they rest on."""
    planned = None if isinstance(run, ImportedRun) else run.config
    return {
        "name": run.path.resolve().name,
        "hash": run.facts["hash"],
        "seed": planned and planned.seed,
        "games": run.game_count,
        "scheduled_games": planned and planned.total_games,
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
        "anchors",
        "clusters",
        "advantage",
        "nu",
        "draw_rate",
        "covariance",
        "los",
        "negative_log_likelihood",
    )
    return {"order": list(ratings.names), **{key: values[key] for key in keys}}
