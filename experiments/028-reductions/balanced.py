"""Write the openings that lab/max takes for balanced, one a line, to standard output.

Of the set that the first argument names, or of the first 900 of the book.
"""

import sys

from gomoku_lab.arena.openings import load_openings
from gomoku_lab.engine.engine import Engine
from gomoku_lab.players.registry import resolve

FIRST, BALANCE = 900, 350
"""Openings of the book that are looked at, and evaluation units to each side."""


def main() -> None:
    """Print the openings."""
    engine = Engine(resolve("lab/max:time_ms=0,nodes=300000").config)
    openings = load_openings(sys.argv[1]) if sys.argv[1:] else load_openings("book")[:FIRST]
    for opening in openings:
        score = engine.analyse(opening.board()).score
        if score is not None and abs(score) < BALANCE:
            print(opening.move_string())


if __name__ == "__main__":
    main()
