"""``gomoku-lab import``: games and tables of results from elsewhere into a run folder."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gomoku_lab.cli.errors import CHECK_FAILED, clean_errors, fail
from gomoku_lab.cli.options import RecordingCommand, recorded_words
from gomoku_lab.cli.paths import PathName
from gomoku_lab.cli.progress import say

if TYPE_CHECKING:
    from gomoku_lab.arena.imported import ImportedRun
    from gomoku_lab.arena.intake import SourceFile
    from gomoku_lab.game.formats.foreign import Unsaid
    from gomoku_lab.game.formats.reading import Problem

_SCHEMA_VERSION = 1
_TABLE = "result-table"
_LOG = "games.jsonl"
_COUNTS = "counts.jsonl"
_SUFFIXES = (".psq", ".sgf", ".jsonl", ".txt")
_KINDS_SHOWN = 20


@click.command(cls=RecordingCommand)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=PathName())
@click.option("--out", required=True, metavar="DIR", type=PathName(), help="The run folder.")
@click.option("--from", "given", metavar="FORMAT", help="What to read. [default: guessed]")
@click.option(
    "--rule",
    metavar="RULE",
    help="The rule, where a file does not say it; games under another one are left out.",
)
@click.option(
    "--size",
    type=int,
    metavar="N",
    help="The board size, where a file does not say it; games of another one are left out.",
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    metavar="N",
    help="Games of each pairing in result tables: the rest are draws. [default: not known]",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing about what was left out.")
def command(
    files: tuple[Path, ...],
    out: Path,
    given: str | None,
    rule: str | None,
    size: int | None,
    games: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Take in games and tables of results that were played elsewhere, so that they can be rated.

    FILE holds games in a format that `gomoku-lab convert` reads, or is a result table with lines
    such as 'A - B: wins : losses' (FORMAT result-table), a run folder, or a folder of such files.
    Taken are finished games of two named players, once each; what cannot be read, has no result or
    one that the moves contradict, or stands twice, is left out with its file, line and reason.

    All games must be of one rule and board size. Two games are a pair only where the same players
    began from the same opening with colours swapped. The run can be rated, alone or together with
    others, but not resumed. Exit code 1 if something was left out, 2 if nothing could be taken.
    """
    from gomoku_lab.arena.imported import write_import
    from gomoku_lab.arena.intake import IntakeError, take
    from gomoku_lab.game.formats.foreign import Unsaid
    from gomoku_lab.game.rules import check_size, parse_rule

    with clean_errors():
        unsaid = Unsaid(
            None if rule is None else parse_rule(rule),
            None if size is None else check_size(size),
        )
        _check_format(given)
        sources = [_read(path, given, unsaid) for path in _spread(files)]
        try:
            taken = take(sources, rule=unsaid.rule, size=unsaid.size, games_each=games)
        except IntakeError as error:
            _tell(error.skipped, quiet=quiet)
            raise
        run = write_import(out, taken, command=recorded_words())
    _tell(run.skipped, quiet=quiet)
    for note in run.notes:
        say(f"note: {note}", quiet=quiet)
    click.echo(json.dumps(_values(run), indent=1) if as_json else _text(run))
    say(f"rate them: gomoku-lab rate {shlex.quote(str(run.path))}", quiet=quiet)
    if run.skipped:
        count = len(run.skipped)
        words = "entry was" if count == 1 else "entries were"
        fail(f"{count} {words} left out; run.json in {run.path} lists them", CHECK_FAILED)


def _spread(paths: Sequence[Path]) -> list[Path]:
    """Return the files, those in folders by name."""
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            found.append(path)
        elif (path / _COUNTS).is_file():
            raise ValueError(f"{path}: imported already; rate takes several runs at once")
        elif (path / _LOG).is_file():
            found.append(path / _LOG)
        else:
            inside = [
                one
                for one in sorted(path.iterdir())
                if one.suffix.lower() in _SUFFIXES and not one.is_dir()
            ]
            if not inside:
                raise ValueError(f"{path}: no run and no files {', '.join(_SUFFIXES)} in it")
            found += inside
    return found


def _check_format(given: str | None) -> None:
    from gomoku_lab.game.formats.catalogue import FORMATS

    if given not in (None, _TABLE, *FORMATS):
        raise ValueError(f"--from must be one of {', '.join((*FORMATS, _TABLE))}: {given!r}")


def _read(path: Path, given: str | None, unsaid: Unsaid) -> SourceFile:
    from gomoku_lab.arena.intake import SourceFile
    from gomoku_lab.game.formats.catalogue import FORMATS, guess_format, read_games
    from gomoku_lab.game.formats.reading import Problem, Reading
    from gomoku_lab.game.formats.result_table import looks_like_result_table, parse_result_table
    from gomoku_lab.game.formats.text import decode_foreign

    data, name = path.read_bytes(), str(path)
    file = SourceFile(name=name, sha256=hashlib.sha256(data).hexdigest(), format=_TABLE)
    text = decode_foreign(data)[0]
    if given == _TABLE or (given is None and looks_like_result_table(text)):
        return replace(file, rows=parse_result_table(text, name))
    try:
        form = guess_format(name, data, (_TABLE,)) if given is None else FORMATS[given]
    except ValueError as error:
        problem = Problem(name, 0, str(error).removeprefix(f"{name}: "))
        return replace(file, format="unknown", games=Reading((), (problem,)))
    return replace(file, format=form.name, games=read_games(data, name, form, unsaid))


def _tell(problems: Sequence[Problem], *, quiet: bool) -> None:
    """Say what was left out, those alike in one file in one line."""
    alike: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        alike.setdefault((problem.source, problem.reason), []).append(problem)
    for same in list(alike.values())[:_KINDS_SHOWN]:
        times = "" if len(same) == 1 else f" ({len(same)} times, first here)"
        say(f"left out: {same[0]}{times}", quiet=quiet)
    if len(alike) > _KINDS_SHOWN:
        say(f"left out: ... for {len(alike) - _KINDS_SHOWN} more reasons", quiet=quiet)


def _text(run: ImportedRun) -> str:
    """Return what was taken, for people."""
    players = len({ref.name for ref in run.refs})
    rule = "rule not known" if run.rule is None else str(run.rule)
    board = "board size not known" if run.size is None else f"{run.size}x{run.size}"
    games = "1 game" if run.game_count == 1 else f"{run.game_count} games"
    lines = [f"{run.path}: {games} of {players} players, {rule}, {board}"]
    if run.pairs or run.singles:
        lines.append(f"{2 * len(run.pairs)} of them in pairs, {len(run.singles)} alone")
    if run.counts:
        results = sum(row.games for row in run.counts)
        pairings = "1 pairing" if len(run.counts) == 1 else f"{len(run.counts)} pairings"
        lines.append(f"{results} of them known by the results of {pairings} alone, without colours")
        if any(row.draws is None for row in run.counts):
            lines.append("draws in result tables: not known; --games N says how many were played")
    return "\n".join(lines)


def _values(run: ImportedRun) -> dict[str, object]:
    """Return what was taken, for programs."""
    about = run.facts["imported"]
    return {
        "schema": _SCHEMA_VERSION,
        "run": str(run.path),
        "players": list(dict.fromkeys(ref.name for ref in run.refs)),
        "games": run.game_count,
        "pairs": len(run.pairs),
        "singles": len(run.singles),
        **{key: about[key] for key in ("rule", "size", "counts", "sources", "skipped", "notes")},
    }
