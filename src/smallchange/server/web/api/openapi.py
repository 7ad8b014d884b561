"""The OpenAPI description of the JSON API, made from the routes and their shapes."""

from __future__ import annotations

import functools
import re
from typing import Any

import msgspec

from smallchange.server.settings import ADDRESS_HINT_FACTOR, MAX_COSTLY_REQUESTS, Settings
from smallchange.server.table.commands import MAX_PLY
from smallchange.server.web.api import shapes
from smallchange.server.web.api.routes import CALLS, Call
from smallchange.server.web.request_context import MAX_BODY_BYTES, MAX_RECORD_BYTES

GUIDE = """\
Play Small Change from a program. Open a table (`POST /api/matches`) or join one (`POST /api/join/{{code}}`).
The answer has a token, which you send from then on as `Authorization: Bearer TOKEN`. Read the table, choose
one of `legal`, and post it to `/act` with the table's `ply` and a `move` id that you make up (8 to 40 letters,
digits, `-`, `_`). You may send the same command again with the same id: it has one effect. 409 `conflict` means
that the table has moved on; the answer has the current table. The server draws all luck. Wait for your turn with
`/stream`, or over the WebSocket at `/ws` (its messages: `/api/protocol`).

A bot of an account has a token that begins with `bot_`, made on the page `/account/bots`, and follows
`/api/account/events`.

A token without that prefix is checked only where it holds a seat: a mistyped one is a new visitor without a
seat. The rate limits are these. A token may send {playing} commands in 20 seconds, and ask for {hints} hints
and reviews in a minute. One address may ask for {together} hints and reviews and verify {asked} records in a
minute, and open or join {new_tables} tables in 10 minutes, {listed_tables} of them open to anyone. After 429,
`Retry-After` is the number of seconds to wait. One address may have {sockets} sockets and streams open at a
time; one more is refused with 429 (a stream) or 403 (a socket). A body has at most {body} KiB, a record
{record} KiB."""


@functools.cache  # moves would wait while it is made
def description(version: str, settings: Settings) -> dict[str, Any]:
    """Return the whole description, OpenAPI 3.1, with the limits of these settings."""
    sizes = {"body": MAX_BODY_BYTES // 1024, "record": MAX_RECORD_BYTES // 1024}
    limits = (
        sizes
        | {
            "asked": MAX_COSTLY_REQUESTS,
            "together": ADDRESS_HINT_FACTOR * settings.hints,
        }
        | msgspec.structs.asdict(settings)
    )
    types = {c.body for c in CALLS} | {c.answer for c in CALLS} | {shapes.Error}
    structs = [t for t in types if t not in (None, str)]
    structs.sort(key=lambda t: str(t.__name__))
    _, components = msgspec.json.schema_components(structs, ref_template="#/components/schemas/{name}")
    for schema in components.values():
        schema["description"] = " ".join(schema.get("description", "").split())
    paths: dict[str, Any] = {}
    for call in CALLS:
        paths.setdefault(f"/api{call.path}", {})[call.method.lower()] = _operation(call)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Small Change", "version": version, "description": GUIDE.format(**limits)},
        "servers": [{"url": settings.path_prefix or "/"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _operation(call: Call) -> dict[str, Any]:
    """Return the description of one call."""
    good: dict[str, Any] = {"description": call.text}
    good["content"] = {call.kind: {"schema": _schema(call.answer) if call.answer else {}}}
    bad = {"description": "Refused.", "content": _json(shapes.Error)}
    operation: dict[str, Any] = {
        "operationId": call.operation,
        "summary": call.text,
        "responses": {str(call.status): good, "default": bad},
    }
    names = re.findall(r"\{(\w+)\}", call.path)
    operation["parameters"] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names
    ]
    operation["parameters"] += [
        {
            "name": name,
            "in": "query",
            "description": text,
            "schema": {"type": "integer", "minimum": -1, "maximum": MAX_PLY},
        }
        for name, text in call.query
    ]
    if call.seated:
        operation["security"] = [{"token": []}]
    if call.body is str:
        operation["requestBody"] = {
            "required": True,
            "content": {"text/plain": {"schema": {"type": "string"}}},
        }
    elif call.body is not None:
        operation["requestBody"] = {"required": True, "content": _json(call.body)}
    return operation


def _json(shape: type[Any]) -> dict[str, Any]:
    return {"application/json": {"schema": _schema(shape)}}


def _schema(shape: type[Any]) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{shape.__name__}"}
