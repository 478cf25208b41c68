"""Rows of counts are what a naive recount gives, and what the engine's evaluation is made of."""

from collections import Counter

import numpy as np
import pytest
from fit_tools import game_of, random_board
from hypothesis import given, settings
from hypothesis import strategies as st
from state_tools import CONFIG, working

from gomoku_lab.arena.log import LoggedPairs
from gomoku_lab.arena.store import Run
from gomoku_lab.engine.learned import (
    COMBINATIONS,
    NO_COMBINATION,
    THREAT_NAMES,
    LearnedTable,
    combination_of_code,
)
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.engine.tables import learned_values
from gomoku_lab.game.board import Board
from gomoku_lab.kernels import layout
from gomoku_lab.kernels.state import evaluate, threats_held
from gomoku_lab.tuning import samples as module
from gomoku_lab.tuning.samples import CODE_PLACES, PLACES

CODES = len(COMBINATIONS)
STATE = WorkingState(CONFIG)
POINTS = {
    "five": layout.POINT_FIVE,
    "open four": layout.POINT_OPEN_FOUR,
    "four-three": layout.POINT_FOUR_THREE,
    "four": layout.POINT_FOUR,
    "double three": layout.POINT_DOUBLE_THREE,
    "three": layout.POINT_THREE,
}


def replayed(*games):
    replayer = module._Replayer(11)
    for game in games:
        replayer.add(game)
    return replayer.samples({})


def row_of(samples, position):
    """Return {place: count} of one position."""
    start = samples.ends[position - 1] if position else 0
    found = Counter()
    for entry in range(start, samples.ends[position]):
        found[int(samples.places[entry])] += int(samples.counts[entry])
    return found


def positions_of(board, first):
    """Return the positions from move number `first` on in which a move was chosen."""
    return [
        Board.from_moves(board.moves[:ply], size=board.size, rule=board.rule)
        for ply in range(first, len(board.moves))
    ]


def held(record, side):
    """Name the threats that a colour has at hand, from the counters alone."""
    names = {name for name, point in POINTS.items() if record["counts"][side, point] > 0}
    return names - {"three"} if "double three" in names else names


def naive_row(board):
    """Return {place: count} of a position, point by point from a state built for it."""
    state = STATE
    state.set_up(board)
    record, side = state.record, int(state.record["side"])
    found = Counter()
    for cell in np.flatnonzero(record["cells"] == layout.EMPTY):
        both = int(record["codes"][cell])
        for part, colour in ((0, side), (CODES, 1 - side)):
            number = int(combination_of_code()[(both >> (32 * colour)) & 0xFFFF])
            if number not in (NO_COMBINATION, CODES - 1):
                found[part + number] += 1
    levels = []
    for colour in (side, 1 - side):
        wanted = held(record, colour)
        (level,) = (
            level
            for level, name in enumerate(THREAT_NAMES)
            if (set(name.split(", ")) - {"none"}) == wanted
        )
        levels.append(level)
    found[CODE_PLACES + layout.THREAT_STATES * levels[0] + levels[1]] += 1
    return found


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(0, 6), st.sampled_from(["freestyle", "standard"]))
def test_the_rows_of_a_game_are_those_of_a_naive_recount(seed, opening_moves, rule):
    board = random_board(seed, rule=rule)
    samples = replayed(game_of(board, opening_moves=min(opening_moves, len(board.moves))))
    positions = positions_of(board, opening_moves)
    assert len(samples) == len(positions)
    for number, position in enumerate(positions):
        assert naive_row(position) == row_of(samples, number)


@settings(max_examples=10)
@given(st.integers(0, 10**6))
def test_the_engines_evaluation_is_the_row_times_the_table(seed):
    draw = np.random.default_rng(seed)
    own, other = draw.integers(-900, 900, (2, CODES))
    own[-1] = other[-1] = 0
    levels = layout.THREAT_STATES
    table = LearnedTable(
        own=own, other=other, threats=draw.integers(-900, 900, (levels, levels)), tempo=7
    )
    values = np.concatenate([table.own, -table.other, table.threats.ravel()])
    board = random_board(seed, size=15, side=6)
    samples = replayed(game_of(board))
    state = WorkingState(CONFIG)
    record = state.record
    record["values"][: layout.CODES] = learned_values(table)
    record["threats"], record["tempo"] = table.threats, table.tempo
    for number, position in enumerate(positions_of(board, 0)):
        state.set_up(position)
        expected = 7 + sum(int(values[place]) * n for place, n in row_of(samples, number).items())
        assert expected == evaluate(record)


def test_a_count_beyond_a_byte_stands_in_parts():
    from gomoku_lab.kernels.features import _write_row

    tally, touched = np.zeros(CODE_PLACES, np.int32), np.zeros(CODE_PLACES, np.int32)
    tally[5], tally[9], touched[:2] = 600, 3, (5, 9)
    places, counts = np.zeros(9, np.uint16), np.zeros(9, np.uint8)
    end = _write_row(tally, touched, np.int64(2), places, counts, np.int64(0))
    assert [(5, 255), (5, 255), (5, 90), (9, 3)] == list(
        zip(places[:end].tolist(), counts[:end].tolist(), strict=True)
    )
    assert not tally.any()


def test_labels_are_the_result_of_whoever_is_to_move():
    board = random_board(3, moves=7)
    games = [
        game_of(board, number=number, opening_moves=2, result=result)
        for number, result in enumerate(("black", "draw", "white"))
    ]
    samples = replayed(*games)
    assert [2, 0, 2, 0, 2, 1, 1, 1, 1, 1, 0, 2, 0, 2, 0] == samples.labels.tolist()
    assert [0] * 5 + [1] * 5 + [2] * 5 == samples.games.tolist()
    assert 5 == samples.distinct


def test_positions_that_the_counters_decide_are_marked():
    # Black has an open four on the board after h8..k8; white's replies are far away.
    samples = replayed(game_of(Board.from_moves("h8a1i8a15j8o1k8c1l8")))
    assert [0, 0, 0, 0, 0, 0, 1, 1, 1] == samples.settled.tolist()


def test_all_levels_of_threats_have_names_of_their_own():
    assert layout.THREAT_STATES == len(set(THREAT_NAMES))
    state = working(Board.from_moves("h8a1i8a15j8o1"))
    assert "open four, four" == THREAT_NAMES[threats_held(state.record, 0)]
    assert "none" == THREAT_NAMES[threats_held(state.record, 1)]


def test_the_longest_game_fits_the_buffers():
    moves = np.random.default_rng(0).permutation(400).tolist()
    board = Board(size=20)
    for move in moves:
        board = board.play(move)
        if board.is_over:
            break
    samples = replayed(game_of(board))
    assert len(board.moves) == len(samples)
    assert samples.places.max() < PLACES


@pytest.mark.parametrize("window", [5, 11])
def test_games_are_read_from_a_log_one_after_another(tmp_path, window):
    from gomoku_lab.arena.log import game_line

    games = [game_of(random_board(n), number=n // 2, opening_moves=2) for n in range(6)]
    log = tmp_path / "games.jsonl"
    log.write_text("".join(map(game_line, games)))
    from arena_tools import small_config

    pairs = LoggedPairs(log, log.stat().st_size, 3)
    run = Run(tmp_path, small_config(), {}, pairs)
    seen = []
    samples = module.collect_samples([run], window=window, on_game=lambda: seen.append(1))
    assert 6 == len(seen) == len(samples.openings)
    assert sum(len(game.nodes) for game in games) == len(samples)
