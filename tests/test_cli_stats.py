"""The commands elo and sprt: numbers out, clean errors, JSON without infinities."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from statistics_data import load, name_of

from gomoku_lab.cli.main import main


def run(*words: str) -> Result:
    """Run the command line."""
    return CliRunner().invoke(main, list(words))


def strict_json(text: str) -> dict[str, Any]:
    """Read JSON that holds neither NaN nor Infinity."""

    def refuse(word: str) -> None:
        raise AssertionError(f"not JSON: {word}")

    loaded: dict[str, Any] = json.loads(text, parse_constant=refuse)
    return loaded


def typed(counts: list[int]) -> str:
    """Return counts as a user types them."""
    return ",".join(str(count) for count in counts)


@pytest.mark.parametrize("case", load("elo"), ids=name_of)
def test_elo_prints_the_known_answers(case: dict[str, Any]) -> None:
    result = run("elo", typed(case["counts"]), "--json")
    assert result.exit_code == 0
    answer = strict_json(result.stdout)
    assert answer["elo"] == pytest.approx(case["elo"], abs=6e-5)
    assert answer["elo_error"] == pytest.approx(case["elo_err_half_width"], abs=6e-5)
    assert answer["nelo"] == pytest.approx(case["nelo"], abs=6e-5)


@pytest.mark.parametrize("case", load("sprt"), ids=name_of)
def test_sprt_prints_the_known_answers(case: dict[str, Any]) -> None:
    bounds = f"{case['elo0']},{case['elo1']}"
    result = run(
        "sprt", typed(case["counts"]), "--bounds", bounds, "--model", case["model"], "--json"
    )
    assert result.exit_code == 0
    answer = strict_json(result.stdout)
    assert answer["llr"] == pytest.approx(case["exact"], abs=0.5 * 10.0 ** -case["digits"])


def test_elo_prints_for_people() -> None:
    result = run("elo", "34,54,63,64,75")
    assert result.exit_code == 0
    assert "580 in 290 pairs" in result.stdout
    assert "+55.6 [+27.9, +83.4]" in result.stdout
    assert "Elo ± 27.7, normalised Elo ± 28.3" in result.stdout
    assert "> 99.99 %" in result.stdout


def test_elo_prints_a_bound_for_a_sweep() -> None:
    result = run("elo", "0,0,40")
    assert "> +443.7 at 95 %" in result.stdout
    answer = strict_json(run("elo", "0,0,40", "--json").stdout)
    assert answer["elo"] is None
    assert answer["elo_low"] == pytest.approx(443.7, abs=0.05)


def test_elo_refuses_an_interval_from_copies() -> None:
    result = run("elo", "300,100,600", "--distinct", "2")
    assert result.exit_code == 0
    assert "(no interval)" in result.stdout
    assert "only 2 of 1000 games are distinct" in result.stdout
    assert "count the distinct games" in run("elo", "0,0,30,0,0").stdout


def test_sprt_prints_the_verdict_and_exits_with_0_whatever_it_is() -> None:
    for counts, verdict in (
        (
            "0,0,0,2,28",
            "H1 accepted: 50 Elo explains the results better than 0, at error rates 0.05",
        ),
        (
            "28,2,0,0,0",
            "H0 accepted: 0 Elo explains the results better than 50, at error rates 0.05",
        ),
        ("10,20,30,20,10", "undecided: more games are needed"),
        ("0,0,0,0,23", "undecided: 23 pairs, nothing is decided below 24"),
    ):
        result = run("sprt", counts, "--bounds", "0,50", "--model", "logistic")
        assert result.exit_code == 0
        assert verdict in result.stdout


def test_sprt_estimates_the_strength_once_it_has_a_verdict() -> None:
    words = ["sprt", "2,10,40,25,9", "--bounds", "0,30", "--model", "logistic", "--every", "8"]
    text, answer = run(*words).stdout, strict_json(run(*words, "--json").stdout)
    elo = answer["estimate"]["elo"]
    assert elo["low"] < elo["value"] < elo["high"]
    assert f"strength Elo {elo['value']:+.1f} [" in text
    assert "median-unbiased" in text
    assert answer["estimate"]["step"] == 8
    plain = strict_json(run("elo", "2,10,40,25,9", "--json").stdout)["elo"]
    assert elo["value"] < plain
    undecided = strict_json(run("sprt", "10,20,30,20,10", "--bounds", "0,50", "--json").stdout)
    assert undecided["estimate"] is None


def test_sprt_names_the_unit_of_its_hypotheses() -> None:
    normalised = run("sprt", "0,0,0,2,58", "--bounds", "0,100").stdout
    assert "test     0 against 100 normalised Elo" in normalised
    assert "H1 accepted: 100 normalised Elo explains the results better than 0" in normalised
    logistic = run("sprt", "0,0,0,2,58", "--bounds", "0,100", "--model", "logistic").stdout
    assert "normalised" not in logistic
    assert "at least" not in normalised + logistic


def test_elo_far_from_half_leans_to_the_side_that_is_left_open() -> None:
    answer = strict_json(run("elo", "10,0,90", "--json").stdout)
    assert answer["nelo_high"] - answer["nelo"] > answer["nelo"] - answer["nelo_low"]
    assert answer["nelo_error"] < (answer["nelo_high"] - answer["nelo_low"]) / 2


def test_elo_calls_an_interval_without_ends_open() -> None:
    assert "Elo            +0.0 [open, open]" in run("elo", "1,0,1").stdout


def test_sprt_names_its_expected_length() -> None:
    answer = strict_json(run("sprt", "13,37,50,25,3", "--bounds", "0,10", "--json").stdout)
    assert answer["expected_games"]["h1"] == pytest.approx(6398, abs=0.5)
    assert answer["expected_games"]["middle"] == pytest.approx(10465, abs=0.5)
    assert "6398 games expected" in run("sprt", "13,37,50,25,3", "--bounds", "0,10").stdout


def test_sprt_takes_negative_bounds() -> None:
    result = run("sprt", "20,0,0,0,0", "--bounds", "-1500,-500", "--json")
    assert strict_json(result.stdout)["llr"] == pytest.approx(-0.9181, abs=5e-5)


@pytest.mark.parametrize("command", [["elo"], ["sprt", "--bounds", "0,4"]])
@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ("1,-2,3", "number 2 is '-2'"),
        ("-1,2,3", "number 1 is '-1'"),
        ("1,x,3", "number 2 is 'x'"),
        ("1,2.5,3", "number 2 is '2.5'"),
        ("1,,3", "number 2 is ''"),
        ("1,nan,3", "number 2 is 'nan'"),
        ("1,2,99999999999999", "number 3 is '99999999999999'"),
        ("1,2", "three numbers"),
        ("1,2,3,4", "three numbers"),
        ("", "three numbers"),
        ("0,0,0", "at least one game"),
    ],
)
def test_counts_that_are_none_end_with_2_and_a_message(
    command: list[str], counts: str, message: str
) -> None:
    result = run(command[0], counts, *command[1:])
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--bounds", "4,0"], "elo0 must be below elo1"),
        (["--bounds", "4"], "--bounds must be two numbers"),
        (["--bounds", "a,b"], "--bounds must be two numbers"),
        (["--bounds", "0,inf"], "elo1 must be within"),
        (["--bounds", "0,4", "--alpha", "0.7"], "alpha must be in"),
        (["--bounds", "0,4", "--model", "other"], "'normalized', 'logistic'"),
        ([], "missing option '--bounds'"),
        (["--bounds", "0,4", "--jsn"], "--jsn"),
    ],
)
def test_sprt_options_outside_their_range_end_with_2(options: list[str], message: str) -> None:
    result = run("sprt", "1,2,3", *options)
    assert result.exit_code == 2
    assert message in result.stderr


def test_elo_options_outside_their_range_end_with_2() -> None:
    for options in (["--confidence", "1.5"], ["--distinct", "7"], ["--distinct", "0"]):
        result = run("elo", "1,2,3", *options)
        assert result.exit_code == 2
        assert "must" in result.stderr


def test_counts_run_from_losses_to_wins_and_the_readme_says_so() -> None:
    assert strict_json(run("elo", "5,2,9", "--json").stdout)["elo"] > 0
    readme = Path(__file__).resolve().parent.parent / "README.md"
    assert "Losses, draws and wins in this order" in readme.read_text(encoding="utf-8")
