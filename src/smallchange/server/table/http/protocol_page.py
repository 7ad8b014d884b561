"""The page docs/protocol.md, made from the messages.

Run `python -m smallchange.server.table.http.protocol_page > docs/protocol.md`.
"""

from __future__ import annotations

import functools
import inspect
import json
from typing import Any

import msgspec

from smallchange.server.settings import ADDRESS_HINT_FACTOR, Settings
from smallchange.server.table.http import messages
from smallchange.server.table.http.connection import MAX_REFUSALS
from smallchange.server.web.errors import ErrorCode
from smallchange.server.web.transport import MAX_CONTROL_FRAMES

HEAD = """\
# Messages over the WebSocket

Made from `server/table/http/messages.py`, `server/table/model/commands.py` and `server/web/errors.py` by
`python -m smallchange.server.table.http.protocol_page`; do not edit.

Connect to `/ws` with the cookie of a page, or with `Authorization: Bearer TOKEN` as for the API. With a cookie,
the `Origin`, if there is one, must be the server's own. The handshake is answered 403 if it has another origin
or a malformed token, or if the address has {sockets} connections open already.

Every message is one JSON object, sent as text. `is` names its kind. A message from a client has at most {frame}
bytes; a longer one closes the connection (1009).

A connection may send {playing} messages in 20 seconds while it follows a table at which it has a seat, and
{watching} otherwise. It is closed (1008) after {refusals} messages in a row that cannot be read or are too many.
It is cut off after more than {beside} frames in 20 seconds that are not whole messages: pings, pongs and
fragments. A player may ask for {hints} hints in a minute, over all connections together, and one address for
{together}.
"""
HTTP = """\
## Over HTTP

`/api/openapi.json` describes the calls of the API over HTTP, with every parameter, body and answer. One of them lists
the finished games of an account: `GET /api/played/NAME`. Their records come in one file from `/played/NAME?file=json`
(`txt`, `ppn`), with the same filters.

"""
FOOT = """\
## Refusals

A refusal has changed nothing. Only after `outcome-unknown` and `shutting-down` is this not known yet: the same
message may be sent again. `code` is one of these; `why` is the reason in the visitor's language.
Over HTTP the answer has this status, or 405 for a call that exists with another method.

| code | HTTP | text |
| --- | --- | --- |
"""


@functools.cache  # anybody may ask, again and again, and moves would wait
def page(settings: Settings | None = None) -> str:
    """Return the whole page as Markdown, with the limits of these settings (None: the defaults)."""
    chosen = settings or Settings()
    limits = msgspec.structs.asdict(chosen) | {"together": ADDRESS_HINT_FACTOR * chosen.hints}
    head = HEAD.format(
        frame=messages.MAX_MESSAGE_BYTES, refusals=MAX_REFUSALS, beside=MAX_CONTROL_FRAMES, **limits
    )
    parts = [head, "## From the client\n", inspect.getdoc(messages) or "", ""]
    parts += [_message(kind) for kind in messages.MESSAGES_IN]
    parts += ["## From the server\n", *(_message(kind) for kind in messages.MESSAGES_OUT)]
    rows = [f"| `{code}` | {code.status} | {code.text.en} |" for code in sorted(ErrorCode)]
    return "\n".join([*parts, HTTP + FOOT]) + "\n".join(rows) + "\n"


def _message(kind: type[Any]) -> str:
    """Return the description of a message, and below it those of the shapes of its fields."""
    _, defined = msgspec.json.schema_components([kind], ref_template="#/{name}")
    own = defined.pop(kind.__name__)
    parts = [_fields(f"### `{kind.__struct_config__.tag}`", own)]
    return "\n".join(parts + [_fields(f"#### `{name}`", part) for name, part in defined.items()])


def _fields(heading: str, shape: dict[str, Any]) -> str:
    """Return a heading, a description, and the table of fields of a shape."""
    about = " ".join(shape.get("description", "").split())
    lines = [f"{heading}\n", about, "", "| field | is | |", "| --- | --- | --- |"]
    for field, means in shape["properties"].items():
        if field == "is":
            continue
        default = "" if field in shape["required"] else f"default `{json.dumps(means.get('default'))}`"
        description = means.get("description", "")
        lines.append(
            f"| `{field}` | {_type(means)} | {' '.join(part for part in (description, default) if part)} |"
        )
    return "\n".join([*lines, ""])


def _type(means: dict[str, Any]) -> str:
    """Return the type of a field in words."""
    if "anyOf" in means:
        return " or ".join(_type(one) for one in means["anyOf"])
    if "$ref" in means:
        name = means["$ref"].rpartition("/")[2]
        return f"[`{name}`](#{name.lower()})"
    if "enum" in means:
        return " or ".join(f"`{json.dumps(value)}`" for value in means["enum"])
    kind = str(means.get("type", "anything"))
    if kind == "array":
        return f"list of {_type(means['items'])}" if "items" in means else "list"
    if kind == "object":
        return f"object of {_type(means.get('additionalProperties', {}))}"
    bounds = {"minimum": "from", "maximum": "to", "minLength": "at least", "maxLength": "at most"}
    limits = [f"{word} {means[key]}" for key, word in bounds.items() if key in means]
    if "pattern" in means:
        limits.append(f"`{means['pattern']}`")
    return ", ".join([kind, *limits])


if __name__ == "__main__":
    print(page(), end="")
