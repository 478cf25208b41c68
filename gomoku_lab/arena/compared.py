"""The tables of a comparison as texts, for the command line and the report: a head, then rows."""

from __future__ import annotations

from gomoku_lab.arena.comparison import Comparison, p_text, share_interval
from gomoku_lab.stats.estimate import Estimate, probability_text, share_text
from gomoku_lab.stats.separation import Separated

Table = list[tuple[str, ...]]


def pair_table(comparison: Comparison) -> Table:
    """Return every difference with its interval, p-value and LOS, and what is missing."""
    head = ("pair", "", "", "difference [95 %]", "p", "LOS", "more games", "")
    labels = comparison.labels
    rows = [
        (
            labels[one.players[0]],
            "-",
            labels[one.players[1]],
            one.together.text(),
            p_text(one.p_value).removeprefix("p ").removeprefix("= "),
            probability_text(one.difference.los),
            _missing(comparison, one),
            verdict(one),
        )
        for one in comparison.separation.pairs
    ]
    return [head, *rows]


def verdict(one: Separated) -> str:
    """Say in short whether two players are separated."""
    if one.is_separated is None:
        return "undecided: copies"
    if one.is_reversed:
        return "the other way round"
    return "separated" if one.is_separated else "not separated"


def _missing(comparison: Comparison, one: Separated) -> str:
    if one.is_separated:
        return "-"
    more = comparison.games_missing(one)
    if more is not None:
        return comparison.many(more)
    return "unknown" if one.games_factor is None else f"x {one.games_factor:.2g}"


def los_table(comparison: Comparison) -> Table:
    """Return the probability that the row's player is stronger than the column's."""
    cells = [
        [
            "" if row == column else probability_text(los).replace(" %", "")
            for column, los in enumerate(values)
        ]
        for row, values in enumerate(comparison.los)
    ]
    return _matrix(comparison, "LOS in %", cells)


def surprise_table(comparison: Comparison) -> Table:
    """Return by how many standard errors the row's player did better than the fit expects."""
    residuals: dict[tuple[str, str], float] = {}
    for one in comparison.surprises:
        if one.residual is not None:
            residuals[one.first, one.second] = one.residual
            residuals[one.second, one.first] = -one.residual
    order = comparison.separation.order
    cells = [
        [f"{residuals[a, b]:+.1f}" if (a, b) in residuals else "" for b in order] for a in order
    ]
    return _matrix(comparison, "surprise", cells)


def _matrix(comparison: Comparison, name: str, cells: list[list[str]]) -> Table:
    order, labels = comparison.separation.order, comparison.labels
    head = ("", name, *(str(place) for place in range(1, len(order) + 1)))
    rows = [
        (str(place), labels[player], *values)
        for place, (player, values) in enumerate(zip(order, cells, strict=True), start=1)
    ]
    return [head, *rows]


def largest_surprises(comparison: Comparison) -> Table:
    """Return the pairings that fit worst."""
    head = ("largest surprises", "", "", "games", "scored", "expected", "standard errors")
    labels = comparison.labels
    rows = [
        (
            labels[one.first],
            "-",
            labels[one.second],
            str(one.games),
            share_text(one.score),
            share_text(one.expected),
            f"{one.residual:+.1f}",
        )
        for one in comparison.largest_surprises
    ]
    return [head, *rows] if rows else []


def colour_table(comparison: Comparison) -> Table:
    """Return each player's score with either colour."""
    head = ("player", "as Black [95 %]", "as White [95 %]", "Black - White [95 %]")
    rows = [
        (
            comparison.labels[one.name],
            share_interval(one.black),
            share_interval(one.white),
            _points(one.difference),
        )
        for one in comparison.colours
        if one.black is not None or one.white is not None
    ]
    return [head, *rows] if rows else []


def _points(difference: Estimate | None) -> str:
    """Return a difference of two shares in points of per cent."""
    if difference is None or None in (difference.value, difference.low, difference.high):
        return "-"
    value, low, high = (
        100 * (end or 0.0) for end in (difference.value, difference.low, difference.high)
    )
    return f"{value:+.1f} [{low:+.1f}, {high:+.1f}]"


def opening_table(comparison: Comparison) -> Table:
    """Return the most one-sided openings."""
    head = ("most one-sided", "games", "Black scored", "expected", "standard errors", "p")
    rows = [
        (
            comparison.opening_name(one),
            str(one.games),
            share_text(one.score),
            share_text(one.expected),
            f"{one.residual:+.1f}",
            p_text(one.p_value).removeprefix("p ").removeprefix("= "),
        )
        for one in comparison.one_sided
    ]
    return [head, *rows] if rows else []
