"""Moves as strings, in the notations of this lab and of other programs.

``moves``: ``h8i9g7``, rows counted from the bottom: ours, Yixin-Board's, renju.net's.
``pos``: the same shape, but rows counted from the top: c-gomoku-cli, Rapfi, the Gomocup judge.
``offset``: ``0,0, 1,1``: columns to the right of and rows below the point ``size // 2``.
Nothing in a string tells the first two apart, so nobody here guesses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from gomoku_lab.game.notation import move_string, parse_moves

_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,4}")


@dataclass(frozen=True, slots=True)
class Notation:
    """A way to write moves: its name, a reader and a writer, both for a board size."""

    name: str
    parse: Callable[[str, int], tuple[int, ...]]
    text: Callable[[Iterable[int], int], str]


def parse_pos(text: str, size: int) -> tuple[int, ...]:
    """Return the moves of a string whose rows are counted from the top."""
    try:
        return tuple(_flipped(move, size) for move in parse_moves(text, size))
    except ValueError as error:
        raise ValueError(f"{error} (rows counted from the top)") from None


def pos_string(moves: Iterable[int], size: int) -> str:
    """Return `moves` as a string whose rows are counted from the top."""
    return move_string((_flipped(move, size) for move in moves), size)


def parse_offsets(text: str, size: int) -> tuple[int, ...]:
    """Return the moves of a line of offsets from the centre, such as ``0,0, 1,-1``."""
    words = [word for word in re.split(r"[\s,;]+", text) if word]
    for word in words:
        if not _NUMBER.fullmatch(word):
            raise ValueError(f"an offset must be a whole number: {word!r}")
    if len(words) % 2:
        raise ValueError(f"offsets come in pairs, but there are {len(words)} numbers: {text!r}")
    moves = []
    for right, below in zip(words[::2], words[1::2], strict=True):
        col, row = int(right) + size // 2, int(below) + size // 2
        if not (0 <= col < size and 0 <= row < size):
            raise ValueError(f"offset {right},{below} is off the {size}x{size} board")
        moves.append(row * size + col)
    return tuple(moves)


def offset_string(moves: Iterable[int], size: int) -> str:
    """Return `moves` as a line of offsets from the centre."""
    pairs = (divmod(move, size) for move in moves)
    return ", ".join(f"{col - size // 2},{row - size // 2}" for row, col in pairs)


def _flipped(move: int, size: int) -> int:
    row, col = divmod(move, size)
    return (size - 1 - row) * size + col


MOVES: Final = Notation("moves", parse_moves, move_string)
POS: Final = Notation("pos", parse_pos, pos_string)
OFFSET: Final = Notation("offset", parse_offsets, offset_string)
NOTATIONS: Final = {notation.name: notation for notation in (MOVES, POS, OFFSET)}
