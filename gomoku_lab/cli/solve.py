"""``gomoku-lab solve``: wins by force, by which first moves and along which lines."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from gomoku_lab.cli.errors import FINE, UNDECIDED, clean_errors
from gomoku_lab.cli.progress import say

if TYPE_CHECKING:
    from gomoku_lab.engine.solve import Solution

_SAYS = {
    ("vcf", "found"): "found",
    ("vcf", "refuted"): "refuted: there is none",
    ("vct", "found"): "found",
    ("vct", "refuted"): "refuted: none by the threats that were tried, which are not all there are",
}
_SPENT = "not decided: the budget is spent (--nodes)"


@click.command()
@click.argument("position", metavar="POSITION")
@click.option("--vcf", is_flag=True, help="Only by continuous fours.")
@click.option("--vct", is_flag=True, help="By continuous threats, fours among them.")
@click.option("--all", "every", is_flag=True, help="Find all first moves that win so.")
@click.option("--nodes", type=int, metavar="N", help="Stones that may be placed.")
@click.option(
    "--rule", help="freestyle, standard or renju, for moves and diagrams. [default: freestyle]"
)
@click.option("--size", type=int, help="Lines a side, for moves. [default: 15]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--quiet", "-q", is_flag=True, help="No talk on stderr.")
def command(
    position: str,
    vcf: bool,
    vct: bool,
    every: bool,
    nodes: int | None,
    rule: str | None,
    size: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Look for a forced win of the side to move in POSITION.

    POSITION is a move string (h8i9g7), a file with a diagram (one row a line, X black, O white),
    - for a diagram on stdin, or the id of a shipped position (`gomoku-lab positions list`).

    A victory by continuous fours (VCF) is found, refuted, or the budget is spent: three different
    answers, of which the last has the exit code 5. Unless --vcf or --vct says otherwise, one by
    continuous threats (VCT) is looked for next, against all defences; refuted means there that none
    of the threats that were tried wins. Every win has been replayed from the rules alone.
    """
    with clean_errors():
        from gomoku_lab.cli.boards import read_board
        from gomoku_lab.engine.solve import NODES, solve_vcf, solve_vct, warm_up
        from gomoku_lab.engine.solving import solve

        if vcf and vct:
            raise click.UsageError("--vcf and --vct ask for two different things: give one")
        board, _ = read_board(position, rule=rule, size=size)
        warm_up(lambda message: say(message, quiet=quiet))
        search = solve_vcf if vcf else solve_vct if vct else solve
        solution = search(board, nodes=NODES if nodes is None else nodes, every=every)
    if as_json:
        click.echo(json.dumps(solution.to_dict(), indent=2))
    else:
        click.echo(_as_text(solution))
    sys.exit(UNDECIDED if solution.answer == "spent" else FINE)


def _as_text(found: Solution) -> str:
    """Return the board with the winning first moves marked, the answer, and the lines."""
    from gomoku_lab.game.diagrams import diagram
    from gomoku_lab.game.notation import move_name
    from gomoku_lab.game.rules import colour_name

    board = found.board
    side = f"{colour_name(board.to_move)} to move ({'XO'[board.to_move - 1]})"
    lines = [
        diagram(board, marks=dict.fromkeys(found.moves, "*")),
        f"{board.size}x{board.size} {board.rule}, {side}",
        f"{found.search}: {_SAYS.get((found.search, found.answer), _SPENT)}",
    ]
    for win in found.wins:
        line = " ".join(move_name(move, board.size) for move in win.line)
        lines.append(f"win in {win.plies} plies: {line}")
    if found.wins:
        others = "refuted" if found.complete else "not all decided"
        lines.append(f"other first moves: {others if found.every else 'not looked at (--all)'}")
    lines.append(f"{found.nodes} stones placed, {found.time_ms:.1f} ms")
    return "\n".join(lines)
