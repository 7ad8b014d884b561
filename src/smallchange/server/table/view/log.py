"""The log of a table: a row for each step, and links that step through it."""

from __future__ import annotations

from functools import lru_cache

from smallchange.render.markup_diff import Markup, Part
from smallchange.server.table.view.board import with_signs
from smallchange.server.table.view.table_view import LogEntry, TableView
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import escape

MAX_ROWS = 200  # on a page
STEP_LINKS = {  # by id: the name and the arrow of each link
    "first": (p.FIRST, "M6 5v14M18 5l-9 7 9 7"),
    "back": (p.TAKEBACK, "M15 5l-8 7 8 7"),
    "forward": (p.FORWARD, "M9 5l8 7-8 7"),
    "last": (p.LAST, "M18 5v14M6 5l9 7-9 7"),
}


def log_rows(view: TableView, kept: int, lang: str) -> list[str]:
    """Return the rows of the log after the first `kept`, oldest first, at most MAX_ROWS.

    A page shows them newest first.
    """
    unseen = view.log[0].number - 1 if view.log else 0  # steps before those of the view
    return [_row(view, e, lang) for e in view.log[max(kept - unseen, len(view.log) - MAX_ROWS, 0) :]]


def _row(view: TableView, entry: LogEntry, lang: str) -> str:
    """Return a row with the number of the decision, the step in words, and its token in the title."""
    n, here = entry.number, ' aria-current="step"' if entry.number == view.at else ""
    return (
        f'<li id="log-{n}" class="{_row_look(entry)}" title="{escape(entry.token)}">'
        f'<a href="/m/{view.match}?at={n}" data-to="{n}"{here}>'
        f'<span class="step-number">{entry.decided if entry.seat >= 0 else ""}</span>'
        f'<span class="log-text">{with_signs(entry.text[lang], view.game, lang)}</span>'
        "</a></li>"
    )


def _row_look(entry: LogEntry) -> str:
    return f"seat-{entry.seat}" if entry.seat >= 0 else "chance"


def earlier_link(view: TableView, lang: str) -> str:
    """Return the link to steps before the rows of a page: the table as it was then, with the rows up to it."""
    before = len(view.log) - MAX_ROWS
    if before <= 0:
        return ""
    return f'<p><a id="earlier" href="/m/{view.match}?at={before}#so-far">{escape(p.EARLIER[lang])}</a></p>'


def step_links(view: TableView, lang: str) -> Part:
    """Return the links to the first and the last step, and to those before and after the one shown."""
    at, end, match = view.at, view.length, view.match
    back, forth = (at - 1 if at else None), (at + 1 if at < end else None)
    links: dict[str, Markup] = {
        "to-first": _step_link("first", match, 0 if at else None, lang),
        "to-back": _step_link("back", match, back, lang),
        "to-forward": _step_link("forward", match, forth, lang, forth == end),
        "to-last": _step_link("last", match, forth, lang, True),
    }
    off = " hidden" if view.by_memory else ""  # it hides the log around it: see table.css
    label = escape(p.SO_FAR[lang])
    nav = f'<nav id="steps" class="step-links" tabindex="-1" aria-label="{label}"{off}>'
    return Part(nav, links, "</nav>")


@lru_cache(maxsize=4096)
def _step_link(id: str, match: str, to: int | None, lang: str, now: bool = False) -> str:
    """Return a link to the table after `to` steps, or an inactive mark where there is no such step.

    `now` links to the present.
    """
    word, shape = STEP_LINKS[id]
    icon = f'<svg viewBox="0 0 24 24" aria-hidden="true"><path class="step-arrow" d="{shape}"/></svg>'
    if to is None:
        return f'<span class="step-link off" id="to-{id}" aria-hidden="true">{icon}</span>'
    href, goal = (f"/m/{match}", "now") if now else (f"/m/{match}?at={to}", to)
    label = f'aria-label="{escape(word[lang])}"'
    return f'<a class="step-link" id="to-{id}" href="{href}" data-to="{goal}" {label}>{icon}</a>'
