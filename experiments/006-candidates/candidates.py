"""Print how many candidates positions have, and what the first few of them leave out."""

import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from gomoku_lab._data import data_path
from gomoku_lab.arena.match import play_game
from gomoku_lab.arena.openings import Opening
from gomoku_lab.cli.engine_speed import width_share
from gomoku_lab.cli.textbook_speed import CLUSTERED, SCATTERED
from gomoku_lab.engine.config import MAX_WIDTH, EngineConfig
from gomoku_lab.engine.engine import static_order
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.game.board import Board
from gomoku_lab.game.record import GameRecord
from gomoku_lab.players.registry import expand, make_player
from gomoku_lab.players.textbook import Textbook, TextbookConfig
from gomoku_lab.suite.boards import mid_game_boards
from gomoku_lab.suite.positions import load_positions
from gomoku_lab.suite.run import run_suite

RADII = (1, 2, 3, 4)
WIDTHS = (8, 10, 12, 14, 16, 20, 30, 40)
STONES = (1, 2, 3, 5, 7, 9, 10, 15, 20, 30, 40, 60)
LEVELS = Path(__file__).parents[1] / "001-levels" / "run" / "games.jsonl"
SEED, GAMES = 1, 200


def self_play() -> Iterator[GameRecord]:
    """Play ``pattern/medium`` against itself from the empty board."""
    black, white = make_player("pattern/medium"), make_player("pattern/medium")
    for game in range(GAMES):
        yield play_game(black, white, Opening("empty", ()), seed=1000 * SEED + game)


def games_of_levels() -> Iterator[GameRecord]:
    """Read every fifth game of experiment 001."""
    for line in LEVELS.read_text(encoding="utf-8").splitlines()[::5]:
        yield GameRecord.from_dict(json.loads(line))


def count(games: Iterable[GameRecord]) -> dict[int, np.ndarray]:
    """Return the candidates for each radius, by number of stones: [radius, game], -1 if over."""
    states = [WorkingState(EngineConfig(depth=1, radius=r, width=MAX_WIDTH)) for r in RADII]
    found: dict[int, list[list[int]]] = {}
    for game in games:
        board = Board(size=game.size, rule=game.rule)
        for move in Board.from_moves(game.moves).moves[:-1]:
            board = board.play(move)
            row = []
            for state in states:
                state.set_up(board)
                row.append(len(state.ranked()))
            found.setdefault(board.stones, []).append(row)
    return {stones: np.array(rows).T for stones, rows in sorted(found.items())}


def print_counts(name: str, counts: dict[int, np.ndarray]) -> None:
    """Print the numbers by stones, what the widths cut, and the articles' two claims."""
    print(f"\n{name}: candidates, least/median/95 %/most, by radius")
    print(
        f"{'stones':>6} {'games':>6} {'empty':>6}" + "".join(f"{f'radius {r}':>18}" for r in RADII)
    )
    for stones in STONES:
        rows = counts.get(stones)
        if rows is None:
            continue
        cells = [
            "/".join(f"{x:.0f}" for x in (r.min(), np.median(r), np.percentile(r, 95), r.max()))
            for r in rows
        ]
        print(f"{stones:6} {rows.shape[1]:6} {225 - stones:6}" + "".join(f"{c:>18}" for c in cells))
    everything = np.concatenate(list(counts.values()), axis=1)
    for radius, rows in zip(RADII, everything, strict=True):
        shares = ", ".join(f"{width}: {np.mean(rows > width):.1%}" for width in WIDTHS)
        print(f"radius {radius}, positions with more candidates than a width of {shares}")
    two = RADII.index(2)
    for first, last, claim in ((1, 9, 30), (2, 10, 60)):
        early = np.concatenate([counts[n][two] for n in range(first, last + 1) if n in counts])
        below = np.mean(early < claim)
        print(f"radius 2, {first} to {last} stones: median {np.median(early):.0f}, ", end="")
        print(f"{early.min()} to {early.max()}, below {claim}: {below:.1%}")
    print(f"radius 2, all positions: below 20: {np.mean(everything[two] < 20):.1%}")


def print_radius() -> None:
    """Print which radius finds the moves of the shipped positions that need a wide one."""
    positions = load_positions(data_path("positions", "limits", "radius.toml"))
    print("\nthe positions of positions/limits/radius.toml")
    for position in positions:
        print(f"{position.id}, right: {', '.join(position.best_names)}")
        for radius in RADII:
            order = static_order(
                position.board, EngineConfig(depth=1, radius=radius, width=MAX_WIDTH)
            )
            ranks = [order.index(move) + 1 for move in position.best if move in order]
            place = f"number {min(ranks)}" if ranks else "missing"
            print(f"  radius {radius}: {len(order)} candidates, the right move is {place}")
    names = [
        f"{player}:radius={radius}{limits}"
        for player, limits in (
            ("layered/master", ",time_ms=0"),
            ("layered/master", ",time_ms=0,width=60"),
            ("textbook/depth3", ""),
        )
        for radius in (2, 3)
    ]
    result = run_suite(expand(names), positions)
    for spec in result.players:
        for position in positions:
            of = [a for a in result.answers if (a.player, a.position) == (spec.name, position.id)]
            right = sum(answer.passed for answer in of)
            print(f"  {spec.name} on {position.id}: right in {right} of {len(of)} images")


def print_clustering() -> None:
    """Print what clustered stones spare the search of ``textbook/depth3``."""
    print("\ntextbook/depth3 on eight stones")
    engine = Textbook(TextbookConfig())
    for name, moves in (("clustered", CLUSTERED), ("scattered", SCATTERED)):
        board = Board.from_moves(moves)
        engine.choose(board)
        began = time.process_time()
        nodes = engine.choose(board).nodes
        seconds = time.process_time() - began
        print(f"  {name} {moves}: {len(engine.candidates(board))} candidates, ", end="")
        print(f"{nodes:,} nodes, {seconds:.3f} s of the processor")


OWN = f"pattern/medium against itself, {GAMES} games from the empty board"
print_counts(OWN, count(self_play()))
print_counts(
    "every fifth game of experiment 001, openings of three stones", count(games_of_levels())
)
print("\nmid-game positions of the benchmark, depth 6")
for gauge in width_share(mid_game_boards()):
    print(f"  {gauge.label}: {gauge.value:.1%} ({gauge.note})")
print_radius()
print_clustering()
