"""For the tests of fitting: records of random games, and results drawn from a known model."""

import numpy as np

from gomoku_lab.engine.config import EngineConfig
from gomoku_lab.game.board import Board
from gomoku_lab.game.record import GameRecord, PlayerRef
from gomoku_lab.tuning.models import COEFFICIENTS
from gomoku_lab.tuning.samples import CODE_PLACES, Samples

RESULTS = ("white", "draw", "black")
SMALL = EngineConfig(depth=1, table_bits=10)


def game_of(board, *, number=0, opening_moves=0, result=None, reason="adjudicated"):
    """Return the record of the game that led to `board`."""
    result = result or RESULTS[number % 3]
    if board.winner:
        result, reason = ("black", "white")[board.winner - 1], "five"
    elif board.is_full:
        result, reason = "draw", "full board"
    nothing = (None,) * (len(board.moves) - opening_moves)
    return GameRecord(
        id=f"game-{number}",
        pair=f"pair-{number}",
        opening=f"opening-{number}",
        opening_moves=opening_moves,
        black=PlayerRef("a", "1"),
        white=PlayerRef("b", "2"),
        rule=board.rule,
        size=board.size,
        moves=board.move_string(),
        result=result,
        reason=reason,
        nodes=nothing,
        depth=nothing,
        score=nothing,
        time_ms=nothing,
        seed=0,
        reproducible=True,
    )


def random_board(seed, *, size=9, side=5, moves=14, rule="freestyle"):
    """Return a board after at most `moves` random moves within a square of `side`."""
    draw = np.random.default_rng(seed)
    top, left = draw.integers(0, size - side + 1, 2).tolist()
    board = Board(size=size, rule=rule)
    for index in draw.permutation(side * side).tolist()[:moves]:
        board = board.play((top + index // side) * size + left + index % side)
        if board.is_over:
            break
    return board


def drawn_samples(coefficients, *, games, positions=20, entries=12, seed=0, places=None):
    """Return sparse random rows with results drawn from a logistic model.

    `places` are the only codes that occur, beside five states of the threats. All positions of a
    game are drawn by themselves.
    """
    draw = np.random.default_rng(seed)
    allowed = np.arange(CODE_PLACES) if places is None else np.asarray(places)
    rows = games * positions
    lots = draw.random((rows, len(allowed)))
    chosen = allowed[np.argsort(lots, axis=1)[:, :entries]].astype(np.uint16)
    counts = draw.integers(1, 4, (rows, entries)).astype(np.uint8)
    threats = CODE_PLACES + draw.choice(5, (rows, 1))
    chosen = np.hstack([chosen, threats.astype(np.uint16)])
    counts = np.hstack([counts, np.ones((rows, 1), np.uint8)])
    logits = coefficients[-1] + (coefficients[chosen] * counts).sum(axis=1)
    labels = 2 * (draw.random(rows) < 1 / (1 + np.exp(-logits)))
    assert len(coefficients) == COEFFICIENTS
    return Samples(
        places=chosen.ravel(),
        counts=counts.ravel(),
        ends=(entries + 1) * np.arange(1, rows + 1),
        labels=labels.astype(np.uint8),
        settled=np.zeros(rows, np.uint8),
        games=np.repeat(np.arange(games, dtype=np.int32), positions),
        openings=tuple(f"opening-{game}" for game in range(games)),
        distinct=rows,
        left_out={},
    )
