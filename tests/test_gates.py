"""The threat layer: which gate decides, what it plays, and that nothing else has a say."""

from dataclasses import replace
from functools import cache
from itertools import count, islice

import naive_engine as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_engine import POINT_FIVE, POINT_OPEN_FOUR
from state_tools import differences, quiet_board, snapshot
from strategies import open_boards, played_boards

from gomoku_lab.engine import chains, defence, gates
from gomoku_lab.engine.chains import node_cap
from gomoku_lab.engine.config import EngineConfig, SearchLimits
from gomoku_lab.engine.engine import Engine
from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import parse_diagram
from gomoku_lab.game.notation import parse_move
from gomoku_lab.game.rules import Rule
from gomoku_lab.kernels import layout
from gomoku_lab.players.registry import resolve
from gomoku_lab.suite.positions import load_positions

MASTER = resolve("layered/master:depth=2,time_ms=0").config
NOVICE = resolve("layered/novice:time_ms=0").config
LAB = resolve("lab/max:depth=2,time_ms=0,vct_nodes=5000").config
PLAIN = {
    "selective": False,
    "futility": 0,
    "extension": False,
    "reduction": 0,
    "late_threats": 0,
    "answers": 0,
    "fail_high": 0,
    "move_order": "hand",
}
BY_HAND = replace(LAB, **PLAIN)
SOUND = replace(BY_HAND, defence_nodes=0, vct_nodes=0)
GATES = ("five", "block", "open-four", "break-open-four")
SHIPPED = {position.id: position for position in load_positions(None)}
ENGINES = {config: Engine(config) for config in (MASTER, NOVICE, LAB, BY_HAND)}


@st.composite
def tense_boards(draw):
    """Draw a board with many stones close together, on which the game goes on."""
    return quiet_board(
        draw(st.integers(0, 10**6)),
        size=draw(st.sampled_from((7, 8, 9))),
        rule=draw(st.sampled_from(Rule)),
        stones=draw(st.integers(7, 20)),
        side=6,
    )


@cache
def judged(seed):
    """Return a random board and the (gate, move) that the stones ask for, read without kernels."""
    board = quiet_board(seed, size=9, stones=8 + seed % 12, side=6)
    return board, naive.gate(naive.Position.of(board), MASTER)


def gated(number, *gates):
    """Return boards on which one of `gates` decides, with that gate and its move."""
    found = ((board, *answer) for board, answer in map(judged, count()) if answer is not None)
    return list(islice((case for case in found if case[1] in gates), number))


# --- the order of the gates ------------------------------------------------------------------


@given(st.one_of(tense_boards(), open_boards()))
@settings(max_examples=200)
def test_S1_2_S1_6_the_first_gate_that_fires_decides_else_the_search(board):
    found = ENGINES[MASTER].analyse(board)
    expected = naive.gate(naive.Position.of(board), MASTER)
    if expected is None:
        assert "search" == found.gate
        assert found.layers
    else:
        assert expected == (found.gate, found.move)
        assert found.move == found.pv[0]


@given(tense_boards())
@settings(max_examples=60)
def test_S1_2_the_lab_passes_the_same_gates_and_looks_for_fours_before_it_breaks(board):
    found = ENGINES[BY_HAND].analyse(board)
    position = naive.Position.of(board)
    expected = naive.gate(position, BY_HAND)
    if expected is not None and expected[0] != "break-open-four":
        assert expected == (found.gate, found.move)
    elif naive.wins_by_fours(position, 12):
        assert "vcf" == found.gate
        # Where Black may not block a four, five comes though no stone of his can be shown.
        five = board.rule is Rule.RENJU and position.side == 1
        assert found.proven - len(found.pv) in ((0, 2) if five else (0,))
    elif found.gate == "vct":
        assert found.proven >= len(found.pv)
    else:
        assert found.gate == ("search" if expected is None else "break-open-four")


def test_S1_2_noise_is_named_as_what_decided():
    board, _, _ = gated(1, "five")[0]
    engine = Engine(NOVICE)
    gates = {engine.analyse(board, rng=np.random.default_rng(seed)).gate for seed in range(40)}
    assert {"five", "random"} == gates


def test_S1_3_S4_25_an_own_five_is_played_before_anything_else_and_without_a_search():
    both = 0
    for board, _, move in gated(60, "five"):
        found = ENGINES[MASTER].analyse(board)
        assert ("five", move, 0, ()) == (found.gate, found.move, found.nodes, found.layers)
        assert board.play(found.move).winner == board.to_move
        assert (1, 1, layout.MATE - 1) == (found.proven, found.mate, found.score)
        other = 2 - board.to_move
        both += bool(naive.points_of(naive.Position.of(board), other, POINT_FIVE))
    assert both > 3


def test_S1_4_S4_26_the_opponents_five_is_blocked_without_a_search():
    for board, _, move in gated(60, "block"):
        found = ENGINES[MASTER].analyse(board)
        assert ("block", move, 0, ()) == (found.gate, found.move, found.nodes, found.layers)
        position = naive.Position.of(board)
        theirs = naive.points_of(position, 1 - position.side, POINT_FIVE)
        assert found.move in theirs
        if len(theirs) == 1:
            assert (None, None) == (found.score, found.proven)


@pytest.mark.parametrize("config", [MASTER, BY_HAND], ids=["layered", "lab"])
def test_S4_27_of_two_five_points_the_first_is_played_and_the_loss_is_reported(config):
    seen = 0
    for board, _, _ in gated(120, "block"):
        position = naive.Position.of(board)
        theirs = naive.points_of(position, 1 - position.side, POINT_FIVE)
        if len(theirs) > 1:
            seen += 1
            found = ENGINES[config].analyse(board)
            assert naive.in_order(position, theirs, config)[0] == found.move
            assert (-2, -2, -(layout.MATE - 2)) == (found.proven, found.mate, found.score)
            assert "block" == found.gate
    assert seen > 5


@pytest.mark.parametrize("name", ["block-not-naive-row", "block-not-naive-open-four"])
@pytest.mark.parametrize("config", [MASTER, LAB], ids=["layered", "lab"])
def test_S4_28_the_block_is_played_though_another_move_is_worth_more_to_the_mover(name, config):
    position = SHIPPED[name]
    found = ENGINES[config].analyse(position.board)
    assert (found.gate, found.move) == ("block", position.best[0])
    own = naive.shapes(naive.Position.of(position.board))[position.board.to_move - 1]
    worth = {move: naive.worth(classes, config.weights) for move, classes in own.items()}
    assert worth[found.move] < max(worth.values())


def test_S1_5_an_own_open_four_is_played_without_a_search():
    for board, _, move in gated(60, "open-four"):
        found = ENGINES[MASTER].analyse(board)
        assert ("open-four", move, 0, ()) == (found.gate, found.move, found.nodes, found.layers)
        assert (3, layout.MATE - 3) == (found.proven, found.score)


def test_S1_5_the_opponents_open_four_is_broken_or_else_its_best_point_taken():
    hopeless = 0
    for board, _, move in gated(80, "break-open-four"):
        found = ENGINES[MASTER].analyse(board)
        assert ("break-open-four", move, 0) == (found.gate, found.move, found.nodes)
        position = naive.Position.of(board)
        if not naive.breaks(position, move):
            hopeless += 1
            assert not any(naive.breaks(position, other) for other in board.empty_points())
            theirs = naive.points_of(position, 1 - position.side, POINT_OPEN_FOUR)
            assert naive.in_order(position, theirs, MASTER)[0] == found.move
    assert hopeless > 3


@given(tense_boards())
@settings(max_examples=80)
def test_S1_11_a_closed_four_is_never_taken_for_an_open_four(board):
    found = ENGINES[MASTER].analyse(board)
    if found.gate == "open-four":
        after = naive.Position.of(board).play(found.move)
        assert len(naive.points_of(after, 1 - after.side, POINT_FIVE)) >= 2


@pytest.mark.parametrize("name", ["open-four-not-closed", "open-four-before-double-three"])
def test_S1_11_S1_16_the_open_four_is_chosen_where_a_lesser_threat_is_offered_too(name):
    position = SHIPPED[name]
    found = ENGINES[MASTER].analyse(position.board)
    assert "open-four" == found.gate
    assert found.move in position.best


def test_S1_16_a_forced_win_is_never_traded_for_a_pair_of_threats_by_the_search_either():
    """With an open four and a double three on offer, the layer on, and off at depth 1."""
    seen = 0
    off = Engine(EngineConfig(depth=1, threat_layer=False, table_bits=10))
    positions = [SHIPPED["open-four-before-double-three"].board]
    positions += [board for board, _, _ in gated(250, "open-four")]
    for board in positions:
        position = naive.Position.of(board)
        fours, threes = (
            naive.points_of(position, position.side, kind)
            for kind in (POINT_OPEN_FOUR, naive.POINT_DOUBLE_THREE)
        )
        if threes and not naive.points_of(position, 1 - position.side, POINT_FIVE):
            seen += 1
            assert ENGINES[MASTER].analyse(board).move in fours
            assert off.analyse(board).move in fours
    assert seen > 3


# --- stones alone decide ---------------------------------------------------------------------

VARIANTS = [
    {"depth": 1},
    {"depth": 4, "width": 3},
    {"nodes": 1},
    {"time_ms": 0.5},
    {"width": 1, "radius": 1},
    {"radius": 4, "width": 40},
    {"table_bits": 0},
    {"defence": 3.0, "terminal": False},
]


def test_S1_7_gates_depend_on_the_stones_and_the_side_to_move_alone():
    engines = [Engine(EngineConfig(**{"depth": 2, **variant})) for variant in VARIANTS]
    for board, gate, move in gated(40, *GATES):
        for engine in engines:
            found = engine.analyse(board)
            assert (gate, move) == (found.gate, found.move)
            limited = engine.analyse(board, limits=SearchLimits(depth=1))
            assert (gate, move) == (limited.gate, limited.move)


@given(played_boards(sizes=st.just(9), window=6, going_on=True, max_moves=24))
@settings(max_examples=60)
def test_S1_7_the_history_of_the_stones_has_no_say(board):
    cells = [[m for m, cell in enumerate(board.cells) if cell == colour] for colour in (1, 2)]
    bare = Board.from_stones(*cells, size=9, rule=board.rule)
    played, set_up = (ENGINES[MASTER].analyse(b) for b in (board, bare))
    assert (played.gate, played.move) == (set_up.gate, set_up.move)


@given(tense_boards())
@settings(max_examples=40)
def test_S1_7_a_gate_leaves_the_position_as_it_was(board):
    for engine in (ENGINES[MASTER], ENGINES[LAB]):
        engine._state.set_up(board)
        before = snapshot(engine._state)
        engine.analyse(board)
        assert differences(before, snapshot(engine._state)) == []


@pytest.mark.parametrize("noise", [0.0, 0.9])
def test_S1_8_a_gate_spends_no_layers_and_no_nodes_though_noise_replaces_its_move(noise):
    engine = Engine(resolve(f"layered/novice:time_ms=0,noise={noise}").config)
    replaced = 0
    for seed, (board, gate, _) in enumerate(gated(40, *GATES)):
        found = engine.analyse(board, rng=np.random.default_rng(seed))
        replaced += found.gate == "random"
        assert found.gate in (gate, "random")
        assert ((), (), 0, 0) == (found.layers, found.roots, found.nodes, found.depth)
    assert (replaced > 0) == (noise > 0)


# --- searches for fours and the clock --------------------------------------------------------


def caps_of(monkeypatch, board, config, limits):
    """Return the node caps of the searches for fours that the gates make on `board`."""
    caps = []

    def spy(state, cap, search=chains.search_chain):
        caps.append(cap)
        return search(state, cap)

    for module in (chains, gates):
        monkeypatch.setattr(module, "search_chain", spy)
    Engine(config).analyse(board, limits=limits)
    return caps


BREAK = SHIPPED["quiet-break-chain"].board


@pytest.mark.parametrize("limits", [SearchLimits(nodes=1), SearchLimits(depth=1)])
def test_without_a_time_budget_every_search_for_fours_has_the_configured_cap(monkeypatch, limits):
    caps = caps_of(monkeypatch, BREAK, SOUND, limits)
    assert len(caps) > 1
    assert {LAB.vcf_nodes // 2, LAB.vcf_nodes} == set(caps)


@pytest.mark.parametrize(("time_ms", "cap"), [(0.0, 200), (10.0, 10_000), (1e6, 20_000)])
def test_the_search_for_the_defence_has_half_of_the_time(monkeypatch, time_ms, cap):
    caps = []
    monkeypatch.setattr(defence, "node_cap", lambda *given: caps.append(node_cap(*given)) or 0)
    Engine(LAB).analyse(BREAK, limits=SearchLimits(time_ms=time_ms))
    assert 200 <= caps[0] <= cap
    assert time_ms != 1e6 or caps[0] == cap


@pytest.mark.parametrize(("vcf_nodes", "cap"), [(20_000, 200), (50, 50), (0, 0)])
def test_when_the_time_is_over_a_search_for_fours_is_a_glance(monkeypatch, vcf_nodes, cap):
    config = replace(SOUND, vcf_nodes=vcf_nodes)
    caps = caps_of(monkeypatch, BREAK, config, SearchLimits(time_ms=0))
    assert caps
    assert {cap // 2, cap} == set(caps)


def test_a_long_time_budget_takes_nothing_from_the_searches_for_fours(monkeypatch):
    caps = caps_of(monkeypatch, BREAK, SOUND, SearchLimits(time_ms=1e6))
    assert {LAB.vcf_nodes // 2, LAB.vcf_nodes} == set(caps)


# --- where the gates are not enough ----------------------------------------------------------


def test_S1_D1_the_lab_breaks_where_no_chain_of_fours_is_left_and_layered_does_not_look():
    position = SHIPPED["quiet-break-chain"]
    layered, lab = (ENGINES[c].analyse(position.board) for c in (MASTER, LAB))
    assert ("break-open-four", "break-open-four") == (layered.gate, lab.gate)
    assert layered.move not in position.best
    assert lab.move in position.best
    before = naive.Position.of(position.board)
    assert naive.breaks(before, layered.move)
    assert naive.wins_by_fours(before.play(layered.move), 8)
    assert not naive.wins_by_fours(before.play(lab.move), 8)


OWN_CHAIN = """
9 . . . . . . . . .
8 . . . . . . . . .
7 . . O . . X . . .
6 . O X O . . O . .
5 . . X X . . . X .
4 . . . . . O . . .
3 . . X O . O . . .
2 . . . . . . . . .
1 . . . X . . . . .
  a b c d e f g h i
"""


def test_S1_D1_the_lab_wins_by_fours_where_layered_breaks_an_open_four():
    """Black wins by c4, then e5; White threatens an open four on the diagonal."""
    board = parse_diagram(OWN_CHAIN)
    layered, lab = (ENGINES[c].analyse(board) for c in (MASTER, LAB))
    assert ("break-open-four", "vcf") == (layered.gate, lab.gate)
    assert parse_move("c4", 9) == lab.move
    assert 5 == lab.proven == len(lab.pv)
    for move in lab.pv:
        board = board.play(move)
    assert 1 == board.winner
    after = naive.Position.of(parse_diagram(OWN_CHAIN)).play(layered.move)
    assert not all(
        naive.wins_by_fours(after.play(reply), 4)
        for reply in naive.points_of(after, after.side, naive.POINT_OPEN_FOUR)
        or naive.width_set(after, MASTER)
    )


@given(tense_boards())
@settings(max_examples=60)
def test_S1_D1_sound_gates_leave_no_chain_of_fours_if_any_move_does(board):
    position = naive.Position.of(board)
    expected = naive.gate(position, LAB)
    if expected is None or expected[0] != "break-open-four" or naive.wins_by_fours(position, 8):
        return
    moves = [
        move
        for move in board.legal_points()
        if (naive.breaks(position, move) or naive.makes_four(position, move))
        and not naive.wins_by_fours(position.play(move), 8)
    ]
    if moves:
        assert ENGINES[LAB].analyse(board).move in moves


def test_S1_33_a_chain_of_fours_proves_a_win_but_its_length_is_no_score():
    # The chain found wins within nine plies; g10 wins in seven.
    board = Board.from_moves("g5g9j9i10j8i7j7j10j6j5k10i8i11i9i6h8k11")
    found = ENGINES[LAB].analyse(board)
    assert ("vcf", 9, 9) == (found.gate, found.proven, len(found.pv))
    assert found.score is None
    assert found.mate is None
    assert "within 9 plies" in str(found)
