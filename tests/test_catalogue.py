"""All formats together: what is written is read again, what is lost is said."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from record_tools import real_records, record_on
from strategies import played_boards

from gomoku_lab.game.board import Board
from gomoku_lab.game.formats.catalogue import (
    FORMATS,
    find_format,
    guess_format,
    read_games,
)
from gomoku_lab.game.formats.foreign import Unsaid
from gomoku_lab.game.formats.writing import write_games
from gomoku_lab.game.record import PlayerRef, Setup
from gomoku_lab.game.rules import Rule

LOSSLESS = ("games", "sgf")
LINES = ("moves", "pos", "offset")
PSQ = ("psq", "psq-judge")
names = pytest.mark.parametrize("name", FORMATS)


def write(game, name):
    """Return the text of one game, which must be writable, and the notes."""
    written = write_games([game], FORMATS[name])
    assert written.problems == ()
    return written.items[0].text, written.notes


def read(text, name, game):
    """Return the one game of a text, with what the file may leave unsaid."""
    unsaid = Unsaid(game.rule, game.size)
    reading = read_games(text.encode(), f"{game.id}.x", FORMATS[name], unsaid)
    assert reading.problems == ()
    return reading.items[0]


@pytest.mark.parametrize("name", LOSSLESS)
@given(real_records(setups=True))
def test_our_records_and_sgf_keep_everything(name, game):
    text, lost = write(game, name)
    assert () == lost
    assert game == read(text, name, game)


@names
@given(real_records())
@settings(max_examples=40)
def test_whatever_a_format_does_not_keep_is_said(name, game):
    written = write_games([game], FORMATS[name])
    if not written.items:
        assert len(written.problems) == 1
        return
    back = read(written.items[0].text, name, game)
    assert back.moves == game.moves
    said = {
        "id": "id",
        "pair": "pair",
        "opening": "name of the opening",
        "opening_moves": "end of the opening",
        "result": "result",
        "reason": "reason of the end",
        "detail": "detail of the end",
        "time_ms": "exact times",
        "nodes": "nodes",
        "depth": "depths",
        "score": "scores",
        "seed": "seed",
        "reproducible": "whether it can be repeated",
    }
    for key, words in said.items():
        before, after = getattr(game, key), getattr(back, key)
        known = any(one is not None for one in before) if isinstance(before, tuple) else True
        # The id of a file's only game is the name of the file, which this test does not write.
        if key != "id":
            assert (before != after and known) == (words in written.notes), key
    assert (game.black.name, game.white.name) == (back.black.name, back.white.name) or (
        "names of the players" in written.notes
    )


@names
@given(real_records())
@settings(max_examples=40)
def test_what_was_written_once_is_written_the_same_again(name, game):
    written = write_games([game], FORMATS[name])
    if written.items:
        text = written.items[0].text
        assert text == write(read(text, name, game), name)[0]


@pytest.mark.parametrize("other", LOSSLESS)
@pytest.mark.parametrize("name", [*LINES, *PSQ])
@given(real_records())
@settings(max_examples=20)
def test_a_way_through_a_lossless_format_and_back_changes_nothing(name, other, game):
    written = write_games([game], FORMATS[name])
    if written.items:
        text = written.items[0].text
        there = read(text, name, game)
        assert text == write(read(write(there, other)[0], other, there), name)[0]


@pytest.mark.parametrize("name", PSQ)
@given(played_boards(), st.integers(0, 9), st.sampled_from(["draw", "black", "white"]))
def test_a_psq_file_keeps_names_times_and_the_end_of_the_opening(name, board, opening, result):
    opening = min(opening, len(board.moves))
    times = tuple(float(1 + number % 7) for number in range(len(board.moves) - opening))
    nothing = (None,) * len(times)
    reason = "adjudicated"
    game = record_on(
        board,
        opening_moves=opening,
        black=PlayerRef("first.zip", ""),
        white=PlayerRef("second.exe", ""),
        result=result,
        reason=reason,
        nodes=nothing,
        depth=nothing,
        score=nothing,
        time_ms=times,
    )
    text, lost = write(game, name)
    back = read(text, name, game)
    assert set(lost) <= {"result", "reason of the end", "detail of the end", "rule"}
    assert (game.black, game.white, times) == (back.black, back.white, back.time_ms)
    assert (opening, game.moves) == (back.opening_moves, back.moves)
    if name == "psq-judge":
        assert game.result == back.result
        assert "rule" not in lost


@pytest.mark.parametrize("name", LINES)
@given(st.lists(played_boards(sizes=st.just(9), max_moves=9), min_size=1, max_size=5))
@settings(max_examples=40)
def test_files_of_openings_keep_the_moves_in_their_order(name, boards):
    boards = [board for board in boards if board.moves] or [Board.from_moves("a1", size=9)]
    games = [record_on(board, opening_moves=0) for board in boards]
    written = write_games(games, FORMATS[name])
    text = "".join(one.text for one in written.items)
    reading = read_games(text.encode(), "x.txt", FORMATS[name], Unsaid(Rule.FREESTYLE, 9))
    assert [game.moves for game in games] == [game.moves for game in reading.items]
    assert [one.plies for one in games] == [one.opening_moves for one in reading.items]


def test_games_of_two_sizes_do_not_go_into_one_file_of_openings():
    games = [record_on(Board.from_moves("a1b2", size=size)) for size in (9, 9, 15)]
    written = write_games(games, FORMATS["moves"])
    assert ["size: 9\na1b2\n", "a1b2\n"] == [one.text for one in written.items]
    assert "the same board size, 9: 15" in str(written.problems[0])


def test_each_game_gets_a_file_name_of_its_own():
    games = [record_on(Board.from_moves("a1"), id=name) for name in ("a/b", "a/b", "..", "é")]
    written = write_games(games, FORMATS["psq"])
    assert ["a_b.psq", "a_b-2.psq", "game.psq", "é.psq"] == [one.name for one in written.items]


SETUP = Setup(black="h8i9", white="h9", to_move="white")


def test_stones_set_up_become_moves_where_a_format_has_no_setup():
    game = record_on(
        Board(),
        setup=SETUP,
        moves="a1",
        time_ms=(1.0,),
        **dict.fromkeys(("nodes", "depth", "score"), (None,)),
    )
    text, lost = write(game, "pos")
    assert "order of the stones set up" in lost
    back = read(text, "pos", game)
    assert ("i9h9h8a1", game.board().cells) == (back.moves, back.board().cells)


@pytest.mark.parametrize("name", [*LINES, *PSQ])
def test_a_setup_that_no_moves_give_is_not_written_and_said_so(name):
    game = record_on(Board(), setup=replace(SETUP, to_move="black"), result="black")
    written = write_games([game], FORMATS[name])
    assert written.items == ()
    assert "2 black and 1 white stones and black to move" in str(written.problems[0])


@names
@given(st.integers(0, 2**32), real_records(setups=True))
@settings(max_examples=150)
def test_rubbish_is_read_as_problems_and_never_as_an_impossible_game(name, seed, game):
    written = write_games([game], FORMATS[name])
    data = bytearray("".join(one.text for one in written.items).encode() or b"h8")
    random = Random(seed)
    for _ in range(random.randint(0, 6)):
        at = random.randrange(len(data) + 1)
        piece = bytes(random.choice(b'()[];\\,:\n0159abhzBW\xff\x81{}"-') for _ in range(3))
        data[at : at + random.randint(0, 4)] = piece[: random.randint(0, 3)]
    reading = read_games(bytes(data), "x", FORMATS[name])
    assert reading.items or reading.problems
    for found in reading.items:
        found.check_outcome()
    for problem in reading.problems:
        assert str(problem).startswith("x:")
        assert "\n" not in str(problem)


@names
def test_an_empty_file_is_a_problem(name):
    reading = read_games(b"", "empty", FORMATS[name])
    assert ((), ["empty: it is empty"]) == (reading.items, [*map(str, reading.problems)])


def test_an_empty_file_of_no_known_name_is_called_empty_too():
    assert "a.txt: it is empty" == str(read_games(b"\n", "a.txt").problems[0])
    with pytest.raises(ValueError, match=r"^a\.txt: it is empty$"):
        guess_format("a.txt", b" \n")


@pytest.mark.parametrize(
    ("source", "text", "name"),
    [
        ("a.sgf", "", "sgf"),
        ("a.PSQ", "Piskvorky 15x15, 7:7, 0\n1,1,0\n-1\n", "psq"),
        ("a.psq", "Piskvorky 15x15, 7:7, 0\n1,1,0\na\nb\n-1\n0,Renju\n", "psq-judge"),
        ("a.jsonl", "", "games"),
        ("stdin", " (\n;GM[4])", "sgf"),
        ("stdin", "Piskvorky 15x15, 7:7, 0\n", "psq"),
        ("stdin", '{"moves": "h8"}', "games"),
        ("a.txt", "# a comment\n\n0,0, -1,1\n", "offset"),
        ("a.txt", "-8,-6,1,2", "offset"),
        ("a.txt", "size: 9\na1b2\n", "moves"),
        ("a.txt", "mine: a1b2\n", "moves"),
    ],
)
def test_a_format_is_guessed_where_only_one_comes_into_question(source, text, name):
    assert name == guess_format(source, text.encode()).name


@pytest.mark.parametrize("text", ["h8i9j7", "\n H8\n"])
def test_the_row_order_of_move_strings_is_never_guessed(text):
    with pytest.raises(ValueError, match=r"from the bottom \(moves: .* top \(pos: .*--from moves"):
        guess_format("a.txt", text.encode())


@pytest.mark.parametrize("text", ["Results: 2025\n", "A - B: 21 : 3\n", "who: nobody\n", ":"])
def test_a_colon_alone_does_not_make_an_opening(text):
    with pytest.raises(ValueError, match=r"cannot tell the format.*\|offset\|more$"):
        guess_format("a.txt", text.encode(), ("more",))


def test_what_is_no_format_is_refused_with_all_their_names():
    with pytest.raises(ValueError, match=r"games\|sgf\|psq\|psq-judge\|moves\|pos\|offset"):
        guess_format("a.bin", b"\x00\x01")
    with pytest.raises(ValueError, match="games, sgf, psq, psq-judge, moves, pos, offset: 'pqs'"):
        find_format("pqs")


def test_what_is_taken_for_granted_is_noted():
    reading = read_games(b"0,0, 1,1\n0,0, 2,2\n", "a.txt")
    assert {"rule taken for granted: freestyle": 2, "board size taken for granted: 15": 2} == (
        Counter(reading.notes)
    )
    assert () == read_games(b"0,0\n", "a.txt", unsaid=Unsaid(Rule.STANDARD, 9)).notes


@names
def test_what_is_taken_for_granted_is_counted_once_for_each_game_that_was_read(name):
    broken = {"games": b'{"moves": "h8h8"}\n', "sgf": b"(;GM[4];B[aa];W[aa])"}
    text = {
        "games": b'{"moves": "h8"}\n',
        "sgf": b"(;GM[4];B[aa])",
        "offset": b"0,0\n",
        "moves": b"h8\n",
        "pos": b"h8\n",
    }.get(name)
    if text is None:
        return  # .psq files say their board size and hold one game
    data = text * 3 + broken.get(name, text.strip() + b" " + text) + text
    reading = read_games(data, "a", FORMATS[name])
    assert (4, 1) == (len(reading.items), len(reading.problems))
    assert {"rule taken for granted: freestyle": 4, "board size taken for granted: 15": 4} == (
        Counter(reading.notes)
    )


def test_a_board_size_that_our_own_files_say_is_not_taken_for_granted():
    reading = read_games(b"size: 9\na1\n", "a.txt")
    assert ("rule taken for granted: freestyle",) == reading.notes
    reading = read_games(b"a1\nsize: 9\n", "a.txt", FORMATS["moves"])
    assert "board size taken for granted: 15" in reading.notes


@pytest.mark.parametrize("name", LINES)
def test_a_byte_that_is_not_utf8_spoils_its_line_alone(name):
    good = b"0,0, 1,1" if name == "offset" else b"h8i9"
    data = b"\r\n".join((b"# caf\xe9", good, good + b"\xe9", good))
    reading = read_games(data, "a.txt", FORMATS[name], Unsaid(Rule.FREESTYLE, 15))
    assert (2, 4) == reading.lines
    wanted = f"a.txt:3: byte 0xe9 is not UTF-8: '{good.decode()}\\xe9'"
    assert [wanted] == [str(problem) for problem in reading.problems]


def test_a_board_size_that_cannot_be_read_leaves_nothing_readable():
    for line in (b"size: 9\xe9", b"size: 99"):
        reading = read_games(line + b"\na1\n", "a.txt", FORMATS["moves"])
        assert () == reading.items
        (problem,) = reading.problems
        assert str(problem).startswith("a.txt:1: size must be ")
