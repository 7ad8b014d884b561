"""Static files, sent without comments and spaces; the documentation at /docs; compression and validators of answers."""

from __future__ import annotations

import asyncio
import gzip
import os
import re
from base64 import b64encode
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SUFFIXES = {".js", ".css"}
COMMENT = re.compile(r"^\s*(?://[^\n]*\n|/\*.*?\*/\s*)|^\s+", re.MULTILINE | re.DOTALL)
CSS_SPACE = re.compile(
    r"\s*(?:/\*.*?\*/\s*)*([{};,])\s*(?:/\*.*?\*/\s*)*", re.DOTALL
)  # no text of ours has such signs


class PageFiles(StaticFiles):
    """The folder of static files."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Return a file, or 304 where the browser has it already."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        del response.headers["last-modified"], response.headers["accept-ranges"]  # the validator says more
        if not isinstance(response, FileResponse) or Path(full_path).suffix not in SUFFIXES:
            return response
        # without a charset: a script is UTF-8, and a style sheet is what its page is
        kept = {"etag": response.headers["etag"], "content-type": str(response.media_type)}
        text, compressed = _shorten(Path(full_path), stat_result.st_mtime_ns)
        if "gzip" in Headers(scope=scope).get("accept-encoding", ""):
            kept |= {"content-encoding": "gzip", "vary": "Accept-Encoding"}
            text = compressed
        return Response(text, status_code, kept, response.media_type)


@lru_cache(maxsize=256)
def _shorten(path: Path, changed_ns: int) -> tuple[bytes, bytes]:
    text = without_comments(path.read_text(encoding="utf-8"))
    if path.suffix == ".css":
        text = CSS_SPACE.sub(r"\1", text)
    return text.encode(), gzip.compress(text.encode(), mtime=0)


def without_comments(text: str) -> str:
    r"""Return a script or style sheet without its indentation, and without comments that begin a line.

    No text of ours goes over several lines, so no line is a part of one.

    >>> without_comments("/* The\n   board. */\na {\n  color: red; /* x */\n}\n// end\nlet b = 1; // y\n")
    'a {\ncolor: red; /* x */\n}\nlet b = 1; // y\n'
    """
    return COMMENT.sub("", text)


PATH = "/docs"
INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
POLICY = (
    "default-src 'self'; script-src {sources}; img-src 'self' data:; worker-src 'self' blob:; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; object-src 'none'"
)


def documentation(folder: str) -> Mount:
    """Return the route of the built documentation."""
    return Mount(PATH, StaticFiles(directory=folder, html=True))


def documentation_policy(folder: str) -> str:
    """Return the policy for the built documentation: within its pages only the scripts run that were built into them.

    >>> documentation_policy("no-such-folder").split("; ")[1]
    "script-src 'self'"
    """
    scripts = {
        script.encode()
        for page in Path(folder).rglob("*.html")
        for script in INLINE_SCRIPT.findall(page.read_text(encoding="utf-8"))
    }
    hashes = sorted(f"'sha256-{b64encode(sha256(script).digest()).decode()}'" for script in scripts)
    return POLICY.format(sources=" ".join(["'self'", *hashes]))


LEVEL = 6  # of 9: a first page in 0.9 ms instead of 0.4, and a sixth smaller
PART_BYTES = 32 * 1024  # of an answer that are compressed in one step of the loop
NOT_MODIFIED = 304


class CompressionMiddleware:
    """Compresses what a client takes compressed.

    The strong validator of an answer, which stands for its bytes,
    becomes a weak one then, for the bytes are others.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._compressed = GZipMiddleware(_in_parts(app), compresslevel=LEVEL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if "content-encoding" in headers and headers.get("etag", "").startswith('"'):
                    headers["ETag"] = f"W/{headers['etag']}"
            await send(message)

        await self._compressed(scope, receive, answer)


def _in_parts(app: ASGIApp) -> ASGIApp:
    """Return the app with its long answers in parts, between which the loop does other work."""

    async def answer_in_parts(scope: Scope, receive: Receive, send: Send) -> None:
        async def answer(message: Message) -> None:
            body = message.get("body", b"")
            for begin in range(0, len(body) - PART_BYTES, PART_BYTES):
                await send({**message, "body": body[begin : begin + PART_BYTES], "more_body": True})
                await asyncio.sleep(0)
            if len(body) > PART_BYTES:
                message = {**message, "body": body[len(body) - (len(body) - 1) % PART_BYTES - 1 :]}
            await send(message)

        await app(scope, receive, answer)

    return answer_in_parts


def with_validator(request: Request, response: Response, etag: str = "") -> Response:
    """Return the response with a validator, or 304 where the browser has the newest already.

    The validator is that of the body unless it is given.
    """
    etag = etag or f'"{sha256(response.body).hexdigest()[:32]}"'
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "no-cache"
    if not _is_known(request.headers, etag):
        return response
    return Response(status_code=NOT_MODIFIED, headers={"ETag": etag, "Cache-Control": "no-cache"})


def _is_known(headers: Headers, etag: str) -> bool:
    known = [one.strip().removeprefix("W/") for one in headers.get("if-none-match", "").split(",")]
    return etag in known or known == ["*"]
