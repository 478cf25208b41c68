"""Elo from a fixed number of games: score, Elo and normalised Elo with intervals, and LOS.

Counts are those of `pairs`. A result without any spread (a sweep, all draws, one game) gives a
bound instead of an infinite or a zero-width interval. Elo from the score alone is compressed by
the first-move advantage; `ratings` fits a model that knows it. Sequential tests are in `sprt`.
The intervals are those of `intervals`. Those that other tools publish are told beside them: with
few pairs or far from 50 % they hold less often than they say (`experiments/023-calibration`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from scipy.special import expit, ndtr

from gomoku_lab.stats.estimate import Estimate, normal_quantile, wald, without_interval
from gomoku_lab.stats.intervals import mean_interval, t_interval
from gomoku_lab.stats.pairs import (
    FloatArray,
    check_counts,
    copies_warning,
    games_per_unit,
    moments,
    split_warning,
    too_many_copies,
)

SCHEMA_VERSION: Final = 1
ELO_PER_UNIT: Final = 400 / float(np.log(10))
"""Elo of one natural unit of log-odds: 173.71779276."""
_REMEMBERED: Final = 4096
"""Results whose reports are kept: in a table of many players the same counts come again."""
K: Final = 2 * ELO_PER_UNIT
"""Normalised Elo of a t-value of 1 a game: 347.43558552."""


def elo_from_score(score: float) -> float:
    """Return the Elo difference at which `score` is expected; the score must lie inside 0..1."""
    if not 0 < score < 1:
        raise ValueError(f"score must lie inside 0..1 to have an Elo: {score!r}")
    return ELO_PER_UNIT * float(np.log(score) - np.log1p(-score))


def score_from_elo(elo: float) -> float:
    """Return the expected score at an Elo difference."""
    return float(expit(elo / ELO_PER_UNIT))


def elo_or_none(score: float) -> float | None:
    """Return the Elo of a score, or None where it would be infinite (0 and below, 1 and above)."""
    return elo_from_score(score) if 0 < score < 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class EloReport:
    """What a fixed number of games says about the difference of two players.

    Attributes
    ----------
    counts : tuple of int
        The counts, from low to high (see `pairs`).
    games : int
        Games counted, two a pair.
    score : float
        Mean score, 0..1.
    elo, nelo : Estimate
        Elo of the score, and normalised Elo (of the t-value a game).
    published_elo, published_nelo : Estimate
        The same with the intervals that testers of engines publish: mean +- z sqrt(v / n), and
        +- z K / sqrt(games).
    los : float or None
        Likelihood of superiority: probability that the player is the stronger one.
    confidence : float
        Of the intervals and bounds.
    warnings : tuple of str
        Reasons to doubt the numbers, in words.
    """

    counts: tuple[int, ...]
    games: int
    score: float
    elo: Estimate
    nelo: Estimate
    published_elo: Estimate
    published_nelo: Estimate
    los: float | None
    confidence: float
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form; what is unknown is null.

        ``elo_error`` and ``nelo_error`` are the +- of other tools, ``published`` has their ends.
        """
        elo, nelo = self.published_elo, self.published_nelo
        pairs = self.games // 2 if len(self.counts) == 5 else None
        return {
            "schema": SCHEMA_VERSION,
            "counts": list(self.counts),
            "games": self.games,
            "pairs": pairs,
            "score": self.score,
            "elo": self.elo.value,
            "elo_error": elo.error,
            "elo_low": self.elo.low,
            "elo_high": self.elo.high,
            "nelo": self.nelo.value,
            "nelo_error": nelo.error,
            "nelo_low": self.nelo.low,
            "nelo_high": self.nelo.high,
            "los": self.los,
            "published": {
                "elo_low": elo.low,
                "elo_high": elo.high,
                "nelo_low": nelo.low,
                "nelo_high": nelo.high,
            },
            "confidence": self.confidence,
            "warnings": list(self.warnings),
        }


def estimate_elo(
    counts: Sequence[float] | FloatArray,
    *,
    confidence: float = 0.95,
    distinct_games: int | None = None,
) -> EloReport:
    """Estimate the Elo difference from counts of games or of pairs.

    Parameters
    ----------
    counts : sequence of int
        Trinomial or pentanomial counts from low to high.
    confidence : float
        Of the intervals.
    distinct_games : int, optional
        How many of the games are distinct. Where more than a tenth are copies, no interval
        and no LOS are given, since they would rest on games that hold no information.

    Returns
    -------
    EloReport
        Elo and normalised Elo with the intervals of `intervals`, and with the published ones.
    """
    array = check_counts(counts)
    return _estimate_elo(tuple(array.tolist()), confidence, distinct_games)


@lru_cache(_REMEMBERED)
def _estimate_elo(
    counts: tuple[float, ...], confidence: float, distinct_games: int | None
) -> EloReport:
    array = np.array(counts)
    units, mean, variance = moments(array)
    games = int(units) * games_per_unit(array)
    warnings = [split_warning(array, counted=distinct_games is not None)]
    refused = warnings[0] is not None and distinct_games is None
    if distinct_games is not None:
        warnings.append(copies_warning(games, distinct_games))
        refused = too_many_copies(games, distinct_games)
    los: float | None
    if variance == 0:
        elo, nelo, los = _without_spread(units, mean, confidence)
        published = elo, nelo
    else:
        usual_elo, usual_nelo, los = _published(units, mean, variance, games, confidence)
        published = usual_elo, usual_nelo
        elo, nelo = _with_spread(array, mean, published[1].value, confidence)
    estimates = [elo, nelo, *published]
    if refused:
        estimates, los = [without_interval(one) for one in estimates], None
    return EloReport(
        counts=tuple(int(count) for count in array),
        games=games,
        score=mean,
        elo=estimates[0],
        nelo=estimates[1],
        published_elo=estimates[2],
        published_nelo=estimates[3],
        los=los,
        confidence=confidence,
        warnings=tuple(warning for warning in warnings if warning is not None),
    )


def _with_spread(
    counts: FloatArray, mean: float, nelo: float | None, confidence: float
) -> tuple[Estimate, Estimate]:
    """Return Elo and normalised Elo where the units differ."""
    unit = K / float(np.sqrt(games_per_unit(counts)))
    means, t_values = mean_interval(counts, confidence), t_interval(counts, confidence)
    elos = [None if end is None else elo_from_score(end) for end in means]
    nelos = [None if end is None else unit * end for end in t_values]
    return (
        _between(elo_from_score(mean), elos[0], elos[1], confidence),
        _between(nelo, nelos[0], nelos[1], confidence),
    )


def _between(
    value: float | None, low: float | None, high: float | None, confidence: float
) -> Estimate:
    """Return an estimate with these ends, of which one or both may be open."""
    return Estimate(
        value=value,
        error=None if low is None or high is None else (high - low) / 2,
        low=low,
        high=high,
        unbounded=low is None and high is None,
        confidence=confidence,
    )


def _published(
    units: float, mean: float, variance: float, games: int, confidence: float
) -> tuple[Estimate, Estimate, float]:
    """Return Elo, normalised Elo and LOS by the usual formulas, where the units differ."""
    error = float(np.sqrt(variance / units))
    quantile = normal_quantile(confidence)
    low, high = elo_or_none(mean - quantile * error), elo_or_none(mean + quantile * error)
    elo = _between(elo_from_score(mean), low, high, confidence)
    t_value = (mean - 0.5) / float(np.sqrt(variance * games / units))
    nelo = wald(K * t_value, K / float(np.sqrt(games)), confidence)
    return elo, nelo, float(ndtr((mean - 0.5) / error))


def _without_spread(
    units: float, mean: float, confidence: float
) -> tuple[Estimate, Estimate, float]:
    """Return Elo, normalised Elo and LOS where all units had the same result.

    The probability q of that result is at least (1 - confidence)^(1/n), with that confidence
    (Clopper-Pearson, one-sided); all else may score anything from 0 to 1, so that the score
    lies between q mean and q mean + 1 - q. Where that bounds both sides it holds for both at once.
    LOS: posterior of a fair coin's bias under a uniform prior; the Gaussian formula would say 0
    or 1 after a single game.
    """
    least = (1 - confidence) ** (1 / units)
    low, high = elo_or_none(least * mean), elo_or_none(1 - least * (1 - mean))
    value = elo_or_none(mean)
    half = None if low is None or high is None else (high - low) / 2
    elo = Estimate(value=value, error=half, low=low, high=high, confidence=confidence)
    nelo = Estimate(value=0.0 if mean == 0.5 else None, confidence=confidence)
    doubt = 0.5 ** (units + 1)
    los = 0.5 if mean == 0.5 else (1 - doubt if mean > 0.5 else doubt)
    return elo, nelo, float(los)
