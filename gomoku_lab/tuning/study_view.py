"""A study for the eye: what was tuned, how far it is, and where its numbers are.

All of it takes what ``tuning.json`` holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, Final

from gomoku_lab.game.tables import beside_html, table_html
from gomoku_lab.tuning.trajectory import ways_in_percent
from gomoku_lab.tuning.way_svg import way_svg

ESTIMATE_HEAD: Final = ("key", "start", "tuned", "change", "later points")
ESTIMATE_NOTE: Final = "tuned: the mean of the later points; how far these wandered is no interval"

Row = tuple[str, str, str, str, str]


def study_summary(values: Mapping[str, Any]) -> str:
    """Return a study in one line."""
    played = f"{values['pairs']} of {values['total_pairs']} pairs of games"
    return f"{values['base']}, tuned in {played}"


def estimate_rows(values: Mapping[str, Any]) -> list[Row]:
    """Return the rows of the table of estimates, under `ESTIMATE_HEAD`."""
    return [
        (
            one["key"],
            f"{one['start']:g}",
            f"{one['value']:g}",
            f"{way.estimate:+.1f} %",
            f"{_short(one['least'])} to {_short(one['most'])}",
        )
        for one, way in zip(values["parameters"], ways_in_percent(values), strict=True)
    ]


def study_html(values: Mapping[str, Any]) -> str:
    """Return a study as HTML: the table of its numbers and the way that they went."""
    table = table_html(ESTIMATE_NOTE, ESTIMATE_HEAD, estimate_rows(values))
    both = beside_html(table, way_svg(values))
    return f"<div><p>{escape(study_summary(values))}</p>{both}</div>"


def _short(number: float) -> str:
    """Return a number with as many digits as tell something here."""
    return f"{number:.0f}" if number >= 1000 else f"{number:.3g}"
