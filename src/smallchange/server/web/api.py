"""The JSON API for programs: each call is one function, in the `api.py` of its feature.

    @calls.get("/played/{name}")
    async def player_games(request: ApiRequest, name: str, query: PlayedQuery) -> Played:
        '''List the finished games of an account.'''

Its signature says everything that a request may carry, and the answer. `description` makes the OpenAPI of it, and
`api_routes` checks requests by it: parameters of the path by their names, `query` and `body` by their structs. A body
of type `str` is plain text. An `AsyncIterator` answers with server-sent events, a `Response` with its own type.

A program is identified by its bearer token alone. Cookies are ignored, so that no page of another site can act for a
visitor.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import smallchange
from smallchange.server.settings import ADDRESS_HINT_FACTOR, Settings
from smallchange.server.web.errors import ErrorCode, Refused, headers_of, refusal_text
from smallchange.server.web.event_stream import EventStream
from smallchange.server.web.limits import MAX_COSTLY_REQUESTS
from smallchange.server.web.request_context import MAX_BODY_BYTES, MAX_RECORD_BYTES, read_body
from smallchange.server.web.sessions import bearer_token, check_identity, client_address, token_hash

if TYPE_CHECKING:
    from smallchange.server.services import Services
    from smallchange.server.web.sessions import Account

F = TypeVar("F", bound=Callable[..., Awaitable[Any]])
MAX_ERROR_CHARS = 120
MAX_QUOTED_CHARS = 40  # of a value that was refused
PRESS_HEADER = "Idempotency-Key"  # of a POST that is sent again
MIN_KEY, MAX_KEY = 16, 200
JSON, EVENTS = "application/json", "text/event-stream"
KEEPALIVE = b": here\n\n"  # a comment on a quiet stream


class ApiRequest:
    """A request of a program: the services, and the holder of its token ("" without one).

    `account` is the one that is signed in by the token, if any: `identify` finds it.
    """

    def __init__(self, request: Request) -> None:
        self.request = request
        self.services: Services = request.app.state.services
        self.token = bearer_token(request)
        self.session = self.holder = token_hash(self.token) if self.token else ""
        self.address = client_address(request)
        self.account: Account | None = None

    async def identify(self) -> None:
        """Find the account of the token. Refuse a token that is no longer valid."""
        if self.token:
            identity = await self.services.accounts.identity(self.session)
            check_identity(self.token, identity)
            self.account = identity.account
            self.holder = identity.account.holder if identity.account else self.holder

    @property
    def known_account(self) -> Account:
        """The account of the token. Refuse a request without one."""
        if self.account is None:
            raise Refused(ErrorCode.NO_ACCOUNT)
        return self.account

    @property
    def person(self) -> Account:
        """The account of the token. Refuse a request without one, and a bot."""
        self.refuse_bot()
        return self.known_account

    def refuse_bot(self) -> None:
        """Refuse what bots of strangers cannot do: they play by challenges alone."""
        if self.account and self.account.is_bot:
            raise Refused(ErrorCode.BOT_ACCOUNT)

    @property
    def known_holder(self) -> str:
        """The holder of the token. Refuse a request without one."""
        if not self.holder:
            raise Refused(ErrorCode.BAD_TOKEN)
        return self.holder


class Error(Struct):
    """A refusal.

    Nothing was changed. Only after `late` and `closing` is this not known yet: the same command may be sent
    again. `why` is in the language of Accept-Language.
    """

    code: Annotated[str, Meta(extra_json_schema={"enum": sorted(ErrorCode)})]
    why: str
    table: None = None


Errors = tuple[tuple[int, type[Error]], ...]


class Call(NamedTuple):
    """A call of the API: its function, and what its signature says.

    `path_types` has the type of each parameter of the path. `query` and `body` are None without one, and so is
    `answer` without a shape. `kind` is the answer's media type. `token`: the call needs one. `errors` are the shapes of
    refusals by status, where they say more than `Error`. `limit` is the limit of an address that it counts for.
    """

    method: str
    path: str
    function: Callable[..., Awaitable[Any]]
    path_types: tuple[tuple[str, Any], ...]
    query: type[Struct] | None
    body: Any
    answer: Any
    kind: str
    status: int
    token: bool
    errors: Errors
    limit: str


class Calls(list[Call]):
    """The calls of a feature, in the order of their description."""

    def get(self, path: str, kind: str = JSON, token: bool = False) -> Callable[[F], F]:
        """Return a decorator: its function answers GET on this path."""
        return self._add("GET", path, kind, 200, token, (), "pages")

    def post(
        self, path: str, status: int = 200, token: bool = False, errors: Errors = (), limit: str = ""
    ) -> Callable[[F], F]:
        """Return a decorator: its function answers POST on this path."""
        return self._add("POST", path, JSON, status, token, errors, limit)

    def _add(
        self, method: str, path: str, kind: str, status: int, token: bool, errors: Errors, limit: str
    ) -> Callable[[F], F]:
        def add(function: F) -> F:
            said = get_type_hints(function, include_extras=True)
            answer, path_types = said["return"], [(name, said[name]) for name in re.findall(r"{(\w+)}", path)]
            streams = get_origin(answer) is AsyncIterator
            if streams:
                answer = without_none(get_args(answer)[0])
            if isinstance(answer, type) and issubclass(answer, Response):
                answer = None
            request = tuple(path_types), said.get("query"), said.get("body")
            self.append(
                Call(
                    method,
                    path,
                    function,
                    *request,
                    answer,
                    EVENTS if streams else kind,
                    status,
                    token,
                    errors,
                    limit,
                )
            )
            return function

        return add


def api_routes(calls: Iterable[Call]) -> list[Route]:
    """Return the routes of these calls, below /api."""
    return [_route(call) for call in calls]


def _route(call: Call) -> Route:
    @functools.wraps(call.function)
    async def respond(request: Request) -> Response:
        services: Services = request.app.state.services
        limits, address = services.limits, client_address(request)
        try:
            if call.limit:
                getattr(limits, call.limit).take(address)
            api_request = ApiRequest(request)
            await api_request.identify()
            if call.method == "POST":  # counted before its body is read
                limits.count_message(api_request.holder or address, address)
            given = await _arguments(call, request)

            async def work() -> Response:
                return _response(call, api_request, await call.function(api_request, **given))

            response = await services.presses.once(_press_key(api_request, call, given), work)
        except Refused as wrong:
            return refusal(request, wrong)
        except msgspec.MsgspecError as wrong:
            return refusal(request, Refused(ErrorCode.BAD_MESSAGE, why=f"{wrong!s:.{MAX_ERROR_CHARS}}"))
        if call.method == "GET":
            limits.charge_answer(address, len(getattr(response, "body", b"")))  # a stream has none
        return response

    path = call.path.replace("{name}", "{name:path}")  # a name may have a slash
    return Route(path, respond, methods=[call.method])


def _press_key(request: ApiRequest, call: Call, given: dict[str, Any]) -> str:
    """Return what is the same for a call that is sent again, "" for one without the header. Refuse a short one."""
    key = request.request.headers.get(PRESS_HEADER, "") if call.method == "POST" else ""
    if key and not MIN_KEY <= len(key) <= MAX_KEY:
        why = f"{PRESS_HEADER} has {MIN_KEY} to {MAX_KEY} characters that nobody else has"
        raise Refused(ErrorCode.BAD_MESSAGE, why=why)
    who = request.session or request.address
    return token_hash(repr((who, request.request.url.path, key, given))) if key else ""


async def _arguments(call: Call, request: Request) -> dict[str, Any]:
    """Return what a request says in its path, its query and its body. Refuse a value that is not accepted."""
    given = dict(request.path_params)
    if call.query:
        given["query"] = _read_query(call.query, request.query_params)
    if call.body is str:
        given["body"] = (await read_body(request, request.receive, MAX_RECORD_BYTES)).decode(
            "utf-8", "replace"
        )
    elif call.body is not None:
        given["body"] = _decode(await read_body(request, request.receive), call.body)
    return given


def _read_query(shape: type[Struct], query: Mapping[str, str]) -> Struct:
    """Return the query as this shape. Refuse a value that is not accepted; leave other names aside."""
    found: dict[str, Any] = {}
    for one in msgspec.structs.fields(shape):
        if one.name in query:
            kind, text = without_none(one.type), query[one.name]
            values = msgspec.json.schema(kind).get("enum", (text,))
            try:
                found[one.name] = msgspec.convert(text if text in values else None, kind, strict=False)
            except msgspec.ValidationError:
                why = f"{one.name} must be {_name_values(kind)}, not {text[:MAX_QUOTED_CHARS]!r}"
                raise Refused(ErrorCode.BAD_MESSAGE, why=why) from None
    return shape(**found)


def _decode(body: bytes, shape: type[Struct]) -> Any:
    """Return the body as this shape. Refuse any other; name the values that are accepted where they are few."""
    try:
        return msgspec.json.decode(body or b"{}", type=shape)
    except UnicodeDecodeError as wrong:
        raise msgspec.DecodeError(str(wrong)) from None
    except msgspec.ValidationError as wrong:
        found = re.fullmatch(r"Invalid enum value .* at `\$\.(\w+)`", str(wrong), re.DOTALL)
        if found is None:
            raise
        kind = next(one.type for one in msgspec.structs.fields(shape) if one.name == found[1])
        raise Refused(ErrorCode.BAD_MESSAGE, why=f"{found[1]} must be {_name_values(kind)}") from None


def _name_values(kind: Any) -> str:
    """Return the values of a type in words.

    >>> _name_values(Annotated[int, Meta(ge=-1, le=9)])
    'a whole number from -1 to 9'
    """
    schema = msgspec.json.schema(kind)
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    return f"a whole number from {schema['minimum']} to {schema['maximum']}"


def without_none(kind: Any) -> Any:
    """Return a type that may be None as it is otherwise.

    >>> without_none(int | None), without_none(str)
    (<class 'int'>, <class 'str'>)
    """
    kinds = (
        [one for one in get_args(kind) if one is not NoneType]
        if get_origin(kind) in (Union, UnionType)
        else []
    )
    return kinds[0] if kinds else kind


def _response(call: Call, request: ApiRequest, answer: Any) -> Response:
    if isinstance(answer, Response):
        return answer
    if call.kind != EVENTS:
        return _json(answer, call.status)
    if request.request.method == "HEAD":
        return Response(media_type=EVENTS)
    return EventStream(request.services, request.address, _events(answer))


async def _events(answers: AsyncIterator[Any]) -> AsyncIterator[bytes]:
    async with aclosing(answers) as shapes:  # type: ignore[type-var]
        async for shape in shapes:
            yield KEEPALIVE if shape is None else b"data: " + msgspec.json.encode(shape) + b"\n\n"


def refusal(
    request: Request, wrong: Refused, status: int = 0, shape: type[Error] = Error, **more: Any
) -> Response:
    """Return the answer to a refused request. `more` are the fields of a shape that says more."""
    error = shape(wrong.code, refusal_text(wrong)[request.scope["visitor"].lang], **more)
    return _json(error, status or wrong.code.status, headers_of(wrong))


def _json(answer: Any, status: int, headers: dict[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(answer), status, headers, media_type=JSON)


GUIDE = """\
Play Small Change from a program. Open a table (`POST /api/matches`) or join one (`POST /api/join/{{code}}`).
The answer has a token, which you send from then on as `Authorization: Bearer TOKEN`. Read the table, choose
one of `legal`, and post it to `/act` with the table's `ply` and a `move` id that you make up (8 to 40 letters,
digits, `-`, `_`). You may send the same command again with the same id: it has one effect. 409 `conflict` means
that the table has moved on; the answer has the current table. What opens or makes something is done once within a
minute if it is sent again with the same header `Idempotency-Key` (16 characters or more). The server draws all
luck. Wait for your turn with `/stream`, or over the WebSocket at `/ws` (its messages: `/api/protocol`).

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
