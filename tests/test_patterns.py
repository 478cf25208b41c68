"""The class of an empty point in one direction: every window against the definition."""

from itertools import product

import naive_engine as naive
import numpy as np
import pytest
from naive_engine import FIVE, FOUR, NONE, ONE, OPEN_FOUR, OPEN_THREE, OPEN_TWO, THREE, TWO

from gomoku_lab.engine.tables import half_window, shape_table
from gomoku_lab.game.rules import Rule
from gomoku_lab.kernels import layout

OWN_CODES = (1, 2)
EDGE = 3


def table_class(window, rule, colour, blocked=EDGE):
    """Read the class of a window of `.x#` from the kernels' table; '#' is the code `blocked`."""
    codes = {".": 0, "x": colour, "#": blocked}
    half = len(window) // 2
    cells = window[:half] + window[half + 1 :]
    index = sum(codes[cell] << (2 * place) for place, cell in enumerate(cells))
    grade = (int(shape_table(rule)[index]) >> (4 * (colour - 1))) & 15
    return int(layout.CLASS_OF_GRADE[grade])


def windows(half):
    """Yield every window of own, empty and blocked cells around an empty centre."""
    for cells in product(".x#", repeat=2 * half):
        yield "".join(cells[:half]) + "." + "".join(cells[half:])


def class_of(text, exact=False):
    """Return the kernels' class of the point `_` in a drawing such as ``.XX_.``, off-board blocked.

    Both colours, both directions and opponent or edge as what blocks must agree.
    """
    rule = Rule.STANDARD if exact else Rule.FREESTYLE
    half = half_window(rule)
    place = text.index("_")
    padded = "#" * half + text.replace("_", ".").replace("X", "x") + "#" * half
    window = padded[place : place + 2 * half + 1]
    found = {
        table_class(seen, rule, colour, blocked)
        for seen in (window, window[::-1])
        for colour in OWN_CODES
        for blocked in (3 - colour, EDGE)
    }
    assert len(found) == 1
    return found.pop()


def expected_table(half, exact, colours=OWN_CODES):
    """Return the whole grade table as the definition gives it: black low, white high."""
    table = np.zeros(1 << (4 * half), np.uint8)
    power = 4 ** np.arange(2 * half)
    digits = (np.arange(len(table))[:, None] // power) % 4
    for colour in colours:
        kinds = np.where(digits == 0, 0, np.where(digits == colour, 1, 2))
        index = kinds @ (3 ** np.arange(2 * half))
        known = np.zeros(3 ** (2 * half), np.uint8)
        for number in range(len(known)):
            cells = "".join(".x#"[number // 3**place % 3] for place in range(2 * half))
            window = cells[:half] + "." + cells[half:]
            known[number] = naive.window_grade(window, exact)
        table |= known[index] << (4 * (colour - 1))
    return table


def test_S1_12_all_windows_of_nine_cells_have_the_class_of_the_definition():
    for colour in OWN_CODES:
        for blocked in (3 - colour, EDGE):
            for window in windows(4):
                got = table_class(window, Rule.FREESTYLE, colour, blocked)
                assert naive.window_class(window, False) == got, window


def test_S1_12_the_whole_exact_five_table_of_eleven_cells_is_the_definition():
    expected = expected_table(5, True)
    assert np.array_equal(expected, shape_table(Rule.STANDARD))


def test_the_whole_table_of_black_under_renju_is_the_definition():
    """White's, which is that of freestyle, is looked at in test_forbidden."""
    table = shape_table(Rule.RENJU) & 15
    assert np.array_equal(expected_table(5, naive.RENJU, (1,)), table)
    assert {layout.OVERLINE_GRADE, layout.DOUBLE_FOUR_GRADE} <= set(table.tolist())


def test_a_four_leaves_no_straight_four_to_be_made_in_the_same_line():
    """So a line holds a four or a three of Black's, never both, and one of them at most."""
    for window in windows(5):
        placed = naive.put(window, 5)
        kind = naive.placed_class(placed, naive.RENJU)
        if kind in (FOUR, naive.LINE_DOUBLE_FOUR):
            after = [naive.put(placed, point) for point in naive.empties(placed)]
            assert OPEN_FOUR not in (naive.placed_class(one, naive.RENJU) for one in after)


def test_the_whole_table_of_nine_cells_holds_the_grades_of_the_definition():
    assert np.array_equal(expected_table(4, False), shape_table(Rule.FREESTYLE))


def test_grades_divide_the_classes_and_keep_their_order():
    assert [kind for kind, _ in naive.GRADES] == layout.CLASS_OF_GRADE[: layout.GRADES].tolist()
    assert (np.diff(layout.CLASS_OF_GRADE[: layout.GRADES]) >= 0).all()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("XXXX_", FIVE),
        ("XX_XX", FIVE),
        ("#XXXX_#", FIVE),
        ("XXXX_XXXX", FIVE),
        (".XXX_.", OPEN_FOUR),
        (".X_XX.", OPEN_FOUR),
        ("XXX_.XXX", FOUR),
        ("X.XX_.#", FOUR),
        ("X.X_X.X", OPEN_FOUR),
        ("#XXX_.", FOUR),
        ("XXX_.", FOUR),
        ("X.X_X", FOUR),
        (".XX_..", OPEN_THREE),
        (".X.X_.", OPEN_THREE),
        ("#XX_..", THREE),
        ("#.XX_.#", THREE),
        ("..X_..", OPEN_TWO),
        ("#X_...", TWO),
        ("#._...#", ONE),
        ("..._...", ONE),
        ("#_...#", NONE),
    ],
)
def test_hand_made_shapes_have_the_class_that_a_player_would_name(text, kind):
    assert kind == class_of(text)


@pytest.mark.parametrize(
    ("text", "freestyle", "standard"),
    [
        ("XXXXX_", FIVE, NONE),
        ("XXX_XX", FIVE, NONE),
        ("X.XXX_.", OPEN_FOUR, FOUR),
        ("X.XXX_.X", OPEN_FOUR, NONE),
        ("X.XXX.X_", FOUR, NONE),
    ],
)
def test_exact_five_gives_overlines_no_worth(text, freestyle, standard):
    assert (freestyle, standard) == (class_of(text), class_of(text, exact=True))


@pytest.mark.parametrize("string", ["011110", "011112", "211110"])
def test_S1_10_a_four_is_open_exactly_if_both_its_ends_are_empty(string):
    shape = string.replace("0", ".").replace("1", "X").replace("2", "#")
    ends = [shape[:place] + "_" + shape[place + 1 :] for place in (0, 5) if shape[place] == "."]
    assert all(class_of("#" + end + "#") == FIVE for end in ends)
    is_open = len(ends) == 2
    assert is_open == (string == "011110")
    for place in (1, 2, 3, 4):
        before = shape[:place] + "_" + shape[place + 1 :]
        assert (OPEN_FOUR if is_open else FOUR) == class_of("#" + before + "#")


@pytest.mark.parametrize("half", [4, 5])
def test_S1_D2_the_edge_blocks_like_an_opponents_stone(half):
    rule = Rule.FREESTYLE if half == 4 else Rule.STANDARD
    for cells in product(".x#", repeat=half):
        window = "." * half + "." + "".join(cells)
        for colour in OWN_CODES:
            by_edge = table_class(window, rule, colour, EDGE)
            assert by_edge == table_class(window, rule, colour, 3 - colour)


def test_S1_D2_a_three_at_the_edge_makes_no_open_four():
    assert FOUR == class_of("XXX_....")
    assert OPEN_FOUR == class_of(".XXX_....")


def test_an_own_stone_more_never_lowers_a_freestyle_class():
    for window in windows(4):
        kind = table_class(window, Rule.FREESTYLE, 1)
        for place in set(naive.empties(window)) - {4}:
            assert kind <= table_class(naive.put(window, place), Rule.FREESTYLE, 1)
