"""Protection against cross-site request forgery (CSRF), without a token in any form.

A browser says itself where a request comes from: by the header `Sec-Fetch-Site`, or by `Origin` where it is older or
the site is without TLS. The algorithm is that of `http.CrossOriginProtection` in Go 1.25.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from smallchange.server.web.sparse_log import SparseLog

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
