"""Names of points and moves: the only place that turns rows from the bottom into rows from the top.

A move is a flat index ``row * size + col`` with row 0 at the top. Its name is a column letter
(a is the left-most; no letter is skipped) and a row number counted from the bottom: ``h8`` is the
centre of a 15x15 board.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from operator import index

_POINT = re.compile(r"([a-zA-Z])([0-9]{1,2})")
_MOVES = re.compile(r"(?:\s*[a-zA-Z][0-9]{1,2}[\s,;]*)*")


def move_name(move: int, size: int) -> str:
    """Return the name of `move`, such as ``h8``."""
    if not 0 <= move < size * size:
        raise ValueError(f"move must be 0..{size * size - 1} on a {size}x{size} board: {move!r}")
    row, col = divmod(move, size)
    return f"{chr(ord('a') + col)}{size - row}"


def parse_move(text: str, size: int) -> int:
    """Return the flat index of the point named `text` (case does not matter).

    Raises
    ------
    ValueError
        If `text` is no point name, or the point lies off the board.
    """
    match = _POINT.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"a move must be a letter and a number such as h8: {text!r}")
    col = ord(match[1].lower()) - ord("a")
    row = size - int(match[2])
    if not (0 <= col < size and 0 <= row < size):
        last = move_name(size - 1, size)
        raise ValueError(f"move {text!r} is off the {size}x{size} board (a1..{last})")
    return row * size + col


def as_point(point: int | str, size: int, what: str) -> int:
    """Return the flat index of a point that is given by it, or by name; `what` lies there.

    Raises
    ------
    ValueError
        If it is no name of a point, or off the board.
    TypeError
        If it is neither a whole number nor a text.
    """
    if isinstance(point, str):
        return parse_move(point, size)
    try:
        move = index(point)
    except TypeError:
        wanted = "a flat index or a name such as h8"
        raise TypeError(f"{what} must be on a point, {wanted}: {point!r}") from None
    if not 0 <= move < size * size:
        raise ValueError(f"{what} must be on a point 0..{size * size - 1}: {point!r}")
    return move


def parse_moves(text: str, size: int) -> tuple[int, ...]:
    """Return the moves of a string such as ``h8i9g7``; blanks and commas may separate them."""
    compact = re.sub(r"[\s,;]+", "", text)
    moves = []
    position = 0
    while position < len(compact):
        match = _POINT.match(compact, position)
        if match is None:
            raise ValueError(f"not a move string at {compact[position:][:8]!r}: {text!r}")
        moves.append(parse_move(match[0], size))
        position = match.end()
    return tuple(moves)


def is_move_string(text: str) -> bool:
    """Tell whether `text` looks like moves, wherever they may lie; the empty text does."""
    return _MOVES.fullmatch(text) is not None


def move_string(moves: Iterable[int], size: int) -> str:
    """Return `moves` as one string without blanks, such as ``h8i9g7``."""
    return "".join(move_name(move, size) for move in moves)
