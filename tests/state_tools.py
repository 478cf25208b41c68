"""What the tests of the kernels share: a state for a board, and how to read it."""

import random

import numpy as np
from strategies import played

from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.game.board import Board
from gomoku_lab.kernels import layout
from gomoku_lab.kernels.state import place, remove

CONFIG = EngineConfig(depth=1, table_bits=10)

# What a position consists of. The rest of the record is undo log, search memory and tables.
POSITION_FIELDS = (
    "hash", "sums", "side", "stones", "size", "half", "fives", "counts",
    "cells", "lines", "rows", "log_top",
)  # fmt: skip


def working(board, config=CONFIG):
    """Return a fresh working state with `board` set up."""
    state = WorkingState(config)
    state.set_up(board)
    return state


def put(state, move):
    place(state.record, state.cell(move))


def take_back(state):
    remove(state.record)


def empty_cells(state):
    return np.flatnonzero(state.record["cells"] == layout.EMPTY)


def shapes(state):
    """Read {empty point: its four classes} of each colour, as `naive_engine.shapes` gives it."""
    classes = [*layout.CLASS_OF_GRADE[: layout.GRADES], layout.OVERLINE, layout.LINE_DOUBLE_FOUR]
    return tuple(
        {
            state.move(cell): [
                classes[(int(state.record["codes"][cell]) >> (32 * colour + 4 * direction)) & 15]
                for direction in range(4)
            ]
            for cell in empty_cells(state)
        }
        for colour in range(2)
    )


def snapshot(state):
    """Copy all that makes the position: codes of empty points only, other classes are stale."""
    record = state.record
    found = {name: np.copy(record[name]) for name in POSITION_FIELDS}
    found["codes"] = record["codes"][empty_cells(state)]
    found["played"] = record["played"][: record["stones"]].copy()
    return found


def differences(before, after):
    """Name the fields in which two snapshots differ."""
    return [name for name in before if not np.array_equal(before[name], after[name])]


def quiet_board(seed, *, size=9, rule="freestyle", stones=10, side=5):
    """Return a random board on which the game goes on, its stones within a square of `side`."""
    draw = random.Random(seed)
    while True:
        board = Board(size=size, rule=rule)
        top, left = (draw.randint(0, size - side) for _ in range(2))
        points = [(top + i // side) * size + left + i % side for i in range(side * side)]
        for move in draw.sample(points, stones):
            before, board = board, played(board, move)
            if board.is_over or board is before:
                break
        else:
            return board
