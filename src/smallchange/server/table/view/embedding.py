"""A table inside pages of other sites: a frame without scripts, a picture, and the description for oEmbed.

The frame shows the table to everybody the same, and nothing in it acts. A running game is loaded again every few
seconds; the steps of any game can be stepped through.
"""

from __future__ import annotations

from html import escape
from typing import Any
from urllib.parse import quote

from smallchange.core.game import Game
from smallchange.i18n.text import Text
from smallchange.render.svg import describe_scene, picture
from smallchange.server.table.view.log import STEP_LINKS
from smallchange.server.table.view.seats import occupant
from smallchange.server.table.view.table_view import TableView
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PREVIEW_FILE, PageContext, render_page

FRAME_WIDTH_PX, FRAME_HEIGHT_PX = 640, 520
PREVIEW_SIZE_PX = (600, 315)
REFRESH_S = 10  # of a running game


def embed_page(view: TableView, visit: PageContext) -> str:
    """Return the page of a table for a frame on another site."""
    at, end = view.at, view.length
    targets = {"first": 0, "back": at - 1, "forward": at + 1, "last": end}
    steps = [
        (word, shape, to if 0 <= (to := targets[id]) <= end and to != at else None)
        for id, (word, shape) in STEP_LINKS.items()
    ]
    return render_page(
        "embed.html",
        visit,
        embed_title(view),
        view=view,
        steps=steps,
        picture=f"/embed/{view.match}/board.svg" + (f"?at={at}" if at < end else ""),
        described=describe_scene(view.scene),
        refresh=REFRESH_S if at == end and not view.outcome else 0,
    )


def embed_refusal_page(text: Text, visit: PageContext) -> str:
    """Return the page for a frame whose table cannot be shown, with the reason."""
    return render_page("embed_refusal.html", visit, p.WRONG, text=text)


def embed_picture(view: TableView, lang: str) -> str:
    """Draw the table as an SVG that stands alone."""
    return picture(view.scene, embed_title(view)[lang], lang)


def embed_title(view: TableView) -> Text:
    """Return the game and its players."""
    if len(view.seats) == 1:
        return view.title
    first, second = map(occupant, view.seats)
    return p.GAME_OF_TWO.fill(game=view.title, first=first, second=second)


def share_codes(view: TableView, visit: PageContext) -> list[tuple[Text, str]]:
    """Return the codes to copy into another page: a frame, and a picture with a link."""
    title = embed_title(view)[visit.lang]
    return [
        (p.FRAME_CODE, frame_code(view.match, title, visit.origin, (FRAME_WIDTH_PX, FRAME_HEIGHT_PX))),
        (p.PICTURE_CODE, picture_code(view.match, title, visit.origin)),
    ]


def frame_code(match: str, title: str, origin: str, size: tuple[int, int]) -> str:
    """Return the markup of a frame with a table; `origin` is the address of our site.

    >>> frame_code("abc", "Go & win", "https://x.test", (640, 520))
    '<iframe src="https://x.test/embed/abc" title="Go &amp; win" width="640" height="520" loading="lazy"></iframe>'
    """
    width, height = size
    return (
        f'<iframe src="{origin}/embed/{match}" title="{escape(title)}" width="{width}" height="{height}"'
        f' loading="lazy"></iframe>'
    )


def picture_code(match: str, title: str, origin: str) -> str:
    """Return the markup of a picture of a table that leads to it, for pages that take no frames."""
    return (
        f'<a href="{origin}/m/{match}"><img src="{origin}/embed/{match}/board.svg" alt="{escape(title)}"'
        f' width="{FRAME_WIDTH_PX}"></a>'
    )


def oembed_path(match: str, origin: str) -> str:
    """Return the path of the description of a table for oEmbed."""
    return f"/oembed?url={quote(f'{origin}/m/{match}', safe='')}"


def oembed_description(view: TableView, visit: PageContext, max_size: tuple[int, int]) -> dict[str, Any]:
    """Return the description of a table for oEmbed 1.0, in a frame of at most this size in pixels."""
    title = embed_title(view)[visit.lang]
    width, height = min(FRAME_WIDTH_PX, max_size[0]), min(FRAME_HEIGHT_PX, max_size[1])
    found: dict[str, Any] = {
        "version": "1.0",
        "type": "rich",
        "title": title,
        "provider_name": p.NAME[visit.lang],
        "provider_url": f"{visit.origin}/",
        "html": frame_code(view.match, title, visit.origin, (width, height)),
        "width": width,
        "height": height,
    }
    fits = PREVIEW_SIZE_PX[0] <= max_size[0] and PREVIEW_SIZE_PX[1] <= max_size[1]
    if fits and (Game(view.game).folder / PREVIEW_FILE).exists():
        found |= {
            "thumbnail_url": f"{visit.origin}/games/{view.game}/{PREVIEW_FILE}",
            "thumbnail_width": PREVIEW_SIZE_PX[0],
            "thumbnail_height": PREVIEW_SIZE_PX[1],
        }
    return found
