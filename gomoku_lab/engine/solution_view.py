"""What the solver says, for the eye: one line, and HTML with the winning line on the board.

It draws what `solve` holds and computes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from gomoku_lab.game.display import Picture, board_svg
from gomoku_lab.game.notation import move_name
from gomoku_lab.game.palette import POINT_COLOUR
from gomoku_lab.game.rules import colour_name
from gomoku_lab.game.tables import beside_html, table_html

if TYPE_CHECKING:
    from gomoku_lab.engine.solve import Solution

_SAYS: Final = {
    ("vcf", "found"): "found: a victory by continuous fours",
    ("vcf", "refuted"): "refuted: no chain of fours wins",
    ("vct", "found"): "found: a victory by continuous threats",
    ("vct", "refuted"): "refuted: none by the threats that were tried",
}


def solution_summary(found: Solution) -> str:
    """Return a solution in one line."""
    first = f", {_line(found, found.wins[0].line)}" if found.wins else ""
    return f"{found.search} {found.answer}{first}, {found.nodes:,} stones placed"


def solution_html(found: Solution) -> str:
    """Return a solution as HTML: the board after the first line, numbered, and what was found."""
    board = found.board
    facts = [
        ("position", f"{board.size}x{board.size} {board.rule}, {colour_name(board.to_move)} moves"),
        (
            "answer",
            _SAYS.get((found.search, str(found.answer)), "not decided: the budget is spent"),
        ),
    ]
    if found.wins:
        others = "refuted" if found.complete else "not all decided"
        facts.append(("other first moves", others if found.every else "not looked at"))
    facts.append(("spent", f"{found.nodes:,} stones placed, {found.time_ms:.1f} ms"))
    tables = [table_html("", (), facts)]
    if found.wins:
        rows = [(str(win.plies), _line(found, win.line)) for win in found.wins]
        tables.append(table_html("wins", ("plies", "line"), rows))
    return beside_html(solution_picture(found), "".join(tables))


def solution_picture(found: Solution, *, size_px: int = 420) -> Picture:
    """Return the board after the first win's line, its moves numbered, other first moves filled."""
    board, line = found.board, found.wins[0].line if found.wins else ()
    for move in line:
        board = board.play(move)
    marks = {move: str(number) for number, move in enumerate(line, start=1)}
    fills = {move: POINT_COLOUR for move in found.moves if move not in line}
    return board_svg(board, marks=marks, fills=fills, last_move=not line, size_px=size_px)


def _line(found: Solution, line: Sequence[int]) -> str:
    return " ".join(move_name(move, found.board.size) for move in line)
