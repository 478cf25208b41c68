"""The command group: help for everything, nothing heavy imported, clean ends."""

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import click
import pytest
from click.testing import CliRunner

from gomoku_lab.cli.errors import (
    CHECK_FAILED,
    READER_GONE,
    USAGE,
    CliError,
    clean_errors,
    clean_output,
    fail,
)
from gomoku_lab.cli.main import COMMANDS, main, module_of

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("numba", "llvmlite", "scipy", "pandas", "matplotlib", "joblib", "rich")
LISTED = main.list_commands(click.Context(main))


def modules_after(code: str) -> set[str]:
    """Return the top-level modules that a fresh interpreter has imported after `code`."""
    program = f"import sys\n{code}\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.splitlines()[-1].split())


def test_help_lists_every_command_that_exists() -> None:
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    for name in LISTED:
        assert COMMANDS[name] in " ".join(result.stdout.split())


def test_every_command_prints_json_but_the_brain_which_speaks_a_protocol() -> None:
    def knows_json(command: click.Command) -> bool:
        if isinstance(command, click.Group):
            return all(map(knows_json, command.commands.values()))
        return any("--json" in one.opts for one in command.params)

    context = click.Context(main)
    commands = {name: main.get_command(context, name) for name in LISTED}
    assert ["brain"] == [name for name, one in commands.items() if one and not knows_json(one)]


def test_help_imports_nothing_heavy() -> None:
    code = (
        "from gomoku_lab.cli.main import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass"
    )
    assert modules_after(code) & {"numpy", *HEAVY} == set()


def test_importing_the_package_imports_nothing_heavy() -> None:
    assert modules_after("import gomoku_lab") & {"numpy", "click", *HEAVY} == set()


def test_importing_every_command_imports_nothing_heavy() -> None:
    imports = "\n".join(f"import gomoku_lab.cli.{module_of(name)}" for name in LISTED)
    assert modules_after(imports) & set(HEAVY) == set()


@pytest.mark.parametrize("name", LISTED)
def test_every_command_has_help(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: ")


@pytest.mark.parametrize("name", LISTED)
def test_the_readme_mentions_every_command(name: str) -> None:
    assert f"gomoku-lab {name}" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_an_unknown_command_names_the_nearest_one() -> None:
    result = CliRunner().invoke(main, ["docter"])
    assert result.exit_code == USAGE
    assert "did you mean 'doctor'?" in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["analyse"], "missing argument 'POSITION'"),
        (["analyse", "h8", "--exact", "0"], "invalid value for '--exact': 0 is not in the range"),
        (["analyse", "h8", "--nonsense"], "no such option"),
        (["report", "x", "--games", "-1"], "invalid value for '--games': -1 is not in the range"),
        (["match", "layered/hard"], "a match needs exactly two players: 1 given"),
        (["positions", "lst"], "no such command 'lst'"),
        (["--nonsense"], "no such option"),
    ],
)
def test_wrong_words_end_with_one_line_that_says_what_was_allowed(
    words: list[str], message: str
) -> None:
    result = CliRunner().invoke(main, words)
    assert result.exit_code == USAGE
    assert result.stderr.startswith(f"error: {message}")
    assert result.stderr.endswith("--help)\n")
    assert result.stderr.count("\n") == 1


def test_without_words_the_help_is_shown() -> None:
    assert CliRunner().invoke(main, []).output.startswith("Usage: ")


PAGES = (
    ["analyse", "h8", "--player", "layered/master:depth=1", "--html"],
    ["compare", "nowhere", "--html"],
    ["report", "nowhere", "--out"],
)


@pytest.mark.parametrize("words", PAGES, ids=lambda words: words[0])
@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("", "a name is wanted: ''"),
        (".", "must name a page, such as page.html: '.'"),
        ("run.json", "must name a page, such as page.html: 'run.json'"),
        ("folder.html", "must name a page, such as page.html: 'folder.html'"),
        ("nodir/a.html", "must lie in a folder that can be written to: 'nodir/a.html'"),
    ],
)
def test_a_page_that_cannot_be_written_is_refused_before_anything_is_done(
    words: list[str], page: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder.html").mkdir()
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, [*words, page])
    assert (result.exit_code, result.stdout) == (USAGE, "")
    assert result.stderr.startswith(f"error: invalid value for '{words[-1]}': {message}")


@pytest.mark.parametrize(
    "words",
    [
        ["convert", "", "--to", "sgf"],
        ["convert", "nowhere", "--to", "sgf", "--out", ""],
        ["notebooks", "--copy", ""],
        ["rate", "nowhere", "--out", ""],
        ["rate", ""],
        ["tournament", "--out", ""],
    ],
    ids=" ".join,
)
def test_the_empty_name_is_not_the_current_folder(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, words)
    assert result.exit_code == USAGE
    assert "a name is wanted: ''" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("below", ["file", "file/below"])
def test_a_folder_that_cannot_be_made_is_refused(below: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for words in (["notebooks", "--copy"], ["rate", "nowhere", "--out"]):
        result = CliRunner().invoke(main, [*words, str(tmp_path / below)])
        assert result.exit_code == USAGE
        assert f"invalid value for '{words[-1]}': must name a folder: " in result.stderr


def test_the_version_is_printed() -> None:
    from gomoku_lab import __version__

    assert __version__ in CliRunner().invoke(main, ["--version"]).stdout


def test_failing_prints_one_line_on_stderr_and_exits_with_the_code() -> None:
    @click.command()
    def broken() -> None:
        fail("width must be 1..400: 0", code=CHECK_FAILED)

    result = CliRunner().invoke(broken)
    assert result.exit_code == CHECK_FAILED
    assert (result.stdout, result.stderr) == ("", "error: width must be 1..400: 0\n")


def test_bad_values_and_files_become_messages_without_tracebacks(tmp_path: Path) -> None:
    with pytest.raises(CliError, match="no such player") as caught, clean_errors():
        raise ValueError("no such player")
    assert caught.value.exit_code == USAGE
    missing = tmp_path / "missing.toml"
    with pytest.raises(CliError, match=r"missing\.toml: No such file"), clean_errors():
        missing.read_text(encoding="utf-8")


def test_other_exceptions_are_bugs_and_stay_visible() -> None:
    with pytest.raises(KeyError), clean_errors():
        raise KeyError("a bug")


def start(*words: str, stdout: IO[str] | int, unbuffered: str = "") -> subprocess.Popen[str]:
    """Start the command line with its output going elsewhere."""
    code = "from gomoku_lab.cli.main import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize("words", [["elo", "1,2,3"], ["--help"], ["elo", "--help"]])
def test_output_that_cannot_be_kept_ends_with_2_and_one_line(words: list[str]) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        process = start(*words, stdout=full)
        _, err = process.communicate(timeout=60)
    assert err == "error: cannot write the output: No space left on device\n"
    assert process.returncode == USAGE


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_ends_the_command_quietly(unbuffered: str) -> None:
    process = start("players", "list", stdout=subprocess.PIPE, unbuffered=unbuffered)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    err = process.stderr.read()
    process.stderr.close()
    assert err == ""
    assert process.wait(timeout=60) == READER_GONE


def test_a_broken_pipe_that_is_not_the_outputs_stays_visible() -> None:
    with pytest.raises(BrokenPipeError), clean_output():
        raise BrokenPipeError(errno.EPIPE, "the player's process has gone")


NOT_TEXT = b"\x89PNG\xff\xfe\x00"


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["analyse", "FILE"], "own.txt"),
        (["analyse", "h8", "-p", "FILE"], "own.toml"),
        (["suite", "--positions", "FILE"], "own.toml"),
        (["suite", "--positions", "FILE"], "own.jsonl"),
        (["tournament", "FILE"], "own.toml"),
        (["match", "layered/hard", "layered/novice", "--openings", "FILE"], "own.txt"),
        (["match", "layered/hard", "layered/novice", "--openings", "FILE"], "own.toml"),
    ],
)
def test_a_file_that_is_no_text_is_named(tmp_path: Path, words: list[str], name: str) -> None:
    file = tmp_path / name
    file.write_bytes(NOT_TEXT)
    result = CliRunner().invoke(main, [str(file) if word == "FILE" else word for word in words])
    assert result.exit_code == USAGE
    assert result.stderr.startswith(f"error: {file}: ")


def test_input_that_is_no_text_is_refused() -> None:
    result = CliRunner().invoke(main, ["analyse", "-"], input=NOT_TEXT)
    assert result.exit_code == USAGE
    assert "error: stdin: not a text file: byte 1 (0x89) is not UTF-8" in result.stderr


def test_progress_writes_to_stderr_alone(capsys: pytest.CaptureFixture[str]) -> None:
    from gomoku_lab.cli.progress import progress

    with progress(2, "games") as meter:
        meter.advance()
        meter.advance(note="a 1-1 b")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "games: 2/2" in captured.err
    assert "a 1-1 b" in captured.err


def test_the_time_left_does_not_count_what_came_before_the_first_step(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from gomoku_lab.cli import progress as module

    now = [0.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    with module.progress(100, "games") as meter:
        now[0] = 60.0  # workers started, kernels loaded
        meter.advance(2)
        now[0] = 70.0
        meter.advance(10)
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "games: 2/100 after 60 s",
        "games: 12/100 after 70 s, about 88 s left",
    ]


def test_progress_is_told_also_while_nothing_is_finished(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from gomoku_lab.cli import progress as module

    monkeypatch.setattr(module, "_LONGEST_SILENCE_S", 0.01)
    told = ""
    with module.progress(2, "games"):
        while told.count("games: 0/2 after 0 s\n") < 2:
            told += capsys.readouterr().err


def test_no_time_is_forecast_before_the_pace_is_settled(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from gomoku_lab.cli import progress as module

    now = [0.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    with module.progress(100, "answers", settled=20) as meter:
        for _ in range(2):
            now[0] += 10.0
            meter.advance(10)
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["answers: 10/100 after 10 s", "answers: 20/100 after 20 s, about 80 s left"]


def test_quiet_progress_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    from gomoku_lab.cli.progress import progress

    with progress(2, "games", quiet=True) as meter:
        meter.advance(2)
    assert capsys.readouterr() == ("", "")
