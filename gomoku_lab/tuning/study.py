"""A study on disk: played group by group, resumable at any moment, and what it has found.

``study.json`` says what is tuned, ``games.jsonl`` holds every pair that was finished: the state is
the log. ``tuning.json`` (estimate and trajectory) and ``candidate.toml`` (the tuned player) follow
from it and are written when a session ends. A candidate is no preset: see `gate`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from gomoku_lab.arena.facts import STUDY_FILE, read_json, write_whole
from gomoku_lab.arena.folder import FolderWriter, begin, config_of, new_facts, refusals
from gomoku_lab.arena.log import (
    GAMES_FILE,
    GamePair,
    LogWriter,
    RunError,
    RunWriteError,
    read_pairs,
)
from gomoku_lab.arena.parallel import Pool, Terms
from gomoku_lab.arena.tournament import Interrupts, check_players
from gomoku_lab.arena.workers import Workers, last_workers
from gomoku_lab.players.families import family_named
from gomoku_lab.players.files import PlayerFile
from gomoku_lab.tuning.origin import origin_of
from gomoku_lab.tuning.plan import StudyPlan
from gomoku_lab.tuning.trajectory import Tuning

if TYPE_CHECKING:
    import pandas as pd

TUNING_FILE: Final = "tuning.json"
CANDIDATE_FILE: Final = "candidate.toml"
SCHEMA_VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """What a study tells while it is played.

    Attributes
    ----------
    on_start : callable, optional
        Called once before the first game with where the study stands.
    on_pair : callable, optional
        Called with it after every committed pair.
    on_interrupt, on_message : callable, optional
        As in `run_tournament`.
    """

    on_start: Callable[[Tuning], None] | None = None
    on_pair: Callable[[Tuning], None] | None = None
    on_interrupt: Callable[[], None] | None = None
    on_message: Callable[[str], None] | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Study:
    """A study as it stands.

    Attributes
    ----------
    path : Path
        Its folder.
    plan : StudyPlan
        What it tunes.
    facts : dict
        All of ``study.json``.
    tuning : Tuning
        Where it stands.
    interrupted : bool
        Whether Ctrl-C or a signal stopped it; then it can be resumed.
    """

    path: Path
    plan: StudyPlan
    facts: dict[str, Any]
    tuning: Tuning
    interrupted: bool = False

    def __repr__(self) -> str:
        from gomoku_lab.tuning.study_view import study_summary

        return f"<Study {self.path}: {study_summary(self.tuning.to_dict())}>"

    def _repr_html_(self) -> str:
        from gomoku_lab.tuning.study_view import study_html

        return study_html(self.tuning.to_dict())

    def frame(self) -> pd.DataFrame:
        """Return the way of the numbers as a pandas table, one row a point.

        Columns: ``pairs`` (int64, pairs of games so far), and one for every key that is tuned
        (float64, the point's value in the key's own unit, not rounded).
        """
        from gomoku_lab.tuning.frames import path_frame

        return path_frame(self.tuning)

    def estimates_frame(self) -> pd.DataFrame:
        """Return where the way led as a pandas table, one row a key.

        Columns: ``key`` (string), ``start``, ``value``, ``estimate`` (float64, in the key's own
        unit), ``change`` (float64, estimate over start, minus 1), ``least``, ``most`` (float64,
        range of the later points, which is no interval).
        """
        from gomoku_lab.tuning.frames import estimates_frame

        return estimates_frame(self.tuning)


def run_study(
    plan: StudyPlan,
    out: str | Path,
    *,
    jobs: int | None = None,
    backend: str = "loky",
    scheduler: str | None = None,
    hooks: Hooks | None = None,
    command: Sequence[str] = (),
) -> Study:
    """Play a new study into the folder `out`.

    Parameters
    ----------
    plan : StudyPlan
        What is tuned.
    out : str or Path
        The folder; it must not hold a run or a study.
    jobs, backend, scheduler, command
        As in `run_tournament`. They do not change what is found.
    hooks : Hooks, optional
        What is told while it is played.

    Raises
    ------
    RunError, ConfigError, WorkerLostError, ClusterLostError
        As in `run_tournament`.
    """
    hooks = hooks or Hooks()
    with Workers(jobs, backend, scheduler) as workers:
        check_players([plan.player], plan.rule, kernels=False)
        workers.start([plan.player], hooks.on_message)
        return _play(StudyWriter.create(Path(out), plan), workers, hooks, command)


def resume_study(
    out: str | Path,
    *,
    jobs: int | None = None,
    backend: str | None = None,
    scheduler: str | None = None,
    hooks: Hooks | None = None,
    command: Sequence[str] = (),
) -> Study:
    """Play what is missing of the study in `out`; parameters as in `run_study`.

    Jobs, backend and scheduler are those of the last session unless they are given.
    """
    writer = StudyWriter.resume(Path(out))
    try:
        workers = last_workers(writer.facts, jobs, backend, scheduler)
        check_players([writer.plan.player], writer.plan.rule, kernels=False)
    except BaseException:
        writer.close()
        raise
    with workers:
        return _play(writer, workers, hooks or Hooks(), command)


def load_study(path: str | Path) -> Study:
    """Read a study; RunError if there is none, or one of its files is damaged or changed."""
    folder = Path(path)
    facts, plan = _read_plan(folder)
    log = folder / GAMES_FILE
    tuning = _replay(log, plan)[0] if log.exists() else Tuning(plan)
    return Study(folder, plan, facts, tuning)


class StudyWriter(FolderWriter):
    """The one writer of a study, from `create` or `resume` until `close`."""

    def __init__(self, path: Path, facts: dict[str, Any], log: LogWriter, tuning: Tuning) -> None:
        super().__init__(path, facts, log, tuning.pairs, file=STUDY_FILE)
        self.tuning = tuning
        self.plan = tuning.plan

    @classmethod
    def create(cls, folder: Path, plan: StudyPlan) -> Self:
        """Start a new study in `folder`; RunError if that holds one or cannot be written to."""
        facts = new_facts(plan, schema=SCHEMA_VERSION, seed=plan.seed)
        return cls(folder, facts, begin(folder, STUDY_FILE, facts), Tuning(plan))

    @classmethod
    def resume(cls, folder: Path) -> Self:
        """Open a study to go on with it; an unfinished end of the log is cut off.

        Raises
        ------
        RunError
            If there is none, it is damaged, was changed, or is being written by another process.
        """
        facts, plan = _read_plan(folder)
        with refusals(folder):
            log = LogWriter(folder)
            try:
                tuning, size = _replay(log.path, plan)
                log.keep(size)
            except BaseException:
                log.close()
                raise
        return cls(folder, facts, log, tuning)

    def commit(self, pairs: Sequence[GamePair]) -> None:
        """Commit finished pairs, and move the point if a group is whole."""
        self.append(pairs)
        for pair in pairs:
            self.tuning.take(pair)

    def write_results(self) -> None:
        """Write what has been found so far."""
        self.write(TUNING_FILE, self.tuning.to_dict())
        path = self.path / CANDIDATE_FILE
        try:
            write_whole(path, candidate_file(self.tuning, self.facts, self.path.name).to_toml())
        except OSError as error:
            raise RunWriteError(f"{path}: cannot be written: {error.strerror}") from error

    def study(self, *, interrupted: bool) -> Study:
        """Return the study as it stands."""
        return Study(self.path, self.plan, self.facts, self.tuning, interrupted)


def candidate_file(tuning: Tuning, facts: dict[str, Any], name: str) -> PlayerFile:
    """Return the player file of a study's estimate; `name` is what the study is called."""
    plan, candidate = tuning.plan, tuning.candidate()
    provenance = {
        "tuned": f"SPSA, mean of the later points, {tuning.pairs} of {plan.schedule.pairs} pairs",
        "study": name,
        "study_hash": facts["hash"],
        "command": list(facts["command"]),
        "base": f"{plan.base.name} ({plan.base.config_hash})",
        "budget": "its own" if plan.budget is None else plan.budget.name,
        "keys": [one.key for one in plan.parameters],
        "distances": [one.distance for one in plan.parameters],
        "rate": plan.schedule.rate,
        "group": plan.group,
        **origin_of(facts, plan),
    }
    return PlayerFile(
        family=family_named(candidate.family, candidate.name),
        config=candidate.config,
        description=f"{plan.base.name}, tuned",
        required=plan.base.required,
        required_without_noise=plan.base.required,
        order=0,
        provenance=provenance,
    )


def _play(writer: StudyWriter, workers: Workers, hooks: Hooks, command: Sequence[str]) -> Study:
    """Play the missing groups, one after another, and commit pair by pair."""
    plan, tuning = writer.plan, writer.tuning
    with contextlib.closing(writer), Interrupts(hooks.on_interrupt) as stop:
        if not tuning.is_complete:
            workers.start([plan.player], hooks.on_message)
            check_players([plan.player], plan.rule, kernels=True, on_message=hooks.on_message)
            workers.announce([plan.player])
        if hooks.on_start is not None:
            hooks.on_start(tuning)
        if not tuning.is_complete:
            writer.start_session(
                command=command,
                jobs=workers.jobs,
                backend=workers.backend,
                scheduler=workers.scheduler,
            )
        with Pool(Terms(plan.rule, plan.adjudication), workers, stop) as pool:
            while not (tuning.is_complete or stop.requested):
                with contextlib.closing(pool.stream(tuning.missing())) as results:
                    for pairs in results:
                        writer.commit(pairs)
                        if hooks.on_pair is not None:
                            hooks.on_pair(tuning)
        writer.write_results()
        if tuning.is_complete and writer.facts["ended"] is None:
            writer.finish()
        return writer.study(interrupted=not tuning.is_complete)


def _read_plan(folder: Path) -> tuple[dict[str, Any], StudyPlan]:
    path = folder / STUDY_FILE
    facts = read_json(path, SCHEMA_VERSION, what="study")
    return facts, config_of(facts, StudyPlan.from_dict, path, what="study")


def _replay(log: Path, plan: StudyPlan) -> tuple[Tuning, int]:
    """Return where a log leads, and the number of its bytes that hold whole pairs."""
    tuning, size = Tuning(plan), 0
    for number, (pair, end) in enumerate(read_pairs(log)):
        try:
            tuning.take(pair)
        except RunError as error:
            raise RunError(f"{log}:{2 * number + 1}: {error}") from None
        size = end
    return tuning, size
