"""Where a run came from: versions, the checkout's commit, the machine, the time.

It only looks; the run folder writes it down.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import gomoku_lab

_PACKAGES = ("numpy", "numba", "joblib")


def utc_now() -> str:
    """Return the time in UTC, to the second, such as ``2026-01-31T12:00:00Z``."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def usable_cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def provenance() -> dict[str, Any]:
    """Return version, git state, machine and package versions as a JSON-ready dictionary.

    It is looked up once a process: what runs is the code as it was when it was imported.
    """
    return {
        "version": gomoku_lab.__version__,
        "git": git_state(Path(gomoku_lab.__file__).resolve().parent.parent),
        "machine": {
            "system": platform.platform(),
            "processor": _processor(),
            "cores": usable_cores(),
        },
        "versions": {"python": platform.python_version(), **package_versions()},
    }


@cache
def code_hash(root: Path | None = None) -> str:
    """Return 12 hexadecimal digits that change with any Python file of the package, or of `root`.

    The version stays the same while somebody works on a checkout; this does not.
    """
    root = root or Path(gomoku_lab.__file__).resolve().parent
    digest = hashlib.sha256()
    for source in sorted(root.rglob("*.py")):
        digest.update(source.relative_to(root).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(source.read_bytes()).digest())
    return digest.hexdigest()[:12]


def git_state(root: Path) -> dict[str, Any] | None:
    """Return the commit of the checkout at `root` and whether it is dirty; None if it is none."""
    if not (root / ".git").exists():
        return None
    commit = _git(root, "rev-parse", "HEAD")
    # Without the optional lock, looking here never stands in the way of somebody's commit.
    status = _git(root, "--no-optional-locks", "status", "--porcelain")
    if commit is None or status is None:
        return None
    return {"commit": commit, "dirty": bool(status)}


def _git(root: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *words],
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _processor() -> str:
    # platform.processor() is empty on most Linux systems.
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def package_versions() -> dict[str, str]:
    """Return the versions of the packages that can change what is played."""
    found = {}
    for name in _PACKAGES:
        with contextlib.suppress(PackageNotFoundError):
            found[name] = version(name)
    return found
