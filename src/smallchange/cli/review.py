"""What the best bot makes of a match that was played."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from smallchange import mind
from smallchange.draw.text import wide
from smallchange.game import Game
from smallchange.match import Match
from smallchange.mind.review import Account, Choice, accounts, plainly
from smallchange.mind.review import review as reviewed
from smallchange.mind.reviewed import BEST, NO_CHOICE, NO_LOSS, ODDS, PLAYED, STEP, caution, lost, odds
from smallchange.mind.reviewed import said as account_said
from smallchange.text import Text, plain

from .options import FILE_OR_DASH, bar, lang
from .records import match_of

HEAD = (
    STEP,
    Text("Player", "プレイヤー"),
    PLAYED,
    ODDS,
    BEST,
    Text("Its odds", "その勝率"),
    Text("Given away", "失った分"),
)
PLAYER = 1
WORDS = (PLAYER, 2, 4)  # columns of words; the others are numbers, to the right
WHOSE = Text("{who}: {said}", "{who}: {said}")


@click.command()
@click.argument("file", metavar="RECORD", type=FILE_OR_DASH)
@click.option(
    "--all", "every", is_flag=True, help="List every choice, not only those that gave something away."
)
@click.option("--json", "form", flag_value="json", help="Print JSON, with every choice.")
@lang
def review(file: Path, every: bool, form: str | None, lang: str) -> None:
    """What was luck in RECORD, and what was play: every choice, as the game's best bot sees it.

    The odds after the move and after the best one are looked for alike, so their difference is what the
    choice gave away; what is too little to tell counts as nothing. From one choice to the next it is luck.
    """
    match = match_of(file)
    if lacks := mind.lacking():
        raise click.ClickException(lacks[lang])
    with bar("choices") as said:
        found = reviewed(match, said=said)
    if form == "json":
        about = {"game": match.game.id, "rules": match.game.version}
        click.echo(json.dumps(about | plainly(match, found), ensure_ascii=False))
    else:
        _tell(match, found, every, lang)


def _tell(match: Match, found: Sequence[Choice], every: bool, lang: str) -> None:
    """A review in words, for a person."""
    if not found:
        click.echo(NO_CHOICE[lang])
        return
    for account in accounts(match, found):
        click.echo(_line(match.game, account)[lang])
    if careful := caution(match.game, found):
        click.echo(careful[lang])
    listed = [choice for choice in found if every or choice.cost]
    click.echo("" if listed else NO_LOSS[lang])
    if listed:
        _table([HEAD, *(_cells(match.game, choice) for choice in listed)], len(match.game.seats), lang)


def _table(rows: Sequence[Sequence[Text]], seats: int, lang: str) -> None:
    """Rows under one another; the players are told where there are two."""
    shown = [i for i in range(len(HEAD)) if seats > 1 or i != PLAYER]
    widths = [max(wide(row[i][lang]) for row in rows) for i in range(len(HEAD))]
    for row in rows:
        cells = []
        for i in shown:
            gap = " " * (widths[i] - wide(row[i][lang]))
            cells.append(row[i][lang] + gap if i in WORDS else gap + row[i][lang])
        click.echo("  ".join(cells).rstrip())


def _line(game: Game, account: Account) -> Text:
    """A player's account; whose it is, where there are two."""
    line = account_said(account, game)
    return WHOSE.fill(who=game.words.PLAYERS[account.player], said=line) if len(game.seats) > 1 else line


def _cells(game: Game, choice: Choice) -> tuple[Text, ...]:
    """A choice as a row of the table."""
    who: Text = game.words.PLAYERS[choice.player]
    played, best = plain(choice.token), plain(choice.best)
    return (
        plain(choice.at + 1),
        who,
        played,
        odds(choice.odds),
        best,
        odds(choice.better),
        plain(lost(choice)),
    )
