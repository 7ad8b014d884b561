"""Review a match that was played."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from smallchange import bots
from smallchange.bots.review import Choice, move_number, to_json
from smallchange.bots.review import review as review_match
from smallchange.bots.review_account import accounts
from smallchange.bots.review_text import (
    BEST,
    GIVEN_AWAY,
    ITS_ODDS,
    MOVE,
    NO_CHOICE,
    NO_LOSS,
    ODDS,
    PLAYED,
    PLAYER,
    account_text,
    caveats,
    cost_text,
    odds_text,
    sum_text,
)
from smallchange.core.match import Match
from smallchange.i18n.text import Text, plain
from smallchange.render.text_screen import wide

from .options import FILE_OR_DASH, WholeNumber, lang, print_json, progress_bar, say
from .records import match_of

HEAD = (
    MOVE,
    PLAYER,
    PLAYED,
    ODDS,
    BEST,
    ITS_ODDS,
    GIVEN_AWAY,
)
PLAYER_COLUMN = 1
WORDS = (PLAYER_COLUMN, 2, 4)  # columns of words; the others are numbers, to the right


@click.command()
@click.argument("file", metavar="RECORD", type=FILE_OR_DASH)
@click.option("--all", "every", is_flag=True, help="List every choice, not only those that cost something.")
@click.option(
    "--simulations",
    type=WholeNumber(1, 1_000_000_000),
    help="Simulations for a move, or positions of alpha-beta search [default: those of the level].",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with every choice.")
@lang
def review(file: Path, every: bool, simulations: int | None, as_json: bool, lang: str) -> None:
    """Review RECORD: how much each choice cost, by the game's best bot, and how much was luck.

    The move played and the best move are evaluated in the same way. The cost of a choice is the difference of
    their odds, if it exceeds the noise of the search. Between choices luck changes the odds.
    """
    match = match_of(file)
    if lacks := bots.install_advice():
        raise click.ClickException(lacks[lang])
    with progress_bar("choices") as progress:
        found = review_match(match, progress=progress, simulations=simulations)
    if as_json:
        about = {"game": match.game.id, "rules": match.game.version}
        print_json(about | to_json(match, found))
    else:
        say("\n".join(review_lines(match, found, every, lang)))


def review_lines(match: Match, found: Sequence[Choice], every: bool, lang: str) -> list[str]:
    """Return a review in words, for a person; `every` lists choices that gave nothing away too."""
    if not found:
        return [NO_CHOICE[lang]]
    lines = []
    for account in accounts(match, found):
        lines += [account_text(account, match.game)[lang], sum_text(account, match.game)[lang]]
    if careful := caveats(match, found):
        lines.append(careful[lang])
    listed = [choice for choice in found if every or choice.cost]
    lines.append("" if listed else NO_LOSS[lang])
    if listed:
        rows = [HEAD, *(_cells(match, choice) for choice in listed)]
        lines += _table_lines(rows, len(match.game.seats), lang)
    return lines


def _table_lines(rows: Sequence[Sequence[Text]], seats: int, lang: str) -> list[str]:
    """Return rows under one another; the players are told where there are two."""
    shown = [i for i in range(len(HEAD)) if seats > 1 or i != PLAYER_COLUMN]
    widths = [max(wide(row[i][lang]) for row in rows) for i in range(len(HEAD))]
    lines = []
    for row in rows:
        cells = []
        for i in shown:
            gap = " " * (widths[i] - wide(row[i][lang]))
            cells.append(row[i][lang] + gap if i in WORDS else gap + row[i][lang])
        lines.append("  ".join(cells).rstrip())
    return lines


def _cells(match: Match, choice: Choice) -> tuple[Text, ...]:
    """Return a choice as a row of the table."""
    who: Text = match.game.words.PLAYERS[choice.player]
    played, best = plain(choice.token), plain(choice.best)
    return (
        plain(move_number(match, choice.at)),
        who,
        played,
        odds_text(choice.chance),
        best,
        odds_text(choice.better),
        plain(cost_text(choice)),
    )
