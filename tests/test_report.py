"""The report: whole in itself, safe to open, and complete."""

import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from foreign_games import foreign_game
from hypothesis import given, settings
from hypothesis import strategies as st
from made_runs import made_run

from gomoku_lab.arena.match import Adjudication
from gomoku_lab.arena.rate import rate_runs
from gomoku_lab.arena.sequential import judge_run
from gomoku_lab.report.page import report_html, write_report
from gomoku_lab.report.replays import replays_html
from gomoku_lab.stats.sprt import Hypotheses

RESULTS = {("a", "b"): "WL WW WD", ("a", "c"): "WW WL DD WW", ("b", "c"): "WL WW"}
EVIL = """python:m:Bad:note="<img src=x onerror=alert(1)>'&--> $x^2$ 五子棋" id="""
VOID = {"meta", "wbr", "br", "img", "link", "input"}


class Page(HTMLParser):
    """Collects tags and attributes, and finds tags that are not closed."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.open, self.words = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]

    def handle_endtag(self, tag):
        assert tag == self.open.pop()

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    reasons = [("crash", "<script>alert(2)</script>"), ("time", "no answer")]
    folder = tmp_path_factory.mktemp("runs") / "first <b>run"
    results = {
        tuple(EVIL if name == "b" else name for name in met): p for met, p in RESULTS.items()
    }
    return made_run(folder, results, reasons=reasons, adjudication=Adjudication(max_plies=100))


@pytest.fixture(scope="module")
def html(run):
    return report_html(rate_runs([run]))


@pytest.fixture(scope="module")
def page(html):
    return Page(html)


def svgs(html):
    return re.findall(r"<figure>.*?(<svg.*?</svg>)", html, flags=re.DOTALL)


def test_the_report_is_well_formed(page):
    assert [] == page.open
    assert {"html", "head", "body", "title", "h1", "table", "svg"} <= set(page.tags)


def test_the_report_loads_nothing_and_runs_nothing(html, page):
    assert not {"script", "link", "iframe", "img", "image", "object", "base"} & set(page.tags)
    assert not [name for _, name, _ in page.attributes if name.startswith("on") or name == "src"]
    for tag, name, value in page.attributes:
        if name in ("href", "xlink:href"):
            assert value.startswith("#")
        elif re.search(r"https?:", value or ""):
            assert (tag, name.partition(":")[0]) == ("svg", "xmlns")
    assert not re.search(r"@import|url\((?!#)|data:|https?:", re.sub(r'xmlns\S*"', "", html))
    assert "default-src 'none'" in html


def test_words_from_files_are_escaped(html, page):
    assert "<img" not in html
    assert "<script" not in html
    assert "first <b>run" in page.text
    assert "<script>alert(2)</script>" in page.text
    assert EVIL in page.text
    assert "五子棋" in page.text


def test_the_figures_are_plain_svg_with_text_in_the_colour_of_the_page(html):
    ladder, crosstable = svgs(html)
    for svg in (ladder, crosstable):
        ElementTree.fromstring(svg)
        assert "currentColor" in svg
        assert 'role="img"' in svg
        assert "#010203" not in svg
    assert "#000000" not in ladder
    assert "95 % interval" in ladder
    assert "n = 14" in ladder
    assert "score of the row's player, %" in unescape(crosstable)


def test_ids_of_the_page_are_unique_and_all_references_resolve(page, html):
    ids = [value for _, name, value in page.attributes if name == "id"]
    assert len(set(ids)) == len(ids)
    used = re.findall(r'(?:href="|url\()#([^")]+)', html)
    assert used
    assert set(used) <= set(ids)


def test_the_report_reads_on_a_phone_and_on_a_dark_screen(html):
    assert 'name="viewport" content="width=device-width, initial-scale=1"' in html
    assert "prefers-color-scheme: dark" in html
    assert html.count('<div class="wide"><table>') == html.count("<table>")


def test_every_rating_pairing_and_verdict_is_there(run, page):
    standings = rate_runs([run])
    for row in standings.rows:
        assert row.rating_text in page.text
        if row.next is not None:
            assert row.next.verdict in page.text
            assert row.next.difference.elo.text() in page.text
    for pairing in standings.pairings:
        assert pairing.report.elo.text() in page.text
        assert " ".join(map(str, pairing.pairs)) in page.text
    assert standings.advantage.text() in page.text
    assert all(warning in page.text for warning in standings.warnings)


def test_forfeits_stand_with_player_reason_and_game(page):
    assert "Forfeits" in page.text
    assert "no answer" in page.text
    assert "1-2-0001a" in page.text


def test_the_report_says_where_the_numbers_come_from(run, page):
    session = {"started": "2026-01-02T03:04:05Z", "jobs": 2, "backend": "loky", "version": "9.9"}
    sessions = [
        {**session, "command": ["gomoku-lab", "tournament", "--out", "my run"], "git": None},
        {**session, "command": ["again"], "git": {"commit": "c0ffee", "dirty": True}},
    ]
    facts = {**run.facts, "command": sessions[0]["command"], "sessions": sessions}
    text = Page(report_html(rate_runs([replace(run, facts=facts)]))).text
    for expected in (
        "gomoku-lab tournament --out 'my run'",
        "9.9, commit c0ffee with local changes: again",
        f"configuration hash {run.facts['hash']}",
        f"cores {run.facts['machine']['cores']}",
        f"numpy {run.facts['versions']['numpy']}",
        "seed 0",
        "max_plies 100",
        "4 of book, each played twice",
        "freestyle, 15x15",
        "18 of 24",
        "open_four = 300000",
        '"opening_set": "book"',
    ):
        assert expected in text


def test_the_same_run_gives_the_same_report(run, html):
    assert html == report_html(rate_runs([run]))


def test_a_report_without_ratings_has_a_crosstable_and_says_why(tmp_path):
    html = report_html(rate_runs([made_run(tmp_path, {("a", "b"): "WL", ("c", "d"): "WW"})]))
    assert 1 == len(svgs(html))
    assert "these groups never met: a, b | c, d" in Page(html).text


def test_several_runs_are_all_named(tmp_path):
    runs = [made_run(tmp_path / name, {("a", "b"): "WL WW"}) for name in ("one", "two")]
    text = Page(report_html(rate_runs(runs))).text
    assert text.startswith("one, two: ratings")
    assert 2 == text.count("configuration hash")


def test_the_report_is_written_as_utf8(tmp_path, run, html):
    write_report(tmp_path / "report.html", rate_runs([run]))
    assert html == (tmp_path / "report.html").read_text(encoding="utf-8")


def test_the_games_stand_there_to_be_stepped_through(run, html, page):
    games = run.games()
    assert len(games) == html.count('<form class="gl-r">') == page.tags.count("form")
    assert f"All {len(games)} games." in page.text
    for game in games:
        assert f"<pre>{game.moves}</pre>" in html
    assert 1 == html.count(".gl-r{display:flex")
    assert sum(game.plies + 1 for game in games) == page.tags.count("input")


def test_the_commands_to_repeat_a_run_stand_together(run):
    git = {"commit": "c0ffee", "dirty": True}
    facts = {**run.facts, "command": ["gomoku-lab", "match", "a b", "c"], "git": git}
    html = report_html(rate_runs([replace(run, facts=facts)]))
    (block,) = re.findall(r"<h3>To repeat it</h3><pre>(.*?)</pre>", html, flags=re.DOTALL)
    checkout, play, report = unescape(block).splitlines()
    assert "git checkout c0ffee  # with local changes, which are not recorded" == checkout
    assert "gomoku-lab match 'a b' c" == play
    assert report.startswith("gomoku-lab report '")
    facts = {**run.facts, "command": [], "git": None, "version": "9.9"}
    text = Page(report_html(rate_runs([replace(run, facts=facts)]))).text
    assert "# gomoku_lab 9.9 # played from Python: no command is recorded" in text


def test_the_sequential_test_of_a_match_is_drawn(tmp_path):
    hypotheses = Hypotheses(elo0=0, elo1=200)
    match = made_run(tmp_path, {("a", "b"): "WW WW WL WW " * 6}, sprt=hypotheses)
    html = report_html(rate_runs([match]))
    assert judge_run(match).state.verdict in Page(html).text
    assert "log-likelihood ratio" in svgs(html)[-1]
    assert "Sequential test" not in report_html(
        rate_runs([made_run(tmp_path / "plain", {("a", "b"): "WL WW"})])
    )


@given(pairs=st.integers(1, 60), most=st.integers(0, 30))
@settings(max_examples=60, deadline=None)
def test_games_are_chosen_evenly_in_whole_pairs(pairs, most):
    game = foreign_game("a", "b", "black")
    games = [replace(game, id=f"{pair}{letter}") for pair in range(1, pairs + 1) for letter in "ab"]
    html = replays_html(games, len(games), most)
    shown = re.findall(r"<summary>(\d+)([ab]):", html)
    if len(games) <= most:
        assert len(games) == len(shown)
        return
    assert most // 2 * 2 == len(shown)
    assert [letter for _, letter in shown] == ["a", "b"] * (most // 2)
    numbers = sorted({int(pair) for pair, _ in shown})
    gaps = {later - earlier for earlier, later in pairwise(numbers)}
    assert not gaps or max(gaps) - min(gaps) <= 1
    assert f"{len(shown)} of {len(games)} games, chosen evenly" in html


def test_games_that_were_forfeited_are_shown_besides():
    games = [replace(foreign_game("a", "b", "black"), id=f"{number}x") for number in range(40)]
    games[7] = replace(games[7], reason="crash", detail="boom")
    html = replays_html(games, len(games), 4)
    assert "4 of 40 games, chosen evenly, and 1 more that were forfeited" in html
    assert "<summary>7x:" in html
    assert "0 of 40 games" in replays_html(games, len(games), 0)
    assert "<form" not in replays_html(games, len(games), 0)


def test_without_moves_there_is_nothing_to_step_through():
    assert "<p>The moves of no game are known.</p>" == replays_html([], 0)
