"""Play games between two of our Gomocup programs and print how they keep their time."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from gomoku_lab.arena.openings import load_openings
from gomoku_lab.game.board import Board
from gomoku_lab.game.formats.gomocup import Answer, Kind, board_block, parse_answer
from gomoku_lab.kernels.layout import MATE_RANGE
from gomoku_lab.stats.estimate import share_text

MOVES = {20: 700, 50: 700, 100: 500, 1000: 160}
"""Budget in milliseconds to moves."""
PLAYER = "lab/max"
START = "from gomoku_lab.cli.main import main; main()"
LATE_MS = 20.0
USED = 0.85
LONGEST_GAME = 100


@dataclass
class Program:
    """A running brain."""

    budget_ms: int
    process: subprocess.Popen[str] = field(init=False)

    def __post_init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, "brain", PLAYER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.ask(["START 15"])
        self.send([f"INFO timeout_turn {self.budget_ms}", "INFO timeout_match 0"])

    def send(self, lines: list[str]) -> None:
        """Write lines at once."""
        self.process.stdin.write("".join(f"{line}\r\n" for line in lines))
        self.process.stdin.flush()

    def ask(self, lines: list[str]) -> tuple[Answer, str, float]:
        """Write a command; return the answer, the message before it, and the milliseconds."""
        started = time.monotonic()
        self.send(lines)
        message = ""
        while True:
            answer = parse_answer(self.process.stdout.readline())
            if not answer.is_talk:
                return answer, message, (time.monotonic() - started) * 1000
            message = answer.text

    def end(self) -> None:
        """Let the program end."""
        self.send(["END"])
        self.process.wait()


def moves(budget_ms: int) -> Iterator[tuple[Board, str, float]]:
    """Play games from the openings of the book; yield position, message and time of each move."""
    pair = [Program(budget_ms), Program(budget_ms)]
    try:
        for opening in load_openings("book"):
            board = opening.board()
            for program in pair:
                program.ask(["RESTART"])
            while not board.is_over and len(board.moves) < LONGEST_GAME:
                program = pair[board.to_move - 1]
                answer, message, elapsed_ms = program.ask(list(board_block(board)))
                if answer.kind is not Kind.POINTS:
                    raise SystemExit(f"no move: {answer}")
                yield board, message, elapsed_ms
                board = board.play(answer.points[0].move(board.size))
    finally:
        for program in pair:
            program.end()


def is_open(message: str) -> bool:
    """Tell whether the search decided, and saw no forced end."""
    score = re.search(r"score ([+-]\d+)", message)
    is_heuristic = score is not None and abs(int(score[1])) < MATE_RANGE
    return "by search" in message and is_heuristic


def main() -> None:
    """Play and print."""
    late_in_all, outliers, short = 0, [], []
    print(f"{PLAYER} against itself over pipes; load {os.getloadavg()[0]:.1f} at the start\n")
    print("budget  moves  late   median    99.5 %      most  undecided  used >= 85 %  mean used")
    for budget_ms, count in MOVES.items():
        times, used = [], []
        for board, message, elapsed_ms in moves(budget_ms):
            times.append(elapsed_ms)
            where = f"{len(board.moves)} stones, {message or 'no message'}"
            if is_open(message):
                used.append(elapsed_ms / budget_ms)
                if used[-1] < USED:
                    short.append(f"{budget_ms} ms: {elapsed_ms:.1f} ms, {where}")
            if elapsed_ms > budget_ms + LATE_MS:
                load = os.getloadavg()[0]
                outliers.append(f"{budget_ms} ms: {elapsed_ms:.1f} ms, load {load:.1f}, {where}")
            if len(times) == count:
                break
        late = sum(spent > budget_ms + LATE_MS for spent in times)
        late_in_all += late
        kept = float(np.mean(np.array(used) >= USED))
        middle, high = np.quantile(times, [0.5, 0.995])
        print(
            f"{budget_ms:6d}  {len(times):5d}  {late:4d}  {middle:7.2f}  {high:8.2f}  "
            f"{max(times):8.2f}  {len(used):9d}  {share_text(kept):>12}  "
            f"{share_text(float(np.mean(used))):>9}",
            flush=True,
        )
    total = sum(MOVES.values())
    print(f"\n{total} moves, {late_in_all} later than {LATE_MS:g} ms after their budget:", end=" ")
    print(f"{share_text(1 - late_in_all / total)} in time")
    print("\n".join(outliers))
    print(f"undecided, with less than {share_text(USED)} of the budget used: {len(short)}")
    print("\n".join(short))
    sys.exit(late_in_all > 0.005 * total)


if __name__ == "__main__":
    main()
