"""Configurations: what they refuse and how they say it, and that nothing is lost on the way."""

import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_lab.engine.config import (
    ConfigError,
    EngineConfig,
    PatternWeights,
    SearchLimits,
    nearest_key,
)

# The tables of the articles (classes that a table lacks count nothing).
ARTICLE_TABLES = {
    "pattern": [1_000_000, 100_000, 10_000, 8_000, 800, 500, 100, 10],
    "layered": [10_000_000, 300_000, 26_000, 20_000, 1_100, 600, 90, 6],
    "textbook": [100_000, 10_000, 1_000, 100],
}


@st.composite
def weights(draw: st.DrawFn) -> PatternWeights:
    """Draw weights that keep both rules."""
    small = st.integers(1, 10_000)
    names = ("four", "open_three", "three", "open_two", "two", "one")
    values = {name: draw(small) for name in names}
    values["open_four"] = 2 * values["open_three"] + draw(small)
    values["five"] = 4 * sum(values.values()) + draw(small)
    return PatternWeights(**values)


@st.composite
def configs(draw: st.DrawFn) -> EngineConfig:
    """Draw any configuration that is allowed."""
    return EngineConfig(
        depth=draw(st.integers(1, 64)),
        time_ms=draw(st.none() | st.floats(0.001, 1e9)),
        nodes=draw(st.none() | st.integers(1, 2**62)),
        defence=draw(st.floats(0, 10)),
        radius=draw(st.integers(1, 14)),
        width=draw(st.integers(1, 400)),
        threat_layer=draw(st.booleans()),
        vcf_nodes=draw(st.integers(0, 10**9)),
        sound_gates=draw(st.booleans()),
        terminal=draw(st.booleans()),
        table_bits=draw(st.just(0) | st.integers(10, 26)),
        noise=draw(st.floats(0, 1)),
        noise_scope=draw(st.sampled_from(["all", "search"])),
        weights=draw(weights()),
    )


# ---- laws ----------------------------------------------------------------------------------------


@given(configs())
def test_toml_dictionary_and_pickle_give_back_the_same_configuration(config: EngineConfig) -> None:
    assert EngineConfig.from_toml(config.to_toml()) == config
    assert EngineConfig.from_dict(config.to_dict()) == config
    assert pickle.loads(pickle.dumps(config)) == config
    assert EngineConfig.from_toml(config.to_toml()).config_hash() == config.config_hash()


@given(configs(), configs())
def test_hashes_agree_exactly_where_configurations_do(a: EngineConfig, b: EngineConfig) -> None:
    assert (a.config_hash() == b.config_hash()) == (a == b)


@given(configs(), st.integers(1, 400))
def test_varying_changes_the_named_key_and_no_other(config: EngineConfig, width: int) -> None:
    varied = config.varied({"width": width})
    assert varied.to_dict() == {**config.to_dict(), "width": width}


@given(st.lists(st.integers(1, 10**9), min_size=8, max_size=8))
def test_S1_15_weights_are_accepted_exactly_when_both_rules_hold(values: list[int]) -> None:
    five, open_four, four, open_three, three, open_two, two, one = values
    rule_a = five > 4 * (open_four + four + open_three + three + open_two + two + one)
    rule_b = open_four > 2 * open_three
    named = dict(zip(PatternWeights.field_names(), values, strict=True))
    if rule_a and rule_b:
        assert PatternWeights(**named).to_dict() == named
    else:
        with pytest.raises(ConfigError, match="rule A" if not rule_a else "rule B"):
            PatternWeights(**named)


# ---- the table of the article and its two rules --------------------------------------------------


def test_S1_13_default_weights_are_the_articles_table() -> None:
    assert PatternWeights().to_dict() == {
        "five": 10_000_000,
        "open_four": 300_000,
        "four": 26_000,
        "open_three": 20_000,
        "three": 1_100,
        "open_two": 600,
        "two": 90,
        "one": 6,
    }
    assert EngineConfig(depth=1).weights == PatternWeights()


@pytest.mark.parametrize("family", ARTICLE_TABLES)
def test_S1_14_five_outweighs_four_lines_of_everything_else_in_each_article(family: str) -> None:
    five, *others = ARTICLE_TABLES[family]
    assert five > 4 * sum(others)


def test_S1_14_table_check_is_strict() -> None:
    others = sum(ARTICLE_TABLES["layered"][1:])
    assert PatternWeights(five=4 * others + 1).five == 4 * others + 1
    with pytest.raises(ConfigError, match=r"rule A is broken: five \(1391184\)"):
        PatternWeights(five=4 * others)


def test_S1_15_rule_b_is_strict_and_its_message_says_why() -> None:
    assert PatternWeights(open_four=40_001).open_four == 40_001
    with pytest.raises(ConfigError) as caught:
        PatternWeights(open_four=40_000)
    assert str(caught.value) == (
        "rule B is broken: open_four (40000) must be more than 2 x open_three (2 x 20000 = 40000)"
    )


@pytest.mark.parametrize(("line", "rule"), [("five = 5", "rule A"), ("open_four = 5", "rule B")])
def test_S1_15_loader_refuses_a_file_that_breaks_a_rule(
    tmp_path: Path, line: str, rule: str
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f"depth = 2\n[weights]\n{line}\n")
    with pytest.raises(ConfigError) as caught:
        EngineConfig.load(file)
    assert str(caught.value).startswith(f"{file}: [weights] {rule} is broken")


# ---- limits --------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["depth", "time_ms", "nodes"])
@pytest.mark.parametrize("nothing", [0, 0.0, None])
def test_zero_means_no_such_limit(key: str, nothing: float | None) -> None:
    other = "nodes" if key == "depth" else "depth"
    config = EngineConfig.from_dict({other: 7, key: nothing})
    assert getattr(config, key) is None
    assert getattr(config.limits, key) is None
    assert f"{key} = 0\n" in config.to_toml()


def test_configuration_without_any_limit_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"no limit is set.*depth, time_ms and nodes"):
        EngineConfig()
    with pytest.raises(ConfigError, match=r"^mine.toml: no limit is set"):
        EngineConfig.from_toml("depth = 0\ntime_ms = 0\n", source="mine.toml")


def test_search_limits_take_no_limit_and_a_budget_of_nothing() -> None:
    assert SearchLimits().is_unlimited
    assert SearchLimits(time_ms=0).time_ms == 0
    assert SearchLimits.from_dict(SearchLimits(time_ms=0).to_dict()) == SearchLimits(time_ms=0)
    with pytest.raises(ConfigError, match=r"depth must be 1..64: 0"):
        SearchLimits(depth=0)


def test_only_a_clock_makes_a_configuration_irreproducible() -> None:
    assert EngineConfig(depth=4, nodes=1000).reproducible
    assert not EngineConfig(depth=4, time_ms=100).reproducible
    assert not SearchLimits(time_ms=100).reproducible


# ---- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("depth", 65, "depth must be 1..64: 65"),
        ("depth", -1, "depth must be 1..64: -1"),
        ("depth", 2.5, "depth must be a whole number 1..64: 2.5"),
        ("depth", True, "depth must be a whole number 1..64: True"),
        ("time_ms", -1, "time_ms must be 0 or more: -1"),
        ("time_ms", float("nan"), "time_ms must be 0 or more: nan"),
        ("time_ms", float("inf"), "time_ms must be 0 or more: inf"),
        ("time_ms", "fast", "time_ms must be a number, 0 or more: 'fast'"),
        ("nodes", -5, "nodes must be 1..4611686018427387904: -5"),
        ("width", 0, "width must be 1..400: 0"),
        ("width", 401, "width must be 1..400: 401"),
        ("radius", 15, "radius must be 1..14: 15"),
        ("defence", 10.5, "defence must be 0..10: 10.5"),
        ("noise", 1.01, "noise must be 0..1: 1.01"),
        ("threat_layer", 1, "threat_layer must be true or false: 1"),
        ("table_bits", 9, "table_bits must be 0 (no table) or 10..26: 9"),
        ("table_bits", 27, "table_bits must be 0..26: 27"),
        (
            "noise_scope",
            "serch",
            "noise_scope must be one of all, search: 'serch'; did you mean 'search'?",
        ),
        (
            "weights",
            3,
            "weights must be a table with the keys five, open_four, four, open_three, three, "
            "open_two, two, one: 3",
        ),
    ],
)
def test_bad_value_names_source_key_value_and_what_is_allowed(
    key: str, value: Any, message: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        EngineConfig.from_dict({"nodes": 100, key: value}, source="mine.toml")
    assert str(caught.value) == f"mine.toml: {message}"


def test_unknown_key_names_the_nearest_one() -> None:
    with pytest.raises(ConfigError) as caught:
        EngineConfig.from_dict({"widht": 12}, source="presets.toml", table="engine")
    assert str(caught.value).startswith(
        "presets.toml: [engine] unknown key 'widht' (value 12); did you mean 'width'? allowed: "
        "depth, time_ms, nodes,"
    )


def test_unknown_weight_names_the_nearest_one_and_its_table() -> None:
    with pytest.raises(ConfigError, match=r"^mine.toml: \[weights\] unknown key 'openfour'") as e:
        EngineConfig.from_toml("depth = 1\nweights.openfour = 5\n", source="mine.toml")
    assert "did you mean 'open_four'?" in str(e.value)


def test_key_that_resembles_none_gets_no_guess() -> None:
    assert nearest_key("widht", ["depth", "width"]) == "width"
    assert nearest_key("zzz", ["depth", "width"]) is None
    with pytest.raises(ConfigError, match=r"unknown key 'zzz' \(value 1\); allowed: depth"):
        EngineConfig.from_dict({"zzz": 1})


def test_text_that_is_no_toml_names_file_and_line() -> None:
    with pytest.raises(ConfigError, match=r"^mine.toml: not valid TOML: .*line 2"):
        EngineConfig.from_toml("depth = 1\nwidth ==\n", source="mine.toml")


# ---- forms ---------------------------------------------------------------------------------------


def test_dotted_keys_reach_the_weights() -> None:
    config = EngineConfig.from_dict({"depth": 1, "weights.two": 91, "weights.one": 7})
    assert (config.weights.two, config.weights.one) == (91, 7)
    again = config.varied({"weights.two": 92})
    assert (again.weights.two, again.weights.one) == (92, 7)


def test_whole_numbers_and_floats_of_one_value_are_one_configuration() -> None:
    assert EngineConfig(depth=1, noise=0).config_hash() == EngineConfig(depth=1).config_hash()
    assert EngineConfig(time_ms=90) == EngineConfig(time_ms=90.0)


def test_hash_of_a_configuration_stays_what_it_was() -> None:
    # Stored runs hold this hash: if it changes, no run from before can be resumed.
    assert EngineConfig(depth=4).config_hash() == "8709c34c3e0a"


def test_a_key_at_its_default_does_not_enter_the_hash() -> None:
    values = EngineConfig(depth=4).to_dict()
    short = EngineConfig.from_dict({"depth": 4})
    assert EngineConfig.from_dict(values).config_hash() == short.config_hash()
    assert EngineConfig(depth=4, window=9).config_hash() != short.config_hash()
