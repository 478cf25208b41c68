"""``gomoku-lab accept``: a candidate against a base at several budgets, and then a new preset."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gomoku_lab.cli.errors import CHECK_FAILED, FINE, UNDECIDED, clean_errors
from gomoku_lab.cli.options import (
    RecordingCommand,
    check_only_resumed,
    games_of_all_openings,
    given_settings,
    given_test,
    options_without,
    recorded_words,
    sprt_options,
)
from gomoku_lab.cli.paths import PathName
from gomoku_lab.cli.playing import Watch, interrupted, new_folder, resumable
from gomoku_lab.cli.progress import say

if TYPE_CHECKING:
    from gomoku_lab.tuning.budget import Budget
    from gomoku_lab.tuning.gate import Gate, GateConfig, Stage

_NODES = "2000,10000"
_TEST = "0,20"
_OPENINGS = "held-out"
_CODES = {"accepted": FINE, "rejected": CHECK_FAILED, "undecided": UNDECIDED}


@click.command(cls=RecordingCommand)
@click.argument("candidate", required=False, metavar="CANDIDATE")
@click.option("--over", metavar="BASE", help="The player that CANDIDATE must be stronger than.")
@click.option("--nodes", metavar="A,B,...", help=f"Budgets in nodes a move. [default: {_NODES}]")
@click.option("--time-ms", metavar="A,B,...", help="Budgets in milliseconds a move.")
@click.option("--depth", metavar="A,B,...", help="Budgets in plies.")
@sprt_options(
    f"Test CANDIDATE being ELO0 stronger (H0) against ELO1 (H1), at each budget. [default: {_TEST}]"
)
@click.option(
    "--out",
    type=PathName(),
    metavar="FILE.toml",
    help="The player file to write if CANDIDATE is accepted.",
)
@click.option(
    "--preset",
    metavar="FAMILY/LEVEL",
    help="The preset to write if it is; in a checkout only. One that exists must be BASE.",
)
@click.option(
    "--run",
    "folder",
    type=PathName(),
    metavar="DIR",
    help="The folder to make for the matches. [default: a new one below runs/]",
)
@click.option(
    "--openings",
    metavar="SET|FILE",
    help=f"As for match, but not the book, on which candidates are tuned. [default: {_OPENINGS}]",
)
@options_without("openings", "out", "random-moves")
def command(candidate: str | None, over: str | None, **options: Any) -> None:
    """Accept CANDIDATE if it beats BASE in a sequential test at every budget, and only then.

    At least two budgets, with openings that no tuning has seen; the budgets replace the players'
    own nodes and time_ms, a depth limit stays. The first test that does not accept CANDIDATE ends
    it. Only this command writes presets: the file says with which commands, seeds, openings and
    results. Exit code 0 accepted, 1 rejected, 5 undecided at the limit of --games a budget (two
    games of every opening by default); 4 interrupted, and then --resume goes on.
    """
    with clean_errors():
        given = given_settings({**options, "out": None})  # which is no run folder here
        gate = _gate(candidate, over, options, given)
        target = _target(gate.config, options)
    gate = _play(gate, options)
    verdict = gate.verdict
    assert verdict is not None
    if target is not None and verdict == "accepted":
        from gomoku_lab.tuning.accepted import write_accepted

        with clean_errors():
            write_accepted(gate, target, replacing=options["preset"] is not None)
        say(f"wrote {target}", quiet=options["quiet"])
    if options["as_json"]:
        click.echo(json.dumps(gate.to_dict(), indent=1, allow_nan=False))
    else:
        for line in _lines(gate):
            click.echo(line)
    raise SystemExit(_CODES[verdict])


def _gate(
    candidate: str | None, over: str | None, options: Mapping[str, Any], given: dict[str, Any]
) -> Gate:
    """Return the gate that was begun, or a new one."""
    from gomoku_lab.tuning.accepted import source_of
    from gomoku_lab.tuning.gate import load_gate, new_gate

    if options["resume"] is not None:
        own = ("nodes", "time_ms", "depth", "sprt", "alpha", "beta", "model")
        named = {"CANDIDATE": candidate, "--over": over, "--run": options["folder"]}
        check_only_resumed({**named, **given, **{key: options[key] for key in own}})
        return load_gate(options["resume"])
    if candidate is None or over is None:
        raise click.UsageError("a candidate and a base are wanted: CANDIDATE --over BASE")
    config = _config(candidate, over, options, given)
    _target(config, options)
    folder = options["folder"] or new_folder("accept")
    return new_gate(folder, config, source=source_of(candidate), command=recorded_words())


def _config(
    candidate: str, over: str, options: Mapping[str, Any], given: dict[str, Any]
) -> GateConfig:
    from gomoku_lab.arena.config import TournamentSettings, resolve_tournament
    from gomoku_lab.players.registry import resolve
    from gomoku_lab.tuning.gate import GateConfig

    given = {"openings": _OPENINGS, **given}
    if given["openings"] == "book":
        raise click.UsageError("--openings book is what candidates are tuned on: name others")
    given.setdefault("games", games_of_all_openings(given))
    match = resolve_tournament(
        TournamentSettings().varied(given),
        specs=[resolve(candidate), resolve(over)],
        sprt=given_test(options, default=_TEST),
    )
    return GateConfig(match, _budgets(options))


def _budgets(options: Mapping[str, Any]) -> tuple[Budget, ...]:
    from gomoku_lab.tuning.budget import BUDGET_KEYS, Budget

    words = {key: options[key] for key in BUDGET_KEYS}
    if not any(words.values()):
        words["nodes"] = _NODES
    found = []
    for key, text in words.items():
        for word in (text or "").split(",") if text is not None else ():
            try:
                value = float(word)
            except ValueError:
                option = f"--{key.replace('_', '-')}"
                raise ValueError(f"{option} must be numbers such as 2000,10000: {text!r}") from None
            found.append(Budget(key, int(value) if value.is_integer() else value))
    return tuple(found)


def _target(config: GateConfig, options: Mapping[str, Any]) -> Path | None:
    """Return the file to be written, checked before anything is played; None if there is none."""
    from gomoku_lab.tuning.accepted import check_out, check_preset

    out, preset = options["out"], options["preset"]
    if out is not None and preset is not None:
        raise click.UsageError("--out names a file, --preset a preset: give one")
    if preset is not None:
        return check_preset(preset, config)
    return None if out is None else check_out(out)


def _play(gate: Gate, options: Mapping[str, Any]) -> Gate:
    """Play what is missing; if that is interrupted, the command ends here."""
    from gomoku_lab.tuning.gate import play_gate

    wanted = "".join(
        f" --{key} {shlex.quote(str(options[key]))}"
        for key in ("out", "preset")
        if options[key] is not None
    )
    resume = f"gomoku-lab accept --resume {shlex.quote(str(gate.path))}{wanted}"
    with resumable(gate.path, resume), ExitStack() as stack:

        def hooks(budget: Budget) -> Mapping[str, Any]:
            stack.close()  # the bar of the match before
            say(f"{budget.name}: {gate.config.candidate.name}", quiet=options["quiet"])
            return Watch(stack, quiet=options["quiet"]).hooks()

        gate = play_gate(
            gate,
            jobs=options["jobs"],
            backend=options["backend"],
            scheduler=options["scheduler"],
            hooks=hooks,
            command=recorded_words(),
        )
    if gate.interrupted:
        stage = gate.stages[-1]
        interrupted(f"{stage.run.game_count} games at {stage.budget.name}", resume)
    return gate


def _lines(gate: Gate) -> list[str]:
    """Return the verdict for people."""
    config, match = gate.config, gate.config.match
    test = match.sprt
    assert test is not None
    told = {
        "accepted": "accepted: stronger at every budget",
        "rejected": f"rejected at {gate.stages[-1].budget.name}",
        "undecided": f"undecided: no verdict at {gate.stages[-1].budget.name} within the limit",
    }
    rows = [
        ("candidate", f"{config.candidate.name} ({config.candidate.config_hash})"),
        ("base", f"{config.base.name} ({config.base.config_hash})"),
        (
            "openings",
            f"{match.opening_set}, at most {match.games} games a budget, seed {match.seed}",
        ),
        (
            "test",
            f"{test.elo0:g} against {test.elo1:g} {test.unit}, error rates {test.alpha:g} and "
            f"{test.beta:g}",
        ),
        *((stage.budget.name, _stage_text(stage)) for stage in gate.stages),
        *((budget.name, "not played") for budget in config.budgets[len(gate.stages) :]),
        ("verdict", told[gate.verdict or "undecided"]),
    ]
    width = max(len(label) for label, _ in rows)
    return [f"{label:{width}}  {text}" for label, text in rows]


def _stage_text(stage: Stage) -> str:
    state, strength = stage.test.state, stage.strength
    decided = "undecided" if state.decision is None else f"{state.decision} accepted"
    elo = "" if strength is None else f", Elo {strength.elo.text()}"
    return f"{decided}, LLR {state.llr:+.3f} after {2 * sum(state.counts)} games{elo}"
