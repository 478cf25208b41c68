"""What the README shows works: the player of your own, the files and commands that it names."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest
from click.testing import CliRunner
from matplotlib import image

from gomoku_lab.cli.main import main
from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import parse_move
from gomoku_lab.players.families import FAMILIES
from gomoku_lab.players.registry import make_player

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def own_player() -> str:
    """Return the code of the README's player."""
    block = re.search(r"```python\n(# mybot\.py\n.*?)```", README, re.DOTALL)
    assert block is not None
    return block[1]


def test_a_player_of_your_own_takes_fifteen_lines() -> None:
    code = [line for line in own_player().splitlines() if line and not line.startswith("#")]
    assert len(code) <= 15


@pytest.mark.parametrize(
    ("moves", "right"),
    [("", {"h8"}), ("h8a1i8a2j8a3k8a4", {"g8", "l8"}), ("a1h8a2i8a3j8c9k8", {"g8", "l8"})],
)
def test_the_player_of_your_own_opens_wins_and_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: str, right: set[str]
) -> None:
    (tmp_path / "mybot.py").write_text(own_player(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    player = make_player("python:mybot:Longest")
    try:
        board = Board.from_moves(moves)
        chosen = player.choose(board).move
    finally:
        player.close()
    assert chosen in {parse_move(name, board.size) for name in right}


def examples() -> list[str]:
    """Return the code of the section `From Python`, block by block."""
    section = README.split("\n## From Python\n")[1].split("\n## ")[0]
    return re.findall(r"```python\n(.*?)```", section, re.DOTALL)


def test_there_are_six_examples_in_python() -> None:
    assert len(examples()) == 6


def test_a_trace_plot_of_a_pasted_position_takes_five_lines_in_an_empty_folder(
    tmp_path: Path,
) -> None:
    code = examples()[0]
    assert len([line for line in code.splitlines() if line.strip()]) <= 5
    environment = {**os.environ, "MPLBACKEND": "agg", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert [file.name for file in tmp_path.iterdir()] == ["trace.png"]
    picture = image.imread(tmp_path / "trace.png")
    assert len(np.unique(picture.reshape(-1, picture.shape[2]), axis=0)) > 20
    edges = (picture[0], picture[-1], picture[:, 0], picture[:, -1])
    assert all((edge == 1).all() for edge in edges)  # no label is cut off


@pytest.mark.parametrize("number", range(1, 6))
def test_an_example_in_python_runs_and_says_what_it_promises(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(compile(examples()[number], "README.md", "exec"), names)
    drawn = [figure.axes[0] for figure in map(plt.figure, plt.get_fignums())]
    plt.close("all")
    assert [] == list(tmp_path.iterdir())
    match number:
        case 1:
            assert len(names["table"]["exact_score"].dropna()) == 4
            assert names["table"]["bound"].notna().any()
            assert drawn[0].get_legend() is not None
        case 2:
            assert "root candidates" in capsys.readouterr().out
        case 3:
            assert len(names["games"]) == 20
            assert len(names["ratings"]) == 2
            assert "Elo" in drawn[0].get_xlabel()
        case 4:
            assert len(names["losses"]) == 11
            assert names["turned"].loss == names["losses"]["loss"].max() > 0
        case 5:
            said = capsys.readouterr().out
            assert said in ("found True\n", "refuted True\n")


def shown() -> list[tuple[str, list[str]]]:
    """Return the commands whose output does not take long, with what the README shows of it."""
    told = re.findall(r"^\$ gomoku-lab (.*)\n((?:(?!\$ |```).*\n)*)", README, re.MULTILINE)
    quick = ("elo ", "sprt ", "players list", "solve ", "positions show ", "compare ")
    return [
        (words, [part for part in re.split(r"^\.\.\.\n", output, flags=re.MULTILINE) if part])
        for words, output in told
        if words.startswith(quick) and output
    ]


def test_the_readme_shows_the_output_of_seven_quick_commands() -> None:
    assert len(shown()) == 7


@pytest.mark.parametrize(("words", "parts"), shown())
def test_a_command_prints_what_the_readme_shows(
    words: str, parts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    for name, family in list(FAMILIES.items()):
        if not family.adapter.startswith("gomoku_lab."):  # made by another test of this process
            monkeypatch.delitem(FAMILIES, name)
    done = CliRunner().invoke(main, shlex.split(words))
    assert done.exit_code in (0, 5)  # 5: a test that is undecided
    left = without_times(done.stdout)
    for part in map(without_times, parts):
        assert part in left
        left = left.partition(part)[2]


def without_times(text: str) -> str:
    return re.sub(r"[\d.]+ ms", "some ms", text)


def test_every_file_that_the_readme_names_exists() -> None:
    named = re.findall(r"`((?:experiments|tests|positions|\.ci)/[\w./-]*)`", README)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []
