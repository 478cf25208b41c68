"""``gomoku-lab convert``: games and openings from one file format to another."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gomoku_lab.cli.errors import CHECK_FAILED, clean_errors, fail

if TYPE_CHECKING:
    from gomoku_lab.game.formats.catalogue import Format
    from gomoku_lab.game.formats.foreign import Unsaid
    from gomoku_lab.game.formats.reading import Problem, Reading
    from gomoku_lab.game.formats.writing import GameText
    from gomoku_lab.game.record import GameRecord

_STANDARD = "-"
_LOG = "games.jsonl"
_PROBLEMS_SHOWN = 20


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("--to", "target", required=True, metavar="FORMAT", help="What to write.")
@click.option("--from", "given", metavar="FORMAT", help="What to read. [default: guessed]")
@click.option(
    "--out",
    metavar="FILE|DIR|-",
    default=_STANDARD,
    show_default=True,
    help="Where to; a folder for formats that hold one game a file.",
)
@click.option("--rule", metavar="RULE", help="Rule of games whose file does not say it.")
@click.option(
    "--size", type=int, metavar="N", help="Board size of games whose file does not say it."
)
def command(
    inputs: tuple[str, ...],
    target: str,
    given: str | None,
    out: str,
    rule: str | None,
    size: int | None,
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
    counted there. Exit code 1 if something could not be read or written, 2 if nothing could.
    """  # noqa: D301 - click's mark for lines that stay as they are
    from gomoku_lab.game.formats.catalogue import find_format
    from gomoku_lab.game.formats.foreign import Unsaid
    from gomoku_lab.game.formats.writing import write_games
    from gomoku_lab.game.rules import check_size, parse_rule_name

    with clean_errors():
        form = find_format(target)
        source_form = None if given is None else find_format(given)
        unsaid = Unsaid(
            None if rule is None else parse_rule_name(rule),
            None if size is None else check_size(size),
        )
        reading = _read_all(inputs, source_form, unsaid)
    _tell_problems(reading.problems)
    if not reading.items:
        fail(f"nothing could be read from {_count(len(inputs), 'input')}")
    written = write_games(reading.items, form)
    _tell_problems(written.problems)
    if not written.items:
        fail(f"no game could be written as {form.name}")
    with clean_errors():
        _write(written.items, form, out)
    _tell_notes("input", reading.notes)
    _tell_notes(f"not kept by {form.name}", written.notes)
    failed = len(reading.problems), len(written.problems)
    click.echo(
        f"{_count(len(reading.items), 'game')} read, {failed[0]} not readable; "
        f"{len(written.items)} written, {failed[1]} not writable",
        err=True,
    )
    if any(failed):
        raise SystemExit(CHECK_FAILED)


def _read_all(inputs: Sequence[str], form: Format | None, unsaid: Unsaid) -> Reading[GameRecord]:
    from gomoku_lab.game.formats.catalogue import read_games
    from gomoku_lab.game.formats.reading import Reading

    readings = []
    for name in inputs:
        source, data = _content(name)
        readings.append(read_games(data, source, form, unsaid))
    return Reading.joined(readings)


def _content(name: str) -> tuple[str, bytes]:
    """Return the name for messages and the bytes of an input."""
    if name == _STANDARD:
        return "stdin", sys.stdin.buffer.read()
    path = Path(name)
    if path.is_dir():
        path = path / _LOG
        if not path.is_file():
            raise ValueError(f"{name}: a folder must be a run folder, with a file {_LOG}")
    return str(path), path.read_bytes()


def _write(texts: Sequence[GameText], form: Format, out: str) -> None:
    if form.one_a_file and (len(texts) > 1 or Path(out).is_dir()):
        if out == _STANDARD:
            raise ValueError(
                f"{form.name} holds one game a file, and there are {len(texts)}: "
                "give a folder, --out DIR"
            )
        folder = Path(out)
        folder.mkdir(parents=True, exist_ok=True)
        for one in texts:
            (folder / one.name).write_bytes(one.text.encode())
        return
    data = "".join(one.text for one in texts).encode()
    if out == _STANDARD:
        click.echo(data, nl=False)
    else:
        Path(out).write_bytes(data)


def _tell_problems(problems: Sequence[Problem]) -> None:
    for problem in problems[:_PROBLEMS_SHOWN]:
        click.echo(str(problem), err=True)
    if len(problems) > _PROBLEMS_SHOWN:
        click.echo(f"... and {len(problems) - _PROBLEMS_SHOWN} more", err=True)


def _tell_notes(what: str, notes: Sequence[str]) -> None:
    if notes:
        counted = ", ".join(f"{note} ({count})" for note, count in Counter(notes).most_common())
        click.echo(f"{what}: {counted}", err=True)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
