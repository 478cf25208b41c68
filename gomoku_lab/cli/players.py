"""``gomoku-lab players``: which players there are, and how one is configured."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from gomoku_lab.cli.columns import aligned
from gomoku_lab.cli.errors import clean_errors

if TYPE_CHECKING:
    from gomoku_lab.engine.prices import PriceList
    from gomoku_lab.players.spec import PlayerSpec


@click.group()
def command() -> None:
    """List the players and show how one is configured."""


@command.command("list")
@click.argument("expressions", nargs=-1, metavar="[PLAYER]...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_players(expressions: tuple[str, ...], as_json: bool) -> None:
    """List the players that ship with the lab, or those that the PLAYERs name.

    A PLAYER may be a glob such as 'layered/*'. Below each name stand the settings that differ from
    the defaults of its family; 'players show PLAYER' prints all.
    """
    from gomoku_lab.players.expressions import format_changes
    from gomoku_lab.players.registry import expand, families

    with clean_errors():
        specs = expand(expressions or ["*"])
    if as_json:
        _print_json({"schema": 1, "players": [spec.to_dict() for spec in specs]})
        return
    named = [
        (spec.name, spec.description, format_changes(spec.config) or "the defaults")
        for spec in specs
    ]
    if not expressions:
        schemes = [one for one in families() if one.target]
        named += [(f"{one.name}:{one.target}", one.description, "") for one in schemes]
        named.append(("FILE.toml", "A player file, as `players show` prints one", ""))
    width = max(len(name) for name, _, _ in named)
    for name, description, settings in named:
        click.echo(f"{name:{width}}  {description}")
        if settings:
            click.echo(f"{'':{width}}  {settings}")


@command.command("show")
@click.argument("expression", metavar="PLAYER")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show_player(expression: str, as_json: bool) -> None:
    """Print PLAYER as a TOML file, which is itself a player.

    Of a learned evaluation the comments below tell what it values most, and where it differs most
    from the hand weights.
    """
    from gomoku_lab.players.registry import resolve

    with clean_errors():
        spec = resolve(expression)
        prices = _prices(spec)
    if as_json:
        learned = {} if prices is None else {"evaluation": prices.to_dict()}
        _print_json({"schema": 1, **spec.to_dict(), **learned})
        return
    kind = "reproducible" if spec.reproducible else f"not reproducible ({_why(spec)})"
    click.echo(f"# {spec.name}: configuration {spec.config_hash}, {kind}")
    click.echo(spec.to_toml(), nl=False)
    if prices is not None:
        for line in _price_lines(prices):
            click.echo(f"# {line}".rstrip())


def _prices(spec: PlayerSpec) -> PriceList | None:
    """Return the learned evaluation of a player in short, None if it has none."""
    from gomoku_lab.engine.config import EngineConfig

    config = spec.config
    if not isinstance(config, EngineConfig) or config.evaluation == "hand":
        return None
    from gomoku_lab.engine.learned import load_table
    from gomoku_lab.engine.prices import price_list

    return price_list(load_table(config.evaluation), config.weights, defence=config.defence)


def _price_lines(prices: PriceList) -> Iterator[str]:
    """Yield the lines that tell what a learned evaluation says."""
    yield ""
    yield "The learned evaluation, in thousandths of a log-odds unit: 1000 wins 73 % of games."
    yield f"Being to move: {prices.tempo:+}. A unit of the hand weights: {prices.scale:.3g}."
    width = max(len(one.shape) for part in prices.parts.values() for one in part)
    for title, part in prices.parts.items():
        yield ""
        yield f"{title:{width + 7}}  learned  ± 95 %     hand"
        for one in part:
            error = "" if one.error is None else f"{1.96 * one.error:.0f}"
            yield f"  {one.side:6}{one.shape:{width}} {one.value:+7}  {error:>6}  {one.hand:+7}"
    if prices.threats:
        yield from ("", *_threat_lines(prices))


def _threat_lines(prices: PriceList) -> Iterator[str]:
    """Yield what both sides' threats together are worth."""
    rows = [("threats at hand", "the opponent's", "learned", "± 95 %")]
    for one in prices.threats:
        error = "" if one.error is None else f"{1.96 * one.error:.0f}"
        rows.append((one.own, one.other, f"{one.value:+}", error))
    yield from aligned(rows, left=(0, 1))


def _why(spec: PlayerSpec) -> str:
    """Say why a player is not reproducible."""
    timed = any(getattr(spec.config, key, None) is not None for key in ("time_ms", "match_ms"))
    return "it has a time limit" if timed else "nobody has set reproducible=true"


def _print_json(value: object) -> None:
    click.echo(json.dumps(value, indent=2))
