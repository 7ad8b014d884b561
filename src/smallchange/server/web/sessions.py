"""Sessions: the account and the identity of a visitor, by a cookie for people and a bearer token for programs.

A visitor is a token of 256 random bits, in a cookie or in `Authorization: Bearer`; the server keeps only its
hash. Every cookie that it sets is HttpOnly and SameSite=Lax, and on TLS also Secure with the prefix __Host-.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from contextlib import suppress
from enum import StrEnum
from typing import Any, NamedTuple

from babel.core import negotiate_locale
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, cookie_parser
from starlette.types import Scope

from smallchange.i18n.text import LANGUAGES
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.limits import network_of


class AccountRole(StrEnum):
    """The roles of accounts. A house bot belongs to the site."""

    PERSON = "person"
    KEEPER = "keeper"
    BOT = "bot"
    HOUSE = "house"


class AccountState(StrEnum):
    """The states of an account."""

    OPEN = "open"
    BANNED = "banned"
    ERASED = "erased"


BOT_ROLES = (AccountRole.BOT, AccountRole.HOUSE)


class Account(NamedTuple):
    """An account. `settings` is JSON. `owner_id`: the account of a bot's owner."""

    id: str
    name: str
    holder: str
    created: int
    role: str  # an AccountRole
    state: str  # an AccountState
    settings: str
    owner_id: str | None = None

    @property
    def is_bot(self) -> bool:
        """Return whether a program plays by this account."""
        return self.role in BOT_ROLES

    @property
    def is_house(self) -> bool:
        """Return whether it is a house bot, whose rating is fixed."""
        return self.role == AccountRole.HOUSE

    @property
    def shows_results(self) -> bool:
        """Return whether everybody may see results, games and play ratings on the account's page."""
        return self.preferences.get("results") == "shown"

    @property
    def preferences(self) -> dict[str, Any]:
        """The settings of the account."""
        found: dict[str, Any] = json.loads(self.settings)
        return found


class Identity(NamedTuple):
    """The identity behind a token: the account that is signed in by it, if any.

    If `superseded`, it was the token of a guest who has an account now.
    """

    account: Account | None = None
    superseded: bool = False


TOKEN_BYTES = 32
TOKEN_PATTERN = re.compile(r"[A-Za-z0-9_-]{43}")  # as `new_token` makes them: base64 of TOKEN_BYTES
BOT_TOKEN_PREFIX = "bot_"  # by which the token of a bot is none of a browser, and counts in no cookie
COOKIE_AGE_S = 365 * 24 * 3600
THEMES = ("light", "dark")


class Visitor:
    """The sender of a request: the `token` of the cookie (`fresh` if there was none), the language and the theme."""

    def __init__(self, scope: Scope, secure: bool) -> None:
        cookies = cookie_parser(
            Headers(scope=scope).get("cookie", "")
        )  # other sites of this host may have set more
        token, lang, theme = (cookies.get(cookie_name(name, secure), "") for name in ("who", "lang", "theme"))
        self.fresh = not TOKEN_PATTERN.fullmatch(token)
        self.token = new_token() if self.fresh else token
        self.asked_lang = _asked_language(scope)
        self.lang = self.asked_lang or _language(scope, lang)
        self.theme = theme if theme in THEMES else ""
        self.account: Account | None = None
        self.unread = 0  # notifications

    @property
    def hash(self) -> str:
        """The hash of the token."""
        return token_hash(self.token)

    @property
    def holder(self) -> str:
        """The hash that holds the visitor's seats: that of a guest's token, or the account's."""
        return self.account.holder if self.account else self.hash

    def identify(self, identity: Identity) -> None:
        """Take over the account of the token. A superseded token is replaced by a new one."""
        self.account = identity.account
        if identity.superseded:
            self.fresh, self.token = True, new_token()


def new_token() -> str:
    """Return a new random token."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_bot_token() -> str:
    """Return a new random token of a bot."""
    return BOT_TOKEN_PREFIX + new_token()


def token_hash(token: str) -> str:
    """Return the SHA-256 of a token, which is all that the server stores of it."""
    return hashlib.sha256(token.encode()).hexdigest()


def visitor(connection: HTTPConnection) -> Visitor:
    """Return the visitor who sent a request."""
    found: Visitor = connection.scope["visitor"]
    return found


def bearer_token(connection: HTTPConnection) -> str | None:
    """Return the token of a program; None if it sent none. Refuse one that cannot be ours."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    if not TOKEN_PATTERN.fullmatch(token.strip().removeprefix(BOT_TOKEN_PREFIX)):
        raise Refused(ErrorCode.BAD_TOKEN)
    return token.strip()


def check_identity(token: str, identity: Identity) -> None:
    """Refuse the token of a guest who has an account now, and one of a bot that was revoked."""
    if identity.superseded or (token.startswith(BOT_TOKEN_PREFIX) and identity.account is None):
        raise Refused(ErrorCode.BAD_TOKEN)


def client_address(connection: HTTPConnection) -> str:
    """Return the address or network that a request came from, for rate limits; "" where it is not known."""
    return network_of(connection.client.host) if connection.client else ""


def cookie_name(name: str, secure: bool) -> str:
    """Return the name of a cookie. On TLS, no other host and no page without TLS can set it."""
    return f"__Host-{name}" if secure else name


def set_cookie(name: str, value: str, secure: bool) -> str:
    """Return the header that sets a cookie for a year, which scripts cannot read."""
    last = "; Secure" if secure else ""
    return (
        f"{cookie_name(name, secure)}={value}; Path=/; Max-Age={COOKIE_AGE_S}; HttpOnly; SameSite=Lax{last}"
    )


def _asked_language(scope: Scope) -> str:
    """Return the language that the query names, or that of the page whose form was sent; "" for none."""
    queries = [scope.get("query_string", b"").decode("latin-1")]
    if scope.get("method") == "POST":
        queries.append(Headers(scope=scope).get("referer", "").partition("#")[0].partition("?")[2])
    for query in queries:
        found = re.search("(?:^|&)lang=([a-z]{2})(?:&|$)", query)
        if found and found[1] in LANGUAGES:
            return found[1]
    return ""


def _language(scope: Scope, chosen: str) -> str:
    """Return the language of a page without one in its query: by the cookie, else the header Accept-Language."""
    if chosen in LANGUAGES:
        return chosen
    return preferred_language(Headers(scope=scope).get("accept-language", ""))


MAX_RANGES = 100  # of a header that are read


def preferred_language(header: str) -> str:
    """Return the language of ours that the header Accept-Language prefers; the first one if it names none of them.

    >>> preferred_language("ja;q=0.1, de-AT;q=0.9"), preferred_language("DE, en"), preferred_language("en;q=0, x;q=a")
    ('de', 'de', 'en')
    """
    weighed = []
    for part in header.lower().split(",")[:MAX_RANGES]:
        tag, _, weight = part.replace(" ", "").partition(";q=")
        with suppress(ValueError):  # a weight that is no number
            weighed.append((float(weight or 1), tag))
    tags = [tag for weight, tag in sorted(weighed, key=lambda one: -one[0]) if weight]
    return negotiate_locale(tags, LANGUAGES, sep="-") or LANGUAGES[0]
