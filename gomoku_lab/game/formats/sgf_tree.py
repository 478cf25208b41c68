"""The Smart Game Format as nodes and properties: only the grammar, of any game.

Read as real files need it: text around and between the games is skipped, a ``;`` may be missing,
lower-case letters in names of properties do not count. Of each game the main line is returned, that
is the first variation wherever there are several; the others are counted. A game that cannot be
read does not hide those after it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from gomoku_lab.game.formats.reading import Problem, Reading

_GAME: Final = re.compile(r"\(\s*(?:;|[A-Z]{2}\s*\[)")
# A game inside a game means that the end of the one before is missing: roots have such properties.
_ROOT: Final = re.compile(r"\(\s*;?\s*(?:FF|GM|CA|AP|SZ|GN|EV|PB|PW|RU|RE|DT|RO|GC|US)\s*\[")
# A digit is against the standard, but 5A offers fifth moves in files of renju.
_NAME: Final = re.compile(r"[A-Za-z0-9]+")
_VALUE: Final = re.compile(r"\[((?:\\.|[^\]\\])*)\]", re.DOTALL)
_BLANK: Final = re.compile(r"\s*")
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_TO_ESCAPE: Final = re.compile(r"[\]\\:]")


@dataclass(frozen=True, slots=True)
class Property:
    """A named list of values, such as ``AB[hh][ig]``, and the line on which it starts."""

    name: str
    values: tuple[str, ...]
    line: int

    @property
    def value(self) -> str:
        """Give the first value."""
        return self.values[0]


@dataclass(frozen=True, slots=True)
class Tree:
    """One game: the properties of each node of its main line.

    Attributes
    ----------
    line : int
        Where it starts.
    nodes : tuple of tuple of Property
        The root first.
    variations : int
        How many other lines there are.
    """

    line: int
    nodes: tuple[tuple[Property, ...], ...]
    variations: int = 0


class _SyntaxError(ValueError):
    def __init__(self, position: int, reason: str) -> None:
        super().__init__(reason)
        self.position = position


def parse_trees(text: str, source: str) -> Reading[Tree]:
    """Read all games of a file; `source` is its name for messages."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    trees: list[Tree] = []
    problems: list[Problem] = []
    found = _GAME.search(text)
    while found is not None:
        line = bisect_right(starts, found.start())
        game = _Game(text, starts)
        try:
            position = game.read(found.start())
        except _SyntaxError as error:
            where = bisect_right(starts, error.position)
            problems.append(Problem(source, where, f"{error} (the game starts in line {line})"))
            found = _ROOT.search(text, max(error.position, found.start() + 1))
        else:
            trees.append(Tree(line, tuple(map(tuple, game.nodes)), game.variations))
            found = _GAME.search(text, position)
    if not trees and not problems:
        problems.append(Problem(source, 1, "no SGF game: nothing begins with '(;'"))
    return Reading(tuple(trees), tuple(problems))


def format_tree(nodes: Iterable[Iterable[tuple[str, ...]]]) -> str:
    """Return the text of one game, a node a line; a property is its name and its values."""
    lines = [";" + "".join(_format(*one) for one in node) for node in nodes]
    return f"({chr(10).join(lines)})\n"


def _format(name: str, *values: str) -> str:
    return name + "".join(f"[{escape(value)}]" for value in values)


def escape(value: str) -> str:
    """Return `value` so that it can stand between brackets."""
    return _TO_ESCAPE.sub(lambda match: "\\" + match[0], value)


@dataclass(slots=True)
class _Game:
    """A game while it is read."""

    text: str
    starts: list[int]
    nodes: list[list[Property]] = field(default_factory=list)
    variations: int = 0

    def read(self, position: int) -> int:
        """Read the game that starts at `position` and return where it ends."""
        # For each open parenthesis: does it belong to the main line, has its line gone on in one?
        open_lines: list[list[bool]] = []
        for end, token in self._tokens(position):
            if token == "(":
                main = not open_lines or (open_lines[-1][0] and not open_lines[-1][1])
                if open_lines:
                    self.variations += open_lines[-1][0] and not main
                    open_lines[-1][1] = True
                open_lines.append([main, False])
            elif token == ")":
                open_lines.pop()
                if not open_lines:
                    return end
            elif open_lines[-1][0] and not open_lines[-1][1]:
                self._take(token)
        raise _SyntaxError(len(self.text), "the file ends inside a game: a ')' is missing")

    def _take(self, token: str | Property) -> None:
        """Put a ``;`` or a property of the main line where it belongs."""
        if isinstance(token, str):
            self.nodes.append([])
        elif self.nodes:
            self.nodes[-1].append(token)
        else:
            self.nodes.append([token])

    def _tokens(self, position: int) -> Iterator[tuple[int, str | Property]]:
        """Yield parentheses, semicolons and properties, each with the position behind it."""
        text, begin = self.text, position
        while True:
            blank = _BLANK.match(text, position)
            position = blank.end() if blank else position
            if position >= len(text):
                return
            letter = text[position]
            if letter == "(" and position > begin and _ROOT.match(text, position):
                raise _SyntaxError(position, "a game begins inside another: a ')' is missing")
            if letter in "();":
                position += 1
                yield position, letter
                continue
            name = _NAME.match(text, position)
            if name is None:
                raise _SyntaxError(
                    position,
                    f"a property such as B[hh] is wanted: {text[position : position + 20]!r}",
                )
            position, values = self._values(name.end())
            if not values:
                raise _SyntaxError(
                    name.start(),
                    f"the property {name[0]} has no value: "
                    f"{text[name.start() : name.start() + 20]!r}",
                )
            line = bisect_right(self.starts, name.start())
            capitals = "".join(letter for letter in name[0] if not letter.islower())
            yield position, Property(capitals or name[0].upper(), tuple(values), line)

    def _values(self, position: int) -> tuple[int, list[str]]:
        values: list[str] = []
        while True:
            blank = _BLANK.match(self.text, position)
            start = blank.end() if blank else position
            value = _VALUE.match(self.text, start)
            # A value that swallows the beginning of a game lacks its end.
            if value is None or _ROOT.search(value[0]):
                if self.text.startswith("[", start):
                    raise _SyntaxError(start, "a value has no end: a ']' is missing")
                return position, values
            values.append(_ESCAPED.sub(_unescaped, value[1]))
            position = value.end()


def _unescaped(match: re.Match[str]) -> str:
    """Return the escaped letter; an escaped line end stands for nothing."""
    return "" if match[1] == "\n" else match[1]
