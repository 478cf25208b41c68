"""``gomoku-lab analyse``: what the engine thinks of a position, layer by layer."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gomoku_lab.cli.errors import clean_errors, fail
from gomoku_lab.cli.options import RecordingCommand, recorded_words
from gomoku_lab.cli.paths import PageName
from gomoku_lab.cli.progress import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from gomoku_lab.engine.analysis import Analysis, Layer
    from gomoku_lab.engine.config import EngineConfig
    from gomoku_lab.game.board import Board
    from gomoku_lab.players.spec import PlayerSpec
    from gomoku_lab.suite.positions import Position

_SILENT_SECONDS = 2.0
"""How long a search may take before its layers are told one by one."""


@click.command(cls=RecordingCommand)
@click.argument("position", metavar="POSITION")
@click.option(
    "--player",
    "-p",
    "expression",
    default="lab/max",
    show_default=True,
    metavar="PLAYER",
    help="Whose engine looks: a player of the families plain, layered and lab.",
)
@click.option("--depth", type=int, help="Deepest layer in plies; 0 for no such limit.")
@click.option("--time-ms", type=float, help="Time budget in milliseconds; 0 for no such limit.")
@click.option("--nodes", type=int, help="Node budget; 0 for no such limit.")
@click.option(
    "--rule", help="freestyle, standard or renju, for moves and diagrams. [default: freestyle]"
)
@click.option("--size", type=int, help="Lines a side, for moves. [default: 15]")
@click.option(
    "--exact",
    "count",
    type=click.IntRange(1),
    metavar="N",
    help="Search N root candidates again, with the same budget, for exact scores.",
)
@click.option(
    "--exact-depth",
    type=click.IntRange(1, 64),
    metavar="D",
    help="Depth of --exact in plies. [default: the last completed layer's]",
)
@click.option(
    "--html",
    "page",
    type=PageName(),
    metavar="FILE",
    help="Write a page with board, tables and figures as well.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--quiet", "-q", is_flag=True, help="No progress on stderr.")
def command(
    position: str,
    expression: str,
    depth: int | None,
    time_ms: float | None,
    nodes: int | None,
    rule: str | None,
    size: int | None,
    count: int | None,
    exact_depth: int | None,
    page: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Show what the engine thinks of POSITION, layer by layer.

    POSITION is a move string (h8i9g7), a file with a diagram (one row a line, X black, O white),
    - for a diagram on stdin, or the id of a shipped position (`gomoku-lab positions list`).

    All scores are seen from the side to move and belong to the drawn position. A root candidate
    whose exact score is not known shows a dash and, apart from it, the bound that the search
    proved; --exact replaces bounds by scores. Noise is never applied here.
    """
    with clean_errors():
        from gomoku_lab.cli.boards import read_board
        from gomoku_lab.players.analyst import engine_player

        limits = {"depth": depth, "time_ms": time_ms, "nodes": nodes}
        spec, config = engine_player(expression, limits, named="--depth, --time-ms, --nodes")
        board, known = read_board(position, rule=rule, size=size)
    if exact_depth is not None and count is None:
        fail(f"--exact-depth needs --exact N: {exact_depth}")
    found = _analyse(board, config, count, exact_depth, quiet=quiet)
    if as_json:
        click.echo(json.dumps(_as_dict(found, spec, config, known), indent=2))
    else:
        click.echo(_as_text(found, spec, config, known))
    if page is not None:
        from gomoku_lab.report.analysis import write_analysis

        with clean_errors():
            write_analysis(page, found, spec, recorded_words())
        say(f"wrote {page}", quiet=quiet)


def _analyse(
    board: Board, config: EngineConfig, count: int | None, depth: int | None, *, quiet: bool
) -> Analysis:
    from gomoku_lab.engine.engine import Engine, warm_up
    from gomoku_lab.engine.exact import with_exact

    warm_up(lambda message: say(message, quiet=quiet))
    engine = Engine(config)
    found = engine.analyse(board, on_layer=_layer_teller(board.size, quiet=quiet))
    if count is None:
        return found
    if found.time_ms > _SILENT_SECONDS * 1000:
        say("searching root candidates again for exact scores", quiet=quiet)
    return with_exact(engine, found, count=count, depth=depth)


def _layer_teller(size: int, *, quiet: bool) -> Callable[[Layer], None]:
    """Return what tells each layer on stderr once the search takes long."""
    from gomoku_lab.engine.analysis_view import score_text
    from gomoku_lab.game.notation import move_name

    started = time.monotonic()

    def tell(layer: Layer) -> None:
        seconds = time.monotonic() - started
        if seconds >= _SILENT_SECONDS:
            move, score = move_name(layer.move, size), score_text(layer.score)
            say(f"{seconds:6.1f} s  depth {layer.depth:2}  {move:3}  {score}", quiet=quiet)

    return tell


def _as_dict(
    found: Analysis, spec: PlayerSpec, config: EngineConfig, known: Position | None
) -> dict[str, Any]:
    from gomoku_lab import __version__

    return {
        **found.to_dict(),
        "version": __version__,
        "player": spec.name,
        "config": config.to_dict(),
        "config_hash": config.config_hash(),
        "position": None if known is None else known.id,
    }


def _as_text(
    found: Analysis, spec: PlayerSpec, config: EngineConfig, known: Position | None
) -> str:
    limits = [
        f"{name} {value:g}{unit}"
        for name, value, unit in (
            ("depth", config.depth, ""),
            ("time", config.time_ms, " ms"),
            ("nodes", config.nodes, ""),
        )
        if value is not None
    ]
    lines = [
        f"{spec.name}: at most {', '.join(limits)}; width {config.width}, radius {config.radius}"
    ]
    if config.noise:
        lines.append(f"It plays with noise {config.noise:g}, which is not applied here.")
    if known is not None:
        right = " ".join(known.best_names) or "no move"
        lines += [f"{known.id} ({known.kind}): {known.why}", f"proved: {right}"]
    return "\n".join([*lines, "", str(found)])
