"""``gomoku-lab positions``: list, show, re-prove and mine tactical positions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from gomoku_lab.cli.errors import CHECK_FAILED, clean_errors, fail
from gomoku_lab.cli.mining import mine_positions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gomoku_lab.game.renju import Prohibition
    from gomoku_lab.game.rules import Rule
    from gomoku_lab.suite.positions import Position

_PATHS = click.argument("paths", nargs=-1, metavar="[FILE|DIR]...")
_KINDS = click.option(
    "--kind", "-k", "kinds", multiple=True, metavar="KIND", help="Only this kind; may be repeated."
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def command() -> None:
    """List, show, re-prove and mine the tactical positions.

    Without FILE or DIR these are all positions that ship with the lab; `basic` and `mined` name
    its two sets. A file of your own is
    TOML with one [[position]] each, or JSON lines; `positions show` prints one as an example.
    """


def _load(paths: tuple[str, ...], kinds: tuple[str, ...]) -> list[Position]:
    from gomoku_lab.suite.positions import load_positions, load_shipped, select_kinds

    with clean_errors():
        found = [position for path in paths for position in load_positions(path)]
        return select_kinds(found if paths else load_shipped(), kinds)


command.add_command(mine_positions)


@command.command("list")
@_PATHS
@_KINDS
@_JSON
def list_positions(paths: tuple[str, ...], kinds: tuple[str, ...], as_json: bool) -> None:
    """List positions: id, kind, rule, size, right moves, and why."""
    positions = _load(paths, kinds)
    if as_json:
        _print_json({"schema": 1, "positions": [one.to_dict() for one in positions]})
        return
    width = max(len(one.id) for one in positions)
    for one in positions:
        right = " ".join(one.best_names) or "no move"
        click.echo(f"{one.id:{width}}  {one.kind:15}  {one.board.rule} {one.board.size}  {right}")
        click.echo(f"{'':{width}}  {one.why}")


@command.command("show")
@click.argument("name", metavar="ID")
@click.option("--positions", "path", metavar="FILE|DIR", help="Where to look. [default: shipped]")
@click.option(
    "--forbidden", is_flag=True, help="Mark the points (!) that renju forbids Black, and say why."
)
@click.option("--toml", "as_toml", is_flag=True, help="Print it as it stands in a position file.")
@_JSON
def show_position(
    name: str, path: str | None, forbidden: bool, as_toml: bool, as_json: bool
) -> None:
    """Draw the position ID with its right moves (*), and say why they are right."""
    from gomoku_lab.engine.settings import nearest_key
    from gomoku_lab.game.notation import move_name
    from gomoku_lab.suite.positions import format_positions

    positions = {one.id: one for one in _load((path,) if path else (), ())}
    if name not in positions:
        near = nearest_key(name, positions)
        hint = f"did you mean {near!r}? " if near else ""
        fail(f"unknown position {name!r}; {hint}`gomoku-lab positions list` names them all")
    position = positions[name]
    points = position.board.forbidden_points() if forbidden else {}
    if as_json:
        names = {move_name(move, position.board.size): str(why) for move, why in points.items()}
        _print_json({**position.to_dict(), **({"forbidden": names} if forbidden else {})})
    elif as_toml:
        click.echo(format_positions([position]), nl=False)
    else:
        _draw(position, points)
        if forbidden:
            _tell_forbidden(position.board.rule, points, position.board.size)


def _draw(position: Position, forbidden: Mapping[int, str]) -> None:
    """Print a position with its right moves and the forbidden points."""
    from gomoku_lab.game.diagrams import diagram
    from gomoku_lab.game.glossary import kind_meaning
    from gomoku_lab.game.rules import colour_name

    board = position.board
    side = f"{colour_name(board.to_move)} to move ({'XO'[board.to_move - 1]})"
    click.echo(f"{position.id}: {position.kind} ({kind_meaning(position.kind)})")
    click.echo(f"{board.rule}, {side}; right: {' '.join(position.best_names) or 'no move'}")
    marks = dict.fromkeys(forbidden, "!") | dict.fromkeys(position.best, "*")
    click.echo(diagram(board, marks=marks))
    click.echo(position.why)


def _tell_forbidden(rule: Rule, points: Mapping[int, Prohibition], size: int) -> None:
    """Print the forbidden points by reason."""
    from gomoku_lab.game.notation import move_name
    from gomoku_lab.game.renju import Prohibition

    if not points:
        click.echo(f"forbidden for black: no point; the rule is {rule}")
    for reason in Prohibition:
        names = [move_name(move, size) for move, why in points.items() if why is reason]
        if names:
            click.echo(f"forbidden for black, {reason}: {' '.join(names)}")


@command.command("verify")
@_PATHS
@_KINDS
@_JSON
def verify_positions(paths: tuple[str, ...], kinds: tuple[str, ...], as_json: bool) -> None:
    """Prove every answer again from the rules alone, asking no engine.

    Exit code 1 if an answer is wrong, incomplete or ambiguous; 2 if a file is malformed or holds
    a board that cannot be: unbalanced, or already won.
    """
    from gomoku_lab.suite.proofs import check

    positions = _load(paths, kinds)
    checked = [(one, check(one)) for one in positions]
    failed = [(one, problems) for one, problems in checked if problems]
    if as_json:
        found = [
            {"id": one.id, "kind": one.kind, "file": one.source, "problems": problems}
            for one, problems in checked
        ]
        _print_json({"schema": 1, "passed": not failed, "positions": found})
    else:
        for one, problems in failed:
            for problem in problems:
                click.echo(f"{one.source}: position {one.id!r} ({one.kind}): {problem}")
        for kind in dict.fromkeys(one.kind for one in positions):
            results = [not problems for one, problems in checked if one.kind == kind]
            click.echo(f"{kind:15}  {sum(results)} of {len(results)} proved")
        click.echo(f"{'all':15}  {len(positions) - len(failed)} of {len(positions)} proved")
    if failed:
        raise SystemExit(CHECK_FAILED)


def _print_json(value: object) -> None:
    click.echo(json.dumps(value, indent=2))
