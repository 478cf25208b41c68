"""A program that speaks the Gomocup protocol: how one process of it is started, told and asked.

It runs behind a guard, in a working folder of its own. What to ask for a game of Gomoku, and what
makes an answer a move, is the business of `players.external`.
"""

from __future__ import annotations

import contextlib
import errno
import math
import os
import re
import shutil
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gomoku_lab.game.formats.gomocup import Answer, Info, Kind, parse_answer
from gomoku_lab.players.child import Child, Guard
from gomoku_lab.players.child_output import ChildEnded
from gomoku_lab.players.child_player import ChildPlayer
from gomoku_lab.players.errors import PlayerCrash, PlayerError, PlayerStartError
from gomoku_lab.players.external_config import GomocupConfig

if TYPE_CHECKING:
    from gomoku_lab.game.board import Board

_DEPTH = re.compile(r"\bdepth\b\W*(\d+)", re.IGNORECASE)
_NODES = re.compile(r"\bnodes?\b\W*(\d+(?:\.\d+)?)([KMG]?)\b", re.IGNORECASE)
_TIMES = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}
_LONGEST_QUOTE = 200
_LONGEST_SCRIPT_HEAD = 255


@dataclass(slots=True)
class Process:
    """What is known of the process that runs.

    Attributes
    ----------
    folder : str
        Its working folder.
    size : int or None
        Lines of its board; None before START.
    board : Board or None
        What stands on its board; None if that belongs to an earlier game.
    told : dict
        What INFO has told it.
    unanswered : int
        INFO lines since its last answer, to each of which it may say UNKNOWN.
    depth, nodes : int
        What it has said of the search that is going on.
    moved_at : float
        When it last answered with a move, on the monotonic clock.
    """

    folder: str
    size: int | None = None
    board: Board | None = None
    told: dict[str, str] = field(default_factory=dict)
    unanswered: int = 0
    depth: int = 0
    nodes: int = 0
    moved_at: float = -math.inf


class GomocupProgram(ChildPlayer):
    """A program, and what is known of the process of it that runs: the base of `GomocupPlayer`."""

    def __init__(self, name: str, config: GomocupConfig) -> None:
        # A record has the name already, and that may hold a long command line.
        super().__init__(name, Path(config.target).name)
        self._config = config
        self._command = [self._find_program(), *config.arguments]
        self._launch()

    def close(self) -> None:
        """Say END, then end the process and whatever it has started."""
        if self._child is not None:
            with contextlib.suppress(ChildEnded):
                self._child.send("END")
        super().close()

    # ---- the process -----------------------------------------------------------------------------

    def _find_program(self) -> str:
        target = self._config.target
        path = Path(target).expanduser()
        if path.is_file():
            if not os.access(path, os.X_OK):
                raise self._cannot_start(f"{path} is not executable")
            return self._checked(path)
        if path.is_dir() and os.sep in target:
            raise self._cannot_start(f"{path} is a folder; the program in it is wanted")
        found = None if os.sep in target else shutil.which(target)
        if found is None:
            raise self._cannot_start(
                f"{path} is a folder" if path.is_dir() else f"there is no program {path}"
            )
        return self._checked(Path(found))

    def _checked(self, program: Path) -> str:
        """Return the whole path of a program, unless it is a script that nothing can read."""
        fault = script_fault(program)
        if fault:
            raise self._cannot_start(f"{program}: {fault}")
        return str(program.absolute())

    def _launch(self) -> None:
        """Start a process; it has been told and asked nothing yet."""
        own = self._config.folder
        if own and not Path(own).expanduser().is_dir():
            raise self._cannot_start(f"folder must be a folder that exists: {own!r}")
        litter = "" if own else tempfile.mkdtemp(prefix="gomoku-lab-")
        folder = litter or str(Path(own).expanduser().absolute())
        self._process = Process(folder)
        try:
            self._child = Child(
                self._command, folder=folder, guard=Guard(self._config.data_mb, litter)
            )
        except OSError as error:
            shutil.rmtree(litter, ignore_errors=True)
            why = error.strerror
            if error.errno == errno.ENOENT and Path(self._command[0]).is_file():
                why = "the loader that it names is missing; is it made for another system?"
            raise self._cannot_start(f"{self._command[0]}: {why}") from error

    def _cannot_start(self, why: str) -> PlayerStartError:
        return PlayerStartError(f"cannot start a player: {self.name}: {why}")

    def _begin(self, size: int, settings: Mapping[str, str]) -> None:
        """See to it that a process has an empty board of `size` and has been told `settings`."""
        if self._process.size is not None and self._child is not None:
            # What it was told cannot be untold, and few programs can change the size.
            fits = size == self._process.size and self._process.told.keys() <= settings.keys()
            if not (fits and self._config.restart and self._restarts()):
                self.close()
        if self._child is None:
            self._launch()
        if self._process.size is None:
            self._introduce(size)
            if self._config.rehearse and self._config.restart:
                self._rehearse(size, settings)
        self._tell_anew(settings)

    def _rehearse(self, size: int, settings: Mapping[str, str]) -> None:
        """Let a new process play a move that nobody counts, and forget it."""
        self._tell_anew(settings)
        middle, doing = size // 2, "BOARD (a rehearsal)"
        since = time.monotonic()
        for line in ("BOARD", f"{middle},{middle},1", f"{middle + 1},{middle + 1},2", "DONE"):
            self._send(line, doing)
        answer = self._hear(doing, self._config.start_ms, since)
        if answer.kind is Kind.ERROR:
            raise self._refuse(PlayerCrash, f"answered {said(answer)} to {doing}")
        self._process.moved_at = time.monotonic()
        self._rest()
        if not self._restarts():
            self.close()
            self._launch()
            self._introduce(size)

    def _restarts(self) -> bool:
        """Ask for an empty board; tell whether the program knows how."""
        answer = self._ask("RESTART", "RESTART", Kind.OK, Kind.ERROR, Kind.UNKNOWN)
        return answer.kind is Kind.OK

    def _introduce(self, size: int) -> None:
        """Ask a new process who it is, and for a board of `size`."""
        if self._config.about:
            doing = "ABOUT (it may go without if about=false)"
            answer = self._ask("ABOUT", doing, Kind.OTHER, Kind.ERROR, Kind.UNKNOWN)
            if answer.kind is not Kind.OTHER:
                raise self._refuse(PlayerCrash, f"answered {said(answer)} to {doing}")
        start = f"START {size}"
        answer = self._ask(start, start, Kind.OK, Kind.ERROR, Kind.UNKNOWN)
        if answer.kind is not Kind.OK:
            raise self._refuse(PlayerCrash, f"answered {said(answer)} to {start}")
        self._process.size = size

    # ---- what is said and heard ------------------------------------------------------------------

    def _rest(self) -> None:
        """Leave the program alone for a moment after a move: some are not yet ready to listen."""
        if self._child is not None:
            since = time.monotonic() - self._process.moved_at
            time.sleep(max(0.0, self._config.pause_ms / 1000 - since))

    def _tell_anew(self, settings: Mapping[str, str]) -> None:
        """Tell the program all of `settings`, and its folder."""
        self._process.told.clear()
        if "folder" not in settings:
            self._inform("folder", self._process.folder)
        self._tell(settings)

    def _tell(self, settings: Mapping[str, str]) -> None:
        """Tell the program what of `settings` it has not been told."""
        for key, value in settings.items():
            if self._process.told.get(key) != value:
                self._inform(key, value)
                self._process.told[key] = value

    def _inform(self, key: str, value: str) -> None:
        self._send(str(Info(key, value)), "INFO")
        self._process.unanswered += 1

    def _ask(self, command: str, doing: str, *kinds: Kind) -> Answer:
        """Return the first answer of one of `kinds`; a program may greet before it answers."""
        self._send(command, doing)
        since = time.monotonic()
        while True:
            answer = self._hear(doing, self._config.start_ms, since)
            if answer.kind in kinds:
                return answer
            doing = f"{command} (it said {said(answer)})"

    def _hear(self, doing: str, limit_ms: float, since: float) -> Answer:
        """Return the next line that is an answer; what it says of its search is noted."""
        while True:
            answer = parse_answer(self._receive(doing, limit_ms, since))
            if answer is None:
                continue
            if answer.is_talk:
                self._note(answer.text)
            elif answer.kind is Kind.UNKNOWN and self._process.unanswered:
                self._process.unanswered -= 1
                doing = f"{doing} (it said {said(answer)})"
            else:
                self._process.unanswered = 0
                return answer

    def _note(self, message: str) -> None:
        """Keep the depth and the nodes that a message tells of."""
        if found := _DEPTH.search(message):
            self._process.depth = int(found[1])
        if found := _NODES.search(message):
            self._process.nodes = round(float(found[1]) * _TIMES[found[2].upper()])

    def _refuse(self, kind: type[PlayerError], what: str) -> PlayerError:
        """End the program; return the error that says what it has done."""
        _, stderr = self._discard()
        return kind(f"{self._who} {what}{stderr}")


def script_fault(program: Path) -> str:
    """Return why the first line of a script cannot work; "" if nothing is wrong with it.

    The system would say "no such file", or ``env`` would say it when the game has begun.
    """
    try:
        with program.open("rb") as file:
            line = os.fsdecode(file.readline(_LONGEST_SCRIPT_HEAD)).rstrip("\n")
    except OSError:
        return ""
    if os.name != "posix" or not line.startswith("#!"):
        return ""
    interpreter, *rest = re.split(r"[ \t]+", line[2:].strip(" \t"))
    wanted, is_there = interpreter, Path(interpreter).exists()
    if is_there and Path(interpreter).name == "env" and len(rest) == 1:
        wanted, is_there = rest[0], shutil.which(rest[0]) is not None
    if is_there or not wanted:
        return ""
    if wanted.endswith("\r"):
        return f"its lines end with CR LF, so that the system looks for {wanted!r}: convert them"
    return f"its first line names an interpreter that is missing: {wanted}"


def said(answer: Answer) -> str:
    """Quote an answer."""
    word = "" if answer.kind in (Kind.POINTS, Kind.OTHER) else str(answer.kind)
    return repr(f"{word} {answer.text}".strip()[:_LONGEST_QUOTE])
