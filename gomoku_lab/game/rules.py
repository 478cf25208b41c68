"""Rules of play and colours: what counts as a win, which board sizes exist.

Nothing here knows about engines; the kernels get a rule as a small integer (`Rule.code`).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

EMPTY: Final = 0
BLACK: Final = 1
WHITE: Final = 2

MIN_SIZE: Final = 5
MAX_SIZE: Final = 20
DEFAULT_SIZE: Final = 15
WIN_LENGTH: Final = 5

DIRECTIONS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
"""The four line directions as (row step, column step), rows counted from the top."""


class Rule(StrEnum):
    """The rule sets that gomoku_lab names.

    ``freestyle``: five or more in an unbroken line win. ``standard``: exactly five wins, six or
    more does not. ``renju``: Black wins by exactly five and may not play on some points (see
    `game.renju`), White wins by five or more.
    """

    FREESTYLE = "freestyle"
    STANDARD = "standard"
    RENJU = "renju"

    @property
    def code(self) -> int:
        """Give the small integer by which the kernels know this rule."""
        return _CODES[self]

    @property
    def exact_five(self) -> bool:
        """Tell whether a line longer than five wins for nobody."""
        return self is Rule.STANDARD

    def is_exact(self, colour: int) -> bool:
        """Tell whether a line longer than five does not win for `colour`."""
        return self.exact_five or (self is Rule.RENJU and colour == BLACK)


_CODES: Final = {Rule.FREESTYLE: 0, Rule.STANDARD: 1, Rule.RENJU: 2}
FREE_RULES: Final = (Rule.FREESTYLE, Rule.STANDARD)
"""The rules under which every empty point may be played on."""


def parse_rule(text: str) -> Rule:
    """Return the rule named `text`; raise ValueError if there is none."""
    try:
        return Rule(text)
    except ValueError:
        raise ValueError(f"rule must be one of {', '.join(Rule)}: {text!r}") from None


def check_size(size: int) -> int:
    """Return `size` if a board may have it, else raise ValueError."""
    if not isinstance(size, int) or not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"size must be {MIN_SIZE}..{MAX_SIZE}: {size!r}")
    return size


def opponent(colour: int) -> int:
    """Return the other colour (BLACK <-> WHITE)."""
    return 3 - colour


def colour_name(colour: int) -> str:
    """Return 'black' or 'white'."""
    return "black" if colour == BLACK else "white"


def wins(run: int, rule: Rule, colour: int) -> bool:
    """Tell whether an unbroken, maximal run of `run` stones of `colour` wins under `rule`."""
    return run == WIN_LENGTH if rule.is_exact(colour) else run >= WIN_LENGTH
