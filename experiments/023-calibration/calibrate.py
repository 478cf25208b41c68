"""Do 95 % intervals hold in 95 %, and do sequential tests err in 5 %? Simulated, cell by cell.

Each finished cell is a line of results.jsonl. Started again, it goes on with the cells that are
missing. `--summary` prints what the lines say. See README.md beside it.
"""

from __future__ import annotations

import argparse
import json
import math
import time
import tomllib
import zlib
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import fast
import fast_ratings
import numpy as np
from joblib import Parallel, delayed

from gomoku_lab.stats.clusters import units_of
from gomoku_lab.stats.elo import ELO_PER_UNIT, K, elo_from_score
from gomoku_lab.stats.fit import fit_ratings
from gomoku_lab.stats.pairs import outcome_scores
from gomoku_lab.stats.separation import separate
from gomoku_lab.stats.sprt import MINIMUM_PAIRS, Hypotheses, Sprt, log_likelihood_ratios
from gomoku_lab.stats.stopped import estimate_after_stop

HERE = Path(__file__).parent
MOST_PAIRS = 40_000
CHECKED = 20
TOLERANCE = 1e-9
Cell = dict[str, Any]


# The players


def game_chances(gap: float, draws: float) -> np.ndarray:
    """Return the chances of loss, draw and win at a gap in Elo, the first move's worth included."""
    x, nu = gap / ELO_PER_UNIT, 2 * draws / (1 - draws)
    weights = np.array([math.exp(-x / 2), nu, math.exp(x / 2)])
    return weights / weights.sum()


def pair_chances(cell: Cell) -> np.ndarray:
    """Return the chances of the nine outcomes of a pair: game as Black times game as White."""
    black = game_chances(cell["gap"] + cell["advantage"], cell["draws"])
    white = game_chances(cell["gap"] - cell["advantage"], cell["draws"])
    return np.outer(black, white)


def truths(cell: Cell) -> dict[str, float]:
    """Return the true Elo of the score and the true normalised Elo."""
    chances = fast.pentanomial(pair_chances(cell).ravel())
    scores = outcome_scores(5)
    mean = float(chances @ scores) if cell["gap"] else 0.5
    deviation = math.sqrt(float(chances @ (scores - mean) ** 2))
    return {"elo": elo_from_score(mean), "nelo": K * (mean - 0.5) / (math.sqrt(2) * deviation)}


def holds(estimate: Any, truth: float) -> bool:
    """Tell whether an interval or bound holds the truth; an open side holds everything."""
    low = -math.inf if estimate.low is None else estimate.low
    high = math.inf if estimate.high is None else estimate.high
    return bool(low <= truth <= high)


# The cells


def interval_cell(cell: Cell, repetitions: int, rng: np.random.Generator) -> dict[str, Any]:
    """Count how often the intervals of a fixed number of pairs hold the truth."""
    chances, true = pair_chances(cell), truths(cell)
    drawn = rng.multinomial(cell["pairs"], chances.ravel(), size=repetitions)
    held = fast.elo_held(fast.pentanomial(drawn), true["elo"], true["nelo"])
    true |= {"rating": cell["gap"], "rating_model": cell["gap"], "advantage": cell["advantage"]}
    ratings, opened, profiled = fast_ratings.ratings_held(drawn, true)
    held |= ratings
    for row in rng.choice(repetitions, min(CHECKED, repetitions), replace=False):
        plain = fast.plain_elo_held(fast.pentanomial(drawn[row]), true["elo"], true["nelo"])
        for key, (low, high) in fast_ratings.plain_ratings(drawn[row]).items():
            plain[key] = low <= true[key] <= high
        agree([held[key][row] for key in plain], list(plain.values()), cell)
    games = np.stack([chances.sum(axis=1), chances.sum(axis=0)])
    return {
        "expected_losses": float(cell["pairs"] * games[:, 0].sum()),
        "rarest": float(cell["pairs"] * games[:, [0, 2]].min()),
        "coverage": {key: float(np.mean(values)) for key, values in held.items()},
        "open": {key: float(np.mean(values)) for key, values in opened.items()},
        "profiled": {key: float(np.mean(values)) for key, values in profiled.items()},
    }


def agree(ours: Any, plain: Any, cell: Cell) -> None:
    """Stop unless numbers that were computed together are those of the package."""
    ours, plain = np.asarray(ours, dtype=float), np.asarray(plain, dtype=float)
    same = (ours == plain) | (np.abs(ours - plain) <= TOLERANCE * np.maximum(1, np.abs(plain)))
    if not same.all():
        raise ArithmeticError(f"fast.py gives {ours}, gomoku_lab.stats {plain}: {cell}")


def sprt_cell(cell: Cell, repetitions: int, rng: np.random.Generator) -> dict[str, Any]:
    """Count wrong verdicts of a sequential test, and how long it takes."""
    hypotheses = hypotheses_of(cell)
    counts, verdicts, left = stopped_tests(cell, hypotheses, repetitions, rng)
    chances = fast.pentanomial(pair_chances(cell).ravel())
    pairs = counts.sum(axis=1)
    return {
        "errors": float(np.mean(verdicts == (1 if cell["truth"] == "elo0" else -1))),
        "undecided": float(np.mean(verdicts == 0)),
        "mean_pairs": float(pairs.mean()),
        "expected_losses": float(pairs.mean() * (2 * chances[0] + chances[1])),
        "left_to_package": left,
    }


def hypotheses_of(cell: Cell) -> Hypotheses:
    """Return the hypotheses of which one is the truth."""
    truth = truths(cell)["elo" if cell["model"] == "logistic" else "nelo"]
    elo0 = truth if cell["truth"] == "elo0" else truth - cell["window"]
    return Hypotheses(elo0=elo0, elo1=elo0 + cell["window"], model=cell["model"])


def stopped_tests(
    cell: Cell, hypotheses: Hypotheses, repetitions: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, int]:
    """Run tests; return counts at the end, verdicts, and ratios that the package computed."""
    settings = {"elo0": hypotheses.elo0, "elo1": hypotheses.elo1, "model": hypotheses.model}
    lower, upper = hypotheses.bounds
    chances = fast.pentanomial(pair_chances(cell).ravel())
    counts, verdicts = np.zeros((repetitions, 5)), np.zeros(repetitions, dtype=int)
    open_ones, pairs, left = np.arange(repetitions), 0, 0
    while len(open_ones) and pairs < MOST_PAIRS:
        counts[open_ones] += rng.multinomial(cell["step"], chances, size=len(open_ones))
        pairs += cell["step"]
        if pairs < MINIMUM_PAIRS:
            continue
        ratios, unsettled = fast.likelihood_ratios(counts[open_ones], **settings)
        left += unsettled
        some = rng.choice(len(open_ones), 2)
        agree(ratios[some], log_likelihood_ratios(counts[open_ones[some]], **settings), cell)
        verdicts[open_ones] = np.where(ratios >= upper, 1, np.where(ratios <= lower, -1, 0))
        open_ones = open_ones[verdicts[open_ones] == 0]
    return counts, verdicts, left


def stopped_cell(cell: Cell, repetitions: int, rng: np.random.Generator) -> dict[str, Any]:
    """Count how often the strength estimated after the stop is too low, and its interval holds."""
    hypotheses, true = hypotheses_of(cell), truths(cell)
    counts, _, _ = stopped_tests(cell, hypotheses, repetitions, rng)
    chances = fast.pentanomial(pair_chances(cell).ravel())
    losses = float(counts.sum(axis=1).mean() * (2 * chances[0] + chances[1]))
    return {"expected_losses": losses, **stopped_estimates(cell, hypotheses, true, counts)}


def stopped_estimates(
    cell: Cell, hypotheses: Hypotheses, true: dict[str, float], counts: np.ndarray
) -> dict[str, Any]:
    """Count how often the estimate lies below the truth, and its interval holds it."""
    below = dict.fromkeys(true, 0.0)
    held = dict.fromkeys(true, 0.0)
    for found in counts:
        estimate = estimate_after_stop(Sprt(hypotheses).add(found), step=cell["step"])
        for key in true:
            one = getattr(estimate, key)
            value = math.copysign(math.inf, found @ [-2, -1, 0, 1, 2])
            value = value if one.value is None else one.value
            below[key] += (value < true[key]) / len(counts)
            held[key] += holds(one, true[key]) / len(counts)
    return {"below": below, "coverage": held}


def together_cell(cell: Cell, repetitions: int, rng: np.random.Generator) -> dict[str, Any]:
    """Count how often the intervals of all neighbours of four players hold at once."""
    names = ("A", "B", "C", "D")
    elos = [-cell["gap"] * place for place in range(4)]
    sure = together = 0
    for repetition in range(repetitions):
        games = []
        for first in range(4):
            for second in range(first + 1, 4):
                meeting = {**cell, "gap": elos[first] - elos[second]}
                outcomes = rng.choice(9, p=pair_chances(meeting).ravel(), size=cell["pairs"])
                for opening, outcome in enumerate(outcomes):
                    black, white = divmod(int(outcome), 3)
                    games.append((opening, names[first], names[second], 2 - black))
                    games.append((opening, names[second], names[first], white))
        table, clusters = fast_ratings.tabled(games, names)
        ratings = fit_ratings(table, clusters=clusters)
        found = separate(ratings, units_of(table, clusters), names, seed=repetition).neighbours
        sure += sum(holds(one.difference.elo, cell["gap"]) for one in found)
        together += all(holds(one.together, cell["gap"]) for one in found)
    losses = sum(
        float(pair_chances({**cell, "gap": cell["gap"]}).sum(axis=axis)[0]) for axis in (0, 1)
    )
    return {
        "expected_losses": cell["pairs"] * losses,
        "coverage": {"alone": sure / (3 * repetitions), "together": together / repetitions},
    }


KINDS = {
    "interval": interval_cell,
    "sprt": sprt_cell,
    "stopped": stopped_cell,
    "together": together_cell,
}


def cells(config: dict[str, Any], kinds: list[str]) -> Iterator[Cell]:
    """Yield all cells of these kinds; a kind may have fewer worlds than the whole has."""
    for kind in kinds:
        given = {**config, **config[kind]}
        for place in product(given["draws"], given["advantage"], given["gap"]):
            start = {"kind": kind, **dict(zip(("draws", "advantage", "gap"), place, strict=True))}
            for pairs in given.get("pairs", []):
                yield {**start, "pairs": pairs}
            for model, truth in product(given.get("models", []), ("elo0", "elo1")):
                test = {key: config["sprt"][key] for key in ("window", "step")}
                yield {**start, "model": model, "truth": truth, **test}


def run(cell: Cell, repetitions: int) -> dict[str, Any]:
    """Simulate one cell; its random numbers depend on the cell alone."""
    seed = zlib.crc32(json.dumps(cell, sort_keys=True).encode())
    start = time.process_time()
    found = rounded(KINDS[cell["kind"]](cell, repetitions, np.random.default_rng(seed)))
    seconds = round(time.process_time() - start, 1)
    return {"cell": cell, "repetitions": repetitions, "seed": seed, "cpu_s": seconds, **found}


def rounded(value: Any) -> Any:
    """Return the numbers of a cell with no more digits than they are good for."""
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return round(value, 4) if isinstance(value, float) else value


def read(path: Path) -> list[dict[str, Any]]:
    """Return the finished cells; half a line at the end, from a kill, is left out."""
    if not path.exists():
        return []
    whole, _, _ = path.read_text(encoding="utf-8").rpartition("\n")
    return [json.loads(line) for line in whole.splitlines()]


def summary(lines: list[dict[str, Any]]) -> None:
    """Print the extremes of each kind, and how many cells lie outside what was promised."""
    for kind in KINDS:
        own = [line for line in lines if line["cell"]["kind"] == kind]
        judged = [line for line in own if line["expected_losses"] >= 5]
        print(f"{kind}: {len(own)} cells, {len(own) - len(judged)} with fewer than 5 losses apart")
        coverages(judged)
        both = [line for line in judged if line.get("rarest", 0) >= 5]
        if both:
            print(f"  of these {len(both)} with 5 expected wins and losses with each colour:")
            coverages(both)
        errors = [line["errors"] for line in judged if "errors" in line]
        if errors:
            many = sum(error > 0.06 for error in errors)
            print(f"  wrong verdicts: at most {max(errors):.4f}, in {many} cells above 6 %")
        below = [line["below"]["elo"] for line in judged if "below" in line]
        if below:
            print(f"  estimate below the truth: {min(below):.3f} to {max(below):.3f}")


def coverages(lines: list[dict[str, Any]]) -> None:
    """Print the extremes of each coverage."""
    for key in sorted({key for line in lines for key in line.get("coverage", {})}):
        values = [line["coverage"][key] for line in lines if key in line["coverage"]]
        low, high = sum(value < 0.93 for value in values), sum(value > 0.97 for value in values)
        extremes = f"{min(values):.4f} to {max(values):.4f} in {len(values)} cells"
        print(f"  {key}: {extremes}, {low} below 0.93, {high} above 0.97")


def main() -> None:
    """Simulate what is missing, or print what there is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", action="append", choices=sorted(KINDS))
    parser.add_argument("--repetitions", type=int, help="instead of those of config.toml")
    parser.add_argument("--most", type=int, help="cells to simulate now")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=HERE / "results.jsonl")
    parser.add_argument("--summary", action="store_true")
    given = parser.parse_args()
    lines = read(given.out)
    if given.summary:
        summary(lines)
        return
    config = tomllib.loads((HERE / "config.toml").read_text(encoding="utf-8"))
    done = [line["cell"] for line in lines]
    missing = [cell for cell in cells(config, given.kind or list(KINDS)) if cell not in done]
    chosen = missing[: given.most]
    work = (
        delayed(run)(
            cell,
            given.repetitions or config[cell["kind"]].get("repetitions", config["repetitions"]),
        )
        for cell in chosen
    )
    given.out.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with given.out.open("a", encoding="utf-8") as file:
        for line in Parallel(n_jobs=given.jobs, return_as="generator_unordered")(work):
            file.write(json.dumps(line) + "\n")
            file.flush()
            print(f"{line['cell']}: {line['cpu_s']} s", flush=True)


if __name__ == "__main__":
    main()
