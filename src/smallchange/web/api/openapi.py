"""The OpenAPI description, made from the routes and their shapes."""

from __future__ import annotations

import functools
import re
from typing import Any

import msgspec

from smallchange.web.guard import BODY, RECORD
from smallchange.web.settings import ASKED, HOUSE, Settings
from smallchange.web.wire import MOST_PLY

from . import shapes
from .routes import CALLS, Call

GUIDE = """\
Play Small Change from a program. Open a table (`POST /api/matches`) or join one (`POST /api/join/{{code}}`);
the answer has a token, which you send from then on as `Authorization: Bearer TOKEN`. Read the table, choose
one of `legal`, and post it to `/act` with the table's `ply` and a `move` id of your own making (8 to 40
letters, digits, `-`, `_`). Sending the same deed again with the same id is safe: it has one effect. 409
`conflict` means that the table has moved on; it comes with the current table. Luck is drawn by the server
alone. Wait for your turn with `/stream`, or over the socket at `/ws` (its messages: `/api/protocol`).

A token is not checked until it holds a seat: a mistyped one is somebody new, who sits nowhere. A token may
send {playing} deeds in 20 seconds and ask for {hints} hints and reviews in a minute. From one address
{together} hints and reviews may be asked for in a minute and {asked} records verified, and in 10 minutes
{new_tables} tables opened or joined, {listed_tables} of them open to anyone. 429 says in `Retry-After` how
many seconds to wait.
{sockets} sockets and streams may be open from one address at a time; one more is refused with 429 (a stream)
or 403 (a socket). What is posted has at most {body} KiB, a record {record} KiB."""


@functools.cache  # anybody may ask, again and again, and moves would wait
def description(version: str, settings: Settings) -> dict[str, Any]:
    """The whole description, OpenAPI 3.1, with the limits of these settings."""
    sizes = {"body": BODY // 1024, "record": RECORD // 1024}
    limits = sizes | {"asked": ASKED, "together": HOUSE * settings.hints} | msgspec.structs.asdict(settings)
    types = {c.takes for c in CALLS} | {c.gives for c in CALLS} | {shapes.Error}
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
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _operation(call: Call) -> dict[str, Any]:
    good: dict[str, Any] = {"description": call.text}
    good["content"] = {call.kind: {"schema": _schema(call.gives) if call.gives else {}}}
    bad = {"description": "Refused.", "content": _json(shapes.Error)}
    operation: dict[str, Any] = {
        "operationId": call.does,
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
            "schema": {"type": "integer", "minimum": -1, "maximum": MOST_PLY},
        }
        for name, text in call.query
    ]
    if call.seated:
        operation["security"] = [{"token": []}]
    if call.takes is str:
        operation["requestBody"] = {
            "required": True,
            "content": {"text/plain": {"schema": {"type": "string"}}},
        }
    elif call.takes is not None:
        operation["requestBody"] = {"required": True, "content": _json(call.takes)}
    return operation


def _json(shape: type[Any]) -> dict[str, Any]:
    return {"application/json": {"schema": _schema(shape)}}


def _schema(shape: type[Any]) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{shape.__name__}"}
