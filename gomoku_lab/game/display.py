"""A board as a picture: SVG text, made with the standard library alone. It decides nothing.

The picture has its own background, so it reads the same on a dark and on a light page. It has no
style sheet and no ids, so many of them can stand in one HTML page.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from string import ascii_lowercase
from typing import TYPE_CHECKING, Final

from gomoku_lab.game.rules import BLACK, EMPTY, colour_name, wins

if TYPE_CHECKING:
    from gomoku_lab.game.board import Board

STEP: Final = 30
"""Distance of two lines in units of the view box; all other lengths follow from it."""

_MARGIN: Final = 38
_RADIUS: Final = 13.5
_WOOD: Final = "#e3bd7a"
_LINE: Final = "#5c4320"
_LABEL: Final = "#3d2b12"
_FILL: Final = {BLACK: "#1a1a1a", 3 - BLACK: "#fbfbf8"}
_INK: Final = {EMPTY: "#7a1f5c", BLACK: "#ffffff", 3 - BLACK: "#111111"}
_ACCENT: Final = "#d6202a"


def board_svg(
    board: Board,
    *,
    numbers: bool = False,
    marks: Mapping[int, str] | None = None,
    last_move: bool = True,
    size_px: int | None = None,
) -> str:
    """Return `board` as an SVG picture.

    Parameters
    ----------
    board : Board
        The position to draw, with coordinates; a winning line is struck through.
    numbers : bool
        Whether to write on each stone of `board.moves` which move it was.
    marks : mapping of int to str, optional
        A short text for each flat index, on stones as well as on empty points.
    last_move : bool
        Whether to show which stone came last.
    size_px : int or None
        Width and height; by default 30 a line. The page around it may scale it to any size.
    """
    side = (board.size - 1) * STEP + 2 * _MARGIN
    shown = side if size_px is None else size_px
    title = escape(_title(board))
    labels = _labels(board, numbers=numbers, marks=marks or {})
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" width="{shown}"'
        f' height="{shown}" style="max-width:100%;height:auto" role="img" aria-label="{title}"'
        ' font-family="Helvetica,Arial,sans-serif" text-anchor="middle">',
        f"<title>{title}</title>",
        f'<rect width="{side}" height="{side}" rx="6" fill="{_WOOD}"/>',
        _grid(board.size),
        *(_stone(board, move) for move, cell in enumerate(board.cells) if cell != EMPTY),
        *_winning_lines(board),
    ]
    last = board.last_move if last_move else None
    if last is not None:
        x, y = _centre(last, board.size)
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="{_RADIUS}" fill="none" stroke="{_ACCENT}"'
            ' stroke-width="2.2"/>'
            if last in labels
            else f'<circle cx="{x}" cy="{y}" r="4.2" fill="{_ACCENT}"/>'
        )
    parts += [_label(board, move, text) for move, text in labels.items()]
    return "\n".join([*parts, "</svg>"])


def _centre(move: int, size: int) -> tuple[int, int]:
    row, col = divmod(move, size)
    return _MARGIN + col * STEP, _MARGIN + row * STEP


def _title(board: Board) -> str:
    if board.winner:
        turn = f"{colour_name(board.winner)} has won"
    elif board.is_full:
        turn = "drawn"
    else:
        turn = f"{colour_name(board.to_move)} to move"
    last = f", moves {board.move_string()}" if board.moves else ""
    return f"Gomoku {board.size}x{board.size}, {board.stones} stones, {turn}{last}"


def _grid(size: int) -> str:
    """Return lines, star points and coordinates."""
    first, last = _MARGIN, _MARGIN + (size - 1) * STEP
    path = "".join(
        f"M{first} {first + i * STEP}H{last}M{first + i * STEP} {first}V{last}" for i in range(size)
    )
    dots = "".join(
        f'<circle cx="{x}" cy="{y}" r="3" fill="{_LINE}"/>'
        for x, y in (_centre(row * size + col, size) for row, col in _star_points(size))
    )
    names = "".join(
        f'<text x="{first + i * STEP}" y="{last + 29}">{ascii_lowercase[i]}</text>'
        f'<text x="{first - 25}" y="{first + i * STEP + 4}">{size - i}</text>'
        for i in range(size)
    )
    return (
        f'<path d="{path}" fill="none" stroke="{_LINE}" stroke-linecap="square"/>\n{dots}\n'
        f'<g font-size="12" fill="{_LABEL}">{names}</g>'
    )


def _star_points(size: int) -> list[tuple[int, int]]:
    """Return the dotted points as (row, col): the centre, and the corners' 4-4 points if apart."""
    near = [3, size - 4] if size >= 11 else []
    points = [(row, col) for row in near for col in near]
    return [*points, (size // 2, size // 2)] if size % 2 else points


def _stone(board: Board, move: int) -> str:
    x, y = _centre(move, board.size)
    fill = _FILL[board.cells[move]]
    return f'<circle cx="{x}" cy="{y}" r="{_RADIUS}" fill="{fill}" stroke="#222222"/>'


def _winning_lines(board: Board) -> list[str]:
    """Return one thick stroke for each winning run."""
    runs = {
        (line[0], line[-1])
        for move in board.winning_stones()
        for line in board.lines_through(move)
        if wins(len(line), board.rule)
    }
    strokes = []
    for start, end in sorted(runs):
        (x1, y1), (x2, y2) = _centre(start, board.size), _centre(end, board.size)
        strokes.append(
            f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{_ACCENT}"'
            ' stroke-width="5" stroke-linecap="round" stroke-opacity="0.75"/>'
        )
    return strokes


def _labels(board: Board, *, numbers: bool, marks: Mapping[int, str]) -> dict[int, str]:
    """Return the text for each point; a mark hides a move number."""
    for move in marks:
        if not 0 <= move < len(board.cells):
            raise ValueError(f"a mark must be on a point 0..{len(board.cells) - 1}: {move!r}")
    played = {move: str(ply) for ply, move in enumerate(board.moves, 1)} if numbers else {}
    return {**played, **marks}


def _label(board: Board, move: int, text: str) -> str:
    x, y = _centre(move, board.size)
    cell = board.cells[move]
    font = (16, 14, 11.5, 10)[min(max(len(text), 1), 4) - 1]
    width = max(18, len(text) * font * 0.65)  # hides the lines behind a mark
    patch = (
        f'<rect x="{x - width / 2:.1f}" y="{y - 9}" width="{width:.1f}" height="18" rx="8"'
        f' fill="{_WOOD}"/>'
        if cell == EMPTY
        else ""
    )
    return (
        f'{patch}<text x="{x}" y="{y + 0.36 * font:.1f}" font-size="{font}" font-weight="bold"'
        f' fill="{_INK[cell]}">{escape(text)}</text>'
    )
