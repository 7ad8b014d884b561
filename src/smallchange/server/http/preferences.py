"""A visitor's preferences: each is a cookie with one of a few values."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import HTTPConnection

from .sessions import COOKIE_AGE_S

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


def wants_own_side(connection: HTTPConnection) -> bool:
    """Return whether a visitor wants the own side of the board at the bottom."""
    return chosen_preferences(connection.cookies)["own_side"] == "on"


def preference_cookie(name: str, value: str) -> str:
    """Return the header that keeps a preference for a year. Switches of the pages read and set it too."""
    return f"{name}={value}; Path=/; Max-Age={COOKIE_AGE_S}; SameSite=Lax"
