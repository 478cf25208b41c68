"""Figures of tuning: how numbers moved, and how well a fit foretells results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Any

import numpy as np

from gomoku_lab.game.palette import POINT_COLOUR, colour_of
from gomoku_lab.plots.look import (
    bare,
    count_above,
    name_series,
    need,
    need_kind,
    style_of,
    whole_along,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gomoku_lab.tuning.judging import Bin
    from gomoku_lab.tuning.study import Study


def plot_trajectory(study: Study | Mapping[str, Any], axes: Axes) -> None:
    """Draw how each number of a study moved from its start, and its estimate.

    `study` is a study, or what its ``tuning.json`` holds. The estimate is a dot at the end: the
    mean of the later points.

    Raises
    ------
    ValueError
        If a part of that is missing, or it tells of no numbers.
    TypeError
        If it is no study.
    """
    from gomoku_lab.tuning.study import Study
    from gomoku_lab.tuning.trajectory import ways_in_percent

    tuning = study.tuning.to_dict() if isinstance(study, Study) else study
    need_kind(tuning, Mapping, "a study, as load_study returns it, or what tuning.json holds is")
    need(tuning, "what tuning.json holds is", "parameters", "trajectory")
    need(tuning["parameters"], "one tuned number or more is")
    pairs = tuning["trajectory"]["pairs"]
    need(pairs, "one point of the way or more is")
    ways = zip(tuning["parameters"], ways_in_percent(tuning), strict=True)
    for number, (one, way) in enumerate(ways):
        colour, style = colour_of(number), style_of(number)
        label = f"{way.key}: {one['start']:g} to {one['value']:g}"
        axes.plot(pairs, way.changes, color=colour, linestyle=style, linewidth=1.5, label=label)
        axes.plot(pairs[-1], way.estimate, "o", color=colour)
    ink = axes.xaxis.label.get_color()
    axes.axhline(0, linewidth=0.8, linestyle=":", color=ink, alpha=0.5, zorder=0)
    bare(axes)
    whole_along(axes)
    axes.set_xlabel(f"pairs of games (n = {pairs[-1]})")
    axes.set_ylabel("change from the start in %\n(dots: estimate)")
    name_series(axes)


def plot_calibration(bins: Sequence[Bin], axes: Axes) -> None:
    """Draw how often the side to move went on to win against what was foretold, with intervals.

    On the diagonal predictions are as good as their word. `bins` are those of a fit's judgement.

    Raises
    ------
    ValueError
        If there are none.
    """
    need_kind(bins, Sized, "the bins of a fit's judgement are")
    need(bins, "one bin of predictions or more is")
    predicted = np.array([100 * one.predicted for one in bins])
    observed, low, high = (
        np.array([100 * getattr(one, key) for one in bins]) for key in ("observed", "low", "high")
    )
    ink = axes.xaxis.label.get_color()
    axes.plot([0, 100], [0, 100], linewidth=0.8, linestyle=":", color=ink, alpha=0.5, zorder=0)
    axes.errorbar(
        predicted,
        observed,
        yerr=[observed - low, high - observed],
        fmt="o",
        color=POINT_COLOUR,
        elinewidth=2,
        capsize=4,
    )
    for x, one in zip(predicted, bins, strict=True):
        count_above(axes, one.games, (x, 100 * one.high), gap=3)
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 108)
    axes.set_aspect("equal")
    bare(axes)
    axes.set_xlabel("foretold score of the side to move, %")
    axes.set_ylabel("its score, %\n(bars: 95 % interval, n: games)")
