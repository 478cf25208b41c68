"""What ``tournament`` shows of self-play: how fast it goes, and what there is to learn from."""

from __future__ import annotations

import json
import time
from collections import Counter
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from gomoku_lab.arena.store import GamePair, Run

_SCHEMA_VERSION = 1


class Throughput:
    """How many games, and positions in which a move was chosen, are played a minute."""

    def __init__(self) -> None:
        self.games = self._positions = 0
        self._start = time.monotonic()

    def add(self, pair: GamePair) -> None:
        """Count a pair that was just finished."""
        self.games += len(pair)
        self._positions += sum(len(game.nodes) for game in pair)

    def text(self) -> str:
        """Return what was played so far a minute, in words."""
        minutes = max(time.monotonic() - self._start, 1e-9) / 60
        games, positions = self.games / minutes, self._positions / minutes
        return f"{games:,.0f} games and {positions:,.0f} positions a minute"


def print_selfplay(run: Run, *, as_json: bool) -> None:
    """Print what there is to learn from a run: nobody has beaten anybody else in it."""
    from gomoku_lab.arena.distinct import DistinctCount

    count, results = DistinctCount(), Counter[str]()
    for pair in run.pairs:
        for game in pair:
            count.add(game)
            results["forfeited" if game.is_forfeit else game.result] += 1
    players = [ref.name for ref in run.refs]
    if as_json:
        values = {
            "schema": _SCHEMA_VERSION,
            "run": str(run.path),
            "players": players,
            "complete": run.is_complete,
            "games": count.games,
            "distinct_games": count.distinct_games,
            "positions": count.positions,
            "distinct_positions": count.distinct_positions,
            "won_by_black": results["black"],
            "drawn": results["draw"],
            "won_by_white": results["white"],
            "forfeited": results["forfeited"],
        }
        click.echo(json.dumps(values, indent=1))
        return
    forfeited = f", {results['forfeited']:,} forfeited" if results["forfeited"] else ""
    click.echo(f"{', '.join(players)} in self-play, {run.rule}, {run.size}x{run.size}")
    click.echo(
        f"games      {count.games:,}, {count.distinct_games:,} of them distinct; Black won "
        f"{results['black']:,}, White {results['white']:,}, {results['draw']:,} drawn{forfeited}"
    )
    click.echo(
        f"positions  {count.positions:,} after the openings, {count.distinct_positions:,} of them "
        "distinct"
    )
