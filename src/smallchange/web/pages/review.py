"""The review of an ended match: its odds, what would have been better, and every choice."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from markupsafe import Markup

from smallchange.draw.words import capital
from smallchange.game import Game
from smallchange.match import Match
from smallchange.mind import best, reviewed
from smallchange.mind.levels import about
from smallchange.mind.review import TELLING, Choice, accounts, choices
from smallchange.text import Text
from smallchange.web.view import Visit

from . import phrases as p
from . import signs
from .frame import page


class Told(NamedTuple):
    """A choice as the page tells it: steps before it, the move and the best one, the odds after each in
    percent, and the points given away, "" for none."""

    at: int
    token: str
    move: Text
    odds: Text
    best: str
    better: Text
    best_odds: Text
    lost: str


def reviewing(id: str, match: Match, done: int, total: int, visit: Visit) -> str:
    """How far the review of a match is: of so many choices those that were looked at."""
    title = _titled(match.game)
    return page("reviewing.html", visit, title, match=id, done=done, total=total)


def review_title(luck: bool) -> Text:
    """What a review is called, in a game with luck or without."""
    return p.REVIEW if luck else p.REVIEW_WITHOUT_LUCK


def _titled(game: Game) -> Text:
    return p.OF_GAME.fill(game=game.words.TITLE, what=review_title(bool(game.sources)))


def review(id: str, match: Match, found: Sequence[Choice], visit: Visit, held: Collection[int] = ()) -> str:
    """The review of a match: all that the best bot made of its choices. `held`: the visitor's seats."""
    game = match.game
    two = len(game.seats) > 1
    sums = [
        (
            _called(game, account.player, held) if two else None,
            reviewed.said(account, game),
        )
        for account in accounts(match, found)
    ]
    return page(
        "review.html",
        visit,
        _titled(game),
        words=reviewed,
        match=id,
        sums=sums,
        told=told(match, found),
        course=Markup(course(match, found)),
        told_by=p.ABOUT_REVIEW.fill(points=round(100 * TELLING)),
        searched=capital(about(best(game))),
        caution=reviewed.caution(game, found),
        signed=lambda text: Markup(signs.signed(text[visit.lang], game.id, visit.lang)),
    )


def _called(game: Game, player: str, held: Collection[int]) -> Text:
    """A side, and whether it was the visitor's, which says nothing to who held both."""
    title: Text = capital(game.words.PLAYERS[player])
    yours = list(held) == [game.seats.index(player)]
    return p.OPTION.fill(name=title, value=p.YOU) if yours else title


def told(match: Match, found: Sequence[Choice]) -> list[Told]:
    """Every choice in words."""
    where = dict(choices(match))
    return [
        Told(
            choice.at,
            choice.token,
            where[choice.at].says(choice.token),
            reviewed.odds(choice.odds),
            choice.best,
            where[choice.at].says(choice.best),
            reviewed.odds(choice.better),
            f"\N{MINUS SIGN}{lost}" if (lost := reviewed.lost(choice)) else "",
        )
        for choice in found
    ]


def course(match: Match, found: Sequence[Choice]) -> str:
    """The odds of each player from the first choice to the last step, as lines in a square of 100 that is
    stretched; a dot where a choice gave something away."""
    if not found:
        return ""
    begin, length = found[0].at, len(match) - found[0].at

    def place(at: int, odds: float) -> str:
        return f"{100 * (at - begin) / length:.4g} {100 - 100 * odds:.4g}"

    lines = dots = ""
    for seat, account in enumerate(accounts(match, found)):
        own = [choice for choice in found if choice.player == account.player]
        corners = [corner for choice in own for corner in _corners(choice)]
        if account.result is not None:
            corners.append((len(match), account.result))
        lines += f'<polyline class="odds-{seat}" points="{", ".join(place(*corner) for corner in corners)}"/>'
        lost = [place(*_corners(choice)[1]) for choice in own if choice.cost]
        dots += "".join(f'<path class="lost" d="M{where}h0"/>' for where in lost)
    grid = "".join(f'<path class="grid" d="M0 {y}H100"/>' for y in (0, 50, 100))
    return (
        f'<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">{grid}{lines}{dots}</svg>'
    )


def _corners(choice: Choice) -> list[tuple[int, float]]:
    """Before and after a choice: the step and the odds."""
    odds = choice.better if choice.odds is None else choice.odds
    return [(choice.at, choice.better), (choice.at + 1, odds)]
