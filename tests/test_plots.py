"""The figures: what they show, in words and numbers that a reader finds on them."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from made_runs import made_run
from matplotlib import colormaps, rc_context
from matplotlib.figure import Figure
from test_compare import EQUALS

from gomoku_lab.arena.compare import compare_runs
from gomoku_lab.arena.rate import rate_runs
from gomoku_lab.plots import (
    MOST_NUMBERED,
    plot_calibration,
    plot_crosstable,
    plot_ladder,
    plot_los,
    plot_spacing,
    plot_trajectory,
)
from gomoku_lab.plots.look import SCORE_COLOURS, ink_on, wrapped
from gomoku_lab.tuning.judging import Bin

RESULTS = {("a", "b"): "WL WW WD", ("a", "c"): "WW WL DD WW", ("b", "c"): "WL WW"}
SWEEP = {("a", "b"): "WW WW", ("a", "c"): "WW WW", ("b", "c"): "WL WD LW"}


def drawn(plot, standings):
    axes = Figure(layout="constrained").add_subplot()
    plot(standings, axes)
    axes.get_figure().draw_without_rendering()
    return axes


def rated(folder, results=RESULTS):
    return rate_runs([made_run(folder, results)])


def words(artists):
    return [artist.get_text() for artist in artists]


def test_the_ladder_names_every_player_with_its_number_of_games(tmp_path):
    standings = rated(tmp_path)
    axes = drawn(plot_ladder, standings)
    expected = [f"{row.name}\nn = {row.games}" for row in standings.rows]
    assert expected == words(axes.get_yticklabels())
    assert "a\nn = 14" == expected[0]


def test_the_ladder_says_its_unit_and_what_its_bars_are(tmp_path):
    label = drawn(plot_ladder, rated(tmp_path)).get_xlabel()
    assert all(part in label for part in ("Elo", "95 % interval", "n: games"))


def test_the_ladder_draws_value_and_interval_of_each_player(tmp_path):
    standings = rated(tmp_path)
    axes = drawn(plot_ladder, standings)
    assert [row.rating_text for row in standings.rows] == words(axes.texts)
    (bars,) = axes.containers
    for row, bar in zip(standings.rows, bars.lines[2][0].get_segments(), strict=True):
        ((low, _), (high, _)) = bar
        assert (low, high) == pytest.approx((row.rating.low, row.rating.high))


def test_everything_on_the_ladder_lies_inside_its_limits(tmp_path):
    for number, results in enumerate((RESULTS, SWEEP)):
        standings = rated(tmp_path / str(number), results)
        left, right = drawn(plot_ladder, standings).get_xlim()
        for row in standings.rows:
            for end in (row.rating.low, row.rating.value, row.rating.high):
                assert end is None or left < end < right


def test_a_bound_is_an_arrow_not_a_point(tmp_path):
    standings = rated(tmp_path, SWEEP)
    axes = drawn(plot_ladder, standings)
    (arrow,) = [line for line in axes.lines if line.get_marker() == ">"]
    assert standings.rows[0].rating.low == arrow.get_xdata()[0]
    assert axes.texts[0].get_text().startswith("> +")


def test_without_ratings_there_is_no_ladder_but_an_error_that_says_why(tmp_path):
    standings = rated(tmp_path, {("a", "b"): "WL WW", ("c", "d"): "WW DD"})
    with pytest.raises(ValueError, match="not all linked by games"):
        drawn(plot_ladder, standings)


def test_the_crosstable_shows_score_and_games_of_each_meeting(tmp_path):
    standings = rated(tmp_path)
    axes = drawn(plot_crosstable, standings)
    cells = {(t.get_position()[1], t.get_position()[0]): t.get_text() for t in axes.texts}
    assert 6 == len(cells)
    place = {name: number + 0.5 for number, name in enumerate(standings.names)}
    assert "75.0 %\nn = 6" == cells[place["a"], place["b"]]
    assert "25.0 %\nn = 6" == cells[place["b"], place["a"]]
    assert "75.0 %\nn = 8" == cells[place["a"], place["c"]]


def test_the_crosstable_names_rows_columns_and_the_meaning_of_colours(tmp_path):
    axes = drawn(plot_crosstable, rated(tmp_path))
    assert ["a  1", "b  2", "c  3"] == words(axes.get_yticklabels())
    assert ["1", "2", "3"] == words(axes.get_xticklabels())
    assert axes.get_xlabel()
    bar = axes.get_figure().axes[1]
    assert "score of the row's player, %" == bar.get_ylabel()


def test_players_that_never_met_have_an_empty_cell(tmp_path):
    axes = drawn(plot_crosstable, rated(tmp_path, {("a", "b"): "WL", ("c", "d"): "WW"}))
    assert 4 == len(axes.texts)


def test_the_crosstable_of_many_players_holds_colours_alone(tmp_path):
    names = [f"p{number}" for number in range(MOST_NUMBERED + 1)]
    axes = drawn(plot_crosstable, rated(tmp_path, dict.fromkeys(pairwise(names), "WL WD")))
    assert [] == list(axes.texts)
    assert len(names) == len(axes.get_yticklabels())
    (never_met,) = axes.patches
    assert never_met.get_zorder() < axes.collections[0].get_zorder()


@pytest.mark.parametrize("plot", [plot_los, plot_crosstable])
def test_numbers_stay_in_their_cells_and_the_label_off_the_colour_bar_at_paper_size(plot, tmp_path):
    standings = rated(tmp_path, dict.fromkeys(combinations("abcdefghi", 2), "WL WW WD"))
    with rc_context({"font.size": 7}):
        figure = Figure(figsize=(3.4, 2.6), layout="constrained")
        axes = figure.add_subplot()
        plot(standings, axes)
        figure.draw_without_rendering()
    cell = axes.get_window_extent().width / 9
    assert 72 == len(axes.texts)
    assert all(text.get_window_extent().width <= cell for text in axes.texts)
    label, bar = axes.xaxis.label.get_window_extent(), figure.axes[1].get_window_extent()
    assert label.x1 <= bar.x0


def test_numbers_that_nobody_could_read_are_left_out(tmp_path):
    names = [f"p{number}" for number in range(MOST_NUMBERED)]
    standings = rated(tmp_path, dict.fromkeys(pairwise(names), "WL WD"))
    axes = Figure(figsize=(2, 2), layout="constrained").add_subplot()
    plot_crosstable(standings, axes)
    assert [] == list(axes.texts)
    assert 1 == len(axes.patches)


def test_names_are_not_read_as_formulas(tmp_path):
    standings = rated(tmp_path, {("$x^2$", "lab/max"): "WL WD"})
    for plot in (plot_ladder, plot_crosstable):
        labels = drawn(plot, standings).get_yticklabels()
        assert any("$x^2$" in label.get_text() for label in labels)
        assert not any(label.get_parse_math() for label in labels)


def test_the_scores_can_be_read_on_every_colour():
    def luminance(colour):
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    for share in np.linspace(0, 1, 64):
        colour = colormaps[SCORE_COLOURS](share)
        ink = 1.0 if ink_on(colour) == "white" else 0.0
        light, dark = sorted((luminance(colour), ink), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5


@pytest.mark.parametrize(
    "name", ["lab/max", "layered/hard:nodes=2000,time_ms=0,width=12", "x" * 60]
)
def test_a_long_name_is_wrapped_and_keeps_its_letters(name):
    lines = wrapped(name).split("\n")
    assert name == "".join(lines)
    assert max(map(len, lines)) <= 26


def test_a_name_without_end_is_cut_after_three_lines():
    lines = wrapped("very/long:" + "option=1," * 40).split("\n")
    assert 3 == len(lines)
    assert lines[-1].endswith("…")


def tuned(keys=2):
    """Return what a study's ``tuning.json`` holds."""
    names = [f"key{number}" for number in range(keys)]
    return {
        "parameters": [
            {"key": name, "start": 10.0 * (number + 1), "value": 12, "estimate": 11.0}
            for number, name in enumerate(names)
        ],
        "trajectory": {
            "pairs": [0, 8, 16],
            "values": {
                name: [10.0 * (number + 1), 11.0 * (number + 1), 12.5 * (number + 1)]
                for number, name in enumerate(names)
            },
        },
    }


def test_a_trajectory_shows_how_far_every_number_is_from_its_start():
    axes = drawn(plot_trajectory, tuned())
    lines = [line for line in axes.lines if len(line.get_xdata()) == 3]
    assert [list(line.get_xdata()) for line in lines] == [[0, 8, 16]] * 2
    for line in lines:
        assert list(line.get_ydata()) == pytest.approx([0, 10, 25])
    dots = [line for line in axes.lines if len(line.get_xdata()) == 1]
    assert [dot.get_xdata()[0] for dot in dots] == [16, 16]
    assert [dot.get_ydata()[0] for dot in dots] == pytest.approx([10, -45])
    assert words(axes.get_legend().get_texts()) == ["key0: 10 to 12", "key1: 20 to 12"]
    assert "change from the start in %" in axes.get_ylabel()
    assert axes.get_xlabel() == "pairs of games (n = 16)"


def test_a_trajectory_of_many_numbers_tells_them_apart():
    axes = drawn(plot_trajectory, tuned(keys=14))
    lines = [line for line in axes.lines if len(line.get_xdata()) == 3]
    assert len({(line.get_color(), line.get_linestyle()) for line in lines}) == 14


def test_a_trajectory_that_has_not_begun_is_drawn():
    values = tuned()
    values["trajectory"] = {"pairs": [0], "values": {"key0": [10.0], "key1": [20.0]}}
    assert drawn(plot_trajectory, values).get_xlabel() == "pairs of games (n = 0)"


def spaced(folder, results, **options):
    comparison = compare_runs([made_run(folder, results)], **options)
    return comparison, drawn(plot_spacing, comparison)


def test_the_spacing_shows_every_neighbour_with_both_intervals(tmp_path):
    comparison, axes = spaced(tmp_path, RESULTS)
    neighbours = comparison.separation.neighbours
    expected = [f"{a}\nover {b}" for a, b in pairwise(comparison.separation.order)]
    assert expected == words(axes.get_yticklabels())
    assert [one.together.text(0) for one in neighbours] == words(axes.texts)
    bars = [tuple(line.get_xdata()) for line in axes.lines if len(line.get_xdata()) == 2]
    for one in neighbours:
        assert (one.together.low, one.together.high) in bars
        assert (one.difference.elo.low, one.difference.elo.high) in bars
    assert "Elo" in axes.get_xlabel()


def test_a_point_of_the_spacing_is_hollow_where_nothing_is_separated(tmp_path):
    comparison, axes = spaced(tmp_path, EQUALS)
    points = [line.get_fillstyle() for line in axes.lines if line.get_marker() == "o"]
    assert ["full" if one.is_separated else "none" for one in comparison.separation.neighbours] == (
        points
    )
    assert {"full", "none"} == set(points)


def test_a_bound_of_the_spacing_is_an_arrow(tmp_path):
    comparison, axes = spaced(tmp_path, SWEEP)
    arrows = [line for line in axes.lines if line.get_marker() == ">"]
    assert [comparison.separation.neighbours[0].together.low] == [
        float(line.get_xdata()[0]) for line in arrows
    ]
    _, turned = spaced(tmp_path / "turned", SWEEP, order="b,a")
    assert [line.get_marker() for line in turned.lines if line.get_marker() in "<>"] == ["<"]


def test_a_calibration_shows_every_bin_with_its_interval_beside_the_diagonal():
    bins = [
        Bin(predicted=p, observed=o, low=o - 0.05, high=o + 0.05, positions=90, games=n)
        for p, o, n in ((0.1, 0.12, 30), (0.5, 0.47, 60), (0.9, 0.93, 20))
    ]
    axes = drawn(plot_calibration, bins)
    (bars,) = axes.containers
    assert [10, 50, 90] == pytest.approx(bars.lines[0].get_xdata())
    assert [12, 47, 93] == pytest.approx(bars.lines[0].get_ydata())
    assert ["n = 30", "n = 60", "n = 20"] == words(axes.texts)
    assert "95 % interval" in axes.get_ylabel()
