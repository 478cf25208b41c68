"""The page of ``gomoku-lab analyse --html``: whole in itself, repeatable, honest about bounds."""

import re

import pytest
from click.testing import CliRunner
from plot_examples import DEEP, WON
from test_report import Page, svgs

from gomoku_lab.cli.main import main
from gomoku_lab.engine.analysis import Analysis
from gomoku_lab.engine.analysis_view import layer_row
from gomoku_lab.game.board import Board
from gomoku_lab.players.registry import resolve
from gomoku_lab.report.analysis import analysis_page

FAST = "layered/master:depth=3,time_ms=0,width=6"
SPEC = resolve(FAST)
COMMAND = ["gomoku-lab", "analyse", "h8 i9", "--html", "<page>"]


@pytest.fixture(scope="module")
def html():
    return analysis_page(DEEP, SPEC, COMMAND)


def test_the_page_is_well_formed_and_loads_and_runs_nothing(html):
    page = Page(html)
    assert [] == page.open
    assert not {"script", "link", "iframe", "img", "object"} & set(page.tags)
    assert "default-src 'none'" in html
    ids = [value for _, name, value in page.attributes if name == "id"]
    assert len(set(ids)) == len(ids)
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', html)) <= set(ids)


def test_the_page_holds_board_layers_candidates_and_three_figures(html):
    page = Page(html)
    for layer in DEEP.layers:
        for cell in layer_row(layer, 15):
            assert cell in page.text
    assert "15x15 freestyle, 4 stones, black to move, moves h8i9g7i7" in page.text
    assert "searched again with a full window: exact scores" in page.text
    assert 4 == len(svgs(html))


def test_the_page_says_how_to_make_it_again(html):
    text = Page(html).text
    assert "gomoku-lab analyse 'h8 i9' --html '<page>'" in text
    assert SPEC.config_hash in text
    assert "depth = 3" in text
    assert "<page>" not in html


def test_S1_33_a_bound_stands_nowhere_on_the_page(html):
    assert "-41770" not in html.replace(",", "")
    assert "-60000" not in html.replace(",", "")
    assert "bound: no score" in html


def test_a_win_is_said_in_plies():
    text = Page(analysis_page(WON, SPEC, COMMAND)).text
    assert "win in 3" in text
    assert "999999997" not in text


def test_an_analysis_without_a_search_has_no_figures():
    found = Analysis(board=Board.from_moves("h8"), move=0, gate="block")
    html = analysis_page(found, SPEC, COMMAND)
    assert "Figures" not in html
    assert 1 == len(svgs(html))


def test_the_command_writes_the_page_beside_its_output(tmp_path):
    file = tmp_path / "page.html"
    words = ["analyse", "h8i9g7i7h10g9", "-p", FAST, "--exact", "3", "--html", str(file)]
    done = CliRunner().invoke(main, words)
    assert 0 == done.exit_code, done.output
    assert f"wrote {file}\n" == done.stderr
    assert "root candidates" in done.stdout
    text = Page(file.read_text(encoding="utf-8")).text
    assert f"gomoku-lab analyse h8i9g7i7h10g9 -p {FAST} --exact 3 --html {file}" in text
    missing = CliRunner().invoke(main, [*words[:-1], str(tmp_path / "none" / "page.html")])
    assert 2 == missing.exit_code
    assert "Traceback" not in missing.output
