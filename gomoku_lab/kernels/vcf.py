"""Victory by continuous fours: a complete search with a table of its own.

Every move of the attacker makes a four, so the defender has one answer: the point that would
complete the five. If that answer makes a four of the defender's, the attacker's next four has to
stand on the point that answers it. The search is depth first over the attacker's fours, up to a
number of fours that is raised step by step where the shortest chain is wanted.

Under renju Black's fours are those that he may play, and a four of White's that Black may not
answer has won.

What the table holds depends on the stones, the side to move, the rule and the size alone, so its
entries stay true from search to search; nothing has to be cleared or aged.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, array_type, int64, kernel, record_type
from gomoku_lab.kernels.forbidden import makes_four, may_play
from gomoku_lab.kernels.layout import (
    CHAIN,
    EMPTY,
    FOREVER,
    GRID,
    MAX_POINTS,
    POINT_DOUBLE_THREE,
    POINT_FIVE,
    POINT_FOUR,
    POINT_FOUR_THREE,
    POINT_OPEN_FOUR,
    RING,
    STATE,
    STRIDE,
    VCF_STACK,
    ZOBRIST_VCF,
)
from gomoku_lab.kernels.state import place, point_class, remove
from gomoku_lab.kernels.threats import five_point

NO_CHAIN = 0
UNKNOWN = -1
"""What the searches answer besides the plies to five: refuted for good, or not searched out."""

_SEARCH = -2
_OUTRIGHT = 255  # in a table entry: no chain, however many fours


@kernel()
def chain_key(s: Any) -> Any:
    """Return the key of the position in the table of chains: rule and size are part of it."""
    return s["hash"] ^ ZOBRIST_VCF[s["half"] - 4 + 2 * s["renju"], s["size"]]


@kernel()
def has_fours(s: Any, side: Word) -> Word:
    """Tell whether a colour has a point that makes a four but no five.

    Under renju Black may have one, or not, where threes meet: then the answer is yes.
    """
    counts = s["counts"][side]
    fours = np.int64(counts[POINT_FOUR]) + counts[POINT_FOUR_THREE] + counts[POINT_OPEN_FOUR]
    return fours > 0 or (s["renju"] != 0 and side == 0 and counts[POINT_DOUBLE_THREE] > 0)


@kernel()
def _at_once(s: Any, fours: Word) -> Word:
    """Return what the counters tell of the attacker's node with `fours` fours left, or _SEARCH."""
    side = s["side"]
    own, other = s["counts"][side], s["counts"][1 - side]
    if own[POINT_FIVE] > 0:
        return 1
    if other[POINT_FIVE] > 1:
        return NO_CHAIN
    open_four = own[POINT_OPEN_FOUR] > 0
    if other[POINT_FIVE] == 1:
        cell = five_point(s, 1 - side)
        if not makes_four(s, cell):
            return NO_CHAIN
        open_four = point_class(s, cell, side) == POINT_OPEN_FOUR
    elif not has_fours(s, side):
        return NO_CHAIN
    if fours < 1:
        return UNKNOWN
    if open_four:
        return 3
    return UNKNOWN if fours == 1 and s["renju"] == 0 else _SEARCH


@kernel()
def _scan(s: Any, begin: Word) -> Word:
    """Put the attacker's fours, found by a look at every point, on the stack from `begin` on."""
    size = s["size"]
    stack = s["vcf_stack"]
    number = 0
    for row in range(RING, RING + size):
        first = row * STRIDE + RING
        for cell in range(first, first + size):
            if s["cells"][cell] == EMPTY and makes_four(s, cell):
                stack[begin + number] = cell
                number += 1
    return number


@kernel()
def _inherit(s: Any, start: Word, count: Word, since: Word) -> Word:
    """Put the attacker's fours behind an earlier list of them; return their number.

    The earlier list, ``stack[start : start + count]``, was made when the undo log ended at
    `since`. What has changed stands in the log and comes first, the newest before the rest. Not for
    Black under renju: what he may play can change without a trace in the log.
    """
    side = s["side"]
    stack, marks = s["vcf_stack"], s["vcf_marks"]
    stamp = s["vcf_stamp"] + 1
    s["vcf_stamp"] = stamp
    number = start + count
    for entry in range(s["log_top"] - 1, since - 1, -1):
        cell = np.int64(s["log_cells"][entry])
        if marks[cell] != stamp:
            marks[cell] = stamp
            if s["cells"][cell] == EMPTY and point_class(s, cell, side) >= POINT_FOUR:
                stack[number] = cell
                number += 1
    for index in range(start, start + count):
        cell = np.int64(stack[index])
        if marks[cell] != stamp and s["cells"][cell] == EMPTY:
            stack[number] = cell
            number += 1
    return number - start - count


@kernel()
def _list_fours(s: Any, start: Word, count: Word, since: Word) -> Word:
    """Put the attacker's fours behind the list `start`, `count`, `since`; return their number.

    Where the defender has a five point, that is the only one.
    """
    side = s["side"]
    begin = start + count
    if s["counts"][1 - side, POINT_FIVE] > 0:
        s["vcf_stack"][begin] = five_point(s, 1 - side)
        return np.int64(1)
    if since < 0 or (s["renju"] != 0 and side == 0):
        return _scan(s, begin)
    return _inherit(s, start, count, since)


@kernel()
def _known(s: Any, table: Any, fours: Word) -> Word:
    """Return what the table tells of this node with `fours` fours left, or _SEARCH."""
    key = chain_key(s)
    entry = table[np.int64(key & np.uint64(table.shape[0] - 1))]
    if entry["key"] != key:
        return _SEARCH
    wins = np.int64(entry["score"])
    if 0 < wins <= fours:
        return 2 * wins + 1
    if entry["depth"] == _OUTRIGHT:
        return NO_CHAIN
    return UNKNOWN if np.int64(entry["depth"]) >= fours else _SEARCH


@kernel()
def _keep(s: Any, table: Any, fours: Word, answer: Word, four: Word) -> None:
    """Write into the table what a node with `fours` fours left was found to be."""
    key = chain_key(s)
    entry = table[np.int64(key & np.uint64(table.shape[0] - 1))]
    if entry["key"] != key:
        entry["key"] = key
        entry["score"] = 0
        entry["depth"] = 0
    if answer > 0:
        entry["score"] = (answer - 1) >> 1
        entry["move"] = four
    else:
        entry["depth"] = _OUTRIGHT if answer == NO_CHAIN else min(fours, np.int64(_OUTRIGHT - 1))


_RECORD = record_type(STATE)
_TABLE = array_type(CHAIN)


@kernel(int64(_RECORD, _TABLE, int64, int64, int64, int64))
def chain(s: Any, table: Any, fours: Word, start: Word, count: Word, since: Word) -> Word:
    """Look for a chain of at most `fours` fours of the side to move, and then five.

    Parameters
    ----------
    s : STATE record
        ``vcf_nodes`` counts the stones placed; from ``vcf_limit`` on no further four is tried.
        The same position afterwards.
    table : CHAIN[n]
        n a power of two. It may be the table of the main search, whose keys differ.
    fours : int
        At most MAX_FOURS.
    start, count, since : int
        The newest list of fours on the stack, and where the undo log ended then; 0, 0, -1 without.

    Returns
    -------
    int
        Plies to five if a chain was found, NO_CHAIN if there is none of any length, UNKNOWN if
        more fours or more stones would have to be tried.
    """
    answer = _at_once(s, fours)
    if answer != _SEARCH:
        return answer
    answer = _known(s, table, fours)
    if answer != _SEARCH:
        return answer
    side = s["side"]
    begin = start + count
    if begin + MAX_POINTS > VCF_STACK:
        s["vcf_limit"] = s["vcf_nodes"]
        return UNKNOWN
    number = _list_fours(s, start, count, since)
    if s["counts"][1 - side, POINT_FIVE] == 0:
        start, count, since = begin, number, s["log_top"]
    result = np.int64(NO_CHAIN)
    for index in range(begin, begin + number):
        if s["vcf_nodes"] >= s["vcf_limit"]:
            return UNKNOWN
        cell = np.int64(s["vcf_stack"][index])
        answer = np.int64(NO_CHAIN)
        place(s, cell)
        s["vcf_nodes"] += 1
        if s["counts"][1 - side, POINT_FIVE] == 0:
            block = five_point(s, side)
            if may_play(s, block):
                place(s, block)
                s["vcf_nodes"] += 1
                answer = chain(s, table, fours - 1, start, count, since)
                remove(s)
            else:
                answer = np.int64(1)
        remove(s)
        if answer > 0:
            _keep(s, table, fours, answer + 2, cell)
            return answer + 2
        result = min(result, answer)
    if result == NO_CHAIN or s["vcf_nodes"] < s["vcf_limit"]:
        _keep(s, table, fours, result, np.int64(0))
    return result


@kernel()
def vcf(s: Any, table: Any, node_cap: Word, depth_cap: Word) -> Word:
    """Look once for a victory by fours of the side to move: the entry for leaves of a search.

    Costs a few comparisons where there is no four, and one look at the table where the position
    is known.

    Parameters
    ----------
    s : STATE record
        The same position afterwards; ``vcf_nodes`` tells the stones placed.
    table : CHAIN[n]
        n a power of two: one of its own, or that of the main search.
    node_cap : int
        Stones that may be placed (one more pair is begun below it).
    depth_cap : int
        Fours of the longest chain, at most MAX_FOURS.

    Returns
    -------
    int
        Plies to five (odd), NO_CHAIN (0) if there is no chain of any length, UNKNOWN (-1) if a
        cap ended the search. Not the shortest chain, but one.
    """
    s["vcf_nodes"] = 0
    s["vcf_limit"] = node_cap
    return chain(s, table, depth_cap, np.int64(0), np.int64(0), np.int64(-1))


@kernel()
def shortest_vcf(s: Any, table: Any, node_cap: Word, depth_cap: Word) -> Word:
    """Look for the shortest victory by fours of the side to move; arguments and answer of `vcf`.

    With UNKNOWN, no chain is as short as the last number of fours that was searched out.
    """
    s["vcf_nodes"] = 0
    s["vcf_limit"] = node_cap
    for fours in range(depth_cap + 1):
        answer = chain(s, table, fours, np.int64(0), np.int64(0), np.int64(-1))
        if answer >= 0 or s["vcf_nodes"] >= s["vcf_limit"]:
            return answer
    return np.int64(UNKNOWN)


@kernel()
def _next_four(s: Any, table: Any, plies: Word) -> Word:
    """Return a four that keeps to a chain of `plies` plies, at least 3, that is known to exist.

    The one that the table holds; where another entry has taken its place it is looked for again.
    """
    key = chain_key(s)
    entry = table[np.int64(key & np.uint64(table.shape[0] - 1))]
    if entry["key"] == key and 0 < np.int64(entry["score"]) <= (plies - 1) >> 1:
        return np.int64(entry["move"])
    side = s["side"]
    start = np.int64(RING * STRIDE)
    if s["counts"][1 - side, POINT_FIVE] > 0:
        start = five_point(s, 1 - side)
    for cell in range(start, GRID):
        if s["cells"][cell] != EMPTY or not makes_four(s, cell):
            continue
        place(s, cell)
        keeps = False
        if s["counts"][1 - side, POINT_FIVE] == 0:
            block = five_point(s, side)
            keeps = True
            if may_play(s, block):
                place(s, block)
                keeps = vcf(s, table, np.int64(FOREVER), (plies - 3) >> 1) > 0
                remove(s)
        remove(s)
        if keeps:
            return cell
    return -1


@kernel()
def write_line(s: Any, table: Any, plies: Word) -> Word:
    """Write a chain of at most `plies` plies, which was found before, as ``vcf_line``.

    Attacker first, the five last; the answer to a four is the point that completes five, or one of
    them. A four that Black may not answer under renju ends the line. ``vcf_frail`` tells whether
    a stone elsewhere might change what is forbidden and thereby break the chain. The position is
    the same afterwards.

    Returns
    -------
    int
        The length of the line, also in ``vcf_length``.
    """
    nodes = s["vcf_nodes"]
    side = s["side"]
    s["vcf_frail"] = 0
    length = np.int64(0)
    stones = s["stones"]
    while s["counts"][side, POINT_FIVE] == 0:
        four = _next_four(s, table, plies - length)
        if s["renju"] != 0 and side == 0 and point_class(s, four, side) == POINT_DOUBLE_THREE:
            s["vcf_frail"] = 1
        s["vcf_line"][length] = four
        place(s, four)
        length += 1
        answer = five_point(s, side)
        if s["counts"][side, POINT_FIVE] == 1 and not may_play(s, answer):
            s["vcf_frail"] = 1
            break
        s["vcf_line"][length] = answer
        place(s, answer)
        length += 1
    if s["side"] == side:
        s["vcf_line"][length] = five_point(s, side)
        length += 1
    while s["stones"] > stones:
        remove(s)
    s["vcf_nodes"] = nodes
    s["vcf_length"] = length
    return length
