"""How external programs are configured: what is refused, and that nothing is lost on the way."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_lab.engine.settings import ConfigError
from gomoku_lab.players.expressions import format_changes
from gomoku_lab.players.external_config import GomocupConfig
from gomoku_lab.players.registry import PlayerSpec, resolve

LINES = st.text(st.characters(exclude_characters="\0\r\n", exclude_categories=["Cs"]))
WORDS = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,9}", fullmatch=True)
CONFIGS = st.builds(
    GomocupConfig,
    target=st.just("./pbrain-x"),
    arguments=st.lists(LINES),
    folder=LINES,
    info=st.dictionaries(WORDS, LINES | st.integers(-(2**40), 2**40) | st.floats(-1e9, 1e9)),
    nodes=st.integers(0, 10**9),
    match_ms=st.floats(1, 1e9) | st.none(),
    rules=st.permutations(["freestyle", "standard", "renju"]).map(lambda rules: rules[:2]),
    about=st.booleans(),
)


def config_of(expression: str) -> GomocupConfig:
    config = resolve(expression).config
    assert isinstance(config, GomocupConfig)
    return config


@given(CONFIGS)
def test_an_expression_holds_every_setting(config: GomocupConfig) -> None:
    changes = format_changes(config).partition(",")[2]  # without the target
    expression = f"gomocup:./pbrain-x:{changes}".removesuffix(":")
    assert config == config_of(expression)
    assert resolve(resolve(expression).name) == resolve(expression)


@given(CONFIGS)
def test_a_file_and_a_run_hold_every_setting(config: GomocupConfig) -> None:
    spec = PlayerSpec(name="gomocup:./pbrain-x", family="gomocup", config=config)
    assert spec == PlayerSpec.from_dict(spec.to_dict())
    with tempfile.NamedTemporaryFile("w", suffix=".toml", encoding="utf-8") as file:
        file.write(spec.to_toml())
        file.flush()
        again = resolve(file.name)
    assert (config, config.config_hash()) == (again.config, again.config_hash)


def test_one_program_has_one_name_however_it_is_typed() -> None:
    names = {
        resolve(f"gomocup:./pbrain-x:{overrides}").name
        for overrides in (
            'info.a=1,info.b=two,arguments=["-v", "a,b]"],folder=/tmp/x',
            "folder = '/tmp/x', info = {b = 'two', a = 1}, arguments = ['-v', 'a,b]']",
        )
    }
    assert {
        'gomocup:./pbrain-x:arguments=["-v", "a,b]"],folder=/tmp/x,info.a=1,info.b=two'
    } == names


def test_further_keys_join_those_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text('family = "gomocup"\n[config]\ntarget = "x"\n[config.info]\na = 1\nb = 2\n')
    assert (("a", 1), ("b", 3), ("c", 4)) == config_of(f"{file}:info.c=4,info.b=3").info
    assert f"{file}:info.b=3,info.c=4" == resolve(f"{file}:info.c=4,info.b=3").name


def test_a_word_that_means_something_else_is_quoted() -> None:
    assert "true" == config_of('gomocup:x:folder="true"').folder
    assert 'gomocup:x:folder="true"' == resolve('gomocup:x:folder="true"').name


@pytest.mark.parametrize(
    ("settings", "reproducible"),
    [
        ("", False),
        ("time_ms=0,nodes=1000", False),
        ("time_ms=0,nodes=1000,reproducible=true", True),
        ("time_ms=0,reproducible=true", True),
    ],
)
def test_only_the_user_can_promise_that_games_repeat(settings: str, reproducible: bool) -> None:
    assert reproducible == resolve(f"gomocup:x:{settings}").reproducible


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("reproducible=true", "reproducible cannot be true while there is a limit in time"),
        ("time_ms=0,match_ms=5,reproducible=true", "reproducible cannot be true while"),
        ("time_ms=0.5", "time_ms must be 1 or more: 0.5"),
        ("memory_mb=-1", "memory_mb must be 1..1048576: -1"),
        ('rules=["gomoku"]', r"rules must be some of freestyle, standard, renju: \['gomoku'\]"),
        ("rules=[]", r"rules must be some of freestyle, standard, renju: \[\]"),
        ("arguments=brain", "arguments must be a list of strings: 'brain'"),
        ("arguments=[1]", r"arguments must be a list of strings: \[1\]"),
        ('arguments=["a\\u0000"]', "arguments must be one line without a zero byte"),
        ('folder="a\\nb"', r"folder must be one line without a zero byte: 'a\\nb'"),
        ("folder=3", "folder must be a string: 3"),
        ('info.mood="a\\rb"', r"info.mood must be one line without a zero byte: 'a\\rb'"),
        ("info.mood=true", "info.mood must be a number or a string: True"),
        ("info.a.b=1", "info.a must be a number or a string: {'b': 1}"),
        ('info={"a b" = 1}', "info: a key must be a word: 'a b'"),
        ("info=3", "info must be a table: 3"),
        ("nods=3", "unknown key 'nods'.*did you mean 'nodes'"),
        ('arguments=["a"', r"arguments must be a whole list, such as \["),
        ("info={a=1", r"info must be a whole table, such as \{one = 1, two = 2\}: '\{a=1'"),
        ('folder="a', r"""folder must be a text with a quotation mark at its end: '"a'"""),
    ],
)
def test_wrong_setting_is_refused_with_the_reason(settings: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        resolve(f"gomocup:x:{settings}")


def test_a_target_is_wanted() -> None:
    for expression in ("gomocup:", "gomocup", "gomocup: ", "gomocup:time_ms=5", "gomocup::nodes=5"):
        with pytest.raises(ConfigError, match=r"^gomocup: PATH is missing: gomocup:PATH is want"):
            resolve(expression)


def test_settings_that_were_not_chosen_leave_the_hash_alone() -> None:
    values: dict[str, Any] = {"target": "x", "pause_ms": 5.0, "info": {}}
    assert GomocupConfig(target="x").config_hash() == GomocupConfig(**values).config_hash()
    assert GomocupConfig(target="x").config_hash() != GomocupConfig(target="y").config_hash()
