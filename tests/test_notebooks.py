"""Every notebook runs in fast mode without a warning or an empty figure; its numbers are checked.

The runner itself is held to failing where a reader would see something wrong.
"""

import ast
import json

import pytest
from naive_engine import Position, minimax, width_set
from nbclient.exceptions import CellExecutionError
from notebook_tools import NOTEBOOKS, NotebookError, read_notebook, run_notebook, tiny_notebook

from gomoku_lab.game.board import Board
from gomoku_lab.game.notation import move_name
from gomoku_lab.players.registry import resolve

CHECKED = {"01-first-look": "layered/master", "07-why-did-it-play-that": "layered/master"}
"""Notebooks whose exact root scores are compared with plain minimax, and whose they are."""


def source_of(cell):
    return "".join(cell["source"])


def plain_scores(analysis, player):
    """Return what plain minimax gives for the moves whose exact scores an analysis tells."""
    config = resolve(player).config
    position = Position.of(Board.from_moves("".join(analysis["moves"])))
    names = {move_name(move, 15): move for move in width_set(position, config)}
    return {
        root["move"]: -minimax(position.play(names[root["move"]]), root["depth"] - 1, config, 1)
        for root in analysis["exact"]
    }


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_it_promises(path, tmp_path):
    shown = run_notebook(read_notebook(path), tmp_path)
    assert shown["figures"] > 0
    last = shown["cells"][-1]["outputs"][-1]["data"]["text/markdown"]
    assert any(letter.isdigit() for letter in last)
    if path.stem in CHECKED:
        exact = [one for one in shown["analyses"] if one["exact"]]
        assert exact
        for analysis in exact:
            told = {root["move"]: root["score"] for root in analysis["exact"]}
            assert {root["depth"] for root in analysis["exact"]} <= {2, 3}
            assert told == plain_scores(analysis, CHECKED[path.stem])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_committed_without_outputs_in_one_form(path):
    text = path.read_text(encoding="utf-8")
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        assert cell["metadata"] == {}
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None)
    assert {"kernelspec", "language_info"} == set(notebook["metadata"])
    assert text == json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_opens_with_its_question_and_ends_with_its_answer(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    title, _, question, *_ = source_of(cells[0]).splitlines()
    assert title.startswith(f"# {path.name[:2]} ")
    assert question.startswith("**Question.** ")
    assert source_of(cells[-2]).endswith("## Answer")
    assert "Markdown(" in source_of(cells[-1])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_logic_lives_in_a_notebook(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = "\n".join(source_of(cell) for cell in cells if cell["cell_type"] == "code")
    logic = (ast.FunctionDef, ast.ClassDef, ast.Lambda, ast.While, ast.Try, ast.With)
    assert not [node.lineno for node in ast.walk(ast.parse(code)) if isinstance(node, logic)]
    assert "from gomoku_lab" not in code  # what it needs is a public name


EMPTY_FIGURES = (
    "plt.subplots()",
    "plt.subplots(1, 2)[1][0].plot([1, 2])",
    "plt.plot([], [])",
    "plt.plot([1, 2], [float('nan')] * 2)",
    "plt.gca().axhline(0)",
    "plt.subplots()\nplt.show()",
)

FULL_FIGURES = """
figure, axes = plt.subplots(1, 3)
axes[0].plot([1, 2])
axes[1].bar([1], [2])
figure.colorbar(axes[2].pcolormesh([[1, 2], [3, 4]]));
"""


class TestTheRunner:
    """What a reader would stumble over is found."""

    @pytest.mark.parametrize(
        ("code", "named"),
        [
            ("1 / 0", "ZeroDivisionError"),
            ("import warnings\nwarnings.warn('an old way', stacklevel=1)", "UserWarning"),
            ("class Bad:\n    def _repr_html_(self):\n        raise KeyError\nBad()", "KeyError"),
        ],
    )
    def test_a_notebook_that_raises_or_warns_fails(self, code, named, tmp_path):
        with pytest.raises(CellExecutionError, match=named):
            run_notebook(tiny_notebook(code), tmp_path)

    def test_a_notebook_that_shows_empty_figures_or_writes_to_stderr_fails(self, tmp_path):
        begin = "import sys\nimport matplotlib.pyplot as plt\nprint('watch out', file=sys.stderr)"
        bare = "plt.figure();"
        with pytest.raises(NotebookError) as caught:
            run_notebook(tiny_notebook(begin, bare, FULL_FIGURES, *EMPTY_FIGURES), tmp_path)
        empty = [f"figure {number} is empty" for number in range(2, 2 + len(EMPTY_FIGURES))]
        without = "<Figure size 640x480 with 0 Axes> is empty"
        assert str(caught.value) == "; ".join(["stderr: watch out", without, *empty])
