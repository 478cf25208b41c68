"""The colours of data, in figures, pictures and pages alike. It draws nothing."""

from __future__ import annotations

from typing import Final

POINT_COLOUR: Final = "#2f8fd0"
"""A blue that stands out from white and from near black, for every kind of colour vision."""

LINE_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Colours that the colour-blind tell apart (M. Okabe, K. Ito, Color Universal Design, 2008)."""


def colour_of(number: int) -> str:
    """Return the colour of the `number`-th of several series."""
    return LINE_COLOURS[number % len(LINE_COLOURS)]
