"""Print what four plies without a threat layer miss, and what a lost position is worth to them."""

from collections.abc import Sequence

import numpy as np

from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.engine.engine import Engine, evaluate
from gomoku_lab.game.board import Board
from gomoku_lab.players.registry import expand, resolve
from gomoku_lab.suite.boards import mid_game_boards
from gomoku_lab.suite.positions import Position, load_positions, select_kinds
from gomoku_lab.suite.run import run_suite

PLAIN = ("plain/depth4", "plain/depth4:terminal=true")
LAYERED = "layered/skilled:noise=0,time_ms=0"
KINDS = ("must-win", "break-open-four")


def print_missed(positions: Sequence[Position]) -> None:
    """Print the positions that each form of `plain` fails in an image and `layered` in none."""
    result = run_suite(expand([*PLAIN, LAYERED]), positions)
    failed = {
        spec.name: {a.position for a in result.answers if a.player == spec.name and not a.passed}
        for spec in result.players
    }
    for spec in result.players:
        counts = []
        for kind in KINDS:
            tally = result.tally(spec.name, kind)
            counts.append(f"{kind} {tally.passed} of {tally.total}")
        print(f"{spec.name}: {', '.join(counts)}")
    layered = result.players[-1].name
    for spec in result.players[:-1]:
        missed = failed[spec.name] - failed[layered]
        print(f"\n{spec.name} fails and {layered} solves {len(missed)} of {len(positions)}:")
        for position in positions:
            if position.id in missed:
                print(f"  {position.kind}  {position.id}: {position.why}")


def values(boards: Sequence[Board], config: EngineConfig) -> tuple[list[int], list[int]]:
    """Return the evaluations of `boards` and their scores at the configured depth, unsigned."""
    engine = Engine(config)
    scores = [engine.analyse(board).score for board in boards]
    return (
        [abs(evaluate(board, config)) for board in boards],
        [abs(score) for score in scores if score is not None],
    )


def print_lost(positions: Sequence[Position]) -> None:
    """Print where positions that are lost in three moves stand among undecided ones."""
    config = resolve(PLAIN[0]).config
    assert isinstance(config, EngineConfig)
    undecided = values(mid_game_boards(), config)
    lost = values([position.board for position in positions], config)
    print(
        f"\n{PLAIN[0]} on {len(lost[0])} positions lost in three moves, the winner to move, and on"
    )
    print(f"{len(undecided[0])} mid-game positions that are undecided within eight plies; unsigned")
    for name, ordinary, these in zip(("evaluation", "score"), undecided, lost, strict=True):
        edge = np.percentile(ordinary, [5, 50, 95])
        inside = sum(value <= edge[2] for value in these)
        print(f"  {name}: undecided 5 %, 50 %, 95 %: " + ", ".join(f"{e:,.0f}" for e in edge))
        print(f"    lost: least, median, greatest: {min(these):,}, ", end="")
        print(f"{np.median(these):,.0f}, {max(these):,}; below the 95 %: {inside} of {len(these)}")
    for position, value, score in zip(positions, *lost, strict=True):
        print(f"  {position.kind}  {position.id}: evaluation {value:,}, score {score:,}")


everything = load_positions()
print_missed(select_kinds(everything, KINDS))
print_lost([position for position in everything if position.win_in == 3])
