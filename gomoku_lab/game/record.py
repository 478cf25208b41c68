"""The record of one game as plain data, to and from JSON-ready dictionaries.

A game may have been played elsewhere: what its source does not say is unknown, never made up.
Records are written and read by the run folder and the formats; nothing here touches files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from gomoku_lab.game.board import Board
from gomoku_lab.game.glossary import ending_names
from gomoku_lab.game.notation import parse_moves
from gomoku_lab.game.rules import (
    BLACK,
    EMPTY,
    WHITE,
    WIN_LENGTH,
    Rule,
    check_size,
    colour_name,
    opponent,
    parse_rule,
)

SCHEMA_VERSION: Final = 1
UNKNOWN: Final = "unknown"
RESULTS: Final = ("black", "white", "draw", UNKNOWN)
FORFEITS: Final = ("illegal move", "time", "crash")
REASONS: Final = ending_names()
_ON_THE_BOARD: Final = ("five", "full board")


@dataclass(frozen=True, slots=True)
class PlayerRef:
    """Who played: the name that tables print and the hash of its whole configuration.

    The hash is "" where the configuration is not known, as with somebody else's program.
    """

    name: str
    config_hash: str


UNKNOWN_PLAYER: Final = PlayerRef("?", "")
"""A player whom the source of a game does not name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """Where a game began, unless with Black on an empty board.

    Attributes
    ----------
    black, white : str
        Stones that stood on the board before the first move, as move strings.
    to_move : str
        Who played the first move, ``black`` or ``white``.
    """

    black: str = ""
    white: str = ""
    to_move: str

    def __post_init__(self) -> None:
        if self.to_move not in _COLOURS:
            raise ValueError(f"setup: to_move must be black or white: {self.to_move!r}")


_COLOURS: Final = {"black": BLACK, "white": WHITE}
Stones = tuple[frozenset[int], frozenset[int]]
"""Where Black's and White's stones stand, as flat indices."""
_EMPTY: Final = Setup(to_move="black")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GameRecord:
    """One game.

    Attributes
    ----------
    id, pair : str
        The game, and the colour-swapped pair to which it belongs, "" if to none.
    opening : str
        Name of the opening, "" if it has none; its first `opening_moves` moves were not chosen by
        the players.
    black, white : PlayerRef
        The players.
    rule, size
        As for `Board`; the rule may also be one that is not played here.
    moves : str
        All legal moves as one string, the opening included. A move that lost by forfeit is not
        among them; `detail` tells what it was.
    result : str
        ``black``, ``white``, ``draw``, or ``unknown``, which is no finished game.
    reason : str
        One of `REASONS`; `detail` says more in free text, above all why a game was forfeited.
    nodes, depth, score, time_ms : tuples
        One entry for each move after the opening: search nodes, completed depth in plies, exact
        score from the mover's side, and measured time in milliseconds; None where not known.
    seed : int or None
        Seed of every random draw of the game; None if not known.
    reproducible : bool
        Whether it is known that no clock could have influenced the game.
    setup : Setup or None
        Stones that stood before the first move; None for a game from the empty board.
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
    nodes: tuple[int | None, ...] = ()
    depth: tuple[int | None, ...] = ()
    score: tuple[int | None, ...] = ()
    time_ms: tuple[float | None, ...] = ()
    seed: int | None
    reproducible: bool
    setup: Setup | None = None

    def __post_init__(self) -> None:
        check_size(self.size)
        object.__setattr__(self, "rule", parse_rule(self.rule))
        if self.setup == _EMPTY:
            object.__setattr__(self, "setup", None)
        for key, value, allowed in (
            ("result", self.result, RESULTS),
            ("reason", self.reason, REASONS),
        ):
            if value not in allowed:
                raise ValueError(f"game {self.id}: {key} must be one of {allowed}: {value!r}")
        if self.result == UNKNOWN and self.reason != UNKNOWN:
            raise ValueError(
                f"game {self.id}: reason must be {UNKNOWN!r} where the result is: {self.reason!r}"
            )
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

    def __repr__(self) -> str:
        from gomoku_lab.game.replay import game_title  # late: it draws records

        return f"<GameRecord {self.id}: {game_title(self)}>"

    def __str__(self) -> str:
        from gomoku_lab.game.diagrams import diagram
        from gomoku_lab.game.replay import game_title

        return f"{game_title(self)}\n{diagram(self.final_board())}"

    def _repr_html_(self) -> str:
        from gomoku_lab.game.replay import alone_html

        return alone_html(self)

    @property
    def plies(self) -> int:
        """Count all moves, the opening included but not the stones of a setup."""
        return len(parse_moves(self.moves, self.size))

    @property
    def is_forfeit(self) -> bool:
        """Tell whether the loser broke the rules, ran out of time or crashed."""
        return self.reason in FORFEITS

    def opening_stones(self) -> Stones:
        """Return the stones that the players did not choose: set up, or moves of the opening."""
        moves = parse_moves(self.moves, self.size)[: self.opening_moves]
        own, other = moves[::2], moves[1::2]
        if self.setup is None:
            return frozenset(own), frozenset(other)
        black, white = (own, other) if self.setup.to_move == "black" else (other, own)
        before = (parse_moves(stones, self.size) for stones in (self.setup.black, self.setup.white))
        return frozenset((*black, *next(before))), frozenset((*white, *next(before)))

    def start(self) -> Board:
        """Return the position before the first move."""
        return self._start(self.rule)

    def board(self) -> Board:
        """Return the final position by playing the moves; ValueError if one is illegal."""
        return self.boards()[-1]

    def boards(self) -> list[Board]:
        """Return all positions from the first to the final one; ValueError as in `board`."""
        boards = [self.start()]
        for move in parse_moves(self.moves, self.size):
            boards.append(boards[-1].play(move))
        return boards

    def final_board(self) -> Board:
        """Return the final position, also of a renju game in which Black played a forbidden move.

        Such games are imported: elsewhere it is the opponent who has to point it out.
        """
        start, moves = self.start(), parse_moves(self.moves, self.size)
        cells, colour = bytearray(start.cells), start.to_move
        for move in moves:
            cells[move] = colour
            colour = opponent(colour)
        return Board(self.size, self.rule, bytes(cells), colour, moves)

    def check_outcome(self) -> None:
        """Raise ValueError unless the moves can be played and end as result and reason say."""
        ending = self.ending()
        if ending is None:
            if self.reason in _ON_THE_BOARD:
                raise ValueError(
                    f"game {self.id}: ended by {self.reason!r}, but its moves leave it unfinished"
                )
        elif (self.result, self.reason) != ending:
            raise ValueError(
                f"game {self.id}: result and reason must be {ending}, by its moves: "
                f"{(self.result, self.reason)}"
            )

    def ending(self) -> tuple[str, str] | None:
        """Return result and reason by the moves alone, None if these leave the game unfinished.

        Raises
        ------
        ValueError
            If the moves cannot be played.
        """
        winner, is_full = self._end_of_moves()
        if winner != EMPTY:
            return colour_name(winner), "five"
        return ("draw", "full board") if is_full else None

    def _end_of_moves(self) -> tuple[int, bool]:
        """Return who has won after the moves, 0 for nobody, and whether the board is full.

        A board decides; where no five or longer line stands, none has to be built, which is much
        faster.
        """
        moves = parse_moves(self.moves, self.size)
        if self.setup is None:
            is_full = len(moves) == self.size**2
            clean = len(set(moves)) == len(moves) and not _has_line(moves[:-1], self.size)
            if clean and not _has_line(moves, self.size):
                return EMPTY, is_full
            if clean and self.rule is Rule.FREESTYLE:
                return 2 - len(moves) % 2, is_full
        if self.rule is Rule.RENJU:
            return self._end_of_renju(moves)
        board = self.board()
        return board.winner, board.is_full

    def _end_of_renju(self, moves: Sequence[int]) -> tuple[int, bool]:
        """Do the same for renju, whose forbidden moves are not judged here.

        Five stones win; more win for White and mean nothing for Black, as under the standard rule.
        """
        board, winner = self._start(Rule.STANDARD), EMPTY
        for move in moves:
            if winner != EMPTY:
                raise ValueError(f"the game is over: {colour_name(winner)} has won")
            board = board.play(move)
            overline = any(len(line) > WIN_LENGTH for line in board.lines_through(move))
            winner = WHITE if overline and board.cells[move] == WHITE else board.winner
        return winner, board.is_full

    def _start(self, rule: Rule) -> Board:
        if self.setup is None:
            return Board(size=self.size, rule=rule)
        return Board.from_stones(
            parse_moves(self.setup.black, self.size),
            parse_moves(self.setup.white, self.size),
            size=self.size,
            rule=rule,
            to_move=_COLOURS[self.setup.to_move],
            balanced=False,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form: schema version first, then the attributes in order."""
        values = asdict(self)
        if self.setup is None:  # so that games from the empty board look as they always did
            del values["setup"]
        lists = {key: list(value) for key, value in values.items() if isinstance(value, tuple)}
        return {"schema": SCHEMA_VERSION, **values, **lists, "rule": str(self.rule)}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> GameRecord:
        """Return the record that `to_dict` wrote; ValueError if keys or values do not fit."""
        where = f"game {values.get('id', '?')}"
        if values.get("schema") != SCHEMA_VERSION:
            raise ValueError(f"{where}: schema must be {SCHEMA_VERSION}: {values.get('schema')!r}")
        given = {key: value for key, value in values.items() if key != "schema"}
        known = {field.name for field in fields(cls)}
        missing, unknown = known - set(given) - {"setup"}, set(given) - known
        if missing or unknown:
            raise ValueError(
                f"{where}: missing keys {sorted(missing)}, unknown keys {sorted(unknown)}"
            )
        for key in ("black", "white"):
            player = given[key]
            if not isinstance(player, dict) or set(player) != {"name", "config_hash"}:
                raise ValueError(f"{where}: {key} must hold name and config_hash: {player!r}")
            given[key] = PlayerRef(**player)
        setup = given.get("setup")
        if setup is not None:
            if not isinstance(setup, dict) or set(setup) != {"black", "white", "to_move"}:
                raise ValueError(f"{where}: setup must hold black, white and to_move: {setup!r}")
            given["setup"] = Setup(**setup)
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
