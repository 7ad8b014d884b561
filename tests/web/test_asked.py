"""Everything there is to ask of a server; a route or message that is not listed here fails a test."""

from __future__ import annotations

import json
from typing import Any

from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from smallchange.web import wire
from smallchange.web.app import app
from smallchange.web.settings import Settings

from .serving import SETTINGS

# What is asked by GET, by route; the rest of the routes change something and are asked by `POSTS`.
PATHS = {
    "/": ["/"],
    "/lists": ["/lists"],
    "/mine": ["/mine", "/mine?page=2"],
    "/about": ["/about"],
    "/static/pieces.css": ["/static/pieces.css"],
    "/games/{game}": ["/games/{game}"],
    "/games/{game}/difficulty": ["/games/{game}/difficulty"],
    "/games/{game}/preview.png": ["/games/{game}/preview.png"],
    "/rules/{game}": ["/rules/{game}"],
    "/m/{id}": ["/m/{id}", "/m/{id}?at=0", "/m/{id}?at=2", "/m/{id}?lang=ja", "/m/{id}?pick=x"],
    "/m/{id}/look": ["/m/{id}/look", "/m/{id}/look?at=1"],
    "/m/{id}/sheet": ["/m/{id}/sheet"],
    "/m/{id}/envelope": ["/m/{id}/envelope"],
    "/m/{id}/review": ["/m/{id}/review"],
    "/m/{id}/record.txt": ["/m/{id}/record.txt"],
    "/m/{id}/record.json": ["/m/{id}/record.json"],
    "/j/{code}": ["/j/{code}"],
    "/healthz": ["/healthz"],
    "/metrics": ["/metrics"],
    "/api/games": ["/api/games"],
    "/api/tables": ["/api/tables"],
    "/api/mine": ["/api/mine"],
    "/api/matches/{id}": ["/api/matches/{id}"],
    "/api/matches/{id}/review": ["/api/matches/{id}/review"],
    "/api/matches/{id}/record.txt": ["/api/matches/{id}/record.txt"],
    "/api/matches/{id}/record.json": ["/api/matches/{id}/record.json"],
    "/api/openapi.json": ["/api/openapi.json"],
    "/api/protocol": ["/api/protocol"],
}
# What changes something is asked in a way that is refused, or that neither chance nor the end has a part in.
POSTS: dict[str, dict[str, Any]] = {
    "/games/{game}": {"seat.{first}": "bot:nobody"},
    "/j/{code}": {"name": "x"},
    "/lang": {"lang": "en"},
    "/theme": {"theme": "dark"},
    "/m/{id}/act": {"token": "no-such-move"},
    "/m/{id}/undo": {},
    "/m/{id}/offer": {"what": "undo"},
    "/m/{id}/answer": {"yes": "0"},
    "/m/{id}/hint": {},
    "/m/{id}/again": {},
    "/m/{id}/fork": {"at": "9999"},
    "/api/matches": {"game": "nothing"},
    "/api/join/{code}": {"name": "x"},
    "/api/matches/{id}/act": {"ply": 0, "move": "deed-0001", "token": "x"},
    "/api/matches/{id}/undo": {"ply": 0, "move": "deed-0002"},
    "/api/matches/{id}/resign": {"ply": 9999, "move": "deed-0003"},
    "/api/matches/{id}/offer": {"ply": 0, "move": "deed-0004", "what": "draw"},
    "/api/matches/{id}/answer": {"ply": 0, "move": "deed-0005", "yes": False},
    "/api/matches/{id}/again": {},
    "/api/matches/{id}/fork": {"at": 9999},
    "/api/verify": {},
}
# These tell the secret, and are meant to: the match ends by them. Their answers are compared without it.
OPENING = {"/m/{id}/resign"}
SPECIAL = {"/static", "/ws", "/api/matches/{id}/stream"}
MESSAGES: list[dict[str, Any]] = [
    {"is": "watch", "ply": -1},
    {"is": "watch", "ply": -1, "drawn": False},
    {"is": "watch", "ply": 2},
    {"is": "watch", "ply": 10_000},
    {"is": "act", "ply": 0, "token": "x"},
    {"is": "act", "token": "no-such-move"},
    {"is": "hint"},
    {"is": "undo"},
    {"is": "offer", "what": "undo"},
    {"is": "answer", "yes": False},
    {"is": "resign", "ply": 9999},
    {"is": "leave"},
    {"is": "ping"},
]


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
    assert {message["is"] for message in MESSAGES} == {kind.__name__.lower() for kind in wire.MESSAGES_IN}
    for message in MESSAGES:
        wire.read(json.dumps(filled(message, "a" * 20, 0, 0) | message))


def filled(message: dict[str, Any], id: str, ply: int, n: int) -> dict[str, Any]:
    """What a message of this kind has to have besides."""
    if message["is"] == "ping":
        return {}
    if message["is"] in ("watch", "leave"):
        return {"match": id}
    if message["is"] == "hint":
        return {"match": id, "ply": ply}
    return {"match": id, "ply": ply, "move": f"message-{n}"}
