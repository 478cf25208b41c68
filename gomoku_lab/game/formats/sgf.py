"""Games in SGF, the Smart Game Format: any number of them in a file.

GM 4 is Gomoku by the standard; GM 5 and GM 1 (Go, also where GM is missing) stand in files of
Gomoku as well. Points are two letters, column and row from the top left. A game that begins with
stones (AB, AW, AE, PL) keeps them as a setup. Passes, stones set up later and points in any other
notation make a game unreadable, with the reason. Of several lines of play the first is read.

Everything in a record is written, so that nothing is lost on the way back: what the standard has no
property for stands in properties of our own, and time, depth, nodes and score of a move in its
comment (``C[12.5 ms, depth 4, 1238 nodes, score -174]``). Read are also the comments and reasons
(TE) of c-gomoku-cli. What is left out of other programs' files is noted by its property.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any, Final

from gomoku_lab.game.formats.foreign import Told, Unsaid, record_of
from gomoku_lab.game.formats.reading import Problem, Reading
from gomoku_lab.game.formats.sgf_outcome import outcome_properties, parse_outcome
from gomoku_lab.game.formats.sgf_tree import Property, Tree, format_tree, parse_trees
from gomoku_lab.game.formats.sgf_values import (
    OPENING_MOVE,
    cost_comment,
    parse_cost,
    parse_point,
    parse_points,
    point_text,
)
from gomoku_lab.game.formats.text import decode_foreign
from gomoku_lab.game.notation import move_string, parse_moves
from gomoku_lab.game.record import UNKNOWN_PLAYER, GameRecord, PlayerRef, Setup
from gomoku_lab.game.rules import BLACK, DEFAULT_SIZE, WHITE, Rule, check_size, colour_name

_GAMES: Final = ("1", "4", "5")
_GO: Final = "1"
_GO_SIZE: Final = 19
_COLOURS: Final = {"B": BLACK, "W": WHITE}
_SETUP: Final = {"AB": BLACK, "AW": WHITE, "AE": 0}
_RULES: Final = {
    "0": Rule.FREESTYLE, "1": Rule.STANDARD, "4": Rule.RENJU,
    "freestyle": Rule.FREESTYLE, "standard": Rule.STANDARD, "renju": Rule.RENJU,
}  # fmt: skip
_OWN: Final = ("PAIR", "SEED", "REPRODUCIBLE", "BLACKHASH", "WHITEHASH", "DETAIL")
_KNOWN: Final = (
    "FF", "GM", "CA", "AP", "ST", "SZ", "GN", "ON", "PB", "PW", "RU", "RE", "TE", "PL", *_OWN,
)  # fmt: skip


@dataclass(slots=True)
class _Game:
    """What the nodes of a game say, as they are gone through."""

    size: int
    stones: dict[int, int] = field(default_factory=dict)
    first: str = ""
    moves: list[int] = field(default_factory=list)
    costs: list[dict[str, Any]] = field(default_factory=list)
    opening_moves: int = 0


def read_sgf(data: bytes, source: str, unsaid: Unsaid) -> Reading[GameRecord]:
    """Read all games of a file."""
    declared = re.search(rb"\bCA\s*\[([^\]]*)\]", data)
    text, encoding = decode_foreign(data, declared[1].decode("latin-1") if declared else "")
    trees = parse_trees(text, source)
    games: list[GameRecord] = []
    problems = list(trees.problems)
    notes = [] if encoding == "utf-8" else [f"names and comments read as {encoding}"]
    lines: list[int] = []
    stem = PurePath(source).stem
    alone = len(trees.items) + len(trees.problems) == 1
    for number, tree in enumerate(trees.items, start=1):
        told: list[str] = []
        try:
            games.append(_record(tree, stem if alone else f"{stem}-{number}", unsaid, told))
        except ValueError as error:
            problems.append(Problem(source, tree.line, str(error)))
        else:
            notes += told
            lines.append(tree.line)
    problems.sort(key=lambda problem: problem.line)
    return Reading(tuple(games), tuple(problems), tuple(notes), tuple(lines))


def write_sgf(record: GameRecord) -> str:
    """Return the text of one game."""
    root: list[tuple[str, ...]] = [("FF", "4")]
    root += [("GM", "4"), ("CA", "UTF-8"), ("AP", "gomoku-lab"), ("GN", record.id)]
    optional = {
        "ON": record.opening,
        "PAIR": record.pair,
        "PB": "" if record.black.name == UNKNOWN_PLAYER.name else record.black.name,
        "PW": "" if record.white.name == UNKNOWN_PLAYER.name else record.white.name,
        "BLACKHASH": record.black.config_hash,
        "WHITEHASH": record.white.config_hash,
        "SEED": "" if record.seed is None else str(record.seed),
        "REPRODUCIBLE": "yes" if record.reproducible else "",
        "DETAIL": record.detail,
    }
    root += [("RU", str(record.rule).capitalize()), ("SZ", str(record.size))]
    root += [(name, value) for name, value in optional.items() if value]
    root += outcome_properties(record)
    root += _setup_properties(record)
    colours = "BW" if record.setup is None or record.setup.to_move == "black" else "WB"
    nodes: list[list[tuple[str, ...]]] = [root]
    for number, move in enumerate(parse_moves(record.moves, record.size)):
        comment = cost_comment(record, number - record.opening_moves)
        node: list[tuple[str, ...]] = [(colours[number % 2], point_text(move, record.size))]
        nodes.append([*node, ("C", comment)] if comment else node)
    return format_tree(nodes)


def _record(tree: Tree, name: str, unsaid: Unsaid, notes: list[str]) -> GameRecord:
    info = _info(tree)
    if info.get("GM", _GO) not in _GAMES:
        raise ValueError(f"GM must be 1, 4 or 5 for Gomoku: {info['GM']!r}")
    game = _Game(_size(info, unsaid, notes))
    for node in tree.nodes:
        for one in node:
            _take(one, game, notes)
    notes += ["variation left out"] * tree.variations
    outcome = parse_outcome(info.get("RE", ""), info.get("TE", ""))
    rule = _RULES.get(info.get("RU", "").strip().lower())
    if "RU" in info and rule is None:
        notes.append(f"unknown rule RU[{info['RU']}] left out")
    told = Told(
        id=_line(info, "GN") or name,
        moves=game.moves,
        size=game.size,
        rule=rule,
        setup=_setup(game, info.get("PL", "")),
        black=_line(info, "PB"),
        white=_line(info, "PW"),
        result=outcome.result,
        reason=outcome.reason,
        detail=info.get("DETAIL", outcome.detail),
        opening=_line(info, "ON"),
        opening_moves=game.opening_moves,
    )
    return _with_own(record_of(told, unsaid, notes), info, game)


def _line(info: dict[str, str], name: str) -> str:
    """Return a value that is one line of text, whatever blanks it is written with."""
    return " ".join(info.get(name, "").split())


def _info(tree: Tree) -> dict[str, str]:
    """Return the first value of every property but moves and setups, the root's first."""
    info: dict[str, str] = {}
    for number, node in enumerate(tree.nodes):
        for one in node:
            # In a node with a move TE praises it.
            if one.name in _KNOWN and not (one.name == "TE" and number):
                info.setdefault(one.name, one.value)
    return info


def _size(info: dict[str, str], unsaid: Unsaid, notes: list[str]) -> int:
    text = info.get("SZ", "").strip()
    if not text:
        if unsaid.size is not None:
            return unsaid.size
        size = _GO_SIZE if info.get("GM", _GO) == _GO else DEFAULT_SIZE
        notes.append(f"board size taken for granted: {size}")
        return size
    sides = text.split(":")
    if not all(re.fullmatch(r"\d{1,4}", side) for side in sides) or len(set(sides)) > 1:
        raise ValueError(f"SZ must be the size of a square board: {text!r}")
    return check_size(int(sides[0]))


def _take(one: Property, game: _Game, notes: list[str]) -> None:
    """Let one property do what it does to the game."""
    if one.name in _COLOURS:
        _play(one, game)
    elif one.name in _SETUP:
        if game.moves:
            raise ValueError(f"stones are set up after move {len(game.moves)} ({one.name})")
        for value in one.values:
            for point in parse_points(value, game.size):
                if _SETUP[one.name] and game.stones.get(point):
                    raise ValueError(f"two stones are set up on {point_text(point, game.size)}")
                game.stones[point] = _SETUP[one.name]
    elif one.name == "C" and _is_cost(one.value, game):
        pass
    elif one.name not in _KNOWN or (one.name == "TE" and game.moves):
        what = "comment" if one.name in ("C", "GC") else f"property {one.name}"
        notes.append(f"{what} left out")


def _play(one: Property, game: _Game) -> None:
    number = len(game.moves) + 1
    if len(one.values) > 1:
        raise ValueError(f"move {number}: one point is wanted: {''.join(one.values)!r}")
    if one.value == "" or (one.value == "tt" and game.size <= _GO_SIZE):
        raise ValueError(f"move {number} is a pass, which a record of Gomoku cannot hold")
    colour = colour_name(_COLOURS[one.name])
    if not game.moves:
        game.first = colour
    elif colour != _mover(game.first, number):
        raise ValueError(f"move {number} is by {colour}, out of turn")
    game.moves.append(parse_point(one.value, game.size))
    game.costs.append({})


def _mover(first: str, number: int) -> str:
    """Return who plays move `number`, counted from 1."""
    other = "white" if first == "black" else "black"
    return first if number % 2 else other


def _is_cost(text: str, game: _Game) -> bool:
    """Take in what a comment says of the last move; tell whether that was all of it."""
    if not game.moves:
        return False
    if text.strip() == OPENING_MOVE:
        # Opening moves stand at the beginning, if anywhere.
        if game.opening_moves == len(game.moves) - 1:
            game.opening_moves += 1
        return True
    cost = parse_cost(text)
    if cost is not None:
        game.costs[-1].update(cost)
    return cost is not None


def _setup(game: _Game, player: str) -> Setup | None:
    """Return how the game began; None for Black on an empty board."""
    said = {"b": "black", "w": "white"}.get(player.strip()[:1].lower(), "")
    if said and game.first and said != game.first:
        raise ValueError(f"PL says {said} to move, but {game.first} moves first")
    colours = [
        [point for point, colour in game.stones.items() if colour == wanted]
        for wanted in (BLACK, WHITE)
    ]
    natural = "white" if len(colours[0]) > len(colours[1]) else "black"
    to_move = said or game.first or natural
    if not any(colours) and to_move == "black":
        return None
    black, white = (move_string(points, game.size) for points in colours)
    return Setup(black=black, white=white, to_move=to_move)


def _setup_properties(record: GameRecord) -> list[tuple[str, ...]]:
    if record.setup is None:
        return []
    properties: list[tuple[str, ...]] = []
    for name, stones in (("AB", record.setup.black), ("AW", record.setup.white)):
        if stones:
            points = (point_text(point, record.size) for point in parse_moves(stones, record.size))
            properties.append((name, *points))
    return [*properties, ("PL", record.setup.to_move[0].upper())]


def _with_own(record: GameRecord, info: dict[str, str], game: _Game) -> GameRecord:
    """Return the record with what the comments of its moves and our own properties say."""
    seed = info.get("SEED", "")
    if seed and not re.fullmatch(r"\d{1,100}", seed):
        raise ValueError(f"SEED must be a whole number: {seed!r}")

    def column(key: str) -> tuple[Any, ...]:
        return tuple(cost.get(key) for cost in game.costs[game.opening_moves :])

    return replace(
        record,
        pair=info.get("PAIR", ""),
        black=PlayerRef(record.black.name, info.get("BLACKHASH", "")),
        white=PlayerRef(record.white.name, info.get("WHITEHASH", "")),
        seed=int(seed) if seed else None,
        reproducible=info.get("REPRODUCIBLE") == "yes",
        nodes=column("nodes"),
        depth=column("depth"),
        score=column("score"),
        time_ms=column("time_ms"),
    )
