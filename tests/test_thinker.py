"""A player at work for a manager: legal moves or a reason, limits that hurry, a message."""

import numpy as np
import pytest
import stub_players  # noqa: F401 - adds the family

from gomoku_lab.engine.analysis import Analysis
from gomoku_lab.engine.config import SearchLimits
from gomoku_lab.game.board import Board
from gomoku_lab.game.formats.gomocup import Info
from gomoku_lab.players.allowance import Allowance
from gomoku_lab.players.protocol import Choice
from gomoku_lab.players.registry import resolve
from gomoku_lab.players.thinker import Thinker, thought

BOARD = Board.from_moves("h8i9")


def ready(player: str) -> Thinker:
    thinker = Thinker(resolve(player), Allowance())
    thinker.new_game(np.random.SeedSequence(1), tell=lambda _: None)
    return thinker


def test_a_move_of_the_engine_comes_with_its_analysis() -> None:
    thinker = ready("lab/max:depth=3,time_ms=0")
    choice = thinker.choose(BOARD, SearchLimits(depth=2))
    found = thinker.analysis(BOARD)
    assert found is not None
    assert (choice.move, 2) == (found.move, found.depth)
    assert thinker.analysis(Board()) is None


def test_a_player_that_tells_nothing_has_no_analysis() -> None:
    thinker = ready("stub:forward")
    thinker.choose(BOARD, None)
    assert thinker.analysis(BOARD) is None
    thinker.stop()  # it cannot, which is no fault


def test_what_a_player_keeps_of_earlier_searches_can_be_forgotten() -> None:
    keeping, alone = (ready("lab/max:time_ms=0,depth=6,vct_nodes=0") for _ in range(2))
    limits = SearchLimits(depth=6)
    after = BOARD.play(keeping.choose(BOARD, limits).move or 0)
    later = after.play(alone.choose(after, limits).move or 0)
    alone.forget()
    fresh = alone.choose(later, limits).nodes
    assert keeping.choose(later, limits).nodes < fresh
    keeping.choose(BOARD, limits)
    keeping.forget()
    assert keeping.choose(later, limits).nodes == fresh
    ready("stub:forward").forget()  # it keeps nothing, which is no fault


def test_before_the_first_game_there_is_no_move() -> None:
    with pytest.raises(ValueError, match="no game has been started"):
        Thinker(resolve("stub:forward"), Allowance()).choose(BOARD, None)


def test_a_hurried_move_is_short_and_an_unhurried_one_is_seen_at_work() -> None:
    thinker = ready("lab/max:depth=3,time_ms=0")
    assert thinker.limits(BOARD, 0.0) == SearchLimits(depth=3)
    assert thinker.is_unhurried_at_work
    thinker.rest()
    assert not thinker.is_unhurried_at_work
    thinker.hurry()
    assert thinker.limits(BOARD, 0.0) == SearchLimits(depth=3, time_ms=100)
    assert not thinker.is_unhurried_at_work


def test_hurry_makes_nothing_longer() -> None:
    allowance = Allowance()
    allowance.tell(Info("timeout_turn", "0"))
    thinker = Thinker(resolve("lab/max"), allowance)
    thinker.hurry()
    limits = thinker.limits(BOARD, 0.0)
    assert limits is not None
    assert limits.time_ms == 0


def test_a_smaller_table_changes_the_player_and_not_its_game() -> None:
    allowance = Allowance(yixin=True)
    thinker = Thinker(resolve("layered/casual:time_ms=0,noise=1"), allowance)
    moves = []
    for size in ("0", "1024"):
        allowance.tell(Info("hash_size", size))
        thinker.new_game(np.random.SeedSequence(5), tell=lambda _: None)
        told = thinker.fit_memory()
        moves.append(thinker.choose(BOARD, None).move)
        assert told == ([] if size == "0" else ["the table has 2^16 entries now"])
    assert moves[0] == moves[1]


def test_compiling_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from gomoku_lab.players import thinker as module

    monkeypatch.setattr(module, "warm_up", lambda specs, progress: progress("compiling"))
    told: list[str] = []
    thinker = Thinker(resolve("stub:forward"), Allowance())
    thinker.new_game(np.random.SeedSequence(1), tell=told.append)
    thinker.new_game(np.random.SeedSequence(2), tell=told.append)
    assert told == ["compiling"]


@pytest.mark.parametrize(
    ("proven", "words"), [(5, "win within 5 plies"), (-2, "loss within 2 plies")]
)
def test_a_thought_tells_what_is_proved(proven: int, words: str) -> None:
    found = Analysis(board=BOARD, move=0, gate="vcf", proven=proven, pv=(0, 31), time_ms=3.6)
    line = thought(BOARD, Choice(0, "vcf"), found)
    assert line == f"depth 0 | nodes 0 | {words} | time 4 ms | by vcf | pv 0,0 1,2"


def test_a_thought_of_a_player_that_tells_nothing_is_its_move() -> None:
    assert thought(BOARD, Choice(16), None) == "depth 0 | nodes 0 | pv 1,1"
