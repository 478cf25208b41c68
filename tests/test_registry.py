"""Player expressions, presets and player files: what they name, and how a wrong one is refused."""

import ast
import pickle
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gomoku_lab
from gomoku_lab.engine.config import ConfigError, EngineConfig, PatternWeights
from gomoku_lab.engine.settings import nest
from gomoku_lab.game.rules import Rule
from gomoku_lab.players.expressions import parse_expression
from gomoku_lab.players.families import FAMILIES, Family, family_named
from gomoku_lab.players.registry import (
    PlayerSpec,
    expand,
    families,
    make_player,
    presets,
    resolve,
    warm_up,
)

PACKAGE = Path(gomoku_lab.__file__).parent
LAYERED = ("novice", "casual", "skilled", "hard", "master")
LAB = tuple(f"lab/{level}" for level in range(1, 10))
ALL_FIVE = ("must-win", "must-block", "open-four", "break-open-four", "draw-board")
NO_BREAKING = ("must-win", "must-block", "open-four", "draw-board")


def engine_config(expression: str) -> EngineConfig:
    config = resolve(expression).config
    assert isinstance(config, EngineConfig)
    return config


# ---- the presets ---------------------------------------------------------------------------------


def test_presets_come_family_by_family_and_weakest_first() -> None:
    assert presets("layered") == tuple(f"layered/{level}" for level in LAYERED)
    assert [name for name in presets() if name.startswith("layered/")] == list(presets("layered"))
    assert set(presets("plain")) | set(presets("lab")) <= set(presets())


@pytest.mark.parametrize("name", presets())
def test_every_preset_describes_itself_in_one_line(name: str) -> None:
    spec = resolve(name)
    assert spec.name == name
    assert spec.family == name.split("/")[0]
    assert 10 < len(spec.description) < 90
    assert "\n" not in spec.description


def test_S1_27_levels_have_the_articles_depth_time_noise_and_width() -> None:
    found = {
        level: (config.depth, config.time_ms, config.noise, config.width)
        for level in LAYERED
        for config in [engine_config(f"layered/{level}")]
    }
    assert found == {
        "novice": (1, 90, 0.9, 8),
        "casual": (2, 200, 0.5, 10),
        "skilled": (4, 450, 0.18, 12),
        "hard": (6, 900, 0.04, 14),
        "master": (8, 1800, 0, 16),
    }


def test_S1_26_five_levels_are_one_engine_with_five_parameter_sets() -> None:
    specs = expand(["layered/*"])
    assert len(specs) == 5
    assert {(spec.family, type(spec.config)) for spec in specs} == {("layered", EngineConfig)}
    dumps = [spec.config.to_dict() for spec in specs]
    differing = {key for key in dumps[0] if len({str(dump[key]) for dump in dumps}) > 1}
    assert differing == {"depth", "time_ms", "noise", "width"}


def names_and_strings(tree: ast.Module) -> Iterator[str]:
    """Yield each identifier and string constant of a module, its docstrings left out."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=text) | ast.Attribute(attr=text) | ast.arg(arg=text):
                yield text
            case ast.Constant(value=str(text)) if id(node) not in docstrings:
                yield text


def test_S1_26_engine_code_knows_no_level() -> None:
    level = re.compile(rf"(?<![a-z])({'|'.join(LAYERED)}|level|levels)(?![a-z])")
    files = [*PACKAGE.glob("engine/*.py"), *PACKAGE.glob("kernels/*.py")]
    files += PACKAGE.glob("players/engine_player.py")
    found = {
        (file.name, text)
        for file in files
        for text in names_and_strings(ast.parse(file.read_text(encoding="utf-8")))
        if level.search(text)
    }
    assert len(files) > 4
    assert found == set()


def test_S1_13_layered_plays_with_the_default_weights() -> None:
    for name in presets("layered"):
        assert engine_config(name).weights == PatternWeights()


def test_plain_depth4_has_the_frame_of_skilled_and_no_threat_layer() -> None:
    plain, skilled = engine_config("plain/depth4"), engine_config("layered/skilled")
    for key in ("depth", "width", "radius", "table_bits", "weights"):
        assert getattr(plain, key) == getattr(skilled, key)
    assert not plain.threat_layer
    assert not plain.terminal
    assert plain.time_ms is None


def test_lab_has_nine_levels_of_one_engine_weakest_first() -> None:
    assert presets("lab") == (*LAB, "lab/max", "lab/v1")
    assert {resolve(name).family for name in LAB} == {"lab"}
    dumps = [engine_config(name).to_dict() for name in LAB]
    differing = {key for key in dumps[0] if len({str(dump[key]) for dump in dumps}) > 1}
    gates = {"vcf_nodes", "vct_nodes", "defence_nodes"}
    assert differing == {"depth", "time_ms", "nodes", "noise", "table_bits"} | gates


def test_lab_levels_grow_and_only_the_last_depends_on_the_clock() -> None:
    configs = [engine_config(name) for name in LAB]
    assert [config.reproducible for config in configs] == [True] * 8 + [False]
    noises = [config.noise for config in configs]
    assert noises == sorted(noises, reverse=True)
    for key in ("nodes", "vcf_nodes"):
        sizes = [getattr(config, key) or 0 for config in configs[:8]]
        assert sizes == sorted(sizes)


def test_lab_9_is_lab_max() -> None:
    nine, best = resolve("lab/9"), resolve("lab/max")
    assert (nine.config, nine.required) == (best.config, best.required)


def test_lab_keeps_its_gates_out_of_the_draw() -> None:
    assert {engine_config(name).noise_scope for name in presets("lab")} == {"search"}
    assert {engine_config(name).noise_scope for name in presets("layered")} == {"all"}


# ---- what a player must solve --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "required"),
    [
        ("layered/master", ALL_FIVE),
        ("lab/max", ALL_FIVE),
        ("lab/1", NO_BREAKING),
        ("lab/1:depth=2", NO_BREAKING),
        ("lab/1:noise=0", ALL_FIVE),
        ("lab/1:vcf_nodes=9", ("draw-board",)),
        ("lab/9", ALL_FIVE),
        ("layered/novice", ("draw-board",)),
        ("layered/novice:noise=0", ALL_FIVE),
        ("layered/novice:noise=0,nodes=500,time_ms=0", ALL_FIVE),
        ("layered/novice:noise=0.1", ("draw-board",)),
        ("layered/master:nodes=20000,time_ms=0", ALL_FIVE),
        ("layered/master:noise=0.2", ("draw-board",)),
        ("layered/master:threat_layer=false", ("draw-board",)),
        ("layered/hard:noise=0,threat_layer=false", ("draw-board",)),
        ("plain/depth4", ("draw-board",)),
    ],
)
def test_promise_holds_for_any_budget_and_without_noise(
    expression: str, required: tuple[str, ...]
) -> None:
    assert resolve(expression).required == required


# ---- expressions ---------------------------------------------------------------------------------


def test_overrides_change_the_preset_and_stand_in_the_name() -> None:
    spec = resolve(" layered/master: time_ms = 0 , nodes=20000 ")
    assert spec.name == "layered/master:time_ms=0,nodes=20000"
    assert spec.config == engine_config("layered/master").varied({"nodes": 20000, "time_ms": 0})
    assert spec.reproducible
    assert not resolve("layered/master").reproducible


def test_one_player_has_one_name_however_it_is_typed() -> None:
    names = {
        resolve(f"lab/max:{overrides}").name
        for overrides in (
            'noise_scope="all",noise=0.50,weights.two=91',
            "weights.two=91,noise=0.5,noise_scope=all",
            "noise=5e-1,noise_scope='all',weights.two=91",
        )
    }
    assert names == {"lab/max:noise=0.5,noise_scope=all,weights.two=91"}


@given(st.integers(1, 64), st.integers(1, 10**9), st.floats(0, 1), st.booleans())
def test_name_is_an_expression_for_the_same_player(
    depth: int, nodes: int, noise: float, gates: bool
) -> None:
    layer = str(gates).lower()
    text = f"layered/hard:threat_layer={layer},noise={noise!r},nodes={nodes},depth={depth}"
    assert resolve(resolve(text).name) == resolve(text)


def test_globs_name_every_matching_preset_and_take_overrides() -> None:
    assert [spec.name for spec in expand(["*"])] == list(presets())
    assert [spec.name for spec in expand(["layered/*:noise=0"])] == [
        f"layered/{level}:noise=0" for level in LAYERED
    ]
    assert [spec.name for spec in expand(["*/ma*"])] == ["layered/master", "lab/max"]


def test_player_named_twice_plays_once() -> None:
    names = [spec.name for spec in expand(["layered/hard", "layered/*", "layered/hard"])]
    assert names[0] == "layered/hard"
    assert len(names) == 5


def test_quoted_value_may_hold_commas_and_colons() -> None:
    parsed = parse_expression('a/b:text="x,y:z=1",n=2')
    assert (parsed.head, dict(parsed.overrides)) == ("a/b", {"text": "x,y:z=1", "n": 2})


def test_dotted_keys_become_tables() -> None:
    assert nest({"a.b": 1, "a.c.d": 2, "e": 3}) == {"a": {"b": 1, "c": {"d": 2}}, "e": 3}


def test_specs_survive_pickle_and_json() -> None:
    for expression in ("layered/hard:nodes=10", "python:my.module:Bot:time_ms=20"):
        spec = resolve(expression)
        assert pickle.loads(pickle.dumps(spec)) == spec
        assert PlayerSpec.from_dict(spec.to_dict()) == spec
        assert len(spec.config_hash) == 12


def test_python_expression_names_a_class_and_its_options() -> None:
    spec = resolve("python:my.module:Bot:hang_ms=500,time_ms=20")
    assert spec.name == "python:my.module:Bot:time_ms=20,hang_ms=500"
    assert spec.family == "python"
    assert spec.config.to_dict()["target"] == "my.module:Bot"
    assert spec.required == ()


# ---- wrong expressions ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("layerd/hard", r"unknown player 'layerd/hard'; did you mean 'layered/hard'\? players: "),
        ("layered/hrd:noise=0", r"unknown player 'layered/hrd'; did you mean 'layered/hard'\?"),
        ("nobody", r"unknown player 'nobody'; players: .*layered/master.*python:package"),
        ("nothing/*", r"unknown player 'nothing/\*'"),
        ("layered/hard:widht=3", r"layered/hard:widht=3: unknown key 'widht' \(value 3\); did you"),
        ("layered/hard:noise=2", r"^layered/hard:noise=2: noise must be 0..1: 2$"),
        ("layered/hard:noise", r"^layered/hard:noise: an override must be key=value: 'noise'$"),
        ("layered/hard:noise=0,", r"an override must be key=value: ''"),
        ("layered/hard:noise=0,noise=1", r"key 'noise' is given twice"),
        ("layered/hard:noise=1..2", r"noise must be a number, true, false or a word: '1..2'"),
        ("layered/hard:time_ms=0,depth=0", r"no limit is set"),
        ("layered/hard:weights.five=7", r"^layered/hard:weights.five=7: \[weights\] rule A"),
        ("layered/hard:weights=7", r"weights must be a table"),
        ("layered/*", r"^layered/\*: one player is wanted, this names 5: layered/novice, "),
        ("", r"must start with a player: ''"),
        (":noise=0", r"must start with a player: ':noise=0'"),
        ("python:Bot", r"^python:Bot: target must be package.module:Name.*: 'Bot'$"),
        ("python:my.module:Bot:nods=3", r"unknown key 'nods' \(value 3\); did you mean 'nodes'\?"),
    ],
)
def test_wrong_expression_is_refused_with_the_reason(expression: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        resolve(expression)


def test_missing_player_file_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"no/such\.toml"):
        resolve("no/such.toml")


# ---- player files --------------------------------------------------------------------------------


def write(folder: Path, text: str) -> str:
    file = folder / "mine.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize("expression", [*presets(), "python:my.module:Bot:time_ms=20"])
def test_written_file_is_the_same_player(tmp_path: Path, expression: str) -> None:
    spec = resolve(expression)
    again = resolve(write(tmp_path, spec.to_toml()))
    assert (again.family, again.config, again.required, again.description) == (
        spec.family,
        spec.config,
        spec.required,
        spec.description,
    )


def test_file_may_start_from_a_preset(tmp_path: Path) -> None:
    path = write(tmp_path, 'base = "layered/novice"\n[config]\nnoise = 0\nweights.two = 91\n')
    spec = resolve(path)
    assert spec.name == path
    assert spec.config == engine_config("layered/novice").varied({"noise": 0, "weights.two": 91})
    assert spec.required == ("draw-board",)


def test_file_keeps_the_promise_of_its_base(tmp_path: Path) -> None:
    path = write(tmp_path, 'base = "layered/novice"\n[config]\nnodes = 50\n')
    assert resolve(path).required == ("draw-board",)
    assert resolve(f"{path}:noise=0").required == ALL_FIVE
    assert resolve(f"{path}:noise=0").name == f"{path}:noise=0"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("family = 'layerd'", r"unknown family 'layerd'; did you mean 'layered'\?"),
        ("base = 'layered/hrd'", r"base must be a preset: 'layered/hrd'; did you mean"),
        ("[config]\ndepth = 1", r"must name either a family \(.*\) or a base"),
        ("family = 'lab'\nbase = 'lab/max'", r"must name either a family"),
        ("family = 'lab'\nnodes = 3", r"unknown key 'nodes' \(value 3\).*stand below \[config\]"),
        ("family = 'lab'\nconfig = 3", r"config must be a table \[config\]: 3"),
        ("family = 'lab'\n[config]\ndept = 3", r"\[config\] unknown key 'dept'.*mean 'depth'"),
        ("family = 'lab'\n[config.weights]\nfive = 3", r"\[config.weights\] "),
        ("family = 'lab'", r"\[config\] no limit is set"),
        ("family = 'lab'\nrequired = 3\n[config]\ndepth=1", r"required must be a list of kinds: 3"),
        ("family = 'lab'\ndescription = 3", r"description must be a string: 3"),
        ("family = ", r"not valid TOML"),
    ],
)
def test_wrong_file_is_refused_by_name(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(ConfigError, match=message) as caught:
        resolve(path)
    assert str(caught.value).startswith(f"{path}: ")


# ---- making a player -----------------------------------------------------------------------------


class Recorder:
    """Stands for an adapter: keeps the spec that it was made from, and who warmed it up."""

    warmed: ClassVar[list[object]] = []

    def __init__(self, spec: PlayerSpec) -> None:
        self.spec = spec

    @staticmethod
    def warm_up(progress: object = None) -> None:
        Recorder.warmed.append(progress)


def test_family_is_one_entry_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = Family("layered", FAMILIES["layered"].config, f"{__name__}:Recorder", "A stand-in")
    monkeypatch.setitem(FAMILIES, "layered", entry)
    for player in (resolve("layered/hard:nodes=9"), "layered/hard:nodes=9"):
        made: Any = make_player(player)
        assert made.spec == resolve("layered/hard:nodes=9")


def test_a_familys_kernels_are_loaded_once_and_only_for_players_that_need_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry = Family(
        "layered", FAMILIES["layered"].config, f"{__name__}:Recorder", "A stand-in", compiled=True
    )
    monkeypatch.setitem(FAMILIES, "layered", entry)
    monkeypatch.setattr(Recorder, "warmed", [])
    warm_up([resolve("python:my.module:Bot")], print)
    assert Recorder.warmed == []
    warm_up(expand(["layered/*", "python:my.module:Bot"]), print)
    make_player("layered/hard")
    assert Recorder.warmed == [print]


def test_who_makes_a_player_first_loads_its_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = replace(FAMILIES["layered"], adapter=f"{__name__}:Recorder")
    monkeypatch.setitem(FAMILIES, "layered", entry)
    monkeypatch.setattr(Recorder, "warmed", [])
    monkeypatch.setattr("gomoku_lab.players.registry._loaded", set())
    make_player("layered/hard")
    assert Recorder.warmed == [None]


def test_every_family_can_be_configured() -> None:
    for family in families():
        assert family.config_class.field_names()
        assert bool(family.target) != bool(presets(family.name))


@pytest.mark.parametrize("name", expand(["*"]), ids=lambda spec: spec.name)
def test_a_family_declares_the_rules_that_its_players_know(name):
    player = make_player(name)
    try:
        assert {rule for rule in Rule if player.plays(rule)} == set(
            family_named(name.family, name.name).rules
        )
    finally:
        player.close()


def test_S4_38_only_the_engine_families_and_site_play_renju():
    refusing = {family.name for family in families() if Rule.RENJU not in family.rules}
    assert {"pattern", "minimax", "textbook", "stages"} == refusing
