"""A game to step through: a board with a row of moves under it, as HTML without any script.

Every move is a radio button; the style sheet shows the board up to the one that is chosen, so the
page needs neither a server nor a script, and the arrow keys step. Without the style sheet the final
position stands there. It decides nothing about the game.
"""

from __future__ import annotations

from html import escape
from secrets import token_hex
from typing import TYPE_CHECKING, Final

from gomoku_lab.game.display import (
    ACCENT,
    FILL,
    INK,
    MARGIN,
    RADIUS,
    STEP,
    WOOD,
    centre,
    grid,
    winning_lines,
)
from gomoku_lab.game.notation import move_name, parse_moves
from gomoku_lab.game.palette import POINT_COLOUR
from gomoku_lab.game.rules import BLACK, WHITE, colour_name, opponent

if TYPE_CHECKING:
    from gomoku_lab.game.record import GameRecord

MATE: Final = 1_000_000_000
MATE_RANGE: Final = MATE - 1_000
"""Records of the lab's players hold MATE minus the plies to it for a win; a test compares this
with the engine's."""

_FRAME: Final = """
.gl-r{display:flex;flex-wrap:wrap;align-items:center;width:100%;max-width:28rem;margin:.3rem 0}
.gl-r svg{order:1;flex:0 0 100%;width:100%;height:auto}
.gl-r .gl-t{order:2;flex:0 0 100%;font-variant-numeric:tabular-nums}
.gl-r .gl-t>*{display:none;gap:.5rem;align-items:center;min-height:3.2em;margin:0}
.gl-r .gl-t span{flex:1}
.gl-r label{cursor:pointer;padding:.2rem .6rem;border:1px solid #8886;border-radius:.3rem}
.gl-r label.gl-off{visibility:hidden}
.gl-r input{order:3;appearance:none;flex:1 1 0;min-width:0;height:1.4rem;
margin:0;cursor:pointer;border-right:1px solid #8885;background:#8883;border-radius:0}
.gl-r .gl-w{display:none;opacity:.5}
.gl-r input:last-of-type:checked~svg .gl-w{display:inline}
@media print{.gl-r input,.gl-r label{display:none}}
"""
_PLAYED: Final = f"""
.gl-r input:has(~input:checked){{background:{POINT_COLOUR}88}}
.gl-r input:checked{{background:{POINT_COLOUR}}}
"""


def replay_style(plies: int) -> str:
    """Return the style sheet for all games of a page that have at most so many moves."""
    rules = []
    for ply in range(plies + 1):
        chosen = f".gl-r input:nth-of-type({ply + 1}):checked~"
        later = f":nth-child({ply})~*" if ply else "*"
        rules.append(f"{chosen}svg .gl-m>{later}{{display:none}}")
        rules.append(f"{chosen}.gl-t>:nth-child({ply + 1}){{display:flex}}")
        if ply:
            last = f"{chosen}svg .gl-m>:nth-child({ply}) circle"
            rules.append(f"{last}{{stroke:{ACCENT};stroke-width:3.5}}")
    return f"<style>{_FRAME}{_PLAYED}{chr(10).join(rules)}</style>"


def replay_html(game: GameRecord, *, name: str) -> str:
    """Return the game without the style sheet; `name` must differ from that of all others."""
    moves = parse_moves(game.moves, game.size)
    buttons = "".join(
        f'<input type="radio" name="{name}" id="{name}-{ply}"'
        f' aria-label="{_spoken(game, moves, ply)}"{" checked" if ply == len(moves) else ""}>'
        for ply in range(len(moves) + 1)
    )
    notes = "".join(
        f"<p>{_step(name, ply - 1, 0, '◀')}<span>{escape(note)}</span>"
        f"{_step(name, ply + 1, len(moves), '▶')}</p>"
        for ply, note in enumerate(game_notes(game))
    )
    return (
        f'<form class="gl-r">{buttons}{_board(game, moves)}<div class="gl-t">{notes}</div></form>'
    )


def alone_html(game: GameRecord) -> str:
    """Return the game with its title and style sheet, for a page that may hold it twice."""
    title = f"<p>{escape(game_title(game))}</p>"
    return (
        f"<div>{replay_style(game.plies)}{title}{replay_html(game, name=f'g{token_hex(4)}')}</div>"
    )


def game_title(game: GameRecord) -> str:
    """Say who played what, and how it ended, in a line."""
    ends = {"draw": "draw", "unknown": "result not known"}
    result = ends.get(game.result, f"{game.result} won")
    why = f", {game.reason}" if game.reason != "unknown" else ""
    return (
        f"{game.black.name} (black) - {game.white.name} (white), {game.rule}, "
        f"{game.size}x{game.size}: {result}{why}, {game.plies} moves"
    )


def game_notes(game: GameRecord) -> list[str]:
    """Say of the start, and then of every move, what the record knows of it."""
    moves = parse_moves(game.moves, game.size)
    colour = _first_colour(game)
    opening = f", opening {game.opening} of {game.opening_moves} moves" if game.opening else ""
    notes = [f"start: {colour_name(colour)} to move{opening}"]
    for ply, move in enumerate(moves):
        note = f"{ply + 1}. {colour_name(colour)} {move_name(move, game.size)}"
        if ply < game.opening_moves:
            note += ", of the opening"
        else:
            note += _cost(game, ply - game.opening_moves)
        if ply + 1 == len(moves):
            note += f". {_end(game)}"
        notes.append(note)
        colour = opponent(colour)
    return notes


def score_words(score: int) -> str:
    """Return an exact score of a record as people read it."""
    if abs(score) > MATE_RANGE:
        return f"{'win' if score > 0 else 'loss'} in {MATE - abs(score)}"
    return f"{score:+d}" if score else "0"


def _first_colour(game: GameRecord) -> int:
    return BLACK if game.setup is None or game.setup.to_move == "black" else WHITE


def _cost(game: GameRecord, chosen: int) -> str:
    score, depth = game.score[chosen], game.depth[chosen]
    nodes, time_ms = game.nodes[chosen], game.time_ms[chosen]
    known = [
        "" if score is None else f"its own score {score_words(score)}",
        f"depth {depth}" if depth else "",
        f"{nodes:,} nodes" if nodes else "",
        "" if time_ms is None else f"{time_ms:.1f} ms",
    ]
    return "".join(f", {part}" for part in known if part)


def _end(game: GameRecord) -> str:
    result = {"draw": "Draw", "unknown": "Result not known"}.get(
        game.result, f"{game.result.capitalize()} wins"
    )
    why = "" if game.reason == "unknown" else f": {game.reason}"
    return f"{result}{why}{', ' if game.detail else ''}{game.detail}"


def _spoken(game: GameRecord, moves: tuple[int, ...], ply: int) -> str:
    return f"{ply}. {move_name(moves[ply - 1], game.size)}" if ply else "start"


def _step(name: str, ply: int, last: int, sign: str) -> str:
    """Return the button that leads to another move; there is none beyond the ends."""
    gone = ply < 0 if sign == "◀" else ply > last
    return (
        f'<label class="gl-off">{sign}</label>'
        if gone
        else (f'<label for="{name}-{ply}">{sign}</label>')
    )


def _board(game: GameRecord, moves: tuple[int, ...]) -> str:
    """Return the board with one group a move, so that the style sheet can hide the later ones."""
    side = (game.size - 1) * STEP + 2 * MARGIN
    colour = _first_colour(game)
    stones = []
    for ply, move in enumerate(moves):
        stones.append(
            f"<g>{_stone(move, colour, game.size)}{_number(ply + 1, move, colour, game)}</g>"
        )
        colour = opponent(colour)
    title = escape(game_title(game))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" role="img"'
        f' aria-label="{title}" font-family="Helvetica,Arial,sans-serif" text-anchor="middle">'
        f'<rect width="{side}" height="{side}" rx="6" fill="{WOOD}"/>{grid(game.size)}'
        f'{_set_up(game)}<g class="gl-m">{"".join(stones)}</g>'
        f'<g class="gl-w">{_lines(game)}</g></svg>'
    )


def _set_up(game: GameRecord) -> str:
    """Return the stones that stood before the first move."""
    if game.setup is None:
        return ""
    sides = ((BLACK, game.setup.black), (WHITE, game.setup.white))
    return "".join(
        _stone(move, colour, game.size)
        for colour, text in sides
        for move in parse_moves(text, game.size)
    )


def _stone(move: int, colour: int, size: int) -> str:
    x, y = centre(move, size)
    return f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{FILL[colour]}" stroke="#222"/>'


def _number(number: int, move: int, colour: int, game: GameRecord) -> str:
    x, y = centre(move, game.size)
    return f'<text x="{x}" y="{y + 4}" font-size="11.5" fill="{INK[colour]}">{number}</text>'


def _lines(game: GameRecord) -> str:
    """Return the strokes through winning lines."""
    return "".join(winning_lines(game.final_board()))
