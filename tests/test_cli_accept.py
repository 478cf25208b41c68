import json

import pytest
import stub_players  # noqa: F401 - adds the family "stub"
from click.testing import CliRunner

from gomoku_lab.cli.main import main
from gomoku_lab.players.files import read_player_file

WINNER, LOSER = "stub:forward", "stub:illegal:after=9"


@pytest.fixture(scope="module")
def openings(tmp_path_factory):
    """An opening file with more pairs than the floor of a sequential test."""
    path = tmp_path_factory.mktemp("openings") / "many.txt"
    thirds = [f"{column}{row}" for column in "abcdefghi" for row in range(6, 10)]
    path.write_text("size: 9\n" + "".join(f"e5d5{third}\n" for third in thirds))
    return path


@pytest.fixture
def accept(tmp_path, openings):
    """Call the command with a small board and folder, in this process."""

    def call(*words, common=True):
        words = ["accept", *map(str, words)]
        if common:
            words += ["--sprt", "0,300", "--model", "logistic", "--size", "9", "-j", "1"]
            words += ["--openings", str(openings), "--run", str(tmp_path / "gate")]
        return CliRunner().invoke(main, words)

    return call


def test_an_accepted_candidate_is_written_and_exits_with_0(accept, tmp_path):
    out = tmp_path / "new.toml"
    done = accept(WINNER, "--over", LOSER, "--nodes", "10,20", "--out", out)
    assert done.exit_code == 0, done.output
    assert "verdict    accepted: stronger at every budget" in done.stdout
    assert "nodes=10   H1 accepted, LLR +" in done.stdout
    assert f"wrote {out}" in done.stderr
    file = read_player_file(out)
    assert list(file.provenance["verdicts"]) == ["nodes-10", "nodes-20"]
    assert file.provenance["commands"][0].startswith(f"gomoku-lab accept {WINNER} --over {LOSER}")


def test_a_rejected_candidate_is_not_written_and_exits_with_1(accept, tmp_path):
    out = tmp_path / "new.toml"
    done = accept(LOSER, "--over", WINNER, "--out", out)
    assert done.exit_code == 1, done.output
    assert "verdict      rejected at nodes=2000" in done.stdout
    assert "nodes=10000  not played" in done.stdout
    assert not out.exists()


def test_an_undecided_candidate_is_not_written_and_exits_with_5(accept, tmp_path):
    out = tmp_path / "new.toml"
    done = accept(WINNER, "--over", LOSER, "--games", 4, "--out", out)
    assert done.exit_code == 5, done.output
    assert "undecided: no verdict at nodes=2000 within the limit" in done.stdout
    assert not out.exists()


def test_json_is_what_the_folder_holds(accept, tmp_path):
    done = accept(WINNER, "--over", LOSER, "--time-ms", "5,10.5", "--depth", "3", "--json", "-q")
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    values = json.loads(done.stdout)
    assert values == json.loads((tmp_path / "gate" / "gate.json").read_text())
    found = [stage["budget"] for stage in values["stages"]]
    assert found == ["time_ms=5", "time_ms=10.5", "depth=3"]
    assert all(stage["strength"]["elo"]["low"] > 0 for stage in values["stages"])


def test_an_accepted_candidate_can_be_written_later(accept, tmp_path):
    accept(WINNER, "--over", LOSER)
    out = tmp_path / "new.toml"
    done = accept("--resume", tmp_path / "gate", "--out", out, common=False)
    assert done.exit_code == 0, done.output
    assert read_player_file(out).config.target == "forward"


def test_a_torn_gate_is_resumed_to_the_same_words(accept, tmp_path):
    whole = accept(WINNER, "--over", LOSER)
    for budget in ("nodes-2000", "nodes-10000"):
        log = tmp_path / "gate" / budget / "games.jsonl"
        log.write_bytes(log.read_bytes()[:-300])
    done = accept("--resume", tmp_path / "gate", common=False)
    assert done.exit_code == 0, done.output
    assert whole.stdout == done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([WINNER], "CANDIDATE --over BASE"),
        ([], "CANDIDATE --over BASE"),
        ([WINNER, "--over", "layred/hard"], "unknown player 'layred/hard'"),
        ([WINNER, "--over", WINNER], "nothing to test"),
        ([WINNER, "--over", LOSER, "--nodes", "10"], "at least two different budgets: nodes=10"),
        ([WINNER, "--over", LOSER, "--nodes", "10,x"], "--nodes must be numbers such as"),
        ([WINNER, "--over", LOSER, "--nodes", "10,0.5"], "nodes must be a whole number"),
        ([WINNER, "--over", LOSER, "--out", "x.json"], "called something.toml"),
        ([WINNER, "--over", LOSER, "--preset", "lab/max"], "is of family stub"),
        ([WINNER, "--over", LOSER, "--preset", "lab/max", "--out", "x.toml"], "give one"),
        ([WINNER, "--over", LOSER, "--openings", "book"], "what candidates are tuned on"),
        ([WINNER, "--over", LOSER, "--sprt", "9,0"], "elo0 must be below elo1"),
    ],
)
def test_bad_words_are_refused_before_anything_is_played(
    accept, tmp_path, openings, words, message
):
    first = ["--size", 9, "-j", 1, "--run", tmp_path / "gate"]
    if "--openings" not in words:
        first += ["--openings", openings]
    done = accept(*first, *words, common=False)
    assert done.exit_code == 2, done.output
    assert message in done.stderr
    assert not (tmp_path / "gate").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([WINNER], "leave out CANDIDATE"),
        (["--over", LOSER], "leave out --over"),
        (["--seed", 0], "leave out --seed"),
        (["--nodes", "1,2"], "leave out --nodes"),
        (["--alpha", "0.1"], "leave out --alpha"),
    ],
)
def test_what_was_begun_is_not_changed_by_resuming(accept, tmp_path, words, message):
    accept(WINNER, "--over", LOSER, "--games", 4)
    done = accept("--resume", tmp_path / "gate", *words, common=False)
    assert done.exit_code == 2
    assert message in done.stderr
