import json
from random import Random

import jsonschema
import pytest
from arena_tools import small_config

from gomoku_lab.arena.match import play_pair
from gomoku_lab.arena.parallel import Stop, Terms, _Batches
from gomoku_lab.arena.sequential import PAIRS_PER_LOOK, MatchTest, judge_run
from gomoku_lab.arena.store import RunError, load_run
from gomoku_lab.arena.tournament import resume_tournament, run_tournament
from gomoku_lab.arena.worker import BatchResult, PairTask
from gomoku_lab.game.schemas import load_schema
from gomoku_lab.players.registry import make_player
from gomoku_lab.stats.sprt import Hypotheses, Sprt

HYPOTHESES = Hypotheses(elo0=0, elo1=200, model="logistic")
CONFIG = small_config(("stub:random", "stub:illegal:after=9"), pairs=44, sprt=HYPOTHESES)


@pytest.fixture(scope="module")
def pairs():
    """All pairs of a match that the first player wins, in the order of the schedule."""
    players = [make_player(spec) for spec in CONFIG.players]
    return [
        play_pair(
            *players,
            CONFIG.openings[task.opening],
            seeds=task.seeds,
            pair_id=task.id,
            refs=CONFIG.refs,
        )
        for task in CONFIG.schedule()
    ]


def judged(pairs):
    test = MatchTest(CONFIG)
    for pair in pairs:
        test.add(pair)
    return test


def test_the_verdict_does_not_depend_on_the_order_in_which_pairs_finish(pairs):
    expected = judged(pairs)
    assert expected.state.decision == "H1"
    for seed in range(5):
        shuffled = Random(seed).sample(pairs, len(pairs))
        test = judged(shuffled)
        assert expected.judged == test.judged
        assert expected.state.llr == test.state.llr
        assert expected.state.late_counts == test.state.late_counts


def test_the_verdict_is_that_of_the_counts_judged(pairs):
    test = judged(pairs)
    alone = Sprt(HYPOTHESES)
    assert alone.add(test.state.counts).llr == test.state.llr


def test_pairs_after_the_decision_are_counted_apart(pairs):
    test = judged(pairs)
    assert len(test.judged) % PAIRS_PER_LOOK == 0
    assert sum(test.state.counts) == len(test.judged)
    assert sum(test.state.late_counts) == len(pairs) - len(test.judged) > 0


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_match_with_a_test_hands_out_no_more_pairs_than_one_look_takes(pairs, jobs):
    tasks = [
        PairTask(task, CONFIG.openings[task.opening], CONFIG.players, CONFIG.refs)
        for task in CONFIG.schedule()
    ]
    terms = Terms(CONFIG.rule, CONFIG.adjudication, tested=True)
    batches = _Batches(tasks, terms, "session", jobs)
    found = []
    for batch in batches.hand_out(Stop()):
        found.append(len(batch.tasks))
        batches.learn(BatchResult(tuple(pairs[: len(batch.tasks)]), 1e-6))
    assert sum(found) == len(tasks)
    assert max(found) * jobs == PAIRS_PER_LOOK


def test_nothing_is_judged_while_an_earlier_pair_is_missing(pairs):
    test = judged(pairs[1:])
    assert sum(test.state.counts) == 0
    assert test.add(pairs[0])


def test_the_last_pairs_are_judged_even_if_they_fill_no_group():
    config = small_config(("stub:forward", "stub:backward"), pairs=3, sprt=HYPOTHESES)
    test = MatchTest(config)
    first, second = (make_player(spec) for spec in config.players)
    for task in config.schedule():
        opening = config.openings[task.opening]
        test.add(play_pair(first, second, opening, seeds=(1, 2), pair_id=task.id, refs=config.refs))
    assert sum(test.state.counts) == 3


def test_a_match_without_a_test_is_refused():
    with pytest.raises(ValueError, match="no SPRT"):
        MatchTest(small_config(("stub:forward", "stub:backward")))


@pytest.mark.parametrize(("jobs", "backend"), [(1, "loky"), (2, "threading")])
def test_a_match_ends_by_itself_and_is_not_played_on(tmp_path, pairs, jobs, backend):
    players = ("stub:random:sleep_ms=2", "stub:illegal:after=9,sleep_ms=2")
    config = small_config(players, pairs=44, sprt=HYPOTHESES)
    outcome = run_tournament(config, tmp_path / "run", jobs=jobs, backend=backend)
    played = len(outcome.run.pairs)
    assert played < len(pairs)
    assert not outcome.interrupted
    assert outcome.test.state.decision == "H1"
    assert outcome.test.judged == judged(pairs).judged
    facts = outcome.run.facts
    assert facts["ended"] is not None
    again = resume_tournament(tmp_path / "run")
    assert played == len(again.run.pairs)
    assert again.test.state == outcome.test.state
    assert again.run.facts == facts


def kept_test(folder):
    """Return what ``sprt.json`` says, but for the pairs that were running at the end."""
    values = json.loads((folder / "sprt.json").read_text())
    del values["late_counts"]
    return values


def test_a_match_that_was_killed_goes_on_to_the_same_verdict(tmp_path):
    folder = tmp_path / "run"
    run_tournament(CONFIG, folder, jobs=1)
    log = folder / "games.jsonl"
    whole = log.read_bytes()
    expected = kept_test(folder)
    for share in (0.0, 0.3, 0.8):
        log.write_bytes(whole[: int(share * len(whole))])
        (folder / "sprt.json").unlink()
        test = resume_tournament(folder, jobs=1).test
        assert test.has_decided
        assert expected == kept_test(folder)
        assert judge_run(load_run(folder)).state == test.state


def test_a_run_that_was_killed_after_its_verdict_is_only_finished(tmp_path):
    folder = tmp_path / "run"
    facts = run_tournament(CONFIG, folder, jobs=1).run.facts
    log = (folder / "games.jsonl").read_bytes()
    (folder / "run.json").write_text(json.dumps({**facts, "ended": None}))
    assert resume_tournament(folder).run.facts["ended"] is not None
    assert log == (folder / "games.jsonl").read_bytes()


def test_the_file_of_a_test_holds_verdict_and_trajectory_and_fits_its_schema(tmp_path):
    test = run_tournament(CONFIG, tmp_path / "run", jobs=1).test
    values = json.loads((tmp_path / "run" / "sprt.json").read_text())
    assert values == json.loads(json.dumps(test.to_dict()))
    validator = jsonschema.Draft202012Validator(load_schema("sprt"))
    validator.validate(values)
    for key in values:
        assert not validator.is_valid({k: v for k, v in values.items() if k != key})
    assert (values["decision"], values["over"], values["limit"]) == ("H1", True, 44)
    assert values["trajectory"][-1] == [values["counts"], values["llr"]]
    assert [sum(counts) for counts, _ in values["trajectory"]] == list(
        range(PAIRS_PER_LOOK, values["pairs"] + 1, PAIRS_PER_LOOK)
    )


def test_a_test_at_its_limit_is_over_and_undecided(tmp_path):
    config = small_config(("stub:forward", "stub:backward"), pairs=3, sprt=HYPOTHESES)
    looks = []
    outcome = run_tournament(
        config, tmp_path / "run", jobs=1, on_look=lambda test: looks.append(len(test.looks))
    )
    assert looks == [0, 1]
    values = json.loads((tmp_path / "run" / "sprt.json").read_text())
    assert (values["decision"], values["verdict"], values["over"]) == (None, None, True)
    assert outcome.run.is_complete


def test_an_interrupted_match_keeps_where_its_test_stands(tmp_path):
    seen = []

    def enough(pair):
        seen.append(pair)
        return len(seen) == 10

    run_tournament(CONFIG, tmp_path / "run", jobs=1, on_pair=enough)
    values = json.loads((tmp_path / "run" / "sprt.json").read_text())
    assert values["pairs"] == PAIRS_PER_LOOK * len(values["trajectory"])
    assert 0 < values["pairs"] < 24
    assert not values["over"]
    jsonschema.validate(values, load_schema("sprt"))


def test_a_run_without_a_test_is_not_judged(tmp_path):
    run = run_tournament(small_config(pairs=1), tmp_path / "run", jobs=1).run
    assert not (tmp_path / "run" / "sprt.json").exists()
    with pytest.raises(RunError, match="no sequential test"):
        judge_run(run)
