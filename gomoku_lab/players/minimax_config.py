"""What the player `minimax` can be told. It lives apart from the player, who loads the kernels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from gomoku_lab.engine.config import MAX_DEPTH, ConfigError, PatternWeights, SearchLimits
from gomoku_lab.engine.settings import Settings, flag, real, table, whole

SCALE: Final = 100
"""The search counts in hundredths, so that a weight of 1.1 is exact."""

_MAX_NODES: Final = 2**62


@dataclass(frozen=True, slots=True, kw_only=True)
class MinimaxConfig(Settings):
    """What the player may be told. Each element of the article can be switched off.

    Attributes
    ----------
    depth, time_ms, nodes : limits; 0 and None mean "no such limit"
        No layer is begun once `time_ms` have passed, and none is broken off for it. `nodes` (ours)
        breaks off any layer but the first; the last complete one stands.
    opponent_weight : float
        Weight of the opponent's shapes, in hundredths.
    radius : int
        Moves lie at most this many lines from a stone.
    evaluation, pruning, ordering : bool
        Whether shapes count, or only a five; whether alpha-beta cuts; whether moves are sorted by
        a one-move evaluation, or come row by row.
    deepening : bool
        Whether layers 2, 3, 4... are searched, each with the last best move first, or the layer
        `depth` alone; if `nodes` breaks that one off, the first move is played.
    noise : float
        Probability that the k-th sorted move (0, 1...) is played instead, with weight 2 ** -k.
    weights : PatternWeights
        What the shapes are worth.
    """

    depth: int | None = field(default=None, metadata=whole(1, MAX_DEPTH, zero_is_none=True))
    time_ms: float | None = field(default=None, metadata=real(0, zero_is_none=True))
    nodes: int | None = field(default=None, metadata=whole(1, _MAX_NODES, zero_is_none=True))
    opponent_weight: float = field(default=1.1, metadata=real(0, 10))
    radius: int = field(default=2, metadata=whole(1, 14))
    evaluation: bool = field(default=True, metadata=flag())
    pruning: bool = field(default=True, metadata=flag())
    ordering: bool = field(default=True, metadata=flag())
    deepening: bool = field(default=True, metadata=flag())
    noise: float = field(default=0.0, metadata=real(0, 1))
    weights: PatternWeights = field(default_factory=PatternWeights, metadata=table(PatternWeights))

    def check_rules(self) -> None:
        """Raise ConfigError if the search would never stop or the weight is no hundredth."""
        if self.limits.is_unlimited or (self.depth is None and not self.deepening):
            raise ConfigError("no limit is set: depth, time_ms or nodes; depth without deepening")
        if round(self.opponent_weight * SCALE) / SCALE != self.opponent_weight:
            raise ConfigError(f"opponent_weight must be in hundredths: {self.opponent_weight!r}")

    @property
    def limits(self) -> SearchLimits:
        """Give the three limits as one value."""
        return SearchLimits(depth=self.depth, time_ms=self.time_ms, nodes=self.nodes)

    @property
    def factors(self) -> tuple[int, int]:
        """Give what the own shapes and the opponent's count, in hundredths."""
        return SCALE, -round(self.opponent_weight * SCALE)
