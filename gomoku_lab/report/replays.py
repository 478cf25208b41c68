"""The games of a report: who won each, and a board on which it can be stepped through.

Of many games some are chosen, evenly over all of them, since every board takes some kilobytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import chain
from typing import Final

from gomoku_lab.arena.imported import AnyRun, ImportedRun
from gomoku_lab.arena.names import without_options
from gomoku_lab.game.record import GameRecord
from gomoku_lab.game.replay import game_title, replay_html, replay_style

MOST_REPLAYS: Final = 100
"""Number of games of a report that can be stepped through unless something else is wanted."""

MOST_FORFEITS: Final = 20
"""So many games that were forfeited are shown besides."""


def run_replays_html(runs: Sequence[AnyRun], most: int = MOST_REPLAYS) -> str:
    """Return the games of runs, at most so many."""
    known = sum(2 * len(run.pairs) + _singles(run) for run in runs)
    return replays_html(chain.from_iterable(map(_games, runs)), known, most)


def replays_html(games: Iterable[GameRecord], count: int, most: int = MOST_REPLAYS) -> str:
    """Return games to step through, chosen evenly, whole pairs where there are pairs.

    Parameters
    ----------
    games : iterable of GameRecord
        All games, of which `count` is the number; they are gone through once.
    count, most : int
        How many there are, and how many are shown at most, some that were forfeited apart.
    """
    if not count:
        return "<p>The moves of no game are known.</p>"
    pairs, wanted = -(-count // 2), most // 2
    chosen, forfeits = [], 0
    for number, game in enumerate(games if most else ()):
        pair = number // 2
        if count <= most or (pair + 1) * wanted // pairs > pair * wanted // pairs:
            chosen.append(game)
        elif game.is_forfeit and forfeits < MOST_FORFEITS:
            forfeits += 1
            chosen.append(game)
    style = replay_style(max((game.plies for game in chosen), default=0))
    told = f"{len(chosen) - forfeits} of {count} games, chosen evenly"
    if len(chosen) == count:
        told = f"All {count} games"
    elif forfeits:
        told += f", and {forfeits} more that were forfeited"
    hint = (
        "The bar under a board is a row of buttons: click it, or step with the arrow keys. "
        "gomoku-lab analyse takes the moves."
    )
    return "\n".join(
        [
            f'<p class="faint">{told}. {hint}</p>',
            style if chosen else "",
            *(_replay(game, number) for number, game in enumerate(chosen)),
        ]
    )


def _replay(game: GameRecord, number: int) -> str:
    ends = {"draw": "draw", "unknown": "result not known"}
    result = ends.get(game.result, f"{game.result} won")
    players = " - ".join(without_options(ref.name) for ref in (game.black, game.white))
    head = f"{game.id}: {players}: {result}, {game.plies} moves"
    opening = f", opening {game.opening}" if game.opening else ""
    return (
        f"<details><summary>{escape(head)}</summary>"
        f'<p class="faint">{escape(game_title(game) + opening)}</p>'
        f"{replay_html(game, name=f'g{number}')}<pre>{escape(game.moves)}</pre></details>"
    )


def _games(run: AnyRun) -> Iterator[GameRecord]:
    yield from chain.from_iterable(run.pairs)
    if isinstance(run, ImportedRun):
        yield from run.singles


def _singles(run: AnyRun) -> int:
    return len(run.singles) if isinstance(run, ImportedRun) else 0
