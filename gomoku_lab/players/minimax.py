"""The player `minimax`: the shapes that its evaluation matches, its deepening and its think limit.

The article's list of shapes and its table of levels are lost: the values are those of `layered`,
the shapes are ours, strings of the kind that such programs match. `kernels.minimax` searches.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from itertools import product
from typing import Any, Final

import numpy as np

from gomoku_lab.engine.analysis import Layer
from gomoku_lab.engine.compiling import LateModule, tell_compiling
from gomoku_lab.engine.config import MAX_DEPTH, PatternWeights, SearchLimits
from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import EMPTY, FREE_RULES, Rule
from gomoku_lab.kernels.candidates import key_cell
from gomoku_lab.kernels.layout import EDGE, FOREVER, RING, STRIDE
from gomoku_lab.players.minimax_config import SCALE, MinimaxConfig
from gomoku_lab.players.protocol import Choice
from gomoku_lab.players.spec import PlayerSpec

kernels: Any = LateModule("gomoku_lab.kernels.minimax")

# x is an own stone, o a stone of the opponent or the edge. Each shape is looked for in all four
# directions, both ways round; every occurrence counts. A five ends the game and stands apart.
SHAPES: Final = {
    "open_four": (".xxxx.",),
    "four": ("oxxxx.", "x.xxx", "xx.xx"),
    "open_three": (".xxx.", ".x.xx."),
    "three": ("oxxx..", "oxx.x.", "ox.xx.", "x..xx", "x.x.x"),
    "open_two": (".xx.", ".x.x.", ".x..x."),
    "two": ("oxx...", "ox.x..", "ox..x.", "x...x"),
    "one": (".x.",),
}


def _window_values(weights: PatternWeights, factors: tuple[int, int]) -> Any:
    """Return what six cells in a row (two bits each) add by the shapes that begin at the first."""
    values = np.zeros(4**6, np.int64)
    for name, shapes in SHAPES.items():
        for text in {way for shape in shapes for way in (shape, shape[::-1])}:
            for who, factor in enumerate(factors, start=1):
                means = {"x": (who,), ".": (0,), "o": (3 - who, EDGE), " ": (0, 1, 2, EDGE)}
                for cells in product(*(means[letter] for letter in f"{text:6}")):
                    place = sum(cell << 2 * index for index, cell in enumerate(cells))
                    values[place] += factor * getattr(weights, name)
    return values


@lru_cache(maxsize=4)
def line_table(weights: PatternWeights, factors: tuple[int, int], rule: Rule) -> Any:
    """Return the table of `kernels.minimax`: what a stone means in the middle of any ten cells."""
    windows = _window_values(weights, factors)

    def value(line: Any) -> Any:
        return sum(windows[(line >> 2 * start) & 0xFFF] for start in range(6))

    code = np.arange(4**10)
    line = (code & 0x3FF) | (code >> 10 << 12)
    found = np.zeros(len(code), kernels.LINE)
    for who in (1, 2):
        after = line | who << 10
        found["swing"][:, who - 1] = value(after) - value(line)
        own = [(after >> 2 * place) & 3 == who for place in range(11)]
        for start in range(1, 6):
            five = np.logical_and.reduce(own[start : start + 5])
            if rule.exact_five:
                five &= ~(own[start - 1] | own[start + 5])
            found["five"][five] |= who
    return found


def set_up(board: Board, config: MinimaxConfig) -> tuple[Any, Any]:
    """Return record and table for the kernels; the side to move is the AI."""
    factors = config.factors if config.evaluation else (0, 0)
    lines = line_table(config.weights, factors, board.rule)
    s = np.zeros(1, kernels.SEARCH)[0]
    s["size"], s["radius"], s["node_limit"] = board.size, config.radius, FOREVER
    s["pruning"], s["ordering"] = config.pruning, config.ordering
    s["five"][1:] = [factor * config.weights.five for factor in config.factors]
    kernels.set_up(s, lines, np.frombuffer(board.cells, np.uint8), board.to_move)
    return s, lines


def sorted_moves(board: Board, s: Any, lines: Any) -> list[int]:
    """Return the moves of the side to move as the kernels' cells, best first."""
    if board.stones == 0:
        return [(board.size // 2 + RING) * (STRIDE + 1)]
    count = kernels.list_moves(s, lines, kernels.AI, s["keys"][0])
    return [int(key_cell(key)) for key in sorted(s["keys"][0, :count].tolist(), reverse=True)]


def best_move(s: Any, lines: Any, depth: int, cells: list[int]) -> tuple[int, int] | None:
    """Return index and value of the first best of `cells`, or None if the nodes ran out."""
    score, best, value = int(s["score"]), -1, -kernels.INFINITY
    for index, cell in enumerate(cells):
        kernels.put(s, lines, cell, kernels.AI)
        found = kernels.minimax(s, lines, depth - 1, value, kernels.INFINITY, kernels.HUMAN)
        kernels.take_back(s, cell, kernels.AI, score)
        if s["aborted"]:
            return None
        if found > value:
            best, value = index, int(found)
    return best, value


def flat(cell: int, size: int) -> int:
    """Return the flat index of a cell."""
    return (cell // STRIDE - RING) * size + cell % STRIDE - RING


class MinimaxPlayer:
    """A player that deepens the search of `kernels.minimax`.

    Attributes
    ----------
    layers : list of Layer
        The complete layers of the last search, without a variation beyond the move.
    record : SEARCH record or None
        What the kernels left of the last search: its counters.
    """

    def __init__(self, spec: PlayerSpec, *, clock: Callable[[], int] = time.monotonic_ns) -> None:
        if not isinstance(spec.config, MinimaxConfig):
            raise TypeError(f"{spec.name}: a MinimaxConfig is wanted: {spec.config!r}")
        self.name, self.config, self._clock = spec.name, spec.config, clock
        self.layers: list[Layer] = []
        self.record: Any = None
        self._rng = np.random.default_rng(0)

    @staticmethod
    def warm_up(progress: Callable[[str], None] | None = None) -> None:
        """Load the kernels, compiling them first where the cache is cold."""
        sentence = "compiling the players of minimax, once, about 5 s"
        tell_compiling("minimax.minimax", sentence, progress)
        spec = PlayerSpec(name="minimax", family="minimax", config=MinimaxConfig(depth=2))
        MinimaxPlayer(spec).choose(Board.from_moves("h8"))

    def new_game(self, seed: np.random.SeedSequence) -> None:
        """Draw the next game's noise from `seed`."""
        self._rng = np.random.default_rng(seed)

    def choose(self, board: Board, limits: SearchLimits | None = None) -> Choice:
        """Return the move of the deepest complete layer, or a draw of the noise."""
        self.layers, self.record = [], None
        if board.is_over:
            return Choice(None, "over")
        s, lines = set_up(board, self.config)
        cells = sorted_moves(board, s, lines)
        if self.config.noise > 0 and self._rng.random() < self.config.noise:
            chance = 0.5 ** np.arange(len(cells))
            cell = cells[self._rng.choice(len(cells), p=chance / chance.sum())]
            return Choice(flat(cell, board.size), "random")
        self._deepen(board, s, lines, cells, limits or self.config.limits)
        self.record, nodes = s, int(s["nodes"])
        if not self.layers:
            return Choice(flat(cells[0], board.size), "search", nodes)
        last = self.layers[-1]
        return Choice(last.move, "search", nodes, last.depth, last.score)

    def _deepen(self, board: Board, s: Any, lines: Any, cells: Any, budget: SearchLimits) -> None:
        """Search layer after layer and note each complete one."""
        deepening, limit = self.config.deepening, budget.nodes or FOREVER
        time_ns = FOREVER if budget.time_ms is None else int(budget.time_ms * 1e6)
        deadline = self._clock() + time_ns
        fixed = None if deepening else self.config.depth
        deepest = min(budget.depth or fixed or MAX_DEPTH, board.cells.count(EMPTY))
        s["node_limit"] = FOREVER if deepening else limit
        for depth in range(min(2, deepest) if deepening else deepest, deepest + 1):
            nodes, began = int(s["nodes"]), self._clock()
            if self.layers and (began >= deadline or nodes >= limit):
                break
            found = best_move(s, lines, depth, cells)
            if found is None:
                break
            index, score = found[0], round(found[1] / SCALE)
            cells.insert(0, cells.pop(index))
            move, changed = flat(cells[0], board.size), len(self.layers) > 0 and index > 0
            spent, time_ms = int(s["nodes"]) - nodes, (self._clock() - began) / 1e6
            self.layers.append(Layer(depth, move, score, spent, time_ms, (move,), changed))
            s["node_limit"] = limit

    def plays(self, rule: Rule) -> bool:
        """Tell whether the player knows `rule`; of overlines it knows that they do not win."""
        return rule in FREE_RULES

    def close(self) -> None:
        """Forget the last search."""
        self.layers, self.record = [], None
