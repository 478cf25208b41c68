"""Slow, obvious versions of what the engine computes: classes, evaluation, gates, plain minimax.

Everything is read off the stones anew, from the definitions. No kernel is called.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from naive import all_lines

from gomoku_lab.game import renju
from gomoku_lab.kernels import layout

NONE, ONE, TWO, OPEN_TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVE = range(9)
OVERLINE, LINE_DOUBLE_FOUR = 9, 10
(
    POINT_NONE,
    POINT_FORBIDDEN,
    POINT_THREE,
    POINT_DOUBLE_THREE,
    POINT_FOUR,
    POINT_FOUR_THREE,
    POINT_OPEN_FOUR,
    POINT_FIVE,
) = range(8)

STONES = ".XO"

# --- classes ---------------------------------------------------------------------------------

RENJU = "renju"
EXACT = {"freestyle": (False, False), "standard": (True, True), "renju": (RENJU, False)}
"""What `exact` is for Black and for White: whether they need exactly five, and Black in renju."""


def put(window, *points):
    """Return the window with own stones on `points`."""
    return "".join("x" if i in points else cell for i, cell in enumerate(window))


@cache
def has_five(window, exact):
    """Tell whether a window of `.` empty, `x` own, `#` blocked holds a line that wins."""
    return any(len(run) == 5 if exact else len(run) >= 5 for run in re.findall("x+", window))


def empties(window):
    return [i for i, cell in enumerate(window) if cell == "."]


@cache
def completions(window, exact):
    """Count the points of a window on which a stone makes five."""
    return sum(has_five(put(window, point), exact) for point in empties(window))


def window_class(window, exact):
    """Return the class of the empty centre: that of the window with an own stone there."""
    return placed_class(put(window, len(window) // 2), exact)


GRADES = (
    *((NONE, 1), (ONE, 1), (ONE, 2), (TWO, 1), (OPEN_TWO, 1), (OPEN_TWO, 2), (OPEN_TWO, 3)),
    *((THREE, 1), (THREE, 2), (OPEN_THREE, 1), (OPEN_THREE, 2), (FOUR, 1), (OPEN_FOUR, 1)),
    (FIVE, 1),
)
"""Class and number of ways of each grade; the last number of a class stands for more as well."""


def window_grade(window, exact):
    """Return the grade of the empty centre: its class, and how many further stones lead on."""
    placed = put(window, len(window) // 2)
    kind = placed_class(placed, exact)
    if kind > FIVE:
        return len(GRADES) + kind - OVERLINE
    after = [placed_class(put(placed, point), exact) for point in empties(placed)]
    leads_to = {OPEN_TWO: OPEN_THREE, THREE: FOUR, OPEN_THREE: OPEN_FOUR}
    ways = after.count(leads_to[kind]) if kind in leads_to else 1 + (OPEN_TWO in after)
    return max(i for i, (one, least) in enumerate(GRADES) if one == kind and least <= ways)


@cache
def placed_class(placed, exact):
    """Return the class of a window with an own stone in the centre: try every set of further ones.

    Five: five stand. Otherwise the fewest further stones after which a point completes
    five decide: 0 four, 1 three, 2 two, 3 one. Open: after some such set two points do.
    """
    if has_five(placed, exact):
        return FIVE
    if exact == RENJU:
        return renju_class(placed)
    for further, closed, opened in (
        (0, FOUR, OPEN_FOUR),
        (1, THREE, OPEN_THREE),
        (2, TWO, OPEN_TWO),
        (3, ONE, ONE),
    ):
        most = max(
            (
                completions(put(placed, *points), exact)
                for points in combinations(empties(placed), further)
            ),
            default=0,
        )
        if most > 0:
            return opened if most > 1 else closed
    return NONE


def renju_class(placed):
    """Return the class of a black stone in the centre under renju, where no five stands.

    Further stones come one by one, and none where it makes six, or two fours in this line.
    """
    middle = len(placed) // 2
    (run,) = (run for run in re.finditer("x+", placed) if run.start() <= middle < run.end())
    if len(run.group()) > 5:
        return OVERLINE
    after = [placed_class(put(placed, point), RENJU) for point in empties(placed)]
    fives = after.count(FIVE)
    if fives:
        ends = placed[run.start() - 1 : run.start()] + placed[run.end() : run.end() + 1]
        straight = len(run.group()) == 4 and ends == ".." and fives == 2
        return FOUR if fives == 1 else OPEN_FOUR if straight else LINE_DOUBLE_FOUR
    best = max((kind for kind in after if kind < FIVE), default=NONE)
    leads = {OPEN_FOUR: OPEN_THREE, FOUR: THREE, OPEN_THREE: OPEN_TWO, THREE: TWO}
    return leads.get(best, ONE if best in (TWO, OPEN_TWO) else NONE)


@cache
def line_classes(line, own, exact):
    """Return the class of each empty point of a whole line (None where a stone stands)."""
    half = 5 if exact else 4
    seen = "".join("." if cell == "." else "x" if cell == own else "#" for cell in line)
    padded = "#" * half + seen + "#" * half
    return tuple(
        window_class(padded[i : i + 2 * half + 1], exact) if cell == "." else None
        for i, cell in enumerate(seen)
    )


def combined_class(classes, is_renju_black=False):
    """Return the combined class of a point from its four direction classes."""
    fours, threes = classes.count(FOUR), classes.count(OPEN_THREE)
    if FIVE in classes:
        return POINT_FIVE
    if is_renju_black:
        if max(classes) > FIVE or fours + classes.count(OPEN_FOUR) >= 2:
            return POINT_FORBIDDEN
        if threes >= 2:
            return POINT_DOUBLE_THREE
    if OPEN_FOUR in classes or fours >= 2:
        return POINT_OPEN_FOUR
    if fours == 1:
        return POINT_FOUR_THREE if threes else POINT_FOUR
    if threes:
        return POINT_DOUBLE_THREE if threes >= 2 else POINT_THREE
    return POINT_NONE


# --- positions -------------------------------------------------------------------------------


class Position(NamedTuple):
    """Stones as text (``.XO``, row 0 first), the side to move (0 black), who has made a five."""

    size: int
    rule: str
    cells: str
    side: int
    fives: tuple[bool, bool] = (False, False)

    @classmethod
    def of(cls, board):
        cells = "".join(STONES[cell] for cell in board.cells)
        return cls(board.size, str(board.rule), cells, board.to_move - 1)

    @property
    def is_full(self):
        return "." not in self.cells

    @property
    def codes(self):
        return bytes(STONES.index(cell) for cell in self.cells)

    def is_renju_black(self, colour):
        return self.rule == RENJU and colour == 0

    def may_play(self, move):
        """Tell whether the rule lets the side to move play on an empty point."""
        if not self.is_renju_black(self.side):
            return True
        return renju.prohibition(self.codes, self.size, move) is None

    def play(self, move):
        assert self.cells[move] == "."
        fives = list(self.fives)
        if FIVE in shapes(self)[self.side][move]:
            fives[self.side] = True
        cells = self.cells[:move] + STONES[self.side + 1] + self.cells[move + 1 :]
        return self._replace(cells=cells, side=1 - self.side, fives=tuple(fives))


@cache
def directed_lines(size):
    """List (direction, points) of all lines; 0 row, 1 column, 2 falling, 3 rising."""
    lengths = (size, size, 2 * size - 1, 2 * size - 1)
    directions = [d for d, number in enumerate(lengths) for _ in range(number)]
    return tuple(zip(directions, map(tuple, all_lines(size)), strict=True))


@lru_cache(maxsize=20_000)
def shapes(position):
    """Return, for each colour, {empty point: its classes in the four directions}."""
    found = [{m: [NONE] * 4 for m, c in enumerate(position.cells) if c == "."} for _ in range(2)]
    for direction, points in directed_lines(position.size):
        line = "".join(position.cells[p] for p in points)
        for colour in range(2):
            classes = line_classes(line, STONES[colour + 1], EXACT[position.rule][colour])
            for point, kind in zip(points, classes, strict=True):
                if kind is not None:
                    found[colour][point][direction] = kind
    return tuple(found)


def points_of(position, colour, kind):
    """List the empty points that have a combined class for `colour` (0 black), ascending."""
    return [m for m in shapes(position)[colour] if point_class(position, colour, m) == kind]


def point_class(position, colour, move):
    """Return the combined class of an empty point for `colour` (0 black)."""
    return combined_class(shapes(position)[colour][move], position.is_renju_black(colour))


# --- evaluation and order --------------------------------------------------------------------


def worth(classes, weights):
    """Return the sum of the four classes' weights; a five's weight alone where there is one."""
    if FIVE in classes:
        return weights.five
    table = {
        OVERLINE: 0, LINE_DOUBLE_FOUR: 0,
        NONE: 0, ONE: weights.one, TWO: weights.two, OPEN_TWO: weights.open_two,
        THREE: weights.three, OPEN_THREE: weights.open_three, FOUR: weights.four,
        OPEN_FOUR: weights.open_four,
    }  # fmt: skip
    return sum(table[kind] for kind in classes)


def total_worth(position, colour, weights):
    """Return what the points are worth to `colour`: no five, and none that is closed to Black."""
    closed = (POINT_FIVE, POINT_FORBIDDEN)
    if position.is_renju_black(colour):
        closed = (*closed, POINT_DOUBLE_THREE)
    return sum(
        worth(classes, weights)
        for move, classes in shapes(position)[colour].items()
        if point_class(position, colour, move) not in closed
    )


def evaluate(position, config):
    """Return own sum minus defence x the opponent's, five points excluded, a five added."""
    sums = [total_worth(position, colour, config.weights) for colour in range(2)]
    side, five = position.side, config.weights.five
    opponent = int(sums[1 - side] * round(config.defence * 1024)) // 1024
    score = max(-five + 1, min(five - 1, sums[side] - opponent))
    score += five * (position.fives[side] - position.fives[1 - side])
    return score


def one_move_value(position, move, config):
    """Return twice what the point is worth to the mover plus what it is worth to the other."""
    own, other = shapes(position)[position.side], shapes(position)[1 - position.side]
    value = 2 * worth(own[move], config.weights)
    if point_class(position, 1 - position.side, move) == POINT_FORBIDDEN:
        return value
    return value + worth(other[move], config.weights)


def in_order(position, moves, config):
    """Sort moves by one-move value, greatest first, ties by row and column."""
    return sorted(moves, key=lambda m: (-one_move_value(position, m, config), m))


def candidates(position, radius):
    """List the empty points within `radius` (Chebyshev) of a stone; the centre without stones."""
    size = position.size
    stones = [divmod(m, size) for m, cell in enumerate(position.cells) if cell != "."]
    if not stones:
        return [(size // 2) * size + size // 2]
    return [
        m
        for m, cell in enumerate(position.cells)
        if cell == "."
        and any(max(abs(m // size - r), abs(m % size - c)) <= radius for r, c in stones)
    ]


def width_set(position, config):
    """List the moves of a node: the first `width` legal candidates in one-move order.

    Where no candidate is legal, these are all legal points.
    """
    legal = [m for m in candidates(position, config.radius) if position.may_play(m)]
    if not legal:
        legal = [m for m in shapes(position)[0] if position.may_play(m)]
    return in_order(position, legal, config)[: config.width]


# --- minimax ---------------------------------------------------------------------------------


def decided(position, config, ply):
    """Return the score of a node whose outcome is plain, from the side to move, or None."""
    side = position.side
    if not config.terminal:
        return evaluate(position, config) if position.is_full else None
    if position.fives[1 - side]:
        return -(layout.MATE - ply)
    theirs = points_of(position, 1 - side, POINT_FIVE)
    if points_of(position, side, POINT_FIVE):
        return layout.MATE - (ply + 1)
    if len(theirs) >= 2 or (theirs and not position.may_play(theirs[0])):
        return -(layout.MATE - (ply + 2))
    if points_of(position, side, POINT_OPEN_FOUR) and not theirs:
        return layout.MATE - (ply + 3)
    return 0 if position.is_full else None


def minimax(position, depth, config, ply):
    """Return the unpruned value of a node from the side to move."""
    score = decided(position, config, ply)
    if score is not None:
        return score
    if depth == 0:
        return evaluate(position, config)
    return max(
        (
            -minimax(position.play(move), depth - 1, config, ply + 1)
            for move in width_set(position, config)
        ),
        default=-(layout.MATE - (ply + 1)),
    )


def root_values(position, depth, config):
    """Return [(move, value)] of the root's moves in one-move order."""
    return [
        (move, -minimax(position.play(move), depth - 1, config, 1))
        for move in width_set(position, config)
    ]


# --- gates -----------------------------------------------------------------------------------


def breaks(position, move):
    """Tell whether after `move` the opponent can make neither five nor an open four."""
    after = position.play(move)
    return not any(points_of(after, after.side, k) for k in (POINT_FIVE, POINT_OPEN_FOUR))


def makes_four(position, move):
    """Tell whether `move` is allowed and makes a four, or five, in one of its lines."""
    return max(shapes(position)[position.side][move]) >= FOUR and position.may_play(move)


@lru_cache(maxsize=50_000)
def wins_by_fours(position, fours):
    """Tell whether the side to move wins by at most `fours` fours in a row and then five."""
    side = position.side
    if points_of(position, side, POINT_FIVE):
        return True
    if fours == 0:
        return False
    for move in shapes(position)[side]:
        if not makes_four(position, move):
            continue
        after = position.play(move)
        answers = points_of(after, side, POINT_FIVE)
        # With a five of his own to make, the opponent need not answer.
        forcing = answers and not points_of(after, 1 - side, POINT_FIVE)
        legal = [answer for answer in answers if after.may_play(answer)]
        if forcing and all(wins_by_fours(after.play(answer), fours - 1) for answer in legal):
            return True
    return False


def gate(position, config):
    """Return (gate, move) of the first gate that fires, without search of fours, or None.

    Where renju forbids all points of a gate, the first candidate is played.
    """
    side = position.side

    def first(points):
        legal = [m for m in points if position.may_play(m)]
        return (in_order(position, legal, config) or width_set(position, config))[0]

    for name, colour, kind in (
        ("five", side, POINT_FIVE),
        ("block", 1 - side, POINT_FIVE),
        ("open-four", side, POINT_OPEN_FOUR),
    ):
        points = points_of(position, colour, kind)
        if points:
            return name, first(points)
    points = points_of(position, 1 - side, POINT_OPEN_FOUR)
    if not points:
        return None
    legal = [m for m in shapes(position)[side] if position.may_play(m)]
    return "break-open-four", first([m for m in legal if breaks(position, m)] or points)


# --- keys ------------------------------------------------------------------------------------


def zobrist(position):
    """Return the key of a position, stone by stone."""
    key = int(layout.ZOBRIST_SIDE) if position.side == 1 else 0
    for move, cell in enumerate(position.cells):
        if cell != ".":
            row, col = divmod(move, position.size)
            grid = (row + layout.RING) * layout.STRIDE + col + layout.RING
            key ^= int(layout.ZOBRIST[STONES.index(cell) - 1, grid])
    return key
