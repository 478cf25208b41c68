"""``gomoku-lab positions mine``: search games for positions with a proved answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gomoku_lab.cli.errors import INTERRUPTED, clean_errors, fail
from gomoku_lab.cli.paths import PathName
from gomoku_lab.cli.progress import progress, say

if TYPE_CHECKING:
    from gomoku_lab.players.registry import PlayerSpec
    from gomoku_lab.suite.finders import Find
    from gomoku_lab.suite.mining import Miner, MiningSettings
    from gomoku_lab.suite.positions import Position
    from gomoku_lab.suite.sources import Sources

_SCHEMA_VERSION = 1
_DEFAULT_PLAYER = "lab/max:nodes=2000,time_ms=0"
_DEFAULT_GAMES = 200


@click.command("mine")
@click.argument("runs", metavar="[RUN]...", nargs=-1, type=PathName())
@click.option(
    "--games",
    type=click.IntRange(1),
    metavar="N",
    help="Games to search of the RUNs, or to play; boards to draw, where forbidden is the only "
    f"kind and there is no RUN. [default: all of the RUNs, else {_DEFAULT_GAMES}]",
)
@click.option(
    "--player",
    default=_DEFAULT_PLAYER,
    show_default=True,
    metavar="PLAYER",
    help="Who plays itself where there is no RUN.",
)
@click.option(
    "--kind",
    "-k",
    "kinds",
    multiple=True,
    metavar="KIND",
    help="vcf, vct, no-vcf, break-vcf or forbidden; may be repeated. [default: the first four]",
)
@click.option(
    "--rule", metavar="RULE", default="freestyle", show_default=True, help="Of the games to take."
)
@click.option(
    "--count",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    metavar="N",
    help="Positions of each kind, in equal shares of easy and difficult ones.",
)
@click.option(
    "--failing",
    metavar="PLAYER",
    help="The player that has to fail. [default: layered/skilled:noise=0,time_ms=0]",
)
@click.option(
    "--known",
    multiple=True,
    metavar="FILE|DIR",
    help="Positions not to be found again, besides those that ship; may be repeated.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of every draw.")
@click.option("--out", type=PathName(), required=True, metavar="FILE", help=".jsonl or .toml")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--quiet", "-q", is_flag=True, help="No progress on stderr.")
def mine_positions(runs: tuple[Path, ...], out: Path, quiet: bool, **words: Any) -> None:
    """Search games for positions whose complete answer the solver proves.

    A position is kept if a player that looks less far (--failing) does not find a right move, and
    if it is no position that ships, or was kept, on a turned or mirrored board. The games are
    those of the RUN folders, or are played there and then. The same words give the same file. What
    was found stands in FILE.part meanwhile: after Ctrl-C (exit code 4) the same command goes on.
    """
    from gomoku_lab.arena.log import RunError
    from gomoku_lab.players.errors import PlayerError, PlayerStartError
    from gomoku_lab.suite.mining import mine

    with ExitStack() as stack, clean_errors():
        settings, spec, known = _settings(words, out)
        sources, total, about = _sources(runs, words, settings, stack)
        failing = stack.enter_context(closing(_player(spec)))
        from gomoku_lab.suite.mining import Miner

        miner = Miner(settings, failing, known=known, sources=sources)
        journal = _Journal(out, _identity(settings, about, total), miner)
        meter = stack.enter_context(
            progress(total, "searched", quiet=quiet, done=journal.done, patience=1.0)
        )

        def advance(number: int, new: list[Find]) -> None:
            journal.write(number, new)
            meter.advance(1, f"{len(miner.kept)} positions")

        say(f"searching {about}; {len(miner.kept)} positions so far", quiet=quiet)
        try:
            positions = mine(miner, range(journal.done, total), advance)
        except KeyboardInterrupt:
            fail(
                f"interrupted after {journal.done} of {total}; what was found stands in "
                f"{journal.path}; the same command goes on",
                INTERRUPTED,
            )
        except (PlayerError, PlayerStartError, RunError) as error:
            fail(str(error))
        _finish(out, positions, journal, as_json=words["as_json"])


def _settings(
    words: dict[str, Any], out: Path
) -> tuple[MiningSettings, PlayerSpec, list[Position]]:
    """Return what to look for, who has to fail, and the positions that are known."""
    from gomoku_lab.game.rules import parse_rule
    from gomoku_lab.players.registry import resolve
    from gomoku_lab.suite.mining import DEFAULT_FAILING, KINDS, MiningSettings
    from gomoku_lab.suite.positions import load_positions, load_shipped

    if out.suffix not in (".jsonl", ".toml"):
        raise ValueError(f"{out}: a position file must end in .toml or .jsonl")
    if out.exists():
        raise ValueError(f"{out}: the file is there already; name another one for --out")
    spec = resolve(words["failing"] or DEFAULT_FAILING)
    _check_repeatable("--failing", spec)
    settings = MiningSettings(
        kinds=tuple(dict.fromkeys(words["kinds"])) or KINDS[:-1],
        count=words["count"],
        rule=parse_rule(words["rule"]),
        seed=words["seed"],
        failing=spec.name,
    )
    known = [one for path in words["known"] for one in load_positions(path)]
    return settings, spec, [*load_shipped(), *known]


def _sources(
    runs: tuple[Path, ...], words: dict[str, Any], settings: MiningSettings, stack: ExitStack
) -> tuple[Sources | None, int, str]:
    """Return the games to search, how many there are, and what they are."""
    from gomoku_lab.players.registry import resolve
    from gomoku_lab.suite.sources import PlayedSources, RunSources

    games, rule = words["games"], settings.rule
    if runs:
        found = RunSources(runs, rule=rule, games=games, seed=settings.seed)
        return found, len(found), f"{len(found)} games of {', '.join(map(str, runs))}"
    games = games or _DEFAULT_GAMES
    if settings.kinds == ("forbidden",):
        return None, games, f"{games} boards drawn by lot"
    spec = resolve(words["player"])
    _check_repeatable("--player", spec)
    player = stack.enter_context(closing(_player(spec)))
    if not player.plays(rule):
        raise ValueError(f"--player {spec.name} does not play the rule {rule}")
    played = PlayedSources(player, games=games, rule=rule, seed=settings.seed)
    return played, games, f"{games} games of {spec.name}, {rule}, against itself"


def _player(spec: PlayerSpec) -> Any:
    from gomoku_lab.players.registry import make_player, warm_up

    warm_up([spec], say)
    return make_player(spec)


def _check_repeatable(option: str, spec: PlayerSpec) -> None:
    if not spec.reproducible:
        raise ValueError(
            f"{option} {spec.name}: its moves depend on the clock, so that nobody could repeat "
            "the search; give it nodes or a depth, and time_ms=0"
        )


def _identity(settings: MiningSettings, about: str, total: int) -> dict[str, Any]:
    """Return what has to be the same for a search to go on."""
    return {
        "schema": _SCHEMA_VERSION,
        "kinds": list(settings.kinds),
        "count": settings.count,
        "rule": str(settings.rule),
        "seed": settings.seed,
        "failing": settings.failing,
        "searched": about,
        "total": total,
    }


class _Journal:
    """The file beside the one that is made, with what was found until now, source by source."""

    def __init__(self, out: Path, identity: dict[str, Any], miner: Miner) -> None:
        self.path = out.with_name(f"{out.name}.part")
        self.done = 0
        if self.path.exists():
            self._resume(identity, miner)
        else:
            self.path.write_text(json.dumps(identity) + "\n", encoding="utf-8")

    def write(self, number: int, new: list[Find]) -> None:
        """Note that a source was searched, and what was kept of it."""
        finds = [
            {"position": find.position.to_dict(), "group": find.group, "label": find.label}
            for find in new
        ]
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"source": number, "finds": finds}) + "\n")
        self.done = number + 1

    def _resume(self, identity: dict[str, Any], miner: Miner) -> None:
        """Give the miner what was kept; ValueError if something else was looked for."""
        from gomoku_lab.suite.finders import Find
        from gomoku_lab.suite.positions import position_from_dict

        whole = self.path.read_text(encoding="utf-8").rpartition("\n")[0]
        lines = [json.loads(line) for line in whole.splitlines()]
        for key, value in identity.items():
            before = lines[0].get(key) if lines else None
            if before != value:
                raise ValueError(
                    f"{self.path}: a search with other words was begun here: {key} was "
                    f"{before!r}, not {value!r}; repeat these, or delete the file"
                )
        for line in lines[1:]:
            self.done = line["source"] + 1
            for entry in line["finds"]:
                position = position_from_dict(entry["position"], source=str(self.path))
                miner.keep(Find(position, entry["group"], entry["label"]))
        # The end of a line that was torn off would spoil the next one.
        self.path.write_text(f"{whole}\n", encoding="utf-8")


def _finish(out: Path, positions: list[Position], journal: _Journal, *, as_json: bool) -> None:
    """Write the file and say what is in it."""
    from gomoku_lab.suite.positions import save_positions

    if not positions:
        fail(f"nothing found in {journal.done} searched; {journal.path} tells so")
    save_positions(out, positions)
    journal.path.unlink()
    if as_json:
        entries = [one.to_dict() for one in positions]
        click.echo(json.dumps({"schema": _SCHEMA_VERSION, "positions": entries}, indent=2))
        return
    for line in _summary(positions):
        click.echo(line)
    click.echo(f"written to {out}, after {journal.done} searched")


def _summary(positions: list[Position]) -> Iterator[str]:
    for kind in dict.fromkeys(one.kind for one in positions):
        counts = [one for one in positions if one.kind == kind]
        yield f"{kind:15}  {len(counts)} found"
    yield f"{'all':15}  {len(positions)} found"
