"""Who asks, and what a browser is told not to do. Nothing here knows a game.

A visitor is a token of 256 random bits, in a cookie for people and in `Authorization: Bearer` for programs;
the server keeps only its hash. Every cookie that it sets is HttpOnly and SameSite=Lax, and on TLS also
Secure with the prefix __Host-.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import math
import re
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, IPv6Network
from urllib.parse import urlsplit

import structlog
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request, cookie_parser
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from smallchange.text import LANGUAGES

from .refused import Refused

log = structlog.get_logger("guard")
TOKEN = re.compile(r"[A-Za-z0-9_-]{22,100}")
OURS = re.compile(r"^https?://[^/]*(?=/[^/])")  # before the path of a page of ours
YEAR = 365 * 24 * 3600
BODY = 64 * 1024  # the most bytes of what is posted,
RECORD = 512 * 1024  # .. and of a record to verify
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def holder(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def forgery(token: str) -> str:
    """The anti-forgery token of a visitor's forms: nobody who cannot read the cookie can make it."""
    return hmac.new(token.encode(), b"form", "sha256").hexdigest()[:32]


class Visitor:
    """Who asks: `token` of the cookie (fresh if there was none), the language, the colour theme."""

    def __init__(self, scope: Scope, secure: bool) -> None:
        cookies = cookie_parser(Headers(scope=scope).get("cookie", ""))  # whatever others put beside ours
        known, lang, theme = (cookies.get(cookie_name(name, secure), "") for name in ("who", "lang", "theme"))
        self.fresh = not TOKEN.fullmatch(known)
        self.token = secrets.token_urlsafe(32) if self.fresh else known
        self.lang = _language(scope, lang)
        self.theme = theme if theme in ("light", "dark") else ""

    @property
    def holder(self) -> str:
        return holder(self.token)

    @property
    def forgery(self) -> str:
        return forgery(self.token)


def address(connection: HTTPConnection) -> str:
    """Where somebody comes from, for limits: "" where that is not known, and of IPv6 the network, in which
    everybody has as many addresses as they like."""
    host = connection.client.host if connection.client else ""
    try:
        found = IPv6Address(host)
    except ValueError:
        return host
    return str(found.ipv4_mapped or IPv6Network((int(found), 64), strict=False))


def visitor(connection: HTTPConnection) -> Visitor:
    found: Visitor = connection.scope["visitor"]
    return found


def bearer(connection: HTTPConnection) -> str | None:
    """The token of a program; None if it brought none. Refused if it is none that we made."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    if not TOKEN.fullmatch(token.strip()):
        raise Refused("bearer")
    return token.strip()


def same_origin(connection: HTTPConnection, accepted: tuple[str, ...]) -> bool:
    """Does this come from a page of ours, or from no page at all? If not, the log says so: it may be a proxy
    that does not pass on the host."""
    same = _same_origin(connection, accepted)
    if not same:
        asked = {name: connection.headers.get(name, "")[:100] for name in ("origin", "host")}
        log.warning("another site's request was refused", **asked)
    return same


def _same_origin(connection: HTTPConnection, accepted: tuple[str, ...]) -> bool:
    origin = connection.headers.get("origin")
    if connection.headers.get("sec-fetch-site") == "cross-site" and origin not in accepted:
        return False
    if origin is None or origin in accepted:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    if parts.netloc != connection.headers.get("host"):
        return False
    # a proxy that we were not told of may speak TLS for us; the other way round somebody sits in between
    return parts.scheme == "https" or (parts.scheme == "http" and connection.url.scheme in ("http", "ws"))


class Guard:
    """Around the whole application: who asks, headers for safety, and where the server stops before it has
    answered, what `stopped` says."""

    def __init__(
        self, app: Starlette, secure: bool, stopped: Callable[[Request], Awaitable[Response]]
    ) -> None:
        self.app = app
        self._secure = secure
        self._stopped = stopped

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        scope["visitor"] = who = Visitor(scope, self._secure)
        answered = scope["type"] == "websocket"

        async def answer(message: Message) -> None:
            nonlocal answered
            answered = True
            if message["type"] == "http.response.start":
                self._add_headers(scope, MutableHeaders(scope=message), who)
            await send(message)

        try:
            await self.app(scope, receive, answer)
        except asyncio.CancelledError:  # the server stops, and has waited for long enough
            if not answered:
                await (await self._stopped(Request(scope)))(scope, receive, answer)

    def _add_headers(self, scope: Scope, headers: MutableHeaders, who: Visitor) -> None:
        for name, value in HEADERS.items():
            headers[name] = value
        if "location" in headers:  # a browser knows better than we, behind a proxy, by what it reaches us
            headers["Location"] = OURS.sub("", headers["location"])
        if self._secure:
            headers["Strict-Transport-Security"] = f"max-age={YEAR}"
        page = headers.get("content-type", "").startswith("text/html")
        static = scope["path"].startswith("/static/") and not page
        headers.setdefault("Cache-Control", "no-cache" if static else "no-store")
        if page:  # for another year
            headers.append("Set-Cookie", set_cookie("who", who.token, self._secure))


def cookie_name(name: str, secure: bool) -> str:
    """On TLS no other host, and nobody who has no TLS, can set a cookie of this name."""
    return f"__Host-{name}" if secure else name


def set_cookie(name: str, value: str, secure: bool) -> str:
    """A cookie for a year, for the server alone."""
    last = "; Secure" if secure else ""
    return f"{cookie_name(name, secure)}={value}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{last}"


async def body(connection: HTTPConnection, receive: Receive, most: int = BODY) -> bytes:
    """A request's body; Refused as soon as it is too large, or where it is cut short."""
    if int(connection.headers.get("content-length", "0") or 0) > most:
        raise Refused("size")
    whole = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refused("message", why="the body ends too soon")
        part: bytes = message.get("body", b"")
        whole += part
        if len(whole) > most:
            raise Refused("size")
        if not message.get("more_body"):
            return whole


class Credits:
    """So many messages in so many seconds; they come back evenly.

    >>> credits = Credits(2, 20.0)
    >>> credits.spend(0.0), credits.spend(0.0), credits.spend(0.0), credits.spend(10.0)
    (True, True, False, True)
    """

    def __init__(self, most: int, seconds: float) -> None:
        self.most = most
        self._seconds = seconds
        self._left = float(most)
        self._at = 0.0

    def spend(self, now: float | None = None) -> bool:
        """Take one; False if there is none left."""
        now = time.monotonic() if now is None else now
        self._left = min(self.most, self._left + (now - self._at) * self.most / self._seconds)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def give_back(self) -> None:
        """One that was spent on nothing."""
        self._left += 1


class Purses:
    """Credits by address or holder; the least recently seen are forgotten. `code` says what is refused."""

    def __init__(self, most: int, seconds: float, code: str = "credits", keep: int = 10_000) -> None:
        self._most, self._seconds, self._code, self._keep = most, seconds, code, keep
        self._purses: OrderedDict[str, Credits] = OrderedDict()

    @contextmanager
    def paying(self, key: str) -> Iterator[None]:
        """Take one of this key's credits for what is done meanwhile; what is refused costs nothing."""
        purse = self.spend(key)
        try:
            yield
        except Refused:
            purse.give_back()
            raise

    def spend(self, key: str) -> Credits:
        """Take one of this key's credits, out of what is given; Refused if there is none left."""
        purse = self._purses.setdefault(key, Credits(self._most, self._seconds))
        self._purses.move_to_end(key)
        while len(self._purses) > self._keep:
            self._purses.popitem(last=False)
        if not purse.spend():
            raise Refused(self._code, wait=math.ceil(self._seconds / self._most))
        return purse


class Doors:
    """How many sockets and streams are open from each address, and no more than `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        if self._open[address] >= self._most:
            return False
        self._open[address] += 1
        return True

    def leave(self, address: str) -> None:
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]


def _language(scope: Scope, chosen: str) -> str:
    query = re.search(rb"(?:^|&)lang=([a-z]{2})(?:&|$)", scope.get("query_string", b""))
    if query and query[1].decode() in LANGUAGES:
        return query[1].decode()
    if chosen in LANGUAGES:
        return chosen
    for part in Headers(scope=scope).get("accept-language", "").split(","):
        if part.strip()[:2].lower() in LANGUAGES:
            return part.strip()[:2].lower()
    return LANGUAGES[0]
