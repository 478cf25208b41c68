"""Reading lists of numbers that were typed on the command line, such as ``13,37,50,25,3``."""

from __future__ import annotations

import re

_LARGEST = 10**12


def parse_counts(text: str) -> list[int]:
    """Return the counts in `text`, separated by commas.

    Raises
    ------
    ValueError
        If there are not three or five of them, or one is not a whole number from 0 up.
    """
    words = [word.strip() for word in text.split(",")]
    if len(words) not in (3, 5):
        raise ValueError(
            "COUNTS must be three numbers (losses,draws,wins) or five (pairs LL,LD,WL+DD,WD,WW) "
            f"separated by commas: {text!r}"
        )
    for position, word in enumerate(words, start=1):
        if re.fullmatch(r"[0-9]{1,13}", word) is None or int(word) > _LARGEST:
            raise ValueError(
                f"COUNTS must be whole numbers from 0 to {_LARGEST}: "
                f"number {position} is {word!r} in {text!r}"
            )
    counts = [int(word) for word in words]
    if not any(counts):
        raise ValueError(f"COUNTS must hold at least one game: {text!r}")
    return counts


def parse_bounds(text: str, *, option: str = "--bounds") -> tuple[float, float]:
    """Return the two Elo values in `text`, the value of `option`, separated by a comma."""
    words = text.split(",")
    try:
        low, high = (float(word) for word in words)
    except ValueError:
        raise ValueError(f"{option} must be two numbers such as 0,4: {text!r}") from None
    return low, high
