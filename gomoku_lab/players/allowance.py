"""What a Gomocup manager allows a brain: time, depth, nodes and memory, told in INFO lines.

It turns them into the limits of one search and the size of a table. It reads no clock, and it
answers nothing: keys and values that mean nothing here are ignored, as the protocol wants it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from gomoku_lab.engine.config import MAX_DEPTH, SearchLimits
from gomoku_lab.engine.settings import Settings
from gomoku_lab.game.formats.gomocup import UNLIMITED_MS, Info, parse_number
from gomoku_lab.kernels.layout import ENTRY

_MARGIN = 0.05
_LARGEST_MARGIN_MS = 100.0
_USUAL_MARGIN_MS = 10.0
_SHORT_MARGIN = 0.14
_LEAST_MARGIN_MS = 2.0
"""What of a move's time is kept back: 5 %, but at least 10 and at most 100 ms, and 14 % at most.

Measured over pipes, 150 positions at each of 20, 50, 100 and 200 ms, from the manager's last line
to the move it read: half of the answers came 1 ms after the budget, 99 of 100 within 5 ms on an
otherwise idle machine and within 9 to 11 ms with ten busy processes on its two cores. More than
14 % of a short time would leave less than 85 % of it used.
"""

_MOST_MOVES_LEFT = 30
_FEWEST_MOVES_LEFT = 10
"""Over so many own moves the rest of a match's time is spread, at its start and late in it."""

_MEMORY_SLACK = 16 << 20
_LEAST_TABLE_BITS = 10
_KIB = 1 << 10


@dataclass(slots=True)
class Allowance:
    """The limits that a manager has set so far.

    Attributes
    ----------
    yixin : bool
        Whether the keys of Yixin's dialect mean anything.
    turn_ms : int or None
        Time of a move; 0 means "as fast as possible", None that nobody has said.
    match_ms : int
        Time of a whole game, 0 without such a limit.
    left_ms : float or None
        What is left of it, None without such a limit.
    used_ms : float
        What of this game's time is spent, as far as the brain itself can tell.
    memory : int
        Bytes, 0 without a limit.
    table_bytes : int or None
        Size of the table alone (``hash_size``), None without a limit.
    depth, nodes : int or None
        Limits of a search (``max_depth`` and ``max_node``), None without.
    """

    yixin: bool = False
    turn_ms: int | None = None
    match_ms: int = 0
    left_ms: float | None = None
    used_ms: float = 0.0
    memory: int = 0
    table_bytes: int | None = None
    depth: int | None = None
    nodes: int | None = None

    def tell(self, info: Info) -> None:
        """Take in one INFO line; what cannot be read changes nothing."""
        try:
            value = parse_number(info.value)
        except ValueError:
            return
        match info.key:
            case "timeout_turn":
                self.turn_ms = max(value, 0)
            case "timeout_match":
                self.match_ms = max(value, 0)
                self.left_ms = self.match_ms - self.used_ms if self.match_ms else None
            case "time_left":
                self.left_ms = value if value < UNLIMITED_MS else None
            case "max_memory":
                self.memory = max(value, 0)
            case "max_depth" if self.yixin:
                self.depth = min(value, MAX_DEPTH) if value > 0 else None
            case "max_node" if self.yixin:
                self.nodes = value if value > 0 else None
            case "hash_size" if self.yixin:
                self.table_bytes = value * _KIB if value > 0 else None

    def new_game(self) -> None:
        """Begin a game: its clock has not run yet."""
        self.used_ms = 0.0
        self.left_ms = self.match_ms or None

    def spend(self, elapsed_ms: float) -> None:
        """Take what starting or a move has cost off the game's time."""
        self.used_ms += elapsed_ms
        if self.left_ms is not None:
            self.left_ms -= elapsed_ms

    def move_ms(self, stones: int, points: int) -> float | None:
        """Return the time for the next move, None if the manager has set none.

        Parameters
        ----------
        stones, points : int
            Stones on the board and points of the board.
        """
        budgets = []
        if self.turn_ms is not None:
            budgets.append(self.turn_ms - _margin(self.turn_ms))
        if self.left_ms is not None:
            left = self.left_ms - _margin(self.left_ms)
            share = left / _moves_left(stones, points)
            budgets.append(share - _margin(share))
        return max(min(budgets), 0.0) if budgets else None

    def limits(
        self, config: Settings, stones: int, points: int, elapsed_ms: float
    ) -> SearchLimits | None:
        """Return the limits of the next move's search, None for a player without a clock.

        The manager's time replaces the player's own; depth and nodes stay the player's, unless
        the manager wants less.

        Parameters
        ----------
        config : Settings
            The player's configuration.
        stones, points : int
            Stones on the board and points of the board.
        elapsed_ms : float
            What of the move's time has already gone.
        """
        if not hasattr(config, "time_ms"):
            return None
        time_ms = self.move_ms(stones, points)
        time_ms = config.time_ms if time_ms is None else max(time_ms - elapsed_ms, 0.0)
        limits = SearchLimits(
            depth=_least(getattr(config, "depth", None), self.depth),
            time_ms=time_ms,
            nodes=_least(getattr(config, "nodes", None), self.nodes),
        )
        return None if limits.is_unlimited else limits

    def table_bits(self, wanted: int, program_bytes: int) -> int:
        """Return the largest table's binary logarithm, at most `wanted`, that memory allows.

        Parameters
        ----------
        wanted : int
            What the player is configured to use; 0 is no table.
        program_bytes : int
            What the program takes without a table.
        """
        rooms = [room for room in (self.table_bytes,) if room is not None]
        if self.memory:
            rooms.append(self.memory - program_bytes - _MEMORY_SLACK)
        if not rooms or ENTRY.itemsize << wanted <= min(rooms):
            return wanted
        bits = (max(min(rooms), 0) // ENTRY.itemsize).bit_length() - 1
        return bits if bits >= _LEAST_TABLE_BITS else 0


def program_bytes() -> int:
    """Return the memory that this process takes now, 0 where the system does not tell."""
    if sys.platform == "linux":
        # The peak that `getrusage` knows may be that of the process that started this one.
        fields = Path("/proc/self/statm").read_text(encoding="ascii").split()
        import resource

        return int(fields[1]) * resource.getpagesize()
    return 0


def _margin(time_ms: float) -> float:
    """Return what of `time_ms` is kept back."""
    usual = min(max(time_ms * _MARGIN, _USUAL_MARGIN_MS), _LARGEST_MARGIN_MS)
    return min(usual, max(time_ms * _SHORT_MARGIN, _LEAST_MARGIN_MS))


def _moves_left(stones: int, points: int) -> int:
    """Return the number of own moves for which a match's time has to last."""
    expected = max(_MOST_MOVES_LEFT - stones // 2, _FEWEST_MOVES_LEFT)
    return max(min(expected, (points - stones + 1) // 2), 1)


def _least(own: int | None, allowed: int | None) -> int | None:
    """Return the smaller of two limits, either of which may be missing."""
    return min((limit for limit in (own, allowed) if limit is not None), default=None)
