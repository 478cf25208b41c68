"""Figures of ratings: who is how strong, how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gomoku_lab.game.palette import POINT_COLOUR
from gomoku_lab.plots.look import need_kind, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gomoku_lab.arena.comparison import Comparison
    from gomoku_lab.arena.rows import Standing
    from gomoku_lab.arena.standings import Standings
    from gomoku_lab.stats.separation import Separated


def need_standings(standings: object) -> None:
    """Raise TypeError if this is no table of ratings."""
    from gomoku_lab.arena.standings import Standings

    need_kind(standings, Standings, "a table of ratings, as rate_runs returns it, is")


def plot_ladder(standings: Standings, axes: Axes) -> None:
    """Draw each player's rating with its 95 % interval, the strongest on top.

    `standings` is what `rate_runs` returns. A rating that is only a bound is drawn as an arrow from
    the bound to where the rating lies.

    Raises
    ------
    ValueError
        If there are no ratings.
    TypeError
        If it is no such table.
    """
    need_standings(standings)
    if standings.ratings is None:
        raise ValueError(f"there are no ratings to draw: {standings.warnings[-1]}")
    labels = standings.labels
    _draw_values(standings.rows, axes)
    for height, row in enumerate(standings.rows):
        _draw_rating(row, -height, axes)
    low, high = _limits(standings)
    axes.set_xlim(low, high)
    axes.set_ylim(0.6 - len(standings.rows), 0.6)
    ink = axes.xaxis.label.get_color()
    axes.axvline(0, linewidth=0.8, linestyle=":", color=ink, alpha=0.5, zorder=0)
    axes.set_yticks(
        [-height for height in range(len(standings.rows))],
        [f"{wrapped(labels[row.name])}\nn = {row.games}" for row in standings.rows],
        parse_math=False,
    )
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_xlabel("rating in Elo (bars: 95 % interval, n: games)")


def plot_spacing(comparison: Comparison, axes: Axes) -> None:
    """Draw how far each player stands above the next one, the strongest on top.

    `comparison` is what `compare_runs` returns. A thin bar is the 95 % interval that holds together
    with all others, a thick one the interval by itself; a point is hollow where the players are not
    separated. A difference that is only a bound is drawn as an arrow from the bound to where the
    difference lies.

    Raises
    ------
    TypeError
        If it is no comparison.
    """
    from gomoku_lab.arena.comparison import Comparison

    need_kind(comparison, Comparison, "a comparison, as compare_runs returns it, is")
    neighbours, labels = comparison.separation.neighbours, comparison.labels
    ends = [0.0]
    for height, one in enumerate(neighbours):
        _draw_difference(one, -height, axes)
        parts = (one.together.low, one.together.value, one.together.high)
        ends += [end for end in parts if end is not None]
    margin = max(25.0, 0.12 * (max(ends) - min(ends)))
    axes.set_xlim(min(ends) - margin, max(ends) + margin)
    axes.set_ylim(0.6 - len(neighbours), 0.6)
    axes.axvline(0, linewidth=0.8, color=axes.xaxis.label.get_color(), alpha=0.6, zorder=0)
    axes.set_yticks(
        [-height for height in range(len(neighbours))],
        ["\nover ".join(wrapped(labels[name]) for name in one.players) for one in neighbours],
        parse_math=False,
    )
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    games = comparison.standings.tally.games
    axes.set_xlabel(
        f"difference in Elo, 95 % (n = {games})\nthin: all together, thick: each by itself"
    )


def _draw_difference(one: Separated, height: float, axes: Axes) -> None:
    together, alone = one.together, one.difference.elo
    place = together.value
    if place is not None:
        for estimate, width in ((together, 1.2), (alone, 3.5)):
            if estimate.low is not None and estimate.high is not None:
                axes.plot(
                    [estimate.low, estimate.high],
                    [height, height],
                    color=POINT_COLOUR,
                    linewidth=width,
                    solid_capstyle="butt",
                )
        filled = "full" if one.is_separated else "none"
        axes.plot(place, height, "o", color=POINT_COLOUR, fillstyle=filled, markersize=8)
    elif (place := together.low) is not None:
        axes.plot(place, height, ">", markersize=9, color=POINT_COLOUR, fillstyle="none")
    elif (place := together.high) is not None:
        axes.plot(place, height, "<", markersize=9, color=POINT_COLOUR, fillstyle="none")
    axes.annotate(
        together.text(0),
        (0.0 if place is None else place, height),
        xytext=(0, 7),
        textcoords="offset points",
        ha="center",
        va="bottom",
    )


def _draw_values(rows: Sequence[Standing], axes: Axes) -> None:
    """Draw the ratings that are numbers, with their intervals: many at once, which is faster."""
    found: dict[bool, list[tuple[float, float, float, float]]] = {True: [], False: []}
    for height, row in enumerate(rows):
        rating = row.rating
        assert rating is not None
        if rating.value is not None:
            bars = 0.0, 0.0
            if not (rating.low is None or rating.high is None or row.is_held):
                bars = max(0.0, rating.value - rating.low), max(0.0, rating.high - rating.value)
            found[any(bars)].append((rating.value, -height, *bars))
    for has_bars, points in found.items():
        if points:
            values, heights, below, above = zip(*points, strict=True)
            axes.errorbar(
                values,
                heights,
                xerr=(below, above),
                fmt="o",
                color=POINT_COLOUR,
                elinewidth=2,
                capsize=4 if has_bars else 0,
            )


def _draw_rating(row: Standing, height: float, axes: Axes) -> None:
    """Write a rating at its place, and draw it where it is only a bound."""
    rating = row.rating
    assert rating is not None
    if rating.value is not None:
        place = rating.value
    elif rating.low is not None and rating.high is None:
        axes.plot(rating.low, height, ">", markersize=9, color=POINT_COLOUR, fillstyle="none")
        place = rating.low
    elif rating.high is not None and rating.low is None:
        axes.plot(rating.high, height, "<", markersize=9, color=POINT_COLOUR, fillstyle="none")
        place = rating.high
    else:
        place = 0.0
    axes.annotate(
        row.rating_text,
        (place, height),
        xytext=(0, 7),
        textcoords="offset points",
        ha="center",
        va="bottom",
    )


def _limits(standings: Standings) -> tuple[float, float]:
    """Return the least and greatest Elo to show, with room for the labels."""
    assert standings.ratings is not None
    ends = [] if standings.ratings.anchors else [0.0]
    for row in standings.rows:
        if row.rating is not None:
            parts = (row.rating.low, row.rating.value, row.rating.high)
            ends += [end for end in parts if end is not None]
    ends = ends or [0.0]
    margin = max(25.0, 0.16 * (max(ends) - min(ends)))
    return min(ends) - margin, max(ends) + margin
