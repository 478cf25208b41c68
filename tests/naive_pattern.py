"""The family `pattern` once more, slowly: lines as text, the article's numbers as a dictionary.

Nothing of the package's players or kernels is used. A score table is a dictionary from (stones,
open ends) to a score; weights are plain numbers.
"""

from __future__ import annotations

import re
from functools import cache

from naive import all_lines, candidates

FIVE = 1_000_000
SCORES = {
    (4, 2): 100_000,
    (4, 1): 10_000,
    (3, 2): 8_000,
    (3, 1): 800,
    (2, 2): 500,
    (2, 1): 100,
    (1, 2): 10,
    (1, 1): 10,
}
DOUBLE_THREE, FOUR_THREE = 3_000, 10_000


@cache
def lines_through(size, move):
    """List the four lines of a point."""
    return [line for line in all_lines(size) if move in line]


def runs_through(cells, size, move, colour):
    """List (stones, open ends) of the four runs that a stone of `colour` on `move` makes."""
    found = []
    for line in lines_through(size, move):
        text = "".join(
            "x" if p == move or cells[p] == colour else "." if cells[p] == 0 else "#" for p in line
        )
        place = line.index(move) + 1
        for run in re.finditer("x+", f"#{text}#"):
            if run.start() <= place < run.end():
                around = run.string[run.start() - 1] + run.string[run.end()]
                found.append((len(run[0]), around.count(".")))
    return found


def run_score(run, exact):
    """Return what one run is worth."""
    stones = run[0]
    if stones == 5 or (stones > 5 and not exact):
        return FIVE
    return SCORES.get(run, 0)


def move_score(cells, size, move, colour, exact=False):
    """Return what a stone of `colour` on `move` is worth: the four runs and at most one bonus."""
    runs = runs_through(cells, size, move, colour)
    threes, fours = runs.count((3, 2)), runs.count((4, 2)) + runs.count((4, 1))
    bonus = FOUR_THREE if fours and threes else DOUBLE_THREE if threes >= 2 else 0
    return sum(run_score(run, exact) for run in runs) + bonus


def scores(board, colour):
    """Return {candidate: its score for `colour`}, row by row."""
    exact = board.rule == "standard"
    return {
        move: move_score(board.cells, board.size, move, colour, exact)
        for move in candidates(board, 2)
    }


def five_points(board, colour):
    """List the candidates that make five for `colour`."""
    return [move for move, score in scores(board, colour).items() if score >= FIVE]


def values(board, own_weight, opponent_weight):
    """Return {candidate: own x weight + opponent's x weight}."""
    own, other = scores(board, board.to_move), scores(board, 3 - board.to_move)
    return {move: own[move] * own_weight + other[move] * opponent_weight for move in own}


def best_first(values):
    """List the moves, greatest value first, ties in the order of the dictionary."""
    return sorted(values, key=lambda move: -values[move])


def best_reply(board, move):
    """Return the opponent's greatest score once `move` is played, over the earlier candidates."""
    cells = bytearray(board.cells)
    cells[move] = board.to_move
    exact = board.rule == "standard"
    return max(
        (
            move_score(cells, board.size, reply, 3 - board.to_move, exact)
            for reply in candidates(board, 2)
            if reply != move
        ),
        default=0,
    )


def after_replies(board, before, count, weight):
    """Return {one of the best `count` moves: its value less weight x best reply}, in that order."""
    return {
        move: before[move] - best_reply(board, move) * weight for move in best_first(before)[:count]
    }


def decide(board, own_weight, opponent_weight, lookahead=0, reply_weight=0.9):
    """Return the move of a level that draws nothing, and what decided."""
    own = five_points(board, board.to_move)
    if own:
        return own[0], "five"
    found = values(board, own_weight, opponent_weight)
    blocks = five_points(board, 3 - board.to_move)
    if blocks:
        return best_first({move: found[move] for move in found if move in blocks})[0], "block"
    if lookahead:
        found = after_replies(board, found, lookahead, reply_weight)
    return best_first(found)[0], "one-ply"
