"""Weights that break rule A or rule B, moved to the nearest ones that keep both.

Rule A: a five outweighs all else, ``five > 4 * (sum of the others)``. Rule B: an open four is worth
more than two open threes. `PatternWeights` refuses what breaks them; here it is repaired.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import floor, sqrt
from typing import Final

from gomoku_lab.engine.config import LINES

_MARGIN: Final = 1 + 1e-9


def keep_rules(
    weights: Mapping[str, float], free: Collection[str], *, whole: bool
) -> dict[str, float]:
    """Return the weights with rules A and B kept.

    Rule B first: of numbers that are not whole, `open_four` rises and `open_three` falls by the
    same factor, which is the nearest point in logarithms; of whole ones, where rounding alone has
    broken it, `open_four` rises. Then rule A: `five` rises. What is not free stays, and the other
    side gives way: `open_three` alone falls, or all free weights but five fall by one factor.

    Parameters
    ----------
    weights : mapping
        All eight weights, positive.
    free : collection of str
        Those that may be changed. If none that could help is free, a rule stays broken.
    whole : bool
        Whether they are, and have to stay, whole numbers of at least 1.
    """
    found = dict(weights)
    _keep_b(found, free, whole)
    if found["five"] <= LINES * _others(found):
        if "five" in free:
            found["five"] = _above(LINES * _others(found), whole)
        else:
            _shrink(found, free, whole)
            if found["open_four"] <= 2 * found["open_three"] and "open_three" in free:
                found["open_three"] = _half(found["open_four"], whole)
    return found


def _keep_b(found: dict[str, float], free: Collection[str], whole: bool) -> None:
    if found["open_four"] > 2 * found["open_three"]:
        return
    if "open_four" not in free:
        if "open_three" in free:
            found["open_three"] = _half(found["open_four"], whole)
        return
    if "open_three" in free and not whole:
        ratio = sqrt(_above(2 * found["open_three"], whole) / found["open_four"])
        found["open_three"] /= ratio
    found["open_four"] = _above(2 * found["open_three"], whole)


def _shrink(found: dict[str, float], free: Collection[str], whole: bool) -> None:
    """Let all free weights but five fall by one factor until five outweighs them."""
    others = [key for key in found if key != "five" and key in free]
    total = sum(found[key] for key in others)
    room = found["five"] / LINES / _MARGIN - (_others(found) - total)
    for key in others:
        found[key] *= max(0.0, room / total)
        if whole:
            # Down, so that the sum holds; a weight is at least 1.
            found[key] = max(1, floor(found[key]))


def _others(found: Mapping[str, float]) -> float:
    return sum(value for key, value in found.items() if key != "five")


def _above(value: float, whole: bool) -> float:
    """Return the least number above `value`, or one that is hardly above it."""
    return floor(value) + 1 if whole else value * _MARGIN


def _half(value: float, whole: bool) -> float:
    """Return the greatest number whose double is below `value`, or nearly so."""
    return (int(value) - 1) // 2 if whole else value / 2 / _MARGIN
