"""Victory by continuous threats: a proof-number search over threats and all defences.

A *threat* is a move after which the attacker, were the defender to pass, would win by continuous
fours. The attacker plays threats alone; of the defender's replies none is left out but those that
provably lose to the very chain of fours that was threatened. Such a reply

1. stands on no point of the chain: neither on a four, nor on an answer, nor on the last fives;
2. makes no four, so that the attacker may begin;
3. together with answers of the chain makes no four either, so that the attacker may go on: it
   stands in no window of five points that holds an answer, no stone of the attacker's, and at
   least three stones of the defender's, answers counted as such.

What is proved is a win. What is disproved has no win by the threats that were tried: the attacker's
moves are those that add at least an open two to one of his lines.

The search is df-pn (Nagai 2002): depth first, by thresholds of proof and disproof numbers, which
are kept in a table. Where numbers would be added up, the greatest and the number of further
children are taken instead, since in this game the same position is reached by many orders of moves.

Under renju neither side's moves are those that Black may not play. Where what is forbidden decides
the chain, so that a stone anywhere might break it, every reply is tried.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gomoku_lab.kernels._jit import Word, array_type, int64, kernel, record_type, void
from gomoku_lab.kernels.forbidden import makes_four, may_play
from gomoku_lab.kernels.layout import (
    CHAIN,
    EMPTY,
    MAX_POINTS,
    OFFSETS,
    POINT_FIVE,
    POINT_THREE,
    PROOF,
    RING,
    STATE,
    STRIDE,
    VCT_STACK,
    ZOBRIST,
    ZOBRIST_FIVE,
    ZOBRIST_SIDE,
)
from gomoku_lab.kernels.state import place, point_class, remove
from gomoku_lab.kernels.threats import five_point
from gomoku_lab.kernels.vcf import chain_key, has_fours, shortest_vcf, vcf, write_line

PROVEN = -1
DISPROVEN = -2
"""What `expand` answers instead of a number of moves."""

NEVER = 1 << 28
"""A proof or disproof number that no search reaches."""
_CHAIN_FOURS = 30
_QUIET_PROOF = 15  # of an attacker's move that makes no open three, before it is looked at
_MOVE_COST = 3  # what each move of the attacker's adds to the proof number: short wins first
_OPEN_TWO_GRADE = 4  # this grade and all above are at least an open two


@kernel()
def pass_turn(s: Any) -> None:
    """Give the turn to the other side without a stone; twice changes nothing."""
    s["side"] = 1 - s["side"]
    s["hash"] ^= ZOBRIST_SIDE


@kernel()
def _cap(s: Any) -> Word:
    """Return how many stones a search for a chain of fours may place now."""
    return min(s["vct_chain_cap"], s["vct_limit"] - s["vct_nodes"])


@kernel()
def _promises(s: Any, cell: Word, side: Word) -> Word:
    """Tell whether a stone there adds at least an open two to one of a colour's lines."""
    code = (np.int64(s["codes"][cell]) >> (32 * side)) & 0xFFFF
    while code != 0:
        if code & 15 >= _OPEN_TWO_GRADE:
            return True
        code >>= 4
    return False


@kernel()
def _attacks(s: Any, chains: Any, top: Word) -> Word:
    """List the attacker's moves of a node; see `expand`."""
    side = s["side"]
    if s["counts"][side, POINT_FIVE] > 0:
        return PROVEN
    if s["counts"][1 - side, POINT_FIVE] > 1:
        return DISPROVEN
    plies = vcf(s, chains, _cap(s), np.int64(_CHAIN_FOURS))
    s["vct_nodes"] += s["vcf_nodes"]
    if plies > 0:
        return PROVEN
    stack = s["vct_stack"]
    if s["counts"][1 - side, POINT_FIVE] == 1:
        stack[top] = five_point(s, 1 - side)
        return 1 if may_play(s, np.int64(stack[top])) else DISPROVEN
    number = 0
    for row in range(RING, RING + s["size"]):
        first = row * STRIDE + RING
        for cell in range(first, first + s["size"]):
            if s["cells"][cell] == EMPTY and _promises(s, cell, side) and may_play(s, cell):
                stack[top + number] = cell
                number += 1
    return number if number > 0 else DISPROVEN


@kernel()
def _add(s: Any, top: Word, number: Word, cell: Word) -> Word:
    """Add an empty cell to a list unless it is marked or forbidden; return its number of moves."""
    if s["cells"][cell] != EMPTY or s["vcf_marks"][cell] == s["vcf_stamp"]:
        return number
    s["vcf_marks"][cell] = s["vcf_stamp"]
    if not may_play(s, cell):
        return number
    s["vct_stack"][top + number] = cell
    return number + 1


@kernel()
def _is_answer(s: Any, cell: Word, length: Word) -> Word:
    """Tell whether a cell is one of the defender's answers in the chain of fours."""
    found = False
    for index in range(1, length, 2):
        found = found or s["vcf_line"][index] == cell
    return found


@kernel()
def _window_defences(s: Any, top: Word, number: Word, length: Word, answer: Word) -> Word:
    """Add the points that make a four together with `answer`: point 3 of the module's docstring."""
    defender = s["side"] + 1
    for direction in range(4):
        offset = OFFSETS[direction]
        for shift in range(5):
            first = answer - shift * offset
            stones = 0
            for index in range(5):
                cell = first + index * offset
                content = s["cells"][cell]
                if content == defender or (content == EMPTY and _is_answer(s, cell, length)):
                    stones += 1
                elif content != EMPTY:
                    stones -= 5
            if stones >= 3:
                for index in range(5):
                    number = _add(s, top, number, first + index * offset)
    return number


@kernel()
def _defences(s: Any, chains: Any, top: Word) -> Word:
    """List the defender's replies that do not provably lose to the threat; see `expand`."""
    side = s["side"]
    stack = s["vct_stack"]
    if s["counts"][side, POINT_FIVE] > 0:
        return DISPROVEN
    fives = s["counts"][1 - side, POINT_FIVE]
    if fives > 0:
        stack[top] = five_point(s, 1 - side)
        return 1 if fives == 1 and may_play(s, np.int64(stack[top])) else PROVEN
    if not has_fours(s, 1 - side):
        return DISPROVEN
    pass_turn(s)
    plies = shortest_vcf(s, chains, _cap(s), np.int64(_CHAIN_FOURS))
    s["vct_nodes"] += s["vcf_nodes"]
    length = write_line(s, chains, plies) if plies > 0 else 0
    pass_turn(s)
    if plies <= 0:
        return DISPROVEN
    s["vcf_stamp"] += 1
    number = np.int64(0)
    for index in range(length):
        number = _add(s, top, number, np.int64(s["vcf_line"][index]))
    for row in range(RING, RING + s["size"]):
        first = row * STRIDE + RING
        for cell in range(first, first + s["size"]):
            if s["cells"][cell] == EMPTY and (s["vcf_frail"] != 0 or makes_four(s, cell)):
                number = _add(s, top, number, np.int64(cell))
    for index in range(1, length, 2):
        answer = np.int64(s["vcf_line"][index])
        number = _window_defences(s, top, number, length, answer)
    return number if number > 0 else PROVEN


@kernel()
def expand(s: Any, chains: Any, top: Word) -> Word:
    """List the moves of a node in ``vct_stack`` from `top` on.

    Returns
    -------
    int
        How many there are; PROVEN or DISPROVEN where no move needs to be tried. After a threat
        ``vcf_line`` holds ``vcf_length`` cells of the chain of fours that is threatened.
    """
    s["vcf_length"] = 0
    if s["side"] == s["vct_attacker"]:
        return _attacks(s, chains, top)
    return _defences(s, chains, top)


@kernel()
def proof_key(s: Any) -> Any:
    """Return the key of the position in the table of proofs, of which the attacker is part."""
    return chain_key(s) ^ ZOBRIST_FIVE[s["vct_attacker"]]


@kernel()
def _keep_numbers(proofs: Any, key: Any, proof: Word, disproof: Word) -> None:
    entry = proofs[np.int64(key & np.uint64(proofs.shape[0] - 1))]
    entry["key"] = key
    entry["proof"] = min(proof, np.int64(NEVER))
    entry["disproof"] = min(disproof, np.int64(NEVER))


@kernel()
def _choose(s: Any, proofs: Any, top: Word, number: Word, numbers: Any) -> Word:
    """Find the child to search next, and the numbers of the node from those of its children.

    Parameters
    ----------
    numbers : int64[4]
        Gets the least first number of a child (proof number for the attacker, disproof number for
        the defender), the sum of the second ones, the second least first number, and by how much
        the sum exceeds its greatest part.

    Returns
    -------
    int
        The chosen child's place in the list.
    """
    side = s["side"]
    attacks = side == s["vct_attacker"]
    key = proof_key(s) ^ ZOBRIST_SIDE
    least: Word = NEVER
    second: Word = NEVER
    most: Word = 0
    others, chosen = -1, np.int64(0)
    for index in range(number):
        cell = np.int64(s["vct_stack"][top + index])
        child = key ^ ZOBRIST[side, cell]
        entry = proofs[np.int64(child & np.uint64(proofs.shape[0] - 1))]
        if entry["key"] == child:
            one, other = np.int64(entry["proof"]), np.int64(entry["disproof"])
            if not attacks:
                one, other = other, one
        else:
            quiet = attacks and number > 1 and point_class(s, cell, side) < POINT_THREE
            one, other = np.int64(_QUIET_PROOF if quiet else 1), np.int64(1)
            if quiet:
                others -= 1  # mostly no threat at all: not counted before it is looked at
        if attacks and 0 < one < NEVER:
            one += _MOVE_COST
        if one < least:
            second, least, chosen = least, one, np.int64(index)
        else:
            second = min(second, one)
        if other > 0:
            most = max(most, other)
            others += 1
    numbers[0] = least
    numbers[1] = min(most + max(others, 0), NEVER) if most > 0 else 0
    numbers[2] = second
    numbers[3] = max(others, 0)
    return chosen


_RECORD = record_type(STATE)
_CHAINS = array_type(CHAIN)
_PROOFS = array_type(PROOF)


@kernel(void(_RECORD, _PROOFS, _CHAINS, int64, int64, int64))
def prove(s: Any, proofs: Any, chains: Any, first: Word, second: Word, top: Word) -> None:
    """Search a node until its numbers reach a threshold or the stones are spent.

    Parameters
    ----------
    s : STATE record
        ``vct_nodes`` counts the stones placed, up to ``vct_limit``; the same position afterwards.
    proofs : PROOF[n], chains : CHAIN[m]
        n and m powers of two. The node's numbers stand in `proofs` afterwards.
    first, second : int
        Thresholds of the number that the side to move takes the least of (proof for the attacker,
        disproof for the defender), and of the other.
    top : int
        Where the free part of ``vct_stack`` begins.
    """
    key = proof_key(s)
    attacks = s["side"] == s["vct_attacker"]
    number = np.int64(DISPROVEN)
    if top + MAX_POINTS <= VCT_STACK:
        number = expand(s, chains, top)
    if number == PROVEN:
        _keep_numbers(proofs, key, np.int64(0), np.int64(NEVER))
        return
    if number == DISPROVEN:
        _keep_numbers(proofs, key, np.int64(NEVER), np.int64(0))
        return
    numbers = np.empty(4, np.int64)
    while True:
        index = _choose(s, proofs, top, number, numbers)
        least, total = numbers[0], numbers[1]
        if least >= first or total >= second or s["vct_nodes"] >= s["vct_limit"]:
            break
        below = min(first, numbers[2] + 1) - (_MOVE_COST if attacks else 0)
        rest = second - numbers[3]
        place(s, np.int64(s["vct_stack"][top + index]))
        s["vct_nodes"] += 1
        prove(s, proofs, chains, rest, below, top + number)
        remove(s)
    if attacks:
        _keep_numbers(proofs, key, least, total)
    else:
        _keep_numbers(proofs, key, total, least)
