"""``gomoku-lab players``: the list, one player as a file, and wrong names."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gomoku_lab.cli.main import main
from gomoku_lab.players.registry import presets, resolve


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["players", *arguments])


def test_list_names_every_player_with_its_description_and_settings() -> None:
    result = run("list")
    assert result.exit_code == 0
    for name in presets():
        assert f"\n{name} " in f"\n{result.stdout}"
        assert resolve(name).description in result.stdout
    assert "depth=1,time_ms=90,width=8,noise=0.9" in result.stdout
    assert "python:package.module:Name" in result.stdout


def test_list_shows_only_the_players_asked_for() -> None:
    result = run("list", "layered/h*:nodes=50", "lab/max")
    names = [line.split()[0] for line in result.stdout.splitlines() if line[0] != " "]
    assert names == ["layered/hard:nodes=50", "lab/max"]


def test_list_as_json_holds_every_configuration() -> None:
    shown = json.loads(run("list", "--json").stdout)
    assert shown["schema"] == 1
    assert shown["players"] == [resolve(name).to_dict() for name in presets()]


@pytest.mark.parametrize("expression", ["layered/casual:weights.two=91", "python:bots:Bot"])
def test_show_prints_a_file_that_is_the_same_player(tmp_path: Path, expression: str) -> None:
    result = run("show", expression)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"# {expression}: ")
    assert resolve(expression).config_hash in result.stdout
    file = tmp_path / "copy.toml"
    file.write_text(result.stdout, encoding="utf-8")
    assert resolve(str(file)).config == resolve(expression).config


def test_show_says_whether_games_can_be_repeated() -> None:
    assert "not reproducible (it has a time limit)" in run("show", "layered/hard").stdout
    assert "not repro" not in run("show", "layered/hard:time_ms=0").stdout


def test_show_as_json_is_the_players_dictionary() -> None:
    shown = json.loads(run("show", "layered/hard:noise=0", "--json").stdout)
    assert shown == {"schema": 1, **resolve("layered/hard:noise=0").to_dict()}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "layered/hrd"], "unknown player 'layered/hrd'; did you mean 'layered/hard'?"),
        (["list", "nothing/*"], "unknown player 'nothing/*'"),
        (["show", "layered/*"], "one player is wanted, this names 5"),
        (["show", "lab/max:widht=2"], "did you mean 'width'?"),
        (["show", "lab/max:weights.open_four=2"], "rule B is broken"),
        (["show", "no/such.toml"], "no/such.toml: No such file or directory"),
    ],
)
def test_wrong_player_ends_with_code_2_and_one_line(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


@pytest.mark.parametrize("family", ["gomocup", "python"])
@pytest.mark.parametrize(("config", "found"), [("", "nothing"), ("[config]\nnodes = 9\n", "nodes")])
def test_a_file_without_a_target_says_so(
    tmp_path: Path, family: str, config: str, found: str
) -> None:
    file = tmp_path / "bot.toml"
    file.write_text(f'family = "{family}"\n{config}', encoding="utf-8")
    result = run("show", str(file))
    wanted = f"error: {file}: [config] the key 'target' is missing; found: {found}\n"
    assert (2, "", wanted) == (result.exit_code, result.stdout, result.stderr)
