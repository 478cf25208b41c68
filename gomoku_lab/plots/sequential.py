"""The figure of a sequential test: how its log-likelihood ratio went between the two bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gomoku_lab.game.palette import LINE_COLOURS, POINT_COLOUR
from gomoku_lab.plots.look import bare, need, need_kind, whole_along

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gomoku_lab.arena.sequential import MatchTest

_PARTS = ("trajectory", "lower", "upper", "elo0", "elo1", "model", "limit")
_UNITS = {"normalized": "normalised Elo", "logistic": "Elo"}


def plot_sprt(test: MatchTest | Mapping[str, Any], axes: Axes) -> None:
    """Draw the way of a test from its first look, with both bounds.

    `test` is what `judge_run` returns, or what ``sprt.json`` holds. Between the bounds nothing is
    decided; the ratio is no measure of strength.

    Raises
    ------
    ValueError
        If a part of that is missing.
    TypeError
        If it is no test.
    """
    from gomoku_lab.arena.sequential import MatchTest

    values = test.to_dict() if isinstance(test, MatchTest) else test
    need_kind(values, Mapping, "a test, as judge_run returns it, or what sprt.json holds is")
    need(values, "what sprt.json holds is", *_PARTS)
    if values["model"] not in _UNITS:
        raise ValueError(f"model must be one of {', '.join(_UNITS)}: {values['model']!r}")
    pairs = [0, *(sum(counts) for counts, _ in values["trajectory"])]
    ratios = [0.0, *(llr for _, llr in values["trajectory"])]
    axes.plot(pairs, ratios, color=POINT_COLOUR, linewidth=1.6)
    axes.plot(pairs[-1], ratios[-1], "o", color=POINT_COLOUR, markersize=7)
    lower, upper = values["lower"], values["upper"]
    right = max(pairs[-1], 1)
    unit = _UNITS[values["model"]]
    for bound, colour, name, elo, align in (
        (upper, LINE_COLOURS[2], "H1", values["elo1"], "bottom"),
        (lower, LINE_COLOURS[1], "H0", values["elo0"], "top"),
    ):
        axes.axhline(bound, color=colour, linestyle="--", linewidth=1.4)
        axes.annotate(
            f"{name} accepted: {elo:g} {unit}",
            (0.02 * right, bound),
            xytext=(0, 4 if align == "bottom" else -4),
            textcoords="offset points",
            va=align,
            color=colour,
        )
    ink = axes.xaxis.label.get_color()
    axes.axhline(0, linewidth=0.8, linestyle=":", color=ink, alpha=0.5, zorder=0)
    low, high = min(lower, *ratios), max(upper, *ratios)
    room = 0.16 * (high - low)
    axes.set_ylim(low - room, high + room)
    axes.set_xlim(0, 1.04 * right)
    whole_along(axes)
    judged = f"n = {pairs[-1]} of at most {values['limit']}"
    axes.set_xlabel(f"colour-swapped pairs of games\n({judged})")
    axes.set_ylabel("log-likelihood ratio")
    bare(axes)
