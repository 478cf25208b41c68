"""Doctor: it reports what is there, and fails where the lab cannot work."""

import json
import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from gomoku_lab import __version__
from gomoku_lab.cli import doctor


def test_a_working_installation_is_healthy() -> None:
    result = CliRunner().invoke(doctor.command, ["--json"])
    report = json.loads(result.stdout)
    values = {finding["name"]: finding["value"] for finding in report["findings"]}
    assert result.exit_code == 0
    assert report["healthy"] is True
    assert values["gomoku_lab"] == __version__
    assert int(values["cores"].split()[0]) >= 1
    assert values["compiled kernels"] in ("cached", "not yet")
    assert {"python", "numba", "numpy", "cache folder", "data folder", "shipped data"} <= set(
        values
    )


def test_the_table_shows_the_same_findings() -> None:
    lines = CliRunner().invoke(doctor.command, []).stdout.splitlines()
    assert [line[2:].split("  ")[0] for line in lines] == [f.name for f in doctor.examine()]


def test_a_folder_below_a_file_is_not_writable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    finding = doctor._writable("data folder", tmp_path / "file" / "below", "name another")
    assert not finding.ok
    assert finding.advice == "name another"


def test_a_folder_that_can_be_made_is_writable(tmp_path: Path) -> None:
    assert doctor._writable("data folder", tmp_path / "not" / "yet", "").ok


def test_an_unwritable_cache_folder_fails(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    code = "from gomoku_lab.cli.main import main; main(['doctor'])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "GOMOKU_LAB_CACHE": str(tmp_path / "file" / "cache")},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 1
    assert "! cache folder" in done.stdout
    assert "Traceback" not in done.stderr
