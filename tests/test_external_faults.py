"""A Gomocup program as a player: how it can fail, and what it leaves behind."""

import os
import re
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from external_tools import BOARD, FAKE, LAST, Fakes, play
from process_tools import in_the_end, is_running, until_gone

from gomoku_lab.players import child
from gomoku_lab.players.errors import (
    IllegalMove,
    PlayerCrash,
    PlayerError,
    PlayerStartError,
    PlayerTimeout,
)

NAME = Path(sys.executable).name
SEED = np.random.SeedSequence(5)


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Fakes]:
    """Return a maker of fake programs as players."""
    fakes = Fakes(tmp_path / "log")
    yield fakes
    fakes.close()


# ---- how it fails --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "settings", "kind", "message"),
    [
        (
            "about hang",
            {"start_ms": 50},
            PlayerTimeout,
            "did not answer ABOUT (it may go without if about=false) within 50 ms",
        ),
        ("about", {}, PlayerCrash, "answered 'UNKNOWN' to ABOUT (it may go without if about=false"),
        ("start", {}, PlayerCrash, "answered 'ERROR 15 lines are too many' to START 15"),
        ("start crash", {}, PlayerCrash, "ended in START 15: exit code 7"),
        ("start garbage", {}, PlayerCrash, "ended in START 15 (it said 'what?'): exit code 0"),
        (
            "unknown, then nothing",
            {},
            PlayerCrash,
            "ended in BOARD (it said 'UNKNOWN'): exit code 0",
        ),
    ],
)
def test_a_program_that_does_not_start_fails_in_every_game(
    make: Fakes, how: str, settings: dict[str, Any], kind: type[PlayerError], message: str
) -> None:
    player = make(how, **settings)
    for _ in range(2):
        player.new_game(SEED)
        with pytest.raises(kind) as caught:
            player.choose(BOARD)
        assert f"{NAME} {message}" in str(caught.value)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("crash", "ended in BOARD (a rehearsal): exit code 1"),
        ("error", "answered 'ERROR I do not know that rule' to BOARD (a rehearsal)"),
    ],
)
def test_a_program_that_breaks_in_rehearsal_has_failed_to_start(
    make: Fakes, how: str, message: str
) -> None:
    with pytest.raises(PlayerCrash) as caught:
        make(how, rehearse=True).choose(BOARD)
    assert f"{NAME} {message}" in str(caught.value)


def test_a_program_may_go_without_about(make: Fakes) -> None:
    make("about hang", about=False).choose(BOARD)
    assert "ABOUT" not in make.heard()[0]


@pytest.mark.parametrize(
    ("how", "settings", "kind", "message"),
    [
        ("crash", {}, PlayerCrash, "ended in TURN 0,0: exit code 1\nstderr:\na last word"),
        ("abort", {}, PlayerCrash, "ended in TURN 0,0: signal 9 (SIGKILL)"),
        ("close", {}, PlayerCrash, "ended in TURN 0,0: it closed its output"),
        ("hang", {"hang_ms": 50}, PlayerTimeout, "did not answer TURN 0,0 within 50 ms"),
        ("flood", {"hang_ms": 50}, PlayerTimeout, "did not answer TURN 0,0 within 50 ms"),
        ("endless line", {}, IllegalMove, f"answered '{'7' * 100}"),
        ("garbage", {}, IllegalMove, "answered 'Segmentation fault?' to TURN 0,0; a move X,Y was"),
        ("ok", {}, IllegalMove, "answered 'OK' to TURN 0,0; a move X,Y was wanted"),
        ("pair", {}, IllegalMove, "answered '0,0 1,1' to TURN 0,0; a move X,Y was wanted"),
        ("error", {}, PlayerCrash, "answered 'ERROR I do not know that rule' to TURN 0,0"),
        ("unknown", {}, PlayerCrash, "answered 'UNKNOWN' to TURN 0,0"),
        ("off board", {}, IllegalMove, "played 15,3: point 15,3 is off the 15x15 board"),
        ("negative", {}, IllegalMove, "played -4,-4: point -4,-4 is off the 15x15 board"),
        ("occupied", {}, IllegalMove, "played 7,7: h8 is occupied by black"),
    ],
)
def test_each_fault_has_its_reason_and_the_next_game_a_new_process_with_all_settings(
    make: Fakes,
    monkeypatch: pytest.MonkeyPatch,
    how: str,
    settings: dict[str, Any],
    kind: type[PlayerError],
    message: str,
) -> None:
    monkeypatch.setattr(child, "_END_S", 0.2 if how == "close" else child._END_S)
    # A hang is waited for in the second move; the first one has all the time that it wants.
    player = make(how, "at=2", depth=9, info={"mood": 1}, **settings)
    player._config = replace(player._config, hang_ms=60_000)
    player.new_game(SEED)
    board = play(player, BOARD)
    player._config = replace(player._config, **settings)
    with pytest.raises(kind) as caught:
        player.choose(board)
    assert f"{NAME} {message}" in str(caught.value)
    player._config = replace(player._config, hang_ms=60_000)
    player.new_game(SEED)
    play(player, BOARD)
    first, second = make.heard()
    begun = second.index("BOARD")
    assert "INFO mood 1" in second[:begun]
    assert first[:begun] == second[:begun]


@pytest.mark.parametrize("budget", ["time_ms", "match_ms"])
def test_a_late_move_is_told_from_a_hang(make: Fakes, budget: str) -> None:
    player = make("late", grace_ms=1, **{budget: 2})
    player.new_game(SEED)
    with pytest.raises(PlayerTimeout) as caught:
        player.choose(BOARD)
    allowed = r"; 3 ms were allowed, of which 1 of grace$"
    assert re.search(rf"{NAME} answered '14,14' to BOARD after \d+ ms{allowed}", str(caught.value))
    player._config = replace(player._config, grace_ms=60_000)
    player.new_game(SEED)
    player.choose(BOARD)
    assert 2 == len(make.heard())


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit data")
def test_memory_is_limited_and_its_lack_is_the_programs_end(make: Fakes) -> None:
    for memory in ({"memory_mb": 2048, "grace_mb": 0}, {"memory_mb": 1, "grace_mb": 2047}):
        assert make("eat", **memory).choose(BOARD).move == LAST
    with pytest.raises(
        PlayerCrash, match=r"ended in BOARD: exit code 1\nstderr:\n(.*\n)*MemoryErr"
    ):
        make("eat", memory_mb=128, grace_mb=128).choose(BOARD)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"target": "./no/such-program"}, "there is no program no/such-program"),
        ({"target": "no-such-program-on-the-path"}, "there is no program no-such-program-on-the-p"),
        ({"target": FAKE}, f"{FAKE} is not executable"),
        ({"target": "{folder}/script"}, "{folder}/script: Exec format error"),
        ({"target": "{folder}"}, "{folder} is a folder"),
        ({"target": "{folder}/lost"}, "{folder}/lost: its first line names an interpreter that"),
        ({"target": "{folder}/lost-env"}, "an interpreter that is missing: no-such-interpreter"),
        ({"target": "{folder}/windows"}, r"windows: its lines end with CR LF, so that the system "),
        ({"target": "{folder}/windows-env"}, r"looks for 'python3\r': convert them"),
        ({"folder": "no/such/folder"}, "folder must be a folder that exists: 'no/such/folder'"),
    ],
)
def test_what_cannot_be_run_is_refused_at_once(
    make: Fakes, tmp_path: Path, settings: dict[str, Any], message: str
) -> None:
    for name, text in (
        ("script", "no program at all\n"),
        ("lost", "#!/no/such/interpreter -x\n"),
        ("lost-env", "#! /usr/bin/env no-such-interpreter\n"),
        ("windows", "#!/bin/sh\r\n"),
        ("windows-env", "#!/usr/bin/env python3\r\n"),
    ):
        script = tmp_path / name
        script.write_bytes(text.encode())
        script.chmod(0o755)
    settings = {key: value.format(folder=tmp_path) for key, value in settings.items()}
    with pytest.raises(PlayerStartError) as caught:
        make(**settings)
    assert str(caught.value).startswith("cannot start a player: fake: ")
    assert message.format(folder=tmp_path) in str(caught.value)


def test_program_is_found_beside_us_on_the_path_and_at_home(
    make: Fakes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "pbrain-python"
    python.symlink_to(sys.executable)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert make(target="~/pbrain-python").choose(BOARD).move == LAST
    monkeypatch.setenv("PATH", str(tmp_path))
    assert make(target="pbrain-python").choose(BOARD).move == LAST
    monkeypatch.setenv("PATH", "")
    monkeypatch.chdir(tmp_path)
    for target in ("pbrain-python", "./pbrain-python"):
        assert make(target=target).choose(BOARD).move == LAST


# ---- what it leaves behind -----------------------------------------------------------------------


def children(make: Fakes) -> list[int]:
    """Return the process ids of the child and of the daemon that the program has started."""
    (line,) = (text for _, text in make.lines() if text.startswith("children"))
    return [int(word) for word in line.split()[1:]]


@pytest.mark.parametrize("how", ["close", "hang"])
def test_nothing_that_the_program_has_started_stays(make: Fakes, how: str) -> None:
    player = make("children")
    player.choose(BOARD)
    running = children(make)
    assert [True, True] == [is_running(pid) for pid in running]
    if how == "close":
        player.close()
    else:
        player._config = replace(player._config, hang_ms=1)
        with pytest.raises(PlayerTimeout):
            player._think(("never",), None)
    assert [False, False] == [is_running(pid) for pid in running]


def test_close_leaves_no_process_and_may_be_called_twice(make: Fakes) -> None:
    player = make()
    process = player._child.pid
    player.close()
    player.close()
    assert not is_running(process)
    assert player.choose(BOARD).move == LAST  # it may play again


def test_program_that_does_not_obey_end_is_killed(make: Fakes, monkeypatch) -> None:
    monkeypatch.setattr(child, "_QUIT_S", 0.05)
    player = make("stay")
    player.choose(BOARD)
    process = player._child.pid
    player.close()
    assert not is_running(process)


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM"])
def test_program_of_a_killed_parent_ends_with_all_it_has_started(make: Fakes, name: str) -> None:
    program = f"""
        import external_tools
        player = external_tools.Fakes({str(make.log)!r})("children")
        player.choose(external_tools.BOARD)
        print(player._process.folder, flush=True)
        player._think(("never",), None)
    """
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        folder = Path(parent.stdout.readline().strip())
        processes = [*children(make), make.lines()[0][0]]
        assert all(map(is_running, processes))
        assert folder.is_dir()
    finally:
        parent.send_signal(getattr(signal, name))
        parent.communicate()
    assert all(map(until_gone, processes))
    assert in_the_end(lambda: not folder.exists())
