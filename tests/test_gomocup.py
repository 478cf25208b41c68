"""The grammar of the Gomocup protocol: what is written is read back; rows count from the top."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_lab.game.board import Board
from gomoku_lab.game.formats.gomocup import (
    MARKED,
    OPPONENT,
    OWN,
    About,
    Answer,
    Command,
    Info,
    Kind,
    Point,
    Stone,
    board_block,
    parse_about,
    parse_answer,
    parse_command,
    parse_info,
    parse_number,
    parse_point,
    parse_points,
    parse_rectangle,
    parse_stone,
    quoted,
    rule_code,
    rule_of,
    swap2_block,
)
from gomoku_lab.game.notation import parse_move
from gomoku_lab.game.rules import Rule
from tests.strategies import boards

numbers = st.integers(-999, 999)
points = st.builds(Point, numbers, numbers)
blanks = st.sampled_from(["", " ", "\t", "  "])
words = st.text(alphabet="abcdefgh _-.", min_size=1, max_size=20).map(str.strip).filter(bool)


def test_rows_count_from_the_top() -> None:
    assert Point(7, 0) == Point.of(parse_move("h15", 15), 15)
    assert parse_move("a1", 20) == Point(0, 19).move(20)


@given(st.integers(5, 20), st.data())
def test_a_move_survives_the_way_through_a_line(size: int, data: st.DataObject) -> None:
    move = data.draw(st.integers(0, size * size - 1))
    assert move == parse_point(str(Point.of(move, size))).move(size)


@given(st.lists(points, max_size=5), st.data())
def test_points_are_read_whatever_blanks_stand_around_them(
    found: list[Point], data: st.DataObject
) -> None:
    gaps = st.tuples(blanks, blanks, blanks)
    written = []
    for point in found:
        before, comma, after = data.draw(gaps)
        written.append(f"{before}{point.x}{comma},{after}{point.y}")
    assert tuple(found) == parse_points(" ".join(written))


@given(points, st.sampled_from([OWN, OPPONENT, MARKED]))
def test_a_stone_is_read_back(point: Point, field: int) -> None:
    assert Stone(point, field) == parse_stone(str(Stone(point, field)))


@pytest.mark.parametrize(
    "text", ["", "7", "7,", ",7", "7,7,", "7;7", "a,b", "7.0,7", "７,7", "1_0,2"]
)
def test_what_is_no_point_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="wanted"):
        parse_point(text)


@pytest.mark.parametrize("text", ["", "7,7", "7,7,0", "7,7,4", "7,7,x", "7,7,1,1", "h8,1"])
def test_what_is_no_stone_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="stone"):
        parse_stone(text)


@pytest.mark.parametrize("point", [Point(-1, -1), Point(15, 0), Point(0, 15)])
def test_a_point_off_the_board_is_named_with_the_board(point: Point) -> None:
    with pytest.raises(ValueError, match=f"point {point} is off the 15x15 board"):
        point.move(15)


@pytest.mark.parametrize("text", ["", "x", "1.5", "1e3", "9" * 400, "０"])
def test_what_is_no_whole_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="whole number"):
        parse_number(text)


@pytest.mark.parametrize("rule", Rule)
def test_each_rule_has_a_number(rule: Rule) -> None:
    assert rule == rule_of(rule_code(rule))


def test_renju_is_2_in_yixins_dialect_and_4_in_both() -> None:
    assert {Rule.RENJU} == {rule_of(2, yixin=True), rule_of(4, yixin=True), rule_of(4)}
    with pytest.raises(ValueError, match=r"rule 2 \(continuous game\) is not supported"):
        rule_of(2)


@given(st.integers().filter(lambda code: code not in (0, 1, 4)))
def test_any_other_rule_number_is_refused_by_name(code: int) -> None:
    with pytest.raises(ValueError, match=f"rule {code}.* is not supported; rules: 0 freestyle"):
        rule_of(code)


@given(words)
def test_a_command_is_read_whatever_its_case_and_line_end(rest: str) -> None:
    for line in (f"turn {rest}\r\n", f"  Turn\t{rest} \n", f"TURN   {rest}\r"):
        assert Command("TURN", rest) == parse_command(line)


@pytest.mark.parametrize("line", ["", "\n", " \t\r\n"])
def test_an_empty_line_is_nothing(line: str) -> None:
    assert parse_command(line) is None
    assert parse_answer(line) is None


def test_info_has_a_key_and_a_value() -> None:
    assert Info("timeout_turn", "500") == parse_info("Timeout_Turn  500")
    assert Info("folder", "/a b/c") == parse_info("folder /a b/c")
    assert Info("", "") == parse_info("")
    assert str(Info("rule", "1")) == "INFO rule 1"


def test_a_rectangle_is_width_and_height() -> None:
    assert (30, 20) == parse_rectangle("30, 20")


@given(boards())
def test_a_board_survives_the_way_through_a_block(board: Board) -> None:
    first, *lines, last = board_block(board)
    stones = [parse_stone(line) for line in lines]
    cells = bytearray(board.size**2)
    for stone in stones:
        own = stone.field == OWN
        cells[stone.point.move(board.size)] = board.to_move if own else 3 - board.to_move
    played = [stone.point.move(board.size) for stone in stones]
    assert (first, last) == ("BOARD", "DONE")
    assert board.cells == bytes(cells)
    assert list(board.moves) == played[len(played) - len(board.moves) :]


def test_set_up_stones_stand_in_turn_before_the_moves() -> None:
    board = Board.from_stones([0, 1, 2], [3, 4, 5], size=15).play(112)
    lines = ("0,0,2", "3,0,1", "1,0,2", "4,0,1", "2,0,2", "5,0,1", "7,7,2")
    assert ("BOARD", *lines, "DONE") == board_block(board)


def test_a_swap2_block_keeps_the_order() -> None:
    assert ("SWAP2BOARD", "7,7", "0,14", "DONE") == swap2_block((112, 210), 15)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("10,7\r\n", Answer(Kind.POINTS, "10,7", (Point(10, 7),))),
        (
            "7,7 8,8 9,6",
            Answer(Kind.POINTS, "7,7 8,8 9,6", (Point(7, 7), Point(8, 8), Point(9, 6))),
        ),
        ("OK - everything is good", Answer(Kind.OK, "- everything is good")),
        ("swap", Answer(Kind.SWAP)),
        ("SUGGEST 3,4", Answer(Kind.SUGGEST, "3,4", (Point(3, 4),))),
        ("SUGGEST", Answer(Kind.OTHER, "SUGGEST")),
        ("ERROR unsupported size", Answer(Kind.ERROR, "unsupported size")),
        ("UNKNOWN command", Answer(Kind.UNKNOWN, "command")),
        ("MESSAGE Depth 8-13 | 7,7", Answer(Kind.MESSAGE, "Depth 8-13 | 7,7")),
        ("DEBUG", Answer(Kind.DEBUG)),
        ("7,7 hello", Answer(Kind.OTHER, "7,7 hello")),
        ("Segmentation fault", Answer(Kind.OTHER, "Segmentation fault")),
    ],
)
def test_an_answer_is_read(line: str, answer: Answer) -> None:
    assert answer == parse_answer(line)


def test_only_messages_and_debug_lines_are_talk() -> None:
    assert {Kind.MESSAGE, Kind.DEBUG} == {kind for kind in Kind if Answer(kind).is_talk}


@given(st.builds(About, name=words, version=words, author=words, country=words))
def test_about_is_read_back(about: About) -> None:
    assert about == parse_about(str(about))


def test_about_is_read_with_and_without_quotes_and_blanks() -> None:
    text = 'NAME = "My Bot",version=1.0 , www="http://x.y/a=b", colour=red'
    assert About(name="My Bot", version="1.0", www="http://x.y/a=b") == parse_about(text)
    assert parse_about("7,7") is None


@given(st.text())
def test_a_quotation_is_one_short_line_of_ascii(text: str) -> None:
    short = quoted(text)
    assert short.isascii()
    assert short.isprintable()
    assert len(short) < 1000
