"""What readers of files return: things and problems, in order."""

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
