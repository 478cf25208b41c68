"""The public names: `import gomoku_lab as gl`, and what each of them does in one call."""

import subprocess
import sys
from pathlib import Path

import pytest

import gomoku_lab as gl
from gomoku_lab.arena.store import RunError
from gomoku_lab.engine.settings import ConfigError
from gomoku_lab.game.diagrams import diagram
from gomoku_lab.players.registry import resolve

FAST = "layered/master:depth=3,time_ms=0,width=6"
QUIET = "h8i9g7i7h10g9"
ONE_PLY = "layered/novice:time_ms=0,noise=0"


def test_the_public_names_are_listed_and_can_be_had():
    for name in gl.__all__:
        assert getattr(gl, name) is not None
        assert name in dir(gl)
    wanted = {"Board", "Engine", "EngineConfig", "PatternWeights"}
    assert wanted | {"analyse", "play_match", "load_run", "solve"} <= set(gl.__all__)


def test_solving_looks_for_fours_first_and_then_for_threats():
    kinds = {}
    for position in gl.load_positions("mined"):
        if (
            position.kind in ("vcf", "vct")
            and kinds.setdefault(position.kind, position) is position
        ):
            found = gl.solve(position.board)
            assert (found.search, found.answer) == (position.kind, "found")
    assert kinds.keys() == {"vcf", "vct"}


def test_each_public_name_says_what_it_is_for():
    for name in set(gl.__all__) - {"__version__"}:
        assert getattr(gl, name).__doc__.strip().partition("\n")[0].endswith((".", ":"))


def test_a_name_that_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = gl.nonsense


def test_one_public_name_loads_no_more_than_it_needs():
    code = (
        "import sys, gomoku_lab as gl\n"
        "gl.Board.from_moves('h8')\n"
        "print(*(name for name in ('numba', 'pandas', 'matplotlib', 'scipy') if name in "
        "sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "" == done.stdout.strip()


@pytest.mark.parametrize("text", [QUIET, "h8 i9, g7 i7\n h10 g9", gl.Board.from_moves(QUIET)])
def test_moves_and_boards_are_analysed_alike(text):
    found = gl.analyse(text, FAST)
    assert gl.Board.from_moves(QUIET) == found.board
    assert [1, 2, 3] == [layer.depth for layer in found.layers]
    assert () == found.exact


def test_a_pasted_diagram_is_analysed():
    board = gl.Board.from_moves(QUIET)
    found = gl.analyse(diagram(board), FAST)
    assert board.cells == found.board.cells
    assert gl.analyse(board, FAST).move == found.move


def test_limits_replace_those_of_the_player():
    assert 2 == gl.analyse(QUIET, FAST, depth=2).depth
    assert gl.analyse(QUIET, FAST, depth=0, nodes=50).nodes < 400
    with pytest.raises(ConfigError, match="no limit is set"):
        gl.analyse(QUIET, FAST, depth=0)
    with pytest.raises(ConfigError, match="depth must be"):
        gl.analyse(QUIET, resolve(FAST), depth=65)


def test_exact_scores_come_on_request():
    found = gl.analyse(QUIET, FAST, exact=3, exact_depth=2)
    assert 3 == len(found.exact)
    assert {2} == {root.depth for root in found.exact}


def test_a_configuration_is_analysed_with_as_it_stands():
    weights = gl.PatternWeights(open_three=25_000)
    config = gl.EngineConfig(depth=2, width=6, weights=weights)
    assert gl.Engine(config).analyse(gl.Board.from_moves(QUIET)).score == (
        gl.analyse(QUIET, config).score
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"position": "h8h8"}, "h8 is occupied"),
        ({"position": "nonsense"}, "moves such as h8i9g7, or a diagram, a row a line: 'nonsense'"),
        ({"position": "h8\nzz9"}, r"a diagram must have 5\.\.20 rows: 2"),
        ({"position": gl.Board(), "size": 9}, "the board has the size 15; size must agree: 9"),
        ({"position": "h8", "exact": -1}, "exact must be a whole number from 0 up: -1"),
        ({"position": "h8", "exact": "3"}, "exact must be a whole number from 0 up: '3'"),
        ({"position": "h8", "exact_depth": 3}, "exact_depth needs exact, the number of moves: 3"),
        ({"position": diagram(gl.Board(size=9)), "size": 15}, "the diagram has the size 9"),
        ({"position": "h8", "player": "minimax/hard"}, "only the lab's own engine"),
        ({"position": "h8", "player": "lab/mx"}, "did you mean 'lab/max'"),
    ],
)
def test_what_cannot_be_analysed_is_refused_with_a_reason(arguments, message):
    with pytest.raises(ValueError, match=message):
        gl.analyse(**arguments)


@pytest.mark.parametrize(
    "call",
    [gl.analyse, gl.review, gl.solve, gl.solve_vcf, gl.solve_vct],
    ids=lambda one: one.__name__,
)
def test_what_is_no_position_is_refused_with_a_reason(call):
    for wrong in ("zz9", "h8x"):
        with pytest.raises(ValueError, match=f"a position must be moves .*: '{wrong}'"):
            call(wrong)
    for wrong in (None, 5, b"h8"):
        with pytest.raises(TypeError, match=r"a position must be a Board, moves .*: "):
            call(wrong)


def test_a_text_is_solved_and_counted_like_its_board():
    text = "h8a1h9a3h10a5"
    board = gl.Board.from_moves(text)
    for call in (gl.solve, gl.solve_vcf, gl.solve_vct):
        assert call(board).wins == call(text).wins
    assert gl.count_candidates([board]) == gl.count_candidates([text])
    assert ["h8"] == list(gl.search_effort(["stages/2"], [""])["move"])


def test_one_player_alone_need_be_no_list():
    assert {"stages/2"} == set(gl.search_effort("stages/2", ["h8"])["player"])
    position = gl.select_kinds(gl.load_positions(), ["must-win"])[0]
    assert ["stages/2"] == [one.name for one in gl.run_suite("stages/2", [position]).players]


def test_what_is_no_player_is_refused_with_a_reason():
    for call in (gl.analyse, gl.review):
        with pytest.raises(TypeError, match="a name, a PlayerSpec or an EngineConfig: None"):
            call("h8", None)


def test_a_match_is_played_in_one_call(tmp_path):
    options = {"games": 4, "jobs": 1, "seed": 3}
    run = gl.play_match(ONE_PLY, "stages/2", out=tmp_path / "match", **options)
    assert 4 == run.game_count
    assert run.is_complete
    assert [ONE_PLY, "stages/2"] == [ref.name for ref in run.refs]
    moves = [game.moves for game in gl.load_run(tmp_path / "match").games()]
    passing = gl.play_match(ONE_PLY, resolve("stages/2"), **options)
    assert moves == [game.moves for game in passing.games()]
    with pytest.raises(RunError, match="there is a run in this folder already"):
        gl.play_match(ONE_PLY, "stages/2", out=tmp_path / "match", **options)


def test_every_value_says_on_one_line_what_it_is():
    run = gl.play_match("stages/3", "stages/2", games=2, jobs=1)
    position = gl.select_kinds(gl.load_positions(), ["must-win"])[0]
    values = [
        gl.Board(),
        gl.analyse(QUIET, FAST),
        gl.solve(QUIET),
        gl.review(QUIET, FAST, depth=2),
        run,
        run.games()[0],
        gl.rate_runs([run]),
        gl.compare_runs([run]),
        gl.run_suite("stages/3", [position]),
    ]
    for value in values:
        assert repr(value).startswith("<")
        assert "\n" not in repr(value)
        assert len(repr(value)) < 250


@pytest.mark.parametrize("call", [gl.rate_runs, gl.compare_runs, gl.fit_runs])
def test_what_is_no_list_of_runs_is_refused_with_a_reason(call):
    run = gl.load_experiment("007-stages")
    for wrong in (run, "runs/levels", ["runs/levels"], [run, None]):
        with pytest.raises(TypeError, match="runs must be a list of what load_run returns, not "):
            call(wrong)


def test_the_empty_name_is_no_folder_for_a_match(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="out must name a folder: ''"):
        gl.play_match("stages/1", "stages/2", games=2, jobs=1, out="")
    assert [] == list(tmp_path.iterdir())


def test_a_match_without_a_folder_leaves_nothing_behind():
    code = (
        "import gomoku_lab as gl\n"
        "run = gl.play_match('stages/1', 'stages/2', games=2, jobs=1)\n"
        "print(run.path.parent, run.path.exists())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    folder, existed = done.stdout.split()
    assert "True" == existed
    assert not Path(folder).exists()
