"""``gomoku-lab fit``: pattern weights, a learned table or a move order from finished games."""

from __future__ import annotations

import hashlib
import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gomoku_lab.cli.errors import clean_errors, fail
from gomoku_lab.cli.options import RecordingCommand, recorded_words
from gomoku_lab.cli.paths import PathName
from gomoku_lab.cli.progress import progress, say

if TYPE_CHECKING:
    from gomoku_lab.arena.imported import AnyRun
    from gomoku_lab.engine.config import EngineConfig
    from gomoku_lab.players.registry import PlayerSpec
    from gomoku_lab.tuning.choices import Choices
    from gomoku_lab.tuning.fits import TableFit, WeightsFit
    from gomoku_lab.tuning.orders import OrderFit
    from gomoku_lab.tuning.samples import Samples

    AnyFit = WeightsFit | TableFit | OrderFit

_SCHEMA_VERSION = 1
_SUFFIXES = {"weights": ".toml", "table": ".json", "order": ".json"}


@click.command(cls=RecordingCommand)
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=PathName())
@click.option(
    "--model",
    type=click.Choice(tuple(_SUFFIXES)),
    required=True,
    help="weights: the pattern weights and the defence factor; table: a learned table; order: a "
    "learned move order.",
)
@click.option(
    "--base",
    default="lab/v1",
    show_default=True,
    metavar="PLAYER",
    help="The player whose weights are fitted, or with which a table or an order is compared.",
)
@click.option(
    "--out",
    type=PathName(),
    required=True,
    metavar="FILE",
    help="The file to make: a player (.toml) for weights, else a table (.json).",
)
@click.option("--seed", type=int, default=0, help="Lots of the held-out games. [default: 0]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--quiet", "-q", is_flag=True, help="No progress on stderr.")
def command(
    runs: tuple[Path, ...],
    model: str,
    base: str,
    out: Path,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Fit an evaluation, or an order of moves, to the games in one or more runs.

    RUN is the folder of self-play (tournament --format selfplay), of any other tournament or match,
    or of imported games. From every position in which a move was chosen logistic regression learns
    how the game ended; a tenth of the openings is held out to tell how well. Draws count half,
    forfeited games are left out. Nothing says yet that the result plays better: play it against
    the base.

    A move order learns from the same positions which of the candidates was chosen: from games of
    wide searches, or it learns what they had left out.
    """
    with clean_errors():
        spec, config = _base(base)
        _check_out(out, model)
        loaded = _load(runs, quiet)
        found, data, lines = _fit(model, loaded, config, seed, quiet)
    facts = {**_facts(loaded), **data, "base": spec.name, "seed": seed, **found.facts()}
    with clean_errors():
        out.write_text(_file_text(found, spec, facts), encoding="utf-8")
    if as_json:
        values = {"schema": _SCHEMA_VERSION, "out": str(out), **found.to_dict(), "facts": facts}
        click.echo(json.dumps(values, indent=1, allow_nan=False))
    else:
        for line in lines:
            click.echo(line)
    use = {"weights": "", "table": f"evaluation={out}", "order": f"selective=true,move_order={out}"}
    player = f"{spec.name}:{use[model]}" if use[model] else str(out)
    words = shlex.join([player, "--over", spec.name])
    say(f"wrote {out}; does it play better? gomoku-lab accept {words}", quiet=quiet)


def _fit(
    model: str, loaded: list[AnyRun], config: EngineConfig, seed: int, quiet: bool
) -> tuple[AnyFit, dict[str, Any], list[str]]:
    """Return what was fitted, the facts of what it learned from, and the lines that tell of it."""
    from gomoku_lab.cli.fitted import choice_lines, data_lines, fit_lines

    def on_step(text: str) -> None:
        say(text, quiet=quiet)

    count = sum(run.game_count for run in loaded)
    if model == "order":
        from gomoku_lab.tuning.choices import collect_choices
        from gomoku_lab.tuning.orders import fit_order

        with progress(count, "games", quiet=quiet) as meter:
            choices = collect_choices(loaded, config, on_game=meter.advance)
        order = fit_order(choices, seed=seed, on_step=on_step)
        return order, _choice_facts(choices), [*choice_lines(choices, order)]
    from gomoku_lab.tuning.fitting import fit_table, fit_weights, split
    from gomoku_lab.tuning.samples import collect_samples

    with progress(count, "games", quiet=quiet) as meter:
        samples = collect_samples(loaded, window=config.window, on_game=meter.advance)
    fitter = fit_weights if model == "weights" else fit_table
    found = fitter(samples, config, split(samples, seed=seed), on_step=on_step)
    lines = [*data_lines(samples, found.judgement), "", *fit_lines(found)]
    return found, _sample_facts(samples), lines


def _base(name: str) -> tuple[PlayerSpec, EngineConfig]:
    """Return the base and its configuration; ConfigError if it is no player of the engine."""
    from gomoku_lab.engine.config import ConfigError, EngineConfig
    from gomoku_lab.players.registry import resolve

    spec = resolve(name)
    if not isinstance(spec.config, EngineConfig):
        raise ConfigError(f"--base must be a player of the engine, such as lab/max: {name!r}")
    return spec, spec.config


def _check_out(out: Path, model: str) -> None:
    """End the command if the file cannot be made, before anything long is done."""
    if out.suffix != _SUFFIXES[model]:
        fail(f"--out must end in {_SUFFIXES[model]} for --model {model}: {str(out)!r}")
    if out.exists():
        fail(f"{out}: there is a file already; give another name")
    if not out.parent.is_dir():
        fail(f"{out.parent}: no such folder")


def _load(runs: tuple[Path, ...], quiet: bool) -> list[AnyRun]:
    from gomoku_lab.arena.imported import load_any_run
    from gomoku_lab.engine.engine import warm_up

    warm_up(lambda message: say(message, quiet=quiet))
    loaded = []
    for path in runs:
        say(f"reading {path}", quiet=quiet)
        loaded.append(load_any_run(path))
    return loaded


def _facts(loaded: list[AnyRun]) -> dict[str, Any]:
    """Return where a fit comes from, for its file."""
    from gomoku_lab.arena.provenance import provenance

    now = provenance()
    git = now["git"] or {}
    return {
        "command": shlex.join(recorded_words()),
        "version": now["version"],
        "commit": git.get("commit"),
        "commit_dirty": git.get("dirty"),
        "runs": {str(run.path): _run_facts(run) for run in loaded},
        "rule": str(loaded[0].rule),
    }


def _choice_facts(choices: Choices) -> dict[str, Any]:
    return {
        "games": len(choices.openings),
        "left_out": dict(choices.left_out),
        "positions": len(choices),
    }


def _sample_facts(samples: Samples) -> dict[str, Any]:
    return {
        "games": len(samples.openings),
        "left_out": dict(samples.left_out),
        "positions": len(samples),
        "distinct_positions": samples.distinct,
        "settled_positions": int(samples.settled.sum()),
    }


def _run_facts(run: AnyRun) -> dict[str, Any]:
    from gomoku_lab.arena.log import GAMES_FILE

    with (run.path / GAMES_FILE).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {
        "hash": run.facts["hash"],
        "games_sha256": digest,
        "games": run.game_count,
        "players": [ref.name for ref in run.refs],
    }


def _file_text(found: AnyFit, base: PlayerSpec, facts: dict[str, Any]) -> str:
    """Return the text of the player or of the table that was fitted."""
    from gomoku_lab.players.families import family_named
    from gomoku_lab.players.files import PlayerFile
    from gomoku_lab.tuning.fits import WeightsFit

    if not isinstance(found, WeightsFit):
        return replace(found.table, facts=facts).to_json()
    return PlayerFile(
        family=family_named(base.family, base.name),
        config=found.config,
        description=f"{base.name}, its weights fitted to {facts['games']} games",
        required=base.required,
        required_without_noise=base.required,
        order=0,
        provenance=facts,
    ).to_toml()
