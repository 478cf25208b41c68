"""Where a study stands: all of it follows from its plan and the pairs in its log.

The pairs of a group may be finished in any order; what they lead to does not depend on it. Nothing
here plays, reads or writes (`study`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from gomoku_lab.arena.log import GamePair, RunError
from gomoku_lab.arena.schedule import ScheduledPair, pair_seeds
from gomoku_lab.arena.worker import PairTask
from gomoku_lab.game.record import PlayerRef
from gomoku_lab.players.registry import PlayerSpec
from gomoku_lab.stats.pairs import FloatArray
from gomoku_lab.tuning.plan import StudyPlan
from gomoku_lab.tuning.spsa import Spsa, Trial

SCHEMA_VERSION: Final = 1
_BLACK: Final = {"black": 1.0, "draw": 0.0, "white": -1.0}


class Tuning:
    """The way of a study's point, told pair by pair.

    Parameters
    ----------
    plan : StudyPlan
        The study.

    Attributes
    ----------
    pairs : int
        Pairs that have been taken in.
    forfeits : int
        Games among them that were lost by a crash, an illegal move or the clock.
    """

    def __init__(self, plan: StudyPlan) -> None:
        self.plan = plan
        self.pairs = 0
        self.forfeits = 0
        self._space = plan.space()
        self._spsa = Spsa(
            self._space.start,
            self._space.distances,
            plan.schedule,
            seed=plan.seed,
            project=self._project,
        )
        self._trials: list[Trial] = []
        self._tasks: dict[str, PairTask] = {}
        self._results: dict[str, float] = {}
        self._ask()

    @property
    def is_complete(self) -> bool:
        """Tell whether all pairs have been taken in."""
        return self._spsa.is_complete

    def missing(self) -> list[PairTask]:
        """Return the pairs of the present group that have not been taken in."""
        return [task for name, task in self._tasks.items() if name not in self._results]

    def take(self, pair: GamePair) -> None:
        """Take in a finished pair of the present group.

        Raises
        ------
        RunError
            If it is not part of the group, comes twice, or was played by others.
        """
        name = pair[0].pair
        task = self._tasks.get(name)
        if task is None or name in self._results:
            wanted = ", ".join(task.scheduled.id for task in self.missing()) or "none"
            raise RunError(f"pair {name}: is not one of those that come next: {wanted}")
        played = [(game.black, game.white) for game in pair]
        if played != [task.refs, task.refs[::-1]]:
            raise RunError(f"pair {name}: was played by {played[0]}, not by {task.refs}")
        self._results[name] = _BLACK[pair[0].result] - _BLACK[pair[1].result]
        self.pairs += 1
        self.forfeits += sum(game.is_forfeit for game in pair)
        if len(self._results) == len(self._trials):
            # In the order of their numbers: sums of floats depend on it.
            self._spsa.tell(self._trials, [self._results[one] for one in self._tasks])
            self._ask()

    @property
    def estimate(self) -> FloatArray:
        """Give the exact estimate: the mean of the later points, as numbers."""
        exact: FloatArray = np.exp(self._spsa.estimate())
        return exact

    def values(self) -> dict[str, float]:
        """Return the estimate by keys, whole numbers rounded to the nearest."""
        return self._space.values(self._spsa.estimate())

    def candidate(self) -> PlayerSpec:
        """Return the base with the estimate's values."""
        return self.plan.candidate(self.values())

    def to_dict(self) -> dict[str, Any]:
        """Return what ``tuning.json`` holds: the estimate, and the way to it."""
        path = np.exp(self._spsa.path)
        later = np.exp(self._spsa.averaged())
        values, exact = self.values(), self.estimate
        return {
            "schema": SCHEMA_VERSION,
            "study": self.plan.config_hash(),
            "base": self.plan.base.name,
            "candidate": self.candidate().name,
            "pairs": self._spsa.pairs,
            "total_pairs": self.plan.schedule.pairs,
            "complete": self.is_complete,
            "forfeits": self.forfeits,
            "parameters": [
                {
                    **one.to_dict(),
                    "value": values[one.key],
                    "estimate": float(exact[number]),
                    "least": float(later[:, number].min()),
                    "most": float(later[:, number].max()),
                }
                for number, one in enumerate(self.plan.parameters)
            ],
            "trajectory": {
                "pairs": self._spsa.ends,
                "values": {
                    one.key: path[:, number].tolist()
                    for number, one in enumerate(self.plan.parameters)
                },
            },
        }

    def _project(self, point: FloatArray) -> FloatArray:
        """Return the nearest point in ranges and rules; the present one if that is refused."""
        projected = self._space.project(point)
        return projected if self._space.is_allowed(projected) else self._spsa.point

    def _ask(self) -> None:
        self._trials = self._spsa.ask(self.plan.group)
        self._results = {}
        self._tasks = {}
        for trial in self._trials:
            task = self._task(trial)
            self._tasks[task.scheduled.id] = task

    def _task(self, trial: Trial) -> PairTask:
        plan = self.plan
        name = f"{trial.pair:06d}"
        opening = plan.opening_of(trial.pair)
        specs = self._space.trial(self._spsa.point, trial)
        return PairTask(
            scheduled=ScheduledPair(name, 0, 1, opening, pair_seeds(plan.seed, name)),
            opening=plan.openings[opening],
            specs=specs,
            refs=_refs(specs),
        )


@dataclass(frozen=True, slots=True)
class Way:
    """How far one number of a study was from its start, in percent of that.

    Attributes
    ----------
    key : str
        Which number of the player.
    changes : tuple of float
        At each point of the trajectory.
    estimate : float
        The estimate's.
    """

    key: str
    changes: tuple[float, ...]
    estimate: float


def ways_in_percent(values: Mapping[str, Any]) -> list[Way]:
    """Return the way of each number, from what ``tuning.json`` holds."""
    path = values["trajectory"]["values"]
    return [
        Way(
            key=one["key"],
            changes=tuple(_percent(value, one["start"]) for value in path[one["key"]]),
            estimate=_percent(one["estimate"], one["start"]),
        )
        for one in values["parameters"]
    ]


def _percent(value: float, start: float) -> float:
    return 100 * (value / start - 1)


def _refs(specs: tuple[PlayerSpec, PlayerSpec]) -> tuple[PlayerRef, PlayerRef]:
    """Return how records name both; where rounding has made them alike, the second has a number."""
    first, second = (spec.name for spec in specs)
    if first == second:
        second += "#2"
    return PlayerRef(first, specs[0].config_hash), PlayerRef(second, specs[1].config_hash)
