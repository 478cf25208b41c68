"""Piskvork's files and the Gomocup judge's: coordinates, whose game it is, how it ended."""

import pytest

from gomoku_lab.game.formats.foreign import NOTHING_ELSE_KNOWN, Unsaid
from gomoku_lab.game.formats.gomocup import Point
from gomoku_lab.game.formats.psq import is_judged, read_psq, write_psq
from gomoku_lab.game.notation import parse_moves
from gomoku_lab.game.rules import Rule

# Black has five in the top row after 9 moves, White in the second row after 10.
ROWS = [f"{1 + number // 2},{1 + number % 2},{number + 1}" for number in range(10)]
BLACK_FIVE, UNFINISHED = ROWS[:9], ROWS[:8]
WHITE_FIVE = [*ROWS[:8], "9,9,9", ROWS[9]]


def text_of(rows, *, start=0, names=("one.zip", "two.zip"), code=0, verdict="", size=15):
    lines = [f"Piskvorky {size}x{size}, 11:11, {start}", *rows, *names, str(code)]
    return "\n".join([*lines, *([verdict] if verdict else [])]) + "\n"


def read(text, *, judge=False, unsaid=NOTHING_ELSE_KNOWN):
    data = text if isinstance(text, bytes) else text.encode()
    reading = read_psq(data, "some/where/3_1_2_1.psq", unsaid, judge=judge)
    assert reading.problems == ()
    return reading.items[0]


def problem(text, *, judge=False):
    reading = read_psq(text.encode(), "a.psq", Unsaid(), judge=judge)
    assert reading.items == ()
    (found,) = reading.problems
    return str(found)


def opening(rows, count):
    """Return the rows with no time for the first moves."""
    return [row.rsplit(",", 1)[0] + ",0" if n < count else row for n, row in enumerate(rows)]


def test_points_are_counted_from_one_at_the_top_left():
    game = read(text_of(["1,1,5", "15,1,6", "8,15,7"]))
    assert ("a15o15h1", (5.0, 6.0, 7.0)) == (game.moves, game.time_ms)
    points = [Point.of(move, 15) for move in parse_moves(game.moves, 15)]
    assert ["0,0", "14,0", "7,14"] == [str(point) for point in points]


def test_the_header_says_which_of_the_names_began():
    game = read(text_of(UNFINISHED))
    assert ("one.zip", "two.zip") == (game.black.name, game.white.name)
    game = read(text_of(UNFINISHED, start=1))
    assert ("two.zip", "one.zip") == (game.black.name, game.white.name)


def test_without_names_the_players_are_unknown():
    game = read(text_of(UNFINISHED, names=()))
    assert ("?", "?") == (game.black.name, game.white.name)


@pytest.mark.parametrize(
    ("rows", "code", "result", "reason"),
    [
        (BLACK_FIVE, 0, "black", "five"),
        (WHITE_FIVE, -1, "white", "five"),
        (UNFINISHED, 0, "unknown", "unknown"),
        (UNFINISHED, 15, "white", "time"),
        (UNFINISHED[:7], 15, "black", "time"),
        (UNFINISHED, -2, "white", "unknown"),
    ],
)
def test_piskvorks_result_is_what_board_and_error_code_show(rows, code, result, reason):
    game = read(text_of(rows, code=code))
    assert (result, reason) == (game.result, game.reason)


def test_piskvork_draws_with_25_points_left():
    # On a board of 6 lines that is after 11 moves.
    points = [(col, row) for row in (1, 3, 5) for col in range(1, 5)][:11]
    game = read(text_of([f"{col},{row},1" for col, row in points], size=6))
    assert ("draw", "adjudicated") == (game.result, game.reason)


@pytest.mark.parametrize(
    ("opening_moves", "number", "winner"),
    [
        (0, 1, "black"), (0, 2, "white"), (4, 1, "black"), (4, 2, "white"),
        (3, 1, "white"), (3, 2, "black"), (5, 2, "black"), (4, 0, "draw"), (3, 0, "draw"),
    ],
)  # fmt: skip
def test_the_judges_result_is_of_the_player_who_moves_first_after_the_opening(
    opening_moves, number, winner
):
    rows = opening(UNFINISHED, opening_moves)
    game = read(text_of(rows, code=-1, verdict=f"{number},Standard"), judge=True)
    assert (winner, opening_moves) == (game.result, game.opening_moves)
    # The names are Black and White all the same.
    assert ("one.zip", "two.zip") == (game.black.name, game.white.name)
    assert f"{number},Standard" == write_psq(game, judge=True).splitlines()[-1]


@pytest.mark.parametrize(
    ("tournament", "rule"),
    [
        ("Freestyle15_1", Rule.FREESTYLE),
        ("Fastgame", Rule.FREESTYLE),
        ("standard", Rule.STANDARD),
        ("Renju", Rule.RENJU),
    ],
)
def test_the_judges_tournament_is_named_by_its_rule(tournament, rule):
    game = read(text_of(UNFINISHED, verdict=f"0,{tournament}"), judge=True)
    assert (rule, "draw", "unknown") == (game.rule, game.result, game.reason)


def test_a_rule_that_the_file_does_not_tell_is_the_given_one():
    text = text_of(UNFINISHED, verdict="0,My cup")
    assert Rule.RENJU is read(text, judge=True, unsaid=Unsaid(Rule.RENJU)).rule
    reading = read_psq(text.encode(), "a.psq", Unsaid(), judge=True)
    assert ("rule taken for granted: freestyle",) == reading.notes


def test_an_overline_wins_by_the_rule_that_is_given():
    rows = ["1,1,1", "9,1,1", "2,1,1", "9,3,1", "3,1,1", "9,5,1", "5,1,1", "9,7,1", "6,1,1"]
    rows += ["9,9,1", "4,1,1"]
    assert "five" == read(text_of(rows)).reason
    assert "unknown" == read(text_of(rows), unsaid=Unsaid(Rule.STANDARD)).reason


def test_the_move_that_the_judge_refused_is_told_and_not_played():
    text = text_of([*UNFINISHED, "1,1,9"], verdict="2,Freestyle")
    game = read(text, judge=True)
    assert ("white", "illegal move", 8) == (game.result, game.reason, game.plies)
    assert "move 1,1 is on a stone (a15)" == game.detail
    wrong = text_of([*UNFINISHED, "1,1,9"], verdict="1,Freestyle")
    assert "a.psq:10: move 1,1 is on a stone (a15)" == problem(wrong, judge=True)


def test_names_in_an_old_encoding_are_read():
    text = text_of(UNFINISHED, names=("五目", "two.zip")).encode("cp932")
    reading = read_psq(text, "a.psq", Unsaid())
    assert "五目" == reading.items[0].black.name
    assert "names read as cp932" in reading.notes


def test_the_judges_line_is_recognised():
    assert is_judged(text_of(UNFINISHED, verdict="2,Renju").encode())
    assert not is_judged(text_of(UNFINISHED).encode())
    assert not is_judged(b"Piskvorky 15x15, 7:7, 0\n1,1\n2,3")
    assert not is_judged(b"")


@pytest.mark.parametrize(
    ("text", "judge", "message"),
    [
        ("", False, "a.psq:1: the first line must be such as 'Piskvorky 15x15, 11:11, 0': ''"),
        ("1,1,0\n", False, "a.psq:1: the first line must be such as"),
        ("Piskvorky 15x20, 1:1, 0\n", False, "a.psq:1: the board must be square: 15x20"),
        ("Piskvorky 80x80, 1:1, 0\n", False, "a.psq:1: size must be 5..20: 80"),
        ("Piskvorky 15x15, 1:1, 2\n", False, "a.psq:1: the player who began must be 0 or 1: 2"),
        (text_of(["1,1,0", "16,1,0", "2,2,0"]), False, "a.psq:3: move 16,1 is off the 15x15 board"),
        (text_of(["1,1,0", "1,1,0", "2,2,0"]), False, "a.psq:3: move 1,1 is on a stone (a15)"),
        (text_of(["1,1,0", "x,1,0", "2,2,0"]), False, "a.psq:3: two names or none must follow"),
        (text_of([*BLACK_FIVE, "9,9,1"]), False, "a.psq: the game is over: black has won"),
        (text_of(BLACK_FIVE, verdict="2,Renju"), True, "says white, but by the moves the result"),
        (text_of(BLACK_FIVE, code=15), False, "says black, time, but by the moves the result is"),
        (text_of(UNFINISHED), True, "a.psq:9: the judge's line such as '2,Renju' is missing"),
        (text_of(UNFINISHED, verdict="1,Caro"), True, "the rule of 'Caro' is not known here"),
    ],
)  # fmt: skip
def test_a_broken_file_is_a_problem_with_its_line(text, judge, message):
    assert message in problem(text, judge=judge)
