"""Rules and colours: which boards exist, what wins."""

import pytest

from gomoku_lab.game.board import Board
from gomoku_lab.game.rules import (
    BLACK,
    WHITE,
    Rule,
    check_size,
    colour_name,
    opponent,
    parse_rule,
    wins,
)


def test_a_rule_is_found_by_its_name():
    assert [Rule.FREESTYLE, Rule.STANDARD] == [parse_rule("freestyle"), parse_rule("standard")]
    assert all(parse_rule(rule) is rule for rule in Rule)


def test_an_unknown_rule_is_refused_with_the_allowed_ones():
    with pytest.raises(ValueError, match="one of freestyle, standard, renju: 'swap2'"):
        parse_rule("swap2")


def test_rule_codes_differ():
    assert len({rule.code for rule in Rule}) == len(Rule)


@pytest.mark.parametrize("run", range(10))
def test_freestyle_needs_five_or_more_standard_exactly_five_and_renju_so_for_black_alone(run):
    for colour in (BLACK, WHITE):
        assert wins(run, Rule.FREESTYLE, colour) == (run >= 5)
        assert wins(run, Rule.STANDARD, colour) == (run == 5)
    assert wins(run, Rule.RENJU, BLACK) == (run == 5)
    assert wins(run, Rule.RENJU, WHITE) == (run >= 5)


@pytest.mark.parametrize("size", [4, 21, 0, -15, 15.0, "15", None])
def test_a_size_out_of_range_is_refused(size):
    with pytest.raises(ValueError, match=r"size must be 5\.\.20"):
        check_size(size)


@pytest.mark.parametrize("size", range(5, 21))
def test_sizes_from_5_to_20_are_played(size):
    assert size == check_size(size) == Board(size=size).size


def test_colours_are_each_others_opponent():
    assert (WHITE, BLACK) == (opponent(BLACK), opponent(WHITE))
    assert ("black", "white") == (colour_name(BLACK), colour_name(WHITE))
