"""``gomoku-lab analyse``: every way to name a position, what is printed, and bad input."""

import json

import jsonschema
import pytest
from click.testing import CliRunner

from gomoku_lab.cli import analyse
from gomoku_lab.cli.main import main
from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import diagram
from gomoku_lab.game.schemas import load_schema
from gomoku_lab.players.registry import resolve
from gomoku_lab.suite.positions import load_positions

FAST = "layered/master:depth=3,time_ms=0,width=6"
QUIET = "h8i9g7i7h10g9"
SCHEMA = jsonschema.Draft202012Validator(load_schema("analysis"))


def run(*arguments, stdin=None, player=FAST):
    return CliRunner().invoke(main, ["analyse", "-p", player, *arguments], input=stdin)


def run_json(*arguments, **options):
    result = run(*arguments, "--json", **options)
    assert 0 == result.exit_code, result.stderr
    values = json.loads(result.stdout)
    SCHEMA.validate(values)
    return values


def without_times(values):
    layers = [{**layer, "time_ms": 0} for layer in values["layers"]]
    return {**values, "time_ms": 0, "layers": layers}


def test_text_shows_board_decision_layers_and_candidates():
    result = run(QUIET)
    assert 0 == result.exit_code
    assert f"{FAST}: at most depth 3; width 6, radius 2\n" in result.stdout
    assert "decided by  search: alpha-beta decided" in result.stdout
    assert "seen from black, the side to move, exact at depth 3" in result.stdout
    assert "\nlayers\ndepth  move" in result.stdout
    assert "\nroot candidates (— no exact score; a bound is no score)\n" in result.stdout
    assert "searched again" not in result.stdout
    assert "" == result.stderr


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("h8a1h9a3h10a5h11a7", "five: the side to move completes five"),
        ("h8a1h9a3h10a5h11", "block: the opponent would complete five: his five point is taken"),
        ("h8a1h9a3h10a5", "open-four: the side to move makes an open four"),
        (
            "h8a1h9a3h10",
            "break-open-four: the opponent could make an open four: a move after which he cannot",
        ),
    ],
)
def test_text_names_the_gate_in_the_words_of_the_glossary(moves, said):
    assert f"decided by  {said}\n" in run(moves).stdout


def test_json_holds_the_analysis_and_what_it_was_made_with():
    values = run_json(QUIET, "--exact", "2")
    spec = resolve(FAST)
    assert spec.name == values["player"]
    assert spec.config.to_dict() == values["config"]
    assert spec.config_hash == values["config_hash"]
    assert [1, 2, 3] == [layer["depth"] for layer in values["layers"]]
    assert 2 == len(values["exact"])
    assert all(root["depth"] == 3 and "score" in root for root in values["exact"])
    assert values["reproducible"] is True
    assert values["position"] is None


def test_S1_33_a_bound_is_printed_apart_from_the_scores():
    values = run_json(QUIET)
    bounds = [root["bound"]["value"] for root in values["roots"] if "score" not in root]
    assert bounds
    text = run(QUIET).stdout
    rows = text.split("root candidates")[1].splitlines()[2:]
    unknown = [row for row in rows if "<=" in row]
    assert len(bounds) == len(unknown)
    for row, bound in zip(unknown, bounds, strict=True):
        assert "—" == row.split()[1]
        assert row.endswith(f"<= {bound:+d}")


def test_S1_38_exact_replaces_every_dash_by_a_score_of_the_same_depth():
    values = run_json(QUIET, "--exact", "6")
    assert {root["move"] for root in values["roots"]} == {root["move"] for root in values["exact"]}
    shown = run(QUIET, "--exact", "6").stdout.split("exact scores\n")[1]
    assert "—" not in shown
    assert "<=" not in shown


def test_exact_depth_is_the_depth_of_the_exact_scores():
    values = run_json(QUIET, "--exact", "3", "--exact-depth", "2")
    assert [2, 2, 2] == [root["depth"] for root in values["exact"]]
    assert 3 == values["depth"]


def test_limits_replace_those_of_the_player():
    values = run_json(QUIET, "--depth", "2")
    assert 2 == values["depth"]
    assert 2 == values["config"]["depth"]
    values = run_json(QUIET, "--depth", "0", "--nodes", "300")
    assert (None, 300) == (values["config"]["depth"], values["config"]["nodes"])
    assert values["nodes"] <= 300
    assert run_json(QUIET, "--time-ms", "5000")["reproducible"] is False


def test_one_position_in_four_ways_has_one_analysis(tmp_path):
    position = next(one for one in load_positions() if one.kind == "quiet-block")
    drawn = diagram(position.board)
    file = tmp_path / "board.txt"
    file.write_text(drawn, encoding="utf-8")
    named = without_times(run_json(position.id))
    assert position.id == named["position"]
    anonymous = {**named, "position": None}
    assert anonymous == without_times(run_json(str(file)))
    assert anonymous == without_times(run_json("-", stdin=drawn))


def test_a_shipped_position_shows_its_proved_answer():
    position = next(one for one in load_positions() if one.kind == "must-block")
    shown = run(position.id).stdout
    assert f"{position.id} (must-block): {position.why}\n" in shown
    assert f"proved: {' '.join(position.best_names)}\n" in shown


def test_rule_and_size_hold_for_moves():
    values = run_json("c3d4", "--rule", "standard", "--size", "7")
    assert ("standard", 7) == (values["rule"], values["size"])
    empty = run_json("")
    assert (15, [], "h8") == (empty["size"], empty["moves"], empty["move"])


def test_a_finished_game_is_told_with_its_winner():
    moves = "h8a1h9a3h10a5h11a7h12"
    result = run(moves)
    assert 0 == result.exit_code
    assert "result      black has won" in result.stdout
    values = run_json(moves, "--exact", "2")
    assert ("over", None, []) == (values["gate"], values["move"], values["exact"])


def test_noise_is_left_out_and_that_is_said():
    noisy = "layered/novice:time_ms=0"
    result = run(QUIET, player=noisy)
    assert "It plays with noise 0.9, which is not applied here.\n" in result.stdout
    assert {"search"} == {run_json(QUIET, player=noisy)["gate"] for _ in range(5)}
    assert "noise" not in run(QUIET).stdout


def test_a_long_search_tells_its_layers_on_stderr(monkeypatch):
    monkeypatch.setattr(analyse, "_SILENT_SECONDS", 0.0)
    result = run(QUIET, "--json", "--exact", "2")
    told = [line.split("depth")[1].split()[0] for line in result.stderr.splitlines()[:-1]]
    assert ["1", "2", "3"] == told
    assert "exact scores" in result.stderr.splitlines()[-1]
    json.loads(result.stdout)
    assert "" == run(QUIET, "--quiet").stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["h8i9h8"], "h8 is occupied by black"),
        (["h8z3"], "move 'z3' is off the 15x15 board (a1..o15)"),
        (["h8i9j"], "not a move string at 'j': 'h8i9j'"),
        (["h8a1h9a3h10a5h11a7h12a9"], "the game is over: black has won"),
        (["a6", "--size", "5"], "off the 5x5 board"),
        (["h8", "--size", "4"], "size must be 5..20: 4"),
        (
            ["h8a1i8a3j10a5j11a7j8", "--rule", "renju"],
            "j8 is forbidden for black: double three",
        ),
        (["h8", "--rule", "gomoku"], "rule must be one of freestyle, standard, renju: 'gomoku'"),
        (["no-such-thing"], "unknown position 'no-such-thing'"),
        (["h8", "--exact-depth", "3"], "--exact-depth needs --exact N"),
        (["h8", "--depth", "65"], "depth must be 1..64: 65"),
        (["h8", "--depth", "0"], "no limit is set"),
    ],
)
def test_bad_input_ends_with_code_2_and_one_line(arguments, message):
    result = run(*arguments)
    assert 2 == result.exit_code
    assert message in result.stderr
    assert 1 == result.stderr.count("\n")
    assert "" == result.stdout


def test_an_almost_right_id_names_the_nearest():
    name = load_positions()[0].id
    result = run(name[:-1] + "_")
    assert 2 == result.exit_code
    assert f"did you mean {name!r}?" in result.stderr


def test_a_player_without_the_engine_is_refused():
    result = run("h8", player="python:package:Name")
    assert 2 == result.exit_code
    assert "families plain, layered and lab" in result.stderr
    assert "did you mean 'lab/max'?" in run("h8", player="lab/mx").stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("XX...\n.....\n.....\n.....\n.....", "unbalanced stones: black 2, white 0"),
        ("X....\n.Z...\n.....\n.....\n.....", "diagram line 2, character 2"),
        ("X....\n.O...", "a diagram must have 5..20 rows: 2"),
        ("XXXXX\n.....\nOOOOO\n.....\n.....", "both colours have five in a row"),
        ("X....\n.O...\n...\n.....\n.....", "diagram line 3: a board of 5 rows needs 5 points"),
    ],
)
def test_a_wrong_diagram_names_its_source_and_what_is_wrong(tmp_path, text, message):
    file = tmp_path / "board.txt"
    file.write_text(text, encoding="utf-8")
    for result, source in ((run("-", stdin=text), "stdin"), (run(str(file)), str(file))):
        assert 2 == result.exit_code
        assert result.stderr.startswith(f"error: {source}: ")
        assert message in result.stderr
        assert "" == result.stdout


def test_a_size_or_rule_that_contradicts_the_position_is_refused():
    freestyle = next(one for one in load_positions() if one.board.rule == "freestyle")
    result = run(freestyle.id, "--rule", "standard")
    assert 2 == result.exit_code
    assert "has the rule freestyle; --rule must agree: 'standard'" in result.stderr
    result = run("-", "--size", "6", stdin=diagram(Board(size=5)))
    assert "stdin has the size 5; --size must agree: 6" in result.stderr


def test_a_diagram_that_is_already_won_is_told_as_over():
    result = run("-", stdin="XXXXX\n.....\nOOOO.\n.....\n.....")
    assert 0 == result.exit_code
    assert "result      black has won" in result.stdout
