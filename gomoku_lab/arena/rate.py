"""From finished games to the final table: fit the ratings, order the players, compare neighbours.

The models are in `gomoku_lab.stats.ratings`, counting is in `tally`, the resulting value in
`standings`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from gomoku_lab.arena.imported import AnyRun
from gomoku_lab.arena.names import find_player
from gomoku_lab.arena.rows import Gap, Pairing, Standing, score_of_counts
from gomoku_lab.arena.standings import Standings
from gomoku_lab.arena.tally import Tally, tally_runs
from gomoku_lab.stats.elo import estimate_elo
from gomoku_lab.stats.fit import fit_ratings
from gomoku_lab.stats.ratings import Ratings
from gomoku_lab.stats.results import copies_in

_NOBODY: Final[Mapping[str, float]] = {}


def rate_runs(
    runs: Sequence[AnyRun], *, anchors: Mapping[str, float] = _NOBODY, confidence: float = 0.95
) -> Standings:
    """Rate the players of one or more runs together.

    Players that are not all linked by games get no rating, since no common scale exists; all else
    is there.

    Parameters
    ----------
    runs : sequence of runs
        What to rate.
    anchors : mapping of str to float
        Players, in full or without options, whose ratings are held at a number of Elo.
    confidence : float
        Of the intervals.

    Raises
    ------
    RunError
        If the runs differ in rule or board size, one is given twice, or there are no games.
    ValueError
        If an anchor is not among the players.
    """
    tally = tally_runs(runs)
    table = tally.table
    held = {find_player(word, table.names): elo for word, elo in anchors.items()}
    groups = tuple(table.groups())
    ratings = None
    if len(groups) == 1:
        clusters = tally.clusters if tally.clusters.labels else None
        ratings = fit_ratings(table, clusters=clusters, anchors=held, confidence=confidence)
    order = _by_score(tally) if ratings is None else ratings.order()
    pairings = _pairings(tally, order, confidence)
    if ratings is not None:
        doubts = list(ratings.warnings)
    else:
        doubts = copies_in(table)[1]
        doubts.append(
            "no ratings: the players are not all linked by games; these groups never met: "
            + " | ".join(", ".join(group) for group in groups)
        )
    return Standings(
        rows=tuple(_rows(tally, ratings, order)),
        pairings=pairings,
        tally=tally,
        ratings=ratings,
        groups=groups,
        warnings=(*tally.warnings, *doubts),
    )


def _by_score(tally: Tally) -> list[str]:
    scores = {name: score_of_counts(tally.table.totals(name)) or 0.0 for name in tally.table.names}
    return sorted(scores, key=lambda name: -scores[name])


def _rows(tally: Tally, ratings: Ratings | None, order: Sequence[str]) -> list[Standing]:
    hashes = {player.name: player.config_hash for player in tally.players}
    rows = []
    for place, name in enumerate(order, start=1):
        black, white = tally.table.by_colour(name)
        below = order[place] if place < len(order) else None
        rows.append(
            Standing(
                place=place,
                name=name,
                config_hash=hashes[name],
                rating=None if ratings is None else ratings.rating(name),
                is_held=ratings is not None
                and (ratings.reference == (name,) or name in ratings.anchors),
                black=black,
                white=white,
                colourless=tally.table.without_colour(name),
                has_draws=not tally.table.lacks_draws(name),
                forfeits=sum(forfeit.player == name for forfeit in tally.forfeits),
                next=None if ratings is None or below is None else _gap(ratings, name, below),
            )
        )
    return rows


def _gap(ratings: Ratings, upper: str, lower: str) -> Gap:
    difference = ratings.difference(upper, lower)
    low = difference.elo.low
    separated = None if ratings.intervals_refused else low is not None and low > 0
    return Gap(difference=difference, separated=separated)


def _pairings(tally: Tally, order: Sequence[str], confidence: float) -> tuple[Pairing, ...]:
    met = ((upper, lower) for place, upper in enumerate(order) for lower in order[place + 1 :])
    return tuple(_pairing(tally, *two, confidence) for two in met if any(tally.table.versus(*two)))


def _pairing(tally: Tally, upper: str, lower: str, confidence: float) -> Pairing:
    """Compare two players by their games alone.

    The pairs tell, if all games belong to one; else the games one by one.
    """
    counts, distinct = tally.table.versus(upper, lower), tally.distinct(upper, lower)
    found = tally.pairs.get((upper, lower))
    turned = tally.pairs.get((lower, upper))
    pairs = found or (turned and (turned[4], turned[3], turned[2], turned[1], turned[0]))
    if pairs and 2 * sum(pairs) != sum(counts):
        pairs = None
    return Pairing(
        first=upper,
        second=lower,
        pairs=pairs,
        counts=counts,
        has_draws=not tally.table.lacks_draws(upper, lower),
        distinct=distinct,
        report=estimate_elo(pairs or counts, confidence=confidence, distinct_games=distinct),
    )
