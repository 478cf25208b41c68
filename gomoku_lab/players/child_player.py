"""What every player in a child process shares: how it ends and how it falls silent.

What is said to the child, and what its answers mean, is the business of each family.
"""

from __future__ import annotations

import time

from gomoku_lab.players.child import Child
from gomoku_lab.players.child_output import ChildEnded, ChildSilent
from gomoku_lab.players.errors import PlayerCrash, PlayerTimeout


class ChildPlayer:
    """A player behind pipes: the base of such families.

    Attributes
    ----------
    name : str
        The player expression.
    """

    def __init__(self, name: str, who: str = "") -> None:
        self.name = name
        self._who = who or name  # whose failures an error message tells of
        self._child: Child | None = None

    def close(self) -> None:
        """End the child process."""
        if self._child is not None:
            self._child.close()
            self._child = None

    def _send(self, line: str, doing: str) -> None:
        """Say one line to the child; `doing` is what an error message says it was asked."""
        assert self._child is not None
        try:
            self._child.send(line)
        except ChildEnded:
            raise self._crash(doing) from None

    def _receive(self, doing: str, limit_ms: float, since: float | None = None) -> str:
        """Return the child's next line; end the child if none comes within `limit_ms`.

        The limit counts from now, or from `since` on the monotonic clock.
        """
        assert self._child is not None
        spent_ms = 0.0 if since is None else (time.monotonic() - since) * 1000
        try:
            return self._child.receive(limit_ms - spent_ms)
        except ChildSilent:
            _, quoted = self._discard()
            raise PlayerTimeout(
                f"{self._who} did not answer {doing} within {limit_ms:g} ms{quoted}"
            ) from None
        except ChildEnded:
            raise self._crash(doing) from None

    def _crash(self, doing: str) -> PlayerCrash:
        how, quoted = self._discard()
        return PlayerCrash(f"{self._who} ended in {doing}: {how}{quoted}")

    def _discard(self) -> tuple[str, str]:
        """Kill the child; return how it had ended, and its stderr as a quotation."""
        assert self._child is not None
        child, self._child = self._child, None
        how = child.kill()
        tail = child.stderr_tail()
        return how or "it closed its output", f"\nstderr:\n{tail}" if tail else ""
