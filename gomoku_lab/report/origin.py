"""The part of the report that says where the games of a run came from, and how to repeat it.

It takes what the run folder says; nothing is looked up.
"""

from __future__ import annotations

import json
import shlex
from html import escape
from typing import Any, Final

from gomoku_lab.arena.config import TournamentConfig
from gomoku_lab.arena.imported import AnyRun, ImportedRun
from gomoku_lab.arena.match import NO_ADJUDICATION
from gomoku_lab.arena.store import Run
from gomoku_lab.report.markup import details_html, facts_html, list_html, table_html

_SKIPPED_SHOWN: Final = 50


def provenance_html(run: AnyRun) -> str:
    """Return all that is needed to judge a run, and to repeat one that was played here."""
    return _imported_html(run) if isinstance(run, ImportedRun) else _played_html(run)


def time_text(utc: str) -> str:
    """Return a moment in UTC for people."""
    return utc.replace("T", " ").replace("Z", " UTC")


def _imported_html(run: ImportedRun) -> str:
    """Return where imported games came from, and what of them was left out."""
    facts = run.facts
    shown = [
        ("command", shlex.join(facts["command"])),
        ("games", f"{2 * len(run.pairs)} in pairs, {len(run.singles)} alone"),
        ("results without games", f"{len(run.counts)} of two players each"),
        ("left out", str(len(run.skipped))),
        ("content hash", facts["hash"]),
        ("gomoku_lab", f"{facts.get('version', 'unknown')}, {_git_text(facts.get('git'))}"),
        ("imported", time_text(facts["started"])),
    ]
    sources = [
        (one.file, one.format, str(one.games), str(one.counts), str(one.skipped), one.sha256[:16])
        for one in run.sources
    ]
    head = ("file", "format", "games", "results", "left out", "SHA-256")
    skipped = [str(problem) for problem in run.skipped[:_SKIPPED_SHOWN]]
    if len(run.skipped) > _SKIPPED_SHOWN:
        skipped.append(f"... and {len(run.skipped) - _SKIPPED_SHOWN} more, in run.json")
    return "\n".join(
        [
            f"<h3>{escape(run.path.resolve().name)}</h3>",
            facts_html(shown),
            table_html(head, sources, "Files from which was imported.", text=(0, 1)),
            list_html(run.notes),
            f"<h3>Left out</h3>{list_html(skipped)}" if skipped else "",
        ]
    )


def _openings_text(config: TournamentConfig) -> str:
    text = f"{len(config.openings)} of {config.opening_set}, each played twice"
    if config.random_moves:
        text += f", with {config.random_moves} random moves behind"
    return text


def _played_html(run: Run) -> str:
    """Return all that is needed to judge and to repeat a run."""
    config, facts = run.config, run.facts
    machine = facts.get("machine") or {}
    versions = facts.get("versions") or {}
    adjudication = config.adjudication
    judged = [f"{key} {value}" for key, value in adjudication.to_dict().items()]
    shown = [
        ("command", shlex.join(facts["command"])),
        ("seed", str(config.seed)),
        ("format", f"{config.format}, {config.games} games a pairing"),
        ("openings", _openings_text(config)),
        ("rule", f"{config.rule}, {config.size}x{config.size}"),
        ("adjudication", "none" if adjudication == NO_ADJUDICATION else ", ".join(judged)),
        ("games played", f"{2 * len(run.pairs)} of {config.total_games}"),
        ("configuration hash", facts["hash"]),
        ("gomoku_lab", f"{facts.get('version', 'unknown')}, {_git_text(facts.get('git'))}"),
        ("versions", ", ".join(f"{name} {version}" for name, version in versions.items())),
        ("machine", ", ".join(f"{key} {value}" for key, value in machine.items())),
        ("started", time_text(facts["started"])),
        ("ended", time_text(facts["ended"] or "not yet")),
    ]
    sessions = [
        f"{one.get('started')}: {one.get('jobs')} jobs, {one.get('backend')}, "
        f"{one.get('version')}, {_git_text(one.get('git'))}: {shlex.join(one.get('command', []))}"
        for one in facts.get("sessions") or []
    ]
    specs = (details_html(spec.name, spec.to_toml()) for spec in config.players)
    return "\n".join(
        [
            f"<h3>{escape(run.path.resolve().name)}</h3>",
            facts_html(shown),
            f"<h3>Sessions</h3>{list_html(sessions)}" if len(sessions) > 1 else "",
            "<h3>Players</h3>",
            *specs,
            "<h3>Configuration</h3>",
            details_html("everything that decides the games, as in run.json", _json(facts)),
        ]
    )


def _git_text(git: dict[str, Any] | None) -> str:
    if not git:
        return "not from a checkout"
    return f"commit {git['commit']}{' with local changes' if git['dirty'] else ''}"


def _json(facts: dict[str, Any]) -> str:
    return json.dumps(facts["config"], indent=1, ensure_ascii=False)
