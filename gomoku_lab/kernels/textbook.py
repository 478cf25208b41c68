"""Family `textbook` compiled: run-length evaluation, one-move order, plain alpha-beta.

A run is a maximal unbroken line of stones of one colour; open ends and gaps play no part. The
evaluation is own runs minus the opponent's, so that a stone changes it only by the runs that it
joins: search and move order carry that gain along instead of counting the whole board. There are no
gates, table or deepening here; who asks decides on wins and blocks beforehand.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from gomoku_lab.kernels._jit import Word, int64, kernel, record_type, trailing_zeros
from gomoku_lab.kernels.layout import (
    EDGE,
    EMPTY,
    GRID,
    MAX_POINTS,
    OFFSETS,
    RING,
    STRIDE,
)

DEEPEST: Final = 12
"""Plies that the search's memory suffices for."""
LONGEST: Final = 20
FIVE_STONES: Final = 5
LIMIT: Final = 1 << 62
"""Beyond every score: an open window."""

TEXTBOOK: Final = np.dtype(
    [
        ("size", np.int64),
        ("stones", np.int64),
        ("exact", np.int64),  # 1 where a line longer than five does not win
        ("radius", np.int64),
        ("win", np.int64),
        ("nodes", np.int64),
        ("values", np.int64, LONGEST + 1),  # what a run of so many stones contributes in all
        ("cells", np.uint8, GRID),
        ("rows", np.uint32, STRIDE),  # one bit a stone
        ("keys", np.int64, (DEEPEST + 1, MAX_POINTS)),
    ],
    align=True,
)
"""The state: position, configuration, and the moves at the root (0) and at each remaining depth."""

# A key is the gain, then the cell (inverted, so that the greater key comes first in row-column
# order), then whether the move completes five.
_CELL_BITS: Final = 10
_CELL_MASK: Final = (1 << _CELL_BITS) - 1


@kernel()
def key_cell(key: Word) -> Word:
    """Return the grid cell of a key."""
    return _CELL_MASK - ((key >> 1) & _CELL_MASK)


@kernel()
def key_gain(key: Word) -> Word:
    """Return by how much the key's move raises the evaluation of the side that plays it."""
    return key >> (_CELL_BITS + 1)


@kernel()
def run_length(s: Any, cell: Word, step: Word, colour: Word) -> Word:
    """Count the unbroken stones of `colour` beyond `cell` in the direction of `step`."""
    length = np.int64(0)
    other = cell + step
    while s["cells"][other] == colour:
        length += 1
        other += step
    return length


@kernel()
def wins(s: Any, length: Word) -> Word:
    """Return 1 if a run of that many stones wins, else 0."""
    if s["exact"] != 0:
        return np.int64(length == FIVE_STONES)
    return np.int64(length >= FIVE_STONES)


@kernel()
def move_key(s: Any, cell: Word, colour: Word) -> Word:
    """Return the key of a stone of `colour` on the empty grid cell `cell`."""
    gain = np.int64(0)
    five = np.int64(0)
    for direction in range(4):
        step = OFFSETS[direction]
        before = run_length(s, cell, -step, colour)
        behind = run_length(s, cell, step, colour)
        length = before + behind + 1
        gain += s["values"][length] - s["values"][before] - s["values"][behind]
        five |= wins(s, length)
    return (((gain << _CELL_BITS) | (_CELL_MASK - cell)) << 1) | five


@kernel()
def place(s: Any, cell: Word, colour: Word) -> None:
    """Put a stone on an empty grid cell."""
    s["cells"][cell] = colour
    s["rows"][cell >> 5] |= np.uint32(1 << (cell & 31))
    s["stones"] += 1


@kernel()
def remove(s: Any, cell: Word) -> None:
    """Take the stone on a grid cell away."""
    s["cells"][cell] = EMPTY
    s["rows"][cell >> 5] &= ~np.uint32(1 << (cell & 31))
    s["stones"] -= 1


@kernel()
def set_up(s: Any, board: Any) -> None:
    """Put a position into `s`, whose size must be set.

    Parameters
    ----------
    s : TEXTBOOK record
    board : uint8[size * size]
        Row 0 at the top; 0 empty, 1 black, 2 white.
    """
    size = s["size"]
    s["cells"][:] = EDGE
    s["rows"][:] = 0
    s["stones"] = 0
    for row in range(size):
        for col in range(size):
            cell = (row + RING) * STRIDE + col + RING
            content = np.int64(board[row * size + col])
            s["cells"][cell] = EMPTY
            if content != EMPTY:
                place(s, cell, content)


@kernel()
def evaluate(s: Any, colour: Word) -> Word:
    """Return the evaluation of the whole board for `colour`: its runs minus the opponent's."""
    total = np.int64(0)
    for cell in range(GRID):
        content = np.int64(s["cells"][cell])
        if content != EMPTY and content != EDGE:
            for direction in range(4):
                step = OFFSETS[direction]
                if s["cells"][cell - step] != content:
                    value = s["values"][run_length(s, cell, step, content) + 1]
                    total += value if content == colour else -value
    return total


@kernel()
def winner(s: Any) -> Word:
    """Return the colour of a winning run by a scan of the whole board, else 0."""
    found = np.int64(0)
    for cell in range(GRID):
        content = np.int64(s["cells"][cell])
        if content != EMPTY and content != EDGE:
            for direction in range(4):
                step = OFFSETS[direction]
                starts = s["cells"][cell - step] != content
                if starts and wins(s, run_length(s, cell, step, content) + 1) != 0:
                    found = content
    return found


@kernel()
def near_points(s: Any, row: Word) -> Any:
    """Return the empty points of a grid row within the radius of a stone, one bit each."""
    radius = s["radius"]
    stones = np.uint64(0)
    for other in range(max(row - radius, RING), min(row + radius, RING + s["size"] - 1) + 1):
        stones |= np.uint64(s["rows"][other])
    near = stones
    for distance in range(1, radius + 1):
        near |= (stones << np.uint64(distance)) | (stones >> np.uint64(distance))
    board = ((np.uint64(1) << np.uint64(s["size"])) - np.uint64(1)) << np.uint64(RING)
    return near & board & ~np.uint64(s["rows"][row])


@kernel()
def candidates(s: Any, colour: Word, slot: Word) -> Word:
    """Write the keys of all candidates by row and column into ``keys[slot]``; return their number.

    Candidates are the empty points within the radius of a stone; the centre on an empty board.
    """
    keys = s["keys"][slot]
    size = s["size"]
    if s["stones"] == 0:
        keys[0] = move_key(s, (size // 2 + RING) * STRIDE + size // 2 + RING, colour)
        return 1
    count = 0
    for row in range(RING, RING + size):
        bits = near_points(s, row)
        while bits != np.uint64(0):
            keys[count] = move_key(s, row * STRIDE + trailing_zeros(bits), colour)
            bits &= bits - np.uint64(1)
            count += 1
    return count


@kernel()
def pick(keys: Any, index: Word, count: Word) -> Word:
    """Bring the greatest of ``keys[index:count]`` to `index` and return it."""
    best = index
    for other in range(index + 1, count):
        if keys[other] > keys[best]:
            best = other
    key = keys[best]
    keys[best] = keys[index]
    keys[index] = key
    return key


@kernel()
def ordered(s: Any, colour: Word) -> Word:
    """Write the keys of the candidates in one-move order into ``keys[0]``; return their number.

    The order is that of the evaluation after the move for `colour`, descending; equal moves stay
    in row-column order.
    """
    count = candidates(s, colour, np.int64(0))
    keys = s["keys"][0]
    for index in range(count):
        pick(keys, index, count)
    return count


@kernel()
def first_five(s: Any, count: Word, colour: Word) -> Word:
    """Return the index of the first of ``keys[0][:count]`` where `colour` makes five, or -1."""
    for index in range(count):
        if move_key(s, key_cell(s["keys"][0, index]), colour) & 1 != 0:
            return index
    return -1


@kernel(int64(record_type(TEXTBOOK), int64, int64, int64, int64, int64, int64, int64))
def minimax(
    s: Any, depth: Word, alpha: Word, beta: Word, score: Word, colour: Word, root: Word, won: Word
) -> Word:
    """Return the value of a node for the root's player, exact if it lies inside the window.

    Checked in this order: a won board, a full board, the depth.

    Parameters
    ----------
    s : TEXTBOOK record
        Left as it was, but for the counter and the keys.
    depth : int
        Plies left.
    alpha, beta : int
        The best that the root's player, and that the opponent, has elsewhere.
    score : int
        Evaluation of this board for the root's player.
    colour, root : int
        Who is to move, and whose view all values are in.
    won : int
        Colour of the five on the board, 0 if there is none.
    """
    s["nodes"] += 1
    if won != 0:
        return s["win"] if won == root else -s["win"]
    if s["stones"] == s["size"] * s["size"]:
        return np.int64(0)
    if depth == 0:
        return score
    count = candidates(s, colour, depth)
    keys = s["keys"][depth]
    sign = np.int64(1) if colour == root else np.int64(-1)
    best = -sign * LIMIT
    for index in range(count):
        key = pick(keys, index, count)
        cell = key_cell(key)
        after = score + sign * key_gain(key)
        place(s, cell, colour)
        value = minimax(s, depth - 1, alpha, beta, after, 3 - colour, root, colour * (key & 1))
        remove(s, cell)
        if colour == root:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if beta <= alpha:
            break
    return best


@kernel()
def search_root(s: Any, depth: Word, colour: Word, count: Word, scores: Any) -> Word:
    """Search every root move with a full window and return the index of the first best one.

    Parameters
    ----------
    s : TEXTBOOK record
        ``keys[0][:count]`` holds the root moves in the order in which they are searched.
    depth : int
        Plies, the root move included, 1..DEEPEST.
    colour : int
        Who is to move; all scores are in this side's view.
    count : int
        How many root moves there are.
    scores : int64[count]
        Gets their exact scores.
    """
    score = evaluate(s, colour)
    lowest = np.int64(-LIMIT)
    best = 0
    for index in range(count):
        key = s["keys"][0, index]
        cell = key_cell(key)
        after = score + key_gain(key)
        place(s, cell, colour)
        scores[index] = minimax(
            s, depth - 1, lowest, -lowest, after, 3 - colour, colour, colour * (key & 1)
        )
        remove(s, cell)
        if scores[index] > scores[best]:
            best = index
    return best
