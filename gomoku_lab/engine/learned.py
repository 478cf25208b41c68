"""Learned tables: a value for each unordered four-direction code, own and opponent's.

The grades of a point's four directions, in any order, are its code (1,820 of them, fives left out).
A table says what a point of each code is worth to the side to move if it is its own, and what it
costs if it is the opponent's, in thousandths of a log-odds unit: an evaluation of 1000 means that
the side to move wins with probability 1 / (1 + e^-1) = 73 %. A table of the other kind, a learned
move order, says how likely a point is to be played, in the same unit: of two points, one worth
1000 more is e = 2.7 times as likely the best. `engine.tables` puts a table into the form that the
kernels read; fitting one is not done here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from gomoku_lab.engine.settings import ConfigError
from gomoku_lab.game.formats.text import read_text
from gomoku_lab.kernels import layout

SCHEMA_VERSION: Final = 1
UNIT: Final = 1_000
"""Evaluation units in one unit of log-odds."""
GRADE_NAMES: Final = (
    *("none", "one", "one+", "two", "open two", "open two+", "open two++", "three", "three+"),
    *("open three", "open three+", "four", "open four", "five"),
)
"""What the four-bit grades are called: a class, and plus signs for more ways to lead on."""
FIVE_GRADE: Final = len(GRADE_NAMES) - 1
COMBINATIONS: Final = tuple(combinations_with_replacement(range(FIVE_GRADE - 1, -1, -1), 4))
"""The unordered codes: four grades, the strongest first. The last one is none four times."""
THREAT_NAMES: Final = tuple(
    ", ".join(
        name
        for name, held in (
            ("five", state // 24 % 2),
            ("open four", state // 12 % 2),
            ("four-three", state // 6 % 2),
            ("four", state // 3 % 2),
            ("double three", state % 3 == 2),
            ("three", state % 3 == 1),
        )
        if held
    )
    or "none"
    for state in range(layout.THREAT_STATES)
)
"""What threats a colour has at hand: which combined classes it has points of (`threats_held`)."""
NO_COMBINATION: Final = len(COMBINATIONS)
"""What `combination_of_code` says of a code with a five, or with an unused grade."""
_SHIPPED: Final = Path(__file__).resolve().parent / "evaluations"
_LARGEST: Final = 10_000_000
"""Keeps the sum over a board inside the range of an evaluation."""


@cache
def combination_of_code() -> npt.NDArray[np.int32]:
    """Return the number of the unordered code of each four-direction code: int32[65536]."""
    codes = np.arange(layout.CODES)
    grades = np.stack([(codes >> (4 * direction)) & 15 for direction in range(4)])
    ordered = np.sort(grades, axis=0)[::-1]
    key = ordered.T @ (16 ** np.arange(3, -1, -1))
    numbers = np.full(16**4, NO_COMBINATION, np.int32)
    for combination, number in _numbers().items():
        numbers[sum(grade << (4 * (3 - place)) for place, grade in enumerate(combination))] = number
    found = numbers[key]
    found.setflags(write=False)
    return found


def _no_threats() -> npt.NDArray[np.int32]:
    return np.zeros((layout.THREAT_STATES, layout.THREAT_STATES), np.int32)


KINDS: Final = {"evaluation": "evaluation", "move_order": "move order"}
"""What the tables are for, by the configuration's key that names one."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LearnedTable:
    """A learned evaluation, or a learned move order.

    Attributes
    ----------
    kind : str
        ``evaluation`` or ``move_order``. A move order has neither threats nor tempo; its `own` is
        what the side to move makes there, its `other` what it takes from the opponent.
    own, other : int32[1820]
        What a point of each code is worth to the side to move, and what one of the opponent's
        costs it, in thousandths of a log-odds unit, -1e7..1e7. A point without any shape is worth
        nothing.
    threats : int32[48, 48]
        What it is worth besides that the side to move (row) and its opponent (column) have these
        threats at hand; numbers as in `THREAT_NAMES`.
    tempo : int
        What being to move is worth besides.
    own_error, other_error, threats_error : int32 arrays or None
        How sure a fit was of the values: standard errors, 0 for what it never saw; None where
        nobody said. Not part of the hash.
    facts : mapping
        Where it comes from: data, commands, seeds. Not part of the hash.
    """

    kind: str = "evaluation"
    own: npt.NDArray[np.int32]
    other: npt.NDArray[np.int32]
    threats: npt.NDArray[np.int32] = field(default_factory=_no_threats)
    tempo: int = 0
    own_error: npt.NDArray[np.int32] | None = None
    other_error: npt.NDArray[np.int32] | None = None
    threats_error: npt.NDArray[np.int32] | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        errors = (self.own_error, self.other_error, self.threats_error)
        if any(one is None for one in errors) and any(one is not None for one in errors):
            raise ValueError("own_error, other_error and threats_error belong together")
        codes, states = (len(COMBINATIONS),), (layout.THREAT_STATES,) * 2
        for name, shape in (("own", codes), ("other", codes), ("threats", states)):
            self._check(name, shape)
            if errors[0] is not None:
                self._check(f"{name}_error", shape)
        for name in ("own", "other"):
            last = getattr(self, name)[-1]
            if last != 0:
                raise ValueError(f"{name} must be 0 for a point without any shape: {last}")
        if abs(self.tempo) > _LARGEST:
            raise ValueError(f"tempo must be -{_LARGEST}..{_LARGEST}: {self.tempo}")
        if self.kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}: {self.kind!r}")
        if self.kind == "move_order" and (self.tempo or self.threats.any()):
            raise ValueError("a move order has neither threats nor tempo")

    def _check(self, name: str, shape: tuple[int, ...]) -> None:
        """Make sure that an array is what it must be, and is never changed."""
        values = np.asarray(getattr(self, name))
        if values.shape != shape or values.dtype.kind != "i":
            wanted = " x ".join(map(str, shape))
            raise ValueError(
                f"{name} must hold {wanted} whole numbers: {values.dtype}{list(values.shape)}"
            )
        if np.abs(values.astype(np.int64)).max() > _LARGEST:
            raise ValueError(f"{name} must be -{_LARGEST}..{_LARGEST}")
        values = values.astype(np.int32)
        values.setflags(write=False)
        object.__setattr__(self, name, values)

    @property
    def digest(self) -> str:
        """Give 12 hexadecimal digits that change when any value changes."""
        values = [np.array([self.tempo]), self.own, self.other, self.threats.ravel()]
        return hashlib.sha256(np.concatenate(values).astype("<i4").tobytes()).hexdigest()[:12]

    def to_json(self) -> str:
        """Return the text of a table file: one line a code, or state of the threats, of any worth.

        A line of a code holds its four grades, what it is worth, what the opponent's costs, and the
        standard errors of both where they are known; one of the threats both sides' names, what
        they are worth, and the error.
        """
        head = {
            "schema": SCHEMA_VERSION,
            "kind": f"learned {KINDS[self.kind]}",
            "unit": f"1/{UNIT} of a log-odds unit",
            "hash": self.digest,
            "facts": dict(self.facts),
            "tempo": self.tempo,
        }
        parts = [json.dumps(head, indent=1)[:-2]]
        for key, rows in (("threats", self._threat_rows()), ("rows", self._code_rows())):
            lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
            parts.append(f' "{key}": [\n{lines}\n ]' if rows else f' "{key}": []')
        return ",\n".join(parts) + "\n}\n"

    def _code_rows(self) -> list[list[Any]]:
        columns = [self.own, self.other]
        if self.own_error is not None and self.other_error is not None:
            columns += [self.own_error, self.other_error]
        values = np.stack(columns, axis=1).tolist()
        return [
            [[GRADE_NAMES[grade] for grade in combination], *row]
            for combination, row in zip(COMBINATIONS, values, strict=True)
            if any(row)
        ]

    def _threat_rows(self) -> list[list[Any]]:
        columns = [self.threats]
        if self.threats_error is not None:
            columns.append(self.threats_error)
        values = np.stack(columns, axis=2).tolist()
        return [
            [own, other, *row]
            for own, rows in zip(THREAT_NAMES, values, strict=True)
            for other, row in zip(THREAT_NAMES, rows, strict=True)
            if any(row)
        ]

    @classmethod
    def from_json(cls, text: str, *, source: str) -> LearnedTable:
        """Return the table that `to_json` wrote.

        Raises
        ------
        ConfigError
            If it is not such a text, or its hash is not that of its values; names `source`.
        """
        try:
            values = json.loads(text)
            if not isinstance(values, dict) or values.get("schema") != SCHEMA_VERSION:
                raise ValueError(f"a JSON object with schema {SCHEMA_VERSION} is wanted")
            kinds = {f"learned {name}": kind for kind, name in KINDS.items()}
            table = cls(
                kind=kinds[values["kind"]],
                **_read_codes(values["rows"]),
                **_read_threats(values["threats"]),
                tempo=int(values["tempo"]),
                facts=values["facts"],
            )
            wanted = values["hash"]
        except (KeyError, TypeError, ValueError) as error:
            raise ConfigError(f"{source}: not a learned table: {error}") from error
        if table.digest != wanted:
            raise ConfigError(
                f"{source}: its values have hash {table.digest}, it says {wanted!r}: it was changed"
            )
        return table


def _read_codes(rows: Sequence[Sequence[Any]]) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays that the rows of codes hold."""
    names = ("own", "other", "own_error", "other_error")
    has_errors = bool(rows) and len(rows[0]) == 5
    columns = np.zeros((4 if has_errors else 2, len(COMBINATIONS)), np.int64)
    for row in rows:
        columns[:, _number(row, 1 + len(columns))] = [int(value) for value in row[1:]]
    return dict(zip(names, columns, strict=False))


def _read_threats(rows: Sequence[Sequence[Any]]) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays that the rows of threats hold."""
    states = {name: state for state, name in enumerate(THREAT_NAMES)}
    has_errors = bool(rows) and len(rows[0]) == 4
    tables = np.zeros((2 if has_errors else 1, len(states), len(states)), np.int64)
    for row in rows:
        if len(row) != 2 + len(tables) or not {*row[:2]} <= states.keys():
            raise ValueError(f"a row of threats must hold two of their names, and values: {row!r}")
        tables[:, states[row[0]], states[row[1]]] = [int(value) for value in row[2:]]
    return dict(zip(("threats", "threats_error"), tables, strict=False))


@cache
def _numbers() -> dict[tuple[int, ...], int]:
    return {combination: number for number, combination in enumerate(COMBINATIONS)}


def _number(row: Sequence[Any], length: int) -> int:
    """Return the number of the code that a row of a file names."""
    names, *_ = row
    unknown = [name for name in names if name not in GRADE_NAMES[:FIVE_GRADE]]
    if unknown or len(names) != 4 or len(row) != length:
        raise ValueError(
            f"a row must hold four of {', '.join(GRADE_NAMES[:-1])}; {length - 1} values: {row!r}"
        )
    grades = sorted((GRADE_NAMES.index(name) for name in names), reverse=True)
    return _numbers()[tuple(grades)]


def table_path(name: str, kind: str = "evaluation") -> Path:
    """Return the file of a table: ``NAME.json`` is a path, any other name is one that ships."""
    if name.endswith(".json"):
        return Path(name)
    path = _SHIPPED / f"{name}.json"
    if not path.is_file():
        shipped = ", ".join(sorted(file.stem for file in _SHIPPED.glob("*.json"))) or "none"
        raise ConfigError(
            f"{kind} must be hand, a .json file or one that ships ({shipped}): {name!r}"
        )
    return path


@lru_cache(maxsize=16)
def load_table(reference: str, kind: str = "evaluation") -> LearnedTable:
    """Return the table that ``NAME@HASH`` names; without a hash, whatever the file holds.

    Raises
    ------
    ConfigError
        If there is no such table of this kind, or it has another hash.
    """
    name, _, digest = reference.partition("@")
    path = table_path(name, kind)
    try:
        text = read_text(path)
    except OSError as error:
        raise ConfigError(f"{kind} {name!r}: cannot read {path}: {error.strerror}") from error
    table = LearnedTable.from_json(text, source=str(path))
    if digest and digest != table.digest:
        raise ConfigError(f"{path}: the table has hash {table.digest}, not {digest!r}")
    if table.kind != kind:
        raise ConfigError(
            f"{path}: it is a learned {KINDS[table.kind]}, not the {KINDS[kind]} wanted"
        )
    return table


def pinned(reference: str, kind: str = "evaluation") -> str:
    """Return ``NAME@HASH`` for a table named with or without its hash; ``hand`` stays."""
    if reference == "hand":
        return reference
    return f"{reference.partition('@')[0]}@{load_table(reference, kind).digest}"
