"""What is taken from files of games and results, what is left out and why, and what is a pair."""

from collections import Counter
from dataclasses import replace

import pytest
from foreign_games import foreign_game, game_file, table_file
from hypothesis import given
from hypothesis import strategies as st

from gomoku_lab.arena.imported import ResultCounts
from gomoku_lab.arena.intake import IntakeError, take
from gomoku_lab.game.formats.reading import Problem
from gomoku_lab.game.formats.result_table import ResultRow
from gomoku_lab.game.record import Setup
from gomoku_lab.game.rules import Rule

OPENING = "h8a15"
GOOD = foreign_game("A", "B", "black")


def reasons(taken):
    return [str(problem) for problem in taken.skipped]


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (foreign_game("A", "B", "unknown"), "the game has no result"),
        (foreign_game("?", "B", "white"), "a game needs the names of both players: ('?', 'B')"),
        (foreign_game("A", "", "white"), "a game needs the names of both players: ('A', '')"),
        (foreign_game("A", "A", "white"), "both players have the same name: 'A'"),
        (foreign_game("A", "B", "white", reason="adjudicated"), "('white', 'adjudicated')"),
        (replace(GOOD, result="white"), "result and reason must be ('black', 'five')"),
        (replace(GOOD, moves=GOOD.moves[:-3] + "h8"), "occupied"),
    ],
)
def test_a_game_that_cannot_be_rated_is_left_out_with_its_line_and_the_rest_is_taken(game, reason):
    taken = take([game_file(GOOD, game, foreign_game("B", "A", "white"), lines=(1, 7, 9))])
    assert 2 == len(taken.games)
    (problem,) = taken.skipped
    assert ("games.sgf", 7) == (problem.source, problem.line)
    assert reason in problem.reason
    assert (2, 0, 1) == (
        taken.sources[0].games,
        taken.sources[0].counts,
        taken.sources[0].skipped,
    )


def test_what_could_not_be_read_stands_among_what_was_left_out_and_notes_are_counted():
    broken = Problem("games.sgf", 3, "no board size")
    file = game_file(GOOD, problems=(broken,), notes=("rule taken for granted",) * 3)
    taken = take([file])
    assert (broken,) == taken.skipped
    assert ("rule taken for granted, 3 times",) == taken.notes


def test_the_same_game_counts_once_wherever_it_stands():
    again = replace(GOOD, pair="p", opening="named", detail="from elsewhere")
    taken = take([game_file(GOOD, again), game_file(again, name="b.sgf", lines=(0,))])
    assert 1 == len(taken.games)
    assert [
        "games.sgf:2: the same game as games.sgf:1, written twice",
        "b.sgf: the same game as games.sgf:1, written twice",
    ] == reasons(taken)


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "the next"},
        {"time_ms": tuple(map(float, range(len(GOOD.time_ms))))},
        {"black": GOOD.white, "white": GOOD.black},
    ],
)
def test_the_same_moves_in_another_game_are_a_copy(changes):
    games = GOOD, replace(GOOD, **changes)
    assert 2 == len(take([game_file(*games)]).games)
    assert 2 == len(take([game_file(one, name=one.id) for one in games]).games)


def test_a_program_that_crashes_at_once_does_so_again():
    nothing = {"nodes": (), "depth": (), "score": (), "time_ms": ()}
    crash = replace(GOOD, moves=OPENING, reason="crash", **nothing)
    assert 2 == len(take([game_file(crash, crash)]).games)
    assert 2 == len(take([game_file(crash), game_file(crash, name="b.sgf")]).games)


def test_a_file_of_many_games_or_results_given_twice_counts_once():
    games = game_file(GOOD, foreign_game("B", "C", "black", id="2"))
    table = table_file(ResultRow("A", "B", 1, 2))
    files = [games, table, replace(games, name="copy.sgf"), replace(table, name="copy.txt")]
    taken = take(files)
    assert (2, 1) == (len(taken.games), len(taken.counts))
    assert [
        "copy.sgf: holds the same bytes as games.sgf",
        "copy.txt: holds the same bytes as table.txt",
    ] == reasons(taken)


def test_games_of_two_kinds_are_refused_until_one_is_chosen():
    files = [game_file(GOOD, foreign_game("A", "C", "white", size=19))]
    with pytest.raises(
        ValueError, match="1 of freestyle on 15x15; 1 of freestyle on 19x19; choose"
    ):
        take(files)
    taken = take(files, size=19)
    assert 19 == taken.size == taken.games[0].size
    assert ["games.sgf:1: size must be 19: 15"] == reasons(taken)
    standard = foreign_game("A", "C", "white", rule=Rule.STANDARD)
    taken = take([game_file(GOOD, standard)], rule=Rule.STANDARD)
    assert ["games.sgf:1: rule must be standard: freestyle"] == reasons(taken)
    assert Rule.STANDARD == taken.rule


def test_nothing_to_rate_is_an_error():
    with pytest.raises(IntakeError, match="nothing to rate in 2 files") as caught:
        take([game_file(foreign_game("A", "B", "unknown")), table_file(ResultRow("A", "B", 0, 0))])
    assert (Problem("games.sgf", 1, "the game has no result"),) == caught.value.skipped


# Result tables


def test_a_table_without_a_number_of_games_has_no_draws():
    rows = ResultRow("A", "B", 21, 3), ResultRow("A", "C", 0, 0), ResultRow("B", "C", 0, 0)
    taken = take([table_file(*rows)])
    assert (ResultCounts(first="A", second="B", wins=21, draws=None, losses=3),) == taken.counts
    assert (None, None) == (taken.rule, taken.size)
    assert ("table.txt: results of 0 : 0 taken as never played, 2 times",) == taken.notes


def test_the_number_of_games_gives_the_draws():
    rows = ResultRow("A", "B", 20, 3), ResultRow("A", "C", 0, 0), ResultRow("B", "C", 25, 0)
    taken = take([table_file(*rows)], games_each=24, rule=Rule.FREESTYLE, size=20)
    assert (ResultCounts(first="A", second="B", wins=20, draws=1, losses=3),) == taken.counts
    assert ["table.txt:3: wins and losses must be at most 24 together: 25 : 0"] == reasons(taken)
    assert (Rule.FREESTYLE, 20) == (taken.rule, taken.size)


def test_a_number_of_games_without_a_table_is_refused():
    with pytest.raises(ValueError, match="for result tables; there is none"):
        take([game_file(GOOD)], games_each=24)


def test_a_table_beside_games_is_said_to_be_taken_as_of_their_kind():
    files = [table_file(ResultRow("A", "B", 1, 2)), game_file(GOOD)]
    taken = take(files)
    assert (Rule.FREESTYLE, 15) == (taken.rule, taken.size)
    assert ("result tables taken as of the same rule and board size as the games",) == taken.notes
    assert () == take(files, rule=Rule.FREESTYLE, size=15).notes


# Pairs


def pairs_of(taken):
    found = {}
    for game in taken.games:
        if game.pair:
            found.setdefault(game.pair, []).append(game)
    return list(found.values())


def test_two_games_of_one_opening_with_colours_swapped_are_a_pair():
    taken = take([game_file(GOOD, foreign_game("B", "A", "black", variant=1))])
    assert ["1-0001", "1-0001"] == [game.pair for game in taken.games]
    assert ["1-0001", "1-0002"] == [game.id for game in taken.games]


@pytest.mark.parametrize(
    "other",
    [
        foreign_game("A", "B", "black", variant=1),
        foreign_game("B", "A", "black", opening=1),
        foreign_game("B", "C", "black"),
        foreign_game("B", "A", "black", opening=None),
    ],
)
def test_any_other_two_games_stand_alone(other):
    assert ["", ""] == [game.pair for game in take([game_file(GOOD, other)]).games]


def test_games_from_the_empty_board_are_no_pair():
    games = (
        foreign_game("A", "B", "black", opening=None),
        foreign_game("B", "A", "white", opening=None),
    )
    assert [] == pairs_of(take([game_file(*games)]))


def test_the_order_of_the_opening_moves_does_not_matter_and_set_up_stones_count():
    opening, rest = OPENING + "b1c1", GOOD.moves.removeprefix(OPENING)
    whole = replace(GOOD, moves=opening + rest, opening_moves=4)
    turned = replace(whole, moves="b1" + "c1" + OPENING + rest, black=GOOD.white, white=GOOD.black)
    assert 1 == len(pairs_of(take([game_file(whole, turned)])))
    stones = Setup(black="h8b1", white="a15c1", to_move="black")
    set_up = replace(turned, setup=stones, moves=rest, opening_moves=0)
    assert 1 == len(pairs_of(take([game_file(whole, set_up)])))


@given(
    st.lists(
        st.tuples(
            st.permutations("ABC"),
            st.sampled_from([None, 0, 1]),
            st.sampled_from(["black", "draw"]),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_as_many_pairs_are_found_as_there_are_partners(drawn):
    games = [
        foreign_game(names[0], names[1], result, opening=opening, id=str(number))
        for number, (names, opening, result) in enumerate(drawn)
    ]
    taken = take([game_file(*games)])
    assert len(games) == len(taken.games)
    for one, other in pairs_of(taken):
        assert (one.black, one.white) == (other.white, other.black)
        assert one.opening_moves == other.opening_moves == 2
        assert one.moves[:5] == other.moves[:5]
    met = Counter(
        (game.black.name, game.white.name, game.moves[:5]) for game in games if game.opening_moves
    )
    paired = sum(min(count, met[white, black, at]) for (black, white, at), count in met.items())
    assert paired == 2 * len(pairs_of(taken))
