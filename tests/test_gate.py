"""The gate: who passes, what is written, how it goes on after a kill, what it refuses."""

import json
from dataclasses import replace

import jsonschema
import pytest
from arena_tools import small_config

from gomoku_lab.arena.store import RunError, load_run
from gomoku_lab.engine.settings import ConfigError
from gomoku_lab.game.schemas import load_schema
from gomoku_lab.players import files
from gomoku_lab.players.files import read_player_file
from gomoku_lab.players.registry import resolve
from gomoku_lab.stats.sprt import Hypotheses
from gomoku_lab.tuning.accepted import check_out, check_preset, source_of, write_accepted
from gomoku_lab.tuning.budget import Budget
from gomoku_lab.tuning.gate import GateConfig, load_gate, new_gate, play_gate

TEST = Hypotheses(elo0=0, elo1=200, model="logistic")
BUDGETS = (Budget("nodes", 10), Budget("nodes", 20))
WINNER, LOSER = "stub:forward", "stub:illegal:after=9"


def config(candidate=WINNER, base=LOSER, *, pairs=44, budgets=BUDGETS, sprt=TEST):
    return GateConfig(small_config((candidate, base), pairs=pairs, sprt=sprt), budgets)


def play(folder, gate_config, **options):
    gate = new_gate(folder, gate_config, source={}, command=["gomoku-lab", "accept"])
    return play_gate(gate, jobs=1, **options)


@pytest.fixture(scope="module")
def accepted(tmp_path_factory):
    return play(tmp_path_factory.mktemp("gate") / "gate", config())


def test_a_candidate_that_wins_at_every_budget_is_accepted(accepted):
    assert accepted.verdict == "accepted"
    assert [stage.test.state.decision for stage in accepted.stages] == ["H1", "H1"]
    for budget, stage in zip(BUDGETS, accepted.stages, strict=True):
        run = load_run(accepted.path / budget.folder)
        assert {spec.config.nodes for spec in run.config.players} == {budget.value}
        assert len(stage.test.judged) <= len(run.pairs) < 44


def test_a_candidate_that_loses_is_rejected_at_the_first_budget(tmp_path):
    gate = play(tmp_path / "gate", config(LOSER, WINNER))
    assert gate.verdict == "rejected"
    assert len(gate.stages) == 1
    assert not (gate.path / BUDGETS[1].folder).exists()


def test_a_candidate_that_loses_at_the_second_budget_alone_is_rejected(tmp_path, accepted):
    # The second match is played by others, who turn the result round.
    gate = replace(accepted, path=tmp_path / "gate")
    turned = play(tmp_path / "turned", config(LOSER, WINNER)).stages[0]
    assert replace(gate, stages=(gate.stages[0], turned)).verdict == "rejected"


def test_a_candidate_without_a_verdict_is_not_accepted(tmp_path):
    gate = play(tmp_path / "gate", config(pairs=4))
    assert gate.verdict == "undecided"
    assert len(gate.stages) == 1
    with pytest.raises(ValueError, match="the candidate is undecided"):
        write_accepted(gate, tmp_path / "new.toml")
    assert not (tmp_path / "new.toml").exists()


def test_a_gate_that_has_not_been_played_has_no_verdict(tmp_path):
    gate = new_gate(tmp_path / "gate", config(), source={})
    assert gate.verdict is None
    assert load_gate(tmp_path / "gate") == gate
    with pytest.raises(ValueError, match="not yet tested"):
        write_accepted(gate, tmp_path / "new.toml")


def without_times(gate):
    values = gate.to_dict()
    return {key: value for key, value in values.items() if key != "started"}


@pytest.mark.parametrize("stage", [0, 1])
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_a_gate_that_was_killed_goes_on_to_the_same_verdict(tmp_path, accepted, stage, share):
    expected = without_times(accepted)
    gate = play(tmp_path / "gate", config())
    facts = json.loads((gate.path / "gate.json").read_text())
    (gate.path / "gate.json").write_text(json.dumps({**facts, "verdict": None, "stages": []}))
    for later in BUDGETS[stage + 1 :]:
        for file in (gate.path / later.folder).iterdir():
            file.unlink()
    log = gate.path / BUDGETS[stage].folder / "games.jsonl"
    log.write_bytes(log.read_bytes()[: int(share * log.stat().st_size)])
    again = play_gate(load_gate(gate.path), jobs=1)
    assert expected == without_times(again)
    assert json.loads((gate.path / "gate.json").read_text()) == json.loads(
        json.dumps(again.to_dict())
    )


def test_a_gate_with_a_verdict_plays_nothing_more(accepted):
    before = {path: path.read_bytes() for path in accepted.path.rglob("games.jsonl")}
    again = play_gate(load_gate(accepted.path))
    assert again.to_dict() == accepted.to_dict()
    assert before == {path: path.read_bytes() for path in accepted.path.rglob("games.jsonl")}


def test_the_file_of_a_gate_fits_its_schema(accepted, tmp_path):
    validator = jsonschema.Draft202012Validator(load_schema("gate"))
    values = json.loads((accepted.path / "gate.json").read_text())
    validator.validate(values)
    for key in values:
        assert not validator.is_valid({k: v for k, v in values.items() if k != key})
    begun = new_gate(tmp_path / "gate", config(), source={})
    validator.validate(json.loads(json.dumps(begun.to_dict())))


def test_an_accepted_candidate_is_written_with_where_it_came_from(accepted, tmp_path):
    path = tmp_path / "new.toml"
    write_accepted(accepted, path)
    file = read_player_file(path)
    assert file.config == accepted.config.candidate.config
    found = file.provenance
    assert found["commands"] == ["gomoku-lab accept"]
    assert (found["openings"], found["seed"]) == ("own", 0)
    assert found["base"].startswith(LOSER)
    for budget, stage in zip(BUDGETS, accepted.stages, strict=True):
        verdict = found["verdicts"][budget.folder]
        assert verdict["decision"] == "H1"
        assert verdict["counts"] == list(stage.test.state.counts)
    assert resolve(str(path)).config == file.config
    assert source_of(str(path)) == found
    assert source_of(f"{path}:salt=3") == found
    assert source_of("layered/hard") == {}
    with pytest.raises(ConfigError, match="this file exists already"):
        write_accepted(accepted, path)


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout with one preset of the family of the stubs."""
    presets = tmp_path / "gomoku_lab" / "players" / "presets"
    (presets / "stub").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    monkeypatch.setattr(files, "_PRESETS", presets)
    monkeypatch.setattr(files, "_CHECKOUT", tmp_path)
    (presets / "stub" / "one.toml").write_text(
        'family = "stub"\ndescription = "The first"\norder = 3\nrequired = ["must-win"]\n'
        '[config]\ntarget = "illegal"\nafter = 9\n'
    )
    return presets / "stub"


def test_a_preset_is_replaced_only_if_it_was_the_base(checkout, accepted):
    path = check_preset("stub/one", accepted.config)
    assert path == checkout / "one.toml"
    write_accepted(accepted, path, replacing=True)
    file = read_player_file(path)
    assert file.config == accepted.config.candidate.config
    assert (file.description, file.order, file.required) == ("The first", 3, ("must-win",))
    assert file.provenance["gate"] == accepted.config.config_hash()
    with pytest.raises(ConfigError, match="not what the candidate is tested against"):
        check_preset("stub/one", accepted.config)


def test_a_new_preset_is_written(checkout, accepted):
    path = check_preset("stub/two", accepted.config)
    write_accepted(accepted, path, replacing=True)
    assert read_player_file(path).config == accepted.config.candidate.config


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("stub", "must be named family/level"),
        ("../stub/one", "must be named family/level"),
        ("nobody/one", "unknown family"),
        ("layered/new", "has no presets"),
        ("site/new", "has no presets"),
    ],
)
def test_what_is_no_preset_is_not_written(checkout, accepted, name, message):
    with pytest.raises(ConfigError, match=message):
        check_preset(name, accepted.config)


def test_a_preset_of_another_family_is_not_written(accepted):
    with pytest.raises(ConfigError, match="is of family stub"):
        check_preset("layered/new", accepted.config)


def test_presets_are_not_written_into_an_installed_package(checkout, accepted):
    (checkout.parents[3] / ".git").rmdir()
    with pytest.raises(ConfigError, match="in a checkout only"):
        check_preset("stub/one", accepted.config)


@pytest.mark.parametrize(
    ("path", "message"), [("x.json", "called something.toml"), ("nowhere/x.toml", "no folder")]
)
def test_a_file_that_cannot_stand_there_is_refused(tmp_path, path, message):
    with pytest.raises(ConfigError, match=message):
        check_out(tmp_path / path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"budgets": BUDGETS[:1]}, "at least two different budgets: nodes=10"),
        ({"budgets": (*BUDGETS, BUDGETS[0])}, "at least two different budgets"),
        ({"sprt": None}, "a sequential test"),
        ({"sprt": Hypotheses(elo0=-10, elo1=0)}, "elo0 must not be below 0"),
        ({"base": WINNER}, "nothing to test"),
        ({"base": f"{WINNER}:nodes=7"}, "nothing to test"),
        ({"candidate": "textbook/depth1"}, "unknown key 'nodes'"),
    ],
)
def test_a_gate_that_would_test_nothing_is_refused(changes, message):
    with pytest.raises(ConfigError, match=message):
        config(**changes)


@pytest.mark.parametrize(
    ("key", "value", "message"), [("width", 3, "must be one of"), ("nodes", 0, "above 0")]
)
def test_a_budget_that_is_none_is_refused(key, value, message):
    with pytest.raises(ConfigError, match=message):
        Budget(key, value)


def test_a_budget_replaces_nodes_and_time_and_leaves_the_depth():
    spec = Budget("time_ms", 50).of(resolve("stub:forward:nodes=9,depth=3"))
    assert (spec.config.nodes, spec.config.time_ms, spec.config.depth) == (None, 50, 3)
    assert resolve(spec.name).config == spec.config


def test_a_changed_gate_is_refused(tmp_path):
    new_gate(tmp_path / "gate", config(), source={})
    path = tmp_path / "gate" / "gate.json"
    facts = json.loads(path.read_text())
    facts["config"]["budgets"][0]["value"] = 11
    path.write_text(json.dumps(facts))
    with pytest.raises(RunError, match="were changed since"):
        load_gate(tmp_path / "gate")


def test_a_folder_with_a_gate_or_a_run_is_not_used_again(tmp_path, accepted):
    for folder in (accepted.path, accepted.path / BUDGETS[0].folder):
        with pytest.raises(RunError, match="there is a run in this folder already"):
            new_gate(folder, config(), source={})
    with pytest.raises(RunError, match="no gate in this folder"):
        load_gate(tmp_path)


def test_a_match_that_is_not_the_gates_own_is_refused(tmp_path):
    gate = new_gate(tmp_path / "gate", config(), source={})
    other = play(tmp_path / "other", config(pairs=4))
    (other.path / BUDGETS[0].folder).rename(gate.path / BUDGETS[0].folder)
    with pytest.raises(RunError, match="but the gate plays one with"):
        play_gate(gate, jobs=1)
