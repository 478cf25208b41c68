import re
import subprocess

import gomoku_lab
from gomoku_lab.arena.provenance import git_state, provenance, usable_cores, utc_now


def git(folder, *words):
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", "-C", folder, *identity, *words], check=True, capture_output=True)


def test_a_checkout_tells_its_commit_and_whether_it_is_dirty(tmp_path):
    git(tmp_path, "init")
    (tmp_path / "file").write_text("1")
    git(tmp_path, "add", "file")
    git(tmp_path, "commit", "-m", "one")
    state = git_state(tmp_path)
    assert re.fullmatch(r"[0-9a-f]{40,64}", state["commit"])
    assert state["dirty"] is False
    (tmp_path / "file").write_text("2")
    assert git_state(tmp_path) == {**state, "dirty": True}


def test_no_checkout_and_a_checkout_without_a_commit_tell_nothing(tmp_path):
    assert git_state(tmp_path) is None
    git(tmp_path, "init")
    assert git_state(tmp_path) is None


def test_provenance_names_versions_and_machine():
    found = provenance()
    assert found["version"] == gomoku_lab.__version__
    assert {"python", "numpy", "numba", "joblib"} <= set(found["versions"])
    assert found["machine"]["cores"] == usable_cores() >= 1


def test_times_are_utc_to_the_second():
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", utc_now())
