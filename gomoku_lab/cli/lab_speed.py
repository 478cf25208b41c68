"""What ``gomoku-lab bench`` measures of the lab around the engine: starts, commands, scaling.

Everything here runs the real thing: processes of its own, real matches in a temporary folder.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from gomoku_lab.arena.config import TournamentConfig, TournamentSettings, resolve_tournament
from gomoku_lab.arena.provenance import usable_cores
from gomoku_lab.arena.store import GamePair
from gomoku_lab.arena.tournament import run_tournament
from gomoku_lab.cli.gauges import Gauge
from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.engine import Engine
from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import parse_moves
from gomoku_lab.game.record import GameRecord
from gomoku_lab.players.spec import PlayerSpec

_HELP_RUNS = 15
_LOOP_STEPS = 400_000_000
_MATCH_PLAYERS = ("layered/skilled:time_ms=0,nodes=4000", "layered/hard:time_ms=0,nodes=4000")
_SETTLING = 0.1
_WARM_UP = "from gomoku_lab.engine.engine import warm_up; print(warm_up())"
_LOOP = """
import sys, time
from gomoku_lab.kernels.timing import integer_loop
integer_loop(1000)
print("ready", flush=True)
for line in sys.stdin:
    started = time.perf_counter()
    integer_loop(int(line))
    print(time.perf_counter() - started, flush=True)
"""


def _python(code: str, **environment: str) -> float:
    """Return the seconds that a fresh interpreter takes for `code`."""
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )
    return time.perf_counter() - started


def start_times(*, cold: bool) -> list[Gauge]:
    """Measure a start to the first answer: with everything compiled, and with an empty cache."""
    gauges = []
    if cold:
        with tempfile.TemporaryDirectory() as folder:
            seconds = _python(_WARM_UP, GOMOKU_LAB_CACHE=folder)
        gauges.append(Gauge("cold_start_seconds", "cold start (compiles the engine)", seconds, "s"))
    warm = min(_python(_WARM_UP) for _ in range(3))
    gauges.append(Gauge("warm_start_seconds", "warm start, to the first answer", warm, "s"))
    return gauges


def help_cost() -> Gauge:
    """Compare the processor time of ``gomoku-lab --help`` with that of importing click."""
    program = Path(sys.executable).with_name("gomoku-lab")
    lab = [str(program)] if program.exists() else [sys.executable, "-m", "gomoku_lab.cli.main"]
    with_help, with_click = [], []
    for _ in range(_HELP_RUNS):
        with_help.append(_cpu_seconds([*lab, "--help"]))
        with_click.append(_cpu_seconds([sys.executable, "-c", "import click"]))
    return Gauge(
        "help_cost",
        "CPU of gomoku-lab --help over importing click",
        median(with_help) / median(with_click),
        at_most=2.5,
        note=f"{median(with_help) * 1000:.0f} ms against {median(with_click) * 1000:.0f} ms",
    )


def _cpu_seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def suite_time() -> Gauge:
    """Measure the whole command ``gomoku-lab suite`` for one player, without symmetries."""
    arguments = ["suite", "--players", "layered/hard", "--no-symmetries", "--json", "--quiet"]
    code = f"from gomoku_lab.cli.main import main; main({arguments!r}, standalone_mode=False)"
    return Gauge(
        "suite_seconds",
        "gomoku-lab suite --players layered/hard --no-symmetries, warm",
        min(_python(code) for _ in range(2)),
        "s",
        at_most=5.0,
    )


def scaling(games: int, rounds: int) -> list[Gauge]:
    """Compare a match on one and on all cores with a fixed loop on one and on all cores.

    The loop tells what the machine itself gains from more processes at the time.
    """
    cores = usable_cores()
    config = _match(games)
    loops, matches = [], []
    for _ in range(rounds):
        one_loop, one_match = loop_rate(1), match_rate(config, 1)
        all_matches, all_loops = match_rate(config, cores), loop_rate(cores)
        loops.append(all_loops / one_loop)
        matches.append((one_match, all_matches))
    gains = [both / one for one, both in matches]
    return [
        Gauge("games_per_second_1", "games/s with one job", median(m[0] for m in matches)),
        Gauge(
            "games_per_second_all",
            f"games/s with {cores} jobs",
            median(m[1] for m in matches),
            note=f"{games} games a match, {_MATCH_PLAYERS[0]} against {_MATCH_PLAYERS[1]}",
        ),
        Gauge("loop_scaling", f"integer loop on {cores} processes over one", median(loops)),
        Gauge("match_scaling", f"games/s with {cores} jobs over one", median(gains)),
        Gauge(
            "scaling_share",
            "scaling of games over scaling of the loop",
            median(gain / loop for gain, loop in zip(gains, loops, strict=True)),
            at_least=0.92,
            note=f"median of {rounds} rounds",
        ),
    ]


def _match(games: int) -> TournamentConfig:
    return resolve_tournament(TournamentSettings(players=_MATCH_PLAYERS, games=games, seed=1))


def overhead(nodes: int, *, at_most: float, games: int, rounds: int) -> Gauge:
    """Compare a match on one core with nothing but the searches of its moves, one after another."""
    search = f"layered/master:time_ms=0,depth=0,nodes={nodes}"
    names = (search, f"{search},width=15")
    config = resolve_tournament(TournamentSettings(players=names, games=games, seed=1))
    shares = []
    for _ in range(rounds):
        seconds, pairs = _played(config, 1)
        engines = {spec.name: _engine(spec) for spec in config.players}
        bare = sum(_search_seconds(game, engines) for pair in pairs for game in pair)
        shares.append(seconds / bare - 1)
    return Gauge(
        f"overhead_{nodes}",
        f"what a match costs more than its searches, {nodes:,} nodes a move",
        100 * median(shares),
        "%",
        at_most=at_most,
        note=f"{games} games, one job, median of {rounds} rounds",
    )


def _engine(spec: PlayerSpec) -> Engine:
    assert isinstance(spec.config, EngineConfig)
    return Engine(spec.config)


def _search_seconds(game: GameRecord, engines: dict[str, Engine]) -> float:
    """Search every position of a game in which a move was chosen; return the seconds of that."""
    moves = parse_moves(game.moves, game.size)
    board = Board(size=game.size, rule=game.rule)
    seconds = 0.0
    for number, move in enumerate(moves):
        if number >= game.opening_moves:
            engine = engines[(game.black, game.white)[number % 2].name]
            started = time.perf_counter()
            engine.analyse(board)
            seconds += time.perf_counter() - started
        board = board.play(move)
    return seconds


def match_rate(config: TournamentConfig, jobs: int) -> float:
    """Return the games a second of one match."""
    seconds, pairs = _played(config, jobs)
    return 2 * len(pairs) / seconds


def _played(config: TournamentConfig, jobs: int) -> tuple[float, list[GamePair]]:
    """Play a match; return the seconds from when a tenth of it is played, and the pairs of these.

    So the start of the workers, which a long tournament does not notice, is left out.
    """
    commits: list[float] = []
    pairs: list[GamePair] = []

    def note(pair: GamePair) -> None:
        commits.append(time.perf_counter())
        pairs.append(pair)

    with tempfile.TemporaryDirectory() as folder:
        run_tournament(config, Path(folder) / "match", jobs=jobs, on_pair=note)
    first = int(_SETTLING * len(commits))
    # The pairs of one batch are committed together: begin at the end of a batch.
    while first + 2 < len(commits) and commits[first + 1] - commits[first] < 0.02:
        first += 1
    return commits[-1] - commits[first], pairs[first + 1 :]


def loop_rate(processes: int) -> float:
    """Return the steps a second of the integer loop, summed over processes that run together."""
    command = [sys.executable, "-c", _LOOP]
    workers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(processes)
    ]
    try:
        for worker in workers:
            _read(worker)
        for worker in workers:
            assert worker.stdin is not None
            worker.stdin.write(f"{_LOOP_STEPS}\n")
            worker.stdin.flush()
        return sum(_LOOP_STEPS / float(_read(worker)) for worker in workers)
    finally:
        for worker in workers:
            worker.communicate()


def _read(worker: subprocess.Popen[str]) -> str:
    assert worker.stdout is not None
    return worker.stdout.readline()


def peak_memory() -> list[Gauge]:
    """Return the largest memory that this process and any of its children has held so far."""
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return [
        Gauge("peak_memory_mib", "peak memory, this process", _peak(False) / unit, "MiB"),
        Gauge("peak_worker_mib", "peak memory, largest child process", _peak(True) / unit, "MiB"),
    ]


def _peak(children: bool) -> int:
    who = resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF
    return resource.getrusage(who).ru_maxrss
