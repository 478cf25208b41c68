"""The command ``positions mine``: what it writes, how it goes on after a stop, what it refuses."""

import json

import pytest
from click.testing import CliRunner

from gomoku_lab.cli.main import main
from gomoku_lab.suite import mining
from gomoku_lab.suite.positions import load_positions

WORDS = (
    "positions", "mine", "--rule", "standard", "--player", "lab/v1:nodes=300,time_ms=0", "--games",
    "4", "--failing", "layered/novice:noise=0,time_ms=0", "-k", "vcf", "-k", "break-vcf", "-q",
)  # fmt: skip
DRAWN = ("positions", "mine", "-k", "forbidden", "--rule", "renju", "--games", "60", "--quiet")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words):
    return CliRunner().invoke(main, list(words))


@pytest.fixture
def whole(folder):
    """Return what a search that nobody stopped writes, as bytes."""
    result = run(*WORDS, "--out", "whole.jsonl")
    assert result.exit_code == 0, result.output
    assert "written to whole.jsonl, after 4 searched" in result.stdout
    return (folder / "whole.jsonl").read_bytes()


def test_what_is_found_verifies_and_is_the_same_after_a_stop(folder, whole, monkeypatch):
    assert run("positions", "verify", "whole.jsonl").exit_code == 0
    search = mining.Miner.search

    def stopped(miner, number):
        if number == 2:
            raise KeyboardInterrupt
        return search(miner, number)

    monkeypatch.setattr(mining.Miner, "search", stopped)
    first = run(*WORDS, "--out", "again.jsonl")
    assert first.exit_code == 4
    assert "interrupted after 2 of 4" in first.stderr
    assert "again.jsonl.part; the same command goes on" in first.stderr
    assert not (folder / "again.jsonl").exists()
    monkeypatch.setattr(mining.Miner, "search", search)
    # A line that was torn off by a crash is searched again.
    part = folder / "again.jsonl.part"
    part.write_text(part.read_text() + '{"source": 2, "fin')
    other = run(*WORDS, "--seed", "1", "--out", "again.jsonl")
    assert other.exit_code == 2
    assert "seed was 0, not 1; repeat these, or delete the file" in other.stderr
    assert run(*WORDS, "--out", "again.jsonl").exit_code == 0
    assert whole == (folder / "again.jsonl").read_bytes()
    assert not part.exists()


def test_what_is_known_is_left_out_and_json_goes_to_stdout(whole):
    known = {one.board.cells for one in load_positions("whole.jsonl")}
    result = run(*WORDS, "--known", "whole.jsonl", "--out", "new.jsonl", "--json")
    if result.exit_code == 0:
        values = json.loads(result.stdout)
        assert values["schema"] == 1
        assert known.isdisjoint(one.board.cells for one in load_positions("new.jsonl"))
    else:
        assert "nothing found in 4 searched" in result.stderr


def test_games_of_a_run_are_searched(folder):
    played = run(
        "tournament", "--format", "selfplay", "-p", "lab/v1:nodes=300,time_ms=0", "--games", "4",
        "--out", "run", "-j", "1", "-q",
    )  # fmt: skip
    assert played.exit_code == 0, played.output
    words = ("positions", "mine", "run", "-k", "vcf", "--out", "found.toml")
    result = run(*words, "--failing", "stages/1")
    assert result.exit_code == 0, result.output
    assert "searching 4 games of run" in result.stderr
    for position in load_positions("found.toml"):
        assert position.kind == "vcf"
        assert position.origin.startswith("run game 1-1-000")
    refused = run(*words[:-1], "other.toml", "--rule", "renju")
    assert refused.exit_code == 2
    assert "run: no games under renju to search" in refused.stderr


def test_boards_are_drawn_where_forbidden_is_the_only_kind(folder):
    result = run(*DRAWN, "--out", "drawn.jsonl")
    assert result.exit_code == 0, result.output
    found = load_positions("drawn.jsonl")
    assert {"forbidden"} == {one.kind for one in found}
    assert found[0].origin.startswith("drawn by lot, seed 0, board ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--out", "found.csv"), "found.csv: a position file must end in .toml or .jsonl"),
        (("--kind", "must-win"), "kind must be one of vcf, vct, no-vcf, break-vcf, forbidden"),
        (("--kind", "forbidden"), "forbidden needs the rule renju: freestyle"),
        (("--rule", "frestyle"), "rule must be one of freestyle, standard, renju: 'frestyle'"),
        (("--failing", "layered/master"), "its moves depend on the clock"),
        (("--player", "lab/max"), "its moves depend on the clock"),
        (("--player", "minimax/hard:time_ms=0", "--rule", "renju"), "does not play the rule renju"),
        (("--count", "0"), "0 is not in the range x>=1"),
        (("--games", "x"), "'x' is not a valid integer"),
        (("nowhere",), "nowhere"),
    ],
)
def test_bad_words_exit_with_two_and_one_line(words, message):
    result = run("positions", "mine", "--out", "found.jsonl", *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_a_file_that_is_there_is_not_written_over(folder):
    (folder / "found.jsonl").write_text("mine\n")
    result = run("positions", "mine", "--out", "found.jsonl")
    assert result.exit_code == 2
    assert "found.jsonl: the file is there already" in result.stderr
    assert (folder / "found.jsonl").read_text() == "mine\n"
