"""Where renju's forbidden points decide: on the boards of games, and on boards drawn by lot.

A board is taken if one of these holds: a move that freestyle finds right is forbidden; a right move
only seems to be forbidden, to whoever takes a false three for a three; White wins, as he would not
if nothing were forbidden. The proof is that of the kind ``forbidden``.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from gomoku_lab.engine.solve import Answer, Solver
from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import move_name
from gomoku_lab.game.renju import Prohibition, prohibition
from gomoku_lab.game.rules import BLACK, DEFAULT_SIZE, DIRECTIONS, EMPTY, WHITE, Rule, opponent
from gomoku_lab.suite.forcing import fives_of, fours_of, holding_moves, winning_moves
from gomoku_lab.suite.positions import Position

THEMES: Final = (
    "recursive", "false three", "overline", "double four", "double three", "white wins",
)  # fmt: skip
"""What a position is about, the rarest first: the first one that holds is its theme."""
ASKED_OF_NOBODY: Final = THEMES[:2]
"""Themes that need no player who fails: who does not know of them may still be right."""
_LOOK: Final = 2_000
"""Stones of each look for a chain of fours: only wins within three are taken."""
_NEAR: Final = (-4, -3, -2, -1, 1, 2, 3, 4)
_FILLERS: Final = 4
"""White stones, at most, that are strewn near the lines instead of far from them."""


@dataclass(frozen=True, slots=True)
class Deciding:
    """A position of the kind ``forbidden``, and its theme."""

    position: Position
    theme: str


def free_board(board: Board) -> Board:
    """Return the same stones under freestyle, where nothing is forbidden."""
    return Board(board.size, Rule.FREESTYLE, board.cells, board.to_move)


def examine(board: Board, origin: str, solver: Solver) -> Deciding | None:
    """Return the position if what is forbidden decides on `board`, else None.

    It is a position of the kind but for a last look by `proofs.check`.
    """
    if board.is_over or free_board(board).winner or any(fives_of(board)):
        return None
    found = solver.vcf(board, nodes=_LOOK)
    if found.answer is Answer.FOUND:
        win_in = (found.wins[0].plies + 1) // 2
        if win_in not in (2, 3):
            return None
        decide = _win_of_black if board.to_move == BLACK else _win_of_white
        return decide(board, win_in, origin, solver)
    if found.answer is Answer.REFUTED and board.to_move == BLACK:
        return _defence(board, origin, solver)
    return None


def _win_of_black(board: Board, win_in: int, origin: str, solver: Solver) -> Deciding | None:
    forbidden = board.forbidden_points()
    chain = solver.vcf(board, nodes=_LOOK, every=True).moves
    seeming = [move for move in chain if _at(board, move, 0) is not None]
    if not forbidden and not seeming:
        return None
    best = winning_moves(board, win_in)
    seeming = [move for move in sorted(best) if _at(board, move, 0) is not None]
    if seeming:
        theme = "recursive" if _is_recursive(board, seeming) else "false three"
        what = _at(board, seeming[0], 0)
        name = move_name(seeming[0], board.size)
        why = f"{name} only seems to be a {what}, since a three is false, and wins within {win_in}"
        return _deciding(board, best, win_in, why, theme, origin)
    tempting = sorted(winning_moves(free_board(board), win_in) & forbidden.keys())
    return _tempted(board, best, tempting, win_in, f"wins within {win_in}", origin)


def _defence(board: Board, origin: str, solver: Solver) -> Deciding | None:
    """Return the defences against a win of White's within two, if freestyle's are forbidden."""
    passed = Board(board.size, board.rule, board.cells, opponent(board.to_move))
    threat = solver.vcf(passed, nodes=_LOOK)
    if not threat.wins or threat.wins[0].plies > 3 or fours_of(board):
        return None
    forbidden = board.forbidden_points()
    if not forbidden:
        return None
    tempting = sorted(holding_moves(free_board(board), 2) & forbidden.keys())
    best = holding_moves(board, 2) if tempting else frozenset()
    return _tempted(board, best, tempting, None, "holds", origin)


def _win_of_white(board: Board, win_in: int, origin: str, solver: Solver) -> Deciding | None:
    free = solver.vcf(free_board(board), nodes=_LOOK)
    if free.answer is not Answer.REFUTED:
        return None
    best = winning_moves(board, win_in)
    name = move_name(min(best), board.size) if best else ""
    why = f"{name} wins within {win_in}: where Black would have to answer, it is forbidden to him"
    return _deciding(board, best, win_in, why, "white wins", origin)


def _tempted(
    board: Board,
    best: frozenset[int],
    tempting: list[int],
    win_in: int | None,
    does: str,
    origin: str,
) -> Deciding | None:
    """Return a position in which freestyle's answer is forbidden; None if nothing tempts."""
    if not tempting or not best:
        return None
    deep = [move for move in tempting if _is_recursive(board, [move])]
    move = (deep or tempting)[0]
    what = _at(board, move, None)
    name, right = move_name(move, board.size), move_name(min(best), board.size)
    article = "an" if what is Prohibition.OVERLINE else "a"
    why = f"{name} would be {article} {what}, which renju forbids; {right} {does}"
    return _deciding(board, best, win_in, why, "recursive" if deep else str(what), origin)


def _deciding(
    board: Board, best: frozenset[int], win_in: int | None, why: str, theme: str, origin: str
) -> Deciding | None:
    if not best:
        return None
    position = Position(
        id=f"forbidden: {origin}",
        kind="forbidden",
        board=board,
        best=tuple(sorted(best)),
        why=why,
        win_in=win_in,
        tags=(theme, "win" if win_in else "defence"),
        origin=origin,
    )
    return Deciding(position, theme)


def _at(board: Board, move: int, depth: int | None) -> Prohibition | None:
    return prohibition(board.cells, board.size, move, depth=depth)


def _is_recursive(board: Board, moves: list[int]) -> bool:
    """Tell whether what is forbidden is decided only by what a further move would be."""
    return any(_at(board, move, 1) is not _at(board, move, None) for move in moves)


def draw_board(seed: int, number: int, size: int = DEFAULT_SIZE) -> Board | None:
    """Return a board of renju on which black lines cross, drawn by lot; None if it is no position.

    Now and then one line's extension lies where others cross: there prohibitions depend on each
    other. White's stones, as many as the turn wants, stand about; nobody has a five.
    """
    lot = random.Random(f"{seed}:{number}")
    cells = bytearray(size * size)
    _cross(cells, size, lot)
    black = cells.count(BLACK)
    to_move = lot.choice((BLACK, BLACK, WHITE))
    wanted = black - (to_move == WHITE)
    _strew(cells, size, wanted, lot)
    if cells.count(WHITE) != wanted:
        return None
    board = Board(size, Rule.FREESTYLE, bytes(cells), to_move)
    return None if board.winner else Board(size, Rule.RENJU, bytes(cells), to_move)


def _cross(cells: bytearray, size: int, lot: random.Random) -> None:
    """Put black stones on several lines through a few points, which stay empty."""
    row, col = lot.randrange(3, size - 3), lot.randrange(3, size - 3)
    centres = []
    for _ in range(lot.randint(2, 4)):
        centres.append((row, col))
        for d_row, d_col in lot.sample(DIRECTIONS, lot.randint(2, 3)):
            for step in lot.sample(_NEAR, lot.choice((2, 2, 2, 3, 3))):
                _put(cells, size, row + d_row * step, col + d_col * step, BLACK)
        if lot.random() < 0.7:
            (d_row, d_col), far = lot.choice(DIRECTIONS), lot.choice((-3, -2, -1, 1, 2, 3))
            row, col = row + d_row * far, col + d_col * far
        else:
            row, col = lot.randrange(2, size - 2), lot.randrange(2, size - 2)
    for row, col in centres:
        if 0 <= row < size and 0 <= col < size:
            cells[row * size + col] = EMPTY


def _strew(cells: bytearray, size: int, wanted: int, lot: random.Random) -> None:
    """Put `wanted` white stones on the board: a line or two, some by Black's, and others."""
    row, col = lot.randrange(3, size - 3), lot.randrange(3, size - 3)
    for d_row, d_col in lot.sample(DIRECTIONS, lot.randint(1, 2)):
        for step in lot.sample(_NEAR, lot.choice((2, 3))):
            if cells.count(WHITE) < wanted:
                _put(cells, size, row + d_row * step, col + d_col * step, WHITE)
    near = [
        point + d_row * size + d_col
        for point, cell in enumerate(cells)
        if cell == BLACK
        for d_row, d_col in DIRECTIONS
    ]
    lot.shuffle(near)
    for point in near[: lot.randint(0, _FILLERS)]:
        if cells.count(WHITE) < wanted:
            _put(cells, size, *divmod(point, size), WHITE)
    for point in lot.sample(range(size * size), size * size):
        if cells.count(WHITE) >= wanted:
            return
        _put(cells, size, *divmod(point, size), WHITE)


def _put(cells: bytearray, size: int, row: int, col: int, colour: int) -> None:
    """Put a stone on an empty point of the board; elsewhere nothing happens."""
    if 0 <= row < size and 0 <= col < size and cells[row * size + col] == EMPTY:
        cells[row * size + col] = colour
