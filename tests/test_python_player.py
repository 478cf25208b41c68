"""A class of the user's own as a player: what it may do, and every way in which it can fail."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from joblib import Parallel, delayed
from joblib.externals.loky import get_reusable_executor
from process_tools import is_running, until_gone

from gomoku_lab.engine.config import SearchLimits
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import Rule
from gomoku_lab.players.errors import (
    IllegalMove,
    PlayerCrash,
    PlayerError,
    PlayerStartError,
    PlayerTimeout,
)
from gomoku_lab.players.python import PythonPlayer
from gomoku_lab.players.registry import resolve

BOTS = """
import os, random, subprocess, sys
import numpy as np

class First:
    def choose(self, board, limits):
        return board.empty_points()[0]

class Named:
    def choose(self, board, limits):
        return "H8"

class NumPy:
    def choose(self, board, limits):
        return np.int64(7)

class Random:
    def __init__(self):
        self.first = random.choice(range(225))
    def choose(self, board, limits):
        spice = np.random.randint(225) + self.first
        return (spice + random.choice(board.empty_points())) % 225

class Counter:
    asked = 0
    def choose(self, board, limits):
        self.asked += 1
        return self.asked

class Keeper(Counter):
    def new_game(self, seed):
        self.asked += 100

class Seeded(Random):
    def new_game(self, seed):
        self.generator = random.Random(seed)
    def choose(self, board, limits):
        return (self.first + self.generator.randrange(225) + random.randrange(225)) % 225

class Limits:
    def choose(self, board, limits):
        assert limits.depth == 3, limits
        return int(limits.time_ms or 0)

class Seer:
    def choose(self, board, limits):
        assert board == type(board).from_moves("h8i9g7", size=15, rule="standard")
        assert board.last_move is not None and board.to_move == 2
        return 1

class Standard(First):
    rules = ("standard",)

single = Counter()

class Chatty(First):
    def choose(self, board, limits):
        print("talk on stdout"); os.system("echo talk of a child")
        print(repr(sys.stdin.read()))
        return super().choose(board, limits)

class Raises:
    def choose(self, board, limits):
        print("a last word", file=sys.stderr)
        return 1 / 0

class RaisesOnSecondGame:
    games = 0
    def new_game(self, seed):
        self.games += 1
        print("game", self.games)
    def choose(self, board, limits):
        return 1 // (2 - self.games)  # fails in the second game

class Leaves:
    def choose(self, board, limits):
        sys.exit("enough")

class Dies:
    def choose(self, board, limits):
        sys.stderr.write("a last word"); sys.stderr.flush()
        os._exit(3)

class Aborts:
    def choose(self, board, limits):
        os.kill(os.getpid(), 9)

class Spins:
    def choose(self, board, limits):
        print("spinning")
        while True:
            pass

class Starts(Spins):
    def new_game(self, seed):
        helper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        print("helper", helper.pid)

class Answers:
    value = None
    def choose(self, board, limits):
        return self.value

class Half(Answers):
    value = 3.5

class Yes(Answers):
    value = True

class OffBoard(Answers):
    value = 225

class Negative(Answers):
    value = -1

class NoPoint(Answers):
    value = "pass"

class OnStone(Answers):
    value = "h8"

class BadStart:
    def __init__(self):
        raise RuntimeError("no weights file")
    def choose(self, board, limits):
        return 0

class NoChoose:
    pass

class SlowStart(First):
    def __init__(self):
        while True:
            pass
"""
BOARD = Board.from_moves("h8i9")
SEED = np.random.SeedSequence(5)


@pytest.fixture(autouse=True)
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the module into the current folder, which is on nobody's path."""
    file = tmp_path / "my_bots.py"
    file.write_text(textwrap.dedent(BOTS), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return file


@pytest.fixture
def make() -> Iterator:
    """Return a maker of players that are closed at the end."""
    players: list[PythonPlayer] = []

    def make_one(name: str) -> PythonPlayer:
        players.append(PythonPlayer(resolve(f"python:my_bots:{name}")))
        return players[-1]

    yield make_one
    for player in players:
        player.close()


# ---- what it may do ------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "move"), [("First", 0), ("Named", 112), ("NumPy", 7)])
def test_move_may_be_an_index_or_a_name(make, name: str, move: int) -> None:
    player = make(name)
    player.new_game(SEED)
    assert player.choose(Board()).move == move
    assert player.name == f"python:my_bots:{name}"


def test_object_sees_the_whole_board(make) -> None:
    player = make("Seer")
    assert player.choose(Board.from_moves("h8i9g7", rule="standard")).move == 1


def test_object_is_handed_its_limits(make) -> None:
    player = make("Limits:depth=3,time_ms=20")
    assert player.choose(BOARD).move == 20
    assert player.choose(BOARD, SearchLimits(depth=3)).move == 0
    assert player.choose(BOARD, SearchLimits(depth=3, time_ms=6)).move == 6


def test_finished_board_gets_no_move(make) -> None:
    won = Board.from_moves("a1a15b1b15c1c15d1d15e1")
    assert make("Spins").choose(won).move is None


@pytest.mark.parametrize("name", ["Random", "Seeded"])
def test_seed_makes_a_class_that_draws_reproducible(make, name: str) -> None:
    def moves(seed: int) -> list[int]:
        player.new_game(np.random.SeedSequence(seed))
        return [player.choose(Board()).move for _ in range(5)]

    player = make(name)
    first = moves(1)
    assert moves(2) != first
    assert moves(1) == first
    player.close()  # what comes now is another process
    assert moves(1) == first


def test_game_starts_with_a_new_object_unless_the_object_asks_to_be_told(make) -> None:
    forgetful, keeper, single = make("Counter"), make("Keeper"), make("single")
    for player in (forgetful, keeper, single):
        player.new_game(SEED)
        player.choose(BOARD)
        player.new_game(SEED)
    assert forgetful.choose(BOARD).move == 1
    assert keeper.choose(BOARD).move == 202
    assert single.choose(BOARD).move == 2


def test_object_may_name_the_rules_that_it_plays(make) -> None:
    assert not make("Standard").plays(Rule.FREESTYLE)
    assert make("Standard").plays(Rule.STANDARD)
    assert make("First").plays(Rule.FREESTYLE)


def test_what_the_object_prints_and_reads_stays_out_of_the_answers(make) -> None:
    player = make("Chatty")
    assert [player.choose(BOARD).move for _ in range(3)] == [0, 0, 0]


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_players_run_in_parallel_workers(backend: str) -> None:
    def play(seed: int) -> int:
        player = PythonPlayer(resolve("python:my_bots:Random"))
        try:
            player.new_game(np.random.SeedSequence(seed))
            return player.choose(Board()).move
        finally:
            player.close()

    # Workers keep the folder and path of their start: neither may come from, or go to, other tests.
    get_reusable_executor().shutdown(wait=True)
    moves = Parallel(n_jobs=2, backend=backend)(delayed(play)(seed) for seed in (1, 2, 1))
    get_reusable_executor().shutdown(wait=True)
    assert moves[0] == moves[2]


# ---- how it fails --------------------------------------------------------------------------------


def test_exception_is_a_crash_that_quotes_traceback_and_stderr(make) -> None:
    player = make("Raises")
    for _ in range(2):  # the second game starts it anew
        player.new_game(SEED)
        with pytest.raises(PlayerCrash) as caught:
            player.choose(BOARD)
        lines = str(caught.value).splitlines()
        assert lines[0] == (
            "python:my_bots:Raises raised ZeroDivisionError in choose: division by zero"
        )
        assert "my_bots.py" in lines[2]
        assert "python_host.py" not in str(caught.value)
        assert lines[-2:] == ["stderr:", "a last word"]
        assert caught.value.reason == "crash"


def test_stderr_of_earlier_games_is_not_quoted(make) -> None:
    player = make("RaisesOnSecondGame")
    player.new_game(SEED)
    assert player.choose(BOARD).move == 1
    player.new_game(SEED)
    with pytest.raises(PlayerCrash, match=r"stderr:\ngame 2$"):
        player.choose(BOARD)
    # The object that saw two games is gone: its successor begins at one.
    player.new_game(SEED)
    assert player.choose(BOARD).move == 1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Leaves", "raised SystemExit in choose: enough"),
        ("Dies", "ended in choose: exit code 3\nstderr:\na last word"),
        ("Aborts", "ended in choose: signal 9 (SIGKILL)"),
    ],
)
def test_end_of_the_process_is_a_crash_that_says_how(make, name: str, message: str) -> None:
    player = make(name)
    with pytest.raises(PlayerCrash) as caught:
        player.choose(BOARD)
    assert f"python:my_bots:{name} {message}" in str(caught.value)


@pytest.mark.parametrize(
    ("options", "limits", "allowed"),
    [
        ("hang_ms=50", None, 50),
        ("time_ms=20,grace_ms=30", None, 50),
        ("hang_ms=60000,grace_ms=30", SearchLimits(time_ms=10), 40),
    ],
)
def test_hang_past_the_limit_is_a_timeout_and_the_process_is_killed(
    make, options: str, limits: SearchLimits | None, allowed: int
) -> None:
    player = make(f"Spins:{options}")
    child = player._child.pid
    with pytest.raises(PlayerTimeout) as caught:
        player.choose(BOARD, limits)
    assert f"did not answer choose within {allowed} ms" in str(caught.value)
    assert caught.value.reason == "time"
    assert not is_running(child)
    player.new_game(SEED)  # it is there again
    assert player._child.pid != child


def test_killed_player_takes_along_what_it_started(make) -> None:
    player = make("Starts:hang_ms=50")
    player.new_game(SEED)
    with pytest.raises(PlayerTimeout, match=r"stderr:\nhelper \d+") as caught:
        player.choose(BOARD)
    helper = str(caught.value).partition("helper ")[2].split()[0]
    assert until_gone(int(helper))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Half", "answered 3.5 (float); a flat index or a name such as 'h8' was wanted"),
        ("Answers", "answered None (NoneType); a flat index or a name"),
        ("Yes", "answered True (bool); a flat index"),
        ("OffBoard", "played 225: move must be 0..224 on a 15x15 board: 225"),
        ("Negative", "played -1: move must be 0..224"),
        ("NoPoint", "played 'pass': a move must be a letter and a number such as h8: 'pass'"),
        ("OnStone", "played 'h8': h8 is occupied by black"),
    ],
)
def test_answer_that_is_no_legal_move_is_an_illegal_move(make, name: str, message: str) -> None:
    player = make(name)
    with pytest.raises(IllegalMove) as caught:
        player.choose(BOARD)
    assert f"python:my_bots:{name} {message}" in str(caught.value)
    assert caught.value.reason == "illegal move"


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("my_bots:Nobody", "module 'my_bots' has no attribute 'Nobody'"),
        ("my_bots:NoChoose", "my_bots:NoChoose has no method choose(board, limits)"),
        ("my_bots:BadStart", "raised RuntimeError in load: no weights file"),
        ("no_such_module_here:Bot", "No module named 'no_such_module_here'"),
        ("my_bots:SlowStart:start_ms=50", "did not answer load within 50 ms"),
    ],
)
def test_class_that_cannot_be_made_is_refused_at_once(target: str, message: str) -> None:
    with pytest.raises(PlayerStartError) as caught:
        PythonPlayer(resolve(f"python:{target}"))
    assert str(caught.value).startswith("cannot start a player: ")
    assert message in str(caught.value)
    assert isinstance(caught.value, PlayerError)


def test_module_that_breaks_on_import_is_quoted(bots: Path) -> None:
    bots.write_text("import math\nmath.no_such_thing\n")
    with pytest.raises(PlayerStartError, match=r"my_bots\.py\", line 2"):
        PythonPlayer(resolve("python:my_bots:Bot"))


# ---- what it leaves behind -----------------------------------------------------------------------


def test_close_leaves_no_process_and_may_be_called_twice(make) -> None:
    player = make("First")
    child = player._child.pid
    player.close()
    player.close()
    assert not Path(f"/proc/{child}").exists()


def test_closed_player_may_play_again(make) -> None:
    player = make("First")
    player.close()
    assert player.choose(Board()).move == 0


def test_player_of_a_killed_parent_ends_even_while_it_hangs() -> None:
    program = """
        import sys
        from gomoku_lab.game.board import Board
        from gomoku_lab.players.registry import make_player
        player = make_player("python:my_bots:Spins:hang_ms=600000")
        print(player._child.pid, flush=True)
        player.choose(Board())
    """
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    with parent:
        child = int(parent.stdout.readline())
        assert is_running(child)
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        assert until_gone(child)
