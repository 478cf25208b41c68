"""The engine of a player, asked what it thinks of a position: the way in from Python.

`gomoku-lab analyse` does the same; neither applies noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gomoku_lab.engine.analysis import Analysis
from gomoku_lab.engine.config import ConfigError, EngineConfig
from gomoku_lab.engine.engine import Engine, warm_up
from gomoku_lab.engine.exact import with_exact
from gomoku_lab.engine.review import Review, review_moves
from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import as_board
from gomoku_lab.game.record import GameRecord
from gomoku_lab.game.rules import Rule
from gomoku_lab.players.registry import resolve
from gomoku_lab.players.spec import PlayerSpec

DEFAULT_PLAYER = "lab/max"


def analyse(
    position: Board | str,
    player: str | PlayerSpec | EngineConfig = DEFAULT_PLAYER,
    *,
    depth: int | None = None,
    time_ms: float | None = None,
    nodes: int | None = None,
    exact: int = 0,
    exact_depth: int | None = None,
    rule: Rule | str = Rule.FREESTYLE,
    size: int | None = None,
) -> Analysis:
    """Return what an engine thinks of a position, layer by layer.

    Parameters
    ----------
    position : Board or str
        A board, or a pasted text: moves such as ``h8 i9 g7``, or a diagram, one row a line.
    player : str, PlayerSpec or EngineConfig
        Whose engine looks: a player of the families plain, layered and lab, or a configuration.
        Its noise is not applied.
    depth, time_ms, nodes : optional
        Replace the player's limits (plies, milliseconds, nodes); 0 takes a limit away.
    exact : int
        How many root candidates are searched again with a full window, so that their scores are
        exact (`Analysis.exact`).
    exact_depth : int, optional
        Plies of that second search; by default those of the last completed layer.
    rule, size
        For a text: as for `Board`.

    Raises
    ------
    ValueError
        If the position or the player is none, or a number is wrong.
    TypeError
        If the position is no board and no text, or the player no name, specification or
        configuration.
    """
    board = as_board(position, rule=rule, size=size)
    if not isinstance(exact, int) or exact < 0:
        raise ValueError(f"exact must be a whole number from 0 up: {exact!r}")
    if exact_depth is not None and not exact:
        raise ValueError(f"exact_depth needs exact, the number of moves: {exact_depth!r}")
    limits: dict[str, float | None] = {"depth": depth, "time_ms": time_ms, "nodes": nodes}
    if isinstance(player, EngineConfig):
        config = player.varied(_given(limits))
    else:
        config = engine_player(player, limits)[1]
    warm_up()
    engine = Engine(config)
    found = engine.analyse(board)
    return with_exact(engine, found, count=exact, depth=exact_depth) if exact else found


def review(
    game: GameRecord | Board | str,
    player: str | PlayerSpec | EngineConfig = DEFAULT_PLAYER,
    *,
    depth: int = 4,
    rule: Rule | str = Rule.FREESTYLE,
    size: int | None = None,
) -> Review:
    """Return what every move of a game was worth, and what the best one would have been.

    Parameters
    ----------
    game : GameRecord, Board or str
        A record, whose opening is not looked at; a board with its moves; or moves as text.
    player
        As in `analyse`.
    depth : int
        Plies of every search.
    rule, size
        For a text: as for `Board`.
    """
    config = player if isinstance(player, EngineConfig) else engine_player(player, {})[1]
    skip = 0
    if isinstance(game, GameRecord):
        skip, game = game.opening_moves, game.board()
    board = start = as_board(game, rule=rule, size=size)
    while start.moves:
        start = start.undo()
    warm_up()
    return review_moves(Engine(config), start, board.moves, depth=depth, skip=skip)


def engine_player(
    player: str | PlayerSpec, limits: Mapping[str, float | None], *, named: str = "limits"
) -> tuple[PlayerSpec, EngineConfig]:
    """Return a player, its limits replaced by those that are given, and its configuration.

    Raises
    ------
    ConfigError
        If the player has no engine to analyse with, or a limit is wrong; `named` says in it what
        the limits came from.
    """
    spec = resolve(player) if isinstance(player, str) else player
    if not isinstance(spec, PlayerSpec):
        raise TypeError(f"a player must be a name, a PlayerSpec or an EngineConfig: {player!r}")
    if not isinstance(spec.config, EngineConfig):
        raise ConfigError(
            f"{spec.name}: only the lab's own engine can be analysed (families plain, layered and "
            f"lab); players of the family {spec.family!r} say nothing but their move"
        )
    config = spec.config.varied(_given(limits), source=f"{spec.name} with {named}")
    return replace(spec, config=config), config


def _given(limits: Mapping[str, float | None]) -> dict[str, float]:
    return {key: value for key, value in limits.items() if value is not None}
