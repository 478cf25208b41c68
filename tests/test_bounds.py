"""A bound never appears as a score: in no text, table, page or figure, whatever was searched.

Alpha-beta proves of most root moves only that they are no better than the best one. Random boards
are searched; whatever shows the result may show exact scores, and nothing else, as scores.
"""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from strategies import boards

from gomoku_lab.engine.analysis import Analysis, RootScore
from gomoku_lab.engine.analysis_view import DASH, analysis_text, score_text
from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.engine import Engine
from gomoku_lab.engine.exact import with_exact
from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import move_name
from gomoku_lab.players.registry import resolve
from gomoku_lab.plots import plot_roots, plot_scores
from gomoku_lab.plots.look import score_label
from gomoku_lab.report.analysis import analysis_page

CONFIG = EngineConfig(depth=3, width=6, table_bits=12, threat_layer=False)
SPEC = resolve("layered/master:depth=3,time_ms=0,width=6")
ENGINES: list[Engine] = []
ODD = 987_654_321
"""Added to bounds: a number that no score, count or time comes near."""


def engine():
    if not ENGINES:
        ENGINES.append(Engine(CONFIG))
    return ENGINES[0]


@st.composite
def analyses(draw):
    """Draw an analysis of a random board, some candidates searched again; bounds are odd."""
    found = engine().analyse(draw(boards(sizes=st.integers(5, 9))))
    count = draw(st.integers(0, 3))
    if count:
        found = with_exact(engine(), found, count=count)
    roots = tuple(
        replace(root, bound=ODD + number) if root.bound is not None else root
        for number, root in enumerate(found.roots)
    )
    return replace(found, roots=roots)


class Tables(HTMLParser):
    """Collects the rows of all tables as lists of cells."""

    def __init__(self, text):
        super().__init__()
        self.rows, self._cell = [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self._cell = True

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self._cell = False

    def handle_data(self, data):
        if self._cell:
            self.rows[-1][-1] += data


def forms(found):
    """Return every way in which a bound of `found` could be written."""
    bounds = [root.bound for root in found.roots if root.bound is not None]
    return {form for bound in bounds for form in (str(bound), f"{bound:+d}", f"{bound:+,d}")}


def exact_scores(found):
    """Return the rows that a table of candidates must hold: move and score, in both tables."""
    return [
        (move_name(root.move, found.board.size), score_text(root.score))
        for root in (*found.roots, *found.exact)
    ]


def rows_of_candidates(html):
    rows = Tables(html).rows
    heads = [place for place, row in enumerate(rows) if row == ["move", "score", "depth", "nodes"]]
    return [
        tuple(row[:2])
        for row in rows[heads[0] if heads else len(rows) :]
        if len(row) == 4 and row[0] != "move"
    ]


@given(analyses())
@settings(max_examples=60, deadline=None)
def test_S1_33_no_page_and_no_notebook_holds_a_bound(found):
    for html in (found._repr_html_(), analysis_page(found, SPEC, ["gomoku-lab"])):
        plain = re.sub(r"<[^>]*>", " ", html)
        assert not [form for form in forms(found) if form in plain]
        assert exact_scores(found) == rows_of_candidates(html)


@given(analyses())
@settings(max_examples=60, deadline=None)
def test_S1_33_text_and_json_name_a_bound_as_one(found):
    text = analysis_text(found)
    for line in text.splitlines():
        assert not any(form in line for form in forms(found)) or " <= " in line or " >= " in line
    values = json.loads(json.dumps(found.to_dict()))
    scores = [root["score"] for root in values["roots"] if "score" in root]
    assert [root.score for root in found.roots if root.score is not None] == scores
    assert f'"score": {ODD}' not in json.dumps(values)
    assert all(layer["score"] < ODD for layer in values["layers"] if abs(layer["score"]) < 10**8)


@given(analyses())
@settings(max_examples=40, deadline=None)
def test_S1_33_no_table_for_pandas_holds_a_bound_as_a_score(found):
    frame = found.roots_frame()
    bounded = {move_name(root.move, found.board.size) for root in found.roots if root.bound}
    for row in frame.itertuples():
        assert pd.isna(row.score) or row.move not in bounded
        assert pd.isna(row.bound) == (row.move not in bounded)
    assert not [value for value in frame["score"].dropna() if value >= ODD and value < ODD + 99]


@given(analyses())
@settings(max_examples=40, deadline=None)
def test_S1_33_a_figure_numbers_exact_scores_alone(found):
    if not (found.roots or found.exact):
        return
    axes = Figure().add_subplot()
    plot_roots(found, axes)
    again = {root.move: root.score for root in found.exact}
    known = {root.move: root.score for root in found.roots if root.score is not None}
    wanted = sorted(score_label(score) for score in {**known, **again}.values())
    assert wanted == sorted(text.get_text() for text in axes.texts)
    arrows = [line for line in axes.lines if line.get_marker() in "<>"]
    assert sum(root.bound is not None for root in found.roots) == len(arrows)
    assert all(line.get_fillstyle() == "none" for line in arrows)
    solid = [line for line in axes.lines if line.get_marker() in ("o", "s")]
    assert len(known) + len(again) == len(solid)


@given(analyses())
@settings(max_examples=20, deadline=None)
def test_S1_33_the_figure_of_the_layers_holds_their_exact_scores_alone(found):
    if not found.layers:
        return
    axes = Figure().add_subplot()
    plot_scores(found, axes)
    points = [line for line in axes.lines if line.get_marker() == "o"]
    usual = [layer.score for layer in found.layers if abs(layer.score) < 10**8]
    heights = [float(line.get_ydata()[0]) for line in points]
    assert len(found.layers) == len(heights)
    assert set(map(float, usual)) <= set(heights)


def test_S1_38_a_candidate_with_a_bound_alone_shows_a_dash_everywhere():
    bounded = RootScore(7, 3, bound=ODD, bound_kind="upper")
    found = Analysis(board=Board(), move=7, gate="search", roots=(bounded,))
    assert [(move_name(7, 15), DASH)] == rows_of_candidates(found._repr_html_())
    assert f"{DASH}" in analysis_text(found)
