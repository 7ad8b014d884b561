"""The log of a table: a row for each step, and the ways through them."""

from __future__ import annotations

from smallchange.web.view import View

from . import phrases as p
from .frame import escape
from .signs import signed


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
    at, end = view.at, view.length
    ways = (
        ("first", p.FIRST, 0, at > 0, "M6 5v14M18 5l-9 7 9 7"),
        ("back", p.BACK, at - 1, at > 0, "M15 5l-8 7 8 7"),
        ("forward", p.FORWARD, at + 1, at < end, "M9 5l8 7-8 7"),
        ("last", p.LAST, end, at < end, "M18 5v14M6 5l9 7-9 7"),
    )
    links = ""
    for id, word, to, live, shape in ways:
        icon = f'<svg viewBox="0 0 24 24" aria-hidden="true"><path class="way" d="{shape}"/></svg>'
        label = f'aria-label="{escape(word[lang])}"'
        if live:
            href = f"/m/{view.match}" + (f"?at={to}" if to < end else "")
            goal = to if to < end else "now"
            links += f'<a class="way-to" id="to-{id}" href="{href}" data-to="{goal}" {label}>{icon}</a>'
        else:
            links += f'<span class="way-to off" aria-hidden="true">{icon}</span>'
    return f'<nav id="steps" class="steps" tabindex="-1" aria-label="{escape(p.SO_FAR[lang])}">{links}</nav>'
