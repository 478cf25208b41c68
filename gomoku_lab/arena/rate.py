"""From finished games to the final table: fit the ratings, order the players, compare neighbours.

The models are in `gomoku_lab.stats.ratings`, counting is in `tally`, the resulting value in
`standings`.
"""

from __future__ import annotations

from collections.abc import Sequence

from gomoku_lab.arena.standings import Gap, Pairing, Standing, Standings, score_of_counts
from gomoku_lab.arena.store import Run
from gomoku_lab.arena.tally import Tally, tally_runs
from gomoku_lab.stats.elo import estimate_elo
from gomoku_lab.stats.ratings import Ratings, fit_ratings
from gomoku_lab.stats.results import copies_in


def rate_runs(runs: Sequence[Run], *, confidence: float = 0.95) -> Standings:
    """Rate the players of one or more runs together.

    Players that are not all linked by games get no rating, since no common scale exists; all else
    is there.

    Raises
    ------
    RunError
        If the runs differ in rule or board size, one is given twice, or there are no games.
    """
    tally = tally_runs(runs)
    table = tally.table
    groups = tuple(table.groups())
    ratings = fit_ratings(table, confidence=confidence) if len(groups) == 1 else None
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
                is_reference=ratings is not None and ratings.reference == (name,),
                black=black,
                white=white,
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
    found = []
    for place, upper in enumerate(order):
        for lower in order[place + 1 :]:
            pairs = tally.pairs.get((upper, lower))
            if pairs is None:
                turned = tally.pairs.get((lower, upper))
                if turned is None:
                    continue
                pairs = (turned[4], turned[3], turned[2], turned[1], turned[0])
            distinct = tally.distinct(upper, lower)
            found.append(
                Pairing(
                    first=upper,
                    second=lower,
                    pairs=pairs,
                    counts=tally.table.versus(upper, lower),
                    distinct=distinct,
                    report=estimate_elo(pairs, confidence=confidence, distinct_games=distinct),
                )
            )
    return tuple(found)
