"""The backend ``dask`` with a real scheduler and real workers on the loopback."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from arena_tools import openings_file, small_config
from click.testing import CliRunner
from dask_tools import Grid, kill, wait
from test_study import found as study_found
from test_study import games as study_games
from test_study import plan as study_plan

from gomoku_lab.arena import cluster as cluster_module
from gomoku_lab.arena.cluster import Cluster
from gomoku_lab.arena.remote import differences, fingerprint
from gomoku_lab.arena.store import canonical, load_run
from gomoku_lab.arena.tournament import resume_tournament, run_tournament
from gomoku_lab.arena.worker import WorkerLostError
from gomoku_lab.arena.workers import Workers
from gomoku_lab.cli.main import main
from gomoku_lab.engine.settings import ConfigError
from gomoku_lab.tuning.study import run_study

HERE = Path(__file__).parent
PROGRAM = (
    f"import sys; sys.path.insert(0, {str(HERE)!r}); import stub_players;"
    "from gomoku_lab.cli.main import main; main()"
)


@pytest.fixture(scope="module")
def module_grid(tmp_path_factory):
    grid = Grid(tmp_path_factory.mktemp("grid"))
    yield grid
    grid.close()


@pytest.fixture
def grid(module_grid):
    """A scheduler and two workers; a worker that an earlier test killed has a successor."""
    module_grid.fill()
    return module_grid


@pytest.fixture
def own_grid(tmp_path):
    """A scheduler for a test that breaks it; one death makes a game a suspect."""
    grid = Grid(tmp_path, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0")
    yield grid
    grid.close()


@pytest.fixture(scope="module")
def openings(tmp_path_factory):
    return openings_file(tmp_path_factory.mktemp("openings"))


@pytest.fixture(scope="module")
def open_gate(tmp_path_factory):
    """The file for which a player waits; it is there."""
    path = tmp_path_factory.mktemp("gate") / "open"
    path.touch()
    return path


@pytest.fixture
def gate(open_gate):
    """The same, but it is not there yet."""
    open_gate.unlink()
    yield open_gate
    open_gate.touch()


@pytest.fixture(scope="module")
def words(openings, open_gate):
    """What all runs of the command play: two players are quick, the third waits for the gate."""
    names = ("stub:random", "stub:forward", f'stub:waits:marker="{open_gate}"')
    players = [word for name in names for word in ("--players", name)]
    return [*players, "--games", "18", "--size", "7", "--openings", openings]


@pytest.fixture(scope="module")
def expected(words, open_gate, tmp_path_factory):
    """The same games, played on this machine."""
    folder = tmp_path_factory.mktemp("local") / "run"
    done = CliRunner().invoke(main, ["tournament", *words, "-j", "1", "-q", "--out", str(folder)])
    assert done.exit_code == 0, done.output
    return canonical(load_run(folder).games())


@pytest.fixture
def start_waiting(words):
    """Start the tournament on a cluster; return when pairs are finished and others cannot be."""
    started = []

    def start(grid, folder):
        own = ["--backend", "dask", "--scheduler", grid.address, "--out", str(folder)]
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "tournament", *words, *own],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        log = folder / "games.jsonl"
        wait(lambda: log.exists() and log.stat().st_size > 0, process)
        return process

    yield start
    for process in started:
        kill(process)
        process.communicate()


def wait_for_line(process, words):
    while words not in process.stderr.readline():
        assert process.poll() is None


def end(process, code):
    out, err = process.communicate(timeout=120)
    assert process.returncode == code, err
    assert "Traceback" not in err
    assert "distributed." not in err
    return out, err


def count(run):
    return len(run.games())


def test_engines_with_node_budgets_play_the_same_games_on_a_cluster(grid, tmp_path):
    config = small_config(
        ("layered/skilled:time_ms=0,nodes=300", "pattern/easy", "stub:random"), pairs=3, seed=5
    )
    local = run_tournament(config, tmp_path / "local", jobs=1).run
    run = run_tournament(config, tmp_path / "run", backend="dask", scheduler=grid.address).run
    assert run.is_complete
    assert canonical(local.games()) == canonical(run.games())
    session = run.facts["sessions"][0]
    assert (4, "dask", grid.address) == tuple(session[k] for k in ("jobs", "backend", "scheduler"))


def test_a_killed_worker_loses_no_finished_pair_and_the_run_ends(
    grid, start_waiting, expected, gate, tmp_path
):
    process = start_waiting(grid, tmp_path / "run")
    kill(grid.workers[0])
    kept = load_run(tmp_path / "run").games()
    gate.touch()
    out, _ = end(process, 0)
    assert "stub:forward" in out
    run = load_run(tmp_path / "run")
    assert 0 < len(kept) < count(run)
    assert kept == run.games()[: len(kept)]
    assert expected == canonical(run.games())


def test_ctrl_c_keeps_the_running_games_and_the_run_goes_on(
    grid, start_waiting, expected, gate, tmp_path
):
    folder = tmp_path / "run"
    process = start_waiting(grid, folder)
    os.killpg(process.pid, signal.SIGINT)
    wait_for_line(process, "finishing the running games")
    before = count(load_run(folder))
    gate.touch()
    _, err = end(process, 4)
    assert f"go on with: gomoku-lab tournament --resume {folder}" in err
    assert 0 < before < count(load_run(folder)) < len(expected)
    resumed = resume_tournament(folder).run
    assert expected == canonical(resumed.games())
    assert ["dask", "dask"] == [session["backend"] for session in resumed.facts["sessions"]]


def test_a_second_ctrl_c_stops_at_once_and_the_workers_stay_usable(
    grid, start_waiting, gate, tmp_path
):
    folder = tmp_path / "run"
    process = start_waiting(grid, folder)
    process.send_signal(signal.SIGINT)
    wait_for_line(process, "finishing the running games")
    process.send_signal(signal.SIGINT)
    _, err = end(process, 4)
    assert "stopped at once; the finished pairs are kept; go on with: gomoku-lab" in err
    assert count(load_run(folder)) > 0
    gate.touch()
    again = small_config(pairs=1)
    done = run_tournament(again, tmp_path / "again", backend="dask", scheduler=grid.address)
    assert done.run.is_complete


def test_a_scheduler_that_dies_leaves_a_run_that_goes_on_elsewhere(
    own_grid, start_waiting, expected, gate, tmp_path
):
    own_grid.fill(1)
    folder = tmp_path / "run"
    process = start_waiting(own_grid, folder)
    kill(own_grid.scheduler)
    _, err = end(process, 4)
    assert f"lost the scheduler at {own_grid.address}" in err
    assert "the finished pairs are kept; go on with: gomoku-lab tournament --resume" in err
    kept = load_run(folder).games()
    assert 0 < len(kept) < len(expected)
    gate.touch()
    resumed = resume_tournament(folder, backend="threading", jobs=2).run
    assert kept == resumed.games()[: len(kept)]
    assert expected == canonical(resumed.games())


def test_games_that_kill_their_workers_end_the_run(own_grid, tmp_path):
    own_grid.fill(1)
    config = small_config(("stub:forward", "stub:dies"), pairs=1)
    with pytest.raises(WorkerLostError, match="1 workers died while they played the same games"):
        run_tournament(config, tmp_path / "run", backend="dask", scheduler=own_grid.address)
    assert load_run(tmp_path / "run").games() == []


def test_a_match_with_a_test_stops_at_its_verdict_on_a_cluster(grid, tmp_path):
    openings = tmp_path / "many.txt"
    thirds = [f"{column}{row}" for column in "abcdefghi" for row in range(6, 10)]
    openings.write_text("size: 9\n" + "".join(f"e5d5{third}\n" for third in thirds))
    words = ["match", "stub:forward", "stub:illegal:after=9", "--sprt", "0,300", "--size", "9"]
    words += ["--model", "logistic", "--openings", str(openings), "--json", "-q"]
    results = []
    for place in (["-j", "1"], ["--backend", "dask", "--scheduler", grid.address, "-j", "3"]):
        done = CliRunner().invoke(main, [*words, *place, "--out", str(tmp_path / place[0])])
        assert done.exit_code == 0, done.output
        results.append(json.loads(done.stdout))
    local, remote = (result["sprt"] for result in results)
    assert local["decision"] == remote["decision"] == "H1"
    assert local["counts"] == remote["counts"]


def test_the_suite_gives_the_same_answers_on_a_cluster(grid):
    words = ["suite", "-p", "layered/novice:time_ms=0,nodes=50", "-p", "pattern/easy", "-q"]
    words += ["--kind", "must-win", "--kind", "open-four", "--no-symmetries", "--json"]
    results = []
    for place in (["-j", "1"], ["--backend", "dask", "--scheduler", grid.address]):
        done = CliRunner().invoke(main, [*words, *place])
        assert done.exit_code in (0, 1), done.output
        results.append(json.loads(done.stdout))
    assert results[0] == results[1]


def test_items_are_taken_only_as_calls_finish(grid):
    with Workers(3, "dask", grid.address) as workers:
        workers.start(())
        taken = []
        items = (taken.append(item) or item for item in range(20))
        results = workers.cluster.stream(abs, items, jobs=3, stopped=lambda: False)
        for finished, _ in enumerate(results):
            assert len(taken) <= finished + 3
    assert taken == list(range(20))


def test_results_come_from_every_thread_of_every_worker(grid):
    with Workers(backend="dask", scheduler=grid.address) as workers:
        workers.start(())
        assert workers.jobs == 4


def test_what_a_call_raises_is_raised_here(grid):
    with Workers(backend="dask", scheduler=grid.address) as workers:
        workers.start(())
        results = workers.cluster.stream(len, iter([1]), jobs=1, stopped=lambda: False)
        with pytest.raises(TypeError, match="has no len"):
            list(results)


def test_what_is_not_to_be_waited_for_any_more_is_given_up(grid, monkeypatch):
    monkeypatch.setattr(cluster_module, "_LOOK_S", 0.01)

    def stopped():
        raise KeyboardInterrupt

    with Workers(backend="dask", scheduler=grid.address) as workers:
        workers.start(())
        results = workers.cluster.stream(time.sleep, iter([1]), jobs=1, stopped=stopped)
        with pytest.raises(KeyboardInterrupt):
            next(results)


def quick_match(openings, folder, address):
    """Return the words of a match of two games on the cluster."""
    words = ["match", "stub:forward", "stub:random", "--games", "2", "--size", "7"]
    words += ["--openings", openings, "--backend", "dask", "--scheduler", address]
    return [*words, "--out", str(folder)]


def other(monkeypatch):
    """Let this process be of another version than the workers are."""
    changed = {**fingerprint(), "gomoku_lab": "99.1", "kernels": "0" * 16}
    monkeypatch.setattr(cluster_module, "fingerprint", lambda: changed)


def test_workers_of_another_version_are_refused_by_name_before_a_folder_is_made(
    grid, openings, tmp_path, monkeypatch
):
    other(monkeypatch)
    done = CliRunner().invoke(main, quick_match(openings, tmp_path / "run", grid.address))
    assert done.exit_code == 2
    here = fingerprint()
    assert "worker tcp://127.0.0.1:" in done.stderr
    assert f"gomoku_lab {here['gomoku_lab']} there and 99.1 here" in done.stderr
    assert f"kernels {here['kernels']} there and {'0' * 16} here" in done.stderr
    assert "code" not in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_worker_of_another_version_that_joins_late_plays_nothing(
    grid, openings, tmp_path, monkeypatch
):
    other(monkeypatch)
    monkeypatch.setattr(Cluster, "examine", lambda *_: None)
    done = CliRunner().invoke(main, quick_match(openings, tmp_path / "run", grid.address))
    assert done.exit_code == 2
    assert "is refused: gomoku_lab" in done.stderr
    assert "there and 99.1 here" in done.stderr
    assert f"go on without it with: gomoku-lab match --resume {tmp_path / 'run'}" in done.stderr
    assert load_run(tmp_path / "run").games() == []


def test_a_worker_without_the_module_of_a_player_is_named(grid, tmp_path, monkeypatch):
    (tmp_path / "only_here.py").write_text("class Config:\n    pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    from only_here import Config

    with Workers(backend="dask", scheduler=grid.address) as workers:
        wanted = (
            r"worker tcp://.* cannot play: .*No module named 'only_here'.*; it needs gomoku_lab"
        )
        with pytest.raises(ConfigError, match=wanted):
            workers.start((Config(),))


def test_a_scheduler_without_workers_is_waited_for_and_then_given_up(own_grid, monkeypatch):
    monkeypatch.setattr(cluster_module, "PATIENCE_S", 0.0)
    said = []
    workers = Workers(backend="dask", scheduler=own_grid.address)
    with workers, pytest.raises(ConfigError, match=f"no worker at {own_grid.address} for 0 s"):
        workers.start((), said.append)
    assert said == [f"no worker at {own_grid.address}; waiting 0 s for one"]


@pytest.mark.parametrize(
    "address",
    ["tcp://127.0.0.1:1", "127.0.0.1:1", "nothing", "tcp://", "ftp://a:1", "tls://127.0.0.1:1"],
)
def test_a_scheduler_that_does_not_answer_is_named(openings, tmp_path, monkeypatch, address):
    monkeypatch.setattr(cluster_module, "CONNECT_S", 0.5)
    done = CliRunner().invoke(main, quick_match(openings, tmp_path / "run", address))
    assert done.exit_code == 2
    assert done.stderr.startswith(f"error: no Dask scheduler answers at {address!r}")
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "run").exists()


def test_a_gate_asks_the_scheduler_that_it_is_given(openings, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_module, "CONNECT_S", 0.5)
    words = ["accept", "stub:forward", "--over", "stub:random", "--nodes", "10,20"]
    words += ["--openings", openings, "--size", "7", "--games", "2", "--backend", "dask"]
    words += ["--scheduler", "tcp://127.0.0.1:1", "--run", str(tmp_path / "gate")]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert "no Dask scheduler answers at 'tcp://127.0.0.1:1'" in done.stderr


@pytest.mark.parametrize("answer", [None, b"HTTP/1.0 400 Bad Request\r\n\r\n", bytes(4096)])
def test_a_program_that_is_no_scheduler_is_not_waited_for(monkeypatch, answer):
    monkeypatch.setattr(cluster_module, "CONNECT_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server, contextlib.ExitStack() as talks:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    talk = talks.enter_context(server.accept()[0])
                    if answer is not None:
                        talk.sendall(answer)
                        talk.shutdown(socket.SHUT_RDWR)

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(ConfigError, match=f"no Dask scheduler answers at '{address}': "):
            Cluster(address)
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def test_the_address_of_a_worker_is_not_that_of_a_scheduler(grid):
    with pytest.raises(ConfigError, match="it is a worker's address"):
        Cluster(grid.worker_address())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"backend": "dask"}, "backend dask needs scheduler, the address of one"),
        ({"scheduler": "tcp://a:1"}, "scheduler 'tcp://a:1' belongs to backend dask, not to"),
        ({"jobs": 0}, "jobs must be 1 or more: 0"),
        ({"backend": "ray"}, "backend must be one of loky, threading, dask: 'ray'"),
    ],
)
def test_workers_that_do_not_fit_together_are_refused(words, message):
    with pytest.raises(ConfigError, match=message):
        Workers(**words)


def test_a_fingerprint_differs_in_what_is_missing_as_well():
    assert differences({"a": "1", "b": "2"}, {"a": "1", "b": "2"}) == ""
    assert differences({"a": "1"}, {"b": "2"}) == (
        "b missing there and 2 here, a 1 there and missing here"
    )


def test_without_dask_the_backend_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ConfigError, match=r"pip install 'gomoku-lab\[dask\]'"):
        Cluster("tcp://127.0.0.1:1")


def test_a_study_finds_the_same_on_a_cluster(grid, tmp_path):
    for name, how in (
        ("alone", {"jobs": 1}),
        ("cluster", {"backend": "dask", "scheduler": grid.address}),
    ):
        run_study(study_plan(pairs=12), tmp_path / name, **how)
    assert study_found(tmp_path / "alone") == study_found(tmp_path / "cluster")
    assert study_games(tmp_path / "alone") == study_games(tmp_path / "cluster")
