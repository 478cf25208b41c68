"""What players spend on a move: nodes, depth and processor time, position by position."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from gomoku_lab.engine.frames import Column, make_frame
from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import as_board
from gomoku_lab.game.notation import move_name
from gomoku_lab.players.registry import make_player, resolve, warm_up
from gomoku_lab.players.spec import PlayerSpec

if TYPE_CHECKING:
    import pandas as pd

EFFORT_COLUMNS: Final = (
    Column("player", "string", "name of the player, or the short one that it was given"),
    Column("board", "int64", "number of the board, from 0"),
    Column("stones", "int64", "stones on it"),
    Column("move", "string", "name of the move; missing where there is none"),
    Column("gate", "string", "what decided; empty if the player says nothing"),
    Column("depth", "int64", "plies of the last completed layer, 0 if nothing was searched"),
    Column("nodes", "int64", "nodes of the search"),
    Column("cpu_ms", "float64", "milliseconds of the processor"),
)


def search_effort(
    players: str | Sequence[str | PlayerSpec] | Mapping[str, str | PlayerSpec],
    boards: Iterable[Board | str],
) -> pd.DataFrame:
    """Ask each player for a move on each board, and return what that took, one row a move.

    Columns: ``player`` (string), ``board``, ``stones`` (int64), ``move``, ``gate`` (string),
    ``depth`` (int64, plies), ``nodes`` (int64), ``cpu_ms`` (float64, milliseconds of the
    processor).

    Parameters
    ----------
    players : sequence or mapping of str to str or PlayerSpec
        One or more players, or short names for them.
    boards : iterable of Board or str
        Boards, or texts as `analyse` takes them.
    """
    asked = [as_board(board) for board in boards]
    rows = []
    players = [players] if isinstance(players, str) else players
    named = players.items() if isinstance(players, Mapping) else ((None, one) for one in players)
    specs = [(label, resolve(one) if isinstance(one, str) else one) for label, one in named]
    if asked:
        warm_up(spec for _, spec in specs)
    for label, spec in specs:
        player = make_player(spec)
        try:
            if asked:
                player.choose(asked[0])  # loads what is loaded late
            for number, board in enumerate(asked):
                began = time.process_time()
                choice = player.choose(board)
                spent = 1000 * (time.process_time() - began)
                name = None if choice.move is None else move_name(choice.move, board.size)
                told = (name, choice.gate, choice.depth, choice.nodes)
                rows.append((label or player.name, number, board.stones, *told, spent))
        finally:
            player.close()
    return make_frame(EFFORT_COLUMNS, rows)
