"""``gomoku-lab doctor``: what this installation is made of, and whether it can work here.

It looks and reports; it repairs nothing, except that it compiles the engine when asked to.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

import click

from gomoku_lab import __version__
from gomoku_lab._data import data_path
from gomoku_lab.cli.errors import CHECK_FAILED, FINE, clean_errors
from gomoku_lab.cli.progress import say

SCHEMA_VERSION = 1
PACKAGES = (
    "numpy",
    "numba",
    "llvmlite",
    "scipy",
    "pandas",
    "matplotlib",
    "joblib",
    "click",
    "rich",
    "platformdirs",
)
_SLOW_SWITCHES = ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_DEBUG", "NUMBA_OPT")


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report.

    Attributes
    ----------
    name, value : str
        What was looked at, and what was found.
    ok : bool
        False if the lab cannot work well with it.
    advice : str
        What to do about it; empty if nothing.
    """

    name: str
    value: str
    ok: bool = True
    advice: str = ""


@click.command()
@click.option("--compile", "compile_now", is_flag=True, help="Compile the kernels now if needed.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@clean_errors()
def command(compile_now: bool, as_json: bool) -> None:
    """Show versions, cores, the kernel cache and the data folder.

    Exit code 1 if something was found that keeps the lab from working.
    """
    if compile_now:
        from gomoku_lab.players.compiling import warm_up_in_turn
        from gomoku_lab.players.registry import expand

        warm_up_in_turn(expand(["*"]), say)
    findings = examine()
    healthy = all(finding.ok for finding in findings)
    if as_json:
        listed = [asdict(finding) for finding in findings]
        report = {"schema": SCHEMA_VERSION, "healthy": healthy, "findings": listed}
        click.echo(json.dumps(report, indent=2))
    else:
        width = max(len(finding.name) for finding in findings)
        for finding in findings:
            mark = " " if finding.ok else "!"
            advice = f"  ({finding.advice})" if finding.advice else ""
            click.echo(f"{mark} {finding.name:<{width}}  {finding.value}{advice}")
    sys.exit(FINE if healthy else CHECK_FAILED)


def examine() -> list[Finding]:
    """Return all findings, the versions first."""
    return [
        Finding("gomoku_lab", __version__),
        Finding("python", f"{platform.python_version()} ({platform.python_implementation()})"),
        Finding("machine", f"{platform.system()} {platform.machine()}"),
        Finding("cores", _cores()),
        *(_package(name) for name in PACKAGES),
        *_switches(),
        *_cache(),
        *_shipped(),
        _writable("data folder", _data_folder(), "set XDG_DATA_HOME to a writable folder"),
        _writable("current folder", Path.cwd(), "name another with --out"),
        Finding("git", "found" if shutil.which("git") else "not found: runs record no commit"),
    ]


def _cores() -> str:
    """Count the cores of the machine, and those that this process may use."""
    all_cores = os.cpu_count() or 1
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else all_cores
    return str(usable) if usable == all_cores else f"{usable} of {all_cores}"


def _package(name: str) -> Finding:
    try:
        return Finding(name, metadata.version(name))
    except metadata.PackageNotFoundError:
        return Finding(name, "missing", ok=False, advice=f"pip install {name}")


def _switches() -> list[Finding]:
    """Name the environment variables that make the engine slow."""
    return [
        Finding(name, os.environ[name], advice="unset it for full speed")
        for name in _SLOW_SWITCHES
        if os.environ.get(name, "") not in ("", "0")
    ]


def _cache() -> list[Finding]:
    """Describe the folder of the compiled kernels; importing numba for it takes a second."""
    try:
        from gomoku_lab.engine.engine import kernels_cached
        from gomoku_lab.kernels._jit import CACHE_FOLDER
    except OSError as error:
        return [Finding("cache folder", "not writable", ok=False, advice=str(error))]
    compiled = kernels_cached()
    return [
        _writable("cache folder", CACHE_FOLDER, "set GOMOKU_LAB_CACHE to a writable folder"),
        Finding(
            "compiled kernels",
            "cached" if compiled else "not yet",
            advice="" if compiled else "the first search compiles them, or --compile now",
        ),
    ]


def _shipped() -> list[Finding]:
    """Count the files of positions and openings that came with the package."""
    try:
        positions = len([*data_path("positions").glob("*.toml")])
        openings = len([*data_path("positions", "openings").glob("*.txt")])
    except FileNotFoundError as error:
        return [Finding("shipped data", "missing", ok=False, advice=str(error))]
    return [Finding("shipped data", f"{positions} position files, {openings} opening sets")]


def _data_folder() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_path("gomoku_lab"))


def _writable(name: str, folder: Path, advice: str) -> Finding:
    """Tell whether `folder` can be written, or made where it does not exist yet."""
    existing = folder
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    ok = existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)
    state = "" if ok else " (not writable)"
    return Finding(name, f"{folder}{state}", ok=ok, advice="" if ok else advice)
