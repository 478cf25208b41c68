"""What goes wrong around a run (disk, signals, clock) leaves a run to read and to resume."""

import errno
import io
import itertools
import os
import pty
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import jsonschema
import pytest
from arena_tools import openings_file, small_config
from click.testing import CliRunner

from gomoku_lab.arena import provenance
from gomoku_lab.arena.store import canonical, load_run
from gomoku_lab.arena.tournament import Interrupts, resume_tournament, run_tournament
from gomoku_lab.cli.main import main
from gomoku_lab.game.schemas import load_schema

MANY_AT_A_TIME = ("--jobs", "8", "--backend", "threading")
HERE = Path(__file__).parent
PROGRAM = (
    # Whoever runs the tests by `nohup` hands on that a closed terminal means nothing.
    "import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL);"
    f"import sys; sys.path.insert(0, {str(HERE)!r}); import stub_players;"
    "from gomoku_lab.cli.main import main; main()"
)


def without_names(games):
    """Drop what differs between players that differ only in their sleep."""
    return [{k: v for k, v in game.items() if k not in ("black", "white")} for game in games]


@pytest.fixture(scope="module")
def words(tmp_path_factory):
    """All but the players' sleep and the folder of a tournament of 54 games."""
    openings = openings_file(tmp_path_factory.mktemp("openings"))
    return ["--games", "18", "--size", "7", "--openings", openings]


@pytest.fixture(scope="module")
def whole(words, tmp_path_factory):
    """The run folder of that tournament, played without a break."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    done = CliRunner().invoke(
        main, ["tournament", *players(0), *words, "--jobs", "1", "--out", str(folder)]
    )
    assert done.exit_code == 0, done.output
    return folder


def players(sleep_ms):
    names = (
        f"stub:{kind},sleep_ms={sleep_ms}" for kind in ("random:", "forward:", "random:salt=1")
    )
    return [word for name in names for word in ("-p", name.replace(":,", ":"))]


def start(*words, first="", **options):
    """Run the command in a session of its own; `first` is Python that goes before it."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(
        [sys.executable, "-c", first + PROGRAM, *map(str, words)],
        start_new_session=True,
        **{**streams, **options},
    )


def full_after(size):
    """Return Python after which no file can grow larger: a full disk, as far as a writer sees.

    Python itself would take no notice of it, and leave broken bytecode behind.
    """
    return (
        "import os, resource, sys; os.environ['PYTHONDONTWRITEBYTECODE'] = '1';"
        "sys.dont_write_bytecode = True;"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}));"
    )


def resumes_to(folder, whole):
    """Play what is missing and tell whether the games are those of the whole run."""
    done = CliRunner().invoke(main, ["tournament", "--resume", str(folder), *MANY_AT_A_TIME, "-q"])
    assert done.exit_code == 0, done.output
    run = load_run(folder)
    games = (canonical(load_run(path).games()) for path in (folder, whole))
    return run.is_complete and len({str(without_names(one)) for one in games}) == 1


def test_a_disk_that_fills_up_ends_a_run_with_4_and_it_can_be_resumed(tmp_path, words, whole):
    room = (whole / "games.jsonl").stat().st_size // 2
    folder = tmp_path / "run"
    words = ["tournament", *players(0), *words, "--out", folder, "--jobs", 2]
    process = start(*words, first=full_after(room))
    out, err = process.communicate(timeout=60)
    assert process.returncode == 4, err
    assert out == ""
    assert f"error: {folder}/games.jsonl: cannot be written: File too large" in err
    assert f"go on with: gomoku-lab tournament --resume {folder}" in err
    assert "Traceback" not in err
    assert "Warning" not in err
    assert (folder / "games.jsonl").stat().st_size == room
    assert 0 < len(load_run(folder).pairs) < 27
    assert CliRunner().invoke(main, ["rate", str(folder)]).exit_code == 0
    assert resumes_to(folder, whole)


def test_a_report_on_a_full_disk_is_refused_by_name_and_the_old_one_stays(whole):
    assert CliRunner().invoke(main, ["rate", str(whole)]).exit_code == 0
    before = (whole / "ratings.json").read_bytes()
    process = start("rate", whole, first=full_after(1000))
    out, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "stub:random" in out
    assert err == f"error: {whole}/ratings.json: File too large\n"
    assert before == (whole / "ratings.json").read_bytes()
    assert {path.suffix for path in whole.iterdir()} == {".json", ".jsonl", ".html"}


@pytest.fixture
def read_only(monkeypatch):
    """Let nothing be written: the system's refusals, which root would not get, are put in place."""

    def refuse(path):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    real_os_open, real_open = os.open, io.open

    def os_open(path, flags, *rest, **options):
        writing = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        return refuse(path) if writing else real_os_open(path, flags, *rest, **options)

    def open_(path, mode="r", *rest, **options):
        return refuse(path) if set(mode) & set("wax+") else real_open(path, mode, *rest, **options)

    monkeypatch.setattr(os, "open", os_open)
    monkeypatch.setattr(io, "open", open_)
    monkeypatch.setattr(os, "mkdir", lambda path, *_, **__: refuse(path))


def test_in_a_read_only_folder_nothing_is_begun(tmp_path, words, read_only):
    folder = tmp_path / "run"
    done = CliRunner().invoke(main, ["tournament", *players(0), *words, "--out", str(folder)])
    assert done.exit_code == 2
    assert done.stderr == f"error: {folder}: cannot write here: Read-only file system\n"
    assert not folder.exists()


def test_a_read_only_run_is_not_resumed_but_rated(whole, read_only):
    before = {path.name: path.read_bytes() for path in whole.iterdir()}
    done = CliRunner().invoke(main, ["tournament", "--resume", str(whole)])
    assert done.exit_code == 2
    assert done.stderr == f"error: {whole}: cannot write here: Read-only file system\n"
    rated = CliRunner().invoke(main, ["rate", str(whole)])
    assert rated.exit_code == 2
    assert "3 players, 54 games" in rated.stdout
    assert rated.stderr == f"error: {whole}/ratings.json: Read-only file system\n"
    assert before == {path.name: path.read_bytes() for path in whole.iterdir()}


def wait_for_games(folder, meanwhile=lambda: None):
    log = folder / "games.jsonl"
    deadline = time.monotonic() + 60
    while not log.exists() or log.stat().st_size == 0:
        assert time.monotonic() < deadline
        meanwhile()
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("jobs", "number"), [(1, signal.SIGTERM), (2, signal.SIGTERM), (2, signal.SIGHUP)]
)
def test_a_signal_finishes_the_running_games_and_exits_with_4(tmp_path, words, whole, jobs, number):
    folder = tmp_path / "run"
    process = start("tournament", *players(3), *words, "--out", folder, "--jobs", jobs)
    wait_for_games(folder)
    os.killpg(process.pid, number)  # as the system does at its end: to the workers, too
    out, err = process.communicate(timeout=60)
    assert process.returncode == 4, err
    assert out == ""
    assert "finishing the running games" in err
    assert f"go on with: gomoku-lab tournament --resume {folder}" in err
    assert "died" not in err
    assert "Traceback" not in err
    assert (folder / "games.jsonl").read_bytes().endswith(b"\n")
    assert 0 < len(load_run(folder).pairs) < 27
    assert resumes_to(folder, whole)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_before_it_has_begun_a_command_leaves_nothing_behind(tmp_path, number):
    bot = "import pathlib, time; pathlib.Path('asked').touch(); time.sleep(60)"
    (tmp_path / "sleeper.py").write_text(bot)
    process = start("match", "python:sleeper:Bot", "stub:forward", cwd=tmp_path)
    deadline = time.monotonic() + 60
    while not (tmp_path / "asked").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (130, "", "error: interrupted\n") == (process.returncode, out, err)
    assert [] == list((tmp_path / "runs").iterdir())


def test_a_command_that_refuses_a_player_leaves_no_folder_behind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["match", "pattern/easy", "pattern/hard", "--rule", "renju"]
    done = CliRunner().invoke(main, words)
    assert 2 == done.exit_code
    assert "pattern/easy does not play the rule 'renju'" in done.stderr
    assert [] == list((tmp_path / "runs").iterdir())


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_second_sigterm_stops_at_once_and_leaves_a_run_to_resume(tmp_path, words, jobs):
    folder = tmp_path / "run"
    process = start("tournament", *players(5000), *words, "--out", folder, "--jobs", jobs)
    while "playing into" not in process.stderr.readline():
        pass
    process.send_signal(signal.SIGTERM)
    while "finishing" not in process.stderr.readline():
        pass
    while process.poll() is None:  # one that comes too soon counts as the first one
        process.send_signal(signal.SIGTERM)
        time.sleep(0.1)
    err = process.stderr.read()  # `communicate` would lose what was read together with the line
    process.communicate(timeout=60)
    assert process.returncode == 4
    told = "stopped at once; the finished pairs are kept" in err
    assert told or "interrupted after 0 of" in err  # before any game had begun
    assert f"go on with: gomoku-lab tournament --resume {folder}" in err
    assert "Traceback" not in err
    assert len(load_run(folder).pairs) == 0


def test_a_terminal_that_is_closed_ends_a_run_with_4(tmp_path, words, whole):
    folder = tmp_path / "run"
    terminal, inside = pty.openpty()
    process = start(
        *("tournament", *players(3), *words, "--out", folder, "--jobs", 2),
        first="import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);",
        **dict.fromkeys(("stdin", "stdout", "stderr"), inside),
    )
    os.close(inside)
    os.set_blocking(terminal, False)

    def read():
        with suppress(BlockingIOError):  # unread, the progress would fill the terminal
            os.read(terminal, 65536)

    wait_for_games(folder, read)
    os.close(terminal)
    assert process.wait(timeout=60) == 4
    assert 0 < len(load_run(folder).pairs) < 27
    assert resumes_to(folder, whole)


def test_whoever_is_told_to_outlive_its_terminal_does(tmp_path):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Interrupts(None) as stop:
            os.kill(os.getpid(), signal.SIGHUP)
        assert not stop.interrupted
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_mean_the_same_after_a_tournament_as_before(tmp_path, number):
    before = signal.getsignal(number)
    run_tournament(small_config(pairs=1), tmp_path / "run", jobs=1)
    assert signal.getsignal(number) is before


def test_a_signal_sent_twice_at_a_time_is_one_request(monkeypatch):
    times = itertools.chain([10.0, 10.1, 10.3])
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    told = []
    stop = Interrupts(lambda: told.append(True))
    stop._handle(signal.SIGTERM, None)
    stop._handle(signal.SIGTERM, None)
    assert told == [True]
    with pytest.raises(KeyboardInterrupt):
        stop._handle(signal.SIGTERM, None)
    with pytest.raises(KeyboardInterrupt):
        stop._handle(signal.SIGINT, None)


class Interrupted:
    """Asks to stop while it is destroyed."""

    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5)


def test_a_second_ctrl_c_that_strikes_a_destructor_comes_again(capfd):
    hook = sys.unraisablehook

    def interrupt_twice():
        with Interrupts(None) as stop:
            os.kill(os.getpid(), signal.SIGINT)
            assert stop.interrupted
            victim = Interrupted()
            del victim
            assert stop.at_once
            time.sleep(5)

    with pytest.raises(KeyboardInterrupt):
        interrupt_twice()
    assert capfd.readouterr().err == ""
    assert sys.unraisablehook is hook


def test_what_else_a_destructor_raises_is_told_as_ever(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda dropped: told.append(dropped.exc_type))

    class Broken:
        def __del__(self):
            raise LookupError

    with Interrupts(None):
        broken = Broken()
        del broken
    assert told == [LookupError]


class Jumping:
    """A system clock that is set forward by a year or back by two whenever it is looked at."""

    def __init__(self):
        self._now = 1_700_000_000.0
        self._steps = itertools.cycle([3.2e7, -6.4e7])

    def __call__(self):
        self._now += next(self._steps)
        return self._now

    def text(self):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self()))


@pytest.fixture
def jumping(monkeypatch):
    clock = Jumping()
    monkeypatch.setattr(time, "time", clock)
    monkeypatch.setattr("gomoku_lab.arena.folder.utc_now", clock.text)
    monkeypatch.setattr(provenance, "utc_now", clock.text)
    return clock


@pytest.mark.parametrize(("jobs", "backend"), [(1, "loky"), (2, "loky"), (2, "threading")])
def test_a_clock_that_jumps_changes_nothing_but_the_dates(tmp_path, jumping, jobs, backend):
    config = small_config(pairs=4)
    expected = run_tournament(config, tmp_path / "steady", jobs=1).run
    options = {"jobs": jobs, "backend": backend}
    seen = itertools.count(1)
    first = run_tournament(config, tmp_path / "run", on_pair=lambda _: next(seen) > 2, **options)
    assert 3 <= len(first.run.pairs)
    run = resume_tournament(tmp_path / "run", **options).run
    assert canonical(expected.games()) == canonical(run.games())
    assert all(0 <= ms < 60_000 for game in run.games() for ms in game.time_ms)
    facts = load_run(tmp_path / "run").facts
    jsonschema.validate(facts, load_schema("run"))
    times = [facts["started"], *(one["started"] for one in facts["sessions"]), facts["ended"]]
    assert times != sorted(times)
    rated = CliRunner().invoke(main, ["rate", str(tmp_path / "run")])
    assert rated.exit_code == 0, rated.output


def test_a_clock_that_jumps_costs_no_player_its_game(tmp_path, jumping, monkeypatch):
    # Both judge by the clock: one thinks for so many milliseconds, the other must not be silent.
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "jumping_bot.py").write_text(
        "class First:\n    def choose(self, board, limits):\n"
        "        return board.empty_points()[0]\n"
    )
    names = ("layered/casual:time_ms=5", "python:jumping_bot:First:hang_ms=20000")
    run = run_tournament(small_config(names, pairs=2), tmp_path / "run", jobs=1).run
    assert {"five"} == {game.reason for game in run.games()}


def test_a_time_that_comes_twice_names_two_folders(tmp_path, words, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(provenance, "utc_now", lambda: "2026-01-31T12:00:00Z")
    for _ in range(3):
        done = CliRunner().invoke(main, ["tournament", *players(0), *words, "-j", "1", "-q"])
        assert done.exit_code == 0, done.output
    stamp = "tournament-20260131T120000Z"
    found = sorted(path.name for path in (tmp_path / "runs").iterdir())
    assert [stamp, f"{stamp}-2", f"{stamp}-3"] == found
