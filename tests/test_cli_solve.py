"""``gomoku-lab solve``: what it prints, its JSON, its exit codes, and bad input."""

import json

import pytest
from click.testing import CliRunner

from gomoku_lab.cli.main import main

WIN = "h8a1h9a3h10a5"
QUIET = "h8i9g7i7"


def run(*arguments, stdin=None):
    return CliRunner().invoke(main, ["solve", *arguments], input=stdin)


def run_json(*arguments, code=0):
    result = run(*arguments, "--json")
    assert code == result.exit_code, result.stderr
    return json.loads(result.stdout)


def test_a_win_is_drawn_and_shown_as_one_line():
    result = run(WIN)
    assert 0 == result.exit_code
    assert "\nvcf: found\nwin in 3 plies: h" in result.stdout
    assert "other first moves: not looked at (--all)" in result.stdout
    assert " 7 . . . . . . . * ." in result.stdout or "11 . . . . . . . * ." in result.stdout
    assert result.stderr in ("", "compiling the solver, once, about 20 s\n")


def test_all_first_moves_are_found_and_the_others_refuted():
    found = run_json(WIN, "--all")
    assert (1, "vcf", "found", True, True) == tuple(
        found[key] for key in ("schema", "search", "answer", "complete", "shortest")
    )
    assert {"h7", "h11"} <= set(found["moves"])
    assert found["moves"] == [win["move"] for win in found["wins"]]
    assert {3} == {win["plies"] for win in found["wins"]}
    assert "other first moves: refuted" in run(WIN, "--all").stdout


def test_a_refuted_position_is_told_apart_from_a_spent_budget():
    refuted = run(QUIET, "--vcf")
    assert 0 == refuted.exit_code
    assert "vcf: refuted: there is none" in refuted.stdout
    spent = run("vcf-before-open-four", "--nodes", "1", "--vcf")
    assert 5 == spent.exit_code
    assert "vcf: not decided: the budget is spent (--nodes)" in spent.stdout
    assert "spent" == run_json("vcf-before-open-four", "--nodes", "1", "--vcf", code=5)["answer"]


def test_S4_37_the_shipped_chain_is_printed_as_one_line():
    found = run_json("vcf-before-open-four", "--all")
    assert {"f2", "k2", "k3"} == set(found["moves"])
    assert all(win["plies"] == len(win["line"]) >= 5 for win in found["wins"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["h8h8"], "h8 is occupied by black"),
        (["nosuch"], "unknown position 'nosuch'"),
        (["h8", "--rule", "chess"], "rule must be one of"),
        (["a1b1a2b2a3b3a4b4a5"], "the game is over: there is nothing to solve"),
        (["h8", "--nodes", "0"], "nodes must be a whole number 1..4611686018427387904: 0"),
        (["h8", "--nodes", str(2**63)], f"1..4611686018427387904: {2**63}"),
        (["h8", "--vcf", "--nodes", "9" * 20], f"1..4611686018427387904: {'9' * 20}"),
        (["h8", "--vcf", "--vct"], "--vcf and --vct ask for two different things"),
    ],
)
def test_bad_input_ends_with_one_clear_line(arguments, said):
    result = run(*arguments)
    assert 2 == result.exit_code
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_a_diagram_is_read_from_stdin():
    diagram = "\n".join(["X X X . . . . ."] + [". . . . . . . ."] * 6 + ["O . O . . O . ."])
    result = run("-", stdin=diagram)
    assert 0 == result.exit_code, result.stderr
    assert "8x8 freestyle" in result.stdout


THREATS = "h8a1h9a3j7a15k7o1"
"""Two twos of black's that meet: threes win, no four does."""


def test_without_a_chain_of_fours_threats_are_tried():
    found = run_json(THREATS)
    assert ("vct", "found", False) == tuple(found[key] for key in ("search", "answer", "complete"))
    assert found == {**run_json(THREATS, "--vct"), "time_ms": found["time_ms"]} | {
        "nodes": found["nodes"]
    }
    result = run(THREATS, "--vcf")
    assert "vcf: refuted: there is none" in result.stdout
    assert "vct: found" in run(THREATS).stdout


def test_refuted_threats_are_named_as_what_was_tried():
    result = run("h8i9", "--vct")
    assert 0 == result.exit_code
    assert "vct: refuted: none by the threats that were tried" in result.stdout
    assert 5 == run(THREATS, "--vct", "--nodes", "1").exit_code
