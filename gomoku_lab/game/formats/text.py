"""From the bytes of a file to its text: UTF-8, or whatever old programs wrote names in."""

from __future__ import annotations

import codecs
import re
from pathlib import Path
from typing import Final

_ESCAPED: Final = re.compile("[\udc80-\udcff]")
_SHOWN: Final = 20
_DECLARABLE: Final = (
    "utf-8", "gb2312", "gbk", "gb18030", "big5", "shift_jis", "cp932", "euc_jp", "euc_kr",
    "iso8859-1", "cp1250", "cp1251", "cp1252",
)  # fmt: skip


def read_text(path: str | Path) -> str:
    """Return the text of the file at `path`, which must be UTF-8.

    Raises
    ------
    ValueError
        If it is not, with the file and the place in it.
    OSError
        If the file cannot be read.
    """
    return decode_text(Path(path).read_bytes(), str(path))


def decode_text(data: bytes, source: str) -> str:
    """Return `data` as text; `source` is its name for the message if it is not UTF-8."""
    try:
        return _plain(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{source}: not a text file: byte {error.start + 1} ({data[error.start]:#04x}) is not "
            "UTF-8"
        ) from None


def decode_lines(data: bytes) -> str:
    """Return `data` as text for a reader that gives every line to `check_line`.

    A byte that is not UTF-8 then spoils its own line only.
    """
    return _plain(data.decode("utf-8", "surrogateescape"))


def check_line(line: str) -> None:
    """Raise ValueError if a line of what `decode_lines` gave is not UTF-8."""
    found = _ESCAPED.search(line)
    if found is not None:
        near = line[max(0, found.start() - _SHOWN) : found.end() + _SHOWN]
        shown = repr(near).replace(r"\udc", r"\x")
        raise ValueError(f"byte {ord(found[0]) - 0xDC00:#04x} is not UTF-8: {shown}")


def decode_foreign(data: bytes, declared: str = "") -> tuple[str, str]:
    """Return the text of a file that may be in an old encoding, and the encoding's name.

    What a file declares is often wrong, so it only comes first among those that can be right.
    UTF-8 and GB 2312 hardly ever fit by accident. Of Shift-JIS and GB 18030, which both fit much,
    the one that gives fewer half-width kana, which nobody writes, is taken; the last resort,
    Latin-1, fits everything.
    """
    named = _codec(declared)
    strict = [named] if named == "gb2312" else []
    for name in (*strict, "utf-8", *([named] if named else []), "gb2312"):
        text = _decoded(data, name)
        if text is not None:
            return _plain(text), name
    guesses = [
        (sum("\uff61" <= letter <= "\uff9f" for letter in text), name, text)
        for name in ("cp932", "gb18030")
        if (text := _decoded(data, name)) is not None
    ]
    if guesses:
        _, name, text = min(guesses)
        return _plain(text), name
    return _plain(data.decode("latin-1")), "latin-1"


def _plain(text: str) -> str:
    """Return `text` without a byte-order mark, with the line ends of one system."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _codec(name: str) -> str:
    """Return Python's name of the text encoding that a file calls `name`, "" if it has none."""
    try:
        found = codecs.lookup(name.strip()) if name.strip().isascii() else None
    except (LookupError, ValueError):
        return ""
    # Only the encodings of East Asia and their ASCII superset come into question.
    return found.name if found is not None and found.name in _DECLARABLE else ""


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None
