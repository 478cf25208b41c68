"""The shipped JSON Schemas: valid themselves, and true of what the package writes."""

import json
from dataclasses import replace

import jsonschema
import pytest
from hypothesis import given
from made_runs import made_run
from strategies import boards
from test_record import records, short_record

from gomoku_lab.arena.rate import rate_runs
from gomoku_lab.engine.analysis import Analysis, Layer, RootScore
from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import diagram
from gomoku_lab.game.schemas import SCHEMAS, load_schema


def validator(name):
    return jsonschema.Draft202012Validator(load_schema(name))


GAME, ANALYSIS, POSITION = (validator(name) for name in ("game", "analysis", "position"))


def as_json(values):
    return json.loads(json.dumps(values))


def searched():
    """Return an analysis that fills every field."""
    board = Board.from_moves("h8i9")
    layer = Layer(depth=2, move=98, score=40, nodes=51, time_ms=0.25, pv=(98, 100), changed=True)
    return Analysis(
        board=board,
        move=98,
        gate="search",
        score=40,
        mate=5,
        pv=(98, 100),
        layers=(layer,),
        roots=(
            RootScore(move=98, depth=2, score=40, nodes=30),
            RootScore(move=100, depth=2, bound=12, bound_kind="upper", nodes=21),
        ),
        nodes=51,
        time_ms=0.4,
    )


def position(**changes):
    values = {
        "id": "win-1",
        "rule": "freestyle",
        "size": 15,
        "moves": "h8a1h9a2h10a3h11a4",
        "to_move": "black",
        "kind": "must-win",
        "best": ["h7", "h12"],
        "win_in": 1,
        "why": "Black has an open four.",
    }
    values.update(changes)
    return {key: value for key, value in values.items() if value is not None}


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_is_a_valid_schema(name):
    schema = load_schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert "https://json-schema.org/draft/2020-12/schema" == schema["$schema"]
    assert schema["title"]


@pytest.mark.parametrize("name", [name for name in SCHEMAS if name != "position"])
def test_every_written_format_demands_its_version(name):
    assert "schema" in load_schema(name)["required"]
    assert 1 == load_schema(name)["properties"]["schema"]["const"]


def test_an_unknown_schema_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=f"one of {', '.join(SCHEMAS)}: 'gmae'"):
        load_schema("gmae")


@given(records())
def test_every_game_record_fits_its_schema(record):
    GAME.validate(as_json(record.to_dict()))


@pytest.mark.parametrize(
    "change",
    [
        {"extra": 1},
        {"moves": "h8z9"},
        {"result": "red"},
        {"score": [0.5, 1]},
        {"time_ms": [-1, 0]},
        {"black": {"name": "me"}},
        {"schema": 2},
    ],
)
def test_a_wrong_game_record_does_not_fit(change):
    assert not GAME.is_valid({**as_json(short_record().to_dict()), **change})


@given(boards())
def test_the_analysis_of_any_board_fits_its_schema(board):
    move = next(iter(board.empty_points()), None)
    ANALYSIS.validate(as_json(Analysis(board=board, move=move, gate="random").to_dict()))


def test_an_analysis_with_layers_and_bounds_fits_its_schema():
    ANALYSIS.validate(as_json(searched().to_dict()))
    ANALYSIS.validate(as_json(replace(searched(), proven=-4, move=None, gate="over").to_dict()))


def test_a_bound_beside_or_in_place_of_a_score_does_not_fit():
    values = as_json(searched().to_dict())
    values["roots"][1]["score"] = 12
    assert not ANALYSIS.is_valid(values)
    del values["roots"][1]["score"], values["roots"][1]["bound"]
    assert not ANALYSIS.is_valid(values)


def test_a_position_fits_with_moves_or_a_diagram_but_not_with_both():
    text = diagram(Board.from_moves("h8i9"))
    POSITION.validate(position())
    POSITION.validate(position(moves=None, diagram=text))
    assert not POSITION.is_valid(position(diagram=text))
    assert not POSITION.is_valid(position(moves=None))


@pytest.mark.parametrize(
    "change", [{"kind": "mate"}, {"best": ["z9"]}, {"best": ["h7", "h7"]}, {"to_move": 1}]
)
def test_a_wrong_position_does_not_fit(change):
    assert not POSITION.is_valid(position(**change))


@pytest.fixture(scope="module")
def rated(tmp_path_factory):
    return made_run(
        tmp_path_factory.mktemp("runs") / "one", {("a", "b"): "WL WD", ("b", "c"): "WW"}
    )


def test_a_run_file_fits_its_schema_and_needs_every_key(rated):
    facts = as_json(rated.facts)
    validator("run").validate(facts)
    for key in facts:
        assert not validator("run").is_valid({k: v for k, v in facts.items() if k != key})
    assert not validator("run").is_valid({**facts, "extra": 1})


def test_ratings_fit_their_schema_and_need_every_key(rated):
    ratings = as_json(rate_runs([rated]).to_dict())
    validator("ratings").validate(ratings)
    for key in ratings:
        assert not validator("ratings").is_valid({k: v for k, v in ratings.items() if k != key})


def test_a_rating_is_an_interval_or_a_bound_but_never_a_lone_number(rated):
    ratings = as_json(rate_runs([rated]).to_dict())
    ratings["players"][0]["rating"] = 41.5
    assert not validator("ratings").is_valid(ratings)
