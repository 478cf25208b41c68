import re
import subprocess

import gomoku_lab
from gomoku_lab.arena.provenance import code_hash, git_state, provenance, usable_cores, utc_now


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


def test_the_code_hash_changes_with_the_name_and_the_content_of_any_python_file(tmp_path):
    hashes = []
    for number, files in enumerate(({"a.py": "1"}, {"a.py": "2"}, {"b.py": "2"}, {"c/a.py": "2"})):
        root = tmp_path / str(number)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True)
            (root / name).write_text(text)
        (root / "notes.txt").write_text(str(number))
        hashes.append(code_hash(root))
    assert len({*hashes}) == 4
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "a.py").write_text("1")
    assert hashes[0] == code_hash(tmp_path / "copy")
    assert re.fullmatch("[0-9a-f]{12}", code_hash())
