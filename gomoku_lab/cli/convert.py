"""``gomoku-lab convert``: games and openings from one file format to another."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gomoku_lab.cli.errors import CHECK_FAILED, clean_errors, fail
from gomoku_lab.cli.paths import AnyName

if TYPE_CHECKING:
    from gomoku_lab.game.formats.catalogue import Format
    from gomoku_lab.game.formats.foreign import Unsaid
    from gomoku_lab.game.formats.reading import Problem, Reading
    from gomoku_lab.game.formats.writing import GameText
    from gomoku_lab.game.record import GameRecord

_SCHEMA_VERSION = 1
_STANDARD = "-"
_FACTS = "run.json"
_LOG = "games.jsonl"
_PROBLEMS_SHOWN = 20


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...", type=AnyName())
@click.option("--to", "target", required=True, metavar="FORMAT", help="What to write.")
@click.option("--from", "given", metavar="FORMAT", help="What to read. [default: guessed]")
@click.option(
    "--out",
    type=AnyName(),
    metavar="FILE|DIR|-",
    default=_STANDARD,
    show_default=True,
    help="Where to; a folder for formats that hold one game a file.",
)
@click.option("--rule", metavar="RULE", help="Rule of games whose file does not say it.")
@click.option(
    "--size", type=int, metavar="N", help="Board size of games whose file does not say it."
)
@click.option("--force", is_flag=True, help="Overwrite files, but for inputs and those of a run.")
@click.option("--json", "as_json", is_flag=True, help="Print a summary as JSON; --out is needed.")
def command(
    inputs: tuple[str, ...],
    target: str,
    given: str | None,
    out: str,
    rule: str | None,
    size: int | None,
    force: bool,
    as_json: bool,
) -> None:
    """Convert games and openings from one file format to another.

    An INPUT is a file, a run folder, or - for stdin. The FORMATs:

    \b
    games      JSON lines as in a run's games.jsonl; reads plain objects as well
    sgf        Smart Game Format, any number of games
    psq        Piskvork's file of one game
    psq-judge  the same as the Gomocup judge writes it, with the result
    moves      a move string a line, rows from the bottom: this lab, Yixin-Board
    pos        a move string a line, rows from the top: c-gomoku-cli, Rapfi
    offset     an opening a line, offsets from the centre: Gomocup, Piskvork

    Without --from the format is guessed where only one comes into question; moves and pos cannot
    be told apart and have to be named. Games whose result contradicts their moves are not believed.
    What could not be read or written is listed on stderr, and what the new format does not keep is
    counted there. A file that exists is not overwritten without --force, and an input or a file of
    a run never. Exit code 1 if something could not be read or written, 2 if nothing could.
    """  # noqa: D301 - click's mark for lines that stay as they are
    from gomoku_lab.game.formats.catalogue import find_format
    from gomoku_lab.game.formats.foreign import Unsaid
    from gomoku_lab.game.formats.reading import Reading
    from gomoku_lab.game.formats.writing import write_games
    from gomoku_lab.game.rules import check_size, parse_rule

    with clean_errors():
        if as_json and out == _STANDARD:
            raise ValueError("--json tells which files were written: give --out FILE or DIR")
        form = find_format(target)
        unsaid = Unsaid(
            None if rule is None else parse_rule(rule),
            None if size is None else check_size(size),
        )
        sources = [_path(name) for name in inputs]
        readings = _read_all(sources, given, unsaid)
    reading = Reading.joined(readings)
    _tell_problems(reading.problems)
    if not reading.items:
        fail(f"nothing could be read from {_count(len(inputs), 'input')}")
    written = write_games(reading.items, form)
    _tell_problems(written.problems)
    if not written.items:
        fail(f"no game could be written as {form.name}")
    with clean_errors():
        files = _write(written.items, form, out, sources, force=force)
    _tell_summary(reading, written, form)
    if as_json:
        click.echo(json.dumps(_values(sources, readings, written, form, files), indent=1))
    if reading.problems or written.problems:
        raise SystemExit(CHECK_FAILED)


def _read_all(
    sources: Iterable[Path | None], given: str | None, unsaid: Unsaid
) -> list[Reading[GameRecord]]:
    from gomoku_lab.game.formats.catalogue import find_format, read_games

    form = None if given is None else find_format(given)
    readings = []
    for path in sources:
        data = sys.stdin.buffer.read() if path is None else path.read_bytes()
        readings.append(read_games(data, _name(path), form, unsaid))
    return readings


def _path(name: str) -> Path | None:
    """Return the file of an input, None for stdin."""
    if name == _STANDARD:
        return None
    path = Path(name)
    if path.is_dir():
        path = path / _LOG
        if not path.is_file():
            raise ValueError(f"{name}: a folder must be a run folder, with a file {_LOG}")
    return path


def _name(path: Path | None) -> str:
    return "stdin" if path is None else str(path)


def _write(
    texts: Sequence[GameText],
    form: Format,
    out: str,
    sources: Iterable[Path | None],
    *,
    force: bool,
) -> list[Path]:
    """Write all files or none of them, if one may not be overwritten; return them."""
    folder = None
    if form.one_a_file and (len(texts) > 1 or Path(out).is_dir()):
        if out == _STANDARD:
            raise ValueError(
                f"{form.name} holds one game a file, and there are {len(texts)}: "
                "give a folder, --out DIR"
            )
        folder = Path(out)
        files = {folder / one.name: one.text.encode() for one in texts}
    else:
        data = "".join(one.text for one in texts).encode()
        if out == _STANDARD:
            click.echo(data, nl=False)
            return []
        files = {Path(out): data}
    for path in files:
        _check_may_be_written(path, sources, force=force)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    for path, data in files.items():
        path.write_bytes(data)
    return list(files)


def _check_may_be_written(path: Path, sources: Iterable[Path | None], *, force: bool) -> None:
    there = path.is_file()  # a device is none, and may be written to
    if there and any(source is not None and path.samefile(source) for source in sources):
        raise ValueError(f"{path}: this is an input, which is never overwritten")
    real = path.resolve()
    if (there or real.name == _LOG) and (real.parent / _FACTS).is_file():
        raise ValueError(f"{path}: the files of a run are never overwritten")
    if there and not force:
        raise ValueError(f"{path}: this file exists already; --force overwrites it")


def _values(
    sources: Iterable[Path | None],
    readings: Sequence[Reading[GameRecord]],
    written: Reading[GameText],
    form: Format,
    files: Sequence[Path],
) -> dict[str, object]:
    """Return what was read and written, for programs."""
    notes = [note for reading in readings for note in reading.notes]
    return {
        "schema": _SCHEMA_VERSION,
        "format": form.name,
        "read": [
            {
                "name": _name(path),
                "games": len(reading.items),
                "problems": [asdict(problem) for problem in reading.problems],
            }
            for path, reading in zip(sources, readings, strict=True)
        ],
        "notes": dict(Counter(notes).most_common()),
        "written": [str(path) for path in files],
        "games": len(written.items),
        "problems": [asdict(problem) for problem in written.problems],
        "not_kept": dict(Counter(written.notes).most_common()),
    }


def _tell_problems(problems: Sequence[Problem]) -> None:
    for problem in problems[:_PROBLEMS_SHOWN]:
        click.echo(str(problem), err=True)
    if len(problems) > _PROBLEMS_SHOWN:
        click.echo(f"... and {len(problems) - _PROBLEMS_SHOWN} more", err=True)


def _tell_notes(what: str, notes: Sequence[str]) -> None:
    if notes:
        counted = ", ".join(f"{note} ({count})" for note, count in Counter(notes).most_common())
        click.echo(f"{what}: {counted}", err=True)


def _tell_summary(reading: Reading[GameRecord], written: Reading[GameText], form: Format) -> None:
    _tell_notes("input", reading.notes)
    _tell_notes(f"not kept by {form.name}", written.notes)
    click.echo(
        f"{_count(len(reading.items), 'game')} read, {len(reading.problems)} not readable; "
        f"{len(written.items)} written, {len(written.problems)} not writable",
        err=True,
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
