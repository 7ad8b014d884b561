"""The tip after a match: the choice that cost its player most, or else an advice of the game."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

from smallchange.bots.reasons import comparison_text
from smallchange.bots.review import Choice, move_number
from smallchange.bots.review_text import BECAUSE, odds_text
from smallchange.core.game import Game
from smallchange.core.match import Match
from smallchange.i18n.text import Text
from smallchange.server.insight.review_view import choice_path
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import escape


def tip_markup(
    id: str, match: Match, found: Sequence[Choice] | None, held: Collection[int], lang: str
) -> str:
    """Return the tip for the holder of these seats, with a link to the board; "" where there is none to give.

    `found` are the choices of the finished review, None while there is none: then the game itself gives an
    advice, by turns.
    """
    own = [choice for choice in found or () if match.game.seats.index(choice.player) in held]
    if not own:
        advice = game_advice(match.game.id)
        return escape(p.TIP.fill(tip=advice[len(match) % len(advice)])[lang]) if advice else ""
    worst = max(own, key=lambda choice: choice.cost)
    if not worst.cost:
        return escape(p.TIP_WELL_PLAYED[lang])
    link = f'<a href="{choice_path(id, worst.at)}">{escape(p.TIP_SHOW[lang])}</a>'
    better, why = better_move_texts(match, worst)
    told = escape(better[lang])
    if why:
        told += f'<span class="tip-why"> {escape(why[lang])}</span>'  # where there is room
    return f"{told} {link}"


def better_move_texts(match: Match, choice: Choice) -> tuple[Text, Text | None]:
    """Say which move would have been better, and why; None where no reason is known."""
    position = match.until(choice.at).position
    text = p.TIP_BETTER.fill(
        n=move_number(match, choice.at),
        move=position.describe(choice.best),
        better=odds_text(choice.better),
        played=odds_text(choice.odds),
    )
    why = comparison_text(position, choice.best, choice.token)
    return text, BECAUSE.fill(reasons=why) if why else None


@cache
def game_advice(id: str) -> Sequence[Text]:
    """Return what a game's guide advises; () for a game without advice."""
    return Game(id).advice
