"""The words of the lab: shapes, gates, kinds of positions, endings of games, labels of traces.

Suite themes, the reasons given with positions, traces and reports use these names and no others.
It is a word list; what a shape is on a board is decided by the kernels and the proofs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Term:
    """One name, what it means, and other names for it that the lab does not use.

    Attributes
    ----------
    name : str
        The name, lower case.
    meaning : str
        One line.
    also : tuple of str
        Names for the same thing that readers may know from elsewhere.
    """

    name: str
    meaning: str
    also: tuple[str, ...] = ()


SHAPES: Final = (
    Term("five", "five stones in an unbroken line: the win (freestyle: five or more)"),
    Term(
        "overline",
        "six or more stones in an unbroken line: a win in freestyle, and for White in renju",
    ),
    Term("five point", "an empty point where a stone completes a five", ("winning square",)),
    Term("four", "a line in which one more stone completes a five"),
    Term(
        "open four",
        "a four with two five points in one line: one stone cannot block it",
        ("straight four", "live four", "free four"),
    ),
    Term(
        "closed four",
        "a four with exactly one five point",
        ("half-open four", "rush four", "simple four", "dead four"),
    ),
    Term("double four", "two fours made by one stone", ("four-four", "4x4", "4-4")),
    Term("four-three", "a four and an open three made by one stone", ("4x3", "4-3")),
    Term(
        "open three",
        "a line in which one more stone makes an open four",
        ("live three", "free three", "straight three"),
    ),
    Term(
        "three",
        "a line in which one more stone makes a four, but no open four",
        ("sleeping three", "dead three", "half-open three", "closed three"),
    ),
    Term("double three", "two open threes made by one stone", ("three-three", "3x3", "3-3")),
    Term("open two", "a line in which one more stone makes an open three", ("live two",)),
    Term("two", "a line in which one more stone makes a three", ("sleeping two",)),
    Term("one", "a stone on a line that still has room for five"),
    Term("gap", "an empty point between the stones of a shape", ("split", "broken")),
    Term("block", "a stone on the opponent's five point"),
    Term("edge", "the end of the board: it blocks a line as an opponent's stone does"),
    Term("vcf", "victory by continuous fours: every attacking move makes a four"),
    Term(
        "vct", "victory by continuous threats: every attacking move makes a four or an open three"
    ),
    Term(
        "forbidden point",
        "renju: where Black may not play, since he would make an overline, a double four or a "
        "double three, and no five",
        ("foul", "kinjite"),
    ),
    Term(
        "false three",
        "renju: an open three that Black cannot turn into an open four, since the points for it "
        "are forbidden to him; it makes no double three",
    ),
    Term("draw", "a full board without a five"),
)
"""Shapes on the board and words for what stones do to each other."""

GATES: Final = (
    Term("five", "the side to move completes five"),
    Term("block", "the opponent would complete five: his five point is taken"),
    Term("open-four", "the side to move makes an open four"),
    Term("break-open-four", "the opponent could make an open four: a move after which he cannot"),
    Term("vcf", "a chain of fours wins"),
    Term("vct", "threats win, whatever the defence: proved against every reply"),
    Term("search", "alpha-beta decided"),
    Term("one-ply", "the scores of the candidates decided, without a search"),
    Term("random", "a draw decided: noise, a pool of candidates, or a miss"),
    Term("over", "the game has ended, or renju leaves Black no point to play on: no move"),
)
"""What may decide a move, in the order in which it is looked at."""

KINDS: Final = (
    Term("must-win", "a five point of one's own: take it"),
    Term("must-block", "the opponent has one five point: block it"),
    Term("open-four", "an open four or a double four wins with the next move but one"),
    Term(
        "break-open-four",
        "the opponent threatens an open four or a double four: take it from him; right are all "
        "moves after which he cannot force five within his next 2 moves, which says nothing about "
        "later ones",
    ),
    Term(
        "break-vcf",
        "the opponent threatens a chain of fours: right are all moves after which no chain of his "
        "wins, and fours of one's own if a right move is left after the answer",
    ),
    Term("draw-board", "the board is full and nobody has five: there is no move"),
    Term("four-three", "a four that leaves an open three wins in three moves"),
    Term("double-three", "two open threes at once win in three moves"),
    Term("vcf", "a chain of fours wins"),
    Term("vct", "a chain of fours and open threes wins"),
    Term("no-vcf", "the chain of fours that seems to win does not"),
    Term(
        "forbidden",
        "renju: what is forbidden for Black decides, be it that the move that seems best is, that "
        "the best move only seems to be, or that White wins by it",
    ),
    Term("exact-five", "standard rule: an overline wins nothing, so freestyle's answer is wrong"),
    Term(
        "quiet-block",
        "a quiet defence against a win in three, where extending one's own line loses; right are "
        "all moves after which the opponent cannot force five within his next 3 moves, which says "
        "nothing about later ones",
    ),
)
"""The kinds of tactical positions; a kind is a theme of the suite."""


ENDINGS: Final = (
    Term("five", "somebody completed five"),
    Term("full board", "no point is left and nobody has five: a draw"),
    Term("adjudicated", "the scores or the length of the game decided before the end"),
    Term("illegal move", "forfeit: the move was not a free point of the board, or a forbidden one"),
    Term("time", "forfeit: the answer came too late"),
    Term("crash", "forfeit: the player stopped working"),
    Term("resigned", "a player gave the game up"),
    Term("unknown", "whoever wrote the game down does not say why it ended, or whether it did"),
)
"""Why a game ended, in records and reports."""

TRACE: Final = (
    Term("position", "the board that was analysed: size, rule, stones, side to move"),
    Term("result", "how the game ended, where it has"),
    Term("decided by", "the gate that decided"),
    Term("move", "the move to play, or the one that a row is about"),
    Term("score", "an exact value, seen from the side to move"),
    Term("bound", "the value is at most, or at least, this: never a score"),
    Term("outcome", "a win or a loss in so many plies, and whether it is proven"),
    Term("line", "the best moves of both sides in turn (the principal variation)"),
    Term("spent", "nodes and time"),
    Term("layers", "the completed searches, each a ply deeper than the one before"),
    Term("depth", "how many plies were searched, the root move included"),
    Term("nodes", "positions that were searched"),
    Term("ms", "milliseconds"),
    Term("nodes/s", "nodes in a second"),
    Term("move?", "whether the best move changed since the layer before"),
    Term("root candidates", "moves of the side to move that were compared"),
)
"""What stands beside the numbers of a trace."""

PARTS: Final = (SHAPES, GATES, KINDS, ENDINGS, TRACE)
"""The whole glossary."""


def ending_names() -> tuple[str, ...]:
    """Return the names of all endings of a game."""
    return tuple(term.name for term in ENDINGS)


def kind_names() -> tuple[str, ...]:
    """Return the names of all kinds of positions."""
    return tuple(term.name for term in KINDS)


def gate_names() -> tuple[str, ...]:
    """Return the names of all gates."""
    return tuple(term.name for term in GATES)


def kind_meaning(kind: str) -> str:
    """Return the one-line meaning of the kind named `kind`."""
    return _meaning("kind", kind, KINDS)


def gate_meaning(gate: str) -> str:
    """Return the one-line meaning of the gate named `gate`."""
    return _meaning("gate", gate, GATES)


def _meaning(what: str, name: str, terms: tuple[Term, ...]) -> str:
    for term in terms:
        if term.name == name:
            return term.meaning
    raise ValueError(f"{what} must be one of {', '.join(term.name for term in terms)}: {name!r}")
