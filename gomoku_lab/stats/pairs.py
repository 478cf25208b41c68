"""Result counts of games and of colour-swapped pairs: checks, scores, moments, copies.

Counts run from low to high, always from the same player's side: three numbers are games
(losses, draws, wins), five are pairs of games with colours swapped (LL, LD, WL or DD, WD, WW).
Nothing here turns a score into Elo (`elo`) or decides anything (`sprt`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

TRINOMIAL: Final = 3
PENTANOMIAL: Final = 5

COPIES_TOLERATED: Final = 0.1
"""Share of repeated games up to which an interval is still printed.

An interval from n games of which m are distinct is too narrow by sqrt(n/m): at 0.1 by 5 %.
"""


def check_counts(counts: Sequence[float] | FloatArray) -> FloatArray:
    """Return counts as a float array of length 3 or 5.

    Parameters
    ----------
    counts : sequence of int
        Trinomial (L, D, W) or pentanomial (LL, LD, WL+DD, WD, WW).

    Raises
    ------
    ValueError
        If there are not three or five of them, or one is not a whole number from 0 up.
    """
    array = np.asarray(counts, dtype=np.float64)
    if array.ndim != 1 or array.size not in (TRINOMIAL, PENTANOMIAL):
        raise ValueError(
            "counts must be three numbers (losses, draws, wins) or five "
            f"(pairs LL, LD, WL+DD, WD, WW): {array.size} given"
        )
    for position, value in enumerate(array.tolist(), start=1):
        if not np.isfinite(value) or value < 0 or value != np.floor(value):
            raise ValueError(
                f"counts must be whole numbers from 0 up: number {position} is {value:g}"
            )
    return array


def outcome_scores(size: int) -> FloatArray:
    """Return the scores of the `size` outcomes from low to high: 0, ..., 1."""
    return np.arange(size, dtype=np.float64) / (size - 1)


def games_per_unit(counts: Sequence[float] | FloatArray) -> int:
    """Return how many games one counted unit holds: 1 for games, 2 for pairs."""
    return 2 if len(counts) == PENTANOMIAL else 1


def moments(counts: Sequence[float] | FloatArray) -> tuple[float, float, float]:
    """Return the number of units, their mean score and the variance of one unit's score.

    The variance is the one of the empirical distribution (divided by n, not n - 1).
    """
    array = check_counts(counts)
    total = float(array.sum())
    if total == 0:
        raise ValueError("counts must hold at least one game: all are 0")
    scores = outcome_scores(array.size)
    mean = float(array @ scores) / total
    variance = float(array @ (scores - mean) ** 2) / total
    return total, mean, variance


def pair_counts(pairs: Iterable[tuple[float, float]]) -> tuple[int, int, int, int, int]:
    """Count pairs of games, given as the two scores (0, 0.5 or 1) of the same player.

    Returns
    -------
    tuple of int
        Pentanomial counts (LL, LD, WL+DD, WD, WW).
    """
    counts = [0] * PENTANOMIAL
    for pair in pairs:
        if len(pair) != 2 or any(score not in (0, 0.5, 1) for score in pair):
            raise ValueError(f"a pair must be two scores out of 0, 0.5 and 1: {pair!r}")
        counts[round(2 * (pair[0] + pair[1]))] += 1
    return (counts[0], counts[1], counts[2], counts[3], counts[4])


def swap_sides(counts: Sequence[float] | FloatArray) -> FloatArray:
    """Return the counts as the other player sees them."""
    return check_counts(counts)[::-1].copy()


def distinct_games(games: Iterable[Hashable]) -> int:
    """Count the distinct games; a game is anything hashable, such as its move string.

    Two deterministic players that play one opening again repeat the same game: the copy holds
    no information.
    """
    return len(Counter(games))


def copies_warning(games: int, distinct: int) -> str | None:
    """Say how many games are copies, or return None if all of them are distinct."""
    if not 0 < distinct <= games:
        raise ValueError(f"distinct games must be 1..{games}: {distinct!r}")
    if distinct == games:
        return None
    return f"only {distinct} of {games} games are distinct; the others are copies"


def too_many_copies(games: int, distinct: int) -> bool:
    """Tell whether so many games are copies that an interval would be a lie."""
    return distinct < (1 - COPIES_TOLERATED) * games


def split_warning(counts: Sequence[float] | FloatArray, *, counted: bool = False) -> str | None:
    """Warn if every pair was split, the signature of two deterministic games repeated.

    With counts alone nothing tells copies from honest pairs in which the same colour always won;
    either way the spread is zero and the usual interval has width zero. `counted` tells that the
    distinct games were counted.
    """
    array = check_counts(counts)
    if array.size != PENTANOMIAL or array[2] == 0 or array[2] != array.sum():
        return None
    if counted:
        return (
            f"{int(array[2])} of {int(array[2])} pairs ended level, so that the results show no "
            "spread: the interval is a bound that rests on the number of pairs alone"
        )
    return (
        f"every one of {int(array[2])} pairs was split: probably the same games repeated; "
        "count the distinct games"
    )
