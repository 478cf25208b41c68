"""What a game holds of each kind of position: the search behind `mining`, one game at a time.

A game is searched up to the first chain of fours of two or more, which ends it; the threats that
won before, the defences that were left, and the fours that an other move would have stopped, are
looked for from there. Everything found has a proof, which `proofs` makes again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from gomoku_lab.engine.solve import Answer, ForcedWin, Solution, Solver
from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import move_name
from gomoku_lab.game.rules import Rule, colour_name, opponent
from gomoku_lab.suite.breaking import Defences, UndecidedError
from gomoku_lab.suite.forcing import fives_of, fours_of
from gomoku_lab.suite.positions import Position
from gomoku_lab.suite.prohibited import ASKED_OF_NOBODY, THEMES, Deciding, examine, free_board
from gomoku_lab.suite.sources import Source
from gomoku_lab.suite.stretch import stretch

GROUPS: Final = {
    "vcf": ("2", "3", "4", "5", "6-7", "8-9", "10-12", "13-15"),
    "vct": ("3-4", "5-6", "7-8", "9-10", "11-30"),
    "no-vcf": ("2", "3", "4", "5", "6-15"),
    "break-vcf": ("2", "3", "4", "5", "6-15"),
    "forbidden": THEMES,
}
"""By kind, between what positions are spread: steps of the win, or what it is about."""
MOST_RIGHT: Final = 10
"""Right moves above which a position asks too little."""
_MOST_THREATS: Final = 6
"""The same where the proof of each takes long."""
_LOOK: Final = 20_000
"""Stones for a first look at each position of a game."""
_VCF_NODES: Final = 1_000_000
VCT_NODES: Final = 150_000
"""Stones within which the first moves of a win by threats are proved."""
_BEFORE: Final = (8, 6, 4, 2)
"""Plies before the chain of fours at which the winner may have won by threats."""
_TABLE_BITS: Final = 16
_LAST: Final = 12
"""Boards at the end of a game of renju on which a forbidden point may decide."""
_HARD_TWIN: Final = 12
"""Stones that it takes at least to refute the fours of a twin: fewer are no question."""
_STRETCHED: Final = 5
"""Fours from which on a chain is made longer."""
_LONG: Final = (8, 10, 13, 15)
"""Lengths for which that is done, as long as one of them is wanted."""
_TRIES: Final = 500
_TWINS: Final = 12
"""Moves tried in place of the one that was played, for a twin."""


@dataclass(frozen=True, slots=True)
class Find:
    """A position that was found, before anybody knows whether it is wanted.

    Attributes
    ----------
    position : Position
        Its id names where it was found.
    group : str
        One of the kind's `GROUPS`.
    label : str
        What tells it apart in its group, for its name: the steps, or the group.
    """

    position: Position
    group: str
    label: str


Wanted = Callable[[str, str], bool]
"""Tells whether a position of a kind and group is still looked for."""

Fails = Callable[[Board, Callable[[int], bool]], bool]
"""Tells whether the failing player plays no right move; of a move it is said if it is right."""


def group_of(kind: str, steps: int) -> str:
    """Return the group of a win by so many fours, or own moves of a line of threats; "" if none."""
    for group in GROUPS[kind]:
        least, _, most = group.partition("-")
        if int(least) <= steps <= int(most or least):
            return group
    return ""


class Finder:
    """Searches games, one after another; what it finds depends on the game and on `wanted` alone.

    Parameters
    ----------
    kinds : collection of str
        Which kinds of `GROUPS` to look for.
    wanted : callable
        Asked before anything that takes long.
    fails : callable
        Asked before what takes longest.
    seed : int
        Of the choice of twins.
    """

    def __init__(self, kinds: tuple[str, ...], wanted: Wanted, fails: Fails, *, seed: int) -> None:
        self._kinds, self._wanted, self._fails, self._seed = kinds, wanted, fails, seed
        self._solver = Solver()

    def search(self, game: Source) -> Iterator[Find]:
        """Yield what a game holds, at most one position of each kind, or some of forbidden."""
        # What a table holds from another game would change where a budget ends.
        self._solver = Solver(table_bits=_TABLE_BITS, proof_bits=_TABLE_BITS)
        board = Board.from_moves(game.moves[: game.opening_moves], size=game.size, rule=game.rule)
        if "forbidden" in self._kinds and board.rule is Rule.RENJU:
            yield from self._prohibited(board, game)
        boards = [board]
        defended = "break-vcf" not in self._kinds
        for move in game.moves[game.opening_moves :]:
            found = self._solver.vcf(board, nodes=_LOOK)
            if found.answer is Answer.FOUND and found.wins[0].plies > 3:
                yield from self._chain(board, game)
                yield from self._threats(boards[:-1], game)
            if found.answer is Answer.FOUND:
                return
            if not defended and found.answer is Answer.REFUTED:
                for find in self._defence(board, game):
                    defended = True
                    yield find
            board = board.play(move)
            if board.is_over:
                return
            boards.append(board)

    def _prohibited(self, board: Board, game: Source) -> Iterator[Find]:
        """Yield the last board of the game on which what is forbidden decides."""
        boards = [board]
        for move in game.moves[game.opening_moves :]:
            boards.append(boards[-1].play(move))
        for board in reversed(boards[-_LAST:]):
            origin = f"{game.name}, after {len(board.moves)} moves"
            found = examine(board, origin, self._solver)
            yield from deciding_find(found, self._wanted, self._fails)

    def _chain(self, board: Board, game: Source) -> Iterator[Find]:
        """Yield a victory by fours, a longer one made of it, and its twin that is none."""
        fours = _fours(self._solver.vcf(board, nodes=_VCF_NODES))
        yield from self._win(board, fours, game, f"after {len(board.moves)} moves")
        if fours >= _STRETCHED and any(self._asks("vcf", steps) for steps in _LONG):
            longer, length = stretch(
                board, fours, most=_LONG[-1], tries=_TRIES, lot=f"{self._seed}:{game.name}"
            )
            if length > fours:
                where = f"after {len(board.moves)} moves, then changed"
                yield from self._win(longer, length, game, where)
        if self._asks("no-vcf", fours):
            every = self._solver.vcf(board, nodes=_VCF_NODES, every=True)
            yield from self._twin(board, every, game, fours)

    def _win(self, board: Board, fours: int, game: Source, where: str) -> Iterator[Find]:
        """Yield a victory by `fours` fours at least, if the failing player does not see it."""
        if not self._asks("vcf", fours):
            return
        every = self._solver.vcf(board, nodes=_VCF_NODES, every=True)
        if not every.complete or not every.shortest or len(every.moves) > MOST_RIGHT:
            return
        if self._fails(board, every.moves.__contains__):
            first = move_name(every.moves[0], board.size)
            rest = "no chain is shorter" if len(every.moves) > 1 else "no other first move wins so"
            why = f"{first} begins a vcf of {fours} fours; {rest}"
            tags = ["chain", *_catch(self._solver, board)]
            yield _find("vcf", board, every.moves, why, tags, game, fours, where, fours + 1)

    def _twin(self, board: Board, won: Solution, game: Source, fours: int) -> Iterator[Find]:
        """Yield the board with another last move, after which the fours win no more."""
        before = board.undo()
        played = board.moves[-1]
        line = {move for win in won.wins for move in win.line}
        tried = sorted(
            (move for move in line if move in before.legal_points() and move != played),
            key=lambda move: _lot(self._seed, game.name, move),
        )[:_TWINS]
        best: tuple[int, int] | None = None
        for move in tried:
            twin = before.play(move)
            if twin.is_over or any(fives_of(twin)):
                continue
            # What the solver knows already would make it look easier than it is.
            found = Solver(table_bits=10, proof_bits=4).vcf(twin, nodes=_LOOK)
            if found.answer is Answer.REFUTED and fours_of(twin).intersection(won.moves):
                best = max(best or (0, 0), (found.nodes, move))
        if best is None or best[0] < _HARD_TWIN:
            return
        twin = before.play(best[1])
        side = colour_name(before.to_move).capitalize()
        here, there = (move_name(move, board.size) for move in (best[1], played))
        why = f"{side} has played {here}: the vcf of {fours} fours that {there} allowed fails"
        tags = ["chain", "twin"]
        where = f"after {len(before.moves)} moves and another one"
        yield _find("no-vcf", twin, (), why, tags, game, fours, where)

    def _threats(self, boards: list[Board], game: Source) -> Iterator[Find]:
        """Yield a victory by threats of the side that had a chain of fours after `boards`."""
        if "vct" not in self._kinds:
            return
        for back in _BEFORE:
            if back <= len(boards):
                found = list(self._threat(boards[-back], game))
                yield from found
                if found:
                    return

    def _threat(self, board: Board, game: Source) -> Iterator[Find]:
        """Yield a victory by threats on this very board, if fours alone do not win."""
        if self._solver.vcf(board, nodes=_LOOK).answer is not Answer.REFUTED:
            return
        if self._solver.vct(board, nodes=_LOOK).answer is not Answer.FOUND:
            return
        every = self._solver.vct(board, nodes=VCT_NODES, every=True)
        steps = (every.wins[0].plies + 1) // 2 if every.wins else 0
        if not steps or len(every.moves) > _MOST_THREATS or not self._asks("vct", steps):
            return
        if self._fails(board, lambda move: self._wins(board, every.moves, move)):
            first = move_name(every.moves[0], board.size)
            why = f"{first} begins a vct: fours and open threes win, fours alone do not"
            where = f"after {len(board.moves)} moves"
            yield _find("vct", board, every.moves, why, ["threats"], game, steps, where)

    def _wins(self, board: Board, known: tuple[int, ...], move: int) -> bool:
        """Tell whether a move is known, or found, to win by threats."""
        return move in known or self._solver.vct_by(board, move, nodes=VCT_NODES) is not None

    def _defence(self, board: Board, game: Source) -> Iterator[Find]:
        """Yield the defences against a chain of the opponent's of two fours or more."""
        if any(fives_of(board)):
            return
        defences = Defences(_LOOK, self._solver)
        try:
            threat = defences.threat(board)
            fours = 0 if threat is None else _fours_of_win(threat)
            if fours < 2 or not self._asks("break-vcf", fours):
                return
            if not self._fails(board, lambda move: defences.breaks(board, move)):
                return
            best = defences.breaking(board)
        except UndecidedError:
            return
        if not best or len(best) > MOST_RIGHT or self._all_lose(board, best):
            return
        side = colour_name(opponent(board.to_move)).capitalize()
        name = move_name(min(best), board.size)
        own = " with a four" if min(best) in fours_of(board) else ""
        why = f"{side} threatens a vcf of {fours} fours; {name} breaks it{own}"
        where = f"after {len(board.moves)} moves"
        yield _find("break-vcf", board, tuple(best), why, ["chain", "defence"], game, fours, where)

    def _all_lose(self, board: Board, best: frozenset[int]) -> bool:
        """Tell whether threats win against every defence: then no player need prefer one."""
        return all(
            self._solver.vct(board.play(move), nodes=_LOOK).answer is Answer.FOUND for move in best
        )

    def _asks(self, kind: str, steps: int) -> bool:
        group = group_of(kind, steps) if kind in self._kinds else ""
        return group != "" and self._wanted(kind, group)


def _fours(solution: Solution) -> int:
    """Return how many fours the shortest chain has."""
    return _fours_of_win(solution.wins[0]) if solution.wins else 0


def _fours_of_win(win: ForcedWin) -> int:
    return (win.plies - 1) // 2


def _catch(solver: Solver, board: Board) -> list[str]:
    """Return a tag if the chain wins only since Black may not play on some points."""
    if board.rule is not Rule.RENJU:
        return []
    free = Board(board.size, Rule.FREESTYLE, board.cells, board.to_move)
    if free.winner or solver.vcf(free, nodes=_LOOK).answer is not Answer.REFUTED:
        return []
    return ["forbidden point"]


def _find(
    kind: str,
    board: Board,
    best: tuple[int, ...],
    why: str,
    tags: list[str],
    game: Source,
    steps: int,
    where: str,
    win_in: int | None = None,
) -> Find:
    position = Position(
        id=f"{kind}: {game.name} {where}",
        kind=kind,
        board=board,
        best=tuple(sorted(best)),
        why=why,
        win_in=win_in,
        tags=tuple(tags),
        complete=kind != "vct",
        origin=f"{game.name}, {where}",
    )
    return Find(position, group_of(kind, steps), f"{steps:02d}")


def deciding_find(found: Deciding | None, wanted: Wanted, fails: Fails) -> Iterator[Find]:
    """Yield a position that what is forbidden decides, if it is wanted.

    It is put to the failing player as if nothing were forbidden, since it is for those who forget
    the rule; one with a false three, for those who do not know all of it, is not put to it.
    """
    if found is None or not wanted("forbidden", found.theme):
        return
    right = found.position.best.__contains__
    if found.theme in ASKED_OF_NOBODY or fails(free_board(found.position.board), right):
        yield Find(found.position, found.theme, found.theme.replace(" ", "-"))


def _lot(seed: int, name: str, move: int) -> bytes:
    return hashlib.sha256(f"{seed}:{name}:{move}".encode()).digest()
