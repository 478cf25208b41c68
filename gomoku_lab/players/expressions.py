"""The grammar of player expressions, such as ``layered/master:nodes=20000,noise=0``.

An expression is a head and, after a colon, overrides ``key=value`` separated by commas; values are
written as in TOML, words may go without quotes. This module splits text; what a head or a key means
is the registry's business.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from gomoku_lab.engine.settings import ConfigError, Settings, nest, toml_value

_KEY = r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*"
_ASSIGNMENT = re.compile(rf"\s*({_KEY})\s*=\s*(.+?)\s*", re.DOTALL)
# A quoted string, or one character.
_TOKEN = re.compile(r""""(?:[^"\\]|\\.)*"|'[^']*'|.""", re.DOTALL)
_BARE_WORD = re.compile(r"(?:[A-Za-z]|(?:~|\.{1,2})?/)[A-Za-z0-9_\-./@]*")
_RESERVED = ("true", "false", "inf", "nan")
_BEGUN = {
    "[": 'a whole list, such as ["one", "two"]',
    "{": "a whole table, such as {one = 1, two = 2}",
    '"': "a text with a quotation mark at its end",
    "'": "a text with a quotation mark at its end",
}
"""What is wanted where a value begins like this."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A player expression taken apart.

    Attributes
    ----------
    text : str
        The whole expression, for error messages.
    head : str
        What stands before the overrides: a name, a glob, a path, or ``scheme:target``.
    overrides : mapping
        Keys (dotted ones as typed) to values.
    """

    text: str
    head: str
    overrides: Mapping[str, Any]


def parse_expression(text: str) -> Expression:
    """Take the player expression `text` apart.

    Raises
    ------
    ConfigError
        If there is no head, or an override is not ``key=value`` or comes twice.
    """
    whole = text.strip()
    # The overrides are the last part after a colon if it starts like `key=`: heads may hold colons.
    match = re.search(rf":\s*(?={_KEY}\s*=)", whole)
    head = whole[: match.start()] if match else whole.removesuffix(":")
    overrides: dict[str, Any] = {}
    if match:
        for item in _split(whole[match.end() :]):
            key, value = _assignment(item, whole)
            if key in overrides:
                raise ConfigError(f"{whole}: key {key!r} is given twice")
            overrides[key] = value
    if not head:
        raise ConfigError(f"a player expression must start with a player: {text!r}")
    return Expression(whole, head, overrides)


def _split(text: str) -> list[str]:
    """Cut `text` at its commas, those in quoted strings, lists and tables left alone."""
    items, depth = [""], 0
    for token in _TOKEN.findall(text):
        depth += (token in "[{") - (token in "]}")
        if token == "," and depth <= 0:
            items.append("")
        else:
            items[-1] += token
    return items


def _assignment(item: str, whole: str) -> tuple[str, Any]:
    match = _ASSIGNMENT.fullmatch(item)
    if match is None:
        raise ConfigError(f"{whole}: an override must be key=value: {item!r}")
    key, written = match.groups()
    if _is_bare(written):
        return key, written
    try:
        return key, tomllib.loads(f"value = {written}")["value"]
    except tomllib.TOMLDecodeError:
        wanted = _BEGUN.get(written[0], "a number, true, false or a word")
        raise ConfigError(f"{whole}: {key} must be {wanted}: {written!r}") from None


def _is_bare(written: str) -> bool:
    """Tell whether `written` is a word or a path that needs no quotes."""
    return bool(_BARE_WORD.fullmatch(written)) and written not in _RESERVED


def format_overrides(keys: Mapping[str, Any], config: Settings) -> str:
    """Return the overrides named in `keys` as text, in the order and with the values of `config`.

    The values are `config`'s own, so that ``noise=0`` and ``noise=0.0`` give the same text.
    """
    return ",".join(_assignments(nest(keys), config, ""))


def _assignments(keys: Mapping[str, Any], config: Settings, prefix: str) -> list[str]:
    parts: list[str] = []
    for item in fields(config):
        key = item.name
        if key in keys:
            value = getattr(config, key)
            if isinstance(value, Settings):
                parts += _assignments(keys[key], value, f"{prefix}{key}.")
            elif "entries" in item.metadata:
                given = ((name, entry) for name, entry in value if name in keys[key])
                parts += _entries(given, f"{prefix}{key}.")
            else:
                parts.append(f"{prefix}{key}={format_value(value)}")
    return parts


def format_changes(config: Settings) -> str:
    """Return the settings that differ from their defaults, as an expression writes them."""
    return ",".join(_changes(config, ""))


def _changes(config: Settings, prefix: str) -> list[str]:
    parts: list[str] = []
    for item in fields(config):
        value = getattr(config, item.name)
        if isinstance(value, Settings):
            parts += _changes(value, f"{prefix}{item.name}.")
        elif "entries" in item.metadata:
            parts += _entries(value, f"{prefix}{item.name}.")
        elif value != item.default:
            parts.append(f"{prefix}{item.name}={format_value(value)}")
    return parts


def _entries(pairs: Iterable[tuple[str, object]], prefix: str) -> list[str]:
    return [f"{prefix}{name}={format_value(entry)}" for name, entry in pairs]


def format_value(value: object) -> str:
    """Return `value` as an expression writes it: whole floats without a point, words bare."""
    if value is None:
        return "0"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, str) and _is_bare(value):
        return value
    return toml_value(value)
