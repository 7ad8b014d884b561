"""The page of a rulebook: pictures, the text, and advice."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from markupsafe import Markup

from smallchange.core.game import Game
from smallchange.server.insight.learn import lesson_pictures
from smallchange.server.insight.tip import game_advice
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page

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
