"""Hold tests/criteria.toml to the tests: what is called built has a test or a file as checker."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROWS: dict[str, dict[str, Any]] = tomllib.loads(
    (ROOT / "tests" / "criteria.toml").read_text(encoding="utf-8")
)
BUILT = [row for row, entry in ROWS.items() if entry["status"] == "built"]
ID = re.compile(r"S[0-4]-D?[1-9]\d?")


@cache
def test_names() -> tuple[str, ...]:
    """Return the names of all test functions, methods included, without importing them."""
    names: list[str] = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                names.append(node.name)
    return tuple(names)


test_names.__test__ = False  # type: ignore[attr-defined]  # a helper, not a test


def names_row(name: str, row: str) -> bool:
    """Tell whether a test's name carries the row's id: S1_18 does not stand in S1_180."""
    return re.search(rf"{row.replace('-', '_')}(?![0-9])", name) is not None


def test_an_id_is_not_found_inside_a_longer_one() -> None:
    assert names_row("test_S1_18_last_layer_is_kept", "S1-18")
    assert not names_row("test_S1_180_is_another_row", "S1-18")
    assert not names_row("test_S1_18_last_layer_is_kept", "S1-1")
    assert not names_row("test_S1_1_is_no_derived_row", "S1-D1")


@pytest.mark.parametrize("row", ROWS)
def test_every_row_is_complete(row: str) -> None:
    entry = ROWS[row]
    assert ID.fullmatch(row)
    assert set(entry) <= {"area", "says", "status", "waits_for", "checked_by"}
    assert set(entry["area"].split(",")) <= set("ELWD")
    assert set(entry["area"].split(",")) & set("EL")
    assert entry["says"].endswith(".")
    assert entry["status"] in ("built", "open")
    assert entry["status"] == "built" or entry["waits_for"]
    assert entry["checked_by"]


@pytest.mark.parametrize("row", BUILT)
def test_every_built_row_is_checked(row: str) -> None:
    for checker in ROWS[row]["checked_by"]:
        if checker == "test":
            assert any(names_row(name, row) for name in test_names()), f"no test names {row}"
        else:
            kind, _, path = checker.partition(": ")
            assert kind in ("bench", "experiment", "notebook")
            assert (ROOT / path).is_file(), f"{row}: {path} is missing"


def test_every_id_in_a_test_name_is_a_known_row() -> None:
    found = {
        match.replace("_", "-")
        for name in test_names()
        for match in re.findall(r"S[0-4]_D?\d+", name)
    }
    assert found <= set(ROWS) | {"S1-180"}
