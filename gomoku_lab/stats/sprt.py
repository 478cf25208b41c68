"""The sequential probability ratio test of one Elo against another: exact and latched.

The log-likelihood ratio is the generalised one for a multinomial (M. Van den Bergh, "The
generalized maximum likelihood ratio for the expectation value of a distribution",
http://hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf): both likelihoods are maximised
over all distributions on the outcomes that have the hypothesis' score (logistic Elo) or its
t-value (normalised Elo). No Brownian approximation. The maxima are found in `likelihood`.
What a fixed number of games says is in `elo`, not here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from gomoku_lab.stats.elo import K, score_from_elo
from gomoku_lab.stats.likelihood import log_likelihood_at_mean, log_likelihood_at_t, regularised
from gomoku_lab.stats.pairs import (
    PENTANOMIAL,
    TRINOMIAL,
    FloatArray,
    check_counts,
    games_per_unit,
)

Model = Literal["logistic", "normalized"]
Decision = Literal["H0", "H1"]

SCHEMA_VERSION: Final = 1
MODELS: Final = ("logistic", "normalized")
MINIMUM_PAIRS: Final = 24
"""Pairs below which nothing is decided: the likelihood of very few pairs is not yet calibrated."""
ELO_LIMIT: Final = 3000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypotheses:
    """The two Elo values that a test tells apart, and its error rates.

    Attributes
    ----------
    elo0, elo1 : float
        H0 and H1, elo0 < elo1, within -3000..3000.
    model : str
        ``logistic`` (Elo of the score) or ``normalized`` (Elo of the t-value).
    alpha, beta : float
        Probability of accepting H1 under H0, and of accepting H0 under H1.
    """

    elo0: float
    elo1: float
    model: Model = "normalized"
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def unit(self) -> str:
        """Give the unit of both values, in words."""
        return "normalised Elo" if self.model == "normalized" else "Elo"

    def __post_init__(self) -> None:
        if self.model not in MODELS:
            raise ValueError(f"model must be one of {', '.join(MODELS)}: {self.model!r}")
        for name, elo in (("elo0", self.elo0), ("elo1", self.elo1)):
            if not -ELO_LIMIT <= elo <= ELO_LIMIT:
                raise ValueError(f"{name} must be within +-{ELO_LIMIT:g}: {elo!r}")
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be below elo1: {self.elo0!r}, {self.elo1!r}")
        wald_bounds(self.alpha, self.beta)

    @property
    def bounds(self) -> tuple[float, float]:
        """Give the lower and the upper bound of the log-likelihood ratio."""
        return wald_bounds(self.alpha, self.beta)


def wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Return Wald's bounds ln(beta / (1 - alpha)) and ln((1 - beta) / alpha)."""
    for name, rate in (("alpha", alpha), ("beta", beta)):
        if not 1e-12 <= rate < 0.5:
            raise ValueError(f"{name} must be in 1e-12..0.5 (0.5 excluded): {rate!r}")
    return float(np.log(beta / (1 - alpha))), float(np.log((1 - beta) / alpha))


def log_likelihood_ratios(
    counts: FloatArray, *, elo0: float, elo1: float, model: Model
) -> FloatArray:
    """Return the exact log-likelihood ratios of many results at once.

    Parameters
    ----------
    counts : float64[..., 3] or float64[..., 5]
        Trinomial or pentanomial counts, from low to high.
    elo0, elo1 : float
        The hypotheses.
    model : str
        ``logistic`` or ``normalized``.

    Returns
    -------
    float64[...]
        ln(L1 / L0); positive speaks for elo1. Zero without any games.
    """
    filled = regularised(np.asarray(counts, dtype=np.float64))
    totals = filled.sum(axis=-1)
    frequencies = filled / totals[..., np.newaxis]
    ratios = llr_of_frequencies(frequencies, elo0=elo0, elo1=elo1, model=model)
    played = np.asarray(counts).sum(axis=-1) > 0
    return np.where(played, totals * ratios, 0.0)


def llr_of_frequencies(
    frequencies: FloatArray, *, elo0: float, elo1: float, model: Model
) -> FloatArray:
    """Return what one unit of results adds to the log-likelihood ratio, by their frequencies.

    Parameters
    ----------
    frequencies : float64[..., 3] or float64[..., 5]
        Of the outcomes from low to high; all positive, sum 1.
    elo0, elo1, model
        As in `log_likelihood_ratios`.
    """
    hypotheses = Hypotheses(elo0=elo0, elo1=elo1, model=model)
    if hypotheses.model == "logistic":
        low, high = (
            log_likelihood_at_mean(frequencies, score_from_elo(elo)) for elo in (elo0, elo1)
        )
    else:
        # t-value of one unit: a pair's score varies 1/sqrt(2) as much as a game's.
        scale = (np.sqrt(2.0) if frequencies.shape[-1] == PENTANOMIAL else 1.0) / K
        low, high = (log_likelihood_at_t(frequencies, elo * scale) for elo in (elo0, elo1))
    return high - low


def log_likelihood_ratio(
    counts: Sequence[float] | FloatArray, *, elo0: float, elo1: float, model: Model = "normalized"
) -> float:
    """Return the exact log-likelihood ratio of one result (see `log_likelihood_ratios`)."""
    return float(log_likelihood_ratios(check_counts(counts), elo0=elo0, elo1=elo1, model=model))


@dataclass(frozen=True, slots=True, kw_only=True)
class SprtState:
    """Where a sequential test stands.

    Attributes
    ----------
    hypotheses : Hypotheses
        What is tested.
    counts : tuple of int
        What the test has judged, from low to high; frozen by the decision.
    late_counts : tuple of int
        What came in after the decision: recorded, but not part of the test.
    llr : float
        Log-likelihood ratio of `counts`.
    decision : str or None
        ``H0`` or ``H1``, or None while undecided.
    floor : int
        Units (pairs; games if trinomial) below which nothing is decided.
    """

    hypotheses: Hypotheses
    counts: tuple[int, ...]
    late_counts: tuple[int, ...]
    llr: float
    decision: Decision | None
    floor: int

    @property
    def verdict(self) -> str | None:
        """Say what the decision means; None without one."""
        if self.decision is None:
            return None
        given = self.hypotheses
        values = (given.elo1, given.elo0) if self.decision == "H1" else (given.elo0, given.elo1)
        return (
            f"{self.decision} accepted: {values[0]:g} {given.unit} explains the results better "
            f"than {values[1]:g}, at error rates {given.alpha:g} and {given.beta:g}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        lower, upper = self.hypotheses.bounds
        return {
            "schema": SCHEMA_VERSION,
            "counts": list(self.counts),
            "late_counts": list(self.late_counts),
            "llr": self.llr,
            "lower": lower,
            "upper": upper,
            "elo0": self.hypotheses.elo0,
            "elo1": self.hypotheses.elo1,
            "model": self.hypotheses.model,
            "alpha": self.hypotheses.alpha,
            "beta": self.hypotheses.beta,
            "decision": self.decision,
            "floor": self.floor,
            "below_floor": sum(self.counts) < self.floor,
        }


class Sprt:
    """A running sequential test: fed results, it decides once and stays decided.

    Feed results in an order that does not depend on how long games take (by the number of the
    pair), else quick games weigh more and a repeated run may decide otherwise.

    Parameters
    ----------
    hypotheses : Hypotheses
        What is tested.
    outcomes : int
        5 for pairs, 3 for games.
    minimum_pairs : int
        Floor below which nothing is decided; a pair is two games.
    """

    def __init__(
        self,
        hypotheses: Hypotheses,
        *,
        outcomes: int = PENTANOMIAL,
        minimum_pairs: int = MINIMUM_PAIRS,
    ) -> None:
        if outcomes not in (TRINOMIAL, PENTANOMIAL):
            raise ValueError(f"outcomes must be 3 (games) or 5 (pairs): {outcomes!r}")
        if minimum_pairs < 1:
            raise ValueError(f"minimum_pairs must be at least 1: {minimum_pairs!r}")
        self.hypotheses = hypotheses
        self.floor = minimum_pairs * (1 if outcomes == PENTANOMIAL else 2)
        self._counts = np.zeros(outcomes)
        self._late = np.zeros(outcomes)
        self._llr = 0.0
        self._decision: Decision | None = None

    def add(self, counts: Sequence[float] | FloatArray) -> SprtState:
        """Add the counts of new results, judge them together, and return the new state."""
        array = check_counts(counts)
        if array.size != self._counts.size:
            raise ValueError(f"this test counts {self._counts.size} outcomes: {array.size} given")
        if self._decision is not None:
            self._late += array
            return self.state
        self._counts += array
        settings = self.hypotheses
        self._llr = log_likelihood_ratio(
            self._counts, elo0=settings.elo0, elo1=settings.elo1, model=settings.model
        )
        lower, upper = settings.bounds
        if self._counts.sum() >= self.floor:
            if self._llr >= upper:
                self._decision = "H1"
            elif self._llr <= lower:
                self._decision = "H0"
        return self.state

    @property
    def state(self) -> SprtState:
        """Give the present state, as a value."""
        return SprtState(
            hypotheses=self.hypotheses,
            counts=tuple(int(count) for count in self._counts),
            late_counts=tuple(int(count) for count in self._late),
            llr=self._llr,
            decision=self._decision,
            floor=self.floor,
        )


def expected_games(
    nelo: float,
    *,
    nelo0: float,
    nelo1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    llr: float = 0.0,
) -> float:
    """Return Wald's expected number of further games until the test decides.

    Parameters
    ----------
    nelo : float
        True difference in normalised Elo.
    nelo0, nelo1 : float
        The hypotheses, in normalised Elo.
    alpha, beta : float
        Error rates.
    llr : float
        Where the test stands now; 0 before the first game.

    Notes
    -----
    The ratio moves like a Brownian motion with drift d (nelo - middle) / K and variance d^2 a
    game, d = (nelo1 - nelo0) / K. Expected time = expected end value / drift, with the
    probability of each end from the exponential martingale.
    """
    hypotheses = Hypotheses(elo0=nelo0, elo1=nelo1, alpha=alpha, beta=beta)
    lower, upper = hypotheses.bounds
    below, above = llr - lower, upper - llr
    step = (nelo1 - nelo0) / K
    return _expected_steps(step * (nelo - (nelo0 + nelo1) / 2) / K, step**2, below, above)


def remaining_games(state: SprtState) -> float | None:
    """Return how many further games a test is expected to take if results go on as they were.

    0 once it has decided, None as long as there are no results that move it.

    Notes
    -----
    A further result of outcome i moves the ratio by its derivative by count i. The mean of these
    moves over the results so far is LLR / N, since the ratio grows in proportion to the counts.
    """
    if state.decision is not None:
        return 0.0
    counts = np.array(state.counts, dtype=np.float64)
    units = float(counts.sum())
    if not units:
        return None
    drift = state.llr / units
    variance = float(counts @ _moves(counts, state.hypotheses) ** 2) / units - drift**2
    lower, upper = state.hypotheses.bounds
    # Below the floor a bound may be crossed and left again; what is left is the floor.
    below, above = max(0.0, state.llr - lower), max(0.0, upper - state.llr)
    left = _expected_steps(drift, max(0.0, variance), below, above)
    if not np.isfinite(left):
        return None
    return games_per_unit(counts) * max(left, state.floor - units, 1.0)


def _moves(counts: FloatArray, hypotheses: Hypotheses) -> FloatArray:
    """Return what one more result of each outcome adds to the ratio; 0 for those not seen."""
    seen = np.flatnonzero(counts)
    steps = 1e-4 * counts[seen]
    more = np.repeat(counts[np.newaxis], 1 + seen.size, axis=0)
    more[1 + np.arange(seen.size), seen] += steps
    given = hypotheses
    ratios = log_likelihood_ratios(more, elo0=given.elo0, elo1=given.elo1, model=given.model)
    moves = np.zeros(counts.size)
    moves[seen] = (ratios[1:] - ratios[0]) / steps
    return moves


def _expected_steps(drift: float, variance: float, below: float, above: float) -> float:
    """Return the expected steps of a walk until it has fallen by `below` or risen by `above`.

    `drift` and `variance` are those of one step; a walk that does not move takes for ever.
    """
    if below <= 0 or above <= 0:
        return 0.0
    if variance == 0:
        return np.inf if drift == 0 else (above if drift > 0 else below) / abs(drift)
    # The exponent of the martingale exp(-rate x).
    rate = 2 * drift / variance
    if abs(rate) * (below + above) < 1e-5:
        return below * above / variance
    up = _probability_up(below, above, rate)
    return float((up * above - (1 - up) * below) / drift)


def _probability_up(below: float, above: float, rate: float) -> float:
    """Return the probability of rising by `above` before falling by `below`."""
    if rate > 0:
        return float(np.expm1(-rate * below) / np.expm1(-rate * (below + above)))
    return float(np.exp(rate * above) * np.expm1(rate * below) / np.expm1(rate * (below + above)))
