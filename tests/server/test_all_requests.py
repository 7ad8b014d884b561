"""Everything there is to ask of a server; a route or message that is not listed here fails a test."""

from __future__ import annotations

import json

from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from smallchange.server.app import app
from smallchange.server.settings import Settings
from smallchange.server.table import messages
from tests.server.sample_requests import MESSAGES, POSTS, required_fields
from tests.support.site_paths import PATHS

from .serving import SETTINGS

# These tell the secret, and are meant to: the match ends by them. Their answers are compared without it.
OPENING = {"/m/{id}/resign"}
SPECIAL = {
    "/static",
    "/ws",
    "/api/matches/{id}/stream",
    "/offline/python.js",  # made once, in seconds: tests/browser/test_offline.py asks for both
    "/offline/brython.js",
}


def routes() -> set[str]:
    found: set[str] = set()

    def walk(rows: list[BaseRoute], above: str) -> None:
        for row in rows:
            if isinstance(row, Mount) and row.routes:
                walk(list(row.routes), above + row.path)
            elif isinstance(row, (Mount, WebSocketRoute)):
                found.add(above + row.path)
            elif isinstance(row, Route):
                found.update(
                    f"{method} {above}{row.path}" for method in row.methods or () if method != "HEAD"
                )

    walk(list(app(Settings(**SETTINGS, database="sqlite:///tables.db")).app.routes), "")
    return found


def test_no_route_goes_unasked() -> None:
    asked = {f"GET {path}" for path in PATHS} | {f"POST {path}" for path in [*POSTS, *OPENING]}
    asked |= {path if path in ("/static", "/ws") else f"GET {path}" for path in SPECIAL}
    assert routes() == asked


def test_no_message_goes_unasked() -> None:
    assert {message["is"] for message in MESSAGES} == {kind.__name__.lower() for kind in messages.MESSAGES_IN}
    for message in MESSAGES:
        messages.decode(json.dumps(required_fields(message, "a" * 20, 0, 0) | message))
