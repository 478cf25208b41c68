"""What players spend on moves, and the games of the experiments, from Python."""

import tomllib
from pathlib import Path

import pytest

import gomoku_lab as gl
from gomoku_lab.arena.store import RunError
from gomoku_lab.players.effort import EFFORT_COLUMNS

ROOT = Path(__file__).resolve().parent.parent


def test_effort_is_what_each_player_says_of_each_move():
    boards = gl.mid_game_boards()[:3]
    names = ["minimax/hard:depth=2", "stages/3", "layered/hard:depth=2,time_ms=0"]
    frame = gl.search_effort(names, boards)
    assert {column.name: column.dtype for column in EFFORT_COLUMNS} == {
        name: str(dtype) for name, dtype in frame.dtypes.items()
    }
    assert [name for name in names for _ in boards] == list(frame["player"])
    assert [0, 1, 2] * 3 == list(frame["board"])
    assert [board.stones for board in boards] * 3 == list(frame["stones"])
    player = gl.make_player(names[0])
    assert [player.choose(board).nodes for board in boards] == list(frame["nodes"][:3])
    assert {0} == set(frame["nodes"][3:6])
    assert (frame["cpu_ms"] >= 0).all()
    short = gl.search_effort({"two plies": names[0]}, boards)
    assert {"two plies"} == set(short["player"])
    assert list(frame["nodes"][:3]) == list(short["nodes"])


def test_effort_without_boards_is_an_empty_table():
    assert 0 == len(gl.search_effort(["stages/1"], []))


@pytest.mark.parametrize("name", ["007-stages", "007"])
def test_an_experiment_is_found_by_its_name_or_number(name):
    run = gl.load_experiment(name)
    planned = tomllib.loads((ROOT / "experiments/007-stages/config.toml").read_text("utf-8"))
    assert planned["players"] == [ref.name for ref in run.refs]


def test_an_experiment_with_several_runs_wants_one_named():
    assert 2 == len(gl.load_experiment("024", "gate/nodes-10000").refs)
    with pytest.raises(RunError, match=r"no games are kept of '024', 'run'; there are: .*gate/"):
        gl.load_experiment("024")
    with pytest.raises(RunError, match="'nonsense'"):
        gl.load_experiment("nonsense")


def test_a_tournament_is_played_in_one_call(tmp_path):
    names = ["stages/1", "stages/2", "stages/3"]
    run = gl.play_tournament(names, games=2, jobs=1, out=tmp_path / "run")
    assert 6 == run.game_count
    assert names == [ref.name for ref in run.refs]
    passing = gl.play_tournament(names[2:], games=2, jobs=1, tournament_format="selfplay")
    assert [names[2]] == [ref.name for ref in passing.refs]


def test_the_suite_takes_expressions_and_gives_a_table():
    positions = gl.select_kinds(gl.load_positions(), ["must-win", "must-block"])
    result = gl.run_suite(["textbook/depth1", "stages/3"], positions, symmetries=False)
    frame = result.frame()
    assert ["textbook/depth1"] * 2 + ["stages/3"] * 2 == list(frame["player"])
    for row in frame.itertuples():
        tally = result.tally(row.player, row.kind)
        assert (tally.passed, tally.total, tally.rate) == (row.solved, row.asked, row.share)


def test_a_fit_and_a_study_take_one_call(tmp_path):
    base = "lab/v1:time_ms=0,nodes=100,vcf_nodes=0"
    run = gl.play_tournament(["pattern/easy"], games=240, tournament_format="selfplay", jobs=1)
    fit = gl.fit_runs([run], base=base)
    frame = fit.frame()
    assert [*map(tuple, fit.rows())] == [*frame.itertuples(index=False, name=None)]
    assert [one.name for one in fit.judgement.scores] == list(fit.judgement.frame()["name"])
    fitted = gl.fitted_player(fit, base, name="new")
    assert ("new", fit.config.weights, fit.config.defence, 100) == (
        fitted.name,
        fitted.config.weights,
        fitted.config.defence,
        fitted.config.nodes,
    )
    with pytest.raises(ValueError, match="model must be weights or table: 'tables'"):
        gl.fit_runs([run], model="tables")
    study = gl.tune(base, ["defence"], pairs=4, group=4, nodes=50, jobs=1, out=tmp_path / "study")
    assert study.tuning.is_complete
    assert study.tuning.to_dict() == gl.load_study(tmp_path / "study").tuning.to_dict()
