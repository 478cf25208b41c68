"""The first use compiles in no silence, and the next ones say nothing."""

import os
import subprocess
import sys

import pytest

from gomoku_lab.engine import compiling
from gomoku_lab.kernels import _jit

SESSION = """
import gomoku_lab as gl
print(gl.analyse("h8 i9 g7", "layered/novice:time_ms=0,noise=0").gate)
gl.Engine(gl.EngineConfig(depth=1)).analyse(gl.Board.from_moves("h8"))
gl.count_candidates(["h8"])
for name in ("pattern/easy", "textbook/depth1", "stages/3", "minimax/normal"):
    gl.make_player(name).choose(gl.Board.from_moves("h8"))
"""
SAID = [
    "compiling the engine, once, about 20 s",
    "compiling the one-ply players, once, about 3 s",
    "compiling the textbook players, once, about 10 s",
    "compiling the players of minimax, once, about 5 s",
]


@pytest.fixture
def cold(tmp_path, monkeypatch):
    """A process that has asked for no kernel, before an empty cache."""
    monkeypatch.setattr(_jit, "CACHE_FOLDER", tmp_path)
    monkeypatch.setattr(compiling, "_asked", set())
    return tmp_path


def test_the_first_use_from_python_says_on_stderr_what_it_compiles_and_the_next_is_silent(tmp_path):
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    told = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", SESSION],
            env={**inherited, "GOMOKU_LAB_CACHE": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        told.append(done.stderr.splitlines())
    assert [SAID, []] == told


@pytest.mark.skipif(not _jit.COMPILED, reason="nothing is compiled")
def test_a_compilation_is_told_once_a_process(cold, caplog):
    for _ in range(2):
        compiling.tell_compiling("some.kernel", "a while")
    assert ["a while"] == caplog.messages


@pytest.mark.skipif(not _jit.COMPILED, reason="nothing is compiled")
def test_who_asks_to_be_told_is_told_instead_of_the_log(cold, caplog):
    said = []
    compiling.tell_compiling("some.kernel", "a while", said.append)
    assert (["a while"], []) == (said, caplog.messages)


def test_a_late_module_is_imported_when_something_of_it_is_used(monkeypatch):
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    late = compiling.LateModule("colorsys")
    assert "colorsys" not in sys.modules
    assert (0.0, 0.0, 1.0) == late.rgb_to_hsv(1, 1, 1)


def test_what_is_cached_is_not_told(cold, caplog):
    (cold / "some.kernel-12.nbc").touch()
    compiling.tell_compiling("some.kernel", "a while")
    assert [] == caplog.messages
