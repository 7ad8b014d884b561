"""A review in words, for the command and the page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from smallchange.core.game import Game
from smallchange.core.match import Match
from smallchange.i18n.formats import percent
from smallchange.i18n.text import Text, capital, join_texts, plain
from smallchange.render.html_table import table_html

from .levels import judge_of
from .review_account import Account, accounts, whole_points
from .review_choice import Choice, move_number

MOVE = Text("Move", "the heading of a column")
PLAYED = Text("Played")
ODDS = Text("Odds")
BEST = Text("Best")
PLAYER = Text("Player")
ITS_ODDS = Text("Its odds")
GIVEN_AWAY = Text("Given away")
TERM = plain("{what} {n}")
EQUATION = plain("{terms} = {what} {n}")
NO_CHOICE = Text("Nobody has chosen anything.")
BECAUSE = Text("After it, {reasons}.")
NO_LOSS = Text("The best bot found nothing to improve.")
YOU_MADE: dict[int | None, Text] = {  # by luck: it took, was even, or added; None in a game without luck
    -1: Text("Your accuracy: {share}. Luck cost you {points}."),
    0: Text("Your accuracy: {share}. Luck was even."),
    1: Text("Your accuracy: {share}. Luck gave you {points}."),
    None: Text("Your accuracy: {share}."),
}
PLAYER_MADE: dict[int | None, Text] = {
    -1: Text("{who}: accuracy {share}, luck cost {points}."),
    0: Text("{who}: accuracy {share}, luck even."),
    1: Text("{who}: accuracy {share}, luck gave {points}."),
    None: Text("{who}: accuracy {share}."),
}
START = Text("start", "of a sum")
LUCK = Text("luck", "of a sum")
CHOICES = Text("choices", "of a sum")
OTHER_SIDE = Text("the other’s choices", "of a sum")
DOUBT = Text("second look", "of a sum")
RESULT = Text("result", "of a sum")
BROKEN_OFF = Text("at the end", "of a sum")
SUM_COUNTS = Text("The sum counts odds of winning, in points of 100.")
ABOUT_SUM = Text("The second look is the part that the bot judged differently when it looked again.")
AGAINST_ITSELF = Text(
    "On a solved board the odds are certain: 100, 50 for a draw, or 0. Elsewhere they are "
    "the points that the best bot would score against itself, estimated from {times} times "
    "as many positions as it looks at for a move of its own."
)
ROUGH = Text("The odds are rough: they were measured with different options.")
PLAYED_OUT = Text("The odds are the share of the bot’s play-outs that are won: no games have measured them.")
EXACT_FROM = Text("From move {n} on, the odds are exact: they assume perfect play.")
AGAINST_EXPECTED = Text(
    "Each side’s odds assume that the other side plays as the bot expects, so the two can "
    "add up to more than 100%."
)


class Term(NamedTuple):
    """A part of the sum of a match, in whole points of 100."""

    label: Text
    points: int
    is_change: bool

    @property
    def points_text(self) -> str:
        """The points, with a sign if they change the sum."""
        sign = "\N{MINUS SIGN}" if self.points < 0 else "+" if self.is_change else ""
        return f"{sign}{abs(self.points)}"


def account_terms(account: Account, game: Game) -> list[Term]:
    """Return the sum of a player's match: its terms in whole points, which add up to the last one."""
    labels, parts = [START], [account.promised]
    if game.sources:
        labels, parts = [*labels, LUCK], [*parts, account.luck]
    labels, parts = [*labels, CHOICES], [*parts, -account.given]
    if len(game.seats) > 1:
        labels, parts = [*labels, OTHER_SIDE], [*parts, account.others]
    doubt = account.doubt if game.sources else account.doubt + account.luck
    points = whole_points([*parts, doubt], account.end)
    terms = [Term(label, n, label is not START) for label, n in zip([*labels, DOUBT], points, strict=True)]
    return [*terms, Term(BROKEN_OFF if account.result is None else RESULT, sum(points), False)]


def account_text(account: Account, game: Game, is_you: bool = False) -> Text:
    """Return a player's account in a sentence. The player of a game for one is always "you"."""
    terms = account_terms(account, game)
    luck = next((term.points for term in terms if term.label is LUCK), None)
    side = None if luck is None else (luck > 0) - (luck < 0)
    share, points = percent(str(_points(account.accuracy))), abs(luck or 0)
    if is_you or len(game.seats) == 1:
        return YOU_MADE[side].fill(share=share, points=points)
    return PLAYER_MADE[side].fill(who=capital(game.words.PLAYERS[account.player]), share=share, points=points)


def sum_text(account: Account, game: Game) -> Text:
    """Return the sum of a player's match in one line."""
    *terms, end = account_terms(account, game)
    line = capital(join_texts(TERM.fill(what=term.label, n=term.points_text) for term in terms))
    return EQUATION.fill(terms=line, what=end.label, n=end.points_text)


def odds_text(share: float | None) -> Text:
    """Return odds in percent, or "?" where the search did not look.

    >>> odds_text(0.414).en, odds_text(0.056)["ja"], odds_text(None).en
    ('41%', '6%', '?')
    """
    return plain("?") if share is None else percent(str(_points(share)))


def cost_text(choice: Choice) -> str:
    """Return the points that a choice gave away, as a difference of rounded odds; "" for none.

    >>> cost_text(Choice(0, "x", "a", 0.534, "b", 0.566))
    '4'
    """
    return str(_points(choice.better) - _points(choice.chance or 0.0)) if choice.cost else ""


def _points(share: float) -> int:
    """Return a share in whole points of 100; all sums shown are made of these."""
    return round(100 * share)


def review_html(match: Match, found: Sequence[Choice], lang: str = "en") -> str:
    """Return a review as HTML: a table of the choices that gave odds away, and the account of each player."""
    head = [MOVE, PLAYER, PLAYED, ODDS, BEST, ITS_ODDS, GIVEN_AWAY]
    rows = []
    for choice in found:
        if choice.cost:
            who = match.game.words.PLAYERS[choice.player][lang]
            odds, better = odds_text(choice.chance)[lang], odds_text(choice.better)[lang]
            rows.append(
                [
                    move_number(match, choice.at),
                    who,
                    choice.token,
                    odds,
                    choice.best,
                    better,
                    cost_text(choice),
                ]
            )
    lines = [
        text[lang]
        for account in accounts(match, found)
        for text in (account_text(account, match.game), sum_text(account, match.game))
    ]
    note = " ".join([*lines, *([] if rows else [NO_LOSS[lang]])])
    return table_html([one[lang] for one in head], rows, match.game.words.TITLE[lang], note)


def caveats(match: Match, found: Sequence[Choice] = ()) -> Text | None:
    """Return a note on the odds of the bot that judges a game, and of these choices; None if none is needed."""
    game, bot = match.game, judge_of(match.game)
    if bot.engine == "alphabeta":
        return AGAINST_ITSELF.fill(times=bot.module.EVALUATION_FACTOR)
    if bot.name == bot.engine:
        return PLAYED_OUT
    notes = [ROUGH] * bot.has_rough_odds(game) + [AGAINST_EXPECTED] * (len(game.seats) > 1)
    exact = [*takewhile(lambda choice: choice.exact, reversed(found))]
    notes += [EXACT_FROM.fill(n=move_number(match, exact[-1].at))] if exact else []
    return sum(notes, start=plain("")) if notes else None
