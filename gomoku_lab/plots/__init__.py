"""Figures of the lab: each function draws a value on the matplotlib Axes that it is given.

Nothing is computed or saved here. Each figure names its units and how much it rests on (n), has
the colours of text and frames from matplotlib's settings, so that it can be light or dark, and
colours of data that are safe for colour-blind readers. A bound is an arrow or is left out; it is
never drawn or written as a score. Many labels have two lines: give the figure
``layout="constrained"``, which makes room for them.
"""

from gomoku_lab.plots.games import plot_game, plot_heat, plot_lengths
from gomoku_lab.plots.look import MOST_NUMBERED, prepare_matplotlib
from gomoku_lab.plots.matrices import plot_crosstable, plot_los
from gomoku_lab.plots.ratings import plot_ladder, plot_spacing
from gomoku_lab.plots.search import (
    plot_branching,
    plot_candidates,
    plot_changes,
    plot_nodes,
    plot_roots,
    plot_scores,
)
from gomoku_lab.plots.sequential import plot_sprt
from gomoku_lab.plots.tuning import plot_calibration, plot_trajectory

__all__ = [
    "MOST_NUMBERED",
    "plot_branching",
    "plot_calibration",
    "plot_candidates",
    "plot_changes",
    "plot_crosstable",
    "plot_game",
    "plot_heat",
    "plot_ladder",
    "plot_lengths",
    "plot_los",
    "plot_nodes",
    "plot_roots",
    "plot_scores",
    "plot_spacing",
    "plot_sprt",
    "plot_trajectory",
    "prepare_matplotlib",
]
