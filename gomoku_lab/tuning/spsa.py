"""SPSA: climbing a hill that is seen only through noisy comparisons of two points.

Simultaneous perturbation (J. C. Spall, IEEE Trans. Aerosp. Electron. Syst. 34, 1998) with the
schedule that engine testers use (https://github.com/official-stockfish/fishtest): all coordinates
are moved up or down at random, the two opposite points play, and the point goes towards the winner.
What is played and how points become players is told elsewhere (`space`, `study`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gomoku_lab.stats.pairs import FloatArray

ALPHA: Final = 0.602
GAMMA: Final = 0.101
"""Exponents with which step size and distance fall, the lowest for which Spall's proof holds."""
STABILITY: Final = 0.1
"""Share of all pairs by which the first steps are held back (Spall's A)."""
AVERAGED: Final = 0.5
"""Share of the points, the last ones, whose mean is the estimate (B. T. Polyak, A. B. Juditsky,
SIAM J. Control Optim. 30, 1992): one point is as noisy as the games before it, and the one that won
most was the luckiest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """How far apart the two points are, and how far a result moves the point.

    Attributes
    ----------
    pairs : int
        Pairs of games in all.
    rate : float
        Step at the last pair, in units of the distance there: a result of w wins minus l losses
        moves a coordinate by ``rate * distance * (w - l)``.
    """

    pairs: int
    rate: float

    def __post_init__(self) -> None:
        if self.pairs < 1:
            raise ValueError(f"pairs must be at least 1: {self.pairs!r}")
        if not 0 < self.rate < np.inf:
            raise ValueError(f"rate must be above 0: {self.rate!r}")

    @property
    def stability(self) -> float:
        """Give Spall's A."""
        return STABILITY * self.pairs

    def c0(self, c_end: float) -> float:
        """Return the distance at the first pair that leads to `c_end` at the last one."""
        return float(c_end * self.pairs**GAMMA)

    def a0(self, c_end: float) -> float:
        """Return Spall's a, for which the step at the last pair is `rate`."""
        return float(self.rate * c_end**2 * (self.stability + self.pairs) ** ALPHA)

    def distance(self, pair: int, c_end: float = 1.0) -> float:
        """Return how far a coordinate is moved up or down for a pair, counted from 1."""
        return float(self.c0(c_end) / pair**GAMMA)

    def rate_at(self, pair: int) -> float:
        """Return the step for a pair in units of its distance; it is alike for all coordinates."""
        step = self.a0(1.0) / (self.stability + pair) ** ALPHA
        return float(step / self.distance(pair) ** 2)


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """Two points that are to play a pair of games.

    Attributes
    ----------
    pair : int
        Number of the pair, from 1.
    offsets : float64[n]
        What is added to the point for the first player, and taken away for the second one.
    uniforms : float64[n]
        Draws from 0..1 (1 excluded), for whoever has to round; the same for both.
    """

    pair: int
    offsets: FloatArray
    uniforms: FloatArray


class Spsa:
    """The point, from its start to wherever the results lead it.

    Pairs are asked for in groups, which may be played side by side: all of a group start from the
    same point, and their results move it together, in the order of their numbers. So the way
    depends on the seed and the results alone.

    Parameters
    ----------
    start : float64[n]
        The first point.
    distances : float64[n]
        How far each coordinate is moved at the last pair.
    schedule : Schedule
        How distances and steps fall.
    seed : int
        Root of all draws.
    project : callable, optional
        Returns the nearest allowed point to one that is not allowed.

    Attributes
    ----------
    point : float64[n]
        Where it stands.
    pairs : int
        How many results have been told.
    path : list of float64[n]
        The start, and the point after each group.
    ends : list of int
        The number of results behind each point of the path.
    """

    def __init__(
        self,
        start: FloatArray,
        distances: FloatArray,
        schedule: Schedule,
        *,
        seed: int,
        project: Callable[[FloatArray], FloatArray] | None = None,
    ) -> None:
        self.point = np.array(start, dtype=np.float64)
        self.pairs = 0
        self.path = [self.point]
        self.ends = [0]
        self._distances = np.array(distances, dtype=np.float64)
        self._schedule = schedule
        self._seed = seed
        self._project = project

    @property
    def is_complete(self) -> bool:
        """Tell whether all pairs of the schedule have been told."""
        return self.pairs >= self._schedule.pairs

    def ask(self, count: int) -> list[Trial]:
        """Return the next trials: `count`, or fewer if the schedule ends before."""
        last = min(self.pairs + count, self._schedule.pairs)
        return [self._trial(pair) for pair in range(self.pairs + 1, last + 1)]

    def tell(self, trials: Sequence[Trial], results: Sequence[float]) -> None:
        """Move the point by the results of the trials that were asked for last.

        Parameters
        ----------
        trials : sequence of Trial
            All of them, in order.
        results : sequence of float
            The first player's wins minus its losses in each pair, -2..2.
        """
        if [trial.pair for trial in trials] != [
            self.pairs + number for number in range(1, len(trials) + 1)
        ]:
            raise ValueError(f"the next trial is {self.pairs + 1}: {trials[0].pair} was told")
        moved = self.point.copy()
        for trial, result in zip(trials, results, strict=True):
            if not -2 <= result <= 2:
                raise ValueError(f"a result must be -2..2: {result!r}")
            moved += self._schedule.rate_at(trial.pair) * result * trial.offsets
        self.point = moved if self._project is None else self._project(moved)
        self.pairs += len(trials)
        self.path.append(self.point)
        self.ends.append(self.pairs)

    def averaged(self) -> list[FloatArray]:
        """Return the points whose mean is the estimate: the last ones of those reached so far."""
        first = self.pairs * (1 - AVERAGED)
        later = [
            point for point, end in zip(self.path[1:], self.ends[1:], strict=True) if end > first
        ]
        return later or [self.point]

    def estimate(self) -> FloatArray:
        """Return the mean of the last points."""
        mean: FloatArray = np.mean(self.averaged(), axis=0)
        return mean if self._project is None else self._project(mean)

    def _trial(self, pair: int) -> Trial:
        size = self.point.size
        # Bits of the seed sequence, not a generator's numbers, which may change with numpy.
        words = np.random.SeedSequence(self._seed, spawn_key=(pair,)).generate_state(
            2 * size, np.uint32
        )
        signs = np.where(words[:size] & np.uint32(1), 1.0, -1.0)
        offsets = self._schedule.distance(pair) * self._distances * signs
        return Trial(pair, offsets, words[size:] / 2.0**32)
