"""One game, and one pair of games from the same opening with colours swapped.

A player that breaks the rules, hangs or crashes loses its game, and the record says why; the
caller goes on. Nothing here knows about run folders, schedules or processes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import numpy as np

from gomoku_lab.arena.openings import Opening
from gomoku_lab.engine.settings import Settings, optional, whole
from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import move_string
from gomoku_lab.game.record import GameRecord, PlayerRef
from gomoku_lab.game.rules import BLACK, EMPTY, WHITE, Rule, colour_name, opponent
from gomoku_lab.players.errors import PlayerError
from gomoku_lab.players.protocol import Choice, Player

DRAW: Final = "draw"
_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjudication(Settings):
    """When a game is ended before somebody has five. By default it never is.

    Attributes
    ----------
    max_plies : int or None
        A game that has this many moves, opening included, is a draw.
    score : int or None
        A game in which both players give the same side at least this score, `plies` moves in a
        row, is won by that side. In evaluation units; a score in the mate range accepts only wins
        that the engines have found.
    plies : int
        How many moves in a row, at least 2 so that both players agree.
    """

    max_plies: int | None = field(default=None, metadata=optional(whole(1, 400)))
    score: int | None = field(default=None, metadata=optional(whole(1, 2**62)))
    plies: int = field(default=4, metadata=whole(2, 400))


NO_ADJUDICATION: Final = Adjudication()


class _ForfeitError(Exception):
    """The player of `colour` has lost by breaking the rules, hanging or crashing."""

    def __init__(self, colour: int, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.colour = colour
        self.reason = reason


@dataclass(slots=True)
class _Sheet:
    """The game as it is played: the board and what every chosen move cost."""

    board: Board
    nodes: list[int] = field(default_factory=list)
    depth: list[int] = field(default_factory=list)
    score: list[int | None] = field(default_factory=list)
    time_ms: list[float] = field(default_factory=list)
    claimed: int = EMPTY
    """Side to which the last scores gave the game, `claims` moves in a row."""
    claims: int = 0

    def enter(self, choice: Choice, after: Board, elapsed_ms: float) -> None:
        """Write down one move."""
        self.board = after
        self.nodes.append(int(choice.nodes))
        self.depth.append(int(choice.depth))
        self.score.append(None if choice.score is None else int(choice.score))
        self.time_ms.append(round(elapsed_ms if choice.time_ms is None else choice.time_ms, 3))

    def claim(self, threshold: int) -> None:
        """Note which side the newest score calls the winner."""
        score = self.score[-1]
        mover = opponent(self.board.to_move)
        side = EMPTY
        if score is not None and abs(score) >= threshold:
            side = mover if score > 0 else opponent(mover)
        self.claims = self.claims + 1 if side == self.claimed else 1
        self.claimed = side


def play_game(
    black: Player,
    white: Player,
    opening: Opening,
    *,
    rule: Rule = Rule.FREESTYLE,
    seed: int = 0,
    game_id: str = "game",
    pair_id: str = "pair",
    refs: tuple[PlayerRef, PlayerRef] | None = None,
    reproducible: bool = True,
    adjudication: Adjudication = NO_ADJUDICATION,
) -> GameRecord:
    """Play one game to its end.

    Parameters
    ----------
    black, white : Player
        The players; both get `new_game` first.
    opening : Opening
        The moves played before the players are asked; it also gives the board size.
    seed : int
        Root of every random draw: black's and white's seeds are spawned from it.
    refs : pair of PlayerRef, optional
        How the record names black and white; by default the players' names without a hash.
    reproducible : bool
        Whether no clock can influence the players; only recorded. A game that was forfeited by
        the clock never is.

    Returns
    -------
    GameRecord
        The game. A forfeit is a result with its reason, not an exception.
    """
    sheet = _Sheet(opening.board(rule))
    result, reason, detail = _play_out((black, white), sheet, seed, adjudication)
    black_ref, white_ref = refs or (PlayerRef(black.name, ""), PlayerRef(white.name, ""))
    return GameRecord(
        id=game_id,
        pair=pair_id,
        opening=opening.name,
        opening_moves=len(opening.moves),
        black=black_ref,
        white=white_ref,
        rule=rule,
        size=opening.size,
        moves=move_string(sheet.board.moves, opening.size),
        result=result,
        reason=reason,
        detail=detail,
        nodes=tuple(sheet.nodes),
        depth=tuple(sheet.depth),
        score=tuple(sheet.score),
        time_ms=tuple(sheet.time_ms),
        seed=seed,
        reproducible=reproducible and reason != "time",
    )


def play_pair(
    first: Player,
    second: Player,
    opening: Opening,
    *,
    seeds: tuple[int, int],
    rule: Rule = Rule.FREESTYLE,
    pair_id: str = "pair",
    refs: tuple[PlayerRef, PlayerRef] | None = None,
    reproducible: bool = True,
    adjudication: Adjudication = NO_ADJUDICATION,
    opening_b: Opening | None = None,
) -> tuple[GameRecord, GameRecord]:
    """Play the opening twice: `first` is black in game ``a`` and white in game ``b``.

    `refs` names first and second, `seeds` holds one seed a game; `opening_b` is the opening of
    game ``b`` where it has another one; the rest is as in `play_game`.
    """
    swapped = None if refs is None else (refs[1], refs[0])
    game_a = play_game(
        first,
        second,
        opening,
        rule=rule,
        seed=seeds[0],
        game_id=f"{pair_id}a",
        pair_id=pair_id,
        refs=refs,
        reproducible=reproducible,
        adjudication=adjudication,
    )
    game_b = play_game(
        second,
        first,
        opening_b or opening,
        rule=rule,
        seed=seeds[1],
        game_id=f"{pair_id}b",
        pair_id=pair_id,
        refs=swapped,
        reproducible=reproducible,
        adjudication=adjudication,
    )
    return game_a, game_b


def _play_out(
    players: tuple[Player, Player], sheet: _Sheet, seed: int, adjudication: Adjudication
) -> tuple[str, str, str]:
    """Play until something ends the game; return result, reason and detail."""
    try:
        seeds = np.random.SeedSequence(seed).spawn(2)
        for colour, player, own in zip((BLACK, WHITE), players, seeds, strict=True):
            _ask(colour, player.new_game, own)
        while True:
            verdict = _verdict(sheet, adjudication)
            if verdict is not None:
                return verdict
            _play_move(players[sheet.board.to_move - 1], sheet)
            if adjudication.score is not None:
                sheet.claim(adjudication.score)
    except _ForfeitError as forfeit:
        return colour_name(opponent(forfeit.colour)), forfeit.reason, str(forfeit)


def _verdict(sheet: _Sheet, adjudication: Adjudication) -> tuple[str, str, str] | None:
    board = sheet.board
    if board.winner != EMPTY:
        return colour_name(board.winner), "five", ""
    if board.is_full:
        return DRAW, "full board", ""
    if sheet.claimed != EMPTY and sheet.claims >= adjudication.plies:
        agreed = f"both scores at least {adjudication.score} for {sheet.claims} moves"
        return colour_name(sheet.claimed), "adjudicated", agreed
    if adjudication.max_plies is not None and len(board.moves) >= adjudication.max_plies:
        return DRAW, "adjudicated", f"{len(board.moves)} moves played"
    return None


def _play_move(player: Player, sheet: _Sheet) -> None:
    board = sheet.board
    start = time.perf_counter()
    choice = _ask(board.to_move, player.choose, board)
    elapsed_ms = (time.perf_counter() - start) * 1000
    try:
        if choice.move is None:
            left = "the game is not over" if board.legal_points() else "forbidden points are left"
            raise ValueError(f"no move given although {left}")
        after = board.play(int(choice.move))
    except ValueError as error:
        raise _ForfeitError(board.to_move, "illegal move", str(error)) from None
    sheet.enter(choice, after, elapsed_ms)


def _ask(colour: int, question: Callable[[Any], _Answer], value: Any) -> _Answer:
    """Ask a player; whatever it raises loses it the game."""
    try:
        return question(value)
    except PlayerError as error:
        raise _ForfeitError(colour, error.reason, str(error)) from error
    except Exception as error:  # a player may raise anything; the tournament goes on
        raise _ForfeitError(colour, "crash", f"{type(error).__name__}: {error}") from error
