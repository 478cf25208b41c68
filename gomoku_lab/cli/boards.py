"""From the word POSITION on the command line to a board: moves, a diagram, or a shipped position.

It only reads; what a command does with the board is the command's affair.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gomoku_lab.game.board import Board
    from gomoku_lab.suite.positions import Position

_LIKE_MOVES = re.compile(r"\s*[a-zA-Z][0-9]")


def read_board(
    text: str, *, rule: str | None = None, size: int | None = None
) -> tuple[Board, Position | None]:
    """Return the board that `text` names, and the shipped position if it is one.

    Parameters
    ----------
    text : str
        ``-`` (a diagram on stdin), the id of a shipped position, a move string (the empty one is
        the empty board), or the path of a diagram; the first that fits is taken.
    rule, size : optional
        For moves and diagrams: freestyle and 15 by default, a diagram's size by its rows.

    Raises
    ------
    ValueError
        If it is none of these, a move or the diagram is wrong, or `rule` or `size` contradict
        what `text` says.
    OSError
        If the file cannot be read.
    """
    from gomoku_lab.game.board import Board
    from gomoku_lab.game.formats.text import read_text
    from gomoku_lab.game.notation import is_move_string
    from gomoku_lab.game.rules import DEFAULT_SIZE, Rule, parse_rule
    from gomoku_lab.suite.positions import load_positions

    known_rule = None if rule is None else parse_rule(rule)
    if text == "-":
        return _read_diagram(_stdin(), "stdin", known_rule, size), None
    if is_move_string(text):
        wanted = DEFAULT_SIZE if size is None else size
        return Board.from_moves(text, size=wanted, rule=known_rule or Rule.FREESTYLE), None
    positions = {position.id: position for position in load_positions()}
    if text in positions:
        position = positions[text]
        _agree(f"position {text!r}", position.board, known_rule, size)
        return position.board, position
    file = Path(text)
    if file.is_file():
        return _read_diagram(read_text(file), text, known_rule, size), None
    if _LIKE_MOVES.match(text):
        Board.from_moves(text, size=DEFAULT_SIZE if size is None else size)
    raise ValueError(_unknown(text, list(positions)))


def _stdin() -> str:
    from gomoku_lab.game.formats.text import decode_text

    return decode_text(sys.stdin.buffer.read(), "stdin")


def _read_diagram(text: str, source: str, rule: str | None, size: int | None) -> Board:
    from gomoku_lab.game.diagrams import parse_diagram
    from gomoku_lab.game.rules import Rule

    try:
        board = parse_diagram(text, rule=rule or Rule.FREESTYLE)
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from error
    _agree(source, board, None, size)
    return board


def _agree(what: str, board: Board, rule: str | None, size: int | None) -> None:
    """Raise ValueError if `rule` or `size` were asked for and are not the board's."""
    if rule is not None and rule != board.rule:
        raise ValueError(f"{what} has the rule {board.rule}; --rule must agree: {str(rule)!r}")
    if size is not None and size != board.size:
        raise ValueError(f"{what} has the size {board.size}; --size must agree: {size!r}")


def _unknown(text: str, ids: list[str]) -> str:
    from gomoku_lab.engine.settings import nearest_key

    near = nearest_key(text, ids)
    hint = f"did you mean {near!r}? " if near else ""
    return (
        f"unknown position {text!r}; {hint}it is no move string such as h8i9g7, no diagram file "
        "and no shipped position (`gomoku-lab positions list` names them all)"
    )
