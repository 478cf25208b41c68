"""The Gomocup protocol as text: lines of managers and brains, read into values and back.

A point is ``X,Y``: X is the column, Y the row from the top, both counted from 0. Who answers what,
and when, is not decided here: see `players.brain` for our side of the dialogue.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from enum import StrEnum
from itertools import zip_longest
from typing import Final

from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import BLACK, WHITE, Rule

OWN: Final = 1
OPPONENT: Final = 2
MARKED: Final = 3
"""Field of a stone of a winning line (continuous game), or of a forbidden point (renju)."""

UNLIMITED_MS: Final = 2_147_483_647
"""The ``time_left`` of a game without a match limit."""

_RULE_CODES: Final = {Rule.FREESTYLE: 0, Rule.STANDARD: 1, Rule.RENJU: 4}
_RULE_BITS: Final = {1: "exact five", 2: "continuous game", 4: "renju", 8: "caro"}
_YIXIN_RENJU: Final = 2
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,18}")
_POINT: Final = re.compile(r"\s*([+-]?[0-9]{1,9})\s*,\s*([+-]?[0-9]{1,9})(?:\s+|$)")
_FIELD: Final = re.compile(r'(\w+)\s*=\s*(?:"([^"]*)"|([^\s",]+))')
_LONGEST_QUOTE: Final = 60


def quoted(text: str) -> str:
    """Return `text` as a short quotation in ASCII on one line, fit for an answer."""
    short = text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}..."
    return ascii(short)


def parse_number(text: str) -> int:
    """Return the whole number `text`; raise ValueError if it is none."""
    if not _NUMBER.fullmatch(text.strip()):
        raise ValueError(f"a whole number is wanted: {quoted(text)}")
    return int(text)


# ---- points, stones, rules -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Point:
    """A pair of coordinates as it stands in a line, which need not lie on a board.

    Attributes
    ----------
    x, y : int
        Column from the left and row from the top, from 0.
    """

    x: int
    y: int

    @classmethod
    def of(cls, move: int, size: int) -> Point:
        """Return the point of a flat move on a board of `size` lines."""
        row, col = divmod(move, size)
        return cls(col, row)

    def move(self, size: int) -> int:
        """Return the flat move; raise ValueError if the point is off a board of `size` lines."""
        if not (0 <= self.x < size and 0 <= self.y < size):
            raise ValueError(f"point {self} is off the {size}x{size} board (0..{size - 1})")
        return self.y * size + self.x

    def __str__(self) -> str:
        return f"{self.x},{self.y}"


@dataclass(frozen=True, slots=True)
class Stone:
    """One line of a BOARD block: a point and its field, `OWN`, `OPPONENT` or `MARKED`."""

    point: Point
    field: int

    def __str__(self) -> str:
        return f"{self.point},{self.field}"


def parse_point(text: str) -> Point:
    """Return the point ``X,Y``; blanks are tolerated, anything else raises ValueError."""
    found = parse_points(text)
    if len(found) != 1:
        raise ValueError(f"one point X,Y is wanted: {quoted(text)}")
    return found[0]


def parse_points(text: str) -> tuple[Point, ...]:
    """Return the points of ``X,Y X,Y ...``; raise ValueError if anything else stands there."""
    found: list[Point] = []
    position = 0
    while position < len(text):
        match = _POINT.match(text, position)
        if match is None:
            raise ValueError(f"points X,Y are wanted: {quoted(text)}")
        found.append(Point(int(match[1]), int(match[2])))
        position = match.end()
    return tuple(found)


def parse_stone(text: str) -> Stone:
    """Return the stone ``X,Y,field``; raise ValueError if it is none."""
    head, _, field = text.rpartition(",")
    try:
        stone = Stone(parse_point(head), parse_number(field))
    except ValueError:
        raise ValueError(f"a stone X,Y,field is wanted: {quoted(text)}") from None
    if stone.field not in (OWN, OPPONENT, MARKED):
        raise ValueError(f"the field of a stone must be 1, 2 or 3: {quoted(text)}")
    return stone


def rule_code(rule: Rule) -> int:
    """Return the number by which ``INFO rule`` names `rule` (not in Yixin's dialect)."""
    return _RULE_CODES[rule]


def rule_of(code: int, *, yixin: bool = False) -> Rule:
    """Return the rule that ``INFO rule`` names by `code`.

    Parameters
    ----------
    code : int
        Sum of 1 (exact five), 2 (continuous game), 4 (renju) and 8 (caro).
    yixin : bool
        Read it in Yixin's dialect, where 2 is renju.

    Raises
    ------
    ValueError
        If the lab has no such rule.
    """
    if yixin and code == _YIXIN_RENJU:
        return Rule.RENJU
    for rule, known in _RULE_CODES.items():
        if code == known:
            return rule
    bits = [name for bit, name in _RULE_BITS.items() if code > 0 and code & bit]
    meaning = f" ({' + '.join(bits)})" if bits else ""
    raise ValueError(f"rule {code}{meaning} is not supported; rules: {rule_codes()}")


def rule_codes() -> str:
    """Return the numbers that ``INFO rule`` may have and the rules that they name, in words."""
    return ", ".join(f"{code} {rule}" for rule, code in _RULE_CODES.items())


# ---- lines of a manager --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Command:
    """One line of a manager.

    Attributes
    ----------
    word : str
        Its first word in upper case, such as ``TURN``; a line of a block has what stands there.
    rest : str
        What follows, without the blanks around it.
    """

    word: str
    rest: str = ""

    def __str__(self) -> str:
        return f"{self.word} {self.rest}".rstrip()


def parse_command(line: str) -> Command | None:
    """Return the command in `line`, or None if nothing stands in it."""
    words = line.split(maxsplit=1)
    if not words:
        return None
    return Command(words[0].upper(), words[1].strip() if len(words) > 1 else "")


@dataclass(frozen=True, slots=True)
class Info:
    """What follows ``INFO``: a key in lower case and its value as text."""

    key: str
    value: str

    def __str__(self) -> str:
        return f"INFO {self.key} {self.value}".rstrip()


def parse_info(rest: str) -> Info:
    """Return key and value of what follows ``INFO``; both may be empty."""
    words = rest.split(maxsplit=1)
    return Info(words[0].lower() if words else "", words[1].strip() if len(words) > 1 else "")


def parse_rectangle(rest: str) -> tuple[int, int]:
    """Return width and height of what follows ``RECTSTART``."""
    point = parse_point(rest)
    return point.x, point.y


def board_block(board: Board) -> tuple[str, ...]:
    """Return the lines ``BOARD`` to ``DONE`` for `board`, as its side to move sees it.

    Set-up stones come first, black and white in turn, since some programs take the order for that
    of play; then the moves follow as they were played.
    """
    played = set(board.moves)
    set_up = [at for at, cell in enumerate(board.cells) if cell and at not in played]
    of_colour = ([at for at in set_up if board.cells[at] == colour] for colour in (BLACK, WHITE))
    in_turn = (at for pair in zip_longest(*of_colour) for at in pair if at is not None)
    stones = (
        Stone(Point.of(move, board.size), OWN if board.cells[move] == board.to_move else OPPONENT)
        for move in (*in_turn, *board.moves)
    )
    return ("BOARD", *map(str, stones), "DONE")


def swap2_block(moves: Iterable[int], size: int) -> tuple[str, ...]:
    """Return the lines ``SWAP2BOARD`` to ``DONE`` for the stones laid so far, in their order."""
    return ("SWAP2BOARD", *(str(Point.of(move, size)) for move in moves), "DONE")


# ---- lines of a brain ----------------------------------------------------------------------------


class Kind(StrEnum):
    """What a line of a brain is."""

    POINTS = "points"  # a move, or two or three points in SWAP2
    SWAP = "SWAP"
    OK = "OK"
    SUGGEST = "SUGGEST"
    ERROR = "ERROR"
    UNKNOWN = "UNKNOWN"
    MESSAGE = "MESSAGE"
    DEBUG = "DEBUG"
    OTHER = "other"  # the answer to ABOUT, or garbage


_WORDS: Final = {kind.value: kind for kind in Kind if kind not in (Kind.POINTS, Kind.OTHER)}


@dataclass(frozen=True, slots=True)
class Answer:
    """One line of a brain.

    Attributes
    ----------
    kind : Kind
    text : str
        What follows the word, such as an error's reason; the whole line of points or garbage.
    points : tuple of Point
        The points of ``POINTS`` and ``SUGGEST``.
    """

    kind: Kind
    text: str = ""
    points: tuple[Point, ...] = ()

    @property
    def is_talk(self) -> bool:
        """Tell whether it answers nothing: a message to people."""
        return self.kind in (Kind.MESSAGE, Kind.DEBUG)


def parse_answer(line: str) -> Answer | None:
    """Return what the brain says in `line`, or None if nothing stands in it."""
    text = line.strip()
    if not text:
        return None
    word, *rest = text.split(maxsplit=1)
    kind = _WORDS.get(word.upper(), Kind.OTHER)
    if kind not in (Kind.OTHER, Kind.SUGGEST):
        return Answer(kind, rest[0] if rest else "")
    said = text if kind is Kind.OTHER else "".join(rest)
    try:
        points = parse_points(said)
    except ValueError:
        points = ()
    if kind is Kind.SUGGEST and len(points) == 1:
        return Answer(kind, said, points)
    if kind is Kind.OTHER and points:
        return Answer(Kind.POINTS, said, points)
    return Answer(Kind.OTHER, text)


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a brain says about itself; "" is what it does not say."""

    name: str = ""
    version: str = ""
    author: str = ""
    country: str = ""
    www: str = ""
    email: str = ""

    def __str__(self) -> str:
        return ", ".join(
            f'{item.name}="{getattr(self, item.name)}"'
            for item in fields(self)
            if getattr(self, item.name)
        )


def parse_about(text: str) -> About | None:
    """Return what the answer to ``ABOUT`` says, or None if it says nothing of the kind."""
    known = {item.name for item in fields(About)}
    found = {
        match[1].lower(): match[2] if match[2] is not None else match[3]
        for match in _FIELD.finditer(text)
        if match[1].lower() in known
    }
    return About(**found) if found else None
