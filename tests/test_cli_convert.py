"""``gomoku-lab convert``: what goes where, what is said about it, and how it ends."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from made_runs import made_run

from gomoku_lab.cli.main import main
from gomoku_lab.game.formats.catalogue import FORMATS

OFFSETS = "0,0, 1,1, 2,-1\n0,0, 0,1, 1,1\n"
GAME = {"moves": "h8i9g7", "size": 15, "rule": "freestyle", "id": "one", "black": "me"}
SUMMARY = "{} read, {} not readable; {} written, {} not writable"


def convert(*words, text=None):
    return CliRunner().invoke(main, ["convert", *map(str, words)], input=text)


@pytest.fixture
def file(tmp_path):
    def write_file(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write_file


def last(result):
    return result.stderr.splitlines()[-1]


def test_openings_go_from_one_notation_to_the_others(file):
    path = file("a.txt", OFFSETS)
    for name, expected in (("moves", "h8i7j9\nh8h7i7\n"), ("pos", "h8i9j7\nh8h9i9\n")):
        result = convert(path, "--to", name)
        assert (0, expected) == (result.exit_code, result.stdout)
        assert SUMMARY.format("2 games", 0, 2, 0) == last(result)
        back = convert("-", "--from", name, "--to", "offset", text=result.stdout)
        assert OFFSETS == back.stdout


def test_the_row_order_must_be_named(file):
    path = file("a.txt", "h8i9\n")
    result = convert(path, "--to", "offset")
    assert (2, "") == (result.exit_code, result.stdout)
    assert f"error: {path}: the rows of move strings may be counted from the bottom" in (
        result.stderr
    )
    assert "--from moves or --from pos" in result.stderr
    assert "0,0, 1,-1\n" == convert(path, "--from", "moves", "--to", "offset").stdout
    assert "0,0, 1,1\n" == convert(path, "--from", "pos", "--to", "offset").stdout


def test_a_run_goes_to_sgf_and_back_without_loss(tmp_path):
    run = made_run(tmp_path / "run", {("a", "b"): "WL DD"})
    sgf = tmp_path / "games.sgf"
    result = convert(run.path, "--to", "sgf", "--out", sgf)
    assert (0, "") == (result.exit_code, result.stdout)
    assert [SUMMARY.format("4 games", 0, 4, 0)] == result.stderr.splitlines()
    back = convert(sgf, "--to", "games")
    assert back.stdout == (run.path / "games.jsonl").read_text()


def test_what_the_new_format_does_not_keep_is_counted(file):
    path = file("a.jsonl", json.dumps(GAME) + "\n" + json.dumps({**GAME, "rule": "renju"}) + "\n")
    result = convert(path, "--to", "pos")
    assert "h8i7g9\nh8i7g9\n" == result.stdout
    (line,) = [one for one in result.stderr.splitlines() if one.startswith("not kept by pos: ")]
    assert "names of the players (2)" in line
    assert "rule (1)" in line


def test_what_is_taken_for_granted_is_counted(file):
    result = convert(file("a.txt", OFFSETS), "--to", "sgf")
    assert "input: board size taken for granted: 15 (2), rule taken for granted: freestyle (2)" in (
        result.stderr
    )
    result = convert(file("a.txt", OFFSETS), "--to", "sgf", "--rule", "standard", "--size", "20")
    assert "taken for granted" not in result.stderr
    assert "RU[Standard]SZ[20]" in result.stdout


def test_broken_things_are_listed_the_rest_is_written_and_the_exit_code_is_1(file):
    path = file("a.txt", "0,0, 1,1\n0,x\n0,0, 99,0\n2,2\n")
    result = convert(path, "--to", "pos")
    assert (1, "h8i9\nj10\n") == (result.exit_code, result.stdout)
    assert f"{path}:2: an offset must be a whole number: 'x'" in result.stderr
    assert f"{path}:3: offset 99,0 is off the 15x15 board" in result.stderr
    assert SUMMARY.format("2 games", 2, 2, 0) == last(result)


def test_a_byte_that_is_not_utf8_spoils_its_line_alone(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_bytes(b'{"moves": "h8"}\n{"moves": "i9", "id": "\xff"}\n{"moves": "j10"}\n')
    result = convert(path, "--to", "moves")
    assert (1, "h8\nj10\n") == (result.exit_code, result.stdout)
    assert f"{path}:2: byte 0xff is not UTF-8" in result.stderr
    assert SUMMARY.format("2 games", 1, 2, 0) == last(result)


def test_games_that_cannot_be_written_are_listed_and_the_exit_code_is_1(file):
    lines = [json.dumps({**GAME, "id": name, "moves": moves}) for name, moves in
             (("one", "h8"), ("none", ""))]  # fmt: skip
    result = convert(file("a.jsonl", "\n".join(lines)), "--to", "moves")
    assert (1, "h8\n") == (result.exit_code, result.stdout)
    assert "game none: not written as moves: it has no moves" in result.stderr
    assert SUMMARY.format("2 games", 0, 1, 1) == last(result)


def test_many_problems_are_cut_short(file):
    result = convert(file("a.txt", "0,0\n" + "1,x\n" * 30), "--to", "pos")
    assert "... and 10 more" in result.stderr
    assert SUMMARY.format("1 game", 30, 1, 0) == last(result)


def test_nothing_readable_or_writable_is_exit_code_2(file):
    result = convert(file("a.sgf", "hello"), "--to", "games")
    assert 2 == result.exit_code
    assert "a.sgf:1: no SGF game" in result.stderr
    assert "error: nothing could be read from 1 input" == last(result)
    result = convert(file("a.jsonl", json.dumps({**GAME, "moves": ""})), "--to", "pos")
    assert (2, "error: no game could be written as pos") == (result.exit_code, last(result))


def test_formats_of_one_game_a_file_go_to_stdout_alone_and_to_a_folder_together(file, tmp_path):
    one = file("a.jsonl", json.dumps(GAME))
    assert convert(one, "--to", "psq").stdout.startswith("Piskvorky 15x15, 11:11, 0\n8,8\n")
    two = file("b.jsonl", json.dumps(GAME) + "\n" + json.dumps({**GAME, "id": "two/2"}))
    result = convert(two, "--to", "psq")
    assert 2 == result.exit_code
    assert "psq holds one game a file, and there are 2: give a folder, --out DIR" in result.stderr
    folder = tmp_path / "new" / "games"
    assert 0 == convert(two, "--to", "psq", "--out", folder).exit_code
    assert ["one.psq", "two_2.psq"] == sorted(path.name for path in folder.iterdir())
    back = convert(*sorted(folder.iterdir()), "--to", "games")
    assert ["one", "two_2"] == [json.loads(line)["id"] for line in back.stdout.splitlines()]
    (folder / "two_2.psq").unlink()
    result = convert(two, "--to", "psq", "--out", folder)
    assert f"error: {folder / 'one.psq'}: this file exists already; --force" in last(result)
    assert ["one.psq"] == [path.name for path in folder.iterdir()]
    assert 0 == convert(one, "--to", "psq", "--out", folder, "--force").exit_code


def test_a_file_that_exists_is_overwritten_with_force_alone(file):
    path, other = file("a.txt", OFFSETS), file("b.txt", "precious")
    result = convert(path, "--to", "pos", "--out", other)
    assert (2, "precious") == (result.exit_code, other.read_text())
    assert f"error: {other}: this file exists already; --force overwrites it" == last(result)
    assert 0 == convert(path, "--to", "pos", "--out", other, "--force").exit_code
    assert "h8i9j7\nh8h9i9\n" == other.read_text()
    assert 0 == convert(path, "--to", "pos", "--out", "/dev/null").exit_code


def test_an_input_is_never_overwritten_by_whatever_name(file, tmp_path):
    path = file("a.psq", "Piskvorky 15x15, 7:7, 0\n8,8,0\n9,9,5\n-1\n")
    before = path.read_bytes()
    link, hard = tmp_path / "link.psq", tmp_path / "hard.psq"
    link.symlink_to(path)
    hard.hardlink_to(path)
    for out in (path, tmp_path / "." / "a.psq", link, hard, tmp_path):
        for force in ((), ("--force",)):
            result = convert(path, "--to", "psq", "--out", out, *force)
            assert (2, before) == (result.exit_code, path.read_bytes())
            assert last(result).endswith(": this is an input, which is never overwritten")


def test_the_files_of_a_run_are_never_overwritten(tmp_path):
    run = made_run(tmp_path / "run", {("a", "b"): "WL"})
    other = made_run(tmp_path / "other", {("a", "b"): "DD"})
    link = tmp_path / "link.jsonl"
    link.symlink_to(other.path / "games.jsonl")
    before = {path.name: path.read_bytes() for path in other.path.iterdir()}
    for out in (link, other.path / "games.jsonl", other.path / "run.json"):
        result = convert(run.path, "--to", "games", "--out", out, "--force")
        assert 2 == result.exit_code
        assert f"error: {out}: the files of a run are never overwritten" == last(result)
    assert before == {path.name: path.read_bytes() for path in other.path.iterdir()}
    (other.path / "games.jsonl").unlink()
    assert 2 == convert(run.path, "--to", "games", "--out", other.path / "games.jsonl").exit_code
    assert 0 == convert(run.path, "--to", "sgf", "--out", other.path / "new.sgf").exit_code


def test_the_summary_for_programs_names_files_notes_and_problems(file, tmp_path):
    path, out = file("a.txt", "0,0, 1,1\n0,x\n2,2\n"), tmp_path / "out.psq"
    games = file("b.jsonl", json.dumps(GAME) + "\n" + json.dumps({**GAME, "moves": ""}))
    result = convert(path, games, "--to", "pos", "--out", out, "--json")
    assert 1 == result.exit_code
    values = json.loads(result.stdout)
    bad = {"source": str(path), "line": 2, "reason": "an offset must be a whole number: 'x'"}
    assert {
        "schema": 1,
        "format": "pos",
        "read": [
            {"name": str(path), "games": 2, "problems": [bad]},
            {"name": str(games), "games": 2, "problems": []},
        ],
        "notes": {
            "board size taken for granted: 15": 2,
            "rule taken for granted: freestyle": 2,
        },
        "written": [str(out)],
        "games": 3,
    } == {key: values[key] for key in values if key not in ("problems", "not_kept")}
    (problem,) = values["problems"]
    assert "not written as pos: it has no moves" in problem["reason"]
    assert 1 == values["not_kept"]["names of the players"]
    folder = convert(games, "--to", "psq", "--out", tmp_path / "new", "--json")
    assert [str(tmp_path / "new" / name) for name in ("one.psq", "one-2.psq")] == (
        json.loads(folder.stdout)["written"]
    )


def test_several_inputs_of_different_formats_become_one_file(file):
    inputs = [
        file("a.psq", "Piskvorky 15x15, 7:7, 0\n8,8,0\n9,9,5\n-1\n"),
        file("b.sgf", "(;GM[4]SZ[15];B[hh])"),
        file("c.jsonl", json.dumps(GAME)),
    ]
    result = convert(*inputs, "--to", "sgf")
    assert 0 == result.exit_code
    assert ["a", "b", "one"] == [part.partition("]")[0] for part in result.stdout.split("GN[")[1:]]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("a.txt", "--to", "sfg"), "error: format must be one of games, sgf, psq, psq-judge"),
        (("a.txt", "--to", "sgf", "--from", "x"), "error: format must be one of games, sgf"),
        (("a.txt", "--to", "sgf", "--rule", "caro"), "error: rule must be one of freestyle"),
        (("a.txt", "--to", "sgf", "--size", "4"), "error: size must be 5..20: 4"),
        (("nothing.sgf", "--to", "sgf"), "error: nothing.sgf: No such file or directory"),
        ((".", "--to", "sgf"), "error: .: a folder must be a run folder, with a file games.jsonl"),
        (("a.txt", "--to", "sgf", "--out", "no/where"), "error: no/where: No such file or dir"),
        (("a.txt", "--to", "sgf", "--json"), "--json tells which files were written: give --out"),
        (("a.txt",), "missing option '--to'"),
    ],
)
def test_a_wrong_word_is_exit_code_2_with_one_clear_line(tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text(OFFSETS, encoding="utf-8")
    result = convert(*words)
    assert 2 == result.exit_code
    assert message in result.stderr


def test_the_help_names_every_format():
    text = convert("--help").stdout
    for name in FORMATS:
        assert f"\n  {name} " in text
