"""Points of a configuration: ranges, rounding, and the rules of the weights."""

import numpy as np
import pytest
import stub_players  # noqa: F401 - adds the family "stub"
from hypothesis import given
from hypothesis import strategies as st

from gomoku_lab.engine.config import PatternWeights
from gomoku_lab.engine.settings import ConfigError
from gomoku_lab.players.registry import resolve
from gomoku_lab.tuning.rules import keep_rules
from gomoku_lab.tuning.space import Space, parameters_of
from gomoku_lab.tuning.spsa import Schedule, Spsa

BASE = resolve("layered/hard")
WEIGHTS = PatternWeights.field_names()
uniform_lists = st.lists(st.floats(0, 1, exclude_max=True), min_size=8, max_size=8)


def space_of(*keys, base=BASE, distance=0.15):
    return Space(base, parameters_of(base.config, keys, distance=distance))


def keys_of(*wanted, base=BASE):
    return [one.key for one in parameters_of(base.config, wanted, distance=0.15)]


def test_keys_come_in_the_order_of_the_configuration_and_globs_take_what_can_be_tuned():
    assert keys_of("weights.*", "width") == ["width", *(f"weights.{key}" for key in WEIGHTS)]
    assert keys_of("*") == [
        *("defence", "radius", "width", "window", "table_bits", "noise"),
        *(f"weights.{key}" for key in WEIGHTS),
    ]


def test_ranges_and_kinds_come_from_the_configuration():
    width, noise, five = parameters_of(
        BASE.config, ["width", "noise=0.3", "weights.five"], distance=0.15
    )
    assert (width.low, width.high, width.whole, width.distance) == (1, 400, True, 0.15)
    assert (noise.low, noise.high, noise.whole) == (0.04 / 1000, 1, False)
    assert noise.distance == 0.3
    assert (five.start, five.high) == (10_000_000, 1_000_000_000)


def test_the_last_word_about_a_distance_counts():
    found = parameters_of(BASE.config, ["weights.*=0.2", "weights.one=0.4"], distance=0.1)
    assert [one.distance for one in found] == [0.2] * 7 + [0.4]


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("wieghts.two", "no such key; did you mean 'weights.two'"),
        ("zzz*", "those that can be tuned: defence, radius, width,"),
        ("ordering", "ordering is no number"),
        ("nodes", "nodes is a budget"),
        ("time_ms", "time_ms is a budget"),
        ("depth", "depth is a budget"),
        ("threads", "threads is a budget"),
        ("vcf_nodes", "vcf_nodes must start above 0, since it is moved by percentages: 0"),
        ("noise_*", "noise_scope is no number"),
        ("[nt]*s", "none of these can be tuned: time_ms, nodes, table_bits, threads"),
        ("width=x", "a distance must be above 0 and at most 1: 'x'"),
        ("width=0", "a distance must be above 0 and at most 1: '0'"),
    ],
)
def test_what_cannot_be_tuned_is_refused(key, message):
    if key == "[nt]*s":
        base = resolve("plain/depth4:table_bits=0")
        message = "none of these can be tuned"
    else:
        base = BASE
    with pytest.raises(ConfigError, match=message.replace("(", r"\(")):
        parameters_of(base.config, [key], distance=0.1)


def test_a_number_whose_neighbours_are_not_allowed_is_refused():
    with pytest.raises(ConfigError, match=r"window cannot be tuned: .*window must be 5, 7, 9"):
        space_of("window")


def test_a_point_and_its_values_are_each_others_logarithms():
    space = space_of("defence", "weights.two")
    assert {"defence": 1.0, "weights.two": 90} == space.values(space.start)
    point = space.start + np.array([0.1, -0.2])
    assert space.values(point) == {"defence": 1.10517, "weights.two": 74}
    spec = space.player(point)
    assert (spec.config.defence, spec.config.weights.two) == (1.10517, 74)
    assert resolve(spec.name).config == spec.config


@given(st.floats(-8, 8), st.floats(0, 1, exclude_max=True))
def test_numbers_stay_in_their_range(step, uniform):
    space = space_of("width", "noise")
    values = space.values(space.start + step, np.full(2, uniform))
    assert 1 <= values["width"] <= 400
    assert isinstance(values["width"], int)
    assert 0 < values["noise"] <= 1


def test_whole_numbers_are_rounded_at_random_so_that_their_mean_is_the_point():
    space = space_of("width")
    point = np.log([10.3])
    rounded = [space.values(point, np.array([draw]))["width"] for draw in np.arange(0, 1, 0.001)]
    assert set(rounded) == {10, 11}
    assert np.mean(rounded) == pytest.approx(10.3, abs=0.002)
    assert space.values(point) == {"width": 10}


@given(st.lists(st.floats(-6, 6), min_size=8, max_size=8), uniform_lists)
def test_S1_15_no_point_of_the_tuner_breaks_rule_a_or_rule_b(steps, uniforms):
    space = space_of("weights.*")
    point = space.start + np.array(steps)
    for draws in (None, np.array(uniforms)):
        space.player(point, draws)  # refused by name if a rule is broken
    projected = np.exp(space.project(point))
    five, open_four, _, open_three = projected[:4]
    assert open_four >= 2 * open_three * (1 - 1e-9)
    assert five >= 4 * projected[1:].sum() * (1 - 1e-9)


@given(
    st.lists(st.floats(-1.5, 1.5), min_size=8, max_size=8),
    st.sets(st.sampled_from(WEIGHTS), min_size=1),
    uniform_lists,
)
def test_what_is_not_tuned_stays_and_the_rules_are_kept_where_it_can_be(steps, free, uniforms):
    keys = [f"weights.{key}" for key in WEIGHTS if key in free]
    space = space_of(*keys)
    point = space.start + np.array(steps)[: len(keys)]
    try:
        spec = space.player(point, np.array(uniforms)[: len(keys)])
    except ConfigError:
        # Only open_four can rise, which five, that is not tuned, must outweigh.
        assert "five" not in free
        return
    for key in set(WEIGHTS) - free:
        assert getattr(spec.config.weights, key) == getattr(BASE.config.weights, key)


@given(st.lists(st.floats(-0.05, 0.05), min_size=8, max_size=8))
def test_what_keeps_the_rules_is_not_moved(steps):
    space = space_of("weights.*")
    point = space.start + np.array(steps)
    assert np.allclose(point, space.project(point), rtol=0, atol=1e-12)


@given(st.lists(st.floats(-6, 6), min_size=8, max_size=8))
def test_what_was_projected_is_not_moved_again(steps):
    space = space_of("weights.*")
    once = space.project(space.start + np.array(steps))
    assert np.allclose(once, space.project(once), rtol=0, atol=1e-8)


def test_rule_b_is_kept_by_the_nearest_point():
    weights = {**PatternWeights().to_dict(), "open_four": 10_000.0, "open_three": 20_000.0}
    kept = keep_rules(weights, WEIGHTS, whole=False)
    assert kept["open_four"] == pytest.approx(2 * kept["open_three"])
    moved = (kept["open_four"] / 10_000, 20_000 / kept["open_three"])
    assert moved[0] == pytest.approx(moved[1])
    assert moved[0] == pytest.approx(2)


@pytest.mark.parametrize(
    ("free", "changed"),
    [(("open_three",), {"open_three": 4_999}), (("open_four",), {"open_four": 40_001})],
)
def test_where_one_side_is_not_free_the_other_gives_way(free, changed):
    weights = {**PatternWeights().to_dict(), "open_four": 10_000, "open_three": 20_000}
    assert keep_rules(weights, free, whole=True) == {**weights, **changed}


def test_where_five_is_not_free_all_others_fall_alike():
    weights = PatternWeights().to_dict()
    large = {key: value * (1 if key == "five" else 100) for key, value in weights.items()}
    kept = keep_rules(large, [key for key in WEIGHTS if key != "five"], whole=True)
    PatternWeights(**kept)
    ratios = [kept[key] / large[key] for key in ("open_four", "four", "open_three", "open_two")]
    assert max(ratios) == pytest.approx(min(ratios), rel=0.01)


def trials_around(space, point, count=200):
    spsa = Spsa(point, space.distances, Schedule(pairs=count, rate=0.01), seed=5)
    return [(space.trial(point, trial), trial) for trial in spsa.ask(count)]


def test_both_players_of_a_trial_lie_on_either_side_of_the_point():
    space = space_of("weights.*", distance=0.3)
    for (first, second), trial in trials_around(space, space.start, count=20):
        for number, one in enumerate(space.parameters):
            key = one.key.removeprefix("weights.")
            a, b = (getattr(spec.config.weights, key) for spec in (first, second))
            assert (a >= b) == (trial.offsets[number] > 0)


def test_a_player_that_is_not_allowed_is_looked_for_nearer_to_the_point():
    # The table may have 10 to 26 bits, or none: 1 to 9 are refused.
    space = space_of("table_bits=0.4", base=resolve("layered/hard:table_bits=16"))
    for specs, _ in trials_around(space, np.log([10.0]), count=50):
        assert all(10 <= spec.config.table_bits <= 26 for spec in specs)


def test_other_families_are_tuned_as_well():
    base = resolve("stub:skilled:skill=0.2")
    space = space_of("skill", base=base)
    assert space.player(space.start + 0.1).name == "stub:skilled:skill=0.221034"
