"""What a learned evaluation says, in a form that a person can read.

Its values are put beside those of hand weights, scaled to it: the most valuable shapes, and the
ones that the weights price too low or too high; and what both sides' threats together are worth
most. Only as much of a value or a difference counts as its standard error leaves certain, and what
games hardly ever showed is left out, so that nothing leads a list by chance.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from gomoku_lab.engine.config import PatternWeights
from gomoku_lab.engine.learned import COMBINATIONS, GRADE_NAMES, THREAT_NAMES, LearnedTable
from gomoku_lab.engine.tables import hand_values
from gomoku_lab.kernels import layout

Vector = npt.NDArray[np.float64]
_CERTAIN: Final = 2.0
"""Standard errors that are taken off a value before it is ranked."""
_KNOWN: Final = 0.5
"""A value is known if its error is below so much of the largest one, which is that of a guess."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a point with one code is worth, in thousandths of a log-odds unit.

    Attributes
    ----------
    shape : str
        The classes and grades of its four directions, those without any left out.
    side : str
        ``own`` for a point of the side to move, ``other`` for what one of the opponent costs it.
    value : int
        By the learned table.
    hand : int
        By the hand weights, scaled to the table.
    error : int or None
        Standard error of `value`, where it is known.
    """

    shape: str
    side: str
    value: int
    hand: int
    error: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreatPrice:
    """What it is worth that both sides have threats at hand, beyond the points that make them.

    Attributes
    ----------
    own, other : str
        Kinds of points that the side to move and its opponent have.
    value : int
        In thousandths of a log-odds unit.
    error : int or None
        Standard error of `value`, where it is known.
    """

    own: str
    other: str
    value: int
    error: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceList:
    """A learned table in short.

    Attributes
    ----------
    scale : float
        Evaluation units of the table in one of the hand weights'.
    tempo : int
        What being to move is worth.
    valuable : tuple of Price
        Own points that are worth most.
    too_low, too_high : tuple of Price
        Points that the scaled hand weights underrate or overrate most.
    threats : tuple of ThreatPrice
        Threats that say most, for or against the side to move.
    """

    scale: float
    tempo: int
    valuable: tuple[Price, ...]
    too_low: tuple[Price, ...]
    too_high: tuple[Price, ...]
    threats: tuple[ThreatPrice, ...]

    @property
    def parts(self) -> dict[str, tuple[Price, ...]]:
        """Give the lists of points that are not empty by their titles."""
        titled = {
            "most valuable": self.valuable,
            "underrated by the hand weights": self.too_low,
            "overrated by the hand weights": self.too_high,
        }
        return {title: part for title, part in titled.items() if part}

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return asdict(self)


def price_list(
    table: LearnedTable, weights: PatternWeights, *, defence: float = 1.0, count: int = 8
) -> PriceList:
    """Return what is most worth knowing of `table` beside `weights`."""
    worth = _worth(weights)
    hand = np.concatenate([worth, defence * worth])
    values = np.concatenate([table.own, table.other]).astype(float)
    errors, known = _known(values, table.own_error, table.other_error)
    # What is known best decides the scale.
    trust = known / np.maximum(errors, 1.0) ** 2
    scale = float((trust * hand * values).sum() / max((trust * hand**2).sum(), 1e-9))
    beyond, half = values - scale * hand, len(COMBINATIONS)

    def price(index: int) -> Price:
        return Price(
            shape=shape_name(index % half),
            side="own" if index < half else "other",
            value=int(values[index]),
            hand=round(scale * float(hand[index])),
            error=None if table.own_error is None else int(errors[index]),
        )

    own = np.where(np.arange(2 * half) < half, values, -np.inf)
    certain = (_certain(ranked, errors, known) for ranked in (own, beyond, -beyond))
    valuable, low, high = (tuple(map(price, _first(ranked, count))) for ranked in certain)
    return PriceList(
        scale=scale,
        tempo=table.tempo,
        valuable=valuable,
        too_low=low,
        too_high=high,
        threats=_threat_prices(table, count),
    )


def _threat_prices(table: LearnedTable, count: int) -> tuple[ThreatPrice, ...]:
    values = table.threats.ravel().astype(float)
    errors, known = _known(values, table.threats_error)
    return tuple(
        ThreatPrice(
            own=THREAT_NAMES[index // layout.THREAT_STATES],
            other=THREAT_NAMES[index % layout.THREAT_STATES],
            value=int(values[index]),
            error=None if table.threats_error is None else int(errors[index]),
        )
        for index in _first(_certain(abs(values), errors, known), count)
    )


def _known(
    values: Vector, *parts: npt.NDArray[np.int32] | None
) -> tuple[Vector, npt.NDArray[np.bool_]]:
    """Return the errors, 0 without any, and which values are more than a guess."""
    given = [part.ravel().astype(float) for part in parts if part is not None]
    if not given:
        return np.zeros_like(values), values != 0
    errors = np.concatenate(given)
    return errors, (errors > 0) & (errors <= _KNOWN * errors.max())


def _certain(ranked: Vector, errors: Vector, known: npt.NDArray[np.bool_]) -> Vector:
    """Return how much of each value is certain, 0 for a guess."""
    found: Vector = np.where(known, ranked - _CERTAIN * errors, 0.0)
    return found


def _first(certain: Vector, count: int) -> list[int]:
    """Return the indices of the greatest positive values, at most `count`."""
    order = np.argsort(-certain, kind="stable")[:count].tolist()
    return [index for index in order if certain[index] > 0]


def shape_name(number: int) -> str:
    """Return the name of an unordered code, such as ``four, open three+``."""
    names = [GRADE_NAMES[grade] for grade in COMBINATIONS[number] if grade]
    return ", ".join(names) or GRADE_NAMES[0]


def _worth(weights: PatternWeights) -> npt.NDArray[np.float64]:
    """Return what the weights say that each unordered code is worth."""
    codes = np.array(COMBINATIONS) @ (16 ** np.arange(4))
    worth: npt.NDArray[np.float64] = hand_values(weights)[codes, layout.OWN].astype(float)
    return worth
