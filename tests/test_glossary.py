"""The glossary: its names are unique, and suite, players, traces and reports use no others."""

import re
from pathlib import Path

import pytest
from made_runs import made_run

from gomoku_lab.arena.rate import rate_runs
from gomoku_lab.engine import analysis_view
from gomoku_lab.engine.config import PatternWeights
from gomoku_lab.engine.engine import Engine
from gomoku_lab.engine.hints import FORKS
from gomoku_lab.game.board import Board
from gomoku_lab.game.glossary import (
    ENDINGS,
    PARTS,
    SHAPES,
    TRACE,
    gate_meaning,
    gate_names,
    kind_meaning,
    kind_names,
)
from gomoku_lab.game.record import FORFEITS, REASONS
from gomoku_lab.game.schemas import load_schema
from gomoku_lab.kernels import layout
from gomoku_lab.players.registry import expand, make_player, resolve
from gomoku_lab.report.page import report_html
from gomoku_lab.suite.forcing import holding_moves
from gomoku_lab.suite.positions import load_positions
from gomoku_lab.suite.run import run_suite

ROOT = Path(__file__).resolve().parent.parent
POSITIONS = load_positions()
NAMES = {term.name for part in PARTS for term in part}
SHAPE_NAMES = {term.name for term in SHAPES}
OTHER = {name for part in PARTS for term in part for name in term.also}
# Words that mean something else, too: only with a shape behind them do they name one.
COMMON = {"split", "broken"}
STARS = {"gomoku_lab/game/display.py": {"4-4"}}  # there the corners' dotted points

_STRANGE = re.compile(
    rf"(?<![\w-])({'|'.join(map(re.escape, sorted(OTHER - COMMON, key=len, reverse=True)))})"
    r"s?(?![\w-])",
    re.IGNORECASE,
)
_QUALIFIED = re.compile(
    r"(?<![\w-])((?:open|closed|half-open|live|dead|rush|straight|free|sleeping|broken|simple|split"
    r"|blocked|double)[ -](?:two|three|four))s?(?![\w-])",
    re.IGNORECASE,
)


def strange_words(text):
    """Return the names of shapes in `text` that the glossary does not have."""
    qualified = {found.lower().replace("-", " ") for found in _QUALIFIED.findall(text)}
    return {found.lower() for found in _STRANGE.findall(text)} | (qualified - SHAPE_NAMES)


def written():
    """Yield the files in which people read about shapes."""
    for folder, pattern in (
        ("gomoku_lab", "*.py"),
        ("gomoku_lab", "*.toml"),
        ("gomoku_lab", "*.json"),
        ("positions", "*.toml"),
        ("experiments", "*.md"),
    ):
        yield from (ROOT / folder).rglob(pattern)
    yield from (ROOT / name for name in ("README.md", "CHANGELOG.md"))


def quick(spec):
    """Return the player with few nodes and no clock, where it knows of them: it answers at once."""
    known = set(spec.config.field_names())
    return resolve(f"{spec.name}:time_ms=0,nodes=300") if {"time_ms", "nodes"} <= known else spec


# --- the glossary itself ---------------------------------------------------------------------


@pytest.mark.parametrize("part", PARTS)
def test_S4_36_names_are_unique_in_their_part_and_each_has_a_meaning(part):
    names = [term.name for term in part]
    assert len(names) == len(set(names))
    assert all(term.meaning and "\n" not in term.meaning for term in part)


def test_S4_36_other_names_are_no_names_of_the_glossary():
    assert not NAMES & OTHER


def test_S4_36_meanings_use_the_glossarys_own_words():
    assert set() == {w for part in PARTS for term in part for w in strange_words(term.meaning)}


def test_the_scan_finds_what_it_looks_for():
    assert {"live three", "4-4", "broken three", "closed three"} == strange_words(
        "A live three, a broken three, a closed-three and a 4-4; rule A is broken; an open three"
    )


# --- suite -----------------------------------------------------------------------------------


def test_S4_36_kinds_and_reasons_use_the_words_of_the_glossary():
    assert {position.kind for position in POSITIONS} <= set(kind_names())
    names = "|".join(re.escape(term.name) for term in SHAPES)
    for position in POSITIONS:
        assert re.search(rf"\b({names})s?\b", position.why), position.id
        assert set() == strange_words(position.why), position.id


def test_S4_36_what_players_must_solve_are_kinds():
    assert {kind for spec in expand(["*"]) for kind in spec.required} <= set(kind_names())
    assert set() == {word for spec in expand(["*"]) for word in strange_words(spec.description)}


# --- gates and traces ------------------------------------------------------------------------


def test_S4_36_every_player_names_what_decided_in_the_words_of_the_glossary():
    chosen = {position.kind: position for position in POSITIONS}
    result = run_suite([quick(spec) for spec in expand(["*"])], list(chosen.values()))
    assert {answer.gate for answer in result.answers} <= set(gate_names())
    assert not [answer for answer in result.answers if answer.error or not answer.gate]
    for board in (Board(), Board.from_moves("h8a1h9a3h10a5h11a7h12")):
        for spec in expand(["*"]):
            assert make_player(quick(spec)).choose(board).gate in gate_names()


def test_S4_36_the_schema_of_an_analysis_allows_gates_of_the_glossary_only():
    allowed = load_schema("analysis")["properties"]["gate"]["enum"]
    assert set(allowed) <= set(gate_names())


def test_S4_36_the_labels_of_a_trace_are_in_the_glossary():
    labels = {term.name for term in TRACE}
    assert {*analysis_view.LAYER_HEAD, *analysis_view.ROOT_HEAD} <= labels
    engine = Engine(resolve("layered/novice:time_ms=0").config)
    for moves in ("", "h8i9g7", "h8a1h9a3h10a5", "h8a1h9a3h10a5h11a7h12"):
        found = engine.analyse(Board.from_moves(moves))
        assert {name for name, _ in analysis_view.facts(found)} <= labels
        assert set() == strange_words(f"{found} {found._repr_html_()}")
        assert gate_meaning(found.gate) in str(found)


def test_S4_36_the_engines_classes_and_weights_have_the_glossarys_names():
    classes = ("ONE", "TWO", "OPEN_TWO", "THREE", "OPEN_THREE", "FOUR", "OPEN_FOUR", "FIVE")
    assert layout.CLASSES == 1 + len(classes)
    for name in (*classes, *PatternWeights.field_names()):
        assert hasattr(layout, name.upper())
        assert name.lower().replace("_", " ") in SHAPE_NAMES
    assert set(FORKS) <= SHAPE_NAMES


# --- reports ---------------------------------------------------------------------------------


def test_S4_36_games_end_for_reasons_of_the_glossary():
    assert tuple(term.name for term in ENDINGS) == REASONS
    assert set(FORFEITS) < set(REASONS)
    assert list(REASONS) == load_schema("game")["properties"]["reason"]["enum"]


def test_S4_36_a_report_names_endings_and_shapes_as_the_glossary_does(tmp_path):
    run = made_run(tmp_path, {("a", "b"): "WL WW WD"})
    page = report_html(rate_runs([run]))
    table = page.split("How the games ended")[1].split("</table>")[0]
    shown = re.findall(r'<td class="text">([^<]*)</td>|<tr><td>([^<]*)</td>', table)
    reasons = {word for pair in shown for word in pair if word}
    assert reasons
    assert reasons <= {term.name for term in ENDINGS}
    assert set() == strange_words(page)


def test_S4_36_no_text_of_the_lab_uses_another_name_for_a_shape():
    for file in written():
        place = file.relative_to(ROOT).as_posix()
        if place != "gomoku_lab/game/glossary.py":
            words = strange_words(file.read_text(encoding="utf-8"))
            assert words <= STARS.get(place, set()), f"{place}: {words}"


def test_every_gate_and_kind_has_a_meaning_to_print():
    for name in gate_names():
        assert gate_meaning(name)
    for name in kind_names():
        assert kind_meaning(name)
    with pytest.raises(ValueError, match=r"gate must be one of five, .*: 'hunch'"):
        gate_meaning("hunch")


@pytest.mark.parametrize(("kind", "moves"), [("break-open-four", 2), ("quiet-block", 3)])
def test_kinds_that_ask_for_a_defence_say_how_far_it_is_proved(kind, moves):
    assert f"cannot force five within his next {moves} moves" in kind_meaning(kind)
    assert "says nothing about later ones" in kind_meaning(kind)
    example = next(position for position in POSITIONS if position.kind == kind)
    assert set(example.best) == set(holding_moves(example.board, moves))
