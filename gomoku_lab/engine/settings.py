"""Frozen, self-checking configuration: the base class of every `...Config` in the lab.

It checks values, names the nearest key to a misspelt one, and turns a configuration into a
dictionary, TOML or a hash and back. It knows nothing of any particular configuration.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import math
import numbers
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, replace
from pathlib import Path
from typing import Any, Self

from gomoku_lab.game.formats.text import read_text

Check = Callable[[str, Any], Any]
_ENTRY_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class ConfigError(ValueError):
    """A configuration is wrong; the message names the source, the key and the value."""


def nearest_key(key: str, allowed: Iterable[str]) -> str | None:
    """Return the entry of `allowed` that looks most like `key`, or None if none does."""
    close = difflib.get_close_matches(key, list(allowed), n=1, cutoff=0.6)
    return close[0] if close else None


def unknown_key_message(key: str, value: object, allowed: Iterable[str]) -> str:
    """Return the message for a key that is not in `allowed`, naming the nearest one."""
    names = list(allowed)
    nearest = nearest_key(key, names)
    hint = f"; did you mean {nearest!r}?" if nearest else ";"
    return f"unknown key {key!r} (value {value!r}){hint} allowed: {', '.join(names)}"


def where(source: str, table: str) -> str:
    """Return the start of a message: the source (a file, an expression) and the TOML table."""
    return (f"{source}: " if source else "") + (f"[{table}] " if table else "")


# ---- checks of one value: each is put into a field's metadata, with the range of a number --------


def whole(low: int, high: int, *, zero_is_none: bool = False) -> dict[str, Any]:
    """Describe a whole number in ``low..high``; with `zero_is_none`, 0 and None mean "unset"."""

    def check(key: str, value: Any) -> int | None:
        if zero_is_none and (value is None or _is_zero(value)):
            return None
        if isinstance(value, bool) or not isinstance(value, numbers.Integral):
            raise ConfigError(f"{key} must be a whole number {low}..{high}: {value!r}")
        number = int(value)
        if not low <= number <= high:
            raise ConfigError(f"{key} must be {low}..{high}: {value!r}")
        return number

    return {"check": check, "range": (low, high), "whole": True}


def real(low: float, high: float = math.inf, *, zero_is_none: bool = False) -> dict[str, Any]:
    """Describe a finite number in ``low..high``; with `zero_is_none`, 0 and None mean "unset"."""
    span = f"{low:g} or more" if math.isinf(high) else f"{low:g}..{high:g}"

    def check(key: str, value: Any) -> float | None:
        if zero_is_none and (value is None or _is_zero(value)):
            return None
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise ConfigError(f"{key} must be a number, {span}: {value!r}")
        number = float(value)
        if not (low <= number <= high and math.isfinite(number)):
            raise ConfigError(f"{key} must be {span}: {value!r}")
        return number

    return {"check": check, "range": (low, high), "whole": False}


def flag() -> dict[str, Any]:
    """Describe a switch: true or false."""

    def check(key: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise ConfigError(f"{key} must be true or false: {value!r}")
        return value

    return {"check": check}


def word(*allowed: str) -> dict[str, Any]:
    """Describe a string that is one of `allowed`, or any non-empty one if none are given."""

    def check(key: str, value: Any) -> str:
        if not isinstance(value, str) or not value:
            raise ConfigError(f"{key} must be a non-empty string: {value!r}")
        if allowed and value not in allowed:
            nearest = nearest_key(value, allowed)
            hint = f"; did you mean {nearest!r}?" if nearest else ""
            raise ConfigError(f"{key} must be one of {', '.join(allowed)}: {value!r}{hint}")
        return value

    return {"check": check}


def text() -> dict[str, Any]:
    """Describe a string, which may be empty."""

    def check(key: str, value: Any) -> str:
        if not isinstance(value, str):
            raise ConfigError(f"{key} must be a string: {value!r}")
        return value

    return {"check": check}


def strings() -> dict[str, Any]:
    """Describe a list of strings; it is kept as a tuple."""

    def check(key: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
            raise ConfigError(f"{key} must be a list of strings: {value!r}")
        return tuple(value)

    return {"check": check}


def entries() -> dict[str, Any]:
    """Describe a table with keys of the user's own; it is kept as sorted pairs, to stay frozen."""

    def check(key: str, value: Any) -> tuple[tuple[str, int | float | str], ...]:
        pairs = sorted(value.items() if isinstance(value, Mapping) else value)
        for name, entry in pairs:
            if not _ENTRY_KEY.fullmatch(name):
                raise ConfigError(f"{key}: a key must be a word: {name!r}")
            if isinstance(entry, bool) or not isinstance(entry, int | float | str):
                raise ConfigError(f"{key}.{name} must be a number or a string: {entry!r}")
        return tuple(pairs)

    return {"check": check, "entries": True}


def table(kind: type[Settings]) -> dict[str, Any]:
    """Describe a nested configuration, a TOML table of its own."""

    def check(key: str, value: Any) -> Settings:
        if not isinstance(value, kind):
            raise ConfigError(f"{key} must be a {kind.__name__}: {value!r}")
        return value

    return {"check": check, "table": kind}


def optional(description: dict[str, Any]) -> dict[str, Any]:
    """Let None stand for "unset" beside the values that `description` allows."""
    inner: Check = description["check"]
    return {
        **description,
        "check": lambda key, value: None if value is None else inner(key, value),
    }


def _is_zero(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool) and value == 0


# ---- the base class ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Settings:
    """Base of frozen configurations: every field carries its check in its metadata.

    A subclass is a frozen dataclass with slots whose fields are made with
    ``field(default=..., metadata=whole(1, 64))`` and the like. `check_rules` holds what concerns
    more than one field.
    """

    def __post_init__(self) -> None:
        for item in fields(self):
            check: Check = item.metadata["check"]
            object.__setattr__(self, item.name, check(item.name, getattr(self, item.name)))
        self.check_rules()

    def check_rules(self) -> None:
        """Raise ConfigError where fields contradict each other."""

    @classmethod
    def field_names(cls) -> tuple[str, ...]:
        """Return the names of the fields, in order."""
        return tuple(item.name for item in fields(cls))

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dictionary; nested configurations become dictionaries."""
        return {item.name: _plain(item, getattr(self, item.name)) for item in fields(self)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], *, source: str = "", table: str = "") -> Self:
        """Return the configuration with `values`; keys left out keep their default.

        Parameters
        ----------
        values : mapping
            Keys as in the fields; nested values as mappings or as dotted keys (``weights.two``).
        source : str
            What error messages name: a file or an expression.
        table : str
            TOML table that `values` stand in, for error messages.

        Raises
        ------
        ConfigError
            If a key is unknown or missing, or a value or a combination of values is not allowed.
        """
        keywords = _keywords(cls, values, source, table, None)
        for item in fields(cls):
            if item.name not in keywords and item.default is item.default_factory is MISSING:
                found = ", ".join(keywords) or "nothing"
                raise ConfigError(
                    f"{where(source, table)}the key {item.name!r} is missing; found: {found}"
                )
        try:
            return cls(**keywords)
        except ValueError as error:
            raise ConfigError(where(source, table) + str(error)) from None

    def varied(self, values: Mapping[str, Any], *, source: str = "", table: str = "") -> Self:
        """Return a copy with `values` changed; keys and errors as in `from_dict`."""
        keywords = _keywords(type(self), values, source, table, self)
        try:
            return replace(self, **keywords)
        except ValueError as error:
            raise ConfigError(where(source, table) + str(error)) from None

    def to_toml(self, *, table: str = "") -> str:
        """Return the configuration as TOML, below ``[table]`` if one is named."""
        own, nested = [], []
        for item in fields(self):
            key, value = item.name, getattr(self, item.name)
            inner = f"{table}.{key}" if table else key
            if isinstance(value, Settings):
                nested.append(value.to_toml(table=inner))
            elif "entries" in item.metadata:
                lines = [f"{name} = {toml_value(entry)}\n" for name, entry in value]
                nested += ["".join([f"[{inner}]\n", *lines])] if lines else []
            else:
                # None is a limit that is not set; TOML has no null, and 0 reads back as None.
                own.append(f"{key} = {toml_value(0 if value is None else value)}\n")
        head = f"[{table}]\n" if table else ""
        return "\n".join(["".join([head, *own]), *nested])

    @classmethod
    def from_toml(cls, text: str, *, source: str = "") -> Self:
        """Return the configuration written in the TOML `text`; errors as in `from_dict`."""
        return cls.from_dict(parse_toml(text, source=source), source=source)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return the configuration in the TOML file at `path`."""
        return cls.from_toml(read_text(path), source=str(path))

    def config_hash(self) -> str:
        """Return 12 hexadecimal digits that change when any value changes.

        Only values that are not the default go in, so that a new key whose default is the
        behaviour from before leaves every stored hash as it is.
        """
        return short_hash({"config": type(self).__name__, **self._chosen()})

    def _chosen(self) -> dict[str, Any]:
        """Return the values that differ from their field's default."""
        chosen: dict[str, Any] = {}
        for item in fields(self):
            value = getattr(self, item.name)
            default = item.default
            if item.default_factory is not MISSING:
                default = item.default_factory()
            if value != default:
                chosen[item.name] = value._chosen() if isinstance(value, Settings) else value
        return chosen


def _keywords(
    cls: type[Settings],
    values: Mapping[str, Any],
    source: str,
    table: str,
    current: Settings | None,
) -> dict[str, Any]:
    """Return constructor arguments for `values`, nested tables built, keys checked."""
    found: dict[str, Any] = {}
    known = {item.name: item for item in fields(cls)}
    for key, value in nest(values).items():
        if key not in known:
            raise ConfigError(where(source, table) + unknown_key_message(key, value, known))
        kind: type[Settings] | None = known[key].metadata.get("table")
        if "entries" in known[key].metadata:
            found[key] = {**dict(getattr(current, key, ())), **_mapping(key, value, source, table)}
        elif kind is None or isinstance(value, kind):
            found[key] = value
        elif isinstance(value, Mapping):
            inner = f"{table}.{key}" if table else key
            base = getattr(current, key) if current is not None else None
            found[key] = (
                kind.from_dict(value, source=source, table=inner)
                if base is None
                else base.varied(value, source=source, table=inner)
            )
        else:
            raise ConfigError(
                f"{where(source, table)}{key} must be a table with the keys "
                f"{', '.join(kind.field_names())}: {value!r}"
            )
    return found


def _mapping(key: str, value: Any, source: str, table: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ConfigError(f"{where(source, table)}{key} must be a table: {value!r}")
    return value


def _plain(item: Field[Any], value: Any) -> Any:
    """Return the value of one field in a JSON-ready form."""
    if isinstance(value, Settings):
        return value.to_dict()
    return dict(value) if "entries" in item.metadata else value


def nest(values: Mapping[str, Any]) -> dict[str, Any]:
    """Turn dotted keys into nested dictionaries: ``{"a.b": 1}`` into ``{"a": {"b": 1}}``."""
    nested: dict[str, Any] = {}
    for key, value in values.items():
        head, _, rest = key.partition(".")
        if rest:
            inner = nested.get(head, {})
            nested[head] = {**inner, **nest({rest: value})} if isinstance(inner, dict) else inner
        else:
            nested[head] = value
    return nested


def parse_toml(text: str, *, source: str = "") -> dict[str, Any]:
    """Return the tables of a TOML `text`, or raise ConfigError naming `source`."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{where(source, '')}not valid TOML: {error}") from None


def toml_value(value: object) -> str:
    """Return `value` (bool, number, string or a sequence of these) as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        # JSON's escapes are TOML's too, except that TOML wants DEL escaped as well.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    raise TypeError(f"no TOML form for {type(value).__name__}: {value!r}")


def short_hash(values: Mapping[str, Any]) -> str:
    """Return the first 12 hexadecimal digits of the SHA-256 of `values` as canonical JSON."""
    canonical = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()[:12]
