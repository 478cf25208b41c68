"""Fixed searches whose traces are kept in tests/golden: run this file to renew them.

A changed trace means that search or evaluation changed; renewing it is a decision to review.
"""

import json
from pathlib import Path

from gomoku_lab.engine.engine import Engine
from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import move_name, move_string
from gomoku_lab.players.registry import resolve

FOLDER = Path(__file__).resolve().parent / "golden"
PLAYER = "layered/master:time_ms=0,depth=8"
POSITIONS = {
    "open-game": {"moves": "h9j8h6g6i7k8h5h7", "size": 15, "rule": "freestyle"},
    "corner": {"moves": "d4a3d3a6b5e4d2d5", "size": 15, "rule": "freestyle"},
    "exact-five": {"moves": "k6m7n8j7j8j6k5n6", "size": 15, "rule": "standard"},
}


def trace(name):
    """Search a position and return its trace as it is kept; times are left out."""
    entry = POSITIONS[name]
    board = Board.from_moves(entry["moves"], size=entry["size"], rule=entry["rule"])
    found = Engine(resolve(PLAYER).config).analyse(board)
    layers = [
        {
            "depth": layer.depth,
            "move": move_name(layer.move, board.size),
            "score": layer.score,
            "nodes": layer.nodes,
            "pv": move_string(layer.pv, board.size),
        }
        for layer in found.layers
    ]
    return {
        "player": PLAYER,
        **entry,
        "gate": found.gate,
        "move": move_name(found.move, board.size),
        "score": found.score,
        "nodes": found.nodes,
        "layers": layers,
    }


def kept(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def renew():
    FOLDER.mkdir(exist_ok=True)
    for name in POSITIONS:
        text = json.dumps(trace(name), indent=1) + "\n"
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    renew()
