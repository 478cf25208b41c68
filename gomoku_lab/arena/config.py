"""What a tournament is: the user's settings, and the resolved configuration that a run keeps.

Settings hold words (player expressions, the name of an opening set); a configuration holds what
they stood for, so that a run can be repeated and resumed from its folder alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import cycle, islice
from typing import Any, Final

from gomoku_lab.arena.match import NO_ADJUDICATION, Adjudication
from gomoku_lab.arena.openings import Opening, load_openings, select_openings
from gomoku_lab.arena.schedule import FORMATS, SELFPLAY, ScheduledPair, pairings, schedule
from gomoku_lab.engine.settings import (
    ConfigError,
    Settings,
    optional,
    short_hash,
    table,
    whole,
    word,
)
from gomoku_lab.game.notation import parse_moves
from gomoku_lab.game.record import PlayerRef
from gomoku_lab.game.rules import DEFAULT_SIZE, MAX_SIZE, MIN_SIZE, Rule, parse_rule
from gomoku_lab.players.registry import PlayerSpec, expand
from gomoku_lab.stats.sprt import Hypotheses

BACKENDS: Final = ("loky", "threading", "dask")
MAX_GAMES: Final = 1_000_000
MAX_SEED: Final = 2**53 - 1
MAX_RANDOM_MOVES: Final = 20
SELFPLAY_RANDOM_MOVES: Final = 2
"""How many there are in self-play unless something else is said: a player that never draws would
else play the same game again."""


def _expressions(key: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ConfigError(f"{key} must be a list of player expressions: {value!r}")
    for entry in value:
        if not isinstance(entry, str) or not entry:
            raise ConfigError(f"{key} must hold player expressions, as strings: {entry!r}")
    return tuple(value)


def _check_players(players: Sequence[PlayerSpec], tournament_format: str) -> None:
    if len(players) < (1 if tournament_format == SELFPLAY else 2):
        names = ", ".join(spec.name for spec in players) or "none"
        raise ConfigError(f"a tournament needs at least two players: {names}")


def check_games(key: str, value: Any) -> int:
    """Return `value` if it is a number of games a pairing may have: even and positive."""
    number: int = whole(2, MAX_GAMES)["check"](key, value)
    if number % 2:
        raise ConfigError(
            f"{key} must be even, since every opening is played twice with colours swapped: "
            f"{value!r}"
        )
    return number


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSettings(Settings):
    """What a tournament file or the command line says.

    Attributes
    ----------
    players : tuple of str
        Player expressions; globs are allowed.
    games : int
        Games of every pairing, even.
    seed : int
        Root of every random choice, 0..2^53-1.
    openings : str
        ``book``, ``held-out`` or the path of a file.
    rule, size
        As for `Board`.
    format : str
        ``round-robin``, ``gauntlet`` (the first player against all others) or ``selfplay`` (each
        player against itself).
    random_moves : int or None
        Moves drawn at random behind each opening, the same for both games of a pair, in self-play
        for each game anew; then an opening may come more than once. None means 2 in self-play,
        else 0.
    adjudication : Adjudication
        A table of its own in TOML.
    jobs : int or None
        Games that run at the same time; None means one for each core, or for each thread of the
        cluster's workers.
    backend : str
        ``loky`` (processes; faster where moves are short, see the README), ``threading`` or
        ``dask`` (the workers of a Dask scheduler).
    scheduler : str or None
        The scheduler's address, for ``dask``.
    """

    players: tuple[str, ...] = field(default=(), metadata={"check": _expressions})
    games: int = field(default=100, metadata={"check": check_games})
    seed: int = field(default=0, metadata=whole(0, MAX_SEED))
    openings: str = field(default="book", metadata=word())
    rule: str = field(default="freestyle", metadata=word())
    size: int = field(default=DEFAULT_SIZE, metadata=whole(MIN_SIZE, MAX_SIZE))
    format: str = field(default="round-robin", metadata=word(*FORMATS))
    random_moves: int | None = field(default=None, metadata=optional(whole(0, MAX_RANDOM_MOVES)))
    adjudication: Adjudication = field(default_factory=Adjudication, metadata=table(Adjudication))
    jobs: int | None = field(default=None, metadata=optional(whole(1, 1024)))
    backend: str = field(default="loky", metadata=word(*BACKENDS))
    scheduler: str | None = field(default=None, metadata=optional(word()))


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentConfig:
    """A tournament with everything resolved: what decides which games are played.

    Attributes
    ----------
    players : tuple of PlayerSpec
        At least two; in self-play at least one.
    openings : tuple of Opening
        Every pairing plays each of them twice; those that are varied may come more than once.
    opening_set : str
        Where the openings came from.
    seed, rule, format, random_moves, adjudication
        As in `TournamentSettings`.
    sprt : Hypotheses or None
        The sequential test that may end a match early.
    """

    players: tuple[PlayerSpec, ...]
    openings: tuple[Opening, ...]
    opening_set: str = "book"
    seed: int = 0
    rule: Rule = Rule.FREESTYLE
    format: str = "round-robin"
    random_moves: int = 0
    adjudication: Adjudication = NO_ADJUDICATION
    sprt: Hypotheses | None = None

    def __post_init__(self) -> None:
        _check_players(self.players, self.format)
        if not self.openings:
            raise ConfigError("a tournament needs at least one opening")
        if len({opening.size for opening in self.openings}) > 1:
            raise ConfigError("all openings must be for one board size")
        if self.sprt is not None and len(self.players) != 2:
            raise ConfigError(f"an SPRT needs exactly two players: {len(self.players)}")

    @property
    def size(self) -> int:
        """Give the board size."""
        return self.openings[0].size

    @property
    def games(self) -> int:
        """Count the games of every pairing."""
        return 2 * len(self.openings)

    @property
    def total_games(self) -> int:
        """Count the games of the whole tournament."""
        return self.games * len(pairings(len(self.players), self.format))

    @property
    def refs(self) -> tuple[PlayerRef, ...]:
        """Give the players as records name them; a name that comes twice gets a number."""
        names = [spec.name for spec in self.players]
        refs = []
        for index, spec in enumerate(self.players):
            earlier = names[:index].count(spec.name)
            name = f"{spec.name}#{earlier + 1}" if earlier else spec.name
            refs.append(PlayerRef(name, spec.config_hash))
        return tuple(refs)

    def schedule(self) -> list[ScheduledPair]:
        """Return all pairs of games in the order in which they are handed out."""
        return list(
            schedule(
                len(self.players),
                tournament_format=self.format,
                openings=len(self.openings),
                seed=self.seed,
            )
        )

    def config_hash(self) -> str:
        """Return 12 hexadecimal digits that change with anything that decides the games."""
        values = self.to_dict()
        del values["opening_set"]
        values["players"] = [[spec.name, spec.config_hash] for spec in self.players]
        return short_hash(values)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form that `from_dict` reads."""
        return {
            "players": [spec.to_dict() for spec in self.players],
            "games": self.games,
            "seed": self.seed,
            "opening_set": self.opening_set,
            "openings": [[opening.name, opening.move_string()] for opening in self.openings],
            "rule": str(self.rule),
            "size": self.size,
            "format": self.format,
            # Left out where there are none, so that a run of an earlier version keeps its hash.
            **({"random_moves": self.random_moves} if self.random_moves else {}),
            "adjudication": self.adjudication.to_dict(),
            "sprt": None if self.sprt is None else asdict(self.sprt),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> TournamentConfig:
        """Return the configuration that `to_dict` wrote."""
        size = values["size"]
        sprt = values["sprt"]
        return cls(
            players=tuple(PlayerSpec.from_dict(spec) for spec in values["players"]),
            openings=tuple(
                Opening(name, parse_moves(moves, size), size) for name, moves in values["openings"]
            ),
            opening_set=values["opening_set"],
            seed=values["seed"],
            rule=parse_rule(values["rule"]),
            format=values["format"],
            random_moves=values.get("random_moves", 0),
            adjudication=Adjudication.from_dict(values["adjudication"]),
            sprt=None if sprt is None else Hypotheses(**sprt),
        )


def resolve_tournament(
    settings: TournamentSettings,
    *,
    specs: Sequence[PlayerSpec] | None = None,
    sprt: Hypotheses | None = None,
) -> TournamentConfig:
    """Look up what the settings name: players, openings, rule.

    `specs` stands in for the players if they have been looked up already.

    Raises
    ------
    ValueError
        If a player, a rule or an opening set is unknown, fewer than two players are left, or
        there are fewer openings than pairs of games.
    """
    rule = parse_rule(settings.rule)
    players = expand(settings.players) if specs is None else specs
    _check_players(players, settings.format)
    random_moves = settings.random_moves
    if random_moves is None:
        random_moves = SELFPLAY_RANDOM_MOVES if settings.format == SELFPLAY else 0
    openings = load_openings(settings.openings, rule=rule, size=settings.size)
    wanted = settings.games // 2
    count = min(wanted, len(openings)) if random_moves else wanted
    chosen = islice(cycle(select_openings(openings, count, settings.seed)), wanted)
    return TournamentConfig(
        players=tuple(players),
        openings=tuple(chosen),
        opening_set=settings.openings,
        seed=settings.seed,
        rule=rule,
        format=settings.format,
        random_moves=random_moves,
        adjudication=settings.adjudication,
        sprt=sprt,
    )
