"""The dialogue of our Gomocup program: what is answered, in which order, and what is refused."""

from dataclasses import dataclass, field
from typing import ClassVar

import pytest
import stub_players  # noqa: F401 - adds the family

from gomoku_lab import __version__
from gomoku_lab.engine.config import SearchLimits
from gomoku_lab.engine.settings import Settings, optional, real, whole, word
from gomoku_lab.game.board import Board
from gomoku_lab.game.formats.gomocup import (
    Point,
    board_block,
    parse_about,
    parse_points,
    swap2_block,
)
from gomoku_lab.game.notation import parse_move, parse_moves
from gomoku_lab.game.rules import BLACK, WHITE, Rule
from gomoku_lab.players import thinker
from gomoku_lab.players.brain import YIXIN, Brain
from gomoku_lab.players.protocol import Choice
from gomoku_lab.players.registry import FAMILIES, Family, resolve

SEARCHING = "lab/max:depth=4,time_ms=0,vcf_nodes=500,table_bits=10"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpyConfig(Settings):
    target: str = field(default="x", metadata=word())
    depth: int | None = field(default=9, metadata=optional(whole(1, 64)))
    time_ms: float | None = field(default=700.0, metadata=optional(real(0)))
    nodes: int | None = field(default=None, metadata=optional(whole(1, 10**9)))
    table_bits: int = field(default=12, metadata=whole(0, 26))


class Spy:
    """Plays the first empty point and remembers what it was asked."""

    asked: ClassVar[list[tuple[Board, SearchLimits | None]]] = []
    made: ClassVar[list[SpyConfig]] = []

    def __init__(self, spec):
        self.name = spec.name
        self.made.append(spec.config)

    def new_game(self, seed):
        self.asked.clear()

    def choose(self, board, limits=None):
        self.asked.append((board, limits))
        return Choice(board.empty_points()[0], "search", nodes=3, depth=2, score=-7)

    def plays(self, rule):
        return True

    def close(self):
        pass


FAMILIES["spy"] = Family("spy", "test_brain:SpyConfig", "test_brain:Spy", "Tests", target="x")


class Talk:
    """A conversation: `ask` sends lines and returns what is answered but for messages."""

    def __init__(self, player="spy:x", **options):
        self.lines: list[str] = []
        self.brain = Brain(resolve(player), self.lines.append, seed=1, **options)
        self.goes_on = True

    def ask(self, *lines: str) -> list[str]:
        self.lines.clear()
        for line in lines:
            assert self.goes_on
            self.goes_on = self.brain.handle(line)
        return [line for line in self.lines if not line.startswith("MESSAGE")]

    def messages(self) -> list[str]:
        return [line for line in self.lines if line.startswith("MESSAGE")]


def started(size: int = 15, player="spy:x", **options) -> Talk:
    talk = Talk(player, **options)
    assert talk.ask(f"START {size}") == ["OK"]
    return talk


def last_board() -> Board:
    return Spy.asked[-1][0]


def last_limits() -> SearchLimits | None:
    return Spy.asked[-1][1]


# ---- games and moves -----------------------------------------------------------------------------


def test_a_game_is_opened_answered_and_begun_anew() -> None:
    talk = started()
    assert talk.ask("BEGIN") == ["0,0"]
    assert talk.ask("TURN 1,0") == ["2,0"]
    assert talk.ask("RESTART") == ["OK"]
    assert talk.ask("TURN 0,0") == ["1,0"]
    assert talk.ask("START 5", "BEGIN") == ["OK", "0,0"]
    assert last_board() == Board(size=5)


def test_points_are_column_and_row_from_the_top() -> None:
    started().ask("TURN 3,14")
    assert last_board().moves == (parse_move("d1", 15),)


def test_words_blanks_and_line_ends_do_not_matter() -> None:
    talk = Talk()
    assert talk.ask("  start   9 \r\n") == ["OK"]
    assert talk.ask("turn\t3 , 4\r") == ["0,0"]
    assert talk.ask("Board\r\n", " 1 , 1 , 2\r\n", "\r\n", "done\r\n") == ["0,0"]


def test_empty_lines_are_nothing() -> None:
    assert started().ask("", "\r\n", "   ") == []


@pytest.mark.parametrize("size", [5, 9, 15, 20])
def test_every_size_from_5_to_20_is_played(size: int) -> None:
    talk = started(size)
    assert talk.ask(f"TURN {size - 1},{size - 1}") == ["0,0"]
    assert talk.ask(f"RECTSTART {size},{size}") == ["OK"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("START 4", "size must be 5..20: 4"),
        ("START 21", "size must be 5..20: 21"),
        ("START", "a whole number is wanted: ''"),
        ("START 15 15", "a whole number is wanted: '15 15'"),
        ("START x", "a whole number is wanted: 'x'"),
        ("RECTSTART 20,15", "only square boards are supported: 20x15"),
        ("RECTSTART 30,30", "size must be 5..20: 30"),
        ("RECTSTART 20", "points X,Y are wanted: '20'"),
    ],
)
def test_a_board_that_cannot_be_played_on_is_refused(line: str, reason: str) -> None:
    talk = started(9)
    assert talk.ask(line) == [f"ERROR {reason}"]
    assert talk.ask("TURN 8,8") == ["0,0"]  # the game before goes on


@pytest.mark.parametrize("lines", [["BEGIN"], ["TURN 7,7"], ["BOARD", "7,7,2", "DONE"], ["RESTART"],
    ["TAKEBACK 7,7"], ["PLAY 7,7"], ["SWAP2BOARD", "DONE"]])  # fmt: skip
def test_everything_needs_a_board_first(lines: list[str]) -> None:
    assert Talk().ask(*lines) == ["ERROR no board yet: START with a size from 5 to 20 comes first"]


@pytest.mark.parametrize(
    ("point", "reason"),
    [
        ("7,7", "point 7,7 is occupied"),
        ("0,0", "point 0,0 is occupied"),
        ("15,0", "point 15,0 is off the 15x15 board (0..14)"),
        ("-1,0", "point -1,0 is off the 15x15 board (0..14)"),
        ("", "one point X,Y is wanted: ''"),
        ("h8", "points X,Y are wanted: 'h8'"),
        ("1,2 3,4", "one point X,Y is wanted: '1,2 3,4'"),
    ],
)
def test_an_illegal_point_is_refused_and_changes_nothing(point: str, reason: str) -> None:
    talk = started()
    talk.ask("TURN 7,7")
    for command in ("TURN", "PLAY"):
        assert talk.ask(f"{command} {point}") == [f"ERROR {reason}"]
    assert talk.ask("TURN 8,8") == ["1,0"]
    assert last_board().stones == 3


def test_beginning_on_a_board_with_stones_is_refused() -> None:
    talk = started()
    talk.ask("TURN 7,7")
    assert talk.ask("BEGIN") == ["ERROR BEGIN wants an empty board: 2 stones on it"]


def test_taking_back_gives_points_free_again() -> None:
    talk = started()
    answers = talk.ask("TURN 1,0", "TAKEBACK 0,0", "TAKEBACK 1,0", "BEGIN")
    assert answers == ["0,0", "OK", "OK", "0,0"]
    assert talk.ask("TAKEBACK 9,9") == ["ERROR there is no stone on 9,9"]
    assert talk.ask("TAKEBACK 99,9") == ["ERROR point 99,9 is off the 15x15 board (0..14)"]


def test_the_manager_may_play_for_us() -> None:
    talk = started()
    assert talk.ask("PLAY 4,4", "TURN 0,0") == ["4,4", "1,0"]
    assert (BLACK, WHITE) == (last_board().at(4, 4), last_board().at(0, 0))


def test_a_player_that_fails_or_plays_nonsense_is_an_error() -> None:
    expected = {
        "raises": "ERROR stub:raises: ZeroDivisionError: on purpose",
        "crashes": "ERROR stub:crashes: PlayerCrash: the process ended",
        "hangs": "ERROR stub:hangs: PlayerTimeout: no answer",
        "illegal": "ERROR stub:illegal: IllegalMove: z99 is no point",
        "none": "ERROR stub:none gave no move",
    }
    for kind, answer in expected.items():
        talk = started(player=f"stub:{kind}")
        assert talk.ask("TURN 7,7") == [answer]
        assert talk.ask("TURN 7,7") == [answer]


def test_a_player_that_cannot_be_made_is_an_error_each_time() -> None:
    talk = Talk("python:no_such_module_here:Bot")
    for _ in range(2):
        (answer,) = talk.ask("START 15")
        assert answer.startswith("ERROR python:no_such_module_here:Bot cannot begin a game: ")
        assert len(answer) < 500


# ---- blocks --------------------------------------------------------------------------------------


def test_a_board_replaces_what_stood_before() -> None:
    talk = started()
    talk.ask("TURN 7,7")
    board = Board.from_moves("h8i9g7j10")
    assert talk.ask(*board_block(board)) == ["0,0"]
    assert last_board() == board


def test_a_board_without_stones_is_begun() -> None:
    assert started().ask("BOARD", "DONE") == ["0,0"]
    assert last_board() == Board()


def test_a_board_may_hold_one_colour_alone() -> None:
    assert started().ask("BOARD", "3,3,1", "5,5,1", "4,4,1", "DONE") == ["0,0"]
    assert (3, 0) == (last_board().cells.count(BLACK), last_board().cells.count(WHITE))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("7,7", "a stone X,Y,field is wanted: '7,7'"),
        ("7,7,4", "the field of a stone must be 1, 2 or 3: '7,7,4'"),
        ("15,7,1", "point 15,7 is off the 15x15 board (0..14)"),
        ("1,1,2", "point 1,1 is occupied"),
        ("9,9,3", "field 3 belongs to games that are not supported: '9,9,3'"),
        ("hello", "a stone X,Y,field is wanted: 'hello'"),
    ],
)
def test_a_broken_block_is_one_error_and_changes_nothing(line: str, reason: str) -> None:
    talk = started()
    talk.ask("TURN 7,7")
    assert talk.ask("BOARD", "1,1,1", line, "2,2,2", "DONE") == [f"ERROR {reason}"]
    assert talk.ask("TURN 8,8") == ["1,0"]


def test_a_command_within_a_block_drops_it() -> None:
    talk = started()
    assert talk.ask("BOARD", "1,1,1", "INFO timeout_turn 90", "START 15") == ["OK"]
    assert talk.messages() == ["MESSAGE BOARD without DONE is dropped"]
    assert talk.ask("DONE") == ["UNKNOWN command 'DONE'"]
    assert talk.ask("BOARD", "1,1,1", "END") == []
    assert not talk.goes_on


FIVE = [f"{x},0,2" for x in range(5)]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (FIVE, "the game is over: black has won"),
        ([line[:-1] + "1" for line in FIVE], "the game is over: black has won"),
        ([*FIVE, *(f"{x},2,1" for x in range(5))], "both colours have five in a row"),
    ],
)
def test_a_game_that_is_over_is_told(lines: list[str], reason: str) -> None:
    assert started().ask("BOARD", *lines, "DONE") == [f"ERROR {reason}"]


def test_a_full_board_is_told() -> None:
    # Columns of two and two: no five anywhere.
    lines = [f"{x},{y},{1 + (x + y // 2) % 2}" for x in range(5) for y in range(5)]
    assert started(5).ask("BOARD", *lines, "DONE") == ["ERROR the game is over: the board is full"]


def test_the_opponents_five_is_told() -> None:
    talk = started()
    talk.ask("BOARD", *FIVE[:4], "7,7,1", "8,8,1", "9,9,1", "DONE")
    talk.ask("TAKEBACK 4,0")
    assert talk.ask("TURN 4,0") == ["ERROR the game is over: black has won"]


# ---- what is told --------------------------------------------------------------------------------


def test_info_is_never_answered() -> None:
    talk = started()
    assert talk.ask(
        "INFO", "INFO timeout_turn 5", "INFO rule 17", "INFO rule", "INFO game_type 1",
        "INFO folder /a b", "INFO evaluate 3,3", "INFO max_memory 1", "INFO no_such_key",
        "INFO time_left -1", "info max_node 5", "INFO timeout_turn x",
    ) == []  # fmt: skip
    assert talk.lines == []


def test_a_rule_that_is_not_supported_is_told_when_a_move_is_wanted() -> None:
    talk = started()
    assert talk.ask("INFO rule 9") == []
    answer = (
        "ERROR rule 9 (exact five + caro) is not supported; rules: 0 freestyle, 1 standard, 4 renju"
    )
    for lines in (["BEGIN"], ["TURN 7,7"], ["BOARD", "DONE"], ["SWAP2BOARD", "DONE"]):
        assert talk.ask(*lines) == [answer]
    assert talk.ask("PLAY 1,1", "TAKEBACK 1,1", "ABOUT", "RESTART")[:2] == ["1,1", "OK"]
    assert talk.ask("INFO rule 1", "BEGIN") == ["0,0"]
    assert last_board().rule == Rule.STANDARD


def test_a_rule_that_is_no_number_is_told_and_the_last_one_stays() -> None:
    talk = started()
    assert talk.ask("INFO rule 1", "INFO rule five", "BEGIN") == ["0,0"]
    assert last_board().rule == Rule.STANDARD
    assert talk.messages()[0] == (
        "MESSAGE INFO rule wants a number (0 freestyle, 1 standard, 4 renju) and got 'five': "
        "the rule stays as it was"
    )
    assert talk.ask("INFO rule 9", "INFO rule", "RESTART", "BEGIN")[1].startswith("ERROR rule 9 ")


@pytest.mark.parametrize("player", ["layered/novice:time_ms=0", "site/medium", SEARCHING])
def test_rule_4_is_renju_where_both_sides_play_legally(player: str) -> None:
    talk = started(15, player)
    board = Board(15, Rule.RENJU)
    answers = talk.ask("INFO rule 4", "BEGIN")
    for _ in range(12):
        (point,) = answers
        board = board.play(parse_points(point)[0].move(15))
        other = Talk(player)
        other.ask("START 15", "INFO rule 4")
        answers = other.ask(*board_block(board))
        if board.is_over:
            break
    assert board.stones > 9


def test_the_marked_points_of_renju_are_no_stones() -> None:
    talk = started()
    assert talk.ask("INFO rule 4", "BOARD", *DOUBLE_THREE, "7,7,3", "DONE") == ["1,0"]
    assert last_board().rule == Rule.RENJU
    assert last_board().stones == 8
    assert {Point(7, 7).move(15)} == set(last_board().forbidden_points())


def test_a_player_that_does_not_know_the_rule_says_so() -> None:
    talk = started(player="stub:backward")
    assert talk.ask("INFO rule 1", "BEGIN") == ["ERROR stub:backward does not play standard"]
    assert talk.ask("INFO rule 0", "BEGIN") == ["14,14"]


def test_under_standard_six_are_no_win() -> None:
    six = [f"{x},0,2" for x in range(6)]
    assert started().ask("INFO rule 1", "BOARD", *six, "DONE") == ["6,0"]
    assert started().ask("INFO rule 0", "BOARD", *six, "DONE")[0].startswith("ERROR")


def test_time_depth_and_nodes_reach_the_player() -> None:
    talk = started()
    talk.ask("BEGIN")
    assert last_limits() == SearchLimits(depth=9, time_ms=700)
    talk.ask("INFO timeout_turn 0", "TURN 9,9")
    assert last_limits() == SearchLimits(depth=9, time_ms=0)
    talk.ask("INFO timeout_turn 100000", "TURN 9,8")
    limits = last_limits()
    assert limits is not None
    assert limits.time_ms is not None
    assert 50_000 < limits.time_ms < 99_950
    talk.ask("INFO max_depth 2", "INFO max_node 5", "TURN 9,7")
    assert last_limits() is not None
    assert (9, None) == (Spy.asked[-1][1].depth, Spy.asked[-1][1].nodes)


def test_time_counts_from_the_coming_of_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from gomoku_lab.players import brain as module

    talk = started()
    talk.ask("INFO timeout_turn 1000")
    monkeypatch.setattr(module.time, "monotonic_ns", lambda: 900_000_000)
    talk.brain.handle("TURN 7,7", arrived_ns=300_000_000)
    assert last_limits() == SearchLimits(depth=9, time_ms=350)


def test_used_time_is_taken_off_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    from gomoku_lab.players import brain as module

    now = [0]
    monkeypatch.setattr(module.time, "monotonic_ns", lambda: now[0])
    talk = started()
    talk.ask("INFO timeout_match 3000000")
    talk.ask("TURN 7,7")
    first = last_limits()
    now[0] = 2_400_000_000_000
    talk.brain.handle("TURN 7,8", arrived_ns=0)  # it took 2,400 s
    talk.ask("TURN 7,9")
    second = last_limits()
    assert first is not None
    assert second is not None
    assert 0 < (second.time_ms or 0) < (first.time_ms or 0) / 4


def test_a_memory_limit_shrinks_the_table_and_is_told_with_the_next_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(thinker, "program_bytes", lambda: 100 << 20)
    talk = started()
    Spy.made.clear()
    assert talk.ask(f"INFO max_memory {200 << 20}", "BEGIN") == ["0,0"]
    assert Spy.made == []
    assert talk.ask(f"INFO max_memory {50 << 20}", "TURN 7,7") == ["1,0"]
    assert [config.table_bits for config in Spy.made] == [0]
    assert talk.messages()[:2] == [
        "MESSAGE max_memory is 50 MiB, but the program itself takes 100 MiB",
        "MESSAGE the table has no entries now",
    ]
    talk.ask("TURN 7,8")
    assert len(talk.messages()) == 1
    talk.ask("INFO max_memory 0", "TURN 7,9")
    assert [config.table_bits for config in Spy.made] == [0, 12]


def test_about_names_program_and_player() -> None:
    (answer,) = Talk("layered/hard").ask("ABOUT")
    about = parse_about(answer)
    assert about is not None
    assert (about.name, about.version) == ("gomoku_lab layered/hard", __version__)


def test_a_message_before_the_move_tells_depth_score_nodes_and_line() -> None:
    talk = started()
    talk.ask("TURN 9,9")
    assert talk.lines == [
        "MESSAGE depth 2 | score -7 | nodes 3 | by search | pv 0,0",
        "0,0",
    ]


def test_the_engines_message_tells_its_variation() -> None:
    talk = started(player=SEARCHING)
    (move,) = talk.ask("TURN 7,7")
    (message,) = talk.messages()
    assert "| by search |" in message
    depth, _, line = message.partition(" | pv ")
    assert depth.startswith("MESSAGE depth 4 | score ")
    assert len(parse_points(line)) == 4
    assert line.startswith(f"{move} ")


def test_a_win_that_is_proved_is_told() -> None:
    talk = started(player=SEARCHING)
    (move,) = talk.ask(*board_block(Board.from_moves("h8a1i8a3j8a5")))
    assert move in ("6,7", "10,7")
    assert "win within 3 plies" in talk.messages()[0]


@pytest.mark.parametrize(
    "line", ["HELLO", "7,7,1", "DONE", "TURNS 7,7", "\x00", "日本語", "YXSTOP", "SUGGEST 1,1"]
)
def test_an_unknown_command_is_called_unknown(line: str) -> None:
    (answer,) = started().ask(line)
    assert answer.startswith("UNKNOWN command ")
    assert answer.isascii()


def test_end_ends_and_says_nothing() -> None:
    talk = started()
    assert talk.ask("END") == []
    assert not talk.goes_on


# ---- swap2 ---------------------------------------------------------------------------------------


def test_three_stones_are_proposed_on_any_board() -> None:
    for size in (5, 15, 20):
        talk = started(size, SEARCHING)
        (answer,) = talk.ask("INFO timeout_turn 40", "SWAP2BOARD", "DONE")
        moves = {point.move(size) for point in parse_points(answer)}
        assert len(moves) == 3


def test_a_player_that_does_not_judge_proposes_and_plays_all_the_same() -> None:
    talk = started()
    (answer,) = talk.ask("SWAP2BOARD", "DONE")
    assert len({point.move(15) for point in parse_points(answer)}) == 3
    assert talk.ask(*swap2_block(parse_moves("h8i9g7", 15), 15)) == ["0,0"]


@pytest.mark.parametrize("moves", ["h8a1i9", "h8a1i9a3h9"])
def test_black_is_taken_where_black_is_better(moves: str) -> None:
    talk = started(player=SEARCHING)
    assert talk.ask(*swap2_block(parse_moves(moves, 15), 15)) == ["SWAP"]
    # Black is ours now: the opponent's TURN is White's move.
    (answer,) = talk.ask("TURN 14,14")
    assert len(parse_points(answer)) == 1


@pytest.mark.parametrize("moves", ["a1h8o15", "a1h8o15i9a15"])
def test_white_plays_on_where_white_is_better(moves: str) -> None:
    talk = started(player=SEARCHING)
    laid = parse_moves(moves, 15)
    (answer,) = talk.ask(*swap2_block(laid, 15))
    (point,) = parse_points(answer)
    assert point.move(15) not in laid


def test_sides_stay_as_they_were_chosen() -> None:
    talk = started()
    talk.ask(*swap2_block(parse_moves("h8i9g7", 15), 15), "TURN 14,14")
    board = last_board()
    assert board.move_string() == "h8i9g7a15o1"
    assert board.to_move == WHITE


@pytest.mark.parametrize("count", [1, 2, 4, 6])
def test_another_number_of_stones_is_refused(count: int) -> None:
    block = ("SWAP2BOARD", *(f"{at},{at}" for at in range(count)), "DONE")
    assert started().ask(*block) == [f"ERROR SWAP2BOARD wants 0, 3 or 5 stones: {count}"]


@pytest.mark.parametrize("third", ["7,7", "15,7", "1,2,1", "x"])
def test_broken_stones_of_an_opening_are_refused(third: str) -> None:
    (answer,) = started().ask("SWAP2BOARD", "7,7", "8,8", third, "DONE")
    assert answer.startswith("ERROR ")


# ---- Yixin's dialect -----------------------------------------------------------------------------


def yixin(player="spy:x") -> Talk:
    return Talk(player, dialect=YIXIN)


def test_yixin_starts_with_width_and_height() -> None:
    talk = yixin()
    assert talk.ask("start 15 15", "start 20", "start 15 20") == [
        "OK", "OK", "ERROR only square boards are supported: 15x20",
    ]  # fmt: skip


def test_yixin_limits_depth_and_nodes() -> None:
    talk = yixin()
    talk.ask("start 15 15", "INFO max_depth 4", "INFO max_node 77", "turn 7,7")
    assert last_limits() == SearchLimits(depth=4, time_ms=700, nodes=77)
    talk.ask("INFO max_depth 99", "INFO max_node -1", "turn 7,8")
    assert last_limits() == SearchLimits(depth=9, time_ms=700)


def test_yixin_sets_a_board_without_wanting_a_move() -> None:
    talk = yixin()
    assert talk.ask("start 15 15", "yxboard", "7,7,1", "8,8,2", "done") == ["OK"]
    assert talk.ask("turn 0,0") == ["1,0"]
    assert last_board().stones == 3
    assert talk.ask("yxboard", "7,7", "done") == ["ERROR a stone X,Y,field is wanted: '7,7'"]


def test_yixin_shows_no_forbidden_points_where_nothing_is_forbidden() -> None:
    talk = yixin()
    assert talk.ask("start 15 15", "yxshowforbid", "turn 7,7", "yxshowforbid") == [
        "OK", "FORBID .", "0,0", "FORBID .",
    ]  # fmt: skip


DOUBLE_THREE = ("7,4,1", "0,0,2", "7,5,1", "0,3,2", "5,7,1", "0,6,2", "6,7,1", "0,9,2")
"""Black has two stones in a column and two in a row, which cross in 7,7; he is to move."""


def test_yixin_shows_what_renju_forbids() -> None:
    talk = yixin()
    talk.ask("start 15", "info rule 2", "yxboard", *DOUBLE_THREE, "done")
    assert talk.ask("yxshowforbid") == ["FORBID 0707."]
    assert talk.ask("info rule 0", "yxshowforbid") == ["FORBID ."]
    swapped = [line[:-1] + str(3 - int(line[-1])) for line in (*DOUBLE_THREE, "14,14,1")]
    talk.ask("info rule 2", "restart", "yxboard", *swapped, "done")  # now we are White
    assert talk.ask("yxshowforbid") == ["FORBID ."]


def test_yixin_calls_renju_2_and_knows_no_continuous_game() -> None:
    talk = yixin()
    talk.ask("start 15 15")
    (answer,) = talk.ask("INFO rule 2", "begin")
    assert "continuous" not in answer


def test_yixins_stop_and_hash_clear_are_not_answered() -> None:
    assert yixin().ask("yxstop", "yxhashclear") == []
