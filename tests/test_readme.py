"""What the README shows works: the player of your own, the files and commands that it names."""

import re
from pathlib import Path

import pytest

from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import parse_move
from gomoku_lab.players.registry import make_player

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def own_player() -> str:
    """Return the code of the README's player."""
    block = re.search(r"```python\n(# mybot\.py\n.*?)```", README, re.DOTALL)
    assert block is not None
    return block[1]


def test_a_player_of_your_own_takes_fifteen_lines() -> None:
    code = [line for line in own_player().splitlines() if line and not line.startswith("#")]
    assert len(code) <= 15


@pytest.mark.parametrize(
    ("moves", "right"),
    [("", {"h8"}), ("h8a1i8a2j8a3k8a4", {"g8", "l8"}), ("a1h8a2i8a3j8c9k8", {"g8", "l8"})],
)
def test_the_player_of_your_own_opens_wins_and_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: str, right: set[str]
) -> None:
    (tmp_path / "mybot.py").write_text(own_player(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    player = make_player("python:mybot:Longest")
    try:
        board = Board.from_moves(moves)
        chosen = player.choose(board).move
    finally:
        player.close()
    assert chosen in {parse_move(name, board.size) for name in right}


def test_every_file_that_the_readme_names_exists() -> None:
    named = re.findall(r"`((?:experiments|tests|positions|\.ci)/[\w./-]*)`", README)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []
