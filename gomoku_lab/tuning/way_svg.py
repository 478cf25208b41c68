"""The way of a study as a small SVG for notebooks, made with the standard library alone.

It shows what `plots.plot_trajectory` draws with matplotlib, which stands above this layer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, Final, TypeAlias

from gomoku_lab.game.palette import LINE_COLOURS, colour_of
from gomoku_lab.tuning.trajectory import ways_in_percent

_WIDTH: Final = 340
_HEIGHT: Final = 200
_LEFT: Final = 58
_ROW: Final = 15
Scale: TypeAlias = Callable[[float], float]
_DASHES: Final = ("none", "6 3", "2 2", "6 2 2 2")


def way_svg(values: Mapping[str, Any]) -> str:
    """Return how each number moved from its start, in percent, with a dot for its estimate.

    `values` is what ``tuning.json`` holds.
    """
    pairs, ways = values["trajectory"]["pairs"], ways_in_percent(values)
    ends = [0.0, *(change for way in ways for change in (way.estimate, *way.changes))]
    low: float = min(ends)
    high: float = max(ends)
    last: float = max(pairs[-1], 1)

    def x(pair: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - 8) * pair / last

    def y(change: float) -> float:
        return 10 + (_HEIGHT - 44) * (high - change) / (high - low or 1)

    parts = [_axes(pairs[-1], sorted({low, 0.0, high}), x, y)]
    for number, way in enumerate(ways):
        xs, ys = list(map(x, pairs)), list(map(y, way.changes))
        parts.append(_series(number, way.key, xs, ys, y(way.estimate)))
    height = _HEIGHT + _ROW * len(ways)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" font-size="11" '
        'fill="currentColor" aria-label="how each number moved from its start">'
        f"{''.join(parts)}</svg>"
    )


def _axes(pairs: int, ticks: Sequence[float], x: Scale, y: Scale) -> str:
    """Return the line of the start, ticks of the changes, and what both axes count."""
    right, foot = _WIDTH - 8, _HEIGHT - 22
    kept = [tick for tick in ticks if tick == 0 or abs(y(tick) - y(0)) > _ROW]
    labels = "".join(
        f'<text x="{_LEFT - 5}" y="{y(tick) + 4:.1f}" text-anchor="end">'
        f"{f'{tick:+.3g} %' if tick else '0'}</text>"
        for tick in kept
    )
    return (
        f'<line x1="{_LEFT}" x2="{right}" y1="{y(0):.1f}" y2="{y(0):.1f}" stroke="currentColor" '
        f'stroke-opacity="0.5" stroke-dasharray="1 3"/>{labels}'
        f'<text x="{_LEFT}" y="{foot + 12}">0</text>'
        f'<text x="{right}" y="{foot + 12}" text-anchor="end">pairs of games (n = {pairs})</text>'
    )


def _series(number: int, key: str, xs: Sequence[float], ys: Sequence[float], dot: float) -> str:
    """Return the line of a number, the dot of its estimate, and its name below the figure."""
    colour = colour_of(number)
    dash = _DASHES[number // len(LINE_COLOURS) % len(_DASHES)]
    line = f'fill="none" stroke="{colour}" stroke-width="1.6" stroke-dasharray="{dash}"'
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
    row = _HEIGHT + _ROW * number
    return (
        f'<polyline points="{points}" {line}/>'
        f'<circle cx="{xs[-1]:.1f}" cy="{dot:.1f}" r="3.5" fill="{colour}"/>'
        f'<polyline points="{_LEFT},{row} {_LEFT + 24},{row}" {line}/>'
        f'<text x="{_LEFT + 30}" y="{row + 4}">{escape(key)}</text>'
    )
