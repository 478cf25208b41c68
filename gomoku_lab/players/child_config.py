"""What every player in a child process is configured with: what runs, its budget, our patience."""

from __future__ import annotations

from dataclasses import dataclass, field

from gomoku_lab.engine.config import MAX_DEPTH, SearchLimits
from gomoku_lab.engine.settings import Settings, real, whole, word


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildConfig(Settings):
    """Base of such configurations; what the keys mean is said where they are used.

    Attributes
    ----------
    target : str
        What runs.
    depth, time_ms, nodes
        The budget of a move; 0 and None mean "no such limit".
    hang_ms, grace_ms, start_ms : float
        How long the child may stay silent without a budget in time, after it, and in starting.
    """

    target: str = field(metadata=word())
    depth: int | None = field(default=None, metadata=whole(1, MAX_DEPTH, zero_is_none=True))
    time_ms: float | None = field(default=None, metadata=real(0, zero_is_none=True))
    nodes: int | None = field(default=None, metadata=whole(1, 2**62, zero_is_none=True))
    hang_ms: float = field(default=10_000.0, metadata=real(1))
    grace_ms: float = field(default=1_000.0, metadata=real(0))
    start_ms: float = field(default=60_000.0, metadata=real(1))

    @property
    def limits(self) -> SearchLimits:
        """Give the budget of a move as one value."""
        return SearchLimits(depth=self.depth, time_ms=self.time_ms, nodes=self.nodes)
