"""From what somebody else's file says of a game to a game record.

Whatever the file does not say stays unknown, and what it says is checked against the board: the
result of a game that contradicts its moves is an error, never a record.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gomoku_lab.game.notation import move_string
from gomoku_lab.game.record import UNKNOWN, UNKNOWN_PLAYER, GameRecord, PlayerRef, Setup
from gomoku_lab.game.rules import DEFAULT_SIZE, Rule


@dataclass(frozen=True, slots=True)
class Unsaid:
    """What to take for true where a file does not say it.

    Attributes
    ----------
    rule : Rule or None
        The rule; None is freestyle, with a note that it was taken for granted.
    size : int or None
        The board size; None is what the format takes, with such a note.
    """

    rule: Rule | None = None
    size: int | None = None


NOTHING_ELSE_KNOWN = Unsaid()


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a file says of one game; the attributes are as in `GameRecord`.

    Attributes
    ----------
    moves : sequence of int
        Flat indices.
    result, reason : str
        "" where the file is silent.
    rule : Rule or None
        None if the file does not say.
    time_ms : sequence
        One entry for each move, the opening included; empty if none is known.
    """

    id: str
    moves: Sequence[int]
    size: int
    rule: Rule | None = None
    setup: Setup | None = None
    black: str = ""
    white: str = ""
    result: str = ""
    reason: str = ""
    detail: str = ""
    opening: str = ""
    opening_moves: int = 0
    time_ms: Sequence[float | None] = ()


def record_of(told: Told, unsaid: Unsaid, notes: list[str]) -> GameRecord:
    """Return the record of a game of which a file tells; what is taken for granted is noted.

    Raises
    ------
    ValueError
        If the moves cannot be played, or end otherwise than the file says.
    """
    rule = told.rule or unsaid.rule
    if rule is None:
        rule = Rule.FREESTYLE
        notes.append(f"rule taken for granted: {rule}")
    chosen = len(told.moves) - told.opening_moves
    nothing: tuple[None, ...] = (None,) * chosen
    record = GameRecord(
        id=told.id,
        pair="",
        opening=told.opening,
        opening_moves=told.opening_moves,
        black=PlayerRef(told.black, "") if told.black else UNKNOWN_PLAYER,
        white=PlayerRef(told.white, "") if told.white else UNKNOWN_PLAYER,
        rule=rule,
        size=told.size,
        moves=move_string(told.moves, told.size),
        result=UNKNOWN,
        reason=UNKNOWN,
        detail=told.detail,
        nodes=nothing,
        depth=nothing,
        score=nothing,
        time_ms=tuple(told.time_ms[told.opening_moves :]) if told.time_ms else nothing,
        seed=None,
        reproducible=False,
        setup=told.setup,
    )
    return with_outcome(record, told.result, told.reason)


def with_outcome(record: GameRecord, result: str, reason: str) -> GameRecord:
    """Return `record` with the outcome that its moves and the file give it, "" where it is silent.

    Raises
    ------
    ValueError
        If the moves cannot be played, or the file contradicts them.
    """
    ending = record.ending()
    if ending is None:
        if reason in ("five", "full board"):
            raise ValueError(f"the file says {reason!r}, but the moves leave the game unfinished")
        if not result or result == UNKNOWN:
            return replace(record, result=UNKNOWN, reason=UNKNOWN)
        return replace(record, result=result, reason=reason or UNKNOWN)
    by_moves, why = ending
    if result not in ("", UNKNOWN, by_moves) or reason not in ("", UNKNOWN, why):
        said = ", ".join(word for word in (result, reason) if word)
        raise ValueError(
            f"the file says {said}, but by the moves the result is {by_moves} ({why}); "
            "which of them is wrong cannot be told"
        )
    return replace(record, result=by_moves, reason=why)


def size_or(unsaid: Unsaid, notes: list[str], default: int = DEFAULT_SIZE) -> int:
    """Return the board size for a file that does not say it."""
    if unsaid.size is None:
        notes.append(f"board size taken for granted: {default}")
        return default
    return unsaid.size


def without_setup(record: GameRecord) -> GameRecord:
    """Return the same game with the stones of its setup as first moves, in board order.

    Raises
    ------
    ValueError
        If the colours do not alternate from Black on.
    """
    setup = record.setup
    if setup is None:
        return record
    start = record.start()
    stones = [
        [point for point, cell in enumerate(start.cells) if cell == colour] for colour in (1, 2)
    ]
    black, white = stones
    natural = "white" if len(black) == len(white) + 1 else "black"
    if len(black) - len(white) not in (0, 1) or setup.to_move != natural:
        raise ValueError(
            f"it begins with {len(black)} black and {len(white)} white stones and "
            f"{setup.to_move} to move, which no row of alternating moves gives"
        )
    first = [stones[number % 2][number // 2] for number in range(len(black) + len(white))]
    return replace(
        record,
        setup=None,
        moves=move_string(first, record.size) + record.moves,
        opening_moves=record.opening_moves + len(first),
    )
