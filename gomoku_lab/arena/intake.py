"""Deciding what of the games and results in files is taken into a run folder, and what is not.

Taken is what can be rated: finished games of two named players whose moves bear out the result,
once each, all under one rule on one board. Two games are a pair where the same players began from
the same opening stones with colours swapped; any other game stands alone, so that nothing is
claimed about how it was drawn up. Nothing is read or written here.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from gomoku_lab.arena.imported import Import, ResultCounts, Source
from gomoku_lab.game.formats.reading import Problem, Reading
from gomoku_lab.game.formats.result_table import ResultRow
from gomoku_lab.game.record import UNKNOWN, UNKNOWN_PLAYER, GameRecord, PlayerRef, Stones
from gomoku_lab.game.rules import Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file that was read.

    Attributes
    ----------
    name : str
        As it was given.
    sha256 : str
        Of its bytes.
    format : str
        What it was read as.
    games : Reading of GameRecord
        The games in it.
    rows : Reading of ResultRow
        The results in it, if it is a result table.
    """

    name: str
    sha256: str
    format: str
    games: Reading[GameRecord] = field(default_factory=partial(Reading, ()))
    rows: Reading[ResultRow] = field(default_factory=partial(Reading, ()))


class IntakeError(ValueError):
    """Nothing was taken; the message says why.

    Attributes
    ----------
    skipped : tuple of Problem
        What had been left out before.
    """

    def __init__(self, message: str, skipped: Sequence[Problem]) -> None:
        super().__init__(message)
        self.skipped = tuple(skipped)


_Kind = tuple[Rule, int]


def take(
    files: Sequence[SourceFile],
    *,
    rule: Rule | None = None,
    size: int | None = None,
    games_each: int | None = None,
) -> Import:
    """Take in what can be rated.

    Parameters
    ----------
    files : sequence of SourceFile
        What was read, in the order in which it counts as found.
    rule, size : optional
        Of the games to take; others are left out. Without them all games must be of one kind.
    games_each : int, optional
        How many games every two players of a result table played: the rest are draws. Without it
        draws are not known.

    Raises
    ------
    IntakeError
        If the games that are left differ in rule or board size, or nothing is left.
    """
    intake = _Intake(rule, size, games_each)
    for number, file in enumerate(files, start=1):
        intake.add(number, file)
    try:
        kind = _one_kind(intake.games)
        _check_something(intake, files)
    except ValueError as error:
        raise IntakeError(str(error), intake.skipped) from None
    if kind is not None and intake.counts and not (rule and size):
        intake.notes.append("result tables taken as of the same rule and board size as the games")
    return Import(
        rule=kind[0] if kind else rule,
        size=kind[1] if kind else size,
        games=_in_pairs(intake.games),
        counts=tuple(intake.counts),
        sources=tuple(intake.sources),
        skipped=tuple(intake.skipped),
        notes=tuple(_counted(intake.notes)),
    )


class _Intake:
    """What has been taken so far."""

    def __init__(self, rule: Rule | None, size: int | None, games_each: int | None) -> None:
        self._rule = rule
        self._size = size
        self.games_each = games_each
        self._files: dict[str, str] = {}
        self._places: dict[Hashable, str] = {}
        self.games: list[GameRecord] = []
        self.counts: list[ResultCounts] = []
        self.sources: list[Source] = []
        self.skipped: list[Problem] = []
        self.notes: list[str] = []

    def add(self, number: int, file: SourceFile) -> None:
        """Take in what the file holds, unless a file with the same bytes was there before."""
        before = len(self.games), len(self.counts), len(self.skipped)
        # Files of one game each, of programs that repeat themselves, may well have equal bytes.
        holds_one = len(file.games.items) == 1 and not file.rows.items
        if file.sha256 in self._files and not holds_one:
            reason = f"holds the same bytes as {self._files[file.sha256]}"
            self.skipped.append(Problem(file.name, 0, reason))
        else:
            self._files.setdefault(file.sha256, file.name)
            self._add_games(number, file)
            self._add_rows(file)
        self.sources.append(
            Source(
                file=file.name,
                sha256=file.sha256,
                format=file.format,
                games=len(self.games) - before[0],
                counts=len(self.counts) - before[1],
                skipped=len(self.skipped) - before[2],
            )
        )

    def _add_games(self, number: int, file: SourceFile) -> None:
        self.skipped += file.games.problems
        self.notes += file.games.notes
        found = zip(file.games.items, file.games.lines, strict=True)
        for place, (game, line) in enumerate(found, start=1):
            identity = _identity(game)
            try:
                self._check(game)
                if identity in self._places:
                    raise ValueError(f"the same game as {self._places[identity]}, written twice")
                self._places[identity] = f"{file.name}:{line}" if line else file.name
            except ValueError as error:
                self.skipped.append(Problem(file.name, line, str(error)))
            else:
                self.games.append(replace(game, id=f"{number}-{place:04d}", pair=""))

    def _check(self, game: GameRecord) -> None:
        """Raise ValueError unless the game can be rated."""
        names = game.black.name, game.white.name
        if UNKNOWN_PLAYER.name in names or "" in names:
            raise ValueError(f"a game needs the names of both players: {names}")
        if names[0] == names[1]:
            raise ValueError(f"both players have the same name: {names[0]!r}")
        if game.result == UNKNOWN:
            raise ValueError("the game has no result")
        for key, wanted in (("rule", self._rule), ("size", self._size)):
            if wanted is not None and getattr(game, key) != wanted:
                raise ValueError(f"{key} must be {wanted}: {getattr(game, key)}")
        game.check_outcome()

    def _add_rows(self, file: SourceFile) -> None:
        self.skipped += file.rows.problems
        self.notes += file.rows.notes
        for row, line in zip(file.rows.items, file.rows.lines, strict=True):
            if not row.wins + row.losses:
                self.notes.append(f"{file.name}: results of 0 : 0 taken as never played")
                continue
            draws = None if self.games_each is None else self.games_each - row.wins - row.losses
            if draws is not None and draws < 0:
                reason = f"wins and losses must be at most {self.games_each} together"
                found = f"{row.wins} : {row.losses}"
                self.skipped.append(Problem(file.name, line, f"{reason}: {found}"))
                continue
            self.counts.append(
                ResultCounts(
                    first=row.first,
                    second=row.second,
                    wins=row.wins,
                    draws=draws,
                    losses=row.losses,
                )
            )


def _check_something(intake: _Intake, files: Sequence[SourceFile]) -> None:
    """Raise ValueError if nothing was taken, or no table of those whose games were told."""
    named = files[0].name if len(files) == 1 else f"{len(files)} files"
    if not intake.games and not intake.counts:
        raise ValueError(f"nothing to rate in {named}")
    if intake.games_each is not None and not intake.counts:
        raise ValueError(f"a number of games is for result tables; there is none in {named}")


def _identity(game: GameRecord) -> Hashable:
    """Return what makes a game itself: two that are equal in it are one, written down twice.

    Equal moves are not enough: programs may repeat themselves. Such games are copies, which are
    games none the less. A forfeit says so little that it may equal another one in everything.
    """
    if game.is_forfeit:
        return object()
    played = game.id, game.black, game.white, game.setup, game.moves, game.result, game.reason
    return *played, game.rule, game.size, game.nodes, game.depth, game.score, game.time_ms


def _one_kind(games: Sequence[GameRecord]) -> _Kind | None:
    """Return rule and board size of all games, None without games; ValueError if they differ."""
    kinds = Counter((game.rule, game.size) for game in games)
    if len(kinds) > 1:
        found = "; ".join(
            f"{count} of {rule} on {size}x{size}" for (rule, size), count in kinds.most_common()
        )
        raise ValueError(
            f"the games differ in rule or board size, so they cannot be rated together: {found}; "
            "choose by --rule and --size"
        )
    return next(iter(kinds), None)


def _in_pairs(games: Sequence[GameRecord]) -> tuple[GameRecord, ...]:
    """Return the games with a pair given to those that have a partner.

    A partner has the same players with colours swapped and the same opening stones. Each game
    takes the earliest one that is still free. Games from the empty board have none, since nothing
    says that they were meant to be compared.
    """
    waiting: dict[tuple[PlayerRef, PlayerRef, Stones], deque[int]] = {}
    paired = list(games)
    for place, game in enumerate(games):
        stones = game.opening_stones()
        if not any(stones):
            continue
        partners = waiting.get((game.white, game.black, stones))
        if partners:
            first = partners.popleft()
            for one in (first, place):
                paired[one] = replace(paired[one], pair=games[first].id)
        else:
            waiting.setdefault((game.black, game.white, stones), deque()).append(place)
    return tuple(paired)


def _counted(notes: Sequence[str]) -> Iterator[str]:
    for note, count in Counter(notes).items():
        yield note if count == 1 else f"{note}, {count} times"
