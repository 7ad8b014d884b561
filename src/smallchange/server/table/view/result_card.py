"""The card of a result, to share: a picture with the game, a few lines and a board."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from smallchange.i18n.text import capital
from smallchange.render.shapes import shape_definitions
from smallchange.render.theme import LIGHT
from smallchange.server.table.view.board_pictures import scene_picture
from smallchange.server.table.view.bot_faces import NAMES
from smallchange.server.table.view.ending import split_verdict
from smallchange.server.table.view.options import describe_options
from smallchange.server.table.view.seats import occupant
from smallchange.server.table.view.table_view import TableView
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, escape, render_page

SIZE_PX = (600, 315)
BOARD_PX = (250, 315)
EDGE_PX = 20  # around a whole board
LINE_WIDTH = 30  # of half-width characters
LINE_PX = 25
# of the fonts of a family, a PNG takes the first alone
FAMILY = "Source Sans 3, sans-serif"
FAMILY_WIDE = "Noto Sans CJK JP, sans-serif"


class ResultCard(NamedTuple):
    """The content of a card.

    `board` is the markup of a picture, on felt or with an edge of paper around it, `marks` that of figures below the
    lines.
    """

    title: str
    below: str
    said: tuple[str, ...]
    board: str
    address: str
    marks: str = ""
    edge_px: int = 0


def result_card(card: ResultCard, lang: str) -> str:
    """Draw a card as SVG."""
    drawn = line_of_text(card.title, 56, 26, LIGHT["ink"], bold=True)
    drawn += line_of_text(card.below, 84, 17, LIGHT["soft"])
    for number, line in enumerate(line for text in card.said for line in wrap(text)):
        drawn += line_of_text(line, 122 + LINE_PX * number, 18, LIGHT["ink"])
    drawn += card.marks
    drawn += line_of_text(p.NAME[lang], 270, 17, LIGHT["accent"], bold=True)
    drawn += line_of_text(card.address, 292, 14, LIGHT["soft"])
    (width, height), (across, down), edge = SIZE_PX, BOARD_PX, card.edge_px
    label = escape(" ".join(filter(None, (card.title, card.below, card.said[0]))))
    opened, _, inside = card.board.partition(">")
    at = f'x="{width - across}" y="{edge}" width="{across - edge}" height="{down - 2 * edge}"'
    place = opened.replace("<svg ", f"<svg {at} ", 1)
    felt = "" if edge else f'<rect x="-999" y="-999" width="9999" height="9999" fill="{LIGHT["felt"]}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f' role="img" aria-label="{label}"><title>{label}</title>'
        f'<rect width="{width}" height="{height}" fill="{LIGHT["paper"]}"/>'
        f"{place}>{shape_definitions(inside)}{felt}{inside}{drawn}</svg>\n"
    )


def match_card(view: TableView, origin: str, lang: str) -> str:
    """Draw the card of a match that has ended, with the board as it was left."""
    options = describe_options(view.game, view.options)
    below = options[lang] if options and len(view.seats) == 1 else _players(view, lang)
    address = f"{origin}/m/{view.match}".partition("://")[2]
    board = scene_picture(view.scene, lang)
    said = verdict_lines(view, lang)
    return result_card(ResultCard(view.title[lang], below, said, board, address, edge_px=EDGE_PX), lang)


def _players(view: TableView, lang: str) -> str:
    names = (NAMES.get(seat.name) or occupant(seat) for seat in view.seats)
    return " – ".join(capital(name)[lang] for name in names) if len(view.seats) > 1 else ""


def verdict_lines(view: TableView, lang: str) -> tuple[str, ...]:
    """Return the result of an ended match, and its cause if the status gives one."""
    cause, verdict = split_verdict(view.prompt, lang)
    return tuple(filter(None, (verdict, cause)))


def card_page(view: TableView, visit: PageContext, kinds: tuple[str, ...]) -> str:
    """Return the page of a card, with its text to copy and its files."""
    lang = visit.lang
    told = f"{view.title[lang]}: {' '.join(verdict_lines(view, lang)[:1])}\n{visit.origin}/m/{view.match}"
    return render_page("card.html", visit, view.title, view=view, told=told, kinds=kinds)


def line_of_text(line: str, y: int, size_px: int, colour: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    family = FAMILY_WIDE if any(map(_is_wide, line)) else FAMILY
    return (
        f'<text x="28" y="{y}" font-family="{family}" font-size="{size_px}"'
        f'{weight} fill="{colour}">{escape(line)}</text>'
    )


def wrap(text: str) -> list[str]:
    """Split a sentence into lines of at most LINE_WIDTH half-width characters, between words where there are some.

    >>> wrap("Not cleared: 14 coins left on the board.")
    ['Not cleared: 14 coins left on', 'the board.']
    >>> [len(line) for line in wrap("石" * 20)]
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
