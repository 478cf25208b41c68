"""Tables for pandas: columns with a fixed type and a stated unit, and those of an analysis.

pandas is imported when the first table is made. What a column means travels with the table, in
``frame.attrs["columns"]``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from gomoku_lab.engine.analysis import Analysis, RootScore, plies_to_mate
from gomoku_lab.game.notation import move_name

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    name : str
        What it is called.
    dtype : str
        Its pandas type; ``Int64``, ``string`` and ``float64`` can say that a value is not known.
    meaning : str
        What it holds, with the unit.
    """

    name: str
    dtype: str
    meaning: str


def make_frame(columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> pd.DataFrame:
    """Return the rows as a table with these columns, types included where there are no rows."""
    import pandas as pd

    cells = list(zip(*rows, strict=True)) or [() for _ in columns]
    frame = pd.DataFrame(
        {
            column.name: pd.Series(list(values), dtype=column.dtype)
            for column, values in zip(columns, cells, strict=True)
        }
    )
    frame.attrs["columns"] = {column.name: column.meaning for column in columns}
    return frame


LAYER_COLUMNS: Final = (
    Column("depth", "int64", "plies"),
    Column("move", "string", "name of the best move"),
    Column("score", "int64", "its exact score, evaluation units, seen from the side to move"),
    Column("mate", "Int64", "plies to the win (positive) or loss that the score stands for, if so"),
    Column("nodes", "int64", "nodes of this layer"),
    Column("branching", "float64", "nodes of this layer over those of the layer before"),
    Column("time_ms", "float64", "milliseconds of this layer"),
    Column("changed", "bool", "whether the best move differs from the layer before"),
    Column("pv", "string", "best moves of both sides in turn, as a move string"),
)

ROOT_COLUMNS: Final = (
    Column("move", "string", "name of the candidate"),
    Column("score", "Int64", "exact score, evaluation units, from the side to move; else missing"),
    Column("bound", "Int64", "what the search proved where it knows no score; never a score"),
    Column("bound_kind", "string", "upper (at most the bound) or lower (at least)"),
    Column("depth", "Int64", "plies of the search, the candidate included"),
    Column("nodes", "Int64", "nodes of the search"),
    Column("exact_score", "Int64", "score searched again with a full window, if asked for"),
    Column("exact_depth", "Int64", "plies of that second search"),
    Column("exact_nodes", "Int64", "nodes of that second search"),
)


def layers_frame(found: Analysis) -> pd.DataFrame:
    """Return one row a layer of `found`, with the columns `LAYER_COLUMNS`."""
    size, rows = found.board.size, []
    before: int | None = None
    for layer in found.layers:
        rows.append(
            (
                layer.depth,
                move_name(layer.move, size),
                layer.score,
                plies_to_mate(layer.score),
                layer.nodes,
                layer.nodes / before if before else float("nan"),
                layer.time_ms,
                layer.changed,
                "".join(move_name(move, size) for move in layer.pv),
            )
        )
        before = layer.nodes
    return make_frame(LAYER_COLUMNS, rows)


def roots_frame(found: Analysis) -> pd.DataFrame:
    """Return one row a root candidate of `found`, with the columns `ROOT_COLUMNS`."""
    size = found.board.size
    again = {root.move: root for root in found.exact}
    known = [(root.move, root) for root in found.roots]
    seen = {move for move, _ in known}
    only: list[tuple[int, RootScore | None]] = [(m, None) for m in again if m not in seen]
    rows = [
        (
            move_name(move, size),
            *_cells(root, ("score", "bound", "bound_kind", "depth", "nodes")),
            *_cells(again.get(move), ("score", "depth", "nodes")),
        )
        for move, root in [*known, *only]
    ]
    return make_frame(ROOT_COLUMNS, rows)


def _cells(root: RootScore | None, names: Sequence[str]) -> list[Any]:
    return [None if root is None else getattr(root, name) for name in names]
