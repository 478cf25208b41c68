"""How a command ends when something is wrong: one message on stderr and an exit code.

Exit codes: 0 fine, 1 a check failed, 2 usage or configuration, 3 an external engine failed,
4 interrupted but resumable, 5 undecided at the limit, 130 interrupted with nothing to resume, 141
the reader of the output went away (both as a shell reports it for any program). It does not decide
what is wrong.
"""

from __future__ import annotations

import errno
import os
import select
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, NoReturn, TextIO

import click

FINE = 0
CHECK_FAILED = 1
USAGE = 2
ENGINE_FAILED = 3
INTERRUPTED = 4
UNDECIDED = 5
STOPPED = 130
READER_GONE = 141

_CANNOT_TAKE_MORE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
_HELP: Any = getattr(click.exceptions, "NoArgsIsHelpError", ())  # of click 8.2 and later


class CliError(click.ClickException):
    """An error whose message is all the user needs; click prints it and exits with its code.

    Set ``GOMOKU_LAB_TRACEBACK=1`` to see where it came from.
    """

    def __init__(self, message: str, *, code: int = USAGE) -> None:
        super().__init__(message)
        self.exit_code = code  # type: ignore[misc]  # click reads it from the instance

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message on stderr, after the traceback of its cause if that was asked for."""
        if os.environ.get("GOMOKU_LAB_TRACEBACK") and self.__cause__ is not None:
            click.echo("".join(traceback.format_exception(self.__cause__)), err=True, nl=False)
        click.echo(f"error: {self.format_message()}", file=file, err=file is None)


def fail(message: str, code: int = USAGE) -> NoReturn:
    """End the command: `message` goes to stderr, `code` is the exit code."""
    raise CliError(message, code=code)


@contextmanager
def clean_errors(code: int = USAGE) -> Iterator[None]:
    """Turn what bad input raises (ValueError, OSError) into a message without a traceback.

    Use it around what reads the user's words and files, as a context manager or as a decorator
    below ``@click.command``; not around the computation, where a ValueError is a bug of ours.
    """
    try:
        yield
    except OSError as error:
        raise CliError(_os_message(error), code=code) from error
    except ValueError as error:
        raise CliError(str(error), code=code) from error


@contextmanager
def clean_usage() -> Iterator[None]:
    """Turn what click says of wrong words into one line like that of every other error."""
    try:
        yield
    except _HELP:
        raise
    except click.UsageError as error:
        text = " ".join(error.format_message().split()).rstrip(".")
        where = "" if error.ctx is None else f" (see {error.ctx.command_path} --help)"
        raise CliError(text[:1].lower() + text[1:] + where) from error


@contextmanager
def clean_output() -> Iterator[None]:
    """End quietly if the reader of the output went away, and with a message if it cannot be kept.

    Use it around a whole command: a file that cannot be opened or read carries its name and is
    left to `clean_errors`.
    """
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        # The pipe to a player's process can break as well, which is no quiet end.
        if error.errno == errno.EPIPE and any(map(_has_no_reader, (sys.stdout, sys.stderr))):
            _forget_output()
            raise SystemExit(READER_GONE) from None
        if error.errno in _CANNOT_TAKE_MORE:
            _forget_output()
            raise CliError(f"cannot write the output: {error.strerror}") from error
        raise


def _has_no_reader(stream: TextIO) -> bool:
    """Tell whether `stream` is a pipe that nobody reads any more."""
    try:
        stream.flush()
    except OSError:
        return True
    try:
        poll = select.poll()
        poll.register(stream.fileno(), 0)
        return any(state & select.POLLERR for _, state in poll.poll(0))
    except (AttributeError, OSError, ValueError):
        return False  # no poll on this system, or a stream without a descriptor


def _forget_output() -> None:
    """Let what is still in the buffers go nowhere: Python would try again when it ends."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            # A stream of a caller's own, as in a test, has no descriptor to redirect.
            with suppress(OSError, ValueError):
                os.dup2(nothing, stream.fileno())
    os.close(nothing)


def _os_message(error: OSError) -> str:
    """Return 'file: reason', since ``[Errno 13]`` tells a reader nothing."""
    if error.filename is not None and error.strerror:
        return f"{os.fspath(error.filename)}: {error.strerror}"
    return str(error)
