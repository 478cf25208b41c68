"""How a Gomocup program is configured: what is run, what it is told, and what it is allowed."""

from __future__ import annotations

from dataclasses import dataclass, field

from gomoku_lab.engine.settings import ConfigError, entries, flag, real, strings, text, whole
from gomoku_lab.game.rules import FREE_RULES, Rule
from gomoku_lab.players.child_config import ChildConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class GomocupConfig(ChildConfig):
    """Which program plays, with what budget, and how long it may stay silent.

    Attributes
    ----------
    target : str
        The program: a path, or the name of one on the PATH.
    depth, time_ms, nodes
        The budget of a move; 0 and None mean "no such limit". Told as ``INFO max_depth``,
        ``timeout_turn`` and ``max_node``, the first and last of which only some programs know.
    hang_ms : float
        A program silent for this long is killed, unless its budget in time and grace are longer.
        Without a budget in time it is told this as ``timeout_turn``.
    grace_ms : float
        A move later than the budget in time by more than this loses the game.
    start_ms : float
        ABOUT, START, RESTART and a rehearsal must each be answered within this many milliseconds.
    pause_ms : float
        For so long after a move the program is told nothing: some lose what comes at once.
    match_ms : float or None
        The budget of a game, told as ``INFO timeout_match`` and, before every move, ``time_left``.
    arguments : tuple of str
        What the command line says after the program.
    memory_mb : int or None
        Told as ``INFO max_memory``.
    grace_mb : int
        A process of the program that wants more data than `memory_mb` and this gets none.
    folder : str
        The working folder, also told as ``INFO folder``; "" gives every process a fresh one, which
        is removed afterwards.
    rules : tuple of str
        The rules that the program knows; renju has to be named.
    about : bool
        Whether it is asked ABOUT; a program that then does not answer cannot play.
    restart : bool
        Whether it plays game after game in one process, told RESTART, or each in a new one.
    rehearse : bool
        Whether a new process first plays a move that nobody counts, within `start_ms`: what it
        loads or reserves for its first move is then there. It takes a program that can restart.
    reproducible : bool
        The user's word that the program's moves depend on the game alone.
    info : table
        What else is told, ``INFO key value``; it also replaces what would be told.
    """

    time_ms: float | None = field(default=1_000.0, metadata=real(1, zero_is_none=True))
    pause_ms: float = field(default=5.0, metadata=real(0, 10_000))
    match_ms: float | None = field(default=None, metadata=real(1, zero_is_none=True))
    arguments: tuple[str, ...] = field(default=(), metadata=strings())
    memory_mb: int | None = field(default=None, metadata=whole(1, 2**20, zero_is_none=True))
    grace_mb: int = field(default=128, metadata=whole(0, 2**20))
    folder: str = field(default="", metadata=text())
    rules: tuple[str, ...] = field(default=tuple(map(str, FREE_RULES)), metadata=strings())
    about: bool = field(default=True, metadata=flag())
    restart: bool = field(default=True, metadata=flag())
    rehearse: bool = field(default=True, metadata=flag())
    reproducible: bool = field(default=False, metadata=flag())
    info: tuple[tuple[str, int | float | str], ...] = field(default=(), metadata=entries())

    def check_rules(self) -> None:
        """Raise ConfigError where a text cannot be handed on, or settings contradict each other."""
        for key, words in (
            ("target", self.target),
            ("folder", self.folder),
            *(("arguments", argument) for argument in self.arguments),
            *((f"info.{key}", str(value)) for key, value in self.info),
        ):
            if not set(words).isdisjoint("\0\r\n"):
                raise ConfigError(f"{key} must be one line without a zero byte: {words!r}")
        known = tuple(map(str, Rule))
        if not self.rules or not set(self.rules) <= set(known):
            raise ConfigError(f"rules must be some of {', '.join(known)}: {list(self.rules)!r}")
        if self.reproducible and (self.time_ms is not None or self.match_ms is not None):
            raise ConfigError(
                "reproducible cannot be true while there is a limit in time: set time_ms and "
                "match_ms to 0"
            )

    @property
    def data_mb(self) -> int | None:
        """Give the most MiB of data that a process of the program may have, or None."""
        return None if self.memory_mb is None else self.memory_mb + self.grace_mb
