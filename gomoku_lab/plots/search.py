"""Figures of searches: what each layer thought and cost, what root candidates are worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from gomoku_lab.engine.analysis import Analysis
from gomoku_lab.game.notation import move_name
from gomoku_lab.game.palette import LINE_COLOURS, POINT_COLOUR, colour_of
from gomoku_lab.game.rules import colour_name
from gomoku_lab.kernels.layout import MATE_RANGE
from gomoku_lab.plots.look import (
    ScoreScale,
    bare,
    count_above,
    name_above,
    name_series,
    need,
    need_kind,
    score_label,
    style_of,
    whole_along,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gomoku_lab.engine.analysis import Layer

_BOUND_COLOUR = "#8a8f98"
_ONE = "an analysis is"
_SEVERAL = "one analysis or several, in a sequence, is"
_NAMED = "one analysis or several, by name in a mapping, is"


def plot_scores(found: Analysis, axes: Axes) -> None:
    """Draw the exact score of each layer's best move, which is named; hollow where it changed.

    Raises
    ------
    ValueError
        If nothing was searched.
    """
    layers = _layers(found)
    scale = ScoreScale([layer.score for layer in layers])
    depths = [layer.depth for layer in layers]
    heights = [scale.height(layer.score) for layer in layers]
    axes.plot(depths, heights, color=POINT_COLOUR, linewidth=1.5)
    for place, (layer, height) in enumerate(zip(layers, heights, strict=True)):
        axes.plot(
            layer.depth,
            height,
            "o",
            markersize=8,
            color=POINT_COLOUR,
            fillstyle="none" if layer.changed else "full",
        )
        won = abs(layer.score) > MATE_RANGE
        text = move_name(layer.move, found.board.size)
        axes.annotate(
            f"{text}, {score_label(layer.score)}" if won else text,
            (layer.depth, height),
            **_beside(heights, place),
        )
    scale.prepare(axes)
    _depth_axis(axes, depths)
    mover = colour_name(found.board.to_move)
    axes.set_ylabel(f"exact score, evaluation units,\nfor {mover}, the side to move")
    axes.set_xlabel(f"depth in plies (n = {found.nodes:,} nodes)\nhollow: the best move changed")
    bare(axes)


def plot_branching(found: Analysis, axes: Axes) -> None:
    """Draw by what factor the nodes of each layer exceed those of the layer before.

    Raises
    ------
    ValueError
        If there are not at least two layers.
    """
    layers = _layers(found)
    if len(layers) < 2:
        raise ValueError(f"branching needs at least two layers: {len(layers)}")
    pairs = list(pairwise(layers))
    depths = [layer.depth for _, layer in pairs]
    factors = [layer.nodes / before.nodes for before, layer in pairs]
    axes.plot(depths, factors, "o-", color=POINT_COLOUR, linewidth=1.5, markersize=7)
    for place, (depth, factor) in enumerate(zip(depths, factors, strict=True)):
        axes.annotate(
            f"{factor:.1f}\nn = {layers[place + 1].nodes:,}",
            (depth, factor),
            fontsize="small",
            **_beside(factors, place),
        )
    axes.set_ylim(min(0, min(factors) - 0.35 * max(factors)), 1.35 * max(factors))
    _depth_axis(axes, depths)
    axes.set_xlabel("depth in plies (n: nodes of the layer)")
    axes.set_ylabel("nodes of a layer over\nthose of the layer before")
    bare(axes)


def plot_changes(analyses: Analysis | Sequence[Analysis], axes: Axes) -> None:
    """Draw in what share of positions the best move differs from that of the layer before.

    Bars are Wilson's 95 % intervals, n counts the positions whose search reached the depth; not
    all positions reach all depths, so the shares are of different positions.

    Raises
    ------
    ValueError
        If no search has two layers.
    TypeError
        If there is something else than analyses.
    """
    from scipy.stats import binomtest

    reached: dict[int, list[bool]] = {}
    several = [analyses] if isinstance(analyses, Analysis) else analyses
    need_kind(several, Iterable, _SEVERAL)
    for found in several:
        need_kind(found, Analysis, _SEVERAL)
        for layer in found.layers[1:]:
            reached.setdefault(layer.depth, []).append(layer.changed)
    if not reached:
        raise ValueError("no search has two layers, so no best move can have changed")
    depths = sorted(reached)
    for depth in depths:
        hits, count = sum(reached[depth]), len(reached[depth])
        interval = binomtest(hits, count).proportion_ci(method="wilson")
        share = 100 * hits / count
        ends = np.array([[share - 100 * interval.low], [100 * interval.high - share]])
        axes.errorbar(
            depth, share, yerr=ends.clip(0), fmt="o", color=POINT_COLOUR, elinewidth=2, capsize=4
        )
        count_above(axes, count, (depth, 100 * interval.high), gap=4)
    axes.set_ylim(-3, 112)
    axes.set_yticks(range(0, 101, 20))
    _depth_axis(axes, depths)
    axes.set_xlabel("depth in plies\n(bars: 95 % interval, n: positions)")
    axes.set_ylabel("positions with\nanother best move, %")
    bare(axes)


def plot_nodes(analyses: Analysis | Mapping[str, Analysis], axes: Axes) -> None:
    """Draw the nodes of every layer of one search, or several by name, on a logarithmic axis.

    Raises
    ------
    ValueError
        If there are none, or one of them has no layers.
    TypeError
        If there is something else than analyses.
    """
    if isinstance(analyses, Analysis):
        analyses = {"search": analyses}
    need_kind(analyses, Mapping, _NAMED)
    need(analyses, "one search or more is")
    depths: set[int] = set()
    for number, (name, found) in enumerate(analyses.items()):
        layers = _layers(found, f"{name}: ")
        own = [layer.depth for layer in layers]
        depths.update(own)
        axes.plot(
            own,
            [max(1, layer.nodes) for layer in layers],
            marker="os^Dv"[number % 5],
            color=colour_of(number),
            linestyle=style_of(number),
            linewidth=1.5,
            label=f"{name} (n = {found.nodes:,})",
        )
    axes.set_yscale("log")
    _depth_axis(axes, sorted(depths))
    axes.set_xlabel("depth in plies")
    axes.set_ylabel("nodes of the layer (n: of all layers)")
    name_series(axes)
    bare(axes)


def plot_roots(found: Analysis, axes: Axes) -> None:
    """Draw what is known of each root candidate, the best on top.

    A filled point is an exact score of the last layer, a square one of the second search with a
    full window. Where only a bound is known there is a hollow arrow that starts at the bound and
    carries no number: the score lies somewhere beyond.

    Raises
    ------
    ValueError
        If there are no root candidates.
    """
    need_kind(found, Analysis, _ONE)
    again = {root.move: root for root in found.exact}
    roots = {root.move: root for root in found.roots}
    moves = list(dict.fromkeys([*again, *roots]))
    if not moves:
        raise ValueError(f"there are no root candidates: {_decided(found)}")
    values = [root.score for root in (*found.roots, *found.exact) if root.score is not None]
    bounds = [root.bound for root in found.roots if root.bound is not None]
    scale = ScoreScale([*values, *bounds])
    for place, move in enumerate(moves):
        root, exact = roots.get(move), again.get(move)
        if root is not None and root.bound is not None:
            x = scale.height(root.bound)
            sign = "<" if root.bound_kind == "upper" else ">"
            axes.plot(x, -place, sign, color=_BOUND_COLOUR, fillstyle="none", markersize=9)
        elif root is not None and root.score is not None:
            axes.plot(scale.height(root.score), -place, "o", color=LINE_COLOURS[0], markersize=8)
        if exact is not None and exact.score is not None:
            axes.plot(scale.height(exact.score), -place, "s", color=LINE_COLOURS[1], markersize=5)
        known = exact or root
        if known is not None and known.score is not None:
            axes.annotate(
                score_label(known.score),
                (scale.height(known.score), -place),
                xytext=(-8, 0),  # a bound lies to the right of the score
                textcoords="offset points",
                ha="right",
                va="center",
                fontsize="small",
            )
    scale.prepare(axes, along="x")
    names = [move_name(move, found.board.size) for move in moves]
    axes.set_yticks([-place for place in range(len(moves))], names)
    axes.set_ylim(0.6 - len(moves), 0.6)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    depths = sorted({root.depth for root in (*found.roots, *found.exact)})
    depth = " and ".join(map(str, depths))
    axes.set_xlabel(
        f"score, evaluation units, for {colour_name(found.board.to_move)},\n"
        f"the side to move (depth {depth}, n = {len(moves)} moves)"
    )
    _root_legend(found, axes)


def _root_legend(found: Analysis, axes: Axes) -> None:
    """Say what the marks mean; those that do not occur are left out."""
    from matplotlib.lines import Line2D

    def mark(sign: str, colour: str, label: str, filled: bool = True) -> Line2D:
        return Line2D(
            [],
            [],
            linestyle="none",
            marker=sign,
            color=colour,
            fillstyle="full" if filled else "none",
            label=label,
        )

    marks = []
    if any(root.score is not None for root in found.roots):
        marks.append(mark("o", LINE_COLOURS[0], "exact"))
    if found.exact:
        marks.append(mark("s", LINE_COLOURS[1], "searched again"))
    if any(root.bound is not None for root in found.roots):
        marks.append(mark("<", _BOUND_COLOUR, "bound: no score", filled=False))
    name_above(axes, handles=marks, ncols=3, handletextpad=0.2, columnspacing=0.8)


def plot_candidates(counts: Mapping[int, Sequence[int]], axes: Axes, *, size: int = 15) -> None:
    """Draw how many candidates positions have, by stones on the board, against all empty points.

    Parameters
    ----------
    counts : mapping of int to sequence of int
        For each number of stones the candidates of each position.
    axes : Axes
        Where to draw.
    size : int
        Lines a side of the board.

    Raises
    ------
    ValueError
        If there are no positions, or none for one of the numbers of stones.
    """
    need_kind(counts, Mapping, "counts by number of stones are")
    need(counts, "one number of stones or more, with counts, is")
    for key, found in counts.items():
        need(found, f"one count or more for {key} stones is")
    stones = sorted(counts)
    parts: dict[str, list[float]] = {
        "most": [max(counts[key]) for key in stones],
        "95 % have at most": [float(np.quantile(counts[key], 0.95)) for key in stones],
        "median": [float(np.median(counts[key])) for key in stones],
        "fewest": [min(counts[key]) for key in stones],
    }
    empty = [size * size - key for key in stones]
    ink = axes.xaxis.label.get_color()
    axes.plot(stones, empty, color=ink, linewidth=1, linestyle="--", label="empty points")
    axes.fill_between(stones, parts["fewest"], parts["most"], color=POINT_COLOUR, alpha=0.18)
    for number, (label, values) in enumerate(parts.items()):
        axes.plot(
            stones,
            values,
            color=colour_of(number),
            linestyle=("-.", ":", "-", "--")[number],
            linewidth=2 if label == "median" else 1.2,
            label=label,
        )
    axes.set_ylim(0, size * size)
    whole_along(axes)
    total = sum(len(counts[key]) for key in stones)
    axes.set_xlabel(f"stones on the board (n = {total:,} positions)")
    axes.set_ylabel("candidates")
    name_series(axes)
    bare(axes)


def _beside(heights: Sequence[float], place: int) -> dict[str, Any]:
    """Return where the label of a point goes: below a low, else above, so that no line hits it."""
    near = [heights[at] for at in (place - 1, place + 1) if 0 <= at < len(heights)]
    is_low = bool(near) and all(heights[place] < height for height in near)
    return {
        "xytext": (0, -8 if is_low else 8),
        "textcoords": "offset points",
        "ha": "center",
        "va": "top" if is_low else "bottom",
    }


def _layers(found: Analysis, name: str = "") -> Sequence[Layer]:
    need_kind(found, Analysis, f"{name}{_ONE}")
    if not found.layers:
        raise ValueError(f"{name}nothing was searched: {_decided(found)}")
    return found.layers


def _decided(found: Analysis) -> str:
    return "the game is over" if found.gate == "over" else f"the gate {found.gate} decided"


def _depth_axis(axes: Axes, depths: Sequence[int]) -> None:
    axes.set_xticks(list(depths))
    axes.set_xlim(min(depths) - 0.5, max(depths) + 0.5)
