"""Analyses as data, text and HTML: what they say is exact, and a bound never passes for a score."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import boards, open_boards

from gomoku_lab.engine.analysis import Analysis, RootScore
from gomoku_lab.engine.analysis_view import (
    DASH,
    analysis_html,
    analysis_text,
    bound_text,
    score_text,
    summary,
)
from gomoku_lab.engine.config import EngineConfig, SearchLimits
from gomoku_lab.engine.engine import Engine
from gomoku_lab.engine.exact import with_exact
from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import parse_diagram
from gomoku_lab.game.glossary import gate_meaning, gate_names
from gomoku_lab.game.notation import parse_move
from gomoku_lab.game.schemas import load_schema
from gomoku_lab.kernels.layout import MATE

SCHEMA = jsonschema.Draft202012Validator(load_schema("analysis"))
QUIET = Board.from_moves("h8i9g7i7h10g9")
OPEN_FOUR_OF_BLACK = Board.from_moves("h8a1h9a3h10a5h11a7")
small = st.integers(5, 9)


@pytest.fixture(scope="module")
def engine():
    return Engine(EngineConfig(depth=3, width=6, table_bits=12))


def shared_engine(cache={}):  # noqa: B006  # one engine for all examples of a property
    if not cache:
        cache["engine"] = Engine(EngineConfig(depth=3, width=6, table_bits=12, threat_layer=False))
    return cache["engine"]


def as_json(found):
    return json.loads(json.dumps(found.to_dict()))


def root_lines(text):
    """Return the lines of the table of root candidates, each split at its columns."""
    table = text.split("root candidates")[1].split("\n\n")[0].splitlines()[1:]
    assert ["move", "score", "depth", "nodes", "bound"] == table[0].split()
    return [re.split(r"\s{2,}", line.strip()) for line in table[1:]]


def test_S1_31_an_analysis_holds_every_layer_and_root_candidates(engine):
    told = []
    found = engine.analyse(QUIET, on_layer=told.append)
    assert [1, 2, 3] == [layer.depth for layer in found.layers]
    assert tuple(told) == found.layers
    for before, layer in zip((None, *found.layers), found.layers, strict=False):
        assert layer.nodes > 0
        assert layer.time_ms >= 0
        assert layer.move == layer.pv[0]
        assert layer.changed == (before is not None and before.move != layer.move)
    last = found.layers[-1]
    assert (last.move, last.score, last.depth) == (found.move, found.score, found.depth)
    assert 6 == len(found.roots)
    assert RootScore(found.move, 3, score=found.score, nodes=found.roots[0].nodes) == found.roots[0]
    assert found.nodes == sum(layer.nodes for layer in found.layers)


@given(boards(sizes=small))
@settings(max_examples=60)
def test_S1_31_every_analysis_fits_its_schema(board):
    found = shared_engine().analyse(board)
    SCHEMA.validate(as_json(found))
    SCHEMA.validate(as_json(with_exact(shared_engine(), found, count=3)))


@given(open_boards(sizes=small))
@settings(max_examples=60)
def test_S1_33_a_root_score_is_exact_and_a_bound_bounds_it(board):
    engine = shared_engine()
    found = engine.analyse(board)
    moves = tuple(root.move for root in found.roots)
    exact = engine.exact_root(board, depth=found.depth, moves=moves)
    truth = {root.move: root.score for root in exact}
    assert found.score == max(truth.values())
    for root in found.roots:
        if root.score is None:
            assert "upper" == root.bound_kind
            assert truth[root.move] <= root.bound <= found.score
        else:
            assert truth[root.move] == root.score


@given(open_boards(sizes=small))
@settings(max_examples=60)
def test_S1_33_json_puts_a_bound_under_its_own_name(board):
    found = shared_engine().analyse(board)
    for root, written in zip(found.roots, as_json(found)["roots"], strict=True):
        assert (root.score is None) == ("score" not in written)
        assert (root.score is None) == ("bound" in written)
        if root.score is None:
            assert {"value": root.bound, "kind": "upper"} == written["bound"]


@given(open_boards(sizes=small))
@settings(max_examples=30)
def test_S1_33_text_and_html_show_a_dash_where_only_a_bound_is_known(board):
    found = shared_engine().analyse(board)
    rows = root_lines(analysis_text(found))
    assert [score_text(root.score) for root in found.roots] == [row[1] for row in rows]
    assert [bound_text(root) for root in found.roots if root.score is None] == [
        row[4] for row in rows if row[1] == DASH
    ]
    tables = ElementTree.fromstring(analysis_html(found)).findall(".//table")
    shown = [[cell.text for cell in row] for row in tables[-1].findall("tr")]
    assert ["move", "score", "depth", "nodes"] == shown[0]
    assert [score_text(root.score) for root in found.roots] == [row[1] for row in shown[1:]]


def test_S1_33_html_shows_no_bound_at_all(engine):
    found = replace(
        engine.analyse(QUIET), roots=(RootScore(7, 3, bound=123_456, bound_kind="upper"),)
    )
    assert "<= +123456" in analysis_text(found)
    assert "123456" not in analysis_html(found)


def test_S1_33_root_score_is_a_score_or_a_bound_with_its_kind():
    for wrong in ({}, {"score": 1, "bound": 2, "bound_kind": "upper"}):
        with pytest.raises(ValueError, match="either a score or a bound"):
            RootScore(7, 3, **wrong)
    with pytest.raises(ValueError, match="needs its kind"):
        RootScore(7, 3, bound=2)


def test_S1_38_each_printed_score_has_its_depth_and_its_position(engine):
    text = str(with_exact(engine, engine.analyse(QUIET), count=2, depth=2))
    assert "15x15 freestyle, 6 stones, black to move, moves h8i9g7i7h10g9" in text
    assert re.search(
        r"^score +\S+, seen from black, the side to move, exact at depth 3$", text, re.M
    )
    assert {"3"} == {row[2] for row in root_lines(text)}
    exact = text.split("exact scores\n")[1].splitlines()
    assert ["move", "score", "depth", "nodes"] == exact[0].split()
    assert ["2", "2"] == [line.split()[-2] for line in exact[1:]]


def test_S1_38_an_unknown_score_is_a_dash(engine):
    breaking = engine.analyse(Board.from_moves("h8a1h9a3h10"))
    assert ("break-open-four", None) == (breaking.gate, breaking.score)
    assert re.search(f"^score +{DASH}$", str(breaking), re.M)
    assert f"<td>score</td><td>{DASH}</td>" in analysis_html(breaking)


def test_a_proven_outcome_is_told_from_one_of_the_searched_tree(engine):
    proven = engine.analyse(OPEN_FOUR_OF_BLACK.undo())
    assert (-2, -2, "block") == (proven.mate, proven.proven, proven.gate)
    assert "loss in 2 plies, proven against every reply" in str(proven)
    assert "seen from white" in str(proven)
    searched = replace(engine.analyse(QUIET), mate=7, score=MATE - 7)
    assert "win in 7 plies in the searched tree" in str(searched)
    assert "not proven" in str(searched)


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (None, DASH),
        (0, "0"),
        (12, "+12"),
        (-3, "-3"),
        (MATE - 5, "win in 5"),
        (2 - MATE, "loss in 2"),
    ],
)
def test_scores_read_as_numbers_or_as_plies_to_the_end(score, text):
    assert text == score_text(score)


def test_exact_scores_come_best_first_with_the_chosen_move_among_them(engine):
    found = engine.analyse(QUIET)
    full = with_exact(engine, found, count=4)
    assert found == replace(full, exact=())
    assert 4 == len(full.exact)
    assert sorted((root.score for root in full.exact), reverse=True) == [
        root.score for root in full.exact
    ]
    assert (found.move, found.score, 3) == (
        full.exact[0].move,
        full.exact[0].score,
        full.exact[0].depth,
    )


def test_exact_scores_exist_where_a_gate_decided(engine):
    found = engine.analyse(OPEN_FOUR_OF_BLACK)
    assert ("five", ()) == (found.gate, found.roots)
    exact = with_exact(engine, found, count=3, depth=2).exact
    assert 3 == len(exact)
    assert (found.move, MATE - 1) == (exact[0].move, exact[0].score)
    assert {parse_move("h7", 15), parse_move("h12", 15)} == {root.move for root in exact[:2]}
    assert [MATE - 1, MATE - 1, MATE - 3] == [root.score for root in exact]


def test_without_gates_a_move_that_makes_five_scores_as_the_win_it_is():
    found = Engine(EngineConfig(depth=4, threat_layer=False)).analyse(OPEN_FOUR_OF_BLACK)
    assert (MATE - 1, 1, None) == (found.score, found.mate, found.proven)
    assert OPEN_FOUR_OF_BLACK.play(found.move).winner


def test_exact_scores_stop_at_their_limits_and_say_how_deep_they_went(engine):
    found = engine.analyse(QUIET)
    exact = with_exact(engine, found, count=3, depth=8, limits=SearchLimits(nodes=400)).exact
    assert 1 == len({root.depth for root in exact})
    assert 1 <= exact[0].depth < 8


def test_no_search_goes_deeper_than_there_are_empty_points():
    board = parse_diagram("XOXOX\nXOXOX\nOXOXO\nOXOXO\nX..OX")
    found = Engine(EngineConfig(depth=9, threat_layer=False)).analyse(board)
    assert [1, 2] == [layer.depth for layer in found.layers]
    assert (0, None) == (found.score, found.mate)
    engine = Engine(EngineConfig(depth=9))
    assert {2} == {root.depth for root in with_exact(engine, found, depth=9).exact}


def test_a_finished_board_has_no_exact_scores(engine):
    over = engine.analyse(OPEN_FOUR_OF_BLACK.play(parse_move("h12", 15)))
    assert over == with_exact(engine, over)
    assert "result      black has won" in str(over)
    assert "move " not in str(over)
    full = engine.analyse(parse_diagram("XOXOX\nXOXOX\nOXOXO\nOXOXO\nXOXOX"))
    assert "draw, the board is full" in str(full)


@pytest.mark.parametrize("count", [0, -1])
def test_exact_scores_of_no_move_are_refused(engine, count):
    with pytest.raises(ValueError, match=f"count must be 1 or more: {count}"):
        with_exact(engine, engine.analyse(QUIET), count=count)


def test_repr_is_one_line_and_says_what_matters(engine):
    found = engine.analyse(QUIET)
    assert f"<Analysis {summary(found)}>" == repr(found)
    assert "\n" not in repr(found)
    assert len(repr(found)) < 120
    assert repr(found).startswith("<Analysis 15x15 freestyle, search: ")
    assert "depth 3" in repr(found)
    assert "no move" in repr(engine.analyse(OPEN_FOUR_OF_BLACK.play(parse_move("h12", 15))))


def test_text_marks_the_move_the_candidates_and_the_last_move(engine):
    text = analysis_text(engine.analyse(QUIET))
    drawn, key = text.split("\n\n")[0].rsplit("\n", 1)
    points = [character for line in drawn.splitlines()[:-1] for character in line.split()[1:]]
    counts = {mark: points.count(mark) for mark in "XxOo*+"}
    assert {"X": 3, "x": 0, "O": 2, "o": 1, "*": 1, "+": 5} == counts
    assert "X black, O white, o last move, * the move, + other candidates" == key


def test_html_is_well_formed_and_holds_board_trace_and_candidates(engine):
    html = with_exact(engine, engine.analyse(QUIET), count=2)._repr_html_()
    tree = ElementTree.fromstring(html)
    assert 1 == len(tree.findall(".//{http://www.w3.org/2000/svg}svg"))
    captions = [caption.text for caption in tree.findall(".//caption")]
    assert ["layers", f"root candidates ({DASH} no exact score)"] == captions[:2]
    assert "searched again with a full window: exact scores" == captions[2]


def test_each_gate_has_a_meaning_to_print():
    assert all(gate_meaning(gate) for gate in gate_names())
    with pytest.raises(ValueError, match=r"gate must be one of five, block, .*: 'luck'"):
        gate_meaning("luck")


def test_the_schema_refuses_a_bound_among_exact_scores_and_a_move_after_the_end(engine):
    values = as_json(with_exact(engine, engine.analyse(QUIET), count=2))
    assert SCHEMA.is_valid(values)
    bound = {"move": "a1", "depth": 2, "bound": {"value": 3, "kind": "upper"}, "nodes": 4}
    assert SCHEMA.is_valid({**values, "roots": [bound]})
    assert not SCHEMA.is_valid({**values, "exact": [bound]})
    assert not SCHEMA.is_valid({**values, "gate": "over"})
    assert SCHEMA.is_valid({**values, "gate": "over", "move": None})


def test_analyses_compare_by_value():
    assert Analysis(board=QUIET, move=3, gate="random") == Analysis(
        board=QUIET, move=3, gate="random"
    )
