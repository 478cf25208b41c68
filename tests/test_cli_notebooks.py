"""``gomoku-lab notebooks``: the list with the questions, copies, opening, and what is refused."""

import json
import subprocess
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from notebook_tools import NOTEBOOKS

from gomoku_lab.cli import notebooks
from gomoku_lab.cli.main import main

FIRST = NOTEBOOKS[0].stem


def run(*words):
    return CliRunner().invoke(main, ["notebooks", *map(str, words)])


def test_every_notebook_is_listed_with_its_question():
    result = run()
    assert 0 == result.exit_code, result.stderr
    rows = [line.split(maxsplit=1) for line in result.stdout.splitlines()]
    assert [path.stem for path in NOTEBOOKS] == [name for name, _ in rows]
    assert all(question.strip().endswith("?") for _, question in rows)
    listed = json.loads(run("--json").stdout)["notebooks"]
    assert [one["file"] for one in listed] == [str(path) for path in NOTEBOOKS]
    assert rows == [[one["name"], one["question"]] for one in listed]


def test_notebooks_are_copied_and_nothing_is_overwritten_unless_forced(tmp_path):
    folder = tmp_path / "some" / "where"
    result = run("--copy", folder)
    assert 0 == result.exit_code, result.stderr
    assert sorted(folder.iterdir()) == [folder / path.name for path in NOTEBOOKS]
    copy = folder / NOTEBOOKS[0].name
    assert NOTEBOOKS[0].read_bytes() == copy.read_bytes()
    copy.write_text("mine", encoding="utf-8")
    again = run(FIRST[:2], "--copy", folder)
    assert 2 == again.exit_code
    assert f"error: {copy}: this file exists already; --force overwrites it\n" == again.stderr
    assert "mine" == copy.read_text(encoding="utf-8")
    assert f"{copy}\n" == run(FIRST[:2], "--copy", folder, "--force").stdout
    assert NOTEBOOKS[0].read_bytes() == copy.read_bytes()


def test_the_notebooks_that_ship_are_never_written_to():
    for words in ((), ("--force",), ("--open",)):
        result = run("--copy", NOTEBOOKS[0].parent, *words)
        assert 2 == result.exit_code
        assert "error: " in result.stderr


def test_a_link_to_a_notebook_that_ships_is_not_written_through(tmp_path):
    ships = NOTEBOOKS[0].read_bytes()
    for link in (tmp_path / NOTEBOOKS[0].name, tmp_path / NOTEBOOKS[1].name):
        link.symlink_to(NOTEBOOKS[0])
        result = run("--copy", tmp_path, "--force")
        assert (2, "") == (result.exit_code, result.stdout)
        assert f"error: {link}: this is a file that ships with the lab\n" == result.stderr
        assert ships == NOTEBOOKS[0].read_bytes()
        link.unlink()


def test_forcing_nothing_is_refused():
    result = run("--force")
    assert 2 == result.exit_code
    assert "error: --force overwrites copies: give --copy DIR as well\n" == result.stderr


@pytest.mark.parametrize("name", ["1", "01", "01-first-look", "01-first-look.ipynb"])
def test_a_number_names_a_notebook(name):
    assert [FIRST] == [line.split()[0] for line in run(name).stdout.splitlines()]


@pytest.mark.parametrize("name", ["nonsense", "0", ""])
def test_a_name_that_fits_none_or_several_is_refused(name):
    result = run(name)
    if len(NOTEBOOKS) == 1 and name != "nonsense":
        pytest.skip("there is one notebook")
    assert 2 == result.exit_code
    assert f"notebook: {name!r}" in result.stderr or f"notebooks fit: {name!r}" in result.stderr
    assert FIRST in result.stderr


def test_opening_works_on_copies_that_are_kept(tmp_path, monkeypatch):
    started = []

    def start(words, check):
        started.append(words[1:])
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    monkeypatch.setattr(subprocess, "run", start)
    monkeypatch.chdir(tmp_path)
    assert 0 == run(FIRST, "--open").exit_code
    copy = tmp_path / "gomoku-lab-notebooks" / NOTEBOOKS[0].name
    copy.write_text("mine", encoding="utf-8")
    assert 0 == run("--open", "--copy", "gomoku-lab-notebooks").exit_code
    assert "mine" == copy.read_text(encoding="utf-8")
    where = "gomoku-lab-notebooks"
    assert started == [
        ["-m", "jupyter", "lab", f"{where}/{NOTEBOOKS[0].name}"],
        ["-m", "jupyter", "lab", where],
    ]


def test_without_jupyterlab_opening_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.chdir(tmp_path)
    result = run("--open")
    assert 2 == result.exit_code
    assert "pip install 'gomoku-lab[notebooks]'" in result.stderr
    assert [] == list(tmp_path.iterdir())


def test_the_questions_are_those_of_the_files():
    for one in notebooks.shipped_notebooks():
        assert one.question
        assert "**" not in one.question
