"""The guide's engine: compiled against plain Python, its rules one by one, its known limits."""

import itertools
import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import naive
import naive_engine
import naive_textbook as plain
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import boards, free_rules, open_boards, played_boards, set_up_boards

from gomoku_lab._data import data_path
from gomoku_lab.arena.openings import load_openings
from gomoku_lab.engine.config import ConfigError, EngineConfig, SearchLimits
from gomoku_lab.engine.engine import Engine, evaluate
from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import parse_diagram
from gomoku_lab.game.notation import move_name, parse_move
from gomoku_lab.game.rules import BLACK, WHITE, Rule, opponent
from gomoku_lab.kernels import layout
from gomoku_lab.players.protocol import Choice
from gomoku_lab.players.registry import make_player, presets, resolve
from gomoku_lab.players.stages import StagesConfig
from gomoku_lab.players.textbook import Textbook, TextbookConfig
from gomoku_lab.suite.pairs import load_pairs, prove_pair
from gomoku_lab.suite.positions import load_positions
from gomoku_lab.suite.proofs import check, naive_top_moves, naive_value
from gomoku_lab.suite.run import run_suite

POSITIONS = load_positions()
LIMITS = {position.id: position for position in load_positions(data_path("positions", "limits"))}
SIX = [one.board() for one in load_openings(data_path("positions", "bench", "six-stones.txt"))]
MIDDLE = [one.board() for one in load_openings(data_path("positions", "bench", "mid-game.txt"))]
CORPUS = [position.board for position in POSITIONS] + SIX + MIDDLE
ENGINE = Textbook(TextbookConfig())
LEVELS = tuple(f"textbook/depth{depth}" for depth in (1, 2, 3))
small = st.integers(5, 6)
colours = st.sampled_from((BLACK, WHITE))


def engine(**values):
    return Textbook(TextbookConfig(**values))


def rows(board):
    return plain.board_of(board.cells, board.size)


def flat(board, move):
    return None if move is None else move[0] * board.size + move[1]


def exact(board):
    return board.rule is Rule.STANDARD


def names(board, moves):
    return [move_name(move, board.size) for move in moves]


# ---- the compiled form is the plain one ----------------------------------------------------------


@given(boards(rules=free_rules), colours)
@settings(max_examples=60)
def test_evaluation_and_winner_are_those_of_a_plain_scan(board, colour):
    assert plain.evaluate(rows(board), colour) == ENGINE.evaluate(board, colour)
    once = engine(per_stone=False)
    assert plain.evaluate_once(rows(board), colour) == once.evaluate(board, colour)
    won = plain.winner(rows(board), exact(board))
    assert board.winner == won
    if won:
        assert (plain.WIN if won == colour else plain.LOSE) == ENGINE.value(board, 0, root=colour)


@given(open_boards(rules=free_rules), st.integers(1, 14))
@settings(max_examples=60)
def test_S4_10_S4_13_candidates_are_the_plain_ones_in_row_column_order(board, radius):
    expected = [flat(board, move) for move in plain.candidates(rows(board), radius)]
    assert expected == sorted(expected)
    assert expected == list(engine(radius=radius).candidates(board))
    if board.stones:
        assert naive.candidates(board, radius) == expected


@given(open_boards(rules=free_rules, sizes=st.integers(5, 9)))
@settings(max_examples=60)
def test_S4_22_moves_are_ordered_by_the_evaluation_after_them_and_equals_by_row_and_column(board):
    order = ENGINE.ordered(board)
    values = {move: naive_value(board, move) for move in order}
    assert sorted(ENGINE.candidates(board), key=lambda m: (-values[m], m)) == list(order)
    assert [flat(board, m) for m in plain.ordered_moves(rows(board), board.to_move)] == list(order)


@given(
    played_boards(rules=free_rules, sizes=small, max_moves=9, going_on=True),
    st.integers(1, 2),
    colours,
)
@settings(max_examples=25)
def test_S4_20_pruning_leaves_the_value_of_plain_minimax(board, depth, root):
    window = (-plain.INFINITY, plain.INFINITY)
    options = {"exact": exact(board), "pruning": False}
    full = plain.minimax(rows(board), depth, *window, board.to_move, root, **options)
    assert full == ENGINE.value(board, depth, root=root)


def test_S4_20_pruning_leaves_the_value_at_depth_3_and_saves_nodes():
    board = Board.from_moves("c3c2b3", size=5)
    window = (-plain.INFINITY, plain.INFINITY)
    counted = []
    for pruning in (False, True):
        plain.visited[0] = 0
        value = plain.minimax(rows(board), 3, *window, WHITE, WHITE, pruning=pruning)
        assert value == ENGINE.value(board, 3, root=WHITE)
        counted.append(plain.visited[0])
    assert counted[1] < counted[0] / 4


@given(
    set_up_boards(rules=free_rules, sizes=small, density=0.6).filter(lambda b: not b.is_over),
    colours,
)
@settings(max_examples=25)
def test_S4_20_a_window_cuts_and_bounds_the_value(board, root):
    value = ENGINE.value(board, 2, root=root)
    for middle in (value - 1, value, value + 1, 0):
        found = ENGINE.value(board, 2, root=root, window=(middle, middle + 1))
        assert (value > middle) == (found > middle)


@given(
    st.one_of(
        played_boards(rules=free_rules, sizes=small, max_moves=12),
        played_boards(rules=free_rules, sizes=st.integers(7, 9), max_moves=5, window=4),
    ),
    st.integers(1, 2),
)
@settings(max_examples=40)
def test_the_player_is_the_plain_one_in_move_score_and_nodes(board, depth):
    plain.visited[0] = 0
    move, value = plain.choose_move(rows(board), board.to_move, depth, exact=exact(board))
    choice = ENGINE.choose(board, depth)
    assert (flat(board, move), value) == (choice.move, choice.score)
    assert plain.visited[0] == choice.nodes


@pytest.mark.parametrize("moves", ["d4d5e5", "d4e4d6d5"])
def test_the_player_is_the_plain_one_at_depth_3(moves):
    board = Board.from_moves(moves, size=7)
    plain.visited[0] = 0
    move, value = plain.choose_move(rows(board), board.to_move)
    found = ENGINE.choose(board)
    assert Choice(flat(board, move), "search", plain.visited[0], 3, value) == found


# ---- evaluation ----------------------------------------------------------------------------------


@given(boards(rules=free_rules), colours)
@settings(max_examples=60)
def test_S4_15_one_side_is_the_negative_of_the_other(board, colour):
    mine, theirs = (ENGINE.evaluate(board, side) for side in (colour, opponent(colour)))
    assert mine == -theirs


def test_S4_16_every_undecided_position_of_the_corpus_is_worth_less_than_a_win():
    config = ENGINE.config
    undecided = [board for board in CORPUS if not board.is_over]
    assert len(undecided) > 180
    for board in undecided:
        assert abs(ENGINE.evaluate(board, BLACK)) < config.win
    assert config.five > config.four > config.three > config.two > 0


@given(st.lists(st.integers(1, 1000), min_size=5, max_size=5))
def test_S4_16_a_table_in_order_is_accepted_and_any_other_refused(values):
    table = dict(zip(("win", "five", "four", "three", "two"), values, strict=True))
    if all(upper > lower for upper, lower in itertools.pairwise(values)):
        assert table.items() <= TextbookConfig.from_dict(table).to_dict().items()
    else:
        with pytest.raises(ConfigError, match="must fall from win over five"):
            TextbookConfig.from_dict(table)


@pytest.mark.parametrize("length", range(1, 8))
def test_S4_17_runs_have_the_published_values(length):
    value = {1: 0, 2: 100, 3: 1_000, 4: 10_000}.get(length, 100_000)
    board = Board.from_stones(range(30, 30 + length), (), to_move=BLACK, balanced=False)
    assert length * value == ENGINE.evaluate(board, BLACK)
    assert value == engine(per_stone=False).evaluate(board, BLACK)


def test_S4_17_open_ends_gaps_and_distances_play_no_part():
    texts = ("..XXX..", ".OXXXO.", "OXXX...", "XX.XX..", "X.X.XX.")
    lines = [text + "\n" + "\n".join(["......."] * 6) for text in texts]
    found = [ENGINE.evaluate(parse_diagram(line, balanced=False), BLACK) for line in lines]
    assert [3000, 3000, 3000, 400, 200] == found
    near = Board.from_moves("c3c1d3d1e3e1f3f1")
    far = Board.from_moves("h8a1i8c1j8e1")
    assert [1_000_000, 1_000_000] == [ENGINE.value(b, 3, root=BLACK) for b in (near, far)]
    assert 1_000_000 == ENGINE.value(near, 1, root=BLACK) > ENGINE.value(far, 1, root=BLACK)


def test_S4_18_a_line_counts_once_a_stone_here_and_once_in_lab():
    board = parse_diagram(
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . X X X . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        balanced=False,
    )
    assert 3 * 1000 == ENGINE.evaluate(board, BLACK)
    assert 1000 == engine(per_stone=False).evaluate(board, BLACK)
    # In lab each empty point reports each of its directions once: two points would make an open
    # four of the line, two a four, two a three. The rest is what single stones are worth.
    points = naive_engine.shapes(naive_engine.Position.of(board))[BLACK - 1]
    classes = Counter(name for four in points.values() for name in four)
    assert [2, 2, 2] == [classes[c] for c in (layout.OPEN_FOUR, layout.FOUR, layout.THREE)]
    weights = EngineConfig(depth=1).weights
    line = 2 * (weights.open_four + weights.four + weights.three)
    rest = classes[layout.OPEN_TWO] * weights.open_two + classes[layout.TWO] * weights.two
    assert WHITE == board.to_move
    # Single stones on both sides cancel out.
    assert 654_200 + 31_620 == line + rest == -evaluate(board, EngineConfig(depth=1))


# ---- search --------------------------------------------------------------------------------------


@given(boards(rules=free_rules))
@settings(max_examples=60)
def test_S4_21_the_winner_after_a_move_is_that_of_a_full_scan(board):
    assert plain.winner(rows(board), exact(board)) == board.scan_winner() == board.winner


def test_S4_23_a_won_board_comes_before_a_full_one_and_both_before_the_depth():
    won = parse_diagram("XXXXX\nOXOXO\nOXOXO\nOXOXO\nXOXOO", to_move=WHITE, balanced=False)
    assert won.is_full
    for depth in (0, 1, 3):
        assert 1_000_000 == ENGINE.value(won, depth, root=BLACK)
        assert -1_000_000 == ENGINE.value(won, depth, root=WHITE)
    draw = next(position.board for position in POSITIONS if position.kind == "draw-board")
    assert ENGINE.evaluate(draw, BLACK) != 0
    for depth in (0, 1, 3):
        assert 0 == ENGINE.value(draw, depth, root=BLACK) == ENGINE.value(draw, depth, root=WHITE)
    board = Board.from_moves("h8i9h9i8")
    assert ENGINE.evaluate(board, BLACK) == ENGINE.value(board, 0, root=BLACK)


@pytest.mark.parametrize("name", [*LEVELS, "stages/1", "stages/2", "stages/3"])
def test_S4_24_a_finished_or_full_board_gets_no_move(name):
    player = make_player(name)
    won = Board.from_moves("h8a1h9a2h10a3h11a4h12")
    draw = next(position.board for position in POSITIONS if position.kind == "draw-board")
    for board in (won, draw):
        assert Choice(None, "over") == player.choose(board)


def test_S4_25_an_own_five_is_played_before_a_block():
    board = Board.from_moves("h8a1h9a2h10a3h11a4")
    choice = ENGINE.choose(board)
    assert ("h12", "five", 1_000_000) == (
        move_name(choice.move, 15),
        choice.gate,
        choice.score,
    )


def test_S4_26_a_single_five_point_is_blocked_and_nothing_searched():
    board = Board.from_moves("a1h8o1h9a15h10h12h11")
    assert Choice(parse_move("h7", 15), "block") == ENGINE.choose(board)


def test_S4_27_of_two_five_points_the_first_in_move_order_is_played_without_a_score():
    board = Board.from_moves("h8a1h9a15h10o1h11")
    order = ENGINE.ordered(board)
    points = sorted((parse_move(name, 15) for name in ("h7", "h12")), key=order.index)
    assert Choice(points[0], "block") == ENGINE.choose(board)


def test_S4_28_a_block_of_lower_naive_value_is_played():
    found = [position for position in POSITIONS if "naive-wrong" in position.tags]
    assert found
    for position in found:
        board = position.board
        assert not naive_top_moves(board) & set(position.best)
        assert ENGINE.ordered(board)[0] in naive_top_moves(board)
        assert Choice(position.best[0], "block") == ENGINE.choose(board)


@pytest.mark.parametrize("depth", [1, 2])
def test_S4_29_root_moves_come_in_order_with_exact_scores_and_the_first_of_equals_is_kept(depth):
    equals = 0
    for board in [board for board in SIX[:6] if board.size == 15]:
        scores = ENGINE.root_scores(board, depth)
        assert list(ENGINE.ordered(board)) == list(scores)
        for move, score in scores.items():
            after = board.play(move)
            assert score == ENGINE.value(after, depth - 1, root=board.to_move)
        best = [move for move, score in scores.items() if score == max(scores.values())]
        assert best[0] == ENGINE.choose(board, depth).move
        equals += len(best) > 1
    assert equals


@given(open_boards(rules=free_rules, sizes=st.integers(5, 7)), st.integers(0, 2))
@settings(max_examples=40)
def test_S4_30_every_score_is_in_the_view_of_the_roots_player(board, depth):
    black, white = (ENGINE.value(board, depth, root=colour) for colour in (BLACK, WHITE))
    assert black == -white
    if depth:
        values = [
            ENGINE.value(board.play(move), depth - 1, root=BLACK)
            for move in ENGINE.candidates(board)
        ]
        assert black == (max(values) if board.to_move == BLACK else min(values))


def test_S4_31_three_plies_unless_told_otherwise():
    assert 3 == TextbookConfig().depth
    assert [1, 2, 3] == [resolve(name).config.depth for name in LEVELS]
    assert LEVELS == presets("textbook")
    assert 3 == ENGINE.choose(SIX[0]).depth


# ---- on the shipped positions --------------------------------------------------------------------


def test_S4_19_the_presets_solve_what_they_promise_and_not_everything():
    specs = [resolve(name) for name in LEVELS]
    promised = {kind for spec in specs for kind in spec.required}
    assert {"must-win", "must-block", "draw-board"} == promised
    kept = run_suite(specs, [one for one in POSITIONS if one.kind in promised])
    assert [] == list(kept.failures())
    other = run_suite(
        specs, [one for one in POSITIONS if one.kind not in promised], symmetries=False
    )
    failed = {failure.position.kind for failure in other.failures()}
    assert {"break-open-four", "quiet-block", "double-three"} <= failed


@pytest.mark.parametrize("name", LIMITS)
def test_S4_11_the_useful_move_is_proved_and_lies_three_steps_from_every_stone(name):
    position = LIMITS[name]
    assert () == check(position)
    (move,) = position.best
    assert move not in engine(radius=2).candidates(position.board)
    assert move in engine(radius=3).candidates(position.board)


def test_S4_11_radius_3_finds_the_attack_and_radius_2_drops_it():
    position = LIMITS["radius-attack"]
    board, (move,) = position.board, position.best
    won = (ENGINE.config.win - 1, ENGINE.config.win)
    options = {"root": board.to_move, "window": won}
    assert ENGINE.config.win == engine(radius=3).value(board.play(move), 4, **options)
    # With radius 2 no move at all wins within these five plies.
    assert ENGINE.config.win > engine(radius=2).value(board, 5, **options)


def test_S4_11_radius_3_finds_the_defence_and_radius_2_drops_it():
    position = LIMITS["radius-defence"]
    found = [
        Engine(EngineConfig(depth=6, width=60, radius=radius)).analyse(position.board).move
        for radius in (2, 3)
    ]
    assert found[0] not in position.best
    assert found[1] in position.best


def test_S4_39_the_order_of_a_pair_is_proved_and_textbook_has_it_the_wrong_way():
    (pair,) = load_pairs()
    assert () == prove_pair(pair)
    values = [ENGINE.evaluate(board, BLACK) for board in (pair.better, pair.worse)]
    assert [-200, 200] == values


def test_S4_39_lab_orders_the_pair_rightly_by_evaluation_and_by_search():
    (pair,) = load_pairs()
    config = resolve("lab/v1").config
    assert evaluate(pair.better, config) > evaluate(pair.worse, config)
    lab = Engine(config)
    better, worse = (
        lab.exact_root(board, depth=4, count=16)[0].score for board in (pair.better, pair.worse)
    )
    assert better > 999_000_000 > -999_000_000 > worse


def test_S4_39_counting_each_line_once_leaves_the_wrong_order_so_that_is_not_the_cause():
    (pair,) = load_pairs()
    once = engine(per_stone=False)
    assert [-100, 100] == [once.evaluate(board, BLACK) for board in (pair.better, pair.worse)]
    # The gap is: closed up, the same three stones are worth more than all twos together.
    cells = bytearray(pair.better.cells)
    cells[parse_move("g8", 15)], cells[parse_move("h8", 15)] = 0, BLACK
    closed = Board(15, Rule.FREESTYLE, bytes(cells), BLACK)
    for one in (ENGINE, once):
        assert one.evaluate(closed, BLACK) > one.evaluate(pair.worse, BLACK)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("within = 2", "within = 0"), "within must be a whole number"),
        (lambda text: text.replace("within", "withn"), "did you mean 'within'"),
        (lambda text: text.replace("why =", "# why ="), "key 'why' is missing"),
    ],
)
def test_a_wrong_pair_file_is_named(tmp_path, change, message):
    shipped = data_path("positions", "pairs", "gap-three-against-twos.toml").read_text()
    (tmp_path / "pair.toml").write_text(change(shipped))
    with pytest.raises(ValueError, match=f"pair.toml: .*{message}"):
        load_pairs(tmp_path)


def test_a_pair_the_wrong_way_round_is_not_proved():
    (pair,) = load_pairs()
    swapped = replace(pair, better=pair.worse, worse=pair.better)
    assert 2 == len(prove_pair(swapped))


# ---- the players ---------------------------------------------------------------------------------


def test_the_empty_board_is_opened_in_the_centre():
    for name in (*LEVELS, "stages/2", "stages/3"):
        assert 112 == make_player(name).choose(Board()).move
    assert 45 == ENGINE.choose(Board(size=8, rule=Rule.STANDARD)).move + 9


def test_only_a_depth_can_replace_the_players_own():
    player = make_player("textbook/depth3")
    assert 2 == player.choose(SIX[0], SearchLimits(depth=2)).depth
    for values in ({"time_ms": 5.0}, {"depth": 2, "nodes": 9}, {}):
        with pytest.raises(ValueError, match="limits must hold a depth and nothing else"):
            player.choose(SIX[0], SearchLimits(**values))


def test_S4_2_stages_play_where_they_say_and_repeat_with_a_seed():
    board = Board.from_moves("h8i9")
    for stage, allowed in ((1, board.empty_points()), (2, ENGINE.candidates(board))):
        player = make_player(f"stages/{stage}")
        drawn = []
        for _ in range(2):
            player.new_game(np.random.SeedSequence(5))
            drawn.append([player.choose(board).move for _ in range(2000)])
        assert drawn[0] == drawn[1]
        assert set(allowed) == set(drawn[0])
    third = make_player("stages/3").choose(board)
    assert ENGINE.ordered(board)[0] == third.move
    assert naive_value(board, third.move) == third.score
    assert 1 == StagesConfig().stage


SESSION = """
import json
from gomoku_lab.game.board import Board
from gomoku_lab.kernels._jit import compiled_forms
from gomoku_lab.players.registry import make_player, resolve, warm_up

said = []
warm_up([resolve("textbook/depth3")], said.append)
answers = []
for name in ("textbook/depth2", "textbook/depth3:radius=1,per_stone=false", "stages/3"):
    player = make_player(name)
    for board in (Board(), Board.from_moves("e5d4f4e4", size=9, rule="standard"),
                  Board.from_moves("a1b2c3", size=5), Board.from_moves("t20s19t19", size=20)):
        found = player.choose(board)
        answers.append([found.move, found.score, found.nodes])
print(json.dumps({"said": said, "answers": answers, "forms": compiled_forms()}))
"""


def run_session(folder, **values):
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SESSION],
        env={**inherited, "GOMOKU_LAB_CACHE": str(folder), **values},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def cold(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cold")
    return folder, run_session(folder)


def test_a_second_process_compiles_nothing_and_the_engine_is_not_compiled_for_textbook(cold):
    folder, first = cold
    second = run_session(folder)
    assert ["compiling the textbook players, once, about 10 s"] == first["said"]
    assert [] == second["said"]
    assert first["answers"] == second["answers"]
    for session, expected in ((first, {1}), (second, {0, 1})):
        forms = [count for name, count in session["forms"].items() if "kernels.textbook" in name]
        assert len(forms) > 15
        assert expected == set(forms)
        assert not any("kernels.search" in name for name in session["forms"])


def test_the_kernels_answer_the_same_as_plain_python_and_with_bounds_checks(cold, tmp_path):
    for variable in ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"):
        assert cold[1]["answers"] == run_session(tmp_path, **{variable: "1"})["answers"]
