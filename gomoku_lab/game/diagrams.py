"""Boards as text, one row a line, and back again. It knows no files: callers read and write those.

Diagrams are drawn as seen: the first line is the top row. Row numbers and column letters are
optional; where row numbers stand they must be right, so an upside-down diagram is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import ascii_lowercase
from typing import Final

from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import as_point, is_move_string
from gomoku_lab.game.rules import BLACK, DEFAULT_SIZE, EMPTY, MAX_SIZE, MIN_SIZE, WHITE, Rule

SYMBOLS: Final = {EMPTY: ".", BLACK: "X", WHITE: "O"}
"""What `diagram` writes for an empty point, a black and a white stone."""

_CELLS: Final = {
    **dict.fromkeys("._-+", EMPTY),
    **dict.fromkeys("Xx", BLACK),
    **dict.fromkeys("Oo", WHITE),
}
_ROW = re.compile(r"\s*([0-9]*)(.*?)([0-9]*)\s*")


def diagram(
    board: Board,
    *,
    coordinates: bool = True,
    marks: Mapping[int, str] | Mapping[str, str] | None = None,
) -> str:
    """Return `board` as text that `parse_diagram` reads back (unless there are marks).

    Parameters
    ----------
    board : Board
        The position to draw.
    coordinates : bool
        Whether to write row numbers on the left and column letters below.
    marks : mapping of int or str to str, optional
        One character for each point, a flat index or a name, drawn in place of what stands there.
    """
    size = board.size
    symbols = [SYMBOLS[cell] for cell in board.cells]
    for point, mark in (marks or {}).items():
        if len(mark) != 1:
            raise ValueError(f"a mark must be one character: {mark!r}")
        symbols[as_point(point, size, "a mark")] = mark
    rows = [" ".join(symbols[row * size : (row + 1) * size]) for row in range(size)]
    if not coordinates:
        return "\n".join(rows)
    numbered = [f"{size - row:2d} {text}" for row, text in enumerate(rows)]
    return "\n".join([*numbered, "   " + " ".join(ascii_lowercase[:size])])


def parse_diagram(
    text: str,
    *,
    rule: Rule | str = Rule.FREESTYLE,
    to_move: int | None = None,
    balanced: bool = True,
) -> Board:
    """Return the set-up position that `text` draws.

    Parameters
    ----------
    text : str
        One row a line: ``.``, ``_``, ``-`` or ``+`` empty, ``X`` black, ``O`` white (case does not
        matter). Blanks and empty lines are ignored; the number of rows is the size.
    rule : Rule or str
        The rule of the board.
    to_move, balanced
        As for `Board.from_stones`.

    Raises
    ------
    ValueError
        If a character is unknown, a row number is wrong, the diagram is not square, or the
        stones are refused by `Board.from_stones`; the message names line and character.
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    rows = [(number, line) for number, line in lines if not _is_letters(line)]
    size = len(rows)
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"a diagram must have {MIN_SIZE}..{MAX_SIZE} rows: {size}")
    stones: dict[int, list[int]] = {EMPTY: [], BLACK: [], WHITE: []}
    for row, (number, line) in enumerate(rows):
        for col, cell in enumerate(_parse_row(line, number, size, size - row)):
            stones[cell].append(row * size + col)
    return Board.from_stones(
        stones[BLACK], stones[WHITE], size=size, rule=rule, to_move=to_move, balanced=balanced
    )


def parse_position(
    text: str, *, rule: Rule | str = Rule.FREESTYLE, size: int | None = None
) -> Board:
    """Return the board that a pasted text says: moves, such as ``h8 i9 g7``, or a diagram.

    Parameters
    ----------
    text : str
        Moves from the empty board, black first, or a diagram as for `parse_diagram`.
    rule : Rule or str
        The rule of the board.
    size : int, optional
        Lines a side, for moves; 15 by default. A diagram says it by its rows, and must agree.

    Raises
    ------
    ValueError
        If it is neither, or a move or the diagram is wrong.
    """
    if is_move_string(text):
        return Board.from_moves(text, size=DEFAULT_SIZE if size is None else size, rule=rule)
    if "\n" not in text.strip():
        wanted = "moves such as h8i9g7, or a diagram, a row a line"
        raise ValueError(f"a position must be {wanted}: {text!r}")
    board = parse_diagram(text, rule=rule)
    if size is not None and size != board.size:
        raise ValueError(f"the diagram has the size {board.size}; size must agree: {size!r}")
    return board


def as_board(
    position: Board | str, *, rule: Rule | str = Rule.FREESTYLE, size: int | None = None
) -> Board:
    """Return a board as it is, and that of a text; `rule` and `size` are as for `parse_position`.

    Raises
    ------
    ValueError
        If the text is no position, or the board has another size.
    TypeError
        If it is neither a board nor a text.
    """
    if isinstance(position, str):
        return parse_position(position, rule=rule, size=size)
    if not isinstance(position, Board):
        wanted = "a Board, moves such as h8i9g7, or a diagram"
        raise TypeError(f"a position must be {wanted}: {position!r}")
    if size not in (None, position.size):
        raise ValueError(f"the board has the size {position.size}; size must agree: {size!r}")
    return position


def _is_letters(line: str) -> bool:
    """Tell whether `line` holds the column letters."""
    compact = "".join(line.split()).lower()
    return len(compact) >= MIN_SIZE and ascii_lowercase.startswith(compact)


def _parse_row(line: str, number: int, size: int, row_number: int) -> list[int]:
    """Return the cells of one line, the `number`-th of its text."""
    match = _ROW.fullmatch(line)
    if match is None:
        raise ValueError(f"diagram line {number}: not a row of points: {line!r}")
    for label in (match[1], match[3]):
        if label and int(label) != row_number:
            raise ValueError(
                f"diagram line {number}: row number must be {row_number}, "
                f"counted from the bottom: {label!r}"
            )
    cells = []
    for offset, character in enumerate(match[2], match.start(2)):
        if character.isspace():
            continue
        if character not in _CELLS:
            raise ValueError(
                f"diagram line {number}, character {offset + 1}: "
                f"expected X, O or one of . _ - +: {character!r}"
            )
        cells.append(_CELLS[character])
    if len(cells) != size:
        raise ValueError(
            f"diagram line {number}: a board of {size} rows needs {size} points a row: {len(cells)}"
        )
    return cells
