"""Pages that no feature owns: about this site, and errors."""

from __future__ import annotations

from smallchange.i18n.text import Text
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page


def about_page(visit: PageContext) -> str:
    """Return the page about this site."""
    return render_page("about.html", visit, p.ABOUT, explained=p.ABOUT_TEXTS)


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
