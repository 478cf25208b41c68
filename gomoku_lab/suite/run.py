"""Run players on tactical positions and judge whether the move played is in the proved set.

Each position is shown in its eight images unless told otherwise. Answers depend on player,
position, image and seed alone, not on the number of jobs or on which other positions are asked.
"""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gomoku_lab.arena.parallel import stream_calls
from gomoku_lab.arena.workers import Workers
from gomoku_lab.game.symmetry import SYMMETRIES, inverse, map_board, map_move
from gomoku_lab.players.compiling import warm_up_in_turn
from gomoku_lab.players.errors import PlayerError, PlayerStartError
from gomoku_lab.players.protocol import Player
from gomoku_lab.players.registry import PlayerSpec, expand, make_player, rehearse
from gomoku_lab.suite.positions import Position, with_a_move
from gomoku_lab.suite.proofs import wins_as_well
from gomoku_lab.suite.result import Answer, SuiteResult

Make = Callable[[PlayerSpec], Player]

_CHUNK: Final = 6
"""Positions a task: small enough to share the work out, large enough to make few players."""


@dataclass(frozen=True, slots=True)
class _Task:
    """Some positions for one player, with all that is needed to ask them anywhere."""

    spec: PlayerSpec
    positions: tuple[Position, ...]
    symmetries: tuple[int, ...]
    seed: int
    make: Make


def run_suite(
    players: str | Sequence[PlayerSpec | str],
    positions: Sequence[Position],
    *,
    jobs: int | None = 1,
    backend: str = "loky",
    scheduler: str | None = None,
    symmetries: bool = True,
    seed: int = 0,
    make: Make = make_player,
    on_progress: Callable[[int, str], None] | None = None,
    on_message: Callable[[str], None] | None = None,
    keeps: bool = False,
) -> SuiteResult:
    """Ask every player every position.

    Parameters
    ----------
    players : sequence of PlayerSpec or str
        One or more players, or expressions, of which globs name several; each with its own limits.
    positions : sequence of Position
        The positions, ids distinct; those that ask for no move are left out.
    jobs, backend, scheduler
        As in `gomoku_lab.arena.tournament.run_tournament`.
    symmetries : bool
        Whether to show each position in its eight images instead of only as written.
    seed : int
        Seed of every random draw of noisy players, 0 or more.
    make : callable
        Makes a player of a specification; picklable for more than one job.
    on_progress : callable, optional
        Called with the number of answers that just came in and the player's name.
    on_message : callable, optional
        Told what takes long before the first answer.
    keeps : bool
        Whether a KeyboardInterrupt ends it with the answers so far instead of being raised.

    Raises
    ------
    gomoku_lab.players.errors.PlayerStartError
        If a player cannot be started at all. A player that fails later has failed that position.
    """
    if seed < 0:
        raise ValueError(f"seed must be 0 or more: {seed!r}")
    specs = [spec for one in _several(players) for spec in _specs(one)]
    positions = with_a_move(positions)
    shown = tuple(SYMMETRIES) if symmetries else (0,)
    parts = _chunks(positions)
    tasks = [_Task(spec, part, shown, seed, make) for part in parts for spec in specs]
    with Workers(jobs, backend, scheduler) as workers:
        _start(workers, specs, make, on_message)
        found, interrupted = _collect(tasks, workers, on_progress, keeps=keeps)
    return SuiteResult(
        players=tuple(specs),
        positions=tuple(positions),
        answers=_sorted(found, specs, positions),
        seed=seed,
        symmetries=symmetries,
        interrupted=interrupted,
    )


def _several(players: str | Sequence[PlayerSpec | str]) -> Sequence[PlayerSpec | str]:
    return [players] if isinstance(players, str) else players


def _specs(player: PlayerSpec | str) -> list[PlayerSpec]:
    return expand([player]) if isinstance(player, str) else [player]


def _chunks(positions: Sequence[Position]) -> list[tuple[Position, ...]]:
    """Cut the positions into parts that are alike, to each of which all players go in turn.

    The time that has passed then tells how much is left, and players can be compared by what was
    answered before somebody stopped it.
    """
    steps = -(-len(positions) // _CHUNK)
    return [tuple(positions[start::steps]) for start in range(steps)]


def _collect(
    tasks: Sequence[_Task],
    workers: Workers,
    on_progress: Callable[[int, str], None] | None,
    *,
    keeps: bool,
) -> tuple[list[Answer], bool]:
    """Return the answers, and whether somebody stopped it before they were all there."""
    found: list[Answer] = []
    try:
        with contextlib.closing(_results(tasks, workers)) as results:
            for answers in results:
                found.extend(answers)
                if on_progress is not None and answers:
                    on_progress(len(answers), answers[0].player)
    except KeyboardInterrupt:
        if not keeps:
            raise
        return found, True
    return found, False


def _start(
    workers: Workers,
    specs: Sequence[PlayerSpec],
    make: Make,
    on_message: Callable[[str], None] | None,
) -> None:
    workers.start(specs, on_message)
    if make is make_player:
        # Compile here, once, before several workers would do so at the same time.
        warm_up_in_turn(specs, on_message)
        workers.announce(specs)


def _results(tasks: Sequence[_Task], workers: Workers) -> Generator[list[Answer], None, None]:
    """Yield the answers of each task as it is finished."""
    if workers.cluster is not None:
        results = workers.cluster.stream(
            _ask_all, iter(tasks), jobs=workers.wanted, stopped=lambda: False
        )
        with contextlib.closing(results):
            yield from results
    elif workers.jobs == 1:
        yield from map(_ask_all, tasks)
    else:
        yield from stream_calls(_ask_all, tasks, jobs=workers.jobs, backend=workers.backend)


def _sorted(
    answers: Iterable[Answer], specs: Sequence[PlayerSpec], positions: Sequence[Position]
) -> tuple[Answer, ...]:
    """Bring the answers into the order of players, positions and images."""
    player_at = {spec.name: place for place, spec in enumerate(specs)}
    position_at = {position.id: place for place, position in enumerate(positions)}
    return tuple(
        sorted(answers, key=lambda a: (player_at[a.player], position_at[a.position], a.symmetry))
    )


def _ask_all(task: _Task) -> list[Answer]:
    """Make the player, ask it all positions of the task, and close it."""
    if task.make is make_player:
        # A worker that has just started would load kernels in the first answer, which may be timed.
        warm_up_in_turn([task.spec])
    player = task.make(task.spec)
    try:
        known = {one.board.rule for one in task.positions if player.plays(one.board.rule)}
        if task.make is make_player:
            for rule in sorted(known):
                rehearse(player, task.spec, rule)
        return [
            _ask(player, task, position, symmetry)
            for position in task.positions
            if position.board.rule in known
            for symmetry in task.symmetries
        ]
    finally:
        player.close()


def _ask(player: Player, task: _Task, position: Position, symmetry: int) -> Answer:
    """Show one image of one position and judge the answer."""
    # The id keys the seed, so that leaving out other positions changes no draw.
    key = (zlib.crc32(position.id.encode()), symmetry)
    board = map_board(position.board, symmetry)
    size = board.size

    def answer(move: int | None, passed: bool, gate: str = "", error: str = "") -> Answer:
        return Answer(task.spec.name, position.id, symmetry, move, passed, gate, error)

    try:
        player.new_game(np.random.SeedSequence(task.seed, spawn_key=key))
        choice = player.choose(board)
    except PlayerStartError:
        raise
    except PlayerError as error:
        return answer(None, False, error=f"{error.reason}: {error}")
    if choice.move is None:
        return answer(None, not position.best, choice.gate)
    try:
        board.check_move(choice.move)
    except ValueError as error:
        return answer(None, False, choice.gate, error=f"illegal move: {error}")
    move = map_move(choice.move, size, inverse(symmetry))
    right = move in position.best or wins_as_well(position, move)
    return answer(move, right, choice.gate)
