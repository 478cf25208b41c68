"""How a player can fail: each way is an exception that says which forfeit it is."""

from __future__ import annotations

from typing import ClassVar


class PlayerError(RuntimeError):
    """A player failed; the message is the detail that a game record keeps.

    Attributes
    ----------
    reason : str
        The reason under which a game record books the forfeit.
    """

    reason: ClassVar[str] = "crash"


class PlayerStartError(PlayerError):
    """A player cannot be started at all: its module, class or program is missing or broken."""


class PlayerCrash(PlayerError):  # noqa: N818 - named after what happened
    """A player raised an exception, or its process ended."""


class PlayerTimeout(PlayerError):  # noqa: N818 - named after what happened
    """A player gave no answer within its limit."""

    reason: ClassVar[str] = "time"


class IllegalMove(PlayerError):  # noqa: N818 - named after what happened
    """A player answered with something that is no legal move."""

    reason: ClassVar[str] = "illegal move"
