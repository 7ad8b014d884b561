"""Pages to read: rulebooks, the sealed envelope, what this is, and what went wrong."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from markupsafe import Markup

from smallchange.dice import Envelope
from smallchange.draw.words import capital
from smallchange.game import Game
from smallchange.text import Text
from smallchange.web.view import View, Visit

from . import phrases as p
from .explained import ABOUT_TEXTS, ENVELOPE_EXPLAINED
from .frame import page

if TYPE_CHECKING:
    from markdown_it.token import Token

ANCHOR = re.compile(r"\s*\{#([a-z0-9-]+)\}\s*$")
STEPS = "steps"  # what a game that is told step by step is marked with
JAPANESE = re.compile("[\u3000-\u9fff\uff00-\uffef]")


def rules(game: Game, visit: Visit) -> str:
    """The rulebook, its headings with their anchors as ids."""
    text, contents = book(game.rulebook(visit.lang))
    return page(
        "rules.html",
        visit,
        p.RULES_OF.fill(game=game.words.TITLE),
        game=game,
        text=Markup(text),
        contents=contents,
    )


@cache
def book(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Markdown as HTML, and its second headings as (anchor, name). HTML inside it is shown, not obeyed.

    >>> book("## Your turn {#turn}")
    ('<h2 id="turn">Your turn</h2>\\n', (('turn', 'Your turn'),))

    Japanese has no space where a line goes on:

    >>> book("コインを\\n取ります。")[0]
    '<p>コインを取ります。</p>\\n'
    """
    from markdown_it import MarkdownIt  # not needed for the first page

    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens, contents = reader.parse(text), []
    for heading, inline in pairwise(tokens):
        found = ANCHOR.search(inline.content) if heading.type == "heading_open" else None
        if found and inline.children:
            heading.attrSet("id", found[1])
            inline.children[-1].content = ANCHOR.sub("", inline.children[-1].content)
            if heading.tag == "h2":
                contents.append((found[1], ANCHOR.sub("", inline.content)))
    for token in tokens:
        token.children = joined(token.children) if token.children else None
        if token.type == "fence" and token.info != STEPS:
            token.attrSet("tabindex", "0")  # it scrolls, so a keyboard must reach it
    return reader.renderer.render(tokens, reader.options, {}), tuple(contents)


def joined(inline: list[Token]) -> list[Token]:
    """What stands in a paragraph, without the line breaks beside a Japanese letter."""
    around = zip([inline[0], *inline], inline, [*inline[1:], inline[-1]], strict=False)
    return [
        token
        for before, token, after in around
        if token.type != "softbreak" or not JAPANESE.search(before.content[-1:] + after.content[:1])
    ]


def envelope(view: View, envelope: Envelope, verified: bool | None, visit: Visit) -> str:
    """The sealed envelope of a table, explained. `verified`: None before the end, else whether the record's
    luck is the one that the sealed secret and the players' words make."""
    return page(
        "envelope.html",
        visit,
        p.OF_GAME.fill(game=view.title, what=p.SEALED),
        view=view,
        envelope=envelope,
        verified=verified,
        titles={seat.player: capital(seat.title) for seat in view.seats},
        explained=ENVELOPE_EXPLAINED,
    )


def about(visit: Visit) -> str:
    """What this site is."""
    return page("about.html", visit, p.ABOUT, explained=ABOUT_TEXTS)


def kept(match: str, record: str, text: Text, visit: Visit) -> str:
    """The record of a match that can be shown in no other way any more, and why."""
    return page("kept.html", visit, p.RECORD, match=match, record=record, text=text)


def wrong(text: Text, visit: Visit, anew: str = "", match: str = "", again: str = "") -> str:
    """Something that cannot be shown or done, and why. `anew`: the path of the form that was sent;
    `match`: the table that it is about; `again`: what may be asked for again."""
    ways = [
        (anew, p.ANEW),
        (again, p.ASK_AGAIN),
        (f"/m/{match}" if match else "", p.TO_TABLE),
        ("/", p.TO_LOBBY),
    ]
    return page("wrong.html", visit, p.WRONG, text=text, ways=[way for way in ways if way[0]], own_error=True)
