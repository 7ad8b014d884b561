"""Compare variants and policies."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import Any

import click
from click.core import ParameterSource

from smallchange.core.game import Game

from .laboratory import laboratory
from .options import (
    NOTHING_KEPT,
    PerGame,
    WholeNumber,
    count_text,
    game_parameters,
    json_flag,
    per_game,
    print_json,
    progress_bar,
    read_value,
    report_idle_options,
    report_interrupt,
    say,
    seed_option,
    workers_option,
)

AND = "--and"
OTHERS = f"{__name__}.others"  # where the arguments after each --and wait, in the context
COMMON_WITH_VALUE, COMMON_FLAGS = (
    ("-n", "--games", "--seed", "--workers"),
    ("--json", "-h", "--help"),
)  # of all
POLICY = click.Option(["--policy"], default="greedy", help="Who plays.")
NAME = click.Option(["--name"], default="", help="Its name in the tables.")


class Alternatives(PerGame):
    """A command with one form for each game, whose options may be given again after each --and."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        parts: list[list[str]] = [[]]
        words = iter(args)
        for word in words:
            name, has_value, _ = word.partition("=")
            if word == AND:
                parts.append([])
            elif name in COMMON_WITH_VALUE:
                parts[0] += [word] if has_value else [word, *islice(words, 1)]
            else:
                parts[0 if word in COMMON_FLAGS else -1].append(word)
        ctx.meta[OTHERS] = parts[1:]
        return super().parse_args(ctx, parts[0])


@partial(per_game, kind=Alternatives)
@click.option(
    AND, is_flag=True, expose_value=False,
    help="Another one follows: its --policy, --name and the game's options; the rest is as in the first.",
)  # fmt: skip
@click.option(
    "--policy", default="greedy", show_default=True,
    help="The player: a bot, LEVEL@MS, tree:N or MODULE:FUNCTION; for two: greedy,random.",
)  # fmt: skip
@click.option("--name", default="", help="Its name in the tables.")
@click.option(
    "-n", "--games", "n", type=WholeNumber(1, 1_000_000_000), default=10_000, show_default=True,
    help="Games of each.",
)  # fmt: skip
@seed_option()
@workers_option("Processes [default: one a core].")
@json_flag
def compare(
    game: Game, policy: str, name: str, n: int, seed: int, workers: int | None, as_json: bool
) -> None:
    """Compare two or more variants or policies on the same deals: differences with their intervals.

    smallchange compare GAME --board @mine.txt --and --board rectangle
    """
    others: list[list[str]] = click.get_current_context().meta[OTHERS]
    if not others:
        raise click.UsageError(f"name what to compare with after {AND}, as in: {AND} --policy random")
    with laboratory():
        from smallchange.bots.policy import seat_policies
        from smallchange.lab import compare as lab

        alternatives = [lab.Alternative(game, seat_policies(policy, game), name)]
        for words in others:
            other, its_policy, its_name = _alternative(game, words, policy)
            alternatives.append(lab.Alternative(other, seat_policies(its_policy, other), its_name))
        total = n * len(alternatives)
        with report_interrupt(NOTHING_KEPT), progress_bar("games", total) as progress:
            done = lab.compare_alternatives(alternatives, n, seed, workers, progress)
    if as_json:
        print_json(done.to_json())
        return
    click.echo(f"{game.id}, {count_text(n, 'game')} of each, seed {seed}")
    for sheet in done.sheets:
        click.echo(f"\n{sheet.title}\n{sheet.plain()}")
        say(sheet.note)


def _alternative(first: Game, words: list[str], policy: str) -> tuple[Game, str, str]:
    """Return the variant, policy and name after an --and; parts left out are as in the first."""
    form = click.Command(AND, params=[POLICY, NAME, *game_parameters(first)])
    given = form.make_context(AND, list(words), parent=click.get_current_context())
    settings: dict[str, Any] = {
        name: value
        for name, value in given.params.items()
        if given.get_parameter_source(name) is not ParameterSource.DEFAULT
    }
    its_policy, its_name = settings.pop("policy", policy), settings.pop("name", "")
    other = Game(
        first.id, first.non_default_options | {key: read_value(value) for key, value in settings.items()}
    )
    report_idle_options(other)
    return other, its_policy, its_name
