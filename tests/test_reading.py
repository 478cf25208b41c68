"""What readers of files return: things and problems, in order."""

import pytest

from gomoku_lab.game.formats.reading import Problem, Reading


def test_a_problem_says_where_and_why():
    assert "a.sgf:7: no board size" == str(Problem("a.sgf", 7, "no board size"))
    assert "a.sgf: empty" == str(Problem("a.sgf", 0, "empty"))


def test_readings_are_joined_in_order():
    first = Reading((1, 2), (Problem("a", 1, "x"),), ("comments",))
    second = Reading((3,), (Problem("b", 2, "y"),), ("comments", "labels"))
    joined = Reading.joined([first, second])
    assert (1, 2, 3) == joined.items
    assert ["a:1: x", "b:2: y"] == [str(problem) for problem in joined.problems]
    assert ("comments", "comments", "labels") == joined.notes
    assert Reading(()) == Reading.joined([])


def test_items_start_on_their_lines_or_nobody_knows_where():
    assert (0, 0) == Reading(("a", "b")).lines
    joined = Reading.joined([Reading(("a",), lines=(3,)), Reading(("b",))])
    assert (3, 0) == joined.lines


def test_lines_that_do_not_fit_the_items_are_refused():
    with pytest.raises(ValueError, match="one entry for each of 2 items"):
        Reading(("a", "b"), lines=(1,))
