"""The prefix of all paths, where a proxy serves this site below a path of another, such as /games.

The application knows nothing of it: it answers as if the site had a host name of its own. Requests lose the prefix when
they come in. Addresses in redirects, cookies, pages and frames get it when they go out. Scripts find it by their own
address.
"""

from __future__ import annotations

import re
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# addresses in markup, also where it is a JSON text; a visitor's words have no quotation mark there
_MARKUP_ADDRESS = re.compile(rb'((?:href|src|action|data-copy)=\\?"|content="\d+;url=)/(?!/)')
_MANIFEST_ADDRESS = re.compile(rb'("(?:id|start_url|scope|src)": ?")/')
_REWRITTEN = {
    "text/html": _MARKUP_ADDRESS,
    "application/json": _MARKUP_ADDRESS,
    "application/manifest+json": _MANIFEST_ADDRESS,
}
PLAIN_PATHS = ("/healthz", "/metrics")  # which are asked for beside the proxy too
AS_THEY_ARE = (
    "/static/",
    "/docs/",
    "/api/",
    "/offline/site/",
)  # files whose addresses are relative, and programs' calls
HOST_COOKIE, PATH_COOKIE = "__Host-", "__Secure-"  # prefixes of cookies: the first is for a whole host alone


class PathPrefix:
    """A prefix such as /games; "" for none."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self._written = rb"\1" + prefix.encode() + b"/"

    def remove_from(self, scope: Scope) -> bool:
        """Remove the prefix from a request. Return False for a path that is not below it."""
        path: str = scope["path"]
        if not self.prefix or path in PLAIN_PATHS:
            return True
        if not path.startswith(f"{self.prefix}/"):
            return False
        scope["path"] = path[len(self.prefix) :]
        scope["raw_path"] = scope.get("raw_path", path.encode())[len(self.prefix) :]
        renamed = PATH_COOKIE.encode(), HOST_COOKIE.encode()
        scope["headers"] = [
            (name, value.replace(*renamed) if name == b"cookie" else value)
            for name, value in scope["headers"]
        ]
        return True

    def add_to_headers(self, headers: MutableHeaders) -> None:
        """Add the prefix to the address of a redirect and to the paths of cookies."""
        if not self.prefix:
            return
        if headers.get("location", "").startswith("/"):
            headers["Location"] = self.prefix + headers["location"]
        cookies = headers.getlist("set-cookie")
        del headers["set-cookie"]
        for cookie in cookies:
            renamed = cookie.replace(HOST_COOKIE, PATH_COOKIE, 1)
            headers.append("Set-Cookie", renamed.replace("; Path=/;", f"; Path={self.prefix}/;"))

    def add_to_markup(self, markup: bytes, address: re.Pattern[bytes] = _MARKUP_ADDRESS) -> bytes:
        """Add the prefix to the addresses in markup.

        >>> PathPrefix("/games").add_to_markup(b'<a href="/m/abc?back=/">/m/abc</a> <a href="#top">')
        b'<a href="/games/m/abc?back=/">/m/abc</a> <a href="#top">'
        """
        return address.sub(self._written, markup) if self.prefix else markup


class PathPrefixMiddleware:
    """Adds the prefix to the addresses in whole pages, in fragments of pages and in the manifest."""

    def __init__(self, app: ASGIApp, prefix: PathPrefix) -> None:
        self._app = app
        self._prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._prefix.prefix or scope["type"] != "http" or scope["path"].startswith(AS_THEY_ARE):
            await self._app(scope, receive, send)
            return
        start: dict[str, Any] = {}
        body = bytearray()

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                address = _REWRITTEN.get(
                    Headers(raw=message["headers"]).get("content-type", "").partition(";")[0]
                )
                if address is None:
                    await send(message)
                else:
                    start.update(message, address=address)
                return
            if not start:
                await send(message)
                return
            body.extend(message.get("body", b""))
            if message.get("more_body"):
                return
            written = self._prefix.add_to_markup(bytes(body), start.pop("address"))
            headers = MutableHeaders(raw=start["headers"])
            if scope["method"] != "HEAD":
                headers["Content-Length"] = str(len(written))
            await send(start)
            await send({"type": "http.response.body", "body": written})

        await self._app(scope, receive, answer)
