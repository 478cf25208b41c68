"""Game records: to JSON and back without loss, and refused when they contradict themselves."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import played_boards, set_up_boards

from gomoku_lab.game.board import Board
from gomoku_lab.game.diagrams import diagram
from gomoku_lab.game.notation import move_name
from gomoku_lab.game.record import REASONS, RESULTS, UNKNOWN, GameRecord, PlayerRef, Setup
from gomoku_lab.game.rules import Rule

counts = st.none() | st.integers(0, 10**9)
player_refs = st.builds(PlayerRef, name=st.text(min_size=1), config_hash=st.text())
ENDINGS = [
    (result, reason)
    for result in RESULTS
    for reason in REASONS
    if result != UNKNOWN or reason == UNKNOWN
]


@st.composite
def records(draw):
    """Draw a record whose lists fit its moves; result and reason are free."""
    board = draw(played_boards(max_moves=20))
    result, reason = draw(st.sampled_from(ENDINGS))
    opening_moves = draw(st.integers(0, len(board.moves)))
    chosen = len(board.moves) - opening_moves

    def entries(values):
        return tuple(draw(st.lists(values, min_size=chosen, max_size=chosen)))

    return GameRecord(
        id=draw(st.text(min_size=1)),
        pair=draw(st.text()),
        opening=draw(st.text()),
        opening_moves=opening_moves,
        black=draw(player_refs),
        white=draw(player_refs),
        rule=board.rule,
        size=board.size,
        moves=board.move_string(),
        result=result,
        reason=reason,
        detail=draw(st.text()),
        nodes=entries(counts),
        depth=entries(st.none() | st.integers(0, 64)),
        score=entries(st.none() | st.integers(-(10**9), 10**9)),
        time_ms=entries(st.none() | st.floats(0, 1e6)),
        seed=draw(st.none() | st.integers(0, 2**128)),
        reproducible=draw(st.booleans()),
    )


def short_record(**changes):
    """Return the record of a game in which white forfeits after one move of each."""
    record = GameRecord(
        id="p1-a",
        pair="p1",
        opening="centre",
        opening_moves=1,
        black=PlayerRef("layered/hard", "0123456789ab"),
        white=PlayerRef("python:mine:Player", "ba9876543210"),
        rule="freestyle",
        size=15,
        moves="h8i9g7",
        result="black",
        reason="illegal move",
        detail="h8 is occupied by black",
        nodes=(0, 120),
        depth=(0, 3),
        score=(None, 44),
        time_ms=(0.5, 1.25),
        seed=7,
        reproducible=True,
    )
    return replace(record, **changes)


@given(records())
def test_a_record_survives_json(record):
    assert record == GameRecord.from_dict(json.loads(json.dumps(record.to_dict())))


@given(records())
def test_a_record_is_one_line_of_json_with_its_version_first(record):
    text = json.dumps(record.to_dict())
    assert text.startswith('{"schema": 1, "id": ')
    assert "\n" not in text


@given(records())
def test_a_record_knows_its_final_board(record):
    assert record.moves == record.board().move_string()
    assert record.plies == record.board().stones
    assert list(range(record.plies + 1)) == [board.stones for board in record.boards()]
    assert (record.rule, record.size) == (record.board().rule, record.board().size)


@pytest.mark.parametrize("reason", REASONS)
def test_only_three_reasons_are_forfeits(reason):
    forfeits = {"illegal move", "time", "crash"}
    assert (reason in forfeits) == short_record(reason=reason).is_forfeit


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"result": "red"}, r"game p1-a: result must be one of .*: 'red'"),
        ({"reason": "bored"}, r"game p1-a: reason must be one of .*: 'bored'"),
        ({"opening_moves": 4}, r"game p1-a: opening_moves must be 0\.\.3: 4"),
        ({"opening_moves": -1}, r"game p1-a: opening_moves must be 0\.\.3: -1"),
        ({"nodes": (1,)}, r"game p1-a: nodes must have one entry for each of the 2 moves .*: 1"),
        ({"depth": ()}, r"game p1-a: depth must have one entry"),
        ({"score": (1, 2, 3)}, r"game p1-a: score must have one entry"),
        ({"time_ms": (1.0,) * 3}, r"game p1-a: time_ms must have one entry"),
        ({"rule": "caro"}, "rule must be one of freestyle, standard, renju: 'caro'"),
        ({"result": "unknown"}, "reason must be 'unknown' where the result is: 'illegal move'"),
        ({"size": 3}, r"size must be 5\.\.20: 3"),
        ({"moves": "h8i9x7"}, "'x7' is off the 15x15 board"),
    ],
)
def test_a_record_that_contradicts_itself_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        short_record(**changes)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda values: values.pop("seed"),
            r"game p1-a: missing keys \['seed'\], unknown keys \[\]",
        ),
        (lambda values: values.update(sede=7), r"unknown keys \['sede'\]"),
        (lambda values: values.update(schema=2), "game p1-a: schema must be 1: 2"),
        (lambda values: values.pop("schema"), "game p1-a: schema must be 1: None"),
        (
            lambda values: values.update(black="me"),
            "game p1-a: black must hold name and config_hash",
        ),
        (lambda values: values["white"].pop("name"), "game p1-a: white must hold name and config_"),
    ],
)
def test_a_dictionary_that_is_no_record_is_refused(change, message):
    values = short_record().to_dict()
    change(values)
    with pytest.raises(ValueError, match=message):
        GameRecord.from_dict(values)


def test_a_dictionary_without_an_id_is_refused():
    with pytest.raises(ValueError, match=r"game \?: schema must be 1: None"):
        GameRecord.from_dict({})


def test_an_illegal_game_is_refused_when_played():
    record = short_record(moves="h8h8g7")
    with pytest.raises(ValueError, match="h8 is occupied by black"):
        record.board()


def ending_of(text, size, rule):
    """Return result and reason of a finished game, "" for an unfinished one, None if illegal."""
    try:
        board = Board.from_moves(text, size=size, rule=rule)
    except ValueError:
        return None
    if board.winner:
        return ("black", "white")[board.winner - 1], "five"
    return ("draw", "full board") if board.is_full else ""


@given(played_boards(window=6, max_moves=36), st.lists(st.integers(0, 24), max_size=3))
def test_a_record_is_accepted_exactly_if_its_moves_end_as_it_says(board, more):
    moves = board.move_string() + "".join(move_name(move, board.size) for move in more)
    ending = ending_of(moves, board.size, board.rule)
    plain = dict.fromkeys(("nodes", "depth", "score", "time_ms"), ())
    count = len(board.moves) + len(more)
    for result, reason in ENDINGS:
        record = short_record(
            moves=moves,
            opening_moves=count,
            size=board.size,
            rule=board.rule,
            result=result,
            reason=reason,
            **plain,
        )
        undecided = reason not in ("five", "full board")
        fits = undecided if ending == "" else ending == (result, reason)
        if fits:
            record.check_outcome()
        else:
            with pytest.raises(ValueError):  # noqa: PT011 - each cause has its own words
                record.check_outcome()


def test_a_wrong_outcome_is_named():
    with pytest.raises(ValueError, match="game p1-a: ended by 'five', but its moves leave it unf"):
        short_record(reason="five").check_outcome()
    with pytest.raises(ValueError, match=r"must be \('black', 'five'\), by its moves: \('white'"):
        short_record(
            moves="h8a1i8a3j8a5k8a7l8", opening_moves=7, result="white", reason="five"
        ).check_outcome()


def bare_record(moves, **changes):
    """Return the record of a game of which nothing but its moves is known."""
    count = len(Board.from_moves(moves, rule="standard").moves)
    unknown = dict.fromkeys(("nodes", "depth", "score", "time_ms"), (None,) * count)
    return short_record(moves=moves, opening_moves=0, **unknown, **changes)


def test_a_game_whose_source_says_little_makes_nothing_up():
    record = bare_record("h8i9", result="unknown", reason="unknown", seed=None, pair="")
    record.check_outcome()
    assert record == GameRecord.from_dict(json.loads(json.dumps(record.to_dict())))
    assert "setup" not in record.to_dict()


@given(set_up_boards(balanced=False, rules=st.sampled_from(Rule)))
def test_a_game_may_begin_with_stones_on_the_board(board):
    names = {
        colour: "".join(
            move_name(point, board.size)
            for point, cell in enumerate(board.cells)
            if cell == "-bw".index(colour[0])
        )
        for colour in ("black", "white")
    }
    setup = Setup(**names, to_move=("black", "white")[board.to_move - 1])
    next_move = "" if board.is_over else move_name(board.empty_points()[0], board.size)
    record = short_record(
        setup=setup,
        size=board.size,
        rule=board.rule,
        moves=next_move,
        opening_moves=1 if next_move else 0,
        **dict.fromkeys(("nodes", "depth", "score", "time_ms"), ()),
    )
    assert record == GameRecord.from_dict(json.loads(json.dumps(record.to_dict())))
    assert (board.cells, board.to_move) == (record.start().cells, record.start().to_move)
    assert (record.setup is None) == (board == Board(size=board.size, rule=board.rule))
    assert board.stones + record.plies == record.board().stones


def test_a_setup_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match="to_move must be black or white: 'red'"):
        Setup(to_move="red")
    with pytest.raises(ValueError, match="two stones on h8"):
        short_record(setup=Setup(black="h8", white="h8", to_move="black")).check_outcome()
    values = short_record(setup=Setup(to_move="white")).to_dict()
    del values["setup"]["to_move"]
    with pytest.raises(ValueError, match="game p1-a: setup must hold black, white and to_move"):
        GameRecord.from_dict(values)


@pytest.mark.parametrize(
    ("moves", "result", "reason"),
    [
        ("h8a1i8a3j8a5k8a7l8", "black", "five"),
        ("a1h8a3i8a5j8a7l8a9m8a11k8", "white", "five"),  # six for White
        ("h8a1i8a3j8a5l8a7m8a9k8", "white", "illegal move"),  # six for Black: not judged here
        ("h8a1i8a3j8a5k8a7", "unknown", "unknown"),
    ],
)
def test_renju_games_are_kept_and_their_fives_are_seen(moves, result, reason):
    record = bare_record(moves, rule=Rule.RENJU, result=result, reason=reason)
    record.check_outcome()
    assert record == GameRecord.from_dict(json.loads(json.dumps(record.to_dict())))
    wrong = "black" if result == "white" else "white"
    if reason == "five":
        with pytest.raises(ValueError, match="result and reason must be"):
            replace(record, result=wrong).check_outcome()
    assert record.final_board().move_string() == moves
    assert f"\n{diagram(record.final_board())}" in str(record)


def test_a_renju_game_ends_with_a_five_of_either_side():
    for moves in ("h8a1i8a3j8a5k8a7l8a9", "a1h8a3i8a5j8a7l8a9m8a11k8a13"):
        with pytest.raises(ValueError, match="the game is over"):
            bare_record(moves, rule=Rule.RENJU, result="black", reason="five").check_outcome()
