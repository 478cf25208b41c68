"""Matches and tournaments from Python in one call: players, games, and a run to look at."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from gomoku_lab.arena.config import TournamentConfig, TournamentSettings, resolve_tournament
from gomoku_lab.arena.store import Run
from gomoku_lab.arena.tournament import run_tournament
from gomoku_lab.game.rules import DEFAULT_SIZE, Rule
from gomoku_lab.players.registry import PlayerSpec, resolve
from gomoku_lab.stats.sprt import Hypotheses


def play_match(
    first: str | PlayerSpec,
    second: str | PlayerSpec,
    *,
    games: int = 20,
    out: str | Path | None = None,
    seed: int = 0,
    openings: str = "book",
    rule: Rule | str = Rule.FREESTYLE,
    size: int = DEFAULT_SIZE,
    jobs: int | None = None,
    sprt: Hypotheses | None = None,
) -> Run:
    """Play two players against each other in colour-swapped pairs, as ``gomoku-lab match`` does.

    Parameters
    ----------
    first, second : str or PlayerSpec
        The players: expressions such as ``layered/hard:nodes=2000,time_ms=0``.
    games : int
        Even; with `sprt` the most that are played.
    out : str or Path, optional
        The run folder, which stays; by default a folder that is gone when Python ends.
    seed, openings, rule, size
        As for ``gomoku-lab match``.
    jobs : int, optional
        Games at the same time, in processes of their own; 1 plays them here. By default one a core.
    sprt : Hypotheses, optional
        A sequential test that ends the match when it has decided.

    Returns
    -------
    Run
        The finished run.

    Raises
    ------
    ValueError
        If a player, the rule or the openings are wrong, or the folder holds a run.
    KeyboardInterrupt
        If it was interrupted; what was played is kept in the folder, to be resumed.
    """
    settings = TournamentSettings(
        games=games, seed=seed, openings=openings, rule=str(rule), size=size
    )
    specs = [_spec(one) for one in (first, second)]
    return _play(resolve_tournament(settings, specs=specs, sprt=sprt), out, jobs)


def play_tournament(
    players: Sequence[str | PlayerSpec],
    *,
    games: int = 20,
    tournament_format: str = "round-robin",
    out: str | Path | None = None,
    seed: int = 0,
    openings: str = "book",
    rule: Rule | str = Rule.FREESTYLE,
    size: int = DEFAULT_SIZE,
    jobs: int | None = None,
) -> Run:
    """Play several players against one another, as ``gomoku-lab tournament`` does.

    Parameters
    ----------
    players : sequence of str or PlayerSpec
        The players.
    games : int
        Of each pairing, even.
    tournament_format : str
        ``round-robin``, ``gauntlet`` (the first player against all others) or ``selfplay`` (each
        against itself).
    out, seed, openings, rule, size, jobs
        As in `play_match`, and so are the result and what is raised.
    """
    settings = TournamentSettings(
        games=games,
        seed=seed,
        openings=openings,
        rule=str(rule),
        size=size,
        format=tournament_format,
    )
    specs = [_spec(one) for one in players]
    return _play(resolve_tournament(settings, specs=specs), out, jobs)


def passing_folder(name: str) -> Path:
    """Return a folder to be made that is gone when Python ends."""
    folder = Path(tempfile.mkdtemp(prefix=f"gomoku-lab-{name}-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder / name


def _spec(player: str | PlayerSpec) -> PlayerSpec:
    return resolve(player) if isinstance(player, str) else player


def _play(config: TournamentConfig, out: str | Path | None, jobs: int | None) -> Run:
    if out == "":
        raise ValueError("out must name a folder: ''")
    folder = passing_folder("match") if out is None else Path(out)
    outcome = run_tournament(config, folder, jobs=jobs)
    if outcome.interrupted:
        played = f"{outcome.run.game_count} of {config.total_games} games"
        raise KeyboardInterrupt(f"stopped after {played}, which are kept in {folder}")
    return outcome.run
