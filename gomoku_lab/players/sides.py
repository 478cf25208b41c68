"""A position as the Gomocup protocol tells it: stones that are ours or the opponent's.

Colours come in only when a `Board` is made of it. Values: each change gives a new position.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gomoku_lab.game.board import Board
from gomoku_lab.game.formats.gomocup import OPPONENT, OWN, Point
from gomoku_lab.game.rules import BLACK, WHITE, Rule


@dataclass(frozen=True, slots=True)
class Sides:
    """Own and opponent's stones on a board; it is our move whenever somebody asks.

    Attributes
    ----------
    size : int
        Lines of the board.
    stones : tuple of (int, int)
        Flat move and field (`OWN` or `OPPONENT`) of each stone, in the order of play.
    """

    size: int
    stones: tuple[tuple[int, int], ...] = ()

    def laid(self, stones: Iterable[tuple[Point, int]]) -> Sides:
        """Return the position with more stones; raise ValueError where one cannot lie."""
        taken = {move for move, _ in self.stones}
        more = []
        for point, field in stones:
            move = point.move(self.size)
            if move in taken:
                raise ValueError(f"point {point} is occupied")
            taken.add(move)
            more.append((move, field))
        return Sides(self.size, (*self.stones, *more))

    def without(self, point: Point) -> Sides:
        """Return the position without the stone on `point`; raise ValueError if there is none."""
        move = point.move(self.size)
        left = tuple(stone for stone in self.stones if stone[0] != move)
        if len(left) == len(self.stones):
            raise ValueError(f"there is no stone on {point}")
        return Sides(self.size, left)

    def swapped(self) -> Sides:
        """Return the position in which the sides have changed hands."""
        return Sides(
            self.size, tuple((move, OWN + OPPONENT - field) for move, field in self.stones)
        )

    def points(self) -> tuple[Point, ...]:
        """Return the points of the stones, in the order of play."""
        return tuple(Point.of(move, self.size) for move, _ in self.stones)

    def board(self, rule: Rule) -> Board:
        """Return the position with colours, our side to move.

        Black is whoever has more stones, with equal numbers we. In renju, where colours differ,
        Black is whoever laid the first stone. The moves are known to the board if the sides laid
        stones in turn, the opponent last.

        Raises
        ------
        ValueError
            If the lab does not play `rule`, or both sides have five in a row.
        """
        fields = [field for _, field in self.stones]
        own_is_black = fields.count(OWN) >= fields.count(OPPONENT)
        if rule is Rule.RENJU and fields:
            own_is_black = fields[0] == OWN
        black, white = (OWN, OPPONENT) if own_is_black else (OPPONENT, OWN)
        colours = {black: BLACK, white: WHITE}
        cells = bytearray(self.size**2)
        for move, field in self.stones:
            cells[move] = colours[field]
        in_turn = all(
            field == (OWN if at % 2 else OPPONENT) for at, field in enumerate(reversed(fields))
        )
        moves = tuple(move for move, _ in self.stones) if in_turn else ()
        return Board(self.size, rule, bytes(cells), colours[OWN], moves)
