"""Writing of games in any format, and what gets lost by that.

What a format cannot hold is not written down anywhere: a game that was written is read again, and
what differs is said. Nothing here opens a file.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, count
from typing import Final

from gomoku_lab.game.formats.catalogue import Format
from gomoku_lab.game.formats.foreign import Unsaid, without_setup
from gomoku_lab.game.formats.reading import Problem, Reading
from gomoku_lab.game.record import UNKNOWN, GameRecord
from gomoku_lab.game.rules import Rule

_LONGEST_NAME: Final = 100


@dataclass(frozen=True, slots=True)
class GameText:
    """A game in a format.

    Attributes
    ----------
    name : str
        A name for its file, where each game has one, different from those of the other games.
    text : str
        The text.
    """

    name: str
    text: str


def write_games(games: Iterable[GameRecord], form: Format) -> Reading[GameText]:
    """Return the text of each game, or why it has none, and what the texts do not keep.

    Formats whose files have a head get it with the first text.
    """
    texts: list[GameText] = []
    problems: list[Problem] = []
    notes: list[str] = []
    names: set[str] = set()
    size = None
    for game in games:
        name = _unused_name(game, form, names)
        try:
            if form.one_size and size not in (None, game.size):
                raise ValueError(
                    f"all games of one file must have the same board size, {size}: {game.size}"
                )
            text, lost = _write_and_compare(game, form, name)
        except ValueError as error:
            problems.append(Problem(f"game {game.id}", 0, f"not written as {form.name}: {error}"))
            continue
        if size is None:
            size = game.size
            text = form.head(size) + text
        names.add(name)
        texts.append(GameText(name, text))
        notes += lost
    return Reading(tuple(texts), tuple(problems), tuple(notes))


def _unused_name(game: GameRecord, form: Format, used: Container[str]) -> str:
    """Return a name for the file of one game, from its id."""
    safe = "".join(letter if letter.isalnum() or letter in "-_.()" else "_" for letter in game.id)
    stem = safe.strip(".")[:_LONGEST_NAME] or "game"
    names = chain([stem], (f"{stem}-{number}" for number in count(2)))
    return next(name for stem in names if (name := stem + form.suffix) not in used)


def _write_and_compare(game: GameRecord, form: Format, name: str) -> tuple[str, list[str]]:
    """Return the text of a game without the file's head, and what is lost in a file `name`."""
    held = game if form.holds_setup else without_setup(game)
    text = form.write(held)
    unsaid = Unsaid(game.rule, game.size)
    reading = form.read((form.head(game.size) + text).encode(), name, unsaid)
    if len(reading.items) != 1:
        why = reading.problems[0].reason if reading.problems else "it would not be one game"
        raise ValueError(f"it could not be read again: {why}")
    back = reading.items[0]
    if back.moves != held.moves:
        raise ValueError(f"it would be read as other moves: {back.moves}")
    lost = [words for words, value in _differing(held, back) if value]
    if held is not game:
        lost.append("order of the stones set up")
    if not form.holds_rule and game.rule is not Rule.FREESTYLE:
        lost.append("rule")
    return text, lost


def _differing(game: GameRecord, back: GameRecord) -> Iterator[tuple[str, bool]]:
    """Yield everything that a record may say, in words, and whether `back` no longer says it."""
    yield "id", game.id != back.id and not _is_opening(game)
    yield "names of the players", _names(game) != _names(back)
    yield "configurations of the players", _hashes(game) != _hashes(back)
    for words, key in _SINGLE:
        yield words, getattr(game, key) != getattr(back, key)
    for words, key in _COLUMNS:
        before, after = getattr(game, key), getattr(back, key)
        yield words, before != after and any(value is not None for value in before)


_SINGLE: Final = (
    ("pair", "pair"),
    ("name of the opening", "opening"),
    ("end of the opening", "opening_moves"),
    ("rule", "rule"),
    ("board size", "size"),
    ("result", "result"),
    ("reason of the end", "reason"),
    ("detail of the end", "detail"),
    ("seed", "seed"),
    ("whether it can be repeated", "reproducible"),
    ("stones set up", "setup"),
)
_COLUMNS: Final = (
    ("exact times", "time_ms"),
    ("nodes", "nodes"),
    ("depths", "depth"),
    ("scores", "score"),
)


def _is_opening(game: GameRecord) -> bool:
    """Tell whether nobody has played: then the id is but the name of a file and a number."""
    return game.opening_moves == game.plies and game.result == UNKNOWN


def _names(game: GameRecord) -> tuple[str, str]:
    return game.black.name, game.white.name


def _hashes(game: GameRecord) -> tuple[str, str]:
    return game.black.config_hash, game.white.config_hash
