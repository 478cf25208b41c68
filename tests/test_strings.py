"""Move strings of both row orders, and offsets: laws, the protocol, real samples."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import sizes

from gomoku_lab.game.formats.gomocup import Point
from gomoku_lab.game.formats.strings import (
    MOVES,
    NOTATIONS,
    OFFSET,
    POS,
    offset_string,
    parse_offsets,
    parse_pos,
    pos_string,
)
from gomoku_lab.game.notation import parse_moves
from gomoku_lab.game.symmetry import map_move


@st.composite
def sizes_and_moves(draw):
    size = draw(sizes)
    return size, tuple(draw(st.lists(st.integers(0, size**2 - 1), max_size=12)))


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
@given(sizes_and_moves())
def test_moves_written_and_read_again_are_the_same(notation, both):
    size, moves = both
    assert moves == notation.parse(notation.text(moves, size), size)


@given(sizes_and_moves())
def test_the_two_row_orders_are_mirror_images(both):
    size, moves = both
    mirrored = parse_moves(pos_string(moves, size), size)
    assert moves == tuple(size * (size - 1 - move // size) + move % size for move in mirrored)
    assert any(mirrored == tuple(map_move(move, size, k) for move in moves) for k in range(8))


@given(sizes_and_moves())
def test_offsets_are_the_protocols_points_seen_from_the_centre(both):
    size, moves = both
    points = [Point.of(move, size) for move in moves]
    expected = ", ".join(f"{point.x - size // 2},{point.y - size // 2}" for point in points)
    assert expected == offset_string(moves, size)


def test_real_samples_name_the_points_that_their_programs_mean():
    # c-gomoku-cli's example on 20x20: x = 8 + 10, y = -3 + 10 from the top, which is s13.
    assert parse_moves("s13q14p14o13m18j15", 20) == parse_offsets(
        "8,-3, 6,-4, 5,-4, 4,-3, 2,-8, -1,-5", 20
    )
    # Rapfi's bench position: h8 is the centre in either order, i9 lies below it.
    assert parse_moves("h8i7j6i8i9g7", 15) == parse_pos("h8i9j10i8i7g9", 15)
    assert ("k10", "k11") == (
        MOVES.text(POS.parse("k11", 20), 20),
        MOVES.text(OFFSET.parse("0,-1", 20), 20),
    )


def test_blanks_may_be_missing_or_many():
    assert parse_offsets("0,0,1,1", 15) == parse_offsets(" 0 , 0 ,  1,\t1 ", 15)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0,0, 1", "offsets come in pairs, but there are 3 numbers"),
        ("0,0, 1,x", "an offset must be a whole number: 'x'"),
        ("8,0", "offset 8,0 is off the 15x15 board"),
        ("0,-8", "offset 0,-8 is off the 15x15 board"),
        ("0,99999", "an offset must be a whole number: '99999'"),
    ],
)
def test_a_wrong_offset_is_named(text, message):
    with pytest.raises(ValueError, match=message):
        parse_offsets(text, 15)


def test_a_wrong_string_says_from_where_its_rows_are_counted():
    with pytest.raises(ValueError, match=r"'h16' is off the 15x15 .*\(rows counted from the top\)"):
        parse_pos("h8h16", 15)
