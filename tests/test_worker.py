import pytest
from arena_tools import small_config

from gomoku_lab.arena import worker
from gomoku_lab.arena.worker import Batch, PairTask, dismiss, play_batch


@pytest.fixture
def made(monkeypatch):
    """All players that a worker has made."""
    players = []
    make = worker.make_player

    def remember(spec):
        players.append(make(spec))
        return players[-1]

    monkeypatch.setattr(worker, "make_player", remember)
    return players


def batch_of(pairs, session):
    config = small_config(("stub:random", "stub:forward"), pairs=pairs)
    tasks = tuple(
        PairTask(pair, config.openings[pair.opening], config.players, config.refs)
        for pair in config.schedule()
    )
    return Batch(session, config.rule, config.adjudication, tasks)


def test_players_are_kept_from_batch_to_batch_until_their_session_is_dismissed(made):
    for _ in range(2):
        play_batch(batch_of(2, "kept"))
    assert [False, False] == [player.closed for player in made]
    dismiss("another")
    assert [False, False] == [player.closed for player in made]
    dismiss("kept")
    assert [True, True] == [player.closed for player in made]


@pytest.mark.parametrize("pairs", [1, 3])
def test_a_worker_that_is_dismissed_in_a_game_finishes_the_pair_and_closes_its_players(
    made, monkeypatch, pairs
):
    play = worker.play_pair

    def interrupted(*players, **options):
        dismiss(f"busy-{pairs}")
        assert not any(player.closed for player in made)
        return play(*players, **options)

    monkeypatch.setattr(worker, "play_pair", interrupted)
    result = play_batch(batch_of(pairs, f"busy-{pairs}"))
    assert len(result.pairs) == 1
    assert [True, True] == [player.closed for player in made]
