"""What commands that play games share: progress, Ctrl-C and resuming; options are in `options`."""

from __future__ import annotations

import os
import re
import shlex
import signal
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from gomoku_lab.cli.errors import ENGINE_FAILED, INTERRUPTED, clean_errors, fail
from gomoku_lab.cli.options import HOW, recorded_words
from gomoku_lab.cli.progress import Meter, progress, say
from gomoku_lab.cli.selfplay import Throughput

if TYPE_CHECKING:
    from gomoku_lab.arena.config import TournamentConfig, TournamentSettings
    from gomoku_lab.arena.sequential import MatchTest
    from gomoku_lab.arena.store import GamePair, Run
    from gomoku_lab.arena.tournament import Outcome
    from gomoku_lab.stats.sprt import Hypotheses

_LEADERS_SHOWN = 3
_NAME_WIDTH = 16
_FINISHING = "finishing the running games"


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What is to be played now, and how.

    Attributes
    ----------
    kind : str
        The command, for the folder's name and the line that tells how to resume.
    config : TournamentConfig or None
        What a new run plays; None resumes the run in `folder`.
    folder : Path
        The run folder.
    jobs : int or None
        Games at the same time.
    backend : str or None
        Name of the backend.
    scheduler : str or None
        Address of the Dask scheduler.
    quiet : bool
        Whether progress is hidden.
    """

    kind: str
    config: TournamentConfig | None
    folder: Path
    jobs: int | None
    backend: str | None
    scheduler: str | None
    quiet: bool


def make_session(
    kind: str,
    options: Mapping[str, Any],
    given: Mapping[str, Any],
    *,
    file: Path | None = None,
    sprt: Hypotheses | None = None,
) -> Session:
    """Return what is to be played: a new run, or the rest of one that must not be another.

    Parameters
    ----------
    kind : str
        The command; a ``match`` may have the same player twice.
    options : mapping
        The shared options.
    given : mapping
        The settings that were given on the command line; they override those of `file`.

    Raises
    ------
    ValueError
        If something that was given is wrong, or is not what the run to be resumed says.
    """
    from gomoku_lab.arena.config import TournamentSettings, resolve_tournament
    from gomoku_lab.arena.store import load_config
    from gomoku_lab.players.registry import resolve

    resumed = options["resume"]
    kept = None if resumed is None else load_config(resumed)
    if file is not None:
        base = TournamentSettings.load(file)
    else:
        base = TournamentSettings() if kept is None else _settings_of(kept)
    settings = base.varied(given)
    config = None
    if kept is None or file is not None or sprt is not None or given.keys() - HOW:
        specs = [resolve(player) for player in settings.players] if kind == "match" else None
        sprt = sprt or (None if kept is None else kept.sprt)
        config = resolve_tournament(settings, specs=specs, sprt=sprt)
    if kept is not None and config is not None:
        _check_same(resumed, kept, config)
    return Session(
        kind=kind,
        config=config if kept is None else None,
        folder=resumed or options["out"] or new_folder(kind),
        jobs=settings.jobs,
        # A new run without a word about it uses the default, a resumed one what it used before.
        backend=settings.backend if kept is None or "backend" in given else None,
        # An address in a file waits there for the day on which the cluster is used.
        scheduler=settings.scheduler
        if settings.backend == "dask" or "scheduler" in given
        else None,
        quiet=options["quiet"],
    )


def _settings_of(config: TournamentConfig) -> TournamentSettings:
    """Return the settings that would give `config`."""
    from gomoku_lab.arena.config import TournamentSettings

    return TournamentSettings(
        players=tuple(spec.name for spec in config.players),
        games=config.games,
        seed=config.seed,
        openings=config.opening_set,
        rule=str(config.rule),
        size=config.size,
        format=config.format,
        random_moves=config.random_moves,
        adjudication=config.adjudication,
    )


def _check_same(folder: Path, found: TournamentConfig, wanted: TournamentConfig) -> None:
    """Raise RunError, naming what differs, unless `folder` plays what `wanted` describes."""
    from gomoku_lab.arena.store import RunError

    if wanted.config_hash() == found.config_hash():
        return
    kept, asked = found.to_dict(), wanted.to_dict()
    for values in (kept, asked):
        values["players"] = [f"{one['name']} ({one['config_hash']})" for one in values["players"]]
    differing = [key for key in kept if kept[key] != asked[key]]
    shown = next((key for key in differing if key != "openings"), "openings")
    detail = "" if shown == "openings" else f": {kept[shown]!r} in the run, {asked[shown]!r} given"
    raise RunError(
        f"{folder}: cannot be resumed with another configuration; {shown} differs{detail}"
    )


def new_folder(kind: str) -> Path:
    """Make a new run folder below ``runs/``, named by the time in UTC, and return it.

    It takes the name for this command, which takes it away again if nothing is put into it.
    """
    from gomoku_lab.arena.provenance import utc_now

    stamp = utc_now().replace("-", "").replace(":", "")
    folder, number = Path("runs") / f"{kind}-{stamp}", 1
    with clean_errors():
        while True:
            try:
                folder.mkdir(parents=True)
            except FileExistsError:  # by a command of the same second, or a clock set back
                number += 1
                folder = folder.with_name(f"{kind}-{stamp}-{number}")
            else:
                context = click.get_current_context(silent=True)
                if context is not None:
                    context.call_on_close(partial(_remove_empty, folder))
                return folder


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):  # there is something in it
        folder.rmdir()


def play(session: Session) -> Outcome:
    """Play a session with progress on stderr and return how it ended.

    If the session is interrupted, the command ends here with its exit code.
    """
    resume = f"gomoku-lab {session.kind} --resume {shlex.quote(str(session.folder))}"
    with resumable(session.folder, resume):
        with ExitStack() as stack:
            outcome = _play(session, Watch(stack, quiet=session.quiet))
        if outcome.interrupted:
            played, total = 2 * len(outcome.run.pairs), outcome.run.config.total_games
            interrupted(f"{played} of {total} games", resume)
        return outcome


@contextmanager
def resumable(folder: Path, resume: str) -> Iterator[None]:
    """End the command with one message and exit code if playing inside cannot go on.

    `resume` is the command that goes on with what was begun in `folder`.
    """
    from gomoku_lab.arena.store import RunError, RunWriteError
    from gomoku_lab.arena.worker import ClusterLostError, WorkerLostError, WorkerMismatchError
    from gomoku_lab.engine.settings import ConfigError
    from gomoku_lab.players.errors import PlayerStartError

    with _stopped_by_any_signal():
        try:
            yield
        except RunWriteError as error:
            fail(f"{error}; the finished pairs are kept; go on with: {resume}", INTERRUPTED)
        except (RunError, ConfigError, PlayerStartError) as error:
            fail(str(error))
        except WorkerMismatchError as error:
            fail(f"{error}; go on without it with: {resume}")
        except ClusterLostError as error:
            _last_words()
            fail(f"{error}; the finished pairs are kept; go on with: {resume}", INTERRUPTED)
        except WorkerLostError as error:
            fail(f"{error}; go on with: {resume}", ENGINE_FAILED)
        except KeyboardInterrupt:
            _last_words()
            if not (folder.is_dir() and any(folder.iterdir())):
                raise  # nothing was begun
            fail(f"stopped at once; the finished pairs are kept; go on with: {resume}", INTERRUPTED)


@contextmanager
def _stopped_by_any_signal() -> Iterator[None]:
    """Let what stops a command be a KeyboardInterrupt before and after its games as well."""
    from gomoku_lab.arena.worker import STOP_SIGNALS

    mine = []
    if threading.current_thread() is threading.main_thread():
        mine = [one for one in STOP_SIGNALS if signal.getsignal(one) is signal.SIG_DFL]
    for number in mine:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in mine:
            if signal.getsignal(number) is signal.default_int_handler:
                signal.signal(number, signal.SIG_DFL)


def interrupted(after: str, resume: str) -> NoReturn:
    """End a command whose running games were finished after Ctrl-C or a signal."""
    _last_words()
    fail(f"interrupted after {after}; go on with: {resume}", INTERRUPTED)


def _last_words() -> None:
    """Let no further signal cut off what is left: one message and the exit code."""
    from gomoku_lab.arena.worker import STOP_SIGNALS

    if threading.current_thread() is threading.main_thread():
        for number in STOP_SIGNALS:
            signal.signal(number, signal.SIG_IGN)


def _play(session: Session, watch: Watch) -> Outcome:
    from gomoku_lab.arena.tournament import resume_tournament, run_tournament

    hooks = {
        "jobs": session.jobs,
        "scheduler": session.scheduler,
        "command": recorded_words(),
        **watch.hooks(),
    }
    if session.config is None:
        return resume_tournament(session.folder, backend=session.backend, **hooks)
    return run_tournament(
        session.config, session.folder, backend=session.backend or "loky", **hooks
    )


def announce_interrupt(*, all_played: bool = False) -> None:
    """Say that the running games will be finished, or that only the workers are left to end."""
    # Called inside a signal handler, where Python's own streams must not be used.
    doing = "all games are played; ending the workers" if all_played else _FINISHING
    message = f"\n{doing}; press Ctrl-C again to stop at once\n"
    try:
        os.write(2, message.encode())
    except OSError:  # the terminal was closed: what is left to be said must not end the games
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 2)
        os.close(nothing)


class Watch:
    """Shows how far a run is: its running score, and where its test stands."""

    def __init__(self, stack: ExitStack, *, quiet: bool) -> None:
        self._stack = stack
        self._quiet = quiet
        self._meter: Meter | None = None
        self._points: defaultdict[str, float] = defaultdict(float)
        self._games: defaultdict[str, int] = defaultdict(int)
        self._test_note = ""
        self._is_decided = False
        self._speed: Throughput | None = None
        self._left = -1  # games to be played; not known before the start

    def hooks(self) -> dict[str, Any]:
        """Return what `run_tournament` and `resume_tournament` are to call."""
        return {
            "on_start": self.start,
            "on_pair": self.pair,
            "on_look": self.look,
            "on_interrupt": lambda: announce_interrupt(all_played=self._left == 0),
            "on_message": lambda message: say(message, quiet=self._quiet),
        }

    def start(self, run: Run) -> None:
        """Take in what was played earlier."""
        from gomoku_lab.arena.schedule import SELFPLAY

        for pair in run.pairs:
            self._count(pair)
        if not (run.is_complete or self._is_decided):
            total, done = run.config.total_games, 2 * len(run.pairs)
            self._left = total - done
            say(f"playing into {run.path}", quiet=self._quiet)
            if run.config.format == SELFPLAY:
                self._speed = Throughput()
                self._stack.callback(self._tell_speed)
            self._meter = self._stack.enter_context(
                progress(total, "games", quiet=self._quiet, done=done)
            )

    def pair(self, pair: GamePair) -> None:
        """Take in a finished pair."""
        self._count(pair)
        self._left -= 2
        if self._speed is not None:
            self._speed.add(pair)
        if self._meter is not None:
            self._meter.advance(2, note=self._note() + self._test_note)

    def look(self, test: MatchTest) -> None:
        """Take in where the test of a match stands."""
        self._is_decided = test.has_decided
        if not self._quiet:
            self._test_note = f", {test_note(test)}"

    def _tell_speed(self) -> None:
        """Say at the end how fast it went."""
        if self._speed is not None and self._speed.games:
            say(f"played {self._speed.text()}", quiet=self._quiet)

    def _count(self, pair: GamePair) -> None:
        from gomoku_lab.arena.store import score_of

        for game in pair:
            for player in (game.black.name, game.white.name):
                self._points[player] += score_of(game, player)
                self._games[player] += 1

    def _note(self) -> str:
        """Return the score of two players, or the leaders of more; in self-play the speed."""
        if self._speed is not None:
            return self._speed.text()
        if len(self._games) == 2:
            (first, own), (second, other) = self._points.items()
            return f"{_short(first)} {own:g} : {other:g} {_short(second)}"
        share = {name: self._points[name] / games for name, games in self._games.items()}
        best = sorted(share, key=lambda name: -share[name])[:_LEADERS_SHOWN]
        return ", ".join(f"{_short(name)} {100 * share[name]:.0f} %" for name in best)


def test_note(test: MatchTest) -> str:
    """Return where a running test stands, for a progress line."""
    from gomoku_lab.stats.sprt import remaining_games

    state = test.state
    lower, upper = state.hypotheses.bounds
    note = f"LLR {state.llr:+.2f} [{lower:.2f}, {upper:+.2f}]"
    if state.decision is not None:
        return f"{note}, {state.decision} accepted"
    left = remaining_games(state)
    return note if left is None else f"{note}, ~{left:.0f} games to go"


def _short(name: str) -> str:
    """Return the end of a player's name without options: a progress line has little room."""
    head = re.sub(r":\w[\w.]*=.*", "", name)
    return head if len(head) <= _NAME_WIDTH else "…" + head[1 - _NAME_WIDTH :]
