"""``gomoku-lab brain``: a real conversation with a real process, under any name, from anywhere."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest
from click.testing import CliRunner

from gomoku_lab.cli.brain import on_threads
from gomoku_lab.cli.errors import READER_GONE, USAGE
from gomoku_lab.cli.main import main
from gomoku_lab.game.board import Board
from gomoku_lab.game.formats.gomocup import Kind, Point, parse_answer
from gomoku_lab.players.registry import resolve

ROOT = Path(__file__).resolve().parent.parent
QUICK = "lab/max:depth=2"
CODE = "from gomoku_lab.cli.main import main; main()"


class Program:
    """A brain in a process of its own."""

    def __init__(self, *words: str, folder: Path | None = None) -> None:
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )

    def pipe(self, name: str) -> IO[bytes]:
        found: IO[bytes] = getattr(self.process, name)
        return found

    def write(self, *lines: str) -> None:
        self.pipe("stdin").write("".join(f"{line}\r\n" for line in lines).encode())
        self.pipe("stdin").flush()

    def ask(self, *lines: str) -> str:
        self.write(*lines)
        while True:
            line = self.pipe("stdout").readline().decode("ascii").rstrip("\n")
            answer = parse_answer(line)
            assert answer is not None, "the program has ended"
            if not answer.is_talk:
                return line

    def end(self) -> tuple[int, bytes, bytes]:
        """Close its input; return exit code and what it still said."""
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


@pytest.fixture
def program() -> Iterator[Program]:
    running = Program(sys.executable, "-c", CODE, "brain", QUICK)
    yield running
    running.process.kill()
    running.process.communicate()


@pytest.mark.parametrize("rule", [0, 1])
def test_a_whole_game_is_played_over_pipes(program: Program, rule: int) -> None:
    """The brain plays both sides, told of its own moves as the opponent's."""
    assert program.ask("ABOUT").startswith('name="gomoku_lab lab/max:depth=2"')
    assert program.ask("START 7") == "OK"
    program.write(f"INFO rule {rule}", "INFO timeout_turn 500", "INFO timeout_match 0")
    board = Board(size=7, rule=["freestyle", "standard"][rule])
    while not board.is_over:
        stones = [
            f"{Point.of(move, 7)},{1 if board.cells[move] == board.to_move else 2}"
            for move in board.moves
        ]
        program.write("INFO time_left 2147483647")
        answer = parse_answer(program.ask("BOARD", *stones, "DONE"))
        assert answer is not None
        assert answer.kind == Kind.POINTS
        board = board.play(answer.points[0].move(7))
    program.write("END")
    assert program.end() == (0, b"", b"")


def test_a_manager_that_goes_away_ends_the_program(program: Program) -> None:
    assert program.ask("START 9") == "OK"
    assert program.end() == (0, b"", b"")


def test_a_manager_that_does_not_listen_ends_the_program(program: Program) -> None:
    assert program.ask("START 9") == "OK"
    program.pipe("stdout").close()
    program.write("ABOUT")
    assert program.process.wait(timeout=60) == READER_GONE
    assert program.pipe("stderr").read() == b""


@pytest.mark.skipif(os.name != "posix", reason="links and scripts of other systems differ")
@pytest.mark.parametrize("kind", ["link", "script"])
def test_a_link_or_script_of_another_name_works_from_any_folder(tmp_path: Path, kind: str) -> None:
    installed = tmp_path / "bin" / "gomoku-lab"
    installed.parent.mkdir()
    installed.write_text(f"#!{sys.executable}\n{CODE}\n", encoding="utf-8")
    installed.chmod(0o755)
    name = tmp_path / "pbrain-Mine"
    if kind == "link":
        name.symlink_to(installed)
    else:
        name.write_text(f'#!/bin/sh\nexec {installed} brain layered/hard "$@"\n', encoding="utf-8")
        name.chmod(0o755)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    program = Program(str(name), folder=folder)
    player = "lab/max" if kind == "link" else "layered/hard"
    assert f'name="gomoku_lab {player}"' in program.ask("ABOUT")
    assert program.end() == (0, b"", b"")


def test_input_and_output_are_the_protocol_and_nothing_else() -> None:
    lines = "START 15\r\nBEGIN\r\nHELLO\r\nEND\r\nABOUT\r\n"
    result = CliRunner().invoke(main, ["brain", "stages/3"], input=lines)
    assert result.exit_code == 0
    assert result.stderr == ""
    answers = [line for line in result.stdout.splitlines() if not line.startswith("MESSAGE ")]
    assert answers == ["OK", "7,7", "UNKNOWN command 'HELLO'"]


def test_what_a_player_prints_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from gomoku_lab.players import thinker

    def chatty(specs: object, progress: object) -> None:
        sys.stdout.write("hello from a module\n")

    monkeypatch.setattr(thinker, "warm_up", chatty)
    result = CliRunner().invoke(main, ["brain", "stages/1", "--seed", "3"], input="START 9\n")
    assert result.stdout == "OK\n"
    assert set(result.stderr.splitlines()) == {"hello from a module"}


def test_a_seed_repeats_a_game() -> None:
    lines = "START 9\n" + "".join(f"TURN {x},8\nTURN {x},7\n" for x in range(4))
    games = [
        CliRunner().invoke(main, ["brain", "stages/1", "--seed", seed], input=lines).stdout
        for seed in ("1", "1", "2")
    ]
    assert games[0] == games[1] != games[2]


def test_it_searches_on_all_cores_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gomoku_lab.arena.provenance.usable_cores", lambda: 6)
    for player, threads, wanted in (
        ("lab/max", None, 6),
        ("lab/max", 2, 2),
        ("lab/max:threads=3", None, 3),
        ("lab/max:threads=3", 1, 1),
        ("pattern/easy", 4, None),
    ):
        spec = on_threads(resolve(player), threads)
        assert wanted == getattr(spec.config, "threads", None)
        assert spec.name == player


def test_the_dialect_is_yixins_on_request() -> None:
    words = ["brain", "stages/3", "--dialect", "yixin"]
    result = CliRunner().invoke(main, words, input="start 15 15\nyxshowforbid\n")
    assert result.stdout == "OK\nFORBID .\n"


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ("python:nomod:X", "ModuleNotFoundError in load: No module named 'nomod'"),
        ("gomocup:./no/such", "there is no program no/such"),
    ],
)
def test_a_player_that_cannot_be_made_is_refused_at_once(player: str, said: str) -> None:
    result = CliRunner().invoke(main, ["brain", player], input="START 15\n")
    assert result.exit_code == USAGE
    assert result.stdout == ""
    assert result.stderr.startswith(f"error: cannot start a player: {player}")
    assert result.stderr.endswith(f"{said}\n")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no/such"], "error: unknown player 'no/such'"),
        (["layered/*"], "error: layered/*: one player is wanted"),
        (["lab/max:depht=3"], "did you mean 'depth'?"),
        (["lab/max", "--dialect", "uci"], "'uci' is not one of 'gomocup', 'yixin'"),
        (["lab/max", "--seed", "-1"], "-1 is not in the range"),
    ],
)
def test_bad_words_end_with_2_before_anything_is_said(words: list[str], said: str) -> None:
    result = CliRunner().invoke(main, ["brain", *words], input="START 15\n")
    assert result.exit_code == USAGE
    assert result.stdout == ""
    assert said in result.stderr
