"""What the engine can be told: pattern weights, search limits, and the whole configuration.

Values only; nothing here searches. Checks, TOML and hashes come from `engine.settings`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gomoku_lab.engine.settings import (
    ConfigError,
    Settings,
    flag,
    nearest_key,
    optional,
    real,
    table,
    toml_value,
    whole,
    word,
)

__all__ = ["ConfigError", "EngineConfig", "PatternWeights", "SearchLimits", "nearest_key"]

MAX_DEPTH = 64
MAX_WIDTH = 400
MAX_THREADS = 64
_MAX_WEIGHT = 1_000_000_000
_MAX_NODES = 2**62
# Four lines pass through a cell, so one stone can make at most four patterns at once.
LINES = 4
SELECTION = ("futility", "extension", "reduction", "late_threats", "answers", "fail_high")
"""Keys that want the selective search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternWeights(Settings):
    """What each class of an empty point is worth in one direction, in evaluation units.

    Two rules are checked. Rule A: a five outweighs everything else combined, that is
    ``five > 4 * (sum of all the others)``. Rule B: ``open_four > 2 * open_three``, so that a
    forced win is never traded for a pair of threats.

    Attributes
    ----------
    five, open_four, four, open_three, three, open_two, two, one : int
        1..1e9 each.
    """

    five: int = field(default=10_000_000, metadata=whole(1, _MAX_WEIGHT))
    open_four: int = field(default=300_000, metadata=whole(1, _MAX_WEIGHT))
    four: int = field(default=26_000, metadata=whole(1, _MAX_WEIGHT))
    open_three: int = field(default=20_000, metadata=whole(1, _MAX_WEIGHT))
    three: int = field(default=1_100, metadata=whole(1, _MAX_WEIGHT))
    open_two: int = field(default=600, metadata=whole(1, _MAX_WEIGHT))
    two: int = field(default=90, metadata=whole(1, _MAX_WEIGHT))
    one: int = field(default=6, metadata=whole(1, _MAX_WEIGHT))

    def check_rules(self) -> None:
        """Raise ConfigError, naming the rule, if rule A or rule B is broken."""
        others = sum(getattr(self, key) for key in self.field_names() if key != "five")
        if not self.five > LINES * others:
            raise ConfigError(
                f"rule A is broken: five ({self.five}) must be more than {LINES} x the sum of "
                f"all other weights ({LINES} x {others} = {LINES * others})"
            )
        if not self.open_four > 2 * self.open_three:
            raise ConfigError(
                f"rule B is broken: open_four ({self.open_four}) must be more than 2 x open_three "
                f"(2 x {self.open_three} = {2 * self.open_three})"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchLimits(Settings):
    """When a search stops: whichever limit is reached first; None means "no such limit".

    All may be None here (a player of your own may stop by itself); the engine wants at least one.

    Attributes
    ----------
    depth : int or None
        Deepest layer in plies, 1..64.
    time_ms : float or None
        Wall-clock budget in milliseconds. Here 0 is a budget of nothing, not "no limit".
    nodes : int or None
        Node budget, 1 or more.
    """

    depth: int | None = field(default=None, metadata=optional(whole(1, MAX_DEPTH)))
    time_ms: float | None = field(default=None, metadata=optional(real(0)))
    nodes: int | None = field(default=None, metadata=optional(whole(1, _MAX_NODES)))

    @property
    def is_unlimited(self) -> bool:
        """Tell whether no limit is set."""
        return self.depth is None and self.time_ms is None and self.nodes is None

    @property
    def reproducible(self) -> bool:
        """Tell whether no clock can influence the search."""
        return self.time_ms is None


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineConfig(Settings):
    """Everything that decides how the engine plays. At least one limit must be set.

    Attributes
    ----------
    depth : int or None
        Deepest layer in plies, 1..64; 0 and None mean "no such limit".
    time_ms : float or None
        Wall-clock budget of a move in milliseconds; 0 and None mean "no such limit".
    nodes : int or None
        Node budget of a move; 0 and None mean "no such limit".
    defence : float
        Weight of the opponent's patterns in the evaluation, 0..10.
    radius : int
        Candidates lie at most this many lines from a stone, 1..14.
    width : int
        Candidates searched at a node, 1..400.
    ordering : bool
        Whether the moves of a node come in one-move order, with table move, killers and history;
        without it the same moves come row by row.
    deepening : bool
        Whether every depth up to the limit is searched; without it only the last one is, which
        needs ``depth`` and allows no other limit.
    window : int
        Cells read along a line for the classes below four: 5, 7, 9 or 11. Fives and fours are
        always read whole; 11 is whole for every rule, 9 for freestyle.
    threat_layer : bool
        Whether the gates (win, block, open four, break an open four) decide before the search.
    vcf_nodes : int
        Node cap of the search for a victory by continuous fours before the main search; 0 = off.
    sound_gates : bool
        Whether breaking an open four also checks chains of fours instead of the one-move order.
    vct_nodes : int
        Cap on the stones of the search for a victory by continuous threats before the main search;
        0 = off. It gets three tenths of a budget, and is left out where that is less than 25 ms or
        25,000 nodes. With a limit of nodes its stones count as such.
    defence_nodes : int
        Cap on the stones of the searches that strike from the root, against a chain of fours that
        the opponent threatens, all moves that lose to it; 0 = off. The search then chooses among
        the others, also against an open four. Half of a budget at most; counted likewise.
    terminal : bool
        Whether a five ends a line of the search with a win score that knows its distance.
    table_bits : int
        Binary logarithm of the transposition table's entries, 10..26; 0 = no table.
    keep_table : bool
        Whether a player goes on, from move to move of a game, with the table of its last searches.
    threads : int
        Searches that share one table, side by side: the engine's own, and its helpers where a
        clock alone sets the limit. With a limit of nodes, or of depth alone, there is one, so
        that the same answer comes again.
    noise : float
        Probability 0..1 that the move is drawn from the candidates instead.
    noise_scope : str
        ``all``: the draw may replace a gate's move; ``search``: only a searched one.
    evaluation : str
        ``hand``: the sum of `weights`; or ``NAME@HASH``, a learned table (see `engine.learned`).
    move_order : str
        ``hand``: moves come by what `weights` say of the own stone and of taking the point from
        the opponent; or ``NAME@HASH``, a learned order.
    selective : bool
        Whether the search lets the table speak for lesser depths, gives answers to fours no depth
        and tries nothing but answers against an open four to come (see `kernels.selective`).
    futility : int
        Evaluation units for each remaining ply by which, near the leaves, the evaluation must lie
        beyond the window for a position, or a move that makes no four, to be taken for decided;
        0 = never. With `selective` only.
    extension : bool
        Whether an answer to an open four to come costs half a ply of depth only. With `selective`
        only.
    reduction : int
        Moves of a node that are searched to the full depth before later ones that make no threat
        are searched less deep at first; 0 = all are. With `selective` only.
    late_threats : int
        The same for moves that make a threat, and for answers to an open four to come: later ones
        are searched a ply less deep at first; 0 = none is. With `selective` only.
    answers : int
        Answers to an open four to come, beside own fours, that are searched near the leaves; 0 =
        all. With `selective` only.
    fail_high : int
        Evaluation units by which the evaluation must lie above the window for a position to be
        searched a ply less deep; 0 = none is. With `selective` only.
    weights : PatternWeights
        What the classes are worth.
    """

    depth: int | None = field(default=None, metadata=whole(1, MAX_DEPTH, zero_is_none=True))
    time_ms: float | None = field(default=None, metadata=real(0, zero_is_none=True))
    nodes: int | None = field(default=None, metadata=whole(1, _MAX_NODES, zero_is_none=True))
    defence: float = field(default=1.0, metadata=real(0, 10))
    radius: int = field(default=2, metadata=whole(1, 14))
    width: int = field(default=16, metadata=whole(1, MAX_WIDTH))
    ordering: bool = field(default=True, metadata=flag())
    deepening: bool = field(default=True, metadata=flag())
    window: int = field(default=11, metadata=whole(5, 11))
    threat_layer: bool = field(default=True, metadata=flag())
    vcf_nodes: int = field(default=0, metadata=whole(0, _MAX_NODES))
    sound_gates: bool = field(default=False, metadata=flag())
    vct_nodes: int = field(default=0, metadata=whole(0, _MAX_NODES))
    defence_nodes: int = field(default=0, metadata=whole(0, _MAX_NODES))
    terminal: bool = field(default=True, metadata=flag())
    table_bits: int = field(default=18, metadata=whole(0, 26))
    keep_table: bool = field(default=False, metadata=flag())
    threads: int = field(default=1, metadata=whole(1, MAX_THREADS))
    noise: float = field(default=0.0, metadata=real(0, 1))
    noise_scope: str = field(default="all", metadata=word("all", "search"))
    evaluation: str = field(default="hand", metadata=word())
    move_order: str = field(default="hand", metadata=word())
    selective: bool = field(default=False, metadata=flag())
    futility: int = field(default=0, metadata=whole(0, _MAX_WEIGHT))
    extension: bool = field(default=False, metadata=flag())
    reduction: int = field(default=0, metadata=whole(0, MAX_WIDTH))
    late_threats: int = field(default=0, metadata=whole(0, MAX_WIDTH))
    answers: int = field(default=0, metadata=whole(0, MAX_WIDTH))
    fail_high: int = field(default=0, metadata=whole(0, _MAX_WEIGHT))
    weights: PatternWeights = field(default_factory=PatternWeights, metadata=table(PatternWeights))

    def check_rules(self) -> None:
        """Raise ConfigError if no limit is set, or values contradict each other."""
        self._check_selection()
        if self.limits.is_unlimited:
            raise ConfigError(
                "no limit is set: the search would never stop; set at least one of "
                "depth, time_ms and nodes (0 means no such limit)"
            )
        if self.window % 2 == 0:
            raise ConfigError(f"window must be 5, 7, 9 or 11: {self.window!r}")
        if not self.deepening and (
            self.depth is None or self.time_ms is not None or self.nodes is not None
        ):
            raise ConfigError(
                "deepening=false searches one depth to its end: it needs depth, and neither "
                f"time_ms nor nodes: depth {self.depth!r}, time_ms {self.time_ms!r}, "
                f"nodes {self.nodes!r}"
            )
        if 0 < self.table_bits < 10:
            raise ConfigError(f"table_bits must be 0 (no table) or 10..26: {self.table_bits!r}")

    def _check_selection(self) -> None:
        """Raise ConfigError if the selective search lacks what it hangs on."""
        if self.selective and not (self.terminal and self.ordering):
            raise ConfigError(
                "selective=true needs terminal=true and ordering=true: "
                f"terminal {self.terminal!r}, ordering {self.ordering!r}"
            )
        used = {key: getattr(self, key) for key in SELECTION if getattr(self, key)}
        if used and not self.selective:
            named = ", ".join(f"{key}={toml_value(value)}" for key, value in used.items())
            unused = ",".join(f"{key}={'false' if on is True else 0}" for key, on in used.items())
            verb = "needs" if len(used) == 1 else "need"
            raise ConfigError(f"{named} {verb} selective=true; without it, say {unused}")

    @property
    def limits(self) -> SearchLimits:
        """Give the three limits as one value."""
        return SearchLimits(depth=self.depth, time_ms=self.time_ms, nodes=self.nodes)

    @property
    def reproducible(self) -> bool:
        """Tell whether no clock can influence the moves."""
        return self.time_ms is None
