"""The family `minimax` in plain Python: strings for shapes, whole boards for positions, no tables.

Evaluations are in hundredths, from the side of the AI, who is to move at the root.
"""

from __future__ import annotations

from functools import lru_cache

from naive import all_lines, candidates, winner

from gomoku_lab.players.minimax import SHAPES


@lru_cache(maxsize=100_000)
def line_value(text, weights):
    """Return what the shapes of x are worth in a line of x, o and dots, edges included as o."""
    total = 0
    for name, shapes in SHAPES.items():
        for shape in shapes:
            for way in {shape, shape[::-1]}:
                found = sum(text.startswith(way, start) for start in range(len(text)))
                total += found * getattr(weights, name)
    return total


def side_value(board, colour, weights):
    """Return what all shapes of `colour` are worth."""
    letters = {0: ".", colour: "x", 3 - colour: "o"}
    texts = ["".join(letters[board.cells[i]] for i in line) for line in all_lines(board.size)]
    return sum(line_value(f"o{text}o", weights) for text in texts)


def evaluate(board, ai, config):
    """Return own shapes minus the opponent's at their weight, and the five that stands."""
    weights, factor = config.weights, round(config.opponent_weight * 100)
    score = 0
    if config.evaluation:
        score += 100 * side_value(board, ai, weights)
        score -= factor * side_value(board, 3 - ai, weights)
    won = winner(board)
    if won:
        score += 100 * weights.five if won == ai else -factor * weights.five
    return score


def moves(board, ai, config):
    """List the moves of the side to move in the order of the search."""
    if board.stones == 0:
        return [(board.size // 2) * (board.size + 1)]
    found = candidates(board, config.radius)
    if not config.ordering:
        return found
    other = Other(board)
    sign = 1 if board.to_move == ai else -1

    def key(move):
        after = board.play(move)
        wins = after.winner != 0
        saves = other.wins_at(move)
        # The one-move evaluation looks at shapes; five is told apart by `wins`.
        shapes = evaluate(after, ai, config)
        if wins:
            shapes -= evaluate_five(after, ai, config)
        return (not wins, not saves, -sign * shapes, move)

    return sorted(found, key=key)


def evaluate_five(board, ai, config):
    """Return what the five on a won board adds."""
    factor = 100 if board.winner == ai else -round(config.opponent_weight * 100)
    return factor * config.weights.five


class Other:
    """The same board with the other side to move."""

    def __init__(self, board):
        self.board = type(board)(board.size, board.rule, board.cells, 3 - board.to_move)

    def wins_at(self, move):
        """Tell whether that side completes five with `move`."""
        return self.board.play(move).winner != 0


class Search:
    """Counts what a search does: nodes, and cut-offs at the AI's and at the human's nodes."""

    def __init__(self, ai, config):
        self.ai, self.config = ai, config
        self.nodes = 0
        self.cuts = [0, 0]

    def value(self, board, depth, alpha, beta):
        """Return the value of a node; with pruning as far as the window asks for it."""
        self.nodes += 1
        if depth == 0 or board.is_over:
            return evaluate(board, self.ai, self.config)
        mine = board.to_move == self.ai
        best = None
        for move in moves(board, self.ai, self.config):
            found = self.value(board.play(move), depth - 1, alpha, beta)
            if mine:
                best = found if best is None else max(best, found)
                alpha = max(alpha, best)
            else:
                best = found if best is None else min(best, found)
                beta = min(beta, best)
            if self.config.pruning and beta <= alpha:
                self.cuts[0 if mine else 1] += 1
                break
        return best

    def root(self, board, depth, order=None):
        """Return the first best move and its value."""
        best, value = None, float("-inf")
        for move in order or moves(board, self.ai, self.config):
            found = self.value(board.play(move), depth - 1, value, float("inf"))
            if found > value:
                best, value = move, found
        return best, value
