"""What can be tuned: numbers of a configuration, as logarithms, and players made of points.

A point holds the natural logarithm of each number, so that equal steps are equal percentages. What
a point must not be is moved to where it may: into the range that the configuration allows, and for
pattern weights by `rules`. What is allowed neither way is not played (`Space.trial`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from fnmatch import fnmatchcase
from typing import Any, Final

import numpy as np

from gomoku_lab.engine.config import PatternWeights
from gomoku_lab.engine.settings import ConfigError, Settings, nearest_key
from gomoku_lab.players.registry import PlayerSpec, vary
from gomoku_lab.stats.pairs import FloatArray
from gomoku_lab.tuning.budget import BUDGET_KEYS
from gomoku_lab.tuning.rules import keep_rules
from gomoku_lab.tuning.spsa import Trial

_WEIGHTS: Final = "weights."
_FURTHEST: Final = 1000.0
"""By how much a number may fall or rise where its range goes to 0 or has no end."""
_DIGITS: Final = 6
_SHRINKS: Final = (1.0, 0.5, 0.25, 0.125)
_LARGEST_DISTANCE: Final = 1.0
_NEARLY_ONE: Final = 1 - 2.0**-32


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One number to be tuned.

    Attributes
    ----------
    key : str
        Its dotted key in the configuration.
    start, low, high : float
        Its first value, and the range that it is kept in; all positive.
    whole : bool
        Whether the configuration wants whole numbers.
    distance : float
        How far from the point it is played at the last pair, as a natural logarithm: 0.15 is about
        15 %.
    """

    key: str
    start: float
    low: float
    high: float
    whole: bool
    distance: float

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return asdict(self)


def parameters_of(
    config: Settings, wanted: Sequence[str], *, distance: float
) -> tuple[Parameter, ...]:
    """Return the numbers of `config` that are wanted, in the order of the configuration.

    Parameters
    ----------
    config : Settings
        A player's configuration.
    wanted : sequence of str
        Dotted keys or globs of them, such as ``weights.*``, which take what can be tuned; each may
        have a distance of its own, as in ``width=0.3``. The last one that names a key counts.
    distance : float
        That of all others.

    Raises
    ------
    ConfigError
        If something that is wanted is no key, no number, not positive or a budget.
    """
    known = dict(_leaves(config))
    chosen: dict[str, float] = {}
    for words in wanted:
        pattern, _, own = words.partition("=")
        matching = [key for key in known if fnmatchcase(key, pattern)]
        tunable = [key for key in matching if _reason_against(key, *known[key]) is None]
        if not tunable:
            raise ConfigError(f"{words}: {_complaint(pattern, matching, known)}")
        chosen |= dict.fromkeys(tunable, _distance(own, words) if own else distance)
    return tuple(
        _parameter(key, *known[key], distance=chosen[key]) for key in known if key in chosen
    )


class Space:
    """The points of some parameters, around a player.

    Parameters
    ----------
    base : PlayerSpec
        The player whose numbers are tuned; it keeps all others.
    parameters : sequence of Parameter
        The coordinates.

    Raises
    ------
    ConfigError
        If a parameter cannot be moved by itself, since what is near it is not allowed.
    """

    def __init__(self, base: PlayerSpec, parameters: Sequence[Parameter]) -> None:
        self.base = base
        self.parameters = tuple(parameters)
        self.start = np.log([one.start for one in self.parameters])
        self.distances = np.array([one.distance for one in self.parameters])
        self._low = np.log([one.low for one in self.parameters])
        self._high = np.log([one.high for one in self.parameters])
        weights = getattr(base.config, "weights", None)
        self._weights = weights.to_dict() if isinstance(weights, PatternWeights) else {}
        self._check_neighbours()

    def project(self, point: FloatArray) -> FloatArray:
        """Return the point, moved into the ranges and to where the weights keep their rules."""
        inside = np.clip(point, self._low, self._high)
        moved = self._keep_rules(np.exp(inside), whole=False)
        return np.clip(np.log(moved), self._low, self._high)

    def values(self, point: FloatArray, uniforms: FloatArray | None = None) -> dict[str, float]:
        """Return the numbers of a point by their keys.

        Parameters
        ----------
        point : float64[n]
            The point, which is projected.
        uniforms : float64[n], optional
            Draws from 0..1 by which whole numbers are rounded up or down, so that their mean is the
            point's; without them the nearest is taken.
        """
        exact = np.exp(self.project(point))
        rounded = []
        for number, one in enumerate(self.parameters):
            value = float(exact[number])
            if one.whole:
                draw = 0.5 if uniforms is None else float(uniforms[number])
                value = min(max(np.floor(value + draw), np.ceil(one.low)), np.floor(one.high))
            else:
                value = float(f"{value:.{_DIGITS}g}")
            rounded.append(value)
        kept = self._keep_rules(np.array(rounded), whole=True)
        return {
            one.key: int(value) if one.whole else float(value)
            for one, value in zip(self.parameters, kept, strict=True)
        }

    def player(self, point: FloatArray, uniforms: FloatArray | None = None) -> PlayerSpec:
        """Return the player at a point; ConfigError if there is none."""
        return vary(self.base, self.values(point, uniforms))

    def is_allowed(self, point: FloatArray) -> bool:
        """Tell whether there is a player at a point."""
        try:
            self.player(point)
        except ConfigError:
            return False
        return True

    def trial(self, point: FloatArray, trial: Trial) -> tuple[PlayerSpec, PlayerSpec]:
        """Return the two players of a trial around a point.

        A player that the configuration refuses for another reason than the ranges and rules is
        looked for at half the distance, and so on; at last the point plays, which is allowed.
        """
        first, second = (self._near(point, sign * trial.offsets, trial) for sign in (1.0, -1.0))
        return first, second

    def _near(self, point: FloatArray, offsets: FloatArray, trial: Trial) -> PlayerSpec:
        for shrink in _SHRINKS:
            try:
                return self.player(point + shrink * offsets, trial.uniforms)
            except ConfigError:
                continue
        return self.player(point)

    def _keep_rules(self, values: FloatArray, *, whole: bool) -> FloatArray:
        """Return the numbers with those rules kept that pattern weights have."""
        names = [one.key.removeprefix(_WEIGHTS) for one in self.parameters]
        free = {
            name: number
            for number, name in enumerate(names)
            if self._weights and self.parameters[number].key == _WEIGHTS + name
        }
        if not free:
            return values
        given = {name: float(values[number]) for name, number in free.items()}
        kept = keep_rules({**self._weights, **given}, free, whole=whole)
        moved = values.copy()
        for name, number in free.items():
            moved[number] = kept[name]
        return moved

    def _check_neighbours(self) -> None:
        for number, one in enumerate(self.parameters):
            for sign in (1.0, -1.0):
                moved = self.start.copy()
                moved[number] += sign * one.distance
                for draw in (0.0, _NEARLY_ONE):
                    try:
                        self.player(moved, np.full(moved.size, draw))
                    except ConfigError as error:
                        raise ConfigError(f"{one.key} cannot be tuned: {error}") from None


def _leaves(config: Settings, prefix: str = "") -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Yield the dotted keys of all fields with their values and metadata."""
    for item in fields(config):
        value = getattr(config, item.name)
        if isinstance(value, Settings):
            yield from _leaves(value, f"{prefix}{item.name}.")
        else:
            yield prefix + item.name, (value, item.metadata)


def _reason_against(key: str, value: Any, metadata: Any) -> str | None:
    """Say why a key cannot be tuned; None if it can."""
    if "range" not in metadata:
        return f"{key} is no number"
    if key in (*BUDGET_KEYS, "threads"):
        return f"{key} is a budget: more is always stronger"
    if value is None or not value > 0:
        return f"{key} must start above 0, since it is moved by percentages: {value!r}"
    return None


def _complaint(pattern: str, matching: Sequence[str], known: dict[str, tuple[Any, Any]]) -> str:
    if len(matching) == 1:
        return str(_reason_against(matching[0], *known[matching[0]]))
    if matching:
        return f"none of these can be tuned: {', '.join(matching)}"
    can = [key for key in known if _reason_against(key, *known[key]) is None]
    nearest = nearest_key(pattern, known)
    hint = f"; did you mean {nearest!r}?" if nearest else ";"
    return f"no such key{hint} those that can be tuned: {', '.join(can) or 'none'}"


def _distance(text: str, words: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not 0 < value <= _LARGEST_DISTANCE:
        raise ConfigError(f"{words}: a distance must be above 0 and at most 1: {text!r}")
    return value


def _parameter(key: str, value: Any, metadata: Any, *, distance: float) -> Parameter:
    low, high = metadata["range"]
    whole = metadata["whole"]
    start = float(value)
    if low <= 0:
        low = 1 if whole else start / _FURTHEST
    return Parameter(
        key=key,
        start=start,
        low=float(low),
        high=float(min(high, start * _FURTHEST) if np.isinf(high) else high),
        whole=whole,
        distance=distance,
    )
