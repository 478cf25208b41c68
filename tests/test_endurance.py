"""A long run needs no more memory than a short one: no game is kept that has been written down."""

import gc
import tracemalloc

import pytest
from arena_tools import small_config

from gomoku_lab.arena.rate import rate_runs
from gomoku_lab.arena.sequential import MatchTest
from gomoku_lab.arena.store import load_run
from gomoku_lab.arena.tournament import run_tournament
from gomoku_lab.stats.sprt import Hypotheses

FIVE = ("stub:forward", "stub:backward", "stub:random", "stub:random:salt=1", "stub:illegal")
BYTES_A_GAME = 150
"""A record in memory has 1,000 to 2,000; the id of a pair has 60."""


class Scales:
    """Weighs all that Python has allocated after some numbers of pairs."""

    def __init__(self, *numbers, also=None):
        self._numbers = numbers
        self._also = also
        self._pairs = 0
        self.bytes = []

    def __call__(self, pair):
        self._pairs += 1
        if self._pairs in self._numbers:
            gc.collect()
            self.bytes.append(tracemalloc.get_traced_memory()[0])
        return self._also is not None and self._also(pair)

    @property
    def growth(self):
        """Give the bytes by which a game makes the process larger."""
        first, last = self._numbers
        return (self.bytes[1] - self.bytes[0]) / (2 * (last - first))


@pytest.fixture
def traced():
    tracemalloc.start()
    yield
    tracemalloc.stop()


@pytest.mark.parametrize("jobs", [1, 2])
def test_playing_keeps_no_games_in_memory(tmp_path, traced, jobs):
    scales = Scales(60, 200)
    config = small_config(FIVE, pairs=24)
    run_tournament(config, tmp_path / "run", jobs=jobs, backend="threading", on_pair=scales)
    assert scales.growth < BYTES_A_GAME


def test_a_sequential_test_keeps_no_games_in_memory(tmp_path, traced):
    hypotheses = Hypotheses(elo0=-3, elo1=3)
    config = small_config(("stub:random", "stub:random:salt=1"), pairs=48, sprt=hypotheses)
    scales = Scales(12, 48, also=MatchTest(config).add)
    run_tournament(config, tmp_path / "run", jobs=1, on_pair=scales)
    assert scales.growth < BYTES_A_GAME


def test_reading_and_rating_keep_no_games_in_memory(tmp_path):
    peaks = []
    for pairs in (6, 24):
        folder = tmp_path / str(pairs)
        run_tournament(small_config(FIVE, pairs=pairs), folder, jobs=1)
        rate_runs([load_run(folder)])
        tracemalloc.start()
        rate_runs([load_run(folder)])
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # The schedule, known before the first game, has 700 bytes a game while a log is checked; with
    # the games themselves it was 3,000.
    assert (peaks[1] - peaks[0]) / (2 * 18 * 10) < 1000
