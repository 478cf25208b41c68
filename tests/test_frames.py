"""The tables for pandas: documented columns with fixed types, and the same numbers as elsewhere."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_runs import made_run
from strategies import boards
from test_imported import MIXED, imported
from test_study import plan

import gomoku_lab as gl
from gomoku_lab.arena.frames import ELO_COLUMNS, GAME_COLUMNS, PAIRING_COLUMNS, RATING_COLUMNS
from gomoku_lab.arena.imported import ImportedRun
from gomoku_lab.arena.rate import rate_runs
from gomoku_lab.arena.store import Run
from gomoku_lab.engine.analysis import Analysis
from gomoku_lab.engine.frames import LAYER_COLUMNS, ROOT_COLUMNS, make_frame
from gomoku_lab.game.notation import parse_move
from gomoku_lab.kernels.layout import MATE
from gomoku_lab.suite.result import SUITE_COLUMNS, SuiteResult
from gomoku_lab.tuning.fits import SCORE_COLUMNS, WEIGHT_COLUMNS, Judgement, WeightsFit
from gomoku_lab.tuning.frames import ESTIMATE_COLUMNS
from gomoku_lab.tuning.study import Study, run_study

RESULTS = {("a", "b"): "WL WW WD", ("a", "c"): "WW WL DD WW", ("b", "c"): "WL WW"}
SWEEP = {("a", "b"): "WW WW", ("a", "c"): "WW WW", ("b", "c"): "WL WD LW"}
CONFIG = gl.EngineConfig(depth=3, width=6, table_bits=12, threat_layer=False)


def types(frame):
    return {name: str(dtype) for name, dtype in frame.dtypes.items()}


def promised(columns):
    return {column.name: column.dtype for column in columns}


@pytest.mark.parametrize(
    ("method", "columns"),
    [
        (Run.games_frame, GAME_COLUMNS),
        (Run.ratings_frame, RATING_COLUMNS),
        (Run.pairings_frame, PAIRING_COLUMNS),
        (gl.elo_frame, ELO_COLUMNS),
        (SuiteResult.frame, SUITE_COLUMNS),
        (WeightsFit.frame, WEIGHT_COLUMNS),
        (Judgement.frame, SCORE_COLUMNS),
        (Analysis.layers_frame, LAYER_COLUMNS),
        (Analysis.roots_frame, ROOT_COLUMNS),
        (Study.estimates_frame, ESTIMATE_COLUMNS),
    ],
)
def test_the_documentation_names_every_column_and_type(method, columns):
    text = " ".join(method.__doc__.split())
    for column in columns:
        assert f"``{column.name}``" in text
        assert column.dtype in text
        assert column.meaning


def test_a_table_carries_what_its_columns_mean():
    frame = make_frame(LAYER_COLUMNS, [])
    assert promised(LAYER_COLUMNS) == types(frame)
    assert "plies" == frame.attrs["columns"]["depth"]
    assert 0 == len(frame)


def test_every_game_is_a_row(tmp_path):
    run = made_run(tmp_path, RESULTS, reasons=[("crash", "x")])
    frame, games = run.games_frame(), run.games()
    assert promised(GAME_COLUMNS) == types(frame)
    assert [game.id for game in games] == list(frame["game"])
    assert [game.plies for game in games] == list(frame["plies"])
    assert {1.0, 0.5, 0.0} == set(frame["black_score"])
    assert [game.is_forfeit for game in games] == list(frame["forfeit"])
    total = frame.groupby("black")["black_score"].sum() + (
        (1 - frame["black_score"]).groupby(frame["white"]).sum()
    )
    _, draws, wins = (np.array(counts) for counts in zip(*points(run), strict=True))
    assert list(wins + draws / 2) == list(total)


def points(run):
    rows = {row.name: row.counts for row in rate_runs([run]).rows}
    return [rows[name] for name in sorted(rows)]


def test_nodes_and_times_belong_to_the_colour_that_spent_them(tmp_path):
    run = gl.play_match(
        "layered/casual:time_ms=0,noise=0", "stages/1", games=2, jobs=1, out=tmp_path / "run"
    )
    for game, row in zip(run.games(), run.games_frame().itertuples(), strict=True):
        engine, other = (row.black_nodes, row.white_nodes)[:: 1 if row.game.endswith("a") else -1]
        assert 0 == other
        assert sum(game.nodes) == engine > 0
        assert sum(game.time_ms) == pytest.approx(row.black_time_ms + row.white_time_ms)


def test_ratings_are_those_of_the_standings(tmp_path):
    run = made_run(tmp_path, RESULTS)
    frame, rows = run.ratings_frame(), rate_runs([run]).rows
    assert promised(RATING_COLUMNS) == types(frame)
    for row, shown in zip(rows, frame.itertuples(), strict=True):
        assert (row.place, row.name, row.games) == (shown.place, shown.player, shown.games)
        assert (row.rating.value, row.rating.low) == (shown.rating, shown.low)
        assert "interval" == shown.kind
        assert row.score == shown.score


def test_S1_33_a_bound_is_no_rating(tmp_path):
    frame = made_run(tmp_path, SWEEP).ratings_frame()
    best = frame.iloc[0]
    assert "at least" == best["kind"]
    assert np.isnan(best["rating"])
    assert np.isnan(best["high"])
    assert best["low"] > 0
    assert set(frame["kind"][frame["rating"].isna()]) <= {"at least", "at most", "unknown"}


def test_S1_33_who_met_whom_is_a_table_in_which_a_bound_is_no_number(tmp_path):
    frame = made_run(tmp_path, SWEEP).pairings_frame()
    assert promised(PAIRING_COLUMNS) == types(frame)
    swept = frame[(frame["first"] == "a") & (frame["second"] == "b")].iloc[0]
    assert (4, 4, 0, 0, 1.0, "at least") == tuple(
        swept[["games", "wins", "draws", "losses", "score", "kind"]]
    )
    assert np.isnan(swept["elo"])
    assert not np.isnan(swept["low"])
    assert np.isnan(swept["high"])
    other = frame[frame["kind"] == "interval"].iloc[0]
    assert other["low"] < other["elo"] < other["high"]


def test_S1_33_the_elo_of_results_is_a_table_in_which_a_bound_is_no_number():
    frame = gl.elo_frame({"close": (1, 2, 9, 3, 2), "sweep": (0, 0, 0, 0, 20)})
    assert promised(ELO_COLUMNS) == types(frame)
    report = gl.estimate_elo((1, 2, 9, 3, 2))
    first = frame.iloc[0]
    assert ("close", 34, report.score, report.elo.value) == tuple(
        first[["what", "games", "score", "elo"]]
    )
    assert report.elo.text(0) == first["text"]
    assert np.isnan(frame["elo"][1])
    assert frame["text"][1].startswith("> +")


def test_players_that_are_not_linked_have_no_rating(tmp_path):
    frame = made_run(tmp_path, {("a", "b"): "WL", ("c", "d"): "WW"}).ratings_frame()
    assert frame["rating"].isna().all()
    assert {"unknown"} == set(frame["kind"])


@given(boards(sizes=st.integers(5, 9)))
@settings(max_examples=25, deadline=None)
def test_S1_33_a_table_of_candidates_never_holds_a_bound_as_a_score(board):
    found = gl.analyse(board, CONFIG, exact=2)
    frame = found.roots_frame()
    assert promised(ROOT_COLUMNS) == types(frame)
    truth = {root.move: root for root in found.roots}
    again = {root.move: root for root in found.exact}
    assert set(truth) | set(again) == {parse_move(name, board.size) for name in frame["move"]}
    for row in frame.itertuples():
        move = parse_move(row.move, board.size)
        root = truth[move]
        assert (root.score is None) == pd.isna(row.score)
        assert (root.score is None) == (not pd.isna(row.bound)) == (not pd.isna(row.bound_kind))
        assert pd.isna(row.score) or row.score == root.score
        assert pd.isna(row.exact_score) == (move not in again)
        assert pd.isna(row.exact_score) or row.exact_score == again[move].score


def test_a_candidate_that_was_searched_again_alone_has_a_row():
    found = gl.analyse("h8a1h9a3h10a5", gl.EngineConfig(depth=2, width=6), exact=2)
    assert () == found.roots
    frame = found.roots_frame()
    assert 2 == len(frame)
    assert frame["score"].isna().all()
    assert frame["exact_score"].notna().all()


@given(boards(sizes=st.integers(5, 9)))
@settings(max_examples=25, deadline=None)
def test_every_layer_is_a_row(board):
    found = gl.analyse(board, CONFIG)
    frame = found.layers_frame()
    assert promised(LAYER_COLUMNS) == types(frame)
    assert [layer.depth for layer in found.layers] == list(frame["depth"])
    assert [layer.score for layer in found.layers] == list(frame["score"])
    for row, layer in zip(frame.itertuples(), found.layers, strict=True):
        assert pd.isna(row.mate) or MATE - abs(int(row.mate)) == abs(layer.score)
    assert frame["branching"].iloc[:1].isna().all()
    assert frame["branching"].iloc[1:].notna().all()


def test_imported_games_have_the_same_columns(tmp_path):
    run = imported(tmp_path, *MIXED)
    assert isinstance(run, ImportedRun)
    assert promised(GAME_COLUMNS) == types(run.games_frame())
    assert promised(RATING_COLUMNS) == types(run.ratings_frame())


def test_a_study_is_a_table_of_points_and_one_of_estimates(tmp_path):
    study = run_study(plan(pairs=8), tmp_path / "study", jobs=1)
    values = study.tuning.to_dict()
    frame = gl.load_study(tmp_path / "study").frame()
    assert {"pairs": "int64", "skill": "float64", "out_of": "float64"} == types(frame)
    assert values["trajectory"]["pairs"] == list(frame["pairs"])
    assert values["trajectory"]["values"]["skill"] == list(frame["skill"])
    estimates = study.estimates_frame()
    assert promised(ESTIMATE_COLUMNS) == types(estimates)
    for one, row in zip(values["parameters"], estimates.itertuples(), strict=True):
        assert (one["key"], one["estimate"]) == (row.key, row.estimate)
        assert row.estimate == pytest.approx(row.start * (1 + row.change))
