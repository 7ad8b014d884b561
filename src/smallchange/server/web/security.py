"""Security: host names, headers that restrict the browser, and cross-site request forgery (CSRF).

No form has a token against CSRF. A browser says itself where a request comes from: by the header `Sec-Fetch-Site`, or
by `Origin` where it is older or the site is without TLS. The algorithm is that of `http.CrossOriginProtection` in Go
1.25.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from smallchange.server.settings import Settings, trusted_proxies
from smallchange.server.web.errors import Refused
from smallchange.server.web.heavy_work import asking_address
from smallchange.server.web.limits import SparseLog
from smallchange.server.web.path_prefix import PathPrefix
from smallchange.server.web.sessions import COOKIE_AGE_S, Visitor, client_address, set_cookie
from smallchange.server.web.static_files import PATH as DOCUMENTATION_PATH
from smallchange.server.web.static_files import documentation_policy
from smallchange.server.web.transport import ConnectionGate

if TYPE_CHECKING:
    from smallchange.server.services import Services

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
WILDCARD_ADDRESSES = ("0.0.0.0", "::")
BAD_REQUEST, FORBIDDEN, NOT_FOUND, MISDIRECTED, TOO_MANY_REQUESTS = 400, 403, 404, 421, 429  # HTTP statuses
BLOCKED = "The keepers of this site have shut out the network that you come from."
OWN_ORIGIN = re.compile(r"^https?://[^/]*(?=/[^/])")  # before the path of a page of ours
OFFLINE_PATH = "/offline/site/"  # the files to play offline by
TRY_PATH = f"{DOCUMENTATION_PATH}/try-it/"  # the same in the documentation
ANONYMOUS_PATHS = (
    "/static/",
    OFFLINE_PATH,
    f"{DOCUMENTATION_PATH}/",
    "/api/",
    "/healthz",
    "/metrics",
)  # without cookies
LANGUAGE_CHOICES = (
    "/lang",
    "/settings",
)  # forms that choose a language, whatever the query of their page says
HSTS_AGE_S = COOKIE_AGE_S
SECURITY_HEADERS = {
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
# Parts of pages are no documents and hold no secret: of these headers only the type concerns them.
PART_TYPES = ("text/css", "text/javascript", "font/woff2", "image/png")

# there Python runs as WebAssembly, and pages are shown in a frame of the same site
OFFLINE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'self'; object-src 'none'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}


class Hosts:
    """The host names that the server accepts, against DNS rebinding.

    Another site can make its own name lead to this machine. A browser then takes the server's answers for
    that site's, so the site could read them. But the browser still sends that name in the header `Host`.
    """

    def __init__(self, settings: Settings) -> None:
        named = [host_name(host) for host in settings.hosts]
        origins = [host_name(urlsplit(origin).netloc) for origin in settings.origins]
        self._any = "*" in settings.hosts
        self._addresses = settings.host in WILDCARD_ADDRESSES  # an address cannot be rebound
        own = [socket.gethostname().lower()] if self._addresses else []
        self._names = {*LOOPBACK_NAMES, settings.host.strip("[]").lower(), *named, *origins, *own}

    def check(self, headers: Headers) -> tuple[int, str] | None:
        """Return the status and the sentence of a refusal; None for a request that is accepted."""
        given = headers.getlist("host")
        if len(given) != 1 or not given[0]:
            return BAD_REQUEST, f"A request names one host in its header Host; this one has {len(given)}."
        name = host_name(given[0])
        if self._any or name in self._names or (self._addresses and _is_address(name)):
            return None
        return (
            MISDIRECTED,
            f"This server does not go by the name {name[:80]!r}; its setting hosts says which it has.",
        )


def host_name(host: str) -> str:
    """Return the name or address of a Host header, without the port.

    >>> [host_name(host) for host in ("Play.example:80", "[::1]:8765", "::1", "127.0.0.1")]
    ['play.example', '::1', '::1', '127.0.0.1']
    """
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() and ":" not in name else host).lower()


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class SecurityMiddleware:
    """The middleware around the whole application.

    It finds the visitor and adds the security headers. A request that the stop of the server cuts off is
    answered with `on_shutdown`.
    """

    def __init__(
        self, app: Starlette, settings: Settings, on_shutdown: Callable[[Request], Awaitable[Response]]
    ) -> None:
        self.app = app
        self.gate = ConnectionGate(settings.connections, proxies=trusted_proxies(settings.proxies))
        self._secure = settings.secure
        self._hosts = Hosts(settings)
        self._prefix = PathPrefix(settings.path_prefix)
        self._on_shutdown = on_shutdown
        self._log = SparseLog("security")
        self._documentation_policy = documentation_policy(settings.docs) if settings.docs else ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        with self.gate.answering(scope):
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        asking_address.set(client_address(HTTPConnection(scope)))
        if refused := self._refusal(scope):
            await _refuse(*refused, scope, receive, send)
            return
        scope["visitor"] = visitor = Visitor(scope, self._secure)
        if not visitor.fresh and not scope["path"].startswith(ANONYMOUS_PATHS):
            await self._identify(visitor)
        answered = scope["type"] == "websocket"

        async def answer(message: Message) -> None:
            nonlocal answered
            answered = True
            if message["type"] == "http.response.start":
                well = 200 <= message["status"] < 300
                self._add_headers(scope, MutableHeaders(scope=message), visitor, well)
            await send(message)

        try:
            await self.app(scope, receive, answer)
        except asyncio.CancelledError:  # the server stops, and has waited for long enough
            if not answered:
                await (await self._on_shutdown(Request(scope)))(scope, receive, answer)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return the status and the sentence of a refusal by address, host or path, which counts as a page."""
        services: Services = self.app.state.services
        client = scope["client"]
        if client and services.site.state.blocks(client[0]):
            refused: tuple[int, str] | None = (FORBIDDEN, BLOCKED)
            self.gate.count_refusal("blocked")
        elif refused := self._hosts.check(Headers(scope=scope)):
            self._log.warning("a request was refused for its host", answer=refused[1])
            self.gate.count_refusal("host")
        elif not self._prefix.remove_from(scope):
            why = f"All paths of this server begin with {self._prefix.prefix}/, its setting path_prefix."
            refused = NOT_FOUND, why
        else:
            return None
        try:
            services.limits.pages.take(client_address(HTTPConnection(scope)))
        except Refused:
            return TOO_MANY_REQUESTS, "Too many requests."
        return refused

    async def _identify(self, visitor: Visitor) -> None:
        """Find the account of a visitor, and count the unread notifications.

        If the database does not answer, the visitor stays a guest.
        """
        services: Services = self.app.state.services
        try:
            visitor.identify(await services.accounts.identity(visitor.hash))
            visitor.unread = await services.notifications.unread(visitor.holder, visitor.account)
        except Refused:
            self._log.warning("a visitor could not be identified")

    def _add_headers(self, scope: Scope, headers: MutableHeaders, visitor: Visitor, well: bool) -> None:
        """Add the headers of security and caching, and the visitor's cookie to a page."""
        part = scope["path"].startswith("/static/") and headers.get("content-type", "").startswith(PART_TYPES)
        for name, value in SECURITY_HEADERS.items():
            if not part or name == "X-Content-Type-Options":
                headers[name] = value
        if self._documentation_policy and scope["path"].startswith(f"{DOCUMENTATION_PATH}/"):
            headers["Content-Security-Policy"] = self._documentation_policy
        offline = scope["path"].startswith((OFFLINE_PATH, TRY_PATH))
        if offline:
            headers.update(OFFLINE_HEADERS)
        if "location" in headers:  # behind a proxy the browser alone knows our address
            headers["Location"] = OWN_ORIGIN.sub("", headers["location"])
            if visitor.asked_lang and scope["path"] not in LANGUAGE_CHOICES:
                headers["Location"] = with_language(headers["location"], visitor.asked_lang)
        if self._secure:
            headers["Strict-Transport-Security"] = f"max-age={HSTS_AGE_S}"
        page = headers.get("content-type", "").startswith("text/html")
        static = offline or (scope["path"].startswith("/static/") and not page)
        headers.setdefault("Cache-Control", "no-cache" if static else "no-store")
        if page and well and not offline and _is_visit(scope):  # for another year
            headers.append("Set-Cookie", set_cookie("who", visitor.token, self._secure))
        if self.gate.draining:  # the next request is for another process
            headers["Connection"] = "close"
        self._prefix.add_to_headers(headers)


def with_language(location: str, lang: str) -> str:
    """Return a path of ours that goes on in the language that the query of its page named.

    >>> with_language("/play/abc?at=1#log", "ja"), with_language("/play?lang=de", "ja")
    ('/play/abc?at=1&lang=ja#log', '/play?lang=de')
    >>> with_language("https://elsewhere.test/", "ja")
    'https://elsewhere.test/'
    """
    parts = urlsplit(location)
    if parts.netloc or not location.startswith("/") or "lang=" in parts.query:
        return location
    return parts._replace(query="&".join(filter(None, (parts.query, f"lang={lang}")))).geturl()


async def _refuse(status: int, why: str, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with one line. A WebSocket handshake is answered 403, without a text."""
    if scope["type"] == "websocket":
        await WebSocketClose()(scope, receive, send)
    else:
        headers = {"Connection": "close"} if status == TOO_MANY_REQUESTS else {}
        await PlainTextResponse(f"{why}\n", status, headers)(scope, receive, send)


def _is_visit(scope: Scope) -> bool:
    """Return whether a person asks for a page.

    Only such an answer carries the visitor's cookie. A request that another site makes a browser send comes
    without the present cookie, so a new one would replace it, and with it every seat.
    """
    headers = Headers(scope=scope)
    elsewhere = headers.get("sec-fetch-site") == "cross-site"
    return scope["method"] == "GET" and (not elsewhere or headers.get("sec-fetch-dest") == "document")


SAFE_METHODS = ("GET", "HEAD", "OPTIONS")  # which change nothing
OWN_SITES = ("same-origin", "none")  # "none": typed, or a bookmark
LOGGED_CHARS = 100


class CsrfMiddleware:
    """Refuses sockets of other sites' pages, and requests of theirs that could change something."""

    def __init__(
        self, app: ASGIApp, origins: tuple[str, ...], on_refusal: Callable[[Request], Awaitable[Response]]
    ) -> None:
        self._app = app
        self._origins = origins
        self._on_refusal = on_refusal
        self._log = SparseLog("csrf")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        unsafe = scope["type"] == "websocket" or (
            scope["type"] == "http" and scope["method"] not in SAFE_METHODS
        )
        if not unsafe or is_same_origin(headers := Headers(scope=scope), scope["scheme"], self._origins):
            await self._app(scope, receive, send)
            return
        # a proxy may not pass on the host: who runs the server finds out by this line
        named = {name: headers.get(name, "")[:LOGGED_CHARS] for name in ("origin", "host")}
        self._log.warning("another site's request was refused", **named)
        if scope["type"] == "websocket":
            await WebSocketClose()(scope, receive, send)  # before accepting: answered as 403
        else:
            await (await self._on_refusal(Request(scope)))(scope, receive, send)


def is_same_origin(headers: Headers, scheme: str, accepted: tuple[str, ...]) -> bool:
    """Return whether a request comes from a page of ours or an accepted origin, or from no page at all.

    >>> ours = {"host": "play.example", "origin": "https://play.example"}
    >>> is_same_origin(Headers(ours), "https", ()), is_same_origin(Headers(), "https", ())
    (True, True)
    >>> is_same_origin(Headers(ours | {"sec-fetch-site": "cross-site"}), "https", ())
    False
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if origin in accepted:
        return True
    if site is not None:
        return site in OWN_SITES
    if origin is None:
        return True  # no browser
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    # a proxy that the settings do not name may speak TLS for us; the other way round, TLS was stripped
    schemes = ("https", "http") if scheme in ("http", "ws") else ("https",)
    return parts.netloc == headers.get("host") and parts.scheme in schemes
