"""The page about a study: what was tuned, how the numbers went, where they led.

It is whole in itself, as all reports of the lab are, and computes no statistics.
"""

from __future__ import annotations

import shlex
from functools import partial
from html import escape
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import gomoku_lab
from gomoku_lab.arena.facts import write_whole
from gomoku_lab.arena.log import GAMES_FILE, read_pairs
from gomoku_lab.plots import plot_trajectory
from gomoku_lab.report.markup import list_html, page_html, table_html
from gomoku_lab.report.origin import study_html
from gomoku_lab.report.replays import MOST_REPLAYS, replays_html
from gomoku_lab.report.svg import figure_html
from gomoku_lab.tuning.study_view import (
    ESTIMATE_HEAD,
    ESTIMATE_NOTE,
    estimate_rows,
    study_summary,
)

if TYPE_CHECKING:
    from gomoku_lab.tuning.study import Study

_METHOD: Final = (
    "SPSA: in each pair of games two players near the present point meet, each number moved a "
    "little up for one of them and down for the other, and the point moves towards the winner. "
    "Steps and distances shrink as the study goes on.",
    "The estimate is the mean of the later points, never the point that won most. How far the "
    "later points wander is no interval: it depends on the step as well as on the games.",
    "A candidate is not shown to be better by the study that made it. That is what gomoku-lab "
    "accept is for, on openings that no study has seen.",
)


def write_study(path: str | Path, study: Study, *, games: int = MOST_REPLAYS) -> None:
    """Write the report of `study` to the file `path`."""
    write_whole(Path(path), study_report_html(study, games=games))


def study_report_html(study: Study, *, games: int = MOST_REPLAYS) -> str:
    """Return the report as one HTML page, with at most so many games to step through."""
    values = study.tuning.to_dict()
    name = study.path.resolve().name
    body = [
        f"<h1>{escape(name)}: tuning {escape(study.plan.base.name)}</h1>",
        f'<p class="faint">{escape(study_summary(values))}</p>',
        list_html(_warnings(values), "warnings"),
        "<h2>Estimates</h2>",
        table_html(ESTIMATE_HEAD, estimate_rows(values), f"{ESTIMATE_NOTE}."),
        "<h2>The way there</h2>",
        _way(values),
        "<h2>Is it better?</h2>",
        f"<pre>{escape(_accept(study))}</pre>",
        "<h2>Games</h2>",
        _games(study, games),
        "<h2>How to read this</h2>",
        list_html(_METHOD),
        "<h2>Where the numbers come from</h2>",
        study_html(study),
        f'<p class="faint">Written by gomoku_lab {escape(gomoku_lab.__version__)}.</p>',
    ]
    return page_html(f"{name}: tuning", body)


def _warnings(values: dict[str, Any]) -> list[str]:
    warnings = []
    if not values["complete"]:
        warnings.append("the study is not finished")
    if values["forfeits"]:
        warnings.append(f"{values['forfeits']} games were forfeited; they count as lost")
    return warnings


def _way(values: dict[str, Any]) -> str:
    caption = (
        "How far each number moved from its start, in per cent; the dot at the end is the estimate."
    )
    return figure_html(partial(plot_trajectory, values), "way", caption, (7.0, 4.2))


def _accept(study: Study) -> str:
    candidate = shlex.quote(str(study.path / "candidate.toml"))
    return f"gomoku-lab accept {candidate} --over {shlex.quote(study.plan.base.name)}"


def _games(study: Study, most: int) -> str:
    log = study.path / GAMES_FILE
    pairs = (pair for pair, _ in read_pairs(log)) if log.exists() else ()
    return replays_html(chain.from_iterable(pairs), 2 * study.tuning.pairs, most)
