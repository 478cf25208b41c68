"""The gate: a candidate is accepted only if it beats the base at every one of several budgets.

Each budget is a match with an exact sequential test, an ordinary run folder below that of the gate
(``gate.json`` says what is tested). They are played one after another, and the first that does not
accept the candidate ends it: so all of them together accept a candidate that is no better at most
as often as one test does, and a better one is refused more often than by one. Nothing here reads
or writes player files (`accepted`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

from gomoku_lab.arena.config import TournamentConfig
from gomoku_lab.arena.facts import has_run, read_json, write_json
from gomoku_lab.arena.folder import check_free, config_of, refusals
from gomoku_lab.arena.provenance import provenance, utc_now
from gomoku_lab.arena.sequential import MatchTest, estimate_strength
from gomoku_lab.arena.store import Run, RunError, RunWriteError, load_config
from gomoku_lab.arena.tournament import Outcome, resume_tournament, run_tournament
from gomoku_lab.engine.settings import ConfigError, short_hash
from gomoku_lab.players.registry import PlayerSpec
from gomoku_lab.stats.stopped import StoppedEstimate
from gomoku_lab.tuning.budget import Budget

Verdict = Literal["accepted", "rejected", "undecided"]
Hooks = Callable[[Budget], Mapping[str, Any]]

GATE_FILE: Final = "gate.json"
SCHEMA_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class GateConfig:
    """What a gate tests.

    Attributes
    ----------
    match : TournamentConfig
        Candidate and base, in this order, with budgets of their own; openings, seed and test.
    budgets : tuple of Budget
        At least two.
    """

    match: TournamentConfig
    budgets: tuple[Budget, ...]

    def __post_init__(self) -> None:
        if self.match.sprt is None or len(self.match.players) != 2:
            raise ConfigError("a gate is a match of two players with a sequential test")
        if self.match.sprt.elo0 < 0:
            raise ConfigError(
                "elo0 must not be below 0, or a candidate would pass that is no better: "
                f"{self.match.sprt.elo0:g}"
            )
        if len(self.budgets) < 2 or len(set(self.budgets)) < len(self.budgets):
            names = ", ".join(budget.name for budget in self.budgets) or "none"
            raise ConfigError(f"a gate needs at least two different budgets: {names}")
        for budget in self.budgets:
            candidate, base = self.stage(budget).players
            if candidate.config == base.config:
                raise ConfigError(
                    f"nothing to test: {candidate.name} and {base.name} have the same configuration"
                )

    @property
    def candidate(self) -> PlayerSpec:
        """Give the player to be accepted."""
        return self.match.players[0]

    @property
    def base(self) -> PlayerSpec:
        """Give the player to be beaten."""
        return self.match.players[1]

    def stage(self, budget: Budget) -> TournamentConfig:
        """Return the match at one budget."""
        return replace(self.match, players=tuple(budget.of(spec) for spec in self.match.players))

    def config_hash(self) -> str:
        """Return 12 hexadecimal digits that change with anything that decides the games."""
        budgets = [budget.name for budget in self.budgets]
        return short_hash({"match": self.match.config_hash(), "budgets": budgets})

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form that `from_dict` reads."""
        budgets = [{"key": budget.key, "value": budget.value} for budget in self.budgets]
        return {"match": self.match.to_dict(), "budgets": budgets}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> GateConfig:
        """Return the configuration that `to_dict` wrote."""
        budgets = tuple(Budget(one["key"], one["value"]) for one in values["budgets"])
        return cls(TournamentConfig.from_dict(values["match"]), budgets)


@dataclass(frozen=True, slots=True)
class Stage:
    """One of the matches, as far as it has been played."""

    budget: Budget
    run: Run
    test: MatchTest

    @property
    def strength(self) -> StoppedEstimate | None:
        """Give what the test says about the candidate's strength, once it is over."""
        return estimate_strength(self.run, self.test)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        state, strength = self.test.state, self.strength
        return {
            "budget": self.budget.name,
            "run": self.budget.folder,
            "hash": self.run.config.config_hash(),
            "pairs": len(self.test.judged),
            "counts": list(state.counts),
            "llr": state.llr,
            "decision": state.decision,
            "over": self.test.is_over,
            "strength": None if strength is None else strength.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Gate:
    """A gate as it stands on disk.

    Attributes
    ----------
    path : Path
        Its folder.
    config : GateConfig
        What it tests.
    facts : dict
        All of ``gate.json`` but what follows from the matches.
    stages : tuple of Stage
        The matches that were played, in order.
    interrupted : bool
        Whether Ctrl-C or a signal stopped the last one; then it can be resumed.
    """

    path: Path
    config: GateConfig
    facts: dict[str, Any]
    stages: tuple[Stage, ...] = ()
    interrupted: bool = False

    @property
    def verdict(self) -> Verdict | None:
        """Give the verdict; None as long as there is none."""
        decisions = [stage.test.state.decision for stage in self.stages]
        if "H0" in decisions:
            return "rejected"
        if decisions and decisions[-1] is None:
            return "undecided" if self.stages[-1].test.is_over else None
        return "accepted" if len(decisions) == len(self.config.budgets) else None

    def to_dict(self) -> dict[str, Any]:
        """Return what ``gate.json`` holds."""
        stages = [stage.to_dict() for stage in self.stages]
        return {**self.facts, "verdict": self.verdict, "stages": stages}


def new_gate(
    folder: Path, config: GateConfig, *, source: Mapping[str, Any], command: Sequence[str] = ()
) -> Gate:
    """Begin a gate in `folder`; `source` tells where the candidate comes from.

    Raises
    ------
    RunError
        If there is a gate or a run in the folder, or nothing can be written there.
    """
    check_free(folder, GATE_FILE)
    facts = {
        "schema": SCHEMA_VERSION,
        "hash": config.config_hash(),
        "config": config.to_dict(),
        "source": dict(source),
        "command": list(command),
        "started": utc_now(),
        **provenance(),
    }
    gate = Gate(folder, config, facts)
    with refusals(folder):
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / GATE_FILE, gate.to_dict())
    return gate


def load_gate(folder: Path) -> Gate:
    """Read a gate, without its matches; RunError if there is none or it was changed."""
    path = folder / GATE_FILE
    facts = read_json(path, SCHEMA_VERSION, what="gate")
    config = config_of(facts, GateConfig.from_dict, path, what="gate")
    kept = {key: value for key, value in facts.items() if key not in ("verdict", "stages")}
    return Gate(folder, config, kept)


def play_gate(
    gate: Gate,
    *,
    jobs: int | None = None,
    backend: str | None = None,
    scheduler: str | None = None,
    hooks: Hooks | None = None,
    command: Sequence[str] = (),
) -> Gate:
    """Play what is missing and return the gate as it stands then.

    Parameters
    ----------
    gate : Gate
        From `new_gate` or `load_gate`.
    jobs, backend, scheduler, command
        As in `run_tournament`; a match that is resumed has its last ones unless they are given.
    hooks : callable, optional
        Called with the budget of each match; returns what else `run_tournament` is to be given,
        such as ``on_start``.

    Raises
    ------
    RunError, ConfigError, WorkerLostError, ClusterLostError
        As `run_tournament` does; what was finished is kept.
    """
    for budget in gate.config.budgets:
        given = {"jobs": jobs, "scheduler": scheduler, "command": command}
        given.update({} if hooks is None else hooks(budget))
        if backend is not None:
            given["backend"] = backend
        outcome = _play_stage(gate, budget, given)
        assert outcome.test is not None
        stage = Stage(budget, outcome.run, outcome.test)
        gate = replace(gate, stages=(*gate.stages, stage), interrupted=outcome.interrupted)
        if outcome.test.state.decision != "H1":
            break
    where = gate.path / GATE_FILE
    try:
        write_json(where, gate.to_dict())
    except OSError as error:
        raise RunWriteError(f"{where}: cannot be written: {error.strerror}") from error
    return gate


def _play_stage(gate: Gate, budget: Budget, given: Mapping[str, Any]) -> Outcome:
    """Play the match at one budget, or the rest of it."""
    config, folder = gate.config.stage(budget), gate.path / budget.folder
    if not has_run(folder):
        return run_tournament(config, folder, **given)
    found = load_config(folder).config_hash()
    if found != config.config_hash():
        raise RunError(
            f"{folder}: this run has hash {found}, but the gate plays one with "
            f"{config.config_hash()}"
        )
    return resume_tournament(folder, **given)
