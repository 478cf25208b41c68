"""A brain on streams: answers in order, and a search that is stopped while it runs."""

import gc
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from gomoku_lab.game.formats.gomocup import parse_points
from gomoku_lab.players import thinker
from gomoku_lab.players.brain import GOMOCUP, YIXIN, Brain
from gomoku_lab.players.registry import resolve
from gomoku_lab.players.serve import serve

ENDLESS = "lab/max:time_ms=0,depth=64"
"""On a board with few stones this searches for hours."""
PLAY = (b"START 15\r\n", b"TURN 7,7\r\n")


class Manager:
    """Writes lines and waits for what it is told to wait for."""

    def __init__(self, player: str, dialect: str) -> None:
        self.said: list[str] = []
        self.heard = threading.Condition()
        self.brain = Brain(resolve(player), self.hear, dialect=dialect, seed=1)

    def hear(self, line: str) -> None:
        with self.heard:
            self.said.append(line)
            self.heard.notify_all()

    def answers(self) -> list[str]:
        return [line for line in self.said if not line.startswith("MESSAGE")]

    def wait_for(self, count: int) -> None:
        with self.heard:
            assert self.heard.wait_for(lambda: len(self.answers()) >= count, timeout=60)

    def wait_for_search(self) -> None:
        while not self.brain.thinker.is_unhurried_at_work:
            time.sleep(0.001)
        time.sleep(0.01)

    def run(self, lines: Iterator[bytes]) -> list[str]:
        serve(self.brain, lines)
        return self.answers()


def is_move(answer: str) -> bool:
    return len(parse_points(answer)) == 1


def test_lines_are_answered_in_order_until_the_end_of_input() -> None:
    manager = Manager("stages/3", GOMOCUP)
    answers = manager.run(iter([b"START 9\n", b"TURN 4,4\n", b"HELLO\n", b"RESTART\n", b"BEGIN"]))
    assert [answers[0], answers[2], answers[3]] == ["OK", "UNKNOWN command 'HELLO'", "OK"]
    assert is_move(answers[1])
    assert is_move(answers[4])


def test_in_a_game_what_was_loaded_is_not_searched_for_garbage() -> None:
    manager = Manager("stages/3", GOMOCUP)
    usual = gc.get_threshold()
    seen: list[tuple[int, ...]] = []

    def lines() -> Iterator[bytes]:
        seen.append((gc.get_threshold()[0], gc.get_freeze_count()))
        yield b"START 9\n"
        yield b"TURN 4,4\n"
        manager.wait_for(2)
        seen.append((*gc.get_threshold(), gc.get_freeze_count()))

    manager.run(lines())
    (loading, frozen), (*playing, kept) = seen
    assert (loading > usual[0], frozen) == (True, 0)
    assert (playing, kept > 0) == ([*usual], True)
    assert (gc.get_threshold(), gc.get_freeze_count()) == (usual, 0)


def test_nothing_after_end_is_answered() -> None:
    manager = Manager("stages/3", GOMOCUP)
    assert manager.run(iter([b"START 9\n", b"end\r\n", b"ABOUT\n"])) == ["OK"]


def test_what_is_not_utf_8_is_an_unknown_command() -> None:
    manager = Manager("stages/3", GOMOCUP)
    (answer,) = manager.run(iter([b"\xff\xfe\x00\xd8\n"]))
    assert answer.startswith("UNKNOWN ")


def test_yxstop_makes_a_running_search_answer_and_the_game_go_on() -> None:
    manager = Manager(ENDLESS, YIXIN)

    def lines() -> Iterator[bytes]:
        yield from PLAY
        manager.wait_for(1)
        manager.wait_for_search()
        yield b"YXSTOP\n"
        manager.wait_for(2)
        yield b"INFO max_depth 2\n"
        yield b"TURN 0,0\n"
        manager.wait_for(3)

    answers = manager.run(lines())
    assert len(answers) == 3
    assert is_move(answers[1])
    assert is_move(answers[2])


def test_yxstop_right_behind_a_command_stops_its_search() -> None:
    manager = Manager(ENDLESS, YIXIN)
    answers = manager.run(iter([*PLAY, b"yxstop\n"]))
    assert len(answers) == 2


def test_yxstop_is_unknown_in_gomocups_dialect() -> None:
    manager = Manager("stages/3", GOMOCUP)
    assert manager.run(iter([b"YXSTOP\n"])) == ["UNKNOWN command 'YXSTOP'"]


@pytest.mark.parametrize("last", [[b"END\n"], []])
def test_the_end_stops_a_running_search(last: list[bytes]) -> None:
    manager = Manager(ENDLESS, GOMOCUP)

    def lines() -> Iterator[bytes]:
        yield from PLAY
        manager.wait_for(1)
        manager.wait_for_search()
        yield from last

    answers = manager.run(lines())
    assert len(answers) == 2
    assert is_move(answers[1])


def test_what_was_asked_before_the_end_is_answered_quickly() -> None:
    manager = Manager(ENDLESS, GOMOCUP)
    answers = manager.run(iter([*PLAY, b"TURN 0,0\n", b"SWAP2BOARD\n", b"DONE\n"]))
    assert len(answers) == 4
    assert len(parse_points(answers[3])) == 3


def test_a_stream_that_breaks_ends_the_conversation() -> None:
    manager = Manager("stages/3", GOMOCUP)

    def lines() -> Iterator[bytes]:
        yield b"START 9\n"
        raise OSError("the manager's pipe is broken")

    assert manager.run(lines()) == ["OK"]


def test_about_does_not_wait_for_the_engine_and_start_does(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = threading.Event()

    def warm_up(specs: object, progress: Callable[[str], None]) -> None:
        if not loaded.is_set():
            progress("compiling")
            assert loaded.wait(timeout=60)

    monkeypatch.setattr(thinker, "warm_up", warm_up)
    manager = Manager("stages/3", GOMOCUP)

    def lines() -> Iterator[bytes]:
        yield b"ABOUT\n"
        manager.wait_for(1)
        assert manager.said == manager.answers()
        loaded.set()
        yield b"START 9\n"

    manager.run(lines())
    assert manager.said[1:] == ["MESSAGE compiling", "OK"]
