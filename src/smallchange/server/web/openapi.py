"""The OpenAPI description of the JSON API, made from the signatures of its calls."""

from __future__ import annotations

import functools
import inspect
from typing import Any

import msgspec
from starlette.responses import Response

import smallchange
from smallchange.server.settings import ADDRESS_HINT_FACTOR, Settings
from smallchange.server.web.api import JSON, ApiRequest, Call, Calls, Error, without_none
from smallchange.server.web.limits import MAX_COSTLY_REQUESTS
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
minute, and open {new_tables} tables in 10 minutes, {listed_tables} of them open to anyone; joining one counts
nothing. After 429,
`Retry-After` is the number of seconds to wait. One address may have {sockets} sockets and streams open at a
time; one more is refused with 429 (a stream) or 403 (a socket). A body has at most {body} KiB, a record
{record} KiB."""


def with_description(calls: Calls) -> Calls:
    """Return these calls and one more, which describes them all."""
    whole = Calls(calls)

    @whole.get("/openapi.json")
    async def openapi(request: ApiRequest) -> Response:
        """Describe this API, in OpenAPI 3.1."""
        found = description(tuple(whole), request.services.settings)
        return Response(msgspec.json.encode(found, order="sorted"), media_type=JSON)

    return whole


@functools.cache  # moves would wait while it is made
def description(calls: tuple[Call, ...], settings: Settings) -> dict[str, Any]:
    """Return the whole description, with the limits of these settings."""
    limits = msgspec.structs.asdict(settings) | {
        "body": MAX_BODY_BYTES // 1024,
        "record": MAX_RECORD_BYTES // 1024,
        "asked": MAX_COSTLY_REQUESTS,
        "together": ADDRESS_HINT_FACTOR * settings.hints,
    }
    schemas = Schemas(calls)
    paths: dict[str, Any] = {}
    for call in calls:
        paths.setdefault(f"/api{call.path}", {})[call.method.lower()] = _operation(call, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Small Change",
            "version": smallchange.__version__,
            "description": GUIDE.format(**limits),
        },
        "servers": [{"url": settings.path_prefix or "/"}],
        "paths": paths,
        "components": {
            "schemas": schemas.components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


class Schemas:
    """The JSON schemas of all types of these calls; `components` has those of structs, by name."""

    def __init__(self, calls: tuple[Call, ...]) -> None:
        types: list[Any] = [Error]
        for call in calls:
            types += [kind for kind in (call.body, call.answer) if kind is not None]
            types += [kind for _, kind in (*call.path_types, *call.errors)]
            types += [without_none(field.type) for field in _fields(call)]
        found, self.components = msgspec.json.schema_components(
            types, ref_template="#/components/schemas/{name}"
        )
        self._schemas = list(zip(types, found, strict=True))
        for schema in self.components.values():
            schema["description"] = " ".join(schema.get("description", "").split())

    def of(self, kind: Any) -> dict[str, Any]:
        """Return the schema of one of the types; of None, one that accepts everything."""
        return next((dict(schema) for one, schema in self._schemas if one == kind), {})

    def content(self, kind: Any, media_type: str = JSON) -> dict[str, Any]:
        """Return the description of a body of this type."""
        return {media_type: {"schema": self.of(kind)}}


def _fields(call: Call) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Return the parameters of a call's query."""
    return msgspec.structs.fields(call.query) if call.query else ()


def _operation(call: Call, schemas: Schemas) -> dict[str, Any]:
    """Return the description of one call."""
    text, _, more = inspect.cleandoc(call.function.__doc__ or "").partition("\n\n")
    text = " ".join(text.split())
    responses = {str(call.status): {"description": text, "content": schemas.content(call.answer, call.kind)}}
    for status, shape in (*call.errors, ("default", Error)):
        responses[str(status)] = {"description": "Refused.", "content": schemas.content(shape)}
    parameters = [_parameter(name, "path", schemas.of(kind)) for name, kind in call.path_types]
    for field in _fields(call):
        schema = schemas.of(without_none(field.type))
        if field.default is not None:
            schema["default"] = field.default
        parameters.append(_parameter(field.name, "query", schema))
    operation: dict[str, Any] = {
        "operationId": call.function.__name__,
        "summary": text,
        "responses": responses,
        "parameters": parameters,
    }
    if more:
        operation["description"] = " ".join(more.split())
    if call.token:
        operation["security"] = [{"token": []}]
    if call.body is not None:
        kind = "text/plain" if call.body is str else JSON
        needed = call.body is not str and any(one.required for one in msgspec.structs.fields(call.body))
        operation["requestBody"] = {"required": needed, "content": schemas.content(call.body, kind)}
    return operation


def _parameter(name: str, place: str, schema: dict[str, Any]) -> dict[str, Any]:
    text = {"description": schema.pop("description")} if "description" in schema else {}
    return {"name": name, "in": place, "required": place == "path", "schema": schema} | text
