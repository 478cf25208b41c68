"""A run for the eye: one line for terminals, a table of ratings as HTML for notebooks.

Nothing is estimated here; the numbers are those of ``gomoku-lab rate``.
"""

from __future__ import annotations

from html import escape
from typing import Final

from gomoku_lab.arena.imported import AnyRun, ImportedRun
from gomoku_lab.arena.rows import RATING_HEAD
from gomoku_lab.arena.store import RunError
from gomoku_lab.game.tables import table_html

MOST_RATED: Final = 5_000
"""Number of games up to which a run rates its players to show itself: more take their time."""


def run_summary(run: AnyRun) -> str:
    """Return a run in one line."""
    what = "ImportedRun" if isinstance(run, ImportedRun) else "Run"
    games = f"{run.game_count}"
    if not isinstance(run, ImportedRun):
        games += f" of {run.config.total_games}"
    rule = "rule not known" if run.rule is None else str(run.rule)
    size = "size not known" if run.size is None else f"{run.size}x{run.size}"
    return f"{what} {run.path}: {len(run.refs)} players, {games} games, {rule}, {size}"


def run_html(run: AnyRun) -> str:
    """Return a run as HTML: what it is, its ratings, and what speaks against them."""
    return f"<div><p>{escape(run_summary(run))}</p>{_ratings(run)}</div>"


def _ratings(run: AnyRun) -> str:
    from gomoku_lab.arena.rate import rate_runs

    if run.game_count > MOST_RATED:
        return f"<p>{run.game_count} games: ratings_frame() rates them.</p>"
    try:
        standings = rate_runs([run])
    except RunError as error:
        return f"<p>{escape(str(error))}</p>"
    title = f"{standings.zero}; {standings.independent}" if standings.zero else "no common scale"
    warnings = "".join(f"<li>{escape(warning)}</li>" for warning in standings.warnings)
    table = table_html(title, RATING_HEAD, [row.cells for row in standings.rows])
    return f"{table}<ul>{warnings}</ul>" if warnings else table
