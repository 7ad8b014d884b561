"""Pages that no feature owns: settings, about this site, and errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from smallchange.i18n.catalogues import own_name
from smallchange.i18n.text import LANGUAGES, Text, plain
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


PREFERENCES: Mapping[str, tuple[str, ...]] = {  # the accepted values, the default first
    "speed": ("normal", "slow", "fast", "none"),
    "sound": ("off", "25", "50", "75", "100"),
    "haptics": ("off", "on"),
    "letters": ("on", "off"),
    "ask": ("off", "slow", "on"),
    "own_side": ("off", "on"),
    "coordinates": ("on", "off"),
    "size": ("100", "85", "70", "55"),
}

ON_OR_OFF = {"on": Text("on"), "off": Text("off")}
SETTINGS: Mapping[str, tuple[Text, Text | None, Mapping[str, Text]]] = {
    "speed": (
        Text("How long other players’ turns are shown"),
        Text("A tap or a key skips to the present at any time."),
        {
            "slow": Text("longer"),
            "normal": Text("about a third of a second"),
            "fast": Text("shorter"),
            "none": Text("show the end at once; nothing moves"),
        },
    ),
    "sound": (
        Text("Sounds of dice, coins and tiles"),
        None,
        {
            "off": ON_OR_OFF["off"],
            "25": Text("quiet"),
            "50": Text("moderate"),
            "75": Text("loud"),
            "100": Text("very loud"),
        },
    ),
    "haptics": (Text("Vibration"), Text("On phones that can vibrate."), ON_OR_OFF),
    "letters": (
        Text("Letter keys at a table"),
        Text("Turn them off if you speak to your computer: H, U and R could be heard by mistake."),
        ON_OR_OFF,
    ),
    "ask": (
        Text("Ask before a move is sent"),
        None,
        {"off": Text("never"), "slow": Text("in games with days for a move"), "on": Text("always")},
    ),
    "own_side": (
        Text("My own side of the board at the bottom"),
        Text("In games whose sides face each other. Names of squares stay the same."),
        ON_OR_OFF,
    ),
    "coordinates": (Text("Coordinates on the board"), None, ON_OR_OFF),
    "size": (
        Text("Size of the board"),
        Text("In wide windows. Its lower right corner can be dragged too."),
        {
            "100": Text("as large as it fits"),
            "85": Text("large", "a board"),
            "70": Text("medium", "a board"),
            "55": Text("small", "a board"),
        },
    ),
}


def chosen_preferences(cookies: Mapping[str, str]) -> dict[str, str]:
    """Return the value of every preference. A cookie with any other value counts as the default.

    >>> chosen_preferences({"speed": "slow", "sound": "200"})["speed"], chosen_preferences({})["sound"]
    ('slow', 'off')
    """
    return {
        name: cookies[name] if cookies.get(name) in accepted else accepted[0]
        for name, accepted in PREFERENCES.items()
    }


class Setting(NamedTuple):
    """A question of the form: its name, its words, and its answers with the chosen one."""

    name: str
    title: Text
    about: Text | None
    answers: Mapping[str, Text]
    chosen: str


def settings_page(accepted: Mapping[str, tuple[str, ...]], visit: PageContext, back: str) -> str:
    """Return the page of settings. `accepted` are the values of each preference, `back` where its form leads."""
    fields = [
        Setting(name, *SETTINGS[name], chosen=visit.preferences.get(name, values[0]))
        for name, values in accepted.items()
    ]
    languages = {lang: plain(own_name(lang)) for lang in LANGUAGES}
    fields.append(Setting("theme", p.THEME, None, p.THEMES, visit.theme))
    fields.append(Setting("lang", p.LANGUAGE, None, languages, visit.lang))
    return render_page("settings.html", visit, p.SETTINGS, asked=fields, back=back)
