"""Games as JSON lines: whole records, plain objects, broken lines."""

import json
from collections import Counter

import pytest
from test_record import short_record

from gomoku_lab.game.formats.foreign import NOTHING_ELSE_KNOWN
from gomoku_lab.game.formats.jsonl import read_jsonl, write_jsonl
from gomoku_lab.game.rules import Rule


def read(*lines):
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return read_jsonl(text.encode(), "a/b.jsonl", NOTHING_ELSE_KNOWN)


PLAIN = {"id": "x", "rule": "standard", "size": 9, "black": "me", "white": "you", "moves": "a1b2"}


def test_plain_objects_tell_what_they_tell():
    reading = read({**PLAIN, "result": "unfinished", "licence": "MIT", "plies": 2})
    (game,) = reading.items
    assert ("x", "me", "you", Rule.STANDARD, 9) == (
        game.id, game.black.name, game.white.name, game.rule, game.size,
    )  # fmt: skip
    assert ("a1b2", "unknown", "unknown", "") == (game.moves, game.result, game.reason, game.pair)
    assert {"key 'licence' left out": 1, "key 'plies' left out": 1} == Counter(reading.notes)


def test_moves_alone_are_enough():
    reading = read({"moves": "h8 i9"})
    assert ("b-1", "h8i9", 15) == (lambda g: (g.id, g.moves, g.size))(reading.items[0])
    assert 2 == len(reading.notes)


def test_broken_lines_are_named_and_the_rest_is_read():
    record = short_record()
    reading = read(record.to_dict(), '{"moves": ', "", PLAIN, "[1]", {**PLAIN, "result": "red"})
    assert [record.id, "x"] == [game.id for game in reading.items]
    assert [2, 5, 6] == [problem.line for problem in reading.problems]
    assert (1, 4) == reading.lines
    assert "a/b.jsonl:2: not a line of JSON" in str(reading.problems[0])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"moves": "h8h8"}, "h8 is occupied"),
        ({"moves": 5}, "moves must be a text: 5"),
        ({"size": "9"}, "size must be 5..20: '9'"),
        ({"size": True}, "size must be a whole number: True"),
        ({"rule": "caro"}, "rule must be one of freestyle, standard, renju: 'caro'"),
        ({"black": ["me"]}, "black must be a text"),
        ({"result": "white", "moves": "a1a2b1b2c1c2d1d2e1"}, "but by the moves the result is bla"),
    ],
)
def test_a_plain_object_that_cannot_be_is_a_problem(changes, message):
    assert message in str(read({**PLAIN, **changes}).problems[0])


def test_an_object_without_moves_is_a_problem():
    assert "the key 'moves' is missing; found: id" in str(read({"id": "x"}).problems[0])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"nodes": [1, "2"]}, "nodes must be a number: '2'"),
        ({"nodes": 5}, "nodes must be a list: 5"),
        ({"time_ms": [float("nan"), 1]}, "not a number: NaN"),
        ({"opening_moves": True}, "opening_moves must be a number: True"),
        ({"id": None}, "id must be a text: None"),
        ({"black": {"name": 5, "config_hash": ""}}, "black must hold texts"),
        ({"seed": 0.5}, "seed must be a number"),
        ({"reason": "five"}, "its moves leave it unfinished"),
        ({"extra": 1}, "unknown keys ['extra']"),
        ({"schema": 2}, "schema must be 1: 2"),
    ],
)
def test_a_record_that_is_none_is_a_problem(changes, message):
    assert message in str(read({**short_record().to_dict(), **changes}).problems[0])


def test_a_record_is_written_as_a_run_writes_it():
    record = short_record()
    line = write_jsonl(record)
    assert line == json.dumps(record.to_dict(), separators=(",", ":")) + "\n"
    assert (record,) == read(line).items


def test_a_byte_that_is_no_text_spoils_its_line_alone():
    good = json.dumps({**PLAIN, "black": "Jos\u00e9"}, ensure_ascii=False).encode()
    reading = read_jsonl(
        b"\xef\xbb\xbf" + good + b'\r\n\r\n{"moves": "h8", "id": "Jos\xe9"}\r\n' + good,
        "b.jsonl",
        NOTHING_ELSE_KNOWN,
    )
    assert ["Jos\u00e9"] * 2 == [game.black.name for game in reading.items]
    wanted = """b.jsonl:3: byte 0xe9 is not UTF-8: 's": "h8", "id": "Jos\\xe9"}'"""
    assert [wanted] == [str(problem) for problem in reading.problems]
