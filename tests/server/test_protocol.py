"""The generated pages are what the code says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec

from smallchange.server.app import API
from smallchange.server.settings import Settings
from smallchange.server.table.http import messages, protocol_page
from smallchange.server.table.model import commands
from smallchange.server.web.api import description
from smallchange.server.web.limits import MAX_COSTLY_REQUESTS

from .sample_requests import MESSAGES, required_fields

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_on_messages_is_up_to_date() -> None:
    assert (DOCS / "protocol.md").read_text() == protocol_page.page(), (
        "run python -m smallchange.server.table.http.protocol_page"
    )


def test_every_message_class_is_listed() -> None:
    assert set(messages.MESSAGES_IN) == {
        *commands.Request.__subclasses__(),
        *commands.Command.__subclasses__(),
    } - {commands.Command}
    assert set(messages.MESSAGES_OUT) == set(messages.Out.__subclasses__())


def test_what_a_field_is_made_of_is_told_too() -> None:
    """Authors of programs have this page alone: a field that may be anything tells them nothing."""
    page = protocol_page.page()
    for part in (messages.Offered, messages.Ended):
        name = part.__name__
        assert f"[`{name}`](#{name.lower()}) or null" in page
        _, _, said = page.partition(f"#### `{name}`\n")
        assert re.findall(r"^\| `(\w+)`", said.partition("\n#")[0], re.MULTILINE) == [*part.__struct_fields__]


def test_every_message_prints_as_it_is_read() -> None:
    for kind in messages.MESSAGES_IN:
        made = {"match": "abcdefgh", "ply": 3, "move": "12345678", "token": "x", "what": "draw", "yes": True}
        made["lines"] = [["*", "!x"]]
        message = msgspec.convert({k: v for k, v in made.items() if k in kind.__struct_encode_fields__}, kind)
        assert (
            messages.decode(json.dumps({"is": kind.__struct_config__.tag} | msgspec.to_builtins(message)))
            == message
        )


def test_the_description_for_programs_names_every_call_and_resolves() -> None:
    said = description(tuple(API), Settings())
    assert sum(len(methods) for methods in said["paths"].values()) == len(API)
    text = json.dumps(said)
    for reference in {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}:
        assert reference in said["components"]["schemas"]
    operations = [op["operationId"] for methods in said["paths"].values() for op in methods.values()]
    assert len(set(operations)) == len(operations)


def test_the_description_for_programs_and_the_page_tell_the_limits_of_the_server() -> None:
    chosen = Settings(
        playing=1001, watching=1002, hints=1003, sockets=1004, new_tables=1005, listed_tables=1006
    )
    said = description(tuple(API), chosen)["info"]["description"].replace("\n", " ")
    for limit in (
        "send 1001 commands in 20 seconds",
        "ask for 1003 hints and reviews in a minute",
        f"ask for {4 * 1003} hints and reviews and verify {MAX_COSTLY_REQUESTS} records in a minute",
        "open 1005 tables in 10 minutes, 1006 of them open to anyone",
        "have 1004 sockets and streams open",
    ):
        assert limit in said
    page = protocol_page.page(chosen).replace("\n", " ")
    for limit in (
        "1001 messages",
        "1002 otherwise",
        "1003 hints in a minute",
        f"one address for {4 * 1003}",
        "1004 conn",
    ):
        assert limit in page


def test_what_programs_read_is_made_once() -> None:
    """However often somebody asks for it, moves do not wait."""
    for made in (protocol_page.page, lambda chosen: description(tuple(API), chosen)):
        assert made(Settings()) is made(Settings())
        assert made(Settings()) != made(Settings(hints=7))


def test_no_message_goes_unasked() -> None:
    assert {message["is"] for message in MESSAGES} == {
        kind.__struct_config__.tag for kind in messages.MESSAGES_IN
    }
    for message in MESSAGES:
        messages.decode(json.dumps(required_fields(message, "a" * 20, 0, 0) | message))
