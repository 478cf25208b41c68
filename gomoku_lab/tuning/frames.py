"""The tables of a study for pandas: the way of its numbers, and where that led."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gomoku_lab.engine.frames import Column, make_frame
from gomoku_lab.tuning.trajectory import Tuning

if TYPE_CHECKING:
    import pandas as pd

PAIRS_COLUMN: Final = Column("pairs", "int64", "pairs of games that led to this point")

ESTIMATE_COLUMNS: Final = (
    Column("key", "string", "which number of the player"),
    Column("start", "float64", "where it started, in its own unit"),
    Column("value", "float64", "the estimate, a whole number where the key wants one"),
    Column("estimate", "float64", "the mean of the later points, not rounded"),
    Column("change", "float64", "estimate over start, minus 1"),
    Column("least", "float64", "least of the later points; no interval"),
    Column("most", "float64", "greatest of the later points; no interval"),
)


def path_frame(tuning: Tuning) -> pd.DataFrame:
    """Return one row a point of the way: `PAIRS_COLUMN`, and a float64 column for every key."""
    way = tuning.to_dict()["trajectory"]
    keys = [one.key for one in tuning.plan.parameters]
    columns = [PAIRS_COLUMN, *(Column(key, "float64", f"{key} in its own unit") for key in keys)]
    ways = [way["pairs"], *(way["values"][key] for key in keys)]
    return make_frame(columns, zip(*ways, strict=True))


def estimates_frame(tuning: Tuning) -> pd.DataFrame:
    """Return one row a key that is tuned, with the columns `ESTIMATE_COLUMNS`."""
    rows = [
        (
            one["key"],
            one["start"],
            one["value"],
            one["estimate"],
            one["estimate"] / one["start"] - 1,
            one["least"],
            one["most"],
        )
        for one in tuning.to_dict()["parameters"]
    ]
    return make_frame(ESTIMATE_COLUMNS, rows)
