"""The tables of a run for pandas: its games, and the ratings of its players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from gomoku_lab.arena.imported import AnyRun, ImportedRun
from gomoku_lab.arena.rows import score_of_counts
from gomoku_lab.engine.frames import Column, make_frame
from gomoku_lab.game.record import GameRecord
from gomoku_lab.stats.elo import estimate_elo
from gomoku_lab.stats.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from gomoku_lab.arena.rows import Pairing, Standing
    from gomoku_lab.arena.standings import Standings

GAME_COLUMNS: Final = (
    Column("game", "string", "id of the game"),
    Column("pair", "string", "id of its colour-swapped pair; empty if it belongs to none"),
    Column("opening", "string", "name of the opening; empty if it has none"),
    Column("opening_moves", "int64", "moves that the players did not choose"),
    Column("black", "string", "name of the player with the black stones"),
    Column("white", "string", "name of the player with the white stones"),
    Column("result", "string", "black, white, draw or unknown"),
    Column("black_score", "float64", "points of Black: 1, 0.5 or 0"),
    Column("reason", "string", "why the game ended"),
    Column("forfeit", "bool", "whether the loser broke the rules, was late or crashed"),
    Column("plies", "int64", "all moves, the opening included"),
    Column("black_nodes", "Int64", "search nodes of Black's moves; missing if some are not known"),
    Column("white_nodes", "Int64", "search nodes of White's moves, likewise"),
    Column("black_time_ms", "float64", "milliseconds of Black's moves, likewise"),
    Column("white_time_ms", "float64", "milliseconds of White's moves, likewise"),
    Column("reproducible", "bool", "whether it is known that no clock decided anything"),
    Column("moves", "string", "all moves, as a move string"),
)

RATING_COLUMNS: Final = (
    Column("place", "int64", "1 for the strongest"),
    Column("player", "string", "name of the player"),
    Column("rating", "float64", "Elo; missing where only a bound is known, or nothing"),
    Column("low", "float64", "lower end of the 95 % interval, or the lower bound, Elo"),
    Column("high", "float64", "upper end of the 95 % interval, or the upper bound, Elo"),
    Column("kind", "string", "interval, held, no interval, at least, at most, between or unknown"),
    Column("games", "int64", "games"),
    Column("wins", "int64", "games won"),
    Column("draws", "Int64", "games drawn; missing where draws were not counted"),
    Column("losses", "int64", "games lost"),
    Column("score", "float64", "points a game, 0 to 1"),
    Column("score_as_black", "float64", "points a game with the black stones"),
    Column("score_as_white", "float64", "points a game with the white stones"),
    Column("forfeits", "int64", "games lost by breaking the rules, by the clock or by a crash"),
    Column("config_hash", "string", "hash of the player's configuration; empty if not known"),
)

PAIRING_COLUMNS: Final = (
    Column("first", "string", "name of the player that stands higher in the table"),
    Column("second", "string", "name of its opponent"),
    Column("games", "int64", "games of these two"),
    Column("wins", "int64", "games that the first one won"),
    Column("draws", "Int64", "games drawn; missing where draws were not counted"),
    Column("losses", "int64", "games that the first one lost"),
    Column("score", "float64", "points a game of the first one, 0 to 1"),
    Column("elo", "float64", "Elo of these games alone; missing where only a bound is known"),
    Column("low", "float64", "lower end of its 95 % interval, or the lower bound"),
    Column("high", "float64", "upper end of its 95 % interval, or the upper bound"),
    Column("kind", "string", "interval, no interval, at least, at most, between or unknown"),
)

ELO_COLUMNS: Final = (
    Column("what", "string", "what is compared"),
    Column("games", "int64", "games"),
    Column("score", "float64", "points a game, 0 to 1"),
    Column("elo", "float64", "Elo of the score; missing where only a bound is known"),
    Column("low", "float64", "lower end of its 95 % interval, or the lower bound"),
    Column("high", "float64", "upper end of its 95 % interval, or the upper bound"),
    Column("text", "string", "Elo with its interval, or its bound, in words"),
)

_POINTS: Final = {"black": 1.0, "draw": 0.5, "white": 0.0}


def games_frame(run: AnyRun) -> pd.DataFrame:
    """Return one row a finished game of `run`, with the columns `GAME_COLUMNS`."""
    singles = run.singles if isinstance(run, ImportedRun) else ()
    games = [*(game for pair in run.pairs for game in pair), *singles]
    return make_frame(GAME_COLUMNS, map(_game_row, games))


def ratings_frame(run: AnyRun) -> pd.DataFrame:
    """Return one row a player of `run`, the strongest first, with the columns `RATING_COLUMNS`.

    The ratings are those of ``gomoku-lab rate``. Where no finite rating exists, its place is empty
    and `low` or `high` holds the bound.
    """
    from gomoku_lab.arena.rate import rate_runs

    return standings_frame(rate_runs([run]))


def pairings_frame(run: AnyRun) -> pd.DataFrame:
    """Return one row for each two players of `run` who met, with the columns `PAIRING_COLUMNS`.

    Each difference is that of their own games alone. Where it has no finite value its place is
    empty, and `low` or `high` holds the bound.
    """
    from gomoku_lab.arena.rate import rate_runs

    return make_frame(PAIRING_COLUMNS, map(_pairing_row, rate_runs([run]).pairings))


def elo_frame(results: Mapping[str, Sequence[int]]) -> pd.DataFrame:
    """Return the Elo of some results as a pandas table, one row for each name.

    Columns: ``what`` (string), ``games`` (int64), ``score`` (float64, 0 to 1), ``elo``, ``low``,
    ``high`` (float64, 95 % interval; missing where only a bound is known), ``text`` (string).

    Parameters
    ----------
    results : mapping of str to counts
        As for `estimate_elo`: for pairs of games what `Run.pair_counts` gives.
    """
    rows = []
    for name, counts in results.items():
        report = estimate_elo(counts)
        elo = report.elo
        numbers = (elo.value, elo.low, elo.high)
        rows.append((name, report.games, report.score, *numbers, elo.text(0)))
    return make_frame(ELO_COLUMNS, rows)


def standings_frame(standings: Standings) -> pd.DataFrame:
    """Return the rows of a table of ratings, with the columns `RATING_COLUMNS`."""
    return make_frame(RATING_COLUMNS, map(_rating_row, standings.rows))


def _game_row(game: GameRecord) -> tuple[Any, ...]:
    black_first = (game.setup is None or game.setup.to_move == "black") != bool(
        game.opening_moves % 2
    )
    black, white = (slice(0, None, 2), slice(1, None, 2))[:: 1 if black_first else -1]
    return (
        game.id,
        game.pair,
        game.opening,
        game.opening_moves,
        game.black.name,
        game.white.name,
        game.result,
        _POINTS.get(game.result),
        game.reason,
        game.is_forfeit,
        game.plies,
        _sum(game.nodes[black]),
        _sum(game.nodes[white]),
        _sum(game.time_ms[black]),
        _sum(game.time_ms[white]),
        game.reproducible,
        game.moves,
    )


def _sum(values: Sequence[int | None] | Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _pairing_row(pairing: Pairing) -> tuple[Any, ...]:
    losses, draws, wins = pairing.counts
    elo = pairing.report.elo
    return (
        pairing.first,
        pairing.second,
        losses + draws + wins,
        wins,
        draws if pairing.has_draws else None,
        losses,
        score_of_counts(pairing.counts),
        elo.value,
        elo.low,
        elo.high,
        _kind(elo),
    )


def _rating_row(row: Standing) -> tuple[Any, ...]:
    losses, draws, wins = row.counts
    rating = row.rating or Estimate()
    return (
        row.place,
        row.name,
        rating.value,
        rating.low,
        rating.high,
        "held" if row.is_held and rating.value is not None else _kind(rating),
        row.games,
        wins,
        draws if row.has_draws else None,
        losses,
        row.score,
        score_of_counts(row.black),
        score_of_counts(row.white),
        row.forfeits,
        row.config_hash,
    )


def _kind(rating: Estimate) -> str:
    """Say what the numbers of a rating are."""
    ends = rating.low is not None, rating.high is not None
    if rating.value is not None:
        return "interval" if any(ends) or rating.unbounded else "no interval"
    return {
        (True, False): "at least",
        (False, True): "at most",
        (True, True): "between",
        (False, False): "unknown",
    }[ends]
