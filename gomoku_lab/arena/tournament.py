"""Playing a tournament: hand out pairs of games to workers, commit what comes back, stop cleanly.

The games depend on the configuration alone; number of jobs, backend and interruptions decide only
the order in which they are finished. Nothing here prints.
"""

from __future__ import annotations

import _thread
import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final, Self

from gomoku_lab.arena.config import TournamentConfig
from gomoku_lab.arena.parallel import Stop, stream_pairs
from gomoku_lab.arena.sequential import MatchTest, judge_run
from gomoku_lab.arena.store import GamePair, Run, RunWriter
from gomoku_lab.arena.worker import STOP_SIGNALS, PairTask
from gomoku_lab.arena.workers import Workers, last_workers
from gomoku_lab.engine.settings import ConfigError
from gomoku_lab.game.rules import Rule
from gomoku_lab.players.compiling import warm_up_in_turn
from gomoku_lab.players.families import family_named
from gomoku_lab.players.registry import (
    PlayerSpec,
    make_player,
    needs_kernels,
    rehearse,
)

OnStart = Callable[[Run], bool | None]
OnPair = Callable[[GamePair], bool | None]
OnLook = Callable[[MatchTest], None]
OnMessage = Callable[[str], None]

_ONE_REQUEST_SECONDS: Final = 0.2
_AGAIN_SECONDS: Final = 0.02


@dataclass(frozen=True, slots=True)
class Outcome:
    """How playing ended.

    Attributes
    ----------
    run : Run
        The run as it stands.
    interrupted : bool
        Whether Ctrl-C or a signal stopped it; then it can be resumed.
    test : MatchTest or None
        The sequential test of a match that has one, as it stands.
    """

    run: Run
    interrupted: bool
    test: MatchTest | None = None


def run_tournament(
    config: TournamentConfig,
    out: str | Path,
    *,
    jobs: int | None = None,
    backend: str = "loky",
    scheduler: str | None = None,
    on_start: OnStart | None = None,
    on_pair: OnPair | None = None,
    on_look: OnLook | None = None,
    on_interrupt: Callable[[], None] | None = None,
    on_message: OnMessage | None = None,
    command: Sequence[str] = (),
) -> Outcome:
    """Play a new tournament into the run folder `out`.

    Parameters
    ----------
    config : TournamentConfig
        What is played.
    out : str or Path
        The run folder; it must not hold a run.
    jobs : int, optional
        Games at the same time; by default one for each usable core, or for each thread of the
        scheduler's workers.
    backend : str
        ``loky`` (processes) or ``threading``, where with one job the games run in the caller; or
        ``dask`` (the workers of a Dask scheduler, which may come and go).
    scheduler : str, optional
        Its address.
    on_start : callable, optional
        Called once with the run before anything is played, when all that takes long is done;
        True means that nothing has to be played.
    on_pair : callable, optional
        Called with every committed pair; True means "enough": running games are still finished.
        A match whose test has decided ends by itself in the same way.
    on_look : callable, optional
        Called with the test of a match before the first game, and whenever it was looked at.
    on_interrupt : callable, optional
        Called at the first Ctrl-C, SIGTERM or SIGHUP, inside the signal handler. A second one
        raises KeyboardInterrupt at once; the files are valid then, too.
    on_message : callable, optional
        Told what takes long before the first game.
    command : sequence of str
        The command line, for the record.

    Raises
    ------
    ValueError
        If a player refuses the rule, the folder is not usable (`RunError`), or no scheduler with
        workers like this process is there. If the disk takes no more (`RunWriteError`), the run
        can be resumed.
    WorkerLostError, ClusterLostError
        If workers keep dying, or the scheduler is gone; the run can be resumed.
    """
    hooks = _Hooks(on_start, on_pair, on_look, on_interrupt, on_message)
    with Workers(jobs, backend, scheduler) as workers:
        check_players(config.players, config.rule, kernels=False)
        workers.start(config.players, on_message)
        return _play(RunWriter.create(out, config), workers, hooks, command)


def resume_tournament(
    out: str | Path,
    *,
    jobs: int | None = None,
    backend: str | None = None,
    scheduler: str | None = None,
    on_start: OnStart | None = None,
    on_pair: OnPair | None = None,
    on_look: OnLook | None = None,
    on_interrupt: Callable[[], None] | None = None,
    on_message: OnMessage | None = None,
    command: Sequence[str] = (),
) -> Outcome:
    """Play what is missing of the run in `out`; parameters as in `run_tournament`.

    Jobs, backend and scheduler are those of the last session unless they are given. The jobs of a
    cluster, which may have another size by now, are not taken over.
    """
    hooks = _Hooks(on_start, on_pair, on_look, on_interrupt, on_message)
    writer = RunWriter.resume(out)
    try:
        workers = last_workers(writer.run.facts, jobs, backend, scheduler)
        check_players(writer.run.config.players, writer.run.rule, kernels=False)
    except BaseException:
        writer.close()
        raise
    with workers:
        return _play(writer, workers, hooks, command)


@dataclass(frozen=True, slots=True)
class _Hooks:
    on_start: OnStart | None
    on_pair: OnPair | None
    on_look: OnLook | None
    on_interrupt: Callable[[], None] | None
    on_message: OnMessage | None


def _play(writer: RunWriter, workers: Workers, hooks: _Hooks, command: Sequence[str]) -> Outcome:
    """Play what is missing and commit it pair by pair."""
    with contextlib.closing(writer), Interrupts(hooks.on_interrupt) as stop:
        run = writer.run
        referee = _Referee(run, hooks)
        tasks = [] if referee.has_decided else _missing(run.config, writer.done)
        if tasks:
            workers.start(run.config.players, hooks.on_message)
            check_players(run.config.players, run.rule, kernels=True, on_message=hooks.on_message)
            workers.announce(run.config.players)
        elif run.facts["ended"] is None:
            writer.finish()
        if (hooks.on_start is not None and hooks.on_start(run)) or not tasks:
            referee.write(writer)
            return Outcome(writer.run, interrupted=False, test=referee.test)
        writer.start_session(
            command=command,
            jobs=workers.jobs,
            backend=workers.backend,
            scheduler=workers.scheduler,
        )
        with contextlib.closing(stream_pairs(tasks, run.config, workers, stop)) as results:
            for pairs in results:
                writer.append(pairs)
                for pair in pairs:
                    if referee.is_enough(pair):
                        stop.enough = True
        referee.write(writer)
        if writer.run.is_complete or stop.enough:
            writer.finish()
        interrupted = stop.interrupted and not stop.enough and not writer.run.is_complete
        return Outcome(writer.run, interrupted=interrupted, test=referee.test)


class _Referee:
    """Tells when enough was played: the match's own test, or whoever looks on."""

    def __init__(self, run: Run, hooks: _Hooks) -> None:
        self.test = None if run.config.sprt is None else judge_run(run)
        self._hooks = hooks
        self._looks = -1
        self._look()

    @property
    def has_decided(self) -> bool:
        """Tell whether the match has a test that has decided."""
        return self.test is not None and self.test.has_decided

    def is_enough(self, pair: GamePair) -> bool:
        """Take in a committed pair and tell whether it was enough."""
        if self.test is not None:
            self.test.add(pair)
            self._look()
        told = self._hooks.on_pair is not None and self._hooks.on_pair(pair)
        return bool(told) or self.has_decided

    def write(self, writer: RunWriter) -> None:
        """Write down where the test stands."""
        if self.test is not None:
            writer.write_test(self.test.to_dict())

    def _look(self) -> None:
        if self.test is not None and len(self.test.looks) > self._looks:
            self._looks = len(self.test.looks)
            if self._hooks.on_look is not None:
                self._hooks.on_look(self.test)


def check_players(
    specs: Sequence[PlayerSpec], rule: Rule, *, kernels: bool, on_message: OnMessage | None = None
) -> None:
    """Make every player once: what cannot start or refuses the rule must not start a tournament.

    With `kernels` it is the turn of the players that need compiled kernels. Compiling them here
    also keeps the workers from doing so all at the same time.
    """
    chosen = [spec for spec in specs if needs_kernels(spec) == kernels]
    for spec in specs:
        # Before anything is written, and before kernels are compiled for a player that refuses.
        if rule not in family_named(spec.family, spec.name).rules:
            raise _refusal(spec, rule)
    if kernels:
        warm_up_in_turn(chosen, on_message)
    for spec in chosen:
        _check_player(spec, rule)


def _check_player(spec: PlayerSpec, rule: Rule) -> None:
    player = make_player(spec)
    try:
        if not player.plays(rule):
            raise _refusal(spec, rule)
        # What is built here for all players of a process is not built while a clock runs.
        rehearse(player, spec, rule)
    finally:
        player.close()


def _refusal(spec: PlayerSpec, rule: Rule) -> ConfigError:
    return ConfigError(f"{spec.name} does not play the rule {str(rule)!r}")


def _missing(config: TournamentConfig, done: Collection[str]) -> list[PairTask]:
    refs = config.refs
    return [
        PairTask(
            scheduled=pair,
            opening=config.openings[pair.opening],
            specs=(config.players[pair.first], config.players[pair.second]),
            refs=(refs[pair.first], refs[pair.second]),
        )
        for pair in config.schedule()
        if pair.id not in done
    ]


class Interrupts(Stop):
    """Ctrl-C or SIGTERM as a request: the first one sets a flag, the second one stops at once.

    It does so by a KeyboardInterrupt. A closed terminal (SIGHUP) is a request as well, but as it
    tells every process of a job more than once, and timeout(1) sends SIGTERM twice, such a second
    one counts only after a moment. Outside the main thread, where signals cannot be caught, it
    changes nothing.

    Python drops what is raised inside a destructor, of which Dask has many, and prints a traceback;
    such a KeyboardInterrupt is not printed and comes again.
    """

    def __init__(self, on_interrupt: Callable[[], None] | None) -> None:
        super().__init__()
        self._on_interrupt = on_interrupt
        self._previous: dict[int, Any] = {}
        self._since = 0.0
        self._unraisable = sys.unraisablehook
        self._again: threading.Timer | None = None

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._unraisable, sys.unraisablehook = sys.unraisablehook, self._dropped
            for number in STOP_SIGNALS:
                # Whoever is to outlive its terminal, as by nohup, ignores SIGHUP.
                if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
                    self._previous[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        if self._again is not None:
            self._again.cancel()
            self._again.join()
        for number, handler in self._previous.items():
            signal.signal(number, handler)
        if self._previous:
            sys.unraisablehook = self._unraisable

    def _dropped(self, unraisable: sys.UnraisableHookArgs) -> None:
        """Repeat a request to stop at once that struck where nothing can be raised."""
        if self.at_once and unraisable.exc_type is KeyboardInterrupt:
            # Not from here, which is still inside the destructor.
            self._again = threading.Timer(_AGAIN_SECONDS, _interrupt_main)
            self._again.daemon = True
            self._again.start()
        else:
            self._unraisable(unraisable)

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        if self.interrupted:
            if number == signal.SIGINT or time.monotonic() - self._since > _ONE_REQUEST_SECONDS:
                self.at_once = True
                raise KeyboardInterrupt
            return
        self.interrupted = True
        self._since = time.monotonic()
        if self._on_interrupt is not None:
            self._on_interrupt()


def _interrupt_main() -> None:
    if hasattr(signal, "pthread_kill"):  # which also wakes a thread that waits
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()
