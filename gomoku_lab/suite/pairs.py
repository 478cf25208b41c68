"""Pairs of positions, one of them proved better: a question to evaluations, not to players.

Black is to move in both. A pair file is TOML: `id`, `within`, `why`, and the two diagrams `better`
and `worse`. The proof is the rules' alone, by `forcing`.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gomoku_lab._data import data_path
from gomoku_lab.engine.settings import unknown_key_message
from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import parse_diagram
from gomoku_lab.game.rules import BLACK
from gomoku_lab.suite.forcing import fives_of, holding_moves, winning_moves

_KEYS: Final = ("id", "within", "why", "better", "worse")


@dataclass(frozen=True, slots=True)
class PositionPair:
    """Two positions, black to move in both.

    Attributes
    ----------
    id : str
        Unique name.
    better, worse : Board
        Black forces five in the one; in the other his opponent does, whatever he plays.
    within : int
        How many moves that takes the winner at most.
    why : str
        One line, in terms of the glossary.
    """

    id: str
    better: Board
    worse: Board
    within: int
    why: str


def load_pairs(folder: str | Path | None = None) -> list[PositionPair]:
    """Load all pair files of a folder, by default of the one that ships with the package.

    Raises
    ------
    ValueError
        If a file is no pair; the message names the file and the key.
    """
    place = data_path("positions", "pairs") if folder is None else Path(folder)
    return [_load(file) for file in sorted(place.glob("*.toml"))]


def prove_pair(pair: PositionPair) -> tuple[str, ...]:
    """Return what is wrong with the order that `pair` states; nothing if it is proved."""
    problems = []
    if not winning_moves(pair.better, pair.within):
        problems.append(f"black cannot force five within {pair.within} in the better position")
    own, _ = fives_of(pair.worse)
    if own or holding_moves(pair.worse, pair.within):
        problems.append(f"black can hold out beyond {pair.within} in the worse position")
    return tuple(problems)


def _load(file: Path) -> PositionPair:
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
        for key, value in values.items():
            if key not in _KEYS:
                raise ValueError(unknown_key_message(key, value, _KEYS))
        for key in _KEYS:
            if key not in values:
                raise ValueError(f"key {key!r} is missing")
        within = values["within"]
        if isinstance(within, bool) or not isinstance(within, int) or within < 1:
            raise ValueError(f"within must be a whole number, 1 or more: {within!r}")
        return PositionPair(
            id=str(values["id"]),
            better=parse_diagram(str(values["better"]), to_move=BLACK),
            worse=parse_diagram(str(values["worse"]), to_move=BLACK),
            within=within,
            why=str(values["why"]),
        )
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error
