"""The shape of the project: lengths, layers, what the wheel carries, words that must not stand."""

import ast
import re
import tomllib
import zipfile
from pathlib import Path

import pytest

from gomoku_lab.game.palette import LINE_COLOURS, POINT_COLOUR

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "gomoku_lab"
MODULES = sorted(PACKAGE.rglob("*.py"))
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXPERIMENT = re.compile(r'load_experiment\(\\"([^"\\]+)\\"(?:, \\"([^"\\]+)\\")?\)')
LONGEST_MODULE = 400
LONGEST_FUNCTION = 60


def parts(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


def text_of(module: str) -> str:
    return (ROOT / module).read_text(encoding="utf-8")


@pytest.mark.parametrize("module", parts(MODULES))
def test_no_module_is_longer_than_400_lines(module: str) -> None:
    assert len(text_of(module).splitlines()) <= LONGEST_MODULE


@pytest.mark.parametrize("module", parts(MODULES))
def test_no_function_is_longer_than_60_lines(module: str) -> None:
    long = [
        f"{node.name} ({node.end_lineno - node.lineno + 1} lines)"
        for node in ast.walk(ast.parse(text_of(module)))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= LONGEST_FUNCTION
    ]
    assert long == []


@pytest.mark.parametrize("module", parts(MODULES))
def test_every_module_says_what_it_is_for(module: str) -> None:
    assert ast.get_docstring(ast.parse(text_of(module)))


def top_level_modules() -> set[str]:
    """Return the packages and modules that stand directly in gomoku_lab."""
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    return packages | {path.stem for path in PACKAGE.glob("*.py")} - {"__init__"}


def contract(kind: str) -> dict[str, list[str]]:
    contracts = PYPROJECT["tool"]["importlinter"]["contracts"]
    found: dict[str, list[str]] = next(one for one in contracts if one["type"] == kind)
    return found


def test_every_module_is_placed_in_the_import_contract() -> None:
    placed = {name.strip() for layer in contract("layers")["layers"] for name in layer.split("|")}
    assert top_level_modules() == placed | set(contract("layers")["exhaustive_ignores"])


def test_every_module_but_the_kernels_is_forbidden_to_import_numba() -> None:
    guarded = {name.removeprefix("gomoku_lab.") for name in contract("forbidden")["source_modules"]}
    assert top_level_modules() - {"kernels", "_data"} == guarded


def test_the_colours_of_data_stand_once() -> None:
    for colour in (POINT_COLOUR, *LINE_COLOURS):
        holding = [module for module in parts(MODULES) if f'"{colour}' in text_of(module)]
        assert holding == ["gomoku_lab/game/palette.py"]


def test_numba_is_imported_in_one_file() -> None:
    importing = [
        module
        for module in parts(MODULES)
        if re.search(r"^\s*(import|from) numba\b", text_of(module), re.MULTILINE)
    ]
    assert importing == ["gomoku_lab/kernels/_jit.py"]


@pytest.mark.parametrize("module", parts(MODULES))
def test_no_module_is_named_after_nothing(module: str) -> None:
    assert Path(module).stem not in ("utils", "util", "helpers", "helper", "misc", "common")


@pytest.mark.parametrize("module", parts(MODULES))
def test_no_module_holds_a_machine_path_or_an_unfinished_thought(module: str) -> None:
    found = re.findall(r"/(?:home|root|Users|work)/|\b(?:TODO|FIXME)\b", text_of(module))
    assert found == []


@pytest.mark.parametrize("module", parts(sorted((PACKAGE / "kernels").glob("*.py"))))
def test_no_kernel_chooses_its_own_compiler_flags(module: str) -> None:
    if not module.endswith("_jit.py"):
        assert not re.search(r"\b(fastmath|parallel|prange|objmode|njit)\b", text_of(module))


def test_the_wheel_carries_presets_openings_positions_notebooks_and_schemas(tmp_path: Path) -> None:
    from hatchling.builders.wheel import WheelBuilder

    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    carried = set(zipfile.ZipFile(wheel).namelist())
    shipped = {
        f"gomoku_lab/_shipped/{path.relative_to(ROOT)}"
        for folder in ("notebooks", "positions")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".ipynb", ".toml", ".jsonl", ".txt")
    }
    inside = {
        str(path.relative_to(ROOT))
        for path in PACKAGE.rglob("*")
        if path.suffix in (".toml", ".json") and "__pycache__" not in path.parts
    }
    # The games that a notebook reads are there wherever it is opened.
    games = {
        f"gomoku_lab/_shipped/experiments/{name}/{part or 'run'}/{file}"
        for path in (ROOT / "notebooks").glob("*.ipynb")
        for name, part in EXPERIMENT.findall(path.read_text(encoding="utf-8"))
        for file in ("run.json", "games.jsonl")
    }
    assert shipped
    assert games
    assert shipped | inside | games <= carried
    assert not [name for name in carried if name.endswith("report.html")]
