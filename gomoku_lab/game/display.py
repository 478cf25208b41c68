"""A board as a picture: SVG text, made with the standard library alone. It decides nothing.

The picture has its own background, so it reads the same on a dark and on a light page. It has no
style sheet and no ids, so many of them can stand in one HTML page.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from string import ascii_lowercase
from typing import TYPE_CHECKING, Final

from gomoku_lab.game.notation import as_point
from gomoku_lab.game.rules import BLACK, EMPTY, colour_name, wins

if TYPE_CHECKING:
    from gomoku_lab.game.board import Board

STEP: Final = 30
"""Distance of two lines in units of the view box; all other lengths follow from it."""

MARGIN: Final = 38
RADIUS: Final = 13.5
WOOD: Final = "#e3bd7a"
_LINE: Final = "#5c4320"
_LABEL: Final = "#3d2b12"
FILL: Final = {BLACK: "#1a1a1a", 3 - BLACK: "#fbfbf8"}
INK: Final = {EMPTY: "#7a1f5c", BLACK: "#ffffff", 3 - BLACK: "#111111"}
ACCENT: Final = "#d6202a"
ARROW: Final = "#0b5a8f"


class Picture(str):
    """An SVG picture as text, which a notebook shows."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def board_svg(
    board: Board,
    *,
    numbers: bool = False,
    marks: Mapping[int, str] | Mapping[str, str] | None = None,
    fills: Mapping[int, str] | Mapping[str, str] | None = None,
    arrows: Sequence[tuple[int | str, int | str]] = (),
    last_move: bool = True,
    size_px: int | None = None,
) -> Picture:
    """Return `board` as an SVG picture.

    Parameters
    ----------
    board : Board
        The position to draw, with coordinates; a winning line is struck through.
    numbers : bool
        Whether to write on each stone of `board.moves` which move it was.
    marks : mapping of int or str to str, optional
        A short text for each point, a flat index or a name, on stones as well as on empty points.
    fills : mapping of int or str to str, optional
        A colour for each point, such as ``#0072b2`` or ``#0072b280``, drawn under the stones.
    arrows : sequence of pairs of int or str
        Points from and to which an arrow goes.
    last_move : bool
        Whether to show which stone came last.
    size_px : int or None
        Width and height; by default 30 a line. The page around it may scale it to any size.

    Raises
    ------
    ValueError
        If a point is none of the board's, or `size_px` is no size.
    """
    side = (board.size - 1) * STEP + 2 * MARGIN
    shown = side if size_px is None else size_px
    if not isinstance(shown, int) or shown < 1:
        raise ValueError(f"size_px must be a whole number from 1 up: {size_px!r}")
    title = escape(_title(board))
    labels = _labels(board, numbers=numbers, marks=marks or {})
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" width="{shown}"'
        f' height="{shown}" style="max-width:100%;height:auto" role="img" aria-label="{title}"'
        ' font-family="Helvetica,Arial,sans-serif" text-anchor="middle">',
        f"<title>{title}</title>",
        f'<rect width="{side}" height="{side}" rx="6" fill="{WOOD}"/>',
        grid(board.size),
        *(_fill(board, move, colour) for move, colour in (fills or {}).items()),
        *(_stone(board, move) for move, cell in enumerate(board.cells) if cell != EMPTY),
        *winning_lines(board),
    ]
    last = board.last_move if last_move else None
    if last is not None:
        parts.append(_newest(board, last, with_text=last in labels))
    parts += [_label(board, move, text) for move, text in labels.items()]
    parts += [_arrow(board, start, end) for start, end in arrows]
    return Picture("\n".join([*parts, "</svg>"]))


def centre(move: int, size: int) -> tuple[int, int]:
    """Return where a point lies in the picture."""
    row, col = divmod(move, size)
    return MARGIN + col * STEP, MARGIN + row * STEP


def _title(board: Board) -> str:
    if board.winner:
        turn = f"{colour_name(board.winner)} has won"
    elif board.is_full:
        turn = "drawn"
    else:
        turn = f"{colour_name(board.to_move)} to move"
    last = f", moves {board.move_string()}" if board.moves else ""
    return f"Gomoku {board.size}x{board.size}, {board.stones} stones, {turn}{last}"


def grid(size: int) -> str:
    """Return lines, star points and coordinates."""
    first, last = MARGIN, MARGIN + (size - 1) * STEP
    path = "".join(
        f"M{first} {first + i * STEP}H{last}M{first + i * STEP} {first}V{last}" for i in range(size)
    )
    dots = "".join(
        f'<circle cx="{x}" cy="{y}" r="3" fill="{_LINE}"/>'
        for x, y in (centre(row * size + col, size) for row, col in _star_points(size))
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
    x, y = centre(move, board.size)
    fill = FILL[board.cells[move]]
    return f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{fill}" stroke="#222222"/>'


def _newest(board: Board, move: int, *, with_text: bool) -> str:
    """Return the mark of the newest stone: a dot, or a ring around its text."""
    x, y = centre(move, board.size)
    if not with_text:
        return f'<circle cx="{x}" cy="{y}" r="4.2" fill="{ACCENT}"/>'
    ring = f'r="{RADIUS}" fill="none" stroke="{ACCENT}" stroke-width="2.2"'
    return f'<circle cx="{x}" cy="{y}" {ring}/>'


def _fill(board: Board, point: int | str, colour: str) -> str:
    x, y = centre(as_point(point, board.size, "a fill"), board.size)
    half = STEP // 2
    return (
        f'<rect x="{x - half}" y="{y - half}" width="{STEP}" height="{STEP}"'
        f' fill="{escape(colour)}"/>'
    )


def _arrow(board: Board, *ends: int | str) -> str:
    """Return an arrow whose head ends short of the middle of its point."""
    start, end = (as_point(point, board.size, "an arrow") for point in ends)
    if start == end:
        raise ValueError(f"an arrow must go from one point to another: {start!r}")
    (x1, y1), (x2, y2) = centre(start, board.size), centre(end, board.size)
    length = math.hypot(x2 - x1, y2 - y1)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    tip_x, tip_y = x2 - 5 * dx, y2 - 5 * dy
    neck_x, neck_y = tip_x - 10 * dx, tip_y - 10 * dy
    head = " ".join(
        f"{x:.1f},{y:.1f}"
        for x, y in (
            (tip_x, tip_y),
            (neck_x - 5 * dy, neck_y + 5 * dx),
            (neck_x + 5 * dy, neck_y - 5 * dx),
        )
    )
    return (
        f'<path d="M{x1} {y1}L{neck_x:.1f} {neck_y:.1f}" stroke="{ARROW}" stroke-width="3.5"/>'
        f'<polygon points="{head}" fill="{ARROW}"/>'
    )


def winning_lines(board: Board) -> list[str]:
    """Return one thick stroke for each winning run."""
    runs = {
        (line[0], line[-1])
        for move in board.winning_stones()
        for line in board.lines_through(move)
        if wins(len(line), board.rule, board.cells[move])
    }
    strokes = []
    for start, end in sorted(runs):
        (x1, y1), (x2, y2) = centre(start, board.size), centre(end, board.size)
        strokes.append(
            f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{ACCENT}"'
            ' stroke-width="5" stroke-linecap="round" stroke-opacity="0.75"/>'
        )
    return strokes


def _labels(
    board: Board, *, numbers: bool, marks: Mapping[int, str] | Mapping[str, str]
) -> dict[int, str]:
    """Return the text for each point; a mark hides a move number."""
    played = {move: str(ply) for ply, move in enumerate(board.moves, 1)} if numbers else {}
    own = {as_point(point, board.size, "a mark"): str(text) for point, text in marks.items()}
    return {**played, **own}


def _label(board: Board, move: int, text: str) -> str:
    x, y = centre(move, board.size)
    cell = board.cells[move]
    font = (16, 14, 11.5, 10)[min(max(len(text), 1), 4) - 1]
    width = max(18, len(text) * font * 0.65)  # hides the lines behind a mark
    patch = (
        f'<rect x="{x - width / 2:.1f}" y="{y - 9}" width="{width:.1f}" height="18" rx="8"'
        f' fill="{WOOD}"/>'
        if cell == EMPTY
        else ""
    )
    return (
        f'{patch}<text x="{x}" y="{y + 0.36 * font:.1f}" font-size="{font}" font-weight="bold"'
        f' fill="{INK[cell]}">{escape(text)}</text>'
    )
