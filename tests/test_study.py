"""Studies: the same way whatever happens, what is written, what is refused."""

import json
import os
import signal
from xml.etree import ElementTree

import jsonschema
import numpy as np
import pytest
from arena_tools import own_openings
from kill_tools import kill_twenty_times
from matplotlib.figure import Figure

from gomoku_lab.arena.imported import load_any_run
from gomoku_lab.arena.log import RunError, read_pairs
from gomoku_lab.arena.match import Adjudication
from gomoku_lab.arena.store import load_run
from gomoku_lab.engine.settings import ConfigError
from gomoku_lab.game.rules import Rule
from gomoku_lab.game.schemas import load_schema
from gomoku_lab.players.files import read_player_file
from gomoku_lab.players.registry import resolve
from gomoku_lab.plots import plot_trajectory
from gomoku_lab.tuning.budget import Budget
from gomoku_lab.tuning.plan import StudyPlan, StudySettings, resolve_study
from gomoku_lab.tuning.space import parameters_of
from gomoku_lab.tuning.spsa import Schedule
from gomoku_lab.tuning.study import Hooks, load_study, resume_study, run_study
from gomoku_lab.tuning.study_view import study_html
from gomoku_lab.tuning.trajectory import Tuning, Way, ways_in_percent

BASE = "stub:skilled:skill=0.3,out_of=2"


def plan(*, pairs=40, group=4, base=BASE, keys=("skill", "out_of=0.3"), seed=7, **changes):
    spec = resolve(base)
    values = {
        "base": spec,
        "budget": None,
        "parameters": parameters_of(spec.config, keys, distance=0.3),
        "schedule": Schedule(pairs=pairs, rate=0.3),
        "group": group,
        "openings": own_openings(6),
        "opening_set": "own",
        "seed": seed,
        "rule": Rule.FREESTYLE,
        "adjudication": Adjudication(),
    }
    return StudyPlan(**{**values, **changes})


def test_a_study_shows_its_way_beside_its_numbers_and_is_drawn_as_it_is(tmp_path):
    study = run_study(plan(pairs=8), tmp_path / "study", jobs=1)
    shown = study._repr_html_()
    svg = ElementTree.fromstring(shown[shown.index("<svg") : shown.index("</svg>") + 6])
    lines = [one.get("points").split() for one in svg.iter() if one.tag.endswith("polyline")]
    points = len(study.tuning.to_dict()["trajectory"]["pairs"])
    assert [points, 2] * 2 == [len(line) for line in lines]  # each with its sample in the legend
    assert "<td>out_of</td>" in shown
    assert ["skill", "out_of"] == [
        one.text for one in svg.iter() if one.text in ("skill", "out_of")
    ]
    ways = []
    for given in (study, study.tuning.to_dict()):
        axes = Figure().add_subplot()
        plot_trajectory(given, axes)
        ways.append([list(line.get_ydata()) for line in axes.lines])
    assert ways[0] == ways[1]
    colours = [one.get("stroke") for one in svg.iter() if one.tag.endswith("polyline")]
    assert [line.get_color() for line in axes.lines[:4:2]] == colours[::2]


def test_a_way_is_told_in_percent_of_its_start():
    values = {
        "trajectory": {"pairs": [0, 8], "values": {"skill": [50.0, 60.0]}},
        "parameters": [{"key": "skill", "start": 50.0, "estimate": 45.0}],
    }
    assert [Way("skill", pytest.approx((0.0, 20.0)), pytest.approx(-10.0))] == ways_in_percent(
        values
    )


def test_a_study_without_games_shows_itself():
    assert "n = 0" in study_html(Tuning(plan()).to_dict())


def test_a_study_read_as_a_run_is_told_to_be_one(tmp_path):
    run_study(plan(pairs=4), tmp_path / "study", jobs=1)
    for load in (load_run, load_any_run):
        with pytest.raises(RunError, match=r"this is a study .*, no run: load_study reads it"):
            load(tmp_path / "study")


def slow_plan(sleep_ms, pairs=40):
    return plan(base=f"{BASE},sleep_ms={sleep_ms}", pairs=pairs)


def found(folder):
    """Return what the folder tells of the way, without the names, which tell how long one slept."""
    values = json.loads((folder / "tuning.json").read_text())
    return {key: values[key] for key in ("pairs", "complete", "parameters", "trajectory")}


def games(folder):
    """Return the games of a study in the order of their pairs, without names and times."""
    kept = []
    for pair, _ in read_pairs(folder / "games.jsonl"):
        for game in pair:
            values = game.to_dict()
            kept.append({k: v for k, v in values.items() if k not in ("black", "white", "time_ms")})
    return sorted(kept, key=lambda game: game["id"])


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A study that nothing has disturbed."""
    folder = tmp_path_factory.mktemp("whole") / "study"
    study = run_study(plan(), folder, jobs=1, command=["gomoku-lab", "tune", "x"])
    assert study.tuning.is_complete
    return folder


def test_a_study_plays_its_pairs_and_writes_what_it_found(whole):
    study = load_study(whole)
    assert study.tuning.pairs == 40
    assert study.facts["ended"] is not None
    assert json.loads((whole / "tuning.json").read_text()) == json.loads(
        json.dumps(study.tuning.to_dict())
    )
    values = found(whole)
    assert values["trajectory"]["pairs"] == list(range(0, 41, 4))
    assert all(len(way) == 11 for way in values["trajectory"]["values"].values())


@pytest.mark.parametrize(("jobs", "backend"), [(2, "threading"), (2, "loky")])
def test_a_study_does_not_depend_on_jobs_or_backend(tmp_path, whole, jobs, backend):
    run_study(plan(), tmp_path / "study", jobs=jobs, backend=backend)
    assert found(whole) == found(tmp_path / "study")
    assert games(whole) == games(tmp_path / "study")


def test_a_study_depends_on_its_seed(tmp_path, whole):
    run_study(plan(seed=8), tmp_path / "study", jobs=1)
    assert found(whole)["trajectory"] != found(tmp_path / "study")["trajectory"]


@pytest.mark.parametrize("share", [0.0, 0.2, 0.61, 0.99])
def test_a_torn_study_goes_on_to_the_same_end(tmp_path, whole, share):
    folder = tmp_path / "study"
    folder.mkdir()
    for name in ("study.json", "games.jsonl"):
        (folder / name).write_bytes((whole / name).read_bytes())
    log = folder / "games.jsonl"
    log.write_bytes(log.read_bytes()[: int(share * log.stat().st_size)])
    before = load_study(folder).tuning.pairs
    study = resume_study(folder)
    assert before < 40
    assert study.tuning.pairs == 40
    assert found(whole) == found(folder)
    assert games(whole) == games(folder)
    assert len(study.facts["sessions"]) == 2


def play_on(folder):
    """Play a study of 160 pairs, or what is missing of it."""
    if (folder / "study.json").exists():
        resume_study(folder, jobs=1)
    else:
        run_study(slow_plan(0.2, pairs=160), folder, jobs=1)


def test_killed_twenty_times_a_study_ends_with_the_same_trajectory(tmp_path):
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    kill_twenty_times("test_study", killed)
    assert 0 < load_study(killed).tuning.pairs < 160
    resume_study(killed, jobs=1)
    run_study(slow_plan(0, pairs=160), whole, jobs=1)
    assert found(whole) == found(killed)
    assert games(whole) == games(killed)


def test_one_ctrl_c_finishes_the_running_games_and_the_rest_can_be_played(tmp_path, whole):
    folder = tmp_path / "study"

    def stop(tuning):
        if tuning.pairs == 10:
            os.kill(os.getpid(), signal.SIGINT)

    told = []
    hooks = Hooks(on_pair=stop, on_interrupt=lambda: told.append(True))
    study = run_study(plan(), folder, jobs=1, hooks=hooks)
    assert told == [True]
    assert study.interrupted
    assert study.facts["ended"] is None
    assert 10 <= study.tuning.pairs < 40
    assert not found(folder)["complete"]
    assert not resume_study(folder).interrupted
    assert found(whole) == found(folder)


def test_a_complete_study_is_resumed_without_playing(whole):
    before = (whole / "games.jsonl").read_bytes()
    started = []
    study = resume_study(whole, hooks=Hooks(on_start=lambda tuning: started.append(tuning.pairs)))
    assert started == [40]
    assert len(study.facts["sessions"]) == 1
    assert before == (whole / "games.jsonl").read_bytes()


def test_both_players_of_a_pair_lie_around_the_point_and_the_openings_go_round(whole):
    for number, (pair, _) in enumerate(read_pairs(whole / "games.jsonl")):
        assert pair[0].pair == f"{number + 1:06d}"
        assert pair[0].opening == pair[1].opening == f"own-{number % 6}"
        assert (pair[0].black, pair[0].white) == (pair[1].white, pair[1].black)
        assert len({pair[0].black, pair[0].white}) == 2
        assert pair[0].seed != pair[1].seed


def test_the_point_stays_where_a_step_leads_to_what_is_refused():
    # The table may have 10 to 26 bits, or none: 1 to 9 are refused.
    tuning = Tuning(plan(base="layered/hard:table_bits=12", keys=("table_bits=0.1",)))
    assert np.exp(tuning._project(np.log([11.0]))) == pytest.approx(11)
    assert np.exp(tuning._project(np.log([8.0]))) == pytest.approx(12)


def test_tuning_finds_the_stronger_side(tmp_path):
    study = run_study(plan(pairs=300, keys=("skill",), group=10), tmp_path / "study", jobs=1)
    assert study.tuning.values()["skill"] > 0.45  # it began with 0.3


def test_the_candidate_has_the_values_and_limits_of_its_own_and_says_where_it_is_from(tmp_path):
    folder = tmp_path / "study"
    given = plan(pairs=8, base=f"{BASE},nodes=99", budget=Budget("nodes", 5))
    study = run_study(given, folder, jobs=1, command=["gomoku-lab", "tune"])
    file = read_player_file(folder / "candidate.toml")
    values = study.tuning.values()
    assert (file.config.skill, file.config.out_of) == (values["skill"], values["out_of"])
    assert file.config.nodes == 99
    assert given.player.config.nodes == 5
    told = file.provenance
    assert (told["study"], told["seed"], told["budget"]) == ("study", 7, "nodes=5")
    assert told["command"] == ["gomoku-lab", "tune"]
    assert told["keys"] == ["skill", "out_of"]
    assert file.config == study.tuning.candidate().config


def test_the_files_of_a_study_fit_their_schemas(whole):
    for name, file in (("study", "study.json"), ("tuning", "tuning.json")):
        validator = jsonschema.Draft202012Validator(load_schema(name))
        values = json.loads((whole / file).read_text())
        validator.validate(values)
        for key in values:
            assert not validator.is_valid({k: v for k, v in values.items() if k != key})
        assert not validator.is_valid({**values, "extra": 1})


def test_a_plan_can_be_written_and_read():
    for one in (plan(), plan(budget=Budget("time_ms", 2.5))):
        again = StudyPlan.from_dict(json.loads(json.dumps(one.to_dict())))
        assert one == again
        assert one.config_hash() == again.config_hash()
    assert plan().config_hash() != plan(seed=8).config_hash()
    assert plan().config_hash() != plan(group=5).config_hash()


def changed(folder, change):
    path = folder / "study.json"
    facts = json.loads(path.read_text())
    change(facts["config"])
    path.write_text(json.dumps(facts))


def test_a_changed_study_is_refused(tmp_path):
    run_study(plan(pairs=4), tmp_path / "study", jobs=1)
    changed(tmp_path / "study", lambda config: config.update(rate=0.2))
    with pytest.raises(RunError, match="were changed since"):
        load_study(tmp_path / "study")


def test_games_of_another_study_are_refused_with_their_line(tmp_path, whole):
    folder = tmp_path / "study"
    run_study(plan(pairs=4, seed=8), folder, jobs=1)
    (folder / "games.jsonl").write_bytes((whole / "games.jsonl").read_bytes())
    with pytest.raises(RunError, match=r"games\.jsonl:1: pair 000001: was played by"):
        load_study(folder)


def test_pairs_out_of_turn_are_refused(tmp_path, whole):
    folder = tmp_path / "study"
    run_study(plan(), folder, jobs=1)
    lines = (whole / "games.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "games.jsonl").write_bytes(b"".join(lines[:2] + lines[10:]))
    with pytest.raises(RunError, match=r":3: pair 000006: is not one of those that come next"):
        load_study(folder)


def test_a_folder_is_used_once(tmp_path, whole):
    with pytest.raises(RunError, match="there is a run in this folder already"):
        run_study(plan(), whole)
    with pytest.raises(RunError, match="no study in this folder"):
        resume_study(tmp_path)


def test_a_rule_that_the_player_refuses_begins_nothing(tmp_path):
    with pytest.raises(ConfigError, match="does not play the rule"):
        run_study(
            plan(base="stub:backward:skill=0.3,out_of=2", rule=Rule.STANDARD),
            tmp_path / "study",
        )
    assert not (tmp_path / "study").exists()


def settings(**changes):
    return StudySettings(**{"base": "layered/hard", "keys": ("weights.two",), **changes})


def test_settings_are_looked_up():
    found = resolve_study(settings(nodes=500, pairs=9, keys=["defence", "weights.t*=0.3"]))
    assert found.player.name == "layered/hard:time_ms=0,nodes=500"
    assert found.base.name == "layered/hard"
    assert [one.key for one in found.parameters] == ["defence", "weights.three", "weights.two"]
    assert [one.distance for one in found.parameters] == [0.15, 0.3, 0.3]
    assert len(found.openings) == 1700
    assert {found.opening_of(pair) for pair in (1, 1701)} == {0}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"openings": "held-out"}, "openings must not be held-out"),
        ({"keys": ()}, "nothing is tuned"),
        ({"nodes": 5, "depth": 2}, "a study has one budget: nodes=5, depth=2"),
        ({"pairs": 0}, "pairs must be 1"),
        ({"rate": 0}, "rate must be 1e-06"),
        ({"distance": 2}, "distance must be 0.0001..1"),
        ({"group": 0}, "group must be 1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(changes, message):
    with pytest.raises(ConfigError, match=message):
        settings(**changes)
