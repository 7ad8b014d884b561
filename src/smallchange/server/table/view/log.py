"""The log of a table: a row for each step, and links that step through it."""

from __future__ import annotations

from functools import lru_cache

from smallchange.render.markup_diff import SLOT, Filled, Markup
from smallchange.server.table.view.suit_signs import with_signs
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


def log_rows(view: TableView, kept: int, lang: str) -> list[Filled]:
    """Return the rows of the log after the first `kept`, oldest first, at most MAX_ROWS.

    A page shows them newest first.
    """
    unseen = view.log[0].number - 1 if view.log else 0  # steps before those of the view
    setup = next((e.number for e in view.log if e.seat >= 0), len(view.log) + 1) - 1
    return [
        Filled(
            _row(view.match, _row_look(e, setup), e.number == view.at),
            (
                e.number,
                e.number,
                e.number,
                e.decided if e.seat >= 0 else "",
                with_signs(e.text[lang], view.game, lang),
                escape(e.token),
            ),
        )
        for e in view.log[max(kept - unseen, len(view.log) - MAX_ROWS, 0) :]
    ]


@lru_cache(maxsize=4096)
def _row(match: str, look: str, is_shown: bool) -> str:
    """Return the template of a row: for its number, thrice, that of the decision, the words, and the token."""
    here = ' aria-current="step"' if is_shown else ""
    return (
        f'<li id="log-{SLOT}" class="{look}"><a href="/m/{match}?at={SLOT}" data-to="{SLOT}"{here}>'
        f'<span class="step-number">{SLOT}</span><span class="log-text">{SLOT}</span>'
        f'<code aria-hidden="true">{SLOT}</code></a></li>'
    )


def _row_look(entry: LogEntry, setup: int) -> str:
    """Return the classes of a row. `setup` is how many steps there are before the first decision."""
    if entry.seat >= 0:
        return f"seat-{entry.seat}"
    return "chance setup" if entry.number < setup else "chance"


def earlier_link(view: TableView, lang: str) -> str:
    """Return the link to steps before the rows of a page: the table as it was then, with the rows up to it."""
    before = len(view.log) - MAX_ROWS
    if before <= 0:
        return ""
    return f'<p><a id="earlier" href="/m/{view.match}?at={before}#so-far">{escape(p.EARLIER[lang])}</a></p>'


def step_links(view: TableView, lang: str) -> Markup:
    """Return the links that step through the log."""
    at, end, match = view.at, view.length, view.match
    if at == end > 0:
        return Filled(_step_links(match, SLOT, None, False, view.by_memory, lang), (at - 1, at - 1))
    return _step_links(
        match, at - 1 if at > 0 else None, at + 1 if at < end else None, at + 1 == end, view.by_memory, lang
    )


@lru_cache(maxsize=4096)
def _step_links(
    match: str, before: int | str | None, after: int | None, is_present: bool, hidden: bool, lang: str
) -> str:
    """Return the links to the first and the last step, and to those before and after the one shown."""
    first = _step_link("first", match, None if before is None else 0, lang)
    back = _step_link("back", match, before, lang)
    forward = _step_link("forward", match, after, lang, is_present)
    last = _step_link("last", match, after, lang, True)
    label = escape(p.SO_FAR[lang])
    # hidden, it hides the log around it: see table.css
    off = " hidden" if hidden else ""
    return (
        f'<nav id="steps" class="step-links" tabindex="-1" aria-label="{label}"{off}>'
        f"{first}{back}{forward}{last}</nav>"
    )


@lru_cache(maxsize=4096)
def _step_link(id: str, match: str, to: int | str | None, lang: str, now: bool = False) -> str:
    """Return a link to the table after `to` steps, or an inactive mark where there is no such step.

    `now` links to the present.
    """
    word, shape = STEP_LINKS[id]
    icon = f'<svg viewBox="0 0 24 24" aria-hidden="true"><path class="step-arrow" d="{shape}"/></svg>'
    if to is None:
        return f'<span class="step-link off" aria-hidden="true">{icon}</span>'
    href, goal = (f"/m/{match}", "now") if now else (f"/m/{match}?at={to}", to)
    label = f'aria-label="{escape(word[lang])}"'
    return f'<a class="step-link" id="to-{id}" href="{href}" data-to="{goal}" {label}>{icon}</a>'
