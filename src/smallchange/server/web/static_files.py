"""The static files of the pages. Scripts and style sheets are sent without comments and spaces, compressed once."""

from __future__ import annotations

import gzip
import os
import re
from functools import lru_cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

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
    text = without_comments(path.read_text())
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
