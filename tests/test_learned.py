"""Learned evaluations: codes, files, hashes, and that the engine evaluates what the table says."""

import itertools
import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from state_tools import put, quiet_board, take_back, working

from gomoku_lab.engine.config import ConfigError, EngineConfig, PatternWeights
from gomoku_lab.engine.engine import Engine, evaluate
from gomoku_lab.engine.learned import (
    COMBINATIONS,
    FIVE_GRADE,
    GRADE_NAMES,
    NO_COMBINATION,
    LearnedTable,
    combination_of_code,
    load_table,
    pinned,
)
from gomoku_lab.engine.position import WorkingState
from gomoku_lab.game.board import Board
from gomoku_lab.kernels import layout
from gomoku_lab.kernels.state import evaluate as evaluate_state
from gomoku_lab.kernels.state import threats_held
from gomoku_lab.players.registry import make_player, resolve

COUNT = len(COMBINATIONS)


def random_table(seed, **facts):
    draw = np.random.default_rng(seed)
    own, other = draw.integers(-900, 900, (2, COUNT))
    own[-1] = other[-1] = 0
    threats = draw.integers(-900, 900, (layout.THREAT_STATES, layout.THREAT_STATES))
    errors = {}
    if seed % 2:
        shapes = {"own": own.shape, "other": own.shape, "threats": threats.shape}
        errors = {f"{name}_error": draw.integers(0, 99, shape) for name, shape in shapes.items()}
    return LearnedTable(
        own=own,
        other=other,
        threats=threats,
        tempo=int(draw.integers(-50, 50)),
        **errors,
        facts=facts,
    )


def as_table(weights):
    """Return the table that says what the hand weights say."""
    worth = {layout.CLASS_OF_GRADE[grade]: 0 for grade in range(layout.GRADES)}
    for name in PatternWeights.field_names():
        worth[getattr(layout, name.upper())] = getattr(weights, name)
    values = [sum(worth[layout.CLASS_OF_GRADE[g]] for g in codes) for codes in COMBINATIONS]
    return LearnedTable(own=np.array(values), other=np.array(values))


@pytest.fixture
def saved(tmp_path):
    table = random_table(1, games=7)
    path = tmp_path / "table.json"
    path.write_text(table.to_json())
    return path, table


def test_there_are_1820_unordered_codes_of_thirteen_grades():
    assert 13 == FIVE_GRADE == layout.GRADES - 1
    assert 1820 == COUNT == len(set(COMBINATIONS))


def test_a_code_is_one_combination_whatever_the_order_of_its_directions():
    numbers = combination_of_code()
    draw = np.random.default_rng(2)
    for grades in draw.integers(0, layout.GRADES, (300, 4)).tolist():
        found = {
            int(numbers[sum(g << (4 * place) for place, g in enumerate(order))])
            for order in itertools.permutations(grades)
        }
        (number,) = found
        if FIVE_GRADE in grades:
            assert NO_COMBINATION == number
        else:
            assert COMBINATIONS[number] == tuple(sorted(grades, reverse=True))


@settings(max_examples=12)
@given(st.integers(0, 10**6))
def test_a_table_survives_its_file(seed):
    table = random_table(seed, root=seed)
    again = LearnedTable.from_json(table.to_json(), source="text")
    for name in ("own", "other", "threats"):
        assert np.array_equal(getattr(table, name), getattr(again, name))
        one, two = (getattr(found, f"{name}_error") for found in (table, again))
        assert np.array_equal(one, two) if seed % 2 else one is two is None
    assert (table.tempo, table.facts, table.digest) == (again.tempo, again.facts, again.digest)


def test_a_changed_value_changes_the_hash_and_facts_do_not():
    table = random_table(3)
    own = table.own.copy()
    own[5] += 1
    assert replace(table, own=own).digest != table.digest
    assert replace(table, threats=table.threats + 1).digest != table.digest
    assert random_table(3, games=1).digest == table.digest


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda v: v.update(schema=2), "schema 1 is wanted"),
        (lambda v: v.update(tempo=v["tempo"] + 1), "it was changed"),
        (lambda v: v.pop("rows"), "'rows'"),
        (lambda v: v["rows"][0].__setitem__(0, ["five", "one", "one", "one"]), "four of none, one"),
        (lambda v: v["rows"][0].__setitem__(1, 10**8), r"-10000000\.\.10000000"),
        (lambda v: v["rows"][0].pop(), "a row must hold"),
        (lambda v: v["threats"][0].__setitem__(0, "six"), "a row of threats must hold"),
        (lambda v: v["threats"][0].pop(), "a row of threats must hold"),
        (lambda v: v.pop("threats"), "'threats'"),
    ],
)
def test_a_damaged_file_is_refused_by_name(saved, change, message):
    path, _ = saved
    values = json.loads(path.read_text())
    change(values)
    with pytest.raises(ConfigError, match=message) as error:
        LearnedTable.from_json(json.dumps(values), source="my.json")
    assert "my.json" in str(error.value)


def test_a_table_is_named_by_path_and_hash(saved):
    path, table = saved
    assert f"{path}@{table.digest}" == pinned(str(path))
    assert table.digest == load_table(pinned(str(path))).digest
    with pytest.raises(ConfigError, match=f"has hash {table.digest}, not '0123456789ab'"):
        load_table(f"{path}@0123456789ab")
    with pytest.raises(ConfigError, match="cannot read"):
        load_table(f"{path}x.json")
    with pytest.raises(ConfigError, match=r"hand, a \.json file or one that ships"):
        load_table("nothing")


def test_a_player_expression_gets_the_hash_of_its_table(saved):
    path, table = saved
    spec = resolve(f"layered/skilled:time_ms=0,evaluation={path}")
    assert f"{path}@{table.digest}" == spec.config.evaluation
    assert spec == resolve(spec.name)
    assert spec.config_hash != resolve("layered/skilled:time_ms=0").config_hash
    with pytest.raises(ConfigError, match=r"layered/skilled:evaluation=no\.json: evaluation"):
        resolve("layered/skilled:evaluation=no.json")


@pytest.mark.parametrize("seed", range(6))
def test_the_evaluation_is_the_sum_of_the_tables_values(saved, seed):
    path, table = saved
    config = EngineConfig(depth=2, evaluation=str(path))
    state = working(quiet_board(seed, size=15, stones=4), config)
    numbers = combination_of_code()
    played = 0
    for move in np.random.default_rng(seed).permutation(225).tolist():
        if state.record["cells"][state.cell(move)] != layout.EMPTY or played > 30:
            continue
        put(state, move)
        played += 1
        record, side = state.record, int(state.record["side"])
        empty = record["codes"][record["cells"] == layout.EMPTY].astype(np.int64)
        sums = [
            sum(values[n] * k for n, k in Counter(numbers[code].tolist()).items() if n < COUNT)
            for values, code in (
                (table.own, (empty >> (32 * side)) & 0xFFFF),
                (table.other, (empty >> (32 * (1 - side))) & 0xFFFF),
            )
        ]
        if not record["fives"].any():
            levels = (threats_held(record, one) for one in (side, 1 - side))
            threats = table.threats[tuple(levels)]
            assert sums[0] - sums[1] + threats + table.tempo == evaluate_state(record)
    before = evaluate_state(state.record)
    put(state, next(m for m in range(225) if not state.record["cells"][state.cell(m)]))
    take_back(state)
    assert before == evaluate_state(state.record)


def test_a_table_of_the_hand_weights_plays_as_the_hand_weights_do(tmp_path):
    path = tmp_path / "hand.json"
    weights = PatternWeights()
    path.write_text(as_table(weights).to_json())
    hand = EngineConfig(depth=4, threat_layer=False)
    table = EngineConfig(depth=4, threat_layer=False, evaluation=str(path))
    for seed in range(4):
        board = quiet_board(seed, size=15, stones=8)
        assert evaluate(board, hand) == evaluate(board, table)
        one, two = (Engine(config).analyse(board) for config in (hand, table))
        assert (one.move, one.score, one.nodes, one.roots) == (
            two.move,
            two.score,
            two.nodes,
            two.roots,
        )


def test_exact_root_scores_are_those_of_the_learned_evaluation(saved):
    path, _ = saved
    config = EngineConfig(depth=1, evaluation=str(path), threat_layer=False)
    board = Board.from_moves("h8i9g7")
    for root in Engine(config).exact_root(board, depth=1, count=4):
        state = WorkingState(config)
        state.set_up(board.play(root.move))
        assert root.score == -evaluate_state(state.record)


def test_a_player_with_a_learned_table_plays(saved):
    path, _ = saved
    player = make_player(f"lab/max:time_ms=0,nodes=500,evaluation={path}")
    assert player.choose(Board.from_moves("h8")).move is not None
    assert GRADE_NAMES[-1] == "five"
