"""A match as HTML for notebooks. Everything in it is escaped, and a picture shares no names with the page."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING

from .game_places import incomplete_games
from .match_pictures import animated_svg

if TYPE_CHECKING:
    from .match import Match


def match_html(match: Match) -> str:
    """Return the match as a moving picture with a caption."""
    seats = ", ".join(f"{seat}: {name}" for seat, name in match.seats.items() if name)
    parts = [match.game.words.TITLE.en, *([seats] if seats else []), f"{len(match)} steps"]
    parts.append(match.ending.en if match.over else "goes on")
    caption = escape(" · ".join(parts))
    if match.game.id in incomplete_games():  # it has no layout yet
        return f"<p>{caption}</p>"
    return f"<figure>{picture_html(animated_svg(match), caption)}<figcaption>{caption}</figcaption></figure>"


def picture_html(svg: str, text: str) -> str:
    """Return an image of an SVG with its alternative text, which is HTML already."""
    data = b64encode(svg.encode()).decode()
    return f'<img alt="{text}" style="max-width:100%" src="data:image/svg+xml;base64,{data}">'
