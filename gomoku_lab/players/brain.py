"""A player of the lab as a Gomocup program: lines of a manager in, lines of a brain out.

It holds the dialogue and one game. Streams and threads are in `players.serve`, the grammar in
`game.formats.gomocup`, limits in `players.allowance`, and the player behind it in
`players.thinker`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from gomoku_lab import __version__
from gomoku_lab.engine.analysis import Analysis
from gomoku_lab.engine.config import SearchLimits
from gomoku_lab.game.board import Board
from gomoku_lab.game.formats.gomocup import (
    MARKED,
    OPPONENT,
    OWN,
    About,
    Command,
    Point,
    parse_command,
    parse_info,
    parse_number,
    parse_point,
    parse_rectangle,
    parse_stone,
    quoted,
    rule_codes,
    rule_of,
)
from gomoku_lab.game.rules import Rule, check_size
from gomoku_lab.players.allowance import Allowance
from gomoku_lab.players.protocol import Choice
from gomoku_lab.players.sides import Sides
from gomoku_lab.players.spec import PlayerSpec
from gomoku_lab.players.swap2 import balanced_opening, takes_black
from gomoku_lab.players.thinker import Thinker, thought

GOMOCUP: Final = "gomocup"
YIXIN: Final = "yixin"
DIALECTS: Final = (GOMOCUP, YIXIN)

_SIDES_MS = 10.0
"""Choosing a side takes at least so long, or there would be no two layers to compare."""
_SWAP2_STONES = (0, 3, 5)
_LONGEST_LINE = 400
_NANOSECONDS_PER_MS = 1_000_000


class Brain:
    """One program in conversation with one manager. A refused command changes nothing.

    Parameters
    ----------
    spec : PlayerSpec
        Who plays; it is made when the first game starts.
    write : callable
        Takes one line of output, without its end.
    dialect : str
        ``gomocup``, or ``yixin`` for that protocol's additions as well.
    seed : int, optional
        Root of every random draw; by default a fresh one.

    Attributes
    ----------
    thinker : Thinker
        The player at work.
    """

    def __init__(
        self,
        spec: PlayerSpec,
        write: Callable[[str], None],
        *,
        dialect: str = GOMOCUP,
        seed: int | None = None,
    ) -> None:
        self.yixin = dialect == YIXIN
        self._write = write
        self._seeds = np.random.SeedSequence(seed)
        self._rng = np.random.default_rng(0)
        self._allowance = Allowance(yixin=self.yixin)
        self.thinker = Thinker(spec, self._allowance)
        self._game: Sides | None = None
        self._rule: Rule | str = Rule.FREESTYLE  # a text says why it is not supported
        self._block: tuple[str, list[str]] | None = None
        self._notes: list[str] = []
        self._arrived_ns = 0
        self._actions = self._table()

    def handle(self, line: str, arrived_ns: int | None = None) -> bool:
        """Answer one line of the manager; tell whether the conversation goes on.

        Parameters
        ----------
        line : str
        arrived_ns : int, optional
            The monotonic clock when the line came, from which the time of a move counts; by
            default now.
        """
        self._arrived_ns = time.monotonic_ns() if arrived_ns is None else arrived_ns
        command = parse_command(line)
        if command is None or self._is_for_block(command, line):
            return True
        if command.word == "END":
            return False
        self._do(self._actions.get(command.word, self._unknown), command)
        return True

    def close(self) -> None:
        """Give back the player."""
        self.thinker.close()

    def _do(self, action: Callable[[Command], None], command: Command) -> None:
        """Act on a command; what is wrong with it is the answer."""
        try:
            action(command)
        except ValueError as error:
            self._say(f"ERROR {error}")
        finally:
            self.thinker.rest()

    def _table(self) -> dict[str, Callable[[Command], None]]:
        """Return what does each command."""
        actions: dict[str, Callable[[Command], None]] = {
            "START": self._start,
            "RECTSTART": self._rectstart,
            "RESTART": self._restart,
            "BEGIN": self._begin,
            "TURN": self._turn,
            "PLAY": self._play,
            "TAKEBACK": self._takeback,
            "BOARD": self._open_block,
            "SWAP2BOARD": self._open_block,
            "INFO": self._info,
            "ABOUT": self._about,
        }
        if self.yixin:
            actions["YXBOARD"] = self._open_block
            actions["YXSHOWFORBID"] = self._show_forbidden
            actions["YXSTOP"] = self._nothing  # who reads the lines stops a running search
            actions["YXHASHCLEAR"] = self._forget
        return actions

    def _say(self, answer: str) -> None:
        """Answer; what was noted since the last answer goes before it."""
        for text in (*(f"MESSAGE {note}" for note in self._notes), answer):
            self._write(_one_line(text))
        self._notes.clear()

    # ---- games -----------------------------------------------------------------------------------

    def _start(self, command: Command) -> None:
        words = command.rest.split()
        if self.yixin and len(words) == 2:
            self._new_game(*map(parse_number, words))
        else:
            size = parse_number(command.rest)
            self._new_game(size, size)

    def _rectstart(self, command: Command) -> None:
        self._new_game(*parse_rectangle(command.rest))

    def _restart(self, _: Command) -> None:
        size = self._running().size
        self._new_game(size, size)

    def _new_game(self, width: int, height: int) -> None:
        if width != height:
            raise ValueError(f"only square boards are supported: {width}x{height}")
        size = check_size(width)
        # Moves and proposed openings are drawn independently of each other.
        moves, openings = self._seeds.spawn(2)
        self.thinker.new_game(moves, tell=lambda text: self._write(_one_line(f"MESSAGE {text}")))
        self._rng = np.random.default_rng(openings)
        self._game = Sides(size)
        self._allowance.new_game()
        self._allowance.spend(self._elapsed_ms())
        self._say("OK")

    def _running(self) -> Sides:
        """Return the position; raise ValueError before the first START."""
        if self._game is None:
            raise ValueError("no board yet: START with a size from 5 to 20 comes first")
        return self._game

    # ---- moves -----------------------------------------------------------------------------------

    def _begin(self, _: Command) -> None:
        game = self._running()
        if game.stones:
            raise ValueError(f"BEGIN wants an empty board: {len(game.stones)} stones on it")
        self._answer_with_move(game)

    def _turn(self, command: Command) -> None:
        self._answer_with_move(self._running().laid([(parse_point(command.rest), OPPONENT)]))

    def _play(self, command: Command) -> None:
        point = parse_point(command.rest)
        self._game = self._running().laid([(point, OWN)])
        self._say(str(point))

    def _takeback(self, command: Command) -> None:
        self._game = self._running().without(parse_point(command.rest))
        self._say("OK")

    def _answer_with_move(self, game: Sides) -> None:
        board = self._board(game)
        self._answer(game, board, self.thinker.choose(board, self._limits(board)))

    def _answer(self, game: Sides, board: Board, choice: Choice) -> None:
        """Answer with a move that has been chosen."""
        assert choice.move is not None
        point = Point.of(choice.move, game.size)
        self._game = game.laid([(point, OWN)])
        self._notes.append(thought(board, choice, self.thinker.analysis(board)))
        self._say(str(point))
        self._allowance.spend(self._elapsed_ms())

    def _board(self, game: Sides) -> Board:
        """Return the position with colours; raise ValueError if the rule is not supported."""
        if not isinstance(self._rule, Rule):
            raise ValueError(self._rule)
        return game.board(self._rule)

    def _limits(self, board: Board) -> SearchLimits | None:
        """Return the limits of the next move, after fitting the player into the memory."""
        self._notes += self.thinker.fit_memory()
        return self.thinker.limits(board, self._elapsed_ms())

    def _elapsed_ms(self) -> float:
        return (time.monotonic_ns() - self._arrived_ns) / _NANOSECONDS_PER_MS

    # ---- blocks of lines -------------------------------------------------------------------------

    def _open_block(self, command: Command) -> None:
        self._block = command.word, []

    def _is_for_block(self, command: Command, line: str) -> bool:
        """Take a line into the block that is open; tell whether it belonged there."""
        if self._block is None:
            return False
        word, lines = self._block
        if command.word == "DONE":
            self._block = None
            self._do(lambda _: self._end_block(word, lines), command)
            return True
        if command.word != "END" and command.word not in self._actions:
            lines.append(line.strip())
            return True
        if command.word != "INFO":
            self._notes.append(f"{word} without DONE is dropped")
            self._block = None
        return False

    def _end_block(self, word: str, lines: list[str]) -> None:
        empty = Sides(self._running().size)
        if word == "SWAP2BOARD":
            self._swap2(empty, [parse_point(line) for line in lines])
            return
        stones = []
        for line in lines:
            stone = parse_stone(line)
            if stone.field != MARKED:
                stones.append((stone.point, stone.field))
            elif self._rule is not Rule.RENJU:  # where it marks a forbidden point, known anyway
                raise ValueError(f"field 3 belongs to games that are not supported: {quoted(line)}")
        game = empty.laid(stones)
        if word == "BOARD":
            self._answer_with_move(game)
        else:
            self._game = game

    # ---- swap2 -----------------------------------------------------------------------------------

    def _swap2(self, empty: Sides, points: list[Point]) -> None:
        """Answer an opening with stones to lay, a side to take, or a move."""
        if len(points) not in _SWAP2_STONES:
            raise ValueError(f"SWAP2BOARD wants 0, 3 or 5 stones: {len(points)}")
        # White is to move, so the stones of White are ours for now.
        game = empty.laid((point, OWN if at % 2 else OPPONENT) for at, point in enumerate(points))
        board = self._board(game)
        limits = self._limits(board)
        if limits is not None and limits.time_ms is not None:
            limits = replace(limits, time_ms=max(limits.time_ms, _SIDES_MS))
        if not points:
            moves = balanced_opening(board, self._judge, limits, self._rng)
            laid = [Point.of(move, game.size) for move in moves]
            self._game = game.laid(zip(laid, (OWN, OPPONENT, OWN), strict=True))
            self._say(" ".join(map(str, laid)))
            self._allowance.spend(self._elapsed_ms())
            return
        choice = self.thinker.choose(board, limits)
        found = self.thinker.analysis(board)
        if found is None or not takes_black(found):
            self._answer(game, board, choice)
            return
        self._game = game.swapped()
        self._notes.append(thought(board, choice, found))
        self._say("SWAP")
        self._allowance.spend(self._elapsed_ms())

    def _judge(self, board: Board, limits: SearchLimits | None) -> Analysis | None:
        """Return what the player thinks of a position, None if it does not tell."""
        self.thinker.choose(board, limits)
        return self.thinker.analysis(board)

    # ---- what concerns no game -------------------------------------------------------------------

    def _info(self, command: Command) -> None:
        info = parse_info(command.rest)
        if info.key != "rule":
            self._allowance.tell(info)
            return
        try:
            code = parse_number(info.value)
        except ValueError:
            self._notes.append(
                f"INFO rule wants a number ({rule_codes()}) and got {quoted(info.value)}: "
                "the rule stays as it was"
            )
            return
        try:
            self._rule = rule_of(code, yixin=self.yixin)
        except ValueError as error:
            self._rule = str(error)  # the next command that wants a move gets it as an answer

    def _about(self, _: Command) -> None:
        name = f"gomoku_lab {self.thinker.spec.name}".replace('"', "'")
        about = About(name=name, version=__version__, author="gomoku_lab", country="?")
        self._say(str(about))

    def _show_forbidden(self, _: Command) -> None:
        """Tell the empty points on which the rule does not let the side to move play."""
        board = self._board(self._running())
        forbidden = ""
        for move in () if board.is_over else board.empty_points():
            try:
                board.check_move(move)
            except ValueError:
                point = Point.of(move, board.size)
                forbidden += f"{point.x:02}{point.y:02}"
        self._say(f"FORBID {forbidden}.")

    def _unknown(self, command: Command) -> None:
        self._say(f"UNKNOWN command {quoted(command.word)}")

    def _forget(self, _: Command) -> None:
        self.thinker.forget()

    def _nothing(self, _: Command) -> None:
        """Answer nothing."""


def _one_line(text: str) -> str:
    """Return `text` as one printable line of ASCII of a bounded length."""
    line = " ".join(text.split()).encode("ascii", "backslashreplace").decode("ascii")
    printable = "".join(letter if letter.isprintable() else "?" for letter in line)
    return printable if len(printable) <= _LONGEST_LINE else f"{printable[:_LONGEST_LINE]}..."
