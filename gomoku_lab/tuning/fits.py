"""What a fit gives: weights or a table, how sure they are, and how well they foretell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any, Final

from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.frames import Column, make_frame
from gomoku_lab.engine.learned import LearnedTable
from gomoku_lab.tuning.judging import Bin, Score
from gomoku_lab.tuning.models import HAND_CLASSES

if TYPE_CHECKING:
    import pandas as pd

WEIGHT_COLUMNS: Final = (
    Column("key", "string", "class of the pattern, or defence"),
    Column("start", "float64", "value before the fit, scaled to the same units"),
    Column("fitted", "float64", "value after the fit"),
    Column("error", "float64", "its standard error, by games"),
)

SCORE_COLUMNS: Final = (
    Column("name", "string", "what foretells"),
    Column("log_loss", "float64", "mean of -log(probability of what happened), nats"),
    Column("accuracy", "float64", "share of positions whose preferred side went on to win"),
    Column("gain", "float64", "how far the loss lies below that of the starting weights, nats"),
    Column("gain_error", "float64", "half the width of its 95 % interval"),
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Judgement:
    """What held-out games say of a fit.

    Attributes
    ----------
    scores : tuple of Score
        A constant, the starting weights with a fitted scale, and what was fitted, the best last.
    bins : tuple of Bin
        Calibration of the last one.
    positions, games : int
        What was held out.
    """

    scores: tuple[Score, ...]
    bins: tuple[Bin, ...]
    positions: int
    games: int

    def frame(self) -> pd.DataFrame:
        """Return how well each model foretells held-out games, as a pandas table.

        Columns: ``name`` (string), ``log_loss`` (float64, nats), ``accuracy`` (float64, 0 to 1),
        ``gain``, ``gain_error`` (float64, nats; how far the loss lies below that of the starting
        weights, with a 95 % half-width).
        """
        return make_frame(SCORE_COLUMNS, map(astuple, self.scores))

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return {
            "positions": self.positions,
            "games": self.games,
            "scores": [score.to_dict() for score in self.scores],
            "calibration": [one.to_dict() for one in self.bins],
        }


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WeightsFit:
    """Fitted hand weights.

    Attributes
    ----------
    config : EngineConfig
        The base with fitted weights and defence factor; a million units are one of log-odds.
    start : tuple of float
        The starting weights and defence factor, scaled to the same units.
    errors : tuple of float
        Standard errors of weights and defence factor, by games.
    judgement : Judgement
    """

    config: EngineConfig
    start: tuple[float, ...]
    errors: tuple[float, ...]
    judgement: Judgement

    def rows(self) -> Iterator[tuple[str, float, float, float]]:
        """Yield name, start, fitted value and standard error of each weight and of the defence."""
        weights = self.config.weights
        values = (*(getattr(weights, name) for name in HAND_CLASSES), self.config.defence)
        yield from zip((*HAND_CLASSES, "defence"), self.start, values, self.errors, strict=True)

    def frame(self) -> pd.DataFrame:
        """Return the weights as a pandas table, one row a class, and one for the defence.

        Columns: ``key`` (string), ``start``, ``fitted``, ``error`` (float64; weights are in units
        of the evaluation, a million of which are one of log-odds, the defence is a factor).
        """
        return make_frame(WEIGHT_COLUMNS, self.rows())

    def facts(self) -> dict[str, Any]:
        """Return what belongs beside the weights in a file."""
        return {"held_out": self.judgement.scores[-1].to_dict()}

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return {
            "model": "weights",
            "weights": {
                name: {"start": start, "fitted": value, "error": error}
                for name, start, value, error in self.rows()
            },
            "judgement": self.judgement.to_dict(),
        }


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TableFit:
    """A fitted table.

    Attributes
    ----------
    table : LearnedTable
        Without facts.
    strength : float
        The chosen precision of the prior.
    tried : tuple of (float, float)
        Precisions and the loss of the games that choose.
    judgement : Judgement
    """

    table: LearnedTable
    strength: float
    tried: tuple[tuple[float, float], ...]
    judgement: Judgement

    def facts(self) -> dict[str, Any]:
        """Return what belongs beside the values in a file."""
        return {"strength": self.strength, "held_out": self.judgement.scores[-1].to_dict()}

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form; the values themselves stand in the table's file."""
        return {
            "model": "table",
            "hash": self.table.digest,
            "tempo": self.table.tempo,
            "tried": [{"strength": one, "log_loss": loss} for one, loss in self.tried],
            "judgement": self.judgement.to_dict(),
        }
