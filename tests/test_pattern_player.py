"""The family `pattern`: its scores against a plain reading of the lines, its rules, its draws."""

from collections import Counter
from dataclasses import replace

import naive
import naive_pattern
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import free_rules, open_boards, open_boards_with_move, seeds

from gomoku_lab.engine.config import ConfigError, EngineConfig
from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import parse_diagram
from gomoku_lab.game.notation import parse_move
from gomoku_lab.game.rules import FREE_RULES, Rule
from gomoku_lab.kernels import layout, one_ply
from gomoku_lab.players.pattern import PatternConfig, PatternPlayer, PatternScores, score_table
from gomoku_lab.players.protocol import Choice
from gomoku_lab.players.registry import make_player, resolve
from gomoku_lab.suite.positions import load_positions
from gomoku_lab.suite.run import run_suite

LEVELS = ("pattern/easy", "pattern/medium", "pattern/hard")
STEADY = ("pattern/easy:miss_chance=0,random_chance=0", "pattern/medium:random_chance=0")
ARTICLE = {
    "five": 1_000_000,
    "open_four": 100_000,
    "four": 10_000,
    "open_three": 8_000,
    "three": 800,
    "open_two": 500,
    "two": 100,
    "one": 10,
}
MAY_DIFFER = {
    "miss_chance",
    "random_chance",
    "pool",
    "lookahead",
    "own_weight",
    "opponent_weight",
    "reply_weight",
}
SCORE_OF = {
    one_ply.NO_SCORE: None,
    one_ply.ONE_SCORE: "one",
    one_ply.TWO_SCORE: "two",
    one_ply.OPEN_TWO_SCORE: "open_two",
    one_ply.THREE_SCORE: "three",
    one_ply.OPEN_THREE_SCORE: "open_three",
    one_ply.FOUR_SCORE: "four",
    one_ply.OPEN_FOUR_SCORE: "open_four",
    one_ply.FIVE_SCORE: "five",
}
QUIET = Board.from_moves("h8i9g7j6i8f10")
# Black makes five at d8 or i8, White at f4; nobody can stop both of Black's.
BOTH_FIVES = Board.from_moves("e8b4f8c4g8d4h8e4")
# It is Black's turn, and White makes five at f4 only.
ONE_BLOCK = Board.from_moves("a4b4h9c4k11d4j8e4")


def grid(cells, size):
    """Return the kernels' grid of a board's cells."""
    found = np.zeros(layout.GRID, np.uint8)
    one_ply.set_up(np.frombuffer(bytes(cells), np.uint8), size, found)
    return found


def grid_cell(move, size):
    return (move // size + layout.RING) * layout.STRIDE + move % size + layout.RING


def flat_move(cell, size):
    row, col = divmod(int(cell), layout.STRIDE)
    return (row - layout.RING) * size + col - layout.RING


def score(cells, size, move, colour=1, config=None, exact=0):
    """Return what the kernels give for one move."""
    table = score_table(config or PatternConfig())
    counters = np.zeros(one_ply.COUNTERS, np.int64)
    values = np.zeros(1, np.int64)
    moves = np.array([grid_cell(move, size)], np.int32)
    one_ply.score_moves(grid(cells, size), moves, colour, exact, table, values, counters)
    assert 1 == counters[one_ply.SCORINGS]
    return int(values[0])


def listed(board, radius=2):
    """Return the moves that the kernels list as candidates."""
    found = np.zeros(layout.MAX_POINTS, np.int32)
    count = one_ply.list_candidates(grid(board.cells, board.size), board.size, radius, found)
    return [flat_move(cell, board.size) for cell in found[:count]]


def level(name):
    config = resolve(name).config
    assert isinstance(config, PatternConfig)
    return config


def seeded(player, seed):
    player.new_game(np.random.SeedSequence(seed))
    return player


def answers(player, board, trials):
    """Count the moves over seeds 0 to trials - 1."""
    return Counter(seeded(player, seed).choose(board).move for seed in range(trials))


def marked(text):
    """Read a diagram in which `*` marks the point in question; return cells, size, the point."""
    board = parse_diagram(text.replace("*", "."), balanced=False)
    rows = [row.replace(" ", "") for row in text.split("\n") if row.strip()]
    return board.cells, board.size, "".join(rows).index("*")


# ---- scores --------------------------------------------------------------------------------------


def test_S0_14_the_table_is_the_articles():
    assert ARTICLE == PatternScores().to_dict()
    assert list(ARTICLE) == list(PatternScores.field_names())
    for name in LEVELS:
        assert PatternScores() == level(name).scores


@pytest.mark.parametrize(
    ("run", "ends", "wanted"),
    [
        *(pytest.param(n, ends, "five", id=f"{n}-{ends}") for n in range(5, 10) for ends in (0, 2)),
        (4, 2, "open_four"),
        (4, 1, "four"),
        (3, 2, "open_three"),
        (3, 1, "three"),
        (2, 2, "open_two"),
        (2, 1, "two"),
        (1, 2, "one"),
        (1, 1, "one"),
        *((n, 0, None) for n in range(5)),
        (0, 1, None),
        (0, 2, None),
    ],
)
def test_S0_15_S0_16_S0_17_S0_18_S0_19_S0_20_S0_21_a_run_counts_by_its_open_ends(run, ends, wanted):
    assert wanted == SCORE_OF[one_ply.run_score(run, ends, 0)]


def test_S0_21_an_overline_counts_nothing_where_it_does_not_win():
    for run in range(6, 10):
        assert one_ply.NO_SCORE == one_ply.run_score(run, 2, 1)
    assert one_ply.FIVE_SCORE == one_ply.run_score(5, 0, 1)


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        ("OXXX*XO..", ARTICLE["five"]),
        ("XXX*XXO..", ARTICLE["five"]),
        ("..XXX*...", ARTICLE["open_four"]),
        (".OXXX*...", ARTICLE["four"]),
        ("XXX*.....", ARTICLE["four"]),
        (".....*XXO", ARTICLE["three"]),
        ("XX.*.....", ARTICLE["one"]),
        ("XXX.*X...", ARTICLE["open_two"]),
        ("OXX*O....", 0),
        ("O*X...O..", ARTICLE["two"]),
        ("X*O......", 0),
    ],
)
def test_S0_D3_a_run_is_unbroken_and_blocked_by_edge_and_opponent(row, wanted):
    other = 3 * ARTICLE["one"]  # the other three directions of a lonely point
    text = "\n".join(row if index == 4 else "." * 9 for index in range(9))
    cells, size, move = marked(text)
    assert wanted + other == score(cells, size, move)


def test_S0_22_the_four_directions_are_added():
    cells, size, move = marked("""
        . . . O . . . . .
        . . . X . X . . .
        . . O X X . . . .
        . . . * X . . . .
        . . X . . . . . .
        . O . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)
    wanted = ("open_two", "three", "one", "four")  # row, column, falling, rising
    assert sum(ARTICLE[key] for key in wanted) == score(cells, size, move)


DOUBLE_THREE = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . X . . . .
    . . . . X . . . .
    . . X X * . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""
FOUR_THREE = DOUBLE_THREE.replace(". . X X *", "O X X X *")
FOUR_AND_TWO_THREES = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . X . . . .
    . . . . X . . . .
    O X X X * . . . .
    . . . X . . . . .
    . . X . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (DOUBLE_THREE, "bonus_double_open_three"),
        (FOUR_THREE, "bonus_four_three"),
        (FOUR_AND_TWO_THREES, "bonus_four_three"),
    ],
)
def test_S0_23_a_compound_earns_exactly_its_bonus(text, key):
    cells, size, move = marked(text)
    runs = naive_pattern.runs_through(cells, size, move, 1)
    plain = sum(naive_pattern.run_score(run, False) for run in runs)
    for bonus in (1, 777, getattr(PatternConfig(), key)):
        config = PatternConfig(**{key: bonus})
        assert plain + bonus == score(cells, size, move, config=config) < config.scores.five


def test_S0_23_no_move_without_a_five_reaches_a_five():
    with pytest.raises(ConfigError, match=r"scores.five \(1000000\) must be more than any move"):
        PatternConfig(bonus_four_three=600_000)
    with pytest.raises(ConfigError, match=r"4 x 250000 \+ a bonus of 10000 = 1010000"):
        PatternConfig(scores=PatternScores(open_four=250_000))
    with pytest.raises(ConfigError, match="bonus_four_three must be 1"):
        PatternConfig(bonus_four_three=0)


def test_S0_D2_the_bonuses_are_named_and_called_the_labs_own():
    described = " ".join((PatternConfig.__doc__ or "").split())
    assert {"bonus_double_open_three", "bonus_four_three"} <= set(PatternConfig.field_names())
    assert "The article gives no values: these are the lab's own" in described
    assert 5 == level("pattern/hard:bonus_four_three=5").bonus_four_three


@given(open_boards_with_move(rules=free_rules), st.sampled_from((1, 2)))
def test_S0_3_S0_22_S0_D3_a_score_is_that_of_the_lines_read_as_text(found, colour):
    board, move = found
    exact = board.rule is Rule.STANDARD
    wanted = naive_pattern.move_score(board.cells, board.size, move, colour, exact)
    assert wanted == score(board.cells, board.size, move, colour, exact=int(exact))


@given(open_boards_with_move(rules=free_rules), seeds)
def test_S0_3_only_the_four_lines_through_the_point_count(found, seed):
    board, move = found
    on_lines = {p for line in naive_pattern.lines_through(board.size, move) for p in line}
    drawn = np.random.default_rng(seed).integers(0, 3, board.size**2)
    other = bytes(c if p in on_lines else int(drawn[p]) for p, c in enumerate(board.cells))
    assert score(board.cells, board.size, move) == score(other, board.size, move)


# ---- candidates ----------------------------------------------------------------------------------


@given(open_boards(rules=free_rules), st.integers(1, 5))
def test_S0_4_S0_24_candidates_lie_within_the_radius_of_a_stone(board, radius):
    assert naive.candidates(board, radius) == listed(board, radius)


@pytest.mark.parametrize("name", LEVELS)
@given(board=open_boards(rules=free_rules), seed=seeds)
@settings(max_examples=30)
def test_S0_4_S0_24_exactly_the_candidates_are_scored_and_one_is_played(name, board, seed):
    player = seeded(make_player(f"{name}:rules=false"), seed)
    choice = player.choose(board)
    near = naive.candidates(board, 2)
    assert choice.move in (near or [(board.size // 2) * (board.size + 1)])
    trials = min(level(name).lookahead, len(near))
    assert (len(near), trials) == (player.work.candidates, player.work.trials)
    assert 2 * len(near) + trials * (len(near) - 1) == player.work.scorings


@pytest.mark.parametrize("name", LEVELS)
def test_S0_25_the_centre_is_opened(name):
    assert parse_move("h8", 15) == make_player(name).choose(Board()).move
    for size in range(5, 21):
        assert (size // 2) * (size + 1) == make_player(name).choose(Board(size=size)).move


@given(open_boards(rules=st.just(Rule.FREESTYLE)), seeds)
def test_S0_26_a_stone_on_a_candidate_adds_fifteen_candidates_at_most(board, seed):
    near = listed(board)
    if near:
        move = near[seed % len(near)]
        assert len(listed(board.play(move))) <= len(near) + 15


def test_S0_26_after_one_stone_there_are_24_candidates():
    assert 24 == len(listed(Board.from_moves("h8")))


# ---- levels and what they cost -------------------------------------------------------------------


@pytest.mark.parametrize("name", LEVELS)
@given(board=open_boards(rules=free_rules))
@settings(max_examples=30)
def test_S0_2_nothing_is_searched_and_scorings_stay_within_their_allowance(name, board):
    player = make_player(name)
    choice = player.choose(board)
    allowed = 18 if name == "pattern/hard" else 2
    assert (0, 0, None) == (choice.nodes, choice.depth, choice.score)
    assert player.work.scorings <= allowed * player.work.candidates


def test_S0_5_the_levels_differ_in_their_stated_settings_and_nothing_else(monkeypatch):
    dumps = [level(name).to_dict() for name in LEVELS]
    differing = {key for key in dumps[0] if len({str(dump[key]) for dump in dumps}) > 1}
    assert MAY_DIFFER >= differing
    tables = []
    one_function = one_ply.score_moves

    def watched(*arguments):
        tables.append(arguments[4])
        return one_function(*arguments)

    monkeypatch.setattr(one_ply, "score_moves", watched)
    for name in LEVELS:
        player = make_player(name)
        assert type(player) is PatternPlayer
        player.choose(QUIET)
    assert 6 == len(tables)
    assert all(np.array_equal(tables[0], table) for table in tables)


def test_S0_30_easy_weighs_the_opponent_less_than_itself():
    easy = level("pattern/easy")
    assert 0 < easy.opponent_weight < easy.own_weight


@given(open_boards(rules=free_rules))
def test_S0_34_without_its_draw_medium_plays_own_plus_1_1_times_the_opponents(board):
    if any(board.cells):
        choice = make_player("pattern/medium:random_chance=0").choose(board)
        assert naive_pattern.decide(board, 1.0, 1.1) == (choice.move, choice.gate)


@given(open_boards(rules=free_rules))
@settings(max_examples=60)
def test_S0_37_S0_38_S0_40_hard_plays_the_largest_value_of_the_formula(board):
    if any(board.cells):
        choice = make_player("pattern/hard").choose(board)
        assert naive_pattern.decide(board, 1.15, 1.0, 16, 0.9) == (choice.move, choice.gate)


def test_S0_34_the_factor_on_the_opponents_score_decides():
    # Black can make an open three (8,000 and change), White as well: 1.1 prefers the block.
    board = Board.from_moves("d4l12e4m12")
    own, other = (naive_pattern.scores(board, colour) for colour in (1, 2))
    medium = make_player("pattern/medium:random_chance=0").choose(board).move
    assert other[medium] > own[medium]
    even = make_player("pattern/medium:random_chance=0,opponent_weight=0.9").choose(board).move
    assert own[even] > other[even]


# Black has a closed three in row 8, White an open two in row 4; both are far from each other.
HAND = Board.from_moves("h8g8i8c4j8d4")


def test_S0_37_S0_38_a_value_is_charged_with_the_opponents_best_answer(monkeypatch):
    seen = {}
    one_function = one_ply.look_ahead

    def watched(cells, moves, trials, colour, exact, scores, replies, counters):
        one_function(cells, moves, trials, colour, exact, scores, replies, counters)
        seen["moves"] = [flat_move(cell, 15) for cell in moves]
        seen["replies"] = {
            flat_move(cell, 15): int(reply) for cell, reply in zip(trials, replies, strict=True)
        }

    monkeypatch.setattr(one_ply, "look_ahead", watched)
    choice = make_player("pattern/hard").choose(HAND)
    k8, e4, b4 = (parse_move(name, 15) for name in ("k8", "e4", "b4"))
    own, other = (naive_pattern.scores(HAND, colour) for colour in (1, 2))
    # A four at k8 leaves White's best answer, an open three at e4 or b4 (8,000 and three ones).
    assert (10_030, 8_030, 8_030) == (own[k8], other[e4], other[b4])
    assert 8_030 == seen["replies"][k8]
    # On e4 the run at b4 is closed; what is left to White is the three of c4 and d4 with b4.
    assert seen["replies"][e4] == naive_pattern.best_reply(HAND, e4) < 8_030
    assert naive.candidates(HAND, 2) == seen["moves"]
    before = naive_pattern.values(HAND, 1.15, 1.0)
    wanted = {m: before[m] - reply * 0.9 for m, reply in seen["replies"].items()}
    assert max(wanted, key=wanted.get) == choice.move


@given(open_boards(sizes=st.integers(7, 12), rules=st.just(Rule.FREESTYLE)))
@settings(max_examples=40)
def test_S0_40_the_first_sixteen_are_looked_ahead_in_order(board):
    if not any(board.cells):
        return
    tried = []
    one_function = one_ply.look_ahead

    def watched(cells, moves, trials, *rest):
        tried.extend(flat_move(cell, board.size) for cell in trials)
        one_function(cells, moves, trials, *rest)

    player = make_player("pattern/hard:rules=false")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(one_ply, "look_ahead", watched)
        player.choose(board)
    order = naive_pattern.best_first(naive_pattern.values(board, 1.15, 1.0))
    assert order[:16] == tried
    assert len(tried) == player.work.trials


@given(open_boards(rules=free_rules), seeds)
def test_S0_39_a_trial_leaves_no_mark(board, seed):
    moves = listed(board)
    if moves:
        cells = grid(board.cells, board.size)
        before = cells.copy()
        found = np.array([grid_cell(move, board.size) for move in moves], np.int32)
        trials = np.random.default_rng(seed).permutation(found)
        replies, counters = np.zeros(len(moves), np.int64), np.zeros(one_ply.COUNTERS, np.int64)
        table = score_table(PatternConfig())
        one_ply.look_ahead(cells, found, trials, board.to_move, 0, table, replies, counters)
        assert np.array_equal(before, cells)


def test_S0_39_an_exception_in_a_trial_leaves_no_mark(monkeypatch):
    player, wanted = make_player("pattern/hard"), make_player("pattern/hard").choose(QUIET)
    cells = QUIET.cells

    def failing(cells, moves, trials, *rest):
        cells[trials[0]] = 1
        raise RuntimeError("in the middle of a trial")

    with monkeypatch.context() as patch:
        patch.setattr(one_ply, "look_ahead", failing)
        with pytest.raises(RuntimeError, match="in the middle"):
            player.choose(QUIET)
    assert cells == QUIET.cells
    assert wanted == player.choose(QUIET)


# ---- rules one and two ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", LEVELS)
def test_S0_27_S0_29_an_own_five_is_taken_before_any_block_whatever_the_seed(name):
    fives = {parse_move("d8", 15), parse_move("i8", 15)}
    assert fives >= set(answers(make_player(name), BOTH_FIVES, 1000))
    assert "five" == make_player(name).choose(BOTH_FIVES).gate


@pytest.mark.parametrize("name", LEVELS)
@given(board=open_boards(rules=free_rules), seed=seeds)
@settings(max_examples=60)
def test_S0_27_an_own_five_is_taken_on_any_board(name, board, seed):
    if any(board.cells):
        choice = seeded(make_player(name), seed).choose(board)
        fives = naive_pattern.five_points(board, board.to_move)
        assert (choice.move in fives) == bool(fives) == (choice.gate == "five")
        if fives:
            assert board.to_move == board.play(choice.move).winner


@pytest.mark.parametrize("name", ["pattern/medium", "pattern/hard"])
def test_S0_28_a_five_is_blocked_whatever_the_seed(name):
    assert {parse_move("f4", 15)} == set(answers(make_player(name), ONE_BLOCK, 1000))


@pytest.mark.parametrize("name", ["pattern/medium", "pattern/hard"])
@given(board=open_boards(rules=free_rules), seed=seeds)
@settings(max_examples=60)
def test_S0_28_a_five_is_blocked_on_any_board(name, board, seed):
    if any(board.cells):
        choice = seeded(make_player(name), seed).choose(board)
        blocks = naive_pattern.five_points(board, 3 - board.to_move)
        if blocks and choice.gate != "five":
            assert (True, "block") == (choice.move in blocks, choice.gate)


def test_S0_31_easy_misses_a_quarter_of_its_blocks():
    found = answers(make_player("pattern/easy"), ONE_BLOCK, 10_000)
    missed = 1 - found[parse_move("f4", 15)] / 10_000
    assert missed == pytest.approx(0.25, abs=0.013)
    assert 0.25 == level("pattern/easy").miss_chance


def test_S0_31_nothing_is_missed_where_only_blocks_are_left():
    # Every empty point completes White's five.
    board = parse_diagram(
        """
        O O O O .
        X X O X X
        O X X X O
        X O X O X
        O X O X X
        """,
        to_move=1,
        balanced=False,
    )
    assert {4} == set(answers(make_player("pattern/easy:miss_chance=1"), board, 50))


def test_a_missed_block_is_not_played_by_the_scores():
    missing = make_player("pattern/easy:miss_chance=1,random_chance=0")
    choice = missing.choose(ONE_BLOCK)
    assert choice.move != parse_move("f4", 15)
    assert "one-ply" == choice.gate


def test_the_standard_rule_neither_takes_nor_blocks_an_overline():
    # Six stones in row 8 with g8: a win in freestyle, nothing in standard.
    moves = "d8a1e8a3f8a5h8a7i8c2"
    point = parse_move("g8", 15)
    for name in LEVELS:
        player = make_player(name)
        assert point == player.choose(Board.from_moves(moves)).move
        assert "five" != player.choose(Board.from_moves(moves, rule="standard")).gate
        blocked = Board.from_moves(moves[2:], rule="standard")
        assert "block" != player.choose(blocked).gate


# ---- draws ---------------------------------------------------------------------------------------


def test_S0_35_medium_draws_evenly_among_its_three_best():
    found = answers(make_player("pattern/medium"), QUIET, 10_000)
    best = naive_pattern.best_first(naive_pattern.values(QUIET, 1.0, 1.1))[:3]
    assert set(best) == set(found)
    for move in best:
        assert found[move] / 10_000 == pytest.approx(1 / 3, abs=0.03)


def test_S0_32_easy_sometimes_draws_from_a_broader_pool_than_medium():
    easy, medium = level("pattern/easy"), level("pattern/medium")
    assert easy.pool > medium.pool == 3
    assert 0 < easy.random_chance < 1
    found = answers(make_player("pattern/easy"), QUIET, 1000)
    order = naive_pattern.best_first(naive_pattern.values(QUIET, 1.0, easy.opponent_weight))
    assert set(order[: easy.pool]) == set(found)
    assert order[0] == found.most_common(1)[0][0]


def medium_game(player, seed, opening="h8"):
    """Play medium against itself and return the board and the gates of its moves."""
    seeded(player, seed)
    board, gates = Board.from_moves(opening), []
    while not board.is_over:
        choice = player.choose(board)
        board = board.play(choice.move)
        gates.append(choice.gate)
    return board, gates


def test_S0_36_games_differ_from_seed_to_seed_and_no_draw_overrides_a_rule():
    player = make_player("pattern/medium")
    games = [medium_game(player, seed) for seed in range(200)]
    assert len({board.moves[:8] for board, _ in games}) >= 180
    decided = 0
    for board, gates in games:
        # The last gate before a win is rule 1; whoever could have won earlier would have.
        assert ("five" == gates[-1]) == (board.winner != 0)
        decided += "five" == gates[-1]
        assert "five" not in gates[:-1]
    assert decided > 150
    for board, gates in games[:3]:
        for ply, gate in enumerate(gates, start=1):
            before = Board.from_moves(board.moves[:ply])
            own = naive_pattern.five_points(before, before.to_move)
            blocks = naive_pattern.five_points(before, 3 - before.to_move)
            assert ("five" if own else "block" if blocks else "random") == gate
            assert board.moves[ply] in (own or blocks or naive.candidates(before, 2))


# ---- the suite -----------------------------------------------------------------------------------


def makes_open_four(board, colour):
    """Tell whether the scores see an open four of `colour`: unbroken, with both ends open."""
    return max(naive_pattern.scores(board, colour).values()) >= ARTICLE["open_four"]


def wrong(positions):
    result = run_suite([resolve("pattern/hard")], positions)
    return {failure.position.id for failure in result.failures()}


def test_S0_42_hard_breaks_every_open_three_that_it_can_break():
    positions = [one for one in load_positions() if one.kind == "break-open-four"]
    threes = [one for one in positions if makes_open_four(one.board, 3 - one.board.to_move)]
    assert len(threes) >= 8
    assert set() == wrong(threes)


def test_S0_42_hard_extends_its_open_three_unless_the_opponent_has_one_as_well():
    positions = [one for one in load_positions() if one.kind == "open-four"]
    own = [one for one in positions if makes_open_four(one.board, one.board.to_move)]
    alone = [one for one in own if not makes_open_four(one.board, 3 - one.board.to_move)]
    assert len(alone) >= 5
    assert set() == wrong(alone)
    both = [one for one in own if one not in alone]
    assert {"open-four-race"} == {one.id for one in both} == wrong(both)
    (race,) = both
    choice = make_player("pattern/hard").choose(race.board)
    assert naive_pattern.scores(race.board, 3 - race.board.to_move)[choice.move] >= 100_000


@pytest.mark.parametrize("name", LEVELS)
def test_the_promised_kinds_are_solved_in_every_image(name):
    spec = resolve(name)
    positions = [one for one in load_positions() if one.kind in spec.required]
    assert [] == list(run_suite([spec], positions).failures())
    assert {"must-win", "draw-board"} <= set(spec.required)


# ---- the adapter ---------------------------------------------------------------------------------


def test_a_finished_game_gets_no_move():
    over = Board.from_moves("h8a1h9a3h10a5h11a7h12")
    assert Choice(None, "over") == make_player("pattern/hard").choose(over)


def test_the_playable_rules_are_played_and_no_other():
    assert {rule for rule in Rule if make_player(LEVELS[0]).plays(rule)} == set(FREE_RULES)


def test_every_game_of_the_family_can_be_repeated():
    for name in LEVELS:
        assert resolve(name).reproducible
        player = make_player(name)
        first, second = (answers(player, QUIET, 20) for _ in range(2))
        assert first == second


def test_a_player_that_knows_no_rules_draws_among_all_candidates():
    player = make_player("pattern/easy:rules=false,random_chance=1,pool=400")
    found = answers(player, ONE_BLOCK, 2000)
    assert set(naive.candidates(ONE_BLOCK, 2)) == set(found)


def test_a_configuration_of_another_kind_is_refused():
    with pytest.raises(TypeError, match="a PatternConfig is wanted"):
        PatternPlayer(replace(resolve("pattern/hard"), config=EngineConfig(depth=1)))


def test_warming_up_says_so_only_before_a_compilation():
    PatternPlayer.warm_up()
    said = []
    PatternPlayer.warm_up(said.append)
    assert [] == said


@pytest.mark.jitless
@pytest.mark.parametrize("rule", FREE_RULES)
@pytest.mark.parametrize("size", [5, 6, 8])
def test_the_kernels_decide_as_the_lines_read_as_text(size, rule):
    draw = np.random.default_rng(size)
    for stones in (4, 9, 14):
        points = draw.permutation(size * size)[:stones].tolist()
        board = Board.from_stones(points[::2], points[1::2], size=size, rule=rule)
        if board.is_over:
            continue
        assert naive.candidates(board, 2) == listed(board)
        choice = make_player("pattern/hard").choose(board)
        assert naive_pattern.decide(board, 1.15, 1.0, 16, 0.9) == (choice.move, choice.gate)
        for name, weight in zip(STEADY, (0.5, 1.1), strict=True):
            choice = make_player(name).choose(board)
            assert naive_pattern.decide(board, 1.0, weight) == (choice.move, choice.gate)
