import os
import subprocess
import sys
from pathlib import Path

import pytest
import stub_players
from dask_tools import wait

from gomoku_lab.kernels import _jit
from gomoku_lab.players import registry
from gomoku_lab.players.compiling import uncompiled, warm_up_in_turn
from gomoku_lab.players.registry import resolve

HERE = Path(__file__).parent
SPECS = (resolve("compiled:forward"), resolve("stub:forward"))

# Stands for a compilation: it takes a while, and leaves something behind that others load.
PROCESS = """
import sys, time
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from stub_players import CompiledStub
from gomoku_lab.players.compiling import warm_up_in_turn
from gomoku_lab.players.registry import resolve

folder, number = Path(sys.argv[2]), sys.argv[3]

def compile_once(progress=None):
    if not (folder / "code").exists():
        (folder / f"compiled-by-{number}").touch()
        time.sleep(0.3)
        (folder / "code").touch()

CompiledStub.warm_up = staticmethod(compile_once)
specs = [resolve("compiled:forward")]
import gomoku_lab.kernels._jit
(folder / f"ready-{number}").touch()
while not (folder / "go").exists():
    time.sleep(0.001)
warm_up_in_turn(specs)
assert (folder / "code").exists()
"""


@pytest.fixture
def cold(tmp_path, monkeypatch):
    """An empty cache, and a process that has loaded nothing."""
    monkeypatch.setattr(_jit, "CACHE_FOLDER", tmp_path)
    monkeypatch.setattr(registry, "_loaded", set())
    calls = []
    stub = staticmethod(lambda progress=None: calls.append(progress))
    monkeypatch.setattr(stub_players.CompiledStub, "warm_up", stub)
    return calls


def test_of_processes_that_meet_a_cold_cache_one_compiles_and_the_others_wait(tmp_path):
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS, str(HERE), str(tmp_path), str(number)],
            env={**os.environ, "GOMOKU_LAB_CACHE": str(tmp_path / "cache")},
        )
        for number in range(3)
    ]
    wait(lambda: len(list(tmp_path.glob("ready-*"))) == 3)
    (tmp_path / "go").touch()
    assert [0, 0, 0] == [process.wait(timeout=60) for process in processes]
    assert len(list(tmp_path.glob("compiled-by-*"))) == 1


def test_what_was_compiled_is_known_to_the_next_process(cold):
    assert uncompiled(SPECS) == ("compiled",)
    warm_up_in_turn(SPECS)
    assert uncompiled(SPECS) == ()
    assert len(cold) == 1


def test_a_compilation_that_fails_is_not_taken_for_one(cold, monkeypatch):
    def fail(progress=None):
        raise OSError("no space left")

    monkeypatch.setattr(stub_players.CompiledStub, "warm_up", staticmethod(fail))
    with pytest.raises(OSError, match="no space left"):
        warm_up_in_turn(SPECS)
    assert uncompiled(SPECS) == ("compiled",)


def test_players_without_kernels_need_no_cache(cold, tmp_path):
    warm_up_in_turn([resolve("stub:forward")])
    assert uncompiled([resolve("stub:forward")]) == ()
    assert list(tmp_path.iterdir()) == []


def test_where_files_cannot_be_locked_everybody_compiles(cold, monkeypatch):
    monkeypatch.setitem(sys.modules, "fcntl", None)
    warm_up_in_turn(SPECS)
    assert len(cold) == 1


def test_who_compiles_says_so(cold):
    warm_up_in_turn(SPECS, print)
    assert cold == [print]
