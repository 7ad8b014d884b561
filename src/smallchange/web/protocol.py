"""The page docs/protocol.md, made from `wire.py`: python -m smallchange.web.protocol > docs/protocol.md"""

from __future__ import annotations

import functools
import inspect
import json
from typing import Any

import msgspec

from . import wire
from .incoming import BESIDE
from .line import PATIENCE
from .refused import WHY, Refused
from .settings import HOUSE, Settings

HEAD = """\
# Messages over the socket

Made from `src/smallchange/web/wire.py` and `refused.py` by `python -m smallchange.web.protocol`; do not edit.

Connect to `/ws` with the cookie of a page (then the `Origin`, if there is one, must be ours), or with
`Authorization: Bearer TOKEN` as for the API; a handshake with another's origin, without a proper token, or as
one more than the {sockets} connections that an address may have open, is answered 403, without more. Every
message is one JSON object as text, at most {frame} bytes from a client (a longer one closes it: 1009). `is`
names its kind.

A connection may send {playing} messages in 20 seconds while it follows a table at which it has a seat, and
{watching} else. It is closed (1008) after {patience} in a row that cannot be read or are too many, and cut
off where more than {beside} frames in 20 seconds are no whole messages: pings, pongs, parts. Who asks may
have {hints} hints in a minute, all connections together, and one address {together}.
"""
FOOT = """\
## What can be refused

A refusal changed nothing; after `late` and `closing` alone this is not known yet, and the same message may
be sent again. `code` is one of these; `why` says it in the visitor's language. Over HTTP the status goes with
it, but for a call that is there with another method: 405.

| code | HTTP | says |
| --- | --- | --- |
"""


@functools.cache  # anybody may ask, again and again, and moves would wait
def page(settings: Settings | None = None) -> str:
    """The whole page as Markdown, with the limits of these settings (None: as they are by default)."""
    chosen = settings or Settings()
    limits = msgspec.structs.asdict(chosen) | {"together": HOUSE * chosen.hints}
    head = HEAD.format(frame=wire.FRAME, patience=PATIENCE, beside=BESIDE, **limits)
    parts = [head, "## From the client\n", inspect.getdoc(wire) or "", ""]
    parts += [_message(kind) for kind in wire.MESSAGES_IN]
    parts += ["## From the server\n", *(_message(kind) for kind in wire.MESSAGES_OUT)]
    rows = [f"| `{code}` | {Refused.status_of(code)} | {text.en} |" for code, text in sorted(WHY.items())]
    return "\n".join([*parts, FOOT]) + "\n".join(rows) + "\n"


def _message(kind: type[Any]) -> str:
    """A message, and below it what its fields are made of."""
    _, defined = msgspec.json.schema_components([kind], ref_template="#/{name}")
    own = defined.pop(kind.__name__)
    parts = [_fields(f"### `{kind.__name__.lower()}`", own)]
    return "\n".join(parts + [_fields(f"#### `{name}`", part) for name, part in defined.items()])


def _fields(heading: str, shape: dict[str, Any]) -> str:
    about = " ".join(shape.get("description", "").split())
    lines = [f"{heading}\n", about, "", "| field | is | |", "| --- | --- | --- |"]
    for field, means in shape["properties"].items():
        if field == "is":
            continue
        default = "" if field in shape["required"] else f"default `{json.dumps(means.get('default'))}`"
        said = means.get("description", "")
        lines.append(f"| `{field}` | {_type(means)} | {' '.join(part for part in (said, default) if part)} |")
    return "\n".join([*lines, ""])


def _type(means: dict[str, Any]) -> str:
    if "anyOf" in means:
        return " or ".join(_type(one) for one in means["anyOf"])
    if "$ref" in means:
        name = means["$ref"].rpartition("/")[2]
        return f"[`{name}`](#{name.lower()})"
    if "enum" in means:
        return " or ".join(f"`{json.dumps(value)}`" for value in means["enum"])
    kind = str(means.get("type", "anything"))
    if kind == "array":
        return f"list of {_type(means['items'])}"
    if kind == "object":
        return f"object of {_type(means.get('additionalProperties', {}))}"
    bounds = {"minimum": "from", "maximum": "to", "minLength": "at least", "maxLength": "at most"}
    said = [f"{word} {means[key]}" for key, word in bounds.items() if key in means]
    if "pattern" in means:
        said.append(f"`{means['pattern']}`")
    return ", ".join([kind, *said])


if __name__ == "__main__":
    print(page(), end="")
