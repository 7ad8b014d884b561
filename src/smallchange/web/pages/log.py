"""The log of a table: a row for each step, and the ways through them."""

from __future__ import annotations

from functools import lru_cache

from smallchange.web.view import View

from . import phrases as p
from .frame import escape
from .signs import signed

WAYS = {  # through the log: what they are called, and their arrows
    "first": (p.FIRST, "M6 5v14M18 5l-9 7 9 7"),
    "back": (p.BACK, "M15 5l-8 7 8 7"),
    "forward": (p.FORWARD, "M9 5l8 7-8 7"),
    "last": (p.LAST, "M18 5v14M6 5l9 7-9 7"),
}


def rows(view: View, kept: int, lang: str) -> list[str]:
    """Rows of the log after the first `kept`, oldest first; a page shows them the other way round."""
    here = ' aria-current="step"'
    return [
        f'<li id="log-{e.number}" class="{"chance" if e.seat < 0 else f"seat-{e.seat}"}">'
        f'<a href="/m/{view.match}?at={e.number}" data-to="{e.number}"{here if e.number == view.at else ""}>'
        f'<span class="ply">{e.number}</span><span class="lg">{signed(e.text[lang], view.game, lang)}</span>'
        f'<code aria-hidden="true">{escape(e.token)}</code></a></li>'
        for e in view.log[kept:]
    ]


def steps(view: View, lang: str) -> str:
    """Links through the log."""
    at, end, match = view.at, view.length, view.match
    first = _way("first", match, 0 if at > 0 else None, lang)
    back = _way("back", match, at - 1 if at > 0 else None, lang)
    forward = _way("forward", match, at + 1 if at < end else None, lang, at + 1 == end)
    last = _way("last", match, end if at < end else None, lang, True)
    said = escape(p.SO_FAR[lang])
    return (
        f'<nav id="steps" class="steps" tabindex="-1" aria-label="{said}">{first}{back}{forward}{last}</nav>'
    )


@lru_cache(maxsize=4096)
def _way(id: str, match: str, to: int | None, lang: str, now: bool = False) -> str:
    """A link to the table after so many steps, where it leads somewhere; `now`: to the table as it is."""
    word, shape = WAYS[id]
    icon = f'<svg viewBox="0 0 24 24" aria-hidden="true"><path class="way" d="{shape}"/></svg>'
    if to is None:
        return f'<span class="way-to off" aria-hidden="true">{icon}</span>'
    href, goal = (f"/m/{match}", "now") if now else (f"/m/{match}?at={to}", to)
    label = f'aria-label="{escape(word[lang])}"'
    return f'<a class="way-to" id="to-{id}" href="{href}" data-to="{goal}" {label}>{icon}</a>'
