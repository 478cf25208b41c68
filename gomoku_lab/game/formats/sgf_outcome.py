"""How a game ended, as SGF files say it: RE for the result, TE for c-gomoku-cli's reason."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from gomoku_lab.game.record import REASONS, UNKNOWN, GameRecord

_WIN: Final = re.compile(r"(b|w)(?:lack|hite)?(?:\s*\+\s*(.*))?")
_DRAWS: Final = ("0", "draw", "jigo", "=", "1/2-1/2", "½-½")
_NO_RESULT: Final = ("", "?", "*", "void", "unknown", "unfinished")
_HOW: Final = {"r": "resigned", "resign": "resigned", "t": "time", "time": "time"}
# What c-gomoku-cli writes, by the words that tell its sentences apart.
_SENTENCES: Final = (
    ("five connection", "five"),
    ("fullfilled board", "full board"),
    ("illegal move", "illegal move"),
    ("forbidden move", "illegal move"),
    ("time forfeit", "time"),
    ("opponent crash", "crash"),
    ("adjudication", "adjudicated"),
    ("unterminated", UNKNOWN),
)
_WRITTEN: Final = {"five": "1", "resigned": "R", "time": "T", "illegal move": "F", "crash": "F"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result and reason in the words of `GameRecord`, "" where the file is silent."""

    result: str = ""
    reason: str = ""
    detail: str = ""


def parse_outcome(result: str, reason: str) -> Outcome:
    """Return what the values of RE and TE say; ValueError if RE is no result."""
    who, how, detail = _result(result.strip())
    why, more = _reason(reason.strip())
    return Outcome(who, why or how, more or ("" if why else detail))


def outcome_properties(record: GameRecord) -> list[tuple[str, str]]:
    """Return RE and TE of a record."""
    if record.result == UNKNOWN:
        return [("RE", "?")]
    if record.result == "draw":
        value = "0"
    else:
        value = f"{record.result[0].upper()}+{_WRITTEN.get(record.reason, '')}"
    reason = [] if record.reason == UNKNOWN else [("TE", record.reason)]
    return [("RE", value), *reason]


def _result(text: str) -> tuple[str, str, str]:
    """Return who won, why as far as the result says it, and what else it says."""
    lower = text.lower()
    if lower in _NO_RESULT:
        return "", "", ""
    if lower in _DRAWS:
        return "draw", "", ""
    match = _WIN.fullmatch(lower)
    if match is None:
        raise ValueError(f"RE must be such as B+1, W+Resign, 0 or ?: {text!r}")
    how = (match[2] or "").strip()
    if how in _DRAWS:  # RenLib writes B+Draw
        return "draw", "", ""
    winner = "black" if match[1] == "b" else "white"
    is_score = not how or how.replace(".", "", 1).isdecimal()
    return winner, _HOW.get(how, ""), "" if is_score or how in _HOW else f"RE[{text}]"


def _reason(text: str) -> tuple[str, str]:
    """Return the reason that TE gives, and its words where they say more."""
    if text in REASONS:
        return text, ""
    for words, reason in _SENTENCES:
        if words in text.lower():
            return reason, text if words in ("forbidden move", "adjudication") else ""
    return "", text
