"""A player that thinks within what a Gomocup manager allows, and can be stopped meanwhile.

Whatever a player does wrong, raising or answering nonsense, comes out of here as a ValueError
whose message is fit for an ERROR line.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from gomoku_lab.engine.analysis import Analysis
from gomoku_lab.engine.config import SearchLimits
from gomoku_lab.game.board import Board
from gomoku_lab.game.formats.gomocup import Point
from gomoku_lab.game.rules import Rule
from gomoku_lab.players.allowance import Allowance, program_bytes
from gomoku_lab.players.protocol import Choice, Player
from gomoku_lab.players.registry import make_player, rehearse, warm_up
from gomoku_lab.players.spec import PlayerSpec

_LAST_MOVE_MS = 100.0
"""A move that is still asked for when the manager has said END gets so much time."""
_MIB = 1 << 20
_LONGEST_LINE = 20


class Thinker:
    """One player at work for one manager.

    Parameters
    ----------
    spec : PlayerSpec
        Who plays; it is made when it is first needed.
    allowance : Allowance
        What the manager allows, as it is at each moment.
    """

    def __init__(self, spec: PlayerSpec, allowance: Allowance) -> None:
        self.spec = spec
        self._allowance = allowance
        self._player: Player | None = None
        self._seed = np.random.SeedSequence(0)
        self._table_bits: int | None = None  # of the player's table; None for one without
        self._program_bytes = 0
        self._memory_seen = 0
        self._is_hurried = False
        self._is_unhurried_at_work = False
        self._progress = _Progress()

    # ---- what other threads may call -------------------------------------------------------------

    def stop(self) -> None:
        """Let a running search end at once with the move found so far, if the player can."""
        stop = getattr(self._player, "stop", None)
        if stop is not None:
            stop()

    def hurry(self) -> None:
        """Keep every search that begins from now on short: the manager wants us to end."""
        self._is_hurried = True

    @property
    def is_unhurried_at_work(self) -> bool:
        """Tell whether something is thought about that began before `hurry`."""
        return self._is_unhurried_at_work

    @property
    def is_ready(self) -> bool:
        """Tell whether the player has been made, with all that it needs."""
        return self._player is not None

    # ---- what the dialogue calls -----------------------------------------------------------------

    def preload(self) -> None:
        """Load in another thread what the player needs, so that its first game starts sooner."""
        threading.Thread(target=self._load, daemon=True).start()

    def _load(self) -> None:
        # What fails here fails again, and is told, when the first game starts.
        with contextlib.suppress(Exception):
            warm_up([self.spec], progress=self._progress.report)

    def make(self) -> Player:
        """Return the player, made now if there is none."""
        if self._player is None:
            self._player = self._made(self.spec)
            self._program_bytes = program_bytes()
            self._table_bits = getattr(self.spec.config, "table_bits", None)
        return self._player

    def new_game(self, seed: np.random.SeedSequence, tell: Callable[[str], None]) -> None:
        """Begin a game; make the player first if there is none, and tell what takes long."""
        try:
            if self._player is None:
                with self._progress.told_to(tell):
                    warm_up([self.spec], progress=self._progress.report)
            self.make().new_game(seed)
        except Exception as error:  # a player may raise anything
            raise ValueError(f"{self.spec.name} cannot begin a game: {error}") from error
        self._seed = seed

    def limits(self, board: Board, elapsed_ms: float) -> SearchLimits | None:
        """Return the limits of the next move; `elapsed_ms` of its time have gone already."""
        limits = self._allowance.limits(self.spec.config, board.stones, board.size**2, elapsed_ms)
        # First this, then the question: `hurry` comes from another thread.
        self._is_unhurried_at_work = True
        if self._is_hurried:
            self._is_unhurried_at_work = False
            if limits is not None:
                time_ms = _LAST_MOVE_MS if limits.time_ms is None else limits.time_ms
                limits = replace(limits, time_ms=min(time_ms, _LAST_MOVE_MS))
        return limits

    def choose(self, board: Board, limits: SearchLimits | None) -> Choice:
        """Return the player's move, which is legal."""
        player = self._player
        if player is None:
            raise ValueError("no game has been started")
        if board.is_over:
            board.check_move(0)  # says how it has ended
        if not player.plays(board.rule):
            raise ValueError(f"{self.spec.name} does not play {board.rule}")
        try:
            choice = player.choose(board, limits)
        except Exception as error:  # a player may raise anything
            raise ValueError(f"{self.spec.name}: {type(error).__name__}: {error}") from error
        if choice.move is None:
            raise ValueError(f"{self.spec.name} gave no move")
        board.check_move(choice.move)
        return choice

    def rest(self) -> None:
        """Say that the question is answered."""
        self._is_unhurried_at_work = False

    def forget(self) -> None:
        """Let the player forget what it keeps of earlier searches, if it does."""
        forget = getattr(self._player, "forget", None)
        if forget is not None:
            forget()

    def analysis(self, board: Board) -> Analysis | None:
        """Return what the player thought of `board` when it chose last, if it tells."""
        found = getattr(self._player, "analysis", None)
        return found if isinstance(found, Analysis) and found.board is board else None

    def fit_memory(self) -> list[str]:
        """Make the player anew with another table where the manager's memory limit asks for it.

        Returns
        -------
        list of str
            What people should know about it.
        """
        wanted = getattr(self.spec.config, "table_bits", None)
        allowed = self._allowance.memory
        notes = []
        if allowed != self._memory_seen and 0 < allowed < self._program_bytes:
            notes.append(
                f"max_memory is {allowed // _MIB} MiB, but the program itself takes "
                f"{self._program_bytes // _MIB} MiB"
            )
        self._memory_seen = allowed
        if self._player is None or wanted is None:
            return notes
        bits = self._allowance.table_bits(wanted, self._program_bytes)
        if bits != self._table_bits:
            config = self.spec.config.varied({"table_bits": bits}, source=self.spec.name)
            self._player.close()
            self._player = self._made(replace(self.spec, config=config))
            self._player.new_game(self._seed)
            self._table_bits = bits
            notes.append(f"the table has {f'2^{bits}' if bits else 'no'} entries now")
        return notes

    def close(self) -> None:
        """Give back the player."""
        if self._player is not None:
            self._player.close()
            self._player = None

    def _made(self, spec: PlayerSpec) -> Player:
        """Return a player whose tables for each rule are there before a clock runs."""
        player = make_player(spec)
        for rule in Rule:
            if player.plays(rule):
                rehearse(player, spec, rule)
        return player


class _Progress:
    """What takes long, kept until somebody wants to hear it, then told as it happens."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: list[str] = []
        self._tell: Callable[[str], None] = self._kept.append

    def report(self, text: str) -> None:
        """Say that something takes long; from any thread."""
        with self._lock:
            self._tell(text)

    @contextlib.contextmanager
    def told_to(self, tell: Callable[[str], None]) -> Iterator[None]:
        """Tell what was reported before, and what is reported meanwhile."""
        with self._lock:
            for text in self._kept:
                tell(text)
            self._kept.clear()
            self._tell = tell
        try:
            yield
        finally:
            with self._lock:
                self._tell = self._kept.append


def thought(board: Board, choice: Choice, found: Analysis | None) -> str:
    """Return what a MESSAGE says about a move: what decided, depth, score, nodes, line."""
    parts = [f"depth {choice.depth}"]
    if choice.score is not None:
        parts.append(f"score {choice.score:+}")
    parts.append(f"nodes {choice.nodes}")
    line: tuple[int, ...] = () if choice.move is None else (choice.move,)
    if found is not None:
        if found.proven is not None:
            outcome = "win" if found.proven > 0 else "loss"
            parts.append(f"{outcome} within {abs(found.proven)} plies")
        parts.append(f"time {found.time_ms:.0f} ms")
        line = found.pv[:_LONGEST_LINE] or line
    if choice.gate:
        parts.append(f"by {choice.gate}")
    parts.append("pv " + " ".join(str(Point.of(move, board.size)) for move in line))
    return " | ".join(parts)
