"""The runs that come with the experiments can be read, and their games are what they say."""

from pathlib import Path

import pytest

from gomoku_lab.arena.store import load_run

RUNS = sorted((Path(__file__).parent.parent / "experiments").glob("*/run"))


@pytest.mark.parametrize("folder", RUNS, ids=lambda path: path.parent.name)
def test_the_run_of_an_experiment_can_be_read(folder):
    assert load_run(folder).pairs
