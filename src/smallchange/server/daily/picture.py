"""The picture of a result in the deal of the day, to share: it says how one did, and nothing of the luck.

It is drawn from the card of a visitor alone, which has the words of the result and the place. The board in it is that
of the game, the same every day.
"""

from __future__ import annotations

import unicodedata

from smallchange.i18n.formats import day as day_text
from smallchange.render.shapes import shape_definitions
from smallchange.render.theme import LIGHT
from smallchange.server.daily.model import DailyCard
from smallchange.server.daily.view import date_of, placing_texts
from smallchange.server.table.view.board_pictures import close_up
from smallchange.server.table.view.ending import split_verdict
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import escape

SIZE_PX = (600, 315)
BOARD_UNITS = (210, 225)
LINE_WIDTH = 30  # of half-width characters
LINE_PX = 25
# of the fonts of a family, a PNG takes the first alone
FAMILY = "Source Sans 3, sans-serif"
FAMILY_WIDE = "Noto Sans CJK JP, sans-serif"
MARKS = 10  # squares, filled for the share of players that one did better than


def daily_picture(card: DailyCard, origin: str, lang: str) -> str | None:
    """Return the picture as SVG; None before the end, and for a result that does not count."""
    if not card.verdict or not (card.place or card.counts):
        return None
    verdict = split_verdict(card.verdict, lang)[1]
    title, day = card.game.words.TITLE[lang], day_text(date_of(card.day))[lang]
    ranks = [text for text in placing_texts(card) if text is not p.NO_PLACE]
    said = [*_wrap(verdict), *(line for text in ranks for line in _wrap(text[lang]))]
    address = f"{origin}/daily".partition("://")[2]
    drawn = _text(title, 56, 26, LIGHT["ink"], bold=True) + _text(day, 84, 17, LIGHT["soft"])
    for number, line in enumerate(said):
        drawn += _text(line, 122 + LINE_PX * number, 18, LIGHT["ink"])
    drawn += _marks(card)
    drawn += _text(p.NAME[lang], 270, 17, LIGHT["accent"], bold=True) + _text(address, 292, 14, LIGHT["soft"])
    width, height = SIZE_PX
    label = escape(" ".join((title, day, verdict)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f' role="img" aria-label="{label}"><title>{label}</title>'
        f'<rect width="{width}" height="{height}" fill="{LIGHT["paper"]}"/>{_board(card, lang)}{drawn}</svg>\n'
    )


def _board(card: DailyCard, lang: str) -> str:
    """Draw the board of the game some moves into a game that is always the same."""
    opened, _, inside = close_up(card.game.id, BOARD_UNITS, lang).partition(">")
    place = opened.replace("<svg ", '<svg x="350" y="0" width="250" height="315" ', 1)
    felt = f'<rect x="-999" y="-999" width="9999" height="9999" fill="{LIGHT["felt"]}"/>'
    return f"{place}>{shape_definitions(inside)}{felt}{inside}"


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


def _text(line: str, y: int, size_px: int, colour: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    family = FAMILY_WIDE if any(map(_is_wide, line)) else FAMILY
    return (
        f'<text x="28" y="{y}" font-family="{family}" font-size="{size_px}"'
        f'{weight} fill="{colour}">{escape(line)}</text>'
    )


def _wrap(text: str) -> list[str]:
    """Split a sentence into lines of at most LINE_WIDTH half-width characters, between words where there are some.

    >>> _wrap("Not cleared: 14 coins left on the board.")
    ['Not cleared: 14 coins left on', 'the board.']
    >>> [len(line) for line in _wrap("石" * 20)]
    [15, 5]
    """
    lines, line, width = list[str](), "", 0
    for word in _pieces(text):
        wide = sum(2 if _is_wide(c) else 1 for c in word)
        if width + wide > LINE_WIDTH + word.endswith(" ") and line:
            lines.append(line.rstrip())
            line, width = "", 0
        line, width = line + word, width + wide
    return [*lines, line.rstrip()] if line.strip() else lines


def _is_wide(c: str) -> bool:
    return unicodedata.east_asian_width(c) in "WF"


def _pieces(text: str) -> list[str]:
    """Return the words of a text with the spaces after them; each wide character by itself."""
    found: list[str] = []
    for c in text:
        starts = not found or found[-1].endswith(" ") or _is_wide(c)
        if starts:
            found.append(c)
        else:
            found[-1] += c
    return found
