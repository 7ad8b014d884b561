"""A visitor's preferences: each is a cookie with one of a few values.

Those of a visitor with an account are stored with it too, and come along where it signs in.
"""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import HTTPConnection

from smallchange.i18n.text import LANGUAGES
from smallchange.server.web.phrases import THEMES
from smallchange.server.web.sessions import COOKIE_AGE_S, cookie_name, set_cookie
from smallchange.server.web.settings_page import PREFERENCES, chosen_preferences

ALL: Mapping[str, tuple[str, ...]] = {"lang": tuple(LANGUAGES), "theme": tuple(THEMES), **PREFERENCES}


def wants_own_side(connection: HTTPConnection) -> bool:
    """Return whether a visitor wants the own side of the board at the bottom."""
    return chosen_preferences(connection.cookies)["own_side"] == "on"


def kept_choices(connection: HTTPConnection, secure: bool) -> dict[str, str]:
    """Return what a visitor has chosen by cookies, language and theme included, without defaults."""
    given = {name: connection.cookies.get(_cookie_name(name, secure), "") for name in ALL}
    return {name: value for name, value in given.items() if value and value in ALL[name]}


def choice_cookies(choices: Mapping[str, object], secure: bool) -> list[str]:
    """Return the headers that keep these choices. Others than those of `ALL` are left aside."""
    return [choice_cookie(name, str(choices[name]), secure) for name in ALL if choices.get(name) in ALL[name]]


def choice_cookie(name: str, value: str, secure: bool) -> str:
    """Return the header that keeps a choice for a year."""
    return preference_cookie(name, value) if name in PREFERENCES else set_cookie(name, value, secure)


def _cookie_name(name: str, secure: bool) -> str:
    return name if name in PREFERENCES else cookie_name(name, secure)


def preference_cookie(name: str, value: str) -> str:
    """Return the header that keeps a preference for a year. Switches of the pages read and set it too."""
    return f"{name}={value}; Path=/; Max-Age={COOKIE_AGE_S}; SameSite=Lax"
