"""Play a tournament of 20,000 short games and print what memory its processes have. Linux only.

Exit code 1 if the tournament or one of its workers grows by more than the gate allows.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

CONFIG = Path(__file__).with_name("config.toml")
EVERY, WARM = 1000, 5000  # games between two lines, and before which nothing is judged
GATE_MIB = 4.0
WORKER_MIB = 50.0  # what a process has that plays; helpers of joblib have less
COMMAND = (sys.executable, "-c", "from gomoku_lab.cli.main import main; main()", "tournament")


def private_mib(pid: int) -> float:
    """Return the memory that a process has for itself and has written to, 0 if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_Dirty")) / 1024


def peak_mib(pid: int) -> float:
    """Return the most that a process ever had in memory, code and libraries included."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def children(pid: int) -> list[int]:
    """Return the ids of a process's children."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return sorted(int(one) for task in tasks for one in task.read_text(encoding="ascii").split())


def measure(folder: Path, games: int) -> list[list[float]]:
    """Play `games` games a pairing; return [games, MiB of the parent, MiB of each worker]."""
    words = [*COMMAND, str(CONFIG), "--out", str(folder), "--games", str(games), "--quiet"]
    rows: list[list[float]] = []
    log, done, size, peak = folder / "games.jsonl", 0, 0, 0.0
    start = time.monotonic()
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            if log.exists():
                with log.open("rb") as file:
                    file.seek(size)
                    new = file.read()
                done, size = done + new.count(b"\n"), size + len(new)
            if done >= EVERY * (len(rows) + 1):
                workers = [
                    mib for pid in children(process.pid) if (mib := private_mib(pid)) > WORKER_MIB
                ]
                rows.append([done, private_mib(process.pid), *workers])
                print(
                    f"{done:7} {size / 1e6:10.1f}" + "".join(f"{mib:9.1f}" for mib in rows[-1][1:])
                )
            peak = max(peak, peak_mib(process.pid))
            time.sleep(0.02)
    print(
        f"{done} games, {time.monotonic() - start:.0f} s, exit code {process.returncode}; ", end=""
    )
    print(f"the parent's peak, table included: {peak:.1f} MiB\n")
    return rows


def main() -> None:
    """Measure a short tournament and a long one."""
    print(f"{'games':>7} {'log, MB':>10}   parent  workers: MiB each has for itself")
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder) / "short", 200)
        rows = [row for row in measure(Path(folder) / "long", 2000) if row[0] >= WARM]
    growth = [last - first for first, last in zip(rows[0][1:], rows[-1][1:], strict=True)]
    told = ", ".join(f"{mib:+.2f}" for mib in growth)
    print(f"from {rows[0][0]} to {rows[-1][0]} games: {told} MiB; at most {GATE_MIB:g} are allowed")
    sys.exit(max(growth) > GATE_MIB)


if __name__ == "__main__":
    main()
