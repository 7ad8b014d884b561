"""Pages that no feature owns: about this site, and errors."""

from __future__ import annotations

from collections.abc import Mapping

from smallchange.i18n.text import Text
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page

PREFERENCES: Mapping[str, tuple[str, ...]] = {  # the accepted values, the default first
    "speed": ("normal", "slow", "fast", "none"),
    "sound": ("off", "on"),
    "volume": ("50", "25", "75", "100"),
    "haptics": ("off", "on"),
    "letters": ("on", "off"),
    "own_side": ("off", "on"),
}


def chosen_preferences(cookies: Mapping[str, str]) -> dict[str, str]:
    """Return the value of every preference. A cookie with any other value counts as the default.

    >>> chosen_preferences({"speed": "slow", "volume": "200"})["speed"], chosen_preferences({})["volume"]
    ('slow', '50')
    """
    return {
        name: cookies[name] if cookies.get(name) in accepted else accepted[0]
        for name, accepted in PREFERENCES.items()
    }


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
