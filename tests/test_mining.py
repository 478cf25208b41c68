"""Mined positions: those that ship are proved and new; a search can be repeated, and go on."""

from collections import Counter
from contextlib import closing
from dataclasses import replace

import pytest

from gomoku_lab.engine.solve import Answer, Solver, solve_vcf
from gomoku_lab.game.forced import chain_problem
from gomoku_lab.game.notation import parse_moves
from gomoku_lab.game.rules import BLACK, WHITE, Rule
from gomoku_lab.game.symmetry import canonical_key, map_board, map_move
from gomoku_lab.players.registry import make_player
from gomoku_lab.suite.finders import GROUPS, Finder, group_of
from gomoku_lab.suite.forcing import fours_of
from gomoku_lab.suite.mining import KINDS, Miner, MiningSettings, mine
from gomoku_lab.suite.positions import load_positions, load_shipped
from gomoku_lab.suite.proofs import check, wins_as_well
from gomoku_lab.suite.sources import PlayedSources, Source

MINED = load_positions("mined")
BY_ID = {position.id: position for position in MINED}
NODES = 4_000_000
WEAK = "layered/novice:noise=0,time_ms=0"


def of_kind(kind):
    return [position for position in MINED if position.kind == kind]


def rows(positions):
    return [position.to_dict() for position in positions]


# --- what ships -----------------------------------------------------------------------------------


def test_there_are_at_least_300_of_all_kinds_and_rules():
    assert len(MINED) >= 300
    counts = Counter((position.kind, position.board.rule) for position in MINED)
    for rule in Rule:
        for kind in ("vcf", "vct", "no-vcf", "break-vcf"):
            assert counts[kind, rule] >= 10, (kind, rule)
    assert counts["forbidden", Rule.RENJU] == len(of_kind("forbidden")) >= 30


def test_none_is_another_one_or_a_basic_one_on_a_turned_or_mirrored_board():
    shipped = load_shipped()
    keys = {(canonical_key(one.board), one.board.rule) for one in shipped}
    assert len(shipped) == len(keys)


@pytest.mark.parametrize("name", list(BY_ID)[::7])
def test_the_answer_is_proved(name):
    assert () == check(BY_ID[name])


@pytest.mark.parametrize("name", list(BY_ID)[3::23])
def test_the_proof_holds_on_every_image_of_the_board(name):
    position = BY_ID[name]
    size = position.board.size
    for k in (1, 4, 6):
        best = tuple(sorted(map_move(move, size, k) for move in position.best))
        assert check(replace(position, board=map_board(position.board, k), best=best)) == ()


def test_every_chain_is_replayed_by_the_rules_and_has_the_length_that_is_stated():
    solver = Solver()
    lengths = set()
    for position in of_kind("vcf"):
        found = solver.vcf(position.board, nodes=NODES, every=True)
        assert set(found.moves) == set(position.best)
        for win in found.wins:
            assert chain_problem(position.board, win.line) is None
        assert (found.wins[0].plies + 1) // 2 == position.win_in
        lengths.add(position.win_in - 1)
    assert set(range(2, 8)) <= lengths
    assert max(lengths) >= 13


def test_every_stated_threat_wins_against_all_replies_and_fours_alone_do_not():
    solver = Solver()
    for position in of_kind("vct")[::6]:
        board = position.board
        assert not position.complete
        assert solver.vcf(board, nodes=NODES).answer is Answer.REFUTED
        for move in position.best:
            win = solver.vct_by(board, move, nodes=NODES)
            assert win is not None
            assert win.move == move
        quiet = next(point for point in board.empty_points() if point not in position.best)
        assert wins_as_well(position, position.best[0])
        if not wins_as_well(position, quiet):
            wrong = replace(position, best=(quiet,))
            assert "no threats are found that win by" in check(wrong)[0]


def test_a_twin_still_has_the_fours_but_no_chain_of_them_wins():
    for position in of_kind("no-vcf"):
        assert position.best == ()
        assert fours_of(position.board)
        assert solve_vcf(position.board, nodes=NODES).answer is Answer.REFUTED


def test_both_colours_are_asked():
    for kind in KINDS:
        assert {BLACK, WHITE} == {one.board.to_move for one in of_kind(kind)}, kind


def test_all_that_renju_forbids_is_a_theme():
    themes = Counter(position.tags[0] for position in of_kind("forbidden"))
    assert set(GROUPS["forbidden"]) == set(themes)
    assert themes["recursive"] >= 2
    assert min(themes.values()) >= 2


def test_every_position_says_where_it_comes_from_and_why():
    for position in MINED:
        assert 10 < len(position.why) < 130
        assert position.origin
        named = any(name in position.why for name in position.best_names)
        assert named or position.kind == "no-vcf", position.id


# --- the search -----------------------------------------------------------------------------------

GAMES = 5


@pytest.fixture(scope="module")
def played():
    """Games that a quick player plays against itself, as they are searched."""
    with closing(make_player("lab/v1:nodes=400,time_ms=0")) as player:
        sources = PlayedSources(player, games=GAMES, rule=Rule.STANDARD, seed=5)
        return [sources.game(number) for number in range(GAMES)]


class Games:
    """Some games, as `Miner` asks for them."""

    def __init__(self, games):
        self._games = games

    def __len__(self):
        return len(self._games)

    def game(self, number):
        return self._games[number]


@pytest.fixture
def miner(played):
    """Return a maker of miners that search these games."""
    player = make_player(WEAK)

    def make(kinds=("vcf", "no-vcf", "break-vcf"), count=20, known=()):
        settings = MiningSettings(kinds, count, Rule.STANDARD, seed=3)
        return Miner(settings, player, known=known, sources=Games(played))

    with closing(player):
        yield make


def search(miner, numbers=range(GAMES)):
    return mine(miner, numbers, lambda number, new: None)


def test_the_same_games_give_the_same_positions_each_with_a_name_of_its_own(miner):
    found = search(miner())
    assert found
    assert rows(found) == rows(search(miner()))
    assert len(found) == len({position.id for position in found})
    assert all(check(position) == () for position in found)


@pytest.mark.parametrize("stop", [1, 3])
def test_a_search_that_goes_on_ends_like_one_that_was_not_stopped(miner, stop):
    first = miner()
    search(first, range(stop))
    second = miner()
    for find in first.kept:
        second.keep(find)
    assert rows(search(second, range(stop, GAMES))) == rows(search(miner()))


def test_what_is_known_is_not_found_again_nor_are_its_images(miner):
    found = search(miner())
    known = [one.board for one in found]
    images = [type(one)(**{**_fields(one), "board": map_board(one.board, 5)}) for one in found]
    again = {canonical_key(one.board) for one in search(miner(known=images))}
    assert not again & {canonical_key(board) for board in known}


def _fields(position):
    return {name: getattr(position, name) for name in position.__slots__}


def test_no_more_is_kept_than_was_asked_for(miner):
    found = search(miner(kinds=("vcf",), count=2))
    groups = Counter(group_of("vcf", one.win_in - 1) for one in found)
    assert set(groups.values()) <= {1}


def test_a_player_that_is_right_keeps_a_position_out(played):
    asked = []

    def never(board, right):
        asked.append(board)
        return False

    finder = Finder(("vcf", "break-vcf"), lambda kind, group: True, never, seed=0)
    assert not [find for game in played for find in finder.search(game)]
    assert asked


def test_played_games_depend_on_their_number_and_the_seed_alone(played):
    with closing(make_player("lab/v1:nodes=400,time_ms=0")) as player:
        sources = PlayedSources(player, games=GAMES, rule=Rule.STANDARD, seed=5)
        assert played[4] == sources.game(4)
        other = PlayedSources(player, games=GAMES, rule=Rule.STANDARD, seed=6)
        assert played[4].moves != other.game(4).moves


def test_a_game_without_a_chain_holds_nothing():
    quiet = Source("quiet", tuple(parse_moves("h8a1o15a15o1h1", 15)), 0, 15, Rule.FREESTYLE)
    finder = Finder(KINDS, lambda kind, group: True, lambda board, right: True, seed=0)
    assert not list(finder.search(quiet))


def test_groups_cover_all_lengths_once():
    for kind in ("vcf", "no-vcf", "break-vcf"):
        assert all(group_of(kind, steps) in GROUPS[kind] for steps in range(2, 16))
    assert group_of("vcf", 16) == group_of("vct", 2) == ""
    assert ["2", "6-7", "10-12"] == [group_of("vcf", steps) for steps in (2, 7, 12)]


# --- boards drawn by lot --------------------------------------------------------------------------


def drawn(count, numbers=130):
    settings = MiningSettings(("forbidden",), count, Rule.RENJU, seed=2)
    with closing(make_player(WEAK)) as player:
        return mine(Miner(settings, player), range(numbers), lambda number, new: None)


def test_drawn_boards_give_the_same_positions_of_several_themes():
    found = drawn(12)
    assert rows(found) == rows(drawn(12))
    assert len({position.tags[0] for position in found}) >= 2
    assert all(check(position) == () for position in found)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"kinds": ("must-win",)}, "kind must be one of vcf, vct, .* to be mined: 'must-win'"),
        ({"kinds": ()}, "name at least one kind to mine"),
        ({"kinds": ("forbidden",)}, "forbidden needs the rule renju: standard"),
        ({"count": 0}, "count must be 1 or more: 0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(changes, words):
    with pytest.raises(ValueError, match=words):
        MiningSettings(**{"kinds": ("vcf",), "count": 5, "rule": Rule.STANDARD, **changes})


def test_without_games_only_forbidden_points_are_looked_for():
    settings = MiningSettings(("vcf", "forbidden"), 5, Rule.RENJU)
    with pytest.raises(ValueError, match="only the kind forbidden can be mined, not vcf"):
        Miner(settings, None)
