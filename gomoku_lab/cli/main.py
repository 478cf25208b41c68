"""The ``gomoku-lab`` command: a group that imports a subcommand's module when it is asked for.

The one-line helps stand here, so that ``gomoku-lab --help`` imports no command. What a command
does stands in its own file.
"""

from __future__ import annotations

from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from typing import Any

import click

from gomoku_lab import __version__
from gomoku_lab.cli.errors import STOPPED, CliError, clean_output, clean_usage

COMMANDS: dict[str, str] = {
    "suite": "Run players on tactical positions whose answers are proved.",
    "analyse": "Show what the engine thinks of a position, layer by layer.",
    "solve": "Find forced wins, by fours or by threats: found, refuted, or the budget spent.",
    "tournament": "Play a round robin or a gauntlet in parallel; stop and resume.",
    "match": "Play two players against each other, if wanted until an SPRT decides.",
    "fit": "Learn pattern weights or a table of values from the results of games.",
    "tune": "Tune numbers of a player by self-play; stop and resume.",
    "accept": "Test a candidate at several budgets, and only then write a new preset.",
    "import": "Take in games and tables of results from elsewhere, to be rated.",
    "rate": "Rate the players of finished runs, with intervals, and write a report.",
    "compare": "Tell whether players are really different, in this order, and how sure that is.",
    "report": "Write the page about a run or a study, with games to step through.",
    "elo": "Turn counts of results into Elo with its interval.",
    "sprt": "Turn counts of results into a sequential test's verdict.",
    "brain": "Play as a Gomocup program, for managers such as Piskvork.",
    "convert": "Convert games and openings between file formats, saying what is lost.",
    "positions": "List, show and re-prove the tactical positions.",
    "players": "List the players and show how one is configured.",
    "notebooks": "List the notebooks, copy them into a folder, or open them.",
    "bench": "Measure speed, scaling and the gates that go with them.",
    "doctor": "Show versions, cores, the kernel cache and the data folder.",
}

_FOLDER = Path(__file__).resolve().parent
_BRAIN_PREFIX = "pbrain-"
"""Managers start programs by such names, without arguments: then the command is ``brain``."""


def module_of(name: str) -> str:
    """Return the module of a command: that of ``import``, which Python reserves, is ``import_``."""
    return f"{name}_" if iskeyword(name) else name


class LazyGroup(click.Group):
    """A group whose subcommands are modules beside this one, each with an attribute `command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands whose modules exist, in the order of `COMMANDS`."""
        return [name for name in COMMANDS if (_FOLDER / f"{module_of(name)}.py").is_file()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command, or None if there is none of that name."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"gomoku_lab.cli.{module_of(cmd_name)}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; name the nearest one if there is none of that name."""
        names = self.list_commands(ctx)
        if args and not args[0].startswith("-") and args[0] not in names:
            import difflib

            near = difflib.get_close_matches(args[0], names, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            ctx.fail(f"no such command {args[0]!r}; {hint}commands: {', '.join(names)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table, without importing any of them."""
        rows = [(name, COMMANDS[name]) for name in self.list_commands(ctx)]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Read the words; ``--help`` and ``--version`` print while this is done."""
        if (info_name or "").lower().startswith(_BRAIN_PREFIX):
            args = ["brain", *args]
        with clean_output(), clean_usage():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; Ctrl-C, where a command does not handle it, is no failed check."""
        try:
            with clean_output(), clean_usage():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            raise CliError("interrupted", code=STOPPED) from None


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="gomoku-lab")
def main() -> None:
    """Gomoku lab: verify, compare and rate Gomoku players.

    A player is named FAMILY/LEVEL, may be varied on the spot (layered/master:nodes=20000), may be
    a TOML file, or a class of your own (python:package.module:Name). Results go to stdout, talk
    and progress to stderr. Exit codes: 0 fine, 1 a check failed, 2 usage or configuration,
    3 an external engine failed, 4 interrupted but resumable, 5 undecided at the limit, 130
    interrupted with nothing to resume, 141 the reader of the output went away.
    """
