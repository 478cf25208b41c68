"""The search for wins by threats, and the proof tree that it leaves in its table.

It drives `kernels.vct` and writes down what that proves, so that `game.forced` can hold it against
the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from gomoku_lab.engine.position import WorkingState
from gomoku_lab.game.forced import Proof
from gomoku_lab.kernels import layout

_CHAIN_CAP: Final = 60
"""Stones that each search for a chain of fours may place inside the search for threats."""
_LONG_CHAIN_CAP: Final = 10_000
"""The same where a proof is written down: what was found once has to be found again."""
_AGAIN: Final = 2_000_000
"""Stones that may be placed to prove again what the table has lost."""


class SpentError(Exception):
    """The table has lost a part of a proof, and it could not be found again."""


class ThreatSearch:
    """One search for a win by threats of the side to move in `state`.

    Parameters
    ----------
    state : WorkingState
        The same position afterwards.
    chains, proofs : CHAIN[n], PROOF[m]
        The tables of chains of fours and of proof numbers.
    nodes : int
        Stones that may be placed.
    again : int, optional
        Stones that may be placed to prove again what the table has lost.

    Attributes
    ----------
    nodes : int
        Stones that were placed.
    """

    def __init__(
        self, state: WorkingState, chains: Any, proofs: Any, nodes: int, *, again: int = _AGAIN
    ) -> None:
        self._state = state
        self._chains = chains
        self._proofs = proofs
        self._limit = nodes
        self._again = again
        self._known: dict[int, Proof] = {}
        record = state.record
        record["vct_attacker"] = record["side"]
        record["vct_nodes"] = 0
        self.nodes = 0

    def root(self, *, every: bool) -> tuple[str, list[Proof]]:
        """Search the root and return ``found``, ``refuted`` or ``spent``, with the proofs found."""
        answer = self.advance(self._limit)
        if answer != "found":
            return answer, []
        found = self.proofs(every=every)
        self.nodes = int(self._state.record["vct_nodes"])
        return ("found" if found else "spent"), found

    def advance(self, limit: int) -> str:
        """Go on until `limit` stones in all are placed; return the answer, as `root` does."""
        proof, disproof = self._search(limit)
        self.nodes = int(self._state.record["vct_nodes"])
        if not proof:
            return "found"
        return "spent" if disproof else "refuted"

    def _search(self, limit: int) -> tuple[int, int]:
        """Search the state's position up to `limit` stones in all; return both its numbers."""
        from gomoku_lab.kernels.vct import NEVER, proof_key, prove

        record = self._state.record
        record["vct_limit"] = limit
        record["vct_chain_cap"] = _CHAIN_CAP
        prove(record, self._proofs, self._chains, NEVER, NEVER, 0)
        return self._numbers(int(proof_key(record)))

    def _numbers(self, key: int) -> tuple[int, int]:
        """Return what the table holds of a position: proof and disproof number, else 1 and 1."""
        entry = self._proofs[key & (len(self._proofs) - 1)]
        if int(entry["key"]) != key:
            return 1, 1
        return int(entry["proof"]), int(entry["disproof"])

    def try_move(self, cell: int, limit: int) -> Proof | None:
        """Return a proof that begins with a stone on `cell`, if `limit` stones in all find one."""
        record = self._state.record
        with _Stone(self._state, cell):
            proof, _ = self._search(limit)
        self.nodes = int(record["vct_nodes"])
        try:
            return None if proof else self._after(cell)
        except SpentError:
            return None

    def proofs(self, *, every: bool) -> list[Proof]:
        """Return the proof of the root that was found, or of every first move that has one.

        None if the table has lost a part that could not be proved again.
        """
        try:
            first = self._attack()
        except SpentError:
            return []
        if not every or first.move is None:
            return [first]
        found = {first.move: first}
        moves = [cell for cell in self._moves() if self._state.move(cell) != first.move]
        for index, cell in enumerate(moves):
            left = self._limit - int(self._state.record["vct_nodes"])
            share = int(self._state.record["vct_nodes"]) + max(left, 0) // (len(moves) - index)
            proof = self.try_move(cell, share)
            if proof is not None:
                found[self._state.move(cell)] = proof
        return list(found.values())

    def _moves(self) -> list[int]:
        """Return the cells that the search tries in the state's position."""
        from gomoku_lab.kernels.vct import expand

        record = self._state.record
        record["vct_limit"] = int(record["vct_nodes"]) + self._again
        record["vct_chain_cap"] = _LONG_CHAIN_CAP
        number = int(expand(record, self._chains, 0))
        cells: list[int] = record["vct_stack"][: max(number, 0)].tolist()
        return cells

    def _chain(self) -> tuple[int, ...]:
        """Return the chain of fours of the side to move as flat moves; empty if there is none."""
        from gomoku_lab.kernels.vcf import shortest_vcf, vcf, write_line

        record = self._state.record
        for search in (shortest_vcf, vcf):
            plies = int(search(record, self._chains, _LONG_CHAIN_CAP, layout.MAX_FOURS))
            if plies >= 0:
                break
        if plies <= 0:
            return ()
        length = int(write_line(record, self._chains, plies))
        return self._state.moves(record["vcf_line"][:length])

    def _attack(self) -> Proof:
        """Return the proof of the state's position, in which the attacker is to move."""
        key = int(self._state.record["hash"])
        if key not in self._known:
            chain = self._chain()
            self._known[key] = Proof(chain) if chain else self._after(self._winning())
        return self._known[key]

    def _winning(self) -> int:
        """Return a cell whose move the table proves; search again if it has lost all of them."""
        from gomoku_lab.kernels.vct import proof_key

        record = self._state.record
        for limit in (0, self._again):
            if limit:
                self._search(int(record["vct_nodes"]) + limit)
            side = int(record["side"])
            parent = int(proof_key(record)) ^ int(layout.ZOBRIST_SIDE)
            for cell in self._moves():
                if self._numbers(parent ^ int(layout.ZOBRIST[side, cell]))[0] == 0:
                    return cell
        raise SpentError

    def _after(self, cell: int) -> Proof:
        """Return the proof that begins with the attacker's stone on `cell`."""
        record = self._state.record
        with _Stone(self._state, cell):
            replies = self._moves()
            chain = self._state.moves(record["vcf_line"][: int(record["vcf_length"])])
            answers = {}
            for reply in replies:
                with _Stone(self._state, reply):
                    answers[self._state.move(reply)] = self._attack()
        return Proof(chain, self._state.move(cell), answers)


class _Stone:
    """A stone that lies on the board as long as the context lasts."""

    def __init__(self, state: WorkingState, cell: int) -> None:
        self._record, self._cell = state.record, cell

    def __enter__(self) -> None:
        from gomoku_lab.kernels.state import place

        place(self._record, self._cell)

    def __exit__(self, *error: object) -> None:
        from gomoku_lab.kernels.state import remove

        remove(self._record)


def longest_line(proof: Proof) -> tuple[int, ...]:
    """Return the line of a proof along which the defender holds out longest, to the last five.

    It ends sooner, with the attacker's move, where it makes no difference what the defender plays.
    """
    return tuple(_line(proof, {}))


def proof_plies(proof: Proof) -> int:
    """Return the plies of a proof's longest line, counted on to five where it ends sooner."""
    return _length(proof, {})


def _line(proof: Proof, lengths: dict[int, int]) -> Iterator[int]:
    while proof.move is not None:
        yield proof.move
        if not proof.replies:
            return
        lengthy = {reply: _length(answer, lengths) for reply, answer in proof.replies.items()}
        reply = max(lengthy, key=lambda move: (lengthy[move], -move))
        yield reply
        proof = proof.replies[reply]
    yield from proof.chain


def _length(proof: Proof, lengths: dict[int, int]) -> int:
    """Return how many plies the longest line of a proof takes."""
    if id(proof) not in lengths:
        if proof.move is None:
            plies = len(proof.chain)
        elif proof.replies:
            plies = 2 + max(_length(answer, lengths) for answer in proof.replies.values())
        else:
            # Any reply, and then the chain that was threatened; or a five after two of them.
            plies = 2 + max(len(proof.chain), 1)
        lengths[id(proof)] = plies
    return lengths[id(proof)]
