"""Imported runs: written and read without loss, rated honestly, and never resumed."""

import json
from dataclasses import replace

import jsonschema
import pytest
from click.testing import CliRunner
from foreign_games import foreign_game, game_file, table_file
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_runs import made_run, player

from gomoku_lab.arena.imported import ImportedRun, load_any_run, write_import
from gomoku_lab.arena.intake import take
from gomoku_lab.arena.rate import rate_runs
from gomoku_lab.arena.store import Run, RunError, RunWriter, load_run
from gomoku_lab.cli.main import main
from gomoku_lab.game.formats.reading import Problem
from gomoku_lab.game.formats.result_table import ResultRow
from gomoku_lab.game.record import PlayerRef
from gomoku_lab.game.rules import Rule
from gomoku_lab.game.schemas import load_schema
from gomoku_lab.report.page import report_html
from gomoku_lab.stats.elo import estimate_elo
from gomoku_lab.stats.fit import fit_ratings
from gomoku_lab.stats.results import ResultTable


def imported(folder, *files, **options):
    return write_import(folder, take(files, **options), command=["gomoku-lab", "import"])


def game(number, black, white, result, **changes):
    """Return one of many games."""
    return foreign_game(black, white, result, id=str(number), **changes)


def rated(folder, *files, **options):
    standings = rate_runs([imported(folder, *files, **options)])
    values = json.loads(json.dumps(standings.to_dict(), allow_nan=False))
    jsonschema.validate(values, load_schema("ratings"))
    assert "</html>" in report_html(standings)
    return standings


MIXED = (
    game_file(
        game(1, "A", "B", "black"),
        game(2, "B", "A", "draw", variant=1),
        game(3, "A", "C", "white", opening=2),
        game(4, "C", "A", "unknown"),
        notes=("comments",),
    ),
    table_file(ResultRow("A", "B", 21, 3), ResultRow("B", "C", 13, 10)),
)


# The folder


def test_what_is_written_is_read_back(tmp_path):
    written = imported(tmp_path, *MIXED)
    read = load_any_run(tmp_path)
    assert written == read
    assert isinstance(read, ImportedRun)
    assert (1, 1, 2) == (len(read.pairs), len(read.singles), len(read.counts))
    assert [PlayerRef(name, "") for name in "ABC"] == list(read.refs)
    assert (Problem("games.sgf", 4, "the game has no result"),) == read.skipped
    assert "comments" in read.notes
    assert 3 + 24 + 23 == read.game_count


def test_all_files_fit_their_schemas(tmp_path):
    imported(tmp_path, *MIXED, games_each=24)
    facts = json.loads((tmp_path / "run.json").read_text())
    jsonschema.validate(facts, load_schema("run"))
    for name, schema in (("games", "game"), ("counts", "counts")):
        lines = (tmp_path / f"{name}.jsonl").read_text().splitlines()
        assert lines
        for line in lines:
            jsonschema.validate(json.loads(line), load_schema(schema))
    for key in facts:
        without = {k: v for k, v in facts.items() if k != key}
        assert not jsonschema.Draft202012Validator(load_schema("run")).is_valid(without)


def test_the_sources_are_recorded_with_their_digests_and_counts(tmp_path):
    facts = imported(tmp_path, *MIXED).facts
    assert ["gomoku-lab", "import"] == facts["command"]
    games, table = facts["imported"]["sources"]
    assert (3, 0, 1) == (games["games"], games["counts"], games["skipped"])
    assert (0, 2, 0) == (table["games"], table["counts"], table["skipped"])
    assert MIXED[1].sha256 == table["sha256"]


@pytest.mark.parametrize("name", ["games.jsonl", "counts.jsonl"])
def test_a_file_that_was_changed_since_is_refused(tmp_path, name):
    imported(tmp_path, *MIXED)
    path = tmp_path / name
    path.write_text(path.read_text().replace('"B"', '"D"', 1))
    with pytest.raises(RunError, match=r"was changed since it was imported"):
        load_any_run(tmp_path)
    path.unlink()
    with pytest.raises(RunError, match=name):
        load_any_run(tmp_path)


def test_a_folder_with_a_run_is_not_overwritten(tmp_path):
    made_run(tmp_path / "own", {("a", "b"): "WL"})
    imported(tmp_path / "other", *MIXED)
    for folder in ("own", "other"):
        before = (tmp_path / folder / "run.json").read_bytes()
        with pytest.raises(RunError, match="there is a run in this folder already"):
            imported(tmp_path / folder, *MIXED)
        assert before == (tmp_path / folder / "run.json").read_bytes()


def test_what_cannot_be_written_is_one_clear_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot write here: Not a directory"):
        imported(tmp_path / "file" / "run", *MIXED)


def test_a_run_of_the_lab_is_loaded_as_such(tmp_path):
    run = made_run(tmp_path, {("a", "b"): "WL"})
    assert isinstance(load_any_run(tmp_path), Run)
    assert run.facts == load_any_run(tmp_path).facts


def test_imported_games_cannot_be_resumed(tmp_path):
    imported(tmp_path, *MIXED)
    for attempt in (load_run, RunWriter.resume):
        with pytest.raises(RunError, match="imported, not played here, so there is nothing to go"):
            attempt(tmp_path)
    for command in ("tournament", "match"):
        result = CliRunner().invoke(main, [command, "--resume", str(tmp_path)])
        assert 2 == result.exit_code
        assert "imported, not played here" in result.stderr
        assert "Traceback" not in result.stderr


# Ratings


def test_games_of_the_lab_that_are_imported_rate_as_the_run_they_came_from(tmp_path):
    results = {("a", "b"): "WL WW DD LW", ("b", "c"): "WW LD WL DL", ("a", "c"): "WW WW LL WD"}
    own = made_run(tmp_path / "own", results)
    again = rate_runs([imported(tmp_path / "again", game_file(*own.games()))])
    wanted = rate_runs([own])
    assert wanted.rows == again.rows
    assert wanted.pairings == again.pairings
    assert wanted.warnings == again.warnings


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.sampled_from(["black", "white", "draw"]), min_size=1, max_size=30))
def test_unpaired_games_are_counted_one_by_one(tmp_path_factory, results):
    games = [game(i, "A", "B", result, opening=None) for i, result in enumerate(results)]
    run = imported(tmp_path_factory.mktemp("run"), game_file(*games))
    (pairing,) = rate_runs([run]).pairings
    counts = tuple(results.count(result) for result in ("white", "draw", "black"))
    if pairing.first == "B":
        counts = counts[::-1]
    assert pairing.pairs is None
    assert counts == pairing.counts == pairing.report.counts
    assert estimate_elo(counts, distinct_games=pairing.distinct) == pairing.report


def test_one_game_without_a_partner_makes_all_games_of_the_two_count_one_by_one(tmp_path):
    pair = game(1, "A", "B", "black"), game(2, "B", "A", "black", variant=1)
    whole = rated(tmp_path / "pair", game_file(*pair))
    assert (0, 0, 1, 0, 0) == whole.pairings[0].pairs == whole.pairings[0].report.counts
    more = rated(tmp_path / "more", game_file(*pair, game(3, "A", "B", "black", opening=3)))
    assert more.pairings[0].pairs is None
    assert (1, 0, 2) == more.pairings[0].report.counts


def test_a_table_of_results_is_fitted_without_colours_and_draws(tmp_path):
    rows = [("A", "B", 21, 0, 3), ("B", "C", 13, 0, 10), ("A", "C", 24, 0, 0)]
    table = table_file(*(ResultRow(a, b, wins, losses) for a, b, wins, _, losses in rows))
    standings = rated(tmp_path, table)
    fit = fit_ratings(ResultTable.from_rows(rows, has_colours=False, has_draws=False))
    for row in standings.rows:
        assert fit.rating(row.name) == row.rating
        assert row.draw_share is None
    assert standings.advantage is None
    assert "first-move advantage: not estimated, since no colours are known" == (
        standings.advantage_text
    )
    assert "3 players, 71 games (moves not known), rule not known, board size not known" == (
        standings.games_text
    )
    assert [None, None, None] == [pairing.distinct for pairing in standings.pairings]
    assert f"{tmp_path.name}: the draws beside 71 won and lost games are not known" in (
        standings.warnings
    )
    values = standings.to_dict()
    assert (None, None) == (values["rule"], values["size"])
    assert {None} == {one["draws"] for one in (*values["players"], *values["pairings"])}


def test_a_table_with_the_number_of_games_has_draws(tmp_path):
    table = table_file(ResultRow("A", "B", 20, 3), ResultRow("B", "C", 13, 10))
    standings = rated(tmp_path, table, games_each=24, rule=Rule.FREESTYLE, size=20)
    assert 48 == standings.tally.games
    assert [1, 1] == [pairing.counts[1] for pairing in standings.pairings]
    assert standings.ratings.draw_rate > 0
    assert not any("draws" in warning for warning in standings.warnings)


def test_a_perfect_score_in_a_table_is_a_bound(tmp_path):
    table = table_file(
        ResultRow("A", "B", 24, 0), ResultRow("B", "C", 13, 11), ResultRow("A", "C", 24, 0)
    )
    standings = rated(tmp_path, table)
    assert "A" == standings.rows[0].name
    assert standings.rows[0].rating.value is None
    assert standings.rows[0].rating.low > 0
    assert all(row.rating.standard_error for row in standings.rows[1:])


def test_players_of_a_table_who_never_met_have_no_common_scale(tmp_path):
    standings = rated(tmp_path, table_file(ResultRow("A", "B", 1, 2), ResultRow("C", "D", 1, 2)))
    assert standings.ratings is None
    assert "A, B | C, D" in standings.warnings[-1]


def test_an_imported_run_is_rated_together_with_one_of_the_lab_by_names(tmp_path):
    own = made_run(tmp_path / "own", {("a", "b"): "WL WW DD LW"})
    other = imported(
        tmp_path / "other",
        game_file(game(1, "b", "X", "black"), game(2, "X", "b", "black", opening=3)),
    )
    standings = rate_runs([own, other])
    assert {"a", "b", "X"} == set(standings.names)
    assert standings.ratings is not None
    hashes = {row.name: row.config_hash for row in standings.rows}
    assert [ref.config_hash for ref in own.refs] == [hashes["a"], hashes["b"]]
    assert "" == hashes["X"]
    assert any("same players by their names alone" in warning for warning in standings.warnings)
    values = json.loads(json.dumps(standings.to_dict(), allow_nan=False))
    jsonschema.validate(values, load_schema("ratings"))


def test_a_name_with_two_configurations_is_not_guessed(tmp_path):
    own = made_run(tmp_path / "own", {("a", "b"): "WL WW"})
    other = made_run(
        tmp_path / "other", {("a", "b"): "WL WW"}, specs=[player("a", 5), player("b", 1)]
    )
    third = imported(tmp_path / "third", game_file(game(1, "a", "b", "black")))
    standings = rate_runs([own, other, third])
    assert "a@unknown" in standings.names
    assert 4 == len(standings.rows)
    assert any(warning.endswith("other of the name: a") for warning in standings.warnings)


def test_runs_of_another_or_an_unknown_rule_are_not_rated_together(tmp_path):
    own = made_run(tmp_path / "own", {("a", "b"): "WL WW"})
    table = table_file(ResultRow("a", "b", 1, 2))
    unknown = imported(tmp_path / "unknown", table)
    with pytest.raises(RunError, match="its rule is not known, not freestyle; import says it by"):
        rate_runs([own, unknown])
    known = imported(tmp_path / "known", table, rule=Rule.FREESTYLE, size=15)
    assert 7 == rate_runs([own, known]).tally.games


def test_a_game_that_is_in_two_runs_is_a_copy(tmp_path):
    own = made_run(tmp_path / "own", {("a", "b"): "WL WW"})
    copies = [replace(one, opening="", nodes=one.score, time_ms=one.score) for one in own.games()]
    again = imported(tmp_path / "again", game_file(*copies))
    standings = rate_runs([own, again])
    assert (8, 4) == (standings.tally.games, standings.distinct_games)
    assert "only 4 of 8 games are distinct" in " ".join(standings.warnings)


def test_forfeits_in_imported_games_are_told(tmp_path):
    nothing = {"nodes": (), "depth": (), "score": (), "time_ms": ()}
    lost = game(1, "A", "B", "black", moves="h8b15", reason="time", **nothing)
    standings = rated(tmp_path, game_file(lost))
    (forfeit,) = standings.tally.forfeits
    assert ("B", "A", "time", "1-0001") == (
        forfeit.player,
        forfeit.opponent,
        forfeit.reason,
        forfeit.game,
    )


def test_the_report_tells_where_imported_games_came_from(tmp_path):
    page = report_html(rate_runs([imported(tmp_path, *MIXED)]))
    for word in ("games.sgf", MIXED[0].sha256[:16], "games.sgf:4: the game has no result"):
        assert word in page
    assert "counted one by one" in page
