"""The rating models as choices among win, draw and loss of the first mover.

``davidson``: P(win) : P(draw) : P(loss) = exp(x / 2) : nu : exp(-x / 2), with
x = (R_first - R_second + advantage) ln(10) / 400 (R. R. Davidson, "On extending the Bradley-Terry
model to accommodate ties in paired comparison experiments", JASA 65, 1970). ``half-point``:
Bradley-Terry with a draw as half a win and half a loss. Nothing is fitted here (see `choice`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import numpy as np

from gomoku_lab.stats.choice import BoolArray, ChoiceModel
from gomoku_lab.stats.elo import ELO_PER_UNIT
from gomoku_lab.stats.pairs import FloatArray
from gomoku_lab.stats.results import IntArray, ResultTable

RatingModel = Literal["davidson", "half-point"]

MODELS: Final = ("davidson", "half-point")
OUTCOME_WEIGHTS: Final = {
    "davidson": np.eye(3),
    "half-point": np.array([[1.0, 0.0, 0.0], [0.5, 0.0, 0.5], [0.0, 0.0, 1.0]]),
}
"""What a win, a draw and a loss (rows) count as in each model."""
_NOBODY: Final[Mapping[str, float]] = {}


def choice_model(
    table: ResultTable,
    model: RatingModel,
    *,
    advantage: bool,
    prior_elo: float | None = None,
    anchors: Mapping[str, float] = _NOBODY,
) -> ChoiceModel:
    """Return the results as choices among win, draw and loss of the first mover.

    The parameters are the players' ratings in natural units, the advantage, and ln(nu). One that
    is not fitted, such as the rating of a player that is held at a number, has no effect on any
    utility.
    """
    size = len(table.names)
    parts = [_cells(part, advantage and part.has_colours) for part in table.parts]
    features, weights, allowed = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    weights = weights @ OUTCOME_WEIGHTS[model]
    if model == "half-point":
        allowed[:, 1] = False
    else:
        features[:, 1, size + 1] = 1.0
    held = np.zeros(size + 2)
    for name, elo in anchors.items():
        held[table.index(name)] = elo / ELO_PER_UNIT
    offsets = features @ held
    features[:, :, [table.index(name) for name in anchors]] = 0.0
    precision = np.zeros(size + 2)
    if prior_elo is not None:
        precision[:size] = (ELO_PER_UNIT / prior_elo) ** 2
    return ChoiceModel(features, weights, allowed, precision, offsets)


def cell_places(table: ResultTable) -> IntArray:
    """Return where in the model each ordered pair of players stands, -1 for those without games.

    Results apart come behind those of the table itself.
    """
    places = np.full(table.games.shape, -1)
    places[np.nonzero(table.games)] = np.arange(np.count_nonzero(table.games))
    return places


def _cells(table: ResultTable, advantage: bool) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return features, weights and allowed alternatives of the results of one kind.

    Where draws were not counted, a win and a loss are the only alternatives: given that a game was
    not drawn, the model's odds of the two are the same.
    """
    first, second = np.nonzero(table.games)
    cells, size = len(first), len(table.names)
    features = np.zeros((cells, 3, size + 2))
    line = np.arange(cells)
    features[line, 0, first] = 0.5
    features[line, 0, second] = -0.5
    features[:, 0, size] = 0.5 if advantage else 0.0
    features[:, 2] = -features[:, 0]
    weights = np.stack(
        [matrix[first, second] for matrix in (table.wins, table.draws, table.losses)], axis=1
    ).astype(np.float64)
    allowed = np.ones((cells, 3), dtype=bool)
    allowed[:, 1] = table.has_draws
    return features, weights, allowed
