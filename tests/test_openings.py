import pytest

from gomoku_lab.arena.openings import (
    Opening,
    find_duplicates,
    load_openings,
    select_openings,
)
from gomoku_lab.game.notation import parse_moves
from gomoku_lab.game.rules import Rule
from gomoku_lab.game.symmetry import SYMMETRIES, map_move

TEXT = """\
# three openings
h8i9g7
corner: a1b2c3   # named
h8h9 i9
"""


def opening(moves, size=15):
    return Opening(moves, parse_moves(moves, size), size)


def openings(count):
    return [Opening(str(i), (112, 113, i)) for i in range(count)]


@pytest.fixture
def write(tmp_path):
    def write_file(text, name="own.txt"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write_file


def test_a_text_file_gives_its_openings_in_order(write):
    found = load_openings(write(TEXT))
    assert [(o.name, o.move_string()) for o in found] == [
        ("own-1", "h8i9g7"),
        ("corner", "a1b2c3"),
        ("own-3", "h8h9i9"),
    ]


def test_a_toml_file_gives_the_same_kind_of_openings(write):
    path = write(
        'size = 9\n[[opening]]\nname = "x"\nmoves = "e5e6"\n[[opening]]\nmoves="a1"', "o.toml"
    )
    found = load_openings(path, size=9)
    assert [(o.name, o.move_string(), o.size) for o in found] == [
        ("x", "e5e6", 9),
        ("o-2", "a1", 9),
    ]


def test_files_of_other_programs_are_read_for_the_board_that_is_played(write):
    offsets = write("0,0, 1,1, 2,-1\r\n0,0, 0,1, 1,1\r\n", "offsets.txt")
    rows_from_top = write("h8i9j7\nh8h9i9\n", "pos.txt")
    expected = ["h8i7j9", "h8h7i7"]
    for source in (offsets, f"offset:{offsets}", f"pos:{rows_from_top}"):
        assert expected == [one.move_string() for one in load_openings(source)]
    assert "k10l9m11" == load_openings(offsets, size=20)[0].move_string()
    # The row order is taken as ours unless it is named.
    assert "h8i9j7" == load_openings(rows_from_top)[0].move_string()
    assert "offsets-1" == load_openings(offsets)[0].name


def test_an_opening_of_another_program_that_cannot_be_is_refused_with_its_place(write):
    with pytest.raises(ValueError, match=r"o\.txt:2: offset 8,-3 is off the 15x15 board"):
        load_openings(write("0,0\n8,-3, 6,-4\n", "o.txt"))
    with pytest.raises(ValueError, match=r"p\.txt:1: .* is off the 9x9 board"):
        load_openings(f"pos:{write('h8j10', 'p.txt')}", size=9)
    with pytest.raises(ValueError, match=r"'pos:nowhere'; there is no file 'nowhere'$"):
        load_openings("pos:nowhere")
    with pytest.raises(ValueError, match=r"one of book, .*, pos:PATH, offset:PATH: 'top:p.txt'$"):
        load_openings("top:p.txt")


def test_openings_for_another_board_size_are_refused(write):
    path = write("size: 9\ne5e6\n")
    assert load_openings(path, size=9)[0].size == 9
    with pytest.raises(ValueError, match="for a 9x9 board, not 15x15"):
        load_openings(path)


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("h8i9\nh8q\n", "own.txt", r"own\.txt:2: .*not a move string"),
        ("h8i9\nh8z9\n", "own.txt", r"own\.txt:2: .*off the 15x15 board"),
        ("h8h8\n", "own.txt", r"own\.txt:1: illegal opening: h8 is occupied"),
        ("a: h8i9\na: h8i8\n", "own.txt", r"own\.txt:2: the name 'a' is taken by .*own\.txt:1"),
        ("h8i8\nsize: 9\n", "own.txt", "must stand before the first opening"),
        ("size: 99\na1\n", "own.txt", r"own\.txt:1: size must be 5\.\.20"),
        ("size: x\na1\n", "own.txt", "size must be a whole number: 'x'"),
        ("a:\n", "own.txt", "at least one move"),
        ("# nothing\n", "own.txt", "holds no openings"),
        ("a1a2b1b2c1c2d1d2e1\n", "own.txt", "ends the game"),
        ("x = [", "own.toml", "not valid TOML"),
        ('[[opening]]\nmove="a1"', "own.toml", r"number 1: unknown key 'move'"),
        ("[[opening]]\nmoves=1", "own.toml", "must be strings"),
        ("opening = 1", "own.toml", "must be .*tables"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(write, text, name, message):
    with pytest.raises(ValueError, match=message):
        load_openings(write(text, name))


def test_an_unknown_source_names_the_shipped_sets():
    with pytest.raises(ValueError, match=r"one of book, held-out, PATH, moves:PATH.*: 'bok'"):
        load_openings("bok")


@pytest.mark.parametrize("k", SYMMETRIES)
def test_a_turned_or_mirrored_opening_is_a_duplicate(write, k):
    first = opening("h8i9g6")
    image = Opening("image", tuple(map_move(move, 15, k) for move in first.moves))
    assert [(first, image)] == find_duplicates([first, opening("h8i9g5"), image])
    path = write(f"h8i9g6\n{image.move_string()}\n")
    with pytest.raises(ValueError, match=r"own\.txt:2: .*same position as .*own\.txt:1"):
        load_openings(path)


def test_openings_with_colours_swapped_are_different():
    assert find_duplicates([opening("a1b3"), opening("b3a1")]) == []


def test_an_opening_knows_its_board():
    board = opening("a1a2b1").board(Rule.STANDARD)
    assert (board.stones, board.rule, board.move_string()) == (3, Rule.STANDARD, "a1a2b1")


def test_the_shipped_sets_hold_3000_openings_that_are_legal_and_all_distinct():
    # Loading refuses an opening that is illegal, won, or twice in its set.
    book, held_out = load_openings("book"), load_openings("held-out")
    assert len(book) + len(held_out) >= 3_000
    assert find_duplicates([*book, *held_out]) == []
    for found in (*book, *held_out):
        assert 3 <= len(found.moves) <= 6
        assert {move // 15 for move in found.moves} | {move % 15 for move in found.moves} <= set(
            range(4, 11)
        )


def test_a_choice_has_no_repeats_and_repeats_itself():
    found = select_openings(openings(50), 20, seed=3)
    assert len({o.moves for o in found}) == 20
    assert found == select_openings(openings(50), 20, seed=3)
    assert found != select_openings(openings(50), 20, seed=4)


def test_a_choice_does_not_depend_on_the_order_of_the_file_and_grows_at_its_end():
    pool = openings(50)
    assert select_openings(pool, 20, 3) == select_openings(pool[::-1], 30, 3)[:20]


def test_more_pairs_than_openings_is_an_error_that_says_so():
    with pytest.raises(ValueError, match=r"11 pairs .* only 10; play at most 20 games a pair"):
        select_openings(openings(10), 11, 0)
