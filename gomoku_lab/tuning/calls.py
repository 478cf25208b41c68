"""Fits and studies from Python in one call each, as ``gomoku-lab fit`` and ``tune`` make them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from gomoku_lab.arena.duel import passing_folder
from gomoku_lab.arena.imported import AnyRun
from gomoku_lab.engine.engine import warm_up
from gomoku_lab.players.analyst import engine_player
from gomoku_lab.players.spec import PlayerSpec
from gomoku_lab.tuning.fits import TableFit, WeightsFit
from gomoku_lab.tuning.fitting import fit_table, fit_weights, split
from gomoku_lab.tuning.plan import StudySettings, resolve_study
from gomoku_lab.tuning.samples import collect_samples
from gomoku_lab.tuning.study import Study, run_study

_log = logging.getLogger(__name__)


def fit_runs(
    runs: Sequence[AnyRun],
    *,
    base: str = "lab/v1",
    model: Literal["weights", "table"] = "weights",
    seed: int = 0,
) -> WeightsFit | TableFit:
    """Learn from every position of the games in `runs` how they ended.

    Parameters
    ----------
    runs : sequence of runs
        Self-play, tournaments, matches or imported games.
    base : str
        A player of the engine, whose weights are the start.
    model : str
        ``weights`` for those of the seven classes, ``table`` for all combinations of them.
    seed : int
        Of the lot that holds a tenth of the openings out.

    Raises
    ------
    ValueError
        If there are too few games, or the model or the base is none.
    """
    if model not in ("weights", "table"):
        raise ValueError(f"model must be weights or table: {model!r}")
    config = engine_player(base, {})[1]
    warm_up()
    samples = collect_samples(runs, window=config.window)
    parts = split(samples, seed=seed)
    if model == "weights":
        return fit_weights(samples, config, parts, on_step=_log.info)
    return fit_table(samples, config, parts, on_step=_log.info)


def fitted_player(fit: WeightsFit, base: str, *, name: str = "fitted") -> PlayerSpec:
    """Return `base` with fitted weights, as a player that can be named wherever one is wanted."""
    spec, config = engine_player(base, {})
    found = replace(
        config, weights=fit.config.weights, defence=fit.config.defence, evaluation="hand"
    )
    return replace(spec, name=name, config=found, required=())


def tune(
    base: str,
    keys: Sequence[str],
    *,
    out: str | Path | None = None,
    jobs: int | None = None,
    **settings: Any,
) -> Study:
    """Move numbers of a player by self-play towards what wins, by SPSA.

    Parameters
    ----------
    base : str
        The player to start from.
    keys : sequence of str
        What is tuned: dotted keys or globs of them, such as ``weights.open_t*``.
    out : str or Path, optional
        The folder of the study, which stays; by default one that is gone when Python ends.
    jobs : int, optional
        Games at the same time; 1 plays them here. By default one a core.
    **settings
        What else `gomoku_lab.tuning.plan.StudySettings` knows: ``pairs``, ``nodes``, ``depth``,
        ``distance``, ``rate``, ``seed``, ``openings`` and so on.

    Raises
    ------
    ValueError
        If a setting is wrong, or the folder holds a study.
    KeyboardInterrupt
        If it was interrupted; what was played is kept in the folder, to be resumed.
    """
    plan = resolve_study(StudySettings(base=base, keys=tuple(keys)).varied(settings))
    folder = passing_folder("study") if out is None else Path(out)
    study = run_study(plan, folder, jobs=jobs)
    if study.interrupted:
        raise KeyboardInterrupt(f"stopped after {study.tuning.pairs} pairs, kept in {folder}")
    return study
