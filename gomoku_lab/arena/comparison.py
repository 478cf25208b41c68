"""Are these players really different, in this order? The answer as a value, in numbers and words.

It is made by `compare`; the command line prints it, the report shows it. Nothing is estimated here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import gomoku_lab
from gomoku_lab.arena.standings import Standings, run_dict
from gomoku_lab.stats.colours import ColourScore
from gomoku_lab.stats.estimate import Estimate, probability_text, share_text
from gomoku_lab.stats.openings import Heterogeneity, OpeningScore
from gomoku_lab.stats.separation import Separated, Separation
from gomoku_lab.stats.surprise import FitTest, Surprise

SCHEMA_VERSION: Final = 1
MANY_GAMES: Final = 1_000_000
_CLEAR: Final = 0.05
_SURPRISES: Final = 5
_OPENINGS: Final = 5


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Comparison:
    """What the games say about an order of players.

    Attributes
    ----------
    standings : Standings
        The ratings on which all rests; there are some.
    separation : Separation
        Differences with intervals that hold at once.
    is_own_order : bool
        Whether somebody gave the order; else it is that of the ratings.
    surprises : tuple of Surprise
        Every pairing against the fit.
    fit_test : FitTest or None
        The test of all of them.
    colours : tuple of ColourScore
        In the order of the ratings.
    openings : Heterogeneity or None
        How openings differ; None where too few are known.
    """

    standings: Standings
    separation: Separation
    is_own_order: bool
    surprises: tuple[Surprise, ...]
    fit_test: FitTest | None
    colours: tuple[ColourScore, ...]
    openings: Heterogeneity | None

    def __repr__(self) -> str:
        return f"<Comparison of {self.standings.games_text}: {self.answer[0]}>"

    @property
    def labels(self) -> dict[str, str]:
        """Give each player's name without options, or in full where that would not be unique."""
        return self.standings.labels

    @property
    def los(self) -> list[list[float | None]]:
        """Give the probability that the row's player is the stronger one, in the order compared."""
        assert self.standings.ratings is not None
        order, ratings = self.separation.order, self.standings.ratings
        matrix = ratings.los_matrix()
        places = [ratings.table.index(name) for name in order]
        return [[matrix[i][j] for j in places] for i in places]

    @property
    def answer(self) -> list[str]:
        """Answer the question in a sentence or two."""
        neighbours = self.separation.neighbours
        clear = sum(one.is_separated is True and not one.is_reversed for one in neighbours)
        turned, count = sum(one.is_reversed for one in neighbours), len(neighbours)
        if neighbours[0].is_separated is None:
            verdict = "Undecided: too many games are copies"
        elif turned:
            verdict = f"No: {turned} of {count} neighbours stand the other way round"
        elif clear < count:
            verdict = f"Not shown: {clear} of {count} neighbours are separated"
        else:
            verdict = "Yes: " + ("the two are" if count == 1 else f"all {count} neighbours are")
            verdict += " separated"
        likely = probability_text(self.separation.order_probability)
        return [
            f"different, in this order? {verdict} (95 % for all differences together)",
            f"probability that the whole order is right: {likely}",
        ]

    @property
    def sentences(self) -> list[str]:
        """Say of each player whether it is stronger than the next one, by how much, how sure."""
        return [self._sentence(one) for one in self.separation.neighbours]

    def _sentence(self, one: Separated) -> str:
        first, second = (self.labels[name] for name in one.players)
        by = f"{one.together.text()} Elo" if one.together.value is not None else one.together.text()
        sure = f"LOS {probability_text(one.difference.los)}, {p_text(one.p_value)}"
        if one.is_separated is None:
            return f"{first} and {second}: undecided, too many games are copies"
        if one.is_reversed:
            return f"{first} is weaker than {second}, against the order: by {by}; {sure}"
        if one.is_separated:
            return f"{first} is stronger than {second}: by {by}; {sure}"
        return f"{first} and {second} are not separated: {by}; {sure}; {self.more_games(one)}"

    def more_games(self, one: Separated) -> str:
        """Say how many games would still be needed to separate two players, in words."""
        more = self.games_missing(one)
        if one.games_factor is None:
            return "how many games it would take is unknown"
        so_large = "would show a difference so large"
        if more is None:
            return f"{one.games_factor:.2g} times the games {so_large}"
        return f"{self.many(more)} more games a pairing {so_large}"

    @staticmethod
    def many(games: int) -> str:
        """Return a number of games for people; what is too large to play is not counted out."""
        return f"over {MANY_GAMES:,}" if games > MANY_GAMES else f"{games:,}"

    def games_missing(self, one: Separated) -> int | None:
        """Return how many more games of each pairing are needed for an 80 % chance to separate two.

        That is if the difference is the estimated one. None where pairings have different numbers
        of games, or nothing can tell.
        """
        each = self.standings.games_a_pairing
        if each is None or one.games_factor is None:
            return None
        return max(0, 2 * math.ceil((one.games_factor - 1) * each / 2))

    @property
    def tiers(self) -> list[str]:
        """Name the members of each tier."""
        return [", ".join(self.labels[name] for name in tier) for tier in self.separation.tiers]

    @property
    def fit_answer(self) -> str:
        """Say whether one number a player explains the results."""
        if self.fit_test is None:
            return "does one number a player explain the results? There is nothing to test"
        test = self.fit_test
        verdict = "Hardly" if test.p_value < _CLEAR else "Nothing speaks against it"
        return (
            f"does one number a player explain the results? {verdict}: chi-square "
            f"{test.statistic:.1f} at {test.degrees:.1f} degrees of freedom, {p_text(test.p_value)}"
        )

    @property
    def largest_surprises(self) -> list[Surprise]:
        """Give the pairings that fit worst."""
        found = [one for one in self.surprises if one.residual is not None]
        return sorted(found, key=lambda one: -abs(one.residual or 0))[:_SURPRISES]

    @property
    def openings_answer(self) -> str:
        """Say whether the result depends on the opening."""
        if self.openings is None:
            return "does the result depend on the opening? There are too few openings to tell"
        found = self.openings
        verdict = "Yes" if found.p_value < _CLEAR else "No more than by chance"
        return (
            f"does the result depend on the opening? {verdict}: Black's scores from "
            f"{len(found.openings)} openings vary {found.dispersion:.2f} times as much as by "
            f"chance, {p_text(found.p_value)}"
        )

    @property
    def one_sided(self) -> tuple[OpeningScore, ...]:
        """Give the most one-sided openings."""
        return () if self.openings is None else self.openings.openings[:_OPENINGS]

    def opening_name(self, one: OpeningScore) -> str:
        """Return the name of an opening."""
        return self.standings.tally.openings[str(one.label)]

    @property
    def method(self) -> str:
        """Say how the intervals were computed."""
        found = self.separation
        if not found.resamples:
            return "no difference has a standard error, so nothing was resampled"
        clusters = len(self.standings.tally.clusters.labels)
        what = f"{clusters} openings" if self.standings.tally.openings else f"{clusters} games"
        what = what if clusters else "the games"
        values = [
            f"{critical.value:.2f} ({name})"
            for name, critical in (
                ("neighbours", found.neighbour_critical),
                ("all pairs", found.pair_critical),
            )
            if critical is not None
        ]
        source = f"{found.resamples:,} resamples of {what}, seed {found.seed}"
        if not values:
            return f"intervals are open: in too many of {source}, somebody won every game"
        return f"intervals reach {' and '.join(values)} standard errors to each side, from {source}"

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form, which depends on runs, order and seed alone."""
        found = self.separation.to_dict()
        for name, family in (
            ("neighbours", self.separation.neighbours),
            ("pairs", self.separation.pairs),
        ):
            for values, one in zip(found[name], family, strict=True):
                values["more_games"] = self.games_missing(one)
        tally = self.standings.tally
        openings = None
        if self.openings is not None:
            openings = self.openings.to_dict()
            for values in openings["most_one_sided"]:
                values["name"] = tally.openings[values["opening"]]
        return {
            "schema": SCHEMA_VERSION,
            "version": gomoku_lab.__version__,
            "runs": [run_dict(run) for run in tally.runs],
            "games": tally.games,
            "games_a_pairing": self.standings.games_a_pairing,
            "clusters": len(tally.clusters.labels),
            "own_order": self.is_own_order,
            **found,
            "los": self.los,
            "fit_test": None if self.fit_test is None else self.fit_test.to_dict(),
            "surprises": [one.to_dict() for one in self.surprises],
            "colours": [one.to_dict() for one in self.colours],
            "openings": openings,
            "warnings": list(self.standings.warnings),
        }


def p_text(p_value: float | None) -> str:
    """Return a p-value for people: ``p = 0.034``, ``p < 0.001``."""
    if p_value is None:
        return "p unknown"
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"


def share_interval(estimate: Estimate | None) -> str:
    """Return a share of the points with its interval, in per cent."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return "-"
    ends = f"{100 * estimate.low:.1f}, {100 * estimate.high:.1f}"
    return f"{share_text(estimate.value)} [{ends}]"
