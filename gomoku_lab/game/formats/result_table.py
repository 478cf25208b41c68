"""Result tables as Gomocup publishes them: one line two players, ``A - B: wins : losses``.

The wins and losses are those of the first one. Nothing is said about colours, draws, rule or board.
``0 : 0`` stands where two players did not meet. What the results are worth is judged elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from gomoku_lab.game.formats.reading import Problem, Reading

MAX_COUNT: Final = 10**9
_BETWEEN: Final = " - "
_LINE: Final = re.compile(r"(?P<names>.*?)\s*:\s*(?P<wins>\d+)\s*:\s*(?P<losses>\d+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One line of a result table.

    Attributes
    ----------
    first, second : str
        The players, as the table calls them.
    wins, losses : int
        Games that the first one won and lost.
    """

    first: str
    second: str
    wins: int
    losses: int


def looks_like_result_table(text: str) -> bool:
    """Tell whether at least half of the lines that say something have the shape of a result."""
    lines = [line for _, line in _meaningful_lines(text)]
    found = [match for line in lines if (match := _LINE.fullmatch(line))]
    rows = sum(_BETWEEN in match["names"] for match in found)
    # Not the first line alone: a table may have a heading.
    return rows > 0 and 2 * rows >= len(lines)


def parse_result_table(text: str, source: str) -> Reading[ResultRow]:
    """Read a result table; `source` is its name for the problems.

    A line that cannot be read, and one about two players of whom an earlier line told already, is
    a problem; all others are read. Empty lines and lines that begin with ``#`` mean nothing.
    """
    rows: list[ResultRow] = []
    lines: list[int] = []
    problems: list[Problem] = []
    told: dict[frozenset[str], int] = {}
    for number, line in _meaningful_lines(text):
        try:
            row = _row(line)
            earlier = told.setdefault(frozenset((row.first, row.second)), number)
            if earlier != number:
                raise ValueError(f"line {earlier} has the result of these two already: {line!r}")
        except ValueError as error:
            problems.append(Problem(source, number, str(error)))
        else:
            rows.append(row)
            lines.append(number)
    return Reading(tuple(rows), tuple(problems), lines=tuple(lines))


def format_result_table(rows: Iterable[ResultRow]) -> str:
    """Return the table as text, one row a line; ValueError if a name would not be read back."""
    lines = []
    for row in rows:
        line = f"{row.first}{_BETWEEN}{row.second}: {row.wins} : {row.losses}"
        if parse_result_table(line, "").items != (row,):
            raise ValueError(f"a result table cannot hold this: {row}")
        lines.append(f"{line}\n")
    return "".join(lines)


def _meaningful_lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.strip()
        # The name of a player may begin with the mark of a comment.
        if content and (not content.startswith("#") or _LINE.fullmatch(content)):
            yield number, content


def _row(line: str) -> ResultRow:
    found = _LINE.fullmatch(line)
    if found is None:
        raise ValueError(f"a line must be 'A - B: wins : losses': {line!r}")
    names = found["names"].split(_BETWEEN)
    if len(names) != 2 or not all(name.strip() for name in names):
        raise ValueError(f"before the first ':' must stand two names, 'A - B': {line!r}")
    first, second = (name.strip() for name in names)
    if first == second:
        raise ValueError(f"the two players must differ: {line!r}")
    wins, losses = int(found["wins"]), int(found["losses"])
    if max(wins, losses) > MAX_COUNT:
        raise ValueError(f"wins and losses must be at most {MAX_COUNT}: {line!r}")
    return ResultRow(first, second, wins, losses)
