"""The engine's working memory: one state record, one table, and the way in from a `Board`.

It translates between flat moves and the kernels' grid cells; it decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from gomoku_lab.engine.config import SELECTION, EngineConfig
from gomoku_lab.engine.learned import load_table
from gomoku_lab.engine.tables import (
    half_window,
    hand_orders,
    hand_values,
    learned_orders,
    learned_values,
    renju_orders,
    renju_values,
    shape_table,
)
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import Rule
from gomoku_lab.kernels import layout

_PAGE = 4096
_CHAIN_BITS = 14
_LAST_GENERATION = layout.GENERATIONS - 1
"""Generations count from 1: an entry of zeros belongs to none."""


class WorkingState:
    """A state record and a transposition table, set up for one configuration.

    Parameters
    ----------
    config : EngineConfig
    table : ENTRY[2 ** table_bits], optional
        The table of another state, to be shared with it; without one it gets its own.

    Attributes
    ----------
    record : STATE record
        The kernels' state (see `kernels.layout`).
    table : ENTRY[n]
        The transposition table; one unused entry where the configuration has none.
    chains : CHAIN[n]
        The table of chains of fours, empty after each `set_up`.
    size : int
        Size of the board set up last.
    """

    def __init__(self, config: EngineConfig, table: npt.NDArray[Any] | None = None) -> None:
        self.record: Any = np.zeros(1, layout.STATE)[0]
        if table is None:
            table = np.zeros(1 << config.table_bits, layout.ENTRY)
        self.table = table
        self.chains: npt.NDArray[Any] = np.zeros(1 << _CHAIN_BITS, layout.CHAIN)
        self.size = 0
        self._rule: Rule | None = None
        self._window = config.window
        record = self.record
        if config.evaluation == "hand":
            self._values = hand_values(config.weights)
        else:
            learned = load_table(config.evaluation)
            self._values = learned_values(learned)
            record["threats"] = learned.threats
            record["tempo"] = learned.tempo
        if config.move_order == "hand":
            self._orders = hand_orders(config.weights)
        else:
            self._orders = learned_orders(load_table(config.move_order, "move_order"))
        for key in ("selective", *SELECTION):
            record[key] = getattr(config, key)
        record["values"][: layout.CODES] = self._values
        record["orders"][: layout.CODES] = self._orders
        record["radius"] = config.radius
        record["width"] = config.width
        record["ordering"] = config.ordering
        record["defence"] = round(config.defence * layout.DEFENCE_ONE)
        record["terminal"] = config.terminal
        record["five_value"] = min(config.weights.five, layout.EVALUATION_CAP)
        record["table_mask"] = len(self.table) - 1 if config.table_bits else -1

    def claim_memory(self) -> None:
        """Touch the whole table, which the system hands out at the first touch only.

        For 16 MiB that takes up to 25 ms, and would otherwise be part of a first move's time.
        """
        self.table.view(np.uint8)[::_PAGE] = 0

    def set_up(self, board: Board, *, keep: bool = False) -> None:
        """Put `board` into the record and forget every earlier search, or `keep` their entries.

        Entries are never kept from one rule or size of the board to another.
        """
        keep = keep and (board.rule, board.size) == (self._rule, self.size)
        self.chains.view(np.uint8)[:] = 0
        self._put(board)
        self.new_search(keep=keep)

    def _use_rule(self, rule: Rule) -> None:
        """Put what a rule needs into the record: its shapes, and Black's own rows under renju."""
        record = self.record
        shapes = shape_table(rule, self._window)
        record["shapes"][: len(shapes)] = shapes
        record["half"] = half_window(rule)
        renju = rule is Rule.RENJU
        record["renju"] = renju
        record["black_row"] = layout.CODES if renju else 0
        if renju:
            record["values"][layout.CODES :] = renju_values(self._values)
            record["orders"][layout.CODES :] = renju_orders(self._orders)
        self._rule = rule

    def join(self, other: WorkingState, board: Board) -> None:
        """Put `board`, which `other` holds, into the record, to search on with its table."""
        self._put(board)
        for key in ("generation", "kept"):
            self.record[key] = other.record[key]

    def _put(self, board: Board) -> None:
        from gomoku_lab.kernels.state import build

        if board.rule is not self._rule:
            self._use_rule(board.rule)
        self.size = board.size
        self.record["size"] = board.size
        build(self.record, np.frombuffer(bytearray(board.cells), np.uint8), board.to_move - 1)

    def new_search(self, *, keep: bool = False) -> None:
        """Make the table's entries of earlier searches invisible, unless they are to be kept."""
        record = self.record
        record["kept"] = min(int(record["kept"]) + 1, _LAST_GENERATION - 1) if keep else 0
        generation = int(record["generation"]) % _LAST_GENERATION + 1
        # Each search clears one part, so that an entry is gone when its generation comes round
        # again. Clearing all at once would take 15 ms of one move's time.
        start, stop = (
            len(self.table) * part // _LAST_GENERATION for part in (generation - 1, generation)
        )
        self.table[start:stop].view(np.uint8)[:] = 0
        record["generation"] = generation

    def forget(self) -> None:
        """Clear the table, so that what later searches keep hangs on nothing but themselves."""
        self.table.view(np.uint8)[:] = 0
        self.record["generation"] = self.record["kept"] = 0

    def cell(self, move: int) -> int:
        """Return the grid cell of a flat move."""
        row, col = divmod(move, self.size)
        return (row + layout.RING) * layout.STRIDE + col + layout.RING

    def move(self, cell: int) -> int:
        """Return the flat move of a grid cell."""
        row, col = divmod(int(cell), layout.STRIDE)
        return (row - layout.RING) * self.size + col - layout.RING

    def moves(self, cells: Iterable[int]) -> tuple[int, ...]:
        """Return the flat moves of grid cells."""
        return tuple(self.move(cell) for cell in cells)

    def ranked(self) -> npt.NDArray[np.int32]:
        """Return the candidates as grid cells in one-move order, at most the width."""
        from gomoku_lab.kernels.candidates import ranked

        cells = np.zeros(layout.MAX_POINTS, np.int32)
        return cells[: ranked(self.record, cells)].copy()
