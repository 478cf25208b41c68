"""Result tables: read line by line, whatever else the file holds, and written so that they read."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_lab.game.formats.result_table import (
    ResultRow,
    format_result_table,
    looks_like_result_table,
    parse_result_table,
)

NAMES = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), min_size=1, max_size=12).map(
    str.strip
)


RESULT = re.compile(r":\s*\d+\s*:\s*\d+$", re.ASCII)


def writable(name):
    return name and " - " not in f" {name} " and ":" not in name


@st.composite
def tables(draw):
    names = draw(st.lists(NAMES.filter(writable), min_size=2, max_size=8, unique=True))
    met = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    chosen = draw(st.lists(st.sampled_from(met), unique=True, max_size=len(met)))
    counts = st.integers(0, 10**6)
    return [ResultRow(a, b, draw(counts), draw(counts)) for a, b in chosen]


@given(tables())
def test_what_is_written_is_read_back(rows):
    reading = parse_result_table(format_result_table(rows), "table.txt")
    assert tuple(rows) == reading.items
    assert () == reading.problems
    assert tuple(range(1, len(rows) + 1)) == reading.lines


@given(st.text())
def test_any_text_is_read_with_a_reason_for_every_line_that_says_nothing(text):
    reading = parse_result_table(text, "table.txt")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("#") or RESULT.search(line)]
    assert len(lines) == len(reading.items) + len(reading.problems)
    assert all(problem.reason and problem.line for problem in reading.problems)


def test_names_may_hold_dots_dashes_and_colons():
    text = "ALPHAGOMOKU.MK25 - A-B: 21 : 3\nlayered/hard:nodes=100 - X:5: 1:2\n"
    reading = parse_result_table(text, "table.txt")
    wanted = (
        ResultRow("ALPHAGOMOKU.MK25", "A-B", 21, 3),
        ResultRow("layered/hard:nodes=100", "X:5", 1, 2),
    )
    assert wanted == reading.items


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_blanks_and_empty_lines_do_not_matter(ends):
    text = ends.join(["", "  A - B :  1 :2 ", "", "A - C: 3 : 4", ""])
    reading = parse_result_table(text, "table.txt")
    assert (ResultRow("A", "B", 1, 2), ResultRow("A", "C", 3, 4)) == reading.items
    assert (2, 4) == reading.lines


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("A - B: 1", "a line must be 'A - B: wins : losses': 'A - B: 1'"),
        ("A - B: 1 : -2", "a line must be"),
        ("A - B: 1 : 2.5", "a line must be"),
        ("A - B: ١ : ٢", "a line must be"),
        ("A B: 1 : 2", "must stand two names, 'A - B': 'A B: 1 : 2'"),
        ("A - B - C: 1 : 2", "must stand two names"),
        (" - B: 1 : 2", "must stand two names"),
        ("A - A: 1 : 2", "the two players must differ"),
        ("A - B: 1 : 9999999999", "at most 1000000000"),
        ("X - Y: 3 : 4", "line 1 has the result of these two already"),
        ("Y - X: 4 : 3", "line 1 has the result of these two already"),
    ],
)
def test_a_line_that_cannot_be_believed_is_named_and_the_rest_is_read(line, reason):
    reading = parse_result_table(f"X - Y: 3 : 4\n{line}\nX - Z: 5 : 6\n", "table.txt")
    assert (ResultRow("X", "Y", 3, 4), ResultRow("X", "Z", 5, 6)) == reading.items
    (problem,) = reading.problems
    assert ("table.txt", 2) == (problem.source, problem.line)
    assert reason in problem.reason


@pytest.mark.parametrize("name", ["A - B", "", " A", "A\nB", "B"])
def test_a_name_that_would_not_be_read_back_is_refused(name):
    with pytest.raises(ValueError, match="cannot hold this"):
        format_result_table([ResultRow(name, "B", 1, 2)])


def test_comments_mean_nothing_but_a_name_may_begin_like_one():
    reading = parse_result_table("# a: comment\n#1 - B: 3 : 4\n  #\n", "table.txt")
    assert ((ResultRow("#1", "B", 3, 4),), ()) == (reading.items, reading.problems)


def test_a_table_is_known_by_most_of_its_lines():
    assert looks_like_result_table("\nRAPFI25 - JAX25: 24 : 0\nrubbish\n")
    assert looks_like_result_table("Results: 2025\n# c\n# d\nA - B: 1 : 2\nA - C: 1 : 2\n")
    assert not looks_like_result_table("Results: 2025\nof all\nA - B: 1 : 2\n")
    for other in (
        "",
        "h8i9g7",
        "Piskvorky 15x15, 11:11, 0",
        '{"a - b": 1}',
        "(;GM[4])",
        "1: 2 : 3",
    ):
        assert not looks_like_result_table(other)
