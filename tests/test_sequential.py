from random import Random

import pytest
from arena_tools import small_config

from gomoku_lab.arena.match import play_pair
from gomoku_lab.arena.parallel import Stop, _Batches
from gomoku_lab.arena.sequential import PAIRS_PER_LOOK, MatchTest
from gomoku_lab.arena.worker import BatchResult, PairTask
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
    batches = _Batches(tasks, CONFIG, "session", jobs)
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
