"""An analysis for the eye: one line, a page of text for terminals, HTML for notebooks.

It draws what `analysis` holds and computes nothing. Where no exact score is known the score's
place holds a dash; the text names a bound in a column of its own, the HTML leaves it out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from gomoku_lab.engine.analysis import Analysis, Layer, RootScore
from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import SYMBOLS, diagram
from gomoku_lab.game.display import board_svg
from gomoku_lab.game.glossary import gate_meaning
from gomoku_lab.game.notation import move_name
from gomoku_lab.game.palette import POINT_COLOUR
from gomoku_lab.game.rules import colour_name
from gomoku_lab.game.tables import beside_html, table_html
from gomoku_lab.kernels.layout import MATE, MATE_RANGE

DASH: Final = "—"
"""Stands where a score is not known."""

MOVE_MARK: Final = "*"
CANDIDATE_MARK: Final = "+"
_BOUND_SIGNS: Final = {"upper": "<=", "lower": ">="}
_PV_SHOWN: Final = 10

_Row = tuple[str, ...]


def score_text(score: int | None) -> str:
    """Return an exact score as people read it: a number, a win or loss in plies, or a dash."""
    if score is None:
        return DASH
    if abs(score) > MATE_RANGE:
        return f"{'win' if score > 0 else 'loss'} in {MATE - abs(score)}"
    return f"{score:+d}" if score else "0"


def bound_text(root: RootScore) -> str:
    """Return the bound of a root move, such as ``<= +120``, or nothing where its score is known."""
    if root.bound is None or root.bound_kind is None:
        return ""
    return f"{_BOUND_SIGNS[root.bound_kind]} {score_text(root.bound)}"


def summary(found: Analysis) -> str:
    """Return an analysis in one line."""
    size, rule = found.board.size, found.board.rule
    move = "no move" if found.move is None else move_name(found.move, size)
    parts = [f"{size}x{size} {rule}", f"{found.gate}: {move}"]
    if found.score is not None:
        parts.append(f"score {score_text(found.score)}")
    if found.depth:
        parts.append(f"depth {found.depth}")
    return ", ".join([*parts, f"{found.nodes} nodes", f"{found.time_ms:.0f} ms"])


def outcome_text(found: Analysis) -> str:
    """Tell whether a win or loss was found, and whether it is proven; empty if none was."""
    plies = found.mate if found.proven is None else found.proven
    if plies is None:
        return ""
    within = "in" if found.proven == found.mate or found.proven is None else "within"
    unit = "ply" if plies == 1 else "plies"
    what = f"{'win' if plies > 0 else 'loss'} {within} {abs(plies)} {unit}"
    if found.proven is not None:
        return f"{what}, proven against every reply"
    return f"{what} in the searched tree, which is limited by radius and width: not proven"


def board_text(found: Analysis) -> str:
    """Return the board with the move, the root candidates and the last move marked, and a key."""
    board = found.board
    marks = {root.move: CANDIDATE_MARK for root in (*found.roots, *found.exact)}
    key = ["X black", "O white"]
    if board.last_move is not None:
        last = SYMBOLS[board.cells[board.last_move]].lower()
        marks[board.last_move] = last
        key.append(f"{last} last move")
    if found.move is not None:
        marks[found.move] = MOVE_MARK
        key.append(f"{MOVE_MARK} the move")
    if CANDIDATE_MARK in marks.values():
        key.append(f"{CANDIDATE_MARK} other candidates")
    return f"{diagram(board, marks=marks)}\n{', '.join(key)}"


def facts(found: Analysis) -> list[tuple[str, str]]:
    """Return the analysis without its tables, as pairs of a name and what to say."""
    board = found.board
    rows = [("decided by", f"{found.gate}: {gate_meaning(found.gate)}")]
    if board.is_over:
        over = f"{colour_name(board.winner)} has won" if board.winner else "draw, the board is full"
        return [("position", _position(board)), ("result", over), *rows]
    mover = colour_name(board.to_move)
    rows.append(("move", DASH if found.move is None else move_name(found.move, board.size)))
    score = DASH
    if found.score is not None:
        how = f", exact at depth {found.depth}" if found.layers else ""
        score = f"{score_text(found.score)}, seen from {mover}, the side to move{how}"
    rows.append(("score", score))
    outcome = outcome_text(found)
    if outcome:
        rows.append(("outcome", outcome))
    rows.append(("line", _line(found.pv, board.size) or DASH))
    spent = f"{found.nodes} nodes, {found.time_ms:.1f} ms"
    if found.nodes:
        spent += f", {found.table_hits} table hits, {found.cutoffs} cut-offs"
    if not found.reproducible:
        spent += "; not reproducible (a clock was read)"
    return [("position", _position(board)), *rows, ("spent", spent)]


def _position(board: Board) -> str:
    turn = "" if board.is_over else f", {colour_name(board.to_move)} to move"
    moves = f", moves {board.move_string()}" if board.moves else ""
    return f"{board.size}x{board.size} {board.rule}, {board.stones} stones{turn}{moves}"


def _line(moves: Sequence[int], size: int) -> str:
    return " ".join(move_name(move, size) for move in moves)


def layer_row(layer: Layer, size: int) -> _Row:
    """Return the row of a layer, under `LAYER_HEAD`."""
    per_second = f"{layer.nodes / layer.time_ms * 1000:.0f}" if layer.time_ms > 0 else DASH
    line = _line(layer.pv[:_PV_SHOWN], size) + (" ..." if len(layer.pv) > _PV_SHOWN else "")
    return (
        str(layer.depth),
        move_name(layer.move, size),
        score_text(layer.score),
        str(layer.nodes),
        f"{layer.time_ms:.1f}",
        per_second,
        "changed" if layer.changed else "",
        line,
    )


LAYER_HEAD: Final = ("depth", "move", "score", "nodes", "ms", "nodes/s", "move?", "line")
_LEFT_COLUMNS: Final = ("move", "move?", "line", "bound")


def layer_lines(layers: Sequence[Layer], size: int) -> list[str]:
    """Return the trace as lines of text, its head first."""
    return _columns(LAYER_HEAD, [layer_row(layer, size) for layer in layers])


def _columns(head: _Row, rows: Sequence[_Row]) -> list[str]:
    """Return a table as lines of text: words to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    align: list[Callable[[str, int], str]] = [
        str.ljust if name in _LEFT_COLUMNS else str.rjust for name in head
    ]
    return [
        "  ".join(put(cell, width) for put, cell, width in zip(align, row, widths, strict=True))
        .rstrip()
        for row in (head, *rows)
    ]  # fmt: skip


def root_row(root: RootScore, size: int) -> _Row:
    """Return the row of a root candidate, under `ROOT_HEAD`: a dash where only a bound is known."""
    return (
        move_name(root.move, size),
        score_text(root.score),
        str(root.depth),
        str(root.nodes),
    )


ROOT_HEAD: Final = ("move", "score", "depth", "nodes")


def analysis_text(found: Analysis) -> str:
    """Return the whole analysis as text: board, decision, trace, root candidates."""
    size = found.board.size
    pairs = facts(found)
    width = max(len(name) for name, _ in pairs)
    blocks = [
        board_text(found),
        "\n".join(f"{name:{width}}  {value}" for name, value in pairs),
    ]
    if found.layers:
        blocks.append("\n".join(["layers", *layer_lines(found.layers, size)]))
    if found.roots:
        rows = [(*root_row(root, size), bound_text(root)) for root in found.roots]
        head = "root candidates (— no exact score; a bound is no score)"
        blocks.append("\n".join([head, *_columns((*ROOT_HEAD, "bound"), rows)]))
    if found.exact:
        rows = [root_row(root, size) for root in found.exact]
        head = "searched again with a full window: exact scores"
        blocks.append("\n".join([head, *_columns(ROOT_HEAD, rows)]))
    return "\n\n".join(blocks)


def analysis_html(found: Analysis) -> str:
    """Return the whole analysis as HTML: the board as a picture, and tables beside it."""
    tables = [table_html("", (), facts(found))]
    tables += [table_html(title, head, rows) for title, head, rows in html_tables(found)]
    return beside_html(board_picture(found), "".join(tables))


def html_tables(found: Analysis) -> list[tuple[str, _Row, list[_Row]]]:
    """Return title, head and rows of the tables that go into HTML; no bound is in them."""
    size = found.board.size
    tables: list[tuple[str, _Row, list[_Row]]] = []
    if found.layers:
        rows = [layer_row(layer, size) for layer in found.layers]
        tables.append(("layers", LAYER_HEAD, rows))
    for title, roots in (
        (f"root candidates ({DASH} no exact score)", found.roots),
        ("searched again with a full window: exact scores", found.exact),
    ):
        if roots:
            tables.append((title, ROOT_HEAD, [root_row(root, size) for root in roots]))
    return tables


def board_picture(found: Analysis, *, size_px: int = 420) -> str:
    """Return the board as a picture with the move, coloured, and the other candidates marked."""
    marks = {root.move: CANDIDATE_MARK for root in (*found.roots, *found.exact)}
    fills = {} if found.move is None else {found.move: POINT_COLOUR}
    marks = {move: mark for move, mark in marks.items() if move not in fills}
    return board_svg(found.board, marks=marks, fills=fills, size_px=size_px)
