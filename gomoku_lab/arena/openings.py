"""Openings: the shipped sets and a user's own files, checked, and a repeatable choice of them.

A run plays every chosen opening twice, colours swapped. How the sets were made is not told here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gomoku_lab._data import data_path
from gomoku_lab.game.board import Board
from gomoku_lab.game.formats.openings import OpeningEntry, OpeningFile, read_openings
from gomoku_lab.game.formats.strings import NOTATIONS, Notation
from gomoku_lab.game.notation import move_string
from gomoku_lab.game.rules import DEFAULT_SIZE, Rule
from gomoku_lab.game.symmetry import canonical_key

SHIPPED_SETS = ("book", "held-out")
_NEAR = 2
"""Random moves are drawn among the points at most so many lines from a stone."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A named beginning of a game: the moves that both players are given.

    Attributes
    ----------
    name : str
        What records and tables call it, such as ``book-17``.
    moves : tuple of int
        Flat indices on a board of `size` lines, black first.
    size : int
        Board size for which the moves are meant.
    """

    name: str
    moves: tuple[int, ...]
    size: int = DEFAULT_SIZE

    def board(self, rule: Rule = Rule.FREESTYLE) -> Board:
        """Return the position after the opening; ValueError if a move is illegal."""
        return Board.from_moves(self.moves, size=self.size, rule=rule)

    def move_string(self) -> str:
        """Return the moves as one string, such as ``h8i9g7``."""
        return move_string(self.moves, self.size)


def load_openings(
    source: str | Path, *, rule: Rule = Rule.FREESTYLE, size: int = DEFAULT_SIZE
) -> list[Opening]:
    """Load a shipped set by name, or an opening file by path.

    Parameters
    ----------
    source : str or Path
        ``book``, ``held-out``, or the path of a file (see `gomoku_lab.game.formats.openings`);
        ``pos:PATH`` is a file of move strings whose rows are counted from the top, ``offset:PATH``
        one of offsets from the centre, which is recognised without that as well.
    rule, size
        What the openings are to be played under.

    Returns
    -------
    list of Opening
        In file order; an opening without a name is called after its file and number.

    Raises
    ------
    ValueError
        If the source is unknown or meant for another board size, or an opening is illegal,
        already won, or the same as an earlier one on a turned or mirrored board.
    """
    path, notation = _path_of(source)
    file = read_openings(path, notation=notation, size=size)
    if file.size != size:
        raise ValueError(
            f"{path}: these openings are for a {file.size}x{file.size} board, not {size}x{size}; "
            "give a file of openings for that size (its first line says 'size: N')"
        )
    if not file.entries:
        raise ValueError(f"{path}: the file holds no openings")
    return _checked(file, path.stem, rule)


def select_openings(openings: Sequence[Opening], count: int, seed: int) -> list[Opening]:
    """Choose `count` of `openings` without repeats.

    The choice depends on the seed and on the moves alone, not on the order of the file, on numpy's
    version or on how many are wanted: a longer choice begins with the shorter one.

    Raises
    ------
    ValueError
        If fewer than `count` openings are there.
    """
    if count > len(openings):
        raise ValueError(
            f"{count} pairs of games need {count} different openings, but there are only "
            f"{len(openings)}; play at most {2 * len(openings)} games a pair, "
            "or give a larger set of openings"
        )

    lot = _lots(str(seed))
    return sorted(openings, key=lambda opening: lot(opening.move_string()))[:count]


def vary_opening(opening: Opening, *, moves: int, seed: int, rule: Rule) -> Opening:
    """Return the opening with random moves behind it, named after them: ``book-17+k5c3``.

    Each is drawn alike among the points near the stones where it does not end the game; the draw
    depends on the opening, the seed and the rule alone. Where no such point is left it ends early.
    """
    board = opening.board(rule)
    for number in range(moves):
        lot = _lots(f"{seed}:{opening.move_string()}:{number}")
        for point in sorted(board.points_near(_NEAR) or board.empty_points(), key=lot):
            after = board.play(point)
            if not after.is_over:
                board = after
                break
    added = move_string(board.moves[len(opening.moves) :], opening.size)
    name = f"{opening.name}+{added}" if added else opening.name
    return Opening(name, board.moves, opening.size)


def _lots(draw: str) -> Callable[[object], bytes]:
    """Return the lot of a thing in a draw: as good as random, the same with every version."""
    return lambda thing: hashlib.sha256(f"{draw}:{thing}".encode()).digest()


def find_duplicates(openings: Iterable[Opening]) -> list[tuple[Opening, Opening]]:
    """Return the pairs of openings that are the same position on a turned or mirrored board."""
    seen: dict[bytes, Opening] = {}
    duplicates = []
    for opening in openings:
        first = seen.setdefault(canonical_key(opening.board()), opening)
        if first is not opening:
            duplicates.append((first, opening))
    return duplicates


def _path_of(source: str | Path) -> tuple[Path, Notation | None]:
    """Return the file that is meant, and its notation if it is named."""
    if source in SHIPPED_SETS:
        return data_path("positions", "openings", f"{source}.txt"), None
    name, colon, rest = str(source).partition(":")
    notation = NOTATIONS.get(name) if colon else None
    path = Path(rest if notation else source)
    if not path.is_file():
        forms = (*SHIPPED_SETS, "PATH", *(f"{known}:PATH" for known in NOTATIONS))
        missing = f"; there is no file {str(path)!r}" if notation else ""
        raise ValueError(f"openings must be one of {', '.join(forms)}: {str(source)!r}{missing}")
    return path, notation


def _checked(file: OpeningFile, stem: str, rule: Rule) -> list[Opening]:
    openings = []
    names: dict[str, OpeningEntry] = {}
    positions: dict[bytes, OpeningEntry] = {}
    for number, entry in enumerate(file.entries, start=1):
        opening = Opening(entry.name or f"{stem}-{number}", entry.moves, file.size)
        board = _legal_board(opening, entry, rule)
        twin = names.setdefault(opening.name, entry)
        if twin is not entry:
            raise ValueError(f"{entry.place}: the name {opening.name!r} is taken by {twin.place}")
        twin = positions.setdefault(canonical_key(board), entry)
        if twin is not entry:
            raise ValueError(
                f"{entry.place}: the opening {opening.move_string()} is the same position as "
                f"{twin.place}, perhaps turned or mirrored"
            )
        openings.append(opening)
    return openings


def _legal_board(opening: Opening, entry: OpeningEntry, rule: Rule) -> Board:
    try:
        board = opening.board(rule)
    except ValueError as error:
        raise ValueError(f"{entry.place}: illegal opening: {error}") from None
    if board.is_over:
        raise ValueError(f"{entry.place}: the opening {opening.move_string()} ends the game")
    return board
