"""The board as an immutable value: stones, whose turn it is, and whether somebody has won."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import index

import numpy as np
import numpy.typing as npt

from gomoku_lab.game.display import board_svg
from gomoku_lab.game.notation import move_name, move_string, parse_moves
from gomoku_lab.game.renju import Prohibition, prohibition, prohibitions
from gomoku_lab.game.rules import (
    BLACK,
    DEFAULT_SIZE,
    DIRECTIONS,
    EMPTY,
    WHITE,
    Rule,
    check_size,
    colour_name,
    opponent,
    parse_rule,
    wins,
)


@dataclass(frozen=True, slots=True, repr=False)
class Board:
    """A position of Gomoku. Boards are values: `play` and `undo` return new ones.

    Attributes
    ----------
    size : int
        Lines a side, 5..20.
    rule : Rule
        The rule that decides what wins.
    cells : bytes
        ``size * size`` bytes, row 0 (the top line) first; 0 empty, 1 black, 2 white.
    to_move : int
        BLACK (1) or WHITE (2); also set on a finished board.
    moves : tuple of int
        The moves played since the empty or set-up board, as flat indices, newest last.
    winner : int
        BLACK or WHITE when five in a row stands on the board, else 0; always computed.
    """

    size: int = DEFAULT_SIZE
    rule: Rule = Rule.FREESTYLE
    cells: bytes = b""
    to_move: int = BLACK
    moves: tuple[int, ...] = ()
    winner: int = field(default=EMPTY, init=False)

    def __post_init__(self) -> None:
        points = check_size(self.size) ** 2
        object.__setattr__(self, "rule", parse_rule(self.rule))
        object.__setattr__(self, "cells", bytes(self.cells or points))
        if len(self.cells) != points or max(self.cells) > WHITE:
            raise ValueError(f"cells must be {points} bytes of 0, 1 or 2: {self.cells!r}")
        if self.to_move not in (BLACK, WHITE):
            raise ValueError(f"to_move must be 1 (black) or 2 (white): {self.to_move!r}")
        colour = opponent(self.to_move)
        for move in reversed(self.moves):
            if not 0 <= move < points or self.cells[move] != colour:
                raise ValueError(f"moves do not fit the stones: {self.moves!r}")
            colour = opponent(colour)
        object.__setattr__(self, "winner", self.scan_winner())

    @classmethod
    def from_moves(
        cls,
        moves: str | Iterable[int],
        *,
        size: int = DEFAULT_SIZE,
        rule: Rule | str = Rule.FREESTYLE,
    ) -> Board:
        """Return the board after `moves` (a move string or flat indices), black first."""
        board = cls(size=size, rule=parse_rule(rule))
        for move in parse_moves(moves, size) if isinstance(moves, str) else moves:
            board = board.play(move)
        return board

    @classmethod
    def from_stones(
        cls,
        black: Iterable[int],
        white: Iterable[int],
        *,
        size: int = DEFAULT_SIZE,
        rule: Rule | str = Rule.FREESTYLE,
        to_move: int | None = None,
        balanced: bool = True,
    ) -> Board:
        """Return a set-up position.

        Parameters
        ----------
        black, white : iterable of int
            Flat indices of the stones.
        to_move : int, optional
            BLACK or WHITE; by default WHITE exactly if black has more stones.
        balanced : bool
            Demand that black has as many stones as white, or one more, and that `to_move` agrees.

        Raises
        ------
        ValueError
            If a stone is off the board or on another stone, the counts are unbalanced, or both
            colours have five in a row.
        """
        cells = bytearray(check_size(size) ** 2)
        for colour, stones in ((BLACK, black), (WHITE, white)):
            for stone in stones:
                name = move_name(stone, size)
                if cells[stone] != EMPTY:
                    raise ValueError(f"two stones on {name}")
                cells[stone] = colour
        surplus = cells.count(BLACK) - cells.count(WHITE)
        natural = WHITE if surplus > 0 else BLACK
        board = cls(size, parse_rule(rule), bytes(cells), natural if to_move is None else to_move)
        if balanced and (surplus not in (0, 1) or board.to_move != natural):
            raise ValueError(
                f"unbalanced stones: black {cells.count(BLACK)}, white {cells.count(WHITE)}, "
                f"{colour_name(board.to_move)} to move; black must have as many stones as white "
                "(black to move) or one more (white to move)"
            )
        return board

    @property
    def stones(self) -> int:
        """Count the stones on the board."""
        return len(self.cells) - self.cells.count(EMPTY)

    @property
    def is_full(self) -> bool:
        """Tell whether no point is empty."""
        return EMPTY not in self.cells

    @property
    def is_over(self) -> bool:
        """Tell whether the game has ended, by five in a row or a full board."""
        return self.winner != EMPTY or self.is_full

    @property
    def is_draw(self) -> bool:
        """Tell whether the board is full and nobody has won."""
        return self.winner == EMPTY and self.is_full

    @property
    def last_move(self) -> int | None:
        """Give the newest move as a flat index, or None on a set-up or empty board."""
        return self.moves[-1] if self.moves else None

    def at(self, row: int, col: int) -> int:
        """Return the cell at `row` (from the top) and `col`: 0, 1 or 2."""
        if not (0 <= row < self.size and 0 <= col < self.size):
            raise ValueError(f"row and col must be 0..{self.size - 1}: {(row, col)!r}")
        return self.cells[row * self.size + col]

    def to_array(self) -> npt.NDArray[np.uint8]:
        """Return the cells as uint8[size, size], row 0 at the top; 0 empty, 1 black, 2 white."""
        return np.frombuffer(self.cells, dtype=np.uint8).reshape(self.size, self.size).copy()

    def relative_array(self) -> npt.NDArray[np.uint8]:
        """Return the cells as the side to move sees them: 0 empty, 1 own, 2 opponent."""
        array = self.to_array()
        return array if self.to_move == BLACK else np.array([0, 2, 1], np.uint8)[array]

    def empty_points(self) -> tuple[int, ...]:
        """Return the empty points in ascending order."""
        return tuple(i for i, cell in enumerate(self.cells) if cell == EMPTY)

    def points_near(self, distance: int) -> tuple[int, ...]:
        """Return the empty points at most `distance` lines from a stone, in ascending order."""
        size = self.size
        near: set[int] = set()
        for point, cell in enumerate(self.cells):
            if cell != EMPTY:
                row, col = divmod(point, size)
                for other in range(max(row - distance, 0), min(row + distance + 1, size)):
                    first = other * size
                    last = first + min(col + distance, size - 1)
                    near.update(range(first + max(col - distance, 0), last + 1))
        return tuple(point for point in self.empty_points() if point in near)

    def forbidden_points(self) -> dict[int, Prohibition]:
        """Return the empty points on which Black may not play, and why, whoever is to move."""
        return prohibitions(self.cells, self.size) if self.rule is Rule.RENJU else {}

    def legal_points(self) -> tuple[int, ...]:
        """Return the points on which the side to move may play, ascending; none if it is over.

        Under renju it may be that Black has none before the board is full: then he has lost, for
        there is no passing.
        """
        if self.is_over:
            return ()
        forbidden = self.forbidden_points() if self.to_move == BLACK else ()
        return tuple(move for move in self.empty_points() if move not in forbidden)

    def check_move(self, move: int) -> None:
        """Raise ValueError, saying why, if `move` may not be played here."""
        if self.is_over:
            how = f"{colour_name(self.winner)} has won" if self.winner else "the board is full"
            raise ValueError(f"the game is over: {how}")
        name = move_name(move, self.size)
        if self.cells[move] != EMPTY:
            raise ValueError(f"{name} is occupied by {colour_name(self.cells[move])}")
        if self.rule is Rule.RENJU and self.to_move == BLACK:
            why = prohibition(self.cells, self.size, move)
            if why is not None:
                raise ValueError(f"{name} is forbidden for black: {why}")

    def play(self, move: int) -> Board:
        """Return the board after the side to move plays `move`.

        Raises
        ------
        ValueError
            If the point is off the board, occupied or forbidden, or the game is over.
        """
        move = index(move)  # NumPy's integers become int: they would not go into JSON
        self.check_move(move)
        cells = bytearray(self.cells)
        cells[move] = self.to_move
        after = self._after(bytes(cells), (*self.moves, move))
        if any(wins(len(line), self.rule, self.to_move) for line in after.lines_through(move)):
            object.__setattr__(after, "winner", self.to_move)
        return after

    def undo(self) -> Board:
        """Return the board before its last move."""
        if not self.moves:
            raise ValueError("there is no move to take back")
        cells = bytearray(self.cells)
        cells[self.moves[-1]] = EMPTY
        return self._after(bytes(cells), self.moves[:-1])

    def _after(self, cells: bytes, moves: tuple[int, ...]) -> Board:
        """Return a board with the other side to move and no winner, unchecked, hence fast."""
        board = object.__new__(Board)
        for name, value in (
            ("size", self.size),
            ("rule", self.rule),
            ("cells", cells),
            ("to_move", opponent(self.to_move)),
            ("moves", moves),
            ("winner", EMPTY),
        ):
            object.__setattr__(board, name, value)
        return board

    def lines_through(self, move: int) -> tuple[tuple[int, ...], ...]:
        """Return, for each of the four directions, the unbroken run of stones through `move`.

        Each run holds the points of the stone's own colour in line order, `move` included. Only
        these four lines are looked at.
        """
        colour = self.cells[move]
        if colour == EMPTY:
            raise ValueError(f"{move_name(move, self.size)} is empty")
        row, col = divmod(move, self.size)
        lines = []
        for d_row, d_col in DIRECTIONS:
            back = self._run(row, col, -d_row, -d_col, colour)
            ahead = self._run(row, col, d_row, d_col, colour)
            lines.append((*reversed(back), move, *ahead))
        return tuple(lines)

    def _run(self, row: int, col: int, d_row: int, d_col: int, colour: int) -> list[int]:
        size, cells, run = self.size, self.cells, []
        row, col = row + d_row, col + d_col
        while 0 <= row < size and 0 <= col < size and cells[row * size + col] == colour:
            run.append(row * size + col)
            row, col = row + d_row, col + d_col
        return run

    def winning_stones(self) -> tuple[int, ...]:
        """Return all stones of winning runs, ascending; empty if nobody has won."""
        found: set[int] = set()
        for move, cell in enumerate(self.cells):
            if cell != EMPTY:
                for line in self.lines_through(move):
                    if wins(len(line), self.rule, cell):
                        found.update(line)
        return tuple(sorted(found))

    def scan_winner(self) -> int:
        """Return the winner by a scan of the whole board: the slow reference for `winner`.

        A set-up board on which both colours have five is refused with ValueError.
        """
        colours = {self.cells[stone] for stone in self.winning_stones()}
        if len(colours) > 1:
            raise ValueError("both colours have five in a row")
        return colours.pop() if colours else EMPTY

    def move_string(self) -> str:
        """Return the moves played as one string, such as ``h8i9g7``."""
        return move_string(self.moves, self.size)

    def __str__(self) -> str:
        from gomoku_lab.game.diagrams import diagram  # late: diagrams builds boards

        return diagram(self)

    def __repr__(self) -> str:
        what = f"moves={self.move_string()!r}" if self.moves else f"stones={self.stones}"
        set_up = f", stones={self.stones}" if 0 < len(self.moves) < self.stones else ""
        return (
            f"<Board {self.size}x{self.size} {self.rule}, {what}{set_up}, "
            f"{colour_name(self.to_move)} to move>"
        )

    def _repr_svg_(self) -> str:
        return board_svg(self)

    def _repr_html_(self) -> str:
        return f"<div>{board_svg(self)}</div>"
