"""Minimax with alpha-beta and sorted moves, in its plainest form: the place to start reading.

This is the search of the family `minimax`; the shapes, the root and deepening stand in
`players.minimax`. As in the article, who is asked for a move is the AI, who maximises; the other is
the human. No gates, no hash table, no win score: a won board is worth its static evaluation.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from gomoku_lab.kernels._jit import Word, array_type, int64, kernel, record_type, trailing_zeros
from gomoku_lab.kernels.candidates import FIRST_KEY, INDEX_BITS, INDEX_MASK, key_cell, next_key
from gomoku_lab.kernels.layout import EDGE, MAX_DEPTH, MAX_POINTS, RING, STRIDE
from gomoku_lab.kernels.state import line_of

AI: Final = 1
HUMAN: Final = 2  # 0 is an empty point, EDGE (3) blocks both sides
REACH: Final = 5  # cells to each side of a point that a stone there can matter to
INFINITY: Final = 1 << 62

# Parts of a move's sort key. The bias keeps keys positive; nothing that is worth less than a five
# comes near the other two.
BIAS: Final = 1 << 47
SAVES: Final = 1 << 48
WINS: Final = 1 << 49

LINE: Final = np.dtype([("swing", np.int64, 2), ("five", np.int64)], align=True)
"""A stone in the middle of ten cells: what it adds to the score if the AI or the human plays it,
and who completes five with it (AI, HUMAN, both added, or 0)."""

SEARCH: Final = np.dtype(
    [
        ("size", np.int64),
        ("empty", np.int64),  # empty points left
        ("score", np.int64),  # the AI's shapes minus the weighted shapes of the human
        ("won", np.int64),  # AI or HUMAN if the last stone made five, else 0
        ("lines", np.uint64, (4, 64)),  # two bits a cell: empty, AI, HUMAN or EDGE
        ("rows", np.uint64, STRIDE),  # one bit a stone
        ("radius", np.int64),
        ("five", np.int64, 3),  # what nobody's, the AI's and the human's five adds to the score
        ("pruning", np.int64),
        ("ordering", np.int64),
        ("node_limit", np.int64),
        ("aborted", np.int64),
        ("nodes", np.int64),
        ("cuts", np.int64, 3),  # by whose turn it was; the first is unused
        ("keys", np.int64, (MAX_DEPTH + 1, MAX_POINTS)),
    ],
    align=True,
)
"""The position (cells are 32 * row + column, in a ring of edge), the configuration, the counters
and a list of moves for each depth."""


@kernel()
def flip(s: Any, cell: Word, content: Word) -> None:
    """Write `content` into an empty cell, or take it out again: both flip the same bits."""
    for direction in range(4):
        place = cell >> 5 if direction & 1 else cell & 31
        bits = np.uint64(content) << np.uint64(2 * place)
        s["lines"][direction, line_of(cell, direction)] ^= bits


@kernel()
def look(s: Any, table: Any, cell: Word, who: Word) -> Any:
    """Return what a stone of `who` on an empty cell adds to the score, and who makes five there."""
    change, five = np.int64(0), np.int64(0)
    for direction in range(4):
        place = cell >> 5 if direction & 1 else cell & 31
        line = s["lines"][direction, line_of(cell, direction)]
        word = np.int64(line >> np.uint64(2 * (place - REACH)))
        entry = table[(word & 0x3FF) | ((word >> 2) & 0xFFC00)]
        change += entry["swing"][who - 1]
        five |= entry["five"]
    return change, five


@kernel()
def put(s: Any, table: Any, cell: Word, who: Word) -> None:
    """Let `who` play on an empty cell; the score follows."""
    change, five = look(s, table, cell, who)
    s["score"] += change
    s["won"] = five & who
    s["empty"] -= 1
    flip(s, cell, who)
    s["rows"][cell >> 5] ^= np.uint64(1) << np.uint64(cell & 31)


@kernel()
def take_back(s: Any, cell: Word, who: Word, score: Word) -> None:
    """Take the last stone off again; `score` is what the score was before it."""
    s["score"] = score
    s["won"] = 0
    s["empty"] += 1
    flip(s, cell, who)
    s["rows"][cell >> 5] ^= np.uint64(1) << np.uint64(cell & 31)


@kernel()
def cell_at(point: Word, size: Word) -> Word:
    """Return the cell of a flat index."""
    return (point // size + RING) * STRIDE + point % size + RING


@kernel()
def set_up(s: Any, table: Any, board: Any, colour: Word) -> None:
    """Put a board on which nobody has won into a new record that knows size and configuration.

    `table` is LINE[4 ** 10], indexed by ten cells of two bits each, the farthest back lowest;
    `board` is uint8[size * size] (0 empty, 1 black, 2 white); the AI plays `colour`.
    """
    size = s["size"]
    s["empty"] = size * size
    s["lines"][:, :] = ~np.uint64(0)
    for point in range(size * size):
        flip(s, cell_at(point, size), np.int64(EDGE))
    for point in range(size * size):
        if board[point] != 0:
            put(s, table, cell_at(point, size), np.int64(AI if board[point] == colour else HUMAN))
    s["won"] = 0  # five of an overline that wins nothing


@kernel()
def near_points(s: Any, row: Word) -> Any:
    """Return the empty points of a row that lie within the radius of a stone, one bit each."""
    radius = s["radius"]
    stones = np.uint64(0)
    for other in range(max(row - radius, RING), min(row + radius, STRIDE - 1) + 1):
        stones |= s["rows"][other]
    near = stones
    for distance in range(1, radius + 1):
        near |= (stones << np.uint64(distance)) | (stones >> np.uint64(distance))
    board = ((np.uint64(1) << np.uint64(s["size"])) - np.uint64(1)) << np.uint64(RING)
    return near & board & ~s["rows"][row]


@kernel()
def one_move_value(s: Any, table: Any, cell: Word, who: Word) -> Word:
    """Return how good the board looks to `who` after his move, wins and saving moves first."""
    change, five = look(s, table, cell, who)
    value = BIAS + (change if who == AI else -change)
    if five & who != 0:
        return value + WINS
    return value + SAVES if five != 0 else value


@kernel()
def list_moves(s: Any, table: Any, who: Word, keys: Any) -> Word:
    """Write the sort keys of all moves of `who` and return their number.

    The best move has the greatest key; of equal ones, as all are without ordering, the upper left.
    """
    count = 0
    for row in range(RING, RING + s["size"]):
        bits = near_points(s, row)
        while bits != np.uint64(0):
            cell = row * STRIDE + trailing_zeros(bits)
            bits &= bits - np.uint64(1)
            value = one_move_value(s, table, cell, who) if s["ordering"] != 0 else 0
            keys[count] = (value << INDEX_BITS) | (INDEX_MASK - cell)
            count += 1
    return count


@kernel(int64(record_type(SEARCH), array_type(LINE), int64, int64, int64, int64))
def minimax(s: Any, table: Any, depth: Word, alpha: Word, beta: Word, who: Word) -> Word:
    """Return the value of the position with `who` (AI or HUMAN) to move, `depth` plies deep.

    `alpha` and `beta` are what the AI and the human can already have elsewhere. The result v is
    exact if it lies between them, or without pruning; else the value is at most v (v <= alpha) or
    at least v (v >= beta). Once the node limit has set ``aborted``, v means nothing. In every case
    the position is the same as before.
    """
    s["nodes"] += 1
    if s["nodes"] >= s["node_limit"]:
        s["aborted"] = 1
    if depth == 0 or s["won"] != 0 or s["empty"] == 0 or s["aborted"] != 0:
        return s["score"] + s["five"][s["won"]]
    keys = s["keys"][depth]
    count = list_moves(s, table, who, keys)
    score = s["score"]
    best = -INFINITY if who == AI else INFINITY
    key = FIRST_KEY
    for _ in range(count):
        key = next_key(keys, count, key)
        cell = key_cell(key)
        put(s, table, cell, who)
        value = minimax(s, table, depth - 1, alpha, beta, AI + HUMAN - who)
        take_back(s, cell, who, score)
        if s["aborted"] != 0:
            break
        if who == AI:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if beta <= alpha and s["pruning"] != 0:
            s["cuts"][who] += 1
            break
    return best
