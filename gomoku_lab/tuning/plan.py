"""What a study tunes and how: the user's settings, and the resolved plan that its folder keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from gomoku_lab.arena.config import MAX_SEED
from gomoku_lab.arena.match import Adjudication
from gomoku_lab.arena.openings import Opening, load_openings, select_openings
from gomoku_lab.engine.settings import (
    ConfigError,
    Settings,
    optional,
    real,
    short_hash,
    strings,
    table,
    whole,
    word,
)
from gomoku_lab.game.notation import parse_moves
from gomoku_lab.game.rules import DEFAULT_SIZE, MAX_SIZE, MIN_SIZE, Rule, parse_rule
from gomoku_lab.players.registry import PlayerSpec, resolve, vary
from gomoku_lab.tuning.budget import BUDGET_KEYS, Budget
from gomoku_lab.tuning.space import Parameter, Space, parameters_of
from gomoku_lab.tuning.spsa import Schedule

HELD_OUT: Final = "held-out"
_MAX_PAIRS: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySettings(Settings):
    """What the command line says about a study.

    Attributes
    ----------
    base : str
        The player to start from, as an expression.
    keys : tuple of str
        What is tuned (see `gomoku_lab.tuning.space.parameters_of`).
    pairs : int
        Pairs of games in all. The steps are made for this number: it is fixed from the start.
    group : int
        Pairs that start from the same point, and can be played at the same time.
    distance : float
        How far from the point the players of the last pair are, as a natural logarithm.
    rate : float
        Step of the last pair in units of that distance.
    nodes, time_ms, depth
        What both players may spend on a move instead of the base's own limits; one at most.
    seed, openings, rule, size, adjudication
        As in a tournament; but not the held-out openings, which are for the gate.
    """

    base: str = field(metadata=word())
    keys: tuple[str, ...] = field(metadata=strings())
    pairs: int = field(default=4000, metadata=whole(1, _MAX_PAIRS))
    group: int = field(default=8, metadata=whole(1, 4096))
    distance: float = field(default=0.15, metadata=real(1e-4, 1))
    rate: float = field(default=0.01, metadata=real(1e-6, 10))
    nodes: int | None = field(default=None, metadata=optional(whole(1, 2**62)))
    time_ms: float | None = field(default=None, metadata=optional(real(0)))
    depth: int | None = field(default=None, metadata=optional(whole(1, 64)))
    seed: int = field(default=0, metadata=whole(0, MAX_SEED))
    openings: str = field(default="book", metadata=word())
    rule: str = field(default="freestyle", metadata=word())
    size: int = field(default=DEFAULT_SIZE, metadata=whole(MIN_SIZE, MAX_SIZE))
    adjudication: Adjudication = field(default_factory=Adjudication, metadata=table(Adjudication))

    def check_rules(self) -> None:
        """Raise ConfigError if nothing is tuned, budgets differ or openings are not for this."""
        if not self.keys:
            raise ConfigError("nothing is tuned: name at least one key, such as weights.*")
        if len(self.budgets) > 1:
            names = ", ".join(budget.name for budget in self.budgets)
            raise ConfigError(f"a study has one budget: {names}")
        if self.openings == HELD_OUT:
            raise ConfigError(
                f"openings must not be {HELD_OUT}: what is tuned on them cannot be tested on them"
            )

    @property
    def budgets(self) -> tuple[Budget, ...]:
        """Give the budgets that are named."""
        given = {key: getattr(self, key) for key in BUDGET_KEYS}
        return tuple(Budget(key, value) for key, value in given.items() if value is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlan:
    """A study with everything resolved: what decides which games are played.

    Attributes
    ----------
    base : PlayerSpec
        The player to start from, with limits of its own.
    budget : Budget or None
        What it may spend in the study instead.
    parameters : tuple of Parameter
        What is tuned.
    schedule : Schedule
        How steps and distances fall.
    group, seed, rule, adjudication
        As in `StudySettings`.
    openings : tuple of Opening
        The pairs go through them again and again.
    opening_set : str
        Where they came from.
    """

    base: PlayerSpec
    budget: Budget | None
    parameters: tuple[Parameter, ...]
    schedule: Schedule
    group: int
    openings: tuple[Opening, ...]
    opening_set: str
    seed: int
    rule: Rule
    adjudication: Adjudication

    @property
    def size(self) -> int:
        """Give the board size."""
        return self.openings[0].size

    @property
    def player(self) -> PlayerSpec:
        """Give the player that the study starts from, with the study's budget."""
        return self.base if self.budget is None else self.budget.of(self.base)

    def space(self) -> Space:
        """Return the points around that player."""
        return Space(self.player, self.parameters)

    def opening_of(self, pair: int) -> int:
        """Return the index of the opening of a pair, counted from 1."""
        return (pair - 1) % len(self.openings)

    def candidate(self, values: Mapping[str, float]) -> PlayerSpec:
        """Return the base with other values, and with limits of its own."""
        return vary(self.base, values)

    def config_hash(self) -> str:
        """Return 12 hexadecimal digits that change with anything that decides the games."""
        values = self.to_dict()
        del values["opening_set"]
        values["base"] = [self.base.name, self.base.config_hash]
        return short_hash(values)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form that `from_dict` reads."""
        return {
            "base": self.base.to_dict(),
            "budget": None if self.budget is None else asdict(self.budget),
            "parameters": [one.to_dict() for one in self.parameters],
            "pairs": self.schedule.pairs,
            "rate": self.schedule.rate,
            "group": self.group,
            "seed": self.seed,
            "opening_set": self.opening_set,
            "openings": [[opening.name, opening.move_string()] for opening in self.openings],
            "rule": str(self.rule),
            "size": self.size,
            "adjudication": self.adjudication.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> StudyPlan:
        """Return the plan that `to_dict` wrote."""
        size, budget = values["size"], values["budget"]
        return cls(
            base=PlayerSpec.from_dict(values["base"]),
            budget=None if budget is None else Budget(**budget),
            parameters=tuple(Parameter(**one) for one in values["parameters"]),
            schedule=Schedule(pairs=values["pairs"], rate=values["rate"]),
            group=values["group"],
            openings=tuple(
                Opening(name, parse_moves(moves, size), size) for name, moves in values["openings"]
            ),
            opening_set=values["opening_set"],
            seed=values["seed"],
            rule=parse_rule(values["rule"]),
            adjudication=Adjudication.from_dict(values["adjudication"]),
        )


def resolve_study(settings: StudySettings, *, base: PlayerSpec | None = None) -> StudyPlan:
    """Look up what the settings name: player, keys, openings, rule.

    `base` stands in for the player if it has been looked up already.

    Raises
    ------
    ValueError
        If one of them is unknown, or a key cannot be tuned.
    """
    rule = parse_rule(settings.rule)
    spec = resolve(settings.base) if base is None else base
    openings = load_openings(settings.openings, rule=rule, size=settings.size)
    plan = StudyPlan(
        base=spec,
        budget=next(iter(settings.budgets), None),
        parameters=parameters_of(spec.config, settings.keys, distance=settings.distance),
        schedule=Schedule(pairs=settings.pairs, rate=settings.rate),
        group=settings.group,
        openings=tuple(select_openings(openings, len(openings), settings.seed)),
        opening_set=settings.openings,
        seed=settings.seed,
        rule=rule,
        adjudication=settings.adjudication,
    )
    plan.space()
    return plan
