"""From samples to fitted weights or a fitted table, with what speaks for and against them.

The games are divided by their openings: nine tenths to learn from, of which a ninth chooses how
strongly a table is held to the sum of its grades, and one tenth held out. The held-out figures are
those of a fit without them; what is given out is then fitted to all games.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.learned import UNIT, LearnedTable
from gomoku_lab.kernels import layout
from gomoku_lab.tuning.fits import Judgement, TableFit, WeightsFit
from gomoku_lab.tuning.judging import calibration, score_of
from gomoku_lab.tuning.models import (
    CODES,
    COEFFICIENTS,
    HAND_CLASSES,
    THREAT_SPREAD,
    HandModel,
    ScaledModel,
    TableModel,
    Vector,
    hand_weights,
)
from gomoku_lab.tuning.regression import Prior, diagonals, fit, logits, sandwich, total_loss
from gomoku_lab.tuning.samples import CODE_PLACES, PLACES, Samples

OnStep = Callable[[str], None]
HELD_OUT: Final = 0.1
CHOOSING: Final = 0.1
STRENGTHS: Final = (1000.0, 300.0, 100.0, 30.0, 10.0)
"""Precisions tried of the prior that holds a code's value to the sum of its grades, strongest
first; 100 says that it lies within 0.1 log-odds of it, two times out of three."""
_RIGID: Final = 1e9
"""A precision that leaves nothing but the sum."""
ENOUGH_TO_CHOOSE: Final = 300_000
"""Positions on which the precisions are tried, at most: the best one does not depend on how much
more there is."""
WEIGHT_UNIT: Final = 1_000_000
"""Units of fitted weights in one of log-odds: the least weights are worth some millionths."""


def _nobody(_: str) -> None:
    """Listen to no steps."""


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Which games are for what, by their openings.

    Attributes
    ----------
    learning, choosing, held_out : bool[positions]
        Positions that count: those the counters do not settle. `learning` and `choosing` have
        nothing in common; each holds whole openings.
    """

    learning: npt.NDArray[np.bool_]
    choosing: npt.NDArray[np.bool_]
    held_out: npt.NDArray[np.bool_]

    @property
    def everything(self) -> npt.NDArray[np.bool_]:
        """Give the positions of all three parts."""
        return self.learning | self.choosing | self.held_out


def split(samples: Samples, *, seed: int, settled: bool = False) -> Split:
    """Divide the games by lot, all games of one opening together.

    Parameters
    ----------
    seed : int
        Root of the lots.
    settled : bool
        Whether to learn as well from positions that the counters settle.

    Raises
    ------
    ValueError
        If there are too few openings for three parts.
    """
    lots = samples.games_by_lot(seed)[samples.games]
    counts = samples.settled == 0
    held_out, choosing = lots < HELD_OUT, (lots >= HELD_OUT) & (lots < HELD_OUT + CHOOSING)
    learning = ~(held_out | choosing) & (counts | settled)
    parts = Split(learning, choosing & counts, held_out & counts)
    if not all(part.any() for part in (parts.learning, parts.choosing, parts.held_out)):
        openings = len(set(samples.openings))
        raise ValueError(
            f"too few games to hold some out: {len(samples.openings)} games of {openings} "
            "different openings; some 100 openings are the least"
        )
    return parts


def fit_weights(
    samples: Samples, config: EngineConfig, parts: Split, *, on_step: OnStep = _nobody
) -> WeightsFit:
    """Fit the weights and the defence factor of `config`; `parts` divides the games."""
    model = HandModel()

    def fitted(weights: Vector) -> tuple[Vector, Vector]:
        start = model.start(config, *_fit_scale(samples, config, weights))
        prior = Prior(start, model.precision())
        return fit(model, samples, weights, start, prior), start

    on_step("weights without the held-out games")
    found, start = fitted(_weights(parts.learning | parts.choosing))
    coefficients = model.coefficients(found)
    judged = [("fitted weights and threats", coefficients)]
    judgement = _judge(samples, parts, model.coefficients(start), judged)
    on_step("weights with all games")
    weights = _weights(parts.everything)
    found, start = fitted(weights)
    errors = _weight_errors(samples, weights, model, found)
    units = np.append(np.full(len(HAND_CLASSES), WEIGHT_UNIT), 1)
    rounded = np.maximum(np.rint(WEIGHT_UNIT * model.weights(found)), 1)
    values = {
        "weights": hand_weights(config.weights, rounded),
        "defence": round(model.defence(found), 4),
        "evaluation": "hand",  # beside a table, weights would only order moves
    }
    return WeightsFit(
        config=config.varied(values),
        start=(*(WEIGHT_UNIT * model.weights(start)).tolist(), config.defence),
        errors=tuple((units * errors).tolist()),
        judgement=judgement,
    )


def _weight_errors(
    samples: Samples, weights: Vector, model: HandModel, parameters: Vector
) -> Vector:
    """Return the standard errors of weights and defence factor, by games."""
    few = np.append(np.arange(model.kept), model.size - 1)
    covariance = sandwich(
        samples,
        weights,
        model.coefficients(parameters),
        model.directions(parameters).toarray()[:, few],
        model.precision()[few],
        THREAT_SPREAD**-2,
    )[:-1, :-1]
    turn = model.weight_directions(parameters)
    errors: Vector = np.sqrt(np.diag(turn @ covariance @ turn.T))
    return errors


def fit_table(
    samples: Samples, config: EngineConfig, parts: Split, *, on_step: OnStep = _nobody
) -> TableFit:
    """Fit a table, held to the sum of its grades as strongly as foretells other games best.

    `config` holds the weights with which it is compared; `parts` divides the games.
    """
    model = TableModel()

    def fitted(weights: Vector, strength: float, start: Vector) -> Vector:
        prior = Prior(np.zeros(model.size), model.precision(strength))
        return fit(model, samples, weights, start, prior)

    on_step("grades and threats alone")
    learning = _weights(_some(parts.learning))
    grades = start = fitted(learning, _RIGID, np.zeros(model.size))
    tried: list[tuple[float, float]] = []
    for strength in STRENGTHS:
        found = fitted(learning, strength, start)
        loss = _mean_loss(samples, parts.choosing, model.coefficients(found))
        on_step(f"codes held to their grades by {strength:g}: log loss {loss:.5f}")
        tried.append((strength, loss))
        if loss > min(one for _, one in tried):
            break
        start = found
    strength = min(tried, key=lambda one: one[1])[0]
    on_step("codes without the held-out games")
    without = _weights(parts.learning | parts.choosing)
    found = fitted(without, strength, start)
    scaled = ScaledModel(config).coefficients(np.array(_fit_scale(samples, config, without)))
    judged = [("grades and threats", grades), ("codes and threats", found)]
    judged = [(name, model.coefficients(parameters)) for name, parameters in judged]
    judgement = _judge(samples, parts, scaled, judged)
    on_step("codes with all games")
    weights = _weights(parts.everything)
    coefficients = model.coefficients(fitted(weights, strength, found))
    return TableFit(
        table=_table(coefficients, _table_errors(samples, weights, coefficients, strength)),
        strength=strength,
        tried=tuple(tried),
        judgement=judgement,
    )


def _some(chosen: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return as many of the chosen positions, from the first on, as choosing a strength needs."""
    return chosen & (np.cumsum(chosen) <= ENOUGH_TO_CHOOSE)


def _mean_loss(samples: Samples, chosen: npt.NDArray[np.bool_], coefficients: Vector) -> float:
    return total_loss(samples, _weights(chosen), coefficients)[0] / int(chosen.sum())


def _weights(chosen: npt.NDArray[np.bool_]) -> Vector:
    return chosen.astype(np.float64)


def _fit_scale(samples: Samples, config: EngineConfig, weights: Vector) -> tuple[float, float]:
    """Return the scale and the tempo with which given weights foretell best."""
    start = np.array([1.0 / config.weights.open_three, 0.0])
    free = Prior(start, np.zeros(2))
    scale, tempo = fit(ScaledModel(config), samples, weights, start, free)
    # Where the weights foretell the wrong side, their size still has to say something.
    return max(float(scale), 1e-3 / config.weights.open_three), float(tempo)


def _table_errors(
    samples: Samples, weights: Vector, coefficients: Vector, strength: float
) -> Vector:
    """Return a standard error of each coefficient, as if the others were known.

    The diagonal of the sandwich, the prior taken for an observation like a game: of a matrix of
    5,945 rows no more is computed. As codes that occur together are less well known one by one,
    the errors are on the small side. What never occurred has none: 0.
    """
    curvature, spread = diagonals(samples, weights, coefficients)
    prior = TableModel().precision(strength)[-COEFFICIENTS:]
    found = np.zeros(COEFFICIENTS)
    np.divide(np.sqrt(spread + prior), curvature + prior, out=found, where=curvature > 0)
    return found


def _judge(
    samples: Samples, parts: Split, start: Vector, judged: list[tuple[str, Vector]]
) -> Judgement:
    """Score a constant, the starting weights and the fitted coefficients on held-out games."""
    learned = parts.learning | parts.choosing
    share = min(max(float(samples.labels[learned].mean()) / 2, 1e-6), 1 - 1e-6)
    chosen, before = parts.held_out, logits(samples, start)
    constant = np.full(len(samples), np.log(share / (1 - share)))
    shown = [("a constant", constant), ("starting weights, scaled", before)]
    shown += [(name, logits(samples, coefficients)) for name, coefficients in judged]
    return Judgement(
        scores=tuple(score_of(name, samples, chosen, found, before) for name, found in shown),
        bins=calibration(samples, chosen, shown[-1][1]),
        positions=int(chosen.sum()),
        games=len(np.unique(samples.games[chosen])),
    )


def _table(coefficients: Vector, errors: Vector) -> LearnedTable:
    """Return the table that says what coefficients in log-odds say."""
    own, other, threats, tempo = _divided(coefficients)
    own_error, other_error, threats_error, _ = _divided(errors)
    return LearnedTable(
        own=np.append(own[:-1], 0),  # a point without any shape is in no row
        other=np.append(-other[:-1], 0),
        threats=threats,
        tempo=int(tempo),
        own_error=own_error,
        other_error=other_error,
        threats_error=threats_error,
    )


def _divided(coefficients: Vector) -> tuple[npt.NDArray[np.int32], ...]:
    """Return coefficients of own codes, the opponent's, of threats and tempo, in whole units."""
    whole = np.rint(UNIT * coefficients).astype(np.int32)
    states = layout.THREAT_STATES
    threats = whole[CODE_PLACES:PLACES].reshape(states, states)
    return whole[:CODES], whole[CODES:CODE_PLACES], threats, whole[-1]
