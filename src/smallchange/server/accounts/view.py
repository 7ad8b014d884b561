"""The page of an account: to sign in or up, and to manage the account."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from smallchange.i18n.formats import day_at
from smallchange.server.accounts.rows import OwnBot
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import PageContext, render_page

MINUTES = 10  # for which an authentication counts as recent


@dataclass(frozen=True, slots=True)
class SessionView:
    """A browser that is signed in. Times are in milliseconds since 1970. `here`: it is the viewer's own."""

    id: str
    agent: str
    created: int
    seen: int
    here: bool


@dataclass(frozen=True, slots=True)
class PasskeyView:
    """A passkey, and the time when it was made, in milliseconds since 1970."""

    id: str
    created: int


@dataclass(frozen=True, slots=True)
class AccountView:
    """An account as its owner sees it. `codes_left` counts recovery codes; `new_codes` are shown once.

    `keeper`: the owner may read reports.
    """

    name: str
    sessions: tuple[SessionView, ...]
    passkeys: tuple[PasskeyView, ...]
    has_password: bool
    codes_left: int
    seats: int
    keeper: bool = False
    new_codes: tuple[str, ...] = ()
    shows_results: bool = False
    authenticated: bool = False  # a moment ago


def account_page(account: AccountView | None, visit: PageContext, parts: Mapping[str, object]) -> str:
    """Return the page of an account; without one, the forms to sign in and up. `parts` is what features show on it."""
    title = p.ACCOUNT if account else p.SIGN_IN
    return render_page(
        "account.html", visit, title, account=account, day=day_at, browser=browser_name, **parts
    )


def authenticate_page(
    action: str, fields: list[tuple[str, str]], ways: tuple[bool, bool], visit: PageContext
) -> str:
    """Return the page that asks for a credential before the fields of a form are sent to its action anew.

    `ways`: whether the account has a password or recovery codes, and whether it has passkeys.
    """
    by_text, by_passkey = ways
    return render_page(
        "authenticate.html",
        visit,
        p.AUTHENTICATE,
        action=action,
        fields=fields,
        by_text=by_text,
        by_passkey=by_passkey,
        minutes=MINUTES,
    )


def browser_name(agent: str) -> str:
    """Return the browser and system that a User-Agent header names.

    >>> browser_name("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36")
    'Chrome, Linux'
    >>> browser_name("curl/8")
    'curl/8'
    """
    names = {"Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari"}
    systems = {
        "Android": "Android",
        "iPhone": "iPhone",
        "iPad": "iPad",
        "Windows": "Windows",
        "Mac OS": "macOS",
    }
    browser = next((name for sign, name in names.items() if sign in agent), "")
    system = next((name for sign, name in (systems | {"Linux": "Linux"}).items() if sign in agent), "")
    return ", ".join(part for part in (browser, system) if part) or agent[:40]


class NewToken(NamedTuple):
    """A token that was just made, for the bot with this id. It is shown once."""

    bot: str
    token: str


def bots_page(owned: Sequence[OwnBot], new: NewToken | None, visit: PageContext) -> str:
    """Return the page of a person's bots; `new` is a token that was just made."""
    return render_page("bots.html", visit, p.YOUR_BOTS, owned=owned, new=new, day=day_at)
