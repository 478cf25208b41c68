"""Run folders with results as written down in a test, without playing a game."""

from __future__ import annotations

from gomoku_lab.arena.config import TournamentConfig
from gomoku_lab.arena.openings import Opening
from gomoku_lab.arena.store import RunWriter, load_run
from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.game.notation import move_string
from gomoku_lab.game.record import GameRecord
from gomoku_lab.players.registry import PlayerSpec


def player(name, salt=0):
    config = EngineConfig(depth=1, width=1 + salt)
    return PlayerSpec(name=name, family="layered", config=config)


def moves_of(opening, winner, variant):
    """Return the opening and moves after which `winner` has five, or nobody has anything.

    Another variant gives other moves.
    """
    size = opening.size
    taken = {move // size for move in opening.moves}
    line, other = [row * size for row in range(size) if row not in taken][:2]
    fillers = [other + 2 * step for step in range(5)]
    if winner is None:
        return (*opening.moves, *fillers[:variant])
    five = [line + variant + step for step in range(5)]
    black, white = (five, fillers) if winner == "black" else (fillers, five)
    alternating = [move for both in zip(black, white, strict=True) for move in both]
    return (*opening.moves, *alternating[: 9 if winner == "black" else 10])


def game(config, task, which, letter, *, reason="five", detail="", mirrored=False):
    """Return one game; `letter` (W, D, L) is its result for the task's first player.

    The second game of a pair has other moves than the first, unless it is `mirrored`.
    """
    first, second = config.refs[task.first], config.refs[task.second]
    black, white = (first, second) if which == "a" else (second, first)
    opening = config.openings[task.opening]
    winner = "black" if (letter == "W") == (which == "a") else "white"
    reason = "adjudicated" if letter == "D" else reason
    variant = 0 if mirrored else "ab".index(which)
    moves = moves_of(opening, winner if reason == "five" else None, variant)
    chosen = len(moves) - len(opening.moves)
    return GameRecord(
        id=f"{task.id}{which}",
        pair=task.id,
        opening=opening.name,
        opening_moves=2,
        black=black,
        white=white,
        rule=config.rule,
        size=config.size,
        moves=move_string(moves, config.size),
        result="draw" if letter == "D" else winner,
        reason=reason,
        detail=detail,
        nodes=(0,) * chosen,
        depth=(0,) * chosen,
        score=(None,) * chosen,
        time_ms=(0.0,) * chosen,
        seed=task.seeds["ab".index(which)],
        reproducible=True,
    )


def made_openings(count, size):
    """Return openings of two moves, the first one in the centre."""
    centre = size * size // 2
    replies = [point for point in range(size * size) if point != centre]
    return tuple(Opening(f"made-{i}", (centre, replies[i]), size) for i in range(count))


def made_run(
    folder,
    results,
    *,
    specs=None,
    copies=False,
    mirrored=False,
    reasons=(),
    size=15,
    **options,
):
    """Write a run and load it.

    `results` maps (player, player) to pairs such as ``"WL DD"``: the first player's two games,
    first as Black. With `copies` all openings are the same, with `mirrored` the games of a pair
    have the same moves. `reasons` gives (reason, detail) of the first games; all others end by
    five or are adjudicated.
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
                end = dict(zip(("reason", "detail"), next(ends, ("five", "")), strict=True))
                made.append(game(config, task, which, letter, mirrored=mirrored, **end))
            finished.append(tuple(made))
    writer = RunWriter.create(folder, config)
    writer.append(finished)
    if writer.run.is_complete:
        writer.finish()
    writer.close()
    return load_run(folder)
