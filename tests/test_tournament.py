import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from arena_tools import PLAYERS, own_openings, small_config
from kill_tools import kill_twenty_times

from gomoku_lab.arena.config import TournamentConfig, TournamentSettings, resolve_tournament
from gomoku_lab.arena.parallel import WorkerLostError
from gomoku_lab.arena.store import RunError, canonical, load_run
from gomoku_lab.arena.tournament import resume_tournament, run_tournament
from gomoku_lab.players.registry import resolve

HERE = Path(__file__).parent
CONFIG = small_config(pairs=5, seed=11)


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The games of `CONFIG`, played by one job without a break."""
    outcome = run_tournament(CONFIG, tmp_path_factory.mktemp("one") / "run", jobs=1)
    return canonical(outcome.run.games())


CODE = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from test_tournament import slow_config
from gomoku_lab.arena.tournament import resume_tournament, run_tournament

folder, jobs, backend, sleep_ms = Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5]
options = {
    "jobs": jobs,
    "backend": backend,
    "on_interrupt": lambda: print("interrupted", flush=True),
}
if (folder / "run.json").exists():
    outcome = resume_tournament(folder, **options)
else:
    outcome = run_tournament(slow_config(sleep_ms), folder, **options)
print("done", outcome.interrupted, flush=True)
"""


def start(folder, *, jobs=1, backend="loky", sleep_ms=1):
    """Play or resume `CONFIG`, with players that take their time, in a process of its own."""
    words = [str(HERE), str(folder), str(jobs), backend, str(sleep_ms)]
    return subprocess.Popen(
        [sys.executable, "-c", CODE, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def slow_config(sleep_ms, pairs=5):
    sleep = f"sleep_ms={sleep_ms}"
    players = (f"stub:random:{sleep}", f"stub:forward:{sleep}", f"stub:random:salt=1,{sleep}")
    return small_config(players, pairs=pairs, seed=11)


def wait_for_games(folder, count):
    log = folder / "games.jsonl"
    deadline = time.monotonic() + 60
    while not log.exists() or log.read_bytes().count(b"\n") < count:
        assert time.monotonic() < deadline, "no games within a minute"
        time.sleep(0.005)


def without_names(games):
    """Drop what differs between players that differ only in their sleep."""
    return [{k: v for k, v in g.items() if k not in ("black", "white")} for g in games]


def test_a_tournament_plays_every_scheduled_game_once(tmp_path):
    outcome = run_tournament(CONFIG, tmp_path / "run", jobs=1)
    run = outcome.run
    assert run.is_complete
    assert not outcome.interrupted
    assert len(run.games()) == CONFIG.total_games == 30
    assert run.facts["ended"] is not None
    met = Counter(frozenset((g.black.name, g.white.name)) for g in run.games())
    assert set(met.values()) == {10}
    assert load_run(tmp_path / "run").games() == run.games()


@pytest.mark.parametrize(
    ("jobs", "backend"), [(1, "threading"), (2, "threading"), (2, "loky"), (3, "loky")]
)
def test_games_do_not_depend_on_jobs_or_backend(tmp_path, expected, jobs, backend):
    outcome = run_tournament(CONFIG, tmp_path / "run", jobs=jobs, backend=backend)
    assert expected == canonical(outcome.run.games())


def test_games_depend_on_the_seed(tmp_path, expected):
    outcome = run_tournament(small_config(pairs=5, seed=12), tmp_path / "run", jobs=1)
    assert expected != canonical(outcome.run.games())


def test_a_gauntlet_is_played_by_the_first_player(tmp_path):
    config = small_config(pairs=1, format="gauntlet")
    games = run_tournament(config, tmp_path / "run", jobs=1).run.games()
    assert len(games) == 4
    assert all("stub:random" in (g.black.name, g.white.name) for g in games)


@pytest.mark.parametrize(("jobs", "backend"), [(1, "loky"), (2, "loky"), (2, "threading")])
def test_enough_pairs_end_a_tournament_early_and_it_can_go_on(tmp_path, expected, jobs, backend):
    seen = []

    def enough(pair):
        seen.append(pair)
        return len(seen) >= 3

    first = run_tournament(
        slow_config(2), tmp_path / "run", jobs=jobs, backend=backend, on_pair=enough
    )
    assert not first.interrupted
    assert 3 <= len(first.run.pairs) < 15
    assert [*first.run.pairs] == seen
    second = resume_tournament(tmp_path / "run", jobs=1)
    assert without_names(expected) == without_names(canonical(second.run.games()))


def test_a_complete_run_is_resumed_without_playing(tmp_path):
    config = small_config(pairs=1)
    first = run_tournament(config, tmp_path / "run", jobs=1).run
    again = resume_tournament(tmp_path / "run").run
    assert first.games() == again.games()
    assert first.facts == again.facts


def test_nothing_is_played_if_the_start_says_so(tmp_path):
    outcome = run_tournament(CONFIG, tmp_path / "run", jobs=1, on_start=lambda run: True)
    assert len(outcome.run.pairs) == 0


@pytest.mark.parametrize("kind", ["raises", "hangs", "illegal", "crashes", "none"])
def test_a_tournament_goes_on_after_forfeits(tmp_path, kind):
    config = small_config((f"stub:{kind}:after=5", "stub:forward", "stub:random"), pairs=2)
    run = run_tournament(config, tmp_path / "run", jobs=2, backend="threading").run
    assert run.is_complete
    for game in run.games():
        bad = [c for c in ("black", "white") if kind in getattr(game, c).name]
        if bad and game.is_forfeit:
            assert game.result != bad[0]
            assert game.detail
    assert sum(game.is_forfeit for game in run.games()) >= 8


def test_a_user_class_that_fails_loses_its_games_and_the_tournament_goes_on(tmp_path):
    module = tmp_path / "own_players.py"
    module.write_text(
        "import time\n"
        "class Raises:\n    def choose(self, board, limits):\n        raise KeyError('x')\n"
        "class Hangs:\n    def choose(self, board, limits):\n        time.sleep(60)\n"
        "class Illegal:\n    def choose(self, board, limits):\n        return board.moves[0]\n"
        "class First:\n    def choose(self, board, limits):\n"
        "        return board.empty_points()[0]\n"
    )
    code = f"""
import sys
sys.path[:0] = [{str(HERE)!r}, {str(tmp_path)!r}]
from arena_tools import small_config
from gomoku_lab.arena.tournament import run_tournament
names = [f"python:own_players:{{n}}" for n in ("First", "Raises", "Hangs:hang_ms=200", "Illegal")]
run_tournament(small_config(names, pairs=1, format="gauntlet"), {str(tmp_path / "run")!r}, jobs=1)
"""
    subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    reasons = {}
    for game in load_run(tmp_path / "run").games():
        first_is_black = game.black.name.endswith("First")
        assert game.result == ("black" if first_is_black else "white")
        other = game.white if first_is_black else game.black
        reasons[other.name.split(":")[2]] = game.reason
    assert reasons == {"Raises": "crash", "Hangs": "time", "Illegal": "illegal move"}


def test_a_dead_worker_loses_no_finished_game(tmp_path):
    marker = tmp_path / "dead"
    dies = f'stub:dies:after=6,marker="{marker}"'
    config = small_config(("stub:forward", dies), pairs=4)
    run = run_tournament(config, tmp_path / "run", jobs=2).run
    assert marker.exists()
    assert run.is_complete


def test_workers_that_keep_dying_end_the_run_and_keep_its_games(tmp_path):
    config = small_config(("stub:forward", "stub:dies"), pairs=2)
    with pytest.raises(WorkerLostError, match="died 3 times in a row near pair 1-2-0001"):
        run_tournament(config, tmp_path / "run", jobs=2)
    assert len(load_run(tmp_path / "run").pairs) == 0


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_killed_and_resumed_a_run_gives_the_same_games(tmp_path, expected, backend):
    folder = tmp_path / "run"
    games = 0
    for _ in range(2):
        process = start(folder, jobs=2, backend=backend)
        wait_for_games(folder, games + 2)
        process.kill()
        process.communicate()
        games = 2 * len(load_run(folder).pairs)
        assert games < CONFIG.total_games
    outcome = resume_tournament(folder, jobs=1)
    assert without_names(expected) == without_names(canonical(outcome.run.games()))


def play_on(folder):
    """Play a tournament of 90 pairs, or what is missing of it."""
    if (folder / "run.json").exists():
        resume_tournament(folder, jobs=1)
    else:
        run_tournament(slow_config(0.2, pairs=30), folder, jobs=1)


def test_killed_twenty_times_a_run_gives_the_same_games(tmp_path):
    kill_twenty_times("test_tournament", tmp_path / "run")
    assert 0 < len(load_run(tmp_path / "run").pairs) < 90
    killed = resume_tournament(tmp_path / "run", jobs=1).run
    whole = run_tournament(slow_config(0, pairs=30), tmp_path / "whole", jobs=1).run
    expected = without_names(canonical(whole.games()))
    assert expected == without_names(canonical(killed.games()))


@pytest.mark.parametrize(("jobs", "backend"), [(1, "loky"), (2, "loky"), (2, "threading")])
def test_one_ctrl_c_finishes_the_running_games(tmp_path, expected, jobs, backend):
    folder = tmp_path / "run"
    process = start(folder, jobs=jobs, backend=backend, sleep_ms=2)
    wait_for_games(folder, 2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert out.split() == ["interrupted", "done", "True"], err
    run = load_run(folder)
    assert 0 < len(run.pairs) < 15
    assert (folder / "games.jsonl").read_bytes().endswith(b"\n")
    outcome = resume_tournament(folder, jobs=1)
    assert without_names(expected) == without_names(canonical(outcome.run.games()))


def test_ctrl_c_on_a_terminal_does_not_kill_the_games_of_the_workers(tmp_path):
    # A terminal sends the signal to the whole process group, the workers included.
    folder = tmp_path / "run"
    process = start(folder, jobs=2, sleep_ms=2)
    wait_for_games(folder, 2)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert out.split() == ["interrupted", "done", "True"], err
    assert len(load_run(folder).pairs) >= 2


@pytest.mark.parametrize(("jobs", "backend"), [(1, "loky"), (2, "loky"), (2, "threading")])
def test_a_second_ctrl_c_stops_at_once_and_leaves_valid_files(tmp_path, jobs, backend):
    folder = tmp_path / "run"
    process = start(folder, jobs=jobs, backend=backend, sleep_ms=100)
    deadline = time.monotonic() + 60
    while not (folder / "run.json").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "interrupted\n"
    process.send_signal(signal.SIGINT)
    begin = time.monotonic()
    _, err = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in err
    assert time.monotonic() - begin < 20
    load_run(folder)


def test_in_a_thread_that_cannot_catch_signals_a_tournament_is_played_all_the_same(tmp_path):
    runs = []
    config = small_config(pairs=1)
    thread = threading.Thread(
        target=lambda: runs.append(run_tournament(config, tmp_path / "run", jobs=1).run)
    )
    thread.start()
    thread.join()
    assert runs[0].is_complete


def test_ctrl_c_means_the_same_after_a_tournament_as_before(tmp_path):
    before = signal.getsignal(signal.SIGINT)
    run_tournament(small_config(pairs=1), tmp_path / "run", jobs=1)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_player_that_refuses_the_rule_is_named_before_a_folder_is_made(tmp_path):
    config = small_config(("stub:forward", "stub:backward"), rule="standard")
    with pytest.raises(ValueError, match="stub:backward does not play the rule 'standard'"):
        run_tournament(config, tmp_path / "run", jobs=1)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [({"jobs": 0}, "jobs must be 1 or more: 0"), ({"backend": "ray"}, "backend must be one of")],
)
def test_wrong_workers_are_refused(tmp_path, options, message):
    with pytest.raises(ValueError, match=message):
        run_tournament(CONFIG, tmp_path / "run", **options)


def test_a_folder_with_a_run_is_refused(tmp_path):
    run_tournament(small_config(pairs=1), tmp_path / "run", jobs=1)
    with pytest.raises(RunError, match="there is a run in this folder already"):
        run_tournament(CONFIG, tmp_path / "run", jobs=1)


def test_one_player_is_not_enough():
    with pytest.raises(ValueError, match="at least two players: stub:forward"):
        small_config(("stub:forward",))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"games": 0}, "games must be 2"),
        ({"games": 7}, "games must be even"),
        ({"games": -2}, "games must be 2"),
        ({"game": 2}, r"unknown key 'game' \(value 2\); did you mean 'games'\?"),
        ({"adjudication": {"max_ply": 9}}, r"\[adjudication\] unknown key .* mean 'max_plies'"),
        ({"format": "round_robin"}, "did you mean 'round-robin'"),
        ({"players": "a/b"}, "players must be a list"),
        ({"players": [1]}, "players must hold player expressions"),
        ({"backend": "lokky"}, "did you mean 'loky'"),
        ({"seed": -1}, "seed must be 0"),
        ({"size": 30}, "size must be 5..20"),
        ({"jobs": 0}, "jobs must be 1"),
    ],
)
def test_wrong_settings_are_refused_and_the_nearest_key_is_named(values, message):
    with pytest.raises(ValueError, match=rf"^t\.toml: .*{message}"):
        TournamentSettings.from_dict(values, source="t.toml")


def test_settings_resolve_to_players_and_openings(tmp_path):
    file = tmp_path / "own.txt"
    file.write_text("size: 9\ne5e6\ne5f6\ne5g7\n")
    settings = TournamentSettings(
        players=PLAYERS, games=4, seed=3, openings=str(file), size=9, rule="standard"
    )
    config = resolve_tournament(settings)
    assert [spec.name for spec in config.players] == list(PLAYERS)
    assert (config.games, config.size, config.rule) == (4, 9, "standard")
    with pytest.raises(ValueError, match=r"4 pairs .* only 3"):
        resolve_tournament(settings.varied({"games": 8}))
    assert "renju" == resolve_tournament(settings.varied({"rule": "renju"})).rule


def test_the_hash_changes_with_all_that_decides_the_games():
    def config(**changes):
        values = {
            "players": tuple(resolve(p) for p in PLAYERS),
            "openings": own_openings(3),
            **changes,
        }
        return TournamentConfig(**values).config_hash()

    players = tuple(resolve(p) for p in ("stub:forward", "stub:random"))
    hashes = [
        config(),
        config(players=players),
        config(openings=own_openings(2)),
        config(seed=1),
        config(rule="standard"),
        config(format="gauntlet"),
    ]
    assert len(set(hashes)) == len(hashes)
    assert config() == config(opening_set="elsewhere")


def test_engine_games_do_not_depend_on_jobs_or_backend(tmp_path):
    names = ("layered/casual:nodes=200,time_ms=0", "layered/hard:nodes=300,time_ms=0")
    config = small_config(names, pairs=3, seed=2)
    games = [
        canonical(run_tournament(config, tmp_path / name, jobs=jobs, backend=name[1:]).run.games())
        for jobs, name in ((1, "1loky"), (2, "2loky"), (2, "2threading"))
    ]
    assert games[0] == games[1] == games[2]
    assert all(game["reproducible"] for game in games[0])
    assert len({game["moves"] for game in games[0]}) > 3
