"""Compilation: one form of each kernel, a cache that is safe to start from, no JIT, bounds checks.

Most of this needs processes of its own, since numba reads its switches when it is imported.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gomoku_lab.kernels import _jit

ROOT = Path(__file__).resolve().parent.parent
KERNELS = ROOT / "gomoku_lab" / "kernels"
JITLESS = ("tests/test_jitless.py", "tests/test_pattern_player.py", "tests/test_minimax.py")
SWITCHES = ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", _jit.CACHE_VARIABLE)

SESSION = """
import json
import time
import numpy as np
from gomoku_lab.engine.config import EngineConfig, SearchLimits
from gomoku_lab.engine.engine import Engine, evaluate, static_order
from gomoku_lab.engine.solve import solve_vcf, warm_up as warm_up_solver
from gomoku_lab.game.board import Board
from gomoku_lab.kernels._jit import compiled_forms
from gomoku_lab.players.registry import expand, make_player, warm_up

started = time.perf_counter()
warm_up()
warm_up_solver()
seconds = time.perf_counter() - started
boards = [Board(), Board.from_moves("h8"), Board.from_moves("h9j8h6g6i7k8h5h7"),
          Board.from_moves("h8a1h9a3h10"), Board.from_moves("h8a1h9a3h10a5h11"),
          Board.from_moves("e5d4", size=9, rule="standard")]
answers = []
for values in ({}, {"table_bits": 0, "terminal": False}, {"threat_layer": False, "defence": 0.5},
               {"vcf_nodes": 500, "sound_gates": True, "radius": 1, "width": 6}):
    config = EngineConfig(**{"depth": 4, "table_bits": 12, **values})
    engine = Engine(config)
    for board in boards:
        limits = SearchLimits(depth=5, nodes=3000, time_ms=1e6)
        for found in (engine.analyse(board), engine.analyse(board, limits=limits)):
            answers.append([found.gate, found.move, found.score, found.nodes, found.pv])
        exact = engine.exact_root(board, depth=2, count=3)
        answers.append([[root.move, root.score] for root in exact])
        answers.append([static_order(board, config), evaluate(board, config)])
for board in boards:
    solution = solve_vcf(board, nodes=2000, every=True)
    answers.append([solution.answer, solution.moves, solution.nodes])
for spec in expand(["*"]):
    if not isinstance(spec.config, EngineConfig):
        player = make_player(spec)
        player.new_game(np.random.SeedSequence(1))
        for board in boards:
            if player.plays(board.rule):
                answers.append([spec.name, player.choose(board).move])
print(json.dumps({"seconds": seconds, "answers": answers, "forms": compiled_forms()}))
"""


def environment(**values):
    """Return the environment without numba's switches and with `values`."""
    inherited = {key: value for key, value in os.environ.items() if key not in SWITCHES}
    return {**inherited, **values}


def run_python(code, folder, **values):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=environment(**values),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_pytest(*arguments, **values):
    """Run some tests in a process of their own and return its last line."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        env=environment(**values),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return done.stdout.strip().splitlines()[-1]


def files(folder):
    return {
        str(path.relative_to(folder)): path.stat().st_mtime_ns
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def sessions(tmp_path_factory):
    """Run one session on an empty cache and two more on what it left; keep the files' times."""
    cache = tmp_path_factory.mktemp("cache")
    found = []
    for _ in range(2):
        printed = run_python(SESSION, cache, **{_jit.CACHE_VARIABLE: str(cache)})
        found.append({**json.loads(printed), "files": files(cache)})
    return found


def test_after_a_search_each_kernel_has_exactly_one_compiled_form(sessions):
    forms = sessions[0]["forms"]
    assert len(forms) > 40
    assert {1} == set(forms.values()), {k: n for k, n in forms.items() if n != 1}


def test_a_second_process_on_the_warm_cache_compiles_nothing_and_answers_the_same(sessions):
    cold, warm = sessions
    assert cold["answers"] == warm["answers"]
    assert cold["files"] == warm["files"]
    assert max(warm["forms"].values()) == 1
    assert warm["seconds"] < cold["seconds"]


def test_the_kernels_pass_as_plain_python():
    last = run_pytest("-m", "jitless", *JITLESS, NUMBA_DISABLE_JIT="1")
    assert "passed" in last
    assert "skipped" not in last


def test_the_kernels_pass_with_bounds_checks():
    """Corners and edges of the smallest and the largest board, deep searches, both rules."""
    chosen = (
        "jitless or incremental or long_line or 64_plies or largest or smallest "
        "or any_size or named_moves or breaking_moves or chain_of_fours"
    )
    last = run_pytest(
        "-k",
        chosen,
        *JITLESS,
        *(f"tests/test_{name}.py" for name in ("state", "engine", "search", "threats")),
        NUMBA_BOUNDSCHECK="1",
    )
    assert "passed" in last


def test_loading_the_kernels_leaves_scipy_alone_and_blas_to_those_who_want_it(tmp_path):
    code = (
        "import sys\n"
        "import gomoku_lab.kernels.search\n"
        "loaded = [name for name in sys.modules if name.startswith('scipy.linalg')]\n"
        "import numba\n"
        "import numpy as np\n"
        "dot = numba.njit(lambda a, b: np.dot(a, b))\n"
        "print(loaded, dot(np.eye(2), np.ones(2)), 'scipy.linalg.cython_blas' in sys.modules)\n"
    )
    assert run_python(code, tmp_path) == "[] [1. 1.] True\n"


def test_bounds_checks_are_on_when_asked_for(tmp_path):
    code = (
        "from gomoku_lab.kernels import _jit\n"
        "import numpy as np\n"
        "_jit.CACHE_FOLDER.joinpath('x').write_text('')\n"
        "assert _jit._BOUNDS_CHECK\n"
        "print(_jit.CACHE_FOLDER.name)"
    )
    values = {_jit.CACHE_VARIABLE: str(tmp_path)}
    checked = run_python(code, tmp_path, NUMBA_BOUNDSCHECK="1", **values).strip()
    assert checked != _jit.CACHE_FOLDER.name


@pytest.mark.parametrize("source", sorted(path.name for path in KERNELS.glob("*.py")))
def test_editing_any_kernel_source_changes_the_cache_folder(source, tmp_path, monkeypatch):
    copy = tmp_path / "kernels"
    shutil.copytree(KERNELS, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(_jit, "__file__", str(copy / "_jit.py"))
    before = _jit._source_hash()
    assert before == _jit._source_hash()
    with (copy / source).open("a") as file:
        file.write("# edited\n")
    assert before != _jit._source_hash()


def test_another_numba_has_another_cache_folder(monkeypatch):
    before = _jit._source_hash()
    monkeypatch.setattr(_jit.numba, "__version__", "0.0.1")
    assert before != _jit._source_hash()


def test_a_cache_folder_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv(_jit.CACHE_VARIABLE, str(blocked))
    with pytest.raises(OSError, match=f"{_jit.CACHE_VARIABLE}='{blocked}' is not a writable"):
        _jit._cache_folder()


def test_without_a_writable_home_the_cache_lies_in_the_temporary_folder(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.delenv(_jit.CACHE_VARIABLE, raising=False)
    monkeypatch.setattr(_jit.platformdirs, "user_cache_path", lambda name: blocked / name)
    monkeypatch.setattr(_jit.tempfile, "gettempdir", lambda: str(tmp_path))
    folder = _jit._cache_folder()
    assert tmp_path in folder.parents
    assert folder.is_dir()


def test_kernels_of_this_process_have_at_most_one_form():
    assert {0, 1} >= set(_jit.compiled_forms().values())
