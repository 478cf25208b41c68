"""What a reader of a file of many things returns, so that one broken thing does not hide the rest.

It reads nothing itself; the formats beside it do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be read or written, and so is missing.

    Attributes
    ----------
    source : str
        The file's name.
    line : int
        Where it starts, from 1; 0 if no line is to blame.
    reason : str
        What was wrong, what was wanted, and the value.
    """

    source: str
    line: int
    reason: str

    def __str__(self) -> str:
        place = f"{self.source}:{self.line}" if self.line else self.source
        return f"{place}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """What was read, in file order, and what was not.

    Attributes
    ----------
    items : tuple
        The things that could be read.
    problems : tuple of Problem
        One for each thing that could not.
    notes : tuple of str
        What was left out of the things that were read, or taken for granted: one entry for each
        thing that it happened to, equal words for equal causes, to be counted.
    lines : tuple of int
        Where each item starts, from 1, so that what is wrong with it can be found later; 0 where
        the reader does not say, which is the default.
    """

    items: tuple[T, ...]
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not self.lines:
            object.__setattr__(self, "lines", (0,) * len(self.items))
        if len(self.lines) != len(self.items):
            raise ValueError(
                f"lines must have one entry for each of {len(self.items)} items: {self.lines!r}"
            )

    @classmethod
    def joined(cls, readings: Iterable[Reading[T]]) -> Self:
        """Return several readings as one."""
        parts = list(readings)
        return cls(
            tuple(item for part in parts for item in part.items),
            tuple(problem for part in parts for problem in part.problems),
            tuple(note for part in parts for note in part.notes),
            tuple(line for part in parts for line in part.lines),
        )
