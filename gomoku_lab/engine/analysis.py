"""What a search returns, as plain frozen data; `analysis_view` draws it.

A score that is only a bound never stands under ``score``: it stands under ``bound`` with its kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import move_name
from gomoku_lab.kernels.layout import MATE, MATE_RANGE

if TYPE_CHECKING:
    import pandas as pd

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Layer:
    """One completed layer of iterative deepening.

    Attributes
    ----------
    depth : int
        Depth of the layer in plies.
    move : int
        Best move, flat index.
    score : int
        Exact score of that move at this depth and width, from the side to move.
    nodes : int
        Nodes spent in this layer.
    time_ms : float
        Time spent in this layer, in milliseconds.
    pv : tuple of int
        Principal variation, starting with `move`.
    changed : bool
        Whether the best move differs from the layer before.
    """

    depth: int
    move: int
    score: int
    nodes: int
    time_ms: float
    pv: tuple[int, ...]
    changed: bool


@dataclass(frozen=True, slots=True)
class RootScore:
    """What is known about one root move: an exact score, or a bound, never both.

    Attributes
    ----------
    move : int
        Flat index.
    depth : int
        Depth in plies at which it was searched, the root move included.
    score : int or None
        Exact score from the side to move, or None.
    bound : int or None
        The bound, where no exact score is known.
    bound_kind : str or None
        ``upper`` ("no better than") or ``lower`` ("at least").
    nodes : int
        Nodes spent on this move.
    """

    move: int
    depth: int
    score: int | None = None
    bound: int | None = None
    bound_kind: str | None = None
    nodes: int = 0

    def __post_init__(self) -> None:
        if (self.score is None) == (self.bound is None):
            raise ValueError("a root score holds either a score or a bound")
        if (self.bound is None) != (self.bound_kind is None):
            raise ValueError(f"a bound needs its kind: {self.bound_kind!r}")


@dataclass(frozen=True, slots=True, repr=False)
class Analysis:
    """What the engine found out about one board.

    Attributes
    ----------
    board : Board
        The position analysed; every score below belongs to it, seen from its side to move.
    move : int or None
        The move to play, or None on a finished or full board, and where renju leaves Black none.
    gate : str
        What decided: ``five``, ``block``, ``open-four``, ``break-open-four``, ``vcf``,
        ``vct``, ``search``, ``random``, or ``over`` where there is no move to play.
    score : int or None
        Exact score of the last completed layer, or of the gate where it proves a win or a loss.
    mate : int or None
        Plies to the end in the searched tree: positive if the side to move wins, negative if it
        loses. The tree is limited by width and radius, so this is no proof.
    proven : int or None
        Plies within which a win (positive) or loss (negative) is proved against every reply, by
        a gate, a chain of fours or threats; after those the true distance may be shorter.
    pv : tuple of int
        Principal variation, starting with the deciding gate's or the search's move.
    layers : tuple of Layer
        One entry a completed layer, in order of depth; empty if a gate decided.
    roots : tuple of RootScore
        Root candidates of the last completed layer: the exact scores first, best first, then the
        bounds.
    exact : tuple of RootScore
        Root candidates searched again with a full window (`Engine.exact_root`), best first; empty
        unless somebody asked for them.
    nodes, table_hits, cutoffs : int
        Totals of the search.
    time_ms : float
        Wall-clock time in milliseconds.
    reproducible : bool
        Whether no clock could have influenced the answer.
    """

    board: Board
    move: int | None
    gate: str
    score: int | None = None
    mate: int | None = None
    proven: int | None = None
    pv: tuple[int, ...] = ()
    layers: tuple[Layer, ...] = ()
    roots: tuple[RootScore, ...] = ()
    exact: tuple[RootScore, ...] = ()
    nodes: int = 0
    table_hits: int = 0
    cutoffs: int = 0
    time_ms: float = 0.0
    reproducible: bool = True

    @property
    def depth(self) -> int:
        """Give the depth of the last completed layer in plies, 0 if nothing was searched."""
        return self.layers[-1].depth if self.layers else 0

    def layers_frame(self) -> pd.DataFrame:
        """Return the layers as a pandas table, one row a layer.

        Columns: ``depth`` (int64, plies), ``move`` (string), ``score`` (int64, exact, evaluation
        units, from the side to move), ``mate`` (Int64, plies to the win or loss that the score
        stands for), ``nodes`` (int64), ``branching`` (float64, nodes over those of the layer
        before), ``time_ms`` (float64), ``changed`` (bool), ``pv`` (string).
        """
        from gomoku_lab.engine.frames import layers_frame

        return layers_frame(self)

    def roots_frame(self) -> pd.DataFrame:
        """Return the root candidates as a pandas table, one row a candidate.

        Columns: ``move`` (string), ``score`` (Int64, exact, evaluation units, from the side to
        move; missing where only a bound is known), ``bound`` (Int64, never a score), ``bound_kind``
        (string, upper or lower), ``depth`` (Int64, plies), ``nodes`` (Int64); and, where it was
        searched again, ``exact_score`` (Int64), ``exact_depth`` (Int64), ``exact_nodes`` (Int64).
        """
        from gomoku_lab.engine.frames import roots_frame

        return roots_frame(self)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form (moves as names, cells as rows from the top)."""
        size = self.board.size

        def name(move: int | None) -> str | None:
            return None if move is None else move_name(move, size)

        def line(moves: tuple[int, ...]) -> list[str]:
            return [move_name(move, size) for move in moves]

        return {
            "schema": SCHEMA_VERSION,
            "rule": str(self.board.rule),
            "size": size,
            "cells": self.board.to_array().tolist(),
            "moves": line(self.board.moves),
            "to_move": self.board.to_move,
            "move": name(self.move),
            "gate": self.gate,
            "score": self.score,
            "mate": self.mate,
            "proven": self.proven,
            "depth": self.depth,
            "pv": line(self.pv),
            "layers": [
                {
                    "depth": layer.depth,
                    "move": name(layer.move),
                    "score": layer.score,
                    "nodes": layer.nodes,
                    "time_ms": round(layer.time_ms, 3),
                    "pv": line(layer.pv),
                    "changed": layer.changed,
                }
                for layer in self.layers
            ],
            "roots": [_root_dict(root, size) for root in self.roots],
            "exact": [_root_dict(root, size) for root in self.exact],
            "nodes": self.nodes,
            "table_hits": self.table_hits,
            "cutoffs": self.cutoffs,
            "time_ms": round(self.time_ms, 3),
            "reproducible": self.reproducible,
        }

    def __repr__(self) -> str:
        from gomoku_lab.engine.analysis_view import summary

        return f"<Analysis {summary(self)}>"

    def __str__(self) -> str:
        from gomoku_lab.engine.analysis_view import analysis_text

        return analysis_text(self)

    def _repr_html_(self) -> str:
        from gomoku_lab.engine.analysis_view import analysis_html

        return analysis_html(self)


def plies_to_mate(score: int | None) -> int | None:
    """Return the signed distance of the win or loss that a score stands for, None if for none."""
    if score is None or abs(score) <= MATE_RANGE:
        return None
    return MATE - score if score > 0 else -(MATE + score)


def _root_dict(root: RootScore, size: int) -> dict[str, Any]:
    """Return one root candidate; only the keys that are known, so no bound looks like a score."""
    known: dict[str, Any] = {"move": move_name(root.move, size), "depth": root.depth}
    if root.score is not None:
        known["score"] = root.score
    else:
        known["bound"] = {"value": root.bound, "kind": root.bound_kind}
    return {**known, "nodes": root.nodes}
