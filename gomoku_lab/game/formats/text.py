"""Reading of files in which people write text, with a message that names the file."""

from __future__ import annotations

from pathlib import Path


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
        # Line ends as the text files of any system have them.
        return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{source}: not a text file: byte {error.start + 1} ({data[error.start]:#04x}) is not "
            "UTF-8"
        ) from None
