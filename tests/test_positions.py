"""Position files: what may stand in them, what is refused, and how they come back."""

import json
import textwrap

import jsonschema
import pytest

from gomoku_lab.game.board import Board
from gomoku_lab.game.glossary import kind_names
from gomoku_lab.game.rules import BLACK, WHITE, Rule
from gomoku_lab.game.schemas import load_schema
from gomoku_lab.suite.positions import (
    KIND_WIN_IN,
    format_positions,
    load_positions,
    position_from_dict,
    save_positions,
    select_kinds,
)

DRAWING = """
5 . . . . .
4 . . . . .
3 O O O O .
2 . . . . .
1 X X X X .
  a b c d e
"""
ENTRY = {
    "id": "one",
    "kind": "must-win",
    "rule": "freestyle",
    "size": 5,
    "to_move": "black",
    "best": ["e1"],
    "win_in": 1,
    "why": "e1 completes five",
    "tags": ["row"],
    "diagram": DRAWING,
}


def entry(**changes):
    """Return a right entry with some keys changed; None leaves one out."""
    return {key: value for key, value in {**ENTRY, **changes}.items() if value is not None}


def write(folder, text, name="mine.toml"):
    file = folder / name
    file.write_text(textwrap.dedent(text))
    return file


def toml(position):
    return "[[position]]\n" + "\n".join(f"{key} = {json.dumps(position[key])}" for key in position)


def test_an_entry_becomes_a_position():
    position = position_from_dict(ENTRY)
    assert ("one", "must-win", ("e1",), 1) == (
        position.id,
        position.kind,
        position.best_names,
        position.win_in,
    )
    assert BLACK == position.board.to_move
    assert Rule.FREESTYLE == position.board.rule


def test_what_follows_from_the_rest_may_be_left_out():
    short = entry(rule=None, size=None, win_in=None, tags=None)
    assert position_from_dict(short).board == position_from_dict(ENTRY).board
    assert position_from_dict(short).win_in == 1


def test_moves_may_stand_in_place_of_a_diagram():
    moves = "a1a3b1b3c1c3d1d3"
    position = position_from_dict(entry(diagram=None, moves=moves))
    assert Board.from_moves(moves, size=5) == position.board
    centre = entry(
        diagram=None, moves="h8", size=None, to_move="white", kind="must-block", win_in=None
    )
    assert (15, WHITE) == (
        position_from_dict(centre).board.size,
        position_from_dict(centre).board.to_move,
    )


@pytest.mark.parametrize("suffix", [".toml", ".jsonl"])
def test_saved_positions_come_back(tmp_path, suffix):
    positions = [position_from_dict(entry(id=name)) for name in ("one", "zwei", "trois à gauche")]
    file = tmp_path / f"mine{suffix}"
    save_positions(file, positions)
    loaded = load_positions(file)
    assert [one.to_dict() for one in positions] == [one.to_dict() for one in loaded]
    assert {str(file)} == {one.source for one in loaded}


def test_all_shipped_positions_come_back_from_text(tmp_path):
    shipped = load_positions()
    file = write(tmp_path, format_positions(shipped))
    assert [one.to_dict() for one in shipped] == [one.to_dict() for one in load_positions(file)]


def test_S4_35_stored_positions_obey_the_schema():
    validator = jsonschema.Draft202012Validator(load_schema("position"))
    for position in load_positions():
        validator.validate(json.loads(json.dumps(position.to_dict())))
        assert position.why
        assert "\n" not in position.why
        assert position.best or position.kind == "draw-board"


def test_the_schema_names_the_kinds_of_the_glossary():
    assert list(kind_names()) == load_schema("position")["properties"]["kind"]["enum"]


BAD = {
    "an unknown key": (
        entry(dagram="x"),
        r"unknown key 'dagram' \(value 'x'\); did you mean 'diagram'\?",
    ),
    "a missing key": (entry(why=None), "key 'why' is missing"),
    "an empty reason": (entry(why=" "), "why must be a text: ' '"),
    "an unknown kind": (
        entry(kind="must-wins"),
        "kind must be one of must-win, .*: 'must-wins'; did you mean 'must-win'",
    ),
    "an unknown rule": (entry(rule="freestile"), "rule must be one of freestyle, standard, renju"),
    "an unknown colour": (entry(to_move="x"), "to_move must be one of black, white: 'x'"),
    "a colour out of turn": (entry(to_move="white"), "unbalanced stones: black 4, white 4, white"),
    "another size": (entry(size=6), "size must agree with the diagram of 5 rows: 6"),
    "a size that is no number": (entry(size="5"), "size must be a whole number 5..20: '5'"),
    "a size out of range": (entry(diagram=None, moves="a1", size=4), "size must be 5..20: 4"),
    "no board": (entry(diagram=None), "exactly one of the keys 'diagram' and 'moves'"),
    "two boards": (entry(moves="a1"), "exactly one of the keys 'diagram' and 'moves'"),
    "a bad diagram": (entry(diagram=DRAWING.replace("X X", "X ?")), "line 6, character 5: .*'\\?'"),
    "a bad move string": (entry(diagram=None, moves="a1a1"), "a1 is occupied by black"),
    "moves of the other side": (
        entry(diagram=None, moves="a1"),
        "to_move must agree with the moves, white: 'black'",
    ),
    "unbalanced stones": (
        entry(diagram=DRAWING.replace("O O O O", "O O O .")),
        "unbalanced stones: black 4, white 3",
    ),
    "a board already won": (
        entry(diagram=DRAWING.replace("O O O O .", "O O O O O"), to_move="black"),
        "unbalanced stones|already won",
    ),
    "an occupied answer": (entry(best=["a1"]), "best: a1 is occupied by black"),
    "an answer off the board": (entry(best=["f1"]), "best: move 'f1' is off the 5x5 board"),
    "an answer twice": (entry(best=["e1", "E1"]), "best must not name a move twice"),
    "an answer that is no list": (entry(best="e1"), "best must be a list of texts: 'e1'"),
    "no answer": (entry(best=[]), "best must name at least one move for the kind must-win"),
    "an answer to a draw": (
        entry(kind="draw-board", win_in=None),
        "best must be empty for the kind draw-board",
    ),
    "another win_in than the kind's": (entry(win_in=2), "win_in must be 1: 2"),
    "win_in where nobody wins": (
        entry(kind="must-block"),
        "win_in must be left out for the kind must-block: 1",
    ),
    "a win_in of nothing": (
        entry(kind="exact-five", win_in=0),
        "win_in must be a whole number, 1 or more: 0",
    ),
    "an unknown proof": (entry(proof="guess"), "proof must be exhaustive: 'guess'"),
    "tags that are no list": (entry(tags="row"), "tags must be a list of texts: 'row'"),
    "another schema": (entry(schema=2), "schema must be 1: 2"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_malformed_position_is_refused_by_name(tmp_path, case):
    values, message = BAD[case]
    file = write(tmp_path, toml(values))
    with pytest.raises(ValueError, match=rf"mine\.toml: position 'one': .*({message})"):
        load_positions(file)


def test_a_board_already_won_is_refused(tmp_path):
    won = DRAWING.replace("X X X X .", "X X X X X")
    file = write(tmp_path, toml(entry(diagram=won, to_move="white")))
    with pytest.raises(ValueError, match=r"'one': the board is already won: black has five"):
        load_positions(file)


def test_a_position_without_an_id_is_still_named(tmp_path):
    file = write(tmp_path, toml(entry(id=None)))
    with pytest.raises(ValueError, match=r"\(without id\).*key 'id' is missing"):
        load_positions(file)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.toml", "x = [", r"a\.toml: "),
        ("a.toml", "other = 1", r"a\.toml: unknown key 'other'; allowed: schema, \[\[position\]\]"),
        ("a.toml", "[position]\nid = 'x'", r"a\.toml: .*two brackets"),
        ("a.toml", "schema = 3", r"a\.toml: schema must be 1: 3"),
        ("a.toml", "schema = 1", r"a\.toml: no positions found"),
        ("a.jsonl", "{", r"a\.jsonl: "),
        ("a.jsonl", "\n[1]\n", r"a\.jsonl: line 2 must hold one JSON object"),
        ("a.txt", "", r"a\.txt: a position file must end in \.toml or \.jsonl"),
    ],
)
def test_a_malformed_file_is_refused_by_name(tmp_path, name, text, message):
    with pytest.raises(ValueError, match=message):
        load_positions(write(tmp_path, text, name))


def test_a_folder_holds_all_files_of_both_forms_and_nothing_else(tmp_path):
    write(tmp_path, toml(entry(id="b")), "b.toml")
    save_positions(tmp_path / "a.jsonl", [position_from_dict(entry(id="a"))])
    write(tmp_path, "no positions", "notes.txt")
    (tmp_path / "deeper").mkdir()
    write(tmp_path / "deeper", "not even TOML", "c.toml")
    assert ["a", "b"] == [one.id for one in load_positions(tmp_path)]


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no positions found"):
        load_positions(tmp_path)


def test_a_missing_file_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_positions(tmp_path / "none.toml")


def test_an_id_used_twice_is_refused_with_both_files(tmp_path):
    write(tmp_path, toml(ENTRY), "a.toml")
    write(tmp_path, toml(ENTRY), "b.toml")
    with pytest.raises(ValueError, match=r"b\.toml: position 'one': .*a\.toml"):
        load_positions(tmp_path)


def test_saving_under_another_ending_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"must end in \.toml or \.jsonl"):
        save_positions(tmp_path / "a.json", [])


def test_kinds_are_selected_and_unknown_ones_refused():
    positions = [
        position_from_dict(ENTRY),
        position_from_dict(entry(id="two", kind="must-block", win_in=None)),
    ]
    assert ["two"] == [one.id for one in select_kinds(positions, ["must-block"])]
    assert positions == select_kinds(positions, [])
    with pytest.raises(ValueError, match="did you mean 'must-block'"):
        select_kinds(positions, ["must-blok"])
    with pytest.raises(ValueError, match="no position is of the kind open-four"):
        select_kinds(positions, ["open-four"])


def test_a_kind_that_wins_has_its_number_of_moves():
    for kind, win_in in KIND_WIN_IN.items():
        assert win_in == position_from_dict(entry(kind=kind, win_in=None)).win_in
