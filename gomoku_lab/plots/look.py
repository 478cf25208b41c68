"""How figures look: line styles, inks, labels, and room for wins beside scores.

Colours of text and frames are matplotlib's own settings, so that a caller can have them light or
dark; the colours of data stand in `game.palette`, and are safe for colour-blind readers as well.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gomoku_lab.engine.analysis import plies_to_mate
from gomoku_lab.game.palette import LINE_COLOURS
from gomoku_lab.kernels.layout import MATE_RANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase
    from matplotlib.cm import ScalarMappable
    from matplotlib.legend import Legend
    from matplotlib.transforms import Bbox

SCORE_COLOURS: Final = "PuOr"
"""Diverging map from orange (lost) over white (even) to purple (won), safe for colour-blind."""

MOST_NUMBERED: Final = 20
"""Number of players up to which the cells of a crosstable hold numbers: more are too small."""

LINE_STYLES: Final = ("-", "--", ":", "-.")

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


def wrapped(name: str, width: int = _LABEL_WIDTH) -> str:
    """Return a player name on at most three lines, broken after its marks of punctuation."""
    lines = [""]
    for part in re.split(r"(?<=[/:,._-])", name):
        if lines[-1] and len(lines[-1]) + len(part) > width:
            lines.append("")
        lines[-1] += part
    cut = [line[at : at + width] for line in lines for at in range(0, len(line), width)]
    return "\n".join(cut if len(cut) <= 3 else [*cut[:2], cut[2][:-1] + "…"])


def ink_on(colour: Sequence[float]) -> str:
    """Return black or white, whichever stands out from a colour (WCAG 2.2, relative luminance)."""
    parts = np.asarray(colour[:3])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return "white" if linear @ (0.2126, 0.7152, 0.0722) < 0.179 else "black"


class ScoreScale:
    """Heights for scores, with a lane for wins above all others and one for losses below.

    A win in so many plies is no number of evaluation units: it has a lane of its own, whose tick
    says so. Without wins and losses the heights are the scores.

    Parameters
    ----------
    scores : sequence of int
        All exact scores that are drawn, from one side.
    """

    def __init__(self, scores: Sequence[int]) -> None:
        usual = [score for score in scores if abs(score) <= MATE_RANGE] or [0]
        span = max(1, max(usual) - min(usual))
        self._lanes = max(usual) + 0.25 * span, min(usual) - 0.25 * span
        self._used = {score > 0 for score in scores if abs(score) > MATE_RANGE}
        self._span = span
        self._ends = min(usual), max(usual)

    def height(self, score: int) -> float:
        """Return where a score is drawn."""
        if abs(score) <= MATE_RANGE:
            return float(score)
        return self._lanes[0] if score > 0 else self._lanes[1]

    def prepare(self, axes: Axes, *, along: str = "y") -> None:
        """Set limits and ticks of the y or x axis; to be called when all is drawn."""
        axis = axes.yaxis if along == "y" else axes.xaxis
        low = self._lanes[1] if False in self._used else self._ends[0]
        high = self._lanes[0] if True in self._used else self._ends[1]
        margins = (0.2, 0.2) if along == "y" else (0.4, 0.15)
        limits = (low - margins[0] * self._span, high + margins[1] * self._span)
        (axes.set_ylim if along == "y" else axes.set_xlim)(*limits)
        axes.locator_params(axis="y" if along == "y" else "x", nbins=6 if along == "y" else 4)
        places = [tick for tick in axis.get_ticklocs() if self._ends[0] <= tick <= self._ends[1]]
        places = places or [float(end) for end in dict.fromkeys(self._ends)]
        labels = [_short(tick) for tick in places]
        ink = axes.xaxis.label.get_color()
        line = axes.axhline if along == "y" else axes.axvline
        for is_win, lane in zip((True, False), self._lanes, strict=True):
            if is_win in self._used:
                places.append(lane)
                labels.append("win" if is_win else "loss")
                edge = (lane + self._ends[is_win]) / 2
                line(edge, linewidth=0.8, linestyle=":", color=ink, alpha=0.5, zorder=0)
        axis.set_ticks(places, labels)


def _short(score: float) -> str:
    """Return a round score for a tick: thousands as k, millions as M."""
    for unit, name in ((1_000_000, "M"), (1_000, "k")):
        if abs(score) >= unit:
            return f"{score / unit:+.3g}{name}"
    return f"{score:+.3g}" if score else "0"


def score_label(score: int) -> str:
    """Return an exact score as a short label: a number, or a win or loss in so many plies."""
    plies = plies_to_mate(score)
    if plies is None:
        return f"{score:+,d}" if score else "0"
    return f"{'win' if plies > 0 else 'loss'} in {abs(plies)}"


def style_of(number: int) -> str:
    """Return the line style of the `number`-th of several series."""
    return LINE_STYLES[number // len(LINE_COLOURS) % len(LINE_STYLES)]


def name_series(axes: Axes) -> None:
    """Add the legend: within the axes, or beside them where there are many series."""
    many = len(axes.get_legend_handles_labels()[1]) > len(LINE_COLOURS)
    place: dict[str, Any] = {"loc": "center left", "bbox_to_anchor": (1, 0.5)} if many else {}
    axes.legend(frameon=False, fontsize="small", **place)


def name_above(axes: Axes, **options: Any) -> None:
    """Add the legend above the axes; a title that the axes have or get stands above it."""
    legend = axes.legend(
        frameon=False,
        fontsize="small",
        loc="lower left",
        bbox_to_anchor=(0, 1),
        borderaxespad=0.2,
        **options,
    )
    # Of all that stands above axes, titles keep clear of other axes alone.
    room = axes.inset_axes((0, 1, 1, 0.1), visible=False)
    room.set_axes_locator(partial(_room_of, legend))


def _room_of(legend: Legend, axes: Axes, renderer: RendererBase) -> Bbox:
    """Return where a legend stands, in parts of the figure."""
    figure = axes.get_figure()
    assert figure is not None
    return legend.get_window_extent(renderer).transformed(figure.transSubfigure.inverted())


def need_kind(data: object, kind: type | tuple[type, ...], wanted: str) -> None:
    """Raise TypeError if `data` is no value of the kind that is drawn."""
    if not isinstance(data, kind):
        raise TypeError(f"{wanted} wanted, not a value of type {type(data).__name__}")


def need(data: Mapping[Any, Any] | Sequence[Any], wanted: str, *keys: str) -> None:
    """Raise ValueError if there is nothing to draw, or one of the `keys` of `data` is missing."""
    if not len(data):
        raise ValueError(f"there is nothing to draw: {wanted} wanted, not {data!r}")
    missing = [key for key in keys if key not in data]
    if missing:
        raise ValueError(f"{wanted} wanted: there is no {missing[0]!r}")


def add_colour_bar(mesh: ScalarMappable, axes: Axes, label: str) -> None:
    """Put a bar beside square axes that tells what the colours mean."""
    figure = axes.get_figure()
    assert figure is not None
    bar = figure.colorbar(mesh, ax=axes, shrink=0.8, label=label)
    if bar.solids is not None:
        bar.solids.set_rasterized(False)  # an SVG then holds shapes and text alone
        bar.solids.set_edgecolor("face")
    whole = axes.get_figure(root=True)
    layout = None if whole is None else whole.get_layout_engine()
    if whole is not None and layout is not None:
        # The first layout of axes with an equal aspect cuts off labels, the second one does not.
        layout.execute(whole)


def whole_along(axes: Axes) -> None:
    """Put the ticks of the x axis, along which something is counted, on whole numbers."""
    axes.locator_params(axis="x", integer=True)


def bare(axes: Axes) -> None:
    """Take away the frame but for the two axes."""
    axes.spines[["top", "right"]].set_visible(False)


def count_above(axes: Axes, count: int, point: tuple[float, float], *, gap: float) -> None:
    """Write how many things a point stands for, `gap` points above it."""
    axes.annotate(
        f"n = {count}",
        point,
        xytext=(0, gap),
        textcoords="offset points",
        ha="center",
        va="bottom",
        fontsize="small",
    )
