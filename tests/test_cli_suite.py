"""The commands ``suite`` and ``positions``: output, exit codes, and messages for bad input."""

import json
import os
import re
import signal
import subprocess
import sys
import textwrap

import pytest
from click.testing import CliRunner
from process_tools import in_the_end

from gomoku_lab.cli.main import main
from gomoku_lab.suite.positions import format_positions, load_positions

BOTS = """
import time
from gomoku_lab.suite.proofs import prove

class First:
    def choose(self, board, limits):
        return board.empty_points()[0]

class Breaks:
    def choose(self, board, limits):
        raise ZeroDivisionError("on purpose")

class Cheats:
    def choose(self, board, limits):
        return next(i for i, cell in enumerate(board.cells) if cell)

class Waits:
    def choose(self, board, limits):
        with open("asked", "a") as file:
            file.write("x")
        time.sleep(3600)

class Wins:
    def choose(self, board, limits):
        best = prove(board, "must-win").best or prove(board, "must-block").best
        return min(best or board.empty_points())
"""
SHIPPED = {position.id: position for position in load_positions()}
SOME = ("win-small-board", "win-column-gap", "block-row-gap", "draw-even")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work in a folder that holds two bots, a few positions, and players with requirements."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "suite_bots.py").write_text(BOTS)
    (tmp_path / "some.toml").write_text(format_positions(SHIPPED[name] for name in SOME))
    for name, target in (("strict", "First"), ("sound", "Wins")):
        (tmp_path / f"{name}.toml").write_text(
            textwrap.dedent(f"""
                family = "python"
                required = ["must-win", "must-block", "draw-board"]
                [config]
                target = "suite_bots:{target}"
            """)
        )
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(main, list(arguments))


def suite(*arguments):
    return run("suite", "--positions", "some.toml", "--no-symmetries", "--quiet", *arguments)


def test_S4_32_a_failed_requirement_exits_non_zero_and_names_the_position(folder):
    result = suite("--players", "strict.toml")
    assert result.exit_code == 1
    assert "strict.toml must solve every must-block position: 1 of 1 answers wrong in" in (
        result.stdout
    )
    assert "block-row-gap" in result.stdout


def test_a_player_that_keeps_its_requirements_exits_with_zero(folder):
    result = suite("--players", "sound.toml")
    assert result.exit_code == 0, result.output
    assert "Every player solves all kinds that it declares as required." in result.stdout


def test_a_failure_that_is_not_required_exits_with_zero(folder):
    result = suite("--players", "python:suite_bots:First")
    assert result.exit_code == 0
    assert "Failed: must-block" in result.stdout
    assert "declares as required" not in result.stdout


@pytest.mark.parametrize(
    ("bot", "words"), [("Breaks", "ZeroDivisionError"), ("Cheats", "is occupied by")]
)
def test_a_player_that_breaks_ends_in_a_warning_and_exit_code_3(folder, bot, words):
    result = suite("--players", f"python:suite_bots:{bot}", "--players", "strict.toml")
    assert result.exit_code == 3
    assert f"warning: python:suite_bots:{bot} crashed, hung or played illegally" in result.stderr
    assert "in 3 of 4 answers; the first time:\n  crash" in result.stderr or bot == "Cheats"
    assert words in result.stderr
    assert "Traceback" not in result.stdout
    assert result.stderr.count("Traceback") == (bot == "Breaks")
    told = result.stderr[result.stderr.index("the first time:\n") :].splitlines()[1:]
    assert all(line.startswith("  ") for line in told)


def test_S4_34_failures_are_grouped_by_kind_with_rule_diagram_moves_and_reason(folder):
    result = suite("--players", "strict.toml", "--players", "sound.toml")
    text = result.stdout
    block = text[text.index("Failed: must-block") :]
    assert block.startswith("Failed: must-block (the opponent has one five point: block it)")
    assert "block-row-gap: right: g9; White's four has a gap" in block
    assert "strict.toml played a15" in block
    assert "freestyle, black to move (X); * right, ? played" in block
    drawn = [line for line in block.splitlines() if line.strip().startswith("9 ")]
    assert "O O * O O" in drawn[0]
    assert "15 ?" in block
    win = text[text.index("Failed: must-win") : text.index("Failed: must-block")]
    assert "win-small-board" in win
    assert "win-column-gap" in win
    assert "block-row-gap" not in win


def test_the_table_shows_players_and_kinds(folder):
    result = suite("--players", "strict.toml", "--players", "sound.toml")
    table = result.stdout[: result.stdout.index("Failed")].splitlines()
    rows = {line.split()[0]: line.split()[1:] for line in table if line}
    assert ["25.0%", "0.0%!", "0.0%!", "100%"] == rows["strict.toml"]
    assert ["100%", "100%", "100%", "100%"] == rows["sound.toml"]
    assert ["4", "2", "1", "1"] == rows["positions"]


def test_failures_beyond_the_limit_are_named_but_not_drawn(folder):
    full = suite("--players", "strict.toml")
    short = suite("--players", "strict.toml", "--failures", "0")
    assert "to move" in full.stdout
    assert "to move" not in short.stdout
    assert "win-column-gap" in short.stdout


def test_all_images_are_asked_by_default(folder):
    result = run(
        "suite", "-q", "--positions", "some.toml", "--players", "strict.toml", "-k", "must-win"
    )
    assert "played a15 (8 of 8 images)" not in result.stdout
    assert "of 8 images)" in result.stdout


def test_json_has_a_schema_version_and_nothing_else_on_stdout(folder):
    result = suite("--players", "strict.toml", "--json")
    assert result.exit_code == 1
    values = json.loads(result.stdout)
    assert values["schema"] == 1
    assert not values["passed"]
    assert ["must-win", "must-block"] == values["players"][0]["broken"]


def test_progress_goes_to_stderr(folder):
    result = run("suite", "--positions", "some.toml", "-p", "sound.toml", "--no-symmetries")
    assert "answers: 4/4" in result.stderr
    assert "answers: 4/4" not in result.stdout


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such signals")
@pytest.mark.parametrize(
    ("number", "jobs"), [(signal.SIGTERM, 1), (signal.SIGINT, 1), (signal.SIGTERM, 2)]
)
def test_what_was_answered_is_shown_when_a_signal_stops_the_suite(folder, number, jobs):
    code = "from gomoku_lab.cli.main import main; main()"
    hang = "python:suite_bots:Waits:hang_ms=900000"
    words = ["-p", "sound.toml", "-p", hang, "--positions", "some.toml", "--no-symmetries"]
    running = subprocess.Popen(
        [sys.executable, "-c", code, "suite", *words, "--jobs", str(jobs)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with running:
        assert running.stderr is not None
        assert in_the_end((folder / "asked").exists)
        for _ in range(2):  # timeout(1) sends it twice
            os.killpg(running.pid, number)
        out, err = running.communicate()
    assert 130 == running.returncode, err
    assert "Traceback" not in err
    # With two workers the signal can come before the first answers do.
    answered = ("sound.toml 4",) if jobs == 1 else ("sound.toml 4", "sound.toml 0")
    if "sound.toml 4" in err:
        assert re.search(r"^sound.toml +100%", out, re.M), out
    assert re.search(r"^python:suite_bots:Waits.* -( +-)+$", out, re.M), out
    assert "solves all" not in out
    words = "error: interrupted; shown is what was answered, of 4 each:"
    assert err.splitlines()[-1] in [f"{words} {one}, {hang} 0" for one in answered]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-p", "layered/hrad"], "did you mean 'layered/hard'"),
        (["-p", "sound.toml", "-k", "must-bloc"], "did you mean 'must-block'"),
        (["-p", "sound.toml", "-k", "open-four"], "no position is of the kind open-four"),
        (["-p", "python:suite_bots:Nobody"], "Nobody"),
        (["-p", "sound.toml", "--jobs", "0"], "--jobs"),
        (["-p", "sound.toml", "--seed", "-1"], "--seed"),
    ],
)
def test_bad_arguments_exit_with_two(folder, arguments, message):
    result = suite(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_a_missing_or_empty_place_exits_with_two(folder):
    (folder / "empty").mkdir()
    for place in ("none.toml", "empty"):
        result = run("suite", "-p", "sound.toml", "--positions", place)
        assert (2, True) == (result.exit_code, place in result.stderr)


# --- positions ------------------------------------------------------------------------------------


def test_the_shipped_positions_verify():
    result = run("positions", "verify", "basic")
    assert result.exit_code == 0, result.output
    assert f"{len(SHIPPED)} of {len(SHIPPED)} proved" in result.stdout


def changed(folder, old, new):
    text = (folder / "some.toml").read_text()
    assert old in text
    (folder / "some.toml").write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('best = ["e6"]', 'best = ["e6", "e8"]', "best holds wrong moves: e8"),
        ('best = ["e6"]', 'best = ["e8"]', "best is incomplete: e6 missing"),
        ('kind = "must-block"', 'kind = "break-open-four"', "has a five point: g9"),
        ('kind = "must-block"', 'kind = "vct"', "no move is right"),
    ],
)
def test_verify_fails_on_a_wrong_answer_and_names_it(folder, old, new, words):
    changed(folder, old, new)
    result = run("positions", "verify", "some.toml")
    assert result.exit_code == 1
    assert words in result.stdout
    assert "some.toml: position '" in result.stdout
    assert "3 of 4 proved" in result.stdout


def test_verify_fails_on_an_ambiguous_answer(folder):
    text = textwrap.dedent("""
        [[position]]
        id = "two blocks"
        kind = "must-block"
        to_move = "white"
        best = ["a1"]
        why = "an open four has two five points"
        diagram = '''
        . . . . . . .
        . O . O . O .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . X X X X . .
        '''
    """)
    (folder / "two.toml").write_text(text)
    result = run("positions", "verify", "two.toml")
    assert (1, True) == (result.exit_code, "exactly one five point: a1 f1" in result.stdout)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (". X X X X . .", "unbalanced stones: black 4, white 3"),
        ("X X X X X . .", "the board is already won: black has five"),
        ("X X X X . . ?", "character 13"),
    ],
)
def test_verify_refuses_a_board_that_cannot_be(folder, row, words):
    text = (
        "[[position]]\nid = 'x'\nkind = 'must-win'\nto_move = 'black'\nbest = ['f1']\n"
        "why = 'five'\ndiagram = '''\n"
        + ". O . O . O .\n"
        + ". . . . . . .\n" * 5
        + row
        + "\n'''\n"
    )
    if row.startswith("X X X X X"):
        text = text.replace(". . . . . . .", "O O . . . . .", 1)
    (folder / "bad.toml").write_text(text)
    result = run("positions", "verify", "bad.toml")
    assert result.exit_code == 2
    assert "bad.toml: position 'x'" in result.stderr
    assert words in result.stderr


def test_verify_takes_several_places_and_speaks_json(folder):
    changed(folder, 'best = ["e6"]', 'best = ["e8"]')
    (folder / "more.toml").write_text(format_positions([SHIPPED["open-four-row"]]))
    result = run("positions", "verify", "some.toml", "more.toml", "--json")
    values = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (1, False, 5) == (values["schema"], values["passed"], len(values["positions"]))
    wrong = [one for one in values["positions"] if one["problems"]]
    assert ["win-column-gap"] == [one["id"] for one in wrong]


def test_list_names_positions_with_answers_and_reasons():
    result = run("positions", "list", "--kind", "quiet-block")
    assert result.exit_code == 0
    assert "quiet-break-chain" in result.stdout
    assert SHIPPED["quiet-break-chain"].why in result.stdout
    assert "win-row-gap" not in result.stdout
    values = json.loads(run("positions", "list", "basic", "--json").stdout)
    assert len(SHIPPED) == len(values["positions"])


def test_show_draws_the_position_with_its_right_moves():
    result = run("positions", "show", "win-row-gap")
    assert "8 . . . . . . O X X * X X . . ." in result.stdout
    assert SHIPPED["win-row-gap"].why in result.stdout
    values = json.loads(run("positions", "show", "win-row-gap", "--json").stdout)
    assert SHIPPED["win-row-gap"].to_dict() == values


def test_show_prints_a_file_that_verifies(folder):
    text = run("positions", "show", "win-row-gap", "--toml").stdout
    (folder / "shown.toml").write_text(text)
    assert run("positions", "verify", "shown.toml").exit_code == 0


def test_show_marks_forbidden_points_and_says_why():
    words = ("positions", "show", "forbidden-double-three")
    assert " 8 . . . . . X X . . . . . . . ." in run(*words).stdout
    drawn = run(*words, "--forbidden").stdout
    assert " 8 . . . . . X X ! . . . . . . ." in drawn
    assert " 3 O X X X * . . ." in drawn
    assert drawn.endswith("forbidden for black, double three: h8 e7 e6\n")
    values = json.loads(run(*words, "--forbidden", "--json").stdout)
    assert dict.fromkeys(("h8", "e7", "e6"), "double three") == values.pop("forbidden")
    assert SHIPPED["forbidden-double-three"].to_dict() == values
    none = run("positions", "show", "win-row-gap", "--forbidden").stdout
    assert none.endswith("forbidden for black: no point; the rule is freestyle\n")


def test_show_names_the_nearest_id():
    result = run("positions", "show", "win-row-gapp")
    assert (2, True) == (result.exit_code, "did you mean 'win-row-gap'" in result.stderr)
