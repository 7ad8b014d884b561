"""The picture of a result in the deal of the day, to share: it says how one did, and nothing of the luck.

It is drawn from the card of a visitor alone, which has the words of the result and the place. The board in it is that
of the game, the same every day.
"""

from __future__ import annotations

from smallchange.i18n.formats import day as day_text
from smallchange.render.theme import LIGHT
from smallchange.server.daily.model import DailyCard
from smallchange.server.daily.view import date_of, placing_texts
from smallchange.server.table.view.board_pictures import close_up
from smallchange.server.table.view.ending import split_verdict
from smallchange.server.table.view.result_card import ResultCard, result_card
from smallchange.server.web import phrases as p

BOARD_UNITS = (210, 225)
MARKS = 10  # squares, filled for the share of players that one did better than


def daily_picture(card: DailyCard, origin: str, lang: str) -> str | None:
    """Return the picture as SVG; None before the end, and for a result that does not count."""
    if not card.verdict or not (card.place or card.counts):
        return None
    verdict = split_verdict(card.verdict, lang)[1]
    day = day_text(date_of(card.day))[lang]
    ranks = (text[lang] for text in placing_texts(card) if text is not p.NO_PLACE)
    address = f"{origin}/daily".partition("://")[2]
    board = close_up(card.game.id, BOARD_UNITS, lang)
    said = (verdict, *ranks)
    return result_card(ResultCard(card.game.words.TITLE[lang], day, said, board, address, _marks(card)), lang)


def _marks(card: DailyCard) -> str:
    """Draw MARKS squares, of which the share of the others that did worse is filled."""
    if card.others < 1:
        return ""
    filled = MARKS * card.worse // card.others
    squares = (
        f'<rect x="{28 + 24 * n}" y="216" width="18" height="18" rx="3" stroke="{LIGHT["accent"]}" stroke-width="1.5"'
        f' fill="{LIGHT["accent"] if n < filled else "none"}"/>'
        for n in range(MARKS)
    )
    return "".join(squares)
