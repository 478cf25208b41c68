"""The player file of a candidate that has passed the gate: the one place that writes presets.

The file tells in ``[provenance]`` what the candidate was tested against, with which commands, seeds
and openings, how each test ended, and where the candidate itself came from.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gomoku_lab.arena.facts import write_whole
from gomoku_lab.arena.provenance import utc_now
from gomoku_lab.engine.settings import ConfigError
from gomoku_lab.players.families import family_named
from gomoku_lab.players.files import PlayerFile, preset_path, read_player_file
from gomoku_lab.players.registry import PlayerSpec
from gomoku_lab.tuning.gate import Gate, GateConfig, Stage
from gomoku_lab.tuning.origin import origin_of


def check_preset(name: str, config: GateConfig) -> Path:
    """Return the file of the preset `name`, which the candidate is to become.

    Raises
    ------
    ConfigError
        If it is none, belongs to another family, or is another preset than the base: no verdict
        says that the candidate is better than that one.
    """
    path = preset_path(name)
    family = config.candidate.family
    for key in ("evaluation", "move_order"):
        table = str(getattr(config.candidate.config, key, "")).partition("@")[0]
        if table.endswith(".json"):
            raise ConfigError(
                f"{name}: a preset cannot name the file {table} ({key}): let the table ship first"
            )
    if name.partition("/")[0] != family:
        raise ConfigError(f"{name}: the candidate {config.candidate.name} is of family {family}")
    if path.exists() and config.base.config != read_player_file(path).config:
        raise ConfigError(
            f"{name}: this preset exists and is not what the candidate is tested against, which "
            f"is {config.base.name}"
        )
    return path


def check_out(path: Path) -> Path:
    """Return `path` if a new file can stand there; ConfigError if not."""
    if path.suffix != ".toml":
        raise ConfigError(f"{path}: a player file must be called something.toml")
    if path.exists():
        raise ConfigError(f"{path}: this file exists already")
    if not path.parent.is_dir():
        raise ConfigError(f"{path}: there is no folder {path.parent}")
    return path


def source_of(expression: str) -> dict[str, Any]:
    """Return the provenance that the player file in `expression` has; empty if there is none."""
    head = expression.rpartition(".toml")[0]
    return dict(read_player_file(Path(f"{head}.toml")).provenance) if head else {}


def write_accepted(gate: Gate, path: Path, *, replacing: bool = False) -> PlayerFile:
    """Write the candidate of a gate that has accepted it as a player file.

    With `replacing`, a preset that stands there keeps its description, place and promises.

    Raises
    ------
    ValueError
        If the gate has not accepted it, or a file that is not to be replaced stands there.
    OSError
        If the file cannot be written.
    """
    if gate.verdict != "accepted":
        raise ValueError(f"{gate.path}: the candidate is {gate.verdict or 'not yet tested'}")
    candidate = gate.config.candidate
    if replacing and path.exists():
        old = read_player_file(path)
        file = replace(old, config=candidate.config, provenance=provenance_of(gate))
    else:
        check_out(path)
        file = _new_file(candidate, provenance_of(gate))
    write_whole(path, file.to_toml())
    return file


def provenance_of(gate: Gate) -> dict[str, Any]:
    """Return what a player file tells of its acceptance."""
    facts = gate.facts
    return {
        "accepted": utc_now(),
        "candidate": _told(gate.config.candidate),
        "base": _told(gate.config.base),
        "run": gate.path.name,
        "gate": facts["hash"],
        "commands": _commands(gate),
        **origin_of(facts, gate.config.match),
        "verdicts": {stage.budget.folder: _verdict(stage) for stage in gate.stages},
        "source": facts["source"],
    }


def _new_file(candidate: PlayerSpec, provenance: Mapping[str, Any]) -> PlayerFile:
    return PlayerFile(
        family=family_named(candidate.family, candidate.name),
        config=candidate.config,
        description=candidate.description,
        required=candidate.required,
        required_without_noise=candidate.required,
        order=0,
        provenance=provenance,
    )


def _told(spec: PlayerSpec) -> str:
    return f"{spec.name} ({spec.config_hash})"


def _commands(gate: Gate) -> list[str]:
    """Return the command lines of all sessions, each once."""
    sessions = [one for stage in gate.stages for one in stage.run.facts["sessions"]]
    words = [gate.facts["command"], *(session["command"] for session in sessions)]
    return list(dict.fromkeys(shlex.join(command) for command in words if command))


def _verdict(stage: Stage) -> dict[str, Any]:
    state = stage.test.state
    given, strength = state.hypotheses, stage.strength
    interval = (
        {} if strength is None else {"elo": strength.elo.text(), "nelo": strength.nelo.text()}
    )
    return {
        "decision": state.decision,
        "elo0": given.elo0,
        "elo1": given.elo1,
        "model": given.model,
        "alpha": given.alpha,
        "beta": given.beta,
        "pairs": sum(state.counts),
        "counts": list(state.counts),
        "llr": state.llr,
        **interval,
    }
