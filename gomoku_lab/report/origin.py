"""The part of the report that says where the games of a run came from, and how to repeat it.

It takes what the run folder says; nothing is looked up.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any, Final

from gomoku_lab.arena.config import TournamentConfig
from gomoku_lab.arena.imported import AnyRun, ImportedRun
from gomoku_lab.arena.match import NO_ADJUDICATION
from gomoku_lab.arena.store import Run
from gomoku_lab.report.markup import details_html, facts_html, list_html, table_html

if TYPE_CHECKING:
    from gomoku_lab.tuning.plan import StudyPlan
    from gomoku_lab.tuning.study import Study

_SKIPPED_SHOWN: Final = 50
Facts = list[tuple[str, str]]


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
    shown = [
        ("format", f"{config.format}, {config.games} games a pairing"),
        ("openings", _openings_text(config)),
        ("games played", f"{2 * len(run.pairs)} of {config.total_games}"),
    ]
    specs = (details_html(spec.name, spec.to_toml()) for spec in config.players)
    return "\n".join(
        [
            f"<h3>{escape(run.path.resolve().name)}</h3>",
            facts_html([*shown, *_common(facts, config)]),
            repeat_html(facts, f"gomoku-lab report {shlex.quote(str(run.path))}"),
            sessions_html(facts),
            "<h3>Players</h3>",
            *specs,
            "<h3>Configuration</h3>",
            details_html("everything that decides the games, as in run.json", _json(facts)),
        ]
    )


def study_html(study: Study) -> str:
    """Return all that is needed to judge and to repeat a study."""
    plan, facts = study.plan, study.facts
    budget = (
        "its own" if plan.budget is None else f"{plan.budget.name} {plan.budget.value:g} a move"
    )
    shown = [
        ("base", plan.base.name),
        ("budget", budget),
        ("openings", f"{len(plan.openings)} of {plan.opening_set}, again and again"),
        ("pairs played", f"{study.tuning.pairs} of {plan.schedule.pairs}, {plan.group} at a time"),
    ]
    return "\n".join(
        [
            f"<h3>{escape(study.path.resolve().name)}</h3>",
            facts_html([*shown, *_common(facts, plan)]),
            repeat_html(facts, f"gomoku-lab report {shlex.quote(str(study.path))}"),
            sessions_html(facts),
            "<h3>Configuration</h3>",
            details_html("everything that decides the games, as in study.json", _json(facts)),
        ]
    )


def repeat_html(facts: Mapping[str, Any], *then: str) -> str:
    """Return the commands that make the same again, to be copied.

    Parameters
    ----------
    facts : mapping
        Its command and git state are looked at.
    then : str
        Commands that follow.
    """
    git, command = facts.get("git"), facts.get("command")
    lines = []
    if git:
        changes = "  # with local changes, which are not recorded" if git["dirty"] else ""
        lines.append(f"git checkout {git['commit']}{changes}")
    else:
        lines.append(f"# gomoku_lab {facts.get('version', 'of an unknown version')}")
    lines.append(shlex.join(command) if command else "# played from Python: no command is recorded")
    return f"<h3>To repeat it</h3><pre>{escape(chr(10).join([*lines, *then]))}</pre>"


def sessions_html(facts: Mapping[str, Any]) -> str:
    """Return when it was played on, with what, unless that was all at once."""
    sessions = [
        f"{one.get('started')}: {one.get('jobs')} jobs, {one.get('backend')}, "
        f"{one.get('version')}, {_git_text(one.get('git'))}: {shlex.join(one.get('command', []))}"
        for one in facts.get("sessions") or []
    ]
    return f"<h3>Sessions</h3>{list_html(sessions)}" if len(sessions) > 1 else ""


def machine_facts(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return with what code, versions and machine something was made."""
    versions, machine = facts.get("versions") or {}, facts.get("machine") or {}
    return [
        ("gomoku_lab", f"{facts.get('version', 'unknown')}, {_git_text(facts.get('git'))}"),
        ("versions", ", ".join(f"{name} {version}" for name, version in versions.items())),
        ("machine", ", ".join(f"{key} {value}" for key, value in machine.items())),
    ]


def _common(facts: Mapping[str, Any], config: TournamentConfig | StudyPlan) -> Facts:
    """Return what is told of runs and studies alike."""
    adjudication = config.adjudication
    judged = [f"{key} {value}" for key, value in adjudication.to_dict().items()]
    return [
        ("command", shlex.join(facts["command"])),
        ("seed", str(config.seed)),
        ("rule", f"{config.rule}, {config.size}x{config.size}"),
        ("adjudication", "none" if adjudication == NO_ADJUDICATION else ", ".join(judged)),
        ("configuration hash", facts["hash"]),
        *machine_facts(facts),
        ("started", time_text(facts["started"])),
        ("ended", time_text(facts["ended"] or "not yet")),
    ]


def _git_text(git: Mapping[str, Any] | None) -> str:
    if not git:
        return "not from a checkout"
    return f"commit {git['commit']}{' with local changes' if git['dirty'] else ''}"


def _json(facts: Mapping[str, Any]) -> str:
    return json.dumps(facts["config"], indent=1, ensure_ascii=False)
