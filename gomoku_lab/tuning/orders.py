"""From the moves that a player chose to a learned move order.

Each position of the games is a choice among its candidates; the order says of a candidate
what its own code makes and what the opponent's code takes away, and a softmax of that foretells the
choice. What it is fitted to should be wide and little reduced, or it learns what was left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from gomoku_lab.engine.learned import UNIT, LearnedTable
from gomoku_lab.tuning.choices import Choices
from gomoku_lab.tuning.fitting import CHOOSING, HELD_OUT
from gomoku_lab.tuning.models import CODES, GRADE_SPREAD, Vector, grade_counts

OnStep = Callable[[str], None]
STRENGTHS: Final = (10.0, 3.0, 1.0, 0.3, 0.1)
"""Precisions tried of the prior that holds a code's worth to the sum of its grades."""
SHOWN_RANKS: Final = (1, 3, 5, 8, 16)
"""How often the chosen move is among the first so many is what an order is judged by."""
_MOST_STEPS: Final = 300


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OrderScore:
    """How well an order foretells held-out choices.

    Attributes
    ----------
    name : str
    log_loss : float or None
        Mean of -log(chance of what was chosen), in nats; None where an order knows no chances.
    shares : tuple of float
        How often the chosen move is among the first `SHOWN_RANKS` of its candidates.
    """

    name: str
    log_loss: float | None
    shares: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        shares = {str(rank): share for rank, share in zip(SHOWN_RANKS, self.shares, strict=True)}
        return {"name": self.name, "log_loss": self.log_loss, "among_the_first": shares}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OrderFit:
    """A fitted move order.

    Attributes
    ----------
    table : LearnedTable
        Without facts.
    strength : float
        The chosen precision of the prior.
    tried : tuple of (float, float)
        Precisions and the loss of the games that choose.
    scores : tuple of OrderScore
        The base's order and the learned one, on held-out games.
    positions, games : int
        What was held out.
    """

    table: LearnedTable
    strength: float
    tried: tuple[tuple[float, float], ...]
    scores: tuple[OrderScore, ...]
    positions: int
    games: int

    def facts(self) -> dict[str, Any]:
        """Return what belongs beside the values in a file."""
        return {"strength": self.strength, "held_out": self.scores[-1].to_dict()}

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form; the values themselves stand in the table's file."""
        return {
            "model": "order",
            "hash": self.table.digest,
            "tried": [{"strength": one, "log_loss": loss} for one, loss in self.tried],
            "held_out": {"positions": self.positions, "games": self.games},
            "scores": [score.to_dict() for score in self.scores],
        }


def fit_order(choices: Choices, *, seed: int, on_step: OnStep = lambda _: None) -> OrderFit:
    """Fit an order, held to the sums of its grades as strongly as foretells other games best.

    Raises
    ------
    ValueError
        If there are too few openings for three parts.
    """
    lots = choices.lots(seed)
    held_out = lots < HELD_OUT
    choosing = ~held_out & (lots < HELD_OUT + CHOOSING)
    learning = ~(held_out | choosing)
    if not all(part.any() for part in (held_out, choosing, learning)):
        raise ValueError(
            f"too few games to hold some out: {len(choices.openings)} games; some 100 different "
            "openings are the least"
        )
    tried: list[tuple[float, float]] = []
    found = np.zeros(_size())
    for strength in STRENGTHS:
        found = _fit(choices, learning, strength, found)
        loss = _loss(choices, choosing, found)
        on_step(f"codes held to their grades by {strength:g}: log loss {loss:.5f}")
        tried.append((strength, loss))
        if loss > min(one for _, one in tried):
            break
    strength = min(tried, key=lambda one: one[1])[0]
    on_step("codes without the held-out games")
    found = _fit(choices, learning | choosing, strength, found)
    worths = _worths(choices, found)
    scores = (
        OrderScore(
            name="the base's order",
            log_loss=None,
            shares=_shares(choices, held_out, choices.hand.astype(np.float64)),
        ),
        OrderScore(
            name="learned order",
            log_loss=_loss(choices, held_out, found),
            shares=_shares(choices, held_out, worths),
        ),
    )
    on_step("codes with all games")
    return OrderFit(
        table=_table(_fit(choices, np.ones(len(choices), bool), strength, found)),
        strength=strength,
        tried=tuple(tried),
        scores=scores,
        positions=int(held_out.sum()),
        games=len(np.unique(choices.games[held_out])),
    )


def _size() -> int:
    return 2 * (len(grade_counts().T) + CODES)


def _coefficients(parameters: Vector) -> Vector:
    """Return what each code is worth, float64[2, 1821]: its grades' sum, and what it is beyond."""
    grades = grade_counts().shape[1]
    halves = parameters.reshape(2, grades + CODES)
    worth = halves[:, :grades] @ grade_counts().T + halves[:, grades:]
    return np.concatenate([worth, np.zeros((2, 1))], axis=1)  # a five, which no search meets


def _fit(choices: Choices, chosen: npt.NDArray[np.bool_], strength: float, start: Vector) -> Vector:
    """Return the parameters with the least loss on the `chosen` positions, the prior's included."""
    from scipy.optimize import minimize

    from gomoku_lab.kernels.choices import choice_loss

    counts = grade_counts()
    precision = np.full((2, counts.shape[1] + CODES), strength)
    precision[:, : counts.shape[1]] = GRADE_SPREAD**-2
    precision = precision.ravel()
    weights, total = chosen.astype(np.float64), float(chosen.sum())
    gradient = np.empty((2, CODES + 1))

    def objective(parameters: Any) -> Any:
        worth = _coefficients(parameters)
        rows = choices.codes, choices.ends, choices.chosen
        loss = float(choice_loss(*rows, weights, worth, gradient))
        loss += 0.5 * float(precision @ parameters**2)
        by_code = gradient[:, :CODES]
        slope = np.concatenate([by_code @ counts, by_code], axis=1).ravel()
        return loss / total, (slope + precision * parameters) / total

    options: Any = {"maxiter": _MOST_STEPS, "ftol": 1e-7, "gtol": 1e-9, "maxcor": 30}
    found: Any = minimize(objective, start, jac=True, method="L-BFGS-B", options=options)
    parameters: Vector = found.x
    return parameters


def _loss(choices: Choices, chosen: npt.NDArray[np.bool_], parameters: Vector) -> float:
    """Return the mean log loss of the `chosen` positions."""
    from gomoku_lab.kernels.choices import choice_loss

    rows = choices.codes, choices.ends, choices.chosen, chosen.astype(np.float64)
    gradient = np.empty((2, CODES + 1))
    return float(choice_loss(*rows, _coefficients(parameters), gradient)) / int(chosen.sum())


def _worths(choices: Choices, parameters: Vector) -> Vector:
    """Return what the order says of every candidate."""
    worth = _coefficients(parameters)
    found: Vector = worth[0, choices.codes[:, 0]] + worth[1, choices.codes[:, 1]]
    return found


def _shares(choices: Choices, chosen: npt.NDArray[np.bool_], worths: Vector) -> tuple[float, ...]:
    """Return how often the chosen move is among the first `SHOWN_RANKS` by `worths`."""
    from gomoku_lab.kernels.choices import fill_ranks

    ranks = np.empty(len(choices), np.int64)
    fill_ranks(worths, choices.ends, choices.chosen, ranks)
    return tuple(float((ranks[chosen] < rank).mean()) for rank in SHOWN_RANKS)


def _table(parameters: Vector) -> LearnedTable:
    """Return the order in thousandths; a point without any shape is worth nothing."""
    worth = _coefficients(parameters)[:, :CODES]
    own, other = np.rint(UNIT * (worth - worth[:, -1:])).astype(np.int32)
    return LearnedTable(kind="move_order", own=own, other=other)
