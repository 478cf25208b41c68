"""Who can force five, and how soon: an exact AND/OR search in plain Python, from the rules alone.

It knows no engine, no evaluation and no tables of shapes, so that it can judge engines. It does not
know what a tactical position is for; `proofs` does.

The attacker *forces five within n* if he can complete five with his n-th own stone at the latest,
whatever the defender replies. Every attacking move is tried. Of the defender's replies only those
are left out that provably change nothing:

1. A five point is an empty point where a stone completes five. A defender's stone takes a five
   point from the attacker only by standing on it: it adds no stone of the attacker's colour, so
   it neither lengthens nor shortens any of his lines. Hence, if the defender has no five himself:
   with two five points the attacker wins on his next move whatever the reply; with one, every
   reply elsewhere loses at once, and only the reply on it needs a search.
2. If a move leaves the attacker no five point, his next stone completes nothing either. So a win
   within two needs a move that leaves two five points, and a move without a four can only begin
   a win within three or more.
3. After such a quiet move the attacker, with two moves left, wins by any point `a` that gives him
   two five points, as long as the defender has no five to answer. A reply that makes the defender
   no five point and stands neither on `a` nor, where there are only two, on its five points leaves
   that win as it is. So of all replies only two sorts matter with two moves left: points where the
   defender makes a four, and points that spoil every such `a`. With more moves left every reply
   is tried.

Under renju Black's moves and replies are those that `game.renju` allows; where he has no reply, he
is taken to pass. White also wins by one five point on which Black may not play. A reply may change
what is forbidden: in point 3 an `a` of Black's counts only if no stone of White's can make it
forbidden, and where only other ones are left, or White might win by a single five point, every
reply is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from gomoku_lab.game.board import Board
from gomoku_lab.game.grid import (
    Grid,
    board_sets,
    five_points,
    four_candidates,
    grid_cells,
    is_allowed,
    is_stuck,
    single_points,
)
from gomoku_lab.game.renju import stays_allowed


def makes_four(lines: Grid, own: int, other: int, move: int) -> int:
    """Return the five points that `own` has after playing the point `move`."""
    return five_points(lines, own | move, other)


def forcing_move(lines: Grid, own: int, other: int, within: int) -> int:
    """Return a move by which `own`, to move, forces five within `within` own moves, or 0.

    Nobody may have five on the board yet. Which of several such moves is returned says nothing.
    """
    if within < 1:
        return 0
    fives = five_points(lines, own, other)
    if fives:
        return fives & -fives
    if within == 1:
        return 0
    for move in _attacks(lines, own, other, within):
        if is_allowed(lines, own, other, move) and wins_by(lines, own, other, move, within):
            return move
    return 0


def wins_by(lines: Grid, own: int, other: int, move: int, within: int) -> bool:
    """Tell whether the quiet or four-making `move` forces five within `within` own moves.

    `move` is the first of these moves; it must be allowed and not complete five itself.
    """
    rival = lines.turned
    own |= move
    if five_points(rival, other, own):
        return False
    fives = five_points(lines, own, other)
    if fives.bit_count() >= 2 or (fives and not is_allowed(rival, other, own, fives)):
        return within >= 2
    if fives:
        return within >= 3 and forcing_move(lines, own, other | fives, within - 1) > 0
    if within < 3:
        return False
    if is_stuck(rival, other, own):
        return forcing_move(lines, own, other, within - 1) > 0
    replies = _replies_that_matter(lines, own, other, within - 1)
    return replies is not None and all(
        forcing_move(lines, own, other | reply, within - 1)
        or not is_allowed(rival, other, own, reply)
        for reply in single_points(replies)
    )


def _attacks(lines: Grid, own: int, other: int, within: int) -> Iterator[int]:
    """Yield every first move that may force five; those that make a four come first."""
    blocks = five_points(lines.turned, other, own)
    if blocks:
        # Any other move lets the defender complete five; two such points cannot both be taken.
        if blocks.bit_count() == 1:
            yield blocks
        return
    fours = four_candidates(lines, own, other)
    yield from single_points(fours)
    if within >= 3:
        yield from single_points(lines.points & ~(own | other | fours))


def _replies_that_matter(lines: Grid, own: int, other: int, left: int) -> int | None:
    """Return the defender's replies to a quiet move that need a search, or None if it cannot win.

    `left` is how many moves the attacker has left; the module's docstring, point 3, has the proof.
    Some of the replies may be forbidden.
    """
    empty = lines.points & ~(own | other)
    if left > 2 or not empty:
        return empty or None
    spoilers = empty
    found = unsure = False
    for move in single_points(four_candidates(lines, own, other)):
        fives = makes_four(lines, own, other, move)
        if fives.bit_count() < 2:
            unsure |= lines.turned.restricted and fives > 0
        elif not _stays_allowed(lines, own, other, move):
            unsure = True
        else:
            found = True
            spoilers &= move | fives if fives.bit_count() == 2 else move
    if not found:
        return empty if unsure else None
    return spoilers | four_candidates(lines.turned, other, own)


def _stays_allowed(lines: Grid, own: int, other: int, move: int) -> bool:
    """Tell whether no stone of `other` can keep `own` from playing on the empty point `move`."""
    if not lines.restricted:
        return True
    return stays_allowed(grid_cells(lines, own, other), lines.size, lines.move(move))


def winning_moves(board: Board, within: int) -> frozenset[int]:
    """Return all moves by which the side to move forces five within `within` own moves."""
    lines, own, other = board_sets(board)
    fives = five_points(lines, own, other)
    found = fives if within >= 1 else 0
    if within >= 2:
        for move in single_points(lines.points & ~(own | other | fives)):
            if is_allowed(lines, own, other, move) and wins_by(lines, own, other, move, within):
                found |= move
    return lines.moves(found)


def chain_moves(board: Board) -> frozenset[int]:
    """Return own five points, else all moves that begin a victory by continuous fours."""
    lines, own, other = board_sets(board)
    found = five_points(lines, own, other)
    if found:
        return lines.moves(found)
    for move in _chain_candidates(lines, own, other):
        if _starts_chain(lines, own, other, move):
            found |= move
    return lines.moves(found)


def _chain_candidates(lines: Grid, own: int, other: int) -> Iterator[int]:
    """Yield the points that may make a four, only the block where the defender has five points."""
    fours = four_candidates(lines, own, other)
    blocks = five_points(lines.turned, other, own)
    if blocks:
        fours &= blocks if blocks.bit_count() == 1 else 0
    yield from single_points(fours)


def _starts_chain(lines: Grid, own: int, other: int, move: int) -> bool:
    """Tell whether `move`, which completes no five, wins by fours alone."""
    if not is_allowed(lines, own, other, move):
        return False
    own |= move
    if five_points(lines.turned, other, own):
        return False
    fives = five_points(lines, own, other)
    if fives.bit_count() != 1:
        return fives > 0
    if not is_allowed(lines.turned, other, own, fives):
        return True
    return _chain_wins(lines, own, other | fives)


@lru_cache(maxsize=1 << 16)
def _chain_wins(lines: Grid, own: int, other: int) -> bool:
    """Tell whether `own`, to move, wins by fours alone; every four has one answer."""
    return five_points(lines, own, other) > 0 or any(
        _starts_chain(lines, own, other, move) for move in _chain_candidates(lines, own, other)
    )


def holding_moves(board: Board, within: int) -> frozenset[int]:
    """Return all moves after which the opponent cannot force five within `within` of his moves."""
    lines, own, other = board_sets(board)
    rival = lines.turned
    fives = five_points(lines, own, other)
    held = fives
    attacks = 0
    for move in single_points(lines.points & ~(own | other | fives)):
        if not is_allowed(lines, own, other, move):
            continue
        after = own | move
        # What won against one defence usually wins against the next: try that first.
        if any(
            is_allowed(rival, other, after, attack) and wins_by(rival, other, after, attack, within)
            for attack in single_points(attacks & ~move)
        ):
            continue
        attack = forcing_move(rival, other, after, within)
        attacks |= attack & ~five_points(rival, other, after)
        if not attack:
            held |= move
    return lines.moves(held)


def fives_of(board: Board) -> tuple[frozenset[int], frozenset[int]]:
    """Return the five points of the side to move and those of the opponent."""
    lines, own, other = board_sets(board)
    return (
        lines.moves(five_points(lines, own, other)),
        lines.moves(five_points(lines.turned, other, own)),
    )


def fours_of(board: Board) -> frozenset[int]:
    """Return the points where the side to move may make a four: no five, but a new five point."""
    lines, own, other = board_sets(board)
    fives = five_points(lines, own, other)
    fours = 0
    for move in single_points(four_candidates(lines, own, other) & ~fives):
        new = makes_four(lines, own, other, move) & ~fives
        if new and is_allowed(lines, own, other, move):
            fours |= move
    return lines.moves(fours)
