"""Figures of the lab: each function draws a value on the matplotlib Axes that it is given.

Colours of text and frames are matplotlib's own settings, so that a caller can have them light or
dark; the colours of data are safe for colour-blind readers. Nothing is computed or saved here.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gomoku_lab.arena.rows import score_of_counts

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gomoku_lab.arena.comparison import Comparison
    from gomoku_lab.arena.rows import Standing
    from gomoku_lab.arena.standings import Standings
    from gomoku_lab.stats.separation import Separated
    from gomoku_lab.tuning.judging import Bin

POINT_COLOUR: Final = "#2f8fd0"
"""A blue that stands out from white and from near black, for every kind of colour vision."""

SCORE_COLOURS: Final = "PuOr"
"""Diverging map from orange (lost) over white (even) to purple (won), safe for colour-blind."""

MOST_NUMBERED: Final = 20
"""Number of players up to which the cells of a crosstable hold numbers: more are too small."""

LINE_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Colours that the colour-blind tell apart (M. Okabe, K. Ito, Color Universal Design, 2008)."""

LINE_STYLES: Final = ("-", "--", ":", "-.")

_NEVER_MET: Final = (0.5, 0.5, 0.5, 0.35)
_COLOUR_STEPS: Final = 64
_LABEL_WIDTH: Final = 26


def prepare_matplotlib() -> None:
    """Give matplotlib a folder that it can write to, before it is imported for the first time.

    Where its own is not writable, as in a container without a home, it complains on stderr.
    """
    if "matplotlib" in sys.modules or all(map(_is_writable, _matplotlib_folders())):
        return
    folder = tempfile.mkdtemp(prefix="gomoku-lab-matplotlib-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["MPLCONFIGDIR"] = folder


def _matplotlib_folders() -> list[Path]:
    """Return where matplotlib keeps its settings and its cache."""
    chosen = os.environ.get("MPLCONFIGDIR")
    if chosen:
        return [Path(chosen)]
    home = Path(os.path.expanduser("~"))  # noqa: PTH111  # a missing home is no error here
    if not sys.platform.startswith(("linux", "freebsd")):
        return [home / ".matplotlib"]
    bases = (("XDG_CONFIG_HOME", ".config"), ("XDG_CACHE_HOME", ".cache"))
    return [Path(os.environ.get(name) or home / base) / "matplotlib" for name, base in bases]


def _is_writable(folder: Path) -> bool:
    """Tell whether `folder` is there or can be made, and files can be written into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def plot_ladder(standings: Standings, axes: Axes) -> None:
    """Draw each player's rating with its 95 % interval, the strongest on top.

    A rating that is only a bound is drawn as an arrow from the bound to where the rating lies.

    Raises
    ------
    ValueError
        If there are no ratings.
    """
    if standings.ratings is None:
        raise ValueError(f"there are no ratings to draw: {standings.warnings[-1]}")
    labels = standings.labels
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

    A thin bar is the 95 % interval that holds together with all others, a thick one the interval by
    itself; a point is hollow where the players are not separated. A difference that is only a
    bound is drawn as an arrow from the bound to where the difference lies.
    """
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
    axes.set_xlabel("difference in Elo, 95 %\nthin: all together, thick: each by itself")


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


def plot_crosstable(standings: Standings, axes: Axes) -> None:
    """Draw what each player (row) scored against each other one (column), with n games a cell.

    Players stand in the order of the table; the columns are numbered by place. Of more than
    `MOST_NUMBERED` players only the colours are shown, grey for those who never met.
    """
    prepare_matplotlib()
    from matplotlib import colormaps

    names, size = standings.names, len(standings.names)
    shares = np.full((size, size), np.nan)
    for row, name in enumerate(names):
        for column, opponent in enumerate(names):
            if row != column:
                score = score_of_counts(standings.counts(name, opponent))
                shares[row, column] = np.nan if score is None else 100 * score
    colours = colormaps[SCORE_COLOURS].resampled(_COLOUR_STEPS)
    mesh = axes.pcolormesh(np.ma.masked_invalid(shares), cmap=colours, vmin=0, vmax=100)
    if size > MOST_NUMBERED:  # without a number, a level score would look like none
        axes.axhspan(0, size, color=_NEVER_MET, zorder=-1)
    for row, name in enumerate(names):
        for column, opponent in enumerate(names):
            if size <= MOST_NUMBERED and not np.isnan(shares[row, column]):
                games = sum(standings.counts(name, opponent))
                ink = _ink_on(colours(shares[row, column] / 100))
                axes.text(
                    column + 0.5,
                    row + 0.5,
                    f"{shares[row, column]:.1f} %\nn = {games}",
                    ha="center",
                    va="center",
                    color=ink,
                    fontsize=9,
                )
    axes.set_xlim(0, size)
    axes.set_ylim(size, 0)
    axes.set_aspect("equal")
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    middles = np.arange(size) + 0.5
    axes.set_xticks(middles, [str(row.place) for row in standings.rows])
    axes.set_yticks(
        middles,
        [f"{wrapped(standings.labels[row.name])}  {row.place}" for row in standings.rows],
        parse_math=False,
    )
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("opponent, by place in the table")
    figure = axes.get_figure()
    assert figure is not None
    bar = figure.colorbar(mesh, ax=axes, shrink=0.7, label="score of the row's player, %")
    if bar.solids is not None:
        bar.solids.set_rasterized(False)  # an SVG then holds shapes and text alone
        bar.solids.set_edgecolor("face")


def plot_trajectory(tuning: Mapping[str, Any], axes: Axes) -> None:
    """Draw how each number of a study moved from its start, and its estimate.

    `tuning` is what ``tuning.json`` holds. The estimate is a dot at the end: the mean of the later
    points.
    """
    pairs = tuning["trajectory"]["pairs"]
    for number, one in enumerate(tuning["parameters"]):
        key, start = one["key"], one["start"]
        way = [100 * (value / start - 1) for value in tuning["trajectory"]["values"][key]]
        colour = LINE_COLOURS[number % len(LINE_COLOURS)]
        style = LINE_STYLES[number // len(LINE_COLOURS) % len(LINE_STYLES)]
        label = f"{key}: {start:g} to {one['value']:g}"
        axes.plot(pairs, way, color=colour, linestyle=style, linewidth=1.5, label=label)
        axes.plot(pairs[-1], 100 * (one["estimate"] / start - 1), "o", color=colour)
    ink = axes.xaxis.label.get_color()
    axes.axhline(0, linewidth=0.8, linestyle=":", color=ink, alpha=0.5, zorder=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel("pairs of games")
    axes.set_ylabel("change from the start in % (dots: estimate)")
    axes.legend(frameon=False, fontsize=9)


def plot_calibration(bins: Sequence[Bin], axes: Axes) -> None:
    """Draw how often the side to move went on to win against what was foretold, with intervals.

    On the diagonal predictions are as good as their word. `bins` are those of a fit's judgement.
    """
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
        axes.annotate(
            f"n = {one.games}",
            (x, 100 * one.high),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            va="bottom",
            fontsize=8,
        )
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 108)
    axes.set_aspect("equal")
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel("foretold score of the side to move, %")
    axes.set_ylabel("its score (bars: 95 % interval, n: games), %")


def wrapped(name: str, width: int = _LABEL_WIDTH) -> str:
    """Return a player name on at most three lines, broken after its marks of punctuation."""
    lines = [""]
    for part in re.split(r"(?<=[/:,._-])", name):
        if lines[-1] and len(lines[-1]) + len(part) > width:
            lines.append("")
        lines[-1] += part
    cut = [line[at : at + width] for line in lines for at in range(0, len(line), width)]
    return "\n".join(cut if len(cut) <= 3 else [*cut[:2], cut[2][:-1] + "…"])


def _draw_rating(row: Standing, height: float, axes: Axes) -> None:
    rating = row.rating
    assert rating is not None
    if rating.value is not None:
        error = 0.0 if rating.error is None or row.is_held else rating.error
        axes.errorbar(
            rating.value,
            height,
            xerr=error,
            fmt="o",
            color=POINT_COLOUR,
            elinewidth=2,
            capsize=4 if error else 0,
        )
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
    margin = max(25.0, 0.12 * (max(ends) - min(ends)))
    return min(ends) - margin, max(ends) + margin


def _ink_on(colour: Sequence[float]) -> str:
    """Return black or white, whichever stands out from a colour (WCAG 2.2, relative luminance)."""
    parts = np.asarray(colour[:3])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return "white" if linear @ (0.2126, 0.7152, 0.0722) < 0.179 else "black"
