"""The values that stand in SGF files of Gomoku: points, and what a search says in comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from gomoku_lab.game.record import GameRecord

OPENING_MOVE: Final = "opening move"
"""The comment of a move that nobody chose; c-gomoku-cli's words."""

_NUMBER: Final = r"(?:\d{1,18}(?:\.\d+)?(?:[eE]-\d{1,3})?)"
_COUNT: Final = r"\d{1,18}"
_PART: Final = re.compile(
    rf"(?P<time_ms>{_NUMBER}) ?ms|depth (?P<depth>{_COUNT})|(?P<nodes>{_COUNT}) nodes|"
    rf"score (?P<score>[-+]?{_COUNT})"
)


def parse_point(text: str, size: int) -> int:
    """Return the flat move of a point such as ``hh``: column and row from the top left."""
    if len(text) != 2 or not text.isascii() or not text.isalpha() or not text.islower():
        raise ValueError(f"a point must be two letters such as hh: {text!r}")
    col, row = (ord(letter) - ord("a") for letter in text)
    if col >= size or row >= size:
        raise ValueError(f"point {text!r} is off the {size}x{size} board")
    return row * size + col


def parse_points(text: str, size: int) -> Iterator[int]:
    """Yield the points of a value of a setup: one, or a rectangle such as ``aa:cc``."""
    first, _, last = text.partition(":")
    top, left = divmod(parse_point(first, size), size)
    bottom, right = divmod(parse_point(last or first, size), size)
    for row in range(top, bottom + 1):
        yield from range(row * size + left, row * size + right + 1)


def point_text(move: int, size: int) -> str:
    """Return the two letters of a flat move."""
    row, col = divmod(move, size)
    return chr(ord("a") + col) + chr(ord("a") + row)


def parse_cost(text: str) -> dict[str, Any] | None:
    """Return what a comment says of a move by the names of `GameRecord`; None if it says more."""
    cost: dict[str, Any] = {}
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        if match is None:
            return None
        for key, value in match.groupdict().items():
            if value is not None:
                cost[key] = float(value) if key == "time_ms" else int(value)
    return cost


def cost_comment(record: GameRecord, chosen: int) -> str:
    """Return the comment of a move: its number after the opening, negative in the opening."""
    if chosen < 0:
        return OPENING_MOVE
    time, depth = record.time_ms[chosen], record.depth[chosen]
    nodes, score = record.nodes[chosen], record.score[chosen]
    parts = [
        "" if time is None else f"{_number(time)} ms",
        "" if depth is None else f"depth {depth}",
        "" if nodes is None else f"{nodes} nodes",
        "" if score is None else f"score {score:+d}",
    ]
    return ", ".join(part for part in parts if part)


def _number(value: float) -> str:
    """Return a number that reads back as itself, without a fraction where it has none."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))
