"""Fixed values for every figure of the lab, made by hand: no search can change them."""

from __future__ import annotations

from functools import partial

from made_runs import made_run

from gomoku_lab import plots
from gomoku_lab.arena.compare import compare_runs
from gomoku_lab.arena.rate import rate_runs
from gomoku_lab.engine.analysis import Analysis, Layer, RootScore
from gomoku_lab.engine.review import Review, Step
from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import parse_move, parse_moves
from gomoku_lab.kernels.layout import MATE
from gomoku_lab.tuning.judging import Bin

BOARD = Board.from_moves("h8i9g7i7")
RESULTS = {
    ("a", "b"): "WL WW WD WL WW",
    ("a", "c"): "WW WL DD WW WW",
    ("b", "c"): "WL WW WD LW DW",
}
SWEEP = {("a", "b"): "WW WW", ("a", "c"): "WW WW", ("b", "c"): "WL WD LW"}


def point(name):
    return parse_move(name, 15)


def layers(*entries):
    made, before = [], None
    for depth, (name, score, nodes) in enumerate(entries, start=1):
        changed = before is not None and before != name
        made.append(Layer(depth, point(name), score, nodes, 1.5 * depth, (point(name),), changed))
        before = name
    return tuple(made)


def analysis(entries, *, roots=(), exact=(), board=BOARD):
    made = layers(*entries)
    last = made[-1]
    return Analysis(
        board=board,
        move=last.move,
        gate="search",
        score=last.score,
        pv=last.pv,
        layers=made,
        roots=roots,
        exact=exact,
        nodes=sum(layer.nodes for layer in made),
    )


def bound(name, value, kind="upper"):
    return RootScore(point(name), 4, bound=value, bound_kind=kind, nodes=9)


def exact(name, value):
    return RootScore(point(name), 4, score=value, nodes=9)


DEEP = analysis(
    [("h10", 75_570, 12), ("h10", -8_094, 52), ("g9", 148_080, 258), ("g9", -17_466, 916)],
    roots=(exact("g9", -17_466), bound("i10", -17_466), bound("j9", -41_770), bound("f9", -60_000)),
    exact=(exact("g9", -17_466), exact("i10", -30_500), exact("e5", -250_123)),
)
WON = analysis(
    [("h10", 5_000, 12), ("g9", -9_000, 70), ("h10", MATE - 3, 340)],
    roots=(exact("h10", MATE - 3), exact("g9", 4_000), exact("f9", -(MATE - 6))),
)
SHALLOW = analysis([("h10", 40, 30), ("g9", 70, 200), ("g9", 60, 2_400)])


def step(ply, played, best, depth=4):
    return Step(
        ply=ply,
        colour=2 - ply % 2,
        played=0,
        best=0 if played == best else 1,
        gate="search",
        played_score=played,
        best_score=best,
        depth=depth,
    )


REVIEW = Review(
    board=Board.from_moves("h8i9g7i7h10g9"),
    steps=(
        step(4, -900, -900),
        step(5, 700, 1_900),
        step(6, -2_400, -600),
        step(7, 2_300, 2_300),
        step(8, -(MATE - 5), -2_000),
        step(9, MATE - 4, MATE - 4),
    ),
    depth=4,
)

SPRT = {
    "trajectory": [
        [[1, 0, 4, 1, 2], 0.31],
        [[3, 1, 7, 1, 4], -0.22],
        [[3, 2, 9, 3, 7], 0.95],
        [[4, 2, 10, 4, 12], 2.31],
        [[4, 2, 12, 4, 18], 3.12],
    ],
    "lower": -2.944,
    "upper": 2.944,
    "elo0": 0.0,
    "elo1": 30.0,
    "model": "normalized",
    "limit": 200,
}

TUNING = {
    "parameters": [
        {"key": "defence", "start": 0.8, "value": 0.9, "estimate": 0.9},
        {"key": "weights.four", "start": 26_000.0, "value": 25_000, "estimate": 24_960.0},
    ],
    "trajectory": {
        "pairs": [0, 8, 16, 24, 32],
        "values": {
            "defence": [0.8, 0.82, 0.87, 0.9, 0.91],
            "weights.four": [26_000.0, 26_100.0, 25_500.0, 25_100.0, 24_800.0],
        },
    },
}

BINS = [
    Bin(predicted=p, observed=o, low=o - 0.08, high=o + 0.08, positions=90, games=n)
    for p, o, n in ((0.1, 0.12, 30), (0.5, 0.47, 60), (0.9, 0.9, 20))
]

COUNTS = {
    stones: [24 + 9 * stones - stones**2 // 3 + step for step in (-12, -3, 0, 2, 14)]
    for stones in range(1, 16)
}


def examples(folder):
    """Return what draws each figure, by its name; `folder` takes the runs of those with ratings."""
    standings = rate_runs([made_run(folder / "run", RESULTS)])
    swept = rate_runs([made_run(folder / "sweep", SWEEP)])
    comparison = compare_runs([made_run(folder / "compared", RESULTS)])
    heat = {move: number for number, move in enumerate(parse_moves("f6f7g6g7g8h6h7i8", 15))}
    return {
        "ladder": partial(plots.plot_ladder, standings),
        "ladder-bounds": partial(plots.plot_ladder, swept),
        "spacing": partial(plots.plot_spacing, comparison),
        "crosstable": partial(plots.plot_crosstable, standings),
        "los": partial(plots.plot_los, standings),
        "scores": partial(plots.plot_scores, DEEP),
        "scores-win": partial(plots.plot_scores, WON),
        "branching": partial(plots.plot_branching, DEEP),
        "changes": partial(plots.plot_changes, [DEEP, WON, SHALLOW]),
        "nodes": partial(plots.plot_nodes, {"width 12": DEEP, "no ordering": SHALLOW}),
        "roots": partial(plots.plot_roots, DEEP),
        "roots-win": partial(plots.plot_roots, WON),
        "candidates": partial(plots.plot_candidates, COUNTS),
        "game": partial(plots.plot_game, REVIEW),
        "lengths": partial(
            plots.plot_lengths, {"with": [9, 15, 21, 22], "without": [30, 31, 52, 60, 61]}
        ),
        "heat": partial(plots.plot_heat, BOARD, heat, label="visits"),
        "sprt": partial(plots.plot_sprt, SPRT),
        "trajectory": partial(plots.plot_trajectory, TUNING),
        "calibration": partial(plots.plot_calibration, BINS),
    }
