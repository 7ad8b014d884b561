"""Write docs/cli.md and the manual page from the help of the commands.

python scripts/cli_page.py           write them
python scripts/cli_page.py --check   fail where they are not as the help says
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

os.environ["SMALLCHANGE_LANG"] = "en"

import click

import smallchange
from smallchange.cli import COMMANDS, main
from smallchange.cli.options import PerGame
from smallchange.cli.server import ServerCommands

DOCS = Path(__file__).parents[1] / "docs"
INTRODUCTION = """\
# Commands

Made from the help of the commands by `python scripts/cli_page.py`; do not edit.

`smallchange COMMAND -h` says the same. Every command keeps to these conventions:

- **Exit status**: 0 if all went well, 2 for a command line that is not accepted, 1 for any other failure, 130 after
  Ctrl-C. An error is one line on standard error.
- `-o`, `--out` is the file to write; `-` is standard output. A file that holds something of another form is not
  replaced. `--json` prints figures as one line of JSON. `--seed` is a whole number from 0 to 2^63 - 1; the same seed
  gives the same games. `--workers` is how many threads or processes work.
- Counts may be written `100000`, `100_000` or `1e5`.
- RECORD is a file with a match as text or JSON; `-` is standard input. A drawing may be `@FILE`.

## Completion

Shells complete commands, games, levels, boards and options:

```
eval "$(_SMALLCHANGE_COMPLETE=bash_source smallchange)"    # in ~/.bashrc
eval "$(_SMALLCHANGE_COMPLETE=zsh_source smallchange)"     # in ~/.zshrc
_SMALLCHANGE_COMPLETE=fish_source smallchange | source     # in ~/.config/fish/config.fish
```
"""


def command(name: str) -> tuple[click.Command, click.Context]:
    """Return a command with the context of a call from the shell."""
    found: click.Command = main
    context = click.Context(main, info_name="smallchange", help_option_names=["-h", "--help"])
    for word in name.split():
        assert isinstance(found, click.Group)
        inner = found.get_command(context, word)
        assert inner is not None
        found, context = inner, click.Context(inner, parent=context, info_name=word)
    return found, context


def names() -> Iterator[str]:
    """Yield the commands, and those of `server` in its place."""
    for name in COMMANDS:
        yield from [f"server {inner}" for inner in ServerCommands.modules] if name == "server" else [name]


def rows(found: click.Command, context: click.Context) -> list[tuple[str, str]]:
    """Return the options of a command with their help."""
    own = (
        found.own if isinstance(found, PerGame) else [p for p in found.params if isinstance(p, click.Option)]
    )
    records = [record for param in own if (record := param.get_help_record(context))]
    if isinstance(found, click.Group) and not isinstance(found, PerGame):
        for name, part in found.commands.items():
            pieces = part.collect_usage_pieces(click.Context(part, info_name=name, parent=context))
            records.append((" ".join([name, *pieces]), part.help or ""))
    return records


def usage(found: click.Command, context: click.Context) -> str:
    return " ".join([context.command_path, *found.collect_usage_pieces(context)])


def game_options() -> dict[str, list[tuple[str, str]]]:
    """Return the options of each game with their help."""
    found, context = command("play")
    assert isinstance(found, PerGame)
    options = {}
    for id in smallchange.games():
        of_game = found.get_command(context, id)
        records = [param.get_help_record(context) for param in of_game.params if param not in found.own]
        options[id] = [record for record in records if record]
    return options


def table(options: list[tuple[str, str]]) -> list[str]:
    lines = ["| option | |", "| --- | --- |"]
    return [*lines, *(f"| `{flags}` | {' '.join(said.split())} |" for flags, said in escape(options))]


def escape(options: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return options so that no vertical bar ends a cell."""
    return [(flags.replace("|", r"\|"), said.replace("|", r"\|")) for flags, said in options]


def help_text(found: click.Command) -> str:
    return "\n\n".join(" ".join(part.split()) for part in (found.help or "").split("\n\n"))


def page() -> str:
    parts = [INTRODUCTION]
    for name in names():
        found, context = command(name)
        lines = [f"## {name}", "", f"`{usage(found, context)}`", "", help_text(found), ""]
        parts.append("\n".join([*lines, *table(rows(found, context)), ""]))
    parts.append(
        "## Options of the games\n\nThey come after the game, in every command whose usage says `GAME [OPTIONS]`.\n"
    )
    for id, options in game_options().items():
        parts.append("\n".join([f"### {id}", "", *table(options), ""]))
    return "\n".join(parts)


def roff(text: str) -> str:
    """Escape text for a manual page."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in escaped.split("\n"))


def manual() -> str:
    lines = [
        f'.TH SMALLCHANGE 1 "" "Small Change {smallchange.__version__}" "User Commands"',
        ".SH NAME",
        roff("smallchange - six coin games played, measured and solved by one engine"),
        ".SH SYNOPSIS",
        ".B smallchange",
        r"\fICOMMAND\fR [\fIGAME\fR] [\fIOPTIONS\fR]",
        ".SH COMMANDS",
    ]
    for name in names():
        found, context = command(name)
        lines += [".SS " + roff(usage(found, context)), roff(help_text(found))]
        for flags, said in rows(found, context):
            lines += [".TP", f"\\fB{roff(flags)}\\fR", roff(" ".join(said.split()))]
    lines += [".SH OPTIONS OF THE GAMES"]
    for id, options in game_options().items():
        lines.append(f".SS {roff(id)}")
        for flags, said in options:
            lines += [".TP", f"\\fB{roff(flags)}\\fR", roff(" ".join(said.split()))]
    lines += [
        ".SH EXIT STATUS",
        roff(
            "0 if all went well, 2 for a command line that is not accepted, 1 for any other failure, 130 after Ctrl-C."
        ),
        ".SH ENVIRONMENT",
        ".TP",
        r"\fBSMALLCHANGE_LANG\fR",
        "The language: en, ja or de.",
        ".TP",
        r"\fBSMALLCHANGE_DATA\fR",
        "The folder of saved games, tables and the server\\(aqs database.",
        ".TP",
        r"\fBSMALLCHANGE_CACHE\fR",
        "The folder of compiled code.",
    ]
    return "\n".join(lines) + "\n"


def run(arguments: list[str]) -> None:
    written = {DOCS / "cli.md": page(), DOCS / "man" / "smallchange.1": manual()}
    for file, text in written.items():
        if "--check" not in arguments:
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
        elif not file.is_file() or file.read_text(encoding="utf-8") != text:
            sys.exit(f"{file} is not as the help says: run python scripts/cli_page.py")


if __name__ == "__main__":
    run(sys.argv[1:])
