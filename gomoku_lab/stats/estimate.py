"""One estimated number with its uncertainty, or with a bound where no number exists.

Every statistic of this package that is reported comes as an `Estimate`. It is never infinite and
never NaN: what is unknown is None. How it was estimated is told by the modules that make it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from scipy.special import ndtr, ndtri, stdtr, stdtrit


def normal_quantile(confidence: float) -> float:
    """Return z such that a normal variable lies within +-z with probability `confidence`."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie inside 0..1: {confidence!r}")
    return float(ndtri(0.5 + confidence / 2))


def student_quantile(confidence: float, degrees: float) -> float:
    """Return t such that Student's variable lies within +-t with probability `confidence`."""
    if math.isinf(degrees):
        return normal_quantile(confidence)
    return float(stdtrit(degrees, 0.5 + confidence / 2))


def positive_probability(t_value: float, degrees: float) -> float:
    """Return the probability that a value is positive that lies `t_value` errors above 0."""
    return float(ndtr(t_value) if math.isinf(degrees) else stdtr(degrees, t_value))


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A value with an interval; or one or two bounds; or nothing.

    Attributes
    ----------
    value : float or None
        The estimate, or None where it would be infinite or is not determined by the data.
    error : float or None
        Half the width of the interval.
    standard_error : float or None
        Standard error, where there is one; the interval is `value` +- so many, unless it is
        lopsided.
    reach : float or None
        How many standard errors the normal interval would reach, where it is lopsided.
    low, high : float or None
        Ends of the interval; None where that side is open (or an interval is refused). Where the
        value is None, a lone end is a one-sided bound at `confidence`.
    unbounded : bool
        Whether the interval was computed and is open on both sides: it holds every value. Without
        it, a value without ends has no interval.
    confidence : float
        Probability that the interval, or each lone bound, holds.
    """

    value: float | None = None
    error: float | None = None
    standard_error: float | None = None
    reach: float | None = None
    low: float | None = None
    high: float | None = None
    unbounded: bool = False
    confidence: float = 0.95

    def text(self, digits: int = 1) -> str:
        """Return a form for people: ``+41 [+11, +71]``, ``> +412 at 95 %`` or ``unknown``."""
        percent = f"{100 * self.confidence:g} %"
        if self.value is None:
            if self.low is not None and self.high is None:
                return f"> {self.low:+.{digits}f} at {percent}"
            if self.high is not None and self.low is None:
                return f"< {self.high:+.{digits}f} at {percent}"
            if self.low is not None and self.high is not None:
                return f"{self.low:+.{digits}f} to {self.high:+.{digits}f} at {percent}"
            return "unknown"
        if self.low is None and self.high is None and not self.unbounded:
            return f"{self.value:+.{digits}f} (no interval)"
        low = "open" if self.low is None else f"{self.low:+.{digits}f}"
        high = "open" if self.high is None else f"{self.high:+.{digits}f}"
        return f"{self.value:+.{digits}f} [{low}, {high}]"

    def plus_minus(self, digits: int = 1) -> str:
        """Return a short form for tables: ``+41.0 ± 30.0``, ``> +412.0`` or ``unknown``.

        An interval that is not symmetric is written out as in `text`.
        """
        if self.value is None:
            return self.text(digits).partition(" at ")[0]
        if self.standard_error is None or self.error is None or not self._is_symmetric(digits):
            return self.text(digits)
        return f"{self.value:+.{digits}f} ± {self.error:.{digits}f}"

    def _is_symmetric(self, digits: int) -> bool:
        """Tell whether both ends lie equally far away, to these digits."""
        if self.value is None or self.low is None or self.high is None:
            return False
        return abs(self.low + self.high - 2 * self.value) < 10.0**-digits

    def to_dict(self) -> dict[str, float | None]:
        """Return a JSON-ready form; what is unknown is null."""
        return {
            "value": self.value,
            "error": self.error,
            "standard_error": self.standard_error,
            "low": self.low,
            "high": self.high,
            "confidence": self.confidence,
        }


def probability_text(probability: float | None) -> str:
    """Return a probability for people; what is not certain never rounds to 0 or 100 %."""
    if probability is None:
        return "unknown"
    if probability > 0.99995:
        return "> 99.99 %"
    return "< 0.01 %" if probability < 0.00005 else f"{100 * probability:.2f} %"


def share_text(share: float | None) -> str:
    """Return a share of games, 0..1, in per cent to one digit."""
    return "-" if share is None else f"{100 * share:.1f} %"


def wald(
    value: float, standard_error: float, confidence: float, *, degrees: float = math.inf
) -> Estimate:
    """Return value +- z standard errors; Student's t with `degrees` of freedom in place of z."""
    error = student_quantile(confidence, degrees) * standard_error
    return Estimate(
        value=value,
        error=error,
        standard_error=standard_error,
        low=value - error,
        high=value + error,
        confidence=confidence,
    )


def games_factor(estimate: Estimate, *, power: float = 0.8) -> float | None:
    """Return by what the number of games must be multiplied to show that a difference is one.

    With so many games, in the same proportions, the interval of the estimate excludes 0 with
    probability `power`, if the true value is the estimated one: the standard error must shrink to
    |value| / (half-width of the interval in standard errors + z of the power). That is the sample
    size of a normal test, as in Cohen, Statistical Power Analysis (1988), section 2.4; standard
    errors shrink with the root of the number of games.

    Returns
    -------
    float or None
        Below 1 where fewer games would have done. None where there is no standard error, or the
        value is 0 and no number of games would do.
    """
    if not estimate.standard_error or estimate.error is None or not estimate.value:
        return None
    if not 0.5 <= power < 1:
        raise ValueError(f"power must lie in 0.5..1: {power!r}")
    # With more games a lopsided interval becomes a normal one.
    reach = estimate.reach or estimate.error / estimate.standard_error
    wanted = reach + float(ndtri(power))
    return (wanted * estimate.standard_error / estimate.value) ** 2


def without_interval(estimate: Estimate) -> Estimate:
    """Return the value alone, where the data do not support an interval or bound."""
    return replace(estimate, error=None, standard_error=None, low=None, high=None, unbounded=False)
