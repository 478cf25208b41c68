"""Killing what plays games into a folder, again and again, at moments that nobody has chosen."""

import subprocess
import sys
from pathlib import Path

_CODE = """
import os, signal, sys, time
sys.path.insert(0, sys.argv[1])
from importlib import import_module
from pathlib import Path
from random import Random
from gomoku_lab.arena.provenance import provenance

play_on = import_module(sys.argv[2]).play_on
folder, random, kills = Path(sys.argv[3]), Random(1), 0
log = folder / "games.jsonl"
provenance()

def size():
    return log.stat().st_size if log.exists() else -1

while kills < 20:
    child = os.fork()
    if child == 0:
        play_on(folder)
        os._exit(0)
    before = size()
    while size() <= before:
        time.sleep(0.0002)
    time.sleep(random.uniform(0, 0.01))
    os.kill(child, signal.SIGKILL)
    kills += os.WIFSIGNALED(os.waitpid(child, 0)[1])
print("killed", kills, "times")
"""


def kill_twenty_times(module: str, folder: Path) -> None:
    """Play into `folder` by the function ``play_on`` of a test module, and kill it twenty times."""
    done = subprocess.run(
        [sys.executable, "-c", _CODE, str(Path(__file__).parent), module, str(folder)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "killed 20 times\n", done.stderr
