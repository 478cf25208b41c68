"""``gomoku-lab fit``: from run folders to a player or a table, and what it refuses."""

import json

import pytest
from arena_tools import openings_file
from click.testing import CliRunner
from made_runs import made_run

from gomoku_lab.cli.main import main
from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.learned import load_table
from gomoku_lab.game.board import Board
from gomoku_lab.players.files import read_player_file
from gomoku_lab.players.registry import make_player, resolve


def lab(*words):
    return CliRunner().invoke(main, list(map(str, words)))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Play 160 games of a player that draws its moves."""
    folder = tmp_path_factory.mktemp("fit")
    words = ["-p", "stub:random", "--format", "selfplay", "--games", 160, "--size", 7, "-q"]
    words += ["--openings", openings_file(folder), "--jobs", 1, "--out", folder / "run"]
    done = lab("tournament", *words)
    assert done.exit_code == 0, done.output
    return folder / "run"


@pytest.fixture(scope="module")
def fitted(run, tmp_path_factory):
    out = tmp_path_factory.mktemp("table") / "table.json"
    done = lab("fit", run, "--model", "table", "--out", out)
    assert done.exit_code == 0, done.output
    return out, done


def test_a_table_is_written_with_where_it_comes_from(run, fitted):
    out, done = fitted
    table = load_table(str(out))
    facts = table.facts
    assert 160 == facts["games"]
    assert 64 == len(facts["runs"][str(run)]["games_sha256"])
    assert facts["command"].startswith(f"gomoku-lab fit {run} --model table")
    assert facts["positions"] > facts["settled_positions"] > 0
    assert table.own_error is not None
    lines = done.stdout.splitlines()
    assert lines[0].startswith("learned from  ")
    for words in ("held-out games foretold by", "codes and threats", "foretold", "chosen: "):
        assert any(line.startswith(words) for line in lines)
    assert f"gomoku-lab accept lab/v1:evaluation={out} --over lab/v1" in done.stderr


def test_a_fitted_table_can_be_played_and_shown(fitted):
    out, _ = fitted
    expression = f"lab/max:time_ms=0,nodes=200,evaluation={out}"
    assert make_player(expression).choose(Board.from_moves("h8i9")).move is not None
    shown = lab("players", "show", expression).stdout
    assert "# The learned evaluation, in thousandths of a log-odds unit" in shown
    values = json.loads(lab("players", "show", expression, "--json").stdout)
    assert {"scale", "tempo", "valuable", "threats"} <= values["evaluation"].keys()


def test_what_players_show_prints_of_a_learned_evaluation_is_still_a_player(fitted, tmp_path):
    out, _ = fitted
    expression = f"lab/max:evaluation={out}"
    file = tmp_path / "own.toml"
    file.write_text(lab("players", "show", expression).stdout)
    assert resolve(str(file)).config == resolve(expression).config


def test_weights_become_a_player_file_with_where_it_comes_from(run, tmp_path):
    out = tmp_path / "own.toml"
    done = lab("fit", run, "--model", "weights", "--out", out, "--base", "layered/hard", "--json")
    assert done.exit_code == 0, done.output
    values = json.loads(done.stdout)
    spec = resolve(str(out))
    assert isinstance(spec.config, EngineConfig)
    weights = spec.config.weights
    for name, row in values["weights"].items():
        found = spec.config.defence if name == "defence" else getattr(weights, name)
        assert row["fitted"] == found
        assert row["error"] >= 0
    assert weights.five >= 4 * (weights.open_four + weights.open_three)
    assert resolve("layered/hard").config.depth == spec.config.depth
    told = read_player_file(out).provenance
    assert {"command", "runs", "seed", "games", "held_out"} <= told.keys()
    assert told == {key: values["facts"][key] for key in told}
    assert "layered/hard" == values["facts"]["base"]
    assert 10 >= len(values["judgement"]["calibration"]) > 0


def test_fitted_weights_are_what_the_player_evaluates_by(run, tmp_path):
    out = tmp_path / "own.toml"
    assert resolve("lab/max").config.evaluation != "hand"
    done = lab("fit", run, "--model", "weights", "--out", out, "--base", "lab/max", "-q")
    assert done.exit_code == 0, done.output
    assert resolve(str(out)).config.evaluation == "hand"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--model", "table", "--out", "x.toml"], "--out must end in .json for --model table"),
        (["--model", "weights", "--out", "x.json"], "--out must end in .toml for --model weights"),
        (["--model", "table", "--out", "nowhere/x.json"], "nowhere: no such folder"),
        (
            ["--model", "table", "--out", "x.json", "--base", "pattern/hard"],
            "--base must be a player of the engine",
        ),
        (["--model", "tables", "--out", "x.json"], "'tables' is not one of"),
    ],
)
def test_bad_words_are_refused_before_anything_is_read(run, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    done = lab("fit", run, *words)
    assert 2 == done.exit_code
    assert message in done.stderr
    assert [] == list(tmp_path.iterdir())


def test_a_file_that_is_there_is_kept(run, fitted):
    out, _ = fitted
    done = lab("fit", run, "--model", "table", "--out", out)
    assert 2 == done.exit_code
    assert f"{out}: there is a file already" in done.stderr


def test_runs_without_anything_to_learn_are_refused(tmp_path):
    out = tmp_path / "x.json"
    made_run(tmp_path / "few", {("a", "b"): "WL WW"})
    done = lab("fit", tmp_path / "few", "--model", "table", "--out", out)
    assert 2 == done.exit_code
    assert "4 games of 2 different openings" in done.stderr
    forfeits = [("illegal move", "x")] * 4
    made_run(tmp_path / "forfeits", {("a", "b"): "WL WW"}, reasons=forfeits)
    done = lab("fit", tmp_path / "forfeits", "--model", "table", "--out", out)
    assert 2 == done.exit_code
    assert "no position to learn from: 4 forfeited" in done.stderr
    made_run(tmp_path / "empty", {("a", "b"): "WL"})
    (tmp_path / "empty" / "games.jsonl").write_text("")
    done = lab("fit", tmp_path / "empty", "--model", "table", "--out", out)
    assert "no position to learn from: no finished games" in done.stderr
    done = lab("fit", tmp_path / "empty", tmp_path / "empty", "--model", "table", "--out", out)
    assert "the same run is given twice" in done.stderr
    done = lab("fit", tmp_path, "--model", "table", "--out", out)
    assert "no run in this folder" in done.stderr


def test_imported_games_are_learned_from_where_their_rule_is_known(run, tmp_path):
    games = tmp_path / "games.jsonl"
    lines = [json.loads(line) for line in (run / "games.jsonl").read_text().splitlines()]
    for number, values in enumerate(lines):  # nobody imports games against oneself
        values["white"]["name"], values["pair"], values["id"] = "other", "", f"game-{number}"
    games.write_text("".join(f"{json.dumps(values)}\n" for values in lines))
    table = tmp_path / "results.txt"
    table.write_text("a - b: 3 : 4\n")
    taken = lab("import", games, "--out", tmp_path / "taken")
    assert 0 == taken.exit_code, taken.output
    done = lab("fit", tmp_path / "taken", "--model", "table", "--out", tmp_path / "x.json", "-q")
    assert 0 == done.exit_code, done.output
    assert "160 games" in done.stdout
    taken = lab("import", table, "--out", tmp_path / "counts")
    assert 0 == taken.exit_code, taken.output
    done = lab("fit", tmp_path / "counts", "--model", "table", "--out", tmp_path / "y.json")
    assert 2 == done.exit_code
    assert "rule of games to learn from must be freestyle or standard: not known" in done.stderr


def test_an_order_is_fitted_to_chosen_moves_and_can_be_played(run, tmp_path):
    out = tmp_path / "order.json"
    done = lab("fit", run, "--model", "order", "--out", out)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert " positions of 160 games" in lines[0]
    assert any(line.startswith("the chosen move is among the first") for line in lines)
    assert f"lab/v1:selective=true,move_order={out} --over lab/v1" in done.stderr
    table = load_table(str(out), "move_order")
    assert table.facts["positions"] > 0
    player = make_player(f"lab/max:time_ms=0,nodes=200,selective=true,move_order={out}")
    assert player.choose(Board.from_moves("h8i9")).move is not None
    again = lab("fit", run, "--model", "order", "--out", tmp_path / "again.json", "--json")
    assert json.loads(again.stdout)["hash"] == table.digest
