"""Pages to read: rulebooks, reference sheets, the sealed envelope, the page about this site, and errors."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from markupsafe import Markup

from smallchange.core.commitment import Envelope
from smallchange.core.game import Game, Position
from smallchange.i18n.text import Text, capital
from smallchange.render.reference_sheet import Row
from smallchange.render.scene import Area, Scene
from smallchange.render.svg import alone, board_svg
from smallchange.server.insight.learn import lesson_pictures
from smallchange.server.insight.tip import game_advice
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import render_page
from smallchange.server.web.view_model import PageContext, TableView

if TYPE_CHECKING:
    from markdown_it.token import Token

ANCHOR_PATTERN = re.compile(r"\s*\{#([a-z0-9-]+)\}\s*$")
STEPS_LANGUAGE = "steps"  # the language of a code block with a game, step by step
JAPANESE_CHARACTER = re.compile("[\u3000-\u9fff\uff00-\uffef]")


def rulebook_page(game: Game, visit: PageContext) -> str:
    """Return the rulebook: three pictures, the text with anchors as ids of its headings, and advice."""
    text, contents = markdown_to_html(game.rulebook(visit.lang))
    heading, end, rest = text.partition("</h1>")
    advice = game_advice(game.id)
    if advice:
        contents = (*contents, ("advice", p.ADVICE[visit.lang]))
    return render_page(
        "rules.html",
        visit,
        p.RULES_OF.fill(game=game.words.TITLE),
        game=game,
        heading=Markup(heading + end),
        text=Markup(rest),
        pictures=lesson_pictures(game, visit.lang),
        advice=advice,
        contents=contents,
    )


@cache
def markdown_to_html(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return Markdown as HTML, and its second headings as (anchor, name). HTML inside it is shown as text.

    >>> markdown_to_html("## Your turn {#turn}")
    ('<h2 id="turn">Your turn</h2>\\n', (('turn', 'Your turn'),))

    Japanese has no space where a line goes on:

    >>> markdown_to_html("コインを\\n取ります。")[0]
    '<p>コインを取ります。</p>\\n'
    """
    from markdown_it import MarkdownIt  # not needed for the first page

    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens, contents = reader.parse(text), []
    for heading, inline in pairwise(tokens):
        found = ANCHOR_PATTERN.search(inline.content) if heading.type == "heading_open" else None
        if found and inline.children:
            heading.attrSet("id", found[1])
            inline.children[-1].content = ANCHOR_PATTERN.sub("", inline.children[-1].content)
            if heading.tag == "h2":
                contents.append((found[1], ANCHOR_PATTERN.sub("", inline.content)))
    for token in tokens:
        token.children = join_japanese_lines(token.children) if token.children else None
        if token.type == "fence" and token.info != STEPS_LANGUAGE:
            token.attrSet("tabindex", "0")  # it scrolls, so a keyboard must reach it
    return reader.renderer.render(tokens, reader.options, {}), tuple(contents)


def join_japanese_lines(inline: list[Token]) -> list[Token]:
    """Remove line breaks beside a Japanese letter from the parts of a paragraph."""
    around = zip([inline[0], *inline], inline, [*inline[1:], inline[-1]], strict=False)
    return [
        token
        for before, token, after in around
        if token.type != "softbreak" or not JAPANESE_CHARACTER.search(before.content[-1:] + after.content[:1])
    ]


def envelope_page(view: TableView, envelope: Envelope, verified: bool | None, visit: PageContext) -> str:
    """Return the page that explains the sealed envelope of a table.

    `verified` is None before the end. After it, it says whether the sealed secret and the players' words make
    the luck of the record.
    """
    return render_page(
        "envelope.html",
        visit,
        p.OF_GAME.fill(game=view.title, what=p.SEALED),
        view=view,
        envelope=envelope,
        verified=verified,
        titles={seat.player: capital(seat.title) for seat in view.seats},
        explained=p.ENVELOPE_EXPLAINED,
    )


@cache
def reference_title(game: str) -> Text | None:
    """Return the title of a game's reference sheets; None if it has none."""
    sheet = Game(game).reference
    return sheet.TITLE if sheet else None


def reference_page(match: str, position: Position, visit: PageContext) -> str:
    """Return the reference sheets of a position."""
    game = position.game
    reference = game.reference
    assert reference is not None
    table = game.layout.scene(game.board, position.s)
    drawn = [
        (sheet, [(row, Markup(_row_picture(row, table, visit.lang))) for row in sheet.rows])
        for sheet in reference.sheets(game.board, position.s)
    ]
    return render_page(
        "glance.html", visit, game.words.TITLE, match=match, name=reference.TITLE, sheets=drawn
    )


def _row_picture(row: Row, table: Scene, lang: str) -> str:
    """Draw a row's picture without ids, because the sheet may lie beside the table."""
    if row.spots:
        area = Area("glance", row.name, row.spots)
        return re.sub(r' id="[^"]*"', "", board_svg(area, table, lang))
    return "".join(alone(piece) for piece in row.pieces)


def about_page(visit: PageContext) -> str:
    """Return the page about this site."""
    return render_page("about.html", visit, p.ABOUT, explained=p.ABOUT_TEXTS)


def record_page(match: str, record: str, text: Text, visit: PageContext) -> str:
    """Return the page of a match that can only be shown as its record, with the reason."""
    return render_page("kept.html", visit, p.RECORD, match=match, record=record, text=text)


def error_page(text: Text, visit: PageContext, anew: str = "", match: str = "", again: str = "") -> str:
    """Return the page that says what cannot be shown or done, and why.

    `anew` is the path of the form that was sent, `match` the table that it is about, `again` the path to try
    again.
    """
    ways = [
        (anew, p.ANEW),
        (again, p.ASK_AGAIN),
        (f"/m/{match}" if match else "", p.TO_TABLE),
        ("/", p.TO_LOBBY),
    ]
    return render_page(
        "wrong.html", visit, p.WRONG, text=text, ways=[way for way in ways if way[0]], own_error=True
    )
