"""Every figure against a small picture of it, and what all figures have in common.

The pictures hold no words, whose shapes differ from one version of matplotlib to the next, and are
compared after averaging over small squares, with a tolerance. What the words say is tested as text.
After a wanted change they are made anew with GOMOKU_LAB_NEW_BASELINES=1 and looked at.
"""

import os
import tempfile
from functools import cache, partial
from io import BytesIO
from math import inf
from pathlib import Path

import numpy as np
import pytest
from matplotlib import image, rc_context, rcParamsDefault, style
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text
from plot_examples import DEEP, REVIEW, SHALLOW, SPRT, TUNING, analysis, examples

from gomoku_lab import plots
from gomoku_lab.engine.analysis import Analysis
from gomoku_lab.game.board import Board
from gomoku_lab.game.palette import LINE_COLOURS, POINT_COLOUR

BASELINES = Path(__file__).with_name("baselines")
NAMES = sorted(path.stem for path in BASELINES.glob("*.png"))
SQUARES = ("crosstable", "los", "heat", "calibration")
INCHES, DPI = (4.2, 3.1), 50
MOST_AT_A_PLACE, MOST_ON_AVERAGE = 0.16, 0.008
BLOCK = 4


@cache
def drawn():
    """Return what draws each figure."""
    with tempfile.TemporaryDirectory() as folder:
        return examples(Path(folder))


def figure_of(draw, inches=INCHES, dark=False):
    settings = {**style.library["dark_background"]} if dark else {}
    with rc_context({**settings, "font.family": "DejaVu Sans"}):
        figure = Figure(figsize=inches, dpi=DPI, layout="constrained")
        draw(figure.add_subplot())
        figure.savefig(BytesIO(), format="png", dpi=DPI)
    return figure


def wordless(draw):
    """Return a small picture of a figure without its words."""
    with rc_context({"font.family": "DejaVu Sans"}):
        figure = Figure(figsize=INCHES, dpi=DPI)
        draw(figure.add_axes((0.08, 0.08, 0.84, 0.84)))
        figure.draw_without_rendering()
        for words in figure.findobj(lambda artist: isinstance(artist, Text | Legend)):
            words.set_visible(False)
        buffer = BytesIO()
        figure.savefig(buffer, format="png", dpi=DPI)
    buffer.seek(0)
    return buffer


def blocks(source):
    """Return a picture as grey values 0..1, averaged over squares of `BLOCK` points."""
    grey = image.imread(source, format="png")[:, :, :3].mean(axis=2)
    height, width = (side // BLOCK * BLOCK for side in grey.shape)
    return grey[:height, :width].reshape(height // BLOCK, BLOCK, -1, BLOCK).mean(axis=(1, 3))


def differs(found, wanted):
    apart = np.abs(blocks(found) - blocks(wanted))
    return apart.max() > MOST_AT_A_PLACE or apart.mean() > MOST_ON_AVERAGE


def test_every_figure_has_a_picture():
    if os.environ.get("GOMOKU_LAB_NEW_BASELINES"):
        for name, draw in drawn().items():
            (BASELINES / f"{name}.png").write_bytes(wordless(draw).getvalue())
    assert sorted(drawn()) == sorted(path.stem for path in BASELINES.glob("*.png"))
    functions = {name for name in plots.__all__ if name.startswith("plot_")}
    assert functions == {draw.func.__name__ for draw in drawn().values()}


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_looks_like_its_picture(name):
    assert not differs(wordless(drawn()[name]), BASELINES / f"{name}.png")


def test_a_picture_notices_a_point_that_moved():
    moved = analysis(
        [("h10", 75_570, 12), ("h10", -8_094, 52), ("g9", 100_080, 258), ("g9", -17_466, 916)]
    )
    changed = wordless(lambda axes: plots.plot_scores(moved, axes))
    assert differs(changed, BASELINES / "scores.png")


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_a_figure_is_cut_off_at_notebook_and_paper_size(name):
    for inches, size in (((6.4, 4.8), 10), ((3.4, 3.4 if name in SQUARES else 2.6), 8)):
        with rc_context({"font.size": size}):
            figure = figure_of(drawn()[name], inches)
        whole = figure.get_tightbbox(FigureCanvasAgg(figure).get_renderer())
        assert -0.03 <= whole.x0
        assert -0.03 <= whole.y0
        assert whole.x1 <= inches[0] + 0.03
        assert whole.y1 <= inches[1] + 0.03


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("loc", ["left", "center"])
def test_a_title_meets_no_words_of_a_figure(name, loc):
    def draw(axes):
        drawn()[name](axes)
        axes.set_title("What the candidates are really worth", loc=loc)

    figure = figure_of(draw)
    axes, renderer = figure.axes[0], FigureCanvasAgg(figure).get_renderer()
    title = next(one for one in (axes.title, axes._left_title) if one.get_text())
    whole = title.get_window_extent(renderer)
    assert whole.y1 <= figure.bbox.y1 + 1
    assert axes.get_window_extent(renderer).y1 <= whole.y0
    for other in filter(None, [axes.get_legend(), *axes.texts]):
        assert not whole.overlaps(other.get_window_extent(renderer))


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_names_its_unit_and_how_much_it_rests_on(name):
    figure = figure_of(drawn()[name])
    axes = figure.axes[0]
    legend = axes.get_legend()
    words = " ".join(
        [
            *(one.get_ylabel() + " " + one.get_xlabel() for one in figure.axes),
            *(text.get_text() for text in (*axes.texts, *axes.get_yticklabels())),
            *(text.get_text() for text in (legend.get_texts() if legend else ())),
        ]
    )
    assert "n = " in words
    units = ("Elo", "%", "plies", "evaluation units", "nodes", "moves", "stones", "pairs", "visits")
    assert any(unit in words for unit in units)


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_can_be_dark(name):
    figure = figure_of(drawn()[name], dark=True)
    axes = figure.axes[0]
    assert axes.xaxis.label.get_color() == "white"
    inks = {text.get_color() for text in (*axes.get_xticklabels(), *axes.get_yticklabels())}
    assert inks == {"white"}
    if name not in ("crosstable", "los"):  # there the ink goes by the colour of the cell
        assert {text.get_color() for text in axes.texts} <= {"white", *LINE_COLOURS, POINT_COLOUR}


def luminance(colour):
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colour", [POINT_COLOUR, *LINE_COLOURS])
def test_the_colours_of_data_stand_out_on_black(colour):
    assert (luminance(colour) + 0.05) / 0.05 >= 3


@pytest.mark.parametrize("colour", [POINT_COLOUR, *LINE_COLOURS[:3]])
def test_the_first_colours_of_data_stand_out_on_white(colour):
    assert 1.05 / (luminance(colour) + 0.05) >= 3


def test_the_defaults_of_matplotlib_stay_as_they_are():
    from matplotlib import rcParams

    figure_of(drawn()["heat"])
    assert rcParamsDefault["text.color"] == rcParams["text.color"]


NAN = float("nan")


def without(values, key):
    return {name: value for name, value in values.items() if name != key}


OVER = Analysis(board=Board(), move=None, gate="over")


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda axes: plots.plot_scores(OVER, axes), "nothing was searched: the game is over"),
        (lambda axes: plots.plot_nodes({"x": OVER}, axes), "x: nothing was searched"),
        (lambda axes: plots.plot_roots(OVER, axes), "no root candidates: the game is over"),
        (lambda axes: plots.plot_changes([OVER], axes), "no search has two layers"),
        (
            lambda axes: plots.plot_branching(analysis([("h10", 1, 1)]), axes),
            "at least two layers: 1",
        ),
        (lambda axes: plots.plot_game(type(REVIEW)(Board(), (), 4), axes), "no move"),
        (lambda axes: plots.plot_lengths({"x": []}, axes), "x: there are no games"),
        (lambda axes: plots.plot_lengths({}, axes), "one set of games or more is wanted, not {}"),
        (lambda axes: plots.plot_nodes({}, axes), "one search or more is wanted, not {}"),
        (lambda axes: plots.plot_candidates({}, axes), "number of stones or more, with counts, is"),
        (lambda axes: plots.plot_candidates({4: []}, axes), "count or more for 4 stones is wanted"),
        (lambda axes: plots.plot_calibration([], axes), "one bin of predictions or more is wanted"),
        (lambda axes: plots.plot_sprt({}, axes), r"what sprt.json holds is wanted, not {}"),
        (lambda axes: plots.plot_sprt({**SPRT, "model": None}, axes), "model must be one of"),
        (lambda axes: plots.plot_sprt(without(SPRT, "lower"), axes), "there is no 'lower'"),
        (lambda axes: plots.plot_trajectory({}, axes), r"what tuning.json holds is wanted, not {}"),
        (lambda axes: plots.plot_trajectory(without(TUNING, "trajectory"), axes), "'trajectory'"),
        (
            lambda axes: plots.plot_trajectory({**TUNING, "parameters": []}, axes),
            "one tuned number or more is wanted",
        ),
        (lambda axes: plots.plot_heat(Board(), {}, axes, label="n"), "one point or more is wanted"),
        (lambda axes: plots.plot_heat(Board(), {3: NAN}, axes, label="n"), "finite number: nan on"),
        (lambda axes: plots.plot_heat(Board(), {"h8": -inf}, axes, label="n"), "-inf on 'h8'"),
        (lambda axes: plots.plot_heat(Board(), {225: 1}, axes, label="n"), r"point 0\.\.224"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_reason(draw, message):
    with pytest.raises(ValueError, match=message):
        draw(Figure().add_subplot())


class Foreign:
    """Of no kind that any figure shows."""


@pytest.mark.parametrize("name", NAMES)
def test_an_object_of_another_kind_is_refused_by_its_type(name):
    given = [Foreign(), 7]
    if not name.startswith(("changes", "calibration")):  # which take sequences
        given.append([DEEP])
    for value in given:
        draw = partial(drawn()[name].func, value, **drawn()[name].keywords)
        if name == "heat":
            draw = partial(draw, {"h8": 1})
        with pytest.raises(TypeError, match=f"wanted, not a value of type {type(value).__name__}"):
            draw(Figure().add_subplot())


def test_sets_of_another_kind_within_a_mapping_or_sequence_are_refused():
    for draw in (
        partial(plots.plot_changes, {"x": DEEP}),
        partial(plots.plot_nodes, {"x": Foreign()}),
        partial(plots.plot_lengths, {"x": Foreign()}),
    ):
        with pytest.raises(TypeError, match="wanted, not a value of type"):
            draw(Figure().add_subplot())


def test_one_analysis_is_as_good_as_a_set_of_one():
    for plot, several in ((plots.plot_nodes, {"search": DEEP}), (plots.plot_changes, [DEEP])):
        one, same = (figure_of(partial(plot, value)).axes[0] for value in (DEEP, several))
        assert [list(line.get_ydata()) for line in one.lines] == [
            list(line.get_ydata()) for line in same.lines
        ]


def test_many_series_are_told_apart_and_named_beside_the_axes():
    series = {f"series {number}": SHALLOW for number in range(12)}
    lengths = {name: [9 + number, 30] for number, name in enumerate(series)}
    for draw in (partial(plots.plot_nodes, series), partial(plots.plot_lengths, lengths)):
        axes = figure_of(draw, (7.0, 4.0)).axes[0]
        assert 12 == len({(line.get_color(), line.get_linestyle()) for line in axes.lines})
        assert axes.get_legend().get_window_extent().x0 >= axes.get_window_extent().x1


@pytest.mark.parametrize("name", ["candidates", "game", "lengths", "sprt", "trajectory"])
def test_what_is_counted_has_whole_ticks(name):
    ticks = figure_of(drawn()[name]).axes[0].get_xticks()
    assert all(float(tick).is_integer() for tick in ticks)


def test_a_heat_map_takes_names_of_points():
    heat = partial(plots.plot_heat, Board(), label="n")
    named = figure_of(partial(heat, {"a15": 1, "h8": 2})).axes[0].collections[0].get_array()
    assert (1, 2) == (named[0][0], named[7][7])


def test_scores_are_drawn_where_they_are_and_named():
    axes = figure_of(drawn()["scores"]).axes[0]
    points = [line for line in axes.lines if line.get_marker() == "o"]
    assert [layer.score for layer in DEEP.layers] == [line.get_ydata()[0] for line in points]
    assert ["h10", "h10", "g9", "g9"] == [text.get_text() for text in axes.texts]
    fills = [line.get_fillstyle() for line in points]
    assert ["full", "full", "none", "full"] == fills


def test_a_win_is_no_number_of_units_but_a_lane_of_its_own():
    axes = figure_of(drawn()["scores-win"]).axes[0]
    assert "h10, win in 3" == axes.texts[-1].get_text()
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert "win" in labels
    assert max(abs(end) for end in axes.get_ylim()) < 100_000


def test_the_bars_of_a_game_lead_from_the_best_score_to_the_one_played():
    axes = figure_of(drawn()["game"]).axes[0]
    bars = {round(bar.get_x() + bar.get_width() / 2): bar for bar in axes.patches}
    assert (1_900, -1_200) == (bars[5].get_y(), bars[5].get_height())
    assert (600, 1_800) == (bars[6].get_y(), bars[6].get_height())
    assert 0 == bars[7].get_height()
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert ["lost by Black (n = 1 of 3 moves)", "lost by White (n = 2 of 3 moves)"] == labels


def test_the_test_of_a_match_is_drawn_with_both_bounds():
    axes = figure_of(drawn()["sprt"]).axes[0]
    (way, *_) = axes.lines
    assert [0, 8, 16, 24, 32, 40] == list(way.get_xdata())
    assert [0.0, 0.31, -0.22, 0.95, 2.31, 3.12] == list(way.get_ydata())
    assert ["H1 accepted: 30 normalised Elo", "H0 accepted: 0 normalised Elo"] == [
        text.get_text() for text in axes.texts
    ]


def test_a_heat_map_shows_the_stones_and_the_values_where_they_are():
    axes = figure_of(drawn()["heat"]).axes[0]
    assert [(6, 8), (7, 7), (8, 6), (8, 8)] == sorted(patch.center for patch in axes.patches)
    shown = axes.collections[0].get_array()
    assert 0 == shown[9][5]
    assert 7 == shown[7][8]
    assert 8 == int((~np.ma.getmaskarray(shown)).sum())
