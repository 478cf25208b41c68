"""Run folders with results as written down in a test, without playing a game."""

from __future__ import annotations

from gomoku_lab.arena.config import TournamentConfig
from gomoku_lab.arena.openings import Opening
from gomoku_lab.arena.store import RunWriter, load_run
from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.game.record import GameRecord
from gomoku_lab.players.registry import PlayerSpec


def player(name, salt=0):
    config = EngineConfig(depth=1, width=1 + salt)
    return PlayerSpec(name=name, family="layered", config=config)


def game(config, task, which, letter, *, reason="five", detail=""):
    """Return one game; `letter` (W, D, L) is its result for the task's first player."""
    first, second = config.refs[task.first], config.refs[task.second]
    black, white = (first, second) if which == "a" else (second, first)
    opening = config.openings[task.opening]
    winner = "black" if (letter == "W") == (which == "a") else "white"
    return GameRecord(
        id=f"{task.id}{which}",
        pair=task.id,
        opening=opening.name,
        opening_moves=2,
        black=black,
        white=white,
        rule=config.rule,
        size=config.size,
        moves=opening.move_string(),
        result="draw" if letter == "D" else winner,
        reason="full board" if letter == "D" else reason,
        detail=detail,
        seed=task.seeds["ab".index(which)],
        reproducible=True,
    )


def made_openings(count, size):
    """Return openings of two moves, the first one in the centre."""
    centre = size * size // 2
    replies = [point for point in range(size * size) if point != centre]
    return tuple(Opening(f"made-{i}", (centre, replies[i]), size) for i in range(count))


def made_run(folder, results, *, specs=None, copies=False, reasons=(), size=15, **options):
    """Write a run and load it.

    `results` maps (player, player) to pairs such as ``"WL DD"``: the first player's two games,
    first as Black. With `copies` all openings are the same. `reasons` gives (reason, detail) of
    the first games; all others end by five or on a full board.
    """
    names = list(dict.fromkeys(name for met in results for name in met))
    if specs is None:
        specs = [player(name, salt) for salt, name in enumerate(names)]
    count = max(len(pairs.split()) for pairs in results.values())
    openings = made_openings(1, size) * count if copies else made_openings(count, size)
    config = TournamentConfig(players=tuple(specs), openings=openings, **options)
    place = {ref.name: index for index, ref in enumerate(config.refs)}
    scheduled = {(task.first, task.second, task.opening): task for task in config.schedule()}
    ends = iter(reasons)
    finished = []
    for (first, second), pairs in results.items():
        for number, letters in enumerate(pairs.split()):
            task = scheduled[place[first], place[second], number]
            made = []
            for which, letter in zip("ab", letters, strict=True):
                reason, detail = next(ends, ("five", ""))
                made.append(game(config, task, which, letter, reason=reason, detail=detail))
            finished.append(tuple(made))
    writer = RunWriter.create(folder, config)
    writer.append(finished)
    if writer.run.is_complete:
        writer.finish()
    writer.close()
    return load_run(folder)
