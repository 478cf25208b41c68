"""One linear combination of fitted parameters, with its interval, or its bound, and its sign.

A contrast that the data determine gets the Gaussian interval from the covariance, or, if it rests
on few results, one from the profile likelihood (`profile`). One whose estimate is infinite gets a
bound from the likelihood ratio. `choice` fits; `ratings` asks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from gomoku_lab.stats.choice import ChoiceFit
from gomoku_lab.stats.estimate import Estimate, positive_probability, wald
from gomoku_lab.stats.pairs import FloatArray

_FURTHEST: Final = 60.0
"""How far a bound is looked for; 60 units of log-odds are 10,000 Elo."""
_CERTAIN: Final = 8.0
"""Standard errors above or below 0 at which nobody asks how certain the sign is."""


def estimate_contrast(
    fit: ChoiceFit, contrast: FloatArray, *, scale: float, confidence: float, offset: float = 0.0
) -> tuple[Estimate, float | None]:
    """Estimate scale * (contrast @ theta + offset), and the probability that it is positive.

    Parameters
    ----------
    fit : ChoiceFit
        The fit.
    contrast : float64[parameters]
        What to combine; not all zero.
    scale : float
        Positive factor from the fit's units to those reported.
    confidence : float
        Of the interval or bound.
    offset : float
        What is known and added, in the fit's units.

    Returns
    -------
    tuple of Estimate and float or None
        The probability is that of a normal, or Student's, variable where there is a value, or of
        the root of the likelihood ratio. Where
        there is only a bound it is 1 - exp(LLR at 0) / 2 for a lower one, which after n wins in n
        games between two players is 1 - 2^-(n+1), the posterior under a uniform prior. Where
        neither side is bounded nothing is known.
    """
    if fit.is_determined(contrast):
        value = float(contrast @ fit.theta) + offset
        error = float(np.sqrt(max(0.0, float(contrast @ fit.covariance @ contrast))))
        estimate = wald(scale * value, scale * error, confidence, degrees=fit.degrees)
        if error > 0 and fit.profile is not None and fit.profile.is_needed(contrast):
            estimate = _lopsided(estimate, fit.profile.ends(contrast, confidence), scale, offset)
        return estimate, signs(fit, contrast[np.newaxis], np.array([offset]))[0]
    side = _open_side(fit, contrast)
    if side == 0:
        return Estimate(confidence=confidence), None
    bound = _lower_bound(fit, side * contrast, confidence)
    end = None if bound is None else scale * (side * bound + offset)
    positive = _positive_at_infinity(fit, contrast, side, offset)
    if side > 0:
        return Estimate(low=end, confidence=confidence), positive
    return Estimate(high=end, confidence=confidence), positive


def signs(fit: ChoiceFit, contrasts: FloatArray, offsets: FloatArray) -> list[float | None]:
    """Return the probability that contrast @ theta + offset is positive, of each row.

    It is the one that `estimate_contrast` gives; many rows at once are much faster.
    """
    values = contrasts @ fit.theta + offsets
    variances = np.einsum("rp,rp->r", contrasts @ fit.covariance, contrasts)
    errors = np.sqrt(np.maximum(0.0, variances))
    known = fit.are_determined(contrasts)
    close = known & (errors > 0) & (np.abs(values) < _CERTAIN * errors)
    few = np.zeros(len(contrasts), dtype=bool)
    if fit.profile is not None and close.any():
        few[close] = fit.profile.are_needed(contrasts[close])
    found: list[float | None] = []
    for row, (value, error) in enumerate(zip(values.tolist(), errors.tolist(), strict=True)):
        if not known[row]:
            side = _open_side(fit, contrasts[row])
            found.append(_positive_at_infinity(fit, contrasts[row], side, float(offsets[row])))
        elif few[row]:
            assert fit.profile is not None
            found.append(fit.profile.positive(contrasts[row], float(offsets[row])))
        else:
            found.append(positive_probability(value / error, fit.degrees) if error > 0 else None)
    return found


def _open_side(fit: ChoiceFit, contrast: FloatArray) -> int:
    """Return on which side of a contrast without an estimate there is no bound; 0 if on both."""
    return int(fit.is_unbounded(contrast)) - int(fit.is_unbounded(-contrast))


def _positive_at_infinity(
    fit: ChoiceFit, contrast: FloatArray, side: int, offset: float
) -> float | None:
    """Return the probability that an estimate is positive that lies infinitely far on a side."""
    if side == 0:
        return None
    doubt = 0.5 * float(np.exp(fit.log_likelihood_ratio(side * contrast, -side * offset)))
    return 1 - doubt if side > 0 else doubt


def _lopsided(normal: Estimate, ends: tuple[float, float], scale: float, offset: float) -> Estimate:
    """Return the estimate with an interval that need not be symmetric."""
    low, high = (scale * (end + offset) for end in ends)
    assert normal.error is not None
    assert normal.standard_error is not None
    reach = normal.error / normal.standard_error
    return replace(normal, error=(high - low) / 2, low=low, high=high, reach=reach)


def _lower_bound(fit: ChoiceFit, contrast: FloatArray, confidence: float) -> float | None:
    """Return the value below which the profile likelihood ratio falls short of 1 - confidence.

    The supremum lies at infinity, where the usual chi-square limit does not hold: it would claim
    too much. For a sweep the ratio is the probability of the sweep itself, which makes this the
    exact (Clopper-Pearson) one-sided bound. None if there is no such value within +-60.
    """
    from scipy.optimize import brentq  # seldom needed, and slow to import

    limit = float(np.log(1 - confidence))

    def excess(value: float) -> float:
        return fit.log_likelihood_ratio(contrast, value) - limit

    low, high = -1.0, 1.0
    while excess(low) > 0:
        low *= 2
        if low < -_FURTHEST:
            return None
    while excess(high) < 0:
        high *= 2
        if high > _FURTHEST:
            return None
    return float(brentq(excess, low, high, xtol=1e-9))
