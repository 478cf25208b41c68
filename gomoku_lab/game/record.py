"""The record of one finished game as plain data, to and from JSON-ready dictionaries.

Records are written and read by the run folder; nothing here touches files or plays moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from gomoku_lab.game.board import Board
from gomoku_lab.game.glossary import ending_names
from gomoku_lab.game.notation import parse_moves
from gomoku_lab.game.rules import Rule, check_size, colour_name, parse_rule

SCHEMA_VERSION: Final = 1
RESULTS: Final = ("black", "white", "draw")
FORFEITS: Final = ("illegal move", "time", "crash")
REASONS: Final = ending_names()


@dataclass(frozen=True, slots=True)
class PlayerRef:
    """Who played: the name that tables print and the hash of its whole configuration."""

    name: str
    config_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """One finished game.

    Attributes
    ----------
    id, pair : str
        The game, and the colour-swapped pair to which it belongs.
    opening : str
        Name of the opening; its first `opening_moves` moves were not chosen by the players.
    black, white : PlayerRef
        The players.
    rule, size
        As for `Board`.
    moves : str
        All legal moves as one string, the opening included. A move that lost by forfeit is not
        among them; `detail` tells what it was.
    result : str
        ``black``, ``white`` or ``draw``.
    reason : str
        One of `REASONS`; `detail` says more in free text, above all why a game was forfeited.
    nodes, depth, score, time_ms : tuples
        One entry for each move after the opening: search nodes, completed depth in plies, exact
        score from the mover's side or None, and measured time in milliseconds.
    seed : int
        Seed of every random draw of the game.
    reproducible : bool
        Whether no clock could have influenced the game.
    """

    id: str
    pair: str
    opening: str
    opening_moves: int
    black: PlayerRef
    white: PlayerRef
    rule: Rule
    size: int
    moves: str
    result: str
    reason: str
    detail: str = ""
    nodes: tuple[int, ...] = ()
    depth: tuple[int, ...] = ()
    score: tuple[int | None, ...] = ()
    time_ms: tuple[float, ...] = ()
    seed: int
    reproducible: bool

    def __post_init__(self) -> None:
        check_size(self.size)
        object.__setattr__(self, "rule", parse_rule(self.rule))
        for key, value, allowed in (
            ("result", self.result, RESULTS),
            ("reason", self.reason, REASONS),
        ):
            if value not in allowed:
                raise ValueError(f"game {self.id}: {key} must be one of {allowed}: {value!r}")
        chosen = self.plies - self.opening_moves
        if self.opening_moves < 0 or chosen < 0:
            raise ValueError(
                f"game {self.id}: opening_moves must be 0..{self.plies}: {self.opening_moves!r}"
            )
        for key in ("nodes", "depth", "score", "time_ms"):
            entries = tuple(getattr(self, key))
            object.__setattr__(self, key, entries)
            if len(entries) != chosen:
                raise ValueError(
                    f"game {self.id}: {key} must have one entry for each of the {chosen} moves "
                    f"after the opening: {len(entries)}"
                )

    @property
    def plies(self) -> int:
        """Count all moves, the opening included."""
        return len(parse_moves(self.moves, self.size))

    @property
    def is_forfeit(self) -> bool:
        """Tell whether the loser broke the rules, ran out of time or crashed."""
        return self.reason in FORFEITS

    def board(self) -> Board:
        """Return the final position by playing the moves; ValueError if one is illegal."""
        return Board.from_moves(self.moves, size=self.size, rule=self.rule)

    def check_outcome(self) -> None:
        """Raise ValueError unless the moves can be played and end as result and reason say."""
        winner, is_full = self._end_of_moves()
        if winner:
            ending = colour_name(winner), "five"
        elif is_full:
            ending = "draw", "full board"
        elif self.reason in ("five", "full board"):
            raise ValueError(
                f"game {self.id}: ended by {self.reason!r}, but its moves leave it unfinished"
            )
        else:
            return
        if (self.result, self.reason) != ending:
            raise ValueError(
                f"game {self.id}: result and reason must be {ending}, by its moves: "
                f"{(self.result, self.reason)}"
            )

    def _end_of_moves(self) -> tuple[int, bool]:
        """Return who has won after the moves, 0 for nobody, and whether the board is full.

        A board decides; where no five or longer line stands, none has to be built, which is much
        faster.
        """
        moves = parse_moves(self.moves, self.size)
        is_full = len(moves) == self.size**2
        clean = len(set(moves)) == len(moves) and not _has_line(moves[:-1], self.size)
        if clean and not _has_line(moves, self.size):
            return 0, is_full
        if clean and self.rule is Rule.FREESTYLE:
            return 2 - len(moves) % 2, is_full
        return Board.from_moves(moves, size=self.size, rule=self.rule).winner, is_full

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form: schema version first, then the attributes in order."""
        values = asdict(self)
        lists = {key: list(value) for key, value in values.items() if isinstance(value, tuple)}
        return {"schema": SCHEMA_VERSION, **values, **lists, "rule": str(self.rule)}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> GameRecord:
        """Return the record that `to_dict` wrote; ValueError if keys or values do not fit."""
        where = f"game {values.get('id', '?')}"
        if values.get("schema") != SCHEMA_VERSION:
            raise ValueError(f"{where}: schema must be {SCHEMA_VERSION}: {values.get('schema')!r}")
        expected = {field.name for field in fields(cls)}
        found = set(values) - {"schema"}
        if found != expected:
            raise ValueError(
                f"{where}: missing keys {sorted(expected - found)}, "
                f"unknown keys {sorted(found - expected)}"
            )
        given = {key: values[key] for key in expected}
        for key in ("black", "white"):
            player = given[key]
            if not isinstance(player, dict) or set(player) != {"name", "config_hash"}:
                raise ValueError(f"{where}: {key} must hold name and config_hash: {player!r}")
            given[key] = PlayerRef(**player)
        return cls(**given)


def _has_line(moves: Sequence[int], size: int) -> bool:
    """Tell whether five or more stones of one colour stand in a row."""
    # One bit a point, with an empty column between the lines, so that no row runs into the next.
    for own in (moves[::2], moves[1::2]):
        stones = sum(1 << (move + move // size) for move in own)
        for step in (1, size, size + 1, size + 2):
            pairs = stones & (stones >> step)
            if pairs & (pairs >> 2 * step) & (stones >> 4 * step):
                return True
    return False
