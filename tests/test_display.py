"""The board as a picture: well-formed SVG that shows what is there and nothing else."""

import math
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import boards

from gomoku_lab.game.board import Board
from gomoku_lab.game.display import STEP, board_svg, centre
from gomoku_lab.game.notation import parse_moves

NAMESPACE = "{http://www.w3.org/2000/svg}"
GAME = "h8i9g7f6i7i8g9h9j6k5f10"


def elements(svg, tag):
    return list(ElementTree.fromstring(svg).iter(NAMESPACE + tag))


def texts(svg):
    return [element.text for element in elements(svg, "text")]


def stones(svg):
    return [circle for circle in elements(svg, "circle") if float(circle.get("r")) > 10]


@given(boards(), st.booleans(), st.booleans())
def test_every_stone_is_drawn_once_inside_the_picture(board, numbers, last_move):
    svg = board_svg(board, numbers=numbers, last_move=last_move)
    side = float(ElementTree.fromstring(svg).get("viewBox").split()[2])
    drawn = [circle for circle in stones(svg) if circle.get("fill") != "none"]
    assert board.stones == len(drawn)
    for circle in elements(svg, "circle"):
        reach = float(circle.get("r"))
        for axis in ("cx", "cy"):
            assert reach <= float(circle.get(axis)) <= side - reach


@given(boards())
def test_every_row_and_column_is_labelled(board):
    labels = texts(board_svg(board))
    assert 2 * board.size == len(labels)
    assert {str(number) for number in range(1, board.size + 1)} <= set(labels)
    assert set("abcdefghijklmnopqrst"[: board.size]) <= set(labels)


def test_a_stone_stands_on_its_point_with_row_1_below():
    circles = stones(board_svg(Board.from_moves("a1c4", size=5)))
    black, white = sorted(circles, key=lambda circle: circle.get("fill"))
    assert 2 * STEP == float(white.get("cx")) - float(black.get("cx"))
    assert 3 * STEP == float(black.get("cy")) - float(white.get("cy"))


def test_the_last_move_carries_a_dot_unless_told_otherwise():
    board = Board.from_moves("a1c4", size=5)
    with_dot, without = board_svg(board), board_svg(board, last_move=False)
    dots = [c for c in elements(with_dot, "circle") if c not in stones(with_dot)]
    assert 1 == len(elements(with_dot, "circle")) - len(elements(without, "circle"))
    assert any(dot.get("fill").startswith("#d") for dot in dots)


def test_the_last_move_with_a_number_is_ringed():
    svg = board_svg(Board.from_moves("a1c4", size=5), numbers=True)
    assert 1 == len([circle for circle in stones(svg) if circle.get("fill") == "none"])


def test_move_numbers_stand_on_the_stones():
    board = Board.from_moves(GAME)
    plain, numbered = texts(board_svg(board)), texts(board_svg(board, numbers=True))
    assert [str(ply) for ply in range(1, 12)] == numbered[len(plain) :]


def test_a_set_up_stone_has_no_number():
    board = Board.from_stones([0], [1]).play(2)
    assert "1" == texts(board_svg(board, numbers=True))[-1]
    assert 31 == len(texts(board_svg(board, numbers=True)))


def test_the_winning_line_is_struck_through():
    won = Board.from_moves(GAME)
    (line,) = elements(board_svg(won), "line")
    assert 4 * STEP == abs(float(line.get("x1")) - float(line.get("x2")))
    assert [] == elements(board_svg(won.undo()), "line")


def test_two_winning_lines_are_both_struck_through():
    cross = parse_moves("d8 e8 f8 g8 h7 h6 h5 h4", 15)
    board = Board.from_stones(cross, [], to_move=1, balanced=False).play(112)
    assert 2 == len(elements(board_svg(board), "line"))


def test_an_overline_is_not_struck_through_under_standard():
    line = parse_moves("d8 e8 f8 g8 i8", 15)
    board = Board.from_stones(line, [], rule="standard", to_move=1, balanced=False).play(112)
    assert [] == elements(board_svg(board), "line")


def test_marks_stand_on_stones_and_empty_points_and_are_escaped():
    svg = board_svg(Board.from_moves("h8"), marks={112: "A", 0: "<&>", 1: "+120"})
    assert ["A", "<&>", "+120"] == texts(svg)[-3:]


def test_a_mark_takes_the_place_of_a_number():
    svg = board_svg(Board.from_moves("h8"), numbers=True, marks={112: "A"})
    assert "A" == texts(svg)[-1]
    assert 31 == len(texts(svg))


@pytest.mark.parametrize("move", [-1, 225])
def test_a_mark_off_the_board_is_refused(move):
    with pytest.raises(ValueError, match=r"a mark must be on a point 0\.\.224"):
        board_svg(Board(), marks={move: "A"})


@pytest.mark.parametrize("options", [{"fills": {225: "red"}}, {"arrows": [(0, 225)]}])
def test_a_fill_or_an_arrow_off_the_board_is_refused(options):
    with pytest.raises(ValueError, match=r"must be on a point 0\.\.224"):
        board_svg(Board(), **options)


def test_points_may_be_named():
    board = Board.from_moves("h8")
    named = board_svg(board, marks={"h8": "A"}, fills={"A1": "red"}, arrows=[("h8", "i9")])
    assert named == board_svg(board, marks={112: "A"}, fills={210: "red"}, arrows=[(112, 98)])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"marks": {"z9": "x"}}, r"move 'z9' is off the 15x15 board"),
        ({"fills": {"zz9": "red"}}, "a letter and a number such as h8: 'zz9'"),
        ({"arrows": [(None, 3)]}, "an arrow must be on a point, .* such as h8: None"),
        ({"size_px": -3}, "size_px must be a whole number from 1 up: -3"),
        ({"size_px": "x"}, "size_px must be a whole number from 1 up: 'x'"),
    ],
)
def test_what_is_no_point_and_no_size_is_refused(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        board_svg(Board(), **options)


def test_an_arrow_from_a_point_to_itself_is_refused():
    with pytest.raises(ValueError, match="from one point to another"):
        board_svg(Board(), arrows=[(7, 7)])


def test_a_fill_lies_under_the_stone_of_its_point():
    svg = board_svg(Board.from_moves("h8"), fills={112: '"&'}, last_move=False)
    fill, (stone,) = elements(svg, "rect")[1], stones(svg)
    assert '"&' == fill.get("fill")
    assert float(stone.get("cx")) == float(fill.get("x")) + float(fill.get("width")) / 2
    assert svg.index("&quot;&amp;") < svg.index('r="13.5"')


@given(st.lists(st.tuples(st.integers(0, 224), st.integers(0, 224)), max_size=5))
def test_an_arrow_points_from_one_point_to_the_other(pairs):
    pairs = [pair for pair in pairs if pair[0] != pair[1]]
    svg = board_svg(Board(), arrows=pairs)
    heads = elements(svg, "polygon")
    assert len(pairs) == len(heads)
    for (_, end), head in zip(pairs, heads, strict=True):
        tip = [float(part) for part in head.get("points").split()[0].split(",")]
        assert math.dist(tip, centre(end, 15)) == pytest.approx(5, abs=0.1)


def test_a_picture_shows_itself_in_a_notebook():
    picture = board_svg(Board.from_moves(GAME), numbers=True)
    assert picture == picture._repr_svg_()
    assert type(picture._repr_svg_()) is str


def test_a_board_shows_itself_in_a_notebook():
    board = Board.from_moves(GAME)
    assert board_svg(board) == board._repr_svg_()
    assert board_svg(board) in board._repr_html_()


def test_the_picture_brings_its_background_and_scales():
    svg = board_svg(Board(), size_px=200)
    root = ElementTree.fromstring(svg)
    side = root.get("viewBox").split()[2]
    background = elements(svg, "rect")[0]
    assert (side, side) == (background.get("width"), background.get("height"))
    assert ("200", "200") == (root.get("width"), root.get("height"))
    assert "max-width:100%" in root.get("style")


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    """Return the contrast ratio of two colours by WCAG 2: 1 to 21; 4.5 reads well."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def test_labels_and_numbers_stand_out_from_what_is_under_them():
    svg = board_svg(Board.from_moves("h8i9"), numbers=True, marks={0: "A"})
    wood = elements(svg, "rect")[0].get("fill")
    (coordinates,) = elements(svg, "g")
    on_black, on_white, on_wood = [text.get("fill") for text in elements(svg, "text")[-3:]]
    black, white = [c.get("fill") for c in stones(svg) if c.get("fill") != "none"][::-1]
    pairs = [
        (coordinates.get("fill"), wood),
        (on_black, black),
        (on_white, white),
        (on_wood, wood),
    ]
    assert all(contrast(ink, ground) >= 4.5 for ink, ground in pairs)


def test_pictures_do_not_disturb_one_another_in_one_page():
    svg = board_svg(Board.from_moves(GAME), numbers=True)
    assert not any("id" in element.attrib for element in ElementTree.fromstring(svg).iter())
    assert [] == elements(svg, "style")


def test_the_picture_says_in_words_what_it_shows():
    titles = {
        "black to move": Board(),
        "white to move": Board.from_moves("h8"),
        "black has won": Board.from_moves(GAME),
    }
    for words, board in titles.items():
        (title,) = elements(board_svg(board), "title")
        assert words in title.text


def test_drawing_needs_nothing_beyond_the_standard_library_and_numpy():
    code = (
        "import sys; from gomoku_lab.game.board import Board; Board()._repr_svg_();"
        "print([m for m in ('matplotlib', 'pandas', 'numba', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[]" == done.stdout.strip()
