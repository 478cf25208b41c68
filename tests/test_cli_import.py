"""``gomoku-lab import``: what it takes, says and leaves out, and that the run can be rated."""

import json

import jsonschema
import pytest
from click.testing import CliRunner
from foreign_games import foreign_game
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_runs import made_run

from gomoku_lab.arena.imported import load_any_run
from gomoku_lab.arena.rate import rate_runs
from gomoku_lab.cli.main import main
from gomoku_lab.game.formats.catalogue import find_format
from gomoku_lab.game.formats.writing import write_games
from gomoku_lab.game.schemas import load_schema

RUN, RATINGS = load_schema("run"), load_schema("ratings")
TABLE = "A - B: 21 : 3\nB - C: 13 : 10\nA - C: 0 : 0\n"
RESULTS = {("a", "b"): "WL WW DD LW", ("b", "c"): "WW LD WL DL", ("a", "c"): "WW WL LL WD"}


def lab(*words):
    return CliRunner().invoke(main, [*map(str, words)])


def write(path, games, form):
    """Write games as another program or the lab itself would, one file or a folder of them."""
    form = find_format(form)
    texts = write_games(games, form).items
    if form.one_a_file:
        path.mkdir()
        for one in texts:
            (path / one.name).write_text(one.text, encoding="utf-8")
    else:
        path.write_text("".join(one.text for one in texts), encoding="utf-8")
    return path


@pytest.fixture
def own(tmp_path):
    return made_run(tmp_path / "own", RESULTS)


@pytest.mark.parametrize("form", ["games", "sgf", "psq-judge"])
def test_games_of_the_lab_in_any_format_rate_as_the_run_they_came_from(tmp_path, own, form):
    path = write(tmp_path / "theirs", own.games(), form)
    result = lab("import", path, "--out", tmp_path / "run", "--quiet")
    assert (0, "") == (result.exit_code, result.stderr)
    assert "24 games of 3 players, freestyle, 15x15\n24 of them in pairs, 0 alone" in result.stdout
    wanted, found = rate_runs([own]), rate_runs([load_any_run(tmp_path / "run")])
    assert [(row.name, row.rating, row.black) for row in wanted.rows] == [
        (row.name, row.rating, row.black) for row in found.rows
    ]
    assert [one.report for one in wanted.pairings] == [one.report for one in found.pairings]


def test_a_run_folder_is_a_source_too(tmp_path, own):
    result = lab("import", own.path, "--out", tmp_path / "run")
    assert 0 == result.exit_code
    assert f"rate them: gomoku-lab rate {tmp_path / 'run'}" in result.stderr
    assert rate_runs([own]).rows == rate_runs([load_any_run(tmp_path / "run")]).rows


def test_a_result_table_is_taken_and_rated(tmp_path):
    (tmp_path / "table.txt").write_text(TABLE)
    result = lab("import", tmp_path / "table.txt", "--out", tmp_path / "run")
    assert 0 == result.exit_code
    assert "47 games of 3 players, rule not known, board size not known" in result.stdout
    assert "known by the results of 2 pairings alone, without colours" in result.stdout
    assert "draws in result tables: not known; --games N says how many" in result.stdout
    assert "results of 0 : 0 taken as never played" in result.stderr
    rated = lab("rate", tmp_path / "run")
    assert 0 == rated.exit_code
    assert "3 players, 47 games (moves not known)" in rated.stdout
    assert "first-move advantage: not estimated, since no colours are known" in rated.stdout
    assert "draw rate" not in rated.stdout
    values = json.loads((tmp_path / "run" / "ratings.json").read_text())
    jsonschema.validate(values, load_schema("ratings"))
    assert (tmp_path / "run" / "report.html").is_file()


@pytest.mark.parametrize("head", ["# Gomocup: results\n\n", "Gomocup 2025: results\n"])
def test_a_result_table_may_have_a_heading(tmp_path, head):
    table = tmp_path / "table.txt"
    table.write_text(head + TABLE)
    result = lab("import", table, "--out", tmp_path / "run")
    assert "47 games of 3 players" in result.stdout
    left_out = [] if head[0] == "#" else [f"left out: {table}:1: a line must be 'A - B: wins"]
    assert len(left_out) == result.exit_code
    for told in left_out:
        assert told in result.stderr


def test_what_only_begins_like_a_table_has_to_be_named(tmp_path):
    (tmp_path / "table.txt").write_text("Gomocup: 2025\nall results\nA - B: 1 : 2\n")
    result = lab("import", tmp_path / "table.txt", "--out", tmp_path / "run")
    assert 2 == result.exit_code
    assert "cannot tell the format; say it: --from games|sgf|" in result.stderr
    assert "|offset|result-table" in result.stderr
    words = ("--from", "result-table", "--out", tmp_path / "run")
    assert 1 == lab("import", tmp_path / "table.txt", *words).exit_code


def test_the_number_of_games_of_a_table_gives_draws_rule_and_size_its_kind(tmp_path):
    (tmp_path / "table.txt").write_text(TABLE)
    words = ("--games", 24, "--rule", "freestyle", "--size", 20, "--json")
    result = lab("import", tmp_path / "table.txt", "--out", tmp_path / "run", *words)
    assert 0 == result.exit_code
    values = json.loads(result.stdout)
    assert (48, "freestyle", 20, 2) == tuple(
        values[key] for key in ("games", "rule", "size", "counts")
    )
    assert "draw rate between equals" in lab("rate", tmp_path / "run").stdout


def test_what_was_left_out_is_told_by_file_and_line_and_the_rest_is_taken(tmp_path):
    games = [
        foreign_game("A", "B", "black"),
        foreign_game("A", "A", "white"),
        foreign_game("C", "C", "white"),
        foreign_game("B", "A", "white"),
    ]
    path = write(tmp_path / "games.jsonl", [*games, games[0]], "games")
    broken = path.read_text().splitlines()
    broken[3] = broken[3].replace('"white","reason"', '"black","reason"')
    path.write_text("\n".join(broken))
    (tmp_path / "other.txt").write_text("nothing of the kind\n")
    result = lab("import", path, tmp_path / "other.txt", "--out", tmp_path / "run")
    assert 1 == result.exit_code
    assert "1 game of 2 players" in result.stdout
    for told in (
        "left out: " + f"{path}:2: both players have the same name: 'A'",
        f"{path}:4: game any: result and reason must be ('white', 'five')",
        f"{path}:5: the same game as {path}:1, written twice",
        "other.txt: cannot tell the format",
        "error: 5 entries were left out; run.json in",
    ):
        assert told in result.stderr
    facts = json.loads((tmp_path / "run" / "run.json").read_text())
    jsonschema.validate(facts, load_schema("run"))
    assert 5 == len(facts["imported"]["skipped"])
    assert [4, 1] == [one["skipped"] for one in facts["imported"]["sources"]]
    assert ["gomoku-lab", "import"] == facts["command"][:2]
    assert "5 entries were left out when this was imported" in lab("rate", tmp_path / "run").stdout


def test_equal_reasons_are_told_once_with_their_number(tmp_path):
    games = [foreign_game("A", "A", "white", id=str(number)) for number in range(30)]
    path = write(tmp_path / "games.jsonl", [*games, foreign_game("A", "B", "black")], "games")
    stderr = lab("import", path, "--out", tmp_path / "run").stderr
    assert f"{path}:1: both players have the same name: 'A' (30 times, first here)" in stderr
    assert 1 == stderr.count("same name")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nowhere.sgf",), "nowhere.sgf: No such file or directory"),
        (("empty",), "no run and no files .psq, .sgf, .jsonl, .txt in it"),
        (("folders",), "no run and no files .psq, .sgf, .jsonl, .txt in it"),
        (("table.txt", "--from", "png"), "--from must be one of games, sgf"),
        (("table.txt", "--rule", "chess"), "rule must be one of"),
        (("table.txt", "--size", "99"), "99"),
        (("table.txt", "--games", "0"), "0"),
        (("table.txt", "--from", "sgf"), "nothing to rate in table.txt"),
        (("game.sgf", "--games", "24"), "a number of games is for result tables"),
        (("game.sgf", "--rule", "standard"), "nothing to rate in game.sgf"),
        (("game.sgf", "small.sgf"), "the games differ in rule or board size"),
        (("done",), "done: imported already; rate takes several runs at once"),
    ],
)
def test_what_cannot_be_taken_is_one_clear_line(tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "folders" / "games.sgf").mkdir(parents=True)
    (tmp_path / "table.txt").write_text(TABLE)
    write(tmp_path / "game.sgf", [foreign_game("A", "B", "black")], "sgf")
    write(tmp_path / "small.sgf", [foreign_game("A", "B", "black", size=11)], "sgf")
    assert 0 == lab("import", "table.txt", "--out", "done").exit_code
    result = lab("import", *words, "--out", "run")
    assert 2 == result.exit_code
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert "" == result.stdout
    assert not (tmp_path / "run").exists()


def test_a_folder_with_a_run_is_left_as_it_is(tmp_path, own):
    before = {path.name: path.read_bytes() for path in own.path.iterdir()}
    result = lab("import", own.path, "--out", own.path)
    assert 2 == result.exit_code
    assert "there is a run in this folder already; give another folder" in result.stderr
    assert before == {path.name: path.read_bytes() for path in own.path.iterdir()}


def test_an_imported_run_and_one_of_the_lab_are_rated_together(tmp_path, own):
    games = [foreign_game("a", "X", "black"), foreign_game("X", "a", "black", variant=1)]
    path = write(tmp_path / "games.sgf", games, "sgf")
    assert 0 == lab("import", path, "--out", tmp_path / "run").exit_code
    result = lab("rate", own.path, tmp_path / "run", "--out", tmp_path / "both")
    assert 0 == result.exit_code
    assert "4 players, 26 games (26 distinct)" in result.stdout
    assert "taken for the same players by their names alone" in result.stdout


SEEDS = (
    TABLE,
    "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,5\na\nb\n0\n",
    "(;GM[4]SZ[15]PB[a]PW[b]RE[B+1];B[hh];W[ii])",
    '{"moves": "h8i9", "black": "a", "white": "b", "result": "draw", "reason": "adjudicated"}\n',
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.binary(max_size=60),
    st.sampled_from(SEEDS),
    st.integers(0, 60),
    st.sampled_from(["txt", "psq", "sgf", "jsonl", "bin"]),
)
def test_any_bytes_are_taken_or_refused_in_words(tmp_path_factory, rubbish, seed, place, suffix):
    folder = tmp_path_factory.mktemp("any")
    data = seed.encode()
    (folder / f"x.{suffix}").write_bytes(data[:place] + rubbish + data[place:])
    result = lab("import", folder / f"x.{suffix}", "--out", folder / "run")
    assert result.exit_code in (0, 1, 2)
    assert isinstance(result.exception, SystemExit | None)
    if result.exit_code < 2:
        jsonschema.validate(json.loads((folder / "run" / "run.json").read_text()), RUN)
        values = rate_runs([load_any_run(folder / "run")]).to_dict()
        jsonschema.validate(json.loads(json.dumps(values, allow_nan=False)), RATINGS)
    else:
        assert "error: " in result.stderr
