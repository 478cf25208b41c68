"""The position with its incremental knowledge: build it, place a stone, take it back, evaluate.

Every empty point carries one grade per colour and direction (see `patterns`). Placing a stone
renews the grades in its four windows and with them the counters and sums; what changed is logged,
so that taking a stone back is a restore. Stones come off strictly in reverse order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, kernel
from gomoku_lab.kernels.layout import (
    DEFENCE_ONE,
    EDGE,
    EMPTY,
    EVALUATION_CAP,
    GRID,
    OFFSETS,
    OTHER,
    OWN,
    POINT,
    POINT_CLASSES,
    POINT_DOUBLE_THREE,
    POINT_FIVE,
    POINT_FOUR,
    POINT_FOUR_THREE,
    POINT_OPEN_FOUR,
    POINT_THREE,
    RING,
    STRIDE,
    ZOBRIST,
    ZOBRIST_SIDE,
)


@kernel()
def line_of(cell: Word, direction: Word) -> Word:
    """Return the index of the line of `cell` in a direction."""
    row, col = cell >> 5, cell & 31
    if direction == 0:
        return row
    if direction == 1:
        return col
    return row - col + STRIDE if direction == 2 else row + col


@kernel()
def point_class(s: Any, cell: Word, colour: Word) -> Word:
    """Return the combined class of an empty cell for a colour (0 black, 1 white)."""
    row = (np.int64(s["codes"][cell]) >> (32 * colour)) & 0xFFFFFFFF
    return np.int64(s["values"][row, POINT])


@kernel()
def shape_at(s: Any, key: Any, position: Word) -> Word:
    """Return both colours' grades of the point at `position` of a line with these cells."""
    half = s["half"]
    word = key >> np.uint64(2 * (position - half))
    mask = (np.uint64(1) << np.uint64(2 * half)) - np.uint64(1)
    low = word & mask
    high = (word >> np.uint64(2 * half + 2)) & mask
    return np.int64(s["shapes"][np.int64(low | (high << np.uint64(2 * half)))])


@kernel()
def _set_line_cells(s: Any, cell: Word, code: Word) -> None:
    """Write two bits of `cell` into its four line keys."""
    for direction in range(4):
        position = cell >> 5 if direction & 1 else cell & 31
        shift = np.uint64(2 * position)
        line = line_of(cell, direction)
        key = s["lines"][direction, line] & ~(np.uint64(3) << shift)
        s["lines"][direction, line] = key | (np.uint64(code) << shift)


@kernel()
def _update_point(s: Any, cell: Word, direction: Word, key: Any, position: Word) -> None:
    """Renew the grades of the empty point `cell` in one direction; log it if they change."""
    shape = shape_at(s, key, position)
    shift = 4 * direction
    fresh = ((shape & 15) | ((shape & 240) << 28)) << shift
    old = np.int64(s["codes"][cell])
    code = (old & ~(0x0000000F0000000F << shift)) | fresh
    if code == old:
        return
    top = s["log_top"]
    s["log_cells"][top] = cell
    s["log_codes"][top] = old
    s["log_top"] = top + 1
    s["codes"][cell] = code
    for colour in range(2):
        before = (old >> (32 * colour)) & 0xFFFFFFFF
        after = (code >> (32 * colour)) & 0xFFFFFFFF
        if before != after:
            for column in range(2):
                change: Any = np.int64(s["values"][after, column]) - s["values"][before, column]
                s["sums"][colour, column] += change
            old_point = s["values"][before, POINT]
            point = s["values"][after, POINT]
            if old_point != point:
                s["counts"][colour, old_point] -= 1
                s["counts"][colour, point] += 1
                if point == POINT_FIVE:
                    s["five_at"][colour] = cell


@kernel()
def _update_lines(s: Any, cell: Word) -> None:
    """Renew the grades of all empty points whose windows hold `cell`."""
    half = s["half"]
    for direction in range(4):
        offset = OFFSETS[direction]
        position = cell >> 5 if direction & 1 else cell & 31
        key = s["lines"][direction, line_of(cell, direction)]
        for way in (-1, 1):
            other = cell
            for distance in range(1, half + 1):
                other += way * offset
                content = s["cells"][other]
                if content == EDGE:
                    break
                if content == EMPTY:
                    _update_point(s, other, direction, key, position + way * distance)


@kernel()
def place(s: Any, cell: Word) -> None:
    """Let the side to move play on the empty grid cell `cell`."""
    side = s["side"]
    stones = s["stones"]
    s["saved_top"][stones] = s["log_top"]
    for colour in range(2):
        for column in range(2):
            s["saved_sums"][stones, colour, column] = s["sums"][colour, column]
        s["saved_five_at"][stones, colour] = s["five_at"][colour]
        for point in range(POINT_CLASSES):
            s["saved_counts"][stones, colour * POINT_CLASSES + point] = s["counts"][colour, point]
    code = np.int64(s["codes"][cell])
    for colour in range(2):
        row = (code >> (32 * colour)) & 0xFFFFFFFF
        point = s["values"][row, POINT]
        for column in range(2):
            s["sums"][colour, column] -= s["values"][row, column]
        s["counts"][colour, point] -= 1
        if colour == side and point == POINT_FIVE:
            s["fives"][side] += 1
    s["played"][stones] = cell
    s["stones"] = stones + 1
    s["cells"][cell] = side + 1
    s["rows"][cell >> 5] |= np.uint32(1 << (cell & 31))
    s["hash"] ^= ZOBRIST[side, cell] ^ ZOBRIST_SIDE
    s["side"] = 1 - side
    _set_line_cells(s, cell, side + 1)
    _update_lines(s, cell)


@kernel()
def remove(s: Any) -> None:
    """Take back the newest stone and restore everything that it changed."""
    stones = s["stones"] - 1
    side = 1 - s["side"]
    cell = np.int64(s["played"][stones])
    s["stones"] = stones
    s["side"] = side
    s["cells"][cell] = EMPTY
    s["rows"][cell >> 5] &= ~np.uint32(1 << (cell & 31))
    s["hash"] ^= ZOBRIST[side, cell] ^ ZOBRIST_SIDE
    _set_line_cells(s, cell, np.int64(EMPTY))
    bottom = np.int64(s["saved_top"][stones])
    for entry in range(bottom, s["log_top"]):
        s["codes"][s["log_cells"][entry]] = s["log_codes"][entry]
    s["log_top"] = bottom
    for colour in range(2):
        for column in range(2):
            s["sums"][colour, column] = s["saved_sums"][stones, colour, column]
        s["five_at"][colour] = s["saved_five_at"][stones, colour]
        for point in range(POINT_CLASSES):
            s["counts"][colour, point] = s["saved_counts"][stones, colour * POINT_CLASSES + point]
    if point_class(s, cell, side) == POINT_FIVE:
        s["fives"][side] -= 1


@kernel()
def build(s: Any, board: Any, side: Word) -> None:
    """Set up a position from scratch; rule, tables and configuration must be in `s`.

    Parameters
    ----------
    s : STATE record
    board : uint8[size * size]
        Row 0 at the top; 0 empty, 1 black, 2 white.
    side : int
        0 if black is to move, 1 if white.
    """
    size = s["size"]
    s["cells"][:] = EDGE
    s["codes"][:] = np.uint64(s["black_row"])
    s["rows"][:] = 0
    s["lines"][:, :] = ~np.uint64(0)
    s["hash"] = ZOBRIST_SIDE if side == 1 else np.uint64(0)
    s["side"] = side
    s["stones"] = 0
    s["log_top"] = 0
    for row in range(size):
        for col in range(size):
            cell = (row + RING) * STRIDE + col + RING
            content = np.int64(board[row * size + col])
            s["cells"][cell] = content
            _set_line_cells(s, cell, content)
            if content != EMPTY:
                s["played"][s["stones"]] = cell
                s["stones"] += 1
                s["rows"][row + RING] |= np.uint32(1 << (col + RING))
                s["hash"] ^= ZOBRIST[content - 1, cell]
    for colour in range(2):
        s["sums"][colour, :] = 0
        s["five_at"][colour] = 0
        s["fives"][colour] = 0
        s["counts"][colour, :] = 0
    for cell in range(GRID):
        if s["cells"][cell] == EMPTY:
            for colour in range(2):
                s["counts"][colour, 0] += 1
            for direction in range(4):
                position = cell >> 5 if direction & 1 else cell & 31
                key = s["lines"][direction, line_of(cell, direction)]
                _update_point(s, cell, direction, key, position)
            s["log_top"] = 0


@kernel()
def threats_held(s: Any, side: Word) -> Word:
    """Return which threats a colour has at hand, as one number below THREAT_STATES."""
    counts = s["counts"]
    held = np.int64(0)
    for point in (POINT_FIVE, POINT_OPEN_FOUR, POINT_FOUR_THREE, POINT_FOUR):
        held = 2 * held + (1 if counts[side, point] > 0 else 0)
    if counts[side, POINT_DOUBLE_THREE] > 0:
        return 3 * held + 2
    return 3 * held + (1 if counts[side, POINT_THREE] > 0 else 0)


@kernel()
def evaluate(s: Any) -> Word:
    """Return the static evaluation from the side to move, in evaluation units.

    The sum over all empty points of what they are worth to the side to move, minus the defence
    factor times what they are worth to the opponent; points that complete a five are left out,
    since the counters decide them. To this comes what a learned evaluation says of both sides'
    threats together. Its size stays below a five's value on every board without one.
    """
    side = s["side"]
    threats = s["sums"][1 - side, OTHER] * s["defence"] // DEFENCE_ONE
    score = s["sums"][side, OWN] - threats + s["tempo"]
    score += s["threats"][threats_held(s, side), threats_held(s, 1 - side)]
    cap = s["five_value"] - 1
    score = min(max(score, -cap), cap)
    if s["fives"][side] > 0:
        score += s["five_value"]
    if s["fives"][1 - side] > 0:
        score -= s["five_value"]
    return min(max(score, -EVALUATION_CAP), EVALUATION_CAP)
