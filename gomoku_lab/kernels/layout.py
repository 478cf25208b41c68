"""Codes, strides and dtypes of the engine's state: one dtype per meaning, no logic.

The board lies in a 32 x 32 grid with a ring of six edge cells, so that no loop tests for the edge.
A grid cell is ``(row + 6) * 32 + (col + 6)``, row 0 at the top.
"""

from __future__ import annotations

from typing import Final

import numpy as np

EMPTY: Final = 0
EDGE: Final = 3  # 1 is black, 2 is white; the edge blocks both colours

STRIDE: Final = 32
RING: Final = 6
GRID: Final = STRIDE * STRIDE
MAX_POINTS: Final = 400
MAX_PLY: Final = 72
MAX_DEPTH: Final = 64

OFFSETS: Final = np.array([1, STRIDE, STRIDE + 1, STRIDE - 1], dtype=np.int64)
"""Grid steps of the four directions: row, column, diagonal down-right, diagonal down-left."""

# Classes of an empty point for one colour and direction: four bits each.
NONE: Final = 0
ONE: Final = 1
TWO: Final = 2
OPEN_TWO: Final = 3
THREE: Final = 4
OPEN_THREE: Final = 5
FOUR: Final = 6
OPEN_FOUR: Final = 7
FIVE: Final = 8
CLASSES: Final = 9
# Two more that only Black has under renju, where he may not play: a line longer than five, and two
# fours in one line. They lead to nothing.
OVERLINE: Final = 9
LINE_DOUBLE_FOUR: Final = 10

# Grades divide some classes by how many further stones lead on: what the kernels keep of a point,
# four bits each. ONE has two (a further stone makes a two; an open two), OPEN_TWO three, THREE and
# OPEN_THREE two (one further stone leads on, two or more do).
GRADES_OF: Final = np.array([1, 2, 1, 3, 2, 2, 1, 1, 1], dtype=np.int64)
FIRST_GRADE: Final = np.concatenate([[0], np.cumsum(GRADES_OF)[:-1]])
GRADES: Final = int(GRADES_OF.sum())
CLASS_OF_GRADE: Final = np.array([0, 1, 1, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 0, 0], dtype=np.int64)
"""The class of each four-bit grade; the last two make nothing."""
OVERLINE_GRADE: Final = 14
DOUBLE_FOUR_GRADE: Final = 15
"""The grades of the two classes that only renju has."""

# What counts as five for a colour.
FIVE_OR_MORE: Final = 0
EXACTLY_FIVE: Final = 1
RENJU_BLACK: Final = 2  # exactly five, and the two classes above

# Combined class of an empty point for one colour, over its four directions.
# Under renju Black may play on a POINT_DOUBLE_THREE or not (see `forbidden`), a four there or not.
POINT_NONE: Final = 0
POINT_FORBIDDEN: Final = 1  # renju: an overline or two fours, and no five
POINT_THREE: Final = 2  # one open three
POINT_DOUBLE_THREE: Final = 3  # two or more open threes
POINT_FOUR: Final = 4  # one closed four
POINT_FOUR_THREE: Final = 5  # a closed four and an open three
POINT_OPEN_FOUR: Final = 6  # an open four, or two fours: five comes whatever the reply
POINT_FIVE: Final = 7
POINT_CLASSES: Final = 8

# What threats a colour has at hand: which combined classes it has any points of.
THREAT_STATES: Final = 48
"""Three for open threes (none, one at a time, two at once), times two for each class above."""

# Columns of the value table. A row is a colour's 16-bit four-direction code; under renju, where the
# same code means something else to Black, his rows lie behind these.
OWN: Final = 0  # what the point is worth in the evaluation to its colour if that is to move
OTHER: Final = 1  # what it is worth if the opponent is to move
POINT: Final = 2  # the combined class
# Columns of the order table, indexed alike.
ATTACK: Final = 0  # what a stone there is worth in move ordering
DEFEND: Final = 1  # what taking the point from the opponent is worth in move ordering
CODES: Final = 1 << 16

MATE: Final = 1_000_000_000
MATE_RANGE: Final = MATE - 1_000
"""A score beyond this is a win or loss; MATE minus it is the distance in plies."""
INFINITY: Final = MATE + 1
EVALUATION_CAP: Final = 900_000_000
DEFENCE_ONE: Final = 1_024
"""Fixed-point one of the defence factor (a shift instead of a division in the leaf)."""

CLOCK_INTERVAL: Final = 1_024
"""Nodes between two readings of the clock (S1: "every 1024 nodes")."""
FOREVER: Final = 1 << 62

UPPER: Final = 1
LOWER: Final = 2
EXACT: Final = 3

SHAPE_TABLE: Final = 1 << 20
"""Entries for a half-window of five cells; a half-window of four uses the first 65,536."""
LOG: Final = MAX_POINTS * 40

VCF_STACK: Final = 1 << 14
"""Points that the lists of fours along one chain may hold together."""
MAX_FOURS: Final = 200
"""Fours of the longest chain: each takes two points of the largest board."""

VCT_STACK: Final = 1 << 15
"""Moves that the lists along one line of threats may hold together."""

PICK: Final = np.dtype(
    [
        ("stage", np.int64),
        ("forced", np.int64),
        ("first", np.int64),
        ("count", np.int64),
        ("number", np.int64),
        ("struck", np.int64),
        ("last", np.int64),
        ("tried", np.int64),
        ("urgent", np.int64),
        ("static", np.int64),
    ],
    align=True,
)
"""The move picker of one ply; ``static`` is the selective search's."""

STATE: Final = np.dtype(
    [
        # position
        ("hash", np.uint64),
        ("sums", np.int64, (2, 2)),  # of each colour: what its points are worth to move, and not
        ("side", np.int64),  # 0 black, 1 white: whose turn it is
        ("stones", np.int64),
        ("size", np.int64),
        ("half", np.int64),  # cells to each side of a window: 4, or 5 where exact five matters
        ("renju", np.int64),
        ("black_row", np.int64),  # Black's first row in `values` and `orders`; White's is 0
        ("five_at", np.int64, 2),  # the newest five point of each colour
        ("fives", np.int64, 2),  # five-making stones played by each colour
        ("counts", np.int16, (2, POINT_CLASSES)),
        # configuration
        ("radius", np.int64),
        ("width", np.int64),
        ("ordering", np.int64),
        ("defence", np.int64),
        ("tempo", np.int64),  # what being to move is worth in the evaluation
        ("terminal", np.int64),
        ("five_value", np.int64),
        ("table_mask", np.int64),  # entries - 1, or -1 without a table
        ("generation", np.int64),
        ("kept", np.int64),  # earlier searches whose entries are still seen
        ("selective", np.int64),
        ("futility", np.int64),
        ("extension", np.int64),
        ("reduction", np.int64),
        ("late_threats", np.int64),
        ("answers", np.int64),
        ("fail_high", np.int64),
        # budget and counters
        ("nodes", np.int64),
        ("node_limit", np.int64),
        ("next_check", np.int64),
        ("next_clock", np.int64),
        ("deadline_ns", np.int64),
        ("clock_reads", np.int64),
        ("abort_at_read", np.int64),  # 0: never; the tests' fake clock
        ("aborted", np.int64),
        ("table_hits", np.int64),
        ("cutoffs", np.int64),
        ("vcf_limit", np.int64),
        ("vcf_nodes", np.int64),
        ("vcf_length", np.int64),
        ("vcf_line", np.int32, MAX_POINTS),
        ("vcf_frail", np.int64),  # whether what renju forbids decides the chain of ``vcf_line``
        ("vcf_stamp", np.int64),
        ("vcf_marks", np.int64, GRID),
        ("vcf_stack", np.int16, VCF_STACK),
        ("vct_attacker", np.int64),
        ("vct_limit", np.int64),
        ("vct_nodes", np.int64),
        ("vct_chain_cap", np.int64),  # stones that a search for a chain of fours may place
        ("vct_stack", np.int16, VCT_STACK),
        # board
        ("cells", np.uint8, GRID),
        ("codes", np.uint64, GRID),  # black's row in `values` in the low half, white's in the high
        ("lines", np.uint64, (4, 64)),  # two bits a cell
        ("rows", np.uint32, STRIDE),  # one bit a stone
        ("played", np.int32, MAX_POINTS),
        # undo
        ("log_top", np.int64),
        ("log_cells", np.uint16, LOG),
        ("log_codes", np.uint64, LOG),
        ("saved_top", np.int32, MAX_POINTS),
        ("saved_sums", np.int64, (MAX_POINTS, 2, 2)),
        ("saved_five_at", np.int64, (MAX_POINTS, 2)),
        ("saved_counts", np.int16, (MAX_POINTS, 2 * POINT_CLASSES)),
        # search
        ("killers", np.int32, (MAX_PLY, 2)),
        ("history", np.int32, (2, GRID)),
        ("rest", np.int64, MAX_POINTS),
        ("picks", PICK, MAX_PLY),
        ("keys", np.int64, (MAX_PLY, MAX_POINTS)),
        ("line_length", np.int32, MAX_PLY),
        ("line", np.int32, (MAX_PLY, MAX_PLY)),
        # tables
        ("shapes", np.uint8, SHAPE_TABLE),
        ("values", np.int32, (2 * CODES, 4)),  # one column unused: a row is 16 bytes
        ("orders", np.int32, (2 * CODES, 2)),
        ("threats", np.int32, (THREAT_STATES, THREAT_STATES)),  # own state, the opponent's
    ],
    align=True,
)

ENTRY: Final = np.dtype([("check", np.uint64), ("data", np.uint64)])
"""One entry of the transposition table: 16 bytes. The data hold, from the lowest bit, 32 bits of
score, 16 of move, 8 of depth, 2 of bound, 6 of generation (see `table`); the check is the
position's key XOR the data, so that of an entry that two threads wrote at once no half is
believed (R. M. Hyatt and T. Mann, ICGA Journal 25(1), 2002, on lockless transposition tables)."""
CHAIN: Final = np.dtype(
    [("key", np.uint64), ("score", np.int32), ("move", np.uint16), ("depth", np.uint16)], align=True
)
"""One entry of the table of chains of fours."""
GENERATIONS: Final = 64
"""Numbers of searches in a row: 1 to 63, and again; an unused entry has 0."""

PROOF: Final = np.dtype([("key", np.uint64), ("proof", np.int32), ("disproof", np.int32)])
"""One entry of the table of proof and disproof numbers; 0, 0 in an unused one."""

_draw = np.random.default_rng(20_251_129)
ZOBRIST: Final = _draw.integers(1, 1 << 63, size=(2, GRID), dtype=np.uint64, endpoint=True)
ZOBRIST_SIDE: Final = np.uint64(_draw.integers(1, 1 << 63, dtype=np.uint64))
ZOBRIST_FIVE: Final = _draw.integers(1, 1 << 63, size=2, dtype=np.uint64)
ZOBRIST_VCF: Final = _draw.integers(1, 1 << 63, size=(4, STRIDE), dtype=np.uint64)
"""Random keys (Zobrist 1970): of stones, of white to move, of a five that play went on after, and
of the rule and size by which a chain of fours is judged."""
