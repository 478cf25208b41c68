"""The fake Gomocup program as a player, for the tests of external programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from gomoku_lab.game.board import Board
from gomoku_lab.players.external import GomocupPlayer
from gomoku_lab.players.external_config import GomocupConfig
from gomoku_lab.players.registry import PlayerSpec

FAKE = str(Path(__file__).with_name("fake_gomocup.py"))
BOARD = Board.from_moves("h8i9")
LAST = 224
"""The move that the fake program plays on `BOARD`."""
PATIENT: dict[str, Any] = {"time_ms": 0, "hang_ms": 60_000, "pause_ms": 0, "rehearse": False}


def fake_spec(*words: str, **settings: Any) -> PlayerSpec:
    """Return the fake program as a player; `words` are its command line."""
    defaults = {"target": sys.executable, "arguments": ("-S", "-E", FAKE, *words), **PATIENT}
    config = GomocupConfig(**{**defaults, **settings})
    return PlayerSpec(name="fake", family="gomocup", config=config)


class Fakes:
    """Makes fake programs that write one log, and closes them at the end."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self._players: list[GomocupPlayer] = []

    def __call__(self, *words: str, **settings: Any) -> GomocupPlayer:
        player = GomocupPlayer(fake_spec(*words, f"log={self.log}", **settings))
        self._players.append(player)
        return player

    def close(self) -> None:
        for player in self._players:
            player.close()

    def lines(self) -> list[tuple[int, str]]:
        """Return process id and text of each line of the log."""
        split = (line.partition(" ") for line in self.log.read_text().splitlines())
        return [(int(pid), text) for pid, _, text in split]

    def heard(self) -> list[list[str]]:
        """Return what each process was told, but for the name of its folder."""
        processes: dict[int, list[str]] = {}
        for pid, text in self.lines():
            own = processes.setdefault(pid, [])
            if not text.startswith(("folder", "INFO folder")):
                own.append(text)
        return list(processes.values())

    def told(self) -> list[str]:
        """Return what INFO told the last process."""
        lines = self.heard()[-1]
        return [line.removeprefix("INFO ") for line in lines if line.startswith("INFO")]


def play(player: GomocupPlayer, board: Board, moves: int = 1) -> Board:
    """Let the program play, its opponent answering on the first empty point."""
    for _ in range(moves):
        choice = player.choose(board)
        assert choice.move is not None
        board = board.play(choice.move)
        board = board.play(board.empty_points()[0])
    return board
