"""Game records as real files hold them, for the tests of all formats."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from strategies import played_boards, set_up_boards

from gomoku_lab.game.notation import move_name
from gomoku_lab.game.record import UNKNOWN_PLAYER, GameRecord, PlayerRef, Setup
from gomoku_lab.game.rules import BLACK, WHITE

NAMES = st.text("abcXYZ019/:=,.*(){}[]\\;-_äöŽ五目並べ", min_size=1, max_size=12)
TEXTS = NAMES | st.just("")
GAMES = st.one_of(played_boards(max_moves=30), played_boards(max_moves=30, window=6))
OFF_BOARD = [
    ("black", "time"), ("white", "time"), ("black", "crash"), ("white", "illegal move"),
    ("black", "resigned"), ("white", "unknown"), ("draw", "adjudicated"), ("black", "adjudicated"),
    ("draw", "unknown"), ("unknown", "unknown"),
]  # fmt: skip


def setup_of(board):
    """Return the stones of a board as a setup."""
    stones = {
        colour: "".join(
            move_name(point, board.size) for point, cell in enumerate(board.cells) if cell == code
        )
        for colour, code in (("black", BLACK), ("white", WHITE))
    }
    return Setup(**stones, to_move=("black", "white")[board.to_move - 1])


def record_on(board, **changes):
    """Return the record of a game of which nothing but the moves on `board` is known."""
    nothing = (None,) * len(board.moves)
    values = {
        "id": "game-1",
        "pair": "",
        "opening": "",
        "opening_moves": 0,
        "black": UNKNOWN_PLAYER,
        "white": UNKNOWN_PLAYER,
        "rule": board.rule,
        "size": board.size,
        "moves": board.move_string(),
        "result": "unknown",
        "reason": "unknown",
        "nodes": nothing,
        "depth": nothing,
        "score": nothing,
        "time_ms": nothing,
        "seed": None,
        "reproducible": False,
    }
    record = GameRecord(**{**values, **changes})
    ending = record.ending()
    return record if ending is None else replace(record, result=ending[0], reason=ending[1])


@st.composite
def real_records(draw, *, boards=GAMES, setups=False):
    """Draw a record whose result is that of its moves, with much or little known about it."""
    board = draw(boards)
    setup = None
    if setups and draw(st.booleans()):
        start = draw(set_up_boards(balanced=False, density=0.3))
        setup, board = setup_of(start), start
        for point in start.empty_points()[: draw(st.integers(0, 5))]:
            board = board if board.is_over else board.play(point)
    opening_moves = draw(st.integers(0, len(board.moves)))
    chosen = len(board.moves) - opening_moves

    def column(values):
        return tuple(draw(st.lists(values, min_size=chosen, max_size=chosen)))

    counts = st.none() | st.integers(0, 10**9)
    result, reason = draw(st.sampled_from(OFF_BOARD))
    return record_on(
        board,
        id=draw(NAMES),
        pair=draw(TEXTS),
        opening=draw(TEXTS),
        opening_moves=opening_moves,
        black=draw(st.just(UNKNOWN_PLAYER) | st.builds(PlayerRef, NAMES, TEXTS)),
        white=draw(st.just(UNKNOWN_PLAYER) | st.builds(PlayerRef, NAMES, TEXTS)),
        result=result,
        reason=reason,
        detail=draw(st.text("ab: ]\\[\n", max_size=20)),
        nodes=column(counts),
        depth=column(counts),
        score=column(st.none() | st.integers(-(10**9), 10**9)),
        time_ms=column(st.none() | st.floats(0, 1e6)),
        seed=draw(st.none() | st.integers(0, 2**128)),
        reproducible=draw(st.booleans()),
        setup=setup,
    )
