"""What came out of running players on positions: answers, tallies, and which requirements broke.

Plain frozen data; it asks nobody and prints nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from gomoku_lab.engine.frames import Column, make_frame
from gomoku_lab.game.glossary import kind_meaning, kind_names
from gomoku_lab.game.notation import move_name
from gomoku_lab.players.registry import PlayerSpec
from gomoku_lab.suite.positions import Position

if TYPE_CHECKING:
    import pandas as pd

SCHEMA_VERSION: Final = 1

SUITE_COLUMNS: Final = (
    Column("player", "string", "name of the player"),
    Column("kind", "string", "kind of the positions"),
    Column("solved", "int64", "images of positions that were answered rightly"),
    Column("asked", "int64", "images of positions that were asked"),
    Column("share", "float64", "solved over asked, 0 to 1; missing where none was asked"),
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What one player answered to one image of one position.

    Attributes
    ----------
    player, position : str
        Their names.
    symmetry : int
        Which of the eight maps the position was shown in; 0 is the position as written.
    move : int or None
        The answer, taken back to the position as written; None if the player saw no move.
    passed : bool
        Whether the answer is in the proved set.
    gate : str
        What the player says decided; "" if it says nothing.
    error : str
        Why there is no answer: the player crashed, hung or played illegally; else "".
    """

    player: str
    position: str
    symmetry: int
    move: int | None
    passed: bool
    gate: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many answers of one player to one kind of position were right."""

    passed: int
    total: int

    @property
    def rate(self) -> float | None:
        """Give the share of right answers, or None if nothing was asked."""
        return self.passed / self.total if self.total else None

    @property
    def is_complete(self) -> bool:
        """Tell whether no answer was wrong."""
        return self.passed == self.total


@dataclass(frozen=True, slots=True)
class Failure:
    """One player's wrong answers to one position, over all its images."""

    player: str
    position: Position
    answers: tuple[Answer, ...]
    asked: int

    @property
    def moves(self) -> tuple[str, ...]:
        """Name the wrong answers on the position as written, each once; of an error its head."""
        size = self.position.board.size
        names = (
            answer.error.partition("\n")[0]
            or ("no move" if answer.move is None else move_name(answer.move, size))
            for answer in self.answers
        )
        return tuple(dict.fromkeys(names))


@dataclass(frozen=True, slots=True, repr=False)
class SuiteResult:
    """All answers of all players.

    Attributes
    ----------
    players : tuple of PlayerSpec
        The players, in the order in which they were named.
    positions : tuple of Position
        The positions, in file order.
    answers : tuple of Answer
        By player, position and symmetry. Positions whose rule a player does not know have none.
    seed : int
        Seed of all random draws.
    symmetries : bool
        Whether each position was shown in its eight images.
    interrupted : bool
        Whether somebody stopped it: then these are some of the answers, and nothing is shown to
        be solved.
    """

    players: tuple[PlayerSpec, ...]
    positions: tuple[Position, ...]
    answers: tuple[Answer, ...]
    seed: int
    symmetries: bool
    interrupted: bool = False

    def __repr__(self) -> str:
        right, asked = sum(one.passed for one in self.answers), len(self.answers)
        what = f"players {len(self.players)}, positions {len(self.positions)}"
        cut = ", interrupted" if self.interrupted else ""
        return f"<SuiteResult: {what}, right answers {right} of {asked}{cut}>"

    @property
    def kinds(self) -> tuple[str, ...]:
        """Name the kinds that occur, in the glossary's order."""
        present = {position.kind for position in self.positions}
        return tuple(kind for kind in kind_names() if kind in present)

    def tally(self, player: str, kind: str | None = None) -> Tally:
        """Count the right answers of `player` to the positions of `kind`, or to all."""
        wanted = {one.id for one in self.positions if kind in (None, one.kind)}
        found = [a.passed for a in self.answers if a.player == player and a.position in wanted]
        return Tally(sum(found), len(found))

    def frame(self) -> pd.DataFrame:
        """Return what was solved as a pandas table, one row a player and kind.

        Columns: ``player``, ``kind`` (string), ``solved``, ``asked`` (int64, images of positions),
        ``share`` (float64, solved over asked, 0 to 1).
        """
        rows = []
        for spec in self.players:
            for kind in self.kinds:
                tally = self.tally(spec.name, kind)
                rows.append((spec.name, kind, tally.passed, tally.total, tally.rate))
        return make_frame(SUITE_COLUMNS, rows)

    def unknown_rules(self, player: str) -> tuple[str, ...]:
        """Name the positions that `player` was not asked, for it does not know their rule."""
        asked = {answer.position for answer in self.answers if answer.player == player}
        return tuple(one.id for one in self.positions if one.id not in asked)

    def failures(self, kind: str | None = None) -> Iterator[Failure]:
        """Yield every wrong answer, grouped by kind, position and player, in that order."""
        grouped: dict[tuple[str, str], list[Answer]] = {}
        for answer in self.answers:
            grouped.setdefault((answer.position, answer.player), []).append(answer)
        for name in self.kinds if kind is None else (kind,):
            for position in self.positions:
                for spec in self.players if position.kind == name else ():
                    answers = grouped.get((position.id, spec.name), [])
                    wrong = tuple(answer for answer in answers if not answer.passed)
                    if wrong:
                        yield Failure(spec.name, position, wrong, len(answers))

    def breakdowns(self, player: str) -> tuple[str, ...]:
        """Return why `player` gave no answer, one text for each time it crashed or hung or so."""
        return tuple(a.error for a in self.answers if a.player == player and a.error)

    def broken_requirements(self) -> tuple[tuple[PlayerSpec, str, Tally], ...]:
        """Return each kind that a player declares as required and does not solve completely."""
        broken = []
        for spec in self.players:
            for kind in self.kinds:
                tally = self.tally(spec.name, kind)
                if kind in spec.required and not tally.is_complete:
                    broken.append((spec, kind, tally))
        return tuple(broken)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form (moves as names)."""
        return {
            "schema": SCHEMA_VERSION,
            "seed": self.seed,
            "symmetries": self.symmetries,
            "interrupted": self.interrupted,
            "passed": not self.interrupted and not self.broken_requirements(),
            "kinds": {
                kind: {
                    "meaning": kind_meaning(kind),
                    "positions": sum(one.kind == kind for one in self.positions),
                }
                for kind in self.kinds
            },
            "players": [self._player_dict(spec) for spec in self.players],
            "failures": [_failure_dict(failure) for failure in self.failures()],
        }

    def _player_dict(self, spec: PlayerSpec) -> dict[str, Any]:
        total = self.tally(spec.name)
        return {
            "name": spec.name,
            "config_hash": spec.config_hash,
            "reproducible": spec.reproducible,
            "required": list(spec.required),
            "breakdowns": len(self.breakdowns(spec.name)),
            "broken": [kind for one, kind, _ in self.broken_requirements() if one == spec],
            "not_asked": list(self.unknown_rules(spec.name)),
            "passed": total.passed,
            "total": total.total,
            "kinds": {kind: _tally_dict(self.tally(spec.name, kind)) for kind in self.kinds},
        }


def _tally_dict(tally: Tally) -> dict[str, Any]:
    return {"passed": tally.passed, "total": tally.total, "rate": tally.rate}


def _failure_dict(failure: Failure) -> dict[str, Any]:
    size = failure.position.board.size
    return {
        "player": failure.player,
        "kind": failure.position.kind,
        "position": failure.position.id,
        "best": list(failure.position.best_names),
        "why": failure.position.why,
        "asked": failure.asked,
        "wrong": [
            {
                "symmetry": answer.symmetry,
                "move": None if answer.move is None else move_name(answer.move, size),
                "gate": answer.gate,
                "error": answer.error,
            }
            for answer in failure.answers
        ],
    }
