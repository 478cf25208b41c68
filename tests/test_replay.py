"""A game to step through: every position is there, chosen by a style sheet, without a script."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_runs import made_run
from strategies import played_boards
from test_study import plan

import gomoku_lab as gl
from gomoku_lab.game import replay
from gomoku_lab.game.display import centre
from gomoku_lab.game.record import GameRecord, PlayerRef, Setup
from gomoku_lab.kernels import layout
from gomoku_lab.tuning.study import Study
from gomoku_lab.tuning.trajectory import Tuning

EVIL = "<img src=x onerror=alert(1)>\"'&"
VOID = {"input"}


class Page(HTMLParser):
    """Collects elements with their attributes and the number of the form they stand in."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.words = [], [], []
        self.feed(text)
        self.close()
        assert [] == self.open

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert tag == self.open.pop()

    def handle_data(self, data):
        self.words.append(data)

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


def record(board, *, opening_moves=0, **changes):
    result = {1: "black", 2: "white"}.get(board.winner, "draw")
    chosen = len(board.moves) - opening_moves
    values = {
        "id": "1", "pair": "", "opening": "", "opening_moves": opening_moves,
        "black": PlayerRef("a", ""), "white": PlayerRef("b", ""), "rule": board.rule,
        "size": board.size, "moves": board.move_string(), "result": result,
        "reason": "five" if board.winner else "adjudicated", "seed": 0, "reproducible": True,
    }  # fmt: skip
    for key in ("nodes", "depth", "score", "time_ms"):
        values[key] = (None,) * chosen
    return GameRecord(**{**values, **changes})


def shown(html, style, ply):
    """Return the stones that the style sheet leaves when the button of `ply` is chosen."""
    stones = re.search(r'<g class="gl-m">(.*?)</g><g class="gl-w">', html, re.DOTALL)[1]
    centres = re.findall(r'<circle cx="(\d+)" cy="(\d+)"', stones)
    rule = rf"nth-of-type\({ply + 1}\):checked~svg \.gl-m>(\S+?)\{{display:none\}}"
    (hidden,) = re.findall(rule, style)
    first_hidden = 0 if hidden == "*" else int(re.fullmatch(r":nth-child\((\d+)\)~\*", hidden)[1])
    return [(int(x), int(y)) for x, y in centres[:first_hidden]]


@given(played_boards(max_moves=30), st.data())
@settings(max_examples=60)
def test_every_position_of_the_game_can_be_chosen(board, data):
    game = record(board)
    html, style = replay.replay_html(game, name="x"), replay.replay_style(game.plies)
    ply = data.draw(st.integers(0, game.plies))
    assert [centre(move, board.size) for move in board.moves[:ply]] == shown(html, style, ply)


@given(played_boards(max_moves=30))
@settings(max_examples=60)
def test_every_move_has_a_button_and_a_note_and_the_end_is_shown_first(board):
    game = record(board)
    page = Page(replay.replay_html(game, name="x"))
    buttons = page.all("input")
    assert game.plies + 1 == len(buttons) == len(page.all("p"))
    assert [False] * game.plies + [True] == ["checked" in button for button in buttons]
    ids = {button["id"] for button in buttons}
    targets = [label["for"] for label in page.all("label") if "for" in label]
    assert len(ids) == len(buttons)
    assert set(targets) <= ids
    assert 2 * game.plies == len(targets)
    assert (board.winner > 0) == bool(page.all("line"))


def test_a_game_needs_no_script_and_loads_nothing():
    html = record(gl.Board.from_moves("h8i9g7"))._repr_html_()
    page = Page(html)
    assert not {"script", "img", "link", "iframe"} & {name for name, _ in page.elements}
    assert not any(key.startswith("on") or key == "src" for _, a in page.elements for key in a)
    assert not re.search(r"@import|url\(", html)


def test_words_of_a_record_are_escaped():
    game = record(
        gl.Board.from_moves("h8i9"),
        black=PlayerRef(EVIL, ""),
        detail=EVIL,
        opening=EVIL,
        reason="crash",
        result="white",
    )
    html = game._repr_html_()
    assert "<img" not in html
    assert EVIL in " ".join(Page(html).words)


def test_the_same_game_can_stand_twice_in_a_page():
    game = record(gl.Board.from_moves("h8i9g7"))
    ids = [a["id"] for _, a in Page(game._repr_html_() + game._repr_html_()).elements if "id" in a]
    assert len(ids) == len(set(ids)) == 8


def test_a_note_says_who_played_what_at_what_cost():
    game = record(
        gl.Board.from_moves("h8i9g7i7"),
        opening="made", opening_moves=1, nodes=(1200, None, 7), depth=(4, 0, None),
        score=(120, layout.MATE - 5, -(layout.MATE - 4)), time_ms=(3.25, None, 0.0),
        detail="enough",
    )  # fmt: skip
    assert [
        "start: black to move, opening made of 1 moves",
        "1. black h8, of the opening",
        "2. white i9, its own score +120, depth 4, 1,200 nodes, 3.2 ms",
        "3. black g7, its own score win in 5",
        "4. white i7, its own score loss in 4, 7 nodes, 0.0 ms. Draw: adjudicated, enough",
    ] == replay.game_notes(game)


def test_scores_that_stand_for_a_win_are_those_of_the_engine():
    assert (layout.MATE, layout.MATE_RANGE) == (replay.MATE, replay.MATE_RANGE)


def test_stones_that_were_set_up_are_there_from_the_start():
    setup = Setup(black="h8", white="i9", to_move="white")
    game = record(gl.Board.from_moves("g7"), setup=setup, result="unknown", reason="unknown")
    html = replay.replay_html(game, name="x")
    assert "start: white to move" == replay.game_notes(game)[0]
    before, _, played = html.partition('<g class="gl-m">')
    assert 2 == before.count('r="13.5"')
    assert 1 == played.count('r="13.5"')


def test_a_record_says_itself_in_a_line_and_draws_itself_in_text():
    game = record(gl.Board.from_moves("h8i9g7"))
    assert (
        "<GameRecord 1: a (black) - b (white), freestyle, 15x15: draw, adjudicated, 3 moves>"
        == (repr(game))
    )
    assert str(gl.Board.from_moves("h8i9g7")) in str(game)


def test_a_run_says_itself_in_a_line_and_shows_its_ratings(tmp_path):
    run = made_run(tmp_path / "<run>", {("a", "b"): "WL WW", ("a", EVIL): "WW DD"})
    assert f"<Run {run.path}: 3 players, 8 of 12 games, freestyle, 15x15>" == repr(run)
    page = Page(run._repr_html_())
    words = " ".join(page.words)
    assert EVIL in words
    for text in run.ratings_frame()["player"]:
        assert text in words
    assert "<img" not in run._repr_html_()


def test_a_large_run_is_not_rated_to_be_shown(tmp_path, monkeypatch):
    monkeypatch.setattr("gomoku_lab.arena.run_view.MOST_RATED", 3)
    html = made_run(tmp_path, {("a", "b"): "WL WW"})._repr_html_()
    assert "ratings_frame" in html
    assert "<table" not in html


def test_a_run_without_games_says_so(tmp_path):
    html = made_run(tmp_path, {("a", "b"): ""} | {("a", "c"): "WL"}).only(())._repr_html_()
    assert "no finished pair of games to rate" in html


def test_a_study_says_itself_in_a_line_and_shows_its_estimates(tmp_path):
    study = Study(tmp_path, plan(pairs=8), {}, Tuning(plan(pairs=8)))
    assert "0 of 8 pairs of games>" in repr(study)
    words = " ".join(Page(study._repr_html_()).words)
    assert "skill" in words
    assert "no interval" in words


@pytest.mark.parametrize("method", ["_repr_html_", "__repr__"])
def test_what_shows_itself_needs_no_matplotlib(method):
    import subprocess
    import sys

    code = (
        "import sys, gomoku_lab as gl\n"
        f"found = gl.analyse('h8i9', 'layered/novice:time_ms=0'); found.{method}()\n"
        f"found.board.{method}()\n"
        "assert 'matplotlib' not in sys.modules and 'pandas' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
