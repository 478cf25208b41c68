"""The family `minimax` against the same algorithm in plain Python, and its rows one by one."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import candidates
from naive_minimax import Search, evaluate, moves, side_value
from state_tools import quiet_board
from strategies import free_rules, open_boards, played_boards
from test_layout import ROOT

from gomoku_lab.engine.config import PatternWeights, SearchLimits
from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import parse_diagram
from gomoku_lab.game.rules import BLACK, FREE_RULES, Rule
from gomoku_lab.game.symmetry import SYMMETRIES, map_board, map_move
from gomoku_lab.kernels import minimax as kernels
from gomoku_lab.kernels.candidates import key_cell
from gomoku_lab.players import minimax
from gomoku_lab.players.minimax import MinimaxPlayer, best_move, flat, set_up, sorted_moves
from gomoku_lab.players.minimax_config import MinimaxConfig
from gomoku_lab.players.registry import make_player, presets, resolve
from gomoku_lab.players.spec import PlayerSpec

POSITION = ("size", "empty", "score", "won", "lines", "rows")
CONFIG = MinimaxConfig(depth=2)
PLAIN = CONFIG.varied({"pruning": False, "ordering": False})
MID_GAME = [quiet_board(seed, size=15, stones=10 + seed, side=7) for seed in range(6)]
TINY = [quiet_board(seed, size=5 + seed % 2, stones=11 + seed % 6) for seed in range(8)]


def player_of(config, **options):
    return MinimaxPlayer(PlayerSpec(name="test", family="minimax", config=config), **options)


def static(board, config=CONFIG):
    """Return the evaluation of a board nobody has won, in hundredths, for the side to move."""
    return int(set_up(board, config)[0]["score"])


def cells_of(board, points):
    return [(point // board.size + 6) * 32 + point % board.size + 6 for point in points]


def snapshot(record):
    return {name: np.copy(record[name]) for name in POSITION}


def differences(record, before):
    return [name for name in POSITION if not np.array_equal(record[name], before[name])]


def searched(board, depth, config):
    """Search one layer; return move, value in hundredths, nodes and both cut counters."""
    s, lines = set_up(board, config)
    order = sorted_moves(board, s, lines)
    index, value = best_move(s, lines, depth, order)
    cuts = [int(s["cuts"][who]) for who in (kernels.AI, kernels.HUMAN)]
    return flat(order[index], board.size), value, int(s["nodes"]), cuts


def dense_boards():
    return played_boards(rules=free_rules, going_on=True, window=6)


# --- evaluation ------------------------------------------------------------------------------


@given(
    st.one_of(open_boards(rules=free_rules), dense_boards()), st.sampled_from((0.0, 1.0, 1.1, 2.35))
)
def test_S3_11_the_evaluation_counts_the_shapes_of_every_line_both_ways(board, weight):
    config = CONFIG.varied({"opponent_weight": weight})
    assert evaluate(board, board.to_move, config) == static(board, config)


@given(dense_boards(), st.integers(0, 7))
def test_S3_11_all_directions_count_alike(board, symmetry):
    assert static(board) == static(map_board(board, symmetry))


@pytest.mark.parametrize("name", minimax.SHAPES)
def test_S3_11_each_shape_is_found_in_all_four_directions(name):
    for shape in minimax.SHAPES[name]:
        for row_step, col_step in ((0, 1), (1, 0), (1, 1), (1, -1)):
            points = [(7 + i * row_step) * 15 + 7 + i * col_step for i in range(len(shape))]
            x, o = ([p for p, c in zip(points, shape, strict=True) if c == k] for k in "xo")
            board = Board.from_stones(x, o, to_move=BLACK, balanced=False)
            config = CONFIG.varied({"opponent_weight": 0})
            # The same weights but for this shape's: the difference counts how often it is found.
            more = config.varied({f"weights.{name}": getattr(config.weights, name) + 1})
            found = static(board, more) - static(board, config)
            assert (400 if name == "one" else 100) == found, shape


@given(dense_boards())
def test_S3_12_the_opponents_shapes_weigh_1_1(board):
    own, other = (side_value(board, c, CONFIG.weights) for c in (board.to_move, 3 - board.to_move))
    assert 1.1 == CONFIG.opponent_weight
    assert 100 * own - 110 * other == static(board)
    assert {resolve(name).config.opponent_weight for name in presets("minimax")} == {1.1}


def test_S3_12_the_weight_stays_on_the_roots_opponent_at_every_depth():
    board = TINY[0]
    for depth in (1, 2, 3):
        expected = Search(board.to_move, CONFIG).root(board, depth)
        assert expected == searched(board, depth, CONFIG)[:2]


def test_the_values_are_those_of_the_layered_table():
    assert PatternWeights() == MinimaxConfig(depth=1).weights


def test_without_evaluation_only_a_five_counts():
    config = CONFIG.varied({"evaluation": False})
    assert {0} == {static(board, config) for board in MID_GAME}
    four = Board.from_moves("h8a1h9a3h10a5h11a7")
    assert 100 * config.weights.five == searched(four, 2, config)[1]


# --- the tree --------------------------------------------------------------------------------


def test_S3_3_the_ai_takes_the_best_of_the_humans_worst():
    board = parse_diagram(
        """
        XOXOX
        XOOXO
        O..XX
        XXOO.
        OXXOO
        """,
        balanced=False,
        to_move=BLACK,
    )
    empty = board.empty_points()
    leaves = {
        (mine, reply): evaluate(board.play(mine).play(reply), BLACK, PLAIN)
        for mine in empty
        for reply in empty
        if reply != mine
    }
    worst = {mine: min(leaves[mine, r] for r in empty if r != mine) for mine in empty}
    move, value, nodes, _ = searched(board, 2, PLAIN)
    assert max(worst.values()) == value == worst[move]
    assert len(empty) + len(leaves) == nodes
    deeper = {
        mine: min(
            max(evaluate(board.play(mine).play(r).play(last), BLACK, PLAIN) for last in rest)
            for r in empty
            if r != mine
            for rest in [[e for e in empty if e not in (mine, r)]]
        )
        for mine in empty
    }
    assert max(deeper.values()) == searched(board, 3, PLAIN)[1]


@pytest.mark.parametrize("depth", [0, 1, 4])
def test_S3_4_a_won_board_is_worth_its_evaluation_at_any_depth(depth):
    board = Board.from_moves("h8a1h9a3h10a5h11a7")
    s, lines = set_up(board, CONFIG)
    score = int(s["score"])
    (cell,) = cells_of(board.play(board.moves[-2] - 15), [board.moves[-2] - 15])
    kernels.put(s, lines, cell, kernels.AI)
    value = kernels.minimax(s, lines, depth, -kernels.INFINITY, kernels.INFINITY, kernels.HUMAN)
    assert (1, kernels.AI) == (s["nodes"], s["won"])
    assert evaluate(board.play(flat(cell, 15)), BLACK, CONFIG) == value
    kernels.take_back(s, cell, kernels.AI, score)
    assert score == static(board)


def test_S3_4_a_win_carries_no_distance():
    """With an open four and deeper search the win of more shapes is preferred to the nearest."""
    board = Board.from_moves("h8a1h9a3h10a5h11o15")
    values = [searched(board, depth, CONFIG)[1] for depth in (1, 3)]
    assert values[0] > 100 * CONFIG.weights.five - 10**6
    assert values[1] > values[0]


def test_S3_4_a_full_board_is_worth_its_evaluation():
    rows = ("XOXOX", "XOOXO", "OXOXX", "XXOO.", "OXXOO")
    board = parse_diagram("\n".join(rows), balanced=False, to_move=BLACK)
    for depth in (1, 2, 6):
        (last,) = board.empty_points()
        full = board.play(last)
        assert full.is_draw
        assert (last, evaluate(full, BLACK, CONFIG), 1) == searched(board, depth, CONFIG)[:3]


@settings(max_examples=40)
@given(dense_boards(), st.integers(1, 3), st.integers(1, 4000), st.booleans())
def test_S3_5_the_board_after_a_search_is_the_board_before(board, depth, limit, pruning):
    s, lines = set_up(board, CONFIG.varied({"pruning": pruning}))
    s["node_limit"] = limit
    before = snapshot(s)
    found = best_move(s, lines, depth, sorted_moves(board, s, lines))
    assert (found is None) == bool(s["aborted"])
    assert [] == differences(s, before)
    assert s["nodes"] <= limit


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("ordering", [True, False])
def test_S3_7_alpha_beta_finds_the_move_and_value_of_minimax(depth, ordering):
    for board in MID_GAME[: 6 if depth < 3 else 1]:
        config = CONFIG.varied({"ordering": ordering})
        full = searched(board, depth, config.varied({"pruning": False}))
        cut = searched(board, depth, config)
        assert full[:2] == cut[:2]
        assert full[2] > cut[2] or depth == 1
        assert [0, 0] == full[3]


@pytest.mark.jitless
@pytest.mark.parametrize("rule", FREE_RULES)
def test_S3_7_the_value_is_that_of_plain_python(rule):
    for seed in range(3):
        board = quiet_board(seed, size=5, rule=rule, stones=14)
        for depth in (1, 2, 3):
            expected = Search(board.to_move, PLAIN).root(board, depth)
            for switches in ({}, {"pruning": False}, {"ordering": False}):
                config = CONFIG.varied(switches)
                assert expected[1] == searched(board, depth, config)[1]
            assert expected == searched(board, depth, PLAIN)[:2]


@pytest.mark.jitless
@pytest.mark.parametrize("ordering", [True, False])
def test_S3_8_nodes_and_cuts_of_both_kinds_are_those_of_plain_python(ordering):
    config = CONFIG.varied({"ordering": ordering})
    seen = [0, 0]
    for board in TINY[:5]:
        search = Search(board.to_move, config)
        expected = search.root(board, 3)
        assert (*expected, search.nodes, search.cuts) == searched(board, 3, config)
        seen = [a + b for a, b in zip(seen, search.cuts, strict=True)]
    assert min(seen) > 50


@pytest.mark.parametrize("who", [kernels.AI, kernels.HUMAN])
@pytest.mark.parametrize("pruning", [True, False])
def test_S3_8_an_empty_window_cuts_after_the_first_move(who, pruning):
    s, lines = set_up(MID_GAME[0], CONFIG.varied({"pruning": pruning}))
    kernels.minimax(s, lines, 1, 0, 0, who)
    count = len(candidates(MID_GAME[0], 2))
    assert (2 if pruning else 1 + count) == s["nodes"]
    assert int(pruning) == s["cuts"][who]


# --- moves and their order -------------------------------------------------------------------


@given(open_boards(rules=free_rules), st.integers(1, 4))
def test_S3_13_moves_are_the_points_within_two_lines_of_a_stone(board, radius):
    for config in (CONFIG, CONFIG.varied({"radius": radius, "ordering": False})):
        s, lines = set_up(board, config)
        found = [flat(cell, board.size) for cell in sorted_moves(board, s, lines)]
        if board.stones == 0:
            assert [board.size // 2 * (board.size + 1)] == found
        else:
            assert candidates(board, config.radius) == sorted(found)


@settings(max_examples=40)
@given(dense_boards())
def test_S3_14_moves_are_sorted_by_the_board_after_them(board):
    s, lines = set_up(board, CONFIG)
    found = [flat(cell, board.size) for cell in sorted_moves(board, s, lines)]
    assert moves(board, board.to_move, CONFIG) == found


def test_S3_14_without_ordering_moves_come_row_by_row():
    for board in MID_GAME:
        s, lines = set_up(board, PLAIN)
        found = [flat(cell, 15) for cell in sorted_moves(board, s, lines)]
        assert sorted(found) == found


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.sampled_from((kernels.AI, kernels.HUMAN)))
def test_S3_15_winning_moves_come_first_and_saving_moves_second(seed, who):
    board = quiet_board(seed, size=9, stones=14 + seed % 9, side=6)
    s, lines = set_up(board, CONFIG)
    mover = board.to_move if who == kernels.AI else 3 - board.to_move
    count = kernels.list_moves(s, lines, who, s["keys"][0])
    keys = sorted(s["keys"][0][:count].tolist(), reverse=True)
    found = [flat(int(key_cell(key)), 9) for key in keys]

    def makes_five(colour, move):
        turned = Board(9, board.rule, board.cells, colour)
        return turned.play(move).winner == colour

    rank = [0 if makes_five(mover, m) else 1 if makes_five(3 - mover, m) else 2 for m in found]
    assert sorted(rank) == rank


def test_S3_15_some_boards_have_both_kinds():
    board = Board.from_moves("h8h7i8i7j8j7k8k7a1")  # both have four in a row
    s, lines = set_up(board, CONFIG)
    first = [flat(cell, 15) for cell in sorted_moves(board, s, lines)][:4]
    white, black = {8 * 15 + 6, 8 * 15 + 11}, {7 * 15 + 6, 7 * 15 + 11}
    assert white == set(first[:2])
    assert black == set(first[2:])


# --- deepening and limits --------------------------------------------------------------------


class Clock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self):
        self.now_ns = 5_000_000_000

    def __call__(self):
        return self.now_ns


@pytest.fixture
def layer_costs(monkeypatch):
    """Let each layer cost `ms` on the returned clock, and note the order that it was given."""
    clock, orders = Clock(), []

    def costly(s, lines, depth, cells):
        orders.append((depth, list(cells)))
        clock.now_ns += clock.ms * 1_000_000
        return best_move(s, lines, depth, cells)

    clock.ms = 0
    monkeypatch.setattr(minimax, "best_move", costly)
    return clock, orders


def test_S3_17_layers_go_2_3_4_and_try_the_last_best_move_first(layer_costs):
    _, orders = layer_costs
    changed = 0
    for board in MID_GAME:
        orders.clear()
        player = player_of(CONFIG.varied({"depth": 4}))
        choice = player.choose(board)
        assert [2, 3, 4] == [depth for depth, _ in orders] == [la.depth for la in player.layers]
        for layer, (_, order) in zip(player.layers, orders[1:], strict=False):
            assert layer.move == flat(order[0], 15)
        for (_, before), (_, after) in pairwise(orders):
            assert [cell for cell in before if cell != after[0]] == after[1:]
        last = player.layers[-1]
        assert (last.move, last.depth, last.score) == (choice.move, choice.depth, choice.score)
        assert sum(layer.nodes for layer in player.layers) == choice.nodes
        changed += sum(layer.changed for layer in player.layers)
    assert changed > 0


def test_S3_17_each_layer_is_the_search_of_its_depth():
    board = quiet_board(2, size=5, stones=16)
    player = player_of(CONFIG.varied({"depth": 4}))
    player.choose(board)
    order = moves(board, board.to_move, CONFIG)
    for layer in player.layers:
        move, value = Search(board.to_move, CONFIG).root(board, layer.depth, order)
        assert (move, round(value / 100)) == (layer.move, layer.score)
        order = [move, *(other for other in order if other != move)]


def test_without_deepening_one_layer_is_searched():
    player = player_of(CONFIG.varied({"depth": 3, "deepening": False}))
    assert 3 == player.choose(MID_GAME[0]).depth
    assert [3] == [layer.depth for layer in player.layers]
    stopped = player.choose(MID_GAME[0], SearchLimits(nodes=50))
    assert (0, None, 50) == (stopped.depth, stopped.score, stopped.nodes)
    MID_GAME[0].check_move(stopped.move)


@pytest.mark.parametrize(
    ("time_ms", "depths"),
    [(0, [2]), (100, [2]), (101, [2, 3]), (250, [2, 3, 4]), (None, [2, 3, 4, 5])],
)
def test_S3_18_no_layer_begins_after_the_think_limit(layer_costs, time_ms, depths):
    clock, _ = layer_costs
    clock.ms = 100
    player = player_of(CONFIG, clock=clock)
    choice = player.choose(TINY[3], SearchLimits(depth=5, time_ms=time_ms))
    assert depths == [layer.depth for layer in player.layers]
    assert [100.0] * len(depths) == [layer.time_ms for layer in player.layers]
    assert depths[-1] == choice.depth


def test_S3_18_a_layer_that_has_begun_is_finished(layer_costs):
    clock, _ = layer_costs
    clock.ms = 60_000
    player = player_of(CONFIG.varied({"depth": 6, "time_ms": 1}), clock=clock)
    assert 2 == player.choose(MID_GAME[0]).depth
    assert 60_000 == player.layers[0].time_ms


@pytest.mark.jitless
def test_a_stopped_layer_is_dropped():
    board = quiet_board(3, size=6, stones=16)
    player = player_of(CONFIG.varied({"depth": 3}))
    full = player.choose(board)
    first = player.layers[0]
    stopped = player.choose(board, SearchLimits(depth=3, nodes=full.nodes - 1))
    assert (2, first.move, full.nodes - 1) == (stopped.depth, stopped.move, stopped.nodes)


def test_S3_19_at_every_stop_the_last_complete_layer_stands():
    board = TINY[0]
    player = player_of(CONFIG.varied({"depth": 5}))
    full = player.choose(board)
    layers = [(la.depth, la.move, la.score, la.nodes) for la in player.layers]
    ends = np.cumsum([layer[3] for layer in layers])
    for limit in range(1, full.nodes + 2, max(1, full.nodes // 150)):
        choice = player.choose(board, SearchLimits(depth=5, nodes=limit))
        complete = max(1, int(np.searchsorted(ends, limit, side="left")))
        assert layers[complete - 1][:3] == (choice.depth, choice.move, choice.score)
        assert choice.nodes <= max(limit, ends[0])


def test_S3_19_a_search_without_depth_ends_with_the_board():
    board = quiet_board(1, size=5, stones=20)
    choice = player_of(CONFIG).choose(board, SearchLimits(nodes=10**9))
    assert 5 == choice.depth


def test_a_node_budget_repeats_the_game():
    games = []
    for _ in range(2):
        player = make_player("minimax/hard:nodes=3000,noise=0.3")
        player.new_game(np.random.SeedSequence(3))
        board, choices = Board.from_moves("h8i9g9"), []
        for _ in range(12):
            choices.append(player.choose(board))
            board = board.play(choices[-1].move)
        games.append(choices)
    assert games[0] == games[1]
    assert {"search", "random"} == {choice.gate for choice in games[0]}


# --- presets and the player ------------------------------------------------------------------


def test_S3_20_normal_and_hard_exist_and_hard_looks_six_plies_ahead():
    assert ("minimax/normal", "minimax/hard") == presets("minimax")
    normal, hard = (resolve(name) for name in presets("minimax"))
    assert 6 == hard.config.depth > normal.config.depth
    assert hard.reproducible
    assert normal.reproducible
    assert hard.config.noise == 0


def test_the_baseline_has_at_most_400_lines():
    files = ("kernels/minimax.py", "players/minimax.py")
    texts = [(ROOT / "gomoku_lab" / file).read_text(encoding="utf-8") for file in files]
    assert sum(len(text.splitlines()) for text in texts) <= 400


def test_the_player_refuses_renju_and_plays_the_other_rules():
    player = player_of(CONFIG)
    assert set(FREE_RULES) == {rule for rule in Rule if player.plays(rule)}


def test_under_the_standard_rule_an_overline_does_not_win():
    stones = {"black": [7 * 15 + c for c in (3, 4, 5, 7, 8)], "white": [0, 2, 4, 6, 8]}
    for rule, wins in ((Rule.FREESTYLE, True), (Rule.STANDARD, False)):
        board = Board.from_stones(**stones, rule=rule)
        s, lines = set_up(board, CONFIG)
        (cell,) = cells_of(board, [7 * 15 + 6])
        kernels.put(s, lines, cell, kernels.AI)
        assert wins == bool(s["won"])
        assert wins == (searched(board, 1, CONFIG)[1] > 5 * 10**8)


def test_an_overline_that_stands_wins_nothing():
    row = [7 * 15 + c for c in range(3, 9)]
    board = Board.from_stones(row, [0, 2, 4, 6, 8, 10], rule="standard")
    s, _ = set_up(board, CONFIG)
    assert 0 == s["won"]
    assert evaluate(board, BLACK, CONFIG) == s["score"]


def test_the_empty_board_gets_its_centre_and_a_finished_one_no_move():
    player = player_of(CONFIG)
    assert [12, 112, 210] == [player.choose(Board(size=n)).move for n in (5, 15, 20)]
    finished = player.choose(Board.from_moves("h8a1h9a3h10a5h11a7h12"))
    assert (None, "over") == (finished.move, finished.gate)
    player.close()
    assert (player.layers, player.record) == ([], None)


@pytest.mark.jitless
@pytest.mark.parametrize("size", [5, 20])
def test_the_far_corners_of_a_board_are_searched(size):
    last = size * size - 1
    board = Board(size=size).play(last).play(0).play(size - 1).play(last - size + 1)
    config = CONFIG.varied({"radius": 3})
    found = searched(board, 1, config)
    assert Search(BLACK, config).root(board, 1) == found[:2]
    assert len(candidates(board, 3)) == found[2]


@pytest.mark.parametrize("size", [5, 6, 11, 19, 20])
@pytest.mark.parametrize("rule", FREE_RULES)
def test_every_size_and_rule_is_played_to_the_end(size, rule):
    board = Board(size=size, rule=rule)
    player = make_player("minimax/normal:depth=2,nodes=400")
    for _ in range(30):
        if board.is_over:
            break
        board = board.play(player.choose(board).move)
    assert board.stones >= 9


def test_mirrored_boards_get_equal_scores():
    board = MID_GAME[2]
    scores = {player_of(CONFIG).choose(map_board(board, k)).score for k in SYMMETRIES}
    assert 1 == len(scores)
    best = player_of(CONFIG).choose(board).move
    turned = player_of(CONFIG).choose(map_board(board, 2)).move
    assert map_move(best, 15, 2) == turned


def test_noise_draws_the_kth_move_with_weight_two_to_the_minus_k():
    board, player = MID_GAME[1], player_of(CONFIG.varied({"noise": 0.5, "depth": 1}))
    s, lines = set_up(board, CONFIG)
    order = [flat(cell, 15) for cell in sorted_moves(board, s, lines)]
    player.new_game(np.random.SeedSequence(1))
    choices = [player.choose(board) for _ in range(4000)]
    drawn = [choice.move for choice in choices if choice.gate == "random"]
    assert abs(len(drawn) / 4000 - 0.5) < 0.03
    for k in range(3):
        assert abs(drawn.count(order[k]) / len(drawn) - 0.5 ** (k + 1)) < 0.03


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "no limit is set"),
        ({"nodes": 5, "deepening": False}, "depth without deepening"),
        ({"depth": 2, "opponent_weight": 1.105}, "opponent_weight must be in hundredths: 1.105"),
        ({"depth": 65}, "depth must be 1..64: 65"),
    ],
)
def test_a_wrong_configuration_is_refused(values, message):
    with pytest.raises(ValueError, match=message):
        MinimaxConfig(**values)


def test_warming_up_says_so_only_before_a_compilation():
    MinimaxPlayer.warm_up()
    said = []
    MinimaxPlayer.warm_up(said.append)
    assert said == []


def test_another_familys_configuration_is_refused():
    spec = resolve("layered/hard")
    with pytest.raises(TypeError, match="a MinimaxConfig is wanted"):
        MinimaxPlayer(spec)
