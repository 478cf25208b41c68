"""A Gomocup program that does what its command line says, wrongly if wanted: for tests alone.

``fake_gomocup.py [WHAT] [at=N] [log=FILE]``: WHAT shows at the Nth move of the process (the first
unless told otherwise), or at the command that it is named after. Every line that comes in goes into
FILE, after the process id; the working folder stands before the first.

It plays the last empty point of the board. The lab is not imported: the program is somebody else's.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

SIZE_OF_A_LOT = 2**29


def say(*lines, end="\n"):
    sys.stdout.write("".join(f"{line}{end}" for line in lines))
    sys.stdout.flush()


def flood(text):
    while True:
        say(text, end="")


def close_output():
    os.close(1)
    time.sleep(600)


def eat():
    say(f"MESSAGE {len(bytearray(SIZE_OF_A_LOT))} bytes")
    game.play()


def sleep_and_play():
    time.sleep(0.3)
    game.play()


AT_MOVE = {
    "crash": lambda: sys.exit("a last word"),
    "abort": lambda: os.kill(os.getpid(), 9),
    "close": close_output,
    "hang": lambda: time.sleep(600),
    "flood": lambda: flood("MESSAGE thinking\n"),
    "endless line": lambda: flood("7" * 5000),
    "garbage": lambda: say("Segmentation fault?"),
    "ok": lambda: say("OK"),
    "error": lambda: say("ERROR I do not know that rule"),
    "unknown": lambda: say("UNKNOWN"),
    "unknown, then nothing": lambda: sys.exit(say("UNKNOWN")),
    "pair": lambda: say("0,0 1,1"),
    "off board": lambda: say("15,3"),
    "negative": lambda: say("-4,-4"),
    "occupied": lambda: say(*list(game.stones)[:1]),
    "late": sleep_and_play,
    "eat": eat,
}
AT_COMMAND = {
    "about hang": ("ABOUT", lambda: None),
    "about": ("ABOUT", lambda: say("UNKNOWN")),
    "start": ("START", lambda: say("ERROR 15 lines are too many")),
    "start crash": ("START", lambda: sys.exit(7)),
    "start garbage": ("START", lambda: sys.exit(say("what?"))),
    "restart": ("RESTART", lambda: say("UNKNOWN")),
    "info": ("INFO", lambda: say("UNKNOWN key")),
    "stay": ("END", lambda: time.sleep(600)),
}


class Game:
    def __init__(self):
        self.size = 0
        self.stones = []
        self.moves = 0

    def clear(self):
        self.stones = []
        say("OK")

    def move(self):
        self.moves += 1
        wrong = AT_MOVE.get(what) if self.moves == at else None
        (wrong or self.play)()

    def play(self):
        points = (f"{x},{y}" for y in range(self.size) for x in range(self.size))
        point = [point for point in points if point not in self.stones][-1]
        self.stones.append(point)
        if what == "talk":
            say("DEBUG idle", "", "MESSAGE Depth 5-9 | Eval 12 | Node 1.5K", "MESSAGE best a1")
        if what == "suggest":
            say(f"SUGGEST {point}")
            point = read().removeprefix("PLAY ")
        say(point, end="\r" if what == "cr" else "\n")


def log(line):
    if "log" in options:
        with Path(options["log"]).open("a") as file:
            file.write(f"{os.getpid()} {line}\n")


def read():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    log(line.rstrip("\n"))
    return line.strip()


def leave_children_behind():
    """Start a child that stays in the family and a daemon that leaves it; log who they are."""
    python = [sys.executable, "-S", "-E", "-c"]
    sleeper = [*python, "import time; time.sleep(600)"]
    child = subprocess.Popen(sleeper)
    start = f"subprocess.Popen({sleeper!r}, start_new_session=True, stdout=subprocess.DEVNULL)"
    middle = [*python, f"import subprocess; print({start}.pid)"]
    daemon = subprocess.check_output(middle, text=True).strip()
    log(f"children {child.pid} {daemon}")


def obey(command, rest):
    named, wrong = AT_COMMAND.get(what, ("", None))
    if named == command:
        wrong()
    elif command == "ABOUT":
        say('name="Fake", version="1"')
    elif command == "START":
        if what == "banner":
            say("Welcome", "MESSAGE hello")
        game.size = int(rest)
        game.clear()
    elif command == "RESTART":
        game.clear()
    elif command == "TURN":
        game.stones.append(rest)
        game.move()
    elif command == "BOARD":
        while (line := read()) != "DONE":
            game.stones.append(line.rpartition(",")[0])
        game.move()
    elif command == "BEGIN":
        game.move()
    elif command == "END":
        sys.exit(0)


options = dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word)
what = " ".join(word for word in sys.argv[1:] if "=" not in word)
at = int(options.get("at", 1))
game = Game()
log(f"folder {Path.cwd()}")
if what == "children":
    leave_children_behind()
while True:
    command, _, rest = read().partition(" ")
    obey(command, rest)
