"""What a fit gives: weights or a table, how sure they are, and how well they foretell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.learned import LearnedTable
from gomoku_lab.tuning.judging import Bin, Score
from gomoku_lab.tuning.models import HAND_CLASSES


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
