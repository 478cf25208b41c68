"""What a worker does: it keeps its players and plays the batches of pairs that it is handed.

A worker is a process (loky), a thread (threading), a thread of a cluster's worker (dask) or the
caller itself (one job). It writes nothing; the results go back to the parent.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import dataclass
from multiprocessing.util import Finalize
from types import FrameType
from typing import TYPE_CHECKING, Final

from gomoku_lab.arena.match import Adjudication, play_pair
from gomoku_lab.arena.openings import Opening, vary_opening
from gomoku_lab.arena.schedule import ScheduledPair
from gomoku_lab.arena.store import GamePair
from gomoku_lab.game.record import GameRecord, PlayerRef
from gomoku_lab.game.rules import Rule
from gomoku_lab.players.errors import PlayerStartError
from gomoku_lab.players.protocol import Choice, Player
from gomoku_lab.players.registry import PlayerSpec, make_player, rehearse, warm_up

if TYPE_CHECKING:
    import numpy as np

    from gomoku_lab.engine.config import SearchLimits
    from gomoku_lab.game.board import Board

STOP_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""What asks the parent to stop: Ctrl-C, the system, a terminal that was closed."""
_SECONDS_BETWEEN_LOOKS: Final = 0.5


class WorkerLostError(RuntimeError):
    """Worker processes died again and again without finishing a pair of games."""


class ClusterLostError(RuntimeError):
    """The scheduler, or all of its workers, are gone; what had come back is kept."""


class WorkerMismatchError(ValueError):
    """A worker is not made of what this process is made of; the message says what differs."""


@dataclass(frozen=True, slots=True)
class PairTask:
    """One pair of games with all that is needed to play it anywhere."""

    scheduled: ScheduledPair
    opening: Opening
    specs: tuple[PlayerSpec, PlayerSpec]
    refs: tuple[PlayerRef, PlayerRef]


@dataclass(frozen=True, slots=True)
class Batch:
    """Pairs that one worker plays one after another; `session` tells runs apart."""

    session: str
    rule: Rule
    adjudication: Adjudication
    tasks: tuple[PairTask, ...]
    random_moves: int = 0


@dataclass(frozen=True, slots=True)
class BatchResult:
    """The games of a batch and how long it took."""

    pairs: tuple[GamePair, ...]
    seconds: float


class _Absent:
    """Stands for a player that could not be started: it loses its games, which say why."""

    def __init__(self, spec: PlayerSpec, error: PlayerStartError) -> None:
        self.name = spec.name
        self._error = error

    def new_game(self, seed: np.random.SeedSequence) -> None:
        raise self._error

    def choose(self, board: Board, limits: SearchLimits | None = None) -> Choice:
        raise self._error

    def plays(self, rule: Rule) -> bool:
        return True

    def close(self) -> None:
        """Nothing was started."""


_Seat = tuple[int, bool]
"""A player's number in the session, and whether it is the second one of that number, since
somebody who plays himself sits there twice."""


class _Bench:
    """The players of one worker, made when first needed and kept between games."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.playing = threading.Lock()
        self._players: dict[_Seat, Player] = {}
        self._specs: dict[_Seat, PlayerSpec] = {}

    def player(self, index: _Seat, spec: PlayerSpec, rule: Rule) -> Player:
        """Return the player that sits at `index` in the session, ready for games of `rule`.

        Where a session changes what its players are, the one from before is closed.
        """
        if index in self._players and self._specs[index] != spec:
            self.drop(index)
        if index not in self._players:
            self._specs[index] = spec
            try:
                self._players[index] = make_player(spec)
            except PlayerStartError as error:
                return _Absent(spec, error)  # it could be started before the first game
            rehearse(self._players[index], spec, rule)
        return self._players[index]

    def drop(self, index: _Seat) -> None:
        """Close a player that is broken; the next game makes a new one."""
        player = self._players.pop(index, None)
        if player is not None:
            player.close()

    def close(self) -> None:
        """Close all players."""
        for index in list(self._players):
            self.drop(index)


_local = threading.local()
_benches: list[_Bench] = []
_lock = threading.Lock()
_abandoned: set[str] = set()


def start_worker(parent: int) -> None:
    """Prepare a worker process: stopping is the parent's business, and its death is the end.

    Without this, Ctrl-C on a terminal or a SIGTERM for all processes of a job would reach the
    worker as well and kill its game, and a worker whose parent was killed would stay behind.
    """
    for number in STOP_SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            # Not SIG_IGN, which the programs that a player starts would inherit.
            signal.signal(number, _leave_it_to_the_parent)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)

    # Programs that players have started are told to end, and have ended when this process has.
    Finalize(None, _close_all_players, exitpriority=0)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="parent-watch").start()


def _leave_it_to_the_parent(_signal: int, _frame: FrameType | None) -> None:
    """Go on with the game."""


def play_batch(batch: Batch) -> BatchResult:
    """Play the pairs of `batch` in order and return their games."""
    # A process that has just started would load kernels in the first moves, which may be timed.
    warm_up(spec for task in batch.tasks for spec in task.specs)
    start = time.perf_counter()
    bench = _bench(batch.session)
    pairs = []
    with bench.playing:
        for task in batch.tasks:
            if batch.session in _abandoned:
                break
            pairs.append(_play(task, batch, bench))
        if batch.session in _abandoned:
            bench.close()
    return BatchResult(tuple(pairs), time.perf_counter() - start)


def abandon(session: str) -> None:
    """Tell the threads of this process that nobody waits for the rest of `session`'s batches."""
    _abandoned.add(session)


def _close_all_players() -> None:
    for session in {bench.session for bench in _benches}:
        close_players(session)


def dismiss(session: str) -> None:
    """Close the players of `session`; a thread that is playing closes its own after this pair."""
    abandon(session)
    with _lock:
        mine = [bench for bench in _benches if bench.session == session]
        _benches[:] = [bench for bench in _benches if bench.session != session]
    for bench in mine:
        if bench.playing.acquire(blocking=False):
            bench.close()
            bench.playing.release()


def close_players(session: str) -> None:
    """Close the players that this process keeps for `session`."""
    with _lock:
        mine = [bench for bench in _benches if bench.session == session]
        _benches[:] = [bench for bench in _benches if bench.session != session]
    for bench in mine:
        bench.close()


def _bench(session: str) -> _Bench:
    """Return this thread's players; those of an earlier session are closed."""
    bench: _Bench | None = getattr(_local, "bench", None)
    if bench is None or bench.session != session:
        if bench is not None:
            bench.close()
        bench = _local.bench = _Bench(session)
        with _lock:
            _benches.append(bench)
    return bench


def _play(task: PairTask, batch: Batch, bench: _Bench) -> GamePair:
    scheduled = task.scheduled
    selfplay = scheduled.first == scheduled.second
    seats: tuple[_Seat, _Seat] = ((scheduled.first, False), (scheduled.second, selfplay))
    first, second = (
        bench.player(seat, spec, batch.rule) for seat, spec in zip(seats, task.specs, strict=True)
    )
    # Random moves are a pair's own; but whoever plays himself would play the same game twice.
    opening_a, opening_b = (
        vary_opening(task.opening, moves=batch.random_moves, seed=seed, rule=batch.rule)
        for seed in (scheduled.seeds[0], scheduled.seeds[1 if selfplay else 0])
    )
    games = play_pair(
        first,
        second,
        opening_a,
        seeds=scheduled.seeds,
        rule=batch.rule,
        pair_id=scheduled.id,
        refs=task.refs,
        reproducible=all(spec.reproducible for spec in task.specs),
        adjudication=batch.adjudication,
        opening_b=opening_b,
    )
    for ref, seat in zip(task.refs, seats, strict=True):
        if any(_broke(game, ref) for game in games):
            bench.drop(seat)
    return games


def _broke(game: GameRecord, ref: PlayerRef) -> bool:
    """Tell whether the player `ref` crashed or hung in `game`."""
    loser = game.white if game.result == "black" else game.black
    return game.reason in ("crash", "time") and loser == ref
