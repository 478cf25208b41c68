"""gomoku_lab: a laboratory for people who write Gomoku (five-in-a-row) AIs.

The public names are loaded on first use, so that ``import gomoku_lab`` stays cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_PUBLIC = {
    "Board": "gomoku_lab.game.board",
    "board_svg": "gomoku_lab.game.display",
    "GameRecord": "gomoku_lab.game.record",
    "Rule": "gomoku_lab.game.rules",
    "Engine": "gomoku_lab.engine.engine",
    "EngineConfig": "gomoku_lab.engine.config",
    "PatternWeights": "gomoku_lab.engine.config",
    "SearchLimits": "gomoku_lab.engine.config",
    "Analysis": "gomoku_lab.engine.analysis",
    "analyse": "gomoku_lab.players.analyst",
    "search_effort": "gomoku_lab.players.effort",
    "count_candidates": "gomoku_lab.engine.census",
    "solve": "gomoku_lab.engine.solving",
    "solve_vcf": "gomoku_lab.engine.solve",
    "solve_vct": "gomoku_lab.engine.solve",
    "review": "gomoku_lab.players.analyst",
    "make_player": "gomoku_lab.players.registry",
    "play_match": "gomoku_lab.arena.duel",
    "play_tournament": "gomoku_lab.arena.duel",
    "elo_frame": "gomoku_lab.arena.frames",
    "estimate_elo": "gomoku_lab.stats.elo",
    "Hypotheses": "gomoku_lab.stats.sprt",
    "judge_run": "gomoku_lab.arena.sequential",
    "estimate_strength": "gomoku_lab.arena.sequential",
    "load_run": "gomoku_lab.arena.store",
    "load_any_run": "gomoku_lab.arena.imported",
    "load_experiment": "gomoku_lab.arena.experiments",
    "rate_runs": "gomoku_lab.arena.rate",
    "compare_runs": "gomoku_lab.arena.compare",
    "load_positions": "gomoku_lab.suite.positions",
    "select_kinds": "gomoku_lab.suite.positions",
    "mid_game_boards": "gomoku_lab.suite.boards",
    "run_suite": "gomoku_lab.suite.run",
    "fit_runs": "gomoku_lab.tuning.calls",
    "fitted_player": "gomoku_lab.tuning.calls",
    "tune": "gomoku_lab.tuning.calls",
    "load_study": "gomoku_lab.tuning.study",
}

_MODULES = ("plots",)

__all__ = ["__version__", *_PUBLIC, *_MODULES]  # noqa: PLE0604  (the keys are strings)


def __getattr__(name: str) -> Any:
    """Import the module that holds the public `name`, once."""
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
