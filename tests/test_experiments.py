"""The experiments: their runs can be read, and what is ready to run goes on where it was."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gomoku_lab.arena.store import load_run

RUNS = sorted((Path(__file__).parent.parent / "experiments").glob("*/run"))


@pytest.mark.parametrize("folder", RUNS, ids=lambda path: path.parent.name)
def test_the_run_of_an_experiment_can_be_read(folder):
    assert load_run(folder).pairs


def test_the_calibration_goes_on_with_the_cells_that_are_missing(tmp_path):
    script = Path(__file__).parent.parent / "experiments" / "023-calibration" / "calibrate.py"
    out = tmp_path / "results.jsonl"
    words = ["--kind", "interval", "--repetitions", "3", "--most", "1", "--out", str(out)]
    for cells in (1, 2):
        subprocess.run([sys.executable, str(script), *words], check=True, capture_output=True)
        with out.open("a") as file:
            file.write('{"half": ')  # as a kill leaves it
        lines = [json.loads(line) for line in out.read_text().splitlines()[:cells]]
        assert cells == len({json.dumps(line["cell"]) for line in lines})
    told = subprocess.run(
        [sys.executable, str(script), "--summary", "--out", str(out)],
        check=True,
        capture_output=True,
        text=True,
    )
    assert "interval: 2 cells, 0 with fewer than 5 losses apart" in told.stdout
