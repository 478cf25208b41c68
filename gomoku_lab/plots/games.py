"""Figures of games: the score, what moves lost, how long games are, where is played."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Final

import numpy as np

from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import as_point
from gomoku_lab.game.palette import LINE_COLOURS, POINT_COLOUR, colour_of
from gomoku_lab.game.rules import BLACK, EMPTY
from gomoku_lab.plots.look import (
    ScoreScale,
    add_colour_bar,
    bare,
    name_above,
    name_series,
    need,
    need_kind,
    prepare_matplotlib,
    style_of,
    whole_along,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gomoku_lab.engine.review import Review

HEAT_COLOURS: Final = "cividis"
"""Map from dark blue to yellow that looks alike to every kind of colour vision."""

_SIDES: Final = (("Black", LINE_COLOURS[0]), ("White", LINE_COLOURS[1]))


def plot_game(review: Review, axes: Axes) -> None:
    """Draw the exact score before every move with the best reply, and what the move played lost.

    All is seen from Black. A bar leads from the score of the best move to that of the move played;
    where there is none, nothing was lost at that depth.

    Raises
    ------
    ValueError
        If no move was reviewed.
    """
    from gomoku_lab.engine.review import Review

    need_kind(review, Review, "a reviewed game, as review returns it, is")
    steps = review.steps
    if not steps:
        raise ValueError("no move of this game was reviewed")
    best = [step.best_for_black for step in steps]
    played = [step.played_for_black for step in steps]
    scale = ScoreScale([*best, *played])
    heights = [scale.height(score) for score in best]
    plies = [step.ply for step in steps]
    axes.plot(plies, heights, color=POINT_COLOUR, linewidth=1.2, marker="o", markersize=3.5)
    for number, (name, colour) in enumerate(_SIDES, start=1):
        own = [
            (step.ply, height, scale.height(score))
            for step, height, score in zip(steps, heights, played, strict=True)
            if step.colour == number
        ]
        lost = sum(step.loss > 0 for step in steps if step.colour == number)
        axes.bar(
            [ply for ply, _, _ in own],
            [end - start for _, start, end in own],
            bottom=[start for _, start, _ in own],
            width=0.6,
            color=colour,
            alpha=0.75,
            hatch=None if number == BLACK else "///",
            edgecolor=colour,
            label=f"lost by {name} (n = {lost} of {len(own)} moves)",
        )
    ink = axes.xaxis.label.get_color()
    axes.axhline(0, linewidth=0.8, linestyle=":", color=ink, alpha=0.5, zorder=0)
    scale.prepare(axes)
    axes.set_xlim(plies[0] - 1, plies[-1] + 1)
    whole_along(axes)
    axes.set_xlabel(f"move (line: score of the best one,\nexact at depth {review.depth})")
    axes.set_ylabel("score for Black,\nevaluation units")
    name_above(axes)
    bare(axes)


def plot_lengths(lengths: Mapping[str, Sequence[int]], axes: Axes) -> None:
    """Draw what share of the games has ended by each move, for several sets of games by name.

    Raises
    ------
    ValueError
        If there are no sets, or one holds no games.
    TypeError
        If it is no mapping from names to lengths.
    """
    need_kind(lengths, Mapping, "lengths of games by the name of their set, {name: lengths}, are")
    need(lengths, "one set of games or more is")
    for number, (name, plies) in enumerate(lengths.items()):
        need_kind(plies, Sized, f"{name}: the lengths of games, one number each, are")
        if not len(plies):
            raise ValueError(f"{name}: there are no games")
        ends = np.sort(np.asarray(plies))
        shares = 100 * np.arange(1, len(ends) + 1) / len(ends)
        axes.step(
            [0, *ends],
            [0, *shares],
            where="post",
            color=colour_of(number),
            linestyle=style_of(number),
            linewidth=1.8,
            label=f"{name} (n = {len(ends)}, median {np.median(ends):g})",
        )
    axes.set_ylim(0, 103)
    axes.set_xlim(left=0)
    whole_along(axes)
    axes.set_xlabel("moves, the opening included")
    axes.set_ylabel("games that have ended, %")
    name_series(axes)
    bare(axes)


def plot_heat(
    board: Board, values: Mapping[int, float] | Mapping[str, float], axes: Axes, *, label: str
) -> None:
    """Draw a number for points of a board as colours, with the stones on it.

    Parameters
    ----------
    board : Board
        Its stones are drawn; a value on a stone's point is not seen.
    values : mapping of int or str to float
        What each point, a flat index or a name, is worth, such as a count; others stay empty.
    axes : Axes
        Where to draw; a bar beside it tells the colours.
    label : str
        What the numbers are, with their unit.

    Raises
    ------
    ValueError
        If there are no values, one is no finite number, or one is off the board.
    """
    prepare_matplotlib()
    from matplotlib import colormaps
    from matplotlib.patches import Circle

    need_kind(board, Board, "a board is")
    need_kind(values, Mapping, "values by point, {point: value}, are")
    size = board.size
    need(values, "a value for one point or more is")
    cells = np.full(size * size, np.nan)
    for move, value in values.items():
        if value is None or not math.isfinite(value):
            raise ValueError(f"a value must be a finite number: {value!r} on {move!r}")
        cells[as_point(move, size, "a value")] = value
    grid = cells.reshape(size, size)
    colours = colormaps[HEAT_COLOURS]
    edges = np.arange(size + 1) - 0.5
    mesh = axes.pcolormesh(edges, edges, np.ma.masked_invalid(grid), cmap=colours)
    ink = axes.xaxis.label.get_color()
    for line in range(size):
        axes.plot([0, size - 1], [line, line], color=ink, alpha=0.25, linewidth=0.5, zorder=1)
        axes.plot([line, line], [0, size - 1], color=ink, alpha=0.25, linewidth=0.5, zorder=1)
    for move, cell in enumerate(board.cells):
        if cell != EMPTY:
            fill, edge = ("#1a1a1a", "#fbfbf8")[:: 1 if cell == BLACK else -1]
            place = (move % size, move // size)
            axes.add_patch(Circle(place, 0.4, facecolor=fill, edgecolor=edge, zorder=3))
    axes.set_xlim(-0.7, size - 0.3)
    axes.set_ylim(size - 0.3, -0.7)
    axes.set_aspect("equal")
    axes.set_xticks(range(size), [chr(ord("a") + col) for col in range(size)])
    axes.set_yticks(range(size), [str(size - row) for row in range(size)])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(f"n = {len(values)} points with a value")
    add_colour_bar(mesh, axes, label)
