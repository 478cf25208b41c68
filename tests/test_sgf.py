"""SGF as real programs write it: points, setups, comments, results, encodings, broken files."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_lab.game.formats.foreign import NOTHING_ELSE_KNOWN, Unsaid
from gomoku_lab.game.formats.gomocup import Point
from gomoku_lab.game.formats.sgf import read_sgf
from gomoku_lab.game.formats.sgf_outcome import Outcome, parse_outcome
from gomoku_lab.game.formats.sgf_tree import escape, format_tree, parse_trees
from gomoku_lab.game.notation import parse_moves
from gomoku_lab.game.record import Setup
from gomoku_lab.game.rules import Rule

HEAD = "FF[4]GM[4]RU[0]SZ[15]"
# As c-gomoku-cli writes them: several trees, results, times, opening moves, an engine's own words.
CLI = """(;FF[4]GM[4]GN[1]EV[a x b]DT[2026.11.30 00:47:54]RO[1.1]RU[1]SZ[15]PB[a]PW[b]RE[W+1]\
TE[White win by time forfeit]
;B[hh]C[opening move];W[ig]C[opening move]
;B[hi]C[39ms];W[aa]C[0ms])

(;FF[4]GM[4]GN[2]EV[b x a]DT[2026.11.30 00:47:55]RO[1.2]RU[1]SZ[15]PB[b]PW[a]RE[B+1]\
TE[Black win by five connection]
;B[aa]C[1ms];W[ba]C[1ms];B[ab]C[1ms];W[bb]C[1ms];B[ac]C[1ms];W[bc]C[1ms];B[ad]C[1ms];W[bd]C[1ms]
;B[ae]C[1ms])

"""


def read(text, unsaid=NOTHING_ELSE_KNOWN):
    data = text if isinstance(text, bytes) else text.encode()
    return read_sgf(data, "some/games.sgf", unsaid)


def game(text, **changes):
    reading = read(text, **changes)
    assert reading.problems == ()
    (found,) = reading.items
    return found


def problem(text):
    reading = read(text)
    assert reading.items == ()
    (found,) = reading.problems
    return str(found)


def test_points_are_counted_from_the_top_left():
    moves = game(f"(;{HEAD};B[aa];W[oa];B[ho])").moves
    assert "a15o15h1" == moves
    points = [str(Point.of(move, 15)) for move in parse_moves(moves, 15)]
    assert ["0,0", "14,0", "7,14"] == points


def test_the_games_of_c_gomoku_cli_are_read_with_times_openings_and_reasons():
    reading = read(CLI)
    assert (1, 5) == reading.lines
    first, second = reading.items
    assert ("1", "a", "b", "white", "time") == (
        first.id, first.black.name, first.white.name, first.result, first.reason,
    )  # fmt: skip
    assert (2, (39.0, 0.0), "h8i9h7a15") == (first.opening_moves, first.time_ms, first.moves)
    assert (Rule.STANDARD, (None, None)) == (first.rule, first.nodes)
    assert ("black", "five", 0) == (second.result, second.reason, second.opening_moves)
    assert reading.problems == ()
    assert {f"property {name} left out": 2 for name in ("EV", "DT", "RO")} == Counter(reading.notes)


def test_comments_with_times_depths_nodes_and_scores_are_understood():
    found = game(
        f"(;{HEAD};B[hh]C[12.5 ms, depth 4, 1238 nodes, score -174];W[ii]C[score +3];B[gg]C[3ms])"
    )
    assert ((12.5, None, 3.0), (4, None, None)) == (found.time_ms, found.depth)
    assert ((1238, None, None), (-174, 3, None)) == (found.nodes, found.score)


def test_other_comments_labels_and_variations_are_left_out_and_counted():
    reading = read(
        f"(;{HEAD}C[a game](;B[hh]C[12 ms, good!]LB[hh:1];W[ii](;B[gg])(;B[aa](;W[bb])"
        "(;W[cc])))(;B[ac]))"
    )
    assert "h8i7g9" == reading.items[0].moves
    assert {"comment left out": 2, "property LB left out": 1, "variation left out": 2} == Counter(
        reading.notes
    )


@pytest.mark.parametrize("gm", ["GM[4]", "GM[5]", "GM[1]", ""])
def test_gomoku_has_several_numbers(gm):
    assert "h8" == game(f"(;{gm}SZ[15];B[hh])").moves


@pytest.mark.parametrize(("gm", "size"), [("GM[4]", 15), ("GM[5]", 15)])
def test_a_missing_size_is_that_of_the_game_and_said(gm, size):
    reading = read(f"(;{gm};B[hh])")
    assert size == reading.items[0].size
    assert f"board size taken for granted: {size}" in reading.notes
    assert 20 == game(f"(;{gm};B[hh])", unsaid=Unsaid(Rule.RENJU, 20)).size
    assert 19 == game("(;GM[1];B[hh])").size


def test_a_semicolon_may_be_missing_before_moves():
    assert "h8i9g7" == game(f"(;{HEAD}RE[0]B[hh]W[ig]B[gi])").moves
    assert "h8i9" == game(f"({HEAD};B[hh]W[ig])").moves
    assert "h8i9" == game(f"(;{HEAD}RE[0]B[hh]C[3ms]W[ig]C[opening move])").moves


def test_properties_of_renju_servers_are_left_out_by_name():
    reading = read(f"(;{HEAD}SW[NO];QPR[hh,hg,jf];QSLW[ig];B[hh];W[ig];5A[gg][hi];B[gg])")
    assert "h8i9g9" == reading.items[0].moves
    assert [f"property {name} left out" for name in ("SW", "QPR", "QSLW", "5A")] == [*reading.notes]


def test_lower_case_letters_in_names_do_not_count():
    assert ("h8", "me") == (lambda g: (g.moves, g.black.name))(
        game("(;GaMe[4]SiZe[15]PlayerBlack[me];Black[hh])")
    )


@pytest.mark.parametrize(
    ("properties", "setup", "moves"),
    [
        ("AB[hh][ig]AW[gi]PL[B]", Setup(black="h8i9", white="g7", to_move="black"), ""),
        ("AB[hh][ig]AW[gi]", Setup(black="h8i9", white="g7", to_move="white"), ""),
        ("AB[hh]AW[gi]", Setup(black="h8", white="g7", to_move="black"), ""),
        ("AB[aa:bb]", Setup(black="a15b15a14b14", to_move="white"), ""),
        ("AB[hh][ii]AE[ii]", Setup(black="h8", to_move="white"), ""),
        ("AB[hh];AW[ii]PL[white];W[gg];B[ff]", Setup(black="h8", white="i7", to_move="white"),
         "g9f10"),
        ("AB[hh][ii];B[gg]", Setup(black="h8i7", to_move="black"), "g9"),
        (";W[gg];B[ff]", Setup(to_move="white"), "g9f10"),
        ("PL[B];B[ff]", None, "f10"),
    ],
)  # fmt: skip
def test_stones_that_are_set_up_stay_a_setup(properties, setup, moves):
    found = game(f"(;{HEAD}{properties})")
    assert (setup, moves) == (found.setup, found.moves)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (";B[hh];W[]", "move 2 is a pass"),
        (";B[hh];W[tt]", "move 2 is a pass"),
        (";B[hh];B[ii]", "move 2 is by black, out of turn"),
        (";B[hh];W[hh]", "h8 is occupied by black"),
        (";B[hh];W[pa]", "point 'pa' is off the 15x15 board"),
        (";B[h8]", "a point must be two letters such as hh: 'h8'"),
        (";B[hh][ii]", "move 1: one point is wanted"),
        (";B[hh];AW[ii]", "stones are set up after move 1"),
        ("AB[hh]AW[hh]", "two stones are set up on hh"),
        ("PL[W];B[hh]", "PL says white to move, but black moves first"),
        ("RE[W+1];B[aa];W[ba];B[ab];W[bb];B[ac];W[bc];B[ad];W[bd];B[ae]",
         "the file says white, but by the moves the result is black (five)"),
        ("RE[B+1]TE[Black win by five connection];B[aa]",
         "the file says 'five', but the moves leave the game unfinished"),
        ("RE[black I think];B[aa]", "RE must be such as B+1, W+Resign, 0 or ?: 'black I think'"),
    ],
)  # fmt: skip
def test_what_no_record_can_hold_is_a_problem_with_its_reason(body, reason):
    assert problem(f"\n(;{HEAD}{body})").startswith(f"some/games.sgf:2: {reason}")


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ("GM[2]", "GM must be 1, 4 or 5 for Gomoku: '2'"),
        ("GM[4]SZ[15:16]", "SZ must be the size of a square board: '15:16'"),
        ("GM[4]SZ[x]", "SZ must be the size of a square board: 'x'"),
        ("GM[4]SZ[25]", "size must be 5..20: 25"),
        ("GM[4]SEED[x]", "SEED must be a whole number: 'x'"),
    ],
)
def test_another_game_or_board_is_a_problem(head, reason):
    assert reason in problem(f"(;{head};B[aa])")


def test_tt_is_a_point_on_a_board_of_twenty_lines():
    assert "t1" == game("(;GM[4]SZ[20:20];B[tt])").moves


@pytest.mark.parametrize(
    ("broken", "line", "reason"),
    [
        (f"(;{HEAD}\n;B[hh];W[", 3, "a value has no end: a ']' is missing"),
        (f"(;{HEAD}\n;B[hh];W", 3, "the property W has no value: 'W"),
        (f"(;{HEAD}\n;B[hh]\n?)", 4, "a property such as B[hh] is wanted: '?)"),
        (f"(;{HEAD}\n;B[hh]\n", 7, "a game begins inside another: a ')' is missing"),
        (f"(;{HEAD}\n;B[hh];W[hh])", 2, "h8 is occupied by black"),
    ],
)
def test_a_broken_game_does_not_hide_the_others(broken, line, reason):
    good = f"(;{HEAD}GN[%d];B[hh];W[ii])"
    reading = read(f"{good % 1}\n{broken}\n\n\n{good % 2}\n{good % 3}")
    assert ["1", "2", "3"] == [found.id for found in reading.items]
    (found,) = reading.problems
    assert reason in str(found)
    assert line == found.line


def test_a_file_that_ends_inside_a_game_keeps_those_before():
    reading = read(f"(;{HEAD};B[hh])\n(;{HEAD};B[hh];W[ii]")
    assert 1 == len(reading.items)
    assert "some/games.sgf:2: the file ends inside a game" in str(reading.problems[0])
    assert "(the game starts in line 2)" in str(reading.problems[0])


def test_text_between_games_is_skipped_and_a_file_without_games_is_a_problem():
    assert "h8" == game(f"From: me (my notes)\n(;{HEAD};B[hh]) bye").moves
    assert "some/games.sgf:1: no SGF game: nothing begins with '(;'" == problem("hello (world)")


@pytest.mark.parametrize(
    ("encoding", "name", "declared"),
    [
        ("utf-8", "五目 ]並べ\\", "UTF-8"),
        ("gb2312", "黑棋 张三", "UTF-8"),
        ("gbk", "張瑋", "GBK"),
        ("cp932", "表示の名人", ""),  # its first letter ends with the byte of a backslash
        ("cp932", "並ポ十", "Shift_JIS"),
    ],
)
def test_names_are_read_in_the_encoding_that_fits(encoding, name, declared):
    head = f"CA[{declared}]" if declared else ""
    data = f"(;{head}{HEAD}PB[{escape(name)}];B[hh])".encode(encoding)
    found = game(data)
    assert (name, "h8") == (found.black.name, found.moves)
    if encoding != "utf-8":
        assert any(note.startswith("names and comments read as") for note in read(data).notes)


@pytest.mark.parametrize(
    ("result", "reason", "expected"),
    [
        ("B+1", "", Outcome("black")),
        ("W+", "", Outcome("white")),
        ("B+12.5", "", Outcome("black")),
        ("W+Resign", "", Outcome("white", "resigned")),
        ("B+R", "", Outcome("black", "resigned")),
        ("b+time", "", Outcome("black", "time")),
        ("W+F", "", Outcome("white", "", "RE[W+F]")),
        ("B+Draw", "", Outcome("draw")),
        ("0", "", Outcome("draw")),
        ("Draw", "", Outcome("draw")),
        ("?", "", Outcome()),
        ("", "", Outcome()),
        ("*", "Unterminated", Outcome("", "unknown")),
        ("B+1", "Black win by five connection", Outcome("black", "five")),
        ("0", "Draw by fullfilled board", Outcome("draw", "full board")),
        ("W+1", "White win by opponent illegal move", Outcome("white", "illegal move")),
        ("W+1", "White win by opponent crash", Outcome("white", "crash")),
        ("B+1", "Black win by time forfeit", Outcome("black", "time")),
        ("0", "Draw by adjudication", Outcome("draw", "adjudicated", "Draw by adjudication")),
        (
            "W+1",
            "Black play forbidden move - double three",
            Outcome("white", "illegal move", "Black play forbidden move - double three"),
        ),
        ("B+1", "the cat", Outcome("black", "", "the cat")),
    ],
)
def test_results_and_reasons_are_put_into_our_words(result, reason, expected):
    assert expected == parse_outcome(result, reason)


VALUES = st.text("ab \n\\][:;()äé五")


@given(st.lists(st.lists(st.tuples(st.sampled_from(["B", "C", "AB"]), VALUES, VALUES), max_size=3),
                min_size=1, max_size=4))  # fmt: skip
def test_a_tree_written_and_read_again_is_the_same(nodes):
    reading = parse_trees(format_tree(nodes) * 2, "a")
    assert reading.problems == ()
    for tree in reading.items:
        assert nodes == [[(one.name, *one.values) for one in node] for node in tree.nodes]
    assert [1, 1 + format_tree(nodes).count("\n")] == [tree.line for tree in reading.items]


def test_escapes_and_soft_line_ends_are_undone():
    (tree,) = parse_trees("(;C[a\\]b\\\\c\\:d\\\ne])", "a").items
    assert "a]b\\c:de" == tree.nodes[0][0].value


@given(st.text("();[]BWCab\\ \n", max_size=60))
def test_any_text_is_trees_and_problems(text):
    reading = parse_trees(text, "a")
    assert reading.items or reading.problems


@pytest.mark.parametrize("comment", ["1e999 ms", "depth " + 5000 * "9", "score +1.5", "ms"])
def test_numbers_that_are_none_of_a_search_are_a_comment(comment):
    reading = read(f"(;{HEAD};B[hh]C[{comment}])")
    assert ((None,), (None,)) == (reading.items[0].time_ms, reading.items[0].depth)
    assert ("comment left out",) == reading.notes
