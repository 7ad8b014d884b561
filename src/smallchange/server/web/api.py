"""The JSON API for programs: each call is one function, in the `api.py` of its feature.

    @calls.get("/played/{name}")
    async def player_games(request: ApiRequest, name: str, query: PlayedQuery) -> Played:
        '''List the finished games of an account.'''

Its signature says everything that a request may carry, and the answer. `openapi.py` describes the call by it, and
`api_routes` checks requests by it: parameters of the path by their names, `query` and `body` by their structs. A body
of type `str` is plain text. An `AsyncIterator` answers with server-sent events, a `Response` with its own type.

A program is identified by its bearer token alone. Cookies are ignored, so that no page of another site can act for a
visitor.
"""

from __future__ import annotations

import functools
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

from smallchange.server.web.errors import ErrorCode, Refused, headers_of, refusal_text
from smallchange.server.web.event_stream import EventStream
from smallchange.server.web.request_context import MAX_RECORD_BYTES, read_body
from smallchange.server.web.sessions import bearer_token, check_identity, client_address, token_hash

if TYPE_CHECKING:
    from smallchange.server.services import Services
    from smallchange.server.web.account import Account

F = TypeVar("F", bound=Callable[..., Awaitable[Any]])
MAX_ERROR_CHARS = 120
MAX_QUOTED_CHARS = 40  # of a value that was refused
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
    refusals by status, where they say more than `Error`.
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


class Calls(list[Call]):
    """The calls of a feature, in the order of their description."""

    def get(self, path: str, kind: str = JSON, token: bool = False) -> Callable[[F], F]:
        """Return a decorator: its function answers GET on this path."""
        return self._add("GET", path, kind, 200, token, ())

    def post(
        self, path: str, status: int = 200, token: bool = False, errors: Errors = ()
    ) -> Callable[[F], F]:
        """Return a decorator: its function answers POST on this path."""
        return self._add("POST", path, JSON, status, token, errors)

    def _add(
        self, method: str, path: str, kind: str, status: int, token: bool, errors: Errors
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
        try:
            if call.method == "GET":
                request.app.state.services.limits.pages.take(client_address(request))
            given = await _arguments(call, request)
            api_request = ApiRequest(request)
            await api_request.identify()
            response = _response(call, api_request, await call.function(api_request, **given))
        except Refused as wrong:
            return refusal(request, wrong)
        except msgspec.MsgspecError as wrong:
            return refusal(request, Refused(ErrorCode.BAD_MESSAGE, why=f"{wrong!s:.{MAX_ERROR_CHARS}}"))
        if call.method == "GET":
            size = len(getattr(response, "body", b""))  # a stream has none
            request.app.state.services.limits.charge_answer(client_address(request), size)
        return response

    path = call.path.replace("{name}", "{name:path}")  # a name may have a slash
    return Route(path, respond, methods=[call.method])


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
