"""From weights and a rule to the tables that the kernels look up: shapes, values and orders.

Nothing here depends on a position.
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from gomoku_lab.engine.config import PatternWeights
from gomoku_lab.engine.learned import LearnedTable, combination_of_code
from gomoku_lab.game.rules import BLACK, WHITE, Rule
from gomoku_lab.kernels import layout

_ORDER_CAP = 500_000_000
"""Keeps twice a point's value inside int32; no legal five is larger."""


def half_window(rule: Rule) -> int:
    """Return how many cells to each side decide a class: exact five needs one more."""
    return 5 if rule.is_exact(BLACK) or rule.is_exact(WHITE) else 4


@lru_cache(maxsize=8)
def shape_table(rule: Rule, window: int = 11) -> npt.NDArray[np.uint8]:
    """Return the grade table of `rule`: uint8[65536], or uint8[2**20] where exact five matters.

    With a narrower `window` (an odd number of cells) the cells outside it count as blocked for
    the classes below four; fives and fours stay what they are, since the rules hang on them, and
    under renju, where the rules hang on open threes as well, all classes do.
    """
    from gomoku_lab.kernels.patterns import fill_shapes

    half = half_window(rule)
    shapes = np.zeros(1 << (4 * half), np.uint8)
    fill_shapes(shapes, half, _needs(rule, BLACK), _needs(rule, WHITE))
    if window // 2 < half and rule is not Rule.RENJU:
        shapes = _narrowed(shapes, half, window // 2)
    shapes.setflags(write=False)
    return shapes


def _narrowed(shapes: npt.NDArray[np.uint8], half: int, reach: int) -> npt.NDArray[np.uint8]:
    """Return the table in which cells farther than `reach` are blocked for lesser classes."""
    codes = np.arange(len(shapes))
    blocked = codes.copy()
    for cell in range(2 * half):
        distance = half - cell if cell < half else cell - half + 1
        if distance > reach:
            blocked |= layout.EDGE << (2 * cell)
    narrow = np.zeros_like(shapes)
    for shift in (0, 4):
        whole, seen = (shapes >> shift) & 15, (shapes[blocked] >> shift) & 15
        kept = layout.CLASS_OF_GRADE[whole] >= layout.FOUR
        narrow |= np.where(kept, whole, np.minimum(whole, seen)) << shift
    return narrow


def _needs(rule: Rule, colour: int) -> int:
    """Return what counts as five for `colour`, as the kernels know it."""
    if not rule.is_exact(colour):
        return layout.FIVE_OR_MORE
    return layout.RENJU_BLACK if rule is Rule.RENJU else layout.EXACTLY_FIVE


@lru_cache(maxsize=64)
def hand_values(weights: PatternWeights) -> npt.NDArray[np.int32]:
    """Return the values of all four-direction codes by the classes' weights: int32[65536, 4].

    Columns: worth to the side to move and to the other one, which are the same (0 where the point
    completes a five, since the counters decide that), combined class, nothing.
    """
    classes = direction_classes()
    five = (classes == layout.FIVE).any(axis=0)
    values = np.zeros((layout.CODES, 4), np.int32)
    values[:, layout.OWN] = np.where(five, 0, np.minimum(_worth(weights), _ORDER_CAP))
    values[:, layout.OTHER] = values[:, layout.OWN]
    values[:, layout.POINT] = _combined_class(classes)
    values.setflags(write=False)
    return values


@lru_cache(maxsize=64)
def hand_orders(weights: PatternWeights) -> npt.NDArray[np.int32]:
    """Return the one-move order of all four-direction codes: int32[65536, 2].

    Columns: order value of an own stone (twice the point's worth), order value of taking the point
    from the opponent (once the worth). The factor two, ours, puts an own open four before the
    opponent's and an own five before everything.
    """
    five = (direction_classes() == layout.FIVE).any(axis=0)
    order = np.minimum(np.where(five, weights.five, _worth(weights)), _ORDER_CAP)
    orders = np.stack([2 * order, order], axis=1).astype(np.int32)
    orders.setflags(write=False)
    return orders


def learned_values(table: LearnedTable) -> npt.NDArray[np.int32]:
    """Return the values of all four-direction codes by a learned table, as `hand_values` does."""
    numbers = combination_of_code()
    values = np.zeros((layout.CODES, 4), np.int32)
    for column, worth in ((layout.OWN, table.own), (layout.OTHER, table.other)):
        values[:, column] = np.append(worth, 0)[numbers]
    values[:, layout.POINT] = _combined_class(direction_classes())
    return values


def learned_orders(table: LearnedTable) -> npt.NDArray[np.int32]:
    """Return the orders of all four-direction codes by a learned order, as `hand_orders` does.

    All are raised by the same amount, so that none is negative; fives come before everything.
    """
    numbers = combination_of_code()
    orders = np.zeros((layout.CODES, 2), np.int64)
    for column, worth in ((layout.ATTACK, table.own), (layout.DEFEND, table.other)):
        lifted = worth.astype(np.int64) - worth.min()
        orders[:, column] = np.append(lifted, 0)[numbers]
    top = 1 + int(orders.max(axis=0).sum())
    five = (direction_classes() == layout.FIVE).any(axis=0)
    orders[five] = [2 * top, top]
    found = orders.astype(np.int32)
    found.setflags(write=False)
    return found


def renju_values(values: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Return what `values` (as of `hand_values`) become for Black under renju.

    A point that he may not play on is worth nothing to him. One where two threes seem to meet is
    taken for such a point: mostly it is one.
    """
    points = _renju_class()
    black = values.copy()
    black[:, layout.POINT] = points
    closed = (points == layout.POINT_FORBIDDEN) | (points == layout.POINT_DOUBLE_THREE)
    black[np.ix_(closed, [layout.OWN, layout.OTHER])] = 0
    return black


def renju_orders(orders: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Return what `orders` (as of `hand_orders`) become for Black under renju.

    White gains nothing by taking a point on which Black may not play. Where he may, his order
    stays: the points where he may not are no candidates of his.
    """
    black = orders.copy()
    forbidden = _renju_class() == layout.POINT_FORBIDDEN
    black[forbidden, layout.DEFEND] = 0
    return black


def direction_classes() -> npt.NDArray[np.int64]:
    """Return the classes of all four-direction codes: int64[4, 65536]."""
    classes: npt.NDArray[np.int64] = layout.CLASS_OF_GRADE[_direction_grades()]
    return classes


def _direction_grades() -> npt.NDArray[np.int64]:
    codes = np.arange(layout.CODES)
    return np.stack([(codes >> (4 * direction)) & 15 for direction in range(4)])


def _worth(weights: PatternWeights) -> npt.NDArray[np.int64]:
    """Return the sum of the weights of each code's classes; a five counts nothing here."""
    worth = np.zeros(layout.CLASSES, np.int64)
    worth[layout.ONE] = weights.one
    worth[layout.TWO] = weights.two
    worth[layout.OPEN_TWO] = weights.open_two
    worth[layout.THREE] = weights.three
    worth[layout.OPEN_THREE] = weights.open_three
    worth[layout.FOUR] = weights.four
    worth[layout.OPEN_FOUR] = weights.open_four
    total: npt.NDArray[np.int64] = worth[direction_classes()].sum(axis=0)
    return total


def _combined_class(classes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the combined class of each column of four direction classes."""
    open_fours = (classes == layout.OPEN_FOUR).sum(axis=0)
    fours = (classes == layout.FOUR).sum(axis=0)
    threes = (classes == layout.OPEN_THREE).sum(axis=0)
    return np.select(
        [
            (classes == layout.FIVE).any(axis=0),
            (open_fours > 0) | (fours > 1),
            (fours == 1) & (threes > 0),
            fours == 1,
            threes > 1,
            threes == 1,
        ],
        [
            layout.POINT_FIVE,
            layout.POINT_OPEN_FOUR,
            layout.POINT_FOUR_THREE,
            layout.POINT_FOUR,
            layout.POINT_DOUBLE_THREE,
            layout.POINT_THREE,
        ],
        layout.POINT_NONE,
    )


@cache
def _renju_class() -> npt.NDArray[np.int64]:
    """Return the combined class for Black under renju of all four-direction codes: int64[65536]."""
    grades, classes = _direction_grades(), direction_classes()
    special = (grades == layout.OVERLINE_GRADE) | (grades == layout.DOUBLE_FOUR_GRADE)
    fours = (classes == layout.FOUR) | (classes == layout.OPEN_FOUR)
    points = _combined_class(classes)
    return np.select(
        [
            points == layout.POINT_FIVE,
            special.any(axis=0) | (fours.sum(axis=0) > 1),
            (classes == layout.OPEN_THREE).sum(axis=0) > 1,
        ],
        [layout.POINT_FIVE, layout.POINT_FORBIDDEN, layout.POINT_DOUBLE_THREE],
        points,
    )
