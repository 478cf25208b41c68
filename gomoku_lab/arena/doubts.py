"""What a reader of ratings must know about the runs beneath them, in words.

What gives reason to doubt the games themselves, such as copies, is told by those who count them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from gomoku_lab.arena.imported import AnyRun, ImportedRun
from gomoku_lab.arena.store import Run

STOPPED_WARNING: Final = (
    "a sequential test may have ended this match; such a result leans away from 0 Elo"
)
"""What a match that a test may have stopped does to estimates that take its length as fixed."""


def run_warnings(runs: Sequence[AnyRun]) -> Iterator[str]:
    """Say what the runs, apart from their games, give reason to doubt."""
    for run in runs:
        if isinstance(run, ImportedRun):
            yield from _import_warnings(run)
    played_here = [run for run in runs if isinstance(run, Run)]
    for run in played_here:
        played, wanted = 2 * len(run.pairs), run.config.total_games
        if run.config.sprt is not None:
            yield f"{run.path.name}: {STOPPED_WARNING}"
        elif played < wanted:
            yield f"{run.path.name}: not finished, {played} of {wanted} games played"
    if len({run.config.adjudication for run in played_here}) > 1:
        yield "the runs adjudicate games by different rules"
    codes = sorted({code for run in played_here for code in _codes(run.facts)})
    if len(codes) > 1:
        yield f"the games were played by different versions of the program: {', '.join(codes)}"


def _import_warnings(run: ImportedRun) -> Iterator[str]:
    name = run.path.name
    if run.skipped:
        count = len(run.skipped)
        words = "1 entry was" if count == 1 else f"{count} entries were"
        yield f"{name}: {words} left out when this was imported"
    results = sum(row.games for row in run.counts)
    if results:
        yield f"{name}: the colours of {results} games are not known"
    undrawn = sum(row.games for row in run.counts if row.draws is None)
    if undrawn:
        yield f"{name}: the draws beside {undrawn} won and lost games are not known"


def _codes(facts: Mapping[str, Any]) -> set[str]:
    """Return the versions of the program that played a run, such as ``0.1.0 (1a2b3c4d)``."""
    found = set()
    for session in facts.get("sessions") or [facts]:
        git = session.get("git") or {}
        dirty = ", changed" if git.get("dirty") else ""
        commit = f" ({git['commit'][:8]}{dirty})" if git.get("commit") else ""
        found.add(f"{session.get('version', 'unknown')}{commit}")
    return found
