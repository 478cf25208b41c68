"""Figures with a cell for each two players: the score, and who is likely the stronger one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from gomoku_lab.arena.rows import Counts, score_of_counts
from gomoku_lab.plots.look import (
    MOST_NUMBERED,
    SCORE_COLOURS,
    add_colour_bar,
    ink_on,
    prepare_matplotlib,
    wrapped,
)
from gomoku_lab.plots.ratings import need_standings
from gomoku_lab.stats.estimate import probability_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection
    from matplotlib.colors import Colormap
    from matplotlib.text import Text

    from gomoku_lab.arena.standings import Standings

_NEVER_MET: Final = (0.5, 0.5, 0.5, 0.35)
_COLOUR_STEPS: Final = 64
_SQUARE: Final = np.array([(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)])
_FILLED: Final = 0.92
"""Share of a cell's side that its text may take."""
_LEAST_POINTS: Final = 3.5

_Shares = npt.NDArray[np.float64]


def plot_crosstable(standings: Standings, axes: Axes) -> None:
    """Draw what each player (row) scored against each other one (column), with n games a cell.

    Players stand in the order of the table; the columns are numbered by place. Of more than
    `MOST_NUMBERED` players, or where numbers do not fit into the cells, only the colours are shown,
    grey for those who never met.

    Raises
    ------
    TypeError
        If it is no table of ratings.
    """
    need_standings(standings)
    shares = _empty(standings)
    texts = {}
    for row, column, counts in _cells(standings):
        score = score_of_counts(counts)
        if score is not None:
            shares[row, column] = 100 * score
            texts[row, column] = f"{shares[row, column]:.1f} %\nn = {sum(counts)}"
    _draw(standings, shares, texts, axes, "score of the row's player, %")


def plot_los(standings: Standings, axes: Axes) -> None:
    """Draw the likelihood of superiority of each player (row) over each other one (column).

    n counts the games that the two played against each other; the probability rests on all games.

    Raises
    ------
    ValueError
        If there are no ratings.
    TypeError
        If it is no table of ratings.
    """
    need_standings(standings)
    if standings.ratings is None:
        raise ValueError(f"there are no ratings to compare: {standings.warnings[-1]}")
    matrix, names = standings.ratings.los_matrix(), standings.names
    places = [standings.ratings.table.index(name) for name in names]
    shares, texts = _empty(standings), {}
    for row, column, counts in _cells(standings):
        los = matrix[places[row]][places[column]]
        if los is not None:
            shares[row, column] = 100 * los
            texts[row, column] = f"{probability_text(los)}\nn = {sum(counts)}"
    _draw(standings, shares, texts, axes, "LOS of the row's player, %")


def _empty(standings: Standings) -> _Shares:
    size = len(standings.names)
    return np.full((size, size), np.nan)


def _cells(standings: Standings) -> list[tuple[int, int, Counts]]:
    """Return row, column and the row's (losses, draws, wins) of each two players."""
    counts: dict[tuple[str, str], Counts] = {}
    for met in standings.pairings:
        counts[met.first, met.second] = met.counts
        counts[met.second, met.first] = met.counts[2], met.counts[1], met.counts[0]
    names = list(enumerate(standings.names))
    return [
        (row, column, counts.get((name, opponent), (0, 0, 0)))
        for row, name in names
        for column, opponent in names
        if row != column
    ]


def _coloured(shares: _Shares, colours: Colormap) -> PathCollection:
    """Return the cells, those of one colour as one shape: thousands of squares are slow to draw."""
    from matplotlib.collections import PathCollection
    from matplotlib.colors import Normalize
    from matplotlib.path import Path

    steps = np.minimum(shares / 100 * colours.N, colours.N - 1)
    paths, middles = [], []
    for step in np.unique(np.floor(steps[~np.isnan(steps)])):
        rows, columns = np.nonzero(np.floor(steps) == step)
        corners = np.stack([columns, rows], axis=1)[:, np.newaxis, :] + _SQUARE
        codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
        paths.append(Path(corners.reshape(-1, 2), codes * len(rows)))
        middles.append(100 * (step + 0.5) / colours.N)
    cells = PathCollection(
        paths, cmap=colours, norm=Normalize(0, 100), linewidths=0, antialiaseds=False
    )
    cells.set_array(np.array(middles))
    return cells


def _draw(
    standings: Standings,
    shares: _Shares,
    texts: dict[tuple[int, int], str],
    axes: Axes,
    label: str,
) -> None:
    prepare_matplotlib()
    from matplotlib import colormaps

    size = len(shares)
    colours = colormaps[SCORE_COLOURS].resampled(_COLOUR_STEPS)
    mesh = axes.add_collection(_coloured(shares, colours), autolim=False)
    axes.update_datalim([(0, 0), (size, size)])  # without it the axes would pass for empty
    axes.set_xlim(0, size)
    axes.set_ylim(size, 0)
    axes.set_aspect("equal")
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    middles = np.arange(size) + 0.5
    axes.set_xticks(middles, [str(row.place) for row in standings.rows])
    axes.set_yticks(
        middles,
        [f"{wrapped(standings.labels[row.name])}  {row.place}" for row in standings.rows],
        parse_math=False,
    )
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("opponent, by place\nin the table")
    add_colour_bar(mesh, axes, label)
    numbers = [
        axes.text(
            column + 0.5,
            row + 0.5,
            text,
            ha="center",
            va="center",
            color=ink_on(colours(shares[row, column] / 100)),
            fontsize="small",
        )
        for (row, column), text in texts.items()
        if size <= MOST_NUMBERED
    ]
    if not _fit(numbers, axes, size):  # without a number, a level score would look like none
        axes.axhspan(0, size, color=_NEVER_MET, zorder=-1)


def _fit(numbers: Sequence[Text], axes: Axes, size: int) -> bool:
    """Make the numbers as small as their cells want it; take away those that nobody could read."""
    axes.apply_aspect()
    cell = _FILLED * axes.get_window_extent().width / size
    extents = [number.get_window_extent() for number in numbers]
    widest = max((max(extent.width, extent.height) for extent in extents), default=cell)
    points = min(1.0, cell / widest) * float(numbers[0].get_fontsize()) if numbers else 0.0
    for number in numbers:
        if points < _LEAST_POINTS:
            number.remove()
        else:
            number.set_fontsize(points)
    return points >= _LEAST_POINTS
