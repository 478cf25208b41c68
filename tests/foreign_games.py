"""Games as readers of foreign files return them, and such files as if they had been read."""

import hashlib

from made_runs import made_openings, moves_of

from gomoku_lab.arena.intake import SourceFile
from gomoku_lab.game.formats.reading import Reading
from gomoku_lab.game.notation import move_string
from gomoku_lab.game.record import GameRecord, PlayerRef
from gomoku_lab.game.rules import Rule

OPENINGS = made_openings(8, 15)


def foreign_game(black, white, result, *, opening=0, variant=0, size=15, **changes):
    """Return a game of unknown configuration; `opening` is one of eight, or None for none.

    A black or white win ends by five, any other result is the referee's.
    """
    start = (made_openings(8, size) if size != 15 else OPENINGS)[opening or 0]
    winner = result if result in ("black", "white") else None
    moves = moves_of(start, winner, variant)
    opening_moves = 0 if opening is None else len(start.moves)
    nothing = (None,) * (len(moves) - opening_moves)
    values = {
        "id": "any",
        "pair": "",
        "opening": "",
        "opening_moves": opening_moves,
        "black": PlayerRef(black, ""),
        "white": PlayerRef(white, ""),
        "rule": Rule.FREESTYLE,
        "size": size,
        "moves": move_string(moves, size),
        "result": result,
        "reason": {"draw": "adjudicated", "unknown": "unknown"}.get(result, "five"),
        "nodes": nothing,
        "depth": nothing,
        "score": nothing,
        "time_ms": nothing,
        "seed": None,
        "reproducible": False,
    }
    return GameRecord(**{**values, **changes})


def game_file(*games, name="games.sgf", lines=(), **reading):
    return SourceFile(
        name=name,
        sha256=hashlib.sha256(f"{name}{games}{reading}".encode()).hexdigest(),
        format="sgf",
        games=Reading(games, lines=lines or tuple(range(1, len(games) + 1)), **reading),
    )


def table_file(*rows, name="table.txt", **reading):
    return SourceFile(
        name=name,
        sha256=hashlib.sha256(f"{name}{rows}".encode()).hexdigest(),
        format="result-table",
        rows=Reading(rows, lines=tuple(range(1, len(rows) + 1)), **reading),
    )
