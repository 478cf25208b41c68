"""The table of player families: what configures one and what plays it.

A new family is one more entry of `FAMILIES`. Both of its classes stand there as import paths, so
that nothing heavy is imported before a player is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

from gomoku_lab.engine.settings import ConfigError, Settings, nearest_key
from gomoku_lab.game.rules import FREE_RULES, Rule


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of player.

    Attributes
    ----------
    name : str
        The part before the slash, or before the colon where `target` is set.
    config, adapter : str
        Import paths ``module:Name`` of the configuration (a `Settings`) and of the class that,
        called with a `PlayerSpec`, gives a `Player`.
    description : str
        One line.
    compiled : bool
        Whether its players need compiled kernels; the adapter then has a static
        ``warm_up(progress)`` that loads them, compiling them first where the cache is cold.
    rules : tuple of Rule
        The rules that its players may know; each player says itself which ones it does.
    target : str
        For a family without presets: what stands after ``name:`` in an expression; it becomes
        the configuration's key ``target``.
    """

    name: str
    config: str
    adapter: str
    description: str
    compiled: bool = False
    rules: tuple[Rule, ...] = tuple(Rule)
    target: str = ""

    @property
    def config_class(self) -> type[Settings]:
        """Import and return the configuration class."""
        return cast("type[Settings]", _load(self.config))

    @property
    def adapter_class(self) -> Any:
        """Import and return the class that plays."""
        return _load(self.adapter)


def _engine_family(name: str, description: str) -> Family:
    """Return a family that is the lab's own engine with presets of its own."""
    return Family(
        name,
        "gomoku_lab.engine.config:EngineConfig",
        "gomoku_lab.players.engine_player:EnginePlayer",
        description,
        compiled=True,
    )


FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        _engine_family("plain", "Alpha-beta without a threat layer"),
        _engine_family("layered", "Threat layer first, then a deepening search"),
        _engine_family("lab", "The product engine with all that the lab knows"),
        Family(
            "pattern",
            "gomoku_lab.players.pattern:PatternConfig",
            "gomoku_lab.players.pattern:PatternPlayer",
            "Scores of runs and open ends, one ply deep",
            compiled=True,
            rules=FREE_RULES,
        ),
        Family(
            "minimax",
            "gomoku_lab.players.minimax_config:MinimaxConfig",
            "gomoku_lab.players.minimax:MinimaxPlayer",
            "Minimax with pruning and sorted moves in its plainest form",
            compiled=True,
            rules=FREE_RULES,
        ),
        Family(
            "site",
            "gomoku_lab.players.site:SiteConfig",
            "gomoku_lab.players.site:SitePlayer",
            "Win, block, then a short search; the easy level draws and misses",
            compiled=True,
        ),
        Family(
            "textbook",
            "gomoku_lab.players.textbook:TextbookConfig",
            "gomoku_lab.players.textbook:TextbookPlayer",
            "Alpha-beta of fixed depth on an evaluation that counts runs of stones",
            compiled=True,
            rules=FREE_RULES,
        ),
        Family(
            "stages",
            "gomoku_lab.players.stages:StagesConfig",
            "gomoku_lab.players.stages:StagesPlayer",
            "The first three stages on the way to textbook, none of which searches",
            compiled=True,
            rules=FREE_RULES,
        ),
        Family(
            "python",
            "gomoku_lab.players.python:PythonConfig",
            "gomoku_lab.players.python:PythonPlayer",
            "A class of your own, run in a process of its own",
            target="package.module:Name",
        ),
        Family(
            "gomocup",
            "gomoku_lab.players.external_config:GomocupConfig",
            "gomoku_lab.players.external:GomocupPlayer",
            "A program that speaks the Gomocup protocol",
            target="PATH",
        ),
    )
}


def family_named(name: object, source: str) -> Family:
    """Return the family called `name`; `source` is what an error message names."""
    family = FAMILIES.get(str(name))
    if family is None:
        nearest = nearest_key(str(name), FAMILIES)
        hint = f"; did you mean {nearest!r}?" if nearest else ";"
        raise ConfigError(
            f"{source}: unknown family {name!r}{hint} families: {', '.join(FAMILIES)}"
        )
    return family


def _load(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)
