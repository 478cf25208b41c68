"""Print how many nodes each element saves, on mid-game positions, and what a move costs.

A ratio is taken position by position: nodes without the element over nodes with it. A search that
its node limit broke off counts with the nodes it had, so that its ratio is a lower bound.
"""

import time
from collections.abc import Sequence

import numpy as np

from gomoku_lab.game.board import Board
from gomoku_lab.players.registry import make_player
from gomoku_lab.suite.boards import mid_game_boards

BOARDS = mid_game_boards()[-60:]
MINIMAX = "minimax/hard:deepening=false"
LAB = "lab/v1:time_ms=0,vcf_nodes=0"
UNPRUNED_LIMIT = 20_000_000


def search(player: str, boards: Sequence[Board]) -> tuple[list[int], list[float], int]:
    """Return nodes and processor seconds a move, and how many searches were broken off."""
    one = make_player(player)
    one.choose(Board.from_moves("h8"))  # loads what is loaded late
    nodes, seconds, unfinished = [], [], 0
    for board in boards:
        began = time.process_time()
        choice = one.choose(board)
        seconds.append(time.process_time() - began)
        nodes.append(choice.nodes)
        unfinished += choice.depth == 0
    return nodes, seconds, unfinished


def print_ratio(label: str, few: Sequence[int], many: Sequence[int], unfinished: int = 0) -> None:
    """Print the median and the extremes of the ratios, and the share of nodes saved."""
    ratios = np.array(many) / np.array(few)
    bound = f"; lower bound on {unfinished}" if unfinished else ""
    times = f"{np.median(ratios):8.2f} times [{ratios.min():.2f} .. {ratios.max():.2f}]"
    saved = f"saves {1 - np.median(1 / ratios):6.1%}"
    print(f"  {label:36} {len(ratios):3} positions: {times}, {saved}{bound}")


def print_minimax() -> None:
    """Print what pruning, ordering and deepening save in `minimax`."""
    print("minimax, one layer alone; pruning is off with the limit of nodes on the first ten at 4")
    for depth in (2, 3, 4):
        few = 10 if depth == 4 else len(BOARDS)
        base = f"{MINIMAX},depth={depth}"
        whole, _, _ = search(base, BOARDS)
        unordered, _, _ = search(f"{base},ordering=false", BOARDS)
        limit = f",nodes={UNPRUNED_LIMIT}" if depth == 4 else ""
        unpruned, _, unfinished = search(f"{base},pruning=false{limit}", BOARDS[:few])
        print(f"depth {depth}: nodes, median: {np.median(whole):,.0f}", end="")
        print(f", without pruning {np.median(unpruned):,.0f}")
        print_ratio("pruning, moves sorted", whole[:few], unpruned, unfinished)
        print_ratio("pruning, moves in board order", unordered[:few], unpruned, unfinished)
        print_ratio("ordering, with pruning", whole, unordered)
    for depth in (3, 4):
        alone, _, _ = search(f"{MINIMAX},depth={depth}", BOARDS)
        layers, _, _ = search(f"minimax/hard:depth={depth}", BOARDS)
        print_ratio(f"one layer instead of 2 to {depth}", alone, layers)


def print_lab() -> None:
    """Print what table, ordering and deepening save in the product engine."""
    print("lab/v1 without its chains of fours")
    for depth in (4, 6):
        whole, _, _ = search(f"{LAB},depth={depth}", BOARDS)
        print(f"depth {depth}: nodes, median: {np.median(whole):,.0f}")
        for name, switch in (
            ("table", "table_bits=0"),
            ("ordering", "ordering=false"),
            ("table and ordering", "table_bits=0,ordering=false"),
            ("deepening", "deepening=false"),
        ):
            without, _, _ = search(f"{LAB},depth={depth},{switch}", BOARDS)
            print_ratio(name, whole, without)


def print_times() -> None:
    """Print what a move costs, whole and without ordering."""
    print("processor seconds a move: median, greatest")
    for player, boards in (
        ("minimax/hard:depth=4", BOARDS),
        (f"{MINIMAX},depth=4,ordering=false", BOARDS),
        ("minimax/hard", BOARDS[:20]),
        ("lab/v1:time_ms=0,depth=4", BOARDS),
        ("lab/v1:time_ms=0,depth=6", BOARDS),
    ):
        nodes, seconds, _ = search(player, boards)
        print(
            f"  {player:46} {len(boards):3} positions: {np.median(seconds):8.4f}, "
            f"{max(seconds):8.4f}; nodes, median: {np.median(nodes):,.0f}"
        )


def print_size() -> None:
    """Print the size of the whole tree at three plies, worked out and counted."""
    one = Board.from_moves("h8")
    counted, _, _ = search(f"{MINIMAX},depth=3,pruning=false,radius=14", [one])
    leaves = 224 * 223 * 222
    inner = 224 + 224 * 223
    print(f"three plies on 225 points: 225^3 = {225**3:,}; 225 x 224 x 223 = {225 * 224 * 223:,}")
    print(f"after one stone: 224 x 223 x 222 = {leaves:,}, with {inner:,} above them")
    assert counted[0] == leaves + inner
    print(f"counted with every point a candidate and nothing pruned: {counted[0]:,}")


print_size()
print_minimax()
print_lab()
print_times()
